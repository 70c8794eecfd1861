"""Decisions, orders and views: who is asked, and what a message may be."""

from typing import Any

import msgspec
import pytest

from sandtable.errors import IllegalOrder, RulesetError
from sandtable.kernel.decisions import UMPIRE, Decision, EnterDice, Order, Roll, dice_decision
from sandtable.kernel.events import Event, GameEnded, TurnBegan
from sandtable.kernel.options import Form, OneOf
from sandtable.kernel.play.views import View
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import Phase, Procedure, SequenceOfPlay
from sandtable.testing.scratch import Said, Say, ScratchState, Shown, note, scratch_game, scratch_rules


def test_the_seat_is_the_power_where_one_is_named() -> None:
    assert Decision("axis", "move", OneOf([])).seat == "axis"
    assert Decision("axis", "move", OneOf([]), power="italy").seat == "italy"


def test_the_question_for_physical_dice_takes_just_such_dice() -> None:
    decision = dice_decision(Roll(2, 4, "rally", "X-6"), "3/rally/rally/1")
    assert (decision.side, decision.rule) == (UMPIRE, "X-6")
    assert decision.options.count() == 16
    assert decision.options.is_legal(EnterDice([4, 1]))
    assert not decision.options.is_legal(EnterDice([5, 1]))


@pytest.mark.parametrize("message", [Say("yes"), EnterDice([1]), Said("yes"), TurnBegan(3), GameEnded("x", "y", "z")])
def test_messages_survive_the_log(message: Order | Event) -> None:
    data = msgspec.json.encode(message)
    assert msgspec.json.decode(data, type=type(message)) == message
    assert data.startswith(b'{"type":"%b"' % type(message).__name__.encode())


@pytest.mark.parametrize(
    "data",
    [b'{"type":"Say"}', b'{"type":"Say","word":1}', b'{"type":"Say","word":"a","x":1}', b'{"type":"Other","word":"a"}'],
)
def test_foreign_fields_and_wrong_types_are_not_read(data: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(data, type=Say)


def test_messages_cannot_be_changed() -> None:
    for message, name in ((Say("a"), "word"), (Said("a"), "word"), (TurnBegan(1), "turn")):
        with pytest.raises(AttributeError):
            setattr(message, name, "b")


def test_a_view_is_reckoned_when_it_is_looked_at() -> None:
    looks: list[str] = []

    def look(side: str) -> Any:
        looks.append(side)
        return len(looks)

    view = View("red", look)
    assert looks == []
    assert (view(), view()) == (1, 2)
    assert (view.side, looks) == ("red", ["red", "red"])


def quiet(_: Any) -> Procedure:
    yield from ()


def test_the_rules_know_seats_and_viewers() -> None:
    rules = scratch_rules(quiet, sides=("axis", "allies", "umpire"), powers={"dak": "axis", "italy": "axis"})
    assert dict(rules.seats) == {"dak": "axis", "italy": "axis", "allies": "allies", "umpire": "umpire"}
    assert [rules.side_of(seat) for seat in ("dak", "allies", "umpire", "nobody")] == [
        "axis",
        "allies",
        "umpire",
        "nobody",
    ]
    assert rules.viewers == ("axis", "allies")
    assert scratch_rules(quiet, sides=("ussr", "umpire", "axis")).viewers == ("ussr", "axis")


def test_a_refusal_without_a_rule_of_its_own_is_by_the_rule_that_asks() -> None:
    def march(_: Any) -> Procedure:
        yield Decision("red", "say something", Form(Say, {"word": OneOf(["left"])}), "X-7")

    with pytest.raises(IllegalOrder) as caught:
        scratch_game(march).submit(Say("right"))
    assert caught.value.rule == "X-7"


def test_rules_that_say_nothing_of_secrets_have_none_and_show_a_copy_of_the_whole_state() -> None:
    rules = Ruleset(
        "plain", "1", ("red",), ScratchState, SequenceOfPlay((Phase("quiet", quiet),)), (note,), (), (Said,)
    )
    with pytest.raises(RulesetError, match="no handler for the event Shown"):
        Ruleset("plain", "1", ("red",), ScratchState, rules.sequence, (), (), (Shown,))
    assert (rules.hidden, rules.secret_events, rules.reveals, rules.unsaid) == (False, (), (), ())
    assert (dict(rules.powers), dict(rules.seats)) == ({}, {"red": "red", "umpire": "umpire"})
    assert rules.visible(Said("x"), "red") == Said("x")
    assert rules.shows_all
    state = ScratchState(said=["a"])
    seen = rules.view(state, "red")
    assert seen == state
    seen.said.append("b")
    assert state.said == ["a"]
