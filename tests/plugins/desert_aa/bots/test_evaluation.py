"""The evaluation that search bots use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.conftest import ready

from desert_aa.bots.evaluation import evaluate
from desert_aa.model.state import DesertState, Unit
from desert_aa.model.tables import SIDE_OF
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.players.players import seat_players

if TYPE_CHECKING:
    from sandtable.kernel.decisions import Decision, Order
    from sandtable.kernel.play.game import Player
    from sandtable.kernel.play.views import View


def begin(scenario: str = "western_desert", **options: str) -> DesertState:
    prepared = ready(scenario, **options)
    state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    assert isinstance(state, DesertState)
    state.turn = 1
    return state


def axis(state: DesertState) -> int:
    shares = evaluate(state, state.board)
    assert sum(shares.values()) == 1000
    return shares["axis"]


def test_more_units_ground_or_money_raise_the_share() -> None:
    state = begin()
    before = axis(state)
    state.units["de-arm-99"] = Unit("germany", "armor", "TRI")
    armed = axis(state)
    state.cash[next(iter(state.cash))] += 20
    rich = axis(state)
    worth = max(state.board.value, key=lambda space: (state.control[space] == "england", state.board.value[space]))
    state.control[worth] = "germany"
    assert before < armed < rich < axis(state)


def test_purchases_that_wait_off_the_map_count() -> None:
    state = begin()
    before = axis(state)
    state.waiting["england"] = {"armor": 4}
    assert axis(state) < before


@pytest.mark.rule("DAA-R63")
def test_ground_counts_more_than_armies_near_the_last_round() -> None:
    def gain(turn: int, *, ground: bool) -> int:
        state = begin(round_limit="12")
        state.turn = turn
        before = axis(state)
        if ground:
            for space in ("TOB", "BAR"):
                if space in state.control:
                    state.control[space] = "england"
        else:
            state.units = {each: unit for each, unit in state.units.items() if SIDE_OF[unit.power] == "allies"}
        return before - axis(state)

    assert gain(12, ground=True) > gain(2, ground=True) >= 0
    assert gain(12, ground=False) < gain(2, ground=False)


def test_share_is_never_certain_before_the_end() -> None:
    state = begin()
    state.units = {each: unit for each, unit in state.units.items() if SIDE_OF[unit.power] == "axis"}
    state.control = dict.fromkeys(state.control, "germany")
    assert 900 < axis(state) < 1000


@pytest.mark.full
def test_winner_has_the_larger_share_halfway() -> None:
    """The commander plays against random and wins."""
    prepared = ready("western_desert")
    shares = []
    for number, name in enumerate(("axis", "allies") * 2):
        key = key_from_seed(f"half way/{number // 2}")
        game = prepared.new_game(KeyedDice(key))
        seen: list[int] = []

        class Watched:
            def __init__(self, player: Player, shares: list[int], side: str, table: object) -> None:
                self._player, self._shares, self._side, self._game = player, shares, side, table

            def choose(self, decision: Decision, view: View) -> Order:
                state = self._game.state  # type: ignore[attr-defined]  # a game, typed as object
                self._shares.append(evaluate(state, state.board)[self._side])
                return self._player.choose(decision, view)

        players = seat_players(prepared, {name: "commander"}, key)
        game.play({seat: Watched(player, seen, name, game) for seat, player in players.items()})
        assert game.state.outcome == name
        shares.append(sum(seen[len(seen) // 2 :]) // (len(seen) - len(seen) // 2))
    assert min(shares) > 500
