"""No command writes over what it has read, by whatever name: a slip of the finger would lose the only log."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import Refused, Run

from sandtable.journal.battles import annex_facts, battle_of
from sandtable.journal.file.annexes import annex_line

RULESETS = Path(__file__).parents[1] / "rulesets"
CAMPAIGNS = Path(__file__).parents[1] / "journal" / "campaigns"
NAMES = ["itself", "roundabout", "absolute", "soft", "hard", "far", "open"]
"""The ways to name a file."""


@contextmanager
def other_name(file: Path, kind: str) -> Iterator[str]:
    """Give a name of ``file``."""
    names = {"itself": file, "roundabout": f"./../{Path.cwd().name}/{file}", "absolute": file.resolve()}
    Path("soft").symlink_to(file)
    Path("far").symlink_to("soft")
    os.link(file, "hard")
    with file.open("rb") as handle:
        yield f"/proc/self/fd/{handle.fileno()}" if kind == "open" else str(names.get(kind, kind))


@pytest.fixture
def log(run: Run) -> Path:
    """Return a log with a battle in it."""
    run("play", "skirmish", "--seed", "a", "--out", "game.jsonl", code=0)
    path = Path("game.jsonl")
    data = path.read_bytes()
    path.write_bytes(data + annex_line(annex_facts(battle_of("1:mill", "skirmish", data))))
    return path


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize(
    "words", [("log", "redact", "game.jsonl", "--side", "red"), ("log", "battle", "game.jsonl", "--battle", "1")]
)
def test_log_is_not_overwritten_by_its_extract(words: tuple[str, ...], kind: str, log: Path, refused: Refused) -> None:
    before = log.read_bytes()
    with other_name(log, kind) as name:
        told = refused(2, *words, "--out", name, "--force")
    assert told == f"sandtable: {name}: is the file game.jsonl, which is read here: choose another name with --out"
    assert log.read_bytes() == before


@pytest.mark.full
@pytest.mark.parametrize("kind", ["itself", "hard"])
@pytest.mark.parametrize("which", ["game.jsonl", "own.toml"])
def test_log_or_scenario_is_not_overwritten_by_its_drawing(which: str, kind: str, run: Run, refused: Refused) -> None:
    if which == "own.toml":
        Path(which).write_text('[scenario]\nid = "own"\ntitle = "Own"\nbase = "frontier"\n', encoding="utf-8")
        words = ["board", "desert_aa", "--scenario", which]
    else:
        run("play", "desert_aa", "--scenario", "frontier", "--seed", "a", "--out", which, code=0)
        words = ["board", which]
    before = Path(which).read_bytes()
    with other_name(Path(which), kind) as name:
        told = refused(2, *words, "--out", name, "--force")
    assert told == f"sandtable: {name}: is the file {which}, which is read here: choose another name with --out"
    assert Path(which).read_bytes() == before


@pytest.fixture
def own_files(monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Write a scenario with its map, and a folder of rulesets, into the folder where we are."""
    shutil.copytree(RULESETS, "rulesets")
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", "rulesets")
    files = {"scenario": Path("own/scenario.toml"), "map": Path("own/map.toml")}
    Path("own").mkdir()
    told = 'places = 4\n[scenario]\nid = "own"\ntitle = "A day of our own"\nmap = "map.toml"\n'
    files["scenario"].write_text(told, encoding="utf-8")
    files["map"].write_text("wells = 1\n", encoding="utf-8")
    return files | {name: Path("rulesets") / f"skirmish{name}" for name in (".py", "_mill.toml")}


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("which", ["scenario", "map", ".py"])
def test_game_does_not_overwrite_its_input_files(
    which: str, kind: str, own_files: dict[str, Path], refused: Refused
) -> None:
    before = own_files[which].read_bytes()
    with other_name(own_files[which], kind) as name:
        told = refused(2, "play", "skirmish", "--scenario", "own/scenario.toml", "--out", name, "--force")
    assert told.startswith(f"sandtable: {name}: is the file ")
    assert own_files[which].read_bytes() == before


def test_files_of_the_ruleset_are_never_overwritten(own_files: dict[str, Path], run: Run, refused: Refused) -> None:
    run("play", "skirmish", "--seed", "a", "--out", "game.jsonl", code=0)
    for words, which in (
        (("play", "skirmish"), "_mill.toml"),
        (("log", "redact", "game.jsonl", "--side", "red"), ".py"),
    ):
        before = own_files[which].read_bytes()
        assert "which is read here" in refused(2, *words, "--out", str(own_files[which]), "--force")
        assert own_files[which].read_bytes() == before


def test_force_overwrites_a_file_that_is_not_read(log: Path, run: Run) -> None:
    Path("old.jsonl").write_bytes(b"old")
    for words in (
        ("log", "redact", "game.jsonl", "--side", "red"),
        ("log", "battle", "game.jsonl", "--battle", "1"),
        ("play", "skirmish", "--seed", "b"),
    ):
        run(*words, "--out", "old.jsonl", "--force", code=0)
        assert Path("old.jsonl").read_bytes().endswith(b"\n")
    run("verify", "old.jsonl", code=0)


@pytest.mark.parametrize("name", ["club.jsonl", "own.toml", "last.txt"])
def test_saved_orders_replace_only_an_order_file_of_this_turn(
    name: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(CAMPAIGNS))
    Path("own.toml").write_text("[scenario]\n", encoding="utf-8")
    Path("last.txt").write_text("# turn 9\n[others]\nmill: hold\n", encoding="utf-8")
    others = Path("own.toml").read_bytes() + Path("last.txt").read_bytes()
    people = [f"--player={seat}=human" for seat in ("umpire", "axis", "allies")]
    result = run("play", "sortie", *people, "--seed", "a", "--out", "club.jsonl", typed=f"save {name}\nquit\n")
    assert f"{name}: already exists: name another file" in " ".join(result.stderr.split())
    assert Path("own.toml").read_bytes() + Path("last.txt").read_bytes() == others
    assert b"#" not in Path("club.jsonl").read_bytes()
    assert result.exit_code == 0, result.stderr
