"""Marches along falling distances to the goal, around obstacles, to a hex where the unit may end.

Foot units debark where they are to stay, and empty vehicles fetch units that walk.
"""

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise

from kampfpanzer.bots.distances import FAR, DistanceField, DistanceFields
from kampfpanzer.bots.position import Position
from kampfpanzer.model.tables import LETTERS, attenuated
from kampfpanzer.plotting.notation import legs_of

CLOSE = 3
"""Maximum range in hexes of fire at an enemy in cover (KP-9.16f)."""


def march(position: Position, unit_id: str, field: DistanceField, *, shy: bool) -> str:
    """Return the movement plot of a unit toward the goals of ``field``, or "" to stay; settles the hex where it ends.

    Shy units never enter enemy zones. Other units do, and must stop there.
    """
    unit = position.units[unit_id]
    letters, path = _path(position, unit_id, field, shy=shy)
    while len(path) > 1 and not position.may_end(unit_id, path[-1]):
        letters.pop()
        path.pop()
    if len(path) == 1 or field.halves(path[-1]) >= field.halves(unit.hex):
        position.settle(unit_id, unit.hex)
        return ""
    position.settle(unit_id, path[-1])
    return legs_of(letters)


def _path(
    position: Position, unit_id: str, field: DistanceField, *, shy: bool, start: str = "", left: int = -1
) -> tuple[list[str], list[str]]:
    """Return the letters and hexes of a path.

    Each step leads to the neighbor from which the goal costs least. The path ends in an enemy zone, when the points are
    spent, and where only long detours are left.
    """
    kind, start = position.kind(unit_id), start or position.units[unit_id].hex
    left = kind.movement * 2 if left < 0 else left
    letters: list[str] = []
    path = [start]
    zones, held, mobility = position.zones, position.enemy_hexes, kind.mobility
    while 0 < (to_go := field.halves(path[-1])) < FAR:
        here = path[-1]
        best: tuple[int, int, str, str] | None = None
        for letter, there, halves in position.ground.steps(mobility, here):
            if halves > left or there in path or there in held:
                continue
            if there in zones and (shy or here in zones):
                continue
            whole = field.halves(there) + halves
            if best is None or (whole, halves) < best[:2]:
                best = (whole, halves, letter, there)
        if best is None or best[0] > to_go + 8:
            break
        left -= best[1]
        letters.append(best[2])
        path.append(best[3])
        if best[3] in zones:
            break
    return letters, path


def leave(position: Position, unit_id: str, exits: tuple[str, ...], field: DistanceField) -> str:
    """Return a plot that takes a unit off the map by one of ``exits`` this turn, or "" if it cannot."""
    kind, ground = position.kind(unit_id), position.ground
    letters, path = _path(position, unit_id, field, shy=False)
    spent = sum(ground.step_halves(kind.mobility, a, b) for a, b in pairwise(path))
    here = path[-1]
    entered_zone = len(path) > 1 and here in position.zones
    if here not in exits or entered_zone or spent + ground.exit_halves(kind.mobility) > kind.movement * 2:
        return ""
    off = next((letter for letter in LETTERS if not ground.neighbor(here, letter)), "")
    return legs_of([*letters, off]) if off else ""


def enter(position: Position, unit_id: str, entries: tuple[str, ...], field: DistanceField) -> str:
    """Return the plot by which a unit enters the map: an entry with few own units, near the goal, and a march."""
    kind, ground = position.kind(unit_id), position.ground
    free = [each for each in entries if each not in position.enemy_hexes] or list(entries)
    entry = min(free, key=lambda each: (len(position.taken.get(each, ())), field.halves(each), each))
    left = kind.movement * 2 - ground.entry_halves(kind.mobility, entry)
    letters, path = _path(position, unit_id, field, shy=True, start=entry, left=left)
    while len(path) > 1 and not position.may_end(unit_id, path[-1]):
        letters.pop()
        path.pop()
    position.settle(unit_id, path[-1])
    return f"{entry} {legs_of(letters)}".strip()


