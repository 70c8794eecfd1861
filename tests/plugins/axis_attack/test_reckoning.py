"""What the commander and the evaluation reckon with, reckoned once more in fractions, straight from the rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from tests.plugins.axis_attack.ground import PANZERGRENADIERS, STRELKOVY
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.positions import full_options, roster

from axis_attack.bots.campaign import Course, Game, Last, attackers, chances, course_of, has_wheels
from axis_attack.bots.evaluation import evaluate, strength
from axis_attack.bots.situation import Situation
from axis_attack.model.cards import ENEMY, GERMAN, SIDES, SOVIET, Board
from axis_attack.model.state import AxisState, Battle
from sandtable.kernel.dice import Stream
from sandtable.tabletop.resolver.logit import ln_ratio, logistic

MILLION = 1_000_000
NEAR = 60
"""Millionths by which whole numbers, rounded down at each step, may fall short of fractions."""

RESULTS = {  # of a win of the attacker, of the defender (AOA-7.07 to AOA-7.12)
    "encounter": ("advance", "advance"),
    "hold_the_line": ("advance", "hold"),
    "breakthrough": ("breakthrough", "hold"),
    "cauldron": ("hold", "advance"),
    "fighting_withdrawal": ("retreat", "retreat"),
    "trench_fight": ("advance", "hold"),
}
BIAS = {"hold_the_line": -150, "trench_fight": -350, "fighting_withdrawal": 100, "cauldron": -100}
"""Log-odds of the attacker in thousandths, by the table of SR-1."""
LOST = {"narrow": (1, 1, 2, 2, 2, 3), "clear": (0, 0, 1, 1, 2, 2), "decisive": (0, 0, 0, 0, 1, 1)}
WON = {6: 1, 5: 2, 4: 3}


def moved(sector: int, result: str, winner: str, attacker: str) -> int:
    """Return the next sector, one on, between 1 (German home) and 7 (AOA-7.02 to AOA-7.06)."""
    if result == "hold":
        return sector
    to_the_east = (attacker if result == "retreat" else winner) == GERMAN
    return min(7, sector + 1) if to_the_east else max(1, sector - 1)


def ladder(total: int) -> str:
    names = {7: "cauldron", 6: "fighting_withdrawal", 5: "hold_the_line"}
    if total >= 8:
        return "breakthrough" if total >= 10 else "encounter"
    return names.get(total, "trench_fight")


class Reckoned:
    """Shares of the Germans, by plain recursion; mechanised Germans against foot, who cannot break through by two."""

    def __init__(self, odds: int, wheels: tuple[str, ...] = SIDES) -> None:
        self.odds, self.wheels = odds, wheels
        self.before, self.expected, self.of_game = cache(self._before), cache(self._expected), cache(self._of_game)

    def _of_game(self, mission: str, attacker: str) -> dict[tuple[str, int], float]:
        """Return the chance of each result: winner and his points, ("", 0) a draw."""
        odds = self.odds + (1 if attacker == GERMAN else -1) * 1000 * BIAS.get(mission, 0)
        found: dict[tuple[str, int], float] = {}
        fair = mission == "encounter"
        for side, own in ((GERMAN, odds), (SOVIET, -odds)):
            edges = [200_000 if fair else 0, 750_000, 2_000_000]
            above = [logistic(own - edge) / MILLION for edge in edges]
            bands = {"narrow": above[0] - above[1], "clear": above[1] - above[2], "decisive": above[2]}
            for band, chance in bands.items():
                for lost in LOST[band]:
                    key = (side, (6, 5, 4, 4)[lost])
                    found[key] = found.get(key, 0.0) + chance / 6
        return {**found, ("", 0): 1 - sum(found.values())}

    def _before(self, games: int, sector: int, winner: str, points: int, modifier: int) -> float:
        if not games:
            return 0.0 if sector <= 2 else 1.0 if sector >= 6 else 0.5
        total = 0.0
        for first in range(1, 7):
            for second in range(1, 7):
                totals = {GERMAN: first, SOVIET: second}
                for side in SIDES:
                    totals[side] += points + modifier if side == winner else WON.get(points, 1)
                mission = ladder(max(totals.values()))
                if totals[GERMAN] != totals[SOVIET]:
                    either = [max(SIDES, key=lambda side: totals[side])]
                else:  # mechanised attacks foot in a defensive battle (AOA-8.09)
                    defensive = mission in {"fighting_withdrawal", "hold_the_line", "trench_fight"}
                    either = [GERMAN] if defensive else list(SIDES)
                for side in either:
                    total += self.expected(games, sector, mission, side) / len(either)
        return total / 36

    def _expected(self, games: int, sector: int, mission: str, attacker: str) -> float:
        rows = self.of_game(mission, attacker).items()
        return sum(chance * self.after(games, sector, mission, attacker, *each) for each, chance in rows)

    def after(self, games: int, sector: int, mission: str, attacker: str, winner: str, points: int) -> float:
        if not winner:
            return self.before(games - 1, sector, "", 0, 0)
        attacked = mission == "encounter" or winner == attacker
        if attacked and sector == {GERMAN: 7, SOVIET: 1}[winner]:
            return float(winner == GERMAN)
        result = RESULTS[mission][not attacked]
        modifier = -2 if not attacked else 0
        ways = [moved(sector, result, winner, attacker)]
        if result == "breakthrough" and winner in self.wheels:
            ways.append(moved(ways[0], result, winner, attacker))
        shares = [self.before(games - 1, way, winner, points, modifier) for way in ways]
        return max(shares) if winner == GERMAN else min(shares)


@pytest.mark.rule("AOA-7.01", "AOA-8.01", "AOA-8.06", "AOA-8.09", "AOA-12.01", "AOA-12.03")
@pytest.mark.parametrize("odds", [0, -1_400_000])
def test_the_course_of_a_campaign_is_that_of_the_rules_in_fractions(odds: int) -> None:
    """With two games left: selection, chances, what results do to the front, and the end itself."""
    board = the_board(turns=2)
    assert (has_wheels(board, GERMAN), has_wheels(board, SOVIET)) == (True, True)
    course, oracle = Course(board, odds), Reckoned(odds)
    lasts = [("", 0, 0), *((side, points, modifier) for side in SIDES for points in WON for modifier in (0, -2))]
    for games in range(3):
        for sector in range(1, 8):
            for last in lasts:
                told = course.before(games, sector, Last(*last))
                assert abs(told - MILLION * oracle.before(games, sector, *last)) < NEAR, (games, sector, last)
    for mission in RESULTS:
        for side in SIDES:
            game, each = Game(mission, side), chances(board, Game(mission, side), odds)
            rows = oracle.of_game(mission, side)
            for winner in SIDES:
                for points, chance in zip((6, 5, 4), each.won[winner], strict=True):
                    assert abs(chance - MILLION * rows[winner, points]) < NEAR
            assert abs(each.drawn - MILLION * rows["", 0]) < NEAR
            for sector in range(1, 8):
                told = course.expected(2, sector, game, each)
                assert abs(told - MILLION * oracle.expected(2, sector, mission, side)) < NEAR


@pytest.mark.rule("AOA-3.11", "AOA-7.04", "AOA-8.09")
def test_on_foot_nobody_goes_two_sectors_and_equal_companies_attack_either_way() -> None:
    foot = replace(STRELKOVY, types={"strelkovy": STRELKOVY.types["strelkovy"], "t34": STRELKOVY.types["t34"]})
    board = the_board(turns=2, lists={GERMAN: PANZERGRENADIERS, SOVIET: foot})
    assert (has_wheels(board, GERMAN), has_wheels(board, SOVIET)) == (True, False)
    oracle, course = Reckoned(0, (GERMAN,)), Course(board, 0)
    for sector in range(1, 8):
        for side in SIDES:
            told = course.after(2, sector, Game("breakthrough", side), Last(side, 6))
            assert abs(told - MILLION * oracle.after(2, sector, "breakthrough", side, side, 6)) < NEAR
    assert attackers(board, "hold_the_line") == [GERMAN]
    assert attackers(board, "breakthrough") == attackers(board, "encounter") == list(SIDES)
    heavy = replace(STRELKOVY, company="tank")
    assert attackers(the_board(lists={GERMAN: PANZERGRENADIERS, SOVIET: heavy}), "trench_fight") == [SOVIET]
    equal = replace(STRELKOVY, company="mechanised")
    assert attackers(the_board(lists={GERMAN: PANZERGRENADIERS, SOVIET: equal}), "trench_fight") == list(SIDES)


def test_one_course_serves_all_odds_that_are_nearest_to_its_own() -> None:
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


# --- the commander's situation ---


def situation(side: str = GERMAN, *, board: Board | None = None, turn: int = 8, **more: Any) -> Situation:
    """Return a situation in a view that is laid by hand: two games left in the centre, forces unknown."""
    board = board or the_board()
    found = {
        "rosters": {each: roster(board, each, "") for each in SIDES},
        "balance": dict.fromkeys(SIDES, 0),
        "forces": {},
        "sector": 4,
        "mission": "hold_the_line",
        "attacker": GERMAN,
        "turn": turn,
    }
    return Situation(SimpleNamespace(**(found | more)), board, side, Stream(b"situation"))


@pytest.mark.rule("AOA-3.02", "AOA-3.03", "AOA-3.07")
def test_points_are_those_of_the_roster_and_of_an_enemy_what_he_has_not_lost_before_ones_eyes() -> None:
    """Own: 50, 205, 145, nothing for gutted. The enemy's 2000: of his tanks (635) only seven (445) are left."""
    board = the_board()
    rosters = {
        GERMAN: roster(board, GERMAN, "pg1 pg full; pg2 pg depleted; hmg hmg gutted"),
        SOVIET: roster(board, SOVIET, "t1 tankovy under; s1 strelkovy full; zis zis3 destroyed"),
    }
    told = situation(rosters=rosters)
    assert told.points() == {GERMAN: 50 + 205 + 145, SOVIET: 2000 - (635 - 445) - 180}
    assert told.games == 2
    assert situation(SOVIET, rosters=rosters).points()[SOVIET] == 30 + 445 + 305
    assert situation(SOVIET, rosters=rosters).points()[GERMAN] == 2000 - (205 - 145) - 135
    rich = {SOVIET: roster(board, SOVIET, "; ".join(f"t{number} tankovy full" for number in range(4)))}
    assert situation(rosters=rich).points() == {GERMAN: 200, SOVIET: 30 + 4 * 635}  # more than was agreed: all seen
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
def test_fighting_costs_what_a_game_costs_and_giving_up_costs_the_game(side: str, mission: str, attacker: str) -> None:
    """Equal armies of 2000 points: of 1500 fielded a winner loses a fifth (300), others two (600)."""
    told = situation(side, mission=mission, attacker=attacker, rosters={})
    points = dict.fromkeys(SIDES, 2000)
    told.points = lambda: dict(points)  # type: ignore[method-assign]
    board, game = told.board, Game(mission, attacker)
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
    assert abs(told.fought() - (german if side == GERMAN else MILLION - german)) < 5
    lost = course(2000, 2000).after(2, 4, game, Last(ENEMY[side], 6))
    assert told.conceded() == (lost if side == GERMAN else MILLION - lost)
    of = [
        course(2000, 2000).expected(2, 4, Game("cauldron", each), chances(board, Game("cauldron", each), 0))
        for each in SIDES
    ]
    mean = sum(of) / 2
    assert abs(told.of_mission("cauldron", list(SIDES)) - (mean if side == GERMAN else MILLION - mean)) < 3
    one = of[0] if side == GERMAN else MILLION - of[0]
    assert told.of_mission("cauldron", [GERMAN]) == one


