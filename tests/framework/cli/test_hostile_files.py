"""Files from another person: endless, of unusual kinds, or with endless values; each gives a one-line error."""

import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Refused, Run, Start
from cutting import chain_in
from rechained import altered, lines_of, rechained

SCENARIO = '[scenario]\nid = "mine"\ntitle = "Mine"\n'
SHORT = 20_000
"""Letters that a command may print of a log of a few hundred short records."""


@pytest.fixture
def log(run: Run, of_seed_a: str) -> Path:
    """Return the log of a game with dice that are hidden until the close."""
    run("play", "skirmish", "--key", of_seed_a, "--dice", "host", "--out", "a.jsonl", code=0)
    return Path("a.jsonl")


# ---------------------------------------------------------------- how many


@pytest.fixture(scope="module")
def floods(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return files of sixty megabytes with a line or two that a log might have, and nothing but line ends or tables."""
    folder = tmp_path_factory.mktemp("floods")
    head = b'{"kind":"header","format":"sandtable-log","format_version":1}\n'
    found = {"lines": head + b"\n" * 60_000_000, "tables": head + b"{}\n" * 20_000_000, "slice": b'{"kind":"slice"}\n'}
    found["slice"] += b"{}\n" * 20_000_000
    for name, data in found.items():
        (folder / name).write_bytes(data)
    return {name: folder / name for name in found}


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))
from sandtable.cli.main import cli
cli.main(sys.argv[1:], prog_name="sandtable")
"""


@pytest.mark.full
@pytest.mark.skipif(not hasattr(resource, "RLIMIT_AS"), reason="no limit of memory here")
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("lines", ["verify"]),
        ("lines", ["explain", "--at", "1"]),
        ("tables", ["verify"]),
        ("tables", ["replay"]),
        ("tables", ["log", "battle"]),
        ("slice", ["verify"]),
        ("slice", ["replay"]),
    ],
)
def test_a_file_of_millions_of_lines_is_refused_in_little_memory(
    floods: dict[str, Path], kind: str, words: list[str]
) -> None:
    command = [sys.executable, "-c", LIMITED, *words, str(floods[kind])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "the file has more than 1,000,000 lines" in done.stderr


# ---------------------------------------------------------------- how long


ENDLESS = "x" * 400_000
LONG = [
    ("options", lambda line: {**line, "options": {**line["options"], ENDLESS: "1"}}),
    ("players", lambda line: {**line, "players": {ENDLESS: "first"}}),
    ("ruleset", lambda line: {**line, "ruleset": ENDLESS}),
    ("ruleset_version", lambda line: {**line, "ruleset_version": ENDLESS}),
    ("scenario", lambda line: {**line, "scenario": ENDLESS}),
    ("unknown field", lambda line: {**line, ENDLESS: 1}),
    ("label", lambda line: {**line, "label": f"1/battle/{ENDLESS}/1"}),
    ("label of words", lambda line: {**line, "label": "a b " * 100_000}),
    ("rule", lambda line: {**line, "rule": ENDLESS}),
    ("dice", lambda line: {**line, "dice": [1] * 200_000}),
    ("needs", lambda line: {**line, "needs": [1] * 200_000}),
    ("by", lambda line: {**line, "by": ENDLESS}),
    ("type of an order", lambda line: {**line, "order": {"type": ENDLESS}}),
    ("ending", lambda line: {**line, "ending": ENDLESS}),
    ("key", lambda line: {**line, "key": ENDLESS}),
]
"""Fields that hold what no game makes, by name, and how a line gets them."""

KIND = {"label": "roll", "label of words": "roll", "rule": "roll", "dice": "roll", "needs": "roll"}
KIND |= {"by": "order", "type of an order": "order", "ending": "close", "key": "close"}


@pytest.mark.full
@pytest.mark.parametrize(("name", "change"), LONG, ids=[name for name, _ in LONG])
def test_error_message_length_is_limited(
    run: Run, log: Path, name: str, change: Callable[[dict[str, Any]], Any]
) -> None:
    lines = lines_of(log)
    number = next(n for n, line in enumerate(lines) if line["kind"] == KIND.get(name, "header"))
    Path("b.jsonl").write_bytes(rechained([*lines[:number], change(lines[number]), *lines[number + 1 :]]))
    for words in (
        ["verify", "b.jsonl"],
        ["verify", "--json", "b.jsonl"],
        ["log", "diff", "a.jsonl", "b.jsonl"],
        ["log", "luck", "b.jsonl"],
        ["replay", "b.jsonl", "--board"],
        ["explain", "b.jsonl", "--at", str(max(1, number))],
        ["log", "redact", "b.jsonl", "--side", "red", "--out", "slice.jsonl", "--force"],
        ["resume", "b.jsonl"],
    ):
        result = run(*words)
        assert result.exit_code in {0, 1, 3, 4, 5}, (words, result.stderr[:500])
        assert "--help" not in result.stderr
        assert len(result.output) < SHORT, (words, len(result.output), result.output[:300])


# ---------------------------------------------------------------- of which kind


def ended(process: "subprocess.Popen[str]", typed: str = "") -> str:
    """Return the output of a process at its end; a process that waits forever is killed after a while."""
    try:
        return process.communicate(typed, timeout=120)[1]
    finally:
        process.kill()
        process.wait()


@pytest.mark.full
@pytest.mark.parametrize(
    "words",
    [
        ["play", "skirmish", "--scenario", "pipe.toml"],
        ["check", "skirmish", "--scenario", "pipe.toml"],
        ["check", "skirmish", "--map", "pipe.toml"],
        ["play", "skirmish", "--scenario", "mine.toml"],
        ["tournament", "run", "pipe.toml", "--out", "event"],
        ["verify", "pipe.toml"],
        ["replay", "pipe.toml"],
        ["--plugins-dir", "rulesets", "play", "pipe"],
    ],
)
def test_commands_do_not_block_on_a_pipe(start: Start, words: list[str]) -> None:
    os.mkfifo("pipe.toml")
    Path("rulesets").mkdir()
    os.mkfifo("rulesets/pipe.py")
    Path("mine.toml").write_text(SCENARIO + 'map = "pipe.toml"\n', encoding="utf-8")
    told = ended(start(*words))
    assert "is not an ordinary file" in told or "is not a file" in told or "'pipe' is not installed" in told


@pytest.mark.full
def test_order_file_that_is_a_pipe_is_refused(start: Start) -> None:
    os.mkfifo("pipe.txt")
    campaigns = Path(__file__).parents[1] / "journal" / "campaigns"
    people = [f"--player={seat}=human" for seat in ("umpire", "axis", "allies")]
    process = start("--plugins-dir", str(campaigns), "play", "sortie", *people, "--seed", "club", "--out", "c.jsonl")
    told = ended(process, "@pipe.txt\nquit\n")
    assert "pipe.txt: cannot be read: is not an ordinary file" in " ".join(told.split())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("/dev/zero", "is not an ordinary file"),
        ("folder.toml", "Is a directory"),
        ("huge.toml", "is larger than 1048576 bytes"),
    ],
)
def test_scenario_must_be_an_ordinary_file_of_limited_size(refused: Refused, name: str, said: str) -> None:
    Path("folder.toml").mkdir()
    with Path("huge.toml").open("wb") as file:
        file.truncate(1 << 30)
    assert said in refused(3, "play", "skirmish", "--scenario", name)


