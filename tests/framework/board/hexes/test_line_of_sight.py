"""Line of sight, compared with exact rational geometry that shares only the definition of a hex with the code.

The oracle works in the plain axial plane. A center is (q, r). A hexagon is the set of points not nearer to another
center, which is the intersection of six half-planes; its corners are at thirds. The oracle clips the line with the
half-planes and intersects it with the sides, in fractions.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.board.hexes.grid import Direction, Hex, HexGrid, Hexside, disc, line, range_hexes, ring
from sandtable.board.hexes.line_of_sight import SightLine, Ties, touched_by_line, trace_sight
from sandtable.errors import RulesetError
from sandtable.kernel.dice import key_from_seed, roll_dice

PRINTED = HexGrid(39, 54, lower_rows=53)
"""The map of Kampfpanzer."""

HALF_PLANES = ((2, 1), (1, 2), (-1, 1), (-2, -1), (-1, -2), (1, -1))
"""(m, n): a point (q, r) from the center is in the hexagon while m q + n r <= 1."""

THIRDS = ((-1, -1), (1, -2), (2, -1), (1, 1), (-1, 2), (-2, 1))
"""Corners in thirds of q and r, clockwise; the side of direction A runs from the first to the second."""

Where = tuple[frozenset[Hex], frozenset[Hexside], frozenset[Hex], frozenset[Hexside]]

hexes = st.builds(Hex, st.integers(-12, 12), st.integers(-12, 12))


def clip(a: Hex, b: Hex, space: Hex) -> tuple[bool, bool]:
    """Return whether the segment touches the hexagon, and whether it enters its interior."""
    first, last = Fraction(0), Fraction(1)
    for m, n in HALF_PLANES:
        here = m * (a.q - space.q) + n * (a.r - space.r)
        slope = m * (b.q - a.q) + n * (b.r - a.r)
        if slope > 0:
            last = min(last, Fraction(1 - here, slope))
        elif slope < 0:
            first = max(first, Fraction(1 - here, slope))
        elif here > 1:
            return False, False
    if first > last:
        return False, False
    half = (first + last) / 2
    q, r = a.q + (b.q - a.q) * half - space.q, a.r + (b.r - a.r) * half - space.r
    return True, all(m * q + n * r < 1 for m, n in HALF_PLANES)


def meet(a: Hex, b: Hex, space: Hex, direction: Direction) -> tuple[bool, bool]:
    """Return whether the segment meets the side, and whether at one inner point of it, by solving for both."""
    (q1, r1), (q2, r2) = (
        (space.q + Fraction(q, 3), space.r + Fraction(r, 3))
        for q, r in (THIRDS[direction], THIRDS[(direction + 1) % 6])
    )
    line_q, line_r, side_q, side_r = b.q - a.q, b.r - a.r, q2 - q1, r2 - r1
    denominator = line_r * side_q - line_q * side_r
    if denominator != 0:
        along_line = ((r1 - a.r) * side_q - (q1 - a.q) * side_r) / denominator
        along_side = ((r1 - a.r) * line_q - (q1 - a.q) * line_r) / denominator
        touched = 0 <= along_line <= 1 and 0 <= along_side <= 1
        return touched, touched and 0 < along_side < 1
    ends = [q1 - a.q, q2 - a.q] if line_q else [r1 - a.r, r2 - a.r]
    places = [each / (line_q or line_r) for each in ends]
    on_the_line = (q1 - a.q) * line_r == (r1 - a.r) * line_q
    return on_the_line and max(places) >= 0 and min(places) <= 1, False


@cache
def oracle(a: Hex, b: Hex) -> Where:
    """Return hexes, hexsides, bordered hexes, bordered hexsides by testing the whole box around the two ends."""
    box = [
        Hex(q, r)
        for q in range(min(a.q, b.q) - 1, max(a.q, b.q) + 2)
        for r in range(min(a.r, b.r) - 1, max(a.r, b.r) + 2)
    ]
    clipped = {space: clip(a, b, space) for space in box}
    touched = [space for space in box if clipped[space][0]]
    if a == b:
        return frozenset(touched), frozenset(), frozenset(), frozenset()
    met = {Hexside.of(space, each): meet(a, b, space, each) for space in touched for each in Direction}
    return (
        frozenset(touched),
        frozenset(side for side, (meets, _) in met.items() if meets),
        frozenset(space for space in touched if not clipped[space][1]),
        frozenset(side for side, (meets, inside) in met.items() if meets and not inside),
    )


def corners_on_line(a: Hex, b: Hex, space: Hex) -> set[int]:
    """Return the corners of a hex that are on the segment, computed in the plain axial plane."""
    on_line = set()
    for corner, (q, r) in enumerate(THIRDS):
        ahead_q, ahead_r = space.q - a.q + Fraction(q, 3), space.r - a.r + Fraction(r, 3)
        to_q, to_r = b.q - a.q, b.r - a.r
        if ahead_q * to_r != ahead_r * to_q or a == b:
            continue
        along = ahead_q / to_q if to_q else ahead_r / to_r
        if 0 <= along <= 1:
            on_line.add(corner)
    return on_line


def cornered(a: Hex, b: Hex) -> tuple[frozenset[Hex], frozenset[Hexside]]:
    """Return, by corners alone, the hexes touched at just one corner and the hexsides with both ends on the line."""
    touched, _, bordered, _ = oracle(a, b)
    corners = {space: corners_on_line(a, b, space) for space in touched}
    single = frozenset(space for space in bordered if len(corners[space]) == 1)
    followed = {
        Hexside.of(space, each) for space in touched for each in Direction if {each, (each + 1) % 6} <= corners[space]
    }
    return single, frozenset(followed)


def found(a: Hex, b: Hex) -> Where:
    touched = touched_by_line(a, b)
    groups = (touched.hexes, touched.hexsides, touched.bordered_hexes, touched.bordered_hexsides)
    assert all(len(set(group)) == len(group) for group in groups)
    assert (frozenset(touched.corner_hexes), frozenset(touched.followed_hexsides)) == cornered(a, b)
    assert touched.corner_hexes == tuple(each for each in touched.bordered_hexes if each in touched.corner_hexes)
    assert touched.followed_hexsides == tuple(
        each for each in touched.bordered_hexsides if each in touched.followed_hexsides
    )
    return (frozenset(groups[0]), frozenset(groups[1]), frozenset(groups[2]), frozenset(groups[3]))


class RandomMap:
    """A grid with some blocking hexes and hexsides, its edge included, the same each time."""

    def __init__(self, columns: int, rows: int) -> None:
        self.grid = HexGrid(columns, rows, lower_rows=rows - 1)
        self.spaces = self.grid.hexes()
        self.sides = sorted({Hexside.of(space, each) for space in self.spaces for each in Direction})
        key = key_from_seed("a random map")
        hex_dice = roll_dice(key, "hexes", len(self.spaces), 14)
        side_dice = roll_dice(key, "hexsides", len(self.sides), 20)
        self.hexes = frozenset(each for each, die in zip(self.spaces, hex_dice, strict=True) if die == 1)
        self.hexsides = frozenset(each for each, die in zip(self.sides, side_dice, strict=True) if die == 1)

    def trace(self, a: Hex, b: Hex, ties: Ties = "blocked") -> SightLine:
        return trace_sight(
            self.grid, a, b, self.hexes.__contains__, self.hexsides.__contains__, ties=ties, adjacent_always_clear=False
        )

    def blocked(self, a: Hex, b: Hex, ties: Ties) -> tuple[set[Hex], set[Hexside]]:
        """Return the blocking elements by the oracle."""
        spaces, sides, bordered, bordered_sides = oracle(a, b)
        by_hex, by_side = (spaces & self.hexes) - {a, b}, sides & self.hexsides
        if ties == "clear":
            by_hex, by_side = by_hex - bordered, by_side - bordered_sides
        return set(by_hex), set(by_side)


def check_every_pair(board: RandomMap, most_hexes: int) -> tuple[int, int]:
    """Compare every pair within a range in both directions with the oracle; count clear and blocked lines."""
    clear = checked = 0
    for a, b in combinations_with_replacement(board.spaces, 2):
        if range_hexes(a, b) > most_hexes:
            continue
        for ties in ("blocked", "clear"):
            there, back = board.trace(a, b, ties), board.trace(b, a, ties)
            assert (set(there.blocking_hexes), set(there.blocking_hexsides)) == board.blocked(a, b, ties)
            assert set(there.blocking_hexes) == set(back.blocking_hexes)
            assert set(there.blocking_hexsides) == set(back.blocking_hexsides)
            assert there.clear is back.clear is (there.witness is None)
            checked += 1
            clear += there.clear
    return clear, checked - clear


def view(a: str, b: str, *sides: str, ties: Ties = "blocked") -> SightLine:
    blocking = [PRINTED.hexside_at(each) for each in sides]
    return trace_sight(PRINTED, PRINTED.hex_at(a), PRINTED.hex_at(b), no_hex, blocking.__contains__, ties=ties)


def no_hex(_space: Hex) -> bool:
    return False


def no_side(_side: Hexside) -> bool:
    return False


def everywhere(_place: object) -> bool:
    return True


def numbers(*spaces: Hex) -> list[str]:
    return [PRINTED.number(each) for each in spaces]


@pytest.mark.full
@pytest.mark.rule("KP-9.14a", "KP-9.15a")
@pytest.mark.parametrize("most_hexes", [12, pytest.param(20, marks=pytest.mark.slow)])
def test_every_line_within_a_range_matches_the_oracle(most_hexes: int) -> None:
    for goal in disc(Hex(0, 0), most_hexes):
        assert found(Hex(0, 0), goal) == oracle(Hex(0, 0), goal), goal


@pytest.mark.full
@pytest.mark.rule("KP-9.15a", "KP-9.15b")
@pytest.mark.parametrize(
    ("board", "most_hexes", "least"),
    [((4, 13), 12, 200), pytest.param((8, 21), 20, 1000, marks=pytest.mark.slow)],
)
def test_every_pair_on_a_random_map_matches_the_oracle(board: tuple[int, int], most_hexes: int, least: int) -> None:
    clear, blocked = check_every_pair(RandomMap(*board), most_hexes)
    assert min(clear, blocked) > least


@pytest.mark.full
@given(hexes, hexes)
def test_lines_anywhere_match_the_oracle_in_both_directions(a: Hex, b: Hex) -> None:
    assert found(a, b) == oracle(a, b) == found(b, a)
    assert set(line(a, b)) <= set(touched_by_line(a, b).hexes)


@given(hexes, hexes)
def test_touched_elements_are_in_order_from_the_start(a: Hex, b: Hex) -> None:
    touched = touched_by_line(a, b)
    assert (touched.hexes[0], touched.hexes[-1]) == (a, b)
    entered = [each for each in touched.hexes if each not in touched.bordered_hexes]
    steps = [range_hexes(a, each) for each in entered]
    assert steps == sorted(steps)
    assert entered == [each for each in reversed(touched_by_line(b, a).hexes) if each in entered]


@pytest.mark.rule("KP-9.14a")
def test_gun_38_fires_from_0708_at_0603_past_a_corner_of_0705() -> None:
    touched = view("0708", "0603").touched
    entered = [each for each in touched.hexes if each not in touched.bordered_hexes]
    assert numbers(*entered) == ["0708", "0707", "0706", "0605", "0604", "0603"]
    assert set(numbers(*touched.bordered_hexes)) == {"0606", "0705"}
    assert touched.corner_hexes == touched.bordered_hexes
    assert touched.followed_hexsides == ()


def test_a_line_from_0305_to_0905_runs_along_the_hexsides_of_the_example() -> None:
    touched = view("0305", "0905").touched
    assert numbers(*touched.hexes) == [
        *("0305", "0404", "0405", "0505", "0604", "0605", "0705", "0804", "0805", "0905")
    ]
    assert touched.followed_hexsides == tuple(map(PRINTED.hexside_at, ("0404/0405", "0604/0605", "0804/0805")))
    assert touched.bordered_hexsides == touched.hexsides
    assert touched.corner_hexes == ()


@pytest.mark.rule("KP-9.15b")
@pytest.mark.parametrize("side", ["0404/0405", "0305/0404", "0405/0505"])
def test_tie_is_blocked_by_default(side: str) -> None:
    line_of_sight = view("0305", "0505", side)
    assert not line_of_sight.clear
    assert line_of_sight.witness == PRINTED.hexside_at(side)
    assert view("0305", "0505", side, ties="clear").clear


@pytest.mark.rule("KP-9.15a")
def test_crossed_hexside_blocks_with_any_ties() -> None:
    for ties in ("blocked", "clear"):
        assert not view("0301", "0305", "0303/0304", ties=ties).clear
        assert view("0301", "0305", "0203/0303", "0305/0306", ties=ties).clear


def test_witness_is_the_nearest_blocking_element() -> None:
    a, b = PRINTED.hex_at("0301"), PRINTED.hex_at("0306")
    wood, wall = PRINTED.hex_at("0303"), PRINTED.hexside_at("0304/0305")
    there = trace_sight(PRINTED, a, b, wood.__eq__, wall.__eq__)
    back = trace_sight(PRINTED, b, a, wood.__eq__, wall.__eq__)
    assert (there.witness, back.witness) == (wood, wall)
    assert view("0306", "0301", "0302/0303", "0304/0305").witness == wall
    assert trace_sight(PRINTED, a, b, wood.__eq__, no_side).witness == wood


@pytest.mark.parametrize("direction", Direction)
def test_witness_is_the_nearer_of_hex_and_hexside(direction: Direction) -> None:
    """A side k is k - 1/2 hexes from the start: nearer than the hex k, farther than the hex k - 1."""
    for start in (Hex(20, 10), Hex(20, 20)):
        row = [start.neighbor(direction, steps) for steps in range(9)]
        for hex_at in range(1, 8):
            for side_at in range(1, 9):
                wood, wall = row[hex_at], Hexside.between(row[side_at - 1], row[side_at])
                line_of_sight = trace_sight(PRINTED, row[0], row[-1], wood.__eq__, wall.__eq__)
                assert line_of_sight.witness == (wall if side_at <= hex_at else wood)


def test_witness_prefers_a_hexside_to_a_hex_at_the_same_distance() -> None:
    a, b = PRINTED.hex_at("0305"), PRINTED.hex_at("0905")
    for wood in ("0404", "0405"):
        for wall, first in (("0404/0405", "0404/0405"), ("0604/0605", wood), ("0305/0404", "0305/0404")):
            side = PRINTED.hexside_at(wall)
            there = trace_sight(PRINTED, a, b, PRINTED.hex_at(wood).__eq__, side.__eq__)
            assert there.witness == (side if first == wall else PRINTED.hex_at(wood))


def test_the_hexes_at_the_ends_do_not_block() -> None:
    a, b = PRINTED.hex_at("0301"), PRINTED.hex_at("0303")
    assert trace_sight(PRINTED, a, b, (a, b).__contains__, no_side).clear
    assert trace_sight(PRINTED, a, b, everywhere, no_side).blocking_hexes == (PRINTED.hex_at("0302"),)


def test_adjacent_hexes_always_see_each_other() -> None:
    center = PRINTED.hex_at("2020")
    for near in ring(center, 1):
        assert trace_sight(PRINTED, center, near, everywhere, everywhere).clear
        strict = trace_sight(PRINTED, center, near, everywhere, everywhere, adjacent_always_clear=False)
        assert (strict.blocking_hexes, strict.blocking_hexsides) == ((), (Hexside.between(center, near),))


def test_a_hex_sees_itself() -> None:
    line_of_sight = view("0304", "0304")
    assert line_of_sight.clear
    assert numbers(*line_of_sight.touched.hexes) == ["0304"]
    assert trace_sight(PRINTED, Hex(3, 2), Hex(3, 2), everywhere, everywhere).clear


def test_a_line_along_the_edge_of_the_map_touches_no_hex_beyond_it() -> None:
    a, b = PRINTED.hex_at("0154"), PRINTED.hex_at("0354")
    line_of_sight = trace_sight(PRINTED, a, b, no_hex, everywhere)
    assert numbers(*line_of_sight.touched.hexes) == ["0154", "0253", "0354"]
    assert Hexside.of(PRINTED.hex_at("0253"), Direction.D) in line_of_sight.blocking_hexsides
    assert all(PRINTED.holds(each.low) or PRINTED.holds(each.high) for each in line_of_sight.touched.hexsides)
    assert line_of_sight.touched.followed_hexsides == (Hexside.of(PRINTED.hex_at("0253"), Direction.D),)


def test_hex_beyond_the_edge_is_not_a_corner_hex() -> None:
    comb = HexGrid(5, 6, lower_rows=2)
    a, b = comb.hex_at("0106"), comb.hex_at("0201")
    assert touched_by_line(a, b).corner_hexes == (Hex(2, 3), comb.hex_at("0103"))
    assert trace_sight(comb, a, b, no_hex, no_side).touched.corner_hexes == (comb.hex_at("0103"),)


def test_a_line_that_ends_off_the_map_is_refused() -> None:
    with pytest.raises(RulesetError, match="off the map"):
        trace_sight(PRINTED, PRINTED.hex_at("0101"), Hex(0, 0), no_hex, no_side)


def test_lines_on_a_map_of_straight_rows_are_correct() -> None:
    rows = HexGrid(30, 20, layout="rows", columns_grow="west", first_row=20)

    def between(a: str, b: str) -> list[str]:
        seen = trace_sight(rows, rows.hex_at(a), rows.hex_at(b), lambda _: True, lambda _: False)
        return [rows.number(each) for each in seen.blocking_hexes]

    assert between("2510", "2506") == ["2509", "2508", "2507"]  # east, along a row
    assert between("2410", "2610") == ["2511", "2510"]  # south, along the hexside of the two, the western first
    assert between("3218", "3716") == ["3318", "3417", "3517", "3616"]  # southeast, straight on
    assert between("2030", "2230") == ["2130"]  # the other hex of the two is off the map
