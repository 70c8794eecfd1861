"""A million corrupted inputs to everything that reads foreign data: each is read, or refused in one line.

Atheris generates half as many again. It mutates inputs that reach new code further.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from campaign_figures import Share
from hostile import spoiled
from named_cases import CASES
from recording import recorded

from sandtable.errors import LogError, SandtableError
from sandtable.files.document import decode_toml
from sandtable.journal.anchors.anchors import read_anchors
from sandtable.journal.anchors.disputes import read_dispute
from sandtable.journal.file.keys import read_key
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.header import make_dice
from sandtable.journal.sides.slices import read_slice, slice_log
from sandtable.journal.verification.verdicts import VERIFIED
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.lab.tournament.manifest import parse_manifest
from sandtable.players.processes import protocol
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.plugin.options.rulefiles import read_index, read_options
from sandtable.terminal.menu import read_typed

ROOT = Path(__file__).parents[2]
GUIDED = ROOT / "tests/specimens/guided.py"
TASK = 500
"""Number of inputs that one process reads at a time."""
MAX_SECONDS, MAX_MEGABYTES = 2.0, 300
MAX_LETTERS = 2_600
RULESETS = Rulesets()
GAMES = ("axis_attack", "damos", "desert_aa", "kampfpanzer", "khamsin")

Read = Callable[[bytes], object]


@cache
def _prepared(ruleset: str) -> Prepared:
    return RULESETS.load(ruleset).prepare()


@cache
def _log(ruleset: str, seed: str, mode: str) -> bytes:
    return recorded(_prepared(ruleset), seed, mode).data


def _a_message(data: bytes) -> None:
    try:
        protocol.decode(data)
    except ValueError as error:  # the documented error, which the bot's supervisor turns into a verdict
        raise LogError(str(error)) from error


def _a_toy_log(data: bytes) -> None:
    verify(parse_log(data, "log"), _prepared("toy"))


def _a_tictactoe_log(data: bytes) -> None:
    assert verify(parse_log(data, "log"), _prepared("tictactoe")).verdict != VERIFIED  # cut off it is right so far


def _a_slice(data: bytes) -> None:
    log = parse_log(data, "slice")
    read_slice(log, RULESETS)
    verify(log, _prepared("toy"))


def _a_game_log(data: bytes) -> None:
    log = parse_log(data, "log")
    read_records(log, RULESETS.load(log.header.ruleset).prepare().ruleset)


def _a_file(read: Callable[[Path], object], data: bytes) -> None:
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:  # noqa: S108 - memory
        file = Path(folder) / "file.toml"
        file.write_bytes(data)
        read(file)


def _a_scenario(ruleset: str, file: Path) -> None:
    RULESETS.load(ruleset).prepare(str(file))


def _an_order(ruleset: str, data: bytes) -> None:
    prepared = _prepared(ruleset)
    game = prepared.new_game(make_dice("open", key_from_seed("typed")))
    game.start()
    read_typed(prepared, next(iter(game.waiting())), data.decode("utf-8", "replace"))


def _shortest(pattern: str, most: int = 3) -> list[bytes]:
    return [file.read_bytes() for file in sorted(ROOT.glob(pattern), key=lambda file: file.stat().st_size)[:most]]


def _typed(ruleset: str) -> list[bytes]:
    """Return lines that people might type, with text of the ruleset's README, and an order as JSON."""
    words = [b"done", b"end", b"1", b"? 2", b"?", b"all", b"1505 1404", b"go to Minsk", b'{"type":"Nothing"}', b"stay"]
    return [
        *words,
        *(line[:200] for line in (ROOT / "plugins" / ruleset / "README.md").read_bytes().split(b"\n") if line),
    ]


MANIFEST = b"""
[tournament]
title = "Spring"
seed = "spring"
[[contest]]
ruleset = "desert_aa"
scenario = "frontier"
games = 4
[[entrant]]
name = "one"
player = "commander"
[[entrant]]
name = "two"
command = ["python3", "bot.py"]
settings = { nodes = 3 }
"""
SEAL = b"sandtable/0123456789abcdef\n31\n0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n"

