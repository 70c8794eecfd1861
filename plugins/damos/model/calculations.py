"""Steps of the calculations in events: item, amount and rule (DM-8.5f, DM-2.6.1m).

The strength of a single unit is never a step, because it is secret. In combat only the total of a side is open
(DM-2.4c).
"""

from collections.abc import Iterable, Mapping, Sequence

from sandtable import Calculation

Step = tuple[str, int, str]
"""Item, amount and rule id."""
Steps = tuple[Step, ...]

REACTION = {"range": "DM-2.6.1o", "mobile": "DM-2.6.1n", "zone": "AGC-4.2a"}
"""Rules of the modifiers of a reaction; every other modifier is terrain."""
TERRAIN_REACTION = "DM-2.6.1m"
ATTACK = {"supply": "DM-8.5a", "plan": "DM-8.5c", "demoralized": "DM-8.5d", "matrix": "DM-8.5e"}
DEFENSE = {"supply": "DM-8.5b", "matrix": "DM-8.5e"}
ATTRITION = {"settled": "DM-9.0c", "single unit": "DM-9.0d", "demoralized": "DM-9.0e", "full hex": "DM-9.0f"}


def rolled(
    name: str, faces: Sequence[int], rule: str, modifiers: Iterable[tuple[str, int]], rules: Mapping[str, str]
) -> Calculation:
    """Return the calculation of a modified roll: a step for each die, then one for each modifier with its rule."""
    dice = tuple((f"die {place}", face, rule) for place, face in enumerate(faces, 1))
    added = tuple((what, number, rules.get(what, TERRAIN_REACTION)) for what, number in modifiers)
    return Calculation(name, dice + added)


def force(units: Sequence[str], strength: int) -> Step:
    """Return the step for the total strength of a force (DM-8.2b)."""
    return (" ".join(units), strength, "DM-8.2b")


def held(name: str, steps: Steps, least: int, rule: str) -> Calculation:
    """Return the calculation of a figure with the minimum ``least``; a last step by ``rule`` adds what is missing."""
    short = least - sum(amount for _, amount, _ in steps)
    return Calculation(name, (*steps, (f"minimum {least}", short, rule)) if short > 0 else steps)


def spending(steps: Steps) -> Steps:
    """Return the steps with their signs reversed, for amounts that are subtracted."""
    return tuple((what, -amount, rule) for what, amount, rule in steps)
