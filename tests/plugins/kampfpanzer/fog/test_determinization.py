"""Deals of secrets: enemy plots that are not shown yet (R-KP-23), and hidden panic rolls (R-KP-71)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.plugins.kampfpanzer.positions import boundaries, played, shipped

from kampfpanzer import SCENARIOS
from kampfpanzer.fog.determinization import deal
from kampfpanzer.fog.views import view
from kampfpanzer.model.board import Board
from kampfpanzer.model.state import DESTROYED, ON_MAP, Impact, KampfState, PanicRoll
from kampfpanzer.model.tables import panic_digits
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.plotting.sheet import plot_sheet
from kampfpanzer.plotting.situation import Situation
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.players.players import seat_players

LAZY, SECRET = ("reveal_plots", "lazy"), ("panic_roll_secret", "hidden")
FRENCH, GERMANS = "french", "germans"
SEEDS = ("one", "two")


def states(scenario: str, seed: str, bot: str, *options: tuple[str, str]) -> Iterator[KampfState]:
    """Yield the state at each boundary of a game of a bot against itself."""
    return boundaries(played(scenario, f"dealt again/{seed}", (bot, bot), options))


def dealt(state: KampfState, side: str, seed: str = "deal") -> KampfState:
    """Return a deal for ``side``, with the fields that the kernel sets copied from ``state``."""
    found = deal(view(state, side), state.board, Stream(seed.encode()))
    found.phasing_side, found.outcome, found.ending = state.phasing_side, state.outcome, state.ending
    return found


def enemy_plots(state: KampfState, side: str) -> dict[str, str]:
    return {each: plot for each, plot in state.plots.items() if state.units[each].side != side}


# ---------------------------------------------------------------- views


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_deal_without_secrets_equals_the_state(scenario: str) -> None:
    for seed, bot in (("one", "captain"), ("two", "random")):
        for state in states(scenario, seed, bot):
            for impact in state.impacts:  # destroyed units are not listed
                impact.struck = [each for each in impact.struck if state.units[each].standing == ON_MAP]
            for side in state.board.sides:
                known = {**msgspec.to_builtins(dealt(state, side)), "position": 0, "in_phase": False}
                assert known == {**msgspec.to_builtins(state), "position": 0, "in_phase": False}


@pytest.mark.full
@pytest.mark.rule("R-KP-23", "R-KP-71")
@pytest.mark.parametrize("options", [(LAZY,), (SECRET,), (SECRET, LAZY)])
@pytest.mark.parametrize("scenario", ["summa", "hannut", "czechoslovakia"])
def test_deal_preserves_the_view(scenario: str, options: tuple[tuple[str, str], ...]) -> None:
    for seed, bot in (("one", "captain"), ("two", "random")):
        for state in states(scenario, seed, bot, *options):
            for side in state.board.sides:
                assert view(dealt(state, side, seed), side) == view(state, side)


@pytest.mark.full
@pytest.mark.rule("R-KP-45")
def test_deal_keeps_units_struck_by_an_impact() -> None:
    struck = 0
    for seed in SEEDS:
        for state in states("summa", seed, "captain", ("h_moving_units", "once_per_unit")):
            for impact, again in zip(state.impacts, dealt(state, "russians").impacts, strict=True):
                still_there = [each for each in impact.struck if state.units[each].standing == ON_MAP]
                assert again.struck == still_there
                struck += len(still_there)
    assert struck


# ---------------------------------------------------------------- legality


@pytest.mark.full
@pytest.mark.rule("R-KP-23")
def test_dealt_plots_are_legal() -> None:
    written = 0
    for seed in SEEDS:
        for state in states("hannut", seed, "captain", LAZY):
            if state.phase not in ("panic", "combat"):
                continue
            for side in state.board.sides:
                again = dealt(state, side, seed)
                plots = enemy_plots(again, side)
                assert plot_sheet(Situation(again, again.board.enemy_of(side))).refusals(plots) == {}
                written += len(plots)
    assert written


@pytest.mark.full
@pytest.mark.rule("R-KP-23")
def test_dealt_fire_plots_after_combat_belong_to_panicked_units() -> None:
    hidden = 0
    for seed in SEEDS:
        for state in states("hannut", seed, "captain", LAZY):
            if state.phase == "movement":
                again = dealt(state, FRENCH, seed)
                for unit_id, text in enemy_plots(again, FRENCH).items():
                    if unit_id not in state.shown:
                        assert (
                            parse_plot(text).kind not in ("direct", "tight", "loose") or state.units[unit_id].panicked
                        )
                        hidden += 1
    assert hidden


@pytest.mark.full
@pytest.mark.rule("R-KP-23", "R-KP-71", "KP-11.12a")
def test_dealt_panic_follows_the_table() -> None:
    panicked = 0
    for seed in SEEDS:
        for state in states("summa", seed, "random", SECRET):
            if state.phase not in ("combat", "panic_plot"):
                continue
            again = dealt(state, "finns", seed)
            roll = again.panic["russians"]
            assert tuple(roll.digits) == panic_digits(again.board.panic["russians"], roll.die)
            for unit_id, unit in again.units.items():
                if unit.side == "russians" and unit.panicked:
                    assert unit.standing == ON_MAP
                    assert unit.hex[-1] in roll.digits
                    assert not unit.disruption or state.phase != "combat"
                    assert not again.plots.get(unit_id, "").startswith("M ")
                    panicked += 1
    assert panicked


# ---------------------------------------------------------------- variety


@pytest.mark.full
@pytest.mark.rule("R-KP-23")
def test_dealt_plots_depend_on_the_stream() -> None:
    state = next(each for each in states("hannut", "one", "captain", LAZY) if each.phase == "panic")
    deals = [enemy_plots(dealt(state, FRENCH, seed), FRENCH) for seed in (*SEEDS, "three")]
    assert deals[0] != deals[1] != deals[2] != deals[0]
    assert enemy_plots(dealt(state, FRENCH, "one"), FRENCH) == deals[0]


@pytest.mark.full
@pytest.mark.rule("R-KP-71")
def test_dealt_panic_depends_on_the_stream() -> None:
    state = next(each for each in states("hannut", "one", "captain", SECRET) if each.phase == "combat")
    dice = {dealt(state, FRENCH, str(number)).panic[GERMANS].die for number in range(60)}
    assert dice == {1, 2, 3, 4, 5, 6}


def after_fire(*options: tuple[str, str]) -> KampfState:
    """Return a position after the fire of a turn, with only a German gun in 2014 and a German tank in 1513."""
    ready = shipped("flavion", options)
    state = ready.new_game(KeyedDice(bytes(32))).state
    assert isinstance(state, KampfState)
    board: Board = state.board
    assert {board.side_of[each] for each in (GUN, TANK)} == {GERMANS}
    state.turn, state.phase = 2, "panic_plot"
    for unit in state.units.values():
        unit.standing = DESTROYED
    for unit_id, hex_ in ((GUN, "2014"), (TANK, "1513")):
        state.units[unit_id].hex, state.units[unit_id].standing = hex_, ON_MAP
    state.panic = {FRENCH: PanicRoll(3, ["3"]), GERMANS: PanicRoll(6, ["9"])}
    return state


GUN, TANK = "115", "94"


def digits_dealt(state: KampfState) -> set[str]:
    rolls = [dealt(state, FRENCH, str(number)).panic[GERMANS] for number in range(60)]
    return {digit for roll in rolls for digit in roll.digits}


@pytest.mark.rule("R-KP-71", "KP-11.0c")
def test_dealt_panic_excludes_units_that_fired() -> None:
    state = after_fire(SECRET)
    assert {"3", "4"} <= digits_dealt(state)
    state.impacts = [Impact(GUN, "2010", "T", ["2010"])]
    assert "4" not in digits_dealt(state)
    assert "3" in digits_dealt(state)


@pytest.mark.rule("R-KP-71", "KP-11.21a", "KP-12.13a")
@pytest.mark.parametrize("embarking", [False, True])
def test_dealt_panic_includes_fleeing_units_and_spares_embarking_ones(embarking: bool) -> None:
    state = after_fire(SECRET, *([LAZY] if embarking else []))
    if embarking:
        state.plots, state.shown = {TANK: "M 1514"}, [TANK]
    else:
        state.units[TANK].panicked, state.panic_plots = True, {TANK: "C3"}
    for number in range(20):
        again = dealt(state, FRENCH, str(number))
        assert "3" in again.panic[GERMANS].digits
        assert again.units[TANK].panicked is not embarking


# ---------------------------------------------------------------- decisions of a game


@pytest.mark.rule("R-KP-23", "R-KP-71")
@pytest.mark.parametrize(
    "options", [(LAZY, SECRET), *(pytest.param(each, marks=pytest.mark.full) for each in ((), (SECRET,), (LAZY,)))]
)
def test_every_decision_can_be_dealt(options: tuple[tuple[str, str], ...]) -> None:
    """Plots shown since the phase began are kept by the deal, since the view of the decision has them."""
    ready = shipped("poland", options)
    key = key_from_seed("every question")
    game = ready.new_game(KeyedDice(key))
    bots = seat_players(ready, dict.fromkeys(ready.ruleset.viewers, "captain"), key)
    stream = Stream(b"every question")
    dealt_decisions: dict[str, int] = {}

    class DealingPlayer:
        def __init__(self, seat: str) -> None:
            self.seat = seat

        def choose(self, decision: Decision, look: Any) -> Order:
            simulated = look.simulator(decision).deal(stream, ready.installed.bots.deal)
            assert simulated.view(decision.side) == look()
            dealt_decisions[decision.prompt] = dealt_decisions.get(decision.prompt, 0) + 1
            return bots[self.seat].choose(decision, look)

    game.play({seat: DealingPlayer(seat) for seat in ready.ruleset.seats})
    assert len(dealt_decisions) > 2
    assert game.is_over
