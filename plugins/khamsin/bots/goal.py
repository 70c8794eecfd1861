"""What wins, for either side, and by when: how much it is worth now to have an area, in hundredths of a company.

Both sides see the same: what the one needs, the other denies. An area that completes a condition of three turns is
worth little on the first of them, and nearly the campaign on the last.
"""

from typing import Any

from khamsin.model.cards import Board, Broken, Chain
from khamsin.model.state import IN_BASE, LOST
from khamsin.turn.victory import turns_of

GROUND, POINT, SUPPLY, BASE = 40, 60, 150, 200
"""What any area is worth, a point of its score, a supply area, a base."""
WIN = 2400
"""What it is worth to win."""
ALL = 1000
"""What an area is worth that the campaign hangs on."""
LAST_POINTS = {0: 400, 1: 240, 2: 140, 3: 100}
"""What a point is worth so many turns before the end."""
LEAST = 60
"""What a link of a chain is worth at least, however many are missing."""


def worths(view: Any, board: Board) -> dict[str, int]:
    """Return, by area, what it is worth to have it at the end of this turn."""
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
            continue  # there is no time for it any more
        stake = WIN * (held + 1) ** 2 // turns_of(aim) ** 2
        for area, part in (_links(view, board, aim) if isinstance(aim, Chain) else {aim.area: 1}).items():
            found[area] += max(LEAST, stake // part)
    return found


def _links(view: Any, board: Board, aim: Chain) -> dict[str, int]:
    """Return the areas of the cheapest chain, each with the part of the stake that hangs on it (one in so many)."""
    way = cheapest_chain(view, board, aim)
    missing = sum(view.control[area] != aim.side for area in way)
    return dict.fromkeys(way, 1 + missing)


def cheapest_chain(view: Any, board: Board, aim: Chain) -> list[str]:
    """Return the areas of the chain that lacks fewest areas of its side, the shortest of those, ends included."""
    best: dict[str, tuple[int, int, list[str]]] = {}
    edge = [(int(view.control[aim.start] != aim.side), 0, [aim.start])]
    while edge:
        edge.sort()
        missing, steps, way = edge.pop(0)
        here = way[-1]
        if here in best:
            continue
        best[here] = (missing, steps, way)
        if here == aim.end:
            return way
        edge += [
            (missing + (view.control[near] != aim.side), steps + 1, [*way, near])
            for near in board.neighbours[here]
            if near not in best
        ]
    return []


def lead(view: Any, board: Board, side: str) -> int:
    """Return by how many margins a side is ahead in points, as far as it knows: areas, and its own who are out."""
    worth = board.victory.score or dict.fromkeys(board.objectives, 1)
    points = sum(number if view.control[area] == side else -number for area, number in worth.items())
    out = sum(it.standing in (IN_BASE, LOST) for it in view.formations.values() if it.side == side and not it.parent)
    points -= board.victory.ineffective * out
    margins = abs(points) // max(1, board.victory.margin)
    return margins if points > 0 else -margins


def denials(view: Any, board: Board, side: str) -> dict[str, int]:
    """Return the areas of ``side`` without which the enemy cannot meet a condition, with what it needs of turns."""
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
    """Return the areas of ``side`` that are part of a condition of its own which holds now, sorted."""
    found: set[str] = set()
    for number, aim in enumerate(board.victory.conditions):
        if not isinstance(aim, Broken) and aim.side == side and view.held.get(str(number), 0):
            found.update(cheapest_chain(view, board, aim) if isinstance(aim, Chain) else [aim.area])
    return sorted(area for area in found if view.control[area] == side)


def spared(board: Board, side: str) -> set[str]:
    """Return the formations of ``side`` of whom the enemy wins by breaking enough."""
    aims = [each for each in board.victory.conditions if isinstance(each, Broken) and each.side != side]
    return {each for aim in aims for each in aim.of}
