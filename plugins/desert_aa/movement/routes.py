"""The base class of the spaces of move orders: judges, draws and lists moves of groups along a path."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Self

from msgspec import structs

from desert_aa.model.orders import EndMoves, MoveUnits
from desert_aa.model.state import EXTENDED, Unit
from desert_aa.model.tables import FLAK, GROUND
from desert_aa.movement.ground import Ground
from desert_aa.movement.supply import fuel_after
from sandtable import Asking, Refusal, Space, Stream

END = EndMoves()
STAYS, GOES = "stays", "goes along"
Route = tuple[list[str], bool]
"""A path, and whether the move is a raid."""


class MoveSpace(Space):
    """Move orders that are legal on ``ground``, and EndMoves unless ``only`` names a plane that must land.

    ``only`` limits the moves to one unit. ``leaders`` lists the units with a legal move, by space. ``routes`` yields
    all moves of a unit, and ``destinations`` returns its destinations, each with a shortest path.
    """

    ground: Ground
    leaders: dict[str, list[str]]
    only: str = ""
    drawn: Any = None

    def why_unit(self, unit_id: str, start: str) -> Refusal | None:
        """Return why a unit of the power, in ``start``, may not move in this phase, or None if it may."""
        raise NotImplementedError

    def why_path(self, unit: Unit, path: list[str], *, raid: bool) -> Refusal | None:
        """Return why a unit like ``unit`` may not take ``path``, or None if it may."""
        raise NotImplementedError

    def routes(self, unit_id: str) -> Iterator[Route]:
        """Yield all legal moves of the unit, shortest paths first."""
        raise NotImplementedError

    def draw(self, unit: Unit, stream: Stream) -> Route:
        """Draw one of the moves of a unit that has at least one."""
        raise NotImplementedError

    def why_group(self, units: list[str], path: list[str]) -> Refusal | None:  # noqa: ARG002 - for subclasses
        """Return why these units may not move together, or None if they may."""
        return None

    # --- what every space can do ---

    def check(self, value: Any) -> None:
        """Raise IllegalOrder if ``value`` is illegal. The order drawn or found legal last is not judged again."""
        if value is None or value is not self.drawn:
            super().check(value)

    def is_legal(self, value: Any) -> bool:
        """Return whether ``value`` is legal, and remember a legal value as if it had been drawn."""
        if value is None or (value is not self.drawn and self.why_not(value) is not None):
            return False
        self.drawn = value
        return True

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a value that is not a move, and a move that one of its units may not make."""
        if type(value) is EndMoves:
            return Refusal("DAA-18.03", f"{self.ground.name_of(self.only)} must land first") if self.only else None
        if type(value) is not MoveUnits:
            return Refusal("DAA-16.02", f"{type(value).__name__} is not an order of this phase: type a move, or end")
        refusal = _why_malformed(value)
        if refusal is not None:
            return refusal
        judged: dict[tuple[str, int], Refusal | None] = {}
        for unit_id in value.units:
            if self.only and unit_id != self.only:
                return Refusal("DAA-18.03", f"{self.ground.name_of(self.only)} must land before other units move")
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
        """Draw an order. Every legal order can be drawn; EndMoves, if legal, has a probability of one in eight."""
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
        """Return the units in ``start`` that may take ``path``, each judged alone."""
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
        for path, raid, able in self._all_routes():
            for size in range(1, len(able) + 1):
                for units in combinations(able, size):
                    if self.why_group(list(units), path) is None:
                        yield MoveUnits(list(units), path, raid)

    def count(self, limit: int = 1_000_000) -> int:
        """Return the number of orders, up to ``limit``."""
        total = 0 if self.only else 1
        for path, _, able in self._all_routes():
            flak = [each for each in able if self.ground.units[each].kind == FLAK]
            others = len(able) - len(flak)
            free = len(flak) < 2 or self.why_group(flak, path) is None
            total += (1 << len(able)) - 1 if free else (1 + len(flak)) * (1 << others) - 1
            if total >= limit:
                return limit
        return total

    def in_parts(self) -> Asking:
        """Ask for a unit or the end of moves, then for its destination and path, then for units that go along."""
        units = [each for start in sorted(self.leaders) for each in self.leaders[start]]
        leader = yield "unit", [*([] if self.only else [END]), *units]
        if isinstance(leader, EndMoves):
            return END
        routes = list(self.routes(leader))
        end = yield "to", list(dict.fromkeys(path[-1] for path, _ in routes))
        raid = yield "raid", list(dict.fromkeys(raid for path, raid in routes if path[-1] == end))
        path = yield "path", [path for path, is_raid in routes if path[-1] == end and is_raid == raid]
        going = [leader]
        able = [] if self.only else self.companions(path[0], path, raid=raid)
        for each in able:
            if each == leader or self.why_group([*going, each], path) is not None:
                continue
            if (yield each, (STAYS, GOES)) == GOES:
                going.append(each)
        return MoveUnits(sorted(going), path, raid)

    def _all_routes(self) -> Iterator[tuple[list[str], bool, list[str]]]:
        for start in sorted(self.leaders):
            seen: set[tuple[str, ...]] = set()
            for leader in self.leaders[start]:
                for path, raid in self.routes(leader):
                    key = (*path, "raid" if raid else "")
                    if key not in seen:
                        seen.add(key)
                        able = [self.only] if self.only else self.companions(start, path, raid=raid)
                        yield path, raid, able

    def without(self, units: list[str]) -> Self:
        """Return a copy of the space without ``units``, which have moved."""
        left = {start: [each for each in able if each not in units] for start, able in self.leaders.items()}
        return structs.replace(self, leaders={start: able for start, able in left.items() if able}, drawn=None)

    def destinations(self, unit_id: str, *, raid: bool = False) -> dict[str, list[str]]:
        """Return the destinations of a unit, each with a shortest path, for bots and consoles.

        Among the shortest paths, the first after which the unit is not laid down is preferred (DAA-4.03, DAA-6.02).
        """
        found: dict[str, list[str]] = {}
        for path in self.nearest_paths(unit_id, raid=raid):
            known = found.setdefault(path[-1], path)
            if len(path) == len(known) and self.lies_after(unit_id, known) and not self.lies_after(unit_id, path):
                found[path[-1]] = path
        return found

    def lies_after(self, unit_id: str, path: list[str]) -> bool:
        """Return whether the unit would be laid down, out of fuel, after ``path``; never for a plane."""
        unit = self.ground.units[unit_id]
        return unit.kind in GROUND and fuel_after(self.ground.state, unit.power, unit.kind, path) == EXTENDED

    def nearest_paths(self, unit_id: str, *, raid: bool) -> Iterator[list[str]]:
        """Yield paths of the unit, including the first to each destination."""
        return (path for path, is_raid in self.routes(unit_id) if is_raid == raid)


def _why_malformed(order: MoveUnits) -> Refusal | None:
    """Refuse an order without units or without a path, or with a unit that is named twice."""
    if not _is_row(order.units, 1):
        return Refusal("DAA-16.02", "name the units that move")
    if len(order.units) != len(dict.fromkeys(order.units)):
        return Refusal("DAA-16.02", "a unit is named twice")
    if not _is_row(order.path, 2):
        return Refusal("DAA-16.02", "name the path: the space the units are in, then each space they enter")
    return None if type(order.raid) is bool else Refusal("DAA-13.01", "raid is either true or false")


def _is_row(value: Any, least: int) -> bool:
    return isinstance(value, list | tuple) and len(value) >= least and all(isinstance(each, str) for each in value)
