"""Files other than logs in which one element is repeated, and their readers."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from msgspec import json

from sandtable.board.areas.file import parse_map
from sandtable.board.hexes.file import HexVocabulary, parse_hex_map
from sandtable.files.document import MAX_BYTES, decode_toml
from sandtable.journal.anchors.anchors import FORMAT, Anchor, anchor_line, read_anchors
from sandtable.journal.anchors.disputes import read_dispute
from sandtable.journal.format.header import make_dice
from sandtable.kernel.dice import key_from_seed
from sandtable.lab.tournament.manifest import parse_manifest
from sandtable.players.processes import protocol
from sandtable.plugin.manager import Rulesets
from sandtable.plugin.options.rulefiles import read_index, read_options
from sandtable.plugin.scenarios import scenario_of
from sandtable.terminal.menu import read_typed

REPLAYS = Path(__file__).parents[2] / "replays"
GAMES = ("axis_attack", "damos", "desert_aa", "kampfpanzer", "khamsin")
LARGEST = MAX_BYTES - (1 << 14)
"""Size in bytes of the largest of three files, close to the maximum that is read."""
WORDS = HexVocabulary(terrain=("clear", "woods"), hexsides=("stream",), ways=("road",))


class Growing(NamedTuple):
    """Files that grow: a maker for a given size, a reader, and the size of the smallest of three."""

    make: Callable[[int], bytes]
    read: Callable[[bytes], object]
    size: int


def repeated(element: Callable[[int], str], before: str = "", after: str = "", most: int = LARGEST) -> tuple[Any, int]:
    """Return a maker of a text that repeats ``element``, and its smallest size.

    At four times that size the text has about ``most`` bytes.
    """

    def make(size: int) -> bytes:
        return "".join((before, *map(element, range(size)), after)).encode()

    return make, max(1, most // (4 * len(element(10_000).encode())))


def _row(
    read: Callable[[bytes], object], element: str, before: str = "", after: str = "", most: int = LARGEST
) -> Growing:
    """Return a row whose element is a text, with ``#`` for its number."""
    make, size = repeated(lambda number: element.replace("#", str(number)), before, after, most)
    return Growing(make, read, size)


