"""Logarithms and odds in integer millionths: the same digits on every machine, unlike floating point."""

MILLION = 1_000_000
"""The unit of log-odds and probabilities."""

_BITS = 48
_ONE = 1 << _BITS
_LN2 = 195_103_586_505_167
"""The natural logarithm of 2, times 2 ** 48."""


def ln_ratio(above: int, below: int) -> int:
    """Return ln(above / below) in millionths, rounded to the nearest; both must be positive integers.

    Raises ValueError for other numbers.
    """
    if above < 1 or below < 1:
        raise ValueError(f"a logarithm needs positive numbers, not {above} and {below}")
    if above < below:
        return -ln_ratio(below, above)
    doublings = (above // below).bit_length() - 1
    below <<= doublings
    # The ratio is now from 1 to below 2; ln r = 2 artanh((r - 1) / (r + 1)), and the argument is below 1/3.
    argument = ((above - below) << _BITS) // (above + below)
    square = argument * argument >> _BITS
    total, power, odd = 0, argument, 1
    while power:
        total += power // odd
        power = power * square >> _BITS
        odd += 2
    return ((2 * total + doublings * _LN2) * MILLION + _ONE // 2) >> _BITS


def logit(share: int, whole: int) -> int:
    """Return the log-odds of ``share`` out of ``whole`` in millionths; ``share`` is above 0 and below ``whole``."""
    return ln_ratio(share, whole - share)


def logistic(log_odds: int) -> int:
    """Return the probability with these log-odds, both in millionths; rounded to the nearest, never 0 or a million."""
    if log_odds < 0:
        return MILLION - logistic(-log_odds)
    if log_odds > 20 * MILLION:
        return MILLION - 1
    shrunk = _exp_minus(log_odds)
    return min(MILLION - 1, (MILLION * _ONE + (_ONE + shrunk) // 2) // (_ONE + shrunk))


def _exp_minus(millionths: int) -> int:
    """Return exp(-x) times 2 ** 48, for x from zero to twenty, in millionths."""
    halvings, rest = divmod(millionths * _ONE // MILLION, _LN2)
    total, term = _ONE, _ONE
    for number in range(1, 24):
        term = -term * rest // (number << _BITS)
        total += term
    return total >> halvings
