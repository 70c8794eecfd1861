"""Random campaigns and melees, checked by an observer that keeps its own records."""

from typing import Any

import pytest
from tests.plugins.damos.cases import avoid, react
from tests.plugins.damos.conftest import Lay
from tests.plugins.damos.oracle.observer import Observer
from tests.plugins.damos.positions import GERMAN, SOVIET, installed, shipped

from damos.model import events
from damos.model.state import ON_MAP, DamosState
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord

MAX_ORDERS = 30_000
"""Maximum number of orders before a game counts as endless."""
RULES = (
    *("DM-2.1e", "DM-2.1f", "DM-2.3d", "DM-2.3f", "DM-2.4b", "DM-2.5d", "DM-2.6.1a", "DM-2.6.1b", "DM-2.6.1f"),
    *("DM-2.6.1k", "DM-2.6.1l", "DM-2.6.1n", "DM-2.6.1o", "DM-2.6.1r", "DM-2.6.1s", "DM-2.8a", "DM-2.8d", "DM-2.8g"),
    *("DM-2.9a", "DM-2.9b", "DM-5.0b", "DM-5.0c", "DM-5.0d", "DM-5.0f", "DM-6.0a", "DM-6.0b", "DM-6.0c", "DM-6.0d"),
    *("DM-7.0a", "DM-7.0d", "DM-7.0e", "DM-7.0f", "DM-7.0g", "DM-7.0j", "DM-7.0n", "DM-8.2b", "DM-8.2c", "DM-8.2e"),
    *("DM-8.5f", "DM-8.6a", "DM-8.6b", "DM-8.8a", "DM-8.8b", "DM-8.9a", "DM-8.9f", "DM-8.10a", "DM-8.10b", "DM-8.11b"),
    *("DM-8.11d", "DM-8.11e", "DM-8.12.1a", "DM-8.12f", "DM-9.0a", "DM-9.0b", "DM-9.0h", "DM-10.0a", "DM-10.0b"),
    *("DM-11.0a", "AGC-2.1a", "AGC-2.1b", "AGC-4.1a", "AGC-4.1b", "AGC-4.3.1d", "AGC-4.4d", "AGC-4.5a", "AGC-4.5b"),
    *("AGC-4.6.1a", "AGC-4.6.2a", "AGC-4.6.4a", "AGC-4.9a"),
)
"""The rules that the observer checks in nearly every game."""


def random_order(decision: Decision, stream: Stream) -> Order:
    """Return a random order of a player that seldom ends a phase or an activation that could continue."""
    order: Order = decision.options.sample(stream)
    for _ in range(3):
        if order != decision.done or stream.one_in(12):
            break
        order = decision.options.sample(stream)
    return order


def follow(game: Game, stream: Stream) -> Observer:
    """Play at random to the end. The observer reads every event and compares the state after each order."""
    state: Any = game.state
    observer = Observer(state)
    seen = 0
    game.start()
    for _ in range(MAX_ORDERS):
        fresh, seen = list(game.records)[seen:], len(game.records)
        for record in fresh:
            if isinstance(record, EventRecord):
                observer.read(record.event)
        observer.check(state)
        if game.is_over:
            return observer
        decision = game.waiting()[0]
        order = random_order(decision, stream)
        refusal = decision.options.why_not(order)
        assert refusal is None, refusal
        game.submit(order, decision.seat)
    raise AssertionError("the game does not end")


def some_options(stream: Stream) -> dict[str, str]:
    """Return random values of some options."""
    known = installed().manifest.options
    return {each.name: stream.pick(each.values) for each in known if stream.one_in(3)}


def other_values() -> list[tuple[str, str]]:
    """Return every value of every option except the defaults."""
    return [(each.name, value) for each in installed().manifest.options for value in each.values[1:]]


def campaign(stream: Stream, chosen: dict[str, str], scenario: str = "smolensk") -> Game:
    """Return a game of a scenario from its beginning."""
    prepared = shipped(scenario, tuple(sorted(chosen.items())))
    state: Any = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    return Game(prepared.ruleset, state, KeyedDice(key_from_seed(str(stream.below(1 << 30)))))


def melee(stream: Stream, chosen: dict[str, str], turns: int = 0) -> Game:
    """Return a game of the campaign with some units of both sides close together.

    With ``turns`` it has the last turns of the campaign, without it a random turn.
    """
    game = campaign(stream, chosen, "agc")
    state: Any = game.state
    last = state.board.last_turn
    turn = last - turns + 1 if turns else stream.pick([2, 3, 4, 5, 9, 10])
    state.turn = turn - 1
    state.pause_turn = 4 if turn > 4 else 0
    front, row = 4 + stream.below(20), 24 + stream.below(9)
    lay_front(stream, state, front)
    scatter(stream, state, front, row)
    state.replacements = {GERMAN: stream.below(6), SOVIET: stream.below(6)}
    state.position = game.ruleset.sequence.first
    return game


