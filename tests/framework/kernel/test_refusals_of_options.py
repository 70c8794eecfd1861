"""What a space says to a value that it refuses, word for word; what it says of a value that has parts, part by part."""

import gc
from typing import Any

import pytest
from specimens import Attack, Build, attack_space, path_space

from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order, Roll
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import Calculation, Event
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
from sandtable.kernel.options.choices import listing, same, shown
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.testing.scratch import Say


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


SHEET = Sheet(
    {"a": Range(1, 3, "S-1"), "b": Range(1, 3)},
    lambda sheet: [("b", Refusal("", "a is there"))] if sheet.get("a") == sheet.get("b") else [],
    required=("b",),
    rule="S-0",
)
STRANGE = Sheet({"a": Range(1, 3)}, stranger=lambda key: Refusal("S-9", f"{key} is beaten"), rule="S-0")
GROUPS = Groups(["a", "b", "c"], lambda group: Refusal("G-2", "too many") if len(group) > 2 else None, "G-1")
BLIND = Path("a", lambda path: ["b"], lambda path: None, lambda path: None, 1, "P-1")

WORDS: list[tuple[Space, Any, tuple[str, str]]] = [
    (OneOf(["a", "b"], "O-1"), "c", ("O-1", "c cannot be chosen here: choose a or b")),
    (OneOf(["a"], "O-1", "not today"), "c", ("O-1", "not today")),
    (Range(1, 3, "R-1"), 4, ("R-1", "4 is not a whole number from 1 to 3")),
    (SomeOf(["a", "b", "c"], 1, 2, "M-1"), [], ("M-1", "choose 1 to 2 of 3, not 0")),
    (SomeOf(["a", "b", "c"], 2, 2, "M-1"), ["a"], ("M-1", "choose 2 of 3, not 1")),
    (SomeOf(["a", "b"], 0, 2, "M-1"), ["x"], ("M-1", "x cannot be chosen here: choose from a or b")),
    (SomeOf(["a", "b"], 0, 2, "M-1"), ["b", "b"], ("M-1", "b is named twice")),
    (SomeOf(["a", "b"], 0, 2, "M-1"), "a", ("M-1", "a list is wanted, not a")),
    (ListOf(Range(1, 6, "L-1"), 2), [1], ("", "2 values are wanted, not [1]")),
    (ListOf(Range(1, 6, "L-1"), 2), [1, 7], ("L-1", "7 is not a whole number from 1 to 6")),
    (ShareOut(7, {"a": 2, "b": 1}, rule="H-1"), 7, ("H-1", "a table of names and numbers is wanted, not 7")),
    (ShareOut(7, {"a": 2, "b": 1}, rule="H-1"), {"x": 1}, ("H-1", "x cannot be chosen here: choose a or b")),
    (ShareOut(7, {"a": 2}, rule="H-1"), {"a": 0}, ("H-1", "a: 0 is not a whole number above nought")),
    (ShareOut(7, {"a": 2}, {"a": 1}, rule="H-1"), {"a": 2}, ("H-1", "a: 2 is more than the 1 there are")),
    (ShareOut(7, {"a": 2}, rule="H-1"), {"a": 4}, ("H-1", "that makes 8 points; it must be at most 7")),
    (ShareOut(7, {"a": 2}, {}, True, "H-1", "gold"), {"a": 3}, ("H-1", "that makes 6 gold; it must be exactly 7")),
    (ShareOut(7, {"a": 2, "b": 3}, {}, True, "H-1"), {"a": 4}, ("H-1", "that makes 8 points; it must be exactly 7")),
    (BLIND, "ab", ("P-1", "a path is wanted, not ab")),
    (BLIND, [], ("P-1", "a path is wanted, not []")),
    (BLIND, ["b"], ("P-1", "the path starts in a, not in b")),
    (BLIND, ["a", "b", "b"], ("P-1", "2 steps are more than the 1 allowed")),
    (path_space(), ["a", "b", "d"], ("P-1", "d is not next to b: that touches a or c")),
    (path_space(), ["a", "b", "a"], ("P-2", "a was entered already")),
    (path_space(), ["a", "d"], ("P-3", "no path ends in d")),
    (SHEET, "ab", ("S-0", "a sheet, key by key, is wanted, not ab")),
    (SHEET, {"a": 4, "b": 1}, ("S-1", "a: 4 is not a whole number from 1 to 3")),
    (SHEET, {"b": 4}, ("S-0", "b: 4 is not a whole number from 1 to 3")),
    (SHEET, {"a": 1, "b": 1}, ("S-0", "b: a is there")),
    (SHEET, {"a": 1}, ("S-0", "b: nothing is written for it")),
    (SHEET, {"c": 1, "b": 1}, ("S-0", "c: c has no line here: choose a or b")),
    (STRANGE, {"c": 1}, ("S-9", "c: c is beaten")),
    (STRANGE, {1: 1}, ("S-0", "1: 1 has no line here: choose a")),
    (GROUPS, ["abc"], ("G-1", "a list of groups is wanted, not ['abc']")),
    (GROUPS, [["a", "x", "y"]], ("G-1", "x is not to be grouped: only a, b or c")),
    (GROUPS, [["a"], ["b"]], ("G-1", "each of a, b or c must be in one group, and no group may be empty")),
    (GROUPS, [["a", "b", "b"]], ("G-1", "each of a, b or c must be in one group, and no group may be empty")),
    (GROUPS, [["a", "b"], ["b", "c"]], ("G-1", "each of a, b or c must be in one group, and no group may be empty")),
    (GROUPS, [["a", "b"], ["c"], []], ("G-1", "each of a, b or c must be in one group, and no group may be empty")),
    (GROUPS, [["a", "b", "c"]], ("G-2", "too many")),
    (OneForEach({"a": Range(1, 3), "b": Range(1, 3)}, "E-0"), 1, ("E-0", "one choice for each of a or b is wanted")),
    (OneForEach({"a": Range(1, 3), "b": Range(1, 3)}, "E-0"), {}, ("E-0", "the choice for a or b is missing")),
    (OneForEach({"a": Range(1, 3)}, "E-0"), {"a": 1, "c": 1}, ("E-0", "c is not asked for: only a")),
    (OneForEach({"a": Range(1, 3)}, "E-0"), {"a": 4}, ("E-0", "a: 4 is not a whole number from 1 to 3")),
    (OneForEach({"a": Range(1, 3, "E-1")}, "E-0"), {"a": 4}, ("E-1", "a: 4 is not a whole number from 1 to 3")),
    (AnyOf([attack_space(), Form(Build, {})]), Say(""), ("", "Say cannot be ordered here: Attack is wanted")),
    (AnyOf([Range(1, 3, "R-1"), Range(5, 6, "R-2")]), 4, ("R-1", "4 is not a whole number from 1 to 3")),
    (AnyOf([attack_space(), Range(5, 6)]), Attack("x", []), ("A-1", "x cannot be chosen here: choose b or c")),
    (AnyOf([Range(5, 6), attack_space()]), Attack("x", []), ("A-1", "x cannot be chosen here: choose b or c")),
    (Words(3, "W-1"), 3, ("W-1", "a text is wanted, not 3")),
    (Words(3, "W-1"), "four", ("W-1", "the text has 4 characters: use at most 3")),
    (Words(3, "W-1"), "a\tb", ("W-1", r"the text holds '\t', which cannot be printed: leave it out")),
]


