"""Old games under other rules: the first record that differs, why orders lead no further, and versions side by side."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cutting import cut_after
from msgspec import json, structs, to_builtins
from racing import BOTS, write

from sandtable.errors import DataError
from sandtable.front import new_game
from sandtable.journal import versions
from sandtable.journal.file.log import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.other_rules import impact
from sandtable.journal.other_rules.impact import Impact, impact_on
from sandtable.journal.other_rules.rerun import RerunUnderRules, Stop
from sandtable.journal.record import Recorded
from sandtable.journal.verification.stored import dice_of
from sandtable.journal.versions import VersionRun, check_folders, run_apart, run_version
from sandtable.kernel.decisions import Decision
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord, RulingRecord, SealRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.tictactoe import Mark, Marked

Play = Callable[..., Recorded]
STOP = Stop(4, "X-1", "it is asked something else")


def marked(n: int, cell: int = 1, side: str = "x") -> EventRecord[Any]:
    return EventRecord(n, Marked(side, cell))


# --- the first record that differs ---


def test_the_first_record_that_is_not_made_again_is_told_with_its_rule() -> None:
    games = [marked(1), OrderRecord(2, "x", Mark(1)), SealRecord(3, "00")]
    again = [marked(1), OrderRecord(9, "x", Mark(1), asked="other"), SealRecord(3, "11")]
    assert impact._first(games, again, None) == (0, "", "")
    assert impact._first(games, again, STOP) == (0, "", "")
    assert impact._first([*games, marked(4)], again, None) == (4, "T3-1", "the event Marked is not made")
    assert impact._first([*games, marked(4)], again, STOP) == (4, "X-1", "it is asked something else")
    told = "the rules go on with the event Marked, where the log ends"
    assert impact._first(games, [*again, marked(4)], None) == (4, "T3-1", told)
    roll = RollRecord(4, "1/a/b/1", 6, (1,), "X-9")
    told = "the rules make the roll 1/a/b/1 here; the log has the event Marked"
    assert impact._first([*games, marked(4)], [*again, roll], None) == (4, "X-9", told)
    told = "the event Marked: event.cell was 1; the rules give 2"
    assert impact._first([marked(1), marked(2)], [marked(1), marked(2, 2)], STOP) == (2, "T3-1", told)
    assert impact._first([roll], [structs.replace(roll, rule="", dice=(2,))], None) == (
        4,
        "X-9",
        "the roll 1/a/b/1: dice[0] was 1; the rules give 2",
    )


def test_records_that_differ_in_their_place_alone_are_alike() -> None:
    assert impact._alike(marked(1), marked(2))
    assert not impact._alike(marked(1), marked(1, 2))
    assert not impact._alike(marked(1), SealRecord(1, "00"))
    assert not impact._alike(SealRecord(1, "00"), SealRecord(1, "00"))  # that says nothing
    for other, alike in ((Mark(1), True), (Mark(2), False)):
        assert impact._alike(OrderRecord(1, "x", Mark(1)), OrderRecord(2, "x", other)) is alike
    assert not impact._alike(OrderRecord(1, "x", Mark(1)), OrderRecord(1, "o", Mark(1)))
    assert impact._how(SealRecord(1, "00"), SealRecord(2, "11")) == "the seal differs"
    ruling: RulingRecord[Any] = RulingRecord(3, "umpire", "so", Marked("x", 1), signature="ab", hash="cd")
    amended: RulingRecord[Any] = RulingRecord(2, "umpire", "so", amends=2)
    assert impact._compared([marked(1), amended, ruling]) == [marked(1), structs.replace(ruling, signature="", hash="")]


VERDICTS = [
    ("x", "o", None, "", True, "other winner"),
    ("x", "o", STOP, "", True, "other winner"),
    ("x", "x", structs.replace(STOP, illegal=True), "", True, "order illegal"),
    ("x", "", STOP, "", True, "goes another way"),
    ("", "o", STOP, "", False, "goes another way"),
    ("", "o", None, "", True, "differs"),
    ("x", "", None, "other", True, "differs"),
    ("x", "x", None, "other", False, "other choices"),
    ("x", "x", None, "", False, "same"),
    ("", "", None, "", False, "same"),
]


@pytest.mark.parametrize(("was", "now", "stop", "choices", "differs", "verdict"), VERDICTS)
def test_the_worst_that_came_of_it_is_the_verdict(
    was: str, now: str, stop: Stop | None, choices: str, differs: bool, verdict: str
) -> None:
    tried: Any = SimpleNamespace(stop=stop, choices=(1, "", choices) if choices else None)
    assert impact._verdict(was, now, tried, differs=differs) == verdict
    assert verdict in impact.VERDICTS


def test_the_same_rules_make_the_same_of_a_game(game: Recorded, prepared: Prepared) -> None:
    log = parse_log(game.data, "log")
    outcome = game.game.state.outcome
    assert impact_on(log, prepared) == Impact("log", "tictactoe", "same", was=outcome, now=outcome)
    part = parse_log(cut_after(game.data, 6), "log")
    found = impact_on(part, prepared)
    assert (found.verdict, found.was, found.now, found.stop) == ("same", "", "", None)
    middle = parse_log(cut_after(game.data, 5), "log")  # an order, without what follows from it
    found = impact_on(middle, prepared)
    assert (found.verdict, found.record) == ("differs", 6)
    assert found.text == "the rules go on with the event Marked, where the log ends"


def test_another_state_after_the_same_records_is_told(game: Recorded, prepared: Prepared) -> None:
    log = parse_log(game.data, "log")
    log.lines[-1] = log.lines[-1].replace(b'"digest":"', b'"digest":"0')
    found = impact_on(log, prepared)
    assert (found.verdict, found.record, found.text) == ("differs", log.records, "the same records, and another state")
    log.header = structs.replace(log.header, ruleset_version="7")
    assert impact_on(log, prepared).verdict == "same"  # a digest holds the version


def fails(*_: Any) -> Any:
    raise KeyError("none")


def test_what_cannot_be_run_says_why(game: Recorded, prepared: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = parse_log(game.data.replace(b'"n":3', b'"n":4', 1), "log")
    found = impact_on(broken, prepared)
    assert (found.verdict, found.problem) == (
        "cannot be run",
        "log: line 4: was altered: `sandtable verify` tells where",
    )
    log = parse_log(game.data, "log")
    monkeypatch.setattr(Game, "start", fails)
    found = impact_on(log, prepared)
    assert (found.verdict, found.stop) == ("goes another way", Stop(3, "", "KeyError: 'none'"))
    monkeypatch.setattr(Prepared, "new_game", fails)
    found = impact_on(log, prepared)
    assert (found.verdict, found.problem, found.was) == ("cannot be run", "KeyError: 'none'", game.game.state.outcome)


# --- giving orders again ---


def retried(recorded: Recorded, prepared: Prepared, end: int = 0) -> RerunUnderRules:
    data = cut_after(recorded.data, end) if end else recorded.data
    log = parse_log(data, "log")
    records = read_records(log, prepared.ruleset)
    return RerunUnderRules(prepared, log, records, dice_of(log, records))


def test_a_roll_of_a_key_that_is_not_known_ends_it(record: Play, rulesets: Rulesets) -> None:
    prepared = rulesets.load("toy").prepare()
    recorded = record("a", "host", "toy")
    roll = next(each.n for each in recorded.game.records if isinstance(each, RollRecord))
    tried = retried(recorded, prepared, roll - 1)
    tried.run()
    assert tried.stop == Stop(roll - 1, "", "a roll that was never made: its dice key is not known")
    asked = next(each.n for each in recorded.game.records[roll:] if isinstance(each, OrderRecord))
    found = impact_on(
        parse_log(cut_after(recorded.data, asked - 1), "log"), prepared
    )  # its rolls are taken as they stand
    assert (found.verdict, found.text, found.problem) == ("same", "", "")
    whole = retried(recorded, prepared)
    whole.run()
    assert (whole.stop, whole.choices) == (None, None)


def test_where_orders_are_left_or_the_log_is_closed_a_question_without_one_is_told(
    game: Recorded, prepared: Prepared
) -> None:
    orders = [each.n for each in game.game.records if isinstance(each, OrderRecord)]
    tried = retried(game, prepared)
    dropped = tried._queues["x"].popleft()
    assert dropped.n == orders[0]
    tried.run()
    told = "x is asked mark a cell, which was never asked then"
    assert tried.stop == Stop(orders[1], "T3-1", told)
    closed = retried(game, prepared)
    closed._queues.clear()
    closed.run()
    assert closed.stop == Stop(game.game.records[-1].n, "T3-1", told)
    assert isinstance(game.game.records[-1], CloseRecord)
    ended = retried(game, prepared, orders[1] + 1)
    ended.run()
    assert (ended.stop, ended.game.number) == (None, orders[2] - 1)


def test_who_has_no_order_left_is_asked_after_all_others(game: Recorded, prepared: Prepared) -> None:
    last = [each.n for each in game.game.records if isinstance(each, OrderRecord)][1]
    tried = retried(game, prepared, last)
    asked: Any = SimpleNamespace(seat="o")
    assert tried._next_of(asked) == last
    tried._queues["o"].clear()
    assert tried._next_of(asked) == last + 1
    asked.seat = "nobody"
    assert tried._next_of(asked) == last + 1


def test_orders_to_questions_that_are_not_asked_are_passed_over(game: Recorded, prepared: Prepared) -> None:
    tried = retried(game, prepared)
    first = tried._queues["x"][0]
    tried._queues["x"].appendleft(structs.replace(first, asked="1/play/never/1#0"))
    tried.run()
    assert tried.stop is None
    bare = retried(game, prepared)
    bare._queues["x"][0] = structs.replace(first, asked="")  # an old log does not tell the question
    bare.run()
    assert (bare.stop, bare.choices) == (None, None)
    other = retried(game, prepared)
    other._queues["x"][0] = structs.replace(first, asked=f"{first.asked}0")
    other.run()
    assert other.choices == (first.n, "T3-1", "x had other choices: mark a cell")


def test_an_order_that_is_no_longer_legal_ends_it_or_somebody_answers(game: Recorded, prepared: Prepared) -> None:
    orders = [each for each in game.game.records if isinstance(each, OrderRecord)]

    def spoiled() -> RerunUnderRules:
        tried = retried(game, prepared)
        tried._queues["o"][0] = structs.replace(tried._queues["o"][0], order=Mark(orders[0].order.cell))
        return tried

    tried = spoiled()
    tried.run()
    assert tried.stop is not None
    assert (tried.stop.record, tried.stop.rule, tried.stop.illegal) == (orders[1].n, "T3-1", True)
    assert tried.stop.text.startswith("the order of o is no longer legal: ")
    filled: list[str] = []

    def fill(game: Game, decision: Decision) -> Any:
        filled.append(decision.seat)
        return next(iter(decision.options.values()))

    again = spoiled()
    again.run(fill)
    assert again.stop is not None
    assert (again.stop.record, again.game.is_over, filled[0]) == (orders[1].n, True, "o")
    untouched = retried(game, prepared)
    filled.clear()
    untouched.run(fill)
    assert filled == []
    unfinished = retried(game, prepared, orders[1].n + 1)
    unfinished.run(fill)  # nobody goes on with a game that was broken off
    assert (filled, unfinished.stop) == ([], None)


def test_rulings_are_made_again_before_the_order_that_came_after_them(prepared: Prepared, game: Recorded) -> None:
    tried = retried(game, prepared)
    second = next(each for each in tried._queues["o"])
    cell = next(
        cell for cell in range(9) if cell not in {each.order.cell for each in tried._queues["x"]} | {second.order.cell}
    )
    ruling: RulingRecord[Any] = RulingRecord(4, "umpire", "so", Marked("x", cell), signature="ab", hash="cd")
    tried._rulings[second.n] = [ruling]
    tried.run()
    made = next(each for each in tried.game.trail if isinstance(each, RulingRecord))
    assert (made.event, made.signature, made.hash) == (Marked("x", cell), "", "")
    assert made.n == second.n


# --- versions ---


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which a game of version 1 of the race was recorded."""
    monkeypatch.chdir(tmp_path)
    write(Path("one"), "1")
    Path("old.jsonl").write_bytes(new_game(Rulesets("one", alone=True).load("race"), seed="a", players=BOTS).log())
    return tmp_path


