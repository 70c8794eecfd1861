"""Mobility after a game: transports, vehicles taken from other platoons, lowered levels (AOA-10.15 to AOA-10.20).

``assess`` is called after a breakthrough of two sectors, and for platoons that are claimed for the recon bonus.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from axis_attack.model.cards import DEPLETED, DESTROYED, LEVEL_TITLES, MOTOR, PlatoonType
from axis_attack.model.events import MobilityAssessed, PlatoonLowered, VehiclesTaken
from axis_attack.model.orders import KeepMobile
from axis_attack.model.state import AxisState
from axis_attack.model.strength import kind_of, levels_of, transports_needed
from sandtable import Calculation, Decision, Procedure, Refusal, Space, Stream, listing, shown

ARROW = ">"
"""The separator of donor and receiver in a key of ``KeepMobile.taken``, such as "pg2>pg1"."""


def enough(kind: PlatoonType, level: int) -> int:
    """Return the transports that a platoon of this level needs, at least those of depleted strength (AOA-10.17).

    A platoon of a single size has no depleted strength and needs those of full strength at any level.
    """
    return transports_needed(kind, max(level, DEPLETED)) or transports_needed(kind, levels_of(kind)[-1])


def lacking(state: AxisState, side: str, platoons: list[str]) -> dict[str, int]:
    """Return the number of transports that platoons lack (AOA-10.16, AOA-10.17).

    Platoons on foot, platoons of vehicles and destroyed platoons never lack transports.
    """
    found = {}
    for each in platoons:
        kind, platoon = kind_of(state, side, each), state.rosters[side][each]
        short = enough(kind, platoon.level) - platoon.transports
        if kind.transport == MOTOR and platoon.level > DESTROYED and short > 0:
            found[each] = short
    return found


def assess(state: AxisState, side: str, platoons: list[str], rule: str = "AOA-10.17") -> Procedure:
    """Decide which of ``platoons`` are immobile; the owner may keep some mobile first (AOA-10.18, AOA-10.19).

    Platoons that gave vehicles are checked as well (AOA-R53). Returns the immobile platoons.
    """
    assessed = list(platoons)
    short = [each for each in lacking(state, side, platoons) if not state.rosters[side][each].immobile]
    if short:
        space = keeping_space(state, side, short)
        if any(space.remedies(each) for each in short):
            prompt, purpose = "keep platoons mobile, or leave them immobile", f"keep_mobile.{'.'.join(short)}"
            order: KeepMobile = yield Decision(
                side, prompt, space, "AOA-10.18", done=KeepMobile(), secret=True, purpose=purpose
            )
            yield from _carry_out(side, order)
            assessed += [donor for donor, _ in map(_pair, sorted(order.taken)) if donor not in assessed]
    immobile = list(lacking(state, side, assessed))
    if immobile:
        calculations = tuple(_calculation(state, side, each) for each in immobile)
        yield MobilityAssessed(side, immobile, [], rule, calculations)
    return immobile


def _calculation(state: AxisState, side: str, platoon_id: str) -> Calculation:
    """Return the calculation of a platoon's spare transports. A negative number means that it lacks some."""
    kind, platoon = kind_of(state, side, platoon_id), state.rosters[side][platoon_id]
    needs = enough(kind, platoon.level)
    steps = (("transports", platoon.transports, "AOA-10.16"), ("needed", -needs, "AOA-10.17"))
    return Calculation(f"transports.{platoon_id}", steps)


def _carry_out(side: str, order: KeepMobile) -> Procedure:
    for each, level in sorted(order.lowered.items()):
        yield PlatoonLowered(side, each, level)
    for key, number in sorted(order.taken.items()):
        donor, receiver = _pair(key)
        yield VehiclesTaken(side, donor, receiver, number)


def _pair(key: str) -> tuple[str, str]:
    donor, _, receiver = key.partition(ARROW)
    return donor, receiver


# --- remedies ---


class Remedy(NamedTuple):
    """A remedy that keeps a platoon mobile: its lowered level (-1 if unchanged), and vehicles by donor."""

    level: int
    taken: tuple[tuple[str, int], ...]


class Short(NamedTuple):
    """A platoon that lacks transports: their number, its level, the need of each possible level, and their type."""

    has: int
    level: int
    needs: dict[int, int]
    vehicle: str


def keeping_space(state: AxisState, side: str, short: list[str]) -> "Keeping":
    """Return the space of a side's remedies for platoons that lack transports."""
    lines = {}
    for each in short:
        kind, platoon = kind_of(state, side, each), state.rosters[side][each]
        levels = [level for level in levels_of(kind) if DEPLETED <= level <= platoon.level] or [platoon.level]
        needs = {level: enough(kind, level) for level in levels}
        lines[each] = Short(platoon.transports, platoon.level, needs, kind.vehicle)
    stock = {
        each: (kind_of(state, side, each).vehicle, platoon.transports)
        for each, platoon in state.rosters[side].items()
        if kind_of(state, side, each).transport == MOTOR and platoon.transports
    }
    return Keeping(lines, stock)


