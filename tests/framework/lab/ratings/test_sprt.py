"""The sequential test: published figures, its error rates in simulated matches, and complete tournaments."""

from itertools import product
from math import exp, log, sqrt
from pathlib import Path

import pytest

from sandtable.kernel.dice import Stream
from sandtable.lab.plan import StopRule
from sandtable.lab.ratings.findings import Findings, findings
from sandtable.lab.ratings.results import COLUMNS, Tally
from sandtable.lab.ratings.sprt import LEAST_PAIRS, bounds, decided_after, is_enabled, judge, log_likelihood_ratio
from sandtable.lab.statistics import NORMALIZED, PAIR_SCORES, pair_moments
from sandtable.lab.tournament.manifest import TournamentManifest, parse_manifest
from sandtable.lab.tournament.preparing import set_stage
from sandtable.lab.tournament.running import Runner
from sandtable.lab.tournament.store import Store
from sandtable.plugin.manager import Rulesets

LARGE = (379, 10170, 21828, 10640, 343)


def test_sprt_reproduces_a_published_match() -> None:
    stop = StopRule(0, 2, 50, 50)
    found = judge(LARGE, stop)
    assert found.llr == pytest.approx(2.945495, abs=5e-6)
    assert (found.lower, found.upper) == pytest.approx((-2.944, 2.944), abs=5e-4)
    assert found.accepted == "elo1"


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "llr"),
    [
        (LARGE, 0, 2, 2.945495),  # confirmed by a general optimizer (SciPy's SLSQP) over the five shares
        ((0, 0, 7, 1, 0), 50, 170, -0.744036),
        ((7, 1, 32, 9, 15), 0, 60, 2.811934),  # the quadratic approximation gives 3.06 and accepts
        ((12, 40, 96, 55, 21), -10, 30, 3.861771),
        ((3, 1, 0, 0, 900), 0, 300, 511.37978),
    ],
)
def test_log_likelihood_ratio_is_exact(pairs: tuple[int, ...], elo0: int, elo1: int, llr: float) -> None:
    assert log_likelihood_ratio(pairs, elo0, elo1) == pytest.approx(llr, abs=5e-6)


@pytest.mark.parametrize("pairs", [(500_000, 1, 0, 0, 500_000), (900, 0, 0, 0, 1), (0, 0, 0, 0, 1), (1, 0, 0, 0, 0)])
def test_ratio_is_finite_for_extreme_hypotheses(pairs: tuple[int, ...]) -> None:
    for elo0, elo1 in ((0, 5), (0, 10**9), (-(10**9), 0), (-(10**9), 10**9)):
        stop = StopRule(elo0, elo1)
        assert judge(pairs, stop).accepted in {"", "elo0", "elo1"}


@pytest.mark.parametrize("pairs", [(0, 0, 0, 0, 0), (0, 0, 0, 1, 0), (0, 0, 0, 0, 900)])
def test_equal_pairs_have_no_ratio(pairs: tuple[int, ...]) -> None:
    assert judge(pairs, StopRule(0, 50)).llr is None


def test_equal_pairs_are_decided_at_the_minimum() -> None:
    stop = StopRule(0, 50)
    assert decided_after([4] * 100, stop) == LEAST_PAIRS
    assert judge((0, 0, 0, 0, LEAST_PAIRS), stop).accepted == "elo1"
    assert judge((LEAST_PAIRS, 0, 0, 0, 0), stop).accepted == "elo0"
    assert judge((0, 0, 400, 0, 0), stop).accepted == "elo0"


def test_nothing_is_decided_on_too_few_pairs() -> None:
    assert judge((0, 0, 1, 0, LEAST_PAIRS - 2), StopRule(0, 200)).accepted == ""


def test_stop_rule_without_two_hypotheses_runs_no_test() -> None:
    assert not is_enabled(StopRule())
    assert judge((0, 0, 0, 50, 5000), StopRule()).accepted == ""
    assert decided_after([4] * 50, StopRule()) is None


def test_unequal_error_rates_move_the_bounds() -> None:
    assert bounds(StopRule(0, 5, 10, 200)) == pytest.approx((log(0.2 / 0.99), log(0.8 / 0.01)))


