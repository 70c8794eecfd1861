"""The result of a mission on the track (chapter V), and the end of the campaign (chapter VIII)."""

from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay, breaks_through, concession, result
from tests.plugins.axis_attack.positions import campaign
from tests.plugins.axis_attack.rows import Row, play, row

from axis_attack.mission.front import (
    RULES,
    distance_calculations,
    front_calculations,
    left_behind,
    may_move_two,
    near_enemy_home,
)
from axis_attack.model import orders
from axis_attack.model.events import SelectionRolled
from axis_attack.model.state import Fielded, Force
from sandtable.kernel.events import Calculation


@pytest.mark.rule("AOA-7.02", "AOA-7.03", "AOA-7.04", "AOA-7.06", "AOA-R48")
@pytest.mark.parametrize(
    ("mission", "winner", "sector", "code", "sectors", "role", "steps"),
    [
        ("hold_the_line", "german", 4, "advance", 1, "attacker", (("advance", 1, "AOA-7.03"),)),
        ("hold_the_line", "soviet", 4, "hold", 1, "defender", ()),
        ("hold_the_line", "draw", 4, "hold", 1, "draw", ()),
        ("cauldron", "soviet", 4, "advance", 1, "defender", (("advance", -1, "AOA-7.03"),)),
        ("breakthrough", "german", 4, "breakthrough", 2, "attacker", (("breakthrough", 2, "AOA-7.04"),)),
        (
            "breakthrough", "german", 6, "breakthrough", 2, "attacker",
            (("breakthrough", 2, "AOA-7.04"), ("limited by the home sector", -1, "AOA-R48")),
        ),
        ("fighting_withdrawal", "german", 4, "retreat", 1, "attacker", (("retreat", 1, "AOA-7.06"),)),
        (
            "fighting_withdrawal", "soviet", 7, "retreat", 1, "defender",
            (("retreat: limited by the home sector", 0, "AOA-R48"),),
        ),
    ],
)  # fmt: skip
def test_front_has_a_calculation(
    mission: str, winner: str, sector: int, code: str, sectors: int, role: str, steps: tuple[Any, ...]
) -> None:
    rules = {"hold_the_line": "AOA-7.08", "cauldron": "AOA-7.10", "breakthrough": "AOA-7.09"}
    state = campaign(mission=mission, winner=winner, sector=sector)
    assert front_calculations(state, code, sectors) == (
        Calculation("result", (), (rules.get(mission, "AOA-7.11"), mission, role)),
        Calculation("sector", (("sector", sector, "AOA-7.01"), *steps)),
    )


@pytest.mark.rule("AOA-12.03", "AOA-R67")
def test_distance_to_each_home_starts_at_the_larger_number() -> None:
    for sector in range(1, 8):
        state = campaign(sector=sector)
        calculations = distance_calculations(state)
        assert [(each.name, each.total) for each in calculations] == [
            ("distance.german", 7 - sector),
            ("distance.soviet", sector - 1),
        ]
        assert {rule for each in calculations for _, _, rule in each.steps} == {"AOA-12.03"}
        assert near_enemy_home(state) == (["german"] if sector >= 6 else ["soviet"] if sector <= 2 else [])


@pytest.mark.rule("AOA-3.11", "AOA-3.12", "AOA-R47")
def test_left_behind_platoons_are_neither_mobile_nor_carried() -> None:
    state = campaign("pg1 pg full; pg2 pg full immobile; hq knackers full; panzer panzer full; cars cars full immobile")
    state.forces["german"] = Force([Fielded(each, 5) for each in ("pg1", "pg2", "hq", "panzer", "cars")])
    assert left_behind(state, "german") == ["pg2", "hq", "cars"]
    state.forces["german"] = Force([Fielded("pg2", 5, carried_by="panzer"), Fielded("hq", 2)])
    assert left_behind(state, "german") == ["hq"]
    assert left_behind(state, "soviet") == []


@pytest.mark.rule("AOA-7.04", "AOA-R47", "AOA-R48")
def test_breakthrough_has_a_choice_only_if_two_sectors_remain() -> None:
    for winner, sectors in (("german", [1, 2, 3, 4, 5]), ("soviet", [3, 4, 5, 6, 7])):
        states = [campaign(mission="breakthrough", winner=winner, sector=sector) for sector in range(1, 8)]
        assert [state.sector for state in states if may_move_two(state)] == sectors


MOBILE = {"german": "pg1 7; pg2 7; cars 4"}
ON_FOOT = "pg1 pg full; pg2 pg full; panzer panzer full; hq knackers full"
MISSIONS = "7.01 7.02 7.03 7.06 7.07 7.08 7.09 7.10 7.11 7.12 2.02"


def won(rules: str, winner: str, front: int, *more: Any, score: str = "5-2", name: str = "", **words: Any) -> Any:
    """Return a row of a battle: the winner, and the sector of the next one."""
    found = name or f"{winner} {' '.join(map(str, words.values()))} {len(more)} {front}"
    return row(rules, found, result(winner, score), *more, front=front, **words)


def of(mission: str, attacker: str, winner: str, front: int) -> Any:
    return won(MISSIONS, winner, front, mission=mission, attacker=attacker, moved=[(4, front, winner)])


def broke(rules: str, name: str, front: int, *more: Any, **words: Any) -> Any:
    return won(
        rules, words.pop("winner", "german"), front, *more, score="6-1", name=name, mission="breakthrough", **words
    )


def ends(rules: str, name: str, winner: str, ended: Any, **words: Any) -> Any:
    return row(rules, name, result(winner, "4-3"), ended=ended, **words)