def alight(position: Position, vehicle: str, goals: Sequence[str]) -> dict[str, str]:
    """Return the plots by which a passenger debarks in the vehicle's hex, or an empty dict if it cannot (KP-12.0g).

    The vehicle drives to a free adjacent hex outside enemy zones, and to one of ``goals`` only if no other is free.
    """
    rider, here = position.passengers[vehicle], position.units[vehicle].hex
    around = [each for each in position.ground.around(here) if each]
    barred = (*position.barred, *position.view.entrenchments)
    free = [each for each in around if each not in barred and not position.taken.get(each)]
    if position.units[rider].disruption or not free:
        return {}
    beside = min(free, key=lambda each: (each in goals, each))
    position.settle(vehicle, beside)
    position.settle(rider, here)
    facing = f" {_faces(position, here)}" if position.kind(rider).is_gun else ""
    return {vehicle: f"Q {beside}", rider: f"Q{facing}"}


def _faces(position: Position, here: str) -> str:
    """Return the direction in which a gun faces the nearest enemy."""
    enemy = position.nearest(here, position.enemies)
    there = position.units[enemy].hex if enemy else ""
    return next((each for each in LETTERS if there and position.ground.in_arc(here, each, there)), LETTERS[0])


def pick_up(position: Position, vehicle: str, walker: str, fields: DistanceFields) -> dict[str, str]:
    """Return the plots by which an empty vehicle embarks a foot unit, or drives to where it can (KP-12.0f)."""
    there, here = position.units[walker].hex, position.units[vehicle].hex
    around = tuple(each for each in position.ground.around(there) if each)
    if here in around:
        position.settle(walker, there)
        position.settle(vehicle, there)
        return {vehicle: f"M {there}", walker: "M"}
    field = fields.of(position.ground, position.kind(vehicle).mobility, around)
    plot = march(position, vehicle, field, shy=True)
    return {vehicle: plot} if plot else {}


def close_in(position: Position, unit_id: str) -> str:
    """Return the plot that takes a tank to the hex from which it fires best, or "" if no better hex is in reach.

    It is for tanks that find no march. An enemy in cover is visible from few hexes only, all of them near.
    """
    start = position.units[unit_id].hex
    best, goal = _sight(position, unit_id, start), start
    reached = _reach(position, unit_id)
    for hex_ in reached:
        if position.may_end(unit_id, hex_):
            value = _sight(position, unit_id, hex_)
            if value > best:
                best, goal = value, hex_
    if goal == start:
        return ""
    position.settle(unit_id, goal)
    letters: list[str] = []
    while goal != start:
        letter, goal = reached[goal]
        letters.append(letter)
    return legs_of(letters[::-1])


def _reach(position: Position, unit_id: str) -> dict[str, tuple[str, str]]:
    """Return the hexes that a unit can reach in a turn, each with the direction and origin of its last step."""
    kind, steps = position.kind(unit_id), position.ground.steps
    zones, held = position.zones, position.enemy_hexes
    start, most = position.units[unit_id].hex, 2 * kind.movement
    spent, came = {start: 0}, dict[str, tuple[str, str]]()
    queue, done = [(0, start)], set[str]()
    while queue:
        halves, here = heappop(queue)
        if here in done or (here != start and here in zones):
            continue
        done.add(here)
        for letter, there, cost in steps(kind.mobility, here):
            total = halves + cost
            if total > most or there in held or (here in zones and there in zones):
                continue
            if total < spent.get(there, most + 1):
                spent[there], came[there] = total, (letter, here)
                heappush(queue, (total, there))
    came.pop(start, None)
    return came


def _sight(position: Position, unit_id: str, hex_: str) -> int:
    """Return the highest margin of strength over defense of a unit in a hex against enemies in sight, or -``FAR``."""
    kind, ground = position.kind(unit_id), position.ground
    best = -FAR
    most, is_rifle = min(kind.range_hexes, CLOSE), kind.weapon == "R"
    q, r = ground.hexmap.axial[hex_]
    for there, enemy_q, enemy_r, prey in position.enemy_places:
        dq, dr = enemy_q - q, enemy_r - r
        if dq > most or dr > most or -dq > most or -dr > most or dq + dr > most or -dq - dr > most:
            continue
        range_hexes = ground.range_hexes(hex_, there)
        if not (is_rifle and prey.hard):
            strength = attenuated(kind.attack, range_hexes)
            cover = ground.cover(there, [hex_], entrenched=there in position.view.entrenchments)[0]
            value = strength * (2 if kind.weapon == "M" and not prey.hard else 1) - prey.defense - cover
            if value > best and ground.sees(hex_, there, high_explosive=False):
                best = value
    return best
