"""The search bot in KampfPanzer: legal orders and victories."""

from __future__ import annotations

import pytest
from tests.plugins.kampfpanzer.positions import shipped

from kampfpanzer.model.orders import Deploy, HandInPlots
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import seat_players
from sandtable.plugin.manager import Prepared


def seated(ready: Prepared, seed: str, nodes: int, **names: str) -> dict[str, Player]:
    """Return players by side; search bots use ``nodes`` nodes."""
    players = seat_players(ready, names, key_from_seed(seed))
    for side, name in names.items():
        if name == "search":
            players[side].configure({"nodes": nodes})  # type: ignore[attr-defined]  # a search bot
    return players


@pytest.mark.full
@pytest.mark.parametrize(
    "options", [(), (("panic_roll_secret", "hidden"), ("reveal_plots", "lazy"))], ids=["usual", "secretive"]
)
def test_search_bot_sets_up_and_plots_legally(options: tuple[tuple[str, str], ...]) -> None:
    ready = shipped("poland", options)
    players = seated(ready, "orders", 2, germans="search", poles="captain")
    game = ready.new_game(KeyedDice(key_from_seed("orders")))
    game.start()
    while game.state.turn < 3:
        decision = game.waiting()[0]
        view = View(decision.side, game.view, game.simulator)
        game.submit(players[decision.seat].choose(decision, view), decision.seat)
    given = [each.order for each in game.records if isinstance(each, OrderRecord) and each.by == "germans"]
    assert isinstance(given[0], Deploy)
    plots = [order for order in given if isinstance(order, HandInPlots)]
    assert len(plots) >= 2
    assert any(order.plots for order in plots)
    assert players["germans"].nodes_spent >= 2 * len(plots)  # type: ignore[attr-defined]  # a search bot


@pytest.mark.full
def test_captain_suggests_alternative_plots() -> None:
    """Every alternative is legal, and at least 12 distinct ones differ from the submitted plan."""
    ready = shipped("abbeville")
    captains = seated(ready, "plans", 0, british="captain", germans="captain")
    game = ready.new_game(KeyedDice(key_from_seed("plans")))
    game.start()
    tried = 0
    while game.state.turn < 4:
        decision = game.waiting()[0]
        view, captain = View(decision.side, game.view), captains[decision.seat]
        order = captain.choose(decision, view)
        ideas = captain.plans(decision, view)  # type: ignore[attr-defined]  # a search bot
        assert bool(ideas) == isinstance(order, HandInPlots)
        if isinstance(order, HandInPlots):
            assert all(decision.options.is_legal(each) for each in ideas)
            tried += len({tuple(sorted(each.plots.items())) for each in ideas if each != order})
        game.submit(order, decision.seat)
    assert tried >= 12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rival", "seed", "nodes", "games", "least"), [("random", "chance", 4, 8, 7), ("captain", "captain", 40, 12, 6)]
)
def test_search_bot_beats_random_and_equals_the_captain(
    rival: str, seed: str, nodes: int, games: int, least: int
) -> None:
    ready = shipped("abbeville")
    won = 0.0
    for number in range(games):
        own, foe = ready.board.sides if number % 2 else ready.board.sides[::-1]
        key = f"{seed}/{number // 2}"
        players = seated(ready, key, nodes, **{own: "search", foe: rival})
        game = ready.new_game(KeyedDice(key_from_seed(key)))
        game.play(players)
        is_draw = rival == "captain" and game.state.outcome == "draw"
        won += 1 if game.state.outcome == own else 0.5 * is_draw
    assert won >= least
