"""Orders submitted again under other rules, and why they do not reach the end."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from cutting import cut_after
from msgspec import structs

from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.other_rules.impact import impact_on
from sandtable.journal.other_rules.rerun import RerunUnderRules, Stop
from sandtable.journal.record import Recorded
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import Decision
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord, OrderRecord, RollRecord, RulingRecord
from sandtable.plugin.manager import Prepared
from sandtable.testing.tictactoe import Mark, Marked


def retried(recorded: Recorded, prepared: Prepared, end: int = 0) -> RerunUnderRules:
    data = cut_after(recorded.data, end) if end else recorded.data
    log = parse_log(data, "log")
    records = read_records(log, prepared.ruleset)
    return RerunUnderRules(prepared, log, records, dice_of(log, records))


def test_new_roll_without_a_known_key_stops_the_rerun(record: Callable[..., Recorded], toy: Prepared) -> None:
    recorded = record("a", "host", "toy")
    roll = next(each.n for each in recorded.game.records if isinstance(each, RollRecord))
    tried = retried(recorded, toy, roll - 1)
    tried.run()
    assert tried.stop == Stop(roll - 1, "", "a roll that was never made: its dice key is not known")
    asked = next(each.n for each in recorded.game.records[roll:] if isinstance(each, OrderRecord))
    found = impact_on(parse_log(cut_after(recorded.data, asked - 1), "log"), toy)  # its rolls are taken as stored
    assert (found.verdict, found.text, found.problem) == ("same", "", "")
    whole = retried(recorded, toy)
    whole.run()
    assert (whole.stop, whole.choices) == (None, None)


def test_question_without_an_order_stops_an_unfinished_rerun(game: Recorded, prepared: Prepared) -> None:
    orders = [each.n for each in game.game.records if isinstance(each, OrderRecord)]
    tried = retried(game, prepared)
    dropped = tried._queues["x"].popleft()
    assert dropped.n == orders[0]
    tried.run()
    text = "x is asked mark a cell, a question that did not occur in the recorded game"
    assert tried.stop == Stop(orders[1], "T3-1", text)
    closed = retried(game, prepared)
    closed._queues.clear()
    closed.run()
    assert closed.stop == Stop(game.game.records[-1].n, "T3-1", text)
    assert isinstance(game.game.records[-1], CloseRecord)
    ended = retried(game, prepared, orders[1] + 1)
    ended.run()
    assert (ended.stop, ended.game.number) == (None, orders[2] - 1)


def test_seat_without_recorded_orders_answers_last(game: Recorded, prepared: Prepared) -> None:
    last = [each.n for each in game.game.records if isinstance(each, OrderRecord)][1]
    tried = retried(game, prepared, last)
    asked: Any = SimpleNamespace(seat="o")
    assert tried._next_of(asked) == last
    tried._queues["o"].clear()
    assert tried._next_of(asked) == last + 1
    asked.seat = "nobody"
    assert tried._next_of(asked) == last + 1


def test_orders_to_absent_questions_are_skipped(game: Recorded, prepared: Prepared) -> None:
    tried = retried(game, prepared)
    first = tried._queues["x"][0]
    tried._queues["x"].appendleft(structs.replace(first, asked="1/play/never/1#0"))
    tried.run()
    assert tried.stop is None
    bare = retried(game, prepared)
    bare._queues["x"][0] = structs.replace(first, asked="")  # an old log does not name the question
    bare.run()
    assert (bare.stop, bare.choices) == (None, None)
    other = retried(game, prepared)
    other._queues["x"][0] = structs.replace(first, asked=f"{first.asked}0")
    other.run()
    assert other.choices == (first.n, "T3-1", "x had different options: mark a cell")


def test_illegal_order_stops_the_rerun_unless_fill_answers(game: Recorded, prepared: Prepared) -> None:
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
    unfinished.run(fill)  # an unfinished game is not continued
    assert (filled, unfinished.stop) == ([], None)


def test_rulings_are_repeated_before_the_next_order(prepared: Prepared, game: Recorded) -> None:
    tried = retried(game, prepared)
    second = next(each for each in tried._queues["o"])
    cell = next(
        cell for cell in range(9) if cell not in {each.order.cell for each in tried._queues["x"]} | {second.order.cell}
    )
    ruling: RulingRecord[Any] = RulingRecord(4, "umpire", "so", Marked("x", cell), signature="ab", hash="cd")
    tried._rulings[second.n] = [ruling, ruling]
    tried.run()
    made, again = (each for each in tried.game.trail if isinstance(each, RulingRecord))
    assert (made.event, made.signature, made.hash) == (Marked("x", cell), "", "")
    assert (made.n, again.n, again.event) == (second.n, second.n + 1, made.event)
