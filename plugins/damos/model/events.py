"""The events of the game. Units are named by id, hexes by printed number; movement points are in halves.

Loss points are written as in the results table: "0", "0h", "0d", "1", "1h", "1d", "2", ... Modifiers are lists of pairs
of a name and a number, in the order in which they were counted. ``calculations`` explain the figures without the
strength of a single unit, which is secret.
"""

from damos.model.combat_events import (
    AirChecked,
    AirUsed,
    AttritionRolled,
    CombatBegan,
    CombatDecided,
    CombatResolved,
    CounterattackResolved,
    DefenderOverwhelmed,
    DieRerolled,
    ExploitationBegan,
    ForceDemoralized,
    ForceReacted,
    ForceRetreated,
    HexHeld,
    LossesTaken,
    Modifiers,
    PlansRevealed,
    ReactionRolled,
    UnitsEliminated,
    UnitsLeftOut,
)
from sandtable import UNSET, Calculations, Event

# --- set-up, arrivals, replacements ---


class SideSetUp(Event, frozen=True):
    """``side`` set up its units; ``hexes`` has the hex of each unit (AGC-6.0a)."""

    side: str
    hexes: dict[str, str]
    rule: str = "AGC-6.0a"


class UnitsArrived(Event, frozen=True):
    """Units arrived from the pool, fresh (AGC-4.9a)."""

    side: str
    hexes: dict[str, str]
    rule: str = "AGC-4.9a"


class ReplacementsReceived(Event, frozen=True):
    """``side`` received ``points`` and has saved ``total`` now. ``points`` may be negative (AGC-4.6.3b)."""

    side: str
    points: int
    total: int
    rule: str = "DM-5.0a"
    calculations: Calculations = UNSET


class ReplacementsSpent(Event, frozen=True):
    """``side`` spent ``points`` in total. The enemy does not see ``units``, the points by unit (DM-5.0b)."""

    side: str
    points: int
    units: dict[str, int]
    rule: str = "DM-5.0b"
    calculations: Calculations = UNSET


class UnitsRebuilt(Event, frozen=True):
    """Eliminated ``units`` that received points return in turn ``arrives``. Their strength is secret."""

    side: str
    units: list[str]
    arrives: int
    rule: str = "DM-5.0e"


# --- rails and strategic movement ---


class RailExtended(Event, frozen=True):
    """``hexes`` were converted from ``railhead``, of up to ``allowed`` (AGC-4.3.1d)."""

    railhead: str
    die: int
    allowed: int
    hexes: list[str]
    rule: str = "AGC-4.3.1d"
    calculations: Calculations = UNSET


class ForceMovedStrategically(Event, frozen=True):
    """A force moved along ``path`` and is spent (DM-6.0h)."""

    units: list[str]
    path: list[str]
    halves: int
    rule: str = "DM-6.0b"
    calculations: Calculations = UNSET


# --- activation ---


class ForceActivated(Event, frozen=True):
    """A force was activated, with ``halves`` half movement points. ``zone`` is true if it is ZOI-capable (DM-7.0d)."""

    units: list[str]
    hex: str
    zone: bool
    halves: int
    rule: str = "DM-7.0a"
    calculations: Calculations = UNSET


class ForceMoved(Event, frozen=True):
    """The active force entered ``hex`` and has ``left`` halves left; ``exploiting`` if it exploits."""

    units: list[str]
    start: str
    hex: str
    halves: int
    left: int
    exploiting: bool = False
    rule: str = "DM-7.0j"
    calculations: Calculations = UNSET


class UnitsPickedUp(Event, frozen=True):
    """Units joined the active force (DM-7.0n). ``zone`` is true if they make it ZOI-capable (R-DM-32)."""

    units: list[str]
    hex: str
    left: int
    zone: bool = False
    rule: str = "DM-7.0n"
    calculations: Calculations = UNSET


class UnitsDropped(Event, frozen=True):
    """Units left the active force and are spent (DM-7.0q)."""

    units: list[str]
    hex: str
    rule: str = "DM-7.0p"


class ForceRallied(Event, frozen=True):
    """A force is no longer demoralized. ``why`` is "rally" or "won" (DM-2.8g, DM-2.8h)."""

    units: list[str]
    hex: str
    left: int
    why: str = "rally"
    rule: str = "DM-7.0l"
    calculations: Calculations = UNSET


class ActivationEnded(Event, frozen=True):
    """The active force, and the units that reacted to it, are spent (DM-7.0e, DM-7.0f)."""

    units: list[str]
    reacted: list[str]
    rule: str = "DM-7.0e"


class AttackDeclared(Event, frozen=True):
    """A concerted attack was announced (DM-8.1b)."""

    side: str
    target: str
    rule: str = "DM-8.1b"


class AttackPlanned(Event, frozen=True):
    """Kind and force of a concerted attack were chosen, hidden from the enemy until it is carried out (DM-8.1b)."""

    side: str
    plan: str
    units: list[str]
    rule: str = "DM-8.1b"


