"""The search bot in a campaign: legal orders, no use of secrets, and victories."""

from typing import Any

import pytest
from tests.plugins.khamsin.positions import shipped

from khamsin.model.orders import Deploy, WriteOrders
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import seat_players

NAMES = {"axis": "search", "allies": "commander", "umpire": "resolver"}


def begun(seed: str, nodes: int, names: dict[str, str], **options: str) -> tuple[Game, dict[str, Player]]:
    """Return a campaign of Two Wells and its players; search bots use ``nodes`` nodes."""
    prepared, key = shipped("teaching", tuple(sorted(options.items()))), key_from_seed(seed)
    players: dict[str, Any] = seat_players(prepared, names, key)
    for side, name in names.items():
        if name == "search":
            players[side].configure({"nodes": nodes})
    return prepared.new_game(KeyedDice(key)), players


@pytest.mark.full
@pytest.mark.parametrize(
    "options", [{}, {"engagement_reveal": "full"}, {"company_selection": "attacker_first"}], ids=str
)
def test_search_bot_plays_a_campaign_with_legal_orders(options: dict[str, Any]) -> None:
    game, players = begun("orders", 2, NAMES, **options)
    game.play(players)
    given = [each.order for each in game.records if isinstance(each, OrderRecord) and each.by == "axis"]
    assert {Deploy, WriteOrders} <= {type(order) for order in given}
    searcher: Any = players["axis"]
    assert searcher.nodes_spent >= len(given)


@pytest.mark.full
@pytest.mark.rule("KH-6.08")
def test_search_bot_ignores_orders_that_the_enemy_has_written() -> None:
    chosen: list[Order] = []
    for enemy in (WriteOrders(), WriteOrders({"armd_bde": ["ford", "east_well"]}), None):
        game, players = begun("secret", 6, NAMES)
        game.start()
        while "deploy" in (decision := game.waiting()[0]).prompt:
            game.submit(players["allies"].choose(decision, _view(game, decision)), decision.seat)
        if enemy is not None:
            game.submit(enemy, "allies")
        chosen.append(players["axis"].choose(decision, _view(game, decision)))
    assert chosen == chosen[:1] * 3


def _view(game: Game, decision: Any) -> View:
    return View(decision.side, game.view, game.simulator)


def test_commander_suggests_alternative_orders() -> None:
    game, players = begun("plans", 0, {"axis": "commander", "allies": "commander", "umpire": "resolver"})
    game.start()
    tried: dict[str, int] = {}
    while not game.is_over:
        decision = game.waiting()[0]
        view, player = View(decision.side, game.view), players[decision.seat]
        order = player.choose(decision, view)
        if decision.side in {"axis", "allies"}:
            ideas = player.plans(decision, view)  # type: ignore[attr-defined]  # a search bot
            allowed = [each for each in ideas if decision.options.is_legal(each) and each != order]
            kind = type(order).__name__
            tried[kind] = tried.get(kind, 0) + len(allowed)
        game.submit(order, decision.seat)
    assert tried["WriteOrders"] > 0
    assert tried["Withdraw"] > 0
    assert not tried["Deploy"]


@pytest.mark.slow
def test_search_bot_beats_random() -> None:
    won = 0.0
    for number in range(24):
        own, foe = ("axis", "allies") if number % 2 else ("allies", "axis")
        game, players = begun(f"chance/{number // 2}", 4, {own: "search", foe: "random", "umpire": "resolver"})
        game.play(players)
        won += 1 if game.state.outcome == own else 0.5 * (game.state.outcome == "draw")
    assert won >= 16
