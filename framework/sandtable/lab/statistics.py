"""Confidence of scores, computed from counts. Functions return None if the counts are too few."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import erf, inf, log10, sqrt
from typing import Literal, NamedTuple

from sandtable.rules.chance.outcomes import Z95, wilson

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Share of the points that a player can win in a pair of games, from two losses to two wins."""

NORMALIZED = 800 / 2.302585092994046
"""Normalized Elo that corresponds to one standard deviation of a single game's score."""

ENOUGH_PAIRS = 8
"""Minimum number of pairs from which a spread is estimated."""

MOSTLY = 0.9
"""Minimum share of a score's games that must be in pairs for the pairs to be used."""

Kind = Literal["pairs", "sets", "games"]

Pairs = Sequence[int] | Mapping[int, int]
"""Numbers of pairs by the first player's half points, 0 to 4, or by the sum of its shares, in thousandths."""


class Spread(NamedTuple):
    """``number`` sets of ``size`` games with the same dice, and the variance of a player's score in a set."""

    number: int
    variance: float
    size: int = 2


class ScoreInterval(NamedTuple):
    """A 95 % interval of a score, and its basis: the spread of ``pairs`` or larger ``sets``, or single ``games``."""

    low: float
    high: float
    kind: Kind


@dataclass(frozen=True)
class Strength:
    """Strength of the first player relative to the second, estimated from pairs of games.

    ``elo_low`` and ``elo_high`` end the 95 % interval of ``elo``, which is not symmetric. ``normalized_margin`` is half
    the interval of ``normalized_elo``. ``superiority`` is the likelihood, 0 to 1, that the first player is stronger at
    all.
    """

    elo: float
    elo_low: float
    elo_high: float
    normalized_elo: float
    normalized_margin: float
    superiority: float


def strength(pairs: Pairs) -> Strength | None:
    """Return the strength estimated from ``pairs``.

    Returns None if there are no pairs, or if all pairs are equal (their spread, and so the margin, is unknown).
    """
    return strength_of(*pair_moments(pairs))


def strength_of(total: int, mean: float, spread: float) -> Strength | None:
    """Return the strength from the number of sets with the same dice, and mean and variance of the score in a set.

    Returns None without variance.
    """
    if spread <= 0:
        return None
    error = sqrt(spread / total)
    deviation = sqrt(2 * spread)
    normalized = (mean - 0.5) / deviation * NORMALIZED
    return Strength(
        elo=elo(mean),
        elo_low=elo(mean - Z95 * error),
        elo_high=elo(mean + Z95 * error),
        normalized_elo=normalized,
        normalized_margin=Z95 / sqrt(2 * total) * NORMALIZED,
        superiority=0.5 * (1 + erf((mean - 0.5) / (error * sqrt(2)))),
    )


def interval_of(points: float, games: int, groups: Iterable[Spread]) -> ScoreInterval | None:
    """Return the 95 % interval of a score from sets of games; ``groups`` are those against each table of opponents.

    Returns Wilson's interval for single games if there are too few sets to estimate their spread, if all sets are
    equal, or if many games are in no set. Returns None if there are no games.
    """
    sets, inside, largest, squares = 0, 0, 0, 0.0
    for number, variance, size in groups:
        sets, inside, squares = sets + number, inside + size * number, squares + number * variance
        largest = max(largest, size)
    if sets >= ENOUGH_PAIRS and squares > 0 and inside >= MOSTLY * games:
        reach, score = Z95 * sqrt(squares) / sets, points / games
        return ScoreInterval(max(0.0, score - reach), min(1.0, score + reach), "pairs" if largest == 2 else "sets")
    found = wilson(points, games)
    return found and ScoreInterval(*found, "games")


def spread_of(pairs: Pairs) -> Spread:
    """Return the spread of the first player's score in ``pairs``."""
    number, _, variance = pair_moments(pairs)
    return Spread(number, variance)


def pair_moments(pairs: Pairs) -> tuple[int, float, float]:
    """Return the number of pairs, their mean score and its variance, or 0, 0.5 and 0 if there are none."""
    if isinstance(pairs, Mapping):
        counts = [(thousandths / 2000, number) for thousandths, number in sorted(pairs.items())]
    else:
        counts = list(zip(PAIR_SCORES, pairs, strict=True))
    total = sum(number for _, number in counts)
    if total <= 0:
        return 0, 0.5, 0.0
    mean = sum(score * number for score, number in counts) / total
    spread = sum(number * (score - mean) ** 2 for score, number in counts) / total
    return total, mean, spread


def elo(score: float) -> float:
    """Return the Elo difference that corresponds to ``score``, infinite for 0 and 1."""
    if score <= 0:
        return -inf
    if score >= 1:
        return inf
    return -400 * log10(1 / score - 1)
