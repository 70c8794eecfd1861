"""Campaigns of the shipped scenarios, played at random."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.plugins.axis_attack.positions import installed

from sandtable.kernel.dice import KeyedDice, Stream

SCENARIOS = ("eastern_front", "armoured_clash")


def begun(scenario: str, seed: int = 1, **options: str) -> tuple[Any, Any, Stream]:
    """Return the prepared ruleset, the game at its first decision, and a stream for random orders."""
    prepared = installed().prepare(scenario, options)
    key = bytes([seed]) * 32
    game = prepared.new_game(KeyedDice(key))
    game.start()
    return prepared, game, Stream.for_player(key, "anybody")


def answer(game: Any, stream: Stream) -> None:
    """Answer the first decision at random, without concessions."""
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
    """Return a campaign at the first decision of a phase, in a given turn or later."""
    prepared, game, stream = begun(scenario, seed)
    while not game.is_over and not (game.state.turn >= turn and game.state.phase == phase):
        answer(game, stream)
    return prepared, game
