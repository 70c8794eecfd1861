"""The spaces of move orders: combat moves, and non-combat moves."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Self

from msgspec import field, structs

from desert_aa.movement import air, land
from desert_aa.movement.ground import Ground
from desert_aa.orders import EndMoves, MoveUnits
from desert_aa.state import Unit
from desert_aa.tables import BOMBER, FLAK, PLANES
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal, Space

END = EndMoves()
Way = tuple[list[str], bool]
"""A path, and whether it is a raid."""


class MoveSpace(Space):
    """Move orders that are legal on ``ground``, and EndMoves unless ``must_move``.

    ``only`` limits them to one unit. Besides what every space can do, ``leaders`` lists the units with a legal move,
    ``ways`` the paths of a unit, and ``destinations`` where it may go, each with a shortest path.
    """

    ground: Ground
    leaders: dict[str, list[str]]
    only: str = ""
    drawn: Any = None

    def why_unit(self, unit_id: str, start: str) -> Refusal | None:
        """Return why the unit may not move from ``start``."""
        raise NotImplementedError

    def why_path(self, unit: Unit, path: list[str], *, raid: bool) -> Refusal | None:
        """Return why a unit like ``unit`` may not take ``path``."""
        raise NotImplementedError

    def ways(self, unit_id: str) -> Iterator[Way]:
        """Yield all that the unit may do, short paths first."""
        raise NotImplementedError

    def draw(self, unit: Unit, stream: Stream) -> Way:
        """Return one of the ways of a leader, drawn."""
        raise NotImplementedError

    def why_group(self, units: list[str], path: list[str]) -> Refusal | None:  # noqa: ARG002 - for subclasses
        """Return why these units may not go together."""
        return None

    # --- what every space can do ---

    def check(self, value: Any) -> None:
        """Raise IllegalOrder when ``value`` may not be ordered; what was just drawn needs no second look."""
        if value is None or value is not self.drawn:
            super().check(value)

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse what is no move, and a move that one of its units may not make."""
        if type(value) is EndMoves:
            return Refusal("DAA-18.03", f"{self.only} must land first") if self.only else None
        if type(value) is not MoveUnits:
            return Refusal("", f"{type(value).__name__} cannot be ordered here: MoveUnits or EndMoves is wanted")
        refusal = _why_malformed(value)
        if refusal is not None:
            return refusal
        judged: dict[tuple[str, int], Refusal | None] = {}
        for unit_id in value.units:
            if self.only and unit_id != self.only:
                return Refusal("DAA-18.03", f"{self.only} must land first: {unit_id} cannot move now")
            refusal = self.ground.why_idle(unit_id, value.path[0]) or self.why_unit(unit_id, value.path[0])
            if refusal is not None:
                return refusal
            unit = self.ground.units[unit_id]
            alike = (unit.kind, unit.moved)
            if alike not in judged:
                judged[alike] = self.why_path(unit, value.path, raid=value.raid)
            refusal = judged[alike]
            if refusal is not None:
                return refusal
        return self.why_group(value.units, value.path)

    def sample(self, stream: Stream) -> Any:
        """Return one order; every one may come up. EndMoves is one in eight."""
        if not self.leaders or (not self.only and stream.below(8) == 0):
            self.drawn = END
            return END
        start = stream.pick(sorted(self.leaders))
        leader = stream.pick(self.leaders[start])
        path, raid = self.draw(self.ground.units[leader], stream)
        units = [leader]
        able = [] if self.only else [each for each in self.companions(start, path, raid=raid) if each != leader]
        if able:
            bits = stream.below(1 << len(able))
            units = sorted([leader, *(each for place, each in enumerate(able) if bits >> place & 1)])
            if self.why_group(units, path) is not None:
                units = [leader]
        self.drawn = order = MoveUnits(units, path, raid)
        return order

    def companions(self, start: str, path: list[str], *, raid: bool) -> list[str]:
        """Return the units in ``start`` that may take ``path``, each by itself."""
        judged: dict[tuple[str, int], bool] = {}
        able = []
        for unit_id in self.ground.movers.get(start, ()):
            unit = self.ground.units[unit_id]
            alike = (unit.kind, unit.moved)
            if alike not in judged:
                judged[alike] = self.why_path(unit, path, raid=raid) is None
            if judged[alike] and (self.why_unit(unit_id, start) or self.why_group([unit_id], path)) is None:
                able.append(unit_id)
        return able

    def values(self) -> Iterator[Any]:
        """Yield EndMoves, then the moves: by start, by path, single units first."""
        if not self.only:
            yield END
        for path, raid, able in self._ways_from_everywhere():
            for size in range(1, len(able) + 1):
                for units in combinations(able, size):
                    if self.why_group(list(units), path) is None:
                        yield MoveUnits(list(units), path, raid)

    def count(self, limit: int = 1_000_000) -> int:
        """Return how many orders there are, or ``limit`` when there are more."""
        total = 0 if self.only else 1
        for path, _, able in self._ways_from_everywhere():
            flak = [each for each in able if self.ground.units[each].kind == FLAK]
            others = len(able) - len(flak)
            free = len(flak) < 2 or self.why_group(flak, path) is None
            total += (1 << len(able)) - 1 if free else (1 + len(flak)) * (1 << others) - 1
            if total >= limit:
                return limit
        return total

    def is_empty(self) -> bool:
        """Return whether nothing can be ordered."""
        return bool(self.only) and not self.leaders

    def _ways_from_everywhere(self) -> Iterator[tuple[list[str], bool, list[str]]]:
        for start in sorted(self.leaders):
            seen: set[tuple[str, ...]] = set()
            for leader in self.leaders[start]:
                for path, raid in self.ways(leader):
                    key = (*path, "raid" if raid else "")
                    if key not in seen:
                        seen.add(key)
                        able = [self.only] if self.only else self.companions(start, path, raid=raid)
                        yield path, raid, able

    def without(self, units: list[str]) -> Self:
        """Return the space that is left when ``units`` have moved."""
        left = {start: [each for each in able if each not in units] for start, able in self.leaders.items()}
        return structs.replace(self, leaders={start: able for start, able in left.items() if able}, drawn=None)

    def destinations(self, unit_id: str, *, raid: bool = False) -> dict[str, list[str]]:
        """Return where the unit may go, each with a shortest path, for bots and consoles."""
        found: dict[str, list[str]] = {}
        for path, is_raid in self.ways(unit_id):
            if is_raid == raid:
                found.setdefault(path[-1], path)
        return found


