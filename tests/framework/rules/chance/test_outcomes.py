from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.kernel.decisions import Roll
from sandtable.rules.chance.outcomes import TooLarge, outcomes, total


@pytest.mark.full
@given(st.lists(st.integers(-1, 7), max_size=5), st.integers(2, 6))
def test_pooled_weights_are_those_of_all_faces(needs: list[int], sides: int) -> None:
    roll = Roll(len(needs), sides, "x", "", tuple(needs), pooled=True)
    by_hand = Counter(roll.hits(faces) for faces in product(range(1, sides + 1), repeat=len(needs)))
    found = {roll.hits(outcome.faces): outcome.weight for outcome in outcomes(roll)}
    if needs:
        assert found == by_hand
    assert sum(outcome.weight for outcome in outcomes(roll)) == total(roll)


@given(st.lists(st.integers(-1, 7), min_size=1, max_size=5), st.integers(2, 6))
def test_single_weights_are_those_of_all_faces(needs: list[int], sides: int) -> None:
    roll = Roll(len(needs), sides, "x", "", tuple(needs))
    by_hand: Counter[tuple[bool, ...]] = Counter(
        tuple(face <= need for face, need in zip(faces, needs, strict=True))
        for faces in product(range(1, sides + 1), repeat=len(needs))
    )
    found = {
        tuple(face <= need for face, need in zip(outcome.faces, needs, strict=True)): outcome.weight
        for outcome in outcomes(roll)
    }
    assert found == by_hand


def test_without_needs_every_face_counts() -> None:
    assert [outcome.faces for outcome in outcomes(Roll(1, 6, "x"))] == [(face,) for face in range(1, 7)]
    assert len(outcomes(Roll(2, 6, "x"))) == 36
    assert [tuple(outcome) for outcome in outcomes(Roll(0, 6, "x"))] == [(1, ())]


def test_faces_are_faces_of_the_die() -> None:
    roll = Roll(3, 6, "x", "", (0, 3, 6), pooled=True)
    assert all(1 <= face <= 6 for outcome in outcomes(roll) for face in outcome.faces)


@pytest.mark.parametrize("roll", [Roll(6, 6, "x"), Roll(13, 6, "x", "", (1,) * 13)])
def test_too_many_outcomes_are_refused(roll: Roll) -> None:
    with pytest.raises(TooLarge, match="distinct outcomes"):
        outcomes(roll)
