"""Supply lines for the commander: companies supplied through each area, and areas where a line must be opened."""

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import Any

from khamsin.model.cards import Board

CLOSED, LIMITED = 10, 5
"""Costs on a line: of an area that the side does not control (an own area costs 1), and of limited stocks."""


def loads(view: Any, board: Board, side: str, companies: Mapping[str, int]) -> dict[str, int]:
    """Return, by area, the number of ``companies`` supplied through it, by the best lines.

    If a line is closed, its areas are those that open it with the fewest captures.
    """
    back = _tree(view, board, side)
    found: dict[str, int] = {}
    for start, number in companies.items():
        here = start
        while here in back:
            found[here] = found.get(here, 0) + number
            if back[here] == here:
                break
            here = back[here]
    return found


def _tree(view: Any, board: Board, side: str) -> dict[str, str]:
    """Return, by area, the next area on its best line to a source; a source maps to itself."""
    sources = _sources(view, board, side)
    queue = sorted((_price(view, area, side) + LIMITED * (area in board.stocks), area, area) for area in sources)
    back: dict[str, str] = {}
    while queue:
        spent, here, to = heappop(queue)
        if here in back:
            continue
        back[here] = to
        for near in board.neighbors[here]:
            if near not in back:
                heappush(queue, (spent + _price(view, near, side), near, here))
    return back


def _price(view: Any, area: str, side: str) -> int:
    return 1 if view.control[area] == side else CLOSED


def _sources(view: Any, board: Board, side: str) -> list[str]:
    """Return the supply areas of a side, including changes by events, sorted."""
    opened, shut = (
        {area for owner, _, area in (entry.partition(":") for entry in entries) if owner == side}
        for entries in (view.supply_on, view.supply_off)
    )
    return sorted(({area for area, sides in board.supply.items() if side in sides} | opened) - shut)
