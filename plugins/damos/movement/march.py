"""A current march: its units, its cost so far and what is left. It exists only during its procedure.

Movement points are in halves. Events contain everything that the enemy or a reader needs to know.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from damos.model.calculations import Step, Steps
from damos.model.orders import EndActivation, EndPhase
from damos.model.state import ON_MAP, DamosState
from sandtable import AnyOf, Calculation, Refusal, Space, Stream, listing, shown


class March:
    """A force that marches.

    ``units`` are its current units, sorted, and ``hex`` their hex. ``rate`` returns the total halves that a unit may
    spend; ``first_rate`` is the rate of the slowest unit at the beginning. ``spent`` is what the force has spent; units
    that were picked up count as having spent the same (DM-7.0o). ``ceiling`` is a maximum for the whole force, or None.

    ``entered`` counts the hexes that each unit has entered. ``entry`` is the hex from which the force entered its hex,
    "" before it has moved (R-DM-87). ``paid`` is true if picking up was paid for in this hex (DM-7.0n), ``unseen`` if
    the force has entered a hex in which no reaction was offered yet (R-DM-03).

    ``exploiting`` marks an exploitation activation, and ``supplied`` is the supply state of its combat (DM-8.12g).
    ``goal`` is the target of a grand assault, and ``goal_halves`` the cost of the attack there.
    """

    __slots__ = (
        "ceiling",
        "entered",
        "entry",
        "exploiting",
        "first_rate",
        "goal",
        "goal_halves",
        "hex",
        "paid",
        "rate",
        "side",
        "spent",
        "supplied",
        "units",
        "unseen",
    )

    def __init__(self, state: DamosState, units: Iterable[str], rate: Callable[[str], int]) -> None:
        """Begin in the hex of ``units``, one or more of one hex."""
        self.units = sorted(units)
        first = state.units[self.units[0]]
        self.side, self.hex = first.side, first.hex
        self.rate = rate
        self.first_rate = min(map(rate, self.units))
        self.spent = 0
        self.ceiling: int | None = None
        self.entered: dict[str, int] = {}
        self.paid = self.unseen = self.exploiting = self.supplied = False
        self.entry = self.goal = ""
        self.goal_halves = 0

    @property
    def left(self) -> int:
        """The halves that are left to the slowest unit (DM-7.0j, R-DM-31)."""
        rate = min(map(self.rate, self.units))
        return (rate if self.ceiling is None else min(rate, self.ceiling)) - self.spent

    def steps(self, *now: Step) -> Steps:
        """Return the steps of the calculation of ``left``, ending with the points spent ``now``."""
        slowest = min(self.units, key=self.rate)
        rate, rule = self.rate(slowest), "DM-8.12.1a" if self.exploiting else "DM-2.2d"
        found: tuple[Step, ...] = ((slowest, rate, rule),)
        if self.ceiling is not None and self.ceiling < rate:
            found = (*found, ("allowance of the initial force", self.ceiling - rate, "R-DM-28"))
        return (*found, ("spent earlier", -self.spent, "DM-7.0j"), *now) if self.spent else found + now

    def calculated(self, name: str, *now: Step) -> tuple[Calculation, ...]:
        """Return the same as the calculation of the figure ``name`` of an event."""
        return (Calculation(name, self.steps(*now)),)

    def go(self, hex_: str, halves: int) -> None:
        """Enter a hex at this cost."""
        for each in self.units:
            self.entered[each] = self.entered.get(each, 0) + 1
        self.entry, self.hex = self.hex, hex_
        self.spent += halves
        self.paid, self.unseen = False, True

    def join(self, units: Iterable[str], halves: int) -> None:
        """Add units at this cost."""
        self.units = sorted({*self.units, *units})
        self.spent, self.paid = self.spent + halves, True

    def drop(self, units: Iterable[str]) -> None:
        """Leave units behind."""
        gone = set(units)
        self.units = [each for each in self.units if each not in gone]

    def look(self, state: DamosState) -> None:
        """Update units and hex after a combat."""
        self.units = [each for each in self.units if state.units[each].standing == ON_MAP]
        if self.units:
            self.hex = state.units[self.units[0]].hex


def printed_rate(state: DamosState) -> Callable[[str], int]:
    """Return the rate of a normal activation: the printed movement allowance (DM-2.2d)."""
    counters = state.board.counters
    return lambda unit_id: int(counters[unit_id].ma_halves)


def points(halves: int) -> str:
    """Return movement points as text: "3", "2 1/2", "1/2"."""
    whole, half = divmod(halves, 2)
    return f"{whole} 1/2" if half and whole else "1/2" if half else str(whole)


def movement_points(halves: int) -> str:
    """Return movement points with their unit: "3 movement points", "1/2 movement point"."""
    return f"{points(halves)} movement {'point' if 0 < halves <= 2 else 'points'}"


END_ACTIVATION = EndActivation()
END_PHASE = EndPhase()
TRIES = 20

Judge = Callable[[list[str]], Refusal | None]


class SomeUnits(Space):
    """One or more units of ``of``, in any order. ``judge`` gets them sorted and refuses illegal combinations."""

    of: Sequence[str]
    rule: str
    judge: Judge | None = None
    most: int = 1_000

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse anything but a list of such units, and what ``judge`` refuses."""
        return why_no_units(value, self.of, self.rule) or self._why_not_together(sorted(value))

    def _why_not_together(self, units: list[str]) -> Refusal | None:
        if len(units) > self.most:
            return Refusal(self.rule, f"name up to {self.most}")
        return self.judge(units) if self.judge is not None else None

    def sample(self, stream: Stream) -> list[str]:
        """Return random units, all of them half the time. Raises ValueError if there is no choice."""
        if not self.of:
            raise ValueError("no choice is possible")
        for attempt in range(TRIES):
            units = list(self.of) if attempt == 0 and stream.one_in(2) else some_of(self.of, stream)
            if self._why_not_together(units) is None:
                return units
        found = next(self.values(), None)
        if found is None:
            raise ValueError("no choice is possible")
        return found

    def values(self) -> Iterator[list[str]]:
        """Yield every choice, few units first."""
        for size in range(1, min(len(self.of), self.most) + 1):
            for units in combinations(self.of, size):
                if self._why_not_together(list(units)) is None:
                    yield list(units)


