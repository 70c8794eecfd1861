"""Marks, branches and games before a record; games that can be neither forked nor ruled."""

from collections.abc import Callable
from typing import Any

import pytest
from specimens import Talker, talk

from sandtable.errors import PlayError, SandtableError
from sandtable.kernel.decisions import EnterDice, Roll
from sandtable.kernel.dice import KeyedDice, ManualDice
from sandtable.kernel.events import GameEnded, TurnBegan
from sandtable.kernel.handlers import reacts
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import text_of
from sandtable.kernel.records import OrderRecord, RollRecord, RulingRecord
from sandtable.kernel.sequence import Phase, Procedure
from sandtable.testing.scratch import Said, Say, ask, said, scratch_game

KEY = bytes(range(32))


def skirmish(state: Any) -> Procedure:
    """Let red say a word, roll, let blue answer, roll again; three turns long."""
    order: Say = yield ask("red", "attack", "hold")
    (one,) = yield Roll(1, 6, "fire", "X-6")
    yield Said(f"{order.word} {one}")
    reply: Say = yield ask("blue", "stand", "run")
    (other,) = yield Roll(1, 6, "fire", "X-6")
    yield Said(f"{reply.word} {other}")
    if state.turn == 3:
        yield GameEnded("red", "time", "X-9")


WORDS = ("attack", "stand", "hold", "run", "hold", "stand")


def played(orders: int, dice: Any = None) -> Game:
    game = scratch_game(skirmish, dice=dice or KeyedDice(KEY))
    for word in WORDS[:orders]:
        game.submit(Say(word))
    return game


def asked(record: Any) -> str:
    """Return the question that an order record answers, as stored in a log."""
    return text_of(record.asked)


def lines(records: list[Any]) -> list[Any]:
    """Return records in a comparable form, with each question as text."""
    return [asked(each) if isinstance(each, OrderRecord) else each for each in records]


# Of each turn: TurnBegan, PhaseBegan, red's order, roll, Said, blue's order, roll, Said, PhaseEnded, seal: 10 records.
def test_marks_are_the_beginning_and_the_first_boundary_of_each_turn() -> None:
    game = played(5)
    marks = game.marks()
    assert [each.length for each in marks] == [0, 2, 12, 22]
    codec = game.ruleset.codec
    found = [codec.from_bytes(each.data, None) for each in marks]
    assert [(each.turn, len(each.said)) for each in found] == [(0, 0), (1, 0), (2, 2), (3, 4)]
    assert [(each.counts, each.asked) for each in marks] == [({}, {})] * 4


def test_marks_count_rolls_and_questions_before_the_boundary() -> None:
    @reacts(TurnBegan)
    def weather(state: Any, event: TurnBegan) -> Procedure:
        yield ask("blue", "rain")
        (die,) = yield Roll(1, 6, "rain", "X-6")
        yield Said(f"rain {die}")

    game = scratch_game(skirmish, functions=(weather,))
    assert [each.length for each in game.marks()] == [0]  # a turn has begun, but none of its phases
    for word in ("rain", "attack"):
        game.submit(Say(word))
    assert [(each.length, each.counts, each.asked) for each in game.marks()] == [
        (0, {}, {}),
        (5, {"1/-/rain": 1}, {"/blue": 1}),
    ]


def orders_of(game: Game) -> list[Any]:
    return [record for record in game.trail if isinstance(record, OrderRecord)]


