"""Who will win a game that is broken off: by what each side has on the map, in hand, and will be paid.

A capital falls to the army that is larger, and of two that are alike to the richer: an army counts what it cost, ground
what it pays in some rounds, all in IPC. With a last round (DAA-R63) income alone decides in the end, so that ground
counts more and armies less the nearer it is.
"""

from collections.abc import Mapping

from desert_aa.model.board import Board
from desert_aa.model.state import DesertState
from desert_aa.model.tables import ALLIES, AXIS, PRICES, SIDE_OF

ROUNDS = 4
"""So many rounds of income ground is worth, when the game has no end in sight."""
SOON = 4
"""The last rounds, in which income gains weight and armies lose it."""


def evaluate(state: DesertState, board: Board) -> dict[str, int]:
    """Return the share of each side in the game, in thousandths."""
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
    """Return the share of each side, never all of it.

    By the fourth power of the weights: in games of the commander against himself that fits how often each won.
    """
    axis, allies = weight[AXIS] ** 4, weight[ALLIES] ** 4
    share = min(max(1000 * axis // (axis + allies), 5), 995)
    return {AXIS: share, ALLIES: 1000 - share}