def _why_malformed(order: MoveUnits) -> Refusal | None:
    """Refuse an order that names no units, one twice, or no path."""
    if not _is_row(order.units, 1):
        return Refusal("DAA-16.02", "name the units that move, by id")
    if len(order.units) != len(dict.fromkeys(order.units)):
        return Refusal("DAA-16.02", "a unit is named twice")
    if not _is_row(order.path, 2):
        return Refusal("DAA-16.02", "name the path: the space the units stand in, then each space they enter")
    return None if type(order.raid) is bool else Refusal("DAA-13.01", "raid is either true or false")


def _is_row(value: Any, least: int) -> bool:
    return isinstance(value, list | tuple) and len(value) >= least and all(isinstance(each, str) for each in value)


class CombatMoves(MoveSpace):
    """Combat moves: attacks, blitzes, sorties, raids (DAA-16)."""

    steps: dict[str, int] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)

    @classmethod
    def on(cls, ground: Ground) -> "CombatMoves":
        """Return the combat moves on ``ground``, at the beginning of the phase."""
        steps = land.steps_to_enemy(ground)
        flying = any(unit.kind in PLANES and unit.power == ground.power for unit in ground.units.values())
        marks = air.targets(ground) if flying else {}
        space = cls(ground, {}, steps=steps, marks=marks)
        for start, movers in ground.movers.items():
            able = [each for each in movers if space.is_leader(ground.units[each])]
            if able:
                space.leaders[start] = able
        return space

    def is_leader(self, unit: Unit) -> bool:
        """Tell whether the unit has a legal combat move."""
        if unit.kind in PLANES:
            return bool(air.in_reach(self.ground, unit.space, self.marks, self.ground.range_of(unit)))
        if unit.kind == FLAK or unit.lies:
            return False
        return self.steps.get(unit.space, land.OUT_OF_REACH) <= land.longest(unit.kind)

    def why_unit(self, unit_id: str, start: str) -> Refusal | None:
        """Refuse flak, units that lie, and units that have a move already."""
        unit = self.ground.units[unit_id]
        if unit.kind == FLAK:
            return Refusal("DAA-15.06", f"{unit_id} is flak: it moves in the non-combat phase only")
        if unit.lies:
            rule = "DAA-6.05" if unit.condition == "cut" else "DAA-4.09"
            return Refusal(rule, f"{unit_id} is laid down: it makes no combat move this turn")
        if unit_id not in self.ground.movers.get(start, ()):
            return Refusal("DAA-16.01", f"{unit_id} has its combat move already")
        return None

    def why_path(self, unit: Unit, path: list[str], *, raid: bool) -> Refusal | None:
        """Judge the path by land or by air."""
        if unit.kind in PLANES:
            return air.why_no_sortie(self.ground, unit, path, raid=raid)
        if raid:
            return Refusal("DAA-13.01", f"only bombers raid: {land.NAMES[unit.kind]} cannot")
        return land.why_no_attack(self.ground, unit.kind, path)

    def ways(self, unit_id: str) -> Iterator[Way]:
        """Yield the attacks, then the raids, of the unit."""
        unit = self.ground.units[unit_id]
        if unit.kind not in PLANES:
            for path in land.land_paths(self.ground, unit.kind, unit.space, land.why_no_attack):
                yield path, False
            return
        for path in air.flights(self.ground, unit.space, self.marks, self.ground.range_of(unit)):
            yield path, False
            if unit.kind == BOMBER and air.may_raid(self.ground, path[-1]):
                yield path, True

    def draw(self, unit: Unit, stream: Stream) -> Way:
        """Draw a target and a path to it."""
        ground = self.ground
        if unit.kind not in PLANES:
            return land.draw_attack(ground, self.steps, unit.kind, unit.space, stream), False
        far = ground.range_of(unit)
        end = stream.pick(air.in_reach(ground, unit.space, self.marks, far))
        path = air.draw_flight(ground, unit.space, end, far - self.marks[end], stream)
        return path, unit.kind == BOMBER and air.may_raid(ground, end) and stream.one_in(2)