def test_a_version_that_changes_the_game_is_told_from_one_that_does_not(race: Path) -> None:
    same = run_version("one", "old.jsonl")
    assert same.is_same
    assert (same.folder, same.version, same.difference, same.problem, len(same.files)) == ("one", "1", None, "", 64)
    write(Path("two"), "2", times="2")
    other = run_version("two", "old.jsonl")
    assert other.difference is not None
    assert (other.is_same, other.version, other.difference.kind, other.difference.rule) == (
        False,
        "2",
        "rules diverge",
        "R-1",
    )
    Path("empty").mkdir()
    for folder, log, told in (
        ("empty", "old.jsonl", "race"),
        ("one", "none.jsonl", "none.jsonl: cannot be read: No such file or directory; check the path"),
    ):
        wrong = run_version(folder, log)
        assert not wrong.is_same
        assert told in wrong.problem
    frontier = Path(__file__).parents[3] / "replays" / "desert_aa" / "draw-round_limit.jsonl"
    assert run_version("empty", str(frontier)).problem == "there is no desert_aa in it"  # it is elsewhere
    assert (race / "old.jsonl").exists()


def outcome_of(
    monkeypatch: pytest.MonkeyPatch, stdout: bytes = b"", stderr: bytes = b"", *, hangs: bool = False
) -> VersionRun:
    words: list[Any] = []

    def run(given: list[str], **how: Any) -> Any:
        words.append((given[1:], how["timeout"]))
        if hangs:
            raise subprocess.TimeoutExpired(given, how["timeout"])
        return SimpleNamespace(stdout=stdout, stderr=stderr, returncode=3)

    monkeypatch.setattr(subprocess, "run", run)
    found = run_apart("f", "log")
    assert words == [(["-m", "sandtable.journal.versions", "f", "log"], 600)]
    return found


def test_what_becomes_of_the_process_of_a_version_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    good = VersionRun("f", "1", "ab")
    assert outcome_of(monkeypatch, json.encode(to_builtins(good))) == good
    assert outcome_of(monkeypatch, hangs=True).problem == f"took longer than {versions.SECONDS} seconds"
    told = outcome_of(monkeypatch, b"x", b"Traceback\nKeyError: 'x'\n").problem
    assert told == "the process ended with 3: KeyError: 'x'"
    assert outcome_of(monkeypatch).problem == "the process ended with 3: without a word"


@pytest.mark.full
def test_a_version_that_ends_its_process_is_told(game: Recorded, tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text("import os\nos.write(2, b'enough')\nos._exit(3)\n")
    (tmp_path / "log").write_bytes(game.data)
    assert run_apart(str(tmp_path), str(tmp_path / "log")).problem == "the process ended with 3: enough"


def test_folders_of_versions_are_folders(tmp_path: Path) -> None:
    check_folders([str(tmp_path)])
    (tmp_path / "file").touch()
    for other in ("file", "none"):
        with pytest.raises(DataError, match=f"{other}: is no folder: name folders that hold a version"):
            check_folders([str(tmp_path), str(tmp_path / other)])
