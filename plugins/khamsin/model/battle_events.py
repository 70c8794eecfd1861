"""Events of engagements from contact to retreat, and the record of one side's actions out of the enemy's sight.

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
    """Opposing forces met (KH-12.01).

    ``forces`` has the formations of each side. ``composition`` has its companies by class, which is what contact
    reveals (KH-R59).
    """

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
    """A side chose how it meets an engagement (KH-19.01).

    ``number`` is the number of formations in ``leaving``, which withdraw separately from the force.
    """

    engagement: str
    side: str
    how: str
    leaving: dict[str, str]
    number: int
    rule: str = "KH-19.01"


class FormationWithdrew(Event, frozen=True):
    """A formation left an engagement before the fight, at the given cost in attrition (KH-19.09)."""

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
    """An engagement ended without a fight (KH-19.08, KH-19.09, KH-19.13).

    ``sides`` are the sides that withdrew, or the sides without fighters left.
    """

    engagement: str
    sides: list[str]
    rule: str = "KH-19.08"


class ModeAgreed(Event, frozen=True):
    """The mode of an engagement was set from the proposals of both sides (KH-12.12)."""

    engagement: str
    mode: str
    rule: str = "KH-12.12"


class MissionSet(Event, frozen=True):
    """The mission of an engagement was set, and the number of its actions. ``die`` is 0 if the mission is fixed."""

    engagement: str
    mission: str
    die: int
    number: int
    rule: str = "KH-12.04"
    calculations: Calculations = UNSET


class AdvantageAssessed(Event, frozen=True):
    """The advantage points of both sides were counted (KH-16).

    ``points`` has the reasons of each side. ``net`` is the net advantage of ``favored``, the side with more points.
    """

    engagement: str
    points: dict[str, list[tuple[str, int]]]
    favored: str
    net: int
    rule: str = "KH-16.10"
    calculations: Calculations = UNSET


class CompaniesFielded(Event, frozen=True):
    """A side fielded its companies for the actions of an engagement, in the order of the actions."""

    engagement: str
    side: str
    companies: list[Fielded]
    rule: str = "KH-13.01"


class BattleBriefed(Event, frozen=True):
    """The umpire received the brief of a battle."""

    engagement: str
    brief: Brief
    rule: str = "KH-1.01"
    calculations: Calculations = UNSET


class BattleFought(Event, frozen=True):
    """The umpire reported the result of a brief.

    ``part`` is the side that sees only its part of the result, or "" for the whole result. A part therefore differs
    from the whole even if the enemy lost nothing. Without ``part``, the seats that may open the record would reveal
    whether the enemy lost anything.
    """

    engagement: str
    action: int
    result: Result
    rule: str = "KH-18.02"
    part: str = ""


class VehiclesRecovered(Event, frozen=True):
    """A formation rolled to recover armored vehicles lost in an action (KH-22.02).

    ``recovered`` is the armor attrition that dice of ``needs`` or more remove.
    """

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
    """The attrition of a formation from one action was counted, after recovery and halving (KH-21).

    ``items`` are the losses that caused it, each with armor and general points.
    """

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
    """A formation received the average attrition of its actions (KH-21.02).

    ``recovered`` is the armor attrition that vehicle recovery saved.
    """

    engagement: str
    formation: str
    side: str
    armor: int
    general: int
    recovered: int = 0
    rule: str = "KH-21.02"
    calculations: Calculations = UNSET


class EngagementDecided(Event, frozen=True):
    """An engagement was decided: victory points by side, the winner ("" if neither side won) and the scale."""

    engagement: str
    points: dict[str, int]
    winner: str
    scale: str
    rule: str
    calculations: Calculations = UNSET


class RegroupOwed(Event, frozen=True):
    """Formations of a side were ordered to regroup next turn."""

    engagement: str
    side: str
    formations: list[str]
    rule: str = "KH-18.10"


class EnemyOverwhelmed(Event, frozen=True):
    """Formations of a side overwhelmed their opponent and have an advantage next turn (KH-18.08)."""

    engagement: str
    side: str
    formations: list[str]
    rule: str = "KH-18.08"


class FormationRetreated(Event, frozen=True):
    """A formation retreated or fell back from a connector."""

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
    """All consequences of an engagement were carried out."""

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
"""Events that can happen out of the enemy's sight. Each is a secret of its ``side``."""


class SideActed(EventGroup, frozen=True):
    """A side completed a step of play out of the enemy's sight; ``happened`` has its events in order, perhaps none."""

    side: str
    happened: list[Secret]
    rule: str = "KH-6.08"


def records_by_side(happened: Sequence[Event]) -> Iterator[Event]:
    """Yield the records of a hidden step: contacts of each side, one group for each side, then the public events.

    The contacts come first because they show in a side's later actions.
    """
    meetings = (events.EnemyMet, events.NoEnemyMet)
    yield from (event for event in happened if isinstance(event, meetings))
    for side in SIDES:
        yield SideActed(side, [event for event in happened if isinstance(event, Secret) and event.side == side])
    yield from (event for event in happened if not isinstance(event, (*meetings, Secret)))


def calculations_for(side: str, calculations: Calculations) -> Calculations:
    """Return the calculations that a side may see: its own, and those that belong to neither side."""
    if calculations is UNSET:
        return UNSET
    enemy = f".{ENEMY[side]}"
    return tuple(each for each in calculations if not each.name.endswith(enemy)) or UNSET


def meet(pieces: Mapping[str, list[str]]) -> Procedure:
    """Report to each side which of its pieces met enemies, with one record for each side in any case."""
    for side in SIDES:
        yield events.EnemyMet(side, sorted(pieces[side])) if pieces[side] else events.NoEnemyMet(side)


EVENTS: tuple[type[Event], ...] = (
    EngagementFound,
    WithdrawalChosen,
    FormationWithdrew,
    WithdrawalAllowed,
    ModeAgreed,
    MissionSet,
    AdvantageAssessed,
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
