"""Calculations of moves for the log: spaces beyond the range on land, range left in the air (DAA-16.02)."""

from collections.abc import Sequence

from desert_aa.model.state import DesertState
from desert_aa.model.tables import VALUE_RULES, VALUES
from sandtable import UNSET, Calculation, Calculations


def fuel(state: DesertState, power: str, units: Sequence[str], judged: Sequence[str], stands_up: int) -> Calculations:
    """Return the number of spaces by which path ``judged`` exceeds the range of each kind, and the round of recovery.

    Returns UNSET if the path is within the range of all ``units``, which are land units.
    """
    spaces = len(judged) - 1
    kinds = dict.fromkeys(state.units[each].kind for each in units)
    beyond = [kind for kind in kinds if spaces > VALUES[power][kind].move]
    if not beyond:
        return UNSET
    found = [
        Calculation(
            f"beyond.{kind}",
            (("spaces", spaces, "DAA-16.02"), ("range", -VALUES[power][kind].move, VALUE_RULES[power][kind])),
        )
        for kind in beyond
    ]
    if stands_up:
        found.append(Calculation("stands_up", (("this turn", state.turn, "DAA-4.03"), ("next turn", 1, "DAA-4.03"))))
    return tuple(found)


def flight(state: DesertState, power: str, planes: Sequence[str], path: Sequence[str]) -> Calculations:
    """Return the calculation of the spaces that planes can still fly after a flight along ``path`` (DAA-16.07)."""
    flown = dict.fromkeys((state.units[each].kind, state.units[each].moved) for each in planes)
    return tuple(
        Calculation(
            f"left.{kind}",
            (
                ("range", VALUES[power][kind].move, VALUE_RULES[power][kind]),
                *((("flown earlier", -moved, "DAA-16.07"),) if moved else ()),
                ("this flight", 1 - len(path), "DAA-16.07"),
            ),
        )
        for kind, moved in flown
    )
