"""The sequential test at work: whole tournaments find a planted stronger bot at the stated rates of error."""

from itertools import product
from math import sqrt
from pathlib import Path

import pytest

from sandtable.lab.ratings.findings import Findings, findings
from sandtable.lab.ratings.results import COLUMNS, Tally
from sandtable.lab.statistics import NORMALISED
from sandtable.lab.tournament.manifest import TournamentManifest, parse_manifest
from sandtable.lab.tournament.preparing import set_stage
from sandtable.lab.tournament.running import Runner
from sandtable.lab.tournament.store import Store
from sandtable.plugin.manager import Rulesets

RULESETS = Path(__file__).with_name("rulesets")
EDGE, EVEN, FACES = 4, 10, 20
"""As in ``rulesets/duel.py``."""

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
    """Return the normalised Elo of a bot of ``skill`` against one of none, over all that can happen in a pair."""
    often = (skill + (100 - skill) / 2) / 100
    mean = square = 0.0
    for die, *aims in product(range(1, FACES + 1), *[(False, True)] * 4):
        mine, his, mine_again, his_again = aims
        share = 0.25 / FACES
        for own in (mine, mine_again):
            share *= often if own else 1 - often
        half_points = (die <= EVEN + EDGE * (mine - his)) + (die > EVEN + EDGE * (his_again - mine_again))
        mean += share * half_points / 2
        square += share * half_points * half_points / 4
    return (mean - 0.5) / sqrt(square - mean * mean) * NORMALISED / sqrt(2)


def played(folder: Path, seed: str, skill: int, elo1: int) -> Findings:
    """Return what a tournament shows, played until its test is decided."""
    text = MANIFEST.format(seed=seed, skill=skill, elo1=elo1)
    manifest = TournamentManifest(text, str(folder), parse_manifest(text, "duels"))
    with Store.create(folder / f"{seed}-{skill}", manifest) as store:
        Runner(store, set_stage(manifest.tournament, Rulesets(RULESETS), manifest.base), str(RULESETS)).run()
        tally = Tally(manifest.tournament)
        tally.add_stored(store.results(COLUMNS))
        assert tally.games < manifest.tournament.games
        return findings(tally)


@pytest.mark.full
def test_the_odds_of_a_duel_are_as_reckoned(tmp_path: Path) -> None:
    """Elo measured over many games lies about the exact one, or the rates below would prove nothing."""
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
    measured = (mean - 0.5) / sqrt(spread) * NORMALISED / sqrt(2)
    assert abs(measured - true_elo(SKILL)) < 4 * NORMALISED / sqrt(2 * pairs)


@pytest.mark.slow
@pytest.mark.parametrize(("skill", "right", "rate"), [(SKILL, "elo1", BETA), (0, "elo0", ALPHA)])
def test_tournaments_are_decided_at_the_stated_rates(skill: int, right: str, rate: float, tmp_path: Path) -> None:
    """Wald: wrong in a share of beta / (1 - alpha) and alpha / (1 - beta) at most; three standard deviations more."""
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