class AttackLaunched(Event, frozen=True):
    """A concerted attack is carried out. The enemy sees the force now, and the plan when it moves in (DM-8.1b)."""

    side: str
    target: str
    units: list[str]
    rule: str = "DM-8.1b"


class AttackDropped(Event, frozen=True):
    """A concerted attack was abandoned, for the reason in ``why`` (R-DM-27)."""

    target: str
    why: str
    rule: str = "R-DM-27"


# --- the end of a player turn ---


class UnitsSurrendered(Event, frozen=True):
    """A force that cannot trace to any source surrendered, permanently (DM-10.0d)."""

    units: list[str]
    hex: str
    rule: str = "DM-10.0d"


class UnitsReset(Event, frozen=True):
    """The units of ``side`` are fresh again (DM-11.0a)."""

    side: str
    rule: str = "DM-11.0a"


# --- exclusive rules ---


class TurnOpened(Event, frozen=True):
    """A turn began: the air unit is ready again and the marks of the turn are cleared (AGC-4.4a)."""

    rule: str = "AGC-4.4a"


class CossacksNamed(Event, frozen=True):
    """The units in ``hex`` are ZOI-capable this turn (AGC-4.8a)."""

    hex: str
    rule: str = "AGC-4.8a"


class AttacksDemanded(Event, frozen=True):
    """``number`` attacks must be made this turn (AGC-4.6.3a)."""

    side: str
    die: int
    number: int
    rule: str = "AGC-4.6.3a"
    calculations: Calculations = UNSET


class AttackCounted(Event, frozen=True):
    """An attack counted toward the required number (R-DM-73)."""

    hex: str
    rule: str = "AGC-4.6.3a"


class UndyingRolled(Event, frozen=True):
    """An eliminated unit returns in turn ``returns`` (0: never) with ``sp`` strength points (AGC-4.6.4a, R-DM-65)."""

    unit: str
    die: int
    returns: int
    sp: int
    rule: str = "AGC-4.6.4a"
    calculations: Calculations = UNSET


class PauseBegan(Event, frozen=True):
    """The pause of the mobile Germans was triggered in ``turn``. ``why`` is "smolensk" or "august" (AGC-4.7a)."""

    turn: int
    why: str
    rule: str = "AGC-4.7a"


class PauseChosen(Event, frozen=True):
    """The Germans chose whether to keep their mobile units in place to extend the railways farther (AGC-4.3.1h)."""

    keep_still: bool
    rule: str = "AGC-4.3.1h"


__all__ = [
    "EVENTS",
    "ActivationEnded",
    "AirChecked",
    "AirUsed",
    "AttackCounted",
    "AttackDeclared",
    "AttackDropped",
    "AttackLaunched",
    "AttackPlanned",
    "AttacksDemanded",
    "AttritionRolled",
    "CombatBegan",
    "CombatDecided",
    "CombatResolved",
    "CossacksNamed",
    "CounterattackResolved",
    "DefenderOverwhelmed",
    "DieRerolled",
    "ExploitationBegan",
    "ForceActivated",
    "ForceDemoralized",
    "ForceMoved",
    "ForceMovedStrategically",
    "ForceRallied",
    "ForceReacted",
    "ForceRetreated",
    "HexHeld",
    "LossesTaken",
    "Modifiers",
    "PauseBegan",
    "PauseChosen",
    "PlansRevealed",
    "RailExtended",
    "ReactionRolled",
    "ReplacementsReceived",
    "ReplacementsSpent",
    "SideSetUp",
    "TurnOpened",
    "UndyingRolled",
    "UnitsArrived",
    "UnitsDropped",
    "UnitsEliminated",
    "UnitsLeftOut",
    "UnitsPickedUp",
    "UnitsRebuilt",
    "UnitsReset",
    "UnitsSurrendered",
]

EVENTS: tuple[type[Event], ...] = (
    SideSetUp,
    UnitsArrived,
    ReplacementsReceived,
    ReplacementsSpent,
    UnitsRebuilt,
    RailExtended,
    ForceMovedStrategically,
    ForceActivated,
    ForceMoved,
    UnitsPickedUp,
    UnitsDropped,
    ForceRallied,
    ActivationEnded,
    AttackDeclared,
    AttackPlanned,
    AttackLaunched,
    AttackDropped,
    ReactionRolled,
    ForceReacted,
    CombatBegan,
    UnitsLeftOut,
    PlansRevealed,
    AirUsed,
    DieRerolled,
    AirChecked,
    CombatResolved,
    DefenderOverwhelmed,
    LossesTaken,
    UnitsEliminated,
    CounterattackResolved,
    CombatDecided,
    HexHeld,
    ForceRetreated,
    ForceDemoralized,
    ExploitationBegan,
    AttritionRolled,
    UnitsSurrendered,
    UnitsReset,
    TurnOpened,
    CossacksNamed,
    AttacksDemanded,
    AttackCounted,
    UndyingRolled,
    PauseBegan,
    PauseChosen,
)
