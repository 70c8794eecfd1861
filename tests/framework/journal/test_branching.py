"""Branches of small games: where they begin, what answers, how they part from the game, and what is told of it."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from cutting import cut_after
from msgspec import structs

from sandtable.errors import DataError, LogDamaged, PlayError
from sandtable.journal.branching import branch as branching
from sandtable.journal.branching.branch import Original, Parting, branch, original
from sandtable.journal.branching.changes import Changes, check_orders, faces_of
from sandtable.journal.branching.readings import Reading, other_readings, try_readings
from sandtable.journal.file.log import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.record import Recorded
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import EnterDice
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.options import OneOf
from sandtable.kernel.questions import text_of
from sandtable.kernel.records import OrderRecord, RollRecord, RulingRecord, UndoRecord
from sandtable.players.players import first_order
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.plugin.manifest import Option
from sandtable.testing.tictactoe import Mark, Marked

Play = Callable[..., Recorded]


def original_of(recorded: Recorded, prepared: Prepared, end: int = 0) -> Original:
    log = parse_log(cut_after(recorded.data, end) if end else recorded.data, "log")
    records = read_records(log, prepared.ruleset)
    return original(prepared, log, records, dice_of(log, records))


def orders_of(of: Original) -> list[Any]:
    return [each for each in of.records if isinstance(each, OrderRecord)]


@pytest.fixture
def played(game: Recorded, prepared: Prepared) -> Original:
    return original_of(game, prepared)


@pytest.fixture
def toy(rulesets: Rulesets) -> Prepared:
    return rulesets.load("toy").prepare()


# --- what is otherwise ---


def test_the_first_record_that_is_otherwise_is_the_lowest_of_all() -> None:
    assert Changes().first() is None
    assert Changes(dice={9: {1: 1}}, orders={4: None}, rulings={6: None}).first() == 4
    assert Changes(rulings={3: None}, orders={4: None}).first() == 3
    assert Changes(orders={4: None}, readings={"a": "b"}).first() == 0


def test_faces_are_set_by_place_within_the_die() -> None:
    rolls = [RollRecord(1, "a", 6, (1, 2, 3)), RollRecord(2, "b", 4, (4,)), RollRecord(3, "c", 6, (5,))]
    records: list[Any] = [*rolls, UndoRecord(4, "x", 3)]
    assert faces_of(Changes(dice={1: {1: 6, 3: 1}, 2: {1: 1}}), records) == {"a": (6, 2, 1), "b": (1,)}
    for number, given, told in (
        (1, {0: 1}, "record 1: die 0: the roll has dice 1 to 3"),
        (1, {4: 1}, "record 1: die 4: the roll has dice 1 to 3"),
        (1, {1: 0}, "record 1: die 1: has faces 1 to 6, no 0"),
        (2, {1: 5}, "record 2: die 1: has faces 1 to 4, no 5"),
        (3, {1: 1}, "record 3: is no roll that counts in this game"),
    ):
        with pytest.raises(DataError, match=f"^{told}$"):
            faces_of(Changes(dice={number: given}), records)


def test_orders_and_rulings_are_meant_for_orders_that_count(played: Original) -> None:
    first, second = orders_of(played)[:2]
    check_orders(Changes(orders={first.n: None}, rulings={second.n: None}), played.records)
    for changes in (Changes(orders={first.n + 1: None}), Changes(rulings={first.n + 1: None})):
        with pytest.raises(DataError, match=rf"^record {first.n + 1}: is no order that counts in this game: name one$"):
            check_orders(changes, played.records)


# --- where it begins and ends ---


def test_a_branch_begins_at_the_last_order_before_what_is_otherwise(played: Original) -> None:
    numbers = [each.n for each in orders_of(played)]
    for first, before in ((0, 0), (numbers[0] - 1, 0), (numbers[0], numbers[0] - 1), (numbers[1] - 1, numbers[0] - 1)):
        assert branching._last_order(played.records, first) == before
    third = orders_of(played)[2]
    made = branch(played, Changes(orders={third.n: third.order}))
    assert made.header.parent is not None
    assert (made.header.parent.game, made.header.parent.record) == (played.log.header.game, third.n)
    assert (made.given, made.filled, made.partings, made.unused) == (len(numbers) - 2, 0, [], [])
    assert made.is_whole
    nothing = branch(played, Changes())
    assert (nothing.given, nothing.is_whole) == (0, True)
    assert nothing.header.parent is not None
    assert nothing.header.parent.record == len(played.records)
    until = branch(played, Changes(), until=third.n)
    assert (until.is_whole, until.game.number, until.given) == (False, third.n + 1, 1)
    assert until.header.parent is not None
    assert until.header.parent.record == third.n - 1
    start = branch(played, Changes(), until=0)
    assert (start.game.number, start.given) == (numbers[0] - 1, 0)


def test_an_order_of_another_kind_of_game_parts_from_the_recorded_ones(played: Original) -> None:
    """After another mark the orders that follow answer another question: the free cells are others."""
    first, second, third = orders_of(played)[:3]
    cell = next(cell for cell in range(9) if cell not in {each.order.cell for each in orders_of(played)[:3]})
    made = branch(played, Changes(orders={first.n: Mark(cell)}))
    assert (made.is_whole, made.given, made.filled) == (False, 1, 0)
    assert made.partings == [
        Parting(first.n + 2, "o", "mark a cell", 1, "play", second.n, "other choices are open here")
    ]
    assert made.unused == [each.n for each in orders_of(played)[1:]]
    filled = branch(played, Changes(orders={first.n: Mark(cell)}), lambda game, decision: first_order(decision))
    assert filled.is_whole
    assert filled.filled == len(filled.partings) > 1
    assert filled.given + filled.filled == sum(isinstance(each, OrderRecord) for each in filled.game.trail)
    assert third.n in filled.unused


def test_a_ruling_comes_before_the_order_in_its_record(played: Original) -> None:
    second = orders_of(played)[1]
    cell = next(cell for cell in range(9) if cell not in {each.order.cell for each in orders_of(played)})
    made = branch(played, Changes(rulings={second.n: Marked("x", cell)}))
    ruling = next(each for each in made.game.trail if isinstance(each, RulingRecord))
    assert (ruling.n, ruling.by, ruling.reason, ruling.event) == (second.n, "umpire", "what if", Marked("x", cell))
    assert [each.why for each in made.partings] == ["other choices are open here"]
    assert made.header.parent is not None
    assert made.header.parent.record == second.n


def test_rulings_of_the_game_are_made_before_the_order_that_came_next() -> None:
    happened = [RulingRecord(n, "umpire", "so", Marked("x", 1)) for n in (2, 3, 6)]
    amended: RulingRecord[Any] = RulingRecord(7, "umpire", "so", amends=5)
    records: list[Any] = [happened[0], happened[1], OrderRecord(4, "x", Mark(1)), OrderRecord(5, "x", Mark(1))]
    records += [happened[2], amended, OrderRecord(8, "x", Mark(1))]
    assert branching._rulings_of(records, 0, Changes()) == {4: happened[:2], 8: [happened[2]]}
    assert branching._rulings_of(records, 2, Changes()) == {4: [happened[1]], 8: [happened[2]]}
    assert branching._rulings_of(records, 6, Changes()) == {}
    more: RulingRecord[Any] = RulingRecord(4, "umpire", "what if", Marked("o", 2))
    assert branching._rulings_of(records, 3, Changes(rulings={4: Marked("o", 2), 8: Marked("o", 2)})) == {
        4: [more],
        8: [happened[2], structs.replace(more, n=8)],
    }


def test_why_no_recorded_order_answers_is_told(played: Original) -> None:
    walk = branching._Walk(played, Changes(), None, branch(played, Changes(), until=0).game, 0)
    decision = walk.game.waiting()[0]
    first = orders_of(played)[0]
    record, parting = walk._answer_to(decision)
    assert (record, parting) == (first, None)
    other = structs.replace(decision, prompt="cross a cell", rule="T3-2")
    record, found = walk._answer_to(other)
    assert record == first
    assert found is not None
    assert (found.n, found.seat, found.recorded, found.why) == (first.n, "x", first.n, "it was: mark a cell")
    record, found = walk._answer_to(structs.replace(decision, purpose="else"))
    assert record is None
    assert found is not None
    assert (found.recorded, found.why) == (0, "was never asked in the recorded game")
    narrow: Any = OneOf([Mark(cell) for cell in range(9) if cell != first.order.cell], "T3-1")
    question = text_of(walk.game.question_of(structs.replace(decision, options=narrow)))
    walk._orders[question] = first
    record, found = walk._answer_to(structs.replace(decision, options=narrow))
    assert found is not None
    assert (record, found.recorded, found.rule) == (first, first.n, "T3-1")
    assert found.why == narrow.why_not(first.order).reason
    changed = branching._Walk(played, Changes(orders={first.n: Mark(0)}), None, walk.game, 0)
    changed._orders[question] = first
    assert changed._answer_to(structs.replace(decision, options=narrow)) == (first, None)  # it is judged when given

    class _Fails(OneOf):
        def why_not(self, value: Any) -> Any:
            raise PlayError("nobody can judge it")

    strange: Any = _Fails([Mark(0)], "T3-1")
    question = text_of(walk.game.question_of(structs.replace(decision, options=strange)))
    walk._orders[question] = first
    _, found = walk._answer_to(structs.replace(decision, options=strange))
    assert found is not None
    assert (found.recorded, found.why, found.rule) == (first.n, "nobody can judge it", "")


# --- dice ---


@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_a_game_of_every_dice_mode_is_branched_and_all_dice_stand(mode: str, record: Play, toy: Prepared) -> None:
    recorded = record("c", mode, "toy")
    of = original_of(recorded, toy)
    roll = next(each for each in of.records if isinstance(each, RollRecord) and len(each.dice) > 1)
    face = roll.dice[0] % 6 + 1
    made = branch(of, Changes(dice={roll.n: {1: face}}), lambda game, decision: first_order(decision))
    assert made.header.dice == ("open" if mode == "manual" else mode)
    fell = {each.label: each.dice for each in made.game.trail if isinstance(each, RollRecord)}
    assert fell[roll.label] == (face, *roll.dice[1:])
    before = [each for each in of.records[: roll.n - 1] if isinstance(each, RollRecord)]
    assert all(fell[each.label] == each.dice for each in before)
    assert made.header.dice_set[roll.label] == fell[roll.label]
    assert (len(made.header.dice_set) > 1) == (mode == "manual")  # what was thrown by hand is set
    same = branch(of, Changes(), None)
    if mode == "manual":
        assert same.partings == []
        entered = [each.n for each in of.records if isinstance(getattr(each, "order", None), EnterDice)]
        assert same.unused == entered
    assert same.is_whole
    assert same.game.state.outcome == recorded.game.state.outcome


def test_a_game_whose_key_is_not_shown_is_not_branched_unless_it_is_given(record: Play, toy: Prepared) -> None:
    recorded = record("a", "host", "toy")
    with pytest.raises(PlayError, match=r"^log: its dice key is not shown yet: a branch needs it for rolls that were"):
        original_of(recorded, toy, 12)
    log = parse_log(cut_after(recorded.data, 12), "log")
    records = read_records(log, toy.ruleset)
    of = original(toy, log, records, dice_of(log, records, key_from_seed("a")))
    assert of.key == key_from_seed("a")


def test_what_the_rules_do_not_make_is_not_branched(game: Recorded, prepared: Prepared) -> None:
    log = parse_log(game.data, "log")
    log.lines[6] = log.lines[6].replace(b'"side":"', b'"side":"z')
    records = read_records(parse_log(game.data, "log"), prepared.ruleset)
    with pytest.raises(LogDamaged, match=r"^log: it cannot be branched: record 6: "):
        original(prepared, log, records, dice_of(log, records))
    of = original_of(game, prepared)
    of.log = log
    with pytest.raises(LogDamaged, match=r"^log: it cannot be branched: record 6: "):
        branching._game_at(of, prepared, branch(of, Changes()).game.dice, len(records))  # type: ignore[arg-type]  # a branch has keyed dice


# --- readings ---


def test_readings_are_all_values_of_the_options_of_a_ruling() -> None:
    options = (Option("a", ("1", "2"), "?", "X-R1"), Option("b", ("3", "4", "5"), "?", "X-R2"))
    told = [(option.name, value) for option, value in other_readings(options)]
    assert told == [("a", "1"), ("a", "2"), ("b", "3"), ("b", "4"), ("b", "5")]
    assert [(option.name, value) for option, value in other_readings(options, "X-R2")] == told[2:]
    assert other_readings(options, "X-R9") == []


def test_what_came_of_each_other_reading_is_told(record: Play, toy: Prepared) -> None:
    """TOY-3a: with a tie that throws the front back, what follows is otherwise from the first tie away from it."""
    for seed in "abc":
        of = original_of(record(seed, ruleset="toy"), toy)
        (found,) = try_readings(of)
        assert (found.option, found.ruling, found.value, found.problem) == ("tie", "TOY-3a", "fall_back", "")
        moved = [each for each in of.records if getattr(getattr(each, "event", None), "rule", "") == "TOY-3a"]
        away = next((each.n for each in moved if each.event.front != 3), None)
        assert found.record == away
        whole = away is None or not found.question
        assert (found.outcome != "") == whole
        assert found.question == "" or found.question.endswith(": commit troops")
    assert list(try_readings(of, "TOY-9")) == []


def test_a_reading_that_cannot_be_run_is_told_and_the_next_is_tried(
    record: Play, toy: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = original_of(record(ruleset="toy"), toy)
    options = (Option("tie", ("stay", "fall_back", "never"), "?", "TOY-3a"),)
    manifest = SimpleNamespace(options=options)
    fake: Any = SimpleNamespace(installed=SimpleNamespace(manifest=manifest))
    of.prepared = fake

    def fails(of: Original, changes: Changes) -> Any:
        raise PlayError(f"cannot be read as {changes.readings['tie']}")

    monkeypatch.setattr("sandtable.journal.branching.readings.branch", fails)
    assert list(try_readings(of)) == [
        Reading("tie", "TOY-3a", value, None, problem=f"cannot be read as {value}") for value in ("fall_back", "never")
    ]
