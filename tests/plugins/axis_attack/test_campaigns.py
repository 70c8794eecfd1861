"""Random campaigns compared with the checker, an independent model of the rules."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugins.axis_attack.ground import board
from tests.plugins.axis_attack.oracle.checker import CHART, MUD, NEEDS, PRICES, Checker
from tests.plugins.axis_attack.positions import full_options, installed, ruleset

from axis_attack.model.cards import DEPLETED, SIDES
from axis_attack.model.events import PlatoonRaised, PlatoonReinforced, StrengthAssessed
from axis_attack.model.orders import Concede
from axis_attack.model.state import AxisState
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord

MAX_ORDERS = 2000


def begin(scenario: str, key: bytes) -> Game:
    """Return a new campaign on the board of ``ground.py``, or of a shipped scenario."""
    if scenario != "casebook":
        return installed().prepare(scenario).new_game(KeyedDice(key))
    state = AxisState(options=full_options({}))
    state.place_board(board())
    return Game(ruleset(), state, KeyedDice(key))


def played(scenario: str, seed: str) -> tuple[Checker, Game]:
    """Play a random campaign to its end, with a checker that reads its events."""
    key = key_from_seed(seed)
    game = begin(scenario, key)
    streams = {seat: Stream.for_player(key, seat) for seat in (*SIDES, UMPIRE)}
    checker = Checker(game.state.board)
    game.start()
    read = 0
    for _ in range(MAX_ORDERS):
        records = list(game.records)
        for record in records[read:]:
            if isinstance(record, EventRecord):
                checker.read(record.event)
        read = len(records)
        assert isinstance(game.state, AxisState)
        checker.compare(game.state)
        if game.is_over or checker.complaints:
            break
        decision = game.waiting()[0]
        stream = streams[decision.seat]
        order = decision.options.sample(stream)
        if isinstance(order, Concede) and order.concede and not stream.one_in(10):
            order = Concede(False)  # so that most games are played
        game.submit(order, decision.seat)
    return checker, game


@pytest.mark.rule("AOA-2.06", "AOA-12.02", "AOA-5.16", "AOA-8.01", "AOA-10.01", "AOA-11.02", "AOA-R04")
@pytest.mark.parametrize(
    "seed", ["axis-0", *(pytest.param(f"axis-{number}", marks=pytest.mark.full) for number in range(1, 12))]
)
@pytest.mark.parametrize("scenario", ["casebook", "eastern_front", "armoured_clash"])
def test_reference_checker_accepts_campaigns(scenario: str, seed: str) -> None:
    checker, game = played(scenario, seed)
    assert checker.complaints == []
    assert game.is_over
    assert game.state.ending in {"home_sector", "front", "stalemate"}


@pytest.mark.full
def test_reference_checker_rejects_altered_campaigns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checker with a wrong figure complains within a few campaigns."""
    planted: tuple[tuple[dict[str, Any], str, Any], ...] = (
        (NEEDS, "support", 4),
        (MUD, "cloudy", 0),
        (CHART, "clear", "cccooi"),
        (PRICES, "counterbattery", 4),
    )
    for table, key, wrong in planted:
        with monkeypatch.context() as patch:
            patch.setitem(table, key, wrong)
            assert any(played("casebook", f"planted {number}")[0].complaints for number in range(12)), key


@pytest.mark.full
@pytest.mark.rule("AOA-11.06", "AOA-11.08", "AOA-11.16", "AOA-R04", "AOA-11.02", "AOA-R55")
@given(st.integers(0, 10_000))
@settings(max_examples=15)
def test_levels_points_and_dice_keep_their_bounds(number: int) -> None:
    _, game = played("casebook", f"bounds {number}")
    state = game.state
    assert isinstance(state, AxisState)
    for side in SIDES:
        assert state.balance[side] >= 0
        for name, platoon in state.rosters[side].items():
            assert platoon.level <= platoon.bought, name
    found = [record.event for record in game.records if isinstance(record, EventRecord)]
    for event in found:
        if isinstance(event, StrengthAssessed):
            assert event.level <= event.before
        if isinstance(event, PlatoonRaised):
            assert event.level >= DEPLETED
        if isinstance(event, PlatoonReinforced):
            assert all(1 <= die <= 6 for die in event.dice)
