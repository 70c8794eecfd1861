"""Exchange of a support platoon for a different one of the list (AOA-11.21 to AOA-11.26)."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from axis_attack.model.cards import DEPLETED, LEVEL_TITLES, SIDES, SUPPORT, Board, PlatoonType
from axis_attack.model.events import PlatoonExchanged
from axis_attack.model.orders import ExchangePlatoon, Wanted
from axis_attack.model.state import AxisState
from axis_attack.model.strength import draw_upgrades, kind_of, level_of, platoon_points, platoon_steps, teams_available
from sandtable import Calculation, Decision, Procedure, Refusal, Sealed, Space, Stream, listing, shown

PRICE = 5
"""Price of an exchange, in victory points (AOA-11.23)."""


def exchange_all(state: AxisState) -> Procedure:
    """Ask both sides together for exchanges, and again those that made one, until no side makes one (AOA-R64)."""
    active = list(SIDES)
    while True:
        spaces = {side: exchange_space(state, side) for side in active}
        decisions = [
            Decision(
                side,
                "exchange a support platoon, or leave it",
                space,
                "AOA-11.21",
                done=ExchangePlatoon(),
                secret=True,
                purpose=f"exchange.{side}",
            )
            for side, space in spaces.items()
            if space is not None
        ]
        if not decisions:
            return
        answers: dict[str, ExchangePlatoon] = yield Sealed(tuple(decisions))
        active = [side for side in SIDES if side in answers and answers[side].platoon]
        for side in active:
            order = answers[side]
            if order.wanted is not None:
                yield _exchanged(state, side, order.platoon, order.wanted)


def _exchanged(state: AxisState, side: str, platoon: str, wanted: Wanted) -> PlatoonExchanged:
    """Return the event of an exchange. The level of the new platoon is also its maximum (AOA-11.26, AOA-R65)."""
    board: Board = state.board
    kind = board.type_of(side, wanted.type)
    size = next(size for size in kind.sizes if size.teams == wanted.teams)
    level = level_of(kind, wanted.teams)
    calculations = (
        Calculation("cost", (("exchange", PRICE, "AOA-11.23"),)),
        Calculation("points", tuple(platoon_steps(platoon, kind, wanted.teams, wanted.upgrades))),
    )
    return PlatoonExchanged(side, platoon, wanted, level, size.transports, PRICE, calculations=calculations)


def value_of(state: AxisState, side: str, platoon_id: str) -> int:
    """Return the value of a platoon: the points of its current size and of the upgrades that fit it (AOA-11.24)."""
    kind, platoon = kind_of(state, side, platoon_id), state.rosters[side][platoon_id]
    teams = teams_available(state, side, platoon_id)
    most = max(size.teams for size in kind.sizes if size.teams <= teams)
    return platoon_points(kind, most, {name: min(number, most) for name, number in platoon.upgrades.items()})


class Old(NamedTuple):
    """A support platoon of the roster: its type, level, and value (0 below depleted)."""

    type: str
    level: int
    value: int


def exchange_space(state: AxisState, side: str) -> "Exchanges | None":
    """Return the space of a side's next exchange, or None if it cannot pay or has no platoon to exchange."""
    board: Board = state.board
    if state.balance[side] < PRICE:
        return None
    roster = state.rosters[side]
    supports = [each for each in roster if kind_of(state, side, each).slot == SUPPORT]
    olds = {
        each: Old(roster[each].type, level, value_of(state, side, each) if level >= DEPLETED else 0)
        for each in supports
        for level in (roster[each].level,)
    }
    types = {name: kind for name, kind in board.lists[side].types.items() if kind.slot == SUPPORT}
    counts: dict[str, int] = {}
    for old in olds.values():
        counts[old.type] = counts.get(old.type, 0) + 1
    space = Exchanges(olds, types, counts)
    return space if any(space.offers(each) for each in olds) else None


