"""Power cuts at any moment: the log opens, holds every acknowledged order and nothing else, and the game resumes."""

from pathlib import Path

import pytest
from campaign_figures import Share
from power_cuts import Watch
from recorded_sessions import SESSIONS, Session, play_session, what_is_lost

from sandtable.plugin.manager import Rulesets

CUTS = 20_000
GAMES = {"toy": 25, "desert_aa": 2}


@pytest.mark.slow
@pytest.mark.parametrize("session", SESSIONS, ids=str)
def test_power_cut_loses_no_acknowledged_order(session: Session, campaign: Share, tmp_path: Path) -> None:
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
        for cut in range(each):
            for file in left.iterdir():
                file.unlink()
            moment, acknowledged = rng.choice(watch.moments)
            moment.cut(rng, left)
            wrong = what_is_lost(left / "game.jsonl", acknowledged, whole, rulesets)
            failures += [f"game {number}, cut {cut}: {wrong}"] if wrong else []
    campaign.tried("nothing acknowledged is lost", "power cuts while a game was written", games * each, failures)
