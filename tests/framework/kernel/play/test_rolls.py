"""Rolls: labels, needs, chance dice, loaded dice, and dice that the umpire enters."""

import re
from typing import Any

import msgspec
import pytest
from specimens import Talker

from sandtable.errors import IllegalOrder, NothingToUndo, PlayError, RulesetError
from sandtable.kernel.decisions import EnterDice, Roll
from sandtable.kernel.dice import ChanceDice, ManualDice
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import text_of
from sandtable.kernel.records import RollRecord
from sandtable.kernel.sequence import Phase, Procedure
from sandtable.testing import LoadedDice
from sandtable.testing.scratch import Said, Say, ask, said, scratch_game


def lucky(state: Any) -> Procedure:
    """Roll for one purpose, then for another, then again for the first."""
    for purpose in ("attack", "weather", "attack"):
        dice = yield Roll(2, 6, purpose, "X-6", needs=(3, 4))
        yield Said(f"{purpose} {sum(dice)}")
    yield ask("red", "end")


def test_label_has_turn_phase_purpose_and_number() -> None:
    game = scratch_game(lucky)
    rolls = [record for record in game.records if isinstance(record, RollRecord)]
    assert [roll.label for roll in rolls] == ["1/lucky/attack/1", "1/lucky/weather/1", "1/lucky/attack/2"]
    assert {(roll.sides, roll.rule, roll.needs, roll.by) for roll in rolls} == {(6, "X-6", (3, 4), "")}
    game.submit(Say("end"))
    assert [record.label for record in game.records if isinstance(record, RollRecord)][3] == "2/lucky/attack/1"


def test_additional_roll_changes_no_other() -> None:
    def extra(state: Any) -> Procedure:
        yield Roll(1, 6, "fog", "X-6")
        yield from lucky(state)

    def dice_of(game: Game) -> dict[str, Any]:
        return {record.label: record.dice for record in game.records if isinstance(record, RollRecord)}

    plain, foggy = dice_of(scratch_game(Phase("p", lucky))), dice_of(scratch_game(Phase("p", extra)))
    assert {label: foggy[label] for label in plain} == plain


def test_hits_are_counted_by_needs() -> None:
    assert Roll(3, 6, "x", needs=(1, 3, 6)).hits((2, 3, 6)) == 2
    assert Roll(0, 6, "x").hits(()) == 0


def test_game_without_dice_source_stops_at_each_roll() -> None:
    game = scratch_game(lucky, dice=ChanceDice())
    assert game.pending == Roll(2, 6, "attack", "X-6", needs=(3, 4))
    assert game.waiting() == ()
    for wrong in ((1,), (1, 7), (0, 1), (1, 2, 3)):
        with pytest.raises(PlayError, match="expected 2 dice with 6 sides"):
            game.resolve_roll(wrong)
    game.resolve_roll((6, 6))
    assert said(game) == ["attack 12"]
    game.resolve_roll((1, 1))
    game.resolve_roll((1, 2))
    assert said(game) == ["attack 12", "weather 2", "attack 3"]
    with pytest.raises(PlayError, match="no roll is pending"):
        game.resolve_roll((1, 1))


def test_every_outcome_of_a_roll_can_be_tried_in_a_fork() -> None:
    game = scratch_game(lucky, dice=ChanceDice())
    game.resolve_roll((1, 1))
    for face in range(1, 7):
        twin = game.fork()
        twin.resolve_roll((face, face))
        assert said(twin) == ["attack 2", f"weather {2 * face}"]
    assert said(game) == ["attack 2"]


def test_loaded_dice_give_the_loaded_faces() -> None:
    with LoadedDice((6, 6), (1, 2), (3, 3)) as dice:
        assert said(scratch_game(lucky, dice=dice)) == ["attack 12", "weather 3", "attack 6"]


def test_invalid_dice_are_refused() -> None:
    def odd(_: Any) -> Procedure:
        yield Roll(1, 1, "x")

    with pytest.raises(PlayError, match="sides"):
        scratch_game(odd)


@pytest.mark.parametrize("after", [None, lambda: None])
def test_automatic_play_stops_at_a_roll_without_dice_source(after: Any) -> None:
    game = scratch_game(lucky, dice=ChanceDice())
    with pytest.raises(PlayError, match=r"^a roll is pending: enter its dice with resolve_roll\(\)$"):
        game.play({"red": Talker("end")}, after)
    game.resolve_roll((3, 3))
    assert said(game) == ["attack 6"]


