"""The captain, a bot, and the evaluation for bots that simulate games."""

from itertools import islice
from typing import Any

import sandtable as st
from hill import SIDES, Attack, Field, March, game
from hill.ground import Ground


@game.bot("captain")
class Captain:
    """Marches at the hill, attacks with every unit it can if the odds are fair, and holds its ground."""

    def __init__(self, seat: str, stream: st.Stream, board: Ground) -> None:
        self.seat, self.stream, self.ground = seat, stream, board

    def choose(self, decision: st.Decision, view: st.View) -> st.Order:
        """Return the first of the best orders; the bot examines at most 1,000 of a space."""
        units = view()["units"]
        orders = islice(decision.options.values(), 1000)
        return max(orders, key=lambda order: self.worth(order, units))

    def worth(self, order: st.Order, units: dict[str, Any]) -> int:
        """Return the value of an order, 0 for a halt."""
        match order:
            case March(unit, path):
                return self.distance(units[unit][1]) - self.distance(path[-1])
            case Attack(target, attackers):
                strength = sum(units[name][2] for name in attackers)
                cover = 2 if self.ground.gives_cover(units[target][1]) else 0
                return strength - units[target][2] - cover
        return 0

    def distance(self, number: str) -> int:
        """Return the distance to the hill, in hexes."""
        return self.ground.map.range_hexes(number, self.ground.hill)


@game.hook("evaluate")
def evaluate(state: Field, board: Ground) -> dict[str, int]:
    """Return the chances of each side in thousandths: 60 for a point of strength, 200 for the hill."""
    worth = dict.fromkeys(SIDES, 0)
    for unit in state.units.values():
        worth[unit.side] += 60 * unit.strength + (200 if unit.hex == board.hill else 0)
    red = min(max(500 + worth["red"] - worth["blue"], 20), 980)
    return {"red": red, "blue": 1000 - red}
