"""Calculations of hits for the log: dice by kind of unit, needs and rules (DAA-17.04, DAA-17.05)."""

from collections.abc import Sequence

from desert_aa.model.state import DesertState
from desert_aa.model.tables import INFANTRY, VALUE_RULES, VALUES
from sandtable import Calculation

SUPPORT = "DAA-11.01"


def round_hits(
    name: str, state: DesertState, units: Sequence[str], needs: Sequence[int], faces: Sequence[int]
) -> Calculation:
    """Return the hits of a round with a die for each of ``units``: one step for each power, kind and need.

    Attacking infantry whose need is above its own attack value is supported by a gun.
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


ATTACK, DEFENSE = "attack_hits", "defense_hits"


def alike(what: str, need: int, number: int, hits: int, rule: str) -> tuple[Calculation, ...]:
    """Return the calculation of ``hits`` by ``number`` dice with the same need and rule."""
    return (Calculation("hits", ((f"{what} x{number} on {need}", hits, rule),)),)


def margin(need: int, face: int, rule: str) -> tuple[Calculation, ...]:
    """Return the calculation of the need minus the face of a die. A negative margin is a failure."""
    return (Calculation("margin", (("maximum roll", need, rule), ("die", -face, rule))),)
