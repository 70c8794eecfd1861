"""Typed orders of a ruleset without its own notation: by the name of the order, then field by field."""

from typing import Any

import pytest
from refused import assert_all_named, reasons

from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import (
    AnyOf,
    Form,
    Groups,
    ListOf,
    OneForEach,
    OneOf,
    Path,
    Range,
    Refusal,
    ShareOut,
    Sheet,
    SomeOf,
    Space,
    Words,
)
from sandtable.kernel.options.choices import is_among
from sandtable.rules.notation.names import named, typed
from sandtable.rules.notation.usual import usual
from sandtable.rules.notation.values import read_text


class Drop(Order, frozen=True):
    column: int


class PlaceUnits(Order, frozen=True):
    units: dict[str, int]
    where: str


class PlaceMines(Order, frozen=True):
    where: str


class Plot(Order, frozen=True):
    lines: dict[str, list[str]]


class Halt(Order, frozen=True):
    pass


NEAR = {"0804": ["0805", "0904"], "0805": ["0804"], "0904": ["0804"]}


def path(start: str = "0804") -> Path:
    return Path(start, lambda each: NEAR[each[-1]], lambda _: None, lambda _: None, 3, "X-1")


def asked(space: Space) -> Decision:
    return Decision("red", "do something", space, "X-1")


def read(space: Space, text: str) -> Any:
    decision = asked(space)
    return usual(decision).read_order(decision, text, None)


PLACES = AnyOf(
    (
        Form(PlaceUnits, {"units": ShareOut(5, {"guns": 2, "horse": 1}), "where": OneOf(["ford", "old_mill"])}),
        Form(PlaceMines, {"where": OneOf(["ford"])}),
        OneOf([Halt()]),
    )
)


class Odd(Space):
    """A space of an unknown kind."""

    of: tuple[Any, ...]

    def why_not(self, value: Any) -> Refusal | None:
        return None if is_among(value, self.of) else Refusal("X-2", "that is not odd")

    def sample(self, stream: Any) -> Any:
        return stream.pick(self.of)

    def values(self) -> Any:
        return iter(self.of)


@pytest.mark.parametrize(
    ("space", "text", "value"),
    [
        (OneOf(["0804", "0805"]), "0804", "0804"),
        (OneOf(["old_mill", "ford"]), "old", "old_mill"),
        (OneOf([True, False]), "yes", True),
        (OneOf([3, 4]), "4", 4),
        (Range(-1, 7), "-1", -1),
        (SomeOf(["a", "b", "c"]), "a c", ["a", "c"]),
        (SomeOf(["a", "b"]), "all", ["a", "b"]),
        (SomeOf(["a", "b"]), "none", []),
        (ShareOut(9, {"guns": 2, "horse": 1}), "2 guns 1 horse", {"guns": 2, "horse": 1}),
        (ShareOut(9, {"guns": 2, "horse": 1}), "guns=1, horse 0", {"guns": 1}),
        (path(), "0805", ["0804", "0805"]),
        (path(), "0804 > 0904", ["0804", "0904"]),
        (path(), "0804", ["0804"]),
        (ListOf(Range(1, 6), 2), "3 4", [3, 4]),
        (OneForEach({"a": OneOf(["x", "y"])}), "a: y", {"a": "y"}),
        (Sheet({"b1": path(), "b2": path()}, titles={"b1": "First"}), "first: 0805; b2", {"b1": ["0804", "0805"]}),
        (Groups(["1", "2", "3"]), "1 2 / 3", [["1", "2"], ["3"]]),
        (Groups(["1", "2"]), "each", [["1"], ["2"]]),
        (Words(20), "Hold, and wait", "Hold, and wait"),
        (AnyOf((Range(1, 3), OneOf(["none of them"]))), "2", 2),
        (Odd(of=("7", 7, "seven and eight")), "seven and eight", "seven and eight"),
        (Odd(of=(9,)), "9", 9),
    ],
)
def test_each_space_has_its_own_notation(space: Space, text: str, value: Any) -> None:
    found = read_text(text, space)
    assert found == value
    assert type(found) is type(value)
    assert space.is_legal(found)
    assert read_text(typed(found), space) == found


