"""The commander's estimate of points, odds and concessions."""

from types import SimpleNamespace

import pytest
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.oracle.shares import MILLION
from tests.plugins.axis_attack.positions import roster
from tests.plugins.axis_attack.situations import situation

from axis_attack.bots.campaign import Course, Game, Last, chances, course_of
from axis_attack.model.cards import ENEMY, GERMAN, SIDES, SOVIET
from sandtable.tabletop.resolver.logit import ln_ratio


@pytest.mark.rule("AOA-3.02", "AOA-3.03", "AOA-3.07")
def test_points_of_an_enemy_are_its_total_minus_seen_losses() -> None:
    """Own: 50 + 205 + 145, and 0 for a gutted platoon. The enemy: 2000 minus the losses that were seen."""
    board = the_board()
    rosters = {
        GERMAN: roster(board, GERMAN, "pg1 pg full; pg2 pg depleted; hmg hmg gutted"),
        SOVIET: roster(board, SOVIET, "t1 tankovy under; s1 strelkovy full; zis zis3 destroyed"),
    }
    position = situation(rosters=rosters)
    assert position.points() == {GERMAN: 50 + 205 + 145, SOVIET: 2000 - (635 - 445) - 180}
    assert position.games == 2
    assert situation(SOVIET, rosters=rosters).points()[SOVIET] == 30 + 445 + 305
    assert situation(SOVIET, rosters=rosters).points()[GERMAN] == 2000 - (205 - 145) - 135
    rich = {SOVIET: roster(board, SOVIET, "; ".join(f"t{number} tankovy full" for number in range(4)))}
    assert situation(rosters=rich).points() == {GERMAN: 200, SOVIET: 30 + 4 * 635}  # above 2000
    assert situation(rosters={GERMAN: {}}).points()[GERMAN] == 200
    shown = {GERMAN: SimpleNamespace(points=1400), SOVIET: SimpleNamespace(points=1600)}
    assert situation(rosters=rosters, forces=shown).fielded() == {GERMAN: 1400, SOVIET: 1600}
    half = {GERMAN: SimpleNamespace(points=1400)}
    paid = situation(rosters=rosters, forces=half, balance={GERMAN: 9, SOVIET: 1})
    assert paid.fielded() == {GERMAN: 400, SOVIET: 1575}
    assert situation(rosters=rosters, balance={GERMAN: 9, SOVIET: 9}).fielded()[SOVIET] == 1630


@pytest.mark.rule("AOA-5.22", "AOA-5.23")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("mission", "attacker"), [("hold_the_line", GERMAN), ("cauldron", SOVIET), ("encounter", GERMAN)]
)
def test_value_of_fighting_over_conceding_matches_manual_count(side: str, mission: str, attacker: str) -> None:
    """Both have 2000 points and field 1500. A winner loses a fifth (300), a loser or a draw two fifths (600)."""
    position = situation(side, mission=mission, attacker=attacker, rosters={})
    points = dict.fromkeys(SIDES, 2000)
    position.points = lambda: dict(points)  # type: ignore[method-assign]  # points are set by hand
    board, game = position.board, Game(mission, attacker)
    here = chances(board, game, 0)

    def course(german: int, soviet: int) -> Course:
        return course_of(board, 4 * ln_ratio(min(1500, german), min(1500, soviet)) * 700 // 1000)

    left = {GERMAN: (1700, 1400), SOVIET: (1400, 1700), "": (1400, 1400)}
    share = 0
    for winner, both in left.items():
        for points_won, chance in zip((6, 5, 4), here.won.get(winner, ()), strict=False):
            share += chance * course(*both).after(2, 4, game, Last(winner, points_won))
    share += here.drawn * course(1400, 1400).after(2, 4, game, Last())
    german = share / MILLION
    assert abs(position.fought() - (german if side == GERMAN else MILLION - german)) < 5
    lost = course(2000, 2000).after(2, 4, game, Last(ENEMY[side], 6))
    assert position.conceded() == (lost if side == GERMAN else MILLION - lost)
    of = [
        course(2000, 2000).expected(2, 4, Game("cauldron", each), chances(board, Game("cauldron", each), 0))
        for each in SIDES
    ]
    mean = sum(of) / 2
    assert abs(position.of_mission("cauldron", list(SIDES)) - (mean if side == GERMAN else MILLION - mean)) < 3
    one = of[0] if side == GERMAN else MILLION - of[0]
    assert position.of_mission("cauldron", [GERMAN]) == one


def test_odds_are_the_fourth_power_of_the_fielded_points() -> None:
    position = situation()
    position.fielded = lambda: {GERMAN: 1500, SOVIET: 750}  # type: ignore[method-assign]  # points are set by hand
    game = Game("encounter", GERMAN)
    assert position.chances(game) == chances(position.board, game, 4 * ln_ratio(2, 1))
    assert position.course({GERMAN: 3000, SOVIET: 1}) is course_of(
        position.board, 4 * ln_ratio(1500, 200) * 700 // 1000
    )