class NonCombatMoves(MoveSpace):
    """Non-combat moves: marches on friendly ground, and flights to where planes may land (DAA-18)."""

    @classmethod
    def on(cls, ground: Ground, only: str = "") -> "NonCombatMoves":
        """Return the non-combat moves on ``ground``; with ``only`` those of one plane that must land."""
        space = cls(ground, {}, only)
        for start, movers in ground.movers.items():
            able = [each for each in movers if only in ("", each) and space.is_leader(each)]
            if able:
                space.leaders[start] = able
        return space

    def is_leader(self, unit_id: str) -> bool:
        """Tell whether the unit has a legal non-combat move that ends elsewhere."""
        unit = self.ground.units[unit_id]
        if unit.kind in PLANES:
            ends = air.in_reach(self.ground, unit.space, self._ends(), self.ground.range_of(unit))
            return any(end != unit.space for end in ends)
        if self.why_unit(unit_id, unit.space) is not None:
            return False
        return land.may_march(self.ground, unit.kind, unit.space)

    def _ends(self) -> dict[str, int]:
        return dict.fromkeys(self.ground.landable, 0)

    def why_unit(self, unit_id: str, start: str) -> Refusal | None:
        """Refuse units that lie, have moved, or were captured this turn (DAA-18.01, DAA-18.05)."""
        unit = self.ground.units[unit_id]
        if unit.lies:
            rule = "DAA-6.05" if unit.condition == "cut" else "DAA-4.09"
            return Refusal(rule, f"{unit_id} is laid down: it does not move this turn")
        if unit_id not in self.ground.movers.get(start, ()):
            return Refusal("DAA-18.01", f"{unit_id} has made its non-combat move")
        if unit.kind not in PLANES and unit.moved:
            return Refusal("DAA-18.01", f"{unit_id} moved in the combat phase: it has no second move")
        if unit_id in self.ground.state.taken_flak:
            return Refusal("DAA-18.05", f"{unit_id} was captured this turn: it stays where it is")
        return None

    def why_path(self, unit: Unit, path: list[str], *, raid: bool) -> Refusal | None:
        """Judge the path by land or by air."""
        if raid:
            return Refusal("DAA-13.01", "a raid is a combat move")
        if unit.kind in PLANES:
            return air.why_no_landing(self.ground, unit, path)
        return land.why_no_march(self.ground, unit.kind, path)

    def why_group(self, units: list[str], path: list[str]) -> Refusal | None:
        """Refuse a second flak gun where a space holds one only (DAA-R50)."""
        flak = sum(self.ground.units[each].kind == FLAK for each in units)
        if not flak or self.ground.state.options["aa_limit"] != "one_per_space":
            return None
        if flak > 1 or land.is_full_of_flak(self.ground, path[-1]):
            return Refusal("DAA-8.05", f"{path[-1]} can hold one flak gun only")
        return None

    def ways(self, unit_id: str) -> Iterator[Way]:
        """Yield the marches or flights of the unit."""
        unit = self.ground.units[unit_id]
        if unit.kind in PLANES:
            for path in air.flights(self.ground, unit.space, self._ends(), self.ground.range_of(unit)):
                yield path, False
            return
        for path in land.land_paths(self.ground, unit.kind, unit.space, land.why_no_march):
            if self.why_group([unit_id], path) is None:
                yield path, False

    def draw(self, unit: Unit, stream: Stream) -> Way:
        """Draw a destination and a path to it."""
        ground = self.ground
        if unit.kind not in PLANES:
            return land.draw_march(ground, unit.kind, unit.space, stream), False
        far = ground.range_of(unit)
        ends = air.in_reach(ground, unit.space, self._ends(), far)
        return air.draw_flight(ground, unit.space, stream.pick(ends), far, stream), False
