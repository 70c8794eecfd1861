"""What it costs to cross a connector, in movement points: by kind and mobility, weather and interdiction (KH-8.09)."""

from collections.abc import Collection

from khamsin.forces import mobility
from khamsin.module.board import Board
from khamsin.state import KhamsinState


def crossing(state: KhamsinState, mobility_class: str, a: str, b: str, interdicted: Collection[str] = ()) -> int:
    """Return the cost from ``a`` to its neighbour ``b`` for a class of mobility, in the weather of this turn.

    Into and out of an interdicted area it is that of cross-country at least, whoever moves (KH-7.07, KH-R109).
    """
    board: Board = state.board
    kind = board.kind_between[a, b]
    points = _by_kind(state, mobility_class, kind)
    if a in interdicted or b in interdicted:
        points = max(points, _by_kind(state, mobility_class, board.cross_country))
    return points


def _by_kind(state: KhamsinState, mobility_class: str, kind: str) -> int:
    board: Board = state.board
    weather = board.weather.cards.get(state.weather)
    return board.cost[kind][mobility_class] + (weather.extra.get(kind, 0) if weather else 0)


def cost(state: KhamsinState, formation_id: str, a: str, b: str) -> int:
    """Return what a formation pays from ``a`` to ``b`` now, interdiction included."""
    return crossing(state, mobility(state, formation_id), a, b, state.interdicted)
