"""How hits came about, for the log: dice by kind of unit, what each needs, and by which rule (DAA-17.04, DAA-17.05)."""

from collections.abc import Sequence

from desert_aa.model.state import DesertState
from desert_aa.model.tables import INFANTRY, VALUE_RULES, VALUES
from sandtable import Calculation

SUPPORT = "DAA-11.01"


def round_hits(
    name: str, state: DesertState, units: Sequence[str], needs: Sequence[int], faces: Sequence[int]
) -> Calculation:
    """Return the hits of a round, a die for each of ``units``: a step for all of one kind that need the same.

    Where attacking infantry needs more than it does alone, a gun supports it.
    """
    known = state.units
    dice: dict[tuple[str, str, int], int] = {}
    hits: dict[tuple[str, str, int], int] = {}
    for each, need, face in zip(units, needs, faces, strict=True):
        unit = known[each]
        key = (unit.power, unit.kind, need)
        dice[key] = dice.get(key, 0) + 1
        hits[key] = hits.get(key, 0) + (face <= need)
    return Calculation(
        name, tuple((f"{key[0]} {key[1]} x{dice[key]} on {key[2]}", hits[key], _rule(name, *key)) for key in dice)
    )


def _rule(name: str, power: str, kind: str, need: int) -> str:
    """Return the rule by which a unit hits on ``need``."""
    supported = kind == INFANTRY and name == ATTACK and need > VALUES[power][kind].attack
    return SUPPORT if supported else VALUE_RULES[power][kind]


ATTACK, DEFENSE = "attack_hits", "defence_hits"


def alike(what: str, need: int, number: int, hits: int, rule: str) -> tuple[Calculation, ...]:
    """Return the hits of so many dice that all need the same by one rule."""
    return (Calculation("hits", ((f"{what} x{number} on {need}", hits, rule),)),)


def margin(need: int, face: int, rule: str) -> tuple[Calculation, ...]:
    """Return by how much a single die is below what it needs, or above: less than nothing is a failure."""
    return (Calculation("margin", (("needs at most", need, rule), ("die", -face, rule))),)
