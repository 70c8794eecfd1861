"""Balance of every scenario between captains (figures are in the README), and a captain against a passive player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.kampfpanzer.positions import shipped

from kampfpanzer import SCENARIOS
from kampfpanzer.bots.players import Captain
from kampfpanzer.model.orders import DeclineCounterattack, HandInPlots
from sandtable.journal.format.header import make_dice
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.lab.matches.games import MatchPlan, play_one

if TYPE_CHECKING:
    from sandtable.kernel.decisions import Decision, Order

GAMES = 60


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_captains_are_balanced_and_games_last(scenario: str) -> None:
    ready = shipped(scenario)
    plan = MatchPlan("kampfpanzer", ("captain", "captain"), GAMES, "balance", scenario)
    results = [play_one(ready, plan, number) for number in range(GAMES)]
    for side in ready.board.sides:
        won = sum(2 * (each.outcome == side) + (each.outcome == "draw") for each in results)
        assert 0.2 <= won / 2 / GAMES <= 0.8  # 25 to 75 %, with a margin for the small sample
    late = [each for each in results if 3 * each.turns >= ready.board.last_turn]
    assert len(late) >= 0.8 * GAMES


class Passer(Captain):
    """A player that sets up as the captain does, and passes whenever passing is legal."""

    def choose(self, decision: Decision, view: Any) -> Order:
        """Return an empty order if it is legal, or the captain's order."""
        nothing: tuple[Order, ...] = (HandInPlots({}), DeclineCounterattack())
        idle = next((each for each in nothing if decision.options.why_not(each) is None), None)
        return idle or super().choose(decision, view)


@pytest.mark.slow
@pytest.mark.parametrize(("side", "least"), [("germans", 20), ("poles", 12)])
def test_captain_beats_a_passive_opponent_in_poland(side: str, least: int) -> None:
    """The Poles win 3 of 4 games: 10 slow tanks on one track with a high panic level (docs/balance.md)."""
    ready, won = shipped("poland"), 0
    for number in range(20):
        key = key_from_seed(f"passing/{number}")
        makers = {each: Captain if each == side else Passer for each in ready.board.sides}
        game = ready.new_game(make_dice("open", key))
        game.play({each: make(each, Stream.for_player(key, each), ready.board) for each, make in makers.items()})
        won += game.state.outcome == side
    assert won >= least
