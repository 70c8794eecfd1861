"""The spaces of combat moves and of non-combat moves."""

from collections.abc import Iterator, Sequence

from msgspec import field

from desert_aa.model.state import LAID_DOWN, Unit
from desert_aa.model.tables import BOMBER, FLAK, KIND_NAMES, PLANES
from desert_aa.movement import air, land
from desert_aa.movement.ground import Ground
from desert_aa.movement.routes import END, MoveSpace, Route
from sandtable import Refusal, Stream

__all__ = ["END", "CombatMoves", "MoveSpace", "NonCombatMoves"]


class CombatMoves(MoveSpace):
    """Combat moves: attacks, blitzes, flights and raids (DAA-16.01 to DAA-16.10).

    ``steps`` are those to the nearest hostile space. ``marks`` are the targets of planes, each with the distance from
    there to the nearest landing.
    """

    steps: dict[str, int] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)

    @classmethod
    def on(cls, ground: Ground) -> "CombatMoves":
        """Return the combat moves on ``ground`` at the beginning of the phase."""
        steps = land.steps_to_enemy(ground)
        flying = any(unit.kind in PLANES and unit.power == ground.power for unit in ground.units.values())
        marks = air.targets(ground) if flying else {}
        space = cls(ground, {}, steps=steps, marks=marks)
        for start, movers in ground.movers.items():
            if steps.get(start, land.OUT_OF_REACH) <= land.LONGEST or marks:
                able = [each for each in movers if space.is_leader(ground.units[each])]
                if able:
                    space.leaders[start] = able
        return space

    def is_leader(self, unit: Unit) -> bool:
        """Return whether the unit has a legal combat move."""
        kind = unit.kind
        if kind in PLANES:
            return bool(air.in_reach(self.ground, unit.space, self.marks, self.ground.range_of(unit)))
        if kind == FLAK or unit.condition in LAID_DOWN:
            return False
        return self.steps.get(unit.space, land.OUT_OF_REACH) <= land.longest(kind)

    def why_unit(self, unit_id: str, start: str) -> Refusal | None:
        """Refuse flak, units that are laid down, and units that already have a move."""
        unit = self.ground.units[unit_id]
        if unit.kind == FLAK:
            return Refusal("DAA-15.06", f"{self.ground.name_of(unit_id)} moves in the non-combat phase only")
        if unit.lies:
            rule = "DAA-6.05" if unit.condition == "cut" else "DAA-4.09"
            return Refusal(rule, f"{self.ground.name_of(unit_id)} is laid down and makes no combat move this turn")
        if unit_id not in self.ground.movers.get(start, ()):
            return Refusal("DAA-16.01", f"{self.ground.name_of(unit_id)} has already made its combat move")
        return None

    def why_path(self, unit: Unit, path: list[str], *, raid: bool) -> Refusal | None:
        """Judge the path by land or by air."""
        if unit.kind in PLANES:
            return air.why_no_sortie(self.ground, unit, path, raid=raid)
        if raid:
            return Refusal("DAA-13.01", f"only bombers raid: leave the {KIND_NAMES[unit.kind]} out")
        return land.why_no_attack(self.ground, unit.kind, path)

    def routes(self, unit_id: str) -> Iterator[Route]:
        """Yield the attacks and raids of the unit; a raid follows the attack along the same path."""
        unit = self.ground.units[unit_id]
        if unit.kind not in PLANES:
            for path in land.land_paths(self.ground, unit.kind, unit.space, land.why_no_attack):
                yield path, False
            return
        for path in air.flights(self.ground, unit.space, self.marks, self.ground.range_of(unit)):
            yield path, False
            if unit.kind == BOMBER and air.may_raid(self.ground, path[-1]):
                yield path, True

    def nearest_paths(self, unit_id: str, *, raid: bool) -> Iterator[list[str]]:
        """Yield paths of attacks, or of raids if ``raid`` is set; for a plane only the first to each target."""
        unit, ground = self.ground.units[unit_id], self.ground
        if unit.kind not in PLANES:
            yield from super().nearest_paths(unit_id, raid=raid)
            return
        for end, path in air.nearest_flights(ground, unit.space, self.marks, ground.range_of(unit)):
            if not raid or (unit.kind == BOMBER and air.may_raid(ground, end)):
                yield path

    def draw(self, unit: Unit, stream: Stream) -> Route:
        """Draw a target, a path to it, and for a bomber whether it raids."""
        ground = self.ground
        if unit.kind not in PLANES:
            return land.draw_attack(ground, self.steps, unit.kind, unit.space, stream), False
        far = ground.range_of(unit)
        end = stream.pick(air.in_reach(ground, unit.space, self.marks, far))
        path = air.draw_flight(ground, unit.space, end, far - self.marks[end], stream)
        return path, unit.kind == BOMBER and air.may_raid(ground, end) and stream.one_in(2)


