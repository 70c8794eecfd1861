"""What the commander would try besides his own order: other forces; and search, which tries them."""

from __future__ import annotations

import pytest
from tests.plugins.axis_attack.positions import installed

from axis_attack.model.orders import ChooseForce
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.views import View
from sandtable.players.players import seat_players


@pytest.mark.full
def test_the_commander_has_other_forces_to_try() -> None:
    """Each is allowed; who cares less or more about losses fields something else."""
    ready, key = installed().prepare("armoured_clash"), key_from_seed("plans")
    players = seat_players(ready, {"german": "commander", "soviet": "commander"}, key)
    game = ready.new_game(KeyedDice(key))
    game.start()
    forces, others = 0, 0
    while not game.is_over:
        decision = game.waiting()[0]
        view, player = View(decision.side, game.view), players[decision.seat]
        order = player.choose(decision, view)
        if decision.side != UMPIRE:
            ideas = player.plans(decision, view)  # type: ignore[attr-defined]
            assert bool(ideas) == isinstance(order, ChooseForce)
            assert all(decision.options.is_legal(each) for each in ideas)
            forces += isinstance(order, ChooseForce)
            others += len({repr(each) for each in ideas if each != order})
        game.submit(order, decision.seat)
    assert others >= forces > 0


@pytest.mark.slow
def test_search_is_no_worse_than_the_commander() -> None:
    won = 0.0
    ready = installed().prepare("armoured_clash")
    for number in range(12):
        own, foe = ("german", "soviet") if number % 2 else ("soviet", "german")
        key = key_from_seed(f"search/{number // 2}")
        game = ready.new_game(KeyedDice(key))
        game.play(seat_players(ready, {own: "search", foe: "commander"}, key))
        won += 1 if game.state.outcome == own else 0.5 * (game.state.outcome == "draw")
    assert won >= 5
