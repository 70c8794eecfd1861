"""Overruns: the choice of soft targets, of the units that overrun them, and of their approaches."""

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from kampfpanzer.bots.position import Position
from kampfpanzer.model.tables import LETTERS, OVERRUN_HALVES, overrun_superiority
from kampfpanzer.plotting.notation import legs_of

MOST = 3
"""Number of units that destroy one defender with certainty."""


class Charge(NamedTuple):
    """A possible overrun by a unit: the letters of its approach, its direction, the hex behind, and the cost."""

    unit: str
    approach: str
    direction: str
    exit: str
    halves: int


def overruns(position: Position, free: list[str]) -> dict[str, str]:
    """Return the plots of overruns for units in ``free``, and settle the hexes where they end."""
    plots: dict[str, str] = {}
    targets = [hex_ for hex_ in sorted(position.enemy_hexes) if _may_be_overrun(position, hex_)]
    ready = [each for each in free if _may_overrun(position, each)]
    chances = {hex_: [] for hex_ in targets}  # type: dict[str, list[Charge]]
    for unit_id in ready:
        near = [hex_ for hex_ in targets if _in_reach(position, unit_id, hex_)]
        for hex_, charge in _possible_charges(position, unit_id, near):
            chances[hex_].append(charge)
    for hex_ in sorted(targets, key=lambda each: (_count_defenders(position, each), -len(chances[each]), each)):
        counted = _count_defenders(position, hex_)
        chosen = _choose(position, [each for each in chances[hex_] if each.unit not in plots], counted)
        if chosen and overrun_superiority(counted, len(chosen)) >= 0:
            for charge in chosen:
                position.settle(charge.unit, charge.exit)
                plots[charge.unit] = f"{legs_of(charge.approach)} V{charge.direction}".strip()
    return plots


def _choose(position: Position, chances: list[Charge], counted: int) -> list[Charge]:
    """Return up to ``MOST`` charges (one more per additional defender) by different units with different exits."""
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


def _count_defenders(position: Position, hex_: str) -> int:
    return min(4, sum(position.counted(each) for each in position.enemy_hexes[hex_]))


def _in_reach(position: Position, unit_id: str, hex_: str) -> bool:
    return position.ground.range_hexes(position.units[unit_id].hex, hex_) <= 2 * position.kind(unit_id).movement


def _possible_charges(position: Position, unit_id: str, targets: list[str]) -> list[tuple[str, Charge]]:
    """Return each target with the cheapest overrun by the unit for each direction."""
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
    """An overrun from ``before`` a target to the hex ``behind`` it; ``left`` half points remain for the approach."""

    direction: str
    before: str
    behind: str
    left: int


def _runs(position: Position, unit_id: str, target: str) -> list[_Run]:
    """Return the overruns of a target that a unit could make from an adjacent hex, in the order of directions."""
    kind, ground, barred = position.kind(unit_id), position.ground, position.barred_for(target)
    start = position.units[unit_id].hex
    around = ground.around(target)
    found: list[_Run] = []
    for place, direction in enumerate(LETTERS):
        before, behind = around[place - 3], around[place]
        if not before or not behind or behind in position.enemy_hexes or (before in barred and before != start):
            continue
        run = ground.step_halves(kind.mobility, before, target) + ground.step_halves(kind.mobility, target, behind)
        left = 2 * kind.movement - OVERRUN_HALVES - run
        if ground.range_hexes(start, before) <= left:  # a hex costs at least half a point
            found.append(_Run(direction, before, behind, left))
    return found


def _approaches(position: Position, unit_id: str, target: str, goals: Mapping[str, int]) -> dict[str, tuple[int, str]]:
    """Return the half points and letters of the cheapest path to each of ``goals`` outside zones of other enemies.

    ``goals`` gives the maximum cost of each path; more expensive paths may be missing. Of paths with equal cost, the
    first in the order of letters is taken.
    """
    kind, ground, barred = position.kind(unit_id), position.ground, position.barred_for(target)
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
            path = (total, letters + letter)
            if there not in best or path < best[there]:
                best[there] = path
                heappush(queue, (total, there, path[1]))
    return found