class NonCombatMoves(MoveSpace):
    """Non-combat moves: marches over friendly ground and flights to landings (DAA-18.01 to DAA-18.03)."""

    @classmethod
    def on(cls, ground: Ground, only: str = "") -> "NonCombatMoves":
        """Return the non-combat moves on ``ground``, or the moves of ``only``, a plane that must land."""
        space = cls(ground, {}, only)
        for start, movers in ground.movers.items():
            able = space.leaders_in(start, [only] if only in movers else () if only else movers)
            if able:
                space.leaders[start] = able
        return space

    def leaders_in(self, start: str, movers: Sequence[str]) -> list[str]:
        """Return the movers in ``start`` with a legal non-combat move that ends in a different space."""
        ground, taken = self.ground, self.ground.state.taken_flak
        distances = ground.board.air_distance[start]
        may_march: dict[str, bool] = {}
        able = []
        for unit_id in movers:
            unit = ground.units[unit_id]
            kind = unit.kind
            if kind in PLANES:
                far = ground.range_of(unit)
                if any(0 < distances[end] <= far for end in ground.landable):
                    able.append(unit_id)
            elif not unit.moved and unit.condition not in LAID_DOWN and unit_id not in taken:
                if kind not in may_march:
                    may_march[kind] = land.may_march(ground, kind, start)
                if may_march[kind]:
                    able.append(unit_id)
        return able

    def _ends(self) -> dict[str, int]:
        return dict.fromkeys(self.ground.landable, 0)

    def why_unit(self, unit_id: str, start: str) -> Refusal | None:
        """Refuse units that are laid down, have moved, or were captured this turn (DAA-18.01, DAA-18.05)."""
        unit = self.ground.units[unit_id]
        if unit.lies:
            rule = "DAA-6.05" if unit.condition == "cut" else "DAA-4.09"
            return Refusal(rule, f"{self.ground.name_of(unit_id)} is laid down and does not move this turn")
        if unit_id not in self.ground.movers.get(start, ()):
            return Refusal("DAA-18.01", f"{self.ground.name_of(unit_id)} has already made its non-combat move")
        if unit.kind not in PLANES and unit.moved:
            return Refusal("DAA-18.01", f"{self.ground.name_of(unit_id)} already moved in the combat phase")
        if unit_id in self.ground.state.taken_flak:
            return Refusal("DAA-18.05", f"{self.ground.name_of(unit_id)} was captured this turn and cannot move")
        return None

    def why_path(self, unit: Unit, path: list[str], *, raid: bool) -> Refusal | None:
        """Judge the path by land or by air."""
        if raid:
            return Refusal("DAA-13.01", "a raid is a combat move: it cannot be ordered now")
        if unit.kind in PLANES:
            return air.why_no_landing(self.ground, unit, path)
        return land.why_no_march(self.ground, unit.kind, path)

    def why_group(self, units: list[str], path: list[str]) -> Refusal | None:
        """Refuse a second flak gun if the option limits each space to one (DAA-R50)."""
        flak = sum(self.ground.units[each].kind == FLAK for each in units)
        if not flak or self.ground.state.options["aa_limit"] != "one_per_space":
            return None
        if flak > 1 or land.is_full_of_flak(self.ground, path[-1]):
            return Refusal("DAA-8.05", f"{self.ground.board.names[path[-1]]} can hold only one flak gun")
        return None

    def routes(self, unit_id: str) -> Iterator[Route]:
        """Yield the marches or flights of the unit."""
        unit = self.ground.units[unit_id]
        if unit.kind in PLANES:
            for path in air.flights(self.ground, unit.space, self._ends(), self.ground.range_of(unit)):
                yield path, False
            return
        for path in land.land_paths(self.ground, unit.kind, unit.space, land.why_no_march):
            if self.why_group([unit_id], path) is None:
                yield path, False

    def nearest_paths(self, unit_id: str, *, raid: bool) -> Iterator[list[str]]:
        """Yield paths of marches or landings; for a plane only the first to each destination."""
        unit, ground = self.ground.units[unit_id], self.ground
        if unit.kind not in PLANES:
            yield from super().nearest_paths(unit_id, raid=raid)
        elif not raid:
            for _, path in air.nearest_flights(ground, unit.space, self._ends(), ground.range_of(unit)):
                yield path

    def draw(self, unit: Unit, stream: Stream) -> Route:
        """Draw a destination and a path to it."""
        ground = self.ground
        if unit.kind not in PLANES:
            return land.draw_march(ground, unit.kind, unit.space, stream), False
        far = ground.range_of(unit)
        ends = air.in_reach(ground, unit.space, self._ends(), far)
        return air.draw_flight(ground, unit.space, stream.pick(ends), far, stream), False
