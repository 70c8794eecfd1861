"""Files of hex maps: accepted files, refusals and their wording; no file has any other effect."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from work import lines_run

from sandtable.board.hexes import file as room
from sandtable.board.hexes.file import HexVocabulary, find_hex_problems, parse_hex_map, read_hex_map
from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import HexMap
from sandtable.errors import DataError, RulesetError
from sandtable.files.document import MAX_PROBLEMS

WORDS = HexVocabulary(("clear", "woods", "slope"), ("stream", "ford"), ("road",))
"""The words of a small game."""

HEAD = """\
[map]
id = "river"
title = "The river"
provenance = "own work"
reason = "for tests"
"""

GRID = """\
[grid]
columns = 39
rows = 54
lower_rows = 53
"""

RIVER = f"""\
{HEAD}{GRID}
[terrain]
default = "clear"
woods = ["0405 0506 0601-0605", "0304-0304"]
slope = ["0405"]

[hexsides]
stream = ["0404/0405 0505/0405", "0303/0304"]
ford = ["0405/0505"]

[ways]
road = ["1901 1902 2002", "1902 1903"]

[places]
"Town 1" = ["2138-2140"]
Bridge = ["2139 2138"]
"""

SMALL = HEAD + "[grid]\ncolumns = 9\nrows = 9\n"


def tables(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


def problems_of(text: str) -> list[str]:
    """Return the problems; a file without any must be read, and one with some must be refused with the first."""
    found = find_hex_problems(tables(text), WORDS, "river.toml")
    if found:
        with pytest.raises(DataError) as refusal:
            parse_hex_map(tables(text), "river.toml", WORDS)
        assert str(refusal.value) == found[0]
    else:
        parse_hex_map(tables(text), "river.toml", WORDS)
    assert all(line.isprintable() for line in found)
    return found


def test_complete_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "river.toml"
    path.write_text(RIVER)
    made = read_hex_map(path, WORDS)
    assert made == HexMap(
        "river",
        HexGrid(39, 54, lower_rows=53),
        {"0405": ("woods", "slope"), "0304": ("woods",), "0506": ("woods",)}
        | {f"060{row}": ("woods",) for row in range(1, 6)},
        {"0404/0405": ("stream",), "0405/0505": ("stream", "ford"), "0303/0304": ("stream",)}
        | {"1901/1902": ("road",), "1902/2002": ("road",), "1902/1903": ("road",)},
        {"Town 1": ("2138", "2139", "2140"), "Bridge": ("2138", "2139")},
        "clear",
        "The river",
        "own work",
        "for tests",
    )
    assert find_hex_problems(path, WORDS) == []


def test_docstring_example_is_a_valid_map() -> None:
    example = "\n".join(line[4:] for line in str(room.__doc__).split("\n") if line.startswith("    "))
    made = parse_hex_map(tables(example), "x", HexVocabulary(("clear", "woods"), ("stream",), ("road",)))
    assert made.side_of("1901", "1902") == ("road",)


CENTER = f"""\
{HEAD}[grid]
layout = "rows"
columns_grow = "west"
eastern_rows = "odd"
columns = 30
rows = 20
first_row = 20

[terrain]
woods = ["2107-2108 2207-2210"]

[hexsides]
stream = ["2920/2921 2820/2921"]

