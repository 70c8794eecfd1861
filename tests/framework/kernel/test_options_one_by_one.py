"""Each kind of space by itself: its words of refusal, its counts, its fairness."""

from collections import Counter
from itertools import product
from typing import Any

import pytest
from specimens import Attack, Build, attack_space, path_space

from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import (
    AnyOf,
    Form,
    ListOf,
    OneForEach,
    OneOf,
    Path,
    Range,
    Refusal,
    ShareOut,
    SomeOf,
    Space,
)
from sandtable.testing.scratch import Say


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


def test_one_for_each_names_the_key_in_the_refusal() -> None:
    space = OneForEach({"first corps": Range(0, 2, "E-1")}, "E-0")
    refusal = space.why_not({"first corps": 3})
    assert refusal is not None
    assert refusal.rule == "E-1"
    assert refusal.reason.startswith("first corps: ")


def test_the_form_refuses_the_first_field_that_is_wrong() -> None:
    space = attack_space()
    assert space.why_not(Attack("d", ["u9"])) == ("A-1", "d cannot be chosen here: choose b or c")
    assert space.why_not(Attack("c", ["u3"])) == ("A-3", "u3 may not attack c")
    wrong = space.why_not(Say("b"))
    assert wrong is not None
    assert wrong.reason == "Say cannot be ordered here: Attack is wanted"


def test_a_form_whose_orders_are_all_refused_gives_no_sample() -> None:
    space = Form(Say, {"word": OneOf(["a"])}, lambda order: Refusal("F-1", "never"))
    with pytest.raises(ValueError, match="no Say found"):
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


def test_any_of_refuses_in_the_words_of_the_form_that_fits() -> None:
    space = AnyOf([attack_space(), Form(Build, {"share": ShareOut(2, {"gun": 1}, rule="B-1")})])
    refusal = space.why_not(Build({"gun": 3}))
    assert refusal is not None
    assert refusal.rule == "B-1"
    assert AnyOf([]).why_not(1) == ("", "nothing can be chosen")


EMPTY: list[Space] = [OneOf([]), Range(3, 2), Range(5, 3), SomeOf(["a"], 2), ListOf(OneOf([]), 1), AnyOf([])]


@pytest.mark.parametrize("space", EMPTY)
def test_an_empty_space_says_so(space: Space) -> None:
    assert space.is_empty()
    assert space.count() == 0
    assert list(space.values()) == []


@pytest.mark.parametrize(
    "space",
    EMPTY,
)
def test_an_empty_space_has_no_sample(space: Space) -> None:
    with pytest.raises(ValueError, match=r"chosen|found|empty"):
        space.sample(Stream(b"x"))


def test_any_of_passes_over_what_is_empty() -> None:
    stream = Stream(b"x")
    assert {AnyOf([OneOf([]), OneOf(["a"])]).sample(stream) for _ in range(20)} == {"a"}


def test_the_share_out_against_counting_by_hand() -> None:
    space = ShareOut(7, {"tank": 3, "gun": 2, "man": 1}, {"man": 2})
    by_hand = [
        {name: number for name, number in (("tank", tanks), ("gun", guns), ("man", men)) if number}
        for tanks, guns, men in product(range(3), range(4), range(3))
        if 3 * tanks + 2 * guns + men <= 7
    ]
    assert sorted(map(repr, space.values())) == sorted(map(repr, by_hand))
    assert space.count() == len(by_hand)


@pytest.mark.full
@pytest.mark.parametrize("exactly", [False, True])
def test_every_share_is_as_likely(exactly: bool) -> None:
    space = ShareOut(6, {"tank": 3, "gun": 2, "man": 1}, {"gun": 2}, exactly=exactly)
    shares = [repr(sorted(share.items())) for share in space.values()]
    stream = Stream(b"shares")
    seen = Counter(repr(sorted(space.sample(stream).items())) for _ in range(500 * len(shares)))
    assert set(seen) == set(shares)
    chi = sum((seen[share] - 500) ** 2 / 500 for share in shares)
    freedom = len(shares) - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5 + 5


def test_a_share_that_cannot_come_out_even_is_empty() -> None:
    space = ShareOut(5, {"tank": 2}, exactly=True)
    assert space.count() == 0
    assert space.is_empty()
    with pytest.raises(ValueError, match="nothing can be chosen"):
        space.sample(Stream(b"x"))


def test_subsets_of_each_size_come_up_as_often_as_there_are() -> None:
    space = SomeOf(list("abcd"), 1, 3)
    stream = Stream(b"sizes")
    seen = Counter(tuple(space.sample(stream)) for _ in range(14 * 400))
    assert len(seen) == 14
    assert all(300 < number < 500 for number in seen.values())


def test_paths_are_all_that_the_rules_allow() -> None:
    assert list(path_space().values()) == [["a"], ["a", "b"], ["a", "b", "c"], ["a", "d", "c"], ["a", "d", "c", "b"]]
    assert next(iter(path_space("d").values())) == ["d", "c"]
    refusals = {
        ("b",): "P-1",
        ("a", "c"): "P-1",
        ("a", "b", "a"): "P-2",
        ("a", "d"): "P-3",
        ("a", "b", "c", "d", "a"): "P-1",
    }
    for path, rule in refusals.items():
        refusal = path_space().why_not(list(path))
        assert refusal is not None
        assert refusal.rule == rule


def test_a_path_that_leads_nowhere_is_an_empty_space() -> None:
    space = Path("d", lambda path: [], lambda path: None, lambda path: Refusal("P-3", "not here"), 2)
    assert space.is_empty()
    with pytest.raises(ValueError, match="no path"):
        space.sample(Stream(b"x"))
