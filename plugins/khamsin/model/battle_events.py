"""Events of engagements, from contact to retreat; and what a side does out of the enemy's sight, in one record.

``engagement`` is the id of the engagement.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import field

from khamsin.model import events
from khamsin.model.cards import ENEMY, SIDES
from khamsin.model.state import Fielded
from sandtable import UNSET, Calculations, Event, EventGroup, Procedure
from sandtable.tabletop import Brief, Result


class EngagementFound(Event, frozen=True):
    """Forces met. ``composition`` is, by side, companies by class: what contact tells (KH-R59)."""

    engagement: str
    area: str
    other: str
    forces: dict[str, list[str]]
    origins: dict[str, str]
    composition: dict[str, dict[str, int]]
    column: str
    stationary: str
    holder: str
    rule: str = "KH-12.01"


class WithdrawalChosen(Event, frozen=True):
    """A side said how it meets an engagement; ``number`` formations leave by themselves."""

    engagement: str
    side: str
    how: str
    leaving: dict[str, str]
    number: int
    rule: str = "KH-19.01"


class FormationWithdrew(Event, frozen=True):
    """A formation left an engagement before it was fought, with the attrition that it cost."""

    engagement: str
    formation: str
    side: str
    how: str
    dice: list[int]
    armor: int
    general: int
    rule: str = "KH-19.09"
    calculations: Calculations = UNSET


class WithdrawalAllowed(Event, frozen=True):
    """A fighting withdrawal took place without a fight: let go, or both sides withdrew."""

    engagement: str
    sides: list[str]
    rule: str = "KH-19.08"


class ModeAgreed(Event, frozen=True):
    """How an engagement is fought, by what both sides proposed."""

    engagement: str
    mode: str
    rule: str = "KH-12.12"


class MissionSet(Event, frozen=True):
    """The mission of an engagement, by a die or fixed (die 0), and the number of its actions."""

    engagement: str
    mission: str
    die: int
    number: int
    rule: str = "KH-12.04"
    calculations: Calculations = UNSET


class AdvantageReckoned(Event, frozen=True):
    """Advantage points of both sides by reason, and the net advantage of the side that has more (KH-16)."""

    engagement: str
    points: dict[str, list[tuple[str, int]]]
    favoured: str
    net: int
    rule: str = "KH-16.10"
    calculations: Calculations = UNSET


class CompaniesFielded(Event, frozen=True):
    """A side's companies for the actions of an engagement, in their order."""

    engagement: str
    side: str
    companies: list[Fielded]
    rule: str = "KH-13.01"


class BattleBriefed(Event, frozen=True):
    """A brief went out to the umpire."""

    engagement: str
    brief: Brief
    rule: str = "KH-1.01"
    calculations: Calculations = UNSET


class BattleFought(Event, frozen=True):
    """The result of a brief came in.

    ``part`` is the side whose part of it this is, "" for the whole. So a part differs from the whole even if the enemy
    lost nothing; otherwise who may open the record would tell.
    """

    engagement: str
    action: int
    result: Result
    rule: str = "KH-18.02"
    part: str = ""


class VehiclesRecovered(Event, frozen=True):
    """Dice for armoured vehicles lost in an action: ``recovered`` of them came up ``needs`` or more (KH-22.02)."""

    engagement: str
    action: int
    formation: str
    side: str
    dice: list[int]
    needs: int
    recovered: int
    rule: str = "KH-22.02"
    calculations: Calculations = UNSET


class ActionCounted(Event, frozen=True):
    """The attrition of a formation from one action, after recovery and halving, and what it is made of (KH-21)."""

    engagement: str
    action: int
    formation: str
    side: str
    armor: int
    general: int
    items: list[tuple[str, int, int]] = field(default_factory=list)
    halved: bool = False
    rule: str = "KH-21.01"
    calculations: Calculations = UNSET


class AttritionTaken(Event, frozen=True):
    """A formation received attrition: the average of its actions (KH-21.02); ``recovered`` is what recovery gave."""

    engagement: str
    formation: str
    side: str
    armor: int
    general: int
    recovered: int = 0
    rule: str = "KH-21.02"
    calculations: Calculations = UNSET


