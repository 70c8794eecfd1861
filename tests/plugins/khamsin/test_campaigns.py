"""Campaigns played at random, followed by a clerk of their own (``clerk.py``)."""

from __future__ import annotations

import pytest
from tests.plugins.khamsin.clerk import Clerk
from tests.plugins.khamsin.positions import shipped

from khamsin.model.state import KhamsinState
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.events import PhaseEnded
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord

MOST_ORDERS = 4000


def played(module: str, seed: str, **options: str) -> tuple[Clerk, Game]:
    """Play a campaign at random to its end, with a clerk at the table."""
    prepared = shipped(module, tuple(sorted(options.items())))
    key = key_from_seed(seed)
    game = prepared.new_game(KeyedDice(key))
    assert isinstance(game.state, KhamsinState)
    clerk = Clerk(game.state)
    streams = {seat: Stream.for_player(key, seat) for seat in ("axis", "allies", "umpire")}
    game.start()
    read = 0
    for _ in range(MOST_ORDERS):
        records = list(game.records)
        ended = False
        for record in records[read:]:
            if isinstance(record, EventRecord):
                clerk.read(record.event)
                ended = isinstance(record.event, PhaseEnded)
        read = len(records)
        clerk.compare(game.state)
        if game.is_over or clerk.complaints:
            break
        decision = game.waiting()[0]
        game.submit(decision.options.sample(streams[decision.seat]), decision.seat)
    assert game.is_over or clerk.complaints or not ended
    return clerk, game


@pytest.mark.rule("KH-2.05", "KH-11.01", "KH-8.10", "KH-8.11", "KH-20.02", "KH-21.03", "KH-5.08", "KH-18.03", "KH-6.03")
@pytest.mark.parametrize("seed", [f"clerk-{number}" for number in range(12)])
@pytest.mark.parametrize("module", ["teaching", "fixture"])
def test_a_clerk_has_nothing_to_complain_of(module: str, seed: str) -> None:
    clerk, game = played(module, seed)
    assert clerk.complaints == []
    assert game.is_over


@pytest.mark.rule("KH-2.05", "KH-11.01", "KH-8.10", "KH-4.04", "KH-7.02")
@pytest.mark.parametrize("seed", ["sand", "wire", "rain", "dust", "sun"])
def test_nor_in_the_desert(seed: str) -> None:
    clerk, game = played("crusader", seed)
    assert clerk.complaints == []
    assert game.is_over
