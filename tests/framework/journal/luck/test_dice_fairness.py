"""Faces counted by who made the dice, and tested against fair ones; the figures of the test are from printed tables."""

import pytest

from sandtable.journal.luck.dice_fairness import Faces, chance_of, faces_of, summed
from sandtable.kernel.records import RollRecord


@pytest.mark.parametrize(
    ("value", "freedom", "chance"),
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (16.919, 9, 0.05), (30.144, 19, 0.05)],
)
def test_chances_are_those_of_the_tables(value: float, freedom: int, chance: float) -> None:
    assert chance_of(value, freedom) == pytest.approx(chance, rel=2e-3)


def test_dice_are_counted_by_maker_and_sides() -> None:
    rolls = [RollRecord(1, "a", 6, (1, 1, 6)), RollRecord(2, "b", 6, (2,), by="umpire"), RollRecord(3, "c", 4, (4,))]
    assert faces_of(rolls) == [
        Faces("", 4, (0, 0, 0, 1)),
        Faces("", 6, (2, 0, 0, 0, 0, 1)),
        Faces("umpire", 6, (0, 1, 0, 0, 0, 0)),
    ]
    assert summed(faces_of(rolls) * 2)[1].counts == (4, 0, 0, 0, 0, 2)


def test_dice_are_counted_again_by_whose_luck_they_are() -> None:
    rolls = [RollRecord(1, "a", 6, (1, 1)), RollRecord(2, "b", 6, (6,)), RollRecord(3, "c", 6, ())]
    found = faces_of(rolls, lambda roll: "north" if roll.label == "a" else "")
    assert found == [Faces("", 6, (2, 0, 0, 0, 0, 1)), Faces("", 6, (2, 0, 0, 0, 0, 0), "north")]
    assert summed([*found, *found])[1] == Faces("", 6, (4, 0, 0, 0, 0, 0), "north")


def test_loaded_dice_are_no_fair_ones() -> None:
    """The counts of five games with loaded dice: chi-squared 59.3 with 5 degrees."""
    loaded = Faces("umpire", 6, (527, 453, 394, 384, 372, 330))
    assert loaded.chi_squared == pytest.approx(59.3, abs=0.1)
    assert loaded.verdict.startswith("not fair dice")


def test_even_counts_are_as_fair_dice_fall_and_few_tell_nothing() -> None:
    assert Faces("", 6, (10, 12, 9, 11, 8, 10)).verdict == "as fair dice fall"
    assert Faces("", 6, (9, 0, 0, 0, 0, 0)).chance is None
    assert Faces("", 6, (24, 8, 8, 8, 8, 8)).verdict.startswith("uneven: fair dice do so once in ")
