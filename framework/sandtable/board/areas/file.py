"""Map files: a TOML file is read into an AreaMap, or into a list of problems, each with file and key.

    [map]
    id = "western_desert"
    title = "The Western Desert"
    provenance = "reconstructed"
    reason = "the printed map is not at hand; places are from real geography"
    adjacent_kind = "desert"            # optional: the kind of connector that `adjacent` makes (default: "plain")

    [areas.TOB]
    name = "Tobruk"
    terrain = "desert"
    lon_milli = 23960                   # optional, with lat_milli: thousandths of a degree; or x and y
    lat_milli = 32080
    adjacent = ["GUB", "HAC"]           # optional; GUB and HAC must name TOB in turn
    value = 3                           # any other key is a fact, which the game declares as a msgspec Struct

    [[connectors]]
    between = ["TOB", "BDI"]            # both directions; list a pair here or in `adjacent`, not in both
    kind = "road"

``parse_map`` is pure, ``examine_tables`` takes parsed tables, ``read_map`` and ``find_problems`` open the file.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.board.areas.attributes import FactReader
from sandtable.board.areas.checks import MapRules, map_problems
from sandtable.board.areas.map import Area, AreaMap, Connector
from sandtable.board.areas.structure import find_structure_problems
from sandtable.errors import DataError
from sandtable.files.document import Problems, TomlTable, decode_toml, read_toml
from sandtable.files.words import area_key, quoted

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

HEAD_KEYS = ("id", "title", "provenance", "reason", "adjacent_kind")
PLACE_LIMITS = {"lon_milli": 180_000, "lat_milli": 90_000, "x": 1_000_000, "y": 1_000_000}
AREA_KEYS = ("name", "terrain", *PLACE_LIMITS, "adjacent")


def read_map(
    path: "Path | Traversable", *, facts: type[msgspec.Struct] | None = None, rules: MapRules | None = None
) -> AreaMap:
    """Read a map file. Raises DataError, with file and key, for the first problem.

    ``facts`` is a Struct whose fields are the facts that each area must or may have (see ``FactReader``); without it
    facts of any name are accepted. ``rules`` are checked as well if given, which imports networkx.
    """
    return parse_map(read_toml(path), str(path), facts=facts, rules=rules)


def parse_map(
    data: bytes, where: str, *, facts: type[msgspec.Struct] | None = None, rules: MapRules | None = None
) -> AreaMap:
    """Parse the bytes of a map file, which ``where`` names in messages. The rest is as in ``read_map``."""
    area_map, problems = _examine(data, where, facts, rules)
    if area_map is None or problems:
        raise problems[0]
    return area_map


def find_problems(
    path: "Path | Traversable", *, facts: type[msgspec.Struct] | None = None, rules: MapRules | None = None
) -> list[str]:
    """Return the problems of a map file, each as one line with file and key, or no lines if ``read_map`` accepts it.

    After ``MAX_PROBLEMS`` problems, one last line reports that there are more. ``rules`` are checked only if the map
    itself is valid.
    """
    try:
        data = read_toml(path)
    except DataError as unreadable:
        return [str(unreadable)]
    return [str(problem) for problem in _examine(data, str(path), facts, rules)[1]]


def examine_tables(
    document: dict[str, Any],
    where: str,
    *,
    facts: type[msgspec.Struct] | None = None,
    rules: MapRules | None = None,
) -> tuple[AreaMap | None, list[DataError]]:
    """Return the map in the given tables, or None, and all problems; the rest is as in ``parse_map``."""
    problems = Problems(where)
    area_map = _build(TomlTable(problems, "", document), FactReader(facts, AREA_KEYS))
    if area_map is not None and rules is not None:
        for key, problem in map_problems(area_map, rules):
            problems.refuse(key, problem)
    return area_map, problems.found


def _examine(
    data: bytes, where: str, facts: type[msgspec.Struct] | None, rules: MapRules | None
) -> tuple[AreaMap | None, list[DataError]]:
    """Return the map or None, and the problems; if there is a map, they are violations of ``rules``."""
    try:
        document = decode_toml(data, where)
    except DataError as unreadable:
        return None, [unreadable]
    return examine_tables(document, where, facts=facts, rules=rules)


def _build(document: TomlTable, fact_reader: FactReader) -> AreaMap | None:
    """Read all tables, in the order of the format; return None if any problem was noted."""
    problems = document.problems
    document.refuse_unknown(("map", "areas", "connectors"))
    head = TomlTable(problems, "map", document.get(dict, "map"))
    fields = _read_head(head) if "map" in document.values else {}
    entries = document.get(dict, "areas")
    if document.values.get("areas") == {}:
        document.refuse("areas", "is empty; add [areas.ID] tables")
    tables = {
        area_id: TomlTable(problems, area_key(area_id), values)
        for area_id, values in entries.items()
        if problems.is_a(dict, area_key(area_id), values)
    }
    areas = tuple(_read_area(area_id, table, fact_reader) for area_id, table in tables.items())
    adjacent_kind = fields.pop("adjacent_kind", "plain")
    placed = [*_read_adjacent(tables, adjacent_kind), *_read_connectors(document)]
    pairs, keys = [(link.a, link.b) for _, link in placed], [key for key, _ in placed]
    for key, problem in find_structure_problems(entries, pairs, keys):
        problems.refuse(key, problem)
    return None if problems.found else AreaMap(areas=areas, connectors=tuple(link for _, link in placed), **fields)


def _read_head(table: TomlTable) -> dict[str, str]:
    table.refuse_unknown(HEAD_KEYS)
    fields = {"id": table.word("id"), "title": table.text("title")}
    fields |= {name: table.text(name, also="\n\t") for name in ("provenance", "reason")}
    if "adjacent_kind" in table.values:
        fields["adjacent_kind"] = table.word("adjacent_kind")
    return fields


def _read_area(area_id: str, table: TomlTable, fact_reader: FactReader) -> Area:
    name, terrain = table.text("name"), table.word("terrain")
    places = {word: table.whole(word, limit) for word, limit in PLACE_LIMITS.items()}
    for pair in (("lon_milli", "lat_milli"), ("x", "y")):
        given = [word for word in pair if word in table.values]
        if len(given) == 1:
            table.refuse(given[0], f"is incomplete; give both {pair[0]} and {pair[1]}, or neither")
    return Area(area_id, name, terrain, fact_reader.read(table), **places)


def _read_adjacent(tables: dict[str, TomlTable], kind: str) -> Iterator[tuple[str, Connector]]:
    """Yield a connector with its key for each two-sided pair; note one-sided ones."""
    lists = {area_id: _neighbors(table) for area_id, table in tables.items()}
    for area_id, row in lists.items():
        for other, key in row.items():
            if other in lists and area_id not in lists[other]:
                fix = f"add {area_id!r} to {area_key(other)}.adjacent, or remove {other!r} here"
                tables[area_id].problems.refuse(key, f"is one-sided, {other!r} does not list {area_id!r}; {fix}")
            elif area_id <= other or other not in lists:
                yield key, Connector(area_id, other, kind)


def _neighbors(table: TomlTable) -> dict[str, str]:
    """Return the ids of an ``adjacent`` list with their keys."""
    found: dict[str, str] = {}
    names = table.get(list, "adjacent") if "adjacent" in table.values else []
    for position, name in enumerate(names):
        key = f"{table.key_of('adjacent')}[{position}]"
        if not table.problems.is_a(str, key, name):
            continue
        if name in found:
            table.problems.refuse(key, f"names {quoted(name)} a second time; remove it")
        found.setdefault(name, key)
    return found


def _read_connectors(document: TomlTable) -> Iterator[tuple[str, Connector]]:
    """Yield the connector of each ``[[connectors]]`` table with its key."""
    entries: list[Any] = document.get(list, "connectors") if "connectors" in document.values else []
    for position, entry in enumerate(entries):
        key = f"connectors[{position}]"
        if not document.problems.is_a(dict, key, entry):
            continue
        table = TomlTable(document.problems, key, entry)
        table.refuse_unknown(("between", "kind"))
        kind, ends = table.word("kind"), table.get(list, "between")
        if len(ends) == 2 and all(isinstance(end, str) for end in ends):
            yield table.key_of("between"), Connector(ends[0], ends[1], kind)
        elif isinstance(entry.get("between"), list):
            table.refuse("between", f"is {quoted(ends)}; write the ids of two areas")
