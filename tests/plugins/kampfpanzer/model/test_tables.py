"""The printed tables, cell by cell, compared with a second copy in the layout of the printed page."""

import pytest

from kampfpanzer.model import tables
from sandtable.errors import RulesetError

DICE = range(1, 7)

COMBAT = """
die  -3 -2 -1  0 +1 +2 +3 +4 +5 +6 +7 +8
1    D1 D1 D1 D2 D2 D3 D3 D3 D3 D3 D3 D4
2    P  D1 D1 D1 D2 D2 D3 D3 D3 D3 D3 D4
3    P  P  D1 D1 D1 D2 D2 D3 D3 D3 D3 D4
4    P  P  P  P  D1 D1 D2 D2 D3 D3 D3 D4
5    P  P  P  P  P  D1 D2 D2 D2 D3 D3 D4
6    P  P  P  P  P  P  D1 D2 D2 D2 D3 D4
"""
SHELLS = """
die moving static
1   D1     D3
2   D1     D2
3   -      D2
4   -      D1
5   -      D1
6   -      -
"""
OVERRUN = """
units  1  2  3  4  5  6
1     +3 +6 +8 +8 +8 +8
2      0 +3 +5 +6 +7 +8
3     -1 +1 +3 +4 +5 +6
4     -2  0 +2 +3 +4 +5
"""
PANIC = """
die 1 2   3     4       5
1   1 1,7 1,7,9 2,4,8,0 1,2,3,4
2   2 2,8 2,3,8 1,3,7,9 5,6,7,8
3   3 3,9 3,9   3,5,9   1,2,9,0
4   4 4,0 4,5,0 4,6,0   3,4,5,6
5   5 5   1,5   1,5,7   7,8,9,0
6   - 6   2,6   2,6,8   6,7,8,9,0
"""
GROUND = """
ground   armor wheels foot defense
clear    2      4      2    0
hilltop  2      4      2    0
town     1      1      1    4
woods    6      8      2    2
slope    6      8      2    3
wreck    4      16     2    2
"""
SIDES = """
side    armor wheels foot
road    1      1      1
bridge  1      1      1
ford    4      8      2
stream  8      12     2
"""


def cells(text: str) -> dict[tuple[str, str], str]:
    """Return the cells of a printed table, by head of row and head of column."""
    heads, *rows = (line.split() for line in text.strip().splitlines())
    return {(row[0], head): cell for row in rows for head, cell in zip(heads[1:], row[1:], strict=True)}


@pytest.mark.rule("KP-9.7a", "KP-3.3a")
@pytest.mark.parametrize(("place", "result"), cells(COMBAT).items())
def test_combat_table_matches_the_printed_cells(place: tuple[str, str], result: str) -> None:
    die, superiority = map(int, place)
    assert tables.combat_result(superiority, die) == result


@pytest.mark.rule("KP-9.7c")
@pytest.mark.parametrize("superiority", [9, 12, 24])
def test_superiority_above_8_counts_as_8(superiority: int) -> None:
    assert [tables.combat_result(superiority, die) for die in DICE] == ["D4"] * 6


@pytest.mark.rule("KP-9.7b")
@pytest.mark.parametrize("superiority", [-4, -7])
def test_superiority_below_minus_3_is_refused(superiority: int) -> None:
    assert tables.MIN_SUPERIORITY == -3
    with pytest.raises(RulesetError, match="no attack is made"):
        tables.combat_result(superiority, 1)


@pytest.mark.rule("KP-9.39a", "KP-9.39b")
@pytest.mark.parametrize(("place", "result"), cells(SHELLS).items())
def test_shell_table_matches_the_printed_cells(place: tuple[str, str], result: str) -> None:
    die, column = place
    assert tables.shell_result(column, int(die)) == result.strip("-")


@pytest.mark.rule("R-KP-48")
@pytest.mark.parametrize("column", ["moving", "static"])
def test_shell_die_of_7_counts_as_6(column: str) -> None:
    assert tables.shell_result(column, 7) == ""


@pytest.mark.rule("KP-9.69a")
@pytest.mark.parametrize(("place", "superiority"), cells(OVERRUN).items())
def test_overrun_table_matches_the_printed_cells(place: tuple[str, str], superiority: str) -> None:
    defending, overrunning = map(int, place)
    assert tables.overrun_superiority(defending, overrunning) == int(superiority)


@pytest.mark.rule("KP-11.3a")
@pytest.mark.parametrize(("place", "digits"), cells(PANIC).items())
def test_panic_table_matches_the_printed_cells(place: tuple[str, str], digits: str) -> None:
    die, level = map(int, place)
    assert ",".join(tables.panic_digits(level, die)) == digits.strip("-")


@pytest.mark.rule("KP-9.18a")
@pytest.mark.parametrize(
    ("ranges", "strength"),
    [((1,), 12), ((2, 3, 4, 5), 6), ((6, 7, 8, 9, 10), 5), ((11, 12, 13, 14, 15), 4), ((16, 17, 18, 19, 20), 3)],
)
def test_strength_of_6_is_attenuated_by_range(ranges: tuple[int, ...], strength: int) -> None:
    assert [tables.attenuated(6, range_hexes) for range_hexes in ranges] == [strength] * len(ranges)


@pytest.mark.rule("KP-9.18a")
def test_range_beyond_the_table_is_refused() -> None:
    with pytest.raises(RulesetError, match="beyond the table"):
        tables.attenuated(6, 21)


@pytest.mark.rule("KP-10.0a", "KP-10.0b", "KP-10.0c", "KP-10.0d", "KP-10.0e")
@pytest.mark.parametrize(("place", "figure"), cells(GROUND).items())
def test_hex_costs_and_defenses_match_the_printed_cells(place: tuple[str, str], figure: str) -> None:
    ground, column = place
    row = tables.DEFENSE if column == "defense" else tables.HEX_HALVES[column]
    assert row[ground] == int(figure)


@pytest.mark.rule("KP-10.0f", "KP-10.0g", "KP-10.0h")
@pytest.mark.parametrize(("place", "figure"), cells(SIDES).items())
def test_hexside_costs_match_the_printed_cells(place: tuple[str, str], figure: str) -> None:
    side, mobility = place
    assert tables.SIDE_HALVES[mobility][side] == int(figure)


@pytest.mark.rule("R-KP-18")
def test_hexside_costs_list_roads_then_fords_then_streams() -> None:
    assert [list(sides) for sides in tables.SIDE_HALVES.values()] == [["road", "bridge", "ford", "stream"]] * 3


def test_tables_contain_only_the_printed_rows() -> None:
    assert {kind for kind, _ in cells(GROUND)} == set(tables.DEFENSE)
    assert all(set(row) == set(tables.DEFENSE) for row in tables.HEX_HALVES.values())
    assert set(tables.HEX_HALVES) == set(tables.SIDE_HALVES) == {"armor", "wheels", "foot"}


@pytest.mark.rule("KP-13.0d", "KP-9.68b", "KP-9.71b", "KP-9.6d", "KP-5.4a")
def test_single_figures_match_the_book() -> None:
    assert (tables.ENTRENCHMENT, tables.COUNTERATTACK_SUPERIORITY, tables.OVERRUN_HALVES) == (4, -2, 2 * 2)
    assert tables.RECOVERS_ON == {1: 3, 2: 2, 3: 1}
    assert tables.LETTERS == "ABCDEF"
