"""Events of the campaign; those of engagements are in ``battle_events.py``. Paths begin where the piece stood.

``calculations`` say how the figures of an event came about, each named for its field (by area or side where that is a
dict). Events that all see name no formation in them, and no strength that contact does not tell.
"""

from msgspec import field

from khamsin.model.state import Summary
from sandtable import UNSET, Calculations, Event


class TurnOpened(Event, frozen=True):
    """Marks of the last turn were taken off: moves, air support, who must regroup now."""

    rule: str = "KH-3.01"


class SituationChanged(Event, frozen=True):
    """A scheduled change of the situation (KH-2.04): ``kind`` with its values, as the module has it."""

    kind: str
    side: str = ""
    area: str = ""
    value: str = ""
    text: str = ""
    rule: str = "KH-2.04"


class SideDeployed(Event, frozen=True):
    """A side was deployed: by formation and by leader its area."""

    side: str
    areas: dict[str, str]
    leaders: dict[str, str] = field(default_factory=dict)
    rule: str = "KH-1.08"


# --- supply, arrivals, replacements, weather ---


class SupplyChecked(Event, frozen=True):
    """The supply of a side was checked: who of it is out of supply (KH-10.01).

    ``stocks`` gives, by area, the turns for which one that is cut off from the rest has now lived on its stocks.
    """

    side: str
    cut: list[str]
    stocks: dict[str, int] = field(default_factory=dict)
    rule: str = "KH-10.01"
    calculations: Calculations = UNSET


class SurrenderChecked(Event, frozen=True):
    """A formation out of supply for long was checked: one die, and a second one if it failed (KH-10.11)."""

    formation: str
    side: str
    dice: list[int]
    modifiers: list[tuple[str, int]]
    needs: int
    held: bool
    rule: str = "KH-10.12"
    calculations: Calculations = UNSET


class FormationLost(Event, frozen=True):
    """A formation is out of the campaign; ``reason`` is surrendered or broken_up."""

    formation: str
    side: str
    area: str
    reason: str
    rule: str


class FormationDisabled(Event, frozen=True):
    """A formation was combat ineffective and placed in its base (KH-22.14).

    ``general`` is attrition that comes with it: one that broke up without supply is brought to the limit (KH-R87).
    """

    formation: str
    side: str
    area: str
    base: str
    general: int = 0
    rule: str = "KH-22.14"
    calculations: Calculations = UNSET


class FormationReturned(Event, frozen=True):
    """A formation in the base was fit again (KH-R86)."""

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
    """A reinforcement found every entry closed, and waits (KH-4.06)."""

    formation: str
    side: str
    rule: str = "KH-4.06"


class ReplacementsGiven(Event, frozen=True):
    """A formation received replacements: attrition removed, points paid, what it will do, whether it assimilates."""

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
    """The weather of the turn; ``die`` 0 where none was rolled."""

    weather: str
    die: int = 0
    rule: str = "KH-4.01"
    calculations: Calculations = UNSET


# --- orders and moves ---


class OrdersWritten(Event, frozen=True):
    """A side's orders were handed in: see ``khamsin.model.orders.WriteOrders``."""

    side: str
    moves: dict[str, list[str]]
    leaders: dict[str, list[str]]
    interdict: list[str]
    detach: dict[str, int]
    plan: str = ""
    rule: str = "KH-3.06"


class EnemyMet(Event, frozen=True):
    """These pieces of a side met enemies: they share an area with them, or did not get where they were to go."""

    side: str
    pieces: list[str]
    rule: str = "KH-3.10"


class NobodyMet(Event, frozen=True):
    """No piece of a side met enemies. It stands in place of ``EnemyMet``, so that there is a record in any case."""

    side: str
    rule: str = "KH-3.10"


class AircraftFlew(Event, frozen=True):
    """A side's air force flew to interdict areas: what was rolled for each, 0 for no roll."""

    side: str
    areas: dict[str, int]
    rule: str = "KH-7.06"
    calculations: Calculations = UNSET


class AreasInterdicted(Event, frozen=True):
    """A side's air force interdicted these areas."""

    side: str
    stopped: list[str]
    rule: str = "KH-7.07"


class FormationDivided(Event, frozen=True):
    """A formation in a fortress left part of itself there: ``piece`` of ``strength`` (KH-R117)."""

    formation: str
    side: str
    piece: str
    strength: int
    area: str
    rule: str = "KH-R117"


class FormationJoined(Event, frozen=True):
    """A part came together with its formation again."""

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
    """A German formation moved instead of regrouping, and pays for it (KH-20.08, KH-20.09, KH-20.10)."""

    formation: str
    side: str
    general: int
    armor: int
    rule: str = "KH-20.07"
    calculations: Calculations = UNSET


class DoctrineEnded(Event, frozen=True):
    """A formation that owed its regrouping stood still for a turn (KH-20.10)."""

    formation: str
    side: str
    rule: str = "KH-20.10"


class FormationMoved(Event, frozen=True):
    """A formation crossed a connector from ``start`` ("" off the map) to ``area`` at a cost in movement points."""

    formation: str
    side: str
    start: str
    area: str
    cost: int
    rule: str = "KH-8.10"
    calculations: Calculations = UNSET


class LeaderMoved(Event, frozen=True):
    """A leader went along ``path``: by order, with a force, or displaced (KH-R104, KH-R105)."""

    leader: str
    side: str
    path: list[str]
    rule: str = "KH-8.15"


class LeaderReturned(Event, frozen=True):
    """A leader came back as a reinforcement (KH-23.04)."""

    leader: str
    side: str
    area: str
    rule: str = "KH-23.04"


class CharacterHit(Event, frozen=True):
    """A leader was a casualty: ``fate`` is killed, captured, wounded (until turn ``returns``) or minor.

    ``die`` is 0 where it was not rolled; ``days_die`` is the d3 of turns.
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
    """An area came under another side's control."""

    area: str
    side: str
    rule: str = "KH-11.05"


class HonourGained(Event, frozen=True):
    """A player gained honour points, or lost them."""

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
    """A side was told the situation (KH-6): adjacent areas with enemies, companies by class where recon looked.

    ``fought`` are the engagements of the turn (KH-6.02).
    """

    side: str
    occupied: list[str]
    seen: dict[str, dict[str, int]]
    fought: list[Summary] = field(default_factory=list)
    rule: str = "KH-6.01"


class ConditionCounted(Event, frozen=True):
    """A condition of victory, by its number, has held for so many turns running."""

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
    NobodyMet,
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
    HonourGained,
    MedalsAwarded,
    ReportIssued,
    ConditionCounted,
)
