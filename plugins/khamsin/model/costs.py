"""What it costs to cross a connector, in movement points: by kind and mobility, weather and interdiction (KH-8.09)."""

from collections.abc import Collection

from khamsin.model.board import Board
from khamsin.model.forces import mobility
from khamsin.model.state import KhamsinState


def crossing(state: KhamsinState, mobility_class: str, a: str, b: str, interdicted: Collection[str] = ()) -> int:
    """Return the cost from ``a`` to its neighbour ``b`` for a class of mobility, in the weather of this turn."""
    return points_between(state.board, state.weather, mobility_class, (a, b), interdicted)


def points_between(
    board: Board, weather: str, mobility_class: str, ends: tuple[str, str], interdicted: Collection[str] = ()
) -> int:
    """Return the cost of a connector between two areas for a class of mobility.

    Into and out of an interdicted area it is that of cross-country at least, whoever moves (KH-7.07, KH-R109).
    """
    points = _by_kind(board, weather, mobility_class, board.kind_between[ends])
    if any(each in interdicted for each in ends):
        points = max(points, _by_kind(board, weather, mobility_class, board.cross_country))
    return points


def _by_kind(board: Board, weather: str, mobility_class: str, kind: str) -> int:
    card = board.weather.cards.get(weather)
    return board.cost[kind][mobility_class] + (card.extra.get(kind, 0) if card else 0)


def cost(state: KhamsinState, formation_id: str, a: str, b: str) -> int:
    """Return what a formation pays from ``a`` to ``b`` now, interdiction included."""
    return crossing(state, mobility(state, formation_id), a, b, state.interdicted)
