"""Recorded games under other rules: the first record that differs, and the verdict."""

from types import SimpleNamespace
from typing import Any

import pytest
from cutting import cut_after
from msgspec import structs

from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.other_rules import impact
from sandtable.journal.other_rules.impact import Impact, impact_on
from sandtable.journal.other_rules.rerun import Stop
from sandtable.journal.record import Recorded
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, RulingRecord, SealRecord
from sandtable.plugin.manager import Prepared
from sandtable.testing.tictactoe import Mark, Marked

STOP = Stop(4, "X-1", "it is asked something else")


def marked(n: int, cell: int = 1, side: str = "x") -> EventRecord[Any]:
    return EventRecord(n, Marked(side, cell))


def test_first_record_that_differs_is_reported_with_its_rule() -> None:
    games = [marked(1), OrderRecord(2, "x", Mark(1)), SealRecord(3, "00")]
    again = [marked(1), OrderRecord(9, "x", Mark(1), asked="other"), SealRecord(3, "11")]
    assert impact._first(games, again, None) == (0, "", "")
    assert impact._first(games, again, STOP) == (0, "", "")
    assert impact._first([*games, marked(4)], again, None) == (4, "T3-1", "the event Marked is not made")
    assert impact._first([*games, marked(4)], again, STOP) == (4, "X-1", "it is asked something else")
    text = "the rules continue with the event Marked, but the log ends"
    assert impact._first(games, [*again, marked(4)], None) == (4, "T3-1", text)
    roll = RollRecord(4, "1/a/b/1", 6, (1,), "X-9")
    text = "the rules make the roll 1/a/b/1 here; the log has the event Marked"
    assert impact._first([*games, marked(4)], [*again, roll], None) == (4, "X-9", text)
    text = "the event Marked: event.cell was 1; the rules give 2"
    assert impact._first([marked(1), marked(2)], [marked(1), marked(2, 2)], STOP) == (2, "T3-1", text)
    assert impact._first([roll], [structs.replace(roll, rule="", dice=(2,))], None) == (
        4,
        "X-9",
        "the roll 1/a/b/1: dice[0] was 1; the rules give 2",
    )


def test_records_that_differ_only_in_number_are_equal() -> None:
    assert impact._alike(marked(1), marked(2))
    assert not impact._alike(marked(1), marked(1, 2))
    assert not impact._alike(marked(1), SealRecord(1, "00"))
    assert not impact._alike(SealRecord(1, "00"), SealRecord(1, "00"))  # unknown to the fast check
    for other, alike in ((Mark(1), True), (Mark(2), False)):
        assert impact._alike(OrderRecord(1, "x", Mark(1)), OrderRecord(2, "x", other)) is alike
    assert not impact._alike(OrderRecord(1, "x", Mark(1)), OrderRecord(1, "o", Mark(1)))
    assert impact._how(SealRecord(1, "00"), SealRecord(2, "11")) == "the seal differs"
    ruling: RulingRecord[Any] = RulingRecord(3, "umpire", "so", Marked("x", 1), signature="ab", hash="cd")
    amended: RulingRecord[Any] = RulingRecord(2, "umpire", "so", amends=2)
    assert impact._compared([marked(1), amended, ruling]) == [marked(1), structs.replace(ruling, signature="", hash="")]


VERDICTS = [
    ("x", "o", None, "", True, "different winner"),
    ("x", "o", STOP, "", True, "different winner"),
    ("x", "x", structs.replace(STOP, illegal=True), "", True, "order illegal"),
    ("x", "", STOP, "", True, "different decision"),
    ("", "o", STOP, "", False, "different decision"),
    ("", "o", None, "", True, "differs"),
    ("x", "", None, "other", True, "differs"),
    ("x", "x", None, "other", False, "different options"),
    ("x", "x", None, "", False, "same"),
    ("", "", None, "", False, "same"),
]


@pytest.mark.parametrize(("was", "now", "stop", "choices", "differs", "verdict"), VERDICTS)
def test_verdict_is_the_most_severe_result(
    was: str, now: str, stop: Stop | None, choices: str, differs: bool, verdict: str
) -> None:
    tried: Any = SimpleNamespace(stop=stop, choices=(1, "", choices) if choices else None)
    assert impact._verdict(was, now, tried, differs=differs) == verdict
    assert verdict in impact.VERDICTS


def test_same_rules_give_the_same_game(game: Recorded, log: Log, prepared: Prepared) -> None:
    outcome = game.game.state.outcome
    assert impact_on(log, prepared) == Impact("log", "tictactoe", "same", was=outcome, now=outcome)
    part = parse_log(cut_after(game.data, 6), "log")
    found = impact_on(part, prepared)
    assert (found.verdict, found.was, found.now, found.stop) == ("same", "", "", None)
    middle = parse_log(cut_after(game.data, 5), "log")  # an order without its consequences
    found = impact_on(middle, prepared)
    assert (found.verdict, found.record) == ("differs", 6)
    assert found.text == "the rules continue with the event Marked, but the log ends"


def test_different_state_after_the_same_records_is_reported(log: Log, prepared: Prepared) -> None:
    log.lines[-1] = log.lines[-1].replace(b'"digest":"', b'"digest":"0')
    found = impact_on(log, prepared)
    assert (found.verdict, found.record, found.text) == (
        "differs",
        log.records,
        "the same records, but a different state",
    )
    log.header = structs.replace(log.header, ruleset_version="7")
    assert impact_on(log, prepared).verdict == "same"  # a digest holds the version


def fails(*_: Any) -> Any:
    raise KeyError("none")


def test_log_that_cannot_be_run_has_a_reason(
    game: Recorded, log: Log, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = parse_log(game.data.replace(b'"n":3', b'"n":4', 1), "log")
    found = impact_on(broken, prepared)
    assert (found.verdict, found.problem) == (
        "cannot be run",
        "log: line 4: was altered: `sandtable verify` shows where",
    )
    monkeypatch.setattr(Game, "start", fails)
    found = impact_on(log, prepared)
    assert (found.verdict, found.stop) == ("different decision", Stop(3, "", "KeyError: 'none'"))
    monkeypatch.setattr(Prepared, "new_game", fails)
    found = impact_on(log, prepared)
    assert (found.verdict, found.problem, found.was) == ("cannot be run", "KeyError: 'none'", game.game.state.outcome)
