"""Refusals of every kind of space, word by word, and all errors of a value, part by part."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from specimens import Attack, Build, attack_space, path_space

from sandtable.errors import IllegalOrder, RefusalCollector
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
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
from sandtable.testing.scratch import Say


class PressOn(Order, frozen=True):
    """Continue: an order without fields, whose name has two words."""


SHEET = Sheet(
    {"a": Range(1, 3, "S-1"), "b": Range(1, 3)},
    lambda sheet: [("b", Refusal("", "a is there"))] if sheet.get("a") == sheet.get("b") else [],
    required=("b",),
    rule="S-0",
)

STRANGE = Sheet({"a": Range(1, 3)}, stranger=lambda key: Refusal("S-9", f"{key} is beaten"), rule="S-0")
GROUPS = Groups(["a", "b", "c"], lambda group: Refusal("G-2", "too many") if len(group) > 2 else None, "G-1")
BUILDING = AnyOf([attack_space(), Form(Build, {"share": ShareOut(2, {"gun": 1}, rule="B-1")})])
BLIND = Path("a", lambda path: ["b"], lambda path: None, lambda path: None, 1, "P-1")

WORDS: list[tuple[Space, Any, tuple[str, str]]] = [
    (OneOf(["a", "b"], "O-1"), "c", ("O-1", "c cannot be chosen here: choose a or b")),
    (OneOf(["a"], "O-1", "not today"), "c", ("O-1", "not today")),
    (OneOf([]), 1, ("", "1 cannot be chosen here: choose nothing")),
    (Range(1, 3, "R-1"), 4, ("R-1", "4 is not a whole number from 1 to 3")),
    (SomeOf(["a", "b", "c"], 1, 2, "M-1"), [], ("M-1", "choose 1 to 2 of 3, not 0")),
    (SomeOf(["a", "b", "c"], 2, 2, "M-1"), ["a"], ("M-1", "choose 2 of 3, not 1")),
    (SomeOf(["a", "b"], 0, 2, "M-1"), ["x"], ("M-1", "x cannot be chosen here: choose from a or b")),
    (SomeOf(["a", "b"], 0, 2, "M-1"), ["b", "b"], ("M-1", "b is named twice")),
    (SomeOf(["a", "b"], 0, 2, "M-1"), "a", ("M-1", "expected a list, not a")),
    (ListOf(Range(1, 6, "L-1"), 2), [1], ("", "expected 2 values, not [1]")),
    (ListOf(Range(1, 6, "L-1"), 2), [1, 7], ("L-1", "7 is not a whole number from 1 to 6")),
    (ShareOut(7, {"a": 2, "b": 1}, rule="H-1"), 7, ("H-1", "expected a table of names and numbers, not 7")),
    (ShareOut(7, {"a": 2, "b": 1}, rule="H-1"), {"x": 1}, ("H-1", "x cannot be chosen here: choose a or b")),
    (ShareOut(7, {"a": 2}, rule="H-1"), {"a": 0}, ("H-1", "a: 0 is not a positive whole number")),
    (ShareOut(7, {"a": 2}, {"a": 1}, rule="H-1"), {"a": 2}, ("H-1", "a: 2 is more than the maximum of 1")),
    (ShareOut(7, {"a": 2}, rule="H-1"), {"a": 4}, ("H-1", "that makes 8 points; it must be at most 7")),
    (ShareOut(7, {"a": 2}, {}, True, "H-1", "gold"), {"a": 3}, ("H-1", "that makes 6 gold; it must be exactly 7")),
    (ShareOut(7, {"a": 2, "b": 3}, {}, True, "H-1"), {"a": 4}, ("H-1", "that makes 8 points; it must be exactly 7")),
    (BLIND, "ab", ("P-1", "expected a path, not ab")),
    (BLIND, [], ("P-1", "expected a path, not []")),
    (BLIND, ["b"], ("P-1", "the path starts in a, not in b")),
    (BLIND, ["a", "b", "b"], ("P-1", "2 steps are more than the 1 allowed")),
    (path_space(), ["a", "b", "d"], ("P-1", "d is not next to b, which borders a or c")),
    (path_space(), ["b"], ("P-1", "the path starts in a, not in b")),
    (path_space(), ["a", "c"], ("P-1", "c is not next to a, which borders b or d")),
    (path_space(), ["a", "b", "c", "d", "a"], ("P-1", "4 steps are more than the 3 allowed")),
    (path_space(longest=2), ["a", "b", "c", "d"], ("P-1", "3 steps are more than the 2 allowed")),
    (path_space(), ["a", "b", "a"], ("P-2", "a was entered already")),
    (path_space(), ["a", "d"], ("P-3", "no path ends in d")),
    (SHEET, "ab", ("S-0", "expected a sheet with a value for each key, not ab")),
    (SHEET, {"a": 4, "b": 1}, ("S-1", "a: 4 is not a whole number from 1 to 3")),
    (SHEET, {"b": 4}, ("S-0", "b: 4 is not a whole number from 1 to 3")),
    (SHEET, {"a": 1, "b": 1}, ("S-0", "b: a is there")),
    (SHEET, {"a": 1}, ("S-0", "b: this line is required and is missing")),
    (SHEET, {"c": 1, "b": 1}, ("S-0", "c: c has no line here: choose a or b")),
    (STRANGE, {"c": 1}, ("S-9", "c: c is beaten")),
    (STRANGE, {1: 1}, ("S-0", "1: 1 has no line here: choose a")),
    (GROUPS, ["abc"], ("G-1", "expected a list of groups, not ['abc']")),
    (GROUPS, [["a", "x", "y"]], ("G-1", "x cannot be grouped here: choose a, b or c")),
    (GROUPS, [["a"], ["b"]], ("G-1", "each of a, b or c must be in one group, and no group may be empty")),
    (GROUPS, [["a", "b", "b"]], ("G-1", "each of a, b or c must be in one group, and no group may be empty")),
    (GROUPS, [["a", "b"], ["b", "c"]], ("G-1", "each of a, b or c must be in one group, and no group may be empty")),
    (GROUPS, [["a", "b"], ["c"], []], ("G-1", "each of a, b or c must be in one group, and no group may be empty")),
    (GROUPS, [["a", "b", "c"]], ("G-2", "too many")),
    (OneForEach({"a": Range(1, 3), "b": Range(1, 3)}, "E-0"), 1, ("E-0", "expected one choice for each of a or b")),
    (OneForEach({"a": Range(1, 3), "b": Range(1, 3)}, "E-0"), {}, ("E-0", "the choice for a or b is missing")),
    (OneForEach({"a": Range(1, 3)}, "E-0"), {"a": 1, "c": 1}, ("E-0", "c cannot be chosen here: choose a")),
    (OneForEach({"a": Range(1, 3)}, "E-0"), {"a": 4}, ("E-0", "a: 4 is not a whole number from 1 to 3")),
    (OneForEach({"a": Range(1, 3, "E-1")}, "E-0"), {"a": 4}, ("E-1", "a: 4 is not a whole number from 1 to 3")),
    (attack_space(), Attack("d", ["u9"]), ("A-1", "d cannot be chosen here: choose b or c")),
    (attack_space(), Attack("c", ["u3"]), ("A-3", "u3 may not attack c")),
    (attack_space(), Say("b"), ("", "Say cannot be ordered here: expected Attack")),
    (AnyOf([]), 1, ("", "nothing can be chosen")),
    (BUILDING, Build({"gun": 3}), ("B-1", "that makes 3 points; it must be at most 2")),
    (AnyOf([attack_space(), Form(Build, {})]), Say(""), ("", "Say cannot be ordered here: expected Attack")),
    (AnyOf([Range(1, 3, "R-1"), Range(5, 6, "R-2")]), 4, ("R-1", "4 is not a whole number from 1 to 3")),
    (AnyOf([attack_space(), Range(5, 6)]), Attack("x", []), ("A-1", "x cannot be chosen here: choose b or c")),
    (AnyOf([Range(5, 6), attack_space()]), Attack("x", []), ("A-1", "x cannot be chosen here: choose b or c")),
    (Words(3, "W-1"), 3, ("W-1", "expected a text, not 3")),
    (Words(3, "W-1"), "four", ("W-1", "the text has 4 characters: use at most 3")),
    (Words(3, "W-1"), "a\tb", ("W-1", r"the text contains '\t', which cannot be printed: remove it")),
]


@pytest.mark.parametrize(("space", "value", "words"), WORDS)
def test_refusal_names_error_rule_and_fix(space: Space, value: Any, words: tuple[str, str]) -> None:
    assert space.why_not(value) == words
    assert space.all_wrong(value)[0] == words
    with pytest.raises(IllegalOrder) as caught:
        space.check(value)
    assert (caught.value.rule, caught.value.reason) == words


def test_words_space_lists_and_samples_only_the_empty_text() -> None:
    assert (Words(9).sample(Stream(b"")), list(Words(9).values()), Words(9).outline()) == ("", [""], "Words")


@pytest.mark.parametrize(
    ("space", "value", "expected"),
    [
        (OneForEach({"a": Range(1, 3, "E-1"), "b": Range(1, 3)}, "E-0"), {"a": 9, "b": 9}, ["E-1 a", "E-0 b"]),
        (SHEET, {"a": 9, "b": 9}, ["S-1 a", "S-0 b"]),
        (OneForEach({"a": Range(1, 3)}, "E-0"), 1, ["E-0 expected"]),
        (SHEET, 1, ["S-0 expected"]),
        (Form(Say, {"word": OneOf(["a"])}), PressOn(), [" PressOn"]),
    ],
)
def test_wrong_part_cites_its_own_rule_or_the_rule_of_the_order(space: Space, value: Any, expected: list[str]) -> None:
    for wrong in (space.all_wrong(value), space.wrong_alone(value)):
        assert [f"{each.rule} {each.reason.split()[0].rstrip(':')}" for each in wrong] == expected


def test_last_of_two_forms_for_one_order_judges() -> None:
    forms = [Form(Say, {"word": OneOf([word], f"F-{number}")}) for number, word in enumerate("abc")]
    assert AnyOf(forms).why_not(Say("x")) == ("F-2", "x cannot be chosen here: choose c")
    assert AnyOf(forms).wrong_parts(Say("x")) == [("F-2", "x cannot be chosen here: choose c")]
    assert AnyOf(forms).wrong_parts(PressOn()) == []


def test_parts_of_values_without_parts_are_not_judged() -> None:
    for space in (OneForEach({"a": Range(1, 3)}), SHEET, ListOf(Range(1, 6), 2), Form(Say, {"word": OneOf(["a"])})):
        assert space.wrong_parts(None) == []
    assert Range(1, 3).wrong_parts(9) == []
    assert ListOf(Range(1, 6, "L-1"), 2).wrong_parts((7, 1)) == [("L-1", "7 is not a whole number from 1 to 6")]


class Go(Order, frozen=True):
    """Move somewhere at a pace, for a reason that depends on the pace."""

    place: str
    pace: int
    reason: str


class Choose(Order, frozen=True):
    """Take some, at a pace."""

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


CLASHING = Sheet({"a": Range(1, 3, "S-1"), "b": Range(1, 3, "S-1")}, clash, required=("b",), rule="S-0")


@pytest.mark.parametrize(
    ("space", "value", "rules"),
    [
        (go(), Go("moon", 9, "war"), ["W-1", "W-2"]),
        (go(), Go("mill", 1, "war"), ["W-3"]),
        (go(), Go("moon", 1, "war"), ["W-1"]),  # the reason depends on fields, one of which is invalid
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
        (
            ShareOut(9, {"a": 1}, rule="O-1"),
            {"x": 1, "a": 10},
            ["O-1"],
        ),  # the total is checked only after each entry is valid
        (ShareOut(9, {"a": 1}, rule="O-1"), 9, ["O-1"]),
        (CLASHING, {"a": 9, "c": 1}, ["S-1", "S-0", "S-0"]),
        (CLASHING, {"a": 1, "b": 1}, ["S-2"]),
        (CLASHING, [], ["S-0"]),
    ],
)
def test_all_wrong_begins_with_the_refusal_of_why_not(space: Space, value: Any, rules: list[str]) -> None:
    wrong = space.all_wrong(value)
    assert [each.rule for each in wrong] == rules
    assert wrong[0] == space.why_not(value)
    assert len(set(wrong)) == len(wrong)


@pytest.mark.parametrize(
    ("space", "value"),
    [
        (go(), Go("mill", 2, "war")),
        (CLASHING, {"b": 1}),
        (ShareOut(9, {"a": 1}), {"a": 9}),
        (ShareOut(7, {"a": 2, "b": 1}, {"a": 3}, True), {"b": 1, "a": 3}),
        (SomeOf("abc"), ["b"]),
        (SomeOf(["a", "b"], 1, 1), ("a",)),
        (ListOf(Range(1, 6), 2), [1, 6]),
        (ListOf(Range(1, 6), 2), (1, 6)),
        (OneForEach({"a": Range(1, 3)}), {"a": 1}),
        (BLIND, ("a", "b")),
        (GROUPS, (("a", "c"), ("b",))),
        (Words(3), "a\nb"),
        (Words(3), ""),
    ],
)
def test_legal_value_has_no_refusal(space: Space, value: Any) -> None:
    assert space.all_wrong(value) == space.wrong_alone(value) == []
    space.check(value)


@pytest.mark.parametrize(
    ("space", "value", "rules"),
    [
        (go(), Go("moon", 1, "hate"), ["W-1"]),
        (CLASHING, {}, []),  # b is still missing
        (CLASHING, {"a": 1, "b": 1, "c": 1}, ["S-0"]),  # and may still be changed
        (OneForEach({"a": Range(1, 3), "b": Range(1, 3)}, "E-1"), {"a": 9}, ["E-1"]),
        (SomeOf("abc", 0, 3, "M-1"), ["x"], ["M-1"]),
    ],
)
def test_wrong_alone_judges_each_part_separately(space: Space, value: Any, rules: list[str]) -> None:
    assert [each.rule for each in space.wrong_alone(value)] == rules


class Kept(SomeOf):
    """A list with its own rule, as rulesets have them."""

    def why_not(self, value: Any) -> Refusal | None:
        return Refusal("K-1", "not b alone") if value == ["b"] else super().why_not(value)


def test_rule_of_a_space_is_reported_in_its_refusal() -> None:
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


@given(VALUES, st.sampled_from([go(), CLASHING, ShareOut(9, {"a": 1, "b": 2}, {"b": 2}), SomeOf("abc", 1, 2)]))
def test_all_wrong_is_empty_exactly_for_legal_values(value: Any, space: Space) -> None:
    refusal = space.why_not(value)
    assert space.all_wrong(value)[:1] == ([] if refusal is None else [refusal])


def test_wrongs_raises_all_refusals_together() -> None:
    wrong = RefusalCollector()
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


def test_wrongs_without_refusals_raises_nothing() -> None:
    RefusalCollector().refuse()
