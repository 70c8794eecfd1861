"""The sequential test: is a player stronger by ``elo1`` rather than by ``elo0``? Asked after every pair of games.

Elo here is *normalised*: 347.4 (800/ln 10) of it are one standard deviation of a single game's score, so that a game
of many draws and a wild one need as many games for the same answer. Let t be the mean score of pairs less one half, in
standard deviations of a pair. Of all ways in which pairs may fall (losing both, ..., winning both), take the likeliest
with the t of elo1, and the likeliest with that of elo0: LLR is the logarithm of how many times likelier the first makes
what was seen. That is the generalised likelihood ratio, exact, as fishtest reckons it (M. Van den Bergh, "The
generalized maximum likelihood ratio for the expectation value of a distribution", and "Normalized Elo").

It is accepted that elo1 is nearer when LLR reaches ln((1 - beta) / alpha), elo0 when it falls to
ln(beta / (1 - alpha)). Then elo1 is accepted wrongly in a share of about alpha of all tests, elo0 in about beta (Wald:
at most alpha / (1 - beta) and beta / (1 - alpha)).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, sqrt
from typing import Literal

from sandtable.lab.plan import StopRule
from sandtable.lab.statistics import NORMALISED, PAIR_SCORES, pair_moments

LEAST_PAIRS = 32
"""Nothing is decided on fewer pairs: their spread is not known well enough, and the errors would exceed their rates."""

RARE = 1e-3
"""An outcome that was never seen counts as so many pairs, so that all pairs alike can decide, too."""

FARTHEST = 3.0
"""So many deviations of a pair (some 730 of Elo) are the most that a hypothesis asks for."""

STEEPEST, HALVINGS = 40.0, 50
MOST_ROUNDS, CLOSE = 60, 1e-10
WITHIN = 1 - 1e-12
"""A little less than one: at the ends of its range a share would be endless."""

Accepted = Literal["", "elo0", "elo1"]


@dataclass(frozen=True)
class Judgement:
    """Where a test stands: LLR between its bounds, and which hypothesis is ``accepted`` ("" for none yet).

    ``llr`` is None where all pairs are alike: their spread is unknown.
    """

    pairs: int
    llr: float | None
    lower: float
    upper: float
    accepted: Accepted


def is_wanted(stop: StopRule) -> bool:
    """Return whether ``stop`` is a test at all."""
    return stop.elo0 != stop.elo1


def bounds(stop: StopRule) -> tuple[float, float]:
    """Return the LLR at which elo0 and that at which elo1 is accepted."""
    alpha, beta = stop.alpha_milli / 1000, stop.beta_milli / 1000
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def log_likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float | None:
    """Return the LLR of ``pairs``; ``pairs[i]`` counts those with i half points. None where all are alike."""
    return _ratio(pairs, elo0, elo1) if pair_moments(pairs)[2] > 0 else None


def judge(pairs: Sequence[int], stop: StopRule) -> Judgement:
    """Return where the test ``stop`` stands after ``pairs``; those that are all alike decide too."""
    total, _, spread = pair_moments(pairs)
    lower, upper = bounds(stop)
    if not total or not is_wanted(stop):
        return Judgement(total, None, lower, upper, "")
    ratio = _ratio(pairs, stop.elo0, stop.elo1)
    accepted: Accepted = ""
    if total >= LEAST_PAIRS:
        accepted = "elo1" if ratio >= upper else "elo0" if ratio <= lower else ""
    return Judgement(total, ratio if spread > 0 else None, lower, upper, accepted)


def decided_after(half_points: Iterable[int], stop: StopRule) -> int | None:
    """Return after how many pairs, in their order, the test is decided; None if it is still open at the end.

    ``half_points`` are those of the first player in each pair, 0 to 4. What is played later changes nothing.
    """
    pairs = [0] * len(PAIR_SCORES)
    for number, points in enumerate(half_points, start=1):
        pairs[points] += 1
        if judge(pairs, stop).accepted:
            return number
    return None


def _ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the exact log-likelihood ratio; outcomes that were not seen count as RARE, as in fishtest."""
    counts = [number or RARE for number in pairs]
    total = sum(counts)
    seen = [number / total for number in counts]
    below, above = (_likeliest(seen, elo * sqrt(2) / NORMALISED) for elo in (elo0, elo1))
    return sum(number * log(high / low) for number, low, high in zip(counts, below, above, strict=True))


def _likeliest(seen: Sequence[float], wanted: float) -> Sequence[float]:
    """Return the shares under which ``seen`` is likeliest, of those with a mean ``wanted`` deviations above one half.

    By Lagrange's rule they are seen / (1 + x d), d being how far each score lies from what mean and deviation want, and
    these are taken from the round before.
    """
    wanted = max(-FARTHEST, min(FARTHEST, wanted))
    shares: Sequence[float] = _tilted(wanted)
    for _ in range(MOST_ROUNDS):
        mean = sum(share * score for share, score in zip(shares, PAIR_SCORES, strict=True))
        spread = sum(share * (score - mean) ** 2 for share, score in zip(shares, PAIR_SCORES, strict=True))
        half = wanted * sqrt(spread) / 2
        off = [score - 0.5 - half * (1 + (score - mean) ** 2 / spread) for score in PAIR_SCORES]
        tilt = _balanced(seen, off)
        before, shares = shares, [share / (1 + tilt * each) for share, each in zip(seen, off, strict=True)]
        if max(abs(one - other) for one, other in zip(before, shares, strict=True)) < CLOSE:
            break
    return shares


@lru_cache(64)
def _tilted(wanted: float) -> tuple[float, ...]:
    """Return some shares with a mean ``wanted`` deviations above one half: powers of a number, where that is found."""
    low, high = -STEEPEST, STEEPEST
    shares: tuple[float, ...] = ()
    for _ in range(HALVINGS):
        tilt = (low + high) / 2
        weights = [exp(tilt * (score - 0.5)) for score in PAIR_SCORES]
        whole = sum(weights)
        shares = tuple([weight / whole for weight in weights])
        mean = sum(share * score for share, score in zip(shares, PAIR_SCORES, strict=True))
        spread = sum(share * (score - mean) ** 2 for share, score in zip(shares, PAIR_SCORES, strict=True))
        low, high = (tilt, high) if mean - 0.5 < wanted * sqrt(spread) else (low, tilt)
    return shares


def _balanced(seen: Sequence[float], off: Sequence[float]) -> float:
    """Return the x that makes the sum of seen * off / (1 + x off) nought: by Newton's rule, halving where it strays."""
    low, high = -WITHIN / max(off), -WITHIN / min(off)
    x = 0.0
    for _ in range(MOST_ROUNDS):
        parts = [each / (1 + x * each) for each in off]
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
