"""Files of hex maps: TOML tables are read into a HexMap, or into a list of problems, each with file and key.

    [map]
    id = "river"
    title = "The river"
    provenance = "own work"
    reason = "drawn for the first lesson"

    [grid]
    columns = 39
    rows = 54
    lower_rows = 53                     # optional: the length of the columns that are half a hex lower
    lower_columns = "even"              # optional, with first_column = 1 and first_row = 1: see HexGrid

    # or, for straight rows, with numbers rrcc instead of ccrr:
    # layout = "rows"                   # columns = 30 and rows = 20 as above
    # columns_grow = "west"             # optional (default: "east")
    # eastern_rows = "odd"              # optional: which rows are half a hex further east
    # eastern_columns = 29              # optional: the length of those rows

    [terrain]
    default = "clear"                   # optional (default: the first kind of the game)
    woods = ["0405 0506 0601-0605"]     # each text holds numbers, and ranges along one straight column (or row)

    [hexsides]
    stream = ["0404/0405 0405/0505"]    # two adjacent hexes of the map, in either order

    [ways]
    road = ["1901 1902 1903", "1902 2002"]  # each text is a chain: each hexside crossed gets this feature

    [places]
    "Town 1" = ["2138 2139"]            # as for terrain; places may overlap

All tables except ``map`` and ``grid`` are optional. The game defines the kinds of terrain, hexside and way; others are
refused. A duplicate entry is refused, because one of the two must be a mistake.

``parse_hex_map`` takes tables, ``read_hex_map`` a file, and ``find_hex_problems`` either.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.hex_runs import HexRuns
from sandtable.board.hexes.map import HexMap
from sandtable.board.hexes.numbering import CHOICES, find_layout_problem
from sandtable.errors import DataError, RulesetError, raise_all
from sandtable.files.document import MAX_PROBLEMS, Problems, TomlTable, decode_toml, read_toml
from sandtable.files.words import WORD, WORD_RULE, quoted, unprintable

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

TABLES = ("map", "grid", "terrain", "hexsides", "ways", "places")
REQUIRED = ("map", "grid")
HEAD_KEYS = ("id", "title", "provenance", "reason")
GRID_COUNTS = ("columns", "rows", "lower_rows", "eastern_columns", "first_column", "first_row")

MAX_NAME = 60
"""Maximum length of the name of a place, in characters."""


class HexVocabulary(msgspec.Struct, frozen=True):
    """The kinds of ``terrain``, ``hexsides`` and ``ways`` that a game knows, in the order in which messages list them.

    A word may be both a kind of hexside and of way. Raises RulesetError if there is no kind of terrain, and for words
    that do not match the pattern or are ``default``.
    """

    terrain: tuple[str, ...]
    hexsides: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.terrain:
            raise RulesetError("a vocabulary of hex maps has no kind of terrain; give at least one")
        for word in (*self.terrain, *self.hexsides, *self.ways):
            if not WORD.fullmatch(word) or word == "default":
                raise RulesetError(f"{quoted(word)} is not a valid word for hex maps; {WORD_RULE}, and not 'default'")


def read_hex_map(path: "Path | Traversable", vocabulary: HexVocabulary) -> HexMap:
    """Read a file. Raises DataError, with file and key, for the first problem; its ``also`` holds the others."""
    return parse_hex_map(decode_toml(read_toml(path), str(path)), str(path), vocabulary)


def parse_hex_map(tables: Mapping[str, Any], where: str, vocabulary: HexVocabulary) -> HexMap:
    """Build the map from parsed TOML tables; ``where`` names their file. The rest is as in ``read_hex_map``."""
    hex_map, problems = _examine(tables, where, vocabulary)
    raise_all(problems)
    assert hex_map is not None  # noqa: S101 - no problems, so there is a map
    return hex_map


def find_hex_problems(
    source: "Path | Traversable | Mapping[str, Any]", vocabulary: HexVocabulary, where: str = "map"
) -> list[str]:
    """Return the problems of a file, or of tables that ``where`` names, each as one line with file and key.

    The list is empty if the map can be read. After ``MAX_PROBLEMS`` problems, reading stops, and one last line reports
    that there are more.
    """
    if isinstance(source, Mapping):
        return [str(problem) for problem in _examine(source, where, vocabulary)[1]]
    try:
        tables = decode_toml(read_toml(source), str(source))
    except DataError as unreadable:
        return [str(unreadable)]
    return [str(problem) for problem in _examine(tables, str(source), vocabulary)[1]]


class _Enough(Exception):
    """More than MAX_PROBLEMS problems were found: reading stops."""


class _FirstProblems(Problems):
    def refuse(self, key: str, problem: str) -> None:
        super().refuse(key, problem)
        if self.count > MAX_PROBLEMS:
            raise _Enough


def _examine(tables: Mapping[str, Any], where: str, vocabulary: HexVocabulary) -> tuple[HexMap | None, list[DataError]]:
    """Return the map or None, and the problems."""
    problems = _FirstProblems(where)
    try:
        return _build(TomlTable(problems, "", dict(tables)), vocabulary), problems.found
    except _Enough:
        return None, problems.found


def _build(document: TomlTable, vocabulary: HexVocabulary) -> HexMap | None:
    """Read all tables, in the order of the format; return None if any problem was noted."""
    document.refuse_unknown(TABLES)
    head, grid = _read_head(document), _read_grid(document)
    if grid is None:
        return None  # without a grid no number can be checked
    terrain, hexsides = HexRuns(grid), HexRuns(grid)
    table = _table(document, "terrain")
    default = _take_default(table, vocabulary.terrain)
    terrain.read_hexes(table, [kind for kind in vocabulary.terrain if kind != default])
    hexsides.read_hexsides(_table(document, "hexsides"), vocabulary.hexsides)
    hexsides.read_ways(_table(document, "ways"), vocabulary.ways)
    places = _read_places(_table(document, "places"), HexRuns(grid))
    if document.problems.found:
        return None
    return HexMap(
        grid=grid,
        terrain=terrain.by_entry(),
        hexsides=hexsides.by_entry(),
        places=places,
        default_terrain=default,
        **head,
    )


def _table(document: TomlTable, name: str) -> TomlTable:
    """Return a table of the file, or an empty one; a missing required table is noted."""
    wanted = name in document.values or name in REQUIRED
    return TomlTable(document.problems, name, dict(document.get(dict, name)) if wanted else {})


def _read_head(document: TomlTable) -> dict[str, str]:
    table = _table(document, "map")
    if not isinstance(document.values.get("map"), dict):
        return {}  # already noted
    table.refuse_unknown(HEAD_KEYS)
    head = {"id": table.word("id"), "title": table.text("title")}
    return head | {name: table.text(name, also="\n\t") for name in ("provenance", "reason")}


def _read_grid(document: TomlTable) -> HexGrid | None:
    """Return the grid, or None if problems were noted."""
    table, noted = _table(document, "grid"), document.problems.count
    if not isinstance(document.values.get("grid"), dict):
        return None
    table.refuse_unknown((*GRID_COUNTS, *CHOICES))
    fields: dict[str, Any] = {name: table.whole(name, 100) for name in GRID_COUNTS if name in table.values}
    for name in ("columns", "rows"):
        if name not in table.values:
            table.refuse(name, "is missing; add a whole number")
    fields |= {name: _choice(table, name) for name in CHOICES if name in table.values}
    if table.problems.count > noted:
        return None
    if layout_problem := find_layout_problem(fields.get("layout", "columns"), fields):
        table.refuse(*layout_problem)
        return None
    try:
        return HexGrid(**fields)
    except DataError as error:
        table.refuse(error.key, error.problem)
    return None


def _choice(table: TomlTable, name: str) -> str:
    """Return the word of a key of the grid; an invalid word is noted."""
    noted, word = table.problems.count, table.word(name)
    if word not in CHOICES[name] and table.problems.count == noted:
        table.refuse(name, f"is {quoted(word)}; write {' or '.join(CHOICES[name])}")
    return word


def _take_default(table: TomlTable, known: Sequence[str]) -> str:
    """Remove ``default`` from the table of terrain and return it; its kind must not be listed as well."""
    default = table.word("default") if "default" in table.values else known[0]
    table.values.pop("default", None)
    if default not in known:
        table.refuse("default", f"is {quoted(default)}; known are: {', '.join(known)}")
    elif default in table.values:
        del table.values[default]
        table.refuse(default, "is the terrain of all unlisted hexes; remove this list")
    return default


def _read_places(table: TomlTable, lists: HexRuns) -> dict[str, tuple[str, ...]]:
    for name, listed in table.values.items():
        if not name.strip() or len(name) > MAX_NAME or unprintable(name):
            table.refuse(name, f"is not a valid name of a place; use 1 to {MAX_NAME} printable characters")
        if listed == []:
            table.refuse(name, "is empty; write hex numbers, or remove it")
    lists.read_hexes(table, None)
    return lists.by_kind()