def test_pairs_after_a_decision_change_nothing() -> None:
    stop, won = StopRule(0, 100), [2, 3, 4, 3] * 40
    decided = decided_after(won, stop)
    assert decided is not None
    assert decided_after(won[:decided] + [0] * 200, stop) == decided


SHAPES = {
    "wide": (0.1, 0.2, 0.4, 0.2, 0.1),
    "many draws": (0.02, 0.1, 0.76, 0.1, 0.02),
    "no draws": (0.25, 0.001, 0.498, 0.001, 0.25),
}


def planted(shape: tuple[float, ...], elo: float) -> list[float]:
    """Return pair probabilities like ``shape``, tilted so that the first player is ``elo`` (normalized) stronger."""
    wanted, low, high = elo * sqrt(2) / NORMALIZED, -20.0, 20.0
    shares: list[float] = []
    for _ in range(60):
        tilt = (low + high) / 2
        weights = [share * exp(tilt * score) for share, score in zip(shape, PAIR_SCORES, strict=True)]
        shares = [weight / sum(weights) for weight in weights]
        mean = sum(share * score for share, score in zip(shares, PAIR_SCORES, strict=True))
        spread = sum(share * (score - mean) ** 2 for share, score in zip(shares, PAIR_SCORES, strict=True))
        low, high = (tilt, high) if (mean - 0.5) / sqrt(spread) < wanted else (low, tilt)
    return shares


def may_be_decided(pairs: list[int], stop: StopRule) -> bool:
    """Return whether the exact test is worth running.

    The quadratic approximation is fast and off by about a tenth, so a third of the bound is required.
    """
    total, mean, spread = pair_moments(pairs)
    if total < LEAST_PAIRS or spread <= 0:
        return total >= LEAST_PAIRS
    low, high = (elo * sqrt(2) / NORMALIZED for elo in (stop.elo0, stop.elo1))
    rough = total * (high - low) * ((mean - 0.5) / sqrt(spread) - (low + high) / 2)
    lower, upper = bounds(stop)
    return not lower / 3 < rough < upper / 3


def accepted(shares: list[float], stop: StopRule, stream: Stream) -> str:
    limits = [round(sum(shares[: place + 1]) * 1_000_000) for place in range(5)]
    pairs = [0] * 5
    for _ in range(5_000):
        drawn = stream.below(1_000_000)
        pairs[next((place for place, limit in enumerate(limits) if drawn < limit), 4)] += 1
        if may_be_decided(pairs, stop) and (found := judge(pairs, stop).accepted):
            return found
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("elo1", [50, 100, 200])
def test_planted_stronger_player_is_found_at_stated_rates(shape: str, elo1: int) -> None:
    stop, tests, most = StopRule(0, elo1, 50, 50), 2_000, 0.05 / 0.95  # Wald: alpha / (1 - beta)
    stream = Stream(f"{shape} {elo1}".encode())
    for elo, wrong in ((0, "elo1"), (elo1, "elo0")):
        shares = planted(SHAPES[shape], elo)
        ends = [accepted(shares, stop, stream) for _ in range(tests)]
        assert "" not in ends
        assert ends.count(wrong) / tests <= most + 3 * sqrt(most * (1 - most) / tests)


def test_clearly_stronger_player_is_found_quickly() -> None:
    shares = planted(SHAPES["wide"], 200)
    ends = [accepted(shares, StopRule(0, 100, 50, 50), Stream(b"%d" % number)) for number in range(40)]
    assert ends.count("elo1") >= 39


def test_pair_moments_are_correct_without_pairs_and_at_extremes() -> None:
    assert pair_moments((0,) * 5) == (0, 0.5, 0.0)
    assert pair_moments((1, 0, 0, 0, 1)) == (2, 0.5, 0.25)


RULESETS = Path(__file__).with_name("rulesets")
EDGE, EVEN, FACES = 4, 10, 20
"""The constants of ``rulesets/duel.py``."""

SKILL, ALPHA, BETA = 50, 0.05, 0.1
EVENTS = 300