def from_file(read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """Return a reader of bytes that writes them into a file first."""

    def reading(data: bytes) -> None:
        with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:  # noqa: S108 - memory
            file = Path(folder) / "file.toml"
            file.write_bytes(data)
            read(file)

    return reading


def toml(data: bytes) -> object:
    """Read TOML."""
    return decode_toml(data, "file.toml")


def manifest(data: bytes) -> object:
    """Read the manifest of a tournament."""
    return parse_manifest(data.decode(), "event.toml")


def hex_map(data: bytes) -> object:
    """Read the map of a game on hexes."""
    return parse_hex_map(decode_toml(data, "map.toml"), "map.toml", WORDS)


def area_map(data: bytes) -> object:
    """Read the map of a game on areas."""
    return parse_map(data, "map.toml")


def message(data: bytes) -> object:
    """Read a message of a bot."""
    try:
        return protocol.decode(data)
    except ValueError:
        return None


ENTRANT = '[[entrant]]\nname = "e#"\n'
RULING = '[[ruling]]\nid = "R-#"\noption = "o#"\nquestion = "x"\nvalues = ['
ANSWER = '{"type":"answer","id":1,"order":{"type":"x","units":{'
CONNECTOR = '[[connectors]]\nbetween = ["A0", "B#"]\nkind = "x"\n'
EVENT = '[tournament]\ntitle = "x"\nseed = "x"\n[[contest]]\nruleset = "toy"\n'
HEXES = '[map]\nid = "x"\ntitle = "x"\nprovenance = "x"\nreason = "x"\n[grid]\ncolumns = 99\nrows = 99\n'
AREAS = '[map]\nid = "x"\ntitle = "x"\nprovenance = "x"\nreason = "x"\n'
AREA = '[areas.A#]\nname = "x"\nterrain = "x"\n'
ONE_AREA = AREAS + AREA.replace("#", "0")
DISPUTE = (REPLAYS / "disputes" / "01-modifier.toml").read_text(encoding="utf-8")
SEAL = anchor_line(Anchor("x", 1, "0" * 64, FORMAT)).decode()

FILES: dict[str, Growing] = {
    "TOML: keys": _row(toml, "k# = 1\n"),
    "TOML: tables": _row(toml, "[t#]\n"),
    "TOML: tables in a table": _row(toml, "[a.t#]\n"),
    "TOML: rows of a list": _row(toml, "[[t]]\n"),
    "TOML: rows of a list in a row": _row(toml, "[[a.t]]\n", "[[a]]\n"),
    "TOML: a list": _row(toml, "1,", "a = [", "]"),
    "TOML: an inline table": _row(toml, "k# = 1, ", "a = {", "z = 1}"),
    "TOML: a text": _row(toml, "\\t", 'a = "', '"'),
    "TOML: a text of many lines": _row(toml, '""\\\n\n', 'a = """', '"""'),
    "TOML: an open text": _row(toml, '\\"', 'a = "'),
    "TOML: dotted keys": _row(toml, "a.b.c.d.k# = 1\n"),
    "TOML: comments": _row(toml, "#\n"),
    "TOML: a number": _row(toml, "1", "a = "),
    "TOML: brackets": _row(toml, "[", "a = "),
    "manifest: entrants": _row(manifest, ENTRANT + 'player = "x"\n', EVENT),
    "manifest: contests": _row(manifest, '[[contest]]\nruleset = "r#"\n', EVENT),
    "manifest: settings": _row(manifest, "s# = 1\n", EVENT + ENTRANT + "[entrant.settings]\n"),
    "manifest: players": _row(manifest, 's# = "x"\n', EVENT + ENTRANT + "[entrant.players]\n"),
    "manifest: command": _row(manifest, '"w#", ', EVENT + ENTRANT + "command = [", "]"),
    "manifest: unknown keys": _row(manifest, "u# = 1\n", EVENT),
    "hex map: woods": _row(hex_map, '"0101", ', HEXES + "[terrain]\nwoods = [", "]"),
    "hex map: runs": _row(hex_map, "0101-0199 ", HEXES + '[terrain]\nwoods = ["', '"]'),
    "hex map: hexsides": _row(hex_map, "0101/0102 ", HEXES + '[hexsides]\nstream = ["', '"]'),
    "hex map: ways": _row(hex_map, "0101 0102 ", HEXES + '[ways]\nroad = ["', '"]'),
    "hex map: places": _row(hex_map, '"p#" = ["0101"]\n', HEXES + "[places]\n"),
    "hex map: unknown kinds": _row(hex_map, 'k# = ["0101"]\n', HEXES + "[terrain]\n"),
    "area map: areas": _row(area_map, AREA, AREAS),
    "area map: neighbours": _row(area_map, '"A0", ', ONE_AREA + "adjacent = [", "]"),
    "area map: unknown neighbours": _row(area_map, '"B#", ', ONE_AREA + "adjacent = [", "]"),
    "area map: facts": _row(area_map, "f# = 1\n", ONE_AREA),
    "area map: connectors": _row(area_map, CONNECTOR, ONE_AREA),
    "seals": _row(from_file(read_anchors), SEAL, most=1 << 16),
    "dispute: odds": _row(from_file(read_dispute), '"o#", ', "[dispute]\nodds = [", "]", 1 << 18),
    "dispute: text": _row(from_file(read_dispute), "x ", DISPUTE + "# ", most=1 << 18),
    "rulings": _row(from_file(read_options), RULING + '{ token = "a" }]\n'),
    "values of a ruling": _row(from_file(read_options), '{ token = "v#" }, ', RULING, "]"),
    "rule index": _row(from_file(read_index), '[[rule]]\nid = "X-#"\ntext = "x"\nstate = "rule"\n'),
    "message of a bot: units": _row(message, '"u#":[1],', ANSWER, '"z":[]}}}'),
    "message of a bot: fields": _row(message, '"f#":1,', '{"type":"answer",', '"id":1}'),
}  # fmt: skip


def scenarios(game: str) -> Iterator[tuple[str, Growing]]:
    """Yield, for each table and list in a scenario of ``game``, files in which its last entry is repeated."""
    installed = Rulesets().load(game)
    tables = installed.prepare(next(iter(installed.scenario_ids()))).scenario.data
    free = LARGEST - len(json.encode(tables))

    def read(data: bytes) -> None:
        installed.prepare(scenario_of(json.decode(data), "mine.toml", own=True))

    known: set[tuple[object, ...]] = set()
    for path in _containers(tables):
        kind = (path[0], len(path), path[-1])
        if kind not in known:
            known.add(kind)
            each = (len(json.encode(_grown(tables, path, 100))) - len(json.encode(tables))) / 100
            size = max(1, int(free / each / 4))
            yield (
                ".".join(map(str, path)),
                Growing(partial(_encoded, tables, path), read, size),
            )


def _encoded(tables: dict[str, Any], path: tuple[str | int, ...], size: int) -> bytes:
    return json.encode(_grown(tables, path, size))


def _containers(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of tables of tables, of tables with more than three keys, and of lists."""
    if isinstance(value, dict):
        if path and value and (len(value) > 3 or all(isinstance(each, dict) for each in value.values())):
            yield path
        for key, inner in value.items():
            yield from _containers(inner, (*path, key))
    elif isinstance(value, list) and value:
        yield path
        yield from _containers(value[-1], (*path, len(value) - 1))


def _grown(tables: dict[str, Any], path: tuple[str | int, ...], size: int) -> dict[str, Any]:
    """Return ``tables`` with ``size`` more entries like the last one of the table or list at ``path``."""
    found = deepcopy(tables)
    inner: Any = found
    for key in path:
        inner = inner[key]
    if isinstance(inner, list):
        last = inner[-1]
        named = isinstance(last, dict) and "id" in last
        inner += [{**last, "id": f"x{number}"} for number in range(size)] if named else repeat(last, size)
    else:
        name, last = list(inner.items())[-1]
        inner |= {f"{'9' if name.isdigit() else 'x'}{number}": last for number in range(size)}
    return found


def typed(game: str) -> Iterator[tuple[str, Growing]]:
    """Yield long lines that a person types at the first question of ``game``."""
    prepared = Rulesets().load(game).prepare()
    play = prepared.new_game(make_dice("open", key_from_seed("typed")))
    play.start()
    decision = next(iter(play.waiting()))

    def read(data: bytes) -> None:
        read_typed(prepared, decision, data.decode())

    for element in ("1 ", "x,", "2 infantry TOB, ", "(", "1-9 ", "; ", "; x", '"'):
        yield f"typed {element!r}", _row(read, element, most=40_000)
