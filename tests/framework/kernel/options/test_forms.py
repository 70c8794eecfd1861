"""Form, AnyOf and OneForEach: samples, orders near another, spaces without values."""

from typing import Any

import pytest
from specimens import Attack, noting

from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import AnyOf, Form, OneOf, Range, Refusal, SomeOf, Space
from sandtable.testing.scratch import Say


def test_an_order_near_another_has_another_field() -> None:
    form, stream = (
        Form(Attack, {"target": OneOf(list("abcdef"), "A-1"), "units": SomeOf(["u1", "u2", "u3"])}),
        Stream(b""),
    )
    value = Attack("a", ["u1"])
    found = [form.near(value, stream) for _ in range(100)]
    assert all(each.target == "a" or each.units == ["u1"] for each in found)
    assert {each.target for each in found} == set("abcdef")
    assert form.is_legal(form.near(Say("b"), stream))


def test_a_form_gives_up_after_fifty_tries() -> None:
    tried: list[Any] = []
    with pytest.raises(ValueError, match="found no legal Say"):
        Form(Say, {"word": OneOf(["a"])}, noting(tried, Refusal("", "no"))).sample(Stream(b""))
    assert tried == [Say("a")] * 50


class Stubborn(Space):
    """Has one value, and nothing near it; counts how often it was asked for that."""

    asked: list[Any]

    def why_not(self, value: Any) -> Refusal | None:
        return None if value == "a" else Refusal("", "only a")

    def sample(self, stream: Stream) -> str:
        return "a"

    def near(self, value: Any, stream: Stream) -> str:
        self.asked.append(value)
        raise ValueError("nothing is near")


def test_four_fields_are_tried_before_any_order_is_taken() -> None:
    asked: list[Any] = []
    assert Form(Say, {"word": Stubborn(asked)}).near(Say("b"), Stream(b"")) == Say("a")
    assert asked == ["b"] * 4


def test_where_nothing_is_near_in_one_field_another_is_changed() -> None:
    """Only if chance takes the stubborn field four times running, once in sixteen, is any order taken."""
    form = Form(Attack, {"target": Stubborn([]), "units": Distant([])})
    stream = Stream(b"near")
    found = [form.near(Attack("a", ["far"]), stream).units for _ in range(400)]
    assert found.count(["near"]) + found.count(["anywhere"]) == 400
    assert 12 < found.count(["anywhere"]) < 40


class Distant(Stubborn):
    """Has two values, of which one is near any."""

    def why_not(self, value: Any) -> Refusal | None:
        return None

    def sample(self, stream: Stream) -> Any:
        return ["anywhere"]

    def near(self, value: Any, stream: Stream) -> Any:
        return ["near"]


class Rest(Order, frozen=True):
    """Stay: an order of no fields."""


def test_an_order_of_no_fields_and_one_of_another_kind_have_none_near_them() -> None:
    form = Form(Say, {"word": OneOf(["a", "b"])})
    assert {form.near(Rest(), Stream(b"%d" % key)).word for key in range(20)} == {"a", "b"}
    nothing = Form(Rest, {})
    assert (nothing.near(Rest(), Stream(b"")), list(nothing.values())) == (Rest(), [Rest()])


def test_a_value_near_one_of_several_spaces_is_of_the_same_and_of_any_where_it_is_of_none() -> None:
    space, stream = AnyOf([OneOf(["a", "b"]), Range(1, 3), OneOf(["c", "d"])]), Stream(b"home")
    assert {space.near(2, stream) for _ in range(40)} == {1, 2, 3}
    assert {space.near("d", stream) for _ in range(40)} == {"c", "d"}
    assert {space.near("x", stream) for _ in range(99)} == {1, 2, 3, *"abcd"}


def test_each_of_several_spaces_is_drawn_as_often_however_many_values_it_has() -> None:
    space, stream = AnyOf([Range(1, 1), Range(2, 90), Range(99, 99)]), Stream(b"thirds")
    drawn = [space.sample(stream) for _ in range(900)]
    assert 250 < drawn.count(1) < 350
    assert 250 < drawn.count(99) < 350


def test_a_form_whose_orders_are_all_refused_gives_no_sample() -> None:
    space = Form(Say, {"word": OneOf(["a"])}, lambda order: Refusal("F-1", "never"))
    with pytest.raises(ValueError, match="no legal Say"):
        space.sample(Stream(b"x"))
    assert space.is_empty()


def test_a_form_tries_again_where_one_beginning_leads_nowhere() -> None:
    fields: dict[str, Any] = {
        "target": OneOf(["odd", "even"]),
        "units": lambda target: SomeOf(["u1"], 1) if target == "odd" else SomeOf([], 1),
    }
    space = Form(Attack, fields)
    assert list(space.values()) == [Attack("odd", ["u1"])]
    stream = Stream(b"x")
    assert {space.sample(stream).target for _ in range(20)} == {"odd"}


def test_any_of_passes_over_what_is_empty() -> None:
    stream = Stream(b"x")
    assert {AnyOf([OneOf([]), OneOf(["a"])]).sample(stream) for _ in range(20)} == {"a"}