@pytest.mark.parametrize(("space", "value", "words"), WORDS)
def test_a_refusal_says_what_is_wrong_by_which_rule_and_what_would_be_right(
    space: Space, value: Any, words: tuple[str, str]
) -> None:
    assert space.why_not(value) == words
    assert space.all_wrong(value)[0] == words
    with pytest.raises(IllegalOrder) as caught:
        space.check(value)
    assert (caught.value.rule, caught.value.reason) == words


@pytest.mark.parametrize(
    ("space", "value"),
    [
        (SomeOf(["a", "b"], 1, 1), ("a",)),
        (ListOf(Range(1, 6), 2), (1, 6)),
        (ShareOut(7, {"a": 2, "b": 1}, {"a": 3}, True), {"b": 1, "a": 3}),
        (BLIND, ("a", "b")),
        (GROUPS, (("a", "c"), ("b",))),
        (Words(3), "a\nb"),
        (Words(3), ""),
    ],
)
def test_the_limits_themselves_may_be_chosen_and_a_row_is_a_list(space: Space, value: Any) -> None:
    assert space.all_wrong(value) == []
    space.check(value)


def test_texts_are_not_listed_but_for_the_empty_one() -> None:
    assert (Words(9).sample(Stream(b"")), list(Words(9).values()), Words(9).outline()) == ("", [""], "Words")


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


