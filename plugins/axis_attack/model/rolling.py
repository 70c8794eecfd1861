"""Roll-offs: a die each, equals again (AOA-R69)."""

from axis_attack.model.cards import SIDES
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure


def roll_off(purpose: str, rule: str) -> Procedure:
    """Roll a die for each side until one is higher; return the winner, and all dice by side."""
    dice: dict[str, list[int]] = {side: [] for side in SIDES}
    while True:
        for side in SIDES:
            (die,) = yield Roll(1, 6, f"{purpose}:{side}", rule, favours=side)
            dice[side].append(die)
        first, second = (dice[side][-1] for side in SIDES)
        if first != second:
            return SIDES[0] if first > second else SIDES[1], dice
