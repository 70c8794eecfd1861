"""Decisions and messages: their seats, their checks, and their form in the log."""

from typing import Any

import msgspec
import pytest

from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import UMPIRE, Decision, EnterDice, Order, Roll, dice_decision
from sandtable.kernel.events import Calculation, Event, GameEnded, TurnBegan
from sandtable.kernel.options import Form, ListOf, OneOf, Range, Space
from sandtable.kernel.play.views import View
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, scratch_game


def test_seat_is_the_power_if_named() -> None:
    assert Decision("axis", "move", OneOf([])).seat == "axis"
    assert Decision("axis", "move", OneOf([]), power="italy").seat == "italy"


def test_question_for_physical_dice_accepts_only_valid_dice() -> None:
    decision = dice_decision(Roll(2, 4, "rally", "X-6"), "3/rally/rally/1")
    assert (decision.side, decision.rule) == (UMPIRE, "X-6")
    assert decision.options.count() == 16
    assert decision.options.is_legal(EnterDice([4, 1]))
    assert not decision.options.is_legal(EnterDice([5, 1]))


@pytest.mark.parametrize("message", [Say("yes"), EnterDice([1]), Said("yes"), TurnBegan(3), GameEnded("x", "y", "z")])
def test_messages_round_trip_through_json(message: Order | Event) -> None:
    data = msgspec.json.encode(message)
    assert msgspec.json.decode(data, type=type(message)) == message
    assert data.startswith(b'{"type":"%b"' % type(message).__name__.encode())


@pytest.mark.parametrize(
    "data",
    [b'{"type":"Say"}', b'{"type":"Say","word":1}', b'{"type":"Say","word":"a","x":1}', b'{"type":"Other","word":"a"}'],
)
def test_unknown_fields_and_wrong_types_are_not_read(data: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(data, type=Say)


def test_messages_cannot_be_changed() -> None:
    for message, name in ((Say("a"), "word"), (Said("a"), "word"), (TurnBegan(1), "turn")):
        with pytest.raises(AttributeError):
            setattr(message, name, "b")


def test_view_is_computed_on_demand() -> None:
    looks: list[str] = []

    def look(side: str) -> Any:
        looks.append(side)
        return len(looks)

    view = View("red", look)
    assert looks == []
    assert (view(), view()) == (1, 2)
    assert (view.side, looks) == ("red", ["red", "red"])


def test_refusal_without_a_rule_cites_the_decisions_rule() -> None:
    def march(_: Any) -> Procedure:
        yield Decision("red", "say something", Form(Say, {"word": OneOf(["left"])}), "X-7")

    with pytest.raises(IllegalOrder) as caught:
        scratch_game(march).submit(Say("right"))
    assert caught.value.rule == "X-7"


@pytest.mark.parametrize(
    ("options", "rule", "expected"),
    [
        (ListOf(Range(1, 6), 2), "X-7", "X-7"),
        (ListOf(Range(1, 6), 2), "", ""),
        (OneOf([Say("a")], "O-1"), "X-7", "O-1"),
        (OneOf([Say("a")], "O-1"), "", "O-1"),
    ],
)
def test_refusal_cites_its_own_rule_if_it_has_one(options: Space, rule: str, expected: str) -> None:
    with pytest.raises(IllegalOrder) as caught:
        Decision("red", "?", options, rule).check(Say("b"))
    assert caught.value.rule == expected
    assert "b" in caught.value.reason


def test_decisions_and_rolls_have_neutral_defaults() -> None:
    decision, roll = Decision("red", "?", Range(1, 6)), Roll(1, 6, "x")
    assert (decision.secret, decision.done, decision.rule, decision.purpose) == (False, None, "", "")
    assert (roll.pooled, roll.needs, roll.side, roll.favors, roll.units) == (False, (), "", "", ())
    assert Say("a").in_words() == ""
    assert Calculation("odds", (("guns", 4, "X-1"), ("rain", -1, ""))).total == 3