@pytest.mark.parametrize("marks", [lambda game: [game.base], Game.marks])
def test_branch_begins_at_its_order_and_continues_like_the_game(marks: Callable[[Game], Any]) -> None:
    game = played(6)
    for number, record in enumerate(orders_of(game)):
        twin = game.branch(record.n, KeyedDice(KEY), marks(game))
        assert twin.records == game.records[: record.n - 1]
        assert (twin.number, twin.waiting()[0].seat) == (record.n - 1, record.by)
        assert twin.boundaries == [length for length in (2, 12, 22) if length < record.n]
        assert (twin.state.turn, len(said(twin))) == (1 + number // 2, number)
        for word in WORDS[number:]:
            twin.submit(Say(word))
        assert lines(twin.records) == lines(game.records)
        assert twin.state == game.state
    assert game.is_over


def test_branch_supports_undo_and_rulings() -> None:
    game = played(5)
    twin = game.branch(orders_of(game)[3].n, KeyedDice(KEY), game.marks())
    twin.submit(Say("stand"))
    twin.rule(Said("rain"), "now")
    assert [each.n for each in twin.records] == list(range(1, len(twin.records) + 1))
    twin.amend(orders_of(twin)[1].n, Say("run"), "he ran")
    assert said(twin)[1].startswith("run ")
    assert len(said(twin)) == 2


def test_branch_after_an_undone_record_is_refused() -> None:
    def plain(_: Any) -> Procedure:
        yield ask("red", "a", "b")
        yield ask("red", "a", "b")

    game = scratch_game(plain)
    for word in ("a", "b"):
        game.submit(Say(word))
    game.undo()
    game.submit(Say("a"))
    first, *_, last = orders_of(game)
    assert game.branch(first.n, game.dice, [game.base]).waiting()[0].seat == "red"
    with pytest.raises(PlayError, match=f"^a record before record {last.n} was undone or replaced by a ruling$"):
        game.branch(last.n, game.dice, [game.base])
    with pytest.raises(PlayError, match="record 1 is not an order, or was undone"):
        game.branch(1, game.dice, [game.base])


def test_game_can_be_restored_before_each_order_and_roll() -> None:
    game = played(6)
    for record in game.records:
        if not isinstance(record, OrderRecord | RollRecord):
            with pytest.raises(PlayError, match=f"record {record.n} is not an order or a roll, or was undone"):
                game.before(record.n)
            continue
        twin = game.before(record.n)
        assert twin.number == record.n - 1
        start = max(length for length in (2, 12, 22) if length < record.n)
        assert lines(twin.records) == lines(game.records[start : record.n - 1])
        if isinstance(record, OrderRecord):
            assert twin.waiting()[0].seat == record.by
            twin.submit(record.order)
            assert lines(twin.records)[-1] == asked(record)
        else:
            assert isinstance(twin.pending, Roll)
            assert twin.label_of(twin.pending) == record.label
            twin.resolve_roll(record.dice)
            assert twin.records[record.n - 1 - start] == record


def test_fork_keeps_labels_and_begins_at_the_last_boundary() -> None:
    game = played(3)
    twin = game.fork()
    assert (twin.base.length, twin.number, len(twin.records)) == (0, game.number, len(game.records) - 12)
    for table in (game, twin):
        table.submit(Say("run"))
    assert twin.records[-1] == game.records[-1]
    labels = [[each.label for each in table.records if isinstance(each, RollRecord)][-2:] for table in (game, twin)]
    assert labels == [["2/skirmish/fire/1", "2/skirmish/fire/2"]] * 2


def over() -> Game:
    return played(6)


def broken() -> Game:
    def fails(_: Any) -> Procedure:
        yield ask("red", "go")
        raise ValueError("lost")

    game = scratch_game(fails)
    with pytest.raises(SandtableError):
        game.submit(Say("go"))
    return game


def not_begun() -> Game:
    rules = played(0).ruleset
    return Game(rules, rules.state_type(), KeyedDice(KEY))


QUESTION = ask("red", "go")


@pytest.mark.parametrize("made", [over, broken, not_begun])
@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (lambda game: game.rule(Said("rain"), "why"), "a ruling can be made only in a game in progress"),
        (
            lambda game: game.apply(RulingRecord(9, "umpire", "why", None, 3)),
            "a ruling can be made only in a game in progress",
        ),
        (lambda game: game.fork(), "only a game in progress can be forked"),
        (lambda game: game.simulator(QUESTION), "only a game in progress can be simulated"),
    ],
)
def test_game_not_in_progress_refuses_rulings_and_forks(
    made: Callable[[], Game], act: Callable[[Game], Any], expected: str
) -> None:
    game = made()
    before = list(game.records)
    with pytest.raises(PlayError, match=expected):
        act(game)
    assert game.records == before


def test_event_cannot_be_replaced_as_an_order() -> None:
    game = played(1)
    for number in (1, 4, 99):
        with pytest.raises(PlayError, match=f"record {number} is not an order, or was undone"):
            game.amend(number, Say("hold"), "why not")


def test_manual_dice_are_reentered_on_rerun() -> None:
    game = played(0, ManualDice(KEY))
    game.submit(Say("attack"))
    game.submit(EnterDice([4]), "umpire")
    twin = game.fork()
    assert said(twin) == said(game) == ["attack 4"]
    game.rule(Said("rain"), "now")
    game.submit(Say("run"), "blue")
    game.submit(EnterDice([2]), "umpire")
    assert said(game)[:3] == ["attack 4", "rain", "run 2"]


def test_fork_restarts_a_phase_with_its_question_counts() -> None:
    def many(state: Any) -> Procedure:
        yield ask("red", "go", purpose="march")
        return len(state.said) > 3

    game = scratch_game(Phase("many", many, repeats=True))
    for _ in range(3):
        game.submit(Say("go"))
    twin = game.fork()
    for table in (game, twin):
        table.submit(Say("go"))
    assert asked(orders_of(twin)[-1]) == asked(orders_of(game)[-1])
    assert asked(orders_of(game)[-1]).startswith("1/many/march/4#")


def test_game_with_free_text_orders_has_marks() -> None:
    game = scratch_game(talk)
    game.play({"red": Talker(*["yes"] * 3), "blue": Talker(*["no"] * 3)})
    assert [each.length for each in game.marks()] == [0, 2, 10, 18]
