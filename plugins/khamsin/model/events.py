"""Events of the campaign; ``battle_events.py`` has the events of engagements. Paths begin in the piece's own area.

``calculations`` show how the figures of an event were computed. Each is named after its field; if the field is a dict,
it is named after the area or side. Public events name no formation and reveal no more strength than contact does.
"""

from msgspec import field

from khamsin.model.state import Summary
from sandtable import UNSET, Calculations, Event


class TurnOpened(Event, frozen=True):
    """A turn began: marks of the previous turn were removed (moves, air support), and owed regrouping became due."""

    rule: str = "KH-3.01"


class SituationChanged(Event, frozen=True):
    """The situation changed on schedule (KH-2.04). ``kind`` and its values come from the module."""

    kind: str
    side: str = ""
    area: str = ""
    value: str = ""
    text: str = ""
    rule: str = "KH-2.04"


class SideDeployed(Event, frozen=True):
    """A side was deployed. ``areas`` are by formation, ``leaders`` has the areas of its leaders."""

    side: str
    areas: dict[str, str]
    leaders: dict[str, str] = field(default_factory=dict)
    rule: str = "KH-1.08"


# --- supply, arrivals, replacements, weather ---


class SupplyChecked(Event, frozen=True):
    """The supply of a side was checked. ``cut`` are its formations out of supply (KH-10.01).

    ``stocks`` has, for each supply area that is cut off from the others, the turns for which it has used its stocks.
    """

    side: str
    cut: list[str]
    stocks: dict[str, int] = field(default_factory=dict)
    rule: str = "KH-10.01"
    calculations: Calculations = UNSET


class SurrenderChecked(Event, frozen=True):
    """A formation long out of supply rolled to avoid surrender (KH-10.11): one die, and a second if it failed."""

    formation: str
    side: str
    dice: list[int]
    modifiers: list[tuple[str, int]]
    needs: int
    held: bool
    rule: str = "KH-10.12"
    calculations: Calculations = UNSET


class FormationLost(Event, frozen=True):
    """A formation left the campaign permanently. ``reason`` is surrendered or broken_up."""

    formation: str
    side: str
    area: str
    reason: str
    rule: str


class FormationDisabled(Event, frozen=True):
    """A formation became combat ineffective and was moved to its side's base (KH-22.14).

    ``general`` is additional attrition. A formation that broke up without supply receives enough to reach the limit
    (KH-R87).
    """

    formation: str
    side: str
    area: str
    base: str
    general: int = 0
    rule: str = "KH-22.14"
    calculations: Calculations = UNSET


class FormationReturned(Event, frozen=True):
    """A formation in the base became fit again and returned (KH-R86)."""

    formation: str
    side: str
    area: str
    rule: str = "KH-R86"


class FormationArrived(Event, frozen=True):
    """A reinforcement arrived in an entry area."""

    formation: str
    side: str
    area: str
    rule: str = "KH-4.04"


class FormationDelayed(Event, frozen=True):
    """A reinforcement found every entry area closed and waits (KH-4.06)."""

    formation: str
    side: str
    rule: str = "KH-4.06"


class ReplacementsGiven(Event, frozen=True):
    """A formation received replacements (KH-5.04).

    ``armor`` and ``general`` are the attrition points removed, ``paid_armor`` and ``paid_general`` the replacement
    points paid. ``mark`` is "stationary", "moving" or "". ``assimilating`` is whether the formation assimilates
    (KH-5.14).
    """

    formation: str
    side: str
    armor: int
    general: int
    paid_armor: int
    paid_general: int
    mark: str
    assimilating: bool
    rule: str = "KH-5.04"
    calculations: Calculations = UNSET


class WeatherSet(Event, frozen=True):
    """The weather of the turn was set. ``die`` is 0 if no die was rolled."""

    weather: str
    die: int = 0
    rule: str = "KH-4.01"
    calculations: Calculations = UNSET


# --- orders and moves ---


class OrdersWritten(Event, frozen=True):
    """A side submitted its orders (see ``khamsin.model.orders.WriteOrders``)."""

    side: str
    moves: dict[str, list[str]]
    leaders: dict[str, list[str]]
    interdict: list[str]
    detach: dict[str, int]
    plan: str = ""
    rule: str = "KH-3.06"


class EnemyMet(Event, frozen=True):
    """Pieces of a side met enemies: they share an area with enemies or did not reach their destination."""

    side: str
    pieces: list[str]
    rule: str = "KH-3.10"


class NoEnemyMet(Event, frozen=True):
    """A side met no enemies. It gets either this record or ``EnemyMet``, so there is always one."""

    side: str
    rule: str = "KH-3.10"


