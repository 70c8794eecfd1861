"""Every scenario is a contest between equal captains, and lasts (figures are in the README); who passes loses."""

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
def test_each_side_wins_its_share_and_no_game_is_over_at_once(scenario: str) -> None:
    ready = shipped(scenario)
    plan = MatchPlan("kampfpanzer", ("captain", "captain"), GAMES, "balance", scenario)
    results = [play_one(ready, plan, number) for number in range(GAMES)]
    for side in ready.board.sides:
        won = sum(2 * (each.outcome == side) + (each.outcome == "draw") for each in results)
        assert 0.2 <= won / 2 / GAMES <= 0.8  # 25 to 75 %, and what chance does in so few games
    late = [each for each in results if 3 * each.turns >= ready.board.last_turn]
    assert len(late) >= 0.8 * GAMES


class Passer(Captain):
    """Sets up as the captain does, and does nothing wherever that is allowed."""

    def choose(self, decision: Decision, view: Any) -> Order:
        """Return the order that does least."""
        nothing: tuple[Order, ...] = (HandInPlots({}), DeclineCounterattack())
        idle = next((each for each in nothing if decision.options.why_not(each) is None), None)
        return idle or super().choose(decision, view)


@pytest.mark.slow
@pytest.mark.parametrize(("side", "least"), [("germans", 20), ("poles", 12)])
def test_in_poland_he_beats_who_only_passes(side: str, least: int) -> None:
    """The Poles do in three games of four: ten slow tanks on one track, with bad nerves (docs/balance.md)."""
    ready, won = shipped("poland"), 0
    for number in range(20):
        key = key_from_seed(f"passing/{number}")
        makers = {each: Captain if each == side else Passer for each in ready.board.sides}
        game = ready.new_game(make_dice("open", key))
        game.play({each: make(each, Stream.for_player(key, each), ready.board) for each, make in makers.items()})
        won += game.state.outcome == side
    assert won >= least
