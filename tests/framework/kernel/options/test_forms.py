"""Form, AnyOf and OneForEach: samples, near orders, empty spaces."""

from typing import Any

import pytest
from specimens import Attack, noting

from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import AnyOf, Form, OneOf, Range, Refusal, SomeOf, Space
from sandtable.testing.scratch import Say


def test_form_near_changes_one_field() -> None:
    form, stream = (
        Form(Attack, {"target": OneOf(list("abcdef"), "A-1"), "units": SomeOf(["u1", "u2", "u3"])}),
        Stream(b""),
    )
    value = Attack("a", ["u1"])
    found = [form.near(value, stream) for _ in range(100)]
    assert all(each.target == "a" or each.units == ["u1"] for each in found)
    assert {each.target for each in found} == set("abcdef")
    assert form.is_legal(form.near(Say("b"), stream))


def test_form_sample_gives_up_after_fifty_attempts() -> None:
    tried: list[Any] = []
    with pytest.raises(ValueError, match="found no legal Say"):
        Form(Say, {"word": OneOf(["a"])}, noting(tried, Refusal("", "no"))).sample(Stream(b""))
    assert tried == [Say("a")] * 50


class Stubborn(Space):
    """A space with one value and none near it; counts how often that was requested."""

    asked: list[Any]

    def why_not(self, value: Any) -> Refusal | None:
        return None if value == "a" else Refusal("", "only a")

    def sample(self, stream: Stream) -> str:
        return "a"

    def near(self, value: Any, stream: Stream) -> str:
        self.asked.append(value)
        raise ValueError("nothing is near")


def test_form_near_tries_four_fields_before_any_order() -> None:
    asked: list[Any] = []
    assert Form(Say, {"word": Stubborn(asked)}).near(Say("b"), Stream(b"")) == Say("a")
    assert asked == ["b"] * 4


def test_form_near_changes_another_field_if_one_is_fixed() -> None:
    """Any order is taken only if the fixed field is drawn four times in a row, once in sixteen."""
    form = Form(Attack, {"target": Stubborn([]), "units": Distant([])})
    stream = Stream(b"near")
    found = [form.near(Attack("a", ["far"]), stream).units for _ in range(400)]
    assert found.count(["near"]) + found.count(["anywhere"]) == 400
    assert 12 < found.count(["anywhere"]) < 40


class Distant(Stubborn):
    """A space with two values, one of which is near any value."""

    def why_not(self, value: Any) -> Refusal | None:
        return None

    def sample(self, stream: Stream) -> Any:
        return ["anywhere"]

    def near(self, value: Any, stream: Stream) -> Any:
        return ["near"]


class Rest(Order, frozen=True):
    """Stay: an order without fields."""


def test_form_near_of_empty_or_foreign_order_is_a_sample() -> None:
    form = Form(Say, {"word": OneOf(["a", "b"])})
    assert {form.near(Rest(), Stream(b"%d" % key)).word for key in range(20)} == {"a", "b"}
    nothing = Form(Rest, {})
    assert (nothing.near(Rest(), Stream(b"")), list(nothing.values())) == (Rest(), [Rest()])


def test_any_of_near_uses_the_space_of_the_value() -> None:
    space, stream = AnyOf([OneOf(["a", "b"]), Range(1, 3), OneOf(["c", "d"])]), Stream(b"home")
    assert {space.near(2, stream) for _ in range(40)} == {1, 2, 3}
    assert {space.near("d", stream) for _ in range(40)} == {"c", "d"}
    assert {space.near("x", stream) for _ in range(99)} == {1, 2, 3, *"abcd"}


def test_any_of_samples_each_space_equally_often() -> None:
    space, stream = AnyOf([Range(1, 1), Range(2, 90), Range(99, 99)]), Stream(b"thirds")
    drawn = [space.sample(stream) for _ in range(900)]
    assert 250 < drawn.count(1) < 350
    assert 250 < drawn.count(99) < 350


def test_form_with_only_refused_orders_has_no_sample() -> None:
    space = Form(Say, {"word": OneOf(["a"])}, lambda order: Refusal("F-1", "never"))
    with pytest.raises(ValueError, match="no legal Say"):
        space.sample(Stream(b"x"))
    assert space.is_empty()


def test_form_sample_retries_after_a_dead_end() -> None:
    fields: dict[str, Any] = {
        "target": OneOf(["odd", "even"]),
        "units": lambda target: SomeOf(["u1"], 1) if target == "odd" else SomeOf([], 1),
    }
    space = Form(Attack, fields)
    assert list(space.values()) == [Attack("odd", ["u1"])]
    stream = Stream(b"x")
    assert {space.sample(stream).target for _ in range(20)} == {"odd"}


def test_any_of_skips_empty_spaces() -> None:
    stream = Stream(b"x")
    assert {AnyOf([OneOf([]), OneOf(["a"])]).sample(stream) for _ in range(20)} == {"a"}
