"""Lines of sight and of fire between hexes: blocking terrain, and the hexes they pass (KP-9.14a to KP-9.16g, KP-9.23a).

The hexes and hexsides that a line touches depend only on its offset. They are computed once per offset, as codes that
are shifted to the start of a line by an addition.
"""

from functools import lru_cache

from msgspec import Struct

from kampfpanzer.model.tables import CREST, TOWN, WOODS
from sandtable.hexes import Hex, HexMap, Hexside, touched_by_line

COVER = (TOWN, WOODS)
"""The terrain that blocks sight: in hexes, and on hexsides (KP-9.16d)."""

MAX_KEPT = 1 << 18
"""Maximum number of cached results per map; the cache is then cleared."""

_COLUMN, _SIDES = 1 << 10, 4
_STEP_CODES = {(0, 1): 1, (1, -1): 2, (1, 0): 3}


class FirePath(Struct, frozen=True, gc=False):
    """The line of a shot: the ``hexes`` that it passes through, without the firer's hex, the target last.

    ``hexsides`` are those that it runs along, each as two hex numbers, the lower first. A unit that crosses one is on
    the line; a unit that only borders it is not (KP-9.23b). ``corners`` are hexes that it touches only at a corner.
    """

    hexes: tuple[str, ...]
    hexsides: frozenset[tuple[str, str]]
    corners: tuple[str, ...]


class _Line(Struct, frozen=True, gc=False):
    """The codes of everything that a line from (0, 0) touches, from its start to its end.

    ``sides`` are pairs of a hexside and whether the line crosses it; ``inner`` are those that belong to neither end
    hex. ``between`` are pairs of a hex other than the ends and whether the line enters it.
    """

    sides: tuple[tuple[int, bool], ...]
    inner: tuple[tuple[int, bool], ...]
    between: tuple[tuple[int, bool], ...]
    entered: tuple[int, ...]
    along: tuple[tuple[int, int], ...]
    corners: tuple[int, ...]


def _hex_code(space: Hex) -> int:
    return (space[0] * _COLUMN + space[1]) * _SIDES


def _side_code(side: Hexside) -> int:
    low, high = side
    return _hex_code(low) + _STEP_CODES[high[0] - low[0], high[1] - low[1]]


@lru_cache(maxsize=1 << 15)
def _line(q: int, r: int) -> _Line:
    start, end = Hex(0, 0), Hex(q, r)
    found = touched_by_line(start, end)
    only_bordered, only_touched = set(found.bordered_hexes), set(found.bordered_hexsides)
    sides = [(each, each not in only_touched) for each in found.hexsides]
    return _Line(
        sides=tuple((_side_code(side), crossed) for side, crossed in sides),
        inner=tuple((_side_code(side), crossed) for side, crossed in sides if not {start, end} & {*side}),
        between=tuple((_hex_code(each), each not in only_bordered) for each in found.hexes if each not in (start, end)),
        entered=tuple(_hex_code(each) for each in found.hexes if each != start and each not in only_bordered),
        along=tuple((_hex_code(side.low), _hex_code(side.high)) for side in found.followed_hexsides),
        corners=tuple(_hex_code(each) for each in found.corner_hexes),
    )


