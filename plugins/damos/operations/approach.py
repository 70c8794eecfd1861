"""The cheapest way to a target: whether a force can get there, and what it takes."""

from heapq import heappop, heappush

from damos.forces import enemy_of, stacks
from damos.state import DamosState
from damos.terrain import step_halves


def least_halves(state: DamosState, units: list[str], start: str, target: str, limit: int) -> int | None:
    """Return the halves that units of one side need from ``start`` into ``target``, None if more than ``limit``.

    No enemy may be on the way but in the target; boundaries bind (AGC-1.3a). 0 where they are there already.
    """
    if start == target:
        return 0 if limit >= 0 else None
    side = state.units[units[0]].side
    enemies = stacks(state, enemy_of(side))
    hexmap, why_no_move = state.board.hexmap, state.board.exclusive.why_no_move
    best = {start: 0}
    queue = [(0, start)]
    while queue:
        cost, here = heappop(queue)
        if here == target:
            return cost
        if cost > best[here]:
            continue
        for near in hexmap.around[here]:
            if not near or (near in enemies and near != target):
                continue
            halves = step_halves(state, units, here, near)
            if halves is None:
                continue
            total = cost + halves
            if total + hexmap.range_hexes(near, target) > limit or total >= best.get(near, total + 1):
                continue  # each hex costs one half at the least
            if why_no_move(state, side, here, near) is None:
                best[near] = total
                heappush(queue, (total, near))
    return None
