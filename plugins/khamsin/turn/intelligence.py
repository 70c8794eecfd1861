"""What a side learns at the end of a turn (KH-6): engagements, where the enemy is next to it, what recon makes out."""

from khamsin.model.board import Board
from khamsin.model.cards import ENEMY, RECON
from khamsin.model.forces import areas_of, card, composition, in_area, on_map
from khamsin.model.state import KhamsinState, Summary


def occupied_areas(state: KhamsinState, side: str) -> list[str]:
    """Return the areas next to a side's formations with enemy formations in them, sorted (KH-6.03).

    Guns without companies look and are seen, as formations; leaders neither look nor are seen (KH-6.06, KH-6.07).
    """
    around = _next_to(state, on_map(state, side))
    return sorted(around & areas_of(state, ENEMY[side]))


def compositions(state: KhamsinState, side: str) -> dict[str, dict[str, int]]:
    """Return companies by class in the areas next to a side's reconnaissance, enemies there (KH-6.04, KH-6.05)."""
    board: Board = state.board
    weather = board.weather.cards.get(state.weather)
    if weather is not None and not weather.composition:
        return {}
    seen = _next_to(state, [each for each in on_map(state, side) if _looks(state, each)])
    enemy = ENEMY[side]
    areas = sorted(seen & areas_of(state, enemy))
    return {area: composition(state, in_area(state, enemy, area)) for area in areas}


def summaries(state: KhamsinState) -> list[Summary]:
    """Return what both sides are told of the engagements of the turn (KH-6.02), by id."""
    return [Summary(key, dict(it.points), it.winner, it.scale) for key, it in sorted(state.engagements.items())]


def _looks(state: KhamsinState, formation_id: str) -> bool:
    """Return whether a formation has recon mobility; out of supply it keeps its eyes, or does not (KH-R102)."""
    blind = state.options["intel_oos_recon"] == "loses" and not state.formations[formation_id].supplied
    return card(state, formation_id).mobility == RECON and not blind


def _next_to(state: KhamsinState, formations: list[str]) -> set[str]:
    board: Board = state.board
    return {near for each in formations for near in board.neighbours[state.formations[each].area]}
