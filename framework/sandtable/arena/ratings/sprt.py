"""The sequential test: is a player stronger by ``elo1`` rather than by ``elo0``? Asked after every pair of games.

Elo here is *normalised*: 347.4 (800/ln 10) of it are one standard deviation of a single game's score, so that a game
of many draws and a wild one need as many games for the same answer. With n pairs, t their mean score less one half in
standard deviations of a pair, and t0, t1 what elo0 and elo1 would make of it, the log-likelihood ratio is

    LLR = n (t1 - t0) (2 t - t0 - t1) / 2

It is accepted that elo1 is nearer when LLR reaches ln((1 - beta) / alpha), elo0 when it falls to
ln(beta / (1 - alpha)). Then elo1 is accepted wrongly in a share of about alpha of all tests, elo0 in about beta (Wald:
at most alpha / (1 - beta) and beta / (1 - alpha)).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Literal

from sandtable.arena.plan import StopRule
from sandtable.arena.statistics import NORMALISED, PAIR_SCORES, pair_moments

LEAST_PAIRS = 32
"""Nothing is decided on fewer pairs: their spread is not known well enough, and the errors would exceed their rates."""

_STEP = PAIR_SCORES[1]

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
    total, mean, spread = pair_moments(pairs)
    return _ratio(total, mean, spread, elo0, elo1) if spread > 0 else None


def judge(pairs: Sequence[int], stop: StopRule) -> Judgement:
    """Return where the test ``stop`` stands after ``pairs``.

    Pairs that are all alike decide too: to be careful, their spread is taken as if one more pair had ended a step
    away, by a quarter of the points.
    """
    total, mean, spread = pair_moments(pairs)
    lower, upper = bounds(stop)
    accepted: Accepted = ""
    if total >= LEAST_PAIRS and is_wanted(stop):
        careful = spread or _STEP * _STEP * total / (total + 1) ** 2
        ratio = _ratio(total, mean, careful, stop.elo0, stop.elo1)
        accepted = "elo1" if ratio >= upper else "elo0" if ratio <= lower else ""
    return Judgement(total, log_likelihood_ratio(pairs, stop.elo0, stop.elo1), lower, upper, accepted)


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


def _ratio(total: int, mean: float, spread: float, elo0: float, elo1: float) -> float:
    below, above = (elo * sqrt(2) / NORMALISED for elo in (elo0, elo1))
    found = (mean - 0.5) / sqrt(spread)
    return total * (above - below) * (2 * found - below - above) / 2
