"""Overruns: which soft enemies to run down, with whom, from where."""

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from kampfpanzer.bots.position import Position
from kampfpanzer.model.tables import LETTERS, OVERRUN_HALVES, overrun_superiority
from kampfpanzer.plotting.notation import legs_of

MOST = 3
"""So many units make an end of one enemy for certain."""


class Charge(NamedTuple):
    """A unit's way to overrun a hex: the letters of its approach, the direction of the overrun, the hex behind."""

    unit: str
    approach: str
    direction: str
    exit: str
    halves: int


def overruns(position: Position, free: list[str]) -> dict[str, str]:
    """Return the plots of the overruns to make with the units in ``free``; settles where they end."""
    plots: dict[str, str] = {}
    targets = [hex_ for hex_ in sorted(position.enemy_hexes) if _may_be_overrun(position, hex_)]
    ready = [each for each in free if _may_overrun(position, each)]
    chances = {hex_: [] for hex_ in targets}  # type: dict[str, list[Charge]]
    for unit_id in ready:
        near = [hex_ for hex_ in targets if _in_reach(position, unit_id, hex_)]
        for hex_, charge in _ways_to_overrun(position, unit_id, near):
            chances[hex_].append(charge)
    for hex_ in sorted(targets, key=lambda each: (_counted(position, each), -len(chances[each]), each)):
        counted = _counted(position, hex_)
        chosen = _choose(position, [each for each in chances[hex_] if each.unit not in plots], counted)
        if chosen and overrun_superiority(counted, len(chosen)) >= 0:
            for charge in chosen:
                position.settle(charge.unit, charge.exit)
                plots[charge.unit] = f"{legs_of(charge.approach)} V{charge.direction}".strip()
    return plots


def _choose(position: Position, chances: list[Charge], counted: int) -> list[Charge]:
    """Return up to ``MOST`` (for two defenders one more) charges of different units with exits of their own."""
    chosen: list[Charge] = []
    for charge in sorted(chances, key=lambda each: (each.halves, each.unit, each.direction)):
        if charge.unit in [each.unit for each in chosen] or charge.exit in [each.exit for each in chosen]:
            continue
        if not position.may_end(charge.unit, charge.exit):
            continue
        chosen.append(charge)
        if len(chosen) >= MOST + counted - 1 or overrun_superiority(counted, len(chosen)) >= 8:
            break
    return chosen


def _may_overrun(position: Position, unit_id: str) -> bool:
    kind = position.kind(unit_id)
    if not kind.hard:
        return False
    rider = position.passengers.get(unit_id)
    return not kind.is_vehicle or (rider is not None and not position.kind(rider).is_gun)


def _may_be_overrun(position: Position, hex_: str) -> bool:
    return position.ground.is_clear(hex_) and not any(position.kind(each).hard for each in position.enemy_hexes[hex_])


def _counted(position: Position, hex_: str) -> int:
    return min(4, sum(position.counted(each) for each in position.enemy_hexes[hex_]))


def _in_reach(position: Position, unit_id: str, hex_: str) -> bool:
    return position.ground.range_hexes(position.units[unit_id].hex, hex_) <= 2 * position.kind(unit_id).movement


def _ways_to_overrun(position: Position, unit_id: str, targets: list[str]) -> list[tuple[str, Charge]]:
    """Return each target with a way for the unit to overrun it, the cheapest for each direction."""
    found: list[tuple[str, Charge]] = []
    for target in targets:
        runs = _runs(position, unit_id, target)
        reached = _approaches(position, unit_id, target, {run.before: run.left for run in runs}) if runs else {}
        for run in runs:
            if run.before in reached:
                halves, letters = reached[run.before]
                if halves <= run.left:
                    spent = halves + 2 * position.kind(unit_id).movement - run.left
                    found.append((target, Charge(unit_id, letters, run.direction, run.behind, spent)))
    return found


class _Run(NamedTuple):
    """An overrun from the hex ``before`` a target to that ``behind`` it: ``left`` half points are for the way there."""

    direction: str
    before: str
    behind: str
    left: int


def _runs(position: Position, unit_id: str, target: str) -> list[_Run]:
    """Return the overruns of a target that a unit could make if it stood before it, in the order of directions."""
    kind, ground, barred = position.kind(unit_id), position.ground, position.barred_round(target)
    start = position.units[unit_id].hex
    around = ground.around(target)
    found: list[_Run] = []
    for place, direction in enumerate(LETTERS):
        before, behind = around[place - 3], around[place]
        if not before or not behind or behind in position.enemy_hexes or (before in barred and before != start):
            continue
        run = ground.step_halves(kind.mobility, before, target) + ground.step_halves(kind.mobility, target, behind)
        left = 2 * kind.movement - OVERRUN_HALVES - run
        if ground.range_hexes(start, before) <= left:  # a hex costs half a point at least
            found.append(_Run(direction, before, behind, left))
    return found


def _approaches(position: Position, unit_id: str, target: str, goals: Mapping[str, int]) -> dict[str, tuple[int, str]]:
    """Return by hex of ``goals`` the half points and letters of the cheapest way there past zones of others.

    The most that the way to each may cost is in ``goals``; dearer ones may be missing. Of ways that cost as much the
    first by its letters is taken.
    """
    kind, ground, barred = position.kind(unit_id), position.ground, position.barred_round(target)
    start, mobility, steps = position.units[unit_id].hex, kind.mobility, ground.steps
    limit, most = 2 * kind.movement - 6, max(goals.values())
    ranges, range_hexes = position.ranges_to.setdefault(target, {}), ground.range_hexes
    best: dict[str, tuple[int, str]] = {start: (0, "")}
    found: dict[str, tuple[int, str]] = {}
    queue: list[tuple[int, str, str]] = [(0, start, "")]
    while queue:
        halves, here, letters = heappop(queue)
        if here in found or best[here] != (halves, letters):
            continue
        if here in goals:
            found[here] = (halves, letters)
            if len(found) == len(goals):
                break
        for letter, there, cost in steps(mobility, here):
            total = halves + cost
            if total > most or there in barred or (there in best and best[there][0] < total):
                continue
            if there not in ranges:
                ranges[there] = range_hexes(there, target)
            beyond = ranges[there] - 1
            if total + 2 * beyond > limit or total + beyond > most:
                continue
            way = (total, letters + letter)
            if there not in best or way < best[there]:
                best[there] = way
                heappush(queue, (total, there, way[1]))
    return found
