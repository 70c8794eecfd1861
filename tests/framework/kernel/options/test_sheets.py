"""Sheets and groups: blank lines, clashes, near sheets, numbers of attempts."""

from collections.abc import Iterator
from typing import Any

import pytest
from specimens import noting

from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Groups, OneOf, Range, Refusal, Sheet, Space


def test_sheet_near_changes_a_few_lines() -> None:
    sheet, stream = Sheet({f"u{number}": Range(1, 9, "T-1") for number in range(20)}, rule="T-0"), Stream(b"near")
    value = sheet.sample(stream)
    other = [sheet.near(value, stream) for _ in range(200)]
    parted = [sum(value.get(key) != each.get(key) for key in sheet.lines) for each in other]
    assert max(parted) == 3
    assert parted.count(1) > 20
    assert {key for each in other for key in sheet.lines if value.get(key) != each.get(key)} == set(sheet.lines)


def test_sheet_sample_leaves_one_optional_line_in_six_blank() -> None:
    keys = [f"u{number}" for number in range(20)]
    sheet, stream = Sheet({key: Range(1, 9) for key in keys}, required=("u7",)), Stream(b"blanks")
    drawn = [sheet.sample(stream) for _ in range(400)]
    assert all("u7" in each and list(each) == [key for key in keys if key in each] for each in drawn)
    assert 400 * 19 / 6 * 0.92 < sum(20 - len(each) for each in drawn) < 400 * 19 / 6 * 1.08
    full = dict.fromkeys(reversed(keys), 1)
    near = [sheet.near(full, stream) for _ in range(600)]
    assert all("u7" in each and list(each) == [key for key in keys if key in each] for each in near)
    assert 150 < sum(20 - len(each) for each in near) < 230  # two lines of twenty are redrawn on average


def one_to_a_place(sheet: dict[str, Any]) -> Iterator[tuple[str, Refusal]]:
    taken: set[Any] = set()
    for key, value in sheet.items():
        if value in taken:
            yield key, Refusal("S-1", "somebody is there")
        taken.add(value)


def test_sheet_near_keeps_compatible_lines() -> None:
    sheet, stream = Sheet({f"u{place}": Range(1, 20) for place in range(20)}, one_to_a_place), Stream(b"together")
    value = {f"u{place}": place + 1 for place in range(20)}
    near = [sheet.near(value, stream) for _ in range(100)]
    assert (
        max(sum(value[key] != each.get(key) for key in value) for each in near) <= 6
    )  # three, and those that they displace
    assert all(sheet.refusals(each) == {} for each in near)


def test_sheet_with_an_impossible_required_line_has_no_sample() -> None:
    lines: dict[str, Space] = {"x": OneOf([]), "y": Range(1, 1)}
    for key in range(20):
        assert "x" not in Sheet(lines, blanks=1).sample(Stream(b"%d" % key))
        assert Sheet(lines, blanks=9).near({"x": 1, "y": 1}, Stream(b"%d" % key)) in ({}, {"y": 1})
    with pytest.raises(ValueError, match="nothing can be chosen"):
        Sheet(lines, required=("x",)).sample(Stream(b""))
    with pytest.raises(ValueError, match="nothing can be chosen"):
        Sheet(lines, required=("x",)).near({"x": 1}, Stream(b""))


def test_sheet_redraws_clashes_three_times_then_blanks_them() -> None:
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
    lines = {key: Range(1, 1) for key in "abcdef"}  # reported one by one, and each is blank in the end
    assert [Sheet(lines, never).sample(Stream(b"%d" % key)) for key in range(9)] == [{}] * 9


def test_sheet_without_clashes_is_checked_once() -> None:
    looked: list[Any] = []
    Sheet({"x": Range(1, 1), "y": Range(1, 1)}, noting(looked, ())).sample(Stream(b""))
    assert len(looked) == 1


def test_drawn_sheet_is_not_judged_again() -> None:
    sheet = Sheet({"x": Range(1, 2, "S-1"), "y": Range(1, 1, "S-1")}, required=("x",))
    drawn = sheet.sample(Stream(b""))
    assert sheet.why_not(drawn) is None
    assert sheet.why_not({"x": 3}) == ("S-1", "x: 3 is not a whole number from 1 to 2")
    drawn["x"] = 9  # the drawn sheet, but changed since
    assert sheet.why_not(drawn) == ("S-1", "x: 9 is not a whole number from 1 to 2")


def test_sheet_reports_the_first_clash_of_a_line() -> None:
    seen: list[Any] = []

    def twice(sheet: dict[str, Any]) -> Iterator[tuple[str, Refusal]]:
        seen.append(dict(sheet))
        yield from (("x", Refusal("S-1", word)) for word in ("first", "second"))

    space = Sheet({"x": Range(1, 2), "y": Range(1, 2, "S-2")}, twice, required=("z",), rule="S-0")
    assert space.refusals({"x": 1, "y": 3}) == {
        "x": ("S-1", "first"),
        "y": ("S-2", "3 is not a whole number from 1 to 2"),
        "z": ("S-0", "this line is required and is missing"),
    }
    assert seen == [{"x": 1}]


def test_groups_sample_tries_fifty_times_then_uses_the_list() -> None:
    judged: list[Any] = []
    nobody = Groups(["a"], noting(judged, Refusal("G-2", "never")))
    with pytest.raises(ValueError, match="nothing can be chosen"):
        nobody.sample(Stream(b""))
    assert judged == [["a"]] * (50 + 1)
    alone = Groups("abcdef", lambda group: Refusal("G-2", "too many") if len(group) > 1 else None)
    assert [alone.sample(Stream(b"%d" % key)) for key in range(3)] == [[[each] for each in "abcdef"]] * 3


def test_group_is_judged_in_list_order() -> None:
    judged: list[Any] = []
    assert Groups(["a", "b", "c"], judged.append).why_not([["c", "a"], ["b"]]) is None
    assert judged == [["a", "c"], ["b"]]


@pytest.mark.parametrize("places", [["mill"], ["mill", "ford"]])
def test_lines_that_always_clash_stay_blank(places: list[str]) -> None:
    for seed in range(40):
        space = Sheet({key: OneOf(places) for key in "abcdef"}, one_to_a_place)
        sheet = space.sample(Stream(b"%d" % seed))
        assert space.refusals(sheet) == {}
        assert len(sheet) <= len(places)