class Exchanges(Space):
    """No exchange, or one of ``olds`` (support platoons by id) for a platoon of one of ``types``.

    ``counts`` are the platoons of each type in the roster; a list allows ``most`` of each.
    """

    olds: Mapping[str, Old]
    types: Mapping[str, PlatoonType]
    counts: Mapping[str, int]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a platoon that cannot be exchanged, a new platoon that is not allowed, and one of higher value."""
        if type(value) is not ExchangePlatoon:
            return Refusal(
                "AOA-11.21",
                f"{shown(type(value).__name__)} is not an order of this decision: exchange a platoon, or keep",
            )
        if value == ExchangePlatoon():
            return None
        if not isinstance(value.platoon, str) or value.platoon not in self.olds:
            choice = listing(list(self.olds))
            return Refusal("AOA-11.21", f"{shown(value.platoon)} is not one of your support platoons: choose {choice}")
        old = self.olds[value.platoon]
        if old.level < DEPLETED:
            reason = f"{value.platoon} is {LEVEL_TITLES[old.level]}: choose a platoon at depleted or better"
            return Refusal("AOA-11.22", reason)
        return self._why_not_wanted(old, value.wanted)

    def _why_not_wanted(self, old: Old, wanted: Any) -> Refusal | None:
        if type(wanted) is not Wanted:
            return Refusal("AOA-11.24", "name the type, teams and upgrades of the new platoon")
        kind = self.types.get(wanted.type) if isinstance(wanted.type, str) else None
        if kind is None:
            choice = listing(list(self.types))
            return Refusal("AOA-11.24", f"{shown(wanted.type)} is not a support platoon of the list: choose {choice}")
        if not self._has_open_slot(old, wanted.type):
            reason = f"you already have {kind.most} of {wanted.type}, the maximum of the list: choose a different type"
            return Refusal("AOA-11.24", reason)
        sizes = [size.teams for size in kind.sizes]
        if type(wanted.teams) is not int or wanted.teams not in sizes:
            reason = f"{shown(wanted.teams)} teams is not a size of {wanted.type}: choose {listing(sizes)}"
            return Refusal("AOA-11.24", reason)
        refusal = _why_not_upgrades(kind, wanted)
        if refusal is not None:
            return refusal
        points = platoon_points(kind, wanted.teams, wanted.upgrades)
        if points > old.value:
            reason = (
                f"the new platoon costs {points} points, the old one is worth {old.value}: choose a cheaper platoon"
            )
            return Refusal("AOA-11.24", reason)
        return None

    def _has_open_slot(self, old: Old, type_id: str) -> bool:
        return self.counts.get(type_id, 0) - (old.type == type_id) < self.types[type_id].most

    def offers(self, platoon: str) -> list[tuple[str, int, int]]:
        """Return the possible exchanges of a platoon, without upgrades: type, teams and remaining points."""
        old = self.olds[platoon]
        return [
            (name, size.teams, old.value - size.points)
            for name, kind in self.types.items()
            if old.level >= DEPLETED and self._has_open_slot(old, name)
            for size in kind.sizes
            if size.points <= old.value
        ]

    def values(self) -> Iterator[ExchangePlatoon]:
        """Yield no exchange, then every exchange, platoon by platoon."""
        yield ExchangePlatoon()
        for each in self.olds:
            for name, teams, left in self.offers(each):
                for upgrades in _upgrades(self.types[name], teams, left):
                    yield ExchangePlatoon(each, Wanted(name, teams, upgrades))

    def sample(self, stream: Stream) -> ExchangePlatoon:
        """Draw an exchange: none or each platoon with the same probability, for any type, size and upgrades."""
        each = stream.pick(["", *(name for name in self.olds if self.offers(name))])
        if not each:
            return ExchangePlatoon()
        name, teams, left = stream.pick(self.offers(each))
        return ExchangePlatoon(each, Wanted(name, teams, draw_upgrades(self.types[name], teams, left, stream)))


def _why_not_upgrades(kind: PlatoonType, wanted: Wanted) -> Refusal | None:
    """Refuse upgrades that the type lacks, and more than the list or the number of teams allows."""
    if not isinstance(wanted.upgrades, dict):
        return Refusal("AOA-11.24", f"upgrades are a table of names and numbers, not {shown(wanted.upgrades)}")
    known = {each.id: min(each.most, wanted.teams) for each in kind.upgrades}
    for name, number in wanted.upgrades.items():
        if name not in known:
            choice = f"choose {listing(list(known))}" if known else "it has no upgrades"
            return Refusal("AOA-11.24", f"{shown(name)} is not an upgrade of {kind.id}: {choice}")
        if type(number) is not int or not 1 <= number <= known[name]:
            return Refusal("AOA-11.24", f"{name}: {shown(number)} is not a whole number from 1 to {known[name]}")
    return None


def _upgrades(kind: PlatoonType, teams: int, left: int) -> Iterator[dict[str, int]]:
    """Yield every choice of upgrades within the points, beginning with no upgrades."""

    def rest(place: int, left: int) -> Iterator[dict[str, int]]:
        if place == len(kind.upgrades):
            yield {}
            return
        upgrade = kind.upgrades[place]
        for number in range(min(upgrade.most, teams) + 1):
            if number * upgrade.points <= left:
                for more in rest(place + 1, left - number * upgrade.points):
                    yield ({upgrade.id: number} | more) if number else more

    return rest(0, left)