MANIFEST = """
[tournament]
title = "Duels"
seed = "{seed}"
games = 2000
[[contest]]
ruleset = "duel"
[[entrant]]
name = "planted"
player = "marksman"
settings = {{ skill = {skill}, salt = 1 }}
[[entrant]]
name = "plain"
player = "marksman"
settings = {{ skill = 0, salt = 2 }}
[stop]
elo0 = 0
elo1 = {elo1}
alpha = 0.05
beta = 0.1
"""


def true_elo(skill: int) -> float:
    """Return the exact normalized Elo of a bot of ``skill`` against one with skill 0, over all outcomes of a pair."""
    aim_rate = (skill + (100 - skill) / 2) / 100
    mean = square = 0.0
    for die, *aims in product(range(1, FACES + 1), *[(False, True)] * 4):
        mine, theirs, mine_again, theirs_again = aims
        share = 0.25 / FACES
        for own in (mine, mine_again):
            share *= aim_rate if own else 1 - aim_rate
        half_points = (die <= EVEN + EDGE * (mine - theirs)) + (die > EVEN + EDGE * (theirs_again - mine_again))
        mean += share * half_points / 2
        square += share * half_points * half_points / 4
    return (mean - 0.5) / sqrt(square - mean * mean) * NORMALIZED / sqrt(2)


def played(folder: Path, seed: str, skill: int, elo1: int) -> Findings:
    """Return the findings of a tournament that was played until its test is decided."""
    text = MANIFEST.format(seed=seed, skill=skill, elo1=elo1)
    manifest = TournamentManifest(text, str(folder), parse_manifest(text, "duels"))
    with Store.create(folder / f"{seed}-{skill}", manifest) as store:
        Runner(store, set_stage(manifest.tournament, Rulesets(RULESETS), manifest.base), str(RULESETS)).run()
        tally = Tally(manifest.tournament)
        tally.add_stored(store.results(COLUMNS))
        assert tally.games < manifest.tournament.games
        return findings(tally)


@pytest.mark.full
def test_duel_odds_match_the_exact_elo(tmp_path: Path) -> None:
    """Elo measured over many games is close to the exact value. Otherwise the rates below would prove nothing."""
    assert true_elo(0) == pytest.approx(0, abs=1e-6)
    text = MANIFEST.format(seed="odds", skill=SKILL, elo1=1).partition("[stop]")[0]
    manifest = TournamentManifest(text, str(tmp_path), parse_manifest(text, "duels"))
    with Store.create(tmp_path / "odds", manifest) as store:
        Runner(store, set_stage(manifest.tournament, Rulesets(RULESETS), manifest.base), str(RULESETS)).run()
        tally = Tally(manifest.tournament)
        tally.add_stored(store.results(COLUMNS))
    (met,) = findings(tally).encounters
    pairs = sum(met.pairs)
    mean = sum(place * number for place, number in enumerate(met.pairs)) / 4 / pairs
    spread = sum(number * (place / 4 - mean) ** 2 for place, number in enumerate(met.pairs)) / pairs
    measured = (mean - 0.5) / sqrt(spread) * NORMALIZED / sqrt(2)
    assert abs(measured - true_elo(SKILL)) < 4 * NORMALIZED / sqrt(2 * pairs)


@pytest.mark.slow
@pytest.mark.parametrize(("skill", "right", "rate"), [(SKILL, "elo1", BETA), (0, "elo0", ALPHA)])
def test_tournaments_are_decided_at_the_stated_rates(skill: int, right: str, rate: float, tmp_path: Path) -> None:
    """Wald's bounds on wrong decisions hold within three standard deviations.

    They are beta / (1 - alpha) and alpha / (1 - beta).
    """
    elo1 = int(true_elo(SKILL))
    ends: list[str] = []
    for number in range(EVENTS):
        (met,) = played(tmp_path, f"d{number}", skill, elo1).encounters
        assert met.test is not None
        ends.append(met.test.accepted)
    assert "" not in ends
    most = rate / (1 - (ALPHA if rate == BETA else BETA))
    wrong = EVENTS - ends.count(right)
    assert wrong / EVENTS <= most + 3 * sqrt(most * (1 - most) / EVENTS)
    assert wrong > 0, "so few errors would say that the test asks for far too many games"
