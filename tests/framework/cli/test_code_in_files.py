"""Files from other people that name a Python class: no command imports it unless the user allows it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from command_line import Run
from tournaments import base_of, event_of

from sandtable.cli.main import cli

pytestmark = pytest.mark.full
BOT = """
class Bot:
    def __init__(self, seat, stream, board):
        self.stream = stream

    def choose(self, decision, view):
        return decision.options.sample(self.stream)
"""
EVIL = f"open('RUN', 'w').close()\n{BOT}"
MANIFEST = event_of("tictactoe", Stranger="stranger:Bot", Chance="random")
OF_A_FILE = {"log", "logs", "a", "b", "file", "paths", "what", "folder"}
"""Names of arguments that take a file from another person."""

MORE = {
    "resume": ["--key", "none.key"],
    "resign": ["--seat", "north"],
    "ask": ["who won?"],
    "explain": ["--at", "1"],
    "log redact": ["--side", "x", "--out", "new"],
    "log join": ["--out", "new"],
    "log rule": ["--reason", "r", "--event", "{}"],
    "log page": ["a.jsonl"],
    "dispute open": ["--at", "1", "--claim", "c", "--by", "x", "--out", "new"],
    "dispute rule": ["--stands", "--text", "t"],
    "dispute whatif": ["--then", "bots"],
    "dispute adjudicate": ["--at", "1"],
    "mail invite": ["--folder", "new", "--side", "x"],
    "mail join": ["--folder", "new", "--side", "x"],
    "mail take": ["packet.txt"],
    "ruleset bisect": ["--versions", "."],
    "ruleset regress": ["--bots"],
}
"""Additional arguments that commands require."""


def commands(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield each command below ``group`` with its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*before, name))
        else:
            yield (*before, name), command


READERS = [
    (words, sum(each.name in OF_A_FILE and each.required for each in command.params))
    for words, command in commands(cli)
    if words[0] not in {"tournament", "key", "serve"}
    and words != ("ruleset", "rules")
    and any(each.name in OF_A_FILE for each in command.params)
]
"""The commands that read a log or a dispute, with the number of files that they require."""


@pytest.fixture(autouse=True)
def _stranger(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    sys.modules.pop("stranger", None)


def leave(module: str, *folders: str) -> None:
    """Forget the class that played and where it came from, and put ``module`` in its place."""
    sys.modules.pop("stranger", None)
    sys.path[:] = [place for place in sys.path if not place.startswith(str(Path.cwd()))]
    for folder in folders:
        Path(folder, "stranger.py").write_text(module)


@pytest.fixture
def log(run: Run) -> str:
    """Return a log in whose header a class plays."""
    leave(BOT, ".")
    run("play", "tictactoe", "--player", "x=stranger:Bot", "--seed", "a", "--out", "a.jsonl", code=0)
    leave(EVIL, ".")
    return "a.jsonl"


@pytest.fixture
def results(run: Run) -> str:
    """Return the folder of a tournament in which a class plays, with code beside its file, its manifest, and here."""
    Path("event").mkdir()
    leave(BOT, "event")
    Path("event/event.toml").write_text(MANIFEST)
    words = ("tournament", "run", "event/event.toml", "--out", "out", "--workers", "1")
    run(*words, "--allow-code", code=0)
    leave(EVIL, ".", "event", "out")
    return "out"


def test_more_than_20_log_commands_are_tested() -> None:
    assert len(READERS) > 20, READERS


@pytest.mark.parametrize(("words", "files"), READERS, ids=[" ".join(words) for words, _ in READERS])
def test_no_command_imports_a_class_that_a_log_names(run: Run, log: str, words: tuple[str, ...], files: int) -> None:
    told = run(*words, *[log] * files, *MORE.get(" ".join(words), []))
    assert "Missing" not in told.stderr
    assert "No such option" not in told.stderr
    assert "stranger" not in sys.modules
    assert not Path("RUN").exists()


@pytest.mark.parametrize("base", ["", "/proc/self/cwd", "event"])
def test_no_command_imports_a_class_that_a_store_names(run: Run, results: str, base: str) -> None:
    if base:
        with base_of(Path(results)) as tables:
            tables.execute("update facts set value = ? where name = 'base'", (base,))
            tables.execute("delete from games where number = 1")
    for words in (
        ["resume", results, "--workers", "1"],
        ["rerun", results, "0"],
        ["verify", results],
        ["report", results, "--html"],
        ["export", results, "--logs", "logs"],
        ["export", results, "--decisions", "rows.csv", "--workers", "1"],
    ):
        told = run("tournament", *words)
        assert told.exit_code == (3 if words[0] in {"resume", "rerun"} else 0), told.stderr
        assert "stranger" not in sys.modules, words
        assert not Path("RUN").exists(), words


def test_a_class_in_a_manifest_is_refused_with_the_option(run: Run, results: str) -> None:
    for words in (["run", "event/event.toml", "--out", "new"], ["resume", results], ["rerun", results, "0"]):
        told = run("tournament", *words, code=3)
        assert "entrant[0].player" in told.stderr
        assert "--allow-code" in told.stderr
        assert "stranger" not in sys.modules
    assert not Path("new").exists()


def test_store_does_not_record_the_source_of_allowed_code(run: Run, results: str) -> None:
    leave(BOT, "event")
    Path("stranger.py").unlink()
    told = run("tournament", "rerun", results, "0", "--allow-code")
    assert (told.exit_code, "is not a bot: ModuleNotFoundError" in told.stderr) == (3, True)
    leave(BOT, ".")
    assert "game 0: the same" in run("tournament", "rerun", results, "0", "--allow-code").stdout
