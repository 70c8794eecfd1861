"""Reading a scenario's tables: the valid content of a file, and errors by file and key.

A value that depends on an option is a table ``{ by_option = "edge_w", column_01 = .., bottom_rows = .. }``. The entry
of the chosen option value is used.
"""

from collections.abc import Mapping
from typing import NamedTuple

from kampfpanzer import SIDES
from kampfpanzer.model.board import Victory
from kampfpanzer.model.forces import Counters
from kampfpanzer.model.tables import (
    BRIDGE,
    CREST,
    FORD,
    HEX_HALVES,
    LETTERS,
    PANIC_LEVELS,
    ROAD,
    STREAM,
    TOWN,
    WHEELS,
    WOODS,
    WRECK,
)
from kampfpanzer.setup.areas import AREA_KEYS, Hexes, read_area, read_hexes
from sandtable import Scenario, chosen
from sandtable.data import Problems, TomlTable, choice_of, flag_of, inner, number_of, quoted
from sandtable.hexes import HexMap, HexVocabulary, parse_hex_map

VOCABULARY = HexVocabulary(
    terrain=tuple(kind for kind in HEX_HALVES[WHEELS] if kind != WRECK),
    hexsides=(STREAM, FORD, BRIDGE, CREST, WOODS, TOWN),
    ways=(ROAD,),
)
"""The valid terrain and features of a map file of this game (KP-10.0a, KP-9.16a)."""

TABLES = ("scenario", "forces", "victory", "map", "counters")
SCENARIO_KEYS = ("id", "title", "description", "provenance", "endless", "turns", "sides", "riders", "scatter")
SIDE_KEYS = ("title", "panic", "exits", "no_move", "groups")
GROUP_KEYS = ("units", "enters", "entries", "may_entrench", "entrenched", *AREA_KEYS)
MAX_TURNS = 200
MAX_UNITS = 200
MAX_GROUPS = 40

NUMBERS = ("needed", "losses_needed", "loss_limit", "from_turn")
JUDGES = {
    "majority": ((), True),
    "multiple": (("needed",), True),
    "clear": (("needed",), True),
    "reach": (("from_turn",), True),
    "exit": (("needed",), False),
    "destroy": (("losses_needed",), False),
    "break_through": (("needed", "losses_needed", "loss_limit"), False),
}
"""The kinds of victory (see ``board.Victory``): the numbers that each requires, and whether it has hexes."""


class GroupSheet(NamedTuple):
    """A group as read: the number of units of each type, and their hexes.

    ``key`` is its key in the file.
    """

    key: str
    side: str
    units: dict[str, int]
    area: Hexes
    enters: int
    entries: Hexes
    may_entrench: bool
    entrenched: bool


class SideSheet(NamedTuple):
    """A side as it was read from a scenario."""

    id: str
    title: str
    panic: int
    exits: Hexes
    no_move: int
    groups: tuple[GroupSheet, ...]


class Sheet(NamedTuple):
    """A scenario as read, in which each value is valid by itself."""

    map: HexMap
    turns: int
    sides: tuple[SideSheet, ...]
    victory: Victory
    riders: bool
    scatter: tuple[str, ...]


def sides_of(scenario: Scenario) -> tuple[str, ...]:
    """Return the two sides in the order in which they set up. Raises DataError, with file and key."""
    problems = Problems(scenario.source)
    sides = _read_sides(TomlTable(problems, "scenario", scenario.data["scenario"]))
    problems.stop()
    return sides


def read_sheet(scenario: Scenario, options: Mapping[str, str], counters: Counters) -> Sheet:
    """Return the scenario's data. Raises DataError, with file and key, for all errors."""
    problems = Problems(scenario.source)
    data = {name: chosen(value, name, options, problems) for name, value in scenario.data.items() if name != "map"}
    document = TomlTable(problems, "", data | {"map": scenario.data.get("map")})
    document.refuse_unknown(TABLES)
    if not isinstance(scenario.data.get("map"), dict):
        problems.refuse("scenario.map", 'is missing; name a map file, such as map = "map.toml"')
    problems.stop()
    hexmap = parse_hex_map(scenario.data["map"], f"{scenario.source}: map", VOCABULARY)
    head = inner(document, "scenario")
    head.refuse_unknown(SCENARIO_KEYS)
    for name in ("description", "provenance"):
        if name in head.values:
            head.text(name, also="\n\t")
    turns = number_of(head, "turns", 1, MAX_TURNS)
    names = _read_sides(head)
    forces = inner(document, "forces")
    forces.refuse_unknown(names)
    problems.stop()
    sides = tuple(_read_side(inner(forces, name), name, hexmap, counters) for name in names)
    victory = _read_victory(inner(document, "victory"), names, hexmap)
    sheet = Sheet(hexmap, turns, sides, victory, flag_of(head, "riders"), _read_scatter(head))
    problems.stop()
    return sheet


