"""Logarithms and odds in whole millionths: the same digits on every machine, where floating point may differ."""

MILLION = 1_000_000

_BITS = 48
_ONE = 1 << _BITS
_LN2 = 195_103_586_505_167
"""The natural logarithm of 2, times 2 ** 48."""


def ln_ratio(above: int, below: int) -> int:
    """Return ln(above / below) in millionths, to the nearest one; both are whole numbers above nought.

    Raises ValueError for others.
    """
    if above < 1 or below < 1:
        raise ValueError(f"a logarithm wants numbers above nought, not {above} and {below}")
    doublings = above.bit_length() - below.bit_length()
    if doublings >= 0:
        below <<= doublings
    else:
        above <<= -doublings
    # The ratio is now between 1/2 and 2; ln r = 2 artanh((r - 1) / (r + 1)), and the argument is at most 1/3.
    argument = ((above - below) << _BITS) // (above + below)
    square = argument * argument >> _BITS
    total, power, odd = 0, argument, 1
    while power not in {0, -1}:
        total += power // odd
        power = power * square >> _BITS
        odd += 2
    return _nearest(2 * total + doublings * _LN2)


def logit(share: int, whole: int) -> int:
    """Return the log-odds of ``share`` out of ``whole`` in millionths; ``share`` lies between, neither end included."""
    return ln_ratio(share, whole - share)


def logistic(log_odds: int) -> int:
    """Return the probability, in millionths, that has these log-odds (in millionths); nearest, never 0 or a million."""
    if log_odds < 0:
        return MILLION - logistic(-log_odds)
    if log_odds > 20 * MILLION:
        return MILLION - 1
    shrunk = _exp_minus(log_odds)
    return min(MILLION - 1, (MILLION * _ONE + (_ONE + shrunk) // 2) // (_ONE + shrunk))


def _exp_minus(millionths: int) -> int:
    """Return exp(-x) times 2 ** 48, for x from nought to twenty, in millionths."""
    halvings, rest = divmod(millionths * _ONE // MILLION, _LN2)
    total, term = _ONE, _ONE
    for number in range(1, 24):
        term = -term * rest // (number << _BITS)
        total += term
    return total >> halvings


def _nearest(value: int) -> int:
    """Return a 48-bit fraction in millionths, halves away from nought."""
    sign = -1 if value < 0 else 1
    return sign * ((abs(value) * MILLION + _ONE // 2) >> _BITS)
