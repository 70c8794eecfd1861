"""The cheapest way to a target: whether a force can get there, and what it takes."""

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from damos.map.boundaries import why_no_move
from damos.map.terrain import step_halves
from damos.model.forces import enemy_of, stacks
from damos.model.state import DamosState

if TYPE_CHECKING:
    from damos.model.board import Board


def least_step(board: "Board") -> int:
    """Return the halves that no step of the map costs less than; 1 at the least."""
    if "least_step" not in board.caches:
        rows = [row for row in board.aid.terrain.values() if row.halves is not None]
        board.caches["least_step"] = max(1, min(min(row.halves or 0, row.foot_halves or 0) for row in rows))
    least: int = board.caches["least_step"]
    return least


def least_halves(state: DamosState, units: list[str], start: str, target: str, limit: int) -> int | None:
    """Return the halves that units of one side need from ``start`` into ``target``, None if more than ``limit``.

    No enemy may be on the way but in the target; boundaries bind (AGC-1.3a). 0 where they are there already.
    """
    if start == target:
        return 0 if limit >= 0 else None
    least, range_hexes = least_step(state.board), state.board.hexmap.range_hexes
    if least * range_hexes(start, target) > limit:
        return None
    best = {start: 0}
    queue = [(0, start)]
    while queue:
        cost, here = heappop(queue)
        if here == target:
            return cost
        for near, halves in _steps(state, units, here, target) if cost == best[here] else ():
            total = cost + halves
            if total + least * range_hexes(near, target) <= limit and total < best.get(near, total + 1):
                best[near] = total
                heappush(queue, (total, near))
    return None


def _steps(state: DamosState, units: list[str], here: str, target: str) -> Iterator[tuple[str, int]]:
    """Yield the hexes that units can go into next, with the halves that it takes."""
    side = state.units[units[0]].side
    enemies = stacks(state, enemy_of(side))
    for near in state.board.around[here]:
        if near == target or near not in enemies:
            halves = step_halves(state, units, here, near)
            if halves is not None and why_no_move(state, side, here, near) is None:
                yield near, halves
