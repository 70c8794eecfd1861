"""``sandtable log page``, ``replay --watch`` and ``log gallery``, on the skirmish."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from command_line import Run

from sandtable.cli.game.pager import HELP, Walk, in_lines, stops_of
from sandtable.kernel.events import GameEnded, PhaseBegan, TurnBegan
from sandtable.kernel.records import EventRecord, OrderRecord, RulingRecord
from sandtable.testing.toy import Commit


def test_page_is_written_once_and_checked_against_its_log(run: Run, log: str) -> None:
    words = ("log", "page", log, "--out", "a.html")
    assert "a.html: written" in run(*words, code=0).stderr
    assert run("log", "page", "--check", "a.html", code=0).stderr == "a.html: every byte matches its log\n"
    assert run(*words).exit_code != 0
    run(*words, "--force", code=0)
    assert run("log", "page", log, "--out", log, "--force").exit_code != 0
    page = Path("a.html")
    page.write_text(page.read_text().replace("The game is over", "The game is won"))
    told = run("log", "page", "--check", "a.html", code=1).stderr
    assert "a.html: does NOT match its log: its page differ" in told


def _strict(state: Any, event: Any) -> None:
    del state.ambush[event.side]  # which a slice of the other side does not have


def test_sides_page_is_checked_against_its_slice(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("play", "toy", "--seed", "a", "--out", "toy.jsonl", code=0)
    run("log", "page", "toy.jsonl", "--out", "n.html", "--side", "north", code=0)
    alone = run("log", "page", "--check", "n.html", code=0).stderr
    assert "sentences match it; so do its pictures, counts and decisions\n" in alone
    with monkeypatch.context() as patched:
        patched.setattr("sandtable.testing.toy.ambush_sprung.__code__", _strict.__code__)
        alone = run("log", "page", "--check", "n.html", code=0).stderr
    assert "sentences match it; its pictures use data that the slice does not show" in alone
    assert "record 16 (AmbushSprung)" in alone
    assert run("log", "page", "--check", "n.html", "toy.jsonl").stderr == "n.html: every byte matches its log\n"
    page = Path("n.html")
    page.write_text(page.read_text().replace("The game is over", "The game is won"))
    assert "the story in it differ" in run("log", "page", "--check", "n.html", code=1).stderr


def test_page_of_a_spectator_is_checked_without_the_log(run: Run) -> None:
    run("play", "toy", "--seed", "a", "--out", "toy.jsonl", code=0)
    run("log", "page", "toy.jsonl", "--out", "p.html", "--side", "public", code=0)
    alone = run("log", "page", "--check", "p.html", code=0).stderr
    assert "sentences match it" in alone
    assert "Error" not in alone
    assert "so do its pictures, counts and decisions\n" in alone
    assert "as a spectator saw it" in Path("p.html").read_text()
    assert run("log", "page", "--check", "p.html", "toy.jsonl").stderr == "p.html: every byte matches its log\n"


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("a.jsonl", "--html", "x.html", "--turn", "1"),
        ("a.jsonl", "--compare", "a.jsonl"),
        ("a.jsonl", "--html", "x.html", "--side", "nobody"),
        ("a.jsonl", "--watch", "--to", "3"),
        ("--html", "x.html"),
    ],
)
def test_incompatible_options_are_a_usage_error(words: tuple[str, ...], run: Run, log: str) -> None:
    run("replay", *words, code=2)
    assert not Path("x.html").exists()


def test_page_compares_two_games(run: Run, log: str) -> None:
    run("play", "skirmish", "--seed", "b", "--out", "b.jsonl")
    run("log", "page", log, "--out", "ab.html", "--compare", "b.jsonl", code=0)
    assert 'id="log-1"' in Path("ab.html").read_text()
    run("log", "page", "--check", "ab.html", code=0)


def test_gallery_has_a_page_per_log_and_names_failures(run: Run, log: str) -> None:
    Path("games/more").mkdir(parents=True)
    Path(log).rename("games/more/a.jsonl")
    Path("games/broken.jsonl").write_text("no log\n")
    run("log", "gallery", "games", "--out", "site", code=1)
    index = Path("site/index.html").read_text()
    assert '<a href="more/a.html">' in index
    assert "broken.jsonl" in index
    assert Path("site/more/a.html").exists()
    assert "<script" not in index


def test_game_is_stepped_through_in_the_terminal(run: Run, log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    keys: Iterator[str] = iter(["l", ".", ">", "]", "G", "[", "h", ",", "g", "j", "k", "?", "q"])
    monkeypatch.setattr(click, "getchar", lambda: next(keys))
    walked = run("replay", log, "--watch", code=0)
    places = [line.split(" of ")[0] for line in walked.stderr.splitlines() if line.startswith("record ")]
    assert places[0] == "record 0"
    assert len(set(places)) > 5
    assert next(keys, "") == ""


def test_key_help_fits_the_line_width() -> None:
    lines = in_lines(HELP, 60)
    assert len(lines) == 3
    assert all(len(line) <= 60 for line in lines)
    assert "   ".join(lines) == "   ".join(HELP)


def test_terminal_walk_stops_at_the_same_records_as_the_page() -> None:
    records = [
        EventRecord(1, TurnBegan(1)),
        EventRecord(2, PhaseBegan("first")),
        OrderRecord(3, "red", Commit(1)),
        RulingRecord(4, "umpire", "so it is"),
        OrderRecord(5, "red", Commit(1)),
        EventRecord(6, GameEnded("red", "done")),
    ]
    stops = stops_of(records, 7)
    assert stops == {"beat": [0, 1, 2, 4, 7], "phase": [0, 1, 7], "turn": [0, 7], "moment": [0, 4, 6, 7]}
    walk = Walk(records, (), 7)
    for unit, way, record in (("moment", 1, 4), ("record", 1, 5), ("turn", -1, 0), ("all", 1, 7), ("moment", -1, 6)):
        walk.go(unit, way)
        assert walk.now == record
