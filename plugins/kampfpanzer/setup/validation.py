"""Checks that a scenario can be played: counters, areas, entry and exit hexes, victory condition."""

from collections.abc import Iterator
from itertools import chain, combinations

from kampfpanzer.model.forces import AFV, ARTILLERY, INFANTRY, Counters, Kind
from kampfpanzer.setup.areas import edge_hexes
from kampfpanzer.setup.reading import GroupSheet, Sheet, SideSheet
from sandtable import DataError

MAX_APART = 8
"""Maximum number of groups of a side that are checked in every combination.

With more groups, each is checked alone and all are checked together.
"""

Problem = tuple[str, str]
"""The key in the file, and the error there."""


def check_sheet(sheet: Sheet, counters: Counters, source: str) -> None:
    """Raise DataError, with file, key and fix, for the first problem."""
    for key, problem in find_problems(sheet, counters):
        raise DataError(source, key, problem)


def find_problems(sheet: Sheet, counters: Counters) -> Iterator[Problem]:
    """Yield the problems that prevent play."""
    yield from _counter_problems(sheet, counters)
    for side in sheet.sides:
        yield from _edge_problems(sheet, side)
        yield from _group_problems(sheet, side, counters.kinds)
    yield from _space_problems(sheet, counters.kinds)
    yield from _victory_problems(sheet, counters.kinds)


def _counter_problems(sheet: Sheet, counters: Counters) -> Iterator[Problem]:
    """Yield a problem for each type with too few counters; each identity number is used once (KP-3.2b)."""
    used: dict[str, int] = {}
    for group in _groups(sheet):
        for name, number in group.units.items():
            used[name] = used.get(name, 0) + number
            there = len(counters.ids[name])
            if used[name] > there:
                yield (
                    f"{group.key}.units.{name}",
                    f"requires a total of {used[name]} {name}, but only {there} counters exist",
                )


def _edge_problems(sheet: Sheet, side: SideSheet) -> Iterator[Problem]:
    """Yield a problem for entry and exit hexes that are not on the edge of the map (KP-14.0d, KP-14.0i)."""
    edge = edge_hexes(sheet.map)
    edge_keys = [
        (f"forces.{side.id}.exits", side.exits),
        *((f"{each.key}.entries", each.entries) for each in side.groups),
    ]
    for key, hexes in edge_keys:
        inland = [number for number in hexes if number not in edge]
        if inland:
            yield key, f"{inland[0]} is not on the edge of the map, so no unit can pass there; choose another"


def _group_problems(sheet: Sheet, side: SideSheet, kinds: dict[str, Kind]) -> Iterator[Problem]:
    if side.no_move > sheet.turns:
        yield f"forces.{side.id}.no_move", f"is {side.no_move}, but the game has {sheet.turns} turns"
    for group in side.groups:
        if group.enters > sheet.turns:
            yield f"{group.key}.enters", f"is {group.enters}, but the game has {sheet.turns} turns"
        key = "entrenched" if group.entrenched else "may_entrench"
        if (group.entrenched or group.may_entrench) and group.enters:
            yield f"{group.key}.{key}", "is given, but a group that enters later has no entrenchment; remove it"
        elif (group.entrenched or group.may_entrench) and not any(kinds[name].is_foot for name in group.units):
            yield f"{group.key}.{key}", "is given, but the group has neither infantry nor a gun; remove it"
        if group.entrenched and group.may_entrench:
            yield f"{group.key}.may_entrench", "is implied by entrenched = true; remove it"
        rides = sum(number for name, number in group.units.items() if kinds[name].is_vehicle)
        guns = sum(number for name, number in group.units.items() if kinds[name].is_gun)
        if group.enters and guns > rides:
            problem = f"has more guns than vehicles ({guns} to {rides}), and no gun enters by itself; add vehicles"
            yield f"{group.key}.units", problem


