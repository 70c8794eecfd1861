"""A test case: orders, loaded dice, and questions about what has happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any, TypeVar

import msgspec
import pytest

from damos.model import events, orders
from damos.model.state import ON_MAP, DamosState, Unit
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import Event
from sandtable.kernel.options import AnyOf, OneOf, Space
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord
from sandtable.plugin.manager import Prepared
from sandtable.testing.loaded_dice import LoadedDice

E = TypeVar("E", bound=Event)
Kind = TypeVar("Kind", bound=Order)
GERMAN, SOVIET = SIDES = ("german", "soviet")
PURPOSES = {"attack": "combat.attack", "defense": "combat.defence"}
MAX_LISTED = 20_000
"""Maximum number of orders that are listed for a decision."""
MAX_DECISIONS = 400
"""Maximum number of decisions that are answered quietly before a case fails."""

# --- short forms of orders ---


def ids(text: str) -> list[str]:
    return sorted(text.split())


def names(force: str) -> str:
    """Return the names of the units of the first force in "2816 A1:6 I1:6!; 2815 i1:6"."""
    return " ".join(
        word.partition(":")[0].rstrip("!~") for word in force.partition(";")[0].split() if not word.isdigit()
    )


def total(modifiers: events.Modifiers) -> int:
    return sum(number for _, number in modifiers)


def activate(units: str) -> orders.Activate:
    return orders.Activate(ids(units))


def steps(path: str) -> list[Order]:
    """Return one step for each hex of "2815 2814"."""
    return [orders.Step(hex_) for hex_ in path.split()]


def losses(shares: str, replacements: int = 0) -> orders.TakeLosses:
    """Read "A1:2 I1:1"."""
    pairs = (share.split(":") for share in shares.split())
    return orders.TakeLosses({unit: int(points) for unit, points in pairs}, replacements)


def react(units: str, path: str) -> orders.React:
    return orders.React(ids(units), path.split())


def avoid(units: str, path: str) -> orders.AvoidCombat:
    return orders.AvoidCombat(ids(units), path.split())


def retreat(path: str) -> orders.Retreat:
    return orders.Retreat(path.split())


# --- options ---


def parts(space: Space) -> Iterator[Space]:
    """Yield the parts of a space. Each has orders of one type, or a list of orders."""
    if isinstance(space, AnyOf):
        for each in space.spaces:
            yield from parts(each)
    else:
        yield space


# --- the quiet player ---

QUIET: tuple[Order, ...] = (
    orders.Decline(),
    orders.ChoosePlan("meeting"),
    orders.ChoosePosture("steadfast"),
    orders.PlaceReinforcements({}),
    orders.Pause(keep_still=False),
)


def quiet_order(decision: Decision) -> Order:
    """Return the order that ends or declines, or else the first order. A retreat leads back along the row."""
    for order in ((decision.done,) if decision.done is not None else ()) + QUIET:
        if decision.options.is_legal(order):
            return order
    order = next(decision.options.values())
    assert isinstance(order, Order)
    return retreat_home(decision) if isinstance(order, orders.Retreat) else order


def retreat_home(decision: Decision) -> orders.Retreat:
    """Return the retreat that leads farthest back, along its row if possible."""
    retreats = [order for order in decision.options.values() if isinstance(order, orders.Retreat)]
    sign = -1 if decision.seat == GERMAN else 1

    def key(order: orders.Retreat) -> tuple[int, int, list[str]]:
        first, last = order.path[0], order.path[-1]
        return sign * int(last[2:]), abs(int(last[:2]) - int(first[:2])), order.path

    return min(retreats, key=key)


class TableDice(LoadedDice):
    """Loaded dice by purpose: ``{"attack": "665,12"}`` is a roll of three dice and one of two; "*" means 3s."""

    def __init__(self, faces: Mapping[str, str]) -> None:
        named = {pattern_of(name): text for name, text in faces.items()}
        by = {
            name: [tuple(map(int, roll.strip())) for roll in text.split(",")]
            for name, text in named.items()
            if text != "*"
        }
        super().__init__(by=by)
        self.free = [name for name, text in named.items() if text == "*"]

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        assert sides == 6, "this game has six-sided dice (DM-8.2e, DM-9.0b)"
        purpose = label.split("/")[-2]
        if not self._queue_for(label) and any(fnmatchcase(purpose, pattern) for pattern in self.free):
            return (3,) * count
        return super().roll(label, count, sides)


def pattern_of(name: str) -> str:
    """Return the pattern of the purposes that a short name stands for: "attack", "attack:2815", "duty"."""
    stem, _, where = name.partition(":")
    purpose = PURPOSES.get(stem, stem)
    return purpose if purpose in {"duty", "pause"} else f"{purpose}:{where or '*'}"


class Case:
    """A game that starts from a position."""

    def __init__(self, prepared: Prepared, state: DamosState, dice: TableDice) -> None:
        self.prepared = prepared
        self.dice = dice
        self.game = Game(prepared.ruleset, state, dice)
        self.game.start()

    # --- the state ---

    @property
    def state(self) -> DamosState:
        state = self.game.state
        assert isinstance(state, DamosState)
        return state

    @property
    def pending(self) -> Decision:
        return self.game.waiting()[0]

    @property
    def phase(self) -> str:
        return self.state.phase

    def unit(self, unit_id: str) -> Unit:
        return self.state.units[unit_id]

    def at(self, units: str) -> str:
        """Return the hexes of units in one string: "2815 2716", with "-" for a unit off the map."""
        return " ".join(self.unit(unit_id).hex or "-" for unit_id in units.split())

    def sp(self, units: str) -> list[int]:
        """Return the strengths of units, or 0 for a unit off the map."""
        found = [self.unit(unit_id) for unit_id in units.split()]
        return [unit.sp if unit.standing == ON_MAP else 0 for unit in found]

    def standing(self, unit_id: str) -> str:
        return self.unit(unit_id).standing

    def demoralized(self, units: str) -> list[bool]:
        return [self.unit(unit_id).demoralized for unit_id in units.split()]

    def spent(self, units: str) -> list[bool]:
        return [self.unit(unit_id).spent for unit_id in units.split()]

    def holder(self, hex_: str) -> str:
        return self.state.control.get(hex_, "")

    # --- events ---

    def events(self, kind: type[E]) -> list[E]:
        """Return the events of a type, in order."""
        found = [record.event for record in self.game.records if isinstance(record, EventRecord)]
        return [event for event in found if isinstance(event, kind)]

    def last(self, kind: type[E]) -> E:
        return self.events(kind)[-1]

    def one(self, kind: type[E]) -> E:
        found = self.events(kind)
        assert len(found) == 1, found
        return found[0]

    def never(self, *kinds: type[Event]) -> bool:
        return not any(self.events(kind) for kind in kinds)

    def had_decision(self, purpose: str) -> bool:
        """Return whether a decision of this purpose has been answered."""
        found: list[Any] = [record.asked for record in self.game.records if isinstance(record, OrderRecord)]
        return any(f"/{purpose}" in each.place for each in found)

    def order_of(self, *kinds: type[Event]) -> list[str]:
        """Return the names of the events of these types, in order."""
        return [type(event).__name__ for event in self.events(Event) if isinstance(event, kinds)]

    def rolls(self) -> list[tuple[str, str]]:
        """Return the purpose and the faces of each roll so far."""
        rolled = [record for record in self.game.records if isinstance(record, RollRecord)]
        return [(record.label.split("/")[-2], "".join(map(str, record.dice))) for record in rolled]

    def given(self, kind: type[Order]) -> list[tuple[str, Order]]:
        """Return each order of a type that was given, with the side that gave it."""
        found = [record for record in self.game.records if isinstance(record, OrderRecord)]
        return [(record.by, record.order) for record in found if isinstance(record.order, kind)]

    def seen(self, event: Event, side: str) -> Event | None:
        """Return what a side sees of an event, or None if it sees nothing."""
        ruleset = self.prepared.ruleset
        found: Event | None = ruleset.visible(event, side) if type(event) in ruleset.secret_events else event
        return found

    # --- legal orders ---

    def allows(self, order: Order) -> bool:
        """Return whether an order is legal for a pending decision."""
        return any(decision.options.is_legal(order) for decision in self.game.waiting())

    def accepts(self, kind: type[Order]) -> bool:
        """Return whether a pending decision accepts an order of a type."""
        return any(
            isinstance(order, kind)
            for decision in self.game.waiting()
            for part in parts(decision.options)
            for order in (part.of if isinstance(part, OneOf) else islice(part.values(), 2))
        )

    def offered(self, kind: type[Kind]) -> list[Kind]:
        """Return the legal orders of a type for the pending decisions."""
        found = []
        for decision in self.game.waiting():
            for part in parts(decision.options):
                if isinstance(part, OneOf) or any(isinstance(order, kind) for order in islice(part.values(), 2)):
                    found += [order for order in islice(part.values(), MAX_LISTED) if isinstance(order, kind)]
        return found

    def postures(self) -> list[str]:
        """Return the postures that the defender can choose."""
        return sorted({order.posture for order in self.offered(orders.ChoosePosture)})

    def why_not(self, order: Order) -> str:
        """Return the rule that forbids an order, or "" if it is legal. No order is given."""
        refusals = [decision.options.why_not(order) for decision in self.game.waiting()]
        if None in refusals:
            return ""
        refusal = refusals[0]
        assert refusal is not None
        assert refusal.reason
        return str(refusal.rule) or "refused"

    def refuses(self, order: Order) -> bool:
        """Assert that an order is refused and that the state is unchanged; return True."""
        before = msgspec.json.encode(self.state)
        with pytest.raises(IllegalOrder):
            self.game.submit(order)
        assert msgspec.json.encode(self.state) == before
        return True

    # --- play ---

    def submit(self, order: Order) -> Case:
        decision = next(each for each in self.game.waiting() if each.options.is_legal(order))
        self.game.submit(order, decision.seat)
        return self

    def until(self, done: Callable[[Case], bool], what: object = "that") -> Case:
        """Play quietly until ``done`` is true."""
        answers: list[str] = []
        while not done(self):
            assert not self.game.is_over, f"{what} never came: the game is over; answered were {answers}"
            assert len(answers) < MAX_DECISIONS, f"{what} never comes; answered were {answers[:12]}"
            decision = self.pending
            order = quiet_order(decision)
            answers.append(f"{decision.seat}: {decision.prompt} -> {order}")
            self.game.submit(order, decision.seat)
        return self

    def go(self, *given: Order) -> Case:
        """Give these orders, each when it becomes legal. Play quietly between them, but end no activation."""
        for order in given:
            self._up_to(order)
            self.submit(order)
        return self

    def _up_to(self, order: Order) -> None:
        answers: list[str] = []
        while not self.allows(order):
            decision = None if self.game.is_over else self.pending
            ends = decision is None or isinstance(decision.done, orders.EndActivation | orders.EndPhase)
            reason = "" if decision is None else decision.options.why_not(order)
            assert not ends, f"{order} cannot be given: {reason}; answered were {answers}"
            assert decision is not None
            assert len(answers) < MAX_DECISIONS, f"{order} never becomes legal; answered were {answers[:12]}"
            quiet = quiet_order(decision)
            answers.append(f"{decision.seat}: {decision.prompt} -> {quiet}")
            self.game.submit(quiet, decision.seat)

    def answer(self, *given: Order) -> Case:
        """Give these orders in the sequence in which they become legal. Play quietly between them."""
        left = list(given)
        while left:
            ready = next((order for order in left if self.allows(order)), None)
            if ready is None:
                assert not isinstance(self.pending.done, orders.EndActivation | orders.EndPhase), (
                    f"no decision accepts {left}"
                )
                self.game.submit(quiet_order(self.pending), self.pending.seat)
            else:
                left.remove(ready)
                self.submit(ready)
        return self

    def to(self, kind: type[Order], *given: Order) -> Case:
        """Give orders, and play quietly until a decision accepts an order of this type."""
        self.go(*given)
        return self.until(lambda case: case.accepts(kind), kind.__name__)

    def loss_options(self, side: str) -> list[orders.TakeLosses]:
        """Return the shares of losses that a side can choose now."""
        decides = any(decision.seat == side for decision in self.game.waiting())
        return self.offered(orders.TakeLosses) if decides else []

    def to_losses(self, side: str) -> Case:
        """Play quietly until a side must take losses."""
        return self.until(lambda case: bool(case.loss_options(side)), f"losses of {side}")

    def rest(self) -> Case:
        """Play quietly to the end of the current activation."""
        phase = self.phase
        return self.until(lambda case: case.phase != phase or isinstance(case.pending.done, orders.EndPhase))

    def play(self, *given: Order) -> Case:
        """Give these orders, and finish the activation quietly."""
        return self.go(*given).rest()

    def march(self, units: str, path: str, *given: Order) -> Case:
        """Activate a force, move it along a path, and give these orders. The activation continues."""
        return self.go(activate(units), *steps(path), *given)

    def attack(self, units: str, path: str, *given: Order, plan: str = "standard") -> Case:
        """Activate a force, move it along a path into the enemy, and fight to the end of the activation."""
        chosen = orders.ChoosePlan(plan)
        self.go(activate(units), *steps(path))
        self.until(lambda case: case.allows(chosen) or any(map(case.allows, given[:1])), "the attack plan")
        return self.play(*((chosen, *given) if self.allows(chosen) else (*given[:1], chosen, *given[1:])))

    def end(self) -> Case:
        """End the phase, and play quietly until another phase begins or the game is over."""
        phase = self.phase
        return self.until(lambda case: case.game.is_over or case.phase != phase)

    def to_phase(self, phase: str) -> Case:
        """Play quietly until a decision of this phase is pending."""
        return self.until(lambda case: case.game.is_over or case.phase == phase, phase)

    def to_turn(self, turn: int) -> Case:
        """Play quietly until this turn."""
        return self.until(lambda case: case.game.is_over or case.state.turn >= turn, f"turn {turn}")
