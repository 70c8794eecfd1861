"""OneOf, Range, SomeOf and ListOf: display and comparison of values, strict types, counts, uniformity."""

import copy
from collections import Counter
from typing import Any

import pytest
from specimens import Build

from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import ListOf, OneOf, Range, SomeOf, Space
from sandtable.kernel.options.choices import listing, same, shown
from sandtable.testing.scratch import Say


def test_some_of_and_range_accept_extreme_sizes() -> None:
    assert list(SomeOf("ab", 0, 0).values()) == [[]]
    assert list(SomeOf("ab", 1, 2).values()) == [["a"], ["b"], ["a", "b"]]
    assert (SomeOf("ab", 2).most, SomeOf("ab", 2).sample(Stream(b""))) == (2, ["a", "b"])
    assert (Range(3, 3).sample(Stream(b"")), Range(3, 3).count()) == (3, 1)


def test_equality_of_values_ignores_the_key_order_of_a_table() -> None:
    one, other = Build({"gun": 1, "tank": 2}), Build({"tank": 2, "gun": 1})
    assert OneOf([one]).why_not(other) is None
    assert SomeOf([one]).why_not([other]) is None


@pytest.mark.parametrize("of", [[[1], [2]], [Say("a"), Say("b")]])
def test_sampling_makes_no_other_value_legal(of: list[Any]) -> None:
    space = OneOf(of)
    for value in (space.sample(Stream(b"x")), *copy.deepcopy(of)):
        space.check(value)
    for value in (None, [3], Say("c")):
        with pytest.raises(IllegalOrder):
            space.check(value)


def test_ranges_are_counted_without_listing_values() -> None:
    assert Range(1, 10**12).count() == 1_000_000
    assert Range(1, 10**12).count(10**13) == 10**12
    assert Range(3, 2).count() == 0
    assert Range(3, 2).is_empty()


def test_some_of_is_limited_to_its_members() -> None:
    assert SomeOf(list("abcdef"), 2, 4).count() == 15 + 20 + 15
    assert SomeOf(list("ab"), 0, 9).most == 2
    assert SomeOf(list("ab"), 3).count() == 0
    assert SomeOf(list("abc"), 1).why_not(("c", "a")) is None


def test_long_lists_are_counted_like_short_ones() -> None:
    assert ListOf(Range(1, 1), 64).count() == 1
    assert ListOf(Range(1, 0), 70).count() == 0


def test_some_of_samples_sizes_by_number_of_subsets() -> None:
    space = SomeOf(list("abcd"), 1, 3)
    stream = Stream(b"sizes")
    seen = Counter(tuple(space.sample(stream)) for _ in range(14 * 400))
    assert len(seen) == 14
    assert all(300 < number < 500 for number in seen.values())


class Retreat(Order, frozen=True):
    to: str
    by: list[str] = []
    steps: int = 0
    at: tuple[int, ...] = ()
    how: dict[str, int] = {}
    why: str | None = None


class PressOn(Order, frozen=True):
    """Continue: an order without fields, whose name has two words."""


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("Sidi Barrani", "Sidi Barrani"),
        ("two\nlines", r"'two\nlines'"),
        ("Gràn", "Gràn"),
        (7, "7"),
        (None, "None"),
        (["Gràn"], r"['Gr\xe0n']"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ([10**5000], "a number with very many digits"),
        (PressOn(), "press on"),
        (Retreat("RAS"), "retreat RAS 0"),
        (Retreat("", ["1/A"], 2, (3,), {"a": 1}, "fear"), "retreat ['1/A'] 2 (3,) {'a': 1} fear"),
    ],
)
def test_shown_formats_a_value_for_people(value: Any, words: str) -> None:
    assert shown(value) == words
    assert (shown("abcdef", 6), shown("abcdefg", 6)) == ("abcdef", "abcde…")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "nothing"),
        (1, "0"),
        (2, "0 or 1"),
        (3, "0, 1 or 2"),
        (8, "0, 1, 2, 3, 4, 5, 6 or 7"),
        (9, "0, 1, 2, 3, 4, 5, 6, 7 or 1 more"),
        (20, "0, 1, 2, 3, 4, 5, 6, 7 or 12 more"),
    ],
)
def test_listing_names_at_most_eight_values(number: int, words: str) -> None:
    assert listing(range(number)) == words
    assert (listing("abc", 2), listing("ab", 2)) == ("a, b or 1 more", "a or b")


def test_equality_of_values_compares_types_at_any_depth() -> None:
    assert same([1, {"a": (2,)}], [1, {"a": (2,)}])
    assert same({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert not same([1], [True])
    assert not same({"a": [1]}, {"a": [1.0]})
    assert not same(1, 2)
    assert not same("1", 1)
    assert not same([1], (1,))


@pytest.mark.parametrize(
    ("space", "value"),
    [
        (OneOf([1, 2]), True),
        (OneOf([1, 2]), 1.0),
        (OneOf([True]), 1),
        (OneOf([True, False]), 1),
        (OneOf([True, False]), 0),
        (OneOf([Retreat("a", steps=1)]), None),
        *[(OneOf([Retreat("a", steps=1), Retreat("b", steps=1)]), Retreat(to, steps=1.0)) for to in "ab"],  # type: ignore[arg-type]  # a wrong type on purpose
        *[(OneOf([Retreat("a", steps=1), Retreat("b", steps=1)]), Retreat(to, steps=True)) for to in "ab"],
        (SomeOf([1, 2, 3]), [True]),
        (SomeOf([1, 2, 3]), [1.0]),
        pytest.param(Range(1, 6), 10**5000, id="Range"),
        pytest.param(OneOf(["a"]), 10**5000, id="OneOf"),
        pytest.param(ListOf(Range(1, 6), 1), 10**5000, id="ListOf"),
    ],
)
def test_wrong_type_and_unprintable_number_are_refused(space: Space, value: Any) -> None:
    assert space.why_not(value) is not None
    with pytest.raises(IllegalOrder):
        space.check(value)


@pytest.mark.parametrize("value", [1, True, Retreat("a", steps=1), Retreat("a", steps=True)])
def test_values_equal_in_python_are_both_selectable(value: Any) -> None:
    of = [1, True, Retreat("a", steps=1), Retreat("a", steps=True)]
    for space in (OneOf(of), OneOf(of[::-1])):
        space.check(value)
        assert space.why_not(value) is None
    assert SomeOf(of, 1, 1).why_not([value]) is None
