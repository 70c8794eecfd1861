"""Events of reactions and combat. ``damos.model.events`` has all other events, and the list of all of them."""

from sandtable import UNSET, Calculations, Event

Modifiers = list[tuple[str, int]]
"""Pairs of name and number, in the order in which they were counted."""


# --- reactions ---


class ReactionRolled(Event, frozen=True):
    """``units`` tried to react into ``hex``, or to retreat from the enemy there if ``retreat``.

    ``total`` includes ``modifiers``. A calculation "mobile" has the mobile strengths of both forces, if both sides show
    them (R-DM-04).
    """

    units: list[str]
    start: str
    hex: str
    dice: list[int]
    modifiers: Modifiers
    total: int
    success: bool
    retreat: bool = False
    rule: str = "DM-2.6.1k"
    calculations: Calculations = UNSET


class ForceReacted(Event, frozen=True):
    """A force moved along ``path`` by reaction, and took control of it if ``controls`` (DM-2.6.1e, R-DM-35)."""

    units: list[str]
    path: list[str]
    controls: bool = True
    rule: str = "DM-2.6.1e"


# --- combat ---


class CombatBegan(Event, frozen=True):
    """Opposing forces fight in ``hex``. The attackers entered it from ``entry`` ("" for none)."""

    hex: str
    attackers: list[str]
    defenders: list[str]
    entry: str
    exploiting: bool = False
    rule: str = "DM-8.0a"


class UnitsLeftOut(Event, frozen=True):
    """Over-stacked units took no part in a combat (DM-2.3f)."""

    units: list[str]
    hex: str
    rule: str = "DM-2.3f"


class PlansRevealed(Event, frozen=True):
    """Attack plan and posture were revealed. ``posture`` is "" for a demoralized defender (R-DM-13)."""

    hex: str
    plan: str
    posture: str
    rule: str = "DM-8.2d"


class AirUsed(Event, frozen=True):
    """The air unit took part with these benefits (AGC-4.4a)."""

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
    """The check of the air unit after a combat was rolled (AGC-4.4d, AGC-4.4e).

    ``outcome`` is "one_benefit", "nothing" for a failed check without effect, "grounded", or "kept" for a passed check
    that costs nothing (R-DM-85). A check fails if the dice total less than ``needed``. ``benefit`` is the remaining
    benefit.
    """

    dice: list[int]
    needed: int
    outcome: str
    benefit: str = ""
    rule: str = "AGC-4.4d"
    calculations: Calculations = UNSET


class CombatResolved(Event, frozen=True):
    """Both sides rolled. Strengths are totals before and after terrain; columns count from 1.

    ``on_defender`` and ``on_attacker`` are the loss points of each side, after the combat matrix.
    """

    hex: str
    attack_strength: int
    defense_strength: int
    attack_modified: int
    defense_modified: int
    attack_column: int
    defense_column: int
    attack_dice: list[int]
    defense_dice: list[int]
    attack_modifiers: Modifiers
    defense_modifiers: Modifiers
    attack_total: int
    defense_total: int
    on_defender: str
    on_attacker: str
    rule: str = "DM-8.2e"
    calculations: Calculations = UNSET


class DefenderOverwhelmed(Event, frozen=True):
    """The defender was eliminated without a roll at 12 to 1 (AGC-4.6.2a)."""

    hex: str
    attack_modified: int
    defense_modified: int
    rule: str = "AGC-4.6.2a"
    calculations: Calculations = UNSET


class LossesTaken(Event, frozen=True):
    """``side`` took ``points`` loss points: ``losses`` by unit, ``replacements`` paid, ``surplus`` that remained.

    The enemy does not see the distribution: for the enemy, ``losses`` is empty. ``why`` is "combat", "counterattack",
    "attrition" or "demoralized".
    """

    side: str
    hex: str
    points: int
    losses: dict[str, int]
    replacements: int = 0
    surplus: int = 0
    why: str = "combat"
    rule: str = "DM-8.8a"
    calculations: Calculations = UNSET


class UnitsEliminated(Event, frozen=True):
    """Units left the map. ``why`` is "losses", "retreat", "stacking", "overwhelmed" or "rout"."""

    units: list[str]
    hex: str
    why: str
    rule: str = "DM-2.4b"


class CounterattackResolved(Event, frozen=True):
    """The defender counterattacked in column ``ratio``. Fields hold the loss points of each side (DM-8.9h)."""

    hex: str
    counter_strength: int
    attack_strength: int
    ratio: str
    die: int
    on_defender: int
    on_attacker: int
    rule: str = "DM-8.9g"
    calculations: Calculations = UNSET


class CombatDecided(Event, frozen=True):
    """``winner`` ("" for none) was decided by the total loss points of each side (DM-8.10a)."""

    hex: str
    winner: str
    on_attacker: str
    on_defender: str
    rule: str = "DM-8.10b"
    calculations: Calculations = UNSET


class HexHeld(Event, frozen=True):
    """``side`` is alone in a hex that both sides occupied, and controls it now."""

    hex: str
    side: str
    rule: str = "DM-2.9a"


class ForceRetreated(Event, frozen=True):
    """A force retreated along ``path``. ``why`` is "lost", "reaction" or "rout" (DM-8.11a)."""

    units: list[str]
    path: list[str]
    why: str = "lost"
    rule: str = "DM-8.11a"


class ForceDemoralized(Event, frozen=True):
    """Units were demoralized. ``why`` is "lost", "stacked" or "rout" (DM-2.8a, DM-2.8b)."""

    units: list[str]
    hex: str
    why: str
    rule: str = "DM-2.8a"


class ExploitationBegan(Event, frozen=True):
    """Units began an exploitation activation with ``halves`` half movement points (DM-8.12.1a)."""

    units: list[str]
    hex: str
    halves: int
    surplus: int
    rule: str = "DM-8.12a"
    calculations: Calculations = UNSET


class AttritionRolled(Event, frozen=True):
    """A force without a supply line suffered ``points`` loss points (DM-9.0b).

    The column is secret, like the strength of the force (DM-2.4c). Its owner sees it in ``LossesTaken``.
    """

    units: list[str]
    hex: str
    dice: list[int]
    modifiers: Modifiers
    total: int
    points: int
    rule: str = "DM-9.0b"
    calculations: Calculations = UNSET