def some_of(units: Sequence[str], stream: Stream) -> list[str]:
    """Return one or more of ``units`` at random, in their order."""
    bits = 1 + stream.below((1 << len(units)) - 1)
    return [each for place, each in enumerate(units) if bits >> place & 1]


def why_no_units(value: Any, of: Sequence[str], rule: str) -> Refusal | None:
    """Return why ``value`` is not a list of one or more different units of ``of``, or None."""
    if not isinstance(value, list | tuple) or not value:
        return Refusal(rule, f"give a list of units, not {shown(value)}")
    for place, each in enumerate(value):
        if not isinstance(each, str) or each not in of:
            return Refusal(rule, f"{shown(each)} cannot be chosen here: choose from {listing(of)}")
        if each in value[:place]:
            return Refusal(rule, f"{each} is named twice")
    return None


def why_no_force(state: DamosState, side: str, value: Any, rule: str, spent: str = "DM-2.1f") -> Refusal | None:
    """Return why ``value`` is not a list of one or more fresh units of a side in one hex, or None (DM-2.1d).

    ``rule`` is cited for an invalid unit, ``spent`` for one that is not fresh.
    """
    if not isinstance(value, list | tuple) or not value:
        return Refusal(rule, f"give a list of units, not {shown(value)}")
    first = ""
    for place, each in enumerate(value):
        unit = state.units.get(each) if isinstance(each, str) else None
        if unit is None or unit.side != side:
            return Refusal(rule, f"{shown(each)} is not one of your units")
        if unit.standing != ON_MAP:
            return Refusal(rule, f"{each} is not on the map")
        if each in value[:place]:
            return Refusal(rule, f"{each} is named twice")
        first = first or unit.hex
        if unit.hex != first:
            return Refusal("DM-2.1d", f"{each} is in {unit.hex}, but {value[0]} is in {first}: a force is in one hex")
        if unit.spent:
            return Refusal(spent, f"{each} is spent until its side resets: leave it out")
    return None


class Menu(AnyOf):
    """Orders of several kinds. ``closed`` returns why an order of a kind that is not offered cannot be given now."""

    closed: Mapping[type[Any], Callable[[Any], Refusal | None]] = {}

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse like ``AnyOf``, with a better reason if there is one."""
        refusal = AnyOf.why_not(self, value)
        reason = self.closed.get(type(value)) if refusal is not None else None
        return (reason(value) or refusal) if reason is not None else refusal