class LinesOfSight:
    """The lines of sight of one map under the options ``los_ties`` and ``woods_hexsides`` (R-KP-29, R-KP-30).

    ``terrain`` gives the kinds of terrain of each hex under the option multi_terrain_hex (R-KP-19).
    """

    def __init__(self, hexmap: HexMap, terrain: dict[str, tuple[str, ...]], ties: str, hexsides: str) -> None:
        self._hexmap, self._terrain = hexmap, terrain
        self._ties_block = ties == "blocked"
        self._codes = {number: _hex_code(space) for number, space in hexmap.axial.items()}
        self._numbers = {code: number for number, code in self._codes.items()}
        self._cover_sides: dict[int, str] = {}
        self._crests: set[int] = set()
        self._cover_hexes: dict[int, str] = {}
        self._read_sides(flagged=hexsides != "both_hexes")
        if hexsides == "lone_blocks":
            covered = ((number, self.cover_of(number)) for number in hexmap.numbers)
            self._cover_hexes = {self._codes[number]: kind for number, kind in covered if kind}
        self._blockers: dict[tuple[str, str], str] = {}
        self._paths: dict[tuple[str, str], FirePath] = {}
        self._over_crests: dict[tuple[str, str], bool] = {}

    def _read_sides(self, *, flagged: bool) -> None:
        for (a, b), features in self._hexmap.sides.items():
            if a < b and CREST in features:
                self._crests.add(self._side(a, b))
            kinds = [kind for kind in COVER if kind in features]
            if a < b and kinds and flagged:
                self._cover_sides[self._side(a, b)] = kinds[0]
        if not flagged:
            for a in filter(self.cover_of, self._hexmap.numbers):
                for b in filter(None, self._hexmap.around[a]):
                    kinds = [kind for kind in COVER if kind in self._terrain[a] and kind in self._terrain[b]]
                    if kinds:
                        self._cover_sides[self._side(a, b)] = kinds[0]

    def _side(self, a: str, b: str) -> int:
        return _side_code(Hexside.between(self._hexmap.axial[a], self._hexmap.axial[b]))

    def _line(self, a: str, b: str) -> tuple[_Line, int]:
        """Return the line at the origin, and the code of its start, to which all its codes must be added."""
        (q, r), (goal_q, goal_r) = self._hexmap.axial[a], self._hexmap.axial[b]
        return _line(goal_q - q, goal_r - r), self._codes[a]

    def cover_of(self, number: str) -> str:
        """Return "town" or "woods" if a hex has it, or ""."""
        terrain = self._terrain[number]
        return next((kind for kind in COVER if kind in terrain), "")

    def is_ground_level(self, number: str) -> bool:
        """Return whether a hex is neither slope nor hilltop (KP-9.16c)."""
        terrain = self._terrain[number]
        return "slope" not in terrain and "hilltop" not in terrain

    def blocker(self, a: str, b: str) -> str:
        """Return the first obstacle on the line from ``a`` to ``b``, such as "crest hexside 0405/0505", or "".

        Adjacent hexes always see each other (R-KP-32).
        """
        known = self._blockers.get((a, b))
        if known is None:
            if len(self._blockers) > MAX_KEPT:
                self._blockers.clear()
            known = self._blockers[a, b] = "" if b in self._hexmap.around[a] else self._find_blocker(a, b)
        return known

    def _find_blocker(self, a: str, b: str) -> str:
        line, base = self._line(a, b)
        ties = self._ties_block
        cover, crests, hexes = self._cover_sides, self._crests, self._cover_hexes
        found: list[tuple[int, int, str]] = []
        for place, (code, crossed) in enumerate(line.sides):
            if base + code in cover and (crossed or ties):
                found.append((place, base + code, cover[base + code]))
                break
        if self.is_ground_level(a) or self.is_ground_level(b):
            for code, crossed in line.inner:
                if base + code in crests and (crossed or ties):
                    place = next(place for place, (each, _) in enumerate(line.sides) if each == code)
                    found.append((place, base + code, CREST))
                    break
        if found:
            _, code, kind = min(found)
            return f"{kind} hexside {self._side_name(code)}"
        for code, entered in line.between if hexes else ():
            if base + code in hexes and (entered or ties):
                return f"{hexes[base + code]} hex {self._numbers[base + code]}"
        return ""

    def _side_name(self, code: int) -> str:
        low = code - code % _SIDES
        step = next(step for step, each in _STEP_CODES.items() if each == code % _SIDES)
        return f"{self._numbers[low]}/{self._numbers[low + (step[0] * _COLUMN + step[1]) * _SIDES]}"

    def path(self, a: str, b: str) -> FirePath:
        """Return the line of a shot from ``a`` to ``b``, as far as it is on the map."""
        known = self._paths.get((a, b))
        if known is None:
            if len(self._paths) > MAX_KEPT:
                self._paths.clear()
            line, base = self._line(a, b)
            numbers = self._numbers
            sides = ((numbers.get(base + low, ""), numbers.get(base + high, "")) for low, high in line.along)
            known = self._paths[a, b] = FirePath(
                tuple(numbers[base + code] for code in line.entered if base + code in numbers),
                frozenset((min(pair), max(pair)) for pair in sides if all(pair)),
                tuple(numbers[base + code] for code in line.corners if base + code in numbers),
            )
        return known

    def comes_over_crest(self, firer: str, target: str) -> bool:
        """Return whether the line enters the target hex across one of its crest hexsides (KP-10.0i).

        At a corner, either hexside counts if ties favor the defender (KP-9.15b).
        """
        known = self._over_crests.get((firer, target))
        if known is None:
            if len(self._over_crests) > MAX_KEPT:
                self._over_crests.clear()
            known = self._over_crests[firer, target] = self._enters_by_crest(firer, target)
        return known

    def _enters_by_crest(self, firer: str, target: str) -> bool:
        line, base = self._line(firer, target)
        near = {self._side(target, each) for each in self._hexmap.around[target] if each}
        return any(
            base + code in near and base + code in self._crests and (crossed or self._ties_block)
            for code, crossed in line.sides
        )
