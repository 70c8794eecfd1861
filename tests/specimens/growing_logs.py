"""Logs in which one element is repeated, with valid chains: anyone may send them to the commands that read logs."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner
from cutting import opening_of
from msgspec import convert, json
from msgspec.structs import replace

from sandtable.cli.main import cli
from sandtable.journal.battles import annex_facts, battle_of
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.header import Header, game_id, header_body, make_dice, make_header
from sandtable.journal.format.openings import ROOT, key_of, leaf_of, opening_line, root_of
from sandtable.journal.format.trees import Tree, leaf_hash
from sandtable.journal.record import log_bytes
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Rulesets

REPLAYS = Path(__file__).parents[2] / "replays"
PLAIN = REPLAYS / "desert_aa" / "axis-capital_captured-ruled.jsonl"
FOUGHT = REPLAYS / "khamsin" / "allies-broken-teaching-kampfpanzer.jsonl"
BATTLE = 1 << 24
LEAVES = 1_000
"""Maximum number of sides whose openings the format allows for one record."""
CLAIMED = "records that a closed step claims"
"""The kind of log that claims more instead of being longer."""
INTERNAL = 70
"""Exit status of an internal error."""
ASIDE = (b'{"kind":"annex"', b'{"kind":"opening"')

COMMANDS = (
    "verify LOG",
    "verify --deep LOG",
    "replay LOG",
    "replay --side axis LOG",
    "explain LOG --at 3",
    "ask LOG help",
    "board LOG",
    "log anchor LOG",
    "log battle LOG",
    "log diff LOG LOG",
    "log join LOG LOG",
    "log luck LOG",
    "log page LOG --out LOG.html",
    "log redact LOG --side axis",
    "log repair LOG",
    "dispute adjudicate LOG",
    "dispute rulings LOG",
    "dispute whatif LOG --die 3=1",
    "ruleset regress LOG",
)
"""Commands that read a log."""

Make = Callable[[int], bytes]


def command(words: str) -> Callable[[bytes], object]:
    """Return a reader of logs that runs a command with the file for LOG in ``words``. It fails on an internal error."""

    def read(data: bytes) -> None:
        with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:  # noqa: S108 - memory
            file = Path(folder) / "log.jsonl"
            file.write_bytes(data)
            done = CliRunner().invoke(cli, words.replace("LOG", str(file)).split(), prog_name="sandtable")
        assert done.exit_code < INTERNAL, done.output[-300:]
        assert isinstance(done.exception, SystemExit | None), done.exception

    return read


@cache
def _bodies(path: Path) -> tuple[bytes, ...]:
    """Return the bodies of header and records of a log."""
    lines = path.read_bytes().splitlines()
    return tuple(parted(each)[0] for each in lines if not each.startswith(ASIDE))


@cache
def _beside(path: Path) -> bytes:
    """Return the annexes of a log, and its openings except that of the close, whose number changes."""
    lines = path.read_bytes().splitlines(keepends=True)
    last = (len(_bodies(path)) - 1, UMPIRE)
    return b"".join(each for each in lines if each.startswith(ASIDE) and key_of(each) != last)


def _log(bodies: list[bytes], path: Path = PLAIN, more: bytes = b"") -> bytes:
    lines, _ = chain(bodies, START)
    head, end, rest = lines.partition(b"\n")
    return b"".join((head, end, _beside(path), more, rest))


def _record(kind: str, number: int) -> bytes:
    """Return the first record of a kind that is open to all, as record ``number``."""
    mark = b'{"kind":"%b","n":' % kind.encode()
    body = next(each for each in _bodies(PLAIN) if each.startswith(mark) and ROOT not in each)
    return mark + b"%d" % number + body[len(mark) :].lstrip(b"0123456789")


def records(kind: str) -> Make:
    """Return a maker that repeats a record of a game before its close."""

    def make(size: int) -> bytes:
        head, *game, close = _bodies(PLAIN)
        first = len(game) + 1
        more = [_record(kind, number) for number in range(first, first + size)]
        return _log([head, *game, *more, close.replace(b'"n":%d' % first, b'"n":%d' % (first + size), 1)])

    return make


def groups(size: int) -> bytes:
    """Return a log of sealed groups of one order each."""
    head, *game, _ = _bodies(PLAIN)
    numbers = range(len(game) + 1, len(game) + 1 + size)
    orders = [_record("order", number).replace(b',"asked"', b',"missing":1,"asked"', 1) for number in numbers]
    return _log([head, *game, *orders])


def undos(size: int) -> bytes:
    """Return a game in which the same order is given and undone repeatedly."""
    prepared = Rulesets().load("desert_aa").prepare()
    key = key_from_seed("undos")
    names, dice = name_seats(prepared, {}), make_dice("open", key)
    game = prepared.new_game(dice)
    players = seat_players(prepared, names, key)
    game.start()
    decision, *_ = game.waiting()
    order = players[decision.seat].choose(decision, game.seat_view(decision.side))
    for _ in range(size):
        game.submit(order, decision.seat)
        game.undo()
    return log_bytes(make_header(prepared, names, dice), game)[0]


def _header(fields: dict[str, Any]) -> bytes:
    """Return the body of a header as this format writes it, with the matching id."""
    header = convert(fields, Header)
    return header_body(replace(header, game=game_id(header)))


def in_header(field: str, entry: Callable[[int], tuple[str, object]]) -> Make:
    """Return a maker that repeats an entry of one table of the header."""

    def make(size: int) -> bytes:
        head, *game = _bodies(PLAIN)
        fields = json.decode(head + b"}")
        fields[field] = {**(fields.get(field) or {}), **dict(map(entry, range(size)))}
        return _log([_header(fields), *game])

    return make


def in_record(name: str, part: bytes, opened: bytes = b"", shut: bytes = b"") -> Make:
    """Return a maker that repeats ``part`` in a field of the last record before the close."""

    def make(size: int) -> bytes:
        *before, last, close = _bodies(PLAIN)
        field = b',"%b":%b' % (name.encode(), opened) + b",".join(repeat(part, size)) + shut
        return _log([*before, last + field, close])

    return make


def openings(size: int) -> bytes:
    """Return a log of ``size`` openings, as many for each record as a tree has leaves, each for a player."""
    head, *rest = _bodies(PLAIN)
    fields = json.decode(head + b"}")
    fields["players"] = {f"p{number}": "x" for number in range(min(size, LEAVES))}
    bodies = [_header(fields)]
    more: list[bytes] = []
    for number in range(1, 1 + -(-size // LEAVES)):
        places = range(min(LEAVES, size - len(more)))
        leaves = [leaf_of(number, f"p{at}", at, "0" * 32, b',"part":{"event":1}') for at in places]
        tree = Tree(bytes(32), [leaf_hash(leaf) for leaf in leaves])
        more += [opening_line(leaf, tree.path(at)) + b"\n" for at, leaf in enumerate(leaves)]
        bodies.append(b'{"kind":"event","n":%d,"root":"%b"' % (number, tree.root().hex().encode()))
    return _log([*bodies, *rest[len(bodies) - 1 :]], more=b"".join(more))


def steps(size: int) -> bytes:
    """Return a log with many closed steps before its close, each with the umpire's opening."""
    head, *game, _ = _bodies(PLAIN)
    first = len(game) + 1
    bodies = [head, *game]
    more: list[bytes] = []
    for number in range(first, first + 2 * size, 2):
        line = opening_of(number, UMPIRE, {"records": [{"kind": "roll", "n": number, "dice": [1]}]})
        more.append(line + b"\n")
        bodies += [_closed(number, number, line), _record("event", number + 1)]
    return _log(bodies, more=b"".join(more))


