"""Marks of sides: shape and frame alone distinguish the counters of any two of the first eight sides."""

from itertools import combinations

from sandtable.viewer.picture import Power
from sandtable.viewer.side_marks import MARKS, frame, mark_of, outline, stitch
from sandtable.viewer.svg import element


def test_counters_of_any_two_sides_differ_without_color() -> None:
    drawn = [outline(mark, 2, 127, 6, {"fill": "#888888"}) + frame(mark, 4, 123, 6) for mark in MARKS]
    assert all(one != other for one, other in combinations(drawn, 2))


def test_lines_of_any_two_sides_differ_without_color() -> None:
    drawn = [stitch(mark, "M0 0L9 9", 5, 140) for mark in MARKS]
    assert all(one != other for one, other in combinations(drawn, 2))
    assert drawn[0] == ""


def test_mark_follows_the_position_of_a_side_and_repeats_after_eight() -> None:
    powers = [Power(str(number), "", "", "#ffffff", "#ffffff") for number in range(9)]
    assert [mark_of(powers, each.id) for each in powers] == [*MARKS, MARKS[0]]
    assert mark_of(powers, "nobody") == MARKS[0]
    assert outline(MARKS[0], 1, 37, 4, {"fill": "#888888"}) == element(
        "rect", x=1, y=1, width=37, height=37, rx=4, fill="#888888"
    )
