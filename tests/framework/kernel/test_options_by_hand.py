"""Spaces of options by themselves: how far a count goes, what is near a value, how sheets are filled by chance."""

from collections.abc import Iterator
from typing import Any

import pytest
from specimens import Attack, path_space

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
)
from sandtable.testing.scratch import Say


class Numbers(Space):
    """The whole numbers below ``end``, with no more than a space must have."""

    end: int

    def values(self) -> Iterator[int]:
        return iter(range(self.end))

    def why_not(self, value: Any) -> Refusal | None:
        return Refusal("N-1", "too much") if value >= self.end else None

    def sample(self, stream: Stream) -> int:
        return stream.below(self.end)


@pytest.mark.parametrize(
    "space",
    [
        Numbers(2**20),
        OneOf(range(2**20)),
        Range(1, 2**20),
        SomeOf(range(20)),
        ListOf(Range(1, 2), 20),
        AnyOf([Range(1, 2**19), Range(1, 2**19)]),
        OneForEach({"x": Range(1, 2**10), "y": Range(1, 2**10)}),
        ShareOut(40, dict.fromkeys("abcdef", 1)),
        Sheet({key: Range(1, 1) for key in "abcdefghijklmnopqrst"}),
    ],
)
def test_a_count_ends_at_a_million_unless_another_limit_is_named(space: Space) -> None:
    """Each of these has 2 ** 20 values, which is more than a million, or still more."""
    assert space.count() == 1_000_000


def test_what_no_kind_of_space_says_otherwise() -> None:
    space = Numbers(3)
    assert space.outline() == "Numbers"
    assert space.lists_all
    assert space.in_parts() is None
    assert {space.near(1, Stream(b"%d" % key)) for key in range(20)} == {0, 1, 2}
    assert space.wrong_alone(3) == space.all_wrong(3) == [Refusal("N-1", "too much")]
    assert space.wrong_alone(2) == space.all_wrong(2) == []
    assert (space.is_empty(), Numbers(0).is_empty()) == (False, True)


def test_none_of_many_and_all_of_few_may_be_asked_for() -> None:
    assert list(SomeOf("ab", 0, 0).values()) == [[]]
    assert list(SomeOf("ab", 1, 2).values()) == [["a"], ["b"], ["a", "b"]]
    assert (SomeOf("ab", 2).most, SomeOf("ab", 2).sample(Stream(b""))) == (2, ["a", "b"])
    assert (Range(3, 3).sample(Stream(b"")), Range(3, 3).count()) == (3, 1)


def test_an_amount_of_nought_is_shared_out_in_one_way_and_a_debt_in_none() -> None:
    nothing, debt = (ShareOut(amount, {"gun": 1}) for amount in (0, -1))
    assert (list(nothing.values()), nothing.count(), nothing.sample(Stream(b""))) == ([{}], 1, {})
    assert (list(debt.values()), debt.count()) == ([], 0)
    with pytest.raises(ValueError, match="nothing can be chosen"):
        debt.sample(Stream(b""))


# ---------------------------------------------------------------- orders, and orders near them


def noting(seen: list[Any], answer: Any) -> Any:
    """Return a judge who gives the one answer, and notes what is put before him."""

    def judge(value: Any) -> Any:
        seen.append(value)
        return answer

    return judge


def test_a_form_gives_up_after_fifty_tries() -> None:
    tried: list[Any] = []
    with pytest.raises(ValueError, match="no Say found that is allowed"):
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


def test_a_path_goes_no_further_than_the_longest_and_leads_on_where_it_may_end_there() -> None:
    assert list(path_space(longest=2).values()) == [["a"], ["a", "b"], ["a", "b", "c"], ["a", "d", "c"]]
    assert [path_space(longest=steps).leads_on(["a", "d"]) for steps in (1, 2)] == [False, True]
    assert path_space().leads_on(["a", "b"])
    assert [space.why_not(["a", "d", "c"]) is None for space in (path_space(longest=2), path_space(longest=1))] == [
        True,
        False,
    ]


def test_from_a_blind_alley_chance_comes_back() -> None:
    """Of the two ways on from a, the one to d may not end and leads nowhere."""
    space = Path("a", lambda path: ["d", "b"] if path == ["a"] else [], lambda _: None, _not_in_d, 3)
    assert {tuple(space.sample(Stream(b"%d" % key))) for key in range(30)} == {("a", "b")}


def _not_in_d(path: Any) -> Refusal | None:
    return None if path[-1] == "b" else Refusal("P-3", "go on")


# ---------------------------------------------------------------- sheets and groupings


def test_a_sheet_is_drawn_with_one_line_in_six_blank_and_no_required_one() -> None:
    keys = [f"u{number}" for number in range(20)]
    sheet, stream = Sheet({key: Range(1, 9) for key in keys}, required=("u7",)), Stream(b"blanks")
    drawn = [sheet.sample(stream) for _ in range(400)]
    assert all("u7" in each and list(each) == [key for key in keys if key in each] for each in drawn)
    assert 400 * 19 / 6 * 0.92 < sum(20 - len(each) for each in drawn) < 400 * 19 / 6 * 1.08
    full = dict.fromkeys(reversed(keys), 1)
    near = [sheet.near(full, stream) for _ in range(600)]
    assert all("u7" in each and list(each) == [key for key in keys if key in each] for each in near)
    assert 150 < sum(20 - len(each) for each in near) < 230  # two lines of twenty are drawn anew, on an average


