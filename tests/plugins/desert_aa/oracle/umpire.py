"""An umpire that judges moves on Frontier by the text of the rules."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desert_aa.model.state import DesertState, Unit

ROAD = "BTR-RAS BTR-TEL MGH-TEL MSH-RAS"
TRACKS = "KHA-MSH KHA-OAS KHA-RAS MGH-WAZ OAS-RAS OAS-TEL OAS-WAZ TEL-WAZ"
PAN = "BTR-SHO OAS-SHO RAS-SHO SHO-TEL"
"""The connectors across the salt pan in the middle, which only planes cross."""
ZONES = {"MGH", "WAZ", "MSH", "KHA"}
STEPS = {"infantry": 1, "artillery": 1, "armor": 2, "aa_gun": 1, "fighter": 4, "bomber": 6}
SIDE = {"italy": "axis", "germany": "axis", "england": "allies"}
PLANES = ("fighter", "bomber")


def links(*tables: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for pair in " ".join(tables).split():
        one, _, two = pair.partition("-")
        found.setdefault(one, []).append(two)
        found.setdefault(two, []).append(one)
    return found


BY_ROAD, BY_LAND, BY_AIR = links(ROAD), links(ROAD, TRACKS), links(ROAD, TRACKS, PAN)
Way = tuple[tuple[str, ...], bool]
"""A path, and whether it is a raid."""


def walks(near: Mapping[str, list[str]], start: str, most: int) -> Iterator[tuple[str, ...]]:
    """Yield every walk of one step to ``most`` steps."""
    edge: list[tuple[str, ...]] = [(start,)]
    for _ in range(most):
        edge = [(*path, there) for path in edge for there in near[path[-1]]]
        yield from edge


class Umpire:
    """An umpire that decides the legal moves by the text of the rules, on its own map."""

    def __init__(self, state: DesertState) -> None:
        self.state, self.power, self.side = state, state.phasing_power, state.phasing_side
        enemies = [unit for unit in state.units.values() if SIDE[unit.power] != self.side]
        self.defended = {unit.space for unit in enemies if unit.kind != "aa_gun"}
        self.manned = {unit.space for unit in enemies}
        self.hostile = self.manned | {space for space, power in state.control.items() if SIDE[power] != self.side}
        mines = state.minefields.items()
        self.mined = {space for space, mine in mines if mine.known and SIDE[mine.power] != self.side}
        own = state.options["air_land_ally"] == "own_only"
        self.landable = {
            space
            for space, power in state.control.items()
            if (power == self.power if own else SIDE[power] == self.side) and space not in state.captured
        }

    def far(self, unit: Unit) -> int:
        return STEPS[unit.kind] - unit.moved if unit.kind in PLANES else STEPS[unit.kind] + 1  # DAA-4.02, DAA-5.01

    def home(self, space: str) -> int:
        ways = (len(path) - 1 for path in walks(BY_AIR, space, 6) if path[-1] in self.landable)
        return 0 if space in self.landable else next(ways, 99)

    def halts(self, kind: str, space: str) -> bool:
        foot = kind in ("infantry", "artillery") and self.state.options["mech_blitz"] == "tanks_only"
        return space in self.manned or space in self.mined or (foot and space in self.hostile)

    def attacks(self, unit: Unit) -> Iterator[Way]:
        if unit.kind in PLANES:
            homes = {space: self.home(space) for space in self.defended}
            for path in walks(BY_AIR, unit.space, self.far(unit)):
                if len(path) - 1 + homes.get(path[-1], 99) <= self.far(unit):
                    yield path, False
                    if unit.kind == "bomber" and path[-1] in ZONES:
                        yield path, True
        elif unit.kind != "aa_gun" and unit.condition not in ("extended", "cut"):
            for path in walks(BY_LAND, unit.space, self.far(unit)):
                if self.hostile & {*path[1:]} and not any(self.halts(unit.kind, space) for space in path[1:-1]):
                    yield path, False

    def marches(self, unit: Unit) -> Iterator[Way]:
        if unit.kind in PLANES:
            flights = [path for path in walks(BY_AIR, unit.space, self.far(unit)) if path[-1] in self.landable]
            if any(path[-1] != unit.space for path in flights):
                yield from ((path, False) for path in flights)
        elif (
            not unit.moved
            and unit.condition not in ("extended", "cut")
            and self.name(unit) not in self.state.taken_flak
        ):
            for path in walks(BY_LAND, unit.space, self.far(unit)):
                if not self.hostile & {*path[1:]} and not (unit.kind == "aa_gun" and self.is_full(path[-1])):
                    yield path, False

    def name(self, unit: Unit) -> str:
        return next(each for each, known in self.state.units.items() if known is unit)

    def is_full(self, space: str) -> bool:
        guns = [each for each in self.state.units.values() if each.kind == "aa_gun" and SIDE[each.power] == self.side]
        return self.few and any(gun.space == space for gun in guns)

    @property
    def few(self) -> bool:
        return self.state.options["aa_limit"] == "one_per_space"

    def ways(self, combat: bool, only: str = "") -> dict[str, list[Way]]:
        """Return the legal paths of every unit that has one."""
        judge = self.attacks if combat else self.marches
        own = {each: unit for each, unit in self.state.units.items() if unit.power == self.power and only in ("", each)}
        return {each: ways for each, unit in own.items() if (ways := list(judge(unit)))}

    def orders(self, combat: bool, only: str = "") -> set[tuple[tuple[str, ...], tuple[str, ...], bool]]:
        """Return every legal order: all groups of units that can take the same path."""
        able: dict[Way, list[str]] = {}
        for each, ways in self.ways(combat, only).items():
            for way in ways:
                able.setdefault(way, []).append(each)
        found = set()
        for (path, raid), units in able.items():
            for size in range(1, len(units) + 1):
                for group in combinations(sorted(units), size):
                    flak = sum(self.state.units[each].kind == "aa_gun" for each in group)
                    if flak < 2 or not self.few:
                        found.add((group, path, raid))
        return found

    def lies_after(self, unit: Unit, path: tuple[str, ...]) -> bool:
        """Return whether the extra step of a move lays the unit down (DAA-4.03, DAA-6.02, DAA-R18)."""
        return (
            unit.kind not in PLANES and len(path) - 1 > STEPS[unit.kind] and path[-1] not in BY_ROAD.get(path[-2], ())
        )