@pytest.mark.full
@pytest.mark.parametrize("value", ["9" * 2_000_000, "[" * 100_000, "a.b" * 300_000], ids=["digits", "depth", "dots"])
def test_manifest_with_a_huge_value_is_refused_in_one_line(refused: Refused, value: str) -> None:
    Path("x.toml").write_text(f"[tournament]\ntitle = {value[:900_000]}\n", encoding="utf-8")
    assert len(refused(3, "tournament", "run", "x.toml", "--out", "event")) < SHORT
    assert not Path("event").exists()


@pytest.mark.full
def test_scenario_may_name_only_files_in_its_folder(refused: Refused, run: Run) -> None:
    Path("secret.toml").write_text("token = 1\n", encoding="utf-8")
    Path("sent/below").mkdir(parents=True)
    Path("sent/link.toml").symlink_to("../secret.toml")
    for name in (str(Path("secret.toml").resolve()), "../secret.toml", "below/../../secret.toml", "link.toml"):
        for key in (f'map = "{name}"', f'files = {{ forces = "{name}" }}'):
            Path("sent/mine.toml").write_text(f"{SCENARIO}{key}\n", encoding="utf-8")
            told = refused(3, "play", "skirmish", "--scenario", "sent/mine.toml", "--out", "x.jsonl")
            assert "is outside the folder of this file" in told
    assert not Path("x.jsonl").exists()
    Path("sent/below/map.toml").write_text("hills = 3\n", encoding="utf-8")
    Path("sent/mine.toml").write_text(f'{SCENARIO}map = "below/map.toml"\n', encoding="utf-8")
    assert "is outside" not in run("play", "skirmish", "--scenario", "sent/mine.toml").output


# ---------------------------------------------------------------- the content of a file


@pytest.mark.full
@pytest.mark.parametrize("key", ["zz" * 32, "ab" * 31, "ab" * 33, "abc", "\x1b[2J", "é" * 64], ids=ascii)
@pytest.mark.parametrize("dice", ["host", "open"])
def test_every_command_refuses_an_invalid_key(run: Run, of_seed_a: str, dice: str, key: str) -> None:
    run("play", "skirmish", "--key", of_seed_a, "--dice", dice, "--out", "a.jsonl", code=0)
    lines = lines_of(Path("a.jsonl"))
    shown_in = len(lines) - 1 if dice == "host" else 0
    Path("b.jsonl").write_bytes(rechained(altered(lines, (shown_in, ("key",)), key)))
    for words in (
        ["verify", "b.jsonl"],
        ["log", "luck", "b.jsonl"],
        ["explain", "b.jsonl", "--at", "3"],
        ["resume", "b.jsonl"],
    ):
        result = run(*words, code=3)
        assert re.search(r"b\.jsonl: line \d+: the dice key", result.stderr)
        assert "is not 64 hex digits: it was altered" in result.stderr


def test_nonexistent_record_is_a_usage_error(run: Run, refused: Refused, log: Path) -> None:
    after = str(len(chain_in(log.read_bytes())))
    run("log", "redact", "a.jsonl", "--side", "red", "--out", "slice.jsonl", code=0)
    run("replay", "slice.jsonl", "--at", str(int(after) - 1), code=0)
    for words in ("explain a.jsonl", "board a.jsonl", "replay a.jsonl", "replay slice.jsonl"):
        assert f"there is no record {after}" in refused(2, *words.split(), "--at", after)
    assert "Invalid value for '--at'" in refused(2, "explain", "a.jsonl", "--at", "0")