def inner_records(size: int) -> bytes:
    """Return a log with many records in one closed step, and the umpire's opening."""
    head, *game, _ = _bodies(PLAIN)
    first = len(game) + 1
    numbers = range(first, first + size)
    shown = [{"kind": "roll", "n": number, "dice": [1]} for number in numbers]
    line = opening_of(first, UMPIRE, {"records": shown})
    return _log([head, *game, _closed(first, numbers[-1], line)], more=line + b"\n")


def claimed_records(size: int) -> bytes:
    """Return a log with a closed step of many records that no opening shows."""
    head, *game, _ = _bodies(PLAIN)
    first = len(game) + 1
    return _log([head, *game, _closed(first, first + size, b"")])


def _closed(first: int, last: int, opening: bytes) -> bytes:
    until = b',"last":%d' % last if last > first else b""
    return b'{"kind":"closed","n":%d%b,"root":"%b"' % (first, until, (root_of(opening) or "0" * 64).encode())


def annexes(size: int) -> bytes:
    """Return a log with many annexes."""
    return _log(list(_bodies(PLAIN)), more=b"".join(annex_line({"note": number}) for number in range(size)))


@cache
def _heavy(number: int) -> bytes:
    return annex_line(annex_facts(battle_of("x", "kampfpanzer", b"%d" % number + b"\n" * (BATTLE - 8))))


