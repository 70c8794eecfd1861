"""Test cases: a game that is played with scripted plots and loaded dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec
import pytest
from tests.plugins.kampfpanzer.positions import lines

from kampfpanzer.model import orders
from kampfpanzer.model.events import FireResolved, OperationFailed, ResultsApplied, UnitsMoved, UnitStopped
from kampfpanzer.model.state import DESTROYED, EXITED, KampfState
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import Event
from sandtable.kernel.options import Refusal
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.plugin.manager import Prepared
from sandtable.testing.loaded_dice import LoadedDice

E = TypeVar("E", bound=Event)
Answer = tuple[str, Order]


def plots(text: str) -> orders.HandInPlots:
    return orders.HandInPlots(lines(text))


# --- answers to the decisions of a turn ---


def group(side: str, *groups: str) -> Answer:
    """Fire in these groups: ``group("french", "6 11", "1")``."""
    return side, orders.GroupFire([each.split() for each in groups])


def target(side: str, unit: str) -> Answer:
    return side, orders.ChooseTarget(unit)


def counter(side: str, unit: str) -> Answer:
    return side, orders.Counterattack(unit)


def decline(side: str) -> Answer:
    return side, orders.DeclineCounterattack()


def back(side: str, unit: str) -> Answer:
    return side, orders.BackUp(unit)


def face(side: str, letter: str) -> Answer:
    return side, orders.ChooseFacing(letter)


# --- dice ---


class TableDice(LoadedDice):
    """One die a roll, loaded by purpose: ``{"fire:0706:*": "3 5"}``. Panic and recovery dice default to 6."""

    def __init__(self, loaded: Mapping[str, str]) -> None:
        super().__init__(by={purpose: [(int(face_),) for face_ in faces.split()] for purpose, faces in loaded.items()})

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        purpose = label.split("/")[-2]
        if purpose.startswith(("panic:", "recovery:")) and not self._queue_for(label):
            return (6,)
        return super().roll(label, count, sides)


class Case:
    """A game in which the test plays both sides."""

    def __init__(self, prepared: Prepared, state: KampfState, dice: TableDice) -> None:
        self.prepared = prepared
        self.dice = dice
        self.game = Game(prepared.ruleset, state, dice)
        self.game.start()
        self.since = 0

    # --- state and events ---

    @property
    def state(self) -> KampfState:
        state = self.game.state
        assert isinstance(state, KampfState)
        return state

    @property
    def pending(self) -> Decision:
        return self.game.waiting()[0]

    def at(self, *unit_ids: str) -> str:
        """Return the hexes of units as one string, such as "0805 0707"; "-" means off the map."""
        return " ".join(self.state.units[unit_id].hex or "-" for unit_id in unit_ids)

    def level(self, unit_id: str) -> int:
        """Return the level of disruption, or 4 if the unit is destroyed."""
        unit = self.state.units[unit_id]
        return 4 if unit.standing == DESTROYED else unit.disruption

    def levels(self, *unit_ids: str) -> list[int]:
        return [self.level(unit_id) for unit_id in unit_ids]

    def left(self, unit_id: str) -> bool:
        """Return whether a unit has exited the map."""
        return self.state.units[unit_id].standing == EXITED

    def events(self, kind: type[E]) -> list[E]:
        """Return the events of a type since the latest plots were submitted."""
        records = list(self.game.records)[self.since :]
        return [
            record.event for record in records if isinstance(record, EventRecord) and isinstance(record.event, kind)
        ]

    def never(self, *kinds: type[Event]) -> bool:
        """Return whether no event of these types happened this turn."""
        return not any(isinstance(event, kinds) for event in self.all_events())

    def all_events(self) -> list[Event]:
        """Return every event since the latest plots were submitted."""
        return self.events(Event)

    def seen(self, event: Event, side: str) -> Event | None:
        """Return the part of an event that a side sees, or None if it sees nothing."""
        ruleset = self.prepared.ruleset
        found: Event | None = ruleset.visible(event, side) if type(event) in ruleset.secret_events else event
        return found

    def one(self, kind: type[E]) -> E:
        """Return the only event of a type in this turn."""
        found = self.events(kind)
        assert len(found) == 1, found
        return found[0]

    def fire(self) -> list[tuple[str, str, int]]:
        """Return this turn's attacks by fire as (firers, targets, superiority)."""
        return [(" ".join(e.firers), " ".join(e.targets), e.superiority) for e in self.events(FireResolved)]

    def pinned(self) -> list[str]:
        """Return the units that were pinned this turn."""
        return sorted(unit_id for event in self.events(ResultsApplied) for unit_id in event.pinned)

    def stops(self) -> dict[str, tuple[str, str]]:
        """Return hex and reason of each stop of this turn by unit; no unit may stop twice."""
        stopped = self.events(UnitStopped)
        found = {event.unit: (event.hex, event.why) for event in stopped}
        assert len(found) == len(stopped)
        return found

    def track(self, unit_id: str) -> list[tuple[int, str]]:
        """Return the moves of a unit this turn as (half points spent, hex)."""
        return [(e.tick, e.hexes[unit_id]) for e in self.events(UnitsMoved) if unit_id in e.hexes]

    def hexes(self, unit_id: str) -> str:
        """Return the hexes that a unit entered this turn as one string."""
        return " ".join(hex_ for _, hex_ in self.track(unit_id))

    def failed(self) -> dict[str, str]:
        """Return the embarkations, debarkations and facing changes that failed this turn, by unit."""
        return {event.unit: event.operation for event in self.events(OperationFailed)}

    def rolls(self) -> list[tuple[str, int]]:
        """Return purpose and face of this turn's dice, except panic and recovery."""
        records = [record for record in list(self.game.records)[self.since :] if isinstance(record, RollRecord)]
        named = [(record.label.split("/")[-2], record.dice[0]) for record in records]
        return [(purpose, face_) for purpose, face_ in named if not purpose.startswith(("panic:", "recovery:"))]

    # --- legality of plots ---

    def why_not(self, text: str, side: str = "") -> Refusal | None:
        """Return the refusal of a sheet of plots, or None if it is legal; ``side`` defaults to the first unit's."""
        order = plots(text)
        side = side or self.state.units[next(iter(order.plots))].side
        decision = next(each for each in self.game.waiting() if each.side == side)
        refusal: Refusal | None = decision.options.why_not(order)
        return refusal

    def refused(self, text: str, side: str = "") -> str:
        """Return the rule that forbids a sheet of plots, or "" if it is legal."""
        refusal = self.why_not(text, side)
        if refusal is None:
            return ""
        assert refusal.rule, refusal.reason
        return refusal.rule

    # --- actions ---

    def turn(self, *answers: Answer, **sheets: str) -> Case:
        """Submit both sides' plots, and play until the next plots with these answers.

        Counterattacks without an answer are declined. Any other decision without an answer fails the test.
        """
        self.since = len(self.game.records)
        for side in self.state.board.sides:
            self.game.submit(plots(sheets.get(side, "")), side)
        return self.answer(*answers)

    def upto(self, *answers: Answer, **sheets: str) -> Case:
        """Play as ``turn`` does, but stop at the first decision without an answer."""
        self.since = len(self.game.records)
        for side in self.state.board.sides:
            self.game.submit(plots(sheets.get(side, "")), side)
        for side, order in answers:
            self.game.submit(order, side)
        return self

    def answer(self, *answers: Answer) -> Case:
        """Answer the decisions of the turn until the next plots are pending."""
        left = list(answers)
        while not self.game.is_over and not self.plotting():
            if left and (self.accepts(left[0]) or not self.may_decline()):
                side, order = left.pop(0)
                self.game.submit(order, side)
            else:
                assert self.may_decline(), f"no answer for {self.pending.side}: {self.pending.prompt}"
                self.game.submit(orders.DeclineCounterattack())
        assert not left, f"answers without a decision: {left}"
        return self

    def accepts(self, answer: Answer) -> bool:
        return self.pending.side == answer[0] and self.pending.options.is_legal(answer[1])

    def may_decline(self) -> bool:
        return self.pending.options.is_legal(orders.DeclineCounterattack())

    def plotting(self) -> bool:
        return self.state.phase == "plot"

    def refuses(self, side: str, order: Order) -> str:
        """Submit an illegal order, check that the state does not change, and return the rule of the refusal."""
        before = msgspec.json.encode(self.state)
        with pytest.raises(IllegalOrder) as caught:
            self.game.submit(order, side)
        assert msgspec.json.encode(self.state) == before
        return caught.value.rule
