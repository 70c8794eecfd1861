"""All that is wrong with a value, part by part, for people; the first of it is what a program is told."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.decisions import Order
from sandtable.kernel.options import (
    AnyOf,
    Form,
    ListOf,
    OneForEach,
    OneOf,
    Range,
    Refusal,
    ShareOut,
    Sheet,
    SomeOf,
    Space,
)


class Go(Order, frozen=True):
    """Go somewhere, so fast, for a reason that hangs on the pace."""

    place: str
    pace: int
    reason: str


class Choose(Order, frozen=True):
    """Take some, so fast."""

    some: list[str]
    pace: int


class Halt(Order, frozen=True):
    """Stay."""


def go(also: bool = True) -> Form:
    def whole(order: Go) -> Refusal | None:
        return Refusal("W-4", "not so fast to the hill") if (order.place, order.pace) == ("hill", 3) else None

    fields: dict[str, Space | Callable[..., Space]] = {
        "place": OneOf(["mill", "hill"], "W-1"),
        "pace": Range(1, 3, "W-2"),
        "reason": lambda _, pace: OneOf(["war"] if pace > 1 else ["love"], "W-3"),
    }
    return Form(Go, fields, whole if also else None)


def clash(sheet: dict[str, Any]) -> Any:
    if sheet.get("a") is not None and sheet.get("a") == sheet.get("b"):
        yield "b", Refusal("S-2", "a is there")


SHEET = Sheet({"a": Range(1, 3, "S-1"), "b": Range(1, 3, "S-1")}, clash, required=("b",), rule="S-0")


@pytest.mark.parametrize(
    ("space", "value", "rules"),
    [
        (go(), Go("moon", 9, "war"), ["W-1", "W-2"]),
        (go(), Go("mill", 1, "war"), ["W-3"]),
        (go(), Go("moon", 1, "war"), ["W-1"]),  # the reason hangs on fields of which one is wrong
        (go(), Go("hill", 3, "war"), ["W-4"]),
        (go(), Halt(), [""]),
        (AnyOf([OneOf([Halt()], "H-1"), go()]), Go("moon", 9, "war"), ["W-1", "W-2"]),
        (AnyOf([OneOf([Halt()], "H-1"), OneOf(["x"])]), "y", ["H-1"]),
        (OneForEach({"a": Range(1, 3), "b": Range(1, 3), "c": Range(1, 3)}, "E-1"), {"a": 9, "d": 1}, ["E-1"] * 3),
        (OneForEach({"a": Range(1, 3), "b": Range(1, 3)}, "E-1"), {"a": 9, "b": 0}, ["E-1"] * 2),
        (OneForEach({"a": Range(1, 3)}, "E-1"), [], ["E-1"]),
        (SomeOf("abc", 2, 2, "M-1"), ["x", "y", "a"], ["M-1"] * 3),
        (SomeOf("abc", 0, 3, "M-1"), ["a", "a", "x"], ["M-1"] * 2),
        (SomeOf("abc", 0, 3, "M-1"), "a", ["M-1"]),
        (ListOf(Range(1, 6, "L-1"), 3), [7, 1, 0], ["L-1"] * 2),
        (ListOf(Range(1, 6, "L-1"), 3), [7], [""]),
        (ShareOut(9, {"a": 1, "b": 2}, {"b": 2}, rule="O-1"), {"x": 1, "a": 0, "b": 3}, ["O-1"] * 3),
        (ShareOut(9, {"a": 1}, rule="O-1"), {"a": 10}, ["O-1"]),
        (ShareOut(9, {"a": 1}, rule="O-1"), {"x": 1, "a": 10}, ["O-1"]),  # the sum waits until each entry is right
        (ShareOut(9, {"a": 1}, rule="O-1"), 9, ["O-1"]),
        (SHEET, {"a": 9, "c": 1}, ["S-1", "S-0", "S-0"]),
        (SHEET, {"a": 1, "b": 1}, ["S-2"]),
        (SHEET, [], ["S-0"]),
    ],
)
def test_all_that_is_wrong_is_told_and_first_what_a_program_is_told(space: Space, value: Any, rules: list[str]) -> None:
    wrong = space.all_wrong(value)
    assert [each.rule for each in wrong] == rules
    assert wrong[0] == space.why_not(value)
    assert len(set(wrong)) == len(wrong)


@pytest.mark.parametrize(
    ("space", "value"),
    [
        (go(), Go("mill", 2, "war")),
        (SHEET, {"b": 1}),
        (ShareOut(9, {"a": 1}), {"a": 9}),
        (SomeOf("abc"), ["b"]),
        (ListOf(Range(1, 6), 2), [1, 6]),
        (OneForEach({"a": Range(1, 3)}), {"a": 1}),
    ],
)
def test_nothing_is_wrong_with_what_may_be_chosen(space: Space, value: Any) -> None:
    assert space.all_wrong(value) == space.wrong_alone(value) == []


@pytest.mark.parametrize(
    ("space", "value", "rules"),
    [
        (go(), Go("moon", 1, "hate"), ["W-1"]),
        (SHEET, {}, []),  # b is still to be written
        (SHEET, {"a": 1, "b": 1, "c": 1}, ["S-0"]),  # and may still be written otherwise
        (OneForEach({"a": Range(1, 3), "b": Range(1, 3)}, "E-1"), {"a": 9}, ["E-1"]),
        (SomeOf("abc", 0, 3, "M-1"), ["x"], ["M-1"]),
    ],
)
def test_of_what_is_unfinished_each_part_is_looked_at_alone(space: Space, value: Any, rules: list[str]) -> None:
    assert [each.rule for each in space.wrong_alone(value)] == rules


class Kept(SomeOf):
    """A list with a rule of its own, as rulesets have them."""

    def why_not(self, value: Any) -> Refusal | None:
        return Refusal("K-1", "not b alone") if value == ["b"] else super().why_not(value)


def test_a_space_that_judges_by_a_rule_of_its_own_is_heard() -> None:
    space = Kept("abc", rule="M-1")
    assert space.all_wrong(["b"]) == [Refusal("K-1", "not b alone")]
    assert [each.rule for each in space.all_wrong(["x", "y"])] == ["M-1", "M-1"]
    form = Form(Choose, {"some": space, "pace": Range(1, 3, "P-1")})
    assert [each.rule for each in form.all_wrong(Choose(["b"], 9))] == ["K-1", "P-1"]


VALUES = st.one_of(
    st.dictionaries(st.sampled_from("abcx"), st.integers(-1, 10), max_size=4),
    st.lists(st.sampled_from("abcx"), max_size=4),
    st.builds(Go, st.sampled_from(["mill", "hill", "moon"]), st.integers(0, 4), st.sampled_from(["war", "love", "x"])),
)


@given(VALUES, st.sampled_from([go(), SHEET, ShareOut(9, {"a": 1, "b": 2}, {"b": 2}), SomeOf("abc", 1, 2)]))
def test_something_is_told_wrong_just_where_something_is(value: Any, space: Space) -> None:
    refusal = space.why_not(value)
    assert space.all_wrong(value)[:1] == ([] if refusal is None else [refusal])


# --- what is gathered ---


def test_what_is_wrong_is_gathered_and_refused_at_once() -> None:
    wrong = Wrongs()
    with wrong.part():
        raise IllegalOrder("A-1", "first", [IllegalOrder("A-2", "second")])
    with wrong.part():
        pass
    wrong.add(IllegalOrder("A-3", "third"))
    with pytest.raises(IllegalOrder, match=r"first \(A-1\)") as caught:
        wrong.refuse()
    assert [(each.rule, each.reason, each.also) for each in caught.value.also] == [
        ("A-2", "second", ()),
        ("A-3", "third", ()),
    ]
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert [str(each) for each in (copy, *copy.also)] == ["first (A-1)", "second (A-2)", "third (A-3)"]


def test_nothing_gathered_is_nothing_refused() -> None:
    Wrongs().refuse()
