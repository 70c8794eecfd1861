"""The shares of a campaign, compared with the oracle."""

from dataclasses import replace

import pytest
from tests.plugins.axis_attack.ground import PANZERGRENADIERS, STRELKOVY
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.oracle.shares import MILLION, NEAR, RESULTS, WON, Shares

from axis_attack.bots.campaign import Course, Game, Last, attackers, chances, course_of, has_wheels
from axis_attack.model.cards import GERMAN, SIDES, SOVIET
from sandtable.plugin.manager import Prepared, Rulesets


@pytest.mark.rule("AOA-7.01", "AOA-8.01", "AOA-8.06", "AOA-8.09", "AOA-12.01", "AOA-12.03")
@pytest.mark.parametrize("odds", [0, -1_400_000])
def test_campaign_shares_match_a_computation_in_fractions(odds: int) -> None:
    """Two games are left: selection, probabilities, moves of the front, and the end."""
    board = the_board(turns=2)
    assert (has_wheels(board, GERMAN), has_wheels(board, SOVIET)) == (True, True)
    course, oracle = Course(board, odds), Shares(odds)
    lasts = [("", 0, 0), *((side, points, modifier) for side in SIDES for points in WON for modifier in (0, -2))]
    for games in range(3):
        for sector in range(1, 8):
            for last in lasts:
                share = course.before(games, sector, Last(*last))
                assert abs(share - MILLION * oracle.before(games, sector, *last)) < NEAR, (games, sector, last)
    for mission in RESULTS:
        for side in SIDES:
            game, each = Game(mission, side), chances(board, Game(mission, side), odds)
            rows = oracle.of_game(mission, side)
            for winner in SIDES:
                for points, chance in zip((6, 5, 4), each.won[winner], strict=True):
                    assert abs(chance - MILLION * rows[winner, points]) < NEAR
            assert abs(each.drawn - MILLION * rows["", 0]) < NEAR
            for sector in range(1, 8):
                share = course.expected(2, sector, game, each)
                assert abs(share - MILLION * oracle.expected(2, sector, mission, side)) < NEAR


@pytest.mark.rule("AOA-3.11", "AOA-7.04", "AOA-8.09")
def test_foot_company_moves_one_sector_and_equal_companies_may_attack() -> None:
    foot = replace(STRELKOVY, types={"strelkovy": STRELKOVY.types["strelkovy"], "t34": STRELKOVY.types["t34"]})
    board = the_board(turns=2, lists={GERMAN: PANZERGRENADIERS, SOVIET: foot})
    assert (has_wheels(board, GERMAN), has_wheels(board, SOVIET)) == (True, False)
    oracle, course = Shares(0, (GERMAN,)), Course(board, 0)
    for sector in range(1, 8):
        for side in SIDES:
            share = course.after(2, sector, Game("breakthrough", side), Last(side, 6))
            assert abs(share - MILLION * oracle.after(2, sector, "breakthrough", side, side, 6)) < NEAR
    assert attackers(board, "hold_the_line") == [GERMAN]
    assert attackers(board, "breakthrough") == attackers(board, "encounter") == list(SIDES)
    heavy = replace(STRELKOVY, company="tank")
    assert attackers(the_board(lists={GERMAN: PANZERGRENADIERS, SOVIET: heavy}), "trench_fight") == [SOVIET]
    equal = replace(STRELKOVY, company="mechanized")
    assert attackers(the_board(lists={GERMAN: PANZERGRENADIERS, SOVIET: equal}), "trench_fight") == list(SIDES)


def test_course_is_shared_by_odds_that_round_to_the_same_step() -> None:
    board = the_board(turns=1)
    for odds, near in (
        (99_999, 0),
        (-100_000, 0),
        (100_000, 200_000),
        (4_200_000, 4_000_000),
        (-5_000_000, -4_000_000),
    ):
        assert course_of(board, odds) is course_of(board, near)
        assert course_of(board, near) is not course_of(board, near + 200_000) or near == 4_000_000
    assert course_of(board, 0) is not course_of(the_board(turns=1), 0)


def prepared(scenario: str = "eastern_front") -> Prepared:
    return Rulesets().load("axis_attack").prepare(scenario)


def test_shares_of_equals_are_even_and_rise_toward_the_enemy_home() -> None:
    course = course_of(prepared().board, 0)
    for games in range(10):
        shares = [course.before(games, sector, Last()) for sector in range(1, 8)]
        assert shares == sorted(shares)
        assert abs(shares[3] - 500_000) < 100_000  # motorized Germans break through by two sectors
    assert [course.before(0, sector, Last()) for sector in (2, 3, 6)] == [0, 500_000, 1_000_000]
    better = course_of(prepared().board, 600_000)
    assert better.before(5, 4, Last()) > course.before(5, 4, Last())
    assert course.before(5, 4, Last("german", 6)) > course.before(5, 4, Last("soviet", 6))
