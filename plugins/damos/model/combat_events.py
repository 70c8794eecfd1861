"""Events of reactions and combat; ``damos.model.events`` has all the others, and the list of all."""

from sandtable import UNSET, Calculations, Event

Modifiers = list[tuple[str, int]]
"""Names and numbers, in the order in which they were counted."""


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
    calculations: Calculations = UNSET


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
    calculations: Calculations = UNSET


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
    calculations: Calculations = UNSET


class DefenderOverwhelmed(Event, frozen=True):
    """At 12 to 1 the defender is eliminated without a roll (AGC-4.6.2a)."""

    hex: str
    attack_modified: int
    defence_modified: int
    rule: str = "AGC-4.6.2a"
    calculations: Calculations = UNSET


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
    calculations: Calculations = UNSET


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
    calculations: Calculations = UNSET


class CombatDecided(Event, frozen=True):
    """``winner`` ("" for none) by the loss points that each side suffered in all (DM-8.10a)."""

    hex: str
    winner: str
    on_attacker: str
    on_defender: str
    rule: str = "DM-8.10b"
    calculations: Calculations = UNSET


class HexHeld(Event, frozen=True):
    """``side`` is alone in a hex that both sides were in, and controls it now."""

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
    calculations: Calculations = UNSET


class AttritionRolled(Event, frozen=True):
    """A force without a supply line suffered ``points`` loss points (DM-9.0b).

    In which column is a secret, as the strength of the force is (DM-2.4c): ``LossesTaken`` has it, for its owner.
    """

    units: list[str]
    hex: str
    dice: list[int]
    modifiers: Modifiers
    total: int
    points: int
    rule: str = "DM-9.0b"
    calculations: Calculations = UNSET
