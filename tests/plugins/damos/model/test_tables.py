"""The printed tables, cell by cell: each is typed again here in the layout of the printed page."""

from itertools import pairwise

import pytest

from damos.model import tables
from sandtable.errors import RulesetError

RESULTS = """
roll 1  2  3-4 5-6 7  8  9-10 11-12 13-15 16-18 19-23 24+
0    0  0  0   0   0  0h 0d   1     1     1h    1d    2
1    0  0  0   0   0h 0d 1    1     1h    1d    2     2
2    0  0  0   0h  0d 1  1    1h    1d    2     2     2
3    0  0  0h  0d  1  1  1h   1d    2     2     2     2
4    0  0h 0d  1   1  1h 1d   2     2     2     2     3
5    0h 0d 1   1   1h 1d 2    2     2     2     3     3
6    0d 1  1   1h  1d 2  2    2     2     3     3     3
7    1  1  1h  1d  2  2  2    2     3     3     3     3
8    1  1h 1d  2   2  2  2    3     3     3     3     4
9    1h 1d 2   2   2  2  3    3     3     3     4     4
10   -  -  -   -   2  3  3    3     3     4     4     4
11   -  -  -   -   3  3  3    3     4     4     4     4
12   -  -  -   -   3  3  3    4     4     4     4     5
13   -  -  -   -   3  3  4    4     4     4     5     5
14   -  -  -   -   3  4  4    4     4     5     5     5
15   -  -  -   -   4  4  4    4     5     5     5     5
16   -  -  -   -   -  -  -    -     5     5     5     6
17   -  -  -   -   -  -  -    -     5     5     6     6
18   -  -  -   -   -  -  -    -     5     6     6     6
19   -  -  -   -   -  -  -    -     6     6     6     6
20   -  -  -   -   -  -  -    -     6     6     6     7
"""
ATTRITION = """
roll 2-3 4-5 6-8 9-11 12-15 16-19 20+
2    1   2   2   3    4     5     6
3    1   1   2   2    3     4     5
4-5  -   1   1   2    2     3     4
6-8  -   -   1   1    2     2     3
9-10 -   -   -   1    1     2     2
11   -   -   -   -    1     1     2
12   -   -   -   -    -     1     1
"""
TITLES = RESULTS.strip().splitlines()[0].split()[1:]
COLUMNS = range(1, 13)
LADDER = ["0", "0h", "0d", "1", "1h", "1d", "2", "3", "4", "5", "6", "7", "8", "9", "10"]


def cells(text: str) -> dict[tuple[str, str], str]:
    """Return the cells of a printed table by row title and column title."""
    heads, *rows = (line.split() for line in text.strip().splitlines())
    return {(row[0], head): cell for row in rows for head, cell in zip(heads[1:], row[1:], strict=True)}


def numbers(head: str) -> range:
    """Return the numbers that a title like "3", "3-4" or "24+" stands for, with "24+" up to 40."""
    if head.endswith("+"):
        return range(int(head[:-1]), 41)
    first, _, last = head.partition("-")
    return range(int(first), int(last or first) + 1)


# The results table


@pytest.mark.rule("DM-8.6a", "DM-2.6b")
@pytest.mark.parametrize(("column", "title"), list(enumerate(TITLES, start=1)))
def test_each_strength_has_its_column_dice_and_zone(column: int, title: str) -> None:
    dice = 1 if column <= 4 else 2 if column <= 8 else 3
    assert tables.dice_of_column(column) == dice
    for strength in numbers(title):
        assert tables.column_of(strength) == column
        assert tables.dice_of(strength) == tables.zone_range(strength) == dice


@pytest.mark.rule("DM-2.6b")
def test_a_zone_grows_at_strength_7_and_13() -> None:
    assert [tables.zone_range(strength) for strength in (1, 6, 7, 12, 13)] == [1, 1, 2, 2, 3]


@pytest.mark.rule("R-DM-21")
@pytest.mark.parametrize("strength", [0, -1, -7])
def test_a_strength_below_one_rolls_in_the_first_column(strength: int) -> None:
    assert (tables.column_of(strength), tables.dice_of(strength)) == (1, 1)


@pytest.mark.rule("DM-8.6b")
@pytest.mark.parametrize(("place", "points"), [cell for cell in cells(RESULTS).items() if cell[1] != "-"])
def test_results_table_matches_the_printed_cells(place: tuple[str, str], points: str) -> None:
    roll, title = place
    assert tables.combat_result(TITLES.index(title) + 1, int(roll)) == points


