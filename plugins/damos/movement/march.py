"""A running march: who goes, what it has cost, what is left. Local to its procedure, and forgotten with it.

Movement points are in halves. What the enemy or a reader needs to know of it stands in the events.
"""

from collections.abc import Callable, Iterable

from damos.model.state import ON_MAP, DamosState


class March:
    """A force on its way.

    ``units`` are those of it now, sorted, ``hex`` where they stand. ``rate`` tells the halves that a unit may spend in
    all, ``first_rate`` is that of the slowest at the beginning. ``spent`` is what the force has spent; who was picked
    up counts as having spent the same (DM-7.0o). ``ceiling`` is a most for all of them together, None for none.

    ``entered`` counts the hexes that each unit has entered, ``entry`` is the hex from which the force came into the one
    where it is, "" before it has moved (R-DM-87). ``paid`` tells that picking up was paid for in this hex (DM-7.0n),
    ``unseen`` that the force has entered a hex in which no reaction was offered yet (R-DM-03).

    ``exploiting`` marks an exploitation activation, ``supplied`` the state of its combat (DM-8.12g). ``goal`` is the
    target of a grand assault, to which the force must get, and ``goal_halves`` what the attack there takes.
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
        """Begin where ``units``, one or more of one hex, stand."""
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
        """The halves that are left: those of the slowest (DM-7.0j, R-DM-31)."""
        rate = min(map(self.rate, self.units))
        return (rate if self.ceiling is None else min(rate, self.ceiling)) - self.spent

    def go(self, hex_: str, halves: int) -> None:
        """Enter a hex at this cost."""
        for each in self.units:
            self.entered[each] = self.entered.get(each, 0) + 1
        self.entry, self.hex = self.hex, hex_
        self.spent += halves
        self.paid, self.unseen = False, True

    def join(self, units: Iterable[str], halves: int) -> None:
        """Take units along, at this cost."""
        self.units = sorted({*self.units, *units})
        self.spent, self.paid = self.spent + halves, True

    def drop(self, units: Iterable[str]) -> None:
        """Leave units behind."""
        gone = set(units)
        self.units = [each for each in self.units if each not in gone]

    def look(self, state: DamosState) -> None:
        """See who is left after a combat, and where."""
        self.units = [each for each in self.units if state.units[each].standing == ON_MAP]
        if self.units:
            self.hex = state.units[self.units[0]].hex


def printed_rate(state: DamosState) -> Callable[[str], int]:
    """Return the rate of a normal activation: the printed movement allowance (DM-2.2d)."""
    counters = state.board.counters
    return lambda unit_id: int(counters[unit_id].ma_halves)


def points(halves: int) -> str:
    """Return movement points as a person reads them: "3", "2 1/2", "1/2"."""
    whole, half = divmod(halves, 2)
    return f"{whole} 1/2" if half and whole else "1/2" if half else str(whole)
