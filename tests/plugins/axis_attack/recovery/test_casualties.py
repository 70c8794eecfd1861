"""Casualties (chapter VI): the level of each platoon after a game."""

import pytest
from tests.plugins.axis_attack.cases import Lay, chooses, result

from axis_attack.model import orders
from axis_attack.model.cards import DEPLETED, FULL
from axis_attack.model.events import StrengthAssessed

OTHERS = "pg1 pg full; pg2 pg full"


@pytest.mark.rule(
    "AOA-10.01", "AOA-10.02", "AOA-10.09", "AOA-10.10", "AOA-10.11", "AOA-10.12", "AOA-10.13", "AOA-10.14"
)
@pytest.mark.parametrize(
    ("lost", "level"),
    [
        (0, "full strength"),
        (1, "under strength"),
        (3, "under strength"),
        (4, "depleted"),
        (5, "depleted"),
        (6, "gutted"),
        (9, "gutted"),
        (10, "destroyed"),
    ],
)
def test_teams_left_give_the_level_rounded_down(lay: Lay, lost: int, level: str) -> None:
    case = lay("battle", forces={"soviet": "t1 10; t2 5"})
    case.play(result("german", "5-2", soviet={"t1": f"{lost}d"} if lost else {}))
    assert case.level("t1") == level


@pytest.mark.rule("AOA-10.01", "AOA-10.08")
def test_each_platoon_that_took_part_is_assessed(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7; cars 2", "soviet": "t1 10; t2 5"})
    case.play(result("german", "5-2", german={"pg1": "2d"}))
    assert [each.platoon for each in case.events(StrengthAssessed, side="german")] == ["pg1", "cars"]
    assessed = case.one(StrengthAssessed, platoon="pg1")
    assert (assessed.teams, assessed.before, assessed.level) == (5, FULL, DEPLETED)


@pytest.mark.rule("AOA-R56")
def test_who_stayed_at_home_keeps_his_level(lay: Lay) -> None:
    german = f"{OTHERS}; cars cars depleted; panzer panzer gutted"
    case = lay("battle", german=german, forces={"german": "pg1 7; pg2 7"}).play(
        result("german", "5-2", german={"pg1": "7d"})
    )
    assert case.level("pg1", "pg2", "cars", "panzer") == "destroyed, full strength, depleted, gutted"


@pytest.mark.rule("AOA-10.04", "AOA-3.16")
@pytest.mark.parametrize(
    ("fielded", "lost", "level"),
    [
        (7, 3, "under strength"),
        (7, 4, "depleted"),
        (5, 5, "depleted"),
        (5, 3, "under strength"),
        (8, 0, "full strength"),
    ],
)
def test_teams_that_stayed_behind_are_added(lay: Lay, fielded: int, lost: int, level: str) -> None:
    case = lay("battle", forces={"soviet": f"t1 {fielded}; t2 5"})
    case.play(result("german", "5-2", soviet={"t1": f"{lost}d"} if lost else {}))
    assert case.level("t1") == level


@pytest.mark.rule("AOA-10.04", "AOA-R10", "AOA-R55")
def test_what_stayed_behind_is_counted_from_the_level(lay: Lay) -> None:
    """Under strength are seven tanks: five fought, two stayed behind; one lost leaves six."""
    case = lay("battle", soviet="t1 tankovy under; t2 tankovy full", forces={"soviet": "t1 5; t2 5"})
    case.play(result("german", "5-2", soviet={"t1": "1d"}))
    assert case.level("t1") == "depleted"


@pytest.mark.rule("AOA-R10")
@pytest.mark.parametrize(("memory", "level"), [("level_size", "depleted"), ("exact_teams", "under strength")])
def test_teams_over_the_level_may_be_remembered(lay: Lay, memory: str, level: str) -> None:
    case = lay(
        "battle",
        soviet="t1 tankovy under teams=9; t2 tankovy full",
        forces={"soviet": "t1 5; t2 5"},
        strength_memory=memory,
    )
    case.play(result("german", "5-2", soviet={"t1": "2d"}))
    assert case.level("t1") == level


@pytest.mark.rule("AOA-R55")
def test_a_battle_raises_nobody(lay: Lay) -> None:
    case = lay("battle", soviet="t1 tankovy depleted; t2 tankovy full", forces={"soviet": "t1 5; t2 5"}).play(
        result("german", "5-2")
    )
    assert case.level("t1") == "depleted"


@pytest.mark.rule("AOA-10.05")
@pytest.mark.parametrize(
    ("exits", "level"),
    [
        ("3:3", "gutted"),
        ("4:3", "full strength"),
        ("3:1 4:2", "depleted"),
        ("1:2 2:1", "gutted"),
        ("6:1 7:2", "full strength"),
    ],
)
def test_teams_that_left_by_their_own_edge_after_turn_three_come_back(lay: Lay, exits: str, level: str) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7"}).play(result("soviet", "5-2", german={"pg1": exits}))
    assert case.level("pg1") == level


@pytest.mark.rule("AOA-R54", "AOA-10.05", "AOA-10.08")
def test_they_count_even_if_the_rest_ran_away(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7"}).play(result("soviet", "5-2", german={"pg1": "2r 5:5 lost"}))
    assert case.level("pg1") == "depleted"


@pytest.mark.rule("AOA-R32", "AOA-10.06")
@pytest.mark.parametrize(
    ("ruling", "dice", "level"),
    [
        ("recovered_on_4", "4+5+3", "under strength"),
        ("recovered_on_4", "1+2+3", "gutted"),
        ("recovered_on_4", "6+6+6", "full strength"),
        ("destroyed", "", "gutted"),
        ("recovered", "", "full strength"),
    ],
)
def test_in_a_draw_their_owner_rolls_for_them(lay: Lay, ruling: str, dice: str, level: str) -> None:
    told = {"bailed:german:panzer": dice} if dice else {}
    case = lay("battle", forces={"german": "pg1 7; pg2 7; panzer 5"}, dice=told, draw_bailed=ruling)
    case.play(result("draw", "1-1", german={"panzer": "3b"}))
    assert case.level("panzer") == level


@pytest.mark.rule("AOA-10.08", "AOA-R57", "AOA-10.10")
@pytest.mark.parametrize(
    ("losses", "level"), [("4d 3r", "gutted"), ("7r", "gutted"), ("7d", "destroyed"), ("6d 1r", "gutted")]
)
def test_who_ran_away_is_not_destroyed(lay: Lay, losses: str, level: str) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7"}).play(result("soviet", "5-2", german={"pg1": losses}))
    assert case.level("pg1") == level


@pytest.mark.rule("AOA-10.10", "AOA-10.04")
def test_nobody_is_destroyed_who_has_teams_at_home(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 5; pg2 7"}).play(result("soviet", "5-2", german={"pg1": "5d"}))
    assert case.level("pg1") == "gutted"


@pytest.mark.rule("AOA-R09")
def test_of_a_gutted_platoon_only_the_level_is_known(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7"}, dice={"reinforce:german:pg1": "3+1+1+1"})
    case.play(result("soviet", "5-2", german={"pg1": "4d"}), ("german", orders.AssignDice(0, {"pg1": 4})))
    assert case.level("pg1") == "depleted"
    case.next_turn().play(until=orders.ChooseForce)
    assert case.allows(chooses("german", "pg1 5; pg2 7"))