[ways]
road = ["2830 2930 3029 3028", "2830 2829"]
"""


def test_map_of_straight_rows_uses_row_and_column_numbers() -> None:
    made = parse_hex_map(tables(CENTER), "center.toml", WORDS)
    assert made.layout == "rows"
    assert made.grid == HexGrid(30, 20, first_row=20, layout="rows", columns_grow="west")
    assert made.hexes_with("woods") == ("2107", "2108", "2207", "2208", "2209", "2210")
    assert made.side_of("2921", "2820") == ("stream",)
    assert made.hexes_beside("road") == ("2829", "2830", "2930", "3028", "3029")
    assert problems_of(CENTER.replace("3029", "2828")) == [
        "river.toml: ways.road[0]: 2930 and 2828 do not share a hexside; give two adjacent hexes",
        "river.toml: ways.road[0]: 2828 and 3028 do not share a hexside; give two adjacent hexes",
    ]


def test_map_and_grid_are_enough_with_default_terrain() -> None:
    made = parse_hex_map(tables(SMALL), "x", HexVocabulary(("sand",)))
    assert (made.terrain_of("0101"), made.terrain, made.hexsides, made.places) == (("sand",), {}, {}, {})
    assert made.grid == HexGrid(9, 9)


def test_other_default_terrain_and_grid_are_read() -> None:
    grid = 'columns = 4\nrows = 6\nlower_columns = "odd"\nlower_rows = 7\nfirst_column = 0\nfirst_row = 0\n'
    text = f'{HEAD}[grid]\n{grid}[terrain]\ndefault = "woods"\nclear = ["0000 0106"]'
    made = parse_hex_map(tables(text), "x", WORDS)
    assert made.grid == HexGrid(4, 6, "odd", 7, 0, 0)
    assert (made.terrain_of("0000"), made.terrain_of("0001")) == (("clear",), ("woods",))


def test_feature_word_may_not_repeat_on_one_hexside() -> None:
    both = HexVocabulary(("clear",), ("wall",), ("wall",))
    text = SMALL + '[hexsides]\nwall = ["0101/0102"]\n[ways]\nwall = ["0102 0103", "0101 0102"]'
    assert find_hex_problems(tables(text), both, "x") == [
        "x: ways.wall[1]: 0101/0102 is already listed in hexsides.wall[0]; remove one of them"
    ]


NO_HEX = "is not a hex number; give four digits, column and row, such as 0304"
NO_RUN = "is not a range; give two hexes of one column, lower number first, such as 0601-0605"
NO_SIDE = "is not a hexside; give the numbers of two adjacent hexes, such as 0404/0405"
NOT_ADJACENT = "do not share a hexside; give two adjacent hexes"
ROWS = "is off the map; the rows of column {} run from 01 to 09"

WRONG = [
    ("", "map", "is missing; add a table"),
    (GRID, "map", "is missing; add a table"),
    ("map = 3\n" + GRID, "map", "is 3; write a table"),
    (HEAD, "grid", "is missing; add a table"),
    ("grid = []\n" + HEAD, "grid", "is []; write a table"),
    ("terrain = 3\n" + SMALL, "terrain", "is 3; write a table"),
    (SMALL + "[[ways]]\nroad = []", "ways", "is [{'road': []}]; write a table"),
    (SMALL + "[areas]", "areas", "is not a key of this table; correct or remove it, known are: map, grid, terrain,"),
    (SMALL.replace('id = "river"', ""), "map.id", "is missing; add text"),
    (SMALL.replace('"river"', '"ri ver"'), "map.id", "is 'ri ver'; use 1 to 32 of the characters"),
    (SMALL.replace('"The river"', "7"), "map.title", "is 7; write text"),
    (SMALL.replace('"own work"', '""'), "map.provenance", "is blank; write something"),
    (SMALL.replace('"for tests"', '"\\u001b[2J"'), "map.reason", r"contains the character '\x1b'; use printable text"),
    (
        SMALL.replace("reason", "cause"),
        "map.cause",
        "is not a key of this table; correct or remove it, known are: id",
    ),
    (HEAD + "[grid]\nrows = 9", "grid.columns", "is missing; add a whole number"),
    (HEAD + "[grid]\ncolumns = 9\nrows = 9.0", "grid.rows", "is 9.0; write a whole number"),
    (HEAD + "[grid]\ncolumns = 9\nrows = true", "grid.rows", "is True; write a whole number"),
    (HEAD + "[grid]\ncolumns = 9\nrows = 101", "grid.rows", "is 101; use -100 to 100"),
    (HEAD + f"[grid]\ncolumns = 9\nrows = 0x{'f' * 9999}", "grid.rows", "is a number with thousands of digits; use"),
    (
        HEAD + "[grid]\ncolumns = 0\nrows = 9",
        "grid.columns",
        "0 columns from 01 on do not fit into two-digit numbers; give",
    ),
    (
        SMALL + 'layout = "rows"\n[terrain]\nwoods = ["0101-0201"]',
        "terrain.woods[0]",
        "'0101-0201' is not a range; give two",
    ),
    (SMALL + 'layout = "rows"\n[terrain]\nwoods = ["0110"]', "terrain.woods[0]", "0110 is off the map; the columns of"),
    (
        SMALL + f"[places]\n{'x' * 61} = ['0101']",
        f"places.{'x' * 61}",
        "is not a valid name of a place; use 1 to 60 printable",
    ),
]

WRONG_IN = {
    "grid": [
        ("first_row = 95", "rows", "9 rows from 95 on do not fit into two-digit numbers; give 1 or more, up to"),
        ("lower_rows = 0", "lower_rows", "0 lower rows from 01 on do not fit into two-digit numbers; give 1"),
        ('layout = "diamonds"', "layout", "is 'diamonds'; write columns or rows"),
        ('layout = "rows"\ncolumns_grow = "up"', "columns_grow", "is 'up'; write east or west"),
        ('layout = "rows"\neastern_rows = 1', "eastern_rows", "is 1; write text"),
        ('layout = "rows"\neastern_columns = 0', "eastern_columns", "0 eastern columns from 01 on do not fit"),
        (
            'layout = "rows"\nlower_rows = 8',
            "lower_rows",
            (
                'is not used if rows are straight; remove it, or set the layout "columns"; '
                "rows use: columns_grow, eastern_rows, eastern_columns"
            ),
        ),
        (
            'columns_grow = "east"',
            "columns_grow",
            (
                'is not used if columns are straight; remove it, or set the layout "rows"; '
                "columns use: lower_columns, lower_rows"
            ),
        ),
        ('lower_columns = "both"', "lower_columns", "is 'both'; write even or odd"),
        ("lower_columns = 2", "lower_columns", "is 2; write text"),
        ("width = 2", "width", "is not a key of this table; correct or remove it, known are: columns, rows"),
    ],
    "terrain": [
        ('default = "mud"', "default", "is 'mud'; known are: clear, woods, slope"),
        ("default = 3", "default", "is 3; write text"),
        ('clear = ["0101"]', "clear", "is the terrain of all unlisted hexes; remove this list"),
        ('mud = ["0101"]', "mud", "is unknown here; correct or remove it, known are: woods,"),
        ('"\xf6\\n" = ["0101"]', "'\xf6\\n'", "is unknown here"),
        ('woods = "0101"', "woods", "is '0101'; write a list"),
        ("woods = [101]", "woods[0]", "is 101; write text"),
        ('woods = ["0101", ["0102"]]', "woods[1]", "is ['0102']; write text"),
        ('woods = ["0101", " "]', "woods[1]", "is blank; write hex numbers, or remove it"),
        ('woods = ["0101 101"]', "woods[0]", f"'101' {NO_HEX}"),
        ('woods = ["0101,0102"]', "woods[0]", f"'0101,0102' {NO_HEX}"),
        ('woods = ["\u0660\u0661\u0660\u0661"]', "woods[0]", f"'\u0660\u0661\u0660\u0661' {NO_HEX}"),
        ('woods = ["01\\u001b01"]', "woods[0]", rf"'01\x1b01' {NO_HEX}"),
        ('woods = ["0101", "0110"]', "woods[1]", f"0110 {ROWS.format('01')}"),
        ('woods = ["1001"]', "woods[0]", "1001 is off the map; its columns run from 01 to 09"),
        ('woods = ["0101 0202 0101"]', "woods[0]", "0101 is already listed in terrain.woods[0];"),
        ('woods = ["0101", "0101"]', "woods[1]", "0101 is already listed in terrain.woods[0]; remove"),
        ('woods = ["0103", "0102-0104"]', "woods[1]", "0103 is already listed in terrain.woods[0]"),
        ('woods = ["0102-0109", "0103"]', "woods[1]", "0103 is already listed in terrain.woods[0]"),
        ('woods = ["0105-0101"]', "woods[0]", f"'0105-0101' {NO_RUN}"),
        ('woods = ["0101-0201"]', "woods[0]", f"'0101-0201' {NO_RUN}"),
        ('woods = ["0101-"]', "woods[0]", f"'0101-' {NO_RUN}"),
        ('woods = ["0101-0110"]', "woods[0]", f"0110 {ROWS.format('01')}"),
        ('woods = ["0101-0103-0105"]', "woods[0]", f"'0103-0105' {NO_HEX}"),
    ],
    "hexsides": [
        ('road = ["0101/0102"]', "road", "is unknown here; correct or remove it, known"),
        ('stream = ["0101/0102 0404"]', "stream[0]", f"'0404' {NO_SIDE}"),
        ('stream = ["0101/0102/0103"]', "stream[0]", f"'0101/0102/0103' {NO_SIDE}"),
        ('stream = ["0404/"]', "stream[0]", f"'' {NO_HEX}"),
        ('stream = ["0404-0405"]', "stream[0]", f"'0404-0405' {NO_SIDE}"),
        ('stream = ["0404/0406"]', "stream[0]", f"0404 and 0406 {NOT_ADJACENT}"),
        ('stream = ["0404/0404"]', "stream[0]", f"0404 and 0404 {NOT_ADJACENT}"),
        ('stream = ["0303/0403", "0303/0404"]', "stream[1]", f"0303 and 0404 {NOT_ADJACENT}"),
        ('stream = ["0101/0100"]', "stream[0]", f"0100 {ROWS.format('01')}"),
        ('stream = ["0909/0910"]', "stream[0]", f"0910 {ROWS.format('09')}"),
        (
            'stream = ["0101/0102", "0102/0101"]',
            "stream[1]",
            "0101/0102 is already listed in hexsides.stream[0]; remove one of them",
        ),
    ],
    "ways": [
        ('stream = ["0101 0102"]', "stream", "is unknown here; correct or remove it, known are: ro"),
        ('road = ["0101"]', "road[0]", "'0101' alone is not a way; give at least two hexes, each adjacent to"),
        ('road = ["0101 0102 0104"]', "road[0]", f"0102 and 0104 {NOT_ADJACENT}"),
        ('road = ["0101 0101"]', "road[0]", f"0101 and 0101 {NOT_ADJACENT}"),
        ('road = ["0101-0105"]', "road[0]", "'0101-0105' alone is not a way"),
        ('road = ["0101 0102", "0103 0102 0101"]', "road[1]", "0101/0102 is already listed in ways.road"),
        ('road = ["0101 0102 0101"]', "road[0]", "0101/0102 is already listed in ways.road[0]; remove"),
        ('road = ["0102 0101 0100"]', "road[0]", f"0100 {ROWS.format('01')}"),
    ],
    "places": [
        ('"" = ["0101"]', "''", "is not a valid name of a place; use 1 to 60 printable characters"),
        ('"\\u202e" = ["0101"]', "'\\u202e'", "is not a valid name of a place; use 1 to 60 printable"),
        ('"Town 1" = []', "'Town 1'", "is empty; write hex numbers, or remove it"),
        ('"Town 1" = ["0101", "0101"]', "'Town 1'[1]", "0101 is already listed in places.'Town 1'[0]"),
        ('"Town 1" = "0101"', "'Town 1'", "is '0101'; write a list"),
    ],
}
"""By table of a small map: lines in it, the key that is reported, and the problem."""
WRONG += [
    (SMALL + ("" if table == "grid" else f"[{table}]\n") + lines, f"{table}.{key}", problem)
    for table, rows in WRONG_IN.items()
    for lines, key, problem in rows
]


@pytest.mark.parametrize(("text", "key", "problem"), WRONG)
def test_hex_map_error_is_reported_with_file_key_and_fix(text: str, key: str, problem: str) -> None:
    assert problems_of(text)[0].startswith(f"river.toml: {key}: {problem}")


def test_all_problems_are_reported_in_the_order_of_the_format() -> None:
    text = (
        RIVER.replace("for tests", "")
        .replace("0506 0601-0605", "0599 0405 0x 0605-0601")
        .replace("0303/0304", "0303 0303/0305 0100/0101")
        .replace("1901 1902 2002", "1901 1999 1902 1904 1905 1900")
        .replace("2138-2140", "2138 2138 4001")
    )
    assert [problem.split(": ", 1)[1].split(";")[0] for problem in problems_of(text)] == [
        "map.reason: is blank",
        "terrain.woods[0]: 0599 is off the map",
        "terrain.woods[0]: 0405 is already listed in terrain.woods[0]",
        "terrain.woods[0]: '0x' is not a hex number",
        "terrain.woods[0]: '0605-0601' is not a range",
        "hexsides.stream[1]: '0303' is not a hexside",
        "hexsides.stream[1]: 0303 and 0305 do not share a hexside",
        "hexsides.stream[1]: 0100 is off the map",
        "ways.road[0]: 1999 is off the map",
        "ways.road[0]: 1900 is off the map",
        "ways.road[0]: 1902 and 1904 do not share a hexside",
        "places.'Town 1'[0]: 2138 is already listed in places.'Town 1'[0]",
        "places.'Town 1'[0]: 4001 is off the map",
    ]


def test_file_without_a_grid_is_checked_only_at_its_head() -> None:
    assert problems_of(HEAD.replace("river", "") + '[terrain]\nmud = ["9999"]') == [
        "river.toml: map.id: is ''; use 1 to 32 of the characters A-Z a-z 0-9 _ . -",
        "river.toml: grid: is missing; add a table",
    ]


def test_unreadable_file_is_named(tmp_path: Path) -> None:
    missing, broken = tmp_path / "none.toml", tmp_path / "broken.toml"
    broken.write_text("[map\n")
    assert find_hex_problems(missing, WORDS) == [
        f"{missing}: cannot be read: No such file or directory; check the path"
    ]
    assert find_hex_problems(broken, WORDS)[0].startswith(f"{broken}: line 1, column 5: is not TOML: ")
    for path in (missing, broken):
        with pytest.raises(DataError) as refusal:
            read_hex_map(path, WORDS)
        assert str(refusal.value) == find_hex_problems(path, WORDS)[0]


@pytest.mark.parametrize(
    ("terrain", "problem"),
    [
        ((), "has no kind of terrain"),
        (("clear", "default"), "'default' is not a valid word for hex maps; use 1 to 32"),
        (("clear", "deep woods"), "'deep woods' is not a valid word"),
    ],
)
def test_unusable_vocabulary_is_refused(terrain: tuple[str, ...], problem: str) -> None:
    with pytest.raises(RulesetError, match=problem):
        HexVocabulary(terrain)


LARGE = 1 << 20
HOSTILE: list[dict[str, dict[str, list[str]]]] = [
    {"terrain": {"woods": ["0101 " * (LARGE // 5)]}},
    {"terrain": {"woods": ["x " * (LARGE // 2)]}},
    {"terrain": {"woods": ["x" * LARGE]}},
    {"terrain": {"woods": ["0101-0199 " * (LARGE // 10)]}},
    {"terrain": {"woods": [""] * (LARGE // 3)}},
    {"terrain": {"woods": ["0101-0109"] * (LARGE // 12)}},
    {"terrain": {f"p{number}": [] for number in range(LARGE // 12)}},
    {"hexsides": {"stream": ["/" * LARGE]}},
    {"hexsides": {"stream": ["0101/0102 " * (LARGE // 10)]}},
    {"ways": {"road": ["0101 0102 " * (LARGE // 10)]}},
    {"ways": {"road": ["9999 " * (LARGE // 5)]}},
    {"places": {f"p{number}": [] for number in range(LARGE // 12)}},
    {"places": {f"{number}": ["0101-0109"] for number in range(10_000)} | {"": []}},
]


@pytest.mark.full
@pytest.mark.parametrize("mischief", HOSTILE, ids=range(len(HOSTILE)))
def test_large_hostile_file_is_refused_quickly(mischief: dict[str, Any]) -> None:
    found: list[str] = []
    work = lines_run(lambda: found.extend(find_hex_problems(tables(SMALL) | mischief, WORDS)))
    assert work < 4_000_000  # counted 1 million for the worst of them
    assert 1 <= len(found) <= MAX_PROBLEMS + 1
    assert all(line.isprintable() and len(line) < 400 for line in found)


junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(["0101", "0101/0102"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(["woods", "stream", "road", "default", "columns", "rows", "id", "Town 1"]) | st.text(max_size=4)


@pytest.mark.full
@given(st.dictionaries(st.sampled_from(room.TABLES), st.dictionaries(names, junk, max_size=4) | junk), st.booleans())
def test_arbitrary_tables_are_refused_without_a_crash(given_tables: dict[str, Any], sound: bool) -> None:
    whole = given_tables | (tables(SMALL) if sound else {})
    found = find_hex_problems(whole, WORDS, "x")
    assert all(line.startswith("x: ") and line.isprintable() for line in found)
    if not found:
        assert parse_hex_map(whole, "x", WORDS).id


@given(st.integers(0, len(RIVER) - 1), st.integers(0, 12), st.text('[]"=.,\n#-/ 0129xé\x00', max_size=4))
def test_valid_file_with_one_change_is_read_or_refused(place: int, length: int, scratch: str) -> None:
    try:
        scratched = tables(RIVER[:place] + scratch + RIVER[place + length :])
    except tomllib.TOMLDecodeError:
        return
    assert all(line.startswith("x: ") and line.isprintable() for line in find_hex_problems(scratched, WORDS, "x"))


GROUND = HexMap("ground", HexGrid(6, 6, "odd"))
hexes = st.sampled_from(GROUND.numbers)
hexsides = hexes.flatmap(lambda a: st.sampled_from([f"{a}/{b}" for b in GROUND.around[a] if b]))


def listed(entries: Sequence[str], cut: int) -> str:
    return f'["{" ".join(entries[:cut])}", "{" ".join(entries[cut:])}"]'.replace('"", ', "").replace(', ""', "")


@pytest.mark.full
@given(
    st.lists(hexes, unique=True, min_size=1),
    st.lists(hexsides, unique_by=lambda side: tuple(sorted(side.split("/"))), min_size=1),
    st.lists(st.integers(0, 5), min_size=1, max_size=12),
    hexes,
)
def test_map_written_as_toml_is_read_back(woods: list[str], stream: list[str], turns: list[int], start: str) -> None:
    road, steps = [start], set()
    for turn in turns:
        after = GROUND.around[road[-1]][turn]
        if after and frozenset((road[-1], after)) not in steps:
            steps.add(frozenset((road[-1], after)))
            road.append(after)
    lines = [HEAD, '[grid]\ncolumns = 6\nrows = 6\nlower_columns = "odd"', f"[terrain]\nwoods = {listed(woods, 2)}"]
    lines += [f"[hexsides]\nstream = {listed(stream, 3)}"]
    lines += [f'[ways]\nroad = ["{" ".join(road)}"]'] if steps else []
    made = parse_hex_map(tables("\n".join(lines)), "x", WORDS)
    assert made.hexes_with("woods") == tuple(sorted(woods))
    sides = {frozenset(pair): features for pair, features in made.sides.items()}
    assert {pair for pair, features in sides.items() if "stream" in features} == {
        frozenset(s.split("/")) for s in stream
    }
    assert {pair for pair, features in sides.items() if "road" in features} == steps
