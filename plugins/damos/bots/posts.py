"""The defence: which hexes the side that keeps the objective mans, and which unit goes to which.

A post is wanted for the objective and the hexes beside it, more so the nearer the enemy is, and for cities and railway
hexes on his cheapest way there. The dearest place of all gets the unit that is there soonest, then the next.
"""

from damos.bots.paths import distances_to
from damos.bots.position import FAR, StaffPosition
from damos.map.terrain import ground_of

# What a place at a post is worth, in halves of movement points that are marched for it.
OBJECTIVE, GATE = 60, 48
"""A place in the objective, and in a hex beside it, when the enemy is near."""
RING = 20
"""A place in the hexes behind these: who stands there can strike."""
FORWARD = 26
"""A place on the enemy's way."""
LATER = 14
"""Each further place at a post is worth so much less."""
DETOUR = 10
"""What is further than this off the enemy's cheapest way is not on his way."""
CALM = 24
"""An enemy who is further away than this is not near."""
LEAD = 14
"""What he can reach sooner than this is not manned any more, but for the objective and what is beside it."""
INNER, OUTER = 2, 4
"""The ring furthest out that is manned where the enemy comes from, and behind the objective: who is there can rest."""
PLACES, ROOM = 2, 1
"""So many units to a post, and to one that is not beside the objective."""
REFUGE = 1
"""So many where the enemy comes last: there those need room who are driven back."""


def posts(position: StaffPosition) -> dict[str, int]:
    """Return by hex what the first place there is worth."""
    threat, objective = position.threat, position.objective
    near = threat.get(objective, FAR)
    calm = min(24, max(0, near - CALM) // 2)
    found = {objective: OBJECTIVE - calm}
    for gate in position.gates:
        if gate in position.distances:
            found[gate] = GATE - calm - threat.get(gate, FAR) // 8 + 2 * ground_of(position.board, gate).defence
    for place, away in rings(position).items():
        if away > INNER and threat.get(place, FAR) <= near:
            continue
        found.setdefault(place, RING - LATER * (away - 2) // 2 - calm - threat.get(place, FAR) // 8)
    board = position.board
    for hex_ in (*board.cities, *sorted(board.junctions)):
        off = threat.get(hex_, FAR) + position.far(hex_) - near
        if hex_ not in found and hex_ in position.supply and off <= DETOUR and threat.get(hex_, 0) >= LEAD:
            found[hex_] = FORWARD - off + 2 * ground_of(board, hex_).defence - threat[hex_] // 8
    return found


def _places(position: StaffPosition, hex_: str) -> int:
    """Return how many units are wanted at a post: few behind the objective, where those need room who are beaten."""
    threat = position.threat
    if threat.get(hex_, FAR) > threat.get(position.objective, FAR):
        return REFUGE
    return PLACES if hex_ in position.gates or hex_ == position.objective else ROOM


def rings(position: StaffPosition) -> dict[str, int]:
    """Return the hexes two steps from the objective and more, each with how many."""
    hexmap, goal = position.board.hexmap, position.objective
    near = ((hex_, hexmap.range_hexes(hex_, goal)) for hex_ in hexmap.within(goal, OUTER))
    return {hex_: away for hex_, away in near if away > 1 and hex_ in position.distances}


def duties(position: StaffPosition) -> dict[str, str]:
    """Return by unit the hex of its post; who has none stays where it is."""
    wanted = posts(position)
    places = sorted(
        ((worth - LATER * place, hex_) for hex_, worth in wanted.items() for place in range(_places(position, hex_))),
        reverse=True,
    )
    free = {
        each: hex_ for hex_, stack in position.own.items() for each in stack if not position.units[each].demoralized
    }
    worth = {each: 2 * position.strength([each]) for each in free}
    queues: dict[str, list[tuple[int, str]]] = {}
    for hex_ in wanted:
        far = distances_to(position.board, hex_)
        queues[hex_] = sorted(((far.get(start, FAR) - worth[each], each) for each, start in free.items()), reverse=True)
    found: dict[str, str] = {}
    manned: dict[str, list[str]] = {}
    for _, hex_ in places:
        queue = queues[hex_]
        while queue and queue[-1][1] in found:
            queue.pop()
        stack = [*manned.get(hex_, ()), queue[-1][1]] if queue else []
        if stack and position.fits(stack):
            manned[hex_] = stack
            found[stack[-1]] = hex_
    return found | {each: start for each, start in free.items() if each not in found}


# --- the side that advances ---

MENDERS = 2
"""So many units go to each break of the railway."""
FARTHEST = 24
"""From no further away than this, in halves."""


def errands(position: StaffPosition) -> dict[str, str]:
    """Return by unit which break of the railway it is to mend: what the enemy holds there, stands on or beside."""
    breaks = position.breaks
    if not breaks:
        return {}
    free = {
        each: hex_
        for hex_, stack in position.own.items()
        for each in stack
        if hex_ not in position.gates and not position.units[each].demoralized
    }
    found: dict[str, str] = {}
    for hex_ in sorted(breaks, key=lambda hex_: (-position.far(hex_), hex_)):
        far = distances_to(position.board, hex_)
        near = sorted((far[start], each) for each, start in free.items() if far.get(start, FAR) <= FARTHEST)
        wanted = MENDERS if position.meets_enemies((hex_, *position.board.around[hex_])) else 1
        for _, each in near[:wanted]:
            found[each] = hex_
            del free[each]
    return found
