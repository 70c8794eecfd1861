"""Worth of areas for victory, for either side: the value of controlling an area now, in hundredths of a company.

Both sides use the same values, because an area that one side needs is denied to it by the other. An area that
completes a condition of three turns is worth little on the first turn and almost as much as the campaign on the last.
"""

from typing import Any

from khamsin.model.cards import Board, Broken, Chain
from khamsin.model.state import IN_BASE, LOST
from khamsin.turn.victory import turns_of

GROUND, POINT, SUPPLY, BASE = 40, 60, 150, 200
"""Worth of any area, of a point of its score, of a supply area, and of a base."""
WIN = 2400
"""Worth of winning."""
ALL = 1000
"""Worth of an area on which the campaign depends."""
LAST_POINTS = {0: 400, 1: 240, 2: 140, 3: 100}
"""Worth of a point, by number of turns before the end."""
LEAST = 60
"""Minimum worth of an area that a condition needs."""


def worths(view: Any, board: Board) -> dict[str, int]:
    """Return, by area, the worth of controlling it at the end of this turn."""
    point = LAST_POINTS.get(board.turns - view.turn, POINT)
    found = {area: GROUND + point * board.victory.score.get(area, 0) for area in board.areas}
    for area in board.supply:
        found[area] += SUPPLY
    for area in board.base.values():
        found[area] += BASE
    for number, aim in enumerate(board.victory.conditions):
        if isinstance(aim, Broken):
            continue
        held = min(view.held.get(str(number), 0), turns_of(aim) - 1)
        if view.turn + turns_of(aim) - held - 1 > board.turns:
            continue  # no time is left for it
        stake = WIN * (held + 1) ** 2 // turns_of(aim) ** 2
        for area, part in (_links(view, board, aim) if isinstance(aim, Chain) else {aim.area: 1}).items():
            found[area] += max(LEAST, stake // part)
    return found


def _links(view: Any, board: Board, aim: Chain) -> dict[str, int]:
    """Return the areas of the cheapest chain, each with the divisor of its part of the stake."""
    path = cheapest_chain(view, board, aim)
    missing = sum(view.control[area] != aim.side for area in path)
    return dict.fromkeys(path, 1 + missing)


def cheapest_chain(view: Any, board: Board, aim: Chain) -> list[str]:
    """Return the areas, with the ends, of the shortest chain with the fewest areas missing; [] if there is no chain."""
    best: dict[str, tuple[int, int, list[str]]] = {}
    edge = [(int(view.control[aim.start] != aim.side), 0, [aim.start])]
    while edge:
        edge.sort()
        missing, steps, path = edge.pop(0)
        here = path[-1]
        if here in best:
            continue
        best[here] = (missing, steps, path)
        if here == aim.end:
            return path
        edge += [
            (missing + (view.control[near] != aim.side), steps + 1, [*path, near])
            for near in board.neighbors[here]
            if near not in best
        ]
    return []


def lead(view: Any, board: Board, side: str) -> int:
    """Return a side's known lead in points, in victory margins, from areas and its own formations that are out."""
    worth = board.victory.score or dict.fromkeys(board.objectives, 1)
    points = sum(number if view.control[area] == side else -number for area, number in worth.items())
    out = sum(it.standing in (IN_BASE, LOST) for it in view.formations.values() if it.side == side and not it.parent)
    points -= board.victory.ineffective * out
    margins = abs(points) // max(1, board.victory.margin)
    return margins if points > 0 else -margins


def denials(view: Any, board: Board, side: str) -> dict[str, int]:
    """Return the areas of ``side`` without which the enemy cannot meet a condition, with the turns that it needs."""
    found: dict[str, int] = {}
    for aim in board.victory.conditions:
        if isinstance(aim, Broken) or aim.side == side:
            continue
        areas = cheapest_chain(view, board, aim) if isinstance(aim, Chain) else [aim.area]
        for area in areas:
            if view.control[area] == side:
                found[area] = min(found.get(area, 99), turns_of(aim))
    return dict(sorted(found.items()))


def keeps(view: Any, board: Board, side: str) -> list[str]:
    """Return the areas of ``side`` that belong to its own conditions which hold now, sorted."""
    found: set[str] = set()
    for number, aim in enumerate(board.victory.conditions):
        if not isinstance(aim, Broken) and aim.side == side and view.held.get(str(number), 0):
            found.update(cheapest_chain(view, board, aim) if isinstance(aim, Chain) else [aim.area])
    return sorted(area for area in found if view.control[area] == side)


def spared(board: Board, side: str) -> set[str]:
    """Return the formations of ``side`` that count for an enemy condition about broken formations."""
    aims = [each for each in board.victory.conditions if isinstance(each, Broken) and each.side != side]
    return {each for aim in aims for each in aim.of}
