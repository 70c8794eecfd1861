"""How planes may fly: to attack and raid, and home (DAA-12, DAA-13, DAA-16.07)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from desert_aa.model.board import FAR
from desert_aa.model.state import Unit
from desert_aa.model.tables import BOMBER, CLOSED_ALL, FIGHTER, POWER_NAMES, SIDE_OF
from desert_aa.movement.ground import Ground
from sandtable import Refusal, Stream

_RANGE_RULE = {FIGHTER: "DAA-15.04", BOMBER: "DAA-15.05"}


def why_no_flight(ground: Ground, unit: Unit, path: Sequence[str]) -> Refusal | None:
    """Refuse a path that leaves the connectors, crosses what nothing crosses, or is too long (DAA-11.04, DAA-12.04)."""
    board = ground.board
    far = ground.range_of(unit)
    if len(path) - 1 > far:
        reason = f"the flight is {len(path) - 1} spaces long: this {unit.kind} can fly {far} more this turn"
        return Refusal(_RANGE_RULE[unit.kind], reason)
    for here, there in pairwise(path):
        if there in board.air[here]:
            continue
        if board.closed.get(there) == CLOSED_ALL:
            return Refusal("DAA-11.04", f"no plane may fly over {there}: nothing crosses {board.names[there]}")
        near = ", ".join(board.air[here])
        return Refusal("DAA-12.04", f"no flight leads from {here} to {str(there)[:40]}: from there planes reach {near}")
    return None


def may_raid(ground: Ground, space: str) -> bool:
    """Tell whether ``space`` is an enemy zone with units that a raid can hit (DAA-13.01, DAA-R55)."""
    return space in ground.board.zones and ground.foes.get(space, False)


def why_no_sortie(ground: Ground, unit: Unit, path: Sequence[str], *, raid: bool) -> Refusal | None:
    """Refuse an attack or a raid from the air: nothing to hit there, or no way home (DAA-16.10, DAA-13, DAA-18.03)."""
    target = path[-1]
    if raid and unit.kind != BOMBER:
        return Refusal("DAA-13.05", f"only bombers raid: a {unit.kind} cannot go along")
    refusal = why_no_flight(ground, unit, path)
    if refusal is not None:
        return refusal
    if raid and not may_raid(ground, target):
        return Refusal("DAA-13.01", f"{target} cannot be raided: it is no enemy zone with units in it")
    if not ground.foes.get(target, False):
        return Refusal("DAA-16.10", f"planes have nothing to attack in {target}, and take no ground")
    left = ground.range_of(unit) - (len(path) - 1)
    home = ground.nearest_landing(target)
    if home > left:
        far = "there is none it can reach" if home >= FAR else f"the nearest is {home} spaces from {target}"
        return Refusal("DAA-18.03", f"the {unit.kind} would have {left} spaces left to land: {far}")
    return None


def why_no_landing(ground: Ground, unit: Unit, path: Sequence[str]) -> Refusal | None:
    """Refuse a flight in the non-combat phase that does not end where planes may land (DAA-12.01 to DAA-12.04)."""
    refusal = why_no_flight(ground, unit, path)
    if refusal is not None:
        return refusal
    end = path[-1]
    if end in ground.landable:
        return None
    if end in ground.board.closed:
        return Refusal("DAA-11.03", f"no plane may end its flight over {end}: that is closed terrain")
    holder = ground.state.control[end]
    if SIDE_OF[holder] != ground.side:
        return Refusal("DAA-12.02", f"no plane may land in {end}: {POWER_NAMES[holder]} holds it")
    if end in ground.state.captured:
        return Refusal("DAA-12.03", f"no plane may land in {end}: it was taken this turn")
    return Refusal("DAA-12.01", f"no plane of {POWER_NAMES[ground.power]} may land in {end}: its partner holds it")


def targets(ground: Ground) -> dict[str, int]:
    """Return what planes may attack, and how far each is from where they may land after it."""
    return {space: ground.nearest_landing(space) for space in ground.foes if ground.foes[space]}


def in_reach(ground: Ground, start: str, spaces: Mapping[str, int], far: int) -> list[str]:
    """Return those of ``spaces`` that a plane with ``far`` spaces left can fly to, and on as far as they say."""
    distances = ground.board.air_distance[start]
    return [space for space, on in spaces.items() if distances[space] + on <= far]


def draw_flight(ground: Ground, start: str, end: str, most: int, stream: Stream) -> list[str]:
    """Return a path from ``start`` to ``end`` of at most ``most`` steps, and one at least; there must be one."""
    near, distances = ground.board.air, ground.board.air_distance
    path = [start]
    while True:
        here = path[-1]
        left = most - len(path)
        ways = [there for there in near[here] if distances[there][end] <= left]
        draw = stream.below(len(ways) + (here == end and len(path) > 1))
        if draw == len(ways):
            return path
        path.append(ways[draw])


def nearest_flights(ground: Ground, start: str, ends: Mapping[str, int], far: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the first of ``flights`` to each of ``ends``, in their order."""
    near, found = ground.board.air, dict[str, list[str]]()
    edge = [[start]]
    for step in range(1, far + 1):
        longer = []
        for path in edge:
            for there in near[path[-1]]:
                if there not in found:
                    found[there] = flight = [*path, there]
                    longer.append(flight)
                    if there in ends and ends[there] <= far - step:
                        yield there, flight
        edge = longer


def flights(ground: Ground, start: str, ends: Mapping[str, int], far: int) -> Iterator[list[str]]:
    """Yield every path from ``start`` to any of ``ends`` within ``far``, what each adds included; short ones first."""
    near, distances = ground.board.air, ground.board.air_distance
    edge = [[start]]
    for step in range(1, far + 1):
        left = far - step
        edge = [
            [*path, there]
            for path in edge
            for there in near[path[-1]]
            if any(distances[there][end] + on <= left for end, on in ends.items())
        ]
        for path in edge:
            if path[-1] in ends and ends[path[-1]] <= left:
                yield path
