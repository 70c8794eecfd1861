"""The commander: results against a passive player, cached searches and settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import ready, shipped_one
from tests.plugins.desert_aa.oracle.searches import questions

from desert_aa.bots.players import Commander
from desert_aa.bots.settings import USUAL
from desert_aa.model import orders
from desert_aa.model.tables import SIDE_OF
from sandtable.errors import PlayError
from sandtable.journal.format.header import make_dice
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.views import View
from sandtable.lab.matches.games import MatchPlan, play_one
from sandtable.players.players import seat_players

if TYPE_CHECKING:
    from sandtable.kernel.decisions import Decision, Order
    from sandtable.kernel.play.game import Game


@pytest.mark.full
def test_commander_with_cached_ground_gives_the_same_orders() -> None:
    looks = asked = 0
    ready = shipped_one("western_desert", ())
    stream = Stream.for_player(key_from_seed("looks"), "x")
    quick: dict[str, Commander] = {}
    careful: dict[str, Commander] = {}
    for game, decision in questions("western_desert", "commander"):
        power = decision.power

        def look(side: str, game: Game = game) -> Any:
            nonlocal looks
            looks += 1
            return game.view(side)

        if power not in quick:
            quick[power], careful[power] = (Commander(power, stream, ready.board) for _ in range(2))
        order = quick[power].choose(decision, View(decision.side, look))
        careful[power]._ground = None
        assert careful[power].choose(decision, View(decision.side, game.view)) == order
        asked += 1
    assert asked > 100
    assert looks < asked


def test_commander_takes_settings_and_refuses_unknown_ones() -> None:
    commander = Commander("italy", Stream(b"s"), shipped_one("frontier", ()).board)
    commander.configure({"chance": 811, "spare": 4})
    assert commander.settings == USUAL._replace(chance=811, spare=4)
    for wrong, said in (({"bold": 1}, "no setting 'bold'"), ({"chance": 1001}, "chance is 1001"), ({"cut": -1}, "cut")):
        with pytest.raises(PlayError, match=said):
            commander.configure(wrong)


SIDES = ("axis", "allies")
NOTHING: tuple[Order, ...] = (orders.BuyUnits({}), orders.BuyMinefields(0), orders.PlaceMinefields([]))


class Passive:
    """A player that ends its phases, and gives the commander's orders if it must give one."""

    def __init__(self, seat: str, stream: Stream, board: Any) -> None:
        self.commander = Commander(seat, stream, board)

    def choose(self, decision: Decision, view: Any) -> Order:
        """Return the order that ends the decision, or the commander's order."""
        least = (decision.done, *NOTHING)
        idle = next((each for each in least if each is not None and decision.options.why_not(each) is None), None)
        return idle or self.commander.choose(decision, view)


def winner_against_passer(scenario: str, side: str, seed: str) -> str:
    prepared, key = ready(scenario), key_from_seed(seed)
    players: dict[str, Any] = dict(seat_players(prepared, dict.fromkeys(SIDES, "commander"), key))
    for seat in players:
        if SIDE_OF.get(seat, seat) != side:
            players[seat] = Passive(seat, Stream.for_player(key, seat), prepared.board)
    game = prepared.new_game(make_dice("open", key))
    game.play(players)
    return str(game.state.outcome)


@pytest.mark.parametrize("side", SIDES)
def test_commander_beats_a_passive_player_from_each_seat(side: str) -> None:
    assert winner_against_passer("frontier", side, "a passer") == side


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scenario", ["frontier", "western_desert"])
def test_commander_beats_a_passive_player_in_95_of_100_games(scenario: str, side: str) -> None:
    wins = sum(winner_against_passer(scenario, side, f"passing/{game}") == side for game in range(100))
    assert wins >= 95


@pytest.mark.slow
@pytest.mark.rule("DAA-R68")
def test_large_bid_reverses_the_balance_of_frontier() -> None:
    """Between equal commanders the Axis has 37 % without a bid."""
    plan = MatchPlan("desert_aa", ("commander", "commander"), 60, "bid", "frontier", options={"axis_bid": "20"})
    prepared = ready("frontier", axis_bid="20")
    won = [play_one(prepared, plan, game).outcome for game in range(plan.games)]
    assert won.count("axis") > won.count("allies")
