"""Events: what happens. Units are named by id, hexes by printed number; movement points are in halves.

Loss points are written as the results table does: "0", "0h", "0d", "1", "1h", "1d", "2", ... Modifiers are pairs of a
name and a number, in lists, in the order in which they were counted.
"""

from sandtable.kernel.events import Event

Modifiers = list[tuple[str, int]]

# --- set-up, arrivals, replacements ---


class SideSetUp(Event, frozen=True):
    """``side`` set up: by unit its hex (AGC-6.0a)."""

    side: str
    hexes: dict[str, str]
    rule: str = "AGC-6.0a"


class UnitsArrived(Event, frozen=True):
    """Units came in from the pool, fresh (AGC-4.9a)."""

    side: str
    hexes: dict[str, str]
    rule: str = "AGC-4.9a"


class ReplacementsReceived(Event, frozen=True):
    """``side`` received ``points`` and has ``total`` saved now; ``points`` may be less than nothing (AGC-4.6.3b)."""

    side: str
    points: int
    total: int
    rule: str = "DM-5.0a"


class UnitReplaced(Event, frozen=True):
    """``unit`` got ``points`` and has ``sp`` now; the enemy sees the points, not who got them (DM-5.0b)."""

    side: str
    unit: str
    points: int
    sp: int
    rule: str = "DM-5.0b"


class UnitRebuilt(Event, frozen=True):
    """An eliminated ``unit`` comes back with ``sp``, which the enemy does not see, in turn ``arrives``."""

    side: str
    unit: str
    sp: int
    arrives: int
    rule: str = "DM-5.0e"


# --- rails and strategic movement ---


class RailExtended(Event, frozen=True):
    """Of ``allowed`` hexes from ``railhead``, these were converted (AGC-4.3.1d)."""

    railhead: str
    die: int
    allowed: int
    hexes: list[str]
    rule: str = "AGC-4.3.1d"


class ForceMovedStrategically(Event, frozen=True):
    """A force went along ``path`` and is spent (DM-6.0h)."""

    units: list[str]
    path: list[str]
    halves: int
    rule: str = "DM-6.0b"


# --- activation ---


class ForceActivated(Event, frozen=True):
    """A force was activated; ``zone`` tells whether it is ZOI-capable (DM-7.0d)."""

    units: list[str]
    hex: str
    zone: bool
    halves: int
    rule: str = "DM-7.0a"


class ForceMoved(Event, frozen=True):
    """The active force entered ``hex``; ``left`` halves are left. ``exploiting`` in an exploitation activation."""

    units: list[str]
    start: str
    hex: str
    halves: int
    left: int
    exploiting: bool = False
    rule: str = "DM-7.0j"


class UnitsPickedUp(Event, frozen=True):
    """Units joined the active force (DM-7.0n); ``zone`` tells that this makes it a ZOI-capable one (R-DM-32)."""

    units: list[str]
    hex: str
    left: int
    zone: bool = False
    rule: str = "DM-7.0n"


class UnitsDropped(Event, frozen=True):
    """Units left the active force and are spent (DM-7.0q)."""

    units: list[str]
    hex: str
    rule: str = "DM-7.0p"


class ForceRallied(Event, frozen=True):
    """A force is demoralised no more: ``why`` "rally" or "won" (DM-2.8g, DM-2.8h)."""

    units: list[str]
    hex: str
    left: int
    why: str = "rally"
    rule: str = "DM-7.0l"


class ActivationEnded(Event, frozen=True):
    """The active force, and who reacted to it, is spent (DM-7.0e, DM-7.0f)."""

    units: list[str]
    reacted: list[str]
    rule: str = "DM-7.0e"


class AttackDeclared(Event, frozen=True):
    """A concerted attack was announced (DM-8.1b)."""

    side: str
    target: str
    rule: str = "DM-8.1b"


class AttackPlanned(Event, frozen=True):
    """How, and with whom; the enemy sees neither until it is carried out (DM-8.1b)."""

    side: str
    plan: str
    units: list[str]
    rule: str = "DM-8.1b"