def test_all_188_printed_cells_are_tested() -> None:
    assert sum(cell != "-" for cell in cells(RESULTS).values()) == 188


@pytest.mark.rule("DM-8.6b")
def test_one_more_row_equals_one_more_column() -> None:
    for column, further in pairwise(COLUMNS):
        for roll in range(9):
            assert tables.combat_result(column, roll + 1) == tables.combat_result(further, roll)


@pytest.mark.rule("DM-8.6b", "DM-8.7a")
@pytest.mark.parametrize("clamp", ["last_row_of_column", "extrapolate"])
def test_more_strength_or_a_higher_roll_never_inflicts_less(clamp: str) -> None:
    grid = [[tables.lp_rank(tables.combat_result(column, roll, clamp)) for column in COLUMNS] for roll in range(-3, 24)]
    for row, below in pairwise(grid):
        assert row[:4] == sorted(row[:4])
        assert row[4:8] == sorted(row[4:8])
        assert row[8:] == sorted(row[8:])
        assert all(upper <= lower for upper, lower in zip(row, below, strict=True))


@pytest.mark.rule("R-DM-20")
@pytest.mark.parametrize(("column", "last"), [(1, 9), (4, 9), (5, 15), (8, 15), (9, 20), (12, 20)])
def test_a_roll_beyond_the_last_row_is_clamped_or_extrapolated(column: int, last: int) -> None:
    held = tables.combat_result(column, last)
    assert [tables.combat_result(column, roll) for roll in (last + 1, last + 2, 40)] == [held] * 3
    further = tables.combat_result(min(column + 1, 12), last)
    assert tables.combat_result(column, last + 1, "extrapolate") == (further if last < 20 else held)


@pytest.mark.rule("DM-8.6b")
def test_a_roll_below_0_counts_as_0() -> None:
    for column in COLUMNS:
        assert tables.combat_result(column, -5) == tables.combat_result(column, 0)


# Loss points


@pytest.mark.rule("DM-8.7a", "DM-8.10d")
def test_loss_point_tokens_are_ranked() -> None:
    assert [tables.lp_rank(token) for token in LADDER] == list(range(len(LADDER)))
    assert [tables.lp_at(rank) for rank in range(len(LADDER))] == LADDER


@pytest.mark.rule("DM-8.7b", "DM-8.7c", "DM-8.7d", "R-DM-14")
@pytest.mark.parametrize(("before", "by", "after"), [
    ("1", 1, "1h"), ("2", -1, "1d"), ("2", 1, "3"), ("0", 1, "0h"), ("0d", 1, "1"), ("0", -1, "0"), ("0h", -3, "0"),
    ("3", -1, "2"), ("3", -2, "1d"), ("1d", 2, "3"), ("6", 1, "7"), ("1h", 0, "1h"), ("0h", 1, "0d"), ("1h", 1, "1d"),
    ("1d", 1, "2"), ("3", 1, "4"), ("0h", -1, "0"), ("0h", -2, "0"), ("1", -1, "0d"), ("5", -2, "3"), ("0", 7, "3"),
])  # fmt: skip
def test_loss_point_changes_move_by_ranks(before: str, by: int, after: str) -> None:
    assert tables.lp_moved(before, by) == after


@pytest.mark.rule("DM-8.8a")
@pytest.mark.parametrize(
    ("token", "number"),
    [("0", 0), ("0h", 0), ("0d", 0), ("1", 1), ("1h", 1), ("1d", 1), ("2", 2), ("7", 7), ("12", 12)],
)
def test_loss_token_costs_only_its_number_in_strength(token: str, number: int) -> None:
    assert tables.lp_number(token) == number


@pytest.mark.rule("R-DM-47", "DM-8.10a")
@pytest.mark.parametrize(("initial", "added", "kept", "dropped"), [
    ("4", 3, "7", "7"), ("1h", 0, "1h", "1"), ("0d", 1, "1d", "1"), ("0h", 2, "2", "2"), ("1d", 1, "2", "2"),
    ("0", 0, "0", "0"), ("0h", 0, "0h", "0"), ("1d", 0, "1d", "1"), ("0", 1, "1", "1"), ("1h", 1, "2", "2"),
    ("1d", 2, "3", "3"), ("2", 0, "2", "2"),
])  # fmt: skip
def test_the_points_of_a_counterattack_are_added(initial: str, added: int, kept: str, dropped: str) -> None:
    assert tables.lp_sum(initial, added) == kept
    assert tables.lp_sum(initial, added, "drop") == dropped