@pytest.mark.parametrize("purpose", ["", "a/b", "two words", "#1", "a\nb"])
def test_roll_with_invalid_purpose_is_refused(purpose: str) -> None:
    def odd(_: Any) -> Procedure:
        yield Roll(1, 6, purpose)
        yield ask("red", "end")

    expected = rf"^{re.escape(repr(purpose))} is not a valid purpose of a roll: use letters, digits and \. _ : -$"
    with pytest.raises(RulesetError, match=expected):
        scratch_game(odd)


def test_secret_roll_names_its_side() -> None:
    def in_secret(state: Any) -> Procedure:
        yield Roll(1, 6, "panic", "X-6", side="red")
        yield Roll(1, 6, "weather", "X-6")
        yield ask("red", "end")

    secret, plain = (each for each in scratch_game(in_secret).records if isinstance(each, RollRecord))
    assert (secret.side, plain.side) == ("red", "")


def test_favored_side_of_a_roll_is_not_recorded() -> None:
    def favored(state: Any) -> Procedure:
        yield Roll(1, 6, "attack", "X-6", favors="red")
        yield Roll(1, 6, "weather", "X-6")
        yield Roll(1, 6, "attack", "X-6", favors="blue")
        yield ask("red", "again")
        yield ask("red", "end")

    def plain(state: Any) -> Procedure:
        for purpose in ("attack", "weather", "attack"):
            yield Roll(1, 6, purpose, "X-6")
        yield ask("red", "again")

    game = scratch_game(favored)
    assert game.favors == {"1/favored/attack/1": "red", "1/favored/attack/2": "blue"}
    rolls = [record for record in game.records if isinstance(record, RollRecord)]
    others = [record for record in scratch_game(plain).records if isinstance(record, RollRecord)]
    assert [set(msgspec.to_builtins(roll)) for roll in rolls] == [set(msgspec.to_builtins(roll)) for roll in others]
    game.submit(Say("again"))
    game.undo()
    assert game.favors == {"1/favored/attack/1": "red", "1/favored/attack/2": "blue"}


def fight(_: Any) -> Procedure:
    yield ask("red", "attack", "hold")
    dice = yield Roll(2, 6, "attack", "X-6", needs=(3, 3))
    yield Said(f"fell {dice}")
    yield ask("red", "end")


def manual(*phases: Any) -> Game:
    return scratch_game(*phases, dice=ManualDice(bytes(32)))


def test_umpire_enters_the_dice() -> None:
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
def test_impossible_manual_dice_are_refused(dice: Any) -> None:
    game = manual(fight)
    game.submit(Say("attack"))
    with pytest.raises(IllegalOrder):
        game.submit(EnterDice(dice), "umpire")
    assert game.waiting()[0].seat == "umpire"
    assert len(game.records) == 3


def test_fork_has_the_same_pending_question() -> None:
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


def test_undo_is_possible_before_dice_but_not_after() -> None:
    game = manual(fight)
    game.submit(Say("attack"))
    game.undo("red")
    assert game.waiting()[0].seat == "red"
    game.submit(Say("hold"))
    game.submit(EnterDice([2, 2]), "umpire")
    with pytest.raises(NothingToUndo, match="dice were rolled"):
        game.undo()


def test_two_manual_rolls_for_one_purpose_have_separate_labels() -> None:
    def twice(_: Any) -> Procedure:
        yield Roll(1, 6, "x", "X-6")
        yield Roll(1, 6, "x", "X-6")
        yield ask("red", "end")

    game = manual(twice)
    game.submit(EnterDice([1]))
    game.submit(EnterDice([2]))
    assert [record.label for record in game.records if isinstance(record, RollRecord)] == ["1/twice/x/1", "1/twice/x/2"]


def test_roll_of_zero_dice_asks_no_question() -> None:
    def none(_: Any) -> Procedure:
        dice = yield Roll(0, 6, "x", "X-6")
        yield Said(f"fell {dice}")
        yield ask("red", "end")

    assert said(manual(none)) == ["fell ()"]
