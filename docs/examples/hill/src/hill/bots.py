"""Who plays without a person: a captain, and what a position is worth to those who try things out."""

from itertools import islice
from typing import Any

import sandtable as st
from hill import SIDES, Attack, Field, March, game
from hill.ground import Ground


@game.bot("captain")
class Captain:
    """Marches at the hill, attacks with all that it can where that gives a fair column, and keeps what it holds."""

    def __init__(self, seat: str, stream: st.Stream, board: Ground) -> None:
        self.seat, self.stream, self.ground = seat, stream, board

    def choose(self, decision: st.Decision, view: st.View) -> st.Order:
        """Return the order that is worth most, the first of equals; of a space of millions it looks at 1,000."""
        units = view()["units"]
        orders = islice(decision.options.values(), 1000)
        return max(orders, key=lambda order: self.worth(order, units))

    def worth(self, order: st.Order, units: dict[str, Any]) -> int:
        """Return what an order is worth, 0 for a halt."""
        match order:
            case March(unit, path):
                return self.distance(units[unit][1]) - self.distance(path[-1])
            case Attack(target, attackers):
                strength = sum(units[name][2] for name in attackers)
                cover = 2 if self.ground.gives_cover(units[target][1]) else 0
                return strength - units[target][2] - cover
        return 0

    def distance(self, number: str) -> int:
        """Return how far the hill is."""
        return self.ground.map.range_hexes(number, self.ground.hill)


@game.hook("evaluate")
def evaluate(state: Field, board: Ground) -> dict[str, int]:
    """Return who will win, in thousandths: 60 a point of strength, 200 for the hill."""
    worth = dict.fromkeys(SIDES, 0)
    for unit in state.units.values():
        worth[unit.side] += 60 * unit.strength + (200 if unit.hex == board.hill else 0)
    red = min(max(500 + worth["red"] - worth["blue"], 20), 980)
    return {"red": red, "blue": 1000 - red}
