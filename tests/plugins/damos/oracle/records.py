"""The records of the observer, kept from the events alone, and the map by the rulebook.

Written from the rules and the charts, not from the rules' code: the figures are repeated here on purpose. Movement
points are counted in halves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from damos.model.state import ELIMINATED, ON_MAP, POOL, DamosState

GERMAN, SOVIET = "german", "soviet"
OTHER = {GERMAN: SOVIET, SOVIET: GERMAN}
MOBILE = ("armor", "mechanized", "motorized")
SETTLED = ("town", "city", "major_city")
ALLIES = ("hungarian", "romanian", "slovak")

GROUND = {"clear": 2, "forest": 4, "marsh": 6}
DEFENSE = {"forest": 1, "marsh": 1, "city": 2, "major_city": 4}
ATTACK = {"marsh": -2}
REACTION = {"forest": -1, "marsh": -2}
RIVER = 2
RATING = {"infantry": 0, "cavalry": 0, "motorized": 1, "mechanized": 1, "armor": 2}


class UnitRecord:
    """The record of a unit."""

    __slots__ = ("arrives", "demoralized", "hex", "side", "sp", "spent", "standing")

    def __init__(self, unit: Any) -> None:
        self.side: str = unit.side
        self.sp: int = unit.sp
        self.hex: str = unit.hex
        self.standing: str = unit.standing
        self.demoralized: bool = unit.demoralized
        self.spent: bool = unit.spent
        self.arrives: int = unit.arrives

    def row(self) -> tuple[object, ...]:
        """Return the fields that are compared with the game. For a unit off the map only its standing counts."""
        if self.standing != ON_MAP:
            return (self.side, self.standing, self.hex)
        return (self.side, self.standing, self.hex, self.sp, self.demoralized, self.spent)

    def leave(self, standing: str) -> None:
        self.hex, self.standing, self.demoralized, self.spent = "", standing, False, False
        if standing != POOL:
            self.sp = 0


class Records:
    """Records kept from the events, and what the rulebook says of their position."""

    def __init__(self, state: DamosState) -> None:
        self.board: Any = state.board
        self.counters: dict[str, Any] = self.board.counters
        self.option: dict[str, str] = dict(state.options)
        self.turn = state.turn
        self.units = {unit_id: UnitRecord(unit) for unit_id, unit in state.units.items()}
        self.control = dict(state.control)
        self.converted = set(state.converted)
        self.points = dict(state.replacements)
        self.cossacks = state.cossacks

    # --- positions of units ---

    def at(self, hex_: str, side: str) -> list[str]:
        return sorted(unit_id for unit_id, unit in self.units.items() if unit.hex == hex_ and unit.side == side)

    def strength(self, units: Iterable[str]) -> int:
        return sum(self.units[unit_id].sp for unit_id in units)

    def mobile_strength(self, units: Iterable[str]) -> int:
        return self.strength(unit_id for unit_id in units if self.counters[unit_id].type in MOBILE)

    def range_hexes(self, one: str, other: str) -> int:
        found: int = self.board.hexmap.range_hexes(one, other)
        return found

    def is_adjacent(self, one: str, other: str) -> bool:
        return self.range_hexes(one, other) == 1

    def projects(self, unit_id: str) -> bool:
        """Return whether a unit has a zone of influence (AGC-3.1a, AGC-3.2a, AGC-4.6.1b, AGC-4.8a)."""
        unit, kind = self.units[unit_id], self.counters[unit_id].type
        if unit.demoralized:
            return False
        if unit.side == GERMAN:
            return bool(kind != "infantry")
        cossack = unit.hex == self.cossacks != ""
        return self.turn > 1 and (kind in {"armor", "mechanized"} or cossack)

    def is_capable(self, units: Iterable[str]) -> bool:
        return any(map(self.projects, units))

    def zone_range(self, hex_: str, side: str) -> int:
        """Return the range in hexes of the zone of the force in a hex (DM-2.6b, R-DM-02)."""
        steady = [unit_id for unit_id in self.at(hex_, side) if not self.units[unit_id].demoralized]
        if self.option["zoi_force_sp"] == "zoi_units_only":
            steady = [unit_id for unit_id in steady if self.projects(unit_id)]
        strength = self.strength(steady)
        return 1 if strength <= 6 else 2 if strength <= 12 else 3

    # --- zones of control ---

    def zone_of_control(self, side: str, leaving_out: Collection[str] = ()) -> set[str]:
        """Return the hexes in zones of control of a side, except zones from some hexes (DM-2.5a)."""
        if side == SOVIET and self.turn == 1:
            return set()
        steady = {unit.hex for unit in self.units.values() if unit.side == side and unit.hex and not unit.demoralized}
        found = {near for hex_ in steady - set(leaving_out) for near in self.board.around[hex_]}
        shared = {unit.hex for unit in self.units.values() if unit.side != side and unit.hex}
        everywhere = self.option["zoc_into_shared_hex"] == "yes"
        return {hex_ for hex_ in found if hex_ not in shared or (everywhere and hex_ not in self.board.major_cities)}

    def held_by(self, side: str) -> set[str]:
        return {unit.hex for unit in self.units.values() if unit.side == side and unit.hex}

    # --- supply ---

    def closed_to(self, side: str, combat: Collection[str] = ()) -> set[str]:
        """Return the hexes that a supply line of a side cannot pass (DM-2.10a, DM-2.10b)."""
        enemy = OTHER[side]
        zone = self.zone_of_control(enemy, combat) - self.held_by(side)
        return (self.held_by(enemy) - set(combat)) | zone

    def is_winter(self) -> bool:
        return self.turn >= (10 if self.option["calendar"] == "t1_22_june" else 9)

    def sources(self, side: str) -> set[str]:
        """Return the sources of a side, reachable or not."""
        if side == GERMAN:
            return {hex_ for hex_ in self.board.hexmap.numbers if hex_.endswith("30")} | self.core_cities(side)
        cities = {hex_ for hex_ in (*self.board.cities, *self.board.major_cities) if self.board.home[hex_] == SOVIET}
        edge = {hex_ for hex_ in self.board.area if hex_.endswith("01")}
        return {hex_ for hex_ in cities if self.control[hex_] == SOVIET} | edge | self.core_cities(side)

    def core_cities(self, side: str) -> set[str]:
        """Return the cities of a side if the series rules apply beside the exclusive rules (R-DM-74)."""
        if self.option["los_core_vs_agc"] != "both":
            return set()
        return {city for city in (*self.board.cities, *self.board.major_cities) if self.control[city] == side}

    def carries(self, hex_: str) -> bool:
        """Return whether supply lines may pass a hex: in the area, or behind the German frontier."""
        return hex_ in self.board.retreat_area or hex_ in self.board.area or self.board.home[hex_] == GERMAN

    def served_rail(self, side: str, closed: set[str]) -> set[str]:
        """Return the rail hexes that usable rail of a side connects with a source."""
        german = side == GERMAN
        usable = {
            hex_
            for hex_ in self.board.rail_around
            if self.control[hex_] == side and (hex_ in self.converted) == german and hex_ not in closed
            if self.carries(hex_)
        }
        front = list((usable & self.sources(side)) | (self.core_cities(side) - closed) & set(self.board.rail_around))
        found = set(front)
        while front:
            near = {each for hex_ in front for each in self.board.rail_around[hex_]} & usable - found
            found |= near
            front = list(near)
        return found

    def has_supply(self, side: str, hex_: str, combat: Collection[str] = ()) -> bool:
        """Return whether a force of a side in a hex has a supply line (AGC-4.3.1a, AGC-4.3.2a)."""
        if self.option["los_in_combat_hex"] == "strict":
            combat = ()
        closed = self.closed_to(side, combat)
        ends = self.served_rail(side, closed) | ({hex_} & self.sources(side))  # R-DM-36
        ends |= self.core_cities(side)
        length = 5 if side == SOVIET else 2 if self.is_winter() else 3
        return self.flood(hex_, closed, ends, length)

    def flood(self, start: str, closed: set[str], ends: set[str], length: int) -> bool:
        """Return whether one of ``ends`` is within ``length`` open hexes."""
        front, seen = {start}, {start}
        for _ in range(length + 1):
            if front & ends:
                return True
            front = {near for hex_ in front for near in self.board.around[hex_]} - seen - closed
            front = set(filter(self.carries, front))
            seen |= front
        return False

    def reaches_source(self, side: str, hex_: str) -> bool:
        """Return whether a path of any length leads to a source, as for surrender (DM-10.0b, R-DM-23)."""
        closed = self.closed_to(side)
        ends = self.sources(side)
        if self.option["surrender_sources"] == "rail_needed":
            ends = self.served_rail(side, closed) | ({hex_} & ends) | self.core_cities(side)
        return self.flood(hex_, closed, ends, 600)

    # --- the terrain chart ---

    def kinds(self, hex_: str) -> set[str]:
        return set(self.board.hexmap.terrain_of(hex_))

    def side_features(self, one: str, other: str) -> set[str]:
        return set(self.board.hexmap.side_of(one, other))

    def river(self, one: str, other: str, side: str) -> bool:
        """Return whether a river counts for a side (AGC-4.6.5a, R-DM-66)."""
        dry = self.turn == 1 and (side == GERMAN or self.option["turn1_rivers"] == "both")
        return bool(one) and not dry and "river" in self.side_features(one, other)

    def ground(self, hex_: str, units: Iterable[str]) -> int:
        foot = all(self.counters[unit_id].type in {"infantry", "cavalry"} for unit_id in units)
        kinds = self.kinds(hex_)
        costs = [4 if foot and kind == "marsh" else GROUND[kind] for kind in kinds if kind in GROUND]
        return max(costs, default=2)

    def step_cost(self, start: str, hex_: str, units: Collection[str]) -> int:
        side = next(self.units[unit_id].side for unit_id in units)
        return self.ground(hex_, units) + RIVER * self.river(start, hex_, side)

    def may_enter_marsh(self, start: str, hex_: str, units: Iterable[str]) -> bool:
        """Return whether units can enter a hex: wheeled units enter a marsh only along a railway."""
        wheels = any(self.counters[unit_id].type in MOBILE for unit_id in units)
        return not (wheels and "marsh" in self.kinds(hex_)) or "rail" in self.side_features(start, hex_)

    def attack_terrain(self, hex_: str) -> int:
        return min(ATTACK.get(kind, 0) for kind in self.kinds(hex_))

    def defense_terrain(self, hex_: str) -> int:
        return max(DEFENSE.get(kind, 0) for kind in self.kinds(hex_))

    # --- boundaries ---

    def beyond_marsh(self) -> bool:
        """Return whether the Germans have passed the marsh: they are, or were last, east of all of it (R-DM-55)."""
        east = min((int(hex_[2:]) for hex_ in self.board.marsh), default=99)
        been = self.held_by(GERMAN) | {hex_ for hex_ in self.board.area if self.control[hex_] == GERMAN}
        return any(int(hex_[2:]) < east for hex_ in been)

    def is_open(self, hex_: str, side: str) -> bool:
        """Return whether a hex is in a side's part of the area, including the marsh (AGC-1.3, R-DM-91)."""
        if hex_ not in self.board.area:
            return False
        return not self.is_bound(side) or hex_ not in self.board.extension or self.beyond_marsh()

    def is_bound(self, side: str) -> bool:
        """Return whether the south and the marsh are closed to a side until the Germans have passed the marsh."""
        return side == GERMAN or self.option.get("soviet_boundaries", "area") == "as_germans"

    # --- stacking ---

    def overstacked(self, units: Iterable[str]) -> bool:
        """Return whether units of one side exceed the limit of a hex (AGC-4.1a to AGC-4.1e, R-DM-56).

        The rulebook has no corps. Soviet corps stand for divisions here, and stack as one.
        """
        counters = [self.counters[unit_id] for unit_id in units]
        if not counters:
            return False
        free = next((each for each in counters if "nkvd" in each.traits), None)
        counted = [each for each in counters if each is not free]
        if all(each.nation == GERMAN for each in counted):
            return len(counted) > 4
        if any(each.nation == GERMAN for each in counted):
            return False  # the rulebook has no mixed stacks
        large = sum(each.size != "regiment" for each in counted)
        expected = 1 if self.option["russian_third_division"] == "any_third" else 2
        return len(counted) > 2 and not (len(counted) == 3 and large >= expected)

    def is_full(self, units: list[str]) -> bool:
        """Return whether a hex is at its limit, so that no division can be added."""
        side = self.units[units[0]].side
        counters = [self.counters[unit_id] for unit_id in units]
        free = next((each for each in counters if "nkvd" in each.traits), None)
        counters = [each for each in counters if each is not free]
        if side == GERMAN:
            return len(counters) >= 4
        large = sum(each.size != "regiment" for each in counters)
        expected = 1 if self.option["russian_third_division"] == "any_third" else 2
        limit = 3 if large + 1 >= expected and len(counters) <= 2 else 2
        return len(counters) >= limit

    # --- comparison ---

    def compare(self, state: DamosState) -> None:
        """Compare the state of the game with the records."""
        for unit_id, unit in state.units.items():
            actual, recorded = UnitRecord(unit).row(), self.units[unit_id].row()
            assert actual == recorded, f"{unit_id}: the game has {actual}, the records {recorded}"
        assert state.converted == sorted(self.converted)
        assert state.replacements == self.points
        wrong = {hex_: holder for hex_, holder in self.control.items() if state.control[hex_] != holder}
        assert not wrong, f"control: the records have {wrong}"

    def check_units(self) -> None:
        """Check that no strength exceeds the printed one, and that each unit is in one place."""
        assert set(self.units) == set(self.counters)
        for unit_id, unit in self.units.items():
            assert (unit.hex != "") == (unit.standing == ON_MAP), unit_id
            if unit.standing == ON_MAP:
                assert 1 <= unit.sp <= self.counters[unit_id].sp, f"{unit_id} has {unit.sp}"
            if unit.standing == ELIMINATED:
                assert not unit.spent