def battles(size: int) -> bytes:
    """Return a campaign with battles that no order names, each of which unpacks to 16 MiB."""
    data = FOUGHT.read_bytes()
    head, end, rest = data.partition(b"\n")
    return b"".join((head, end, *map(_heavy, range(size)), rest))


def unclosed(size: int) -> bytes:
    """Return a log whose header has an unclosed string, after many brackets."""
    return b'{"kind":"header","format":"sandtable-log"' + b"[" * 40 + b'"' + b'\\"' * size + b"\n"


def digits(size: int) -> bytes:
    """Return a log whose second line has an unclosed string, after a long number in a string."""
    head, _, rest = _log(list(_bodies(PLAIN))).partition(b"\n")
    return head + b'\n{"a":",' + b"1" * 30 + b'","' + b'\\"' * size + b"\n" + rest


def dangling(size: int) -> bytes:
    """Return a log with openings of records that do not exist."""
    lines = (opening_of(9_000 + number, "axis", {"part": {"event": 1}}) + b"\n" for number in range(size))
    return _log(list(_bodies(PLAIN)), more=b"".join(lines))


def torn(size: int) -> bytes:
    """Return a log that ends with many lines of garbage."""
    return _log(list(_bodies(PLAIN))) + b"1\n" * size


def kinds() -> Iterator[tuple[str, Make, int]]:
    """Yield each kind of log: its name, its maker, and the size of the smallest of three."""
    for kind in ("event", "roll", "order", "seal", "ruling"):
        yield f"{kind} records", records(kind), 10_000
    yield "sealed groups", groups, 10_000
    yield "undone orders", undos, 1_000
    yield "openings of a record", openings, 3_200
    yield "closed steps", steps, 5_000
    yield "records of a closed step", inner_records, 5_000
    yield CLAIMED, claimed_records, 200_000
    yield "annexes", annexes, 10_000
    yield "battles", battles, 4
    yield "an unclosed string", unclosed, 100_000
    yield "an unclosed string behind digits", digits, 100_000
    yield "dangling openings", dangling, 10_000
    yield "lines of rubbish", torn, 20_000
    yield "options", in_header("options", lambda number: (f"o{number}", "yes")), 5_000
    yield "players", in_header("players", lambda number: (f"p{number}", "x")), 5_000
    yield "keys", in_header("keys", lambda number: (f"p{number}", "0" * 64)), 3_000
    yield "set dice", in_header("dice_set", lambda number: (f"1/x/y/{number}", [1])), 5_000
    yield "tables of a scenario", in_header("scenario_data", lambda number: (f"t{number}", {"a": 1})), 5_000
    yield "numbers in a record", in_record("x", b"1", b"[", b"]"), 100_000
    yield "tables in a record", in_record("x", b"{}", b"[", b"]"), 60_000
    yield "fields of a record", in_record("x", b'1,"x":1'), 20_000
    yield "steps of a calculation", in_record("calculations", b'["x",1,"y"]', b'[{"name":"x","steps":[', b"]}]"), 10_000
