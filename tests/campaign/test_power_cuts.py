"""The power goes at any moment: the log opens, holds every acknowledged order, nothing else, and the game goes on."""

from pathlib import Path

import pytest
from figures_of_campaigns import Share
from power import Watch
from recorded_sessions import SESSIONS, Session, play_session, what_is_lost

from sandtable.plugin.manager import Rulesets

CUTS = 20_000
GAMES = {"toy": 25, "desert_aa": 2}


@pytest.mark.slow
@pytest.mark.parametrize("session", SESSIONS, ids=str)
def test_a_power_cut_costs_no_order_that_was_acknowledged(session: Session, campaign: Share, tmp_path: Path) -> None:
    rulesets = Rulesets()
    prepared = rulesets.load(session.ruleset).prepare()
    games = min(GAMES[session.ruleset], campaign.of(CUTS))
    each = campaign.of(CUTS) // len(SESSIONS) // games + 1
    failures = []
    for number in range(games):
        rng = campaign.rng("power", session, number)
        folder, left = tmp_path / f"{number}", tmp_path / f"{number}-left"
        folder.mkdir()
        left.mkdir()
        with Watch(folder.resolve()).on() as watch:
            seed = f"{campaign.seed}/{number}"
            whole = play_session(prepared, session, seed, watch.folder / "game.jsonl", watch.acknowledge)
        for place in range(each):
            for file in left.iterdir():
                file.unlink()
            moment, acknowledged = rng.choice(watch.moments)
            moment.cut(rng, left)
            wrong = what_is_lost(left / "game.jsonl", acknowledged, whole, rulesets)
            failures += [f"game {number}, cut {place}: {wrong}"] if wrong else []
    campaign.tried("nothing acknowledged is lost", "power cuts while a game was written", games * each, failures)