@pytest.mark.parametrize(
    ("space", "text", "wrong"),
    [
        (Range(1, 7), "seven", ["word 1, seven: expected a whole number from 1 to 7"]),
        (Range(1, 7), "3 4", ["word 2, 4: unexpected word"]),
        (OneOf(["a", "b"]), "", ["at the end: expected one of a or b"]),
        (ListOf(Range(1, 6), 3), "x 2 y", ["word 1, x: expected a whole number", "word 3, y: expected a whole number"]),
        (ShareOut(9, {"guns": 2}), "2", ["at the end: expected a name: guns"]),
        (ShareOut(9, {"guns": 2}), "guns many", ["word 1, guns: type a number and a name, such as 1 guns"]),
        (ShareOut(9, {"guns": 2}), "guns=1 2 guns", ["guns is written twice"]),
        (
            Sheet({"b1": path()}),
            "b9: 0805; b1: 0805; b1: 0904",
            ["b9 is not a line of this sheet", "b1 is written twice"],
        ),
    ],
)
def test_unreadable_text_is_refused_with_its_position(space: Space, text: str, wrong: list[str]) -> None:
    assert_all_named(reasons(lambda: read_text(text, space, "X-1")), wrong)


def test_unknown_name_is_refused_by_the_rule_of_the_space() -> None:
    assert OneOf(["ford"], "X-9").why_not(read_text("moon", OneOf(["ford"], "X-9"))) == (
        "X-9",
        "moon cannot be chosen here: choose ford",
    )


def test_orders_are_typed_by_their_names() -> None:
    assert read(PLACES, "place units 1 guns horse=1 old_mill") == PlaceUnits({"guns": 1, "horse": 1}, "old_mill")
    assert read(PLACES, "place mines ford") == PlaceMines("ford")
    assert read(PLACES, "halt") == Halt()
    assert read(PLACES, "march") is None
    with pytest.raises(IllegalOrder, match="place units or place mines"):
        read(PLACES, "place ford")


def test_unambiguous_first_word_of_an_order_is_enough() -> None:
    only = AnyOf((Form(PlaceMines, {"where": OneOf(["ford", "mill"])}), OneOf([Halt()])))
    assert read(only, "place mill") == PlaceMines("mill")


@pytest.mark.parametrize("space", [Form(Drop, {"column": OneOf([1, 3])}), OneOf([Drop(1), Drop(3)])])
def test_listed_orders_are_typed_like_forms(space: Space) -> None:
    assert read(space, "drop 3") == Drop(3)
    assert space.why_not(read(space, "drop 2")) is not None
    assert read(space, "3") is None, "a bare number is one of the menu"


def test_sheet_is_typed_in_one_line() -> None:
    space = Form(Plot, {"lines": Sheet({"b1": path(), "b2": path()})})
    assert read(space, "plot b1: 0805; b2: 0904 0804") == Plot({"b1": ["0804", "0805"], "b2": ["0804", "0904", "0804"]})


@pytest.mark.parametrize("space", [PLACES, Form(Drop, {"column": Range(1, 7)}), Odd(of=(Drop(1), Drop(4)))])
def test_examples_are_legal_orders(space: Space) -> None:
    decision = asked(space)
    found = usual(decision).examples(decision, None)
    assert found
    assert all(space.is_legal(read(space, each)) for each in found), found


def test_ambiguous_names_are_not_accepted() -> None:
    titles = {"sidi_rezegh": "Sidi Rezegh", "sidi_omar": "Sidi Omar"}
    assert (named("sidi", titles), named("Sidi O", titles), named("", titles)) == ("", "sidi_omar", "")
