"""Two parallel games that differ in one side's secrets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from desert_aa.model.events import EntryChecked, MinefieldDeclared, MinefieldForfeited
from desert_aa.model.orders import BuyUnits, MoveUnits, PlaceBonus, PlaceMinefields
from desert_aa.model.state import DesertState, Minefield
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_header
from sandtable.journal.record import log_lines
from sandtable.journal.sides.slices import seen_records, slice_log
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.records import EventRecord
from sandtable.testing.fuzz import random_order

if TYPE_CHECKING:
    from sandtable.kernel.decisions import Decision, Order
    from sandtable.kernel.play.game import Game
    from sandtable.plugin.manager import Prepared

COMMITTING = {"hash", "digest", "root", "salt", "path"}
"""Fields of a slice that depend on salts, or commit to hidden data."""
OBSERVER = {"england": "axis", "italy": "allies", "germany": "allies"}


def sliced(game: Game, prepared: Prepared, side: str, length: int) -> list[dict[str, Any]]:
    """Return the log of the first ``length`` records as ``side`` may see it, without what commits to secrets."""
    dice = game.dice
    assert isinstance(dice, KeyedDice)
    header = make_header(prepared, dict.fromkeys(prepared.ruleset.seats, "random"), dice)
    whole = prepared.new_game(dice)
    whole.records = game.records[:length]
    first, rest, _ = log_lines(header, whole)
    lines = slice_log(parse_log(first + rest, "log"), prepared, side).splitlines()
    parsed = [json.loads(line) for line in lines]
    for line in parsed:
        line["asked"] = line.get("asked", "").partition("#")[0]
    return [{key: value for key, value in line.items() if key not in COMMITTING} for line in parsed]


def probes(game: Game, stream: Stream) -> list[Order]:
    """Return orders to try on the observer's options, legal or not."""
    state: Any = game.state
    units = sorted(state.units)
    board = state.board
    tried: list[Order] = [BuyUnits({"bomber": 99}), PlaceMinefields(list(board.mineable[:1]))]
    for _ in range(6):
        unit = stream.pick(units)
        path = [state.units[unit].space]
        for _ in range(1 + stream.below(3)):
            path.append(stream.pick(board.map.adjacent(path[-1])))
        tried.append(MoveUnits([unit], path, raid=stream.one_in(6)))
    return tried


class Twins:
    """Two parallel games; the minefields of ``hider`` are in different spaces.

    ``places`` are the spaces of its first minefield in each game (default: random spaces).
    """

    def __init__(self, prepared: Prepared, seed: str, hider: str, places: str = "") -> None:
        self.prepared, self.hider, self.observer = prepared, hider, OBSERVER[hider]
        self.places = places.split()
        key = key_from_seed(seed)
        self.games = [prepared.new_game(KeyedDice(key)) for _ in range(2)]
        self.streams = {seat: Stream.for_player(key, seat) for seat in prepared.ruleset.seats}
        self.seen = 0
        self.orders = 0
        for game in self.games:
            game.start()

    def revealed(self) -> bool:
        """Return whether a unit has entered a mined space of either game since the last comparison."""
        new = [
            record.event
            for game in self.games
            for record in game.records[self.seen :]
            if isinstance(record, EventRecord)
        ]
        entered = [space for event in new if isinstance(event, EntryChecked) for space in event.spaces]
        shown = [event.space for event in new if isinstance(event, MinefieldDeclared | MinefieldForfeited)]
        return bool(shown or any(space in mines for mines in self.mines() for space in entered))

    def mines(self) -> list[dict[str, Minefield]]:
        return [game.state.minefields for game in self.games if isinstance(game.state, DesertState)]

    def compare(self) -> None:
        """Check that the observer sees the same in both games."""
        one, two = self.games
        assert one.view(self.observer) == two.view(self.observer)
        assert [decision.seat for decision in one.waiting()] == [decision.seat for decision in two.waiting()]
        shown = [seen_records(game.records[self.seen :], self.prepared, self.observer) for game in self.games]
        assert shown[0] == shown[1]
        assert len(one.records) == len(two.records)
        self.seen = len(one.records)
        for first, second in zip(one.waiting(), two.waiting(), strict=True):
            if first.side == self.observer:
                self.compare_question(first, second)

    def compare_question(self, first: Decision, second: Decision) -> None:
        assert (first.prompt, first.rule, first.done, first.secret) == (
            second.prompt,
            second.rule,
            second.done,
            second.secret,
        )
        count = first.options.count(300)
        assert count == second.options.count(300)
        if count < 300:
            assert list(first.options.values()) == list(second.options.values())
        pair = [Stream(b"%d" % self.orders) for _ in range(2)]
        assert first.options.sample(pair[0]) == second.options.sample(pair[1])
        for order in probes(self.games[0], Stream(b"probe %d" % self.orders)):
            assert first.options.why_not(order) == second.options.why_not(order)

    def give(self, orders: list[Order], seat: str) -> None:
        self.orders += 1
        for game, order in zip(self.games, orders, strict=True):
            game.submit(order, seat)

    def play(self, most: int) -> bool:
        """Play at random, comparing before every order; return whether a minefield was revealed."""
        for _ in range(most):
            if self.games[0].is_over:
                return False
            self.compare()
            first, second = self.games[0].waiting()[0], self.games[1].waiting()[0]
            order = self.chosen(first)
            pair = [order, order]
            if isinstance(order, PlaceMinefields) and first.side != self.observer:
                chosen = [PlaceMinefields([space]) for space in self.places]
                pair = [*chosen] if chosen and first.seat == self.hider else [order, self.elsewhere(order, second)]
                self.places = []
            self.give(pair, first.seat)
            if self.revealed():
                return True
        return False

    def chosen(self, decision: Decision) -> Order:
        if isinstance(decision.options.sample(Stream(b"kind")), PlaceBonus) and decision.seat == self.hider:
            return PlaceBonus(minefields={self.hider: 1})
        return random_order(decision, self.streams[decision.seat])

    def elsewhere(self, order: PlaceMinefields, decision: Decision) -> Order:
        """Return a legal order for as many minefields in different spaces, if one exists."""
        other = [PlaceMinefields([space]) for space in self.games[1].state.board.mineable if [space] != order.spaces]
        legal = [each for each in other if decision.options.is_legal(each)]
        return self.streams[decision.seat].pick(legal) if legal else random_order(decision, Stream(b"other"))