def test_odds_are_the_fourth_power_of_what_both_can_field() -> None:
    told = situation()
    told.fielded = lambda: {GERMAN: 1500, SOVIET: 750}  # type: ignore[method-assign]
    game = Game("encounter", GERMAN)
    assert told.chances(game) == chances(told.board, game, 4 * ln_ratio(2, 1))
    assert told.course({GERMAN: 3000, SOVIET: 1}) is course_of(told.board, 4 * ln_ratio(1500, 200) * 700 // 1000)


# --- the evaluation ---


def evaluated(state: AxisState, games: int, *, mission: str = "") -> Fraction:
    """Return the Germans' share: by chances of each game, of which a fifth of the advantage fades each time."""
    board = state.board
    own, theirs = (Fraction(strength(state, board, side)) ** 3 for side in SIDES)
    advantage = (own - theirs) / (2 * (own + theirs))
    chance = [Fraction(1, 2) + advantage * Fraction(4, 5) ** number for number in range(games)]

    @cache
    def before(number: int, sector: int) -> Fraction:
        if sector < 1 or sector > 7:
            return Fraction(sector > 7)
        if number == games:
            return Fraction(0 if sector <= 2 else 1 if sector >= 6 else Fraction(1, 2))
        won, lost = before(number + 1, sector + 1), before(number + 1, sector - 1)
        gone = chance[number] * won + (1 - chance[number]) * lost
        return Fraction(3, 4) * gone + Fraction(1, 4) * before(number + 1, sector)

    if not mission:
        return before(0, state.sector)
    total = Fraction(0)
    roles = [state.attacker] if state.attacker else list(SIDES)
    for attacker in roles:
        for winner in SIDES:
            attacked = mission == "encounter" or winner == attacker
            to = moved(state.sector, RESULTS[mission][not attacked], winner, attacker)
            ends = attacked and state.sector == {GERMAN: 7, SOVIET: 1}[winner]
            after = Fraction(winner == GERMAN) if ends else before(1, to)
            total += (chance[0] if winner == GERMAN else 1 - chance[0]) * after / len(roles)
    return total


@pytest.mark.rule("AOA-7.01", "AOA-12.01", "AOA-12.03")
@pytest.mark.parametrize("mission", RESULTS)
@pytest.mark.parametrize("attacker", [GERMAN, SOVIET, ""])
def test_the_evaluation_is_that_of_its_description_in_fractions(mission: str, attacker: str) -> None:
    board = the_board()
    for turn, sector, phase, over in (
        *((turn, sector, "forces", False) for turn in (2, 8, 9) for sector in range(1, 8)),
        *((7, sector, "selection", False) for sector in (1, 3, 7)),
        *((turn, sector, "closing", True) for turn in (7, 9) for sector in (2, 5)),
        (0, 4, "setup.company", False),
    ):
        state = AxisState(options=full_options({}), sector=sector, turn=turn, phase=phase)
        state.mission = mission if turn else ""
        state.place_board(board)
        state.attacker = attacker
        state.rosters = {
            GERMAN: roster(board, GERMAN, "pg1 pg full; pg2 pg full"),
            SOVIET: roster(board, SOVIET, "t tankovy full"),
        }
        state.balance = {GERMAN: 1, SOVIET: 0}
        state.track = [Battle(turn if over else turn - 1, sector, mission, GERMAN, SOVIET)]
        games = 9 - turn + (1 if turn and not over else 0)
        told = evaluate(state, board)
        share = evaluated(state, games, mission=mission if phase == "forces" else "")
        assert abs(told[GERMAN] - 1000 * share) <= Fraction(3, 5), (turn, sector, phase)
        assert sum(told.values()) == 1000


@pytest.mark.rule("AOA-3.02", "AOA-3.03")
def test_what_a_side_can_field_counts_up_to_the_limit_then_by_a_fourth() -> None:
    board = the_board()
    state = AxisState(options=full_options({}), turn=3)
    state.rosters = {GERMAN: roster(board, GERMAN, "pg1 pg full; pg2 pg depleted; h hmg gutted"), SOVIET: {}}
    state.balance = {GERMAN: 2, SOVIET: 9}
    assert strength(state, board, GERMAN) == 50 + 205 + 145 + 2 * 25
    assert strength(state, board, SOVIET) == 1500 + (2000 - 1500) // 4 + 6 * 25  # not built yet: what it may cost
    state.rosters[SOVIET] = roster(board, SOVIET, "; ".join(f"t{each} tankovy full" for each in range(3)))
    assert strength(state, board, SOVIET) == 1500 + (30 + 3 * 635 - 1500) // 4 + 6 * 25