class Keeping(Space):
    """KeepMobile orders: no change, or for each of ``short`` a lower level, vehicles of other platoons, or both.

    ``stock`` has the vehicles of all platoons by type and number. An order is refused if it does not make a platoon
    mobile, or takes more vehicles than it lacks.
    """

    short: Mapping[str, Short]
    stock: Mapping[str, tuple[str, int]]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a wrong level, vehicles of a different type, and remedies that do not help."""
        if type(value) is not KeepMobile or not all(isinstance(each, dict) for each in (value.lowered, value.taken)):
            return Refusal(
                "AOA-10.18",
                f"{shown(type(value).__name__)} is not an order of this decision: lower levels, take vehicles, or "
                "`leave`",
            )
        for each, level in value.lowered.items():
            refusal = self._why_not_lowered(each, level)
            if refusal is not None:
                return refusal
        for key, number in value.taken.items():
            refusal = self._why_not_taken(key, number)
            if refusal is not None:
                return refusal
        return self._why_not_together(value)

    def _why_not_lowered(self, each: Any, level: Any) -> Refusal | None:
        if each not in self.short:
            return Refusal("AOA-10.18", f"{shown(each)} does not lack transports: choose {listing(list(self.short))}")
        line = self.short[each]
        below = [known for known in line.needs if known < line.level]
        if type(level) is not int or level not in below:
            names = listing([f"{known} ({LEVEL_TITLES[known]})" for known in below])
            return Refusal("AOA-10.18", f"{each}: {shown(level)} is not one of its lower levels: choose {names}")
        return None

    def _why_not_taken(self, key: Any, number: Any) -> Refusal | None:
        donor, receiver = _pair(key) if isinstance(key, str) else ("", "")
        place = shown(key)
        if receiver not in self.short:
            return Refusal(
                "AOA-10.19", f"{place}: write donor{ARROW}receiver; receivers are {listing(list(self.short))}"
            )
        if donor not in self.stock or donor == receiver:
            return Refusal("AOA-10.19", f"{place}: {shown(donor)} has no vehicles to give")
        if self.stock[donor][0] != self.short[receiver].vehicle:
            theirs, own = self.stock[donor][0], self.short[receiver].vehicle
            return Refusal("AOA-10.19", f"{place}: only identical vehicles can be taken, {theirs} are not {own}")
        if type(number) is not int or number < 1:
            return Refusal("AOA-10.19", f"{place}: {shown(number)} is not a whole number above zero")
        return None

    def _why_not_together(self, order: KeepMobile) -> Refusal | None:
        given: dict[str, int] = {}
        got: dict[str, int] = {}
        for key, number in order.taken.items():
            donor, receiver = _pair(key)
            given[donor] = given.get(donor, 0) + number
            got[receiver] = got.get(receiver, 0) + number
        for donor, number in given.items():
            if number > self.stock[donor][1]:
                reason = f"{donor} has {self.stock[donor][1]} vehicles, not {shown(number)}: take fewer"
                return Refusal("AOA-10.19", reason)
            if donor in got or donor in order.lowered:
                reason = f"{donor} gives vehicles, so it cannot take any or be lowered: choose a different donor"
                return Refusal("AOA-10.19", reason)
        for each in (*order.lowered, *got):
            line = self.short[each]
            need = line.needs[order.lowered.get(each, line.level)]
            has = line.has + got.get(each, 0)
            if has < need:
                reason = f"{each} stays immobile with {has} of {need} transports: give it more, or leave it"
                return Refusal("AOA-10.17", reason)
            if has > max(need, line.has):
                return Refusal("AOA-10.19", f"{each} needs only {need} transports, not {has}: take fewer")
        return None

    def remedies(self, each: str, given: Mapping[str, int] | None = None) -> list[Remedy]:
        """Return the remedies of one platoon if other platoons have already taken ``given`` vehicles."""
        line, used = self.short[each], given or {}
        donors = [
            (donor, number - used.get(donor, 0))
            for donor, (vehicle, number) in self.stock.items()
            if vehicle == line.vehicle and donor != each
        ]
        return [
            Remedy(-1 if level == line.level else level, shares)
            for level, need in line.needs.items()
            for shares in _shares(donors, max(0, need - line.has))
        ]

    def values(self) -> Iterator[KeepMobile]:
        """Yield every order, beginning with no change."""
        names = list(self.short)

        def rest(place: int, order: KeepMobile, given: dict[str, int]) -> Iterator[KeepMobile]:
            if place == len(names):
                if self._why_not_together(order) is None:
                    yield order
                return
            yield from rest(place + 1, order, given)
            for remedy in self.remedies(names[place], given):
                more = given | {donor: given.get(donor, 0) + number for donor, number in remedy.taken}
                yield from rest(place + 1, _with(order, names[place], remedy), more)

        return rest(0, KeepMobile(), {})

    def sample(self, stream: Stream) -> KeepMobile:
        """Draw an order: for each platoon, in random order, no change or one of its possible remedies."""
        order, given = KeepMobile(), dict[str, int]()
        left = list(self.short)
        while left:
            each = left.pop(stream.below(len(left)))
            choices = [None, *self.remedies(each, given)]
            remedy = stream.pick(choices)
            trial = _with(order, each, remedy) if remedy else order
            if remedy and self._why_not_together(trial) is None:
                order = trial
                given |= {donor: given.get(donor, 0) + number for donor, number in remedy.taken}
        return order


def _shares(donors: list[tuple[str, int]], number: int) -> Iterator[tuple[tuple[str, int], ...]]:
    """Yield every split of ``number`` vehicles among ``donors``: pairs of a donor and its available vehicles."""
    if not number:
        yield ()
    elif donors:
        (donor, left), *others = donors
        for share in range(min(left, number), -1, -1):
            for rest in _shares(others, number - share):
                yield ((donor, share), *rest) if share else rest


def _with(order: KeepMobile, each: str, remedy: Remedy) -> KeepMobile:
    """Return the order with a platoon's remedy added."""
    lowered = order.lowered if remedy.level < 0 else order.lowered | {each: remedy.level}
    return KeepMobile(lowered, order.taken | {f"{donor}{ARROW}{each}": number for donor, number in remedy.taken})
