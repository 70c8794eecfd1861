"""Physical dice: every roll is a question to the umpire, and its answer is checked like any order."""

from typing import Any

import pytest

from sandtable.errors import IllegalOrder, NothingToUndo
from sandtable.kernel.decisions import EnterDice, Roll
from sandtable.kernel.dice import ManualDice
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import text_of
from sandtable.kernel.records import RollRecord
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, ask, said, scratch_game


def fight(_: Any) -> Procedure:
    yield ask("red", "attack", "hold")
    dice = yield Roll(2, 6, "attack", "X-6", needs=(3, 3))
    yield Said(f"fell {dice}")
    yield ask("red", "end")


def manual(*phases: Any) -> Game:
    return scratch_game(*phases, dice=ManualDice(bytes(32)))


def test_the_umpire_is_asked_for_the_dice() -> None:
    game = manual(fight)
    game.submit(Say("attack"))
    (decision,) = game.waiting()
    assert (decision.seat, decision.prompt, decision.rule) == ("umpire", "roll 2d6 for 1/fight/attack/1", "X-6")
    assert decision.options.count() == 36
    game.submit(EnterDice([3, 5]), "umpire")
    assert said(game) == ["fell (3, 5)"]
    order, roll = game.records[3:5]
    assert (order.n, order.by, order.order) == (4, "umpire", EnterDice([3, 5]))
    assert text_of(order.asked).startswith("1/fight/attack/1#")
    assert roll == RollRecord(5, "1/fight/attack/1", 6, (3, 5), "X-6", (3, 3), "umpire")


@pytest.mark.parametrize("dice", [[], [1], [0, 1], [1, 7], [1, 2, 3], ["1", 1], [True, 1], [1.0, 2], None, 7])
def test_dice_that_cannot_have_fallen_are_refused(dice: Any) -> None:
    game = manual(fight)
    game.submit(Say("attack"))
    with pytest.raises(IllegalOrder):
        game.submit(EnterDice(dice), "umpire")
    assert game.waiting()[0].seat == "umpire"
    assert len(game.records) == 3


def test_a_fork_stands_at_the_same_question() -> None:
    game = manual(fight)
    game.submit(Say("attack"))
    twin = game.fork()
    assert twin.waiting()[0].prompt == game.waiting()[0].prompt
    twin.submit(EnterDice([1, 1]), "umpire")
    game.submit(EnterDice([6, 6]), "umpire")
    assert (said(twin), said(game)) == (["fell (1, 1)"], ["fell (6, 6)"])
    after = game.fork()
    assert said(after) == ["fell (6, 6)"]
    assert after.waiting()[0].prompt == "say something"


def test_undo_goes_back_before_the_dice_fall_and_not_after() -> None:
    game = manual(fight)
    game.submit(Say("attack"))
    game.undo("red")
    assert game.waiting()[0].seat == "red"
    game.submit(Say("hold"))
    game.submit(EnterDice([2, 2]), "umpire")
    with pytest.raises(NothingToUndo, match="dice were rolled"):
        game.undo()


def test_dice_entered_twice_for_one_purpose_have_labels_of_their_own() -> None:
    def twice(_: Any) -> Procedure:
        yield Roll(1, 6, "x", "X-6")
        yield Roll(1, 6, "x", "X-6")
        yield ask("red", "end")

    game = manual(twice)
    game.submit(EnterDice([1]))
    game.submit(EnterDice([2]))
    assert [record.label for record in game.records if isinstance(record, RollRecord)] == ["1/twice/x/1", "1/twice/x/2"]


def test_nobody_is_asked_for_no_dice() -> None:
    def none(_: Any) -> Procedure:
        dice = yield Roll(0, 6, "x", "X-6")
        yield Said(f"fell {dice}")
        yield ask("red", "end")

    assert said(manual(none)) == ["fell ()"]
