"""OneOf, Range, SomeOf and ListOf: values shown and compared, strict types, counts, fairness."""

from collections import Counter
from typing import Any

import pytest
from specimens import Build

from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import (
    ListOf,
    OneOf,
    Range,
    SomeOf,
    Space,
)
from sandtable.kernel.options.choices import listing, same, shown
from sandtable.testing.scratch import Say


def test_none_of_many_and_all_of_few_may_be_asked_for() -> None:
    assert list(SomeOf("ab", 0, 0).values()) == [[]]
    assert list(SomeOf("ab", 1, 2).values()) == [["a"], ["b"], ["a", "b"]]
    assert (SomeOf("ab", 2).most, SomeOf("ab", 2).sample(Stream(b""))) == (2, ["a", "b"])
    assert (Range(3, 3).sample(Stream(b"")), Range(3, 3).count()) == (3, 1)


def test_one_of_tells_the_choices_and_takes_a_reason_of_its_own() -> None:
    many = OneOf([f"unit {number}" for number in range(20)], "O-1").why_not("x")
    assert many is not None
    assert many.reason.endswith("or 12 more")
    assert OneOf([1], "O-2", "not while it rains").why_not(2) == ("O-2", "not while it rains")
    assert OneOf([]).why_not(1) == ("", "1 cannot be chosen here: choose nothing")


def test_one_of_knows_true_from_one() -> None:
    assert OneOf([1, 2]).why_not(True) is not None
    assert OneOf([True]).why_not(True) is None


@pytest.mark.parametrize(("of", "stranger"), [([1, 2], 1.0), ([True, False], 1), ([True, False], 0)])
def test_one_of_knows_one_from_one_point_nought(of: list[Any], stranger: Any) -> None:
    assert OneOf(of).why_not(stranger) is not None


@pytest.mark.parametrize("wrong", [True, 1.0])
def test_one_of_orders_takes_no_order_that_the_log_could_not_read(wrong: Any) -> None:
    class March(Order, frozen=True):
        miles: int

    assert OneOf([March(1), March(2)]).why_not(March(wrong)) is not None


@pytest.mark.parametrize("wrong", [True, 1.0])
def test_some_of_knows_one_from_true(wrong: Any) -> None:
    assert SomeOf([1, 2, 3]).why_not([wrong]) is not None


@pytest.mark.parametrize("space", [Range(1, 6), OneOf(["a"]), ListOf(Range(1, 6), 1)])
def test_numbers_too_long_to_print_are_refused_like_others(space: Space) -> None:
    assert space.why_not(10**5000) is not None


def test_the_order_in_which_a_table_is_written_is_no_difference() -> None:
    one, other = Build({"gun": 1, "tank": 2}), Build({"tank": 2, "gun": 1})
    assert OneOf([one]).why_not(other) is None
    assert SomeOf([one]).why_not([other]) is None


def test_what_was_just_drawn_needs_no_second_look_but_still_belongs() -> None:
    space = OneOf([Say("a"), Say("b")], "O-1")
    drawn = space.sample(Stream(b"x"))
    space.check(drawn)
    space.check(Say(drawn.word))
    with pytest.raises(IllegalOrder):
        space.check(Say("c"))
    with pytest.raises(IllegalOrder):
        OneOf(["a"]).check(None)


def test_ranges_count_without_listing() -> None:
    assert Range(1, 10**12).count() == 1_000_000
    assert Range(1, 10**12).count(10**13) == 10**12
    assert Range(3, 2).count() == 0
    assert Range(3, 2).is_empty()


def test_some_of_counts_and_limits_itself() -> None:
    assert SomeOf(list("abcdef"), 2, 4).count() == 15 + 20 + 15
    assert SomeOf(list("ab"), 0, 9).most == 2
    assert SomeOf(list("ab"), 3).count() == 0
    refusal = SomeOf(list("abc"), 2, 2, "S-1").why_not(["a"])
    assert refusal == ("S-1", "choose 2 of 3, not 1")
    assert SomeOf(list("abc"), 1).why_not(("c", "a")) is None


def test_a_list_of_dice_tells_how_many_are_wanted() -> None:
    refusal = ListOf(Range(1, 6), 3).why_not([1, 2])
    assert refusal is not None
    assert "3 values" in refusal.reason


def test_long_lists_are_counted_like_short_ones() -> None:
    assert ListOf(Range(1, 1), 64).count() == 1
    assert ListOf(Range(1, 0), 70).count() == 0


def test_subsets_of_each_size_come_up_as_often_as_there_are() -> None:
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
    """Go on: an order of no fields, whose name is two words."""


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
        ([10**5000], "a number of very many digits"),
        (PressOn(), "press on"),
        (Retreat("RAS"), "retreat RAS 0"),
        (Retreat("", ["1/A"], 2, (3,), {"a": 1}, "fear"), "retreat ['1/A'] 2 (3,) {'a': 1} fear"),
    ],
)
def test_a_value_is_shown_as_a_person_reads_it(value: Any, words: str) -> None:
    assert shown(value) == words


def test_a_shown_value_is_cut_where_that_is_asked_for() -> None:
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
def test_a_list_is_a_phrase_of_eight_at_the_most(number: int, words: str) -> None:
    assert listing(range(number)) == words


def test_of_a_list_as_many_are_named_as_are_asked_for() -> None:
    assert (listing("abc", 2), listing("ab", 2)) == ("a, b or 1 more", "a or b")


def test_the_same_data_are_the_same_at_any_depth() -> None:
    assert same([1, {"a": (2,)}], [1, {"a": (2,)}])
    assert same({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert not same([1], [True])
    assert not same({"a": [1]}, {"a": [1.0]})
    assert not same(1, 2)
    assert not same("1", 1)
    assert not same([1], (1,))


@pytest.mark.parametrize(("of", "value"), [([1, 2], True), ([1, 2], 1.0), ([Retreat("a", steps=1)], None)])
def test_a_check_is_as_strict_as_a_judgement(of: list[Any], value: Any) -> None:
    with pytest.raises(IllegalOrder):
        OneOf(of).check(value)


@pytest.mark.parametrize("steps", [True, 1.0])
def test_an_order_with_a_field_of_another_type_is_no_order_on_the_list(steps: Any) -> None:
    space = OneOf([Retreat("a", steps=1), Retreat("b", steps=1)])
    space.check(Retreat("b", steps=1))
    for value in (Retreat("a", steps=steps), Retreat("b", steps=steps)):
        with pytest.raises(IllegalOrder):
            space.check(value)


@pytest.mark.parametrize("value", [1, True, Retreat("a", steps=1), Retreat("a", steps=True)])
def test_of_two_values_that_python_takes_for_equal_each_may_be_chosen(value: Any) -> None:
    of = [1, True, Retreat("a", steps=1), Retreat("a", steps=True)]
    for space in (OneOf(of), OneOf(of[::-1])):
        space.check(value)
        assert space.why_not(value) is None
    assert SomeOf(of, 1, 1).why_not([value]) is None


def test_what_was_drawn_is_legal_until_another_is_and_nothing_is_never_drawn() -> None:
    space = OneOf([[1], [2]])
    space.check(space.sample(Stream(b"")))
    for value in (None, [3]):
        with pytest.raises(IllegalOrder):
            space.check(value)