class AttackDropped(Event, frozen=True):
    """A concerted attack came to nothing: ``why`` in words (R-DM-27)."""

    target: str
    why: str
    rule: str = "R-DM-27"


# --- reactions ---


class ReactionRolled(Event, frozen=True):
    """``units`` tried to react into ``hex`` (``retreat``: to get out of the way); ``total`` with ``modifiers``."""

    units: list[str]
    start: str
    hex: str
    dice: list[int]
    modifiers: Modifiers
    total: int
    success: bool
    retreat: bool = False
    rule: str = "DM-2.6.1k"


class ForceReacted(Event, frozen=True):
    """A force moved along ``path`` by reaction; ``controls`` what it passed (DM-2.6.1e, R-DM-35)."""

    units: list[str]
    path: list[str]
    controls: bool = True
    rule: str = "DM-2.6.1e"


# --- combat ---


class CombatBegan(Event, frozen=True):
    """Opposing forces fight in ``hex``; the attack came over the hexside towards ``entry`` ("" for none)."""

    hex: str
    attackers: list[str]
    defenders: list[str]
    entry: str
    exploiting: bool = False
    rule: str = "DM-8.0a"


class UnitsLeftOut(Event, frozen=True):
    """Over-stacked units take no part (DM-2.3f)."""

    units: list[str]
    hex: str
    rule: str = "DM-2.3f"


class PlansRevealed(Event, frozen=True):
    """Attack plan and posture are open now; ``posture`` is "" for a demoralised defender (R-DM-13)."""

    hex: str
    plan: str
    posture: str
    rule: str = "DM-8.2d"


class AirUsed(Event, frozen=True):
    """The air unit takes part with these benefits (AGC-4.4a)."""

    hex: str
    shift: bool
    reroll: bool
    rule: str = "AGC-4.4a"


class DieRerolled(Event, frozen=True):
    """Die ``number`` of ``side`` was rolled again (AGC-4.4c)."""

    side: str
    number: int
    before: int
    after: int
    rule: str = "AGC-4.4c"


class AirChecked(Event, frozen=True):
    """Whether the air unit wears out (AGC-4.4d, AGC-4.4e).

    ``outcome`` is "one_benefit", "nothing" for a bad check without effect, "grounded", or "kept" for a good one that
    costs nothing (R-DM-85). A check is bad if the dice make less than ``needed``. ``benefit`` is the one that is left.
    """

    dice: list[int]
    needed: int
    outcome: str
    benefit: str = ""
    rule: str = "AGC-4.4d"


class CombatResolved(Event, frozen=True):
    """Both sides rolled. Strengths are totals before and after terrain; columns count from 1.

    ``on_defender`` and ``on_attacker`` are the loss points each suffers, after the combat matrix.
    """

    hex: str
    attack_strength: int
    defence_strength: int
    attack_modified: int
    defence_modified: int
    attack_column: int
    defence_column: int
    attack_dice: list[int]
    defence_dice: list[int]
    attack_modifiers: Modifiers
    defence_modifiers: Modifiers
    attack_total: int
    defence_total: int
    on_defender: str
    on_attacker: str
    rule: str = "DM-8.2e"


class DefenderOverwhelmed(Event, frozen=True):
    """At 12 to 1 the defender is eliminated without a roll (AGC-4.6.2a)."""

    hex: str
    attack_modified: int
    defence_modified: int
    rule: str = "AGC-4.6.2a"


class LossesTaken(Event, frozen=True):
    """``side`` took ``points`` loss points: by unit in ``losses``, ``replacements`` paid, ``surplus`` beyond its units.

    The enemy sees no distribution: ``losses`` is empty for him. ``why`` is "combat", "counterattack", "attrition" or
    "demoralized".
    """

    side: str
    hex: str
    points: int
    losses: dict[str, int]
    replacements: int = 0
    surplus: int = 0
    why: str = "combat"
    rule: str = "DM-8.8a"


class UnitsEliminated(Event, frozen=True):
    """Units left the map: ``why`` "losses", "retreat", "stacking", "overwhelmed" or "rout"."""

    units: list[str]
    hex: str
    why: str
    rule: str = "DM-2.4b"