def one_to_a_place(sheet: dict[str, Any]) -> Iterator[tuple[str, Refusal]]:
    taken: set[Any] = set()
    for key, value in sheet.items():
        if value in taken:
            yield key, Refusal("S-1", "somebody is there")
        taken.add(value)


def test_a_sheet_near_another_keeps_the_lines_that_go_together() -> None:
    sheet, stream = Sheet({f"u{place}": Range(1, 20) for place in range(20)}, one_to_a_place), Stream(b"together")
    value = {f"u{place}": place + 1 for place in range(20)}
    near = [sheet.near(value, stream) for _ in range(100)]
    assert max(sum(value[key] != each.get(key) for key in value) for each in near) <= 6  # three, and whom they displace
    assert all(sheet.refusals(each) == {} for each in near)


def test_lines_on_which_nothing_can_be_written_stay_blank_and_a_required_one_leaves_no_sheet() -> None:
    lines: dict[str, Space] = {"x": OneOf([]), "y": Range(1, 1)}
    for key in range(20):
        assert "x" not in Sheet(lines, blanks=1).sample(Stream(b"%d" % key))
        assert Sheet(lines, blanks=9).near({"x": 1, "y": 1}, Stream(b"%d" % key)) in ({}, {"y": 1})
    with pytest.raises(ValueError, match="nothing can be chosen"):
        Sheet(lines, required=("x",)).sample(Stream(b""))
    with pytest.raises(ValueError, match="nothing can be chosen"):
        Sheet(lines, required=("x",)).near({"x": 1}, Stream(b""))


def test_what_clashes_is_drawn_anew_three_times_then_left_blank_and_fifty_sheets_are_begun() -> None:
    drawn: list[Any] = []

    class Counted(Range):
        def sample(self, stream: Stream) -> int:
            drawn.append(super().sample(stream))
            return 1

    def never(sheet: dict[str, Any]) -> Iterator[tuple[str, Refusal]]:
        yield from ((key, Refusal("S-1", "never")) for key in list(sheet)[:1])

    with pytest.raises(ValueError, match="nothing can be chosen"):
        Sheet({"x": Counted(1, 1)}, never, required=("x",)).sample(Stream(b""))
    assert len(drawn) == 50 * (1 + 3)
    lines = {key: Range(1, 1) for key in "abcdef"}  # told one by one, and each of them is left blank in the end
    assert [Sheet(lines, never).sample(Stream(b"%d" % key)) for key in range(9)] == [{}] * 9


def test_a_sheet_in_which_nothing_clashes_is_looked_at_once() -> None:
    looked: list[Any] = []
    Sheet({"x": Range(1, 1), "y": Range(1, 1)}, noting(looked, ())).sample(Stream(b""))
    assert len(looked) == 1


def test_what_was_drawn_is_not_judged_again_and_another_sheet_is() -> None:
    sheet = Sheet({"x": Range(1, 2, "S-1"), "y": Range(1, 1, "S-1")}, required=("x",))
    drawn = sheet.sample(Stream(b""))
    assert sheet.why_not(drawn) is None
    assert sheet.why_not({"x": 3}) == ("S-1", "x: 3 is not a whole number from 1 to 2")
    drawn["x"] = 9  # what was drawn, but written over since
    assert sheet.why_not(drawn) == ("S-1", "x: 9 is not a whole number from 1 to 2")


def test_of_two_clashes_on_a_line_the_first_is_told_and_wrong_lines_are_looked_at_with_no_other() -> None:
    seen: list[Any] = []

    def twice(sheet: dict[str, Any]) -> Iterator[tuple[str, Refusal]]:
        seen.append(dict(sheet))
        yield from (("x", Refusal("S-1", word)) for word in ("first", "second"))

    space = Sheet({"x": Range(1, 2), "y": Range(1, 2, "S-2")}, twice, required=("z",), rule="S-0")
    assert space.refusals({"x": 1, "y": 3}) == {
        "x": ("S-1", "first"),
        "y": ("S-2", "3 is not a whole number from 1 to 2"),
        "z": ("S-0", "nothing is written for it"),
    }
    assert seen == [{"x": 1}]


def test_a_grouping_is_tried_fifty_times_then_taken_from_the_list() -> None:
    judged: list[Any] = []
    nobody = Groups(["a"], noting(judged, Refusal("G-2", "never")))
    with pytest.raises(ValueError, match="nothing can be chosen"):
        nobody.sample(Stream(b""))
    assert judged == [["a"]] * (50 + 1)
    alone = Groups("abcdef", lambda group: Refusal("G-2", "too many") if len(group) > 1 else None)
    assert [alone.sample(Stream(b"%d" % key)) for key in range(3)] == [[[each] for each in "abcdef"]] * 3


def test_a_group_is_judged_in_the_order_of_the_list() -> None:
    judged: list[Any] = []
    assert Groups(["a", "b", "c"], judged.append).why_not([["c", "a"], ["b"]]) is None
    assert judged == [["a", "c"], ["b"]]
