"""Text in a foreign log cannot control a terminal: every command is run under a real one."""

import base64
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from rechained import altered, lines_of, places, rechained, value_at
from terminal import TerminalOutput, at_terminal

from sandtable.cli.commands import GROUPS, all_commands
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_recorded
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Installed
from sandtable.testing import toy

pytest.importorskip("pty")

REPLAYS = Path(__file__).parents[3] / "replays"

HOSTILE = (
    "\x1b[7m\x1b[2J\x1b]0;owned\x07\x1bP1$q\x1b\\\r\b\x7f\x00"  # colors, clearing, title, device control, controls
    "\x85\x90\x9b7m\x9d0;owned\x9c"  # the same in C1
    "\u202e\u2066\u200b\u200e\ufeff\u2028\u2029\x0b\x0c"  # direction marks, no width, line ends
    "\nFORGED a line of its own"
)
STYLES = re.compile(r"\x1b\[(?:0|1|2|31)m")
"""The sequences that the program itself sends: bold, dim and red, and their end."""

KEPT = "Żółw 砂盤 रेत"
"""Letters that must be shown unchanged."""

LOG, OTHER = "\x1b[2J\x9b\u202e\nFORGED.jsonl", "other.jsonl"
"""The names of the files; the log's name is as hostile as its content."""

READING: list[list[str]] = [
    ["replay", LOG, "--board"],
    ["log", "page", LOG, "--out", "page.html", "--force"],
    ["log", "gallery", ".", "--out", "site", "--force"],
    ["board", LOG, "--side", "north"],
    ["verify", LOG],
    ["verify", "--json", LOG],
    ["log", "diff", OTHER, LOG],
    ["log", "diff", "--json", OTHER, LOG],
    ["explain", LOG, "--at", "N"],
    ["ask", LOG, "?"],
    ["ask", LOG, "order north: {}"],
    ["dispute", "whatif", LOG, "--die", "N:1=1"],
    ["ruleset", "regress", LOG, "--workers", "1"],
    ["ruleset", "regress", LOG, "--json", "--workers", "1"],
    ["dispute", "rulings", LOG],
    ["dispute", "adjudicate", LOG, "--at", "3", "--playouts", "1"],
    ["dispute", "open", LOG, "--at", "1", "--claim", "x", "--by", "north", "--out", "d.toml"],
    ["log", "luck", "--rolls", "--faces", LOG],
    ["log", "redact", LOG, "--side", "north"],
    ["log", "battle", LOG],
    ["log", "battle", "--json", LOG],
    ["log", "battle", LOG, "--battle", "1"],
    ["log", "repair", LOG],
    ["log", "join", LOG],
    ["log", "anchor", LOG],
    ["log", "anchor", LOG, "--json"],
    ["log", "rule", LOG, "--amend", "N", "--order", "{}", "--reason", "none"],
    ["resign", LOG, "--seat", "north"],
    ["draw", LOG],
    ["dispute", "adjudicate", LOG, "--end", "draw", "--reason", "none"],
    ["resume", LOG, "--player", "north=human", "--player", "south=human"],
]
"""The arguments with which each command is run on a log; N is the record that was altered."""

READS_NO_LOG = {
    *((each,) for each in ("demo", "play", "match", "check", "new")),
    *(("dispute", each) for each in ("try", "rule", "show", "test")),
    *(("ruleset", each) for each in ("list", "show", "archive", "rules", "odds", "perft", "bench")),
    *(("mail", each) for each in GROUPS["mail"].commands),
    *(("bot", each) for each in GROUPS["bot"].commands),
    *(("tournament", each) for each in GROUPS["tournament"].commands),
    *(("key", each) for each in GROUPS["key"].commands),
}

READS_APART = {("ruleset", "bisect"), ("serve",)}
"""Each run of ``bisect`` is a process: ``test_bisect`` tries it on one log. ``serve`` prints nothing of its logs."""


