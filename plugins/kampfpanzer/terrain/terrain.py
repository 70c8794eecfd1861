"""The map under the rules and options of a game: costs of steps, lines of sight, cover.

All functions use printed numbers and directions "A" to "F"; costs are half points. A ``Ground`` belongs to a board, its
options and its wrecks, and never changes. ``ground_of`` returns the current one.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kampfpanzer.model.state import KampfState
from kampfpanzer.model.tables import (
    CLEAR,
    COST_RULES,
    DEFENSE,
    ENTRENCHMENT,
    HEX_HALVES,
    HILLTOP,
    LETTERS,
    SIDE_HALVES,
    SLOPE,
    TOWN,
    WOODS,
    WRECK,
)
from kampfpanzer.terrain.line_of_sight import FirePath, LinesOfSight
from sandtable import Refusal
from sandtable.graphs import CostTable
from sandtable.hexes import Direction, HexMap, within_arc

if TYPE_CHECKING:
    from kampfpanzer.model.board import Board

__all__ = ["FirePath", "Ground", "Step", "Toll", "ground_of"]

Step = tuple[str, str, int]
"""A step: its direction, the hex it leads to, its cost in half points."""

Toll = tuple[str, int, str]
"""The cost of a step: the terrain or feature, half points, rule."""

StepInto = tuple[str, int]
"""A step into a hex: the hex it comes from, its cost in half points."""

SixSteps = tuple[tuple[str, int], ...]
"""By direction, A to F, the next hex and the half points of the step there, or "" and 0 beyond the edge of the map."""

COVER_RANGE = 3
"""Maximum range in hexes of fire into woods and town hexes (KP-9.16f)."""

GROUND_OPTIONS = ("los_ties", "woods_hexsides", "multi_terrain_hex", "facing_arc", "map_exit")
"""The options that affect the ground."""

MAX_KEPT = 64
"""Maximum number of cached grounds, one per pattern of wrecks; the cache is then cleared."""

_DOMINANT = (TOWN, WOODS, SLOPE, HILLTOP, CLEAR)
"""The order of terrains if only one of several in a hex counts (R-KP-19, option dominant_only)."""


class Terrain:
    """The data that a map and the options determine for all games, without wrecks."""

    def __init__(self, hexmap: HexMap, options: Mapping[str, str]) -> None:
        self.hexmap = hexmap
        kinds = {number: tuple(hexmap.terrain_of(number)) for number in hexmap.numbers}
        if options["multi_terrain_hex"] == "dominant_only":
            kinds = {number: _dominant(each) for number, each in kinds.items()}
        self.kinds: dict[str, tuple[str, ...]] = kinds
        self.sight = LinesOfSight(hexmap, kinds, options["los_ties"], options["woods_hexsides"])
        self.inclusive_arc = options["facing_arc"] == "inclusive_60"
        self.free_exit = options["map_exit"] == "free"
        self.steps: dict[str, dict[str, tuple[Step, ...]]] = {mobility: {} for mobility in HEX_HALVES}
        self.six_steps: dict[str, dict[str, SixSteps]] = {mobility: {} for mobility in HEX_HALVES}
        self.steps_into: dict[str, dict[str, tuple[StepInto, ...]]] = {mobility: {} for mobility in HEX_HALVES}
        self.halves: dict[str, dict[str, dict[str, int]]] = {mobility: {} for mobility in HEX_HALVES}
        self.tolls: dict[tuple[str, str, str], Toll] = {}
        self.grounds: dict[tuple[str, ...], Ground] = {}
        self.numbers: dict[tuple[int, int], str] = {space: number for number, space in hexmap.axial.items()}


def _dominant(kinds: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(kind for kind in _DOMINANT if kind in kinds)[:1] or kinds[:1]


class Ground:
    """The ground of a game, including its wrecks; use ``ground_of`` or ``Ground.on`` to get it."""

    def __init__(self, terrain: Terrain, wrecks: tuple[str, ...]) -> None:
        self.terrain = terrain
        self.hexmap = terrain.hexmap
        self.wrecks = frozenset(wrecks)
        self._around: Mapping[str, Sequence[str]] = terrain.hexmap.around
        beside = {near for each in wrecks for near in self._around[each] if near}
        self._near_wrecks = beside
        self._halves = terrain.halves if not beside else {mobility: {} for mobility in HEX_HALVES}
        self._steps = terrain.steps if not beside else {mobility: {} for mobility in HEX_HALVES}
        self._six_steps_near_wrecks: dict[str, dict[str, SixSteps]] = {mobility: {} for mobility in HEX_HALVES}
        self._into_wrecks: dict[str, dict[str, tuple[StepInto, ...]]] = {mobility: {} for mobility in HEX_HALVES}
        self._tolls: dict[tuple[str, str, str], Toll] = {}
        self._tables: dict[str, CostTable] = {}

    @classmethod
    def on(cls, board: "Board", options: Mapping[str, str], wrecks: Sequence[str]) -> "Ground":
        """Return the ground of a board under the options of a game, with wrecks in these hexes (KP-9.91a)."""
        key = tuple(options[name] for name in GROUND_OPTIONS)
        terrains: dict[tuple[str, ...], Terrain] = board.caches.setdefault("terrains", {})
        terrain = terrains.get(key)
        if terrain is None:
            terrain = terrains[key] = Terrain(board.hexmap, options)
        wreck_hexes = tuple(wrecks)
        ground = terrain.grounds.get(wreck_hexes)
        if ground is None:
            if len(terrain.grounds) > MAX_KEPT:
                terrain.grounds.clear()
            ground = terrain.grounds[wreck_hexes] = cls(terrain, wreck_hexes)
        return ground

    # --- positions of hexes ---

    def neighbor(self, hex_: str, letter: str) -> str:
        """Return the next hex in a direction, or "" beyond the edge of the map."""
        return self._around[hex_][LETTERS.index(letter)]

    def around(self, hex_: str) -> Sequence[str]:
        """Return the six neighbors in the directions A to F, "" beyond the edge of the map."""
        return self._around[hex_]

    def range_hexes(self, a: str, b: str) -> int:
        """Return the distance between two hexes (KP-9.17a)."""
        return self.hexmap.range_hexes(a, b)

    def holds(self, hex_: str) -> bool:
        """Return whether a text is the number of a hex of the map."""
        return hex_ in self._around

    def offset(self, hex_: str, q: int, r: int) -> str:
        """Return the hex at an offset in axial coordinates from another, or "" if it is off the map."""
        space = self.hexmap.axial[hex_]
        return self.terrain.numbers.get((space.q + q, space.r + r), "")

    # --- costs of movement ---

    def step_halves(self, mobility: str, a: str, b: str) -> int:
        """Return the half points of a step from a hex to an adjacent one (KP-10.0a).

        A feature of the hexside replaces the cost of the hex (KP-10.0k, R-KP-18).
        """
        row = self._halves[mobility].get(a)
        return row[b] if row is not None else self._row(mobility, a)[b]

    def table(self, mobility: str) -> CostTable:
        """Return the costs of all steps as a table for searches."""
        if mobility not in self._tables:
            self._tables[mobility] = self.hexmap.cost_table(lambda a, b: self.step_halves(mobility, a, b))
        return self._tables[mobility]

    def steps(self, mobility: str, hex_: str) -> tuple[Step, ...]:
        """Return the steps from a hex to others on the map, A to F."""
        found = self._steps[mobility].get(hex_)
        if found is None:
            six_steps = zip(LETTERS, self.six_steps(mobility, hex_), strict=True)
            found = self._steps[mobility][hex_] = tuple((letter, *step) for letter, step in six_steps if step[0])
        return found

    def six_steps(self, mobility: str, hex_: str) -> SixSteps:
        """Return the next hex in each direction and the cost of the step there."""
        known = (self._six_steps_near_wrecks if hex_ in self._near_wrecks else self.terrain.six_steps)[mobility]
        found = known.get(hex_)
        if found is None:
            row = self._row(mobility, hex_)
            found = known[hex_] = tuple((near, row[near] if near else 0) for near in self._around[hex_])
        return found

    def steps_into(self, mobility: str, hex_: str) -> tuple[StepInto, ...]:
        """Return the steps into a hex; wrecks affect only steps into their own hexes (KP-10.0l)."""
        known = (self._into_wrecks if hex_ in self.wrecks else self.terrain.steps_into)[mobility]
        found = known.get(hex_)
        if found is None:
            near = filter(None, self._around[hex_])
            found = known[hex_] = tuple((each, self.step_halves(mobility, each, hex_)) for each in near)
        return found

    def _row(self, mobility: str, a: str) -> dict[str, int]:
        """Return the cost of each step from a hex, cached; wrecks affect only the rows of adjacent hexes."""
        plain = self.terrain.halves[mobility]
        row = plain.get(a)
        if row is None:
            costs = SIDE_HALVES[mobility]
            row = plain[a] = {}
            for b in filter(None, self._around[a]):
                features = self.hexmap.side_of(a, b)
                feature = next((each for each in costs if each in features), "") if features else ""
                row[b] = costs[feature] if feature else self._hex_halves(mobility, b)
        if a in self._near_wrecks:
            costs = SIDE_HALVES[mobility]
            wreck = HEX_HALVES[mobility][WRECK]
            barred = [b for b in row if b in self.wrecks and not any(f in costs for f in self.hexmap.side_of(a, b))]
            row = row | {b: max(row[b], wreck) for b in barred}  # KP-10.0l
        self._halves[mobility][a] = row
        return row

    def _hex_halves(self, mobility: str, hex_: str) -> int:
        """Return the cost of a hex without wrecks: that of a town in any town, or else the highest (R-KP-19)."""
        costs, kinds = HEX_HALVES[mobility], self.terrain.kinds[hex_]
        return costs[TOWN] if TOWN in kinds else max(costs[kind] for kind in kinds)

    def toll(self, mobility: str, a: str, b: str) -> Toll:
        """Return the cost of the step to an adjacent hex, with its line of the chart; ``a`` is "" for an entry."""
        key, known = (mobility, a, b), self._tolls if b in self.wrecks else self.terrain.tolls
        found = known.get(key)
        if found is None:
            found = known[key] = self._find_toll(mobility, a, b)
        return found

    def _find_toll(self, mobility: str, a: str, b: str) -> Toll:
        cost = self.step_halves(mobility, a, b) if a else self.entry_halves(mobility, b)
        features = self.hexmap.side_of(a, b) if a else ()
        by_side = next((each for each in SIDE_HALVES[mobility] if each in features), "") if features else ""
        if by_side:
            return by_side, cost, COST_RULES[by_side]
        costs = HEX_HALVES[mobility]
        terrains = (*self.terrain.kinds[b], *((WRECK,) if b in self.wrecks else ()))
        name = next(each for each in terrains if costs[each] == cost)
        return name, cost, COST_RULES[name]

    def entry_halves(self, mobility: str, hex_: str) -> int:
        """Return the half points to enter the map in a hex (KP-14.0g)."""
        halves = self._hex_halves(mobility, hex_)
        return max(halves, HEX_HALVES[mobility][WRECK]) if hex_ in self.wrecks else halves

    def exit_halves(self, mobility: str) -> int:
        """Return the half points of the step off the map (R-KP-21)."""
        return 0 if self.terrain.free_exit else HEX_HALVES[mobility][CLEAR]

    # --- fire ---

    def sees(self, a: str, b: str, *, high_explosive: bool) -> bool:
        """Return whether terrain permits fire from ``a`` at ``b``; a fast version of ``why_unseen``."""
        if not high_explosive and self.is_covered(b) and self.range_hexes(a, b) > COVER_RANGE:
            return False
        return not self.terrain.sight.blocker(a, b)

    def why_unseen(self, a: str, b: str, high_explosive: bool) -> Refusal | None:  # noqa: FBT001 - the brief form
        """Refuse fire from ``a`` at ``b`` if terrain forbids it; high explosive reaches into cover (KP-9.37a).

        The refusal names the hexside or hex that blocks the line (KP-9.15a, KP-9.16a).
        """
        blocker = self.terrain.sight.blocker(a, b)
        if blocker:
            rule = _BLOCKED_BY[blocker.partition(" ")[0]] if " hexside " in blocker else "R-KP-30"
            return Refusal(rule, f"{b} cannot be seen from {a}: the {blocker} is in the way")
        distance = self.range_hexes(a, b)
        if not high_explosive and self.is_covered(b) and distance > COVER_RANGE:
            cover = self.terrain.sight.cover_of(b)
            far = f"it is {distance} hexes from {a}, and the maximum is {COVER_RANGE}"
            return Refusal("KP-9.16f", f"{b} is a {cover} hex: {far} for fire into it")
        return None

    def in_arc(self, hex_: str, facing: str, target: str) -> bool:
        """Return whether a gun in a hex with a facing may fire at a target hex (KP-9.4c, R-KP-33)."""
        axial = self.hexmap.axial
        facing_to = Direction(LETTERS.index(facing))
        return within_arc(axial[hex_], facing_to, axial[target], inclusive=self.terrain.inclusive_arc)

    def fire_path(self, a: str, b: str) -> FirePath:
        """Return the hexes and hexsides that a shot from ``a`` at ``b`` passes (KP-9.23a, KP-9.23b)."""
        return self.terrain.sight.path(a, b)

    def cover(self, hex_: str, firers: Sequence[str], *, entrenched: bool) -> tuple[int, str]:
        """Return the addition to the defense in a hex against fire from these hexes, and its source, or "".

        It is the best of terrain, of a slope if at least one firer shoots across its crest (KP-10.0i, KP-10.0j), and of
        a wreck (KP-10.0l). An entrenchment replaces all of these (KP-13.0e).
        """
        if entrenched:
            return ENTRENCHMENT, "entrenchment"
        kinds = self.terrain.kinds[hex_]
        best, name = 0, ""
        if SLOPE in kinds and any(self.terrain.sight.comes_over_crest(each, hex_) for each in firers):
            best, name = DEFENSE[SLOPE], SLOPE
        for kind in (TOWN, WOODS):
            if kind in kinds and DEFENSE[kind] > best:
                best, name = DEFENSE[kind], kind
        if hex_ in self.wrecks and DEFENSE[WRECK] > best:
            best, name = DEFENSE[WRECK], WRECK
        return best, name

    def is_clear(self, hex_: str) -> bool:
        """Return whether a hex contains only clear terrain or hilltop, and no wreck (KP-9.66a, KP-9.91b)."""
        return hex_ not in self.wrecks and all(kind in (CLEAR, HILLTOP) for kind in self.terrain.kinds[hex_])

    def is_covered(self, hex_: str) -> bool:
        """Return whether a hex is woods or town (KP-9.16f)."""
        kinds = self.terrain.kinds[hex_]
        return WOODS in kinds or TOWN in kinds


_BLOCKED_BY = {"crest": "KP-9.16b", "woods": "KP-9.16d", "town": "KP-9.16d"}


def ground_of(state: KampfState) -> Ground:
    """Return the current ground; wrecks that are due do not count yet (KP-9.92a)."""
    board: Any = state.board
    return Ground.on(board, state.options, state.wrecks)