class CounterattackResolved(Event, frozen=True):
    """The defender counterattacked in column ``ratio``: loss points on each side (DM-8.9h)."""

    hex: str
    counter_strength: int
    attack_strength: int
    ratio: str
    die: int
    on_defender: int
    on_attacker: int
    rule: str = "DM-8.9g"


class CombatDecided(Event, frozen=True):
    """``winner`` ("" for none) by the loss points that each side suffered in all (DM-8.10a)."""

    hex: str
    winner: str
    on_attacker: str
    on_defender: str
    rule: str = "DM-8.10b"


class HexHeld(Event, frozen=True):
    """``side`` is alone in a hex after a combat and controls it; who was thrown out has not moved through it."""

    hex: str
    side: str
    rule: str = "DM-2.9a"


class ForceRetreated(Event, frozen=True):
    """A force retreated along ``path``: ``why`` "lost", "reaction" or "rout" (DM-8.11a)."""

    units: list[str]
    path: list[str]
    why: str = "lost"
    rule: str = "DM-8.11a"


class ForceDemoralized(Event, frozen=True):
    """Units are demoralised: ``why`` "lost", "stacked" or "rout" (DM-2.8a, DM-2.8b)."""

    units: list[str]
    hex: str
    why: str
    rule: str = "DM-2.8a"


class ExploitationBegan(Event, frozen=True):
    """Units exploit with so many halves (DM-8.12.1a)."""

    units: list[str]
    hex: str
    halves: int
    surplus: int
    rule: str = "DM-8.12a"


class AttritionRolled(Event, frozen=True):
    """A force without a supply line suffered ``points`` loss points (DM-9.0b)."""

    units: list[str]
    hex: str
    dice: list[int]
    modifiers: Modifiers
    total: int
    points: int
    rule: str = "DM-9.0b"


# --- the end of a player turn ---


class UnitsSurrendered(Event, frozen=True):
    """A force that cannot trace to any source surrendered, for good (DM-10.0d)."""

    units: list[str]
    hex: str
    rule: str = "DM-10.0d"


class UnitsReset(Event, frozen=True):
    """The units of ``side`` are fresh again (DM-11.0a)."""

    side: str
    rule: str = "DM-11.0a"


# --- exclusive rules ---


class TurnOpened(Event, frozen=True):
    """The bookkeeping of a turn: the air unit is ready again, this turn's marks are cleared (AGC-4.4a)."""

    rule: str = "AGC-4.4a"


class CossacksNamed(Event, frozen=True):
    """The units in ``hex`` can act in zones this turn (AGC-4.8a)."""

    hex: str
    rule: str = "AGC-4.8a"


class AttacksDemanded(Event, frozen=True):
    """So many attacks must be made this turn (AGC-4.6.3a)."""

    side: str
    die: int
    number: int
    rule: str = "AGC-4.6.3a"


class AttackCounted(Event, frozen=True):
    """An attack was made towards the number demanded (R-DM-73)."""

    hex: str
    rule: str = "AGC-4.6.3a"


class UndyingRolled(Event, frozen=True):
    """An eliminated unit may return: in turn ``returns`` with ``sp``, 0 for not (AGC-4.6.4a, R-DM-65)."""

    unit: str
    die: int
    returns: int
    sp: int
    rule: str = "AGC-4.6.4a"


class PauseBegan(Event, frozen=True):
    """Mobile forces keep nearly still for the next two turns: ``why`` "smolensk" or "august" (AGC-4.7a)."""

    turn: int
    why: str
    rule: str = "AGC-4.7a"


class PauseChosen(Event, frozen=True):
    """The first player keeps still for the railways, or does not (AGC-4.3.1h)."""

    keep_still: bool
    rule: str = "AGC-4.3.1h"


EVENTS: tuple[type[Event], ...] = (
    SideSetUp,
    UnitsArrived,
    ReplacementsReceived,
    UnitReplaced,
    UnitRebuilt,
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