def command_of(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(words[: 1 + (words[0] in GROUPS)])


TRIED = {command_of(words) for words in READING}


def test_every_command_is_tested_unless_it_reads_no_log() -> None:
    assert set(all_commands()) == TRIED | READS_NO_LOG | READS_APART
    assert not TRIED & READS_NO_LOG


class Sampler:
    def choose(self, decision: Decision, view: View) -> Order:
        order: Order = decision.options.sample(Stream(decision.seat.encode()))
        return order


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of a game of the toy, in which the umpire ruled too."""
    prepared = Installed("toy", toy, "").prepare()
    dice = make_dice("open", key_from_seed("hostile"))
    path = tmp_path_factory.mktemp("game") / "game.jsonl"
    names = dict.fromkeys(prepared.ruleset.seats, "random")
    recorded = play_recorded(prepared, dict.fromkeys(names, Sampler()), dice, make_header(prepared, names, dice))
    path.write_bytes(recorded.data)
    return path


def hostile_logs(game: Path) -> Iterator[tuple[int, bytes]]:
    """Yield logs with one text made hostile, and the number of its line; the first log has no hostile text."""
    lines = lines_of(game)
    yield 1, rechained(lines)
    tried = set()
    for place in places(lines):
        number, keys = place
        line, value = lines[number], value_at(lines, place)
        inner = line.get("event") or line.get("order") or {}
        kind = (line["kind"], inner.get("type"), *("" if isinstance(key, int) else key for key in keys))
        if kind in tried:
            continue
        tried.add(kind)
        if isinstance(value, str):
            yield number, rechained(altered(lines, place, KEPT + HOSTILE))
        elif isinstance(value, dict):
            yield number, rechained(altered(lines, place, {**value, HOSTILE: next(iter(value.values()), "")}))
    yield 1, rechained([lines[0], {**lines[1], HOSTILE: 1}, *lines[2:]])


def shown_of(source: Path, home: Path, commands: list[list[str]], part: int = 1) -> list[TerminalOutput]:
    """Return the output of commands for every hostile log made of ``source``.

    Each log is read by one ``part`` of the commands.
    """
    (home / "rulesets").mkdir()
    (home / "rulesets" / "toy.py").write_text("from sandtable.testing.toy import *\n")
    log = zlib.compress(b"\x1b[2J" + HOSTILE.encode())
    battle = {"battle": HOSTILE, "brief": HOSTILE, "ruleset": HOSTILE, "log": base64.b64encode(log).decode()}
    runs = []
    for place, (number, data) in enumerate(hostile_logs(source)):
        folder = home / str(place)
        folder.mkdir()
        (folder / LOG).write_bytes(data + annex_line(battle) + b"torn \x1b[2J"[: place % 2 * 20])
        (folder / OTHER).write_bytes(source.read_bytes())
        runs += [
            (folder, [str(max(number, 1)) if word == "N" else word for word in words])
            for words in commands[place % part :: part]
        ]
    return at_terminal(home / "plan.json", runs, {"SANDTABLE_PLUGINS_DIR": str(home / "rulesets")})


@pytest.fixture(scope="module")
def shown(game: Path, tmp_path_factory: pytest.TempPathFactory) -> list[TerminalOutput]:
    """Return what every command showed of every second log."""
    return shown_of(game, tmp_path_factory.mktemp("hostile"), READING, part=2)


def assert_harmless(shown: list[TerminalOutput]) -> None:
    """Assert that no control character of a log was shown, and that none of its texts began a line."""
    strange = [
        (each.words, letters)
        for each in shown
        if (letters := {letter for letter in STYLES.sub("", each.text).replace("\n", "") if not letter.isprintable()})
    ]
    assert not strange
    assert sum(each.text.count("FORGED") for each in shown) > 200
    assert not [line for each in shown for line in each.text.split("\n") if line.lstrip().startswith("FORGED")]


@pytest.mark.full
def test_log_text_cannot_control_the_terminal_or_start_a_line(shown: list[TerminalOutput]) -> None:
    assert_harmless(shown)
    assert {each.code for each in shown} <= {0, 1, 2, 3, 4}


@pytest.mark.slow
def test_log_text_is_harmless_in_every_command_and_game(game: Path, tmp_path: Path) -> None:
    assert_harmless(shown_of(game, tmp_path, READING))


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sorted(path.name for path in REPLAYS.iterdir() if path.is_dir()))
def test_drawn_or_narrated_log_text_cannot_start_a_line(ruleset: str, tmp_path: Path) -> None:
    source = min((REPLAYS / ruleset).glob("*.jsonl"), key=lambda path: path.stat().st_size)
    commands = [
        ["replay", LOG, "--board"],
        ["board", LOG],
        ["verify", LOG],
        ["log", "diff", OTHER, LOG],
        ["explain", LOG, "--at", "N"],
    ]
    shown = shown_of(source, tmp_path, commands)
    assert_harmless(shown)
    assert {each.code for each in shown} <= {0, 1, 3, 4}


@pytest.mark.full
def test_intended_output_is_unchanged(shown: list[TerminalOutput]) -> None:
    everything = "".join(each.text for each in shown)
    assert KEPT in everything
    assert "\x1b[1mlog" in everything
    assert {command_of(each.words) for each in shown if "FORGED" in each.text} == TRIED


JSON_START = re.compile(r"\A(?s:.*?)^(?=[{\[])", re.MULTILINE)
"""The lines of stderr before a document: a terminal shows both."""


@pytest.mark.full
def test_hostile_text_keeps_json_output_valid(shown: list[TerminalOutput]) -> None:
    documents = [each for each in shown if "--json" in each.words and each.code in {0, 1}]
    assert len(documents) > 100
    decoded = [msgspec.json.decode(JSON_START.sub("", each.text, count=1)) for each in documents]
    assert all(isinstance(each, dict | list) for each in decoded)
    letters = msgspec.json.encode(HOSTILE)[1:-1]
    assert any(letters in msgspec.json.encode(each) for each in decoded)
