"""The ground as a referee works it out from the printed numbers alone: distances, zones, costs, lines of supply."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from typing import Any

from damos.model.state import ON_MAP, DamosState

GERMAN, SOVIET = "german", "soviet"
ZONE_TYPES = {GERMAN: {"cavalry", "motorized", "mechanized", "armor"}, SOVIET: {"mechanized", "armor"}}
DEFENCE = {"forest": 1, "marsh": 1, "city": 2, "major_city": 4}
ATTACK = {"marsh": -2}
LENGTH = {GERMAN: 3, SOVIET: 5}


def beside(hex_: str) -> Iterator[str]:
    """Yield the numbers around a hex: odd rows lie half a hex further east, columns grow to the west."""
    row, column = int(hex_[:2]), int(hex_[2:])
    east = -1 if row % 2 else 0
    for down, across in ((-1, east), (0, -1), (1, east), (1, east + 1), (0, 1), (-1, east + 1)):
        yield f"{row + down:02}{column + across:02}"


def distance(a: str, b: str) -> int:
    """Return the hexes from one to another, on an open map."""
    rows = abs(int(a[:2]) - int(b[:2]))
    easting = [int(hex_[:2]) % 2 - 2 * int(hex_[2:]) for hex_ in (a, b)]
    return rows + max(0, (abs(easting[0] - easting[1]) - rows) // 2)


class Ground:
    """A map, and the state that stands on it."""

    def __init__(self, state: DamosState) -> None:
        self.state = state
        self.board: Any = state.board
        self.hexmap = self.board.hexmap

    def near(self, hex_: str) -> list[str]:
        return [each for each in beside(hex_) if each in self.board.area]

    def units(self, side: str, hex_: str = "") -> list[str]:
        """Return a side's units on the map, or in a hex of it."""
        found = self.state.units.items()
        return [
            name
            for name, unit in found
            if unit.side == side and unit.standing == ON_MAP and (not hex_ or unit.hex == hex_)
        ]

    def enemies(self, side: str, hex_: str = "") -> list[str]:
        return self.units(SOVIET if side == GERMAN else GERMAN, hex_)

    def strength(self, units: Collection[str]) -> int:
        return sum(self.state.units[unit].sp for unit in units)

    # --- zones ---

    def has_zones(self, side: str) -> bool:
        return side == GERMAN or self.state.turn > 1

    def zone(self, side: str, hex_: str, ignoring: Collection[str] = ()) -> bool:
        """Tell whether enemies of a side have a zone of control in a hex, but for those in the hexes ignored."""
        other = SOVIET if side == GERMAN else GERMAN
        if not self.has_zones(other) or (hex_ in self.board.major_cities and self.units(side, hex_)):
            return False
        return any(
            near not in ignoring
            and self.units(other, near)
            and not any(self.state.units[unit].demoralized for unit in self.units(other, near))
            for near in beside(hex_)
        )

    def is_capable(self, units: Collection[str]) -> bool:
        """Tell whether units of one side together have a zone of influence."""
        each = [self.state.units[unit] for unit in units]
        if not each or any(unit.demoralized for unit in each) or not self.has_zones(each[0].side):
            return False
        named = each[0].side == SOVIET and each[0].hex == self.state.cossacks != ""
        types = {self.board.counters[unit].type for unit in units}
        return named or bool(types & ZONE_TYPES[each[0].side])

    # --- ground ---

    def kinds(self, hex_: str) -> set[str]:
        return set(self.hexmap.terrain_of(hex_))

    def rail(self, a: str, b: str) -> bool:
        return "rail" in self.hexmap.side_of(a, b)

    def river(self, a: str, b: str) -> bool:
        return "river" in self.hexmap.side_of(a, b)

    def cost(self, units: Collection[str], start: str, hex_: str) -> int:
        """Return the half points for a step, 99 for one that is closed."""
        kinds, counters = self.kinds(hex_), [self.board.counters[unit] for unit in units]
        points = 2
        if "forest" in kinds:
            points = 4
        if "marsh" in kinds:
            mobile = any(counter.type in {"motorized", "mechanized", "armor"} for counter in counters)
            points = 6 if mobile else 4
            points = 99 if mobile and not self.rail(start, hex_) else points
        ignored = self.state.turn == 1 and counters[0].side == GERMAN
        return points + 2 * (self.river(start, hex_) and not ignored)

    def fought(self, attack: int, defence: int, hex_: str, entry: str, *, german: bool) -> tuple[int, int]:
        """Return both strengths as the ground changes them; of forest and city in one hex the greater change counts."""
        kinds = self.kinds(hex_)
        attack_change = min(ATTACK.get(kind, 0) for kind in kinds)
        ignored = self.state.turn == 1 and german
        if entry and self.river(entry, hex_) and not ignored:
            attack_change -= (attack + 5) // 6
        return attack + attack_change, defence + max(DEFENCE.get(kind, 0) for kind in kinds)

    # --- supply ---

    def usable(self, side: str, hex_: str) -> bool:
        """Tell whether a side's supply runs along the railway in a hex."""
        own = hex_ in self.board.rail_around and self.state.control.get(hex_) == side
        return own and (hex_ in self.state.converted) == (side == GERMAN)

    def open(self, side: str, hex_: str, ignoring: Collection[str]) -> bool:
        """Tell whether a line of supply of a side may run through a hex."""
        if hex_ in ignoring:
            return True
        if self.enemies(side, hex_):
            return False
        return bool(self.units(side, hex_)) or not self.zone(side, hex_, ignoring)

    def is_source(self, side: str, hex_: str) -> bool:
        """Tell whether a side's lines end in a hex: the west edge by rail, a city of its own, the east edge."""
        column = int(hex_[2:])
        if side == GERMAN:
            return column == 30
        cities = {*self.board.cities, *self.board.major_cities}
        in_russia = self.board.home[hex_] == SOVIET
        return column == 1 or (hex_ in cities and in_russia and self.state.control.get(hex_) == SOVIET)

    def has_supply(self, side: str, start: str, ignoring: Collection[str] = ()) -> bool:
        """Tell whether a line leads from a hex: so many hexes to the railway, then along it to a source."""
        length = LENGTH[side] - (side == GERMAN and 9 <= self.state.turn <= 12)
        if not self.open(side, start, ignoring):
            return False
        if self.is_source(side, start):  # R-DM-36
            return True
        reached, queue = {start: 0}, deque([start])
        while queue:
            hex_ = queue.popleft()
            for near in self.near(hex_) if reached[hex_] < length else ():
                if near not in reached and self.open(side, near, ignoring):
                    reached[near] = reached[hex_] + 1
                    queue.append(near)
        railheads = [hex_ for hex_ in reached if self.usable(side, hex_)]
        return self._by_rail(side, railheads, ignoring)

    def _by_rail(self, side: str, starts: list[str], ignoring: Collection[str]) -> bool:
        seen, queue = set(starts), deque(starts)
        while queue:
            hex_ = queue.popleft()
            if self.is_source(side, hex_):
                return True
            for near in self.near(hex_):
                if near not in seen and self.rail(hex_, near) and self.leads(side, near, ignoring):
                    seen.add(near)
                    queue.append(near)
        return False

    def leads(self, side: str, hex_: str, ignoring: Collection[str]) -> bool:
        return self.usable(side, hex_) and self.open(side, hex_, ignoring)

    def can_get_out(self, side: str, start: str) -> bool:
        """Tell whether hexes of any number lead from a hex to a source, railways aside."""
        seen, queue = {start}, deque([start])
        while queue:
            hex_ = queue.popleft()
            if self.is_source(side, hex_):
                return True
            for near in self.near(hex_):
                if near not in seen and self.open(side, near, ()):
                    seen.add(near)
                    queue.append(near)
        return False

    # --- retreats ---

    def ways_out(self, side: str, start: str, least: int) -> bool:
        """Tell whether a retreat of so many hexes leads out alive; a friendly major city next door is enough."""
        for first in self.near(start):
            if self.enemies(side, first) or self.zone(side, first, [start]):
                continue
            if least == 1 or (first in self.board.major_cities and self.state.control.get(first) == side):
                return True
            if any(
                second not in {start, first} and not self.enemies(side, second) and not self.zone(side, second, [start])
                for second in self.near(first)
            ):
                return True
        return False
