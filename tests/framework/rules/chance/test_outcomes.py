from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.kernel.decisions import Roll
from sandtable.rules.chance.outcomes import TooLarge, outcomes, total


@pytest.mark.full
@given(st.lists(st.integers(-1, 7), min_size=1, max_size=5), st.integers(2, 6), st.booleans())
def test_weights_of_outcomes_match_an_enumeration_of_all_faces(needs: list[int], sides: int, pooled: bool) -> None:
    roll = Roll(len(needs), sides, "x", "", tuple(needs), pooled=pooled)

    def result(faces: tuple[int, ...]) -> object:
        return roll.hits(faces) if pooled else tuple(face <= need for face, need in zip(faces, needs, strict=True))

    found = outcomes(roll)
    by_hand = Counter(map(result, product(range(1, sides + 1), repeat=len(needs))))
    assert {result(outcome.faces): outcome.weight for outcome in found} == by_hand
    assert sum(outcome.weight for outcome in found) == total(roll)
    assert all(1 <= face <= sides for outcome in found for face in outcome.faces)


def test_roll_without_needs_has_an_outcome_for_each_face() -> None:
    assert [outcome.faces for outcome in outcomes(Roll(1, 6, "x"))] == [(face,) for face in range(1, 7)]
    assert len(outcomes(Roll(2, 6, "x"))) == 36
    assert [tuple(outcome) for outcome in outcomes(Roll(0, 6, "x"))] == [(1, ())]


@pytest.mark.parametrize("roll", [Roll(6, 6, "x"), Roll(13, 6, "x", "", (1,) * 13)])
def test_too_many_outcomes_are_refused(roll: Roll) -> None:
    with pytest.raises(TooLarge, match="distinct outcomes"):
        outcomes(roll)