@pytest.mark.parametrize(
    ("space", "value", "told"),
    [
        (OneForEach({"a": Range(1, 3, "E-1"), "b": Range(1, 3)}, "E-0"), {"a": 9, "b": 9}, ["E-1 a", "E-0 b"]),
        (SHEET, {"a": 9, "b": 9}, ["S-1 a", "S-0 b"]),
        (OneForEach({"a": Range(1, 3)}, "E-0"), 1, ["E-0 one"]),
        (SHEET, 1, ["S-0 a"]),
        (Form(Say, {"word": OneOf(["a"])}), PressOn(), [" PressOn"]),
    ],
)
def test_each_part_that_is_wrong_is_told_by_its_own_rule_or_that_of_the_whole(
    space: Space, value: Any, told: list[str]
) -> None:
    for wrong in (space.all_wrong(value), space.wrong_alone(value)):
        assert [f"{each.rule} {each.reason.split()[0].rstrip(':')}" for each in wrong] == told


def test_of_two_forms_for_one_kind_of_order_the_last_is_heard() -> None:
    forms = [Form(Say, {"word": OneOf([word], f"F-{number}")}) for number, word in enumerate("abc")]
    assert AnyOf(forms).why_not(Say("x")) == ("F-2", "x cannot be chosen here: choose c")
    assert AnyOf(forms).wrong_parts(Say("x")) == [("F-2", "x cannot be chosen here: choose c")]
    assert AnyOf(forms).wrong_parts(PressOn()) == []


def test_parts_are_judged_only_where_there_are_some() -> None:
    for space in (OneForEach({"a": Range(1, 3)}), SHEET, ListOf(Range(1, 6), 2), Form(Say, {"word": OneOf(["a"])})):
        assert space.wrong_parts(None) == []
    assert Range(1, 3).wrong_parts(9) == []
    assert ListOf(Range(1, 6, "L-1"), 2).wrong_parts((7, 1)) == [("L-1", "7 is not a whole number from 1 to 6")]


class Seen(Event, frozen=True):
    units: list[str]


@pytest.mark.parametrize(
    "made",
    [
        OneOf([["a"]]),
        Decision("red", "go", SomeOf([["a"]])),
        Retreat("a", ["b"]),
        Seen(["a"]),
        Calculation("odds", (("a", 1, ""),)),
        Roll(1, 6, "x", needs=(1,)),
        OrderRecord(1, "red", Retreat("a", ["b"])),
        RollRecord(1, "1/p/x/1", 6, (1,)),
    ],
)
def test_what_is_made_by_the_thousand_is_no_work_for_the_garbage_collector(made: Any) -> None:
    assert not gc.is_tracked(made)


def test_spaces_are_not_compared() -> None:
    assert Range(1, 3) != Range(1, 3)
    assert len({Range(1, 3), Range(1, 3)}) == 2
