"""The evaluation of an unfinished game by armies, money and income, all in IPC.

The larger army takes the capital; of two equal armies, the richer side wins. Armies and money count at their cost, and
ground at its income, each with a weight. If a scenario has a last round, income alone decides the game (DAA-R63), so
the weight of income rises and that of armies falls in the last rounds.
"""

from collections.abc import Mapping

from desert_aa.model.board import Board
from desert_aa.model.state import DesertState
from desert_aa.model.tables import ALLIES, AXIS, PRICES, SIDE_OF

ROUNDS = 4
"""The weight of income while the end of the game is far. The weight of armies is then SOON + 1."""
SOON = 4
"""Number of rounds before the end of the game in which the weights change."""


def evaluate(state: DesertState, board: Board) -> dict[str, int]:
    """Return the winning share of each side, in thousandths."""
    left = max(board.round_limit - state.turn, 0) if board.round_limit else SOON
    near = SOON - min(left, SOON)  # 0, and SOON in the last round
    army = dict.fromkeys((AXIS, ALLIES), 1)
    for unit in state.units.values():
        army[SIDE_OF[unit.power]] += PRICES[unit.power][unit.kind]
    for purse, cash in state.cash.items():
        army[SIDE_OF.get(purse, purse)] += cash
    for power, units in state.waiting.items():
        army[SIDE_OF[power]] += sum(PRICES[power][kind] * number for kind, number in units.items())
    income = dict.fromkeys((AXIS, ALLIES), 1)
    for space, holder in state.control.items():
        income[SIDE_OF[holder]] += board.value[space]
    return _shares({side: army[side] * (SOON - near + 1) + income[side] * (ROUNDS + 4 * near) for side in army})


def _shares(weight: Mapping[str, int]) -> dict[str, int]:
    """Return the share of each side, from 5 to 995 thousandths.

    The fourth power of the weights fits the results of games between two commanders.
    """
    axis, allies = weight[AXIS] ** 4, weight[ALLIES] ** 4
    share = min(max(1000 * axis // (axis + allies), 5), 995)
    return {AXIS: share, ALLIES: 1000 - share}
