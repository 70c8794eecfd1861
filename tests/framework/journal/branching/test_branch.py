"""Branches of small and recorded games: first record, answers, partings, dice and the log of a branch."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cutting import cut_after
from msgspec import structs
from originals import REPLAYS, golden, original_of

from sandtable.errors import DataError, IllegalOrder, LogClosed, LogDamaged, PlayError
from sandtable.journal.branching import branch as branching
from sandtable.journal.branching.branch import Branch, OpenQuestion, Original, _game_at, _Walk, branch, original
from sandtable.journal.branching.changes import Changes
from sandtable.journal.branching.compare import comparable, rolls, sections, states
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import effective, fold_log
from sandtable.journal.format.header import game_id
from sandtable.journal.record import Recorded, log_bytes
from sandtable.journal.verification.stored import dice_of
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import EnterDice
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.options import OneOf
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import MARK, text_of
from sandtable.kernel.records import OrderRecord, RollRecord, RulingRecord
from sandtable.players.players import first_order
from sandtable.plugin.manager import Prepared
from sandtable.testing.tictactoe import Mark, Marked

GOLDEN = sorted(
    (path for path in REPLAYS.glob("*/*.jsonl") if path.parent.name != "disputes"),
    key=lambda path: (path.parent.name, path.stat().st_size),
)

SMALLEST = [
    next(path for path in GOLDEN if path.parent.name == name) for name in sorted({p.parent.name for p in GOLDEN})
]

EVERY = sorted(path for path in REPLAYS.glob("*/*.jsonl") if b'"kind":"close"' in path.read_bytes()[-700:])
"""All recorded logs of finished games."""


def filled(game: Game, decision: Any) -> Any:
    """Answer with the first legal order."""
    return first_order(decision)


def as_log(made: Branch) -> Any:
    return parse_log(log_bytes(made.header, made.game)[0], "branch")


def unsigned(record: Any) -> Any:
    """Return the comparable part of a record; what a branch repeats of an umpire is unsigned."""
    found = comparable(record)
    return {key: value for key, value in found.items() if key != "signature"} if isinstance(found, dict) else found


def roll_of(of: Original) -> Any:
    return next(record for record in of.records if isinstance(record, RollRecord) and record.sides == 6)


@pytest.mark.full
@pytest.mark.parametrize(
    "path",
    [path if path in SMALLEST else pytest.param(path, marks=pytest.mark.slow) for path in EVERY],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_branch_without_changes_uses_every_recorded_order(path: Path) -> None:
    """Replayed from the start, order by order, the game is the recorded one, to the last byte."""
    of = golden(path)
    dice = dice_of(of.log, of.records)
    assert isinstance(dice, KeyedDice)
    walk = _Walk(of, Changes(), None, _game_at(of, of.prepared, dice, 0), 0)
    walk.run(None)
    assert walk.open_questions == []
    assert walk.left == set()
    kept = [each for each in effective(of.records) if not getattr(each, "amends", 0)]  # orders count as amended
    assert [unsigned(each) for each in walk.game.trail] == [unsigned(each) for each in kept]
    if len(kept) == len(of.records):
        written = log_bytes(of.log.header, walk.game)[0].split(b"\n")[:-1]
        assert [line for line in written if b'"kind":"annex"' not in line[:16]] == [
            line for line in of.log.data.split(b"\n")[:-1] if not line.startswith(b'{"kind":"annex"')
        ]


def test_branch_without_changes_equals_the_game(frontier: Original) -> None:
    made = branch(frontier, Changes())
    assert made.is_whole
    assert [comparable(each) for each in made.game.records] == [comparable(each) for each in frontier.records]


def test_set_die_without_effect_is_the_only_change(frontier: Original) -> None:
    """DAA-17.04: a 6 and a 5 are both misses; every other die is unchanged."""
    roll = next(
        each
        for each in frontier.records
        if isinstance(each, RollRecord) and each.needs and each.dice[0] == 6 and each.needs[0] < 5
    )
    made = branch(frontier, Changes(dice={roll.n: {1: 5}}))
    found = rolls(frontier.records, list(made.game.trail))
    assert made.open_questions == []
    assert (found.changed, found.gone, found.new) == ((roll.label,), 0, 0)
    assert made.game.state.outcome == "draw"
    assert states(fold_log(frontier.log, frontier.prepared), made.game.state) == []
    assert sum(not each.is_same for each in sections(frontier.records, list(made.game.trail))) == 1


def test_log_of_a_branch_is_verified_as_a_branch(frontier: Original) -> None:
    roll = roll_of(frontier)
    made = branch(frontier, Changes(dice={roll.n: {1: 1 if roll.dice[0] != 1 else 6}}), filled)
    log = as_log(made)
    verdict = verify(log, frontier.prepared, deep=True)
    assert verdict.verdict == "verified", verdict.first_difference
    assert f"a branch of the game {frontier.log.header.game} from record {roll.n}, with 1 roll set" in verdict.note
    assert made.filled > 0


def test_branch_without_fill_ends_at_the_first_unanswered_question(frontier: Original) -> None:
    roll = roll_of(frontier)
    made = branch(frontier, Changes(dice={roll.n: {1: 1 if roll.dice[0] != 1 else 6}}))
    assert not made.is_whole
    assert len(made.open_questions) == 1
    assert made.game.waiting()[0].prompt == made.open_questions[0].prompt
    assert made.filled == 0
    assert verify(as_log(made), frontier.prepared).verdict == "verified so far"


def test_recorded_order_never_answers_another_question(frontier: Original) -> None:
    roll = roll_of(frontier)
    made = branch(frontier, Changes(dice={roll.n: {1: 1 if roll.dice[0] != 1 else 6}}), filled)
    asked = {frontier.questions[each.n]: each for each in frontier.records if isinstance(each, OrderRecord)}
    given = [each for each in made.game.trail if isinstance(each, OrderRecord)]
    same = [each for each in given if str(each.asked) in asked]
    assert len(given) == made.given + made.filled + roll_before(frontier, roll.n)
    for each in same:
        assert each.by == asked[str(each.asked)].by


def roll_before(of: Original, number: int) -> int:
    """Return the number of records before the last order from which record ``number`` follows."""
    return sum(isinstance(each, OrderRecord) for each in of.records[: number - 1]) - 1


def test_changed_order_must_be_legal_at_its_question(frontier: Original) -> None:
    first = next(each for each in frontier.records if isinstance(each, OrderRecord))
    made = branch(frontier, Changes(orders={first.n: first.order}))
    assert made.is_whole
    assert made.game.state.outcome == "draw"
    wrong = next(
        each for each in frontier.records if type(each) is OrderRecord and type(each.order) is not type(first.order)
    )
    with pytest.raises(IllegalOrder):
        branch(frontier, Changes(orders={first.n: wrong.order}))


def test_until_ends_the_branch_at_the_first_question_after_a_record(frontier: Original) -> None:
    roll = roll_of(frontier)
    made = branch(frontier, Changes(), until=roll.n)
    assert made.game.number >= roll.n
    assert all(not isinstance(each, OrderRecord) for each in made.game.trail[roll.n :])


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (Changes(dice={1: {1: 6}}), "record 1: is not a roll"),
        (Changes(orders={1: None}), "record 1: is not an order"),
        (Changes(readings={"weather": "fine"}), "has no such option"),
    ],
)
def test_change_of_a_missing_record_or_die_is_refused(frontier: Original, changes: Changes, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        branch(frontier, changes)


def test_set_dice_without_a_parent_are_refused(frontier: Original) -> None:
    roll = roll_of(frontier)
    made = branch(frontier, Changes(dice={roll.n: {1: 1}}))
    bare = structs.replace(made.header, parent=None)
    made.header = structs.replace(bare, game=game_id(bare))
    verdict = verify(as_log(made), frontier.prepared)
    assert "names no parent game" in str(verdict.first_difference)


def test_questions_are_identified_by_label_and_digest(frontier: Original) -> None:
    assert all(text.count(MARK) == 1 for text in frontier.questions.values())


def orders_of(of: Original) -> list[Any]:
    return [each for each in of.records if isinstance(each, OrderRecord)]


def test_branch_starts_at_the_last_order_before_the_change(played: Original) -> None:
    numbers = [each.n for each in orders_of(played)]
    for first, before in ((0, 0), (numbers[0] - 1, 0), (numbers[0], numbers[0] - 1), (numbers[1] - 1, numbers[0] - 1)):
        assert branching._last_order(played.records, first) == before
    third = orders_of(played)[2]
    made = branch(played, Changes(orders={third.n: third.order}))
    assert made.header.parent is not None
    assert (made.header.parent.game, made.header.parent.record) == (played.log.header.game, third.n)
    assert (made.given, made.filled, made.open_questions, made.unused) == (len(numbers) - 2, 0, [], [])
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


def test_orders_after_a_changed_order_answer_other_questions(played: Original) -> None:
    """After a different mark the free cells differ, so the later recorded orders answer other questions."""
    first, second, third = orders_of(played)[:3]
    cell = next(cell for cell in range(9) if cell not in {each.order.cell for each in orders_of(played)[:3]})
    made = branch(played, Changes(orders={first.n: Mark(cell)}))
    assert (made.is_whole, made.given, made.filled) == (False, 1, 0)
    assert made.open_questions == [
        OpenQuestion(first.n + 2, "o", "mark a cell", 1, "play", second.n, "the options differ here")
    ]
    assert made.unused == [each.n for each in orders_of(played)[1:]]
    filled = branch(played, Changes(orders={first.n: Mark(cell)}), lambda game, decision: first_order(decision))
    assert filled.is_whole
    assert filled.filled == len(filled.open_questions) > 1
    assert filled.given + filled.filled == sum(isinstance(each, OrderRecord) for each in filled.game.trail)
    assert third.n in filled.unused


def test_ruling_is_made_before_the_order_of_its_record(played: Original) -> None:
    second = orders_of(played)[1]
    cell = next(cell for cell in range(9) if cell not in {each.order.cell for each in orders_of(played)})
    made = branch(played, Changes(rulings={second.n: Marked("x", cell)}))
    ruling = next(each for each in made.game.trail if isinstance(each, RulingRecord))
    assert (ruling.n, ruling.by, ruling.reason, ruling.event) == (second.n, "umpire", "what if", Marked("x", cell))
    assert [each.why for each in made.open_questions] == ["the options differ here"]
    assert made.header.parent is not None
    assert made.header.parent.record == second.n


def test_recorded_rulings_are_made_before_the_next_order() -> None:
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


def test_unanswered_question_gives_the_reason(played: Original) -> None:
    walk = branching._Walk(played, Changes(), None, branch(played, Changes(), until=0).game, 0)
    decision = walk.game.waiting()[0]
    first = orders_of(played)[0]
    record, parting = walk._answer_to(decision)
    assert (record, parting) == (first, None)
    other = structs.replace(decision, prompt="cross a cell", rule="T3-2")
    record, found = walk._answer_to(other)
    assert record == first
    assert found is not None
    assert (found.n, found.seat, found.recorded, found.why) == (
        first.n,
        "x",
        first.n,
        "the recorded question was: mark a cell",
    )
    record, found = walk._answer_to(structs.replace(decision, purpose="else"))
    assert record is None
    assert found is not None
    assert (found.recorded, found.why) == (0, "did not occur in the recorded game")
    narrow: Any = OneOf([Mark(cell) for cell in range(9) if cell != first.order.cell], "T3-1")
    question = text_of(walk.game.question_of(structs.replace(decision, options=narrow)))
    walk._orders[question] = first
    record, found = walk._answer_to(structs.replace(decision, options=narrow))
    assert found is not None
    assert (record, found.recorded, found.rule) == (first, first.n, "T3-1")
    assert found.why == narrow.why_not(first.order).reason
    changed = branching._Walk(played, Changes(orders={first.n: Mark(0)}), None, walk.game, 0)
    changed._orders[question] = first
    assert changed._answer_to(structs.replace(decision, options=narrow)) == (first, None)  # it is judged when submitted

    class _Fails(OneOf):
        def why_not(self, value: Any) -> Any:
            raise PlayError("nobody can judge it")

    strange: Any = _Fails([Mark(0)], "T3-1")
    question = text_of(walk.game.question_of(structs.replace(decision, options=strange)))
    walk._orders[question] = first
    _, found = walk._answer_to(structs.replace(decision, options=strange))
    assert found is not None
    assert (found.recorded, found.why, found.rule) == (first.n, "nobody can judge it", "")


@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_branch_keeps_the_dice_in_every_dice_mode(mode: str, record: Callable[..., Recorded], toy: Prepared) -> None:
    recorded = record("c", mode, "toy")
    of = original_of(parse_log(recorded.data, "log"), toy)
    roll = next(each for each in of.records if isinstance(each, RollRecord) and len(each.dice) > 1)
    face = roll.dice[0] % 6 + 1
    made = branch(of, Changes(dice={roll.n: {1: face}}), lambda game, decision: first_order(decision))
    assert made.header.dice == ("open" if mode == "manual" else mode)
    fell = {each.label: each.dice for each in made.game.trail if isinstance(each, RollRecord)}
    assert fell[roll.label] == (face, *roll.dice[1:])
    before = [each for each in of.records[: roll.n - 1] if isinstance(each, RollRecord)]
    assert all(fell[each.label] == each.dice for each in before)
    assert made.header.dice_set[roll.label] == fell[roll.label]
    assert (len(made.header.dice_set) > 1) == (mode == "manual")  # physical dice are set
    same = branch(of, Changes(), None)
    if mode == "manual":
        assert same.open_questions == []
        entered = [each.n for each in of.records if isinstance(getattr(each, "order", None), EnterDice)]
        assert same.unused == entered
    assert same.is_whole
    assert same.game.state.outcome == recorded.game.state.outcome


def test_game_with_an_unpublished_key_is_branched_only_with_a_key(
    record: Callable[..., Recorded], toy: Prepared
) -> None:
    log = parse_log(cut_after(record("a", "host", "toy").data, 12), "log")
    with pytest.raises(LogClosed, match=r"^log: its dice key is not shown yet: a branch requires it"):
        original_of(log, toy)
    assert original_of(log, toy, key_from_seed("a")).key == key_from_seed("a")


def test_log_that_differs_from_the_rules_is_not_branched(played: Original, log: Log, prepared: Prepared) -> None:
    log.lines[6] = log.lines[6].replace(b'"side":"', b'"side":"z')
    records = played.records
    with pytest.raises(LogDamaged, match=r"^log: it cannot be branched: record 6: "):
        original(prepared, log, records, dice_of(log, records))
    with pytest.raises(LogDamaged, match=r"^log: it cannot be branched: record 6: "):
        branching._game_at(played, prepared, KeyedDice(played.key), len(records))
