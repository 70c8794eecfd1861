"""The derivation of an attack's figures, for its event: strengths, defense, superiority, the cell of the table."""

from kampfpanzer.fire.superiority import Attack, Step, strength_steps
from kampfpanzer.model.state import KampfState, Unit
from kampfpanzer.model.tables import ENTRENCHMENT, MAX_SUPERIORITY
from kampfpanzer.terrain.zones import defense_strength, is_rider
from sandtable import Calculation

COMBAT_TABLE, OVERRUN_TABLE = "KP-9.7a", "KP-9.69a"
"""The rules that contain the two tables."""

COVER_RULES = {"town": "KP-10.0b", "woods": "KP-10.0c", "slope": "KP-10.0i", "wreck": "KP-10.0e"}
"""By cover, the rule that states its addition; for a slope against several firers the rule is KP-10.0j."""

ENTRENCHED_RULE, ENTRENCHED_AGAIN = "KP-13.0d", "R-KP-72"


def column_title(superiority: int) -> str:
    """Return the heading of a column in the table, such as "-3", "0" or "+8"."""
    return f"{superiority:+}" if superiority else "0"


def combat_cell(superiority: int, die: int) -> tuple[str, str, str]:
    """Return a cell of the combat table: the id of the table, the die, the column."""
    return COMBAT_TABLE, str(die), column_title(superiority)


def attack_calculations(state: KampfState, attack: Attack, die: int = 0) -> tuple[Calculation, ...]:
    """Return the figures of an attack by fire; without a die, for an attack that is withheld, no cell is looked up.

    Call it before the attack changes the state.
    """
    firers = attack.firers
    found = [
        Calculation(f"strength.{each}", strength_steps(state, each, attack.hex, attack.targets)) for each in firers
    ]
    found.append(Calculation("defense", _defense_steps(state, attack)))
    added = "KP-9.0e" if len(firers) == 1 else "KP-9.11c"
    steps = [(each, points, added) for each, points in zip(firers, attack.strengths, strict=True)]
    steps.append(("defense", -attack.defense, "KP-9.0e"))
    if die and attack.superiority > MAX_SUPERIORITY:
        steps.append(("beyond the last column", MAX_SUPERIORITY - attack.superiority, "KP-9.7c"))
    cell = combat_cell(min(attack.superiority, MAX_SUPERIORITY), die) if die else ()
    found.append(Calculation("superiority", tuple(steps), cell))
    return tuple(found)


def _defense_steps(state: KampfState, attack: Attack) -> tuple[Step, ...]:
    """Return the defense of the targets, followed by their cover (KP-10.2a)."""
    steps = [
        (each, defense_strength(state, each), "KP-14.5.4" if is_rider(state, each) else "KP-3.24b")
        for each in attack.targets
    ]
    if attack.cover in COVER_RULES:
        across = attack.cover == "slope" and len(attack.firers) > 1
        steps.append((attack.cover, attack.addition, "KP-10.0j" if across else COVER_RULES[attack.cover]))
    elif attack.cover:
        once = attack.addition // len(attack.targets) if attack.addition > ENTRENCHMENT else attack.addition
        steps.append((attack.cover, once, ENTRENCHED_RULE))
        if attack.addition > once:
            steps.append((f"{attack.cover}, for each unit", attack.addition - once, ENTRENCHED_AGAIN))
    return tuple(steps)


def level_calculation(unit_id: str, unit: Unit) -> Calculation:
    """Return the new level of a unit that was hit: its previous level plus the results of the phase."""
    steps = (("pending results", unit.pending, "KP-9.71d"),)
    if unit.disruption:
        return Calculation(f"level.{unit_id}", (("previous disruption", unit.disruption, "KP-9.71d"), *steps))
    return Calculation(f"level.{unit_id}", steps)
