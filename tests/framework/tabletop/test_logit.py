"""Integer logarithms, compared with the floating-point ones of the standard library."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.tabletop.resolver.logit import MILLION, ln_ratio, logistic, logit

NUMBERS = st.integers(1, 2**40)


@given(NUMBERS, NUMBERS)
def test_logarithms_are_exact_to_a_millionth(above: int, below: int) -> None:
    assert abs(ln_ratio(above, below) - math.log(above / below) * MILLION) < 0.51


@given(NUMBERS, NUMBERS, st.integers(1, 1000))
def test_logarithms_are_antisymmetric_and_depend_on_the_ratio(above: int, below: int, times: int) -> None:
    assert ln_ratio(above, below) == -ln_ratio(below, above)
    assert abs(ln_ratio(above * times, below * times) - ln_ratio(above, below)) <= 1


@given(st.integers(-19 * MILLION, 19 * MILLION))
def test_probabilities_are_exact_to_a_millionth(log_odds: int) -> None:
    assert abs(logistic(log_odds) - MILLION / (1 + math.exp(-log_odds / MILLION))) < 1
    assert logistic(log_odds) + logistic(-log_odds) == MILLION


@given(st.integers(1, MILLION - 1))
def test_logit_and_logistic_are_inverse(share: int) -> None:
    near = Fraction(share, MILLION)
    assert abs(logistic(logit(share, MILLION)) - share) <= 1 + near * (1 - near)


def test_known_values_of_logarithms_and_odds() -> None:
    assert ln_ratio(2, 1) == 693_147  # ln 2 = 0.69314718...
    assert ln_ratio(10, 1) == 2_302_585
    assert ln_ratio(5, 5) == 0
    assert logistic(0) == 500_000
    assert logistic(10**12) == MILLION - 1
    assert logistic(-(10**12)) == 1


@pytest.mark.parametrize(("above", "below"), [(0, 1), (1, 0), (-1, 2)])
def test_logarithm_of_zero_is_refused(above: int, below: int) -> None:
    with pytest.raises(ValueError, match="positive numbers"):
        ln_ratio(above, below)
