"""Loaded dice: they fall as specified, and no other roll is allowed."""

from typing import Any

import pytest

from sandtable.errors import SandtableError
from sandtable.kernel.decisions import Roll
from sandtable.kernel.dice import Dice
from sandtable.kernel.sequence import Procedure
from sandtable.testing import LoadedDice, WrongRollError
from sandtable.testing.scratch import Said, Say, ask, said, scratch_game


def battle(_: Any) -> Procedure:
    attack = yield Roll(2, 6, "attack", "X-6")
    defence = yield Roll(1, 6, "defence", "X-6")
    yield Said(f"{attack} {defence}")
    yield ask("red", "end")


def test_loaded_dice_have_their_own_mode_and_no_key() -> None:
    dice: Dice = LoadedDice()
    assert (dice.mode, dice.shown_key()) == ("loaded", "")


def test_loaded_faces_are_rolled_in_order() -> None:
    with LoadedDice((6, 1), (3,)) as dice:
        assert said(scratch_game(battle, dice=dice)) == ["(6, 1) (3,)"]
    assert dice.fallen == [("1/battle/attack/1", (6, 1)), ("1/battle/defence/1", (3,))]


@pytest.mark.parametrize("pattern", ["defence", "1/battle/defence/1", "*/defence/*", "def*", "?/battle/defence/?"])
def test_loaded_faces_are_chosen_by_purpose_label_or_pattern(pattern: str) -> None:
    with LoadedDice((6, 1), by={pattern: [(4,)]}) as dice:
        assert said(scratch_game(battle, dice=dice)) == ["(6, 1) (4,)"]


def test_faces_of_a_purpose_are_used_before_the_others() -> None:
    with LoadedDice((2, 2), by={"attack": [(1, 1)], "defence": [(5,), (6,)]}) as dice:
        game = scratch_game(battle, dice=dice)
        game.submit(Say("end"))
        assert said(game) == ["(1, 1) (5,)", "(2, 2) (6,)"]


@pytest.mark.parametrize(
    ("dice", "told"),
    [
        (LoadedDice(), "the roll 1/battle/attack/1 .2d6. was not expected; nothing was rolled before"),
        (LoadedDice((1, 2)), r"defence/1 .1d6. was not expected; 1/battle/attack/1 fell \(1, 2\)"),
        (LoadedDice((1, 2, 3)), r"is 2d6, but \(1, 2, 3\) was expected"),
        (LoadedDice((1, 7)), "none of its dice can show 7"),
        (LoadedDice((0, 1)), "none of its dice can show 0"),
        (LoadedDice(by={"defence": [(1,)]}), "attack/1 .2d6. was not expected"),
    ],
)
def test_unexpected_roll_fails_the_test(dice: LoadedDice, told: str) -> None:
    with pytest.raises(WrongRollError, match=told) as caught:
        scratch_game(battle, dice=dice)
    assert isinstance(caught.value, AssertionError)
    assert isinstance(caught.value, SandtableError)


def test_faces_that_are_left_over_fail_the_test() -> None:
    dice = LoadedDice((1, 2), (3,), (4,), by={"morale": [(6,)]})
    scratch_game(battle, dice=dice)
    with pytest.raises(WrongRollError, match=r"never rolled: \(4,\), \(6,\) for morale; rolled"):
        dice.assert_all_used()
    with pytest.raises(WrongRollError, match="never rolled"), LoadedDice((1,)):
        pass


def test_failing_test_is_not_masked_by_leftover_dice() -> None:
    with pytest.raises(KeyError), LoadedDice((1,)):
        raise KeyError("the true cause")