PARSERS: dict[str, tuple[int, Read, Callable[[], list[bytes]]]] = {
    "logs": (
        150_000,
        _a_toy_log,
        lambda: [_log("toy", f"{n}", mode) for n in range(3) for mode in ("open", "host", "manual")],
    ),
    "slices": (
        50_000,
        _a_slice,
        lambda: [slice_log(parse_log(_log("toy", f"{n}", "host"), "log"), _prepared("toy"), "north") for n in range(3)],
    ),
    "logs of games": (
        5_000,
        _a_game_log,
        lambda: [data for game in GAMES for data in _shortest(f"replays/{game}/*.jsonl", 1)],
    ),
    "messages of bots": (
        300_000,
        _a_message,
        lambda: [
            b'{"type":"ready","protocol":1}',
            b'{"type":"answer","id":3,"order":{"type":"Commit","troops":2}}',
            b'{"type":"sample","id":7,"number":3}',
            b'{"type":"check","id":7,"order":{"type":"Buy","units":{"GER":[1,2]}}}',
            b'{"type":"list","id":2}',
        ],
    ),
    "manifests": (
        80_000,
        lambda data: parse_manifest(data.decode("utf-8", "replace"), "event.toml"),
        lambda: [MANIFEST],
    ),
    "TOML": (80_000, lambda data: decode_toml(data, "file.toml"), lambda: _shortest("plugins/*/rulings.toml", 5)),
    "seals": (60_000, partial(_a_file, read_anchors), lambda: [SEAL]),
    "keys": (20_000, partial(_a_file, read_key), lambda: [b"0123456789abcdef" * 4 + b"\n"]),
    "disputes": (40_000, partial(_a_file, read_dispute), lambda: _shortest("replays/disputes/*.toml", 14)),
    "rule files": (20_000, partial(_a_file, read_options), lambda: _shortest("plugins/*/rulings.toml", 5)),
    "rule indexes": (10_000, partial(_a_file, read_index), lambda: _shortest("plugins/*/rules.toml", 5)),
    **{
        f"scenarios of {game}": (
            1_000,
            partial(_a_file, partial(_a_scenario, game)),
            partial(_shortest, f"plugins/{game}/scenarios/*.toml", 3),
        )
        for game in GAMES
    },
    **{f"typed orders of {game}": (36_000, partial(_an_order, game), partial(_typed, game)) for game in GAMES},
}
"""Readers of foreign data: number of inputs, reader, and good inputs to corrupt."""


def share(name: str, first: int, count: int, seed: str) -> list[str]:
    """Read corrupted inputs of one kind. Return the faults of readers."""
    _, read, sources = PARSERS[name]
    good, found = sources(), []
    for number in range(first, first + count):
        rng = Random(f"{seed}/{name}/{number}")  # noqa: S311 - a campaign can be repeated
        data = spoiled(rng, rng.choice(good), rng.choice(good))
        found += [f"{name} {number}: {wrong}" for wrong in faults(read, data)]
    return found


def faults(read: Read, data: bytes) -> Iterator[str]:
    """Yield the faults of reading ``data``: a crash, a long refusal, too much time or memory."""
    began, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        read(data)
    except SandtableError as error:
        text = str(error)
        if max(map(len, text.split("\n"))) > MAX_LETTERS:
            yield f"refused in {len(text)} letters: {text[:200]!r}"
    except BaseException as error:  # noqa: BLE001 - any other error is a fault
        yield f"{type(error).__name__}: {error!s:.200}"
    taken = time.process_time() - began
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
    if taken > MAX_SECONDS:
        yield f"took {taken:.1f} s"
    if grown > MAX_MEGABYTES:
        yield f"took {grown} MiB"


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_corrupted_input_is_read_or_refused_in_a_line(name: str, campaign: Share) -> None:
    total = campaign.of(PARSERS[name][0])
    failures = campaign.in_parts(share, name, total, TASK)
    campaign.tried("hostile input does no harm", f"spoiled {name}", total, failures)


@pytest.mark.slow
def test_named_json_cases_are_read_or_refused(campaign: Share) -> None:
    lines = _log("tictactoe", "named", "open").splitlines()
    bodies = [parted(line)[0] for line in lines]
    failures = []
    for kind, cases in CASES.items():
        for name, line in cases.items():
            data, _ = chain([*bodies[:3], line, *bodies[4:]], START)
            failures += [f"{kind}, {name}: {wrong}" for wrong in faults(_a_tictactoe_log, data)]
    campaign.tried("hostile input does no harm", "named cases", sum(map(len, CASES.values())), failures)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("atheris") is None, reason="requires atheris: pip install -e '.[campaign]'")
@pytest.mark.parametrize("name", PARSERS)
def test_fuzzed_input_is_read_or_refused_in_a_line(name: str, campaign: Share, tmp_path: Path) -> None:
    runs = campaign.of(PARSERS[name][0] // 2)
    seed = campaign.rng("guided", name).randrange(1, 1 << 31)
    words = [name, str(runs), str(seed), str(tmp_path)]
    done = subprocess.run([sys.executable, str(GUIDED), *words], capture_output=True, check=False, timeout=7_200)
    text = done.stderr.decode("utf-8", "replace")
    failures = [line for line in text.splitlines() if "Error" in line][:1] or [text[-300:]] if done.returncode else []
    campaign.tried("hostile input does no harm", f"spoiled {name}, guided by coverage", runs, failures)
