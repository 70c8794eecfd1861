"""A case at the referee's table: plots in, dice as they are told, and what has happened."""

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


# --- answers to the questions of a turn ---


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
    """One die a roll, told by purpose: ``{"fire:0706:*": "3 5"}``. Where nothing is told, nobody panics or recovers."""

    def __init__(self, told: Mapping[str, str]) -> None:
        super().__init__(by={purpose: [(int(face_),) for face_ in faces.split()] for purpose, faces in told.items()})

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        purpose = label.split("/")[-2]
        if purpose.startswith(("panic:", "recovery:")) and not self._queue_for(label):
            return (6,)
        return super().roll(label, count, sides)


class Case:
    """A game at the referee's table."""

    def __init__(self, prepared: Prepared, state: KampfState, dice: TableDice) -> None:
        self.prepared = prepared
        self.dice = dice
        self.game = Game(prepared.ruleset, state, dice)
        self.game.start()
        self.since = 0

    # --- what there is ---

    @property
    def state(self) -> KampfState:
        state = self.game.state
        assert isinstance(state, KampfState)
        return state

    @property
    def asked(self) -> Decision:
        return self.game.waiting()[0]

    def at(self, *unit_ids: str) -> str:
        """Return where units are, in one string: "0805 0707", "-" for off the map."""
        return " ".join(self.state.units[unit_id].hex or "-" for unit_id in unit_ids)

    def level(self, unit_id: str) -> int:
        """Return the level of disruption, 4 for destroyed."""
        unit = self.state.units[unit_id]
        return 4 if unit.standing == DESTROYED else unit.disruption

    def levels(self, *unit_ids: str) -> list[int]:
        return [self.level(unit_id) for unit_id in unit_ids]

    def left(self, unit_id: str) -> bool:
        """Tell whether a unit has left the map for good."""
        return self.state.units[unit_id].standing == EXITED

    def events(self, kind: type[E]) -> list[E]:
        """Return the events of a type since the newest plots were handed in."""
        records = list(self.game.records)[self.since :]
        return [
            record.event for record in records if isinstance(record, EventRecord) and isinstance(record.event, kind)
        ]

    def never(self, *kinds: type[Event]) -> bool:
        """Tell whether nothing of these types happened this turn."""
        return not any(isinstance(event, kinds) for event in self.all_events())

    def all_events(self) -> list[Event]:
        """Return every event since the newest plots were handed in."""
        return self.events(Event)

    def seen(self, event: Event, side: str) -> Event | None:
        """Return what a side sees of an event, None for nothing."""
        ruleset = self.prepared.ruleset
        found: Event | None = ruleset.visible(event, side) if type(event) in ruleset.secret_events else event
        return found

    def one(self, kind: type[E]) -> E:
        """Return the only event of its type of this turn."""
        found = self.events(kind)
        assert len(found) == 1, found
        return found[0]

    def fire(self) -> list[tuple[str, str, int]]:
        """Return this turn's attacks by fire: firers, targets, superiority."""
        return [(" ".join(e.firers), " ".join(e.targets), e.superiority) for e in self.events(FireResolved)]

    def pinned(self) -> list[str]:
        """Return who was pinned this turn."""
        return sorted(unit_id for event in self.events(ResultsApplied) for unit_id in event.pinned)

    def stops(self) -> dict[str, tuple[str, str]]:
        """Return by unit where it was stopped this turn, and why; nobody is stopped twice."""
        stopped = self.events(UnitStopped)
        found = {event.unit: (event.hex, event.why) for event in stopped}
        assert len(found) == len(stopped)
        return found

    def track(self, unit_id: str) -> list[tuple[int, str]]:
        """Return the moves of a unit this turn: (half points spent, hex)."""
        return [(e.tick, e.hexes[unit_id]) for e in self.events(UnitsMoved) if unit_id in e.hexes]

    def hexes(self, unit_id: str) -> str:
        """Return the hexes that a unit entered this turn, in one string."""
        return " ".join(hex_ for _, hex_ in self.track(unit_id))

    def failed(self) -> dict[str, str]:
        """Return by unit the embarkations, debarkations and facing changes that failed this turn."""
        return {event.unit: event.operation for event in self.events(OperationFailed)}

    def rolls(self) -> list[tuple[str, int]]:
        """Return this turn's dice, panic and recovery apart: purpose and face."""
        records = [record for record in list(self.game.records)[self.since :] if isinstance(record, RollRecord)]
        named = [(record.label.split("/")[-2], record.dice[0]) for record in records]
        return [(purpose, face_) for purpose, face_ in named if not purpose.startswith(("panic:", "recovery:"))]

    # --- what may be plotted ---

    def why_not(self, text: str, side: str = "") -> Refusal | None:
        """Return the refusal of a sheet of plots, whose side is that of its first unit unless named."""
        order = plots(text)
        side = side or self.state.units[next(iter(order.plots))].side
        decision = next(each for each in self.game.waiting() if each.side == side)
        refusal: Refusal | None = decision.options.why_not(order)
        return refusal

    def refused(self, text: str, side: str = "") -> str:
        """Return the rule against a sheet of plots, "" if it is allowed."""
        refusal = self.why_not(text, side)
        if refusal is None:
            return ""
        assert refusal.rule, refusal.reason
        return refusal.rule

    # --- what is done ---

    def turn(self, *answers: Answer, **sheets: str) -> Case:
        """Hand in both sides' plots and play to the next ones, with these answers on the way.

        Who is not told to counterattack declines; any other question that has no answer left is a mistake.
        """
        self.since = len(self.game.records)
        for side in self.state.board.sides:
            self.game.submit(plots(sheets.get(side, "")), side)
        return self.answer(*answers)

    def upto(self, *answers: Answer, **sheets: str) -> Case:
        """Play as ``turn`` does, and stand still at the first question that has no answer left."""
        self.since = len(self.game.records)
        for side in self.state.board.sides:
            self.game.submit(plots(sheets.get(side, "")), side)
        for side, order in answers:
            self.game.submit(order, side)
        return self

    def answer(self, *answers: Answer) -> Case:
        """Answer the questions of the turn, and play to the next plots."""
        left = list(answers)
        while not self.game.is_over and not self.plotting():
            if left and (self.wants(left[0]) or not self.may_decline()):
                side, order = left.pop(0)
                self.game.submit(order, side)
            else:
                assert self.may_decline(), f"{self.asked.side} is asked: {self.asked.prompt}"
                self.game.submit(orders.DeclineCounterattack())
        assert not left, f"nobody asked for {left}"
        return self

    def wants(self, answer: Answer) -> bool:
        return self.asked.side == answer[0] and self.asked.options.is_legal(answer[1])

    def may_decline(self) -> bool:
        return self.asked.options.is_legal(orders.DeclineCounterattack())

    def plotting(self) -> bool:
        return self.state.phase == "plot"

    def refuses(self, side: str, order: Order) -> str:
        """Return the rule against an order that is given; the state must be as before."""
        before = msgspec.json.encode(self.state)
        with pytest.raises(IllegalOrder) as caught:
            self.game.submit(order, side)
        assert msgspec.json.encode(self.state) == before
        return caught.value.rule