def _read_sides(head: TomlTable) -> tuple[str, ...]:
    names = head.get(list, "sides")
    if len(names) == 2 and names[0] != names[1] and all(name in SIDES for name in names):
        return tuple(names)
    if isinstance(head.values.get("sides"), list):
        head.refuse("sides", f"is {quoted(names)}; name two of these, in the order of set-up: {', '.join(SIDES)}")
    return ()


def _read_scatter(head: TomlTable) -> tuple[str, ...]:
    """Return the letters of the faces 1 to 6 (default: A to F, R-KP-03)."""
    if "scatter" not in head.values:
        return tuple(LETTERS)
    letters = head.get(list, "scatter")
    if len(letters) != 6 or not all(isinstance(each, str) and len(each) == 1 and each in LETTERS for each in letters):
        head.refuse("scatter", f"is {quoted(letters)}; give six letters A to F, for the faces 1 to 6")
    return tuple(letters)


def _read_side(table: TomlTable, name: str, hexmap: HexMap, counters: Counters) -> SideSheet:
    table.refuse_unknown(SIDE_KEYS)
    groups = []
    rows = table.get(list, "groups")
    if not 0 < len(rows) <= MAX_GROUPS and isinstance(table.values.get("groups"), list):
        table.refuse("groups", f"has {len(rows)} groups; use 1 to {MAX_GROUPS}")
        rows = []
    for place, row in enumerate(rows):
        key = f"{table.key_of('groups')}[{place}]"
        if table.problems.is_a(dict, key, row):
            groups.append(_read_group(TomlTable(table.problems, key, row), name, hexmap, counters))
    return SideSheet(
        id=name,
        title=table.text("title"),
        panic=number_of(table, "panic", PANIC_LEVELS[0], PANIC_LEVELS[-1]),
        exits=read_hexes(table, "exits", hexmap) if "exits" in table.values else (),
        no_move=number_of(table, "no_move", 1, MAX_TURNS, default=0),
        groups=tuple(groups),
    )


def _read_group(table: TomlTable, side: str, hexmap: HexMap, counters: Counters) -> GroupSheet:
    table.refuse_unknown(GROUP_KEYS)
    units = {}
    rows = inner(table, "units")
    for name in rows.values:
        if name in counters.kinds:
            units[name] = number_of(rows, name, 1, MAX_UNITS)
        else:
            rows.refuse(name, f"is not a type of unit; the types are: {', '.join(counters.kinds)}")
    if not units and not rows.values and isinstance(table.values.get("units"), dict):
        table.refuse("units", "is empty; name types of unit, with their numbers")
    late = "enters" in table.values or "entries" in table.values
    return GroupSheet(
        key=table.key,
        side=side,
        units=units,
        area=() if late else read_area(table, hexmap),
        enters=number_of(table, "enters", 1, MAX_TURNS) if late else 0,
        entries=_read_entries(table, hexmap) if late else (),
        may_entrench=flag_of(table, "may_entrench"),
        entrenched=flag_of(table, "entrenched"),
    )


def _read_entries(table: TomlTable, hexmap: HexMap) -> Hexes:
    for name in AREA_KEYS:
        if name in table.values:
            table.refuse(name, "is the set-up area of a group, but this group enters later; remove it")
    return read_hexes(table, "entries", hexmap)


def _read_victory(table: TomlTable, sides: tuple[str, ...], hexmap: HexMap) -> Victory:
    kind = choice_of(table, "kind", tuple(JUDGES))
    if kind not in JUDGES:
        return Victory("")
    required, has_hexes = JUDGES[kind]
    one_sided = kind != "majority"
    numbers = (*required, "loss_limit") if kind == "exit" else required
    table.refuse_unknown(("kind", *(("side",) if one_sided else ()), *numbers, *(AREA_KEYS if has_hexes else ())))
    side = choice_of(table, "side", sides) if one_sided else ""
    return Victory(
        kind=kind,
        side=side,
        hexes=read_area(table, hexmap) if has_hexes else (),
        place=str(table.values.get("place", "")) if has_hexes else "",
        **{name: number_of(table, name, 1, MAX_TURNS, default=None if name in required else 0) for name in numbers},
    )
