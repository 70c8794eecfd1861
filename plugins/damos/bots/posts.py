"""The defense: the hexes that the side that keeps the objective occupies, and the unit for each.

Posts are the objective, the hexes near it, and the supplied cities and junctions on the enemy's cheapest path. The
hexes near the objective are worth more if the enemy is near. The most valuable position gets the unit that can be
there soonest, then the next.
"""

from damos.bots.paths import distances_to
from damos.bots.position import FAR, StaffPosition
from damos.map.terrain import ground_of

# Values of a position at a post, in half movement points that a unit would march for it.
OBJECTIVE, GATE = 60, 48
"""Values of a position in the objective, and in a hex next to it, when the enemy is near."""
RING = 20
"""Value of a position in the first ring around these hexes, from which a unit can strike; lower in further rings."""
FORWARD = 26
"""Value of a position on the enemy's path."""
LATER = 14
"""Amount by which the value of each further position at a post decreases."""
DETOUR = 10
"""Maximum detour in halves from the enemy's cheapest path for a hex to count as on it."""
CALM = 24
"""Distance in halves beyond which an enemy is not near."""
LEAD = 14
"""Minimum distance in halves of the enemy from a city or junction worth occupying."""
INNER, OUTER = 2, 4
"""Outermost ring to occupy on the enemy's side, and behind the objective, where units can rest."""
PLACES, SINGLE = 2, 1
"""Number of units at a post, and at one that is not next to the objective."""
REFUGE = 1
"""Number of units on the side away from the enemy, where units that are driven back need space."""


def posts(position: StaffPosition) -> dict[str, int]:
    """Return the value of the first position in each hex."""
    threat, objective = position.threat, position.objective
    near = threat.get(objective, FAR)
    calm = min(24, max(0, near - CALM) // 2)
    found = {objective: OBJECTIVE - calm}
    for gate in position.gates:
        if gate in position.distances:
            found[gate] = GATE - calm - threat.get(gate, FAR) // 8 + 2 * ground_of(position.board, gate).defense
    for place, away in rings(position).items():
        if away > INNER and threat.get(place, FAR) <= near:
            continue
        found.setdefault(place, RING - LATER * (away - 2) // 2 - calm - threat.get(place, FAR) // 8)
    board = position.board
    for hex_ in (*board.cities, *sorted(board.junctions)):
        off = threat.get(hex_, FAR) + position.far(hex_) - near
        if hex_ not in found and hex_ in position.supply and off <= DETOUR and threat.get(hex_, 0) >= LEAD:
            found[hex_] = FORWARD - off + 2 * ground_of(board, hex_).defense - threat[hex_] // 8
    return found


def _places(position: StaffPosition, hex_: str) -> int:
    """Return the number of units for a post: few behind the objective, where beaten units need space."""
    threat = position.threat
    if threat.get(hex_, FAR) > threat.get(position.objective, FAR):
        return REFUGE
    return PLACES if hex_ in position.gates or hex_ == position.objective else SINGLE


def rings(position: StaffPosition) -> dict[str, int]:
    """Return the hexes two to ``OUTER`` hexes from the objective, each with its distance."""
    hexmap, goal = position.board.hexmap, position.objective
    near = ((hex_, hexmap.range_hexes(hex_, goal)) for hex_ in hexmap.within(goal, OUTER))
    return {hex_: away for hex_, away in near if away > 1 and hex_ in position.distances}


def duties(position: StaffPosition) -> dict[str, str]:
    """Return the hex of each unit's post, or its own hex if no post is left for it. Demoralized units are omitted."""
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
"""Number of units that go to each break of the railway with enemies near it."""
FARTHEST = 24
"""Maximum distance in halves of a unit from the break that it repairs."""


def errands(position: StaffPosition) -> dict[str, str]:
    """Return, for each unit that must repair the railway, the hex of the break.

    A break is a hex that the enemy controls, or one in an enemy zone without a friend in it.
    """
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