def _space_problems(sheet: Sheet, kinds: dict[str, Kind]) -> Iterator[Problem]:
    """Yield a problem for an area that is too small for its units, given the hexes that the enemy may already hold."""
    first, second = sheet.sides
    before = [group for group in first.groups if group.area]
    for side, others in ((first, []), (second, before)):
        for some in _combined([group for group in side.groups if group.area]):
            area = frozenset(chain.from_iterable(group.area for group in some))
            taken = {number for group in others for number in group.area if number in area}
            lost = min(len(taken), sum(sum(group.units.values()) for group in others if area & set(group.area)))
            need = _hexes_needed(some, kinds, riders=sheet.riders)
            if need > len(area) - lost:
                subject = "the units" if len(some) == 1 else f"the units of these {len(some)} groups together"
                foe = f", of which the enemy may hold {lost}" if lost else ""
                figures = f"hexes needed {need}, in the area {len(area)}{foe}"
                problem = f"{subject} need a larger area to set up: {figures}; enlarge it"
                yield some[-1].key, problem
                return


def _combined(groups: list[GroupSheet]) -> Iterator[tuple[GroupSheet, ...]]:
    """Yield the combinations of the groups to check, the small ones first (see ``MAX_APART``)."""
    sizes = range(1, len(groups) + 1) if len(groups) <= MAX_APART else (1, len(groups))
    return chain.from_iterable(combinations(groups, size) for size in sizes)


def _hexes_needed(groups: tuple[GroupSheet, ...], kinds: dict[str, Kind], *, riders: bool) -> int:
    """Return the minimum number of hexes that the units need.

    One infantry unit and one gun share a hex (KP-7.1a). Units that can ride do so (KP-14.0h), unless they must be
    entrenched.
    """
    free, dug = {INFANTRY: 0, ARTILLERY: 0}, {INFANTRY: 0, ARTILLERY: 0}
    machines = vehicles = tanks = 0
    for group in groups:
        for name, number in group.units.items():
            kind = kinds[name]
            if kind.is_foot:
                (dug if group.entrenched else free)[kind.category] += number
                continue
            machines += number
            vehicles += number if kind.is_vehicle else 0
            tanks += number if riders and kind.category == AFV else 0
    infantry, guns = free[INFANTRY], free[ARTILLERY]
    infantry -= min(infantry, tanks)
    loads = range(min(guns, vehicles) + 1)  # guns aboard; infantry uses the other vehicles
    walking = {aboard: max(0, infantry - (vehicles - aboard)) for aboard in loads}
    return machines + min(max(walking[each] + dug[INFANTRY], guns - each + dug[ARTILLERY]) for each in loads)


def _victory_problems(sheet: Sheet, kinds: dict[str, Kind]) -> Iterator[Problem]:
    """Yield problems of victory conditions that cannot be met, and of sides without combat units."""
    fighting = {
        side.id: sum(
            number for group in side.groups for name, number in group.units.items() if not kinds[name].is_vehicle
        )
        for side in sheet.sides
    }
    for side in sheet.sides:
        if not fighting[side.id]:
            yield f"forces.{side.id}.groups", "have no combat unit, and only combat units count (KP-14.0j); add some"
    victory = sheet.victory
    if victory.kind in ("exit", "break_through"):
        if not next(side.exits for side in sheet.sides if side.id == victory.side):
            yield (
                f"forces.{victory.side}.exits",
                "is missing: the victory condition needs units that leave the map; add hexes",
            )
        if victory.needed > fighting[victory.side]:
            yield (
                "victory.needed",
                f"is {victory.needed}, but {victory.side} have {fighting[victory.side]} combat units",
            )
    if victory.losses_needed:
        enemy = next(side.id for side in sheet.sides if side.id != victory.side)
        if victory.losses_needed > fighting[enemy]:
            yield (
                "victory.losses_needed",
                f"is {victory.losses_needed}, but {enemy} have {fighting[enemy]} combat units",
            )
    if victory.from_turn > sheet.turns:
        yield "victory.from_turn", f"is {victory.from_turn}, but the game has {sheet.turns} turns"


def _groups(sheet: Sheet) -> Iterator[GroupSheet]:
    return (group for side in sheet.sides for group in side.groups)
