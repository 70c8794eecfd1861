"""How sure a score is. All of it is computed from counts; where there is nothing to compute, the answer is None."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, inf, log10, sqrt

from sandtable.rules.outcomes import Z95

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The share of the points that a player can win in a pair of games: lost both, ..., won both."""

NORMALISED = 800 / 2.302585092994046
"""Normalised Elo of one standard deviation of a single game's score."""


@dataclass(frozen=True)
class Strength:
    """How much stronger the first player is, from pairs of games.

    ``elo`` and ``normalised_elo`` with half their 95 % intervals; ``superiority`` is the likelihood, 0 to 1, that the
    first player is the stronger one at all.
    """

    elo: float
    elo_margin: float
    normalised_elo: float
    normalised_margin: float
    superiority: float


def strength(pairs: Sequence[int]) -> Strength | None:
    """Return the strength that pairs show; ``pairs[i]`` counts those in which the first player won i half points.

    None where nothing can be told: no pairs, or all pairs alike (their spread, and so the margin, is unknown).
    """
    total, mean, spread = pair_moments(pairs)
    if spread <= 0:
        return None
    error = sqrt(spread / total)
    low, high = elo(mean - Z95 * error), elo(mean + Z95 * error)
    deviation = sqrt(2 * spread)
    normalised = (mean - 0.5) / deviation * NORMALISED
    return Strength(
        elo=elo(mean),
        elo_margin=(high - low) / 2,
        normalised_elo=normalised,
        normalised_margin=Z95 / sqrt(2 * total) * NORMALISED,
        superiority=0.5 * (1 + erf((mean - 0.5) / (error * sqrt(2)))),
    )


def pair_moments(pairs: Sequence[int]) -> tuple[int, float, float]:
    """Return how many pairs there are, their mean score and its variance; 0, one half and 0 where there are none."""
    total = sum(pairs)
    if total <= 0:
        return 0, 0.5, 0.0
    mean = sum(score * number for score, number in zip(PAIR_SCORES, pairs, strict=True)) / total
    spread = sum(number * (score - mean) ** 2 for score, number in zip(PAIR_SCORES, pairs, strict=True)) / total
    return total, mean, spread


def elo(score: float) -> float:
    """Return the difference in Elo at which a player scores so; endless for 0 and 1."""
    if score <= 0:
        return -inf
    if score >= 1:
        return inf
    return -400 * log10(1 / score - 1)
