"""Campaigns of the shipped scenarios, played at random: what was made ready, and the game."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.plugins.axis_attack.positions import installed

from sandtable.kernel.dice import KeyedDice, Stream

SCENARIOS = ("eastern_front", "armoured_clash")


def begun(scenario: str, seed: int = 1, **options: str) -> tuple[Any, Any, Stream]:
    """Return what was made ready, the game at its first question, and a stream for whoever answers."""
    prepared = installed().prepare(scenario, options)
    key = bytes([seed]) * 32
    game = prepared.new_game(KeyedDice(key))
    game.start()
    return prepared, game, Stream.for_player(key, "anybody")


def answer(game: Any, stream: Stream) -> None:
    """Answer the first question at random; nobody concedes."""
    decision = game.waiting()[0]
    order = decision.options.sample(stream)
    if type(order).__name__ == "Concede":
        order = decision.done
    game.submit(order, decision.seat)


@cache
def played(scenario: str, seed: int = 1) -> tuple[Any, Any]:
    """Return a campaign played to its end."""
    prepared, game, stream = begun(scenario, seed)
    while not game.is_over:
        answer(game, stream)
    return prepared, game


def at_phase(scenario: str, phase: str, turn: int, seed: int = 1) -> tuple[Any, Any]:
    """Return a campaign at the first question of a phase, from a turn on."""
    prepared, game, stream = begun(scenario, seed)
    while not game.is_over and not (game.state.turn >= turn and game.state.phase == phase):
        answer(game, stream)
    return prepared, game
