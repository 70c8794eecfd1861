"""The reading of a scenario's tables; invalid values are reported by file and key.

If play depends on an option, a table ``{ by_option = "calendar", .. }`` may replace any value, except in map and aid.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

import damos
from damos.model.tables import GERMAN, NKVD, SIDES, SIZES, SOVIET, TYPES
from damos.model.terrain_chart import PlayerAid, read_player_aid
from damos.setup.map import EDGES, MapSheet, read_map_sheet
from sandtable import DataError, Scenario, chosen, raise_all
from sandtable.data import Problems, TomlTable, choice_of, inner, number_of, quoted, text_of, words_of

NATIONS = (GERMAN, SOVIET, "hungarian", "romanian", "slovak")
GAMES = ("agc",)
"""The games whose exclusive rules are implemented, by the key ``game`` of a scenario."""
TRAITS = (NKVD,)
"""Traits of single units that exclusive rules refer to (AGC-4.1e)."""
FRONTIER = "border"
POSTS = (FRONTIER, "town", "city")
"""Settings of a unit's historical position, which bind no player."""

TABLES = ("scenario", "sides", "stacking", "victory", "exclusive", "map", "aid", "forces")
SCENARIO_KEYS = ("id", "title", "description", "provenance", "endless", "game", "turns")
SIDE_KEYS = ("title", "zones", "replacements")
UNIT_KEYS = ("name", "nation", "type", "size", "corps", "army", "sp", "ma", "arrives", "set_up", "traits")
VICTORY_KEYS = ("objective", "edge", "adjacent")
MAX_TURNS, MAX_UNITS = 24, 400
MAX_NAME = 60
"""Maximum number of characters in the name of a unit."""
MAX_STRENGTH, MAX_MOVEMENT, MAX_POINTS, MAX_STACK = 40, 20, 99, 20
_UNIT_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,19}", re.ASCII)


class UnitSheet(Struct, frozen=True):
    """A unit as read, under its id. ``key`` is its key in the file; strength and movement are the printed points."""

    key: str
    side: str
    name: str
    nation: str
    type: str
    size: str
    sp: int
    ma: int
    corps: str
    army: str
    arrives: int
    posts: tuple[str, ...]
    traits: tuple[str, ...]


class SideSheet(NamedTuple):
    """A side as read: the types that project a zone (DM-2.6a), and pairs of a turn and the RP per turn from then on."""

    title: str
    zones: tuple[str, ...]
    replacements: tuple[tuple[int, int], ...]


class VictorySheet(NamedTuple):
    """The victory conditions (AGC-5.0): a hex, the edge that it needs a path to, and the number of hexes next to it."""

    objective: str
    edge: str
    adjacent: int


class Sheet(NamedTuple):
    """A scenario as read: each value is valid in itself."""

    game: str
    turns: int
    sides: dict[str, SideSheet]
    stacking: dict[str, int]
    victory: VictorySheet
    pause_city: str
    map_sheet: MapSheet
    aid: PlayerAid
    units: dict[str, UnitSheet]


def read_sheet(scenario: Scenario, options: Mapping[str, str]) -> Sheet:
    """Return the scenario's data. Raises DataError, with file and key, for everything that is invalid."""
    problems = _Placed(scenario)
    plain = {name: scenario.data[name] for name in ("map", "aid") if name in scenario.data}
    rest = {
        name: chosen(each, name, options, problems, damos.options())
        for name, each in scenario.data.items()
        if name not in plain
    }
    document = TomlTable(problems, "", plain | rest)
    document.refuse_unknown(TABLES)
    for name in ("map", "aid", "forces"):
        if not isinstance(document.values.get(name), dict):
            problems.refuse(f"scenario.files.{name}", f'is missing; name a file, such as {name} = "{name}.toml"')
    problems.stop()
    aid = read_player_aid(inner(document, "aid"), SIDES)
    problems.stop()
    map_sheet = read_map_sheet(inner(document, "map"), aid, scenario.place("map."))
    head = inner(document, "scenario")
    head.refuse_unknown(SCENARIO_KEYS)
    sheet = Sheet(
        game=choice_of(head, "game", GAMES),
        turns=number_of(head, "turns", 1, MAX_TURNS),
        sides=_read_sides(inner(document, "sides")),
        stacking=_read_stacking(inner(document, "stacking")),
        victory=_read_victory(inner(document, "victory"), map_sheet),
        pause_city=_read_pause(inner(document, "exclusive"), map_sheet) if "exclusive" in document.values else "",
        map_sheet=map_sheet,
        aid=aid,
        units=_read_forces(inner(document, "forces")),
    )
    problems.stop()
    return sheet


