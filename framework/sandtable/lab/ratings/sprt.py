"""The sequential test: is a player stronger by ``elo1`` rather than by ``elo0``? It runs after every pair of games.

Elo here is *normalized*: 347.4 (800/ln 10) points are one standard deviation of a single game's score. A ruleset with
many draws and one with few therefore need equally many games for the same answer. Let t be the mean score of pairs
minus one half, in standard deviations of a pair. Consider all distributions of pair results (losing both, ..., winning
both). Take the likeliest with the t of elo1 and the likeliest with the t of elo0. LLR is the logarithm of the ratio of
the likelihoods that they give the observed results. This is the exact generalized likelihood ratio, computed as in
fishtest (M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution", and
"Normalized Elo").

elo1 is accepted when LLR reaches ln((1 - beta) / alpha), and elo0 when it falls to ln(beta / (1 - alpha)). elo1 is then
accepted wrongly in a share of about alpha of all tests, elo0 in about beta (Wald: at most alpha / (1 - beta) and beta /
(1 - alpha)).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, sqrt
from typing import Literal

from sandtable.lab.plan import StopRule
from sandtable.lab.statistics import NORMALIZED, PAIR_SCORES, pair_moments

LEAST_PAIRS = 32
"""Minimum number of pairs for a decision. With fewer, their spread is too uncertain to keep the error rates."""

RARE = 1e-3
"""Number of pairs that an unobserved result counts as, so that a test can end even if all pairs are equal."""

FARTHEST = 3.0
"""Largest hypothesis, in standard deviations of a pair (about 730 Elo)."""

STEEPEST, HALVINGS = 40.0, 50
MAX_ROUNDS, CLOSE = 60, 1e-10
WITHIN = 1 - 1e-12
"""A factor slightly below 1, because a share would be infinite at the ends of its range."""

Accepted = Literal["", "elo0", "elo1"]


@dataclass(frozen=True)
class Judgment:
    """The state of a test: LLR between its bounds, and the ``accepted`` hypothesis ("": none yet).

    ``llr`` is None without a test or pairs, and if all pairs are equal, because their spread is unknown.
    """

    pairs: int
    llr: float | None
    lower: float
    upper: float
    accepted: Accepted


def is_enabled(stop: StopRule) -> bool:
    """Return whether ``stop`` defines a test."""
    return stop.elo0 != stop.elo1


def bounds(stop: StopRule) -> tuple[float, float]:
    """Return the LLR at which elo0 is accepted, and the LLR at which elo1 is accepted."""
    alpha, beta = stop.alpha_milli / 1000, stop.beta_milli / 1000
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def log_likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float | None:
    """Return the LLR of ``pairs``, or None if all are equal. ``pairs[i]`` counts those with i half points."""
    return _ratio(pairs, elo0, elo1) if pair_moments(pairs)[2] > 0 else None


def judge(pairs: Sequence[int], stop: StopRule) -> Judgment:
    """Return the state of the test ``stop`` after ``pairs``. Equal pairs can decide it too."""
    total, _, spread = pair_moments(pairs)
    lower, upper = bounds(stop)
    if not total or not is_enabled(stop):
        return Judgment(total, None, lower, upper, "")
    ratio = _ratio(pairs, stop.elo0, stop.elo1)
    accepted: Accepted = ""
    if total >= LEAST_PAIRS:
        accepted = "elo1" if ratio >= upper else "elo0" if ratio <= lower else ""
    return Judgment(total, ratio if spread > 0 else None, lower, upper, accepted)


def decided_after(half_points: Iterable[int], stop: StopRule) -> int | None:
    """Return the number of pairs, in order, after which the test is decided, or None if it stays open.

    ``half_points`` are those of the first player in each pair, 0 to 4. Later pairs do not change the result.
    """
    pairs = [0] * len(PAIR_SCORES)
    for number, points in enumerate(half_points, start=1):
        pairs[points] += 1
        if judge(pairs, stop).accepted:
            return number
    return None


def _ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the exact log-likelihood ratio. Unobserved results count as RARE, as in fishtest."""
    counts = [number or RARE for number in pairs]
    total = sum(counts)
    seen = [number / total for number in counts]
    below, above = (_likeliest(seen, elo * sqrt(2) / NORMALIZED) for elo in (elo0, elo1))
    return sum(number * log(high / low) for number, low, high in zip(counts, below, above, strict=True))


def _likeliest(seen: Sequence[float], target: float) -> Sequence[float]:
    """Return the shares that make ``seen`` likeliest, among those with a mean ``target`` deviations above one half.

    By Lagrange multipliers they are seen / (1 + x d), where d is the distance of each score from the one required by
    mean and deviation. Both are taken from the previous iteration.
    """
    target = max(-FARTHEST, min(FARTHEST, target))
    shares: Sequence[float] = _tilted(target)
    for _ in range(MAX_ROUNDS):
        mean = sum(share * score for share, score in zip(shares, PAIR_SCORES, strict=True))
        spread = sum(share * (score - mean) ** 2 for share, score in zip(shares, PAIR_SCORES, strict=True))
        half = target * sqrt(spread) / 2
        distances = [score - 0.5 - half * (1 + (score - mean) ** 2 / spread) for score in PAIR_SCORES]
        tilt = _balanced(seen, distances)
        previous, shares = shares, [share / (1 + tilt * each) for share, each in zip(seen, distances, strict=True)]
        if max(abs(one - other) for one, other in zip(previous, shares, strict=True)) < CLOSE:
            break
    return shares


@lru_cache(64)
def _tilted(target: float) -> tuple[float, ...]:
    """Return shares with a mean ``target`` deviations above one half, as powers of one number found by bisection."""
    low, high = -STEEPEST, STEEPEST
    shares: tuple[float, ...] = ()
    for _ in range(HALVINGS):
        tilt = (low + high) / 2
        weights = [exp(tilt * (score - 0.5)) for score in PAIR_SCORES]
        total = sum(weights)
        shares = tuple([weight / total for weight in weights])
        mean = sum(share * score for share, score in zip(shares, PAIR_SCORES, strict=True))
        spread = sum(share * (score - mean) ** 2 for share, score in zip(shares, PAIR_SCORES, strict=True))
        low, high = (tilt, high) if mean - 0.5 < target * sqrt(spread) else (low, tilt)
    return shares


def _balanced(seen: Sequence[float], distances: Sequence[float]) -> float:
    """Return the x that makes the sum of seen * distance / (1 + x distance) zero.

    Newton's method is used, with bisection as fallback.
    """
    low, high = -WITHIN / max(distances), -WITHIN / min(distances)
    x = 0.0
    for _ in range(MAX_ROUNDS):
        parts = [each / (1 + x * each) for each in distances]
        value = sum(share * part for share, part in zip(seen, parts, strict=True))
        if value > 0:
            low = x
        else:
            high = x
        step = value / sum(share * part * part for share, part in zip(seen, parts, strict=True))
        after = x + step
        if not low < after < high:
            after = (low + high) / 2
        if abs(after - x) <= CLOSE * (1 + abs(x)):
            return after
        x = after
    return x