def lay_front(stream: Stream, state: DamosState, front: int) -> None:
    """Divide the map between the sides along a column, and convert the railways up to there or nearly so."""
    for hex_ in state.control:
        state.control[hex_] = SOVIET if int(hex_[2:]) < front else GERMAN
    board = state.board
    behind = {hex_ for hex_ in board.rail_around if int(hex_[2:]) >= front + stream.below(5)}
    state.converted = [hex_ for hex_ in sorted(board.rail_around) if board.home[hex_] == GERMAN or hex_ in behind]


def scatter(stream: Stream, state: DamosState, front: int, row: int) -> None:
    """Put units on hexes near a point, some of them weak, spent or demoralized."""
    hexes = sorted(state.board.area)
    near = [hex_ for hex_ in hexes if abs(int(hex_[2:]) - front) <= 4 and abs(int(hex_[:2]) - row) <= 3]
    stacks: dict[str, list[str]] = {hex_: [] for hex_ in near}
    for unit_id in stream.sample(sorted(state.units), 45):
        unit = state.units[unit_id]
        limit = 4 if unit.side == GERMAN else 2
        own = [
            hex_
            for hex_ in near
            if len(stacks[hex_]) < limit and all(state.units[each].side == unit.side for each in stacks[hex_])
        ]
        if own:
            unit.hex, unit.standing = stream.pick(own), ON_MAP
            stacks[unit.hex].append(unit_id)
            state.control[unit.hex] = unit.side
            unit.sp, unit.spent = 1 + stream.below(unit.sp), stream.one_in(5)
    for stack in stacks.values():
        broken = stream.one_in(6)
        for unit_id in stack:
            state.units[unit_id].demoralized = broken


# --- default rules ---


@pytest.mark.full
@pytest.mark.rule(*RULES)
@pytest.mark.parametrize("seed", range(9))
def test_short_campaigns_with_default_rulings_end(seed: int) -> None:
    stream = Stream(b"campaign-plain %d" % seed)
    assert follow(campaign(stream, {}), stream).ending


@pytest.mark.full
@pytest.mark.rule(*RULES)
@pytest.mark.rule("DM-8.11h", "DM-8.11i", "AGC-4.8a", "AGC-4.7a", "AGC-4.3.1b", "AGC-5.0a", "AGC-5.0c", "AGC-5.0d")
@pytest.mark.parametrize("seed", range(8))
def test_melees_of_the_last_turns_end(seed: int) -> None:
    stream = Stream(b"melee-plain %d" % seed)
    assert follow(melee(stream, {}, turns=2), stream).ending


# --- other rulings ---


@pytest.mark.full
@pytest.mark.parametrize("seed", range(9))
def test_short_campaigns_with_random_rulings_end(seed: int) -> None:
    stream = Stream(b"campaign %d" % seed)
    assert follow(campaign(stream, some_options(stream)), stream).ending


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), other_values())
def test_melees_with_each_alternative_ruling_end(name: str, value: str) -> None:
    for seed in range(2):
        stream = Stream(f"{name} {value} {seed}".encode())
        assert follow(melee(stream, {name: value}, turns=3), stream).ending


# --- a fault that the observer found ---


@pytest.mark.rule("DM-2.6.1p", "R-DM-41")
@pytest.mark.parametrize("entry_order", ["cost_react_ap_dp", "ap_before_react"])
def test_a_reaction_into_a_vacated_hex_is_a_meeting_engagement(lay: Lay, entry_order: str) -> None:
    case = lay("2816 A1:7; 2815 a1:6; 2813 a2:8", dice="reaction 66,66; attack 11; defense 66", entry_order=entry_order)
    away, into = avoid("a1", "2815 2814 2813"), react("a2", "2813 2814 2815")
    case.march("A1", "2815").answer(away, into).rest()
    assert case.one(events.PlansRevealed).plan == "meeting"
    assert case.one(events.CombatBegan).defenders == ["a2"]
    assert case.demoralized("A1") == [False]  # DM-8.11e


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_short_campaigns_of_many_seeds_end(seed: int) -> None:
    stream = Stream(b"short %d" % seed)
    assert follow(campaign(stream, some_options(stream)), stream).ending


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_whole_campaigns_of_many_seeds_end(seed: int) -> None:
    stream = Stream(b"whole %d" % seed)
    chosen = some_options(stream) if seed % 2 else {}
    assert follow(campaign(stream, chosen, "agc"), stream).ending


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(80))
def test_melees_of_many_seeds_end(seed: int) -> None:
    stream = Stream(b"melee %d" % seed)
    chosen = some_options(stream) if seed % 2 else {}
    assert follow(melee(stream, chosen), stream).ending
