"""What holds in every game: campaigns and melees played at random under the eyes of a clerk who reckons for himself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from damos.orders import Activate, EndActivation, EndPhase, Step
from damos.state import ON_MAP
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.game import Game
from sandtable.kernel.records import EventRecord

if TYPE_CHECKING:
    from sandtable.kernel.decisions import Decision, Order

from tests.plugins.damos.clerk import Clerk
from tests.plugins.damos.positions import GERMAN, SOVIET, installed, shipped

PATIENCE = 6_000


def busy(decision: Decision, stream: Stream) -> Order:
    """Return an order at random, of a player who seldom ends what he can go on with."""
    order: Order = decision.options.sample(stream)
    for _ in range(3):
        if order != decision.done or stream.one_in(12):
            break
        order = decision.options.sample(stream)
    return order


def follow(game: Game, stream: Stream) -> Clerk:
    """Play at random to the end; the clerk reads every event, and compares the books at each order."""
    clerk = Clerk(game.state)
    seen = 0
    game.start()
    for _ in range(PATIENCE):
        fresh, seen = list(game.records)[seen:], len(game.records)
        for record in fresh:
            if isinstance(record, EventRecord):
                clerk.read(record.event)
        clerk.check(game.state)
        if game.is_over:
            return clerk
        decision = game.waiting()[0]
        order = busy(decision, stream)
        refusal = decision.options.why_not(order)
        assert refusal is None, refusal
        game.submit(order, decision.seat)
    raise AssertionError("the game does not end")


def some_options(stream: Stream) -> dict[str, str]:
    """Return values drawn for the options, most of them the usual ones."""
    known = installed().manifest.options
    return {each.name: stream.pick(each.values) for each in known if stream.one_in(3)}


def campaign(stream: Stream, chosen: dict[str, str], scenario: str = "smolensk") -> Game:
    prepared = shipped(scenario, tuple(sorted(chosen.items())))
    state: Any = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    return Game(prepared.ruleset, state, KeyedDice(key_from_seed(str(stream.below(1 << 30)))))


def melee(stream: Stream, chosen: dict[str, str], turns: int = 2) -> Game:
    """Put some units of both sides close together on the map of the campaign, in the midst of it."""
    game = campaign(stream, chosen, "agc")
    state: Any = game.state
    board = state.board
    last = board.last_turn
    turn = stream.pick([2, 3, 4, 5, 9, 10, last - turns + 1])
    state.turn = turn - 1
    state.pause_turn = 4 if turn > 4 else 0
    front = 4 + stream.below(20)
    row = 24 + stream.below(9)
    for hex_ in state.control:
        state.control[hex_] = SOVIET if int(hex_[2:]) < front else GERMAN
    state.converted = [
        hex_
        for hex_ in sorted(board.rail_around)
        if board.home[hex_] == GERMAN or (int(hex_[2:]) >= front + stream.below(5) and state.control[hex_] == GERMAN)
    ]
    near = [hex_ for hex_ in sorted(board.area) if abs(int(hex_[2:]) - front) <= 4 and abs(int(hex_[:2]) - row) <= 3]
    holders: dict[str, str] = {}
    for unit_id in stream.sample(sorted(state.units), 45):
        unit = state.units[unit_id]
        own = [hex_ for hex_ in near if holders.get(hex_, unit.side) == unit.side and fits(game, hex_, unit_id)]
        if not own:
            continue
        unit.hex, unit.standing = stream.pick(own), ON_MAP
        holders[unit.hex] = unit.side
        state.control[unit.hex] = unit.side
        unit.sp = 1 + stream.below(unit.sp)
        unit.spent = stream.one_in(5)
    for hex_ in sorted(holders):
        broken = stream.one_in(6)
        for unit in state.units.values():
            unit.demoralized = broken if unit.hex == hex_ else unit.demoralized
    state.replacements = {GERMAN: stream.below(6), SOVIET: stream.below(6)}
    sequence = game.ruleset.sequence
    state.position = sequence.first
    return game


def fits(game: Game, hex_: str, unit_id: str) -> bool:
    state: Any = game.state
    side = state.units[unit_id].side
    here = [other for other, unit in state.units.items() if unit.hex == hex_]
    return len(here) < (4 if side == GERMAN else 2)
