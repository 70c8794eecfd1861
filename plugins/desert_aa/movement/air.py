"""Legal flights of planes: attacks, raids and landings (DAA-12.01 to DAA-12.04, DAA-13.01, DAA-16.07)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from desert_aa.model.board import FAR
from desert_aa.model.state import Unit
from desert_aa.model.tables import BOMBER, CLOSED_ALL, FIGHTER, POWER_NAMES, SIDE_OF
from desert_aa.movement.ground import Ground
from sandtable import Refusal, Stream

_RANGE_RULE = {FIGHTER: "DAA-15.04", BOMBER: "DAA-15.05"}


def spaces(number: int) -> str:
    """Return "1 space", "2 spaces"."""
    return f"{number} space{'s' * (number != 1)}"


def why_no_flight(ground: Ground, unit: Unit, path: Sequence[str]) -> Refusal | None:
    """Refuse a path that is too long, follows no connector or crosses closed terrain (DAA-11.04, DAA-12.04)."""
    board = ground.board
    far = ground.range_of(unit)
    if len(path) - 1 > far:
        reason = f"the flight is {spaces(len(path) - 1)} long, but this {unit.kind} can fly only {spaces(far)} more"
        return Refusal(_RANGE_RULE[unit.kind], reason)
    for here, there in pairwise(path):
        if there in board.air[here]:
            continue
        if board.closed.get(there) == CLOSED_ALL:
            return Refusal("DAA-11.04", f"no unit may cross {board.names[there]}, by land or by air")
        near = ", ".join(board.names[each] for each in board.air[here])
        reason = f"planes cannot fly from {board.names[here]} straight to {board.names.get(there, str(there)[:40])}"
        return Refusal("DAA-12.04", f"{reason}; the next spaces by air are {near}")
    return None


def may_raid(ground: Ground, space: str) -> bool:
    """Return whether ``space`` is an enemy zone with units that a raid can hit (DAA-13.01, DAA-R55)."""
    return space in ground.board.zones and ground.foes.get(space, False)


def why_no_sortie(ground: Ground, unit: Unit, path: Sequence[str], *, raid: bool) -> Refusal | None:
    """Refuse an air attack without a target, or without a landing in range (DAA-16.10, DAA-13.01, DAA-18.03).

    Also refuse an illegal flight (DAA-12.04), and a raid by a plane that is not a bomber (DAA-13.05).
    """
    target = path[-1]
    name = ground.board.names.get(target, str(target)[:40])
    if raid and unit.kind != BOMBER:
        return Refusal("DAA-13.05", f"only bombers raid: leave the {unit.kind} out")
    refusal = why_no_flight(ground, unit, path)
    if refusal is not None:
        return refusal
    if raid and not may_raid(ground, target):
        return Refusal("DAA-13.01", f"{name} is not an enemy reinforcement zone with units to raid")
    if not ground.foes.get(target, False):
        return Refusal("DAA-16.10", f"planes have nothing to attack in {name}, and cannot take ground")
    left = ground.range_of(unit) - (len(path) - 1)
    home = ground.nearest_landing(target)
    if home > left:
        far = "no landing can be reached" if home >= FAR else f"the nearest landing is {spaces(home)} from {name}"
        return Refusal("DAA-18.03", f"the {unit.kind} would have {spaces(left)} left to land, but {far}")
    return None


def why_no_landing(ground: Ground, unit: Unit, path: Sequence[str]) -> Refusal | None:
    """Refuse a non-combat flight that does not end where planes may land (DAA-12.01 to DAA-12.04)."""
    refusal = why_no_flight(ground, unit, path)
    if refusal is not None:
        return refusal
    end = path[-1]
    if end in ground.landable:
        return None
    name = ground.board.names[end]
    if end in ground.board.closed:
        return Refusal("DAA-11.03", f"no plane may end its flight over {name}, which is closed terrain")
    holder = ground.state.control[end]
    if SIDE_OF[holder] != ground.side:
        return Refusal("DAA-12.02", f"no plane may land in {name}: {POWER_NAMES[holder]} holds it")
    if end in ground.state.captured:
        return Refusal("DAA-12.03", f"no plane may land in {name}: it was taken this turn")
    return Refusal("DAA-12.01", f"no plane of {POWER_NAMES[ground.power]} may land in {name}: its partner holds it")


def targets(ground: Ground) -> dict[str, int]:
    """Return the spaces that planes may attack, with the distance from each to the nearest landing."""
    return {space: ground.nearest_landing(space) for space in ground.foes if ground.foes[space]}


def in_reach(ground: Ground, start: str, spaces: Mapping[str, int], far: int) -> list[str]:
    """Return the ``spaces`` that a plane with ``far`` spaces left can reach.

    The value of a space is the number of spaces that the plane must still fly after it.
    """
    distances = ground.board.air_distance[start]
    return [space for space, on in spaces.items() if distances[space] + on <= far]


def draw_flight(ground: Ground, start: str, end: str, most: int, stream: Stream) -> list[str]:
    """Draw a path from ``start`` to ``end`` of 1 to ``most`` steps. At least one must exist."""
    near, distances = ground.board.air, ground.board.air_distance
    path = [start]
    while True:
        here = path[-1]
        left = most - len(path)
        following = [there for there in near[here] if distances[there][end] <= left]
        draw = stream.below(len(following) + (here == end and len(path) > 1))
        if draw == len(following):
            return path
        path.append(following[draw])


def nearest_flights(ground: Ground, start: str, ends: Mapping[str, int], far: int) -> Iterator[tuple[str, list[str]]]:
    """Yield each of ``ends`` that is in range, with the first path of ``flights`` to it."""
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
    """Yield every path from ``start`` to one of ``ends`` in a range of ``far`` spaces, shortest first.

    The value of an end is the number of spaces to fly after it.
    """
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