class EngagementDecided(Event, frozen=True):
    """An engagement is decided: victory points by side, winner ("" even), scale."""

    engagement: str
    points: dict[str, int]
    winner: str
    scale: str
    rule: str
    calculations: Calculations = UNSET


class RegroupOwed(Event, frozen=True):
    """These formations of a side must regroup next turn."""

    engagement: str
    side: str
    formations: list[str]
    rule: str = "KH-18.10"


class EnemyOverwhelmed(Event, frozen=True):
    """These formations of a side overwhelmed their opponent: an advantage next turn (KH-18.08)."""

    engagement: str
    side: str
    formations: list[str]
    rule: str = "KH-18.08"


class FormationRetreated(Event, frozen=True):
    """A formation retreated, or fell back from a connector."""

    formation: str
    side: str
    start: str
    area: str
    rule: str = "KH-20.01"


class FormationAdvanced(Event, frozen=True):
    """A formation of the winner advanced after combat."""

    formation: str
    side: str
    start: str
    area: str
    rule: str = "KH-18.07"


class EngagementSettled(Event, frozen=True):
    """All that follows from an engagement has been done."""

    engagement: str
    rule: str = "KH-12.03"


# --- out of the enemy's sight ---

Secret = (
    events.SurrenderChecked
    | events.FormationLost
    | events.FormationDisabled
    | events.FormationReturned
    | events.FormationArrived
    | events.FormationDelayed
    | events.ReplacementsGiven
    | events.AircraftFlew
    | events.FormationDivided
    | events.FormationJoined
    | events.ActivationRolled
    | events.DoctrineInvoked
    | events.DoctrineEnded
    | events.FormationMoved
    | events.LeaderMoved
    | events.LeaderReturned
    | events.CharacterHit
    | FormationWithdrew
    | VehiclesRecovered
    | ActionCounted
    | AttritionTaken
    | RegroupOwed
    | EnemyOverwhelmed
    | FormationRetreated
    | FormationAdvanced
)
"""What may happen out of sight; its ``side`` is whose secret it is."""


class SideActed(EventGroup, frozen=True):
    """All that a side did and suffered out of the enemy's sight in a step of play, in order; there may be nothing."""

    side: str
    happened: list[Secret]
    rule: str = "KH-6.08"


def records_by_side(happened: Sequence[Event]) -> Iterator[Event]:
    """Yield the records of a step out of sight: whom each side met, a group for each side, what all may see.

    Whom a side met comes first, since it shows in what that side did.
    """
    meetings = (events.EnemyMet, events.NobodyMet)
    yield from (event for event in happened if isinstance(event, meetings))
    for side in SIDES:
        yield SideActed(side, [event for event in happened if isinstance(event, Secret) and event.side == side])
    yield from (event for event in happened if not isinstance(event, (*meetings, Secret)))


def calculations_for(side: str, calculations: Calculations) -> Calculations:
    """Return what a side may see of how figures about both sides came about: its own, and what is of neither."""
    if calculations is UNSET:
        return UNSET
    enemy = f".{ENEMY[side]}"
    return tuple(each for each in calculations if not each.name.endswith(enemy)) or UNSET


def meet(pieces: Mapping[str, list[str]]) -> Procedure:
    """Tell each side who of it met enemies, in one record in any case."""
    for side in SIDES:
        yield events.EnemyMet(side, sorted(pieces[side])) if pieces[side] else events.NobodyMet(side)


EVENTS: tuple[type[Event], ...] = (
    EngagementFound,
    WithdrawalChosen,
    FormationWithdrew,
    WithdrawalAllowed,
    ModeAgreed,
    MissionSet,
    AdvantageReckoned,
    CompaniesFielded,
    BattleBriefed,
    BattleFought,
    VehiclesRecovered,
    ActionCounted,
    AttritionTaken,
    EngagementDecided,
    RegroupOwed,
    EnemyOverwhelmed,
    FormationRetreated,
    FormationAdvanced,
    EngagementSettled,
    SideActed,
)
