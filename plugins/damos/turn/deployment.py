"""Where the sides set up: the Soviets along the frontier and in towns, the Germans behind it (AGC-6.0)."""

from damos.model.state import DamosState
from damos.setup.reading import SOVIET


def must_fill(state: DamosState, side: str) -> tuple[str, ...]:
    """Return the hexes that need a unit: for the Soviets each one along the frontier (AGC-6.0b)."""
    return state.board.frontier if side == SOVIET else ()


def set_up_hexes(state: DamosState, side: str) -> tuple[str, ...]:
    """Return where a side may set up, sorted (AGC-6.0c, AGC-6.0d)."""
    board = state.board
    if side != SOVIET:
        return tuple(board.set_up)
    settled = [each for each in (*board.towns, *board.cities, *board.major_cities) if board.home[each] == SOVIET]
    return tuple(sorted({*board.frontier, *settled}))