# Attrition


@pytest.mark.rule("DM-9.0j")
@pytest.mark.parametrize(("place", "points"), cells(ATTRITION).items())
def test_attrition_table_matches_the_printed_cells(place: tuple[str, str], points: str) -> None:
    rolls, strengths = map(numbers, place)
    expected = {int(points.replace("-", "0"))}
    assert {tables.attrition_losses(strength, roll) for strength in strengths for roll in rolls} == expected


@pytest.mark.rule("R-DM-22", "DM-9.0b")
@pytest.mark.parametrize("strength", [2, 7, 20])
def test_attrition_rolls_are_clamped_to_2_to_12(strength: int) -> None:
    for roll, held in ((-1, 2), (1, 2), (13, 12), (16, 12)):
        assert tables.attrition_losses(strength, roll) == tables.attrition_losses(strength, held)


@pytest.mark.rule("R-DM-40")
def test_a_single_strength_point_loses_nothing_to_attrition() -> None:
    assert {tables.attrition_losses(1, roll) for roll in range(2, 13)} == {0}


# Plans, ratings and other figures


@pytest.mark.rule("DM-8.3a", "DM-8.1a")
def test_attack_plans_match_the_rules() -> None:
    rows = {name: (plan.halves, plan.modifier, plan.concerted) for name, plan in tables.ATTACK_PLANS.items()}
    assert rows == {
        "meeting": (0, -1, False),
        "standard": (2, 0, False),
        "grand": (4, 1, True),
        "penetration": (None, 2, True),
    }


@pytest.mark.rule("DM-8.12.1c", "R-DM-43")
def test_exploit_ratings_match_the_rules() -> None:
    ratings = {unit_type: tables.exploit_rating(unit_type) for unit_type in tables.TYPES}
    assert ratings == {"infantry": 0, "cavalry": 0, "motorized": 1, "mechanized": 1, "armor": 2}
    assert tables.exploit_rating("motorized", "zero") == 0
    assert tables.exploit_rating("mechanized", "zero") == 1


@pytest.mark.rule("AGC-1.2a")
def test_d2_and_d3_follow_from_a_six_sided_die() -> None:
    assert [tables.d2(die) for die in range(1, 7)] == [1, 1, 1, 2, 2, 2]
    assert [tables.d3(die) for die in range(1, 7)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.rule(
    "DM-2.6.1k", "DM-2.6.1l", "DM-2.6.1o", "DM-2.8g", "DM-6.0b", "DM-7.0n", "DM-8.5a", "DM-8.5b", "DM-8.5d"
)
@pytest.mark.rule("DM-8.11b")
def test_single_figures_match_the_rules() -> None:
    assert (tables.REACTION_TARGET, tables.REACTION_CERTAIN, tables.FAR_REACTION) == (9, 12, (3, -1))
    assert (tables.UNSUPPLIED_ATTACK_PER_DIE, tables.UNSUPPLIED_DEFENSE, tables.DEMORALIZED_DEFENSE) == (-2, -1, 1)
    assert (tables.RALLY_HALVES, tables.PICK_UP_HALVES, tables.STRATEGIC_FACTOR) == (4, 2, 2)
    assert (tables.ATTACKER_RETREAT, tables.DEFENDER_RETREAT) == (1, (2, 3))


# The calendar


@pytest.mark.rule("R-DM-60", "AGC-4.3.1b")
def test_campaign_turns_have_their_names_and_seasons() -> None:
    names = [tables.period_of(turn).name for turn in range(1, 14)]
    assert names[:4] == ["1st July", "2nd July", "1st August", "2nd August"]
    assert names[-3:] == ["1st December", "2nd December", "1st January"]
    assert [tables.period_of(turn).is_winter for turn in range(1, 14)] == [False] * 8 + [True] * 5


@pytest.mark.rule("R-DM-60")
def test_the_campaign_starts_earlier_or_lasts_longer_by_option() -> None:
    assert tables.period_of(1, "t1_22_june").name == "2nd June"
    assert tables.period_of(13, "t1_22_june").name == "2nd December"
    assert tables.period_of(13, "thirteen_turns").name == "1st January"
    august = tables.Period(8, 2)
    assert (tables.turn_of(august), tables.turn_of(august, "t1_22_june")) == (4, 5)


def test_an_unknown_calendar_is_refused() -> None:
    with pytest.raises(RulesetError, match="calendar julian does not exist"):
        tables.period_of(1, "julian")
