from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import RANDOM, Refused, Run, RunJson
from cutting import chain_in, within


def lines_of(path: str) -> list[bytes]:
    lines = Path(path).read_bytes().split(b"\n")
    return [line for line in lines if line and not line.startswith(b'{"kind":"annex"')]


def keep(log: str, lines: int) -> bytes:
    """Cut a log down to the writes in its first lines, and return them."""
    data = within(Path(log).read_bytes(), lines)
    Path(log).write_bytes(data)
    return data


@pytest.mark.full
@pytest.mark.parametrize("share", [0.1, 0.35, 0.6, 0.9])
@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_interrupted_game_resumes_to_the_same_bytes(run: Run, mode: str, share: float, of_seed_a: str) -> None:
    run("play", "skirmish", *RANDOM, "--key", of_seed_a, "--dice", mode, "--out", "x.jsonl", code=0)
    lines = lines_of("x.jsonl")
    keep("x.jsonl", int(len(lines) * share))
    named = [] if mode == "open" else ["--key", of_seed_a]
    run("resume", "x.jsonl", *named, code=0)
    assert lines_of("x.jsonl") == lines
    run("verify", "x.jsonl", code=0)


def test_resume_prints_the_same_result_as_play(run_json: RunJson, log: str) -> None:
    records = len(chain_in(Path(log).read_bytes())) - 1
    keep(log, 20)
    told = run_json("resume", log)
    assert list(told) == ["log", "outcome", "ending", "shares", "turns", "records", "seconds"]
    assert told["records"] == records


def test_another_player_may_take_over(run: Run, log: str, refused: Refused) -> None:
    keep(log, 20)
    assert "has no player 'caesar'" in refused(2, "resume", log, "--player", "red=caesar")
    assert "has no side or seat 'green'" in refused(2, "resume", log, "--player", "green=first")
    run("resume", log, "--player", "red=first", "--player", "umpire=first", code=0)
    assert b'"players":{"red":"first","blue":"random","umpire":"first"}' in Path(log).read_bytes()
    run("verify", log, code=0)


def test_finished_game_is_not_resumed(log: str, refused: Refused) -> None:
    before = Path(log).read_bytes()
    assert "the game is over" in refused(1, "resume", log)
    assert Path(log).read_bytes() == before


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda data: b"", "is empty"),
        (lambda data: data.replace(b'"stance":"bold"', b'"stance":"wary"', 1), "was altered"),
        (lambda data: data.replace(b"\n", b"\r\n"), "CRLF"),
        (lambda data: b"hello\n", "not a Sandtable log"),
    ],
)
def test_incomplete_log_is_refused_and_kept(
    log: str, refused: Refused, spoil: Callable[[bytes], bytes], message: str
) -> None:
    data = spoil(keep(log, 60))
    Path(log).write_bytes(data)
    assert message in refused(3, "resume", log)
    assert Path(log).read_bytes() == data
    assert "cannot be read" in refused(3, "resume", "nowhere.jsonl")


def test_torn_last_line_is_cut_off_and_the_original_kept(run: Run, log: str) -> None:
    lines = lines_of(log)
    torn = keep(log, 60)[:-21]
    Path(log).write_bytes(torn)
    result = run("resume", log, code=0)
    assert f"of an unfinished line cut off; copy of the original: {log}.broken-1" in result.stderr
    assert lines_of(log) == lines
    assert Path(f"{log}.broken-1").read_bytes() == torn


@pytest.mark.full
def test_game_stopped_before_its_key_was_written_is_not_resumed(run: Run) -> None:
    """A log with secrets shows its key in the line behind the header; both are one write, which a kill may cut."""
    words = "play", "desert_aa", "--scenario", "frontier", "--seed", "a", "--out", "x.jsonl"
    run(*words, code=0)
    header, opening, *_ = Path("x.jsonl").read_bytes().split(b"\n")
    Path("x.jsonl").write_bytes(header + b"\n" + opening[:50])
    stopped = run("resume", "x.jsonl", code=1)
    assert "the game was never started" in stopped.stderr
    run(*words, "--force", code=0)
    run("verify", "x.jsonl", code=0)
    Path("x.jsonl").write_bytes(header + b"\n" + opening + b"\n")
    run("resume", "x.jsonl", code=0)
    run("verify", "x.jsonl", code=0)


def test_log_without_its_private_file_is_shown_as_spectators_see_it(run: Run, refused: Refused) -> None:
    """A game with a person is unfinished: its closed parts are in LOG.private, which was not copied along."""
    words = ("play", "khamsin", "--scenario", "teaching", "--player", "axis=human", "--player", "allies=first")
    run(*words, "--out", "game.jsonl", typed="staff\nquit\n", code=0)
    Path("copy.jsonl").write_bytes(Path("game.jsonl").read_bytes())
    told = run("board", "copy.jsonl", code=0).stderr
    assert "copy.jsonl: shown as spectators see it: the rest is in copy.jsonl.private" in told
    Path("game.jsonl").unlink()
    told = refused(2, *words, "--out", "game.jsonl")
    assert "game.jsonl.private holds the secrets of a game whose log is no longer here" in told


def test_resume_of_a_slice_is_refused_with_the_reason(run: Run, log: str, refused: Refused) -> None:
    keep(log, 60)
    run("log", "redact", log, "--side", "red", "--out", "red.jsonl", code=0)
    before = Path("red.jsonl").read_bytes()
    for words in (("resume",), ("log", "rule", "--reason", "so", "--event", "{}")):
        assert "slice of red" in refused(1, *words, "red.jsonl")
    assert Path("red.jsonl").read_bytes() == before
