"""Every scenario is a contest between equal captains, and lasts (the figures of 200 games are in the README)."""

from __future__ import annotations

import pytest
from tests.plugins.kampfpanzer.positions import shipped

from kampfpanzer import SCENARIOS
from sandtable.arena.games import MatchPlan, play_one

GAMES = 60


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_each_side_wins_its_share_and_no_game_is_over_at_once(scenario: str) -> None:
    ready = shipped(scenario)
    plan = MatchPlan("kampfpanzer", ("captain", "captain"), GAMES, "balance", scenario)
    results = [play_one(ready, plan, number) for number in range(GAMES)]
    for side in ready.board.sides:
        won = sum(2 * (each.outcome == side) + (each.outcome == "draw") for each in results)
        assert 0.2 <= won / 2 / GAMES <= 0.8  # 25 to 75 %, and what chance does in so few games
    late = [each for each in results if 3 * each.turns >= ready.board.last_turn]
    assert len(late) >= 0.8 * GAMES
