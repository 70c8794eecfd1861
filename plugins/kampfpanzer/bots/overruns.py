"""Overruns: which soft enemies to run down, with whom, from where."""

from heapq import heappop, heappush
from typing import NamedTuple

from kampfpanzer.bots.marches import legs
from kampfpanzer.bots.position import Position
from kampfpanzer.model.tables import LETTERS, overrun_superiority

MOST = 3
"""So many units make an end of one enemy for certain."""


class Charge(NamedTuple):
    """A unit's way to overrun a hex: the letters of its approach, the direction of the overrun, the hex behind."""

    unit: str
    approach: tuple[str, ...]
    direction: str
    exit: str
    halves: int


def charges(position: Position, free: list[str]) -> dict[str, str]:
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
                plots[charge.unit] = f"{legs(list(charge.approach))} V{charge.direction}".strip()
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
    if not targets:
        return []
    found: list[tuple[str, Charge]] = []
    kind, ground = position.kind(unit_id), position.ground
    for target in targets:
        reached = _approaches(position, unit_id, target)
        for place, direction in enumerate(LETTERS):
            before, behind = ground.around(target)[(place + 3) % 6], ground.around(target)[place]
            if not behind or before not in reached or behind in position.enemy_hexes:
                continue
            halves, letters = reached[before]
            halves += ground.step_halves(kind.mobility, before, target) + 4
            halves += ground.step_halves(kind.mobility, target, behind)
            if halves <= kind.movement * 2:
                found.append((target, Charge(unit_id, letters, direction, behind, halves)))
    return found


def _approaches(position: Position, unit_id: str, target: str) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Return by hex next to ``target`` the half points and letters of the cheapest way there past other zones."""
    kind, ground = position.kind(unit_id), position.ground
    start = position.units[unit_id].hex
    defenders = position.enemy_hexes[target]
    goals = {each for each in ground.around(target) if each}
    limit = kind.movement * 2 - 6
    zones = {hex_: row for hex_, row in position.zones.items() if any(each not in defenders for each in row)}
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    queue: list[tuple[int, str, tuple[str, ...]]] = [(0, start, ())]
    seen: set[str] = set()
    while queue and not goals <= found.keys():
        halves, here, letters = heappop(queue)
        if here in seen:
            continue
        seen.add(here)
        if here in goals:
            found[here] = (halves, letters)
        if here != start and here in zones:
            continue
        for letter, there in zip(LETTERS, ground.around(here), strict=True):
            if not there or there in seen or there in position.enemy_hexes or (there in zones and here in zones):
                continue
            if there in zones:
                continue
            total = halves + ground.step_halves(kind.mobility, here, there)
            if total + 2 * (ground.range_hexes(there, target) - 1) <= limit:
                heappush(queue, (total, there, (*letters, letter)))
    return found