class _Placed(Problems):
    """Problems of a scenario, each reported with its file."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario.source)
        self.scenario = scenario

    def stop(self) -> None:
        raise_all([DataError(*self.scenario.place(each.key), each.problem) for each in self.found])


def _read_sides(table: TomlTable) -> dict[str, SideSheet]:
    table.refuse_unknown(SIDES)
    return {side: _read_side(inner(table, side)) for side in SIDES}


def _read_side(table: TomlTable) -> SideSheet:
    table.refuse_unknown(SIDE_KEYS)
    steps: list[tuple[int, int]] = []
    for place, row in enumerate(table.get(list, "replacements")):
        key = f"{table.key_of('replacements')}[{place}]"
        if not isinstance(row, list) or len(row) != 2 or not all(type(each) is int and 0 <= each < 100 for each in row):
            table.problems.refuse(key, f"is {quoted(row)}; give a turn and the points per turn from that turn on")
        elif steps and row[0] <= steps[-1][0]:
            table.problems.refuse(key, f"begins on turn {row[0]}, not after the previous entry; put them in order")
        else:
            steps.append((row[0], row[1]))
    return SideSheet(table.text("title"), words_of(table, "zones", TYPES), tuple(steps))


def _read_stacking(table: TomlTable) -> dict[str, int]:
    table.refuse_unknown(NATIONS)
    return {nation: number_of(table, nation, 1, MAX_STACK) for nation in table.values if nation in NATIONS}


def _read_victory(table: TomlTable, map_sheet: MapSheet) -> VictorySheet:
    table.refuse_unknown(VICTORY_KEYS)
    edge = choice_of(table, "edge", tuple(EDGES))
    return VictorySheet(_place(table, "objective", map_sheet), edge, number_of(table, "adjacent", 1, 6))


def _read_pause(table: TomlTable, map_sheet: MapSheet) -> str:
    table.refuse_unknown(("pause_city",))
    return _place(table, "pause_city", map_sheet)


def _place(table: TomlTable, name: str, map_sheet: MapSheet) -> str:
    """Return the first hex of a named place, or "" without one. Notes a problem unless it has one hex."""
    place = str(table.get(str, name))
    hexes = map_sheet.hexmap.places.get(place, ())
    if len(hexes) != 1 and isinstance(table.values.get(name), str) and map_sheet.hexmap.numbers:
        table.refuse(name, f"is {quoted(place)}; name a place of the map that has one hex")
    return hexes[0] if hexes else ""


def _read_forces(table: TomlTable) -> dict[str, UnitSheet]:
    """Return the units of both sides. Ids must be unique, and names unique within a side."""
    table.refuse_unknown((*SIDES, "provenance"))
    units: dict[str, UnitSheet] = {}
    for side in SIDES:
        rows, names = inner(table, side), dict[str, str]()
        for ident, row in rows.values.items():
            if not _UNIT_ID.fullmatch(ident):
                rows.refuse(ident, "cannot be an id; use 1 to 20 of a-z, 0-9 and -, beginning with a letter or digit")
                continue
            if not rows.problems.is_a(dict, rows.key_of(ident), row):
                continue
            unit = _read_unit(TomlTable(rows.problems, rows.key_of(ident), row), side)
            if ident in units:
                rows.refuse(ident, f"is already an id of {units[ident].side}; give this unit another")
            if unit.name in names:
                twin = f"is {quoted(unit.name)}, the name of {names[unit.name]}; take one out"
                rows.problems.refuse(f"{unit.key}.name", twin)
            units[ident], names[unit.name] = unit, ident
        if not rows.values and isinstance(table.values.get(side), dict):
            table.refuse(side, "has no units; add some")
    if len(units) > MAX_UNITS:
        table.problems.refuse(table.key, f"has {len(units)} units; the maximum is {MAX_UNITS}")
    return units


def _read_unit(table: TomlTable, side: str) -> UnitSheet:
    table.refuse_unknown(UNIT_KEYS)
    return UnitSheet(
        key=table.key,
        side=side,
        name=_name(table),
        nation=choice_of(table, "nation", NATIONS, side),
        type=choice_of(table, "type", TYPES),
        size=choice_of(table, "size", SIZES),
        sp=number_of(table, "sp", 1, MAX_STRENGTH),
        ma=number_of(table, "ma", 1, MAX_MOVEMENT),
        corps=text_of(table, "corps"),
        army=text_of(table, "army"),
        arrives=number_of(table, "arrives", 0, MAX_TURNS, 0),
        posts=words_of(table, "set_up", POSTS),
        traits=words_of(table, "traits", TRAITS),
    )


def _name(table: TomlTable) -> str:
    name = table.text("name")
    if len(name) > MAX_NAME:
        table.refuse("name", f"has {len(name)} characters; the maximum is {MAX_NAME}")
    return name
