"""Every value of every ruling is a game that can be played; the cases of its difference stand with its subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.damos.positions import installed, prepared_for, stand

from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game

if TYPE_CHECKING:
    from sandtable.kernel.decisions import Decision, Order

GERMAN = "2816 A1:7 I1:6; 2716 T1:5; 2916 I2:6 C1:3; 2818 A2:8 M1:5; 2619 I3:2/6!; 2720 H1:4"
SOVIET = "2815 i1:5; 2715 a1:6; 2914 i2:4 r1:1; 2813 a2:8 m1:3; 2612 i3:2/5!; 2811 n1:1 c1:3"
DECISIONS = 90


def values() -> list[Any]:
    return [
        pytest.param(option.name, value, id=f"{option.name}-{value}", marks=pytest.mark.rule(option.ruling))
        for option in installed().manifest.options
        for value in option.values
    ]


def drawn(decision: Decision, stream: Stream) -> Order:
    """Return an order as a player at random would give it."""
    if decision.done is not None and stream.one_in(3) and decision.options.is_legal(decision.done):
        return decision.done
    order: Order = decision.options.sample(stream)
    return order


@pytest.mark.full
@pytest.mark.parametrize(("name", "value"), values())
def test_it_can_be_played(name: str, value: str) -> None:
    prepared = prepared_for(
        GERMAN, SOVIET, {"forest": "2814 2616", "city": "2811", "river": "2816/2815"}, {name: value}
    )
    state: Any = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    stand(state, prepared, (GERMAN, SOVIET), ("german", 9, "reinforcement"), {}, {"german": 4, "soviet": 4})
    game = Game(prepared.ruleset, state, KeyedDice(key_from_seed(f"{name} {value}")))
    stream = Stream(f"{name} {value}".encode())
    game.start()
    for _ in range(DECISIONS):
        if game.is_over:
            break
        decision = game.waiting()[0]
        game.submit(drawn(decision, stream), decision.seat)
    assert game.state.options[name] == value


@pytest.mark.rule(
    "R-DM-12", "R-DM-14", "R-DM-15", "R-DM-22", "R-DM-29", "R-DM-30", "R-DM-36", "R-DM-39", "R-DM-40", "R-DM-41"
)
def test_rulings_without_another_reading_have_one_value() -> None:
    single = {option.ruling for option in installed().manifest.options if len(option.values) == 1}
    assert {"R-DM-12", "R-DM-14", "R-DM-15", "R-DM-22", "R-DM-29", "R-DM-30", "R-DM-36", "R-DM-39"} <= single
    assert len(installed().manifest.options) == 95
