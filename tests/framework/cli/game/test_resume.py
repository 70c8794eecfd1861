from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import RANDOM, Refused, Run, RunJson
from cutting import chain_in


def lines_of(path: str) -> list[bytes]:
    lines = Path(path).read_bytes().split(b"\n")
    return [line for line in lines if line and not line.startswith(b'{"kind":"annex"')]


@pytest.fixture(params=["open", "host", "manual"])
def whole(request: pytest.FixtureRequest, run: Run, of_seed_a: str) -> tuple[str, list[bytes]]:
    """Return the dice mode, and the lines of a whole game."""
    mode: str = request.param
    assert run("play", "skirmish", *RANDOM, "--key", of_seed_a, "--dice", mode, "--out", "whole.jsonl").exit_code == 0
    return mode, lines_of("whole.jsonl")


@pytest.mark.full
@pytest.mark.parametrize("share", [0.1, 0.35, 0.6, 0.9])
def test_interrupted_game_resumes_to_the_same_bytes(
    run: Run, whole: tuple[str, list[bytes]], share: float, of_seed_a: str
) -> None:
    mode, lines = whole
    Path("half.jsonl").write_bytes(b"\n".join([*lines[: int(len(lines) * share)], b""]))
    named = [] if mode == "open" else ["--key", of_seed_a]
    result = run("resume", "half.jsonl", *named)
    assert result.exit_code == 0, result.stderr
    assert lines_of("half.jsonl") == lines


def test_it_prints_what_play_prints(run: Run, run_json: RunJson) -> None:
    run("play", "skirmish", *RANDOM, "--seed", "a", "--out", "whole.jsonl")
    lines = lines_of("whole.jsonl")
    Path("half.jsonl").write_bytes(b"\n".join([*lines[:20], b""]))
    told = run_json("resume", "half.jsonl")
    assert list(told) == ["log", "outcome", "ending", "shares", "turns", "records", "seconds"]
    assert told["records"] == len(chain_in(Path("whole.jsonl").read_bytes())) - 1


def test_another_player_may_take_over(run: Run) -> None:
    run("play", "skirmish", *RANDOM, "--seed", "a", "--out", "whole.jsonl")
    lines = lines_of("whole.jsonl")
    Path("half.jsonl").write_bytes(b"\n".join([*lines[:20], b""]))
    assert run("resume", "half.jsonl", "--player", "red=first", "--player", "umpire=first").exit_code == 0
    assert b'"players":{"red":"first","blue":"random","umpire":"first"}' in Path("half.jsonl").read_bytes()
    assert run("verify", "half.jsonl").exit_code == 0


def test_finished_game_is_not_resumed(run: Run, refused: Refused) -> None:
    run("play", "skirmish", *RANDOM, "--seed", "a", "--out", "x.jsonl")
    before = Path("x.jsonl").read_bytes()
    assert "the game is over" in refused(1, "resume", "x.jsonl")
    assert Path("x.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda data: b"", "is empty"),
        (lambda data: data.replace(b'"stance":"bold"', b'"stance":"wary"', 1), "was altered"),
        (lambda data: data.replace(b"\n", b"\r\n"), "CRLF"),
        (lambda data: b"hello\n", "not a Sandtable log"),
    ],
)
def test_a_log_that_is_not_whole_is_refused_and_kept(
    run: Run, refused: Refused, spoil: Callable[[bytes], bytes], message: str
) -> None:
    run("play", "skirmish", *RANDOM, "--seed", "a", "--out", "whole.jsonl")
    data = spoil(b"\n".join([*lines_of("whole.jsonl")[:60], b""]))
    Path("x.jsonl").write_bytes(data)
    assert message in refused(3, "resume", "x.jsonl")
    assert Path("x.jsonl").read_bytes() == data


def test_torn_last_line_is_cut_off_and_the_original_kept(run: Run) -> None:
    run("play", "skirmish", *RANDOM, "--seed", "a", "--out", "whole.jsonl")
    lines = lines_of("whole.jsonl")
    torn = b"\n".join(lines[:60])[:-20]
    Path("x.jsonl").write_bytes(torn)
    result = run("resume", "x.jsonl")
    assert result.exit_code == 0, result.stderr
    assert "of an unfinished line cut off; copy of the original: x.jsonl.broken-1" in result.stderr
    assert lines_of("x.jsonl") == lines
    assert Path("x.jsonl.broken-1").read_bytes() == torn


def test_a_missing_log_and_unknown_players(run: Run, refused: Refused) -> None:
    assert "cannot be read" in refused(3, "resume", "nowhere.jsonl")
    run("play", "skirmish", *RANDOM, "--seed", "a", "--out", "x.jsonl")
    Path("x.jsonl").write_bytes(b"\n".join([*lines_of("x.jsonl")[:20], b""]))
    assert "has no player 'caesar'" in refused(2, "resume", "x.jsonl", "--player", "red=caesar")
    assert "has no side or seat 'green'" in refused(2, "resume", "x.jsonl", "--player", "green=first")


@pytest.mark.full
def test_a_game_stopped_before_its_key_was_written_was_never_begun(run: Run) -> None:
    """A log with secrets shows its key in the line behind the header; both are one write, which a kill may cut."""
    words = "play", "desert_aa", "--scenario", "frontier", "--seed", "a", "--out", "x.jsonl"
    assert run(*words).exit_code == 0
    header, opening, *_ = Path("x.jsonl").read_bytes().split(b"\n")
    Path("x.jsonl").write_bytes(header + b"\n" + opening[:50])
    stopped = run("resume", "x.jsonl")
    assert stopped.exit_code == 1
    assert "the game was never started" in stopped.stderr
    assert run(*words, "--force").exit_code == 0
    assert run("verify", "x.jsonl").exit_code == 0
    Path("x.jsonl").write_bytes(header + b"\n" + opening + b"\n")
    assert run("resume", "x.jsonl").exit_code == 0  # the key is there: that is a game, before its first record
    assert run("verify", "x.jsonl").exit_code == 0


def test_log_without_its_private_file_names_it_as_missing(run: Run, refused: Refused) -> None:
    """A game with a person is unfinished: its closed parts are in LOG.private, which was not copied along."""
    words = ("play", "khamsin", "--scenario", "teaching", "--player", "axis=human", "--player", "allies=first")
    assert run(*words, "--out", "game.jsonl", typed="staff\nquit\n").exit_code == 0
    Path("copy.jsonl").write_bytes(Path("game.jsonl").read_bytes())
    told = refused(3, "explain", "copy.jsonl", "--at", "1")
    assert "or copy.jsonl.private, which must be next to it until the game is over, is missing" in told
    Path("game.jsonl").unlink()
    told = refused(2, *words, "--out", "game.jsonl")
    assert "game.jsonl.private holds the secrets of a game whose log is no longer here" in told


def test_slice_is_not_resumed_and_says_so(run: Run, refused: Refused) -> None:
    run("play", "skirmish", *RANDOM, "--seed", "a", "--out", "whole.jsonl")
    lines = Path("whole.jsonl").read_bytes().splitlines(keepends=True)
    Path("half.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    assert run("log", "redact", "half.jsonl", "--side", "red", "--out", "red.jsonl").exit_code == 0
    before = Path("red.jsonl").read_bytes()
    for words in (("resume",), ("log", "rule", "--reason", "so", "--event", "{}")):
        assert "slice of red" in refused(1, *words, "red.jsonl")
    assert Path("red.jsonl").read_bytes() == before