class AircraftFlew(Event, frozen=True):
    """A side's air force tried to interdict areas. ``areas`` has the die for each, or 0 if none was rolled."""

    side: str
    areas: dict[str, int]
    rule: str = "KH-7.06"
    calculations: Calculations = UNSET


class AreasInterdicted(Event, frozen=True):
    """A side's air force interdicted the areas in ``stopped``."""

    side: str
    stopped: list[str]
    rule: str = "KH-7.07"


class FormationDivided(Event, frozen=True):
    """A formation left ``piece``, a part of the given strength, in its fortress (KH-R117)."""

    formation: str
    side: str
    piece: str
    strength: int
    area: str
    rule: str = "KH-R117"


class FormationJoined(Event, frozen=True):
    """A part rejoined its formation."""

    formation: str
    side: str
    piece: str
    rule: str = "KH-R117"


class ActivationRolled(Event, frozen=True):
    """A formation rolled to enter an enemy-occupied area (KH-9.01)."""

    formation: str
    side: str
    area: str
    die: int
    modifiers: list[tuple[str, int]]
    total: int
    needs: int
    activated: bool
    rule: str = "KH-9.01"
    calculations: Calculations = UNSET


class DoctrineInvoked(Event, frozen=True):
    """A German formation moved instead of regrouping and paid attrition for it (KH-20.08, KH-20.09, KH-20.10)."""

    formation: str
    side: str
    general: int
    armor: int
    rule: str = "KH-20.07"
    calculations: Calculations = UNSET


class DoctrineEnded(Event, frozen=True):
    """A formation that owed a turn of regrouping was stationary for a turn (KH-20.10)."""

    formation: str
    side: str
    rule: str = "KH-20.10"


class FormationMoved(Event, frozen=True):
    """A formation crossed a connector from ``start`` ("" if off the map) to ``area`` for ``cost`` movement points."""

    formation: str
    side: str
    start: str
    area: str
    cost: int
    rule: str = "KH-8.10"
    calculations: Calculations = UNSET


class LeaderMoved(Event, frozen=True):
    """A leader moved along ``path``: by order, with a force, or because they were displaced (KH-R104, KH-R105)."""

    leader: str
    side: str
    path: list[str]
    rule: str = "KH-8.15"


class LeaderReturned(Event, frozen=True):
    """A leader returned as a reinforcement (KH-23.04)."""

    leader: str
    side: str
    area: str
    rule: str = "KH-23.04"


class CharacterHit(Event, frozen=True):
    """A leader became a casualty: ``fate`` is killed, captured, wounded (back in turn ``returns``) or minor.

    ``days_die`` is the d3 for the number of turns, 0 if the leader is not wounded.
    """

    leader: str
    side: str
    die: int
    fate: str
    days_die: int = 0
    returns: int = 0
    rule: str = "KH-23.02"
    calculations: Calculations = UNSET


class ControlChanged(Event, frozen=True):
    """An area came under the control of the other side."""

    area: str
    side: str
    rule: str = "KH-11.05"


class HonorGained(Event, frozen=True):
    """A player gained or lost honor points."""

    player: str
    side: str
    points: int
    reason: str
    rule: str


class MedalsAwarded(Event, frozen=True):
    """The best commanders of each side were named (KH-24.10)."""

    players: dict[str, list[str]]
    rule: str = "KH-24.10"
    calculations: Calculations = UNSET


# --- end of the turn ---


class ReportIssued(Event, frozen=True):
    """A side received its report of the situation (KH-6).

    ``occupied`` are the adjacent areas with enemies, ``seen`` the companies by class that its reconnaissance saw in an
    area. ``fought`` are the engagements of the turn (KH-6.02).
    """

    side: str
    occupied: list[str]
    seen: dict[str, dict[str, int]]
    fought: list[Summary] = field(default_factory=list)
    rule: str = "KH-6.01"


class ConditionCounted(Event, frozen=True):
    """The number of consecutive turns for which a victory condition has held changed. ``condition`` is its index."""

    condition: str
    turns: int
    rule: str = "KH-25.01"
    calculations: Calculations = UNSET


EVENTS: tuple[type[Event], ...] = (
    TurnOpened,
    SituationChanged,
    SideDeployed,
    SupplyChecked,
    SurrenderChecked,
    FormationLost,
    FormationDisabled,
    FormationReturned,
    FormationArrived,
    FormationDelayed,
    ReplacementsGiven,
    WeatherSet,
    OrdersWritten,
    EnemyMet,
    NoEnemyMet,
    AircraftFlew,
    AreasInterdicted,
    FormationDivided,
    FormationJoined,
    ActivationRolled,
    DoctrineInvoked,
    DoctrineEnded,
    FormationMoved,
    LeaderMoved,
    LeaderReturned,
    CharacterHit,
    ControlChanged,
    HonorGained,
    MedalsAwarded,
    ReportIssued,
    ConditionCounted,
)