@pytest.mark.rule(
    "AOA-12.01 AOA-12.02 AOA-2.02 AOA-3.09 AOA-3.10 AOA-5.22 AOA-5.23 AOA-7.01 AOA-7.02 AOA-7.03 AOA-7.04 AOA-7.06"
    " AOA-7.07 AOA-7.08 AOA-7.09 AOA-7.10 AOA-7.11 AOA-7.12 AOA-R30 AOA-R31 AOA-R47 AOA-R48 AOA-R49 AOA-R50 AOA-R66"
)
@pytest.mark.parametrize(
    "case",
    [
        of("encounter", "german", "german", 5),
        of("encounter", "german", "soviet", 3),
        of("encounter", "soviet", "german", 5),
        of("hold_the_line", "german", "german", 5),
        of("hold_the_line", "soviet", "soviet", 3),
        of("hold_the_line", "german", "soviet", 4),
        of("breakthrough", "german", "soviet", 4),
        of("breakthrough", "german", "german", 5),
        of("cauldron", "german", "german", 4),
        of("cauldron", "german", "soviet", 3),
        of("cauldron", "soviet", "german", 5),
        of("fighting_withdrawal", "german", "german", 5),
        of("fighting_withdrawal", "german", "soviet", 5),
        of("fighting_withdrawal", "soviet", "german", 3),
        of("trench_fight", "soviet", "soviet", 3),
        of("trench_fight", "soviet", "german", 4),
        row("7.04 R47", "wrong_number_of_sectors", mission="breakthrough", forces=MOBILE,
            until=orders.ChooseBreakthrough, wrong=[breaks_through("german", sectors) for sectors in (0, 3)]),
        broke("7.04 3.09 R47", "one_sector", 5, breaks_through("german", 1), forces=MOBILE, bound=""),
        broke("7.04 3.09 R47 R50", "two_sectors", 6, breaks_through("german", 2), forces=MOBILE, bound="german"),
        broke(
            "7.04 R50", "soviets_to_the_west", 2, breaks_through("soviet", 2), winner="soviet", attacker="soviet",
            forces={"soviet": "t1 7; t2 7"}, bound="soviet",
        ),
        broke("3.09 3.10 R47 R49", "all_on_wheels", 6, breaks_through("german", 2), german=ON_FOOT,
              forces={"german": "pg1 7; pg2 7"}),
        broke("3.09 3.10 R47 R49", "foot_among_them", 5, german=ON_FOOT, forces={"german": "hq 4; pg1 7; pg2 7"}),
        broke("3.09 3.10 R47 R49", "foot_on_tanks", 6, breaks_through("german", 2), german=ON_FOOT,
              forces={"german": "hq 4 on=panzer; pg1 7; pg2 7; panzer 5"}),
        broke("R49", "next_game_only", 6, breaks_through("german", 2), german=ON_FOOT,
              forces={"german": "hq 4; pg1 7; pg2 7"}, breakthrough_mobility="next_game_only"),
        broke("R48", "home_sector_is_the_end", 7, forces=MOBILE, sector=6, bound=""),
        won("R48 7.06", "german", 1, mission="fighting_withdrawal", attacker="soviet", sector=1, ended=None),
        row("R30 5.22 5.23", "conceded", concession("soviet"), mission="hold_the_line", front=5, left=(6, 1)),
        row("R31", "draw", result("draw", "2-1", soviet={"scouts": "7d"}), front=4, left=(2, 1)),
        ends("12.01", "as_defender", "german", None, mission="hold_the_line", attacker="soviet", sector=7),
        ends("12.01", "at_home", "soviet", None, mission="hold_the_line", sector=7),
        ends("12.01", "encounter_at_home", "soviet", None, sector=7),
        ends("12.01", "next_to_home", "german", None, sector=6),
        ends("12.01 R66 7.07", "encounter_of_a_defender", "german", ("german", "home_sector"),
             attacker="soviet", sector=7),
        row("12.01 R30", "conceded_at_home", concession("soviet"), mission="trench_fight", sector=7,
            ended=("german", "home_sector")),
        ends("12.02", "eight_turns", "german", None, mission="cauldron", sector=6, turn=8, front=6),
    ],
)  # fmt: skip
def test_front_and_end_of_the_campaign_follow_the_rules(lay: Lay, case: Row) -> None:
    play(lay, case)


@pytest.mark.rule("AOA-12.01", "AOA-R66", "AOA-2.03")
@pytest.mark.parametrize("mission", RULES)
@pytest.mark.parametrize(("side", "home"), [("german", 7), ("soviet", 1)])
def test_attacker_that_wins_in_the_enemy_home_wins_the_campaign(lay: Lay, mission: str, side: str, home: int) -> None:
    case = lay("battle", mission=mission, attacker=side, sector=home).play(result(side, "4-3"))
    assert (case.ended(), case.state.turn) == ((side, "home_sector"), 2)


@pytest.mark.rule("AOA-12.02", "AOA-12.03", "AOA-12.04", "AOA-R67", "AOA-R68")
@pytest.mark.parametrize("sector", range(1, 8))
def test_front_decides_after_nine_turns(lay: Lay, sector: int) -> None:
    end = {1: ("soviet", "front"), 2: ("soviet", "front"), 6: ("german", "front"), 7: ("german", "front")}
    side = "soviet" if sector == 7 else "german"
    case = lay("battle", mission="cauldron", sector=sector, turn=9, attacker=side).play(result(side, "4-3"))
    assert case.ended() == end.get(sector, ("draw", "stalemate"))
    assert case.events(SelectionRolled, later=True) == []
