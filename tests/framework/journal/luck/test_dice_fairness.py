"""Faces counted by source and tested against fair dice; the expected values are from printed tables."""

import pytest

from sandtable.journal.luck.dice_fairness import Faces, faces_of, summed, tail_probability
from sandtable.kernel.records import RollRecord


@pytest.mark.parametrize(
    ("value", "freedom", "chance"),
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (16.919, 9, 0.05), (30.144, 19, 0.05)],
)
def test_probabilities_match_the_printed_tables(value: float, freedom: int, chance: float) -> None:
    assert tail_probability(value, freedom) == pytest.approx(chance, rel=2e-3)


def test_dice_are_counted_by_source_and_sides() -> None:
    rolls = [RollRecord(1, "a", 6, (1, 1, 6)), RollRecord(2, "b", 6, (2,), by="umpire"), RollRecord(3, "c", 4, (4,))]
    assert faces_of(rolls) == [
        Faces("", 4, (0, 0, 0, 1)),
        Faces("", 6, (2, 0, 0, 0, 0, 1)),
        Faces("umpire", 6, (0, 1, 0, 0, 0, 0)),
    ]
    assert summed(faces_of(rolls) * 2)[1].counts == (4, 0, 0, 0, 0, 2)


def test_dice_are_counted_again_by_side_of_luck() -> None:
    rolls = [RollRecord(1, "a", 6, (1, 1)), RollRecord(2, "b", 6, (6,)), RollRecord(3, "c", 6, ())]
    found = faces_of(rolls, lambda roll: "north" if roll.label == "a" else "")
    assert found == [Faces("", 6, (2, 0, 0, 0, 0, 1)), Faces("", 6, (2, 0, 0, 0, 0, 0), "north")]
    assert summed([*found, *found])[1] == Faces("", 6, (4, 0, 0, 0, 0, 0), "north")


def test_loaded_dice_are_not_fair() -> None:
    """The counts of five games with loaded dice: chi-squared 59.3 with 5 degrees."""
    loaded = Faces("umpire", 6, (527, 453, 394, 384, 372, 330))
    assert loaded.chi_squared == pytest.approx(59.3, abs=0.1)
    assert loaded.verdict.startswith("not fair")


def test_even_counts_are_fair_and_few_dice_give_no_verdict() -> None:
    assert Faces("", 6, (10, 12, 9, 11, 8, 10)).verdict == "consistent with fair dice"
    assert Faces("", 6, (9, 0, 0, 0, 0, 0)).chance is None
    assert Faces("", 6, (24, 8, 8, 8, 8, 8)).verdict.startswith("uneven: ")
