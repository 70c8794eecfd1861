"""Branches of recorded games: all that was not changed stays, and no order answers another question than its own."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from sandtable.errors import DataError, IllegalOrder
from sandtable.journal.branching.branch import Branch, Original, _game_at, _Walk, branch, original
from sandtable.journal.branching.changes import Changes
from sandtable.journal.branching.compare import rolls, sections, states, told
from sandtable.journal.branching.readings import try_readings
from sandtable.journal.file.log import parse_log, read_log
from sandtable.journal.fold import effective, fold_log, prepare_for, read_records
from sandtable.journal.format.header import game_id
from sandtable.journal.record import log_bytes
from sandtable.journal.verification.stored import dice_of
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import KeyedDice, SetDice, key_from_seed, roll_dice
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import MARK
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.players.players import first_order
from sandtable.plugin.manager import Rulesets

REPLAYS = Path(__file__).parents[3] / "replays"
RULESETS = Rulesets()
FRONTIER = REPLAYS / "desert_aa" / "draw-round_limit.jsonl"
GOLDEN = sorted(
    (path for path in REPLAYS.glob("*/*.jsonl") if path.parent.name != "disputes"),
    key=lambda path: (path.parent.name, path.stat().st_size),
)
SMALLEST = [
    next(path for path in GOLDEN if path.parent.name == name) for name in sorted({p.parent.name for p in GOLDEN})
]
EVERY = sorted(path for path in REPLAYS.glob("*/*.jsonl") if b'"kind":"close"' in path.read_bytes()[-700:])
"""All logs of finished games that there are."""


def game_of(path: Path) -> Original:
    log = read_log(path)
    prepared = prepare_for(log, RULESETS)
    records = read_records(log, prepared.ruleset)
    return original(prepared, log, records, dice_of(log, records))


@pytest.fixture(scope="module")
def frontier() -> Original:
    return game_of(FRONTIER)


def filled(game: Game, decision: Any) -> Any:
    """Answer with the first legal order."""
    return first_order(decision)


def as_log(made: Branch) -> Any:
    return parse_log(log_bytes(made.header, made.game)[0], "branch")


def unsigned(record: Any) -> Any:
    """Return a record as it counts; what a branch repeats of an umpire bears no signature."""
    found = told(record)
    return {key: value for key, value in found.items() if key != "signature"} if isinstance(found, dict) else found


def roll_of(of: Original) -> Any:
    return next(record for record in of.records if isinstance(record, RollRecord) and record.sides == 6)


@pytest.mark.full
@pytest.mark.parametrize(
    "path",
    [path if path in SMALLEST else pytest.param(path, marks=pytest.mark.slow) for path in EVERY],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_with_nothing_changed_every_recorded_order_answers_its_question(path: Path) -> None:
    """Walked from the beginning, order by order, the game is the recorded one, to its last byte."""
    of = game_of(path)
    dice = dice_of(of.log, of.records)
    assert isinstance(dice, KeyedDice)
    walk = _Walk(of, Changes(), None, _game_at(of, of.prepared, dice, 0), 0)
    walk.run(None)
    assert walk.partings == []
    assert walk.left == set()
    kept = [each for each in effective(of.records) if not getattr(each, "amends", 0)]  # orders stand as amended
    assert [unsigned(each) for each in walk.game.trail] == [unsigned(each) for each in kept]
    if len(kept) == len(of.records):
        written = log_bytes(of.log.header, walk.game)[0].split(b"\n")[:-1]
        assert [line for line in written if b'"kind":"annex"' not in line[:16]] == [
            line for line in of.log.data.split(b"\n")[:-1] if not line.startswith(b'{"kind":"annex"')
        ]


def test_a_branch_with_nothing_changed_is_the_game(frontier: Original) -> None:
    made = branch(frontier, Changes())
    assert made.is_whole
    assert [told(each) for each in made.game.records] == [told(each) for each in frontier.records]


def test_a_set_die_is_the_only_one_that_changes_where_it_does_not_matter(frontier: Original) -> None:
    """DAA-17.04: a 6 or a 5 misses alike; all else stays as it fell."""
    roll = next(
        each
        for each in frontier.records
        if isinstance(each, RollRecord) and each.needs and each.dice[0] == 6 and each.needs[0] < 5
    )
    made = branch(frontier, Changes(dice={roll.n: {1: 5}}))
    found = rolls(frontier.records, list(made.game.trail))
    assert made.partings == []
    assert (found.changed, found.gone, found.new) == ((roll.label,), 0, 0)
    assert made.game.state.outcome == "draw"
    assert states(fold_log(frontier.log, frontier.prepared), made.game.state) == []
    assert sum(not each.is_same for each in sections(frontier.records, list(made.game.trail))) == 1


def test_a_branch_is_a_log_that_verifies_and_says_what_it_is(frontier: Original) -> None:
    roll = roll_of(frontier)
    made = branch(frontier, Changes(dice={roll.n: {1: 1 if roll.dice[0] != 1 else 6}}), filled)
    log = as_log(made)
    verdict = verify(log, frontier.prepared, deep=True)
    assert verdict.verdict == "verified", verdict.first_difference
    assert f"a branch of the game {frontier.log.header.game} from record {roll.n} on, with 1 roll set" in verdict.note
    assert made.filled > 0


def test_without_anybody_who_fills_a_branch_ends_where_the_orders_part(frontier: Original) -> None:
    roll = roll_of(frontier)
    made = branch(frontier, Changes(dice={roll.n: {1: 1 if roll.dice[0] != 1 else 6}}))
    assert not made.is_whole
    assert len(made.partings) == 1
    assert made.game.waiting()[0].prompt == made.partings[0].prompt
    assert made.filled == 0
    assert verify(as_log(made), frontier.prepared).verdict == "file ends early"


def test_an_order_is_never_taken_for_the_answer_to_another_question(frontier: Original) -> None:
    roll = roll_of(frontier)
    made = branch(frontier, Changes(dice={roll.n: {1: 1 if roll.dice[0] != 1 else 6}}), filled)
    asked = {frontier.questions[each.n]: each for each in frontier.records if isinstance(each, OrderRecord)}
    given = [each for each in made.game.trail if isinstance(each, OrderRecord)]
    same = [each for each in given if str(each.asked) in asked]
    assert len(given) == made.given + made.filled + roll_before(frontier, roll.n)
    for each in same:
        assert each.by == asked[str(each.asked)].by


def roll_before(of: Original, number: int) -> int:
    """Return how many orders stand before the last one from which record ``number`` follows."""
    return sum(isinstance(each, OrderRecord) for each in of.records[: number - 1]) - 1


def test_another_order_is_given_at_its_question_and_must_be_legal_there(frontier: Original) -> None:
    first = next(each for each in frontier.records if isinstance(each, OrderRecord))
    made = branch(frontier, Changes(orders={first.n: first.order}))
    assert made.is_whole
    assert made.game.state.outcome == "draw"
    wrong = next(
        each for each in frontier.records if type(each) is OrderRecord and type(each.order) is not type(first.order)
    )
    with pytest.raises(IllegalOrder):
        branch(frontier, Changes(orders={first.n: wrong.order}))


def test_until_ends_at_the_first_question_after_a_record(frontier: Original) -> None:
    roll = roll_of(frontier)
    made = branch(frontier, Changes(), until=roll.n)
    assert made.game.number >= roll.n
    assert all(not isinstance(each, OrderRecord) for each in made.game.trail[roll.n :])


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (Changes(dice={1: {1: 6}}), "record 1: is no roll"),
        (Changes(orders={1: None}), "record 1: is no order"),
        (Changes(readings={"weather": "fine"}), "has no such option"),
    ],
)
def test_what_is_not_there_cannot_be_otherwise(frontier: Original, changes: Changes, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        branch(frontier, changes)


def test_a_die_has_its_faces_and_its_place(frontier: Original) -> None:
    roll = roll_of(frontier)
    for given, reason in (({9: 1}, "the roll has dice"), ({1: 7}, "has faces 1 to 6")):
        with pytest.raises(DataError, match=reason):
            branch(frontier, Changes(dice={roll.n: given}))


@pytest.mark.full
def test_readings_that_never_mattered_are_told_from_those_that_did(frontier: Original) -> None:
    """DAA-R16: who retreats where matters at the first retreat; DAA-R08 moves the bonus before the first turn."""
    found = {(each.option, each.value): each for each in try_readings(frontier, "DAA-R16")}
    assert {each.ruling for each in found.values()} == {"DAA-R16"}
    mattered = found["retreat_rule", "own_origin"]
    assert mattered.record is not None
    assert (
        frontier.records[mattered.record - 1].rule if hasattr(frontier.records[mattered.record - 1], "rule") else True
    )
    every = list(try_readings(frontier))
    assert any(each.record is None and not each.problem for each in every)
    assert not [each for each in every if each.problem]


def test_set_dice_are_the_first_that_a_roll_has() -> None:
    key = key_from_seed("set")
    dice = SetDice(key, faces={"1/a/b/1": (6, 1)})
    fell = roll_dice(key, "1/a/b/1", 3, 6)
    assert dice.roll("1/a/b/1", 3, 6) == (6, 1, fell[2])
    assert dice.roll("1/a/b/1", 1, 6) == (6,)
    assert dice.roll("1/a/b/1", 2, 4) == roll_dice(key, "1/a/b/1", 2, 4)
    assert dice.roll("1/a/b/2", 2, 6) == roll_dice(key, "1/a/b/2", 2, 6)


def test_set_dice_without_a_parent_are_refused(frontier: Original) -> None:
    roll = roll_of(frontier)
    made = branch(frontier, Changes(dice={roll.n: {1: 1}}))
    bare = structs.replace(made.header, parent=None)
    made.header = structs.replace(bare, game=game_id(bare))
    verdict = verify(as_log(made), frontier.prepared)
    assert "it is no branch of another game" in str(verdict.first_difference)


def test_questions_are_named_by_label_and_digest(frontier: Original) -> None:
    assert all(text.count(MARK) == 1 for text in frontier.questions.values())
