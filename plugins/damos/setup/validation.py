"""Checks that a scenario can be played: a connected theater, enough units and space, railways that lead on."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from damos.model.tables import GERMAN, SOVIET
from damos.model.terrain_chart import CITY, MAJOR_CITY, SETTLEMENTS, TOWN
from damos.setup.map import EDGES
from damos.setup.reading import Sheet, UnitSheet
from sandtable import DataError, Scenario, raise_all

Problem = tuple[str, str]
"""The key in the file, and the error there."""


def check_sheet(sheet: Sheet, scenario: Scenario) -> None:
    """Raise DataError, with file, key and correction, for everything that cannot be played."""
    raise_all([DataError(*scenario.place(key), problem) for key, problem in find_problems(sheet)])


def find_problems(sheet: Sheet) -> Iterator[Problem]:
    """Yield everything that cannot be played; if the theater is invalid, only its problems."""
    if found := list(_region_problems(sheet)):
        yield from found
        return
    yield from _edge_problems(sheet)
    yield from _place_problems(sheet)
    yield from _rail_problems(sheet)
    yield from _unit_problems(sheet)
    yield from _space_problems(sheet)


def _region_problems(sheet: Sheet) -> Iterator[Problem]:
    """Yield regions that are empty, or outside the hexes where they must be (AGC-1.3a, AGC-6.0b, AGC-6.0d).

    The area must also be connected.
    """
    hexmap, regions = sheet.map_sheet.hexmap, sheet.map_sheet.regions
    area, home = frozenset(regions["area"]), frozenset(regions["home"])
    for name in ("area", "home", "frontier", "set_up"):
        if not regions[name]:
            yield f"map.theater.{name}", "has no hexes; list some"
            return
    for name, whole in (("extension", area), ("frontier", area - home), ("set_up", area & home)):
        off = next((each for each in sorted(regions[name]) if each not in whole), "")
        where = {"extension": "the area", "frontier": "the area on the Soviet side", "set_up": "the area at home"}[name]
        if off:
            yield f"map.theater.{name}", f"has {off}, which is not in {where}; take it out"
    for each in regions["frontier"]:
        if not home & set(hexmap.around[each]):
            yield "map.theater.frontier", f"has {each}, which is not adjacent to a hex of home; take it out"
    apart = sorted(area - _joined(area, min(area), _neighbors(sheet)))
    if apart:
        yield "map.theater.area", f"is not connected: no path leads from {min(area)} to {apart[0]}; join them"


def _neighbors(sheet: Sheet) -> dict[str, tuple[str, ...]]:
    """Return, for each hex, the adjacent hexes across a hexside that is not closed."""
    hexmap, closed = sheet.map_sheet.hexmap, {name for name, each in sheet.aid.hexsides.items() if each.closed}
    return {
        number: tuple(near for near in around if near and not closed & set(hexmap.sides.get((number, near), ())))
        for number, around in hexmap.around.items()
    }


def _joined(area: frozenset[str], start: str, around: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    reached = {start: None}
    for number in (queue := [start]):
        fresh = [near for near in around[number] if near in area and near not in reached]
        reached |= dict.fromkeys(fresh)
        queue += fresh
    return frozenset(reached)


def _edge_problems(sheet: Sheet) -> Iterator[Problem]:
    """Yield edges without a hex of the area that units must arrive from (AGC-4.9a) or trace a path to (AGC-5.0b)."""
    area, around = sheet.map_sheet.regions["area"], sheet.map_sheet.hexmap.around
    for edge in dict.fromkeys(("west", sheet.victory.edge)):
        if all(around[number][EDGES[edge]] for number in area):
            yield "map.theater.area", f"has no hex on the {edge} edge of the map; add some"


def _place_problems(sheet: Sheet) -> Iterator[Problem]:
    """Yield named cities that are out of play, and settlements without a name or with several."""
    hexmap, area = sheet.map_sheet.hexmap, set(sheet.map_sheet.regions["area"])
    for key, number in (("victory.objective", sheet.victory.objective), ("exclusive.pause_city", sheet.pause_city)):
        if number and number not in area:
            yield key, f"is {number}, which is not in map.theater.area; choose another"
    named = Counter(number for numbers in hexmap.places.values() for number in numbers)
    for number, kinds in hexmap.terrain.items():
        sizes = [kind for kind in SETTLEMENTS if kind in kinds]
        if len(sizes) > 1:
            yield f"map.terrain.{sizes[0]}", f"has {number}, which is also a {sizes[1]}; take one out"
        if sizes and named[number] != 1:
            yield (
                f"map.terrain.{sizes[0]}",
                f"has {number}, which has {named[number]} names in map.places; give it one",
            )


def _rail_problems(sheet: Sheet) -> Iterator[Problem]:
    """Yield missing railways: to a side's sources, and across the frontier (AGC-4.3.1a, AGC-4.3.2b)."""
    hexmap, regions = sheet.map_sheet.hexmap, sheet.map_sheet.regions
    area, home = set(regions["area"]), set(regions["home"])
    rail = {number for line in sheet.map_sheet.rails for number in line.hexes}
    pairs = [pair for line in sheet.map_sheet.rails for pair in pairwise(line.hexes)]
    if not any(number in area & home and not hexmap.around[number][EDGES["west"]] for number in rail):
        yield "map.rails", "has no line to the west edge at home, so the Germans have no supply; add one"
    if not any((first in home) != (second in home) for first, second in pairs):
        yield "map.rails", "has no line across the frontier, so no railway can be converted; add one"
    cities = {number for kind in (CITY, MAJOR_CITY) for number in hexmap.hexes_with(kind)} - home
    east = {number for number in area if not hexmap.around[number][EDGES["east"]]}
    if not rail & area & (cities | east):
        yield "map.rails", "has no line to a Soviet city or the east edge, so the Soviets have no supply; add one"


def _unit_problems(sheet: Sheet) -> Iterator[Problem]:
    """Yield units without a stacking limit, and sides without a unit at the start."""
    for unit in sheet.units.values():
        if unit.nation not in sheet.stacking:
            yield (f"{unit.key}.nation", f"is {unit.nation}, which is not in [stacking]; add {unit.nation} = .. there")
    for side in (GERMAN, SOVIET):
        if not _starting(sheet, side):
            yield f"forces.{side}", "has no unit at the start; give some arrives = 0"


def _space_problems(sheet: Sheet) -> Iterator[Problem]:
    """Yield a frontier that cannot be filled (AGC-6.0b), and forces without space to set up (AGC-6.0c, AGC-6.0d)."""
    regions = sheet.map_sheet.regions
    frontier, area = set(regions["frontier"]), set(regions["area"]) - set(regions["home"])
    first, second = _starting(sheet, SOVIET), _starting(sheet, GERMAN)
    if len(first) < len(frontier):
        yield (
            "forces.soviet",
            f"has {len(first)} units at the start, but {len(frontier)} hexes of the frontier need one each; add units",
        )
    settled = {number for kind in (TOWN, CITY, MAJOR_CITY) for number in sheet.map_sheet.hexmap.hexes_with(kind)} & area
    for side, units, hexes in ((SOVIET, first, frontier | settled), (GERMAN, second, set(regions["set_up"]))):
        held = len(hexes) * min((sheet.stacking.get(unit.nation, 1) for unit in units), default=1)
        if len(units) > held:
            yield (
                f"forces.{side}",
                f"has {len(units)} units at the start, but the set-up area holds {held}; take some out",
            )


def _starting(sheet: Sheet, side: str) -> list[UnitSheet]:
    return [unit for unit in sheet.units.values() if unit.side == side and unit.arrives == 0]
