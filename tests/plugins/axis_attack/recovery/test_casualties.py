"""Casualties (chapter VI): the level of each platoon after a game."""

from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay, chooses, result
from tests.plugins.axis_attack.rows import Row, play, row

from axis_attack.model import orders
from axis_attack.model.cards import DEPLETED, FULL
from axis_attack.model.events import StrengthAssessed

PLAIN = {"german": "pg1 7; pg2 7"}


def tanks(rules: str, lost: str, level: str, fielded: int = 10, **words: Any) -> Any:
    """Return a row of a Soviet tank platoon in a German win."""
    losses = {"t1": lost} if lost else {}
    fought = result("german", "5-2", soviet=losses)
    name = f"{fielded} {lost or 'none'} {level} {'-'.join(map(str, words.values()))}"
    return row(rules, name, fought, forces={"soviet": f"t1 {fielded}; t2 5"}, levels=f"t1 {level}", **words)


def foot(rules: str, lost: str, level: str, fielded: int = 7) -> Any:
    """Return a row of a German platoon on foot in a Soviet win."""
    fought = result("soviet", "5-2", german={"pg1": lost})
    return row(rules, f"{fielded} {lost}", fought, forces={"german": f"pg1 {fielded}; pg2 7"}, levels=f"pg1 {level}")


def bailed(rules: str, winner: str, score: str, lost: str, level: str, dice: str = "", **words: Any) -> Any:
    told = {"bailed:german:panzer": dice} if dice else {}
    name = " ".join([winner, lost, dice, *words.values()])
    forces = {"german": "pg1 7; pg2 7; panzer 5"}
    fought = result(winner, score, german={"panzer": lost})
    return row(rules, name, fought, forces=forces, dice=told, levels=f"panzer {level}", **words)


COUNTED = "10.01 10.02 10.09 10.10 10.11 10.12 10.13 10.14"
BEHIND = "10.04 3.16"
TOOK_PART = result("german", "5-2", german={"pg1": "2d"})


@pytest.mark.rule(
    "AOA-10.01 AOA-10.02 AOA-10.03 AOA-10.04 AOA-10.05 AOA-10.06 AOA-10.07 AOA-10.08 AOA-10.09 AOA-10.10 AOA-10.11"
    " AOA-10.12 AOA-10.13 AOA-10.14 AOA-3.16 AOA-R10 AOA-R32 AOA-R54 AOA-R55 AOA-R56 AOA-R57"
)
@pytest.mark.parametrize(
    "case",
    [
        tanks(COUNTED, "", "full strength"),
        tanks(COUNTED, "1d", "under strength"),
        tanks(COUNTED, "3d", "under strength"),
        tanks(COUNTED, "4d", "depleted"),
        tanks(COUNTED, "5d", "depleted"),
        tanks(COUNTED, "6d", "gutted"),
        tanks(COUNTED, "9d", "gutted"),
        tanks(COUNTED, "10d", "destroyed"),
        tanks(BEHIND, "3d", "under strength", 7),
        tanks(BEHIND, "4d", "depleted", 7),
        tanks(BEHIND, "5d", "depleted", 5),
        tanks(BEHIND, "3d", "under strength", 5),
        tanks(BEHIND, "", "full strength", 8),
        # of seven tanks (under strength) five fought; one is lost, so six are left
        tanks("10.04 R10 R55", "1d", "depleted", 5, soviet="t1 tankovy under; t2 tankovy full"),
        tanks("R10", "2d", "depleted", 5, soviet="t1 tankovy under teams=9; t2 tankovy full"),
        tanks(
            "R10", "2d", "under strength", 5,
            soviet="t1 tankovy under teams=9; t2 tankovy full", strength_memory="exact_teams",
        ),
        tanks("R55", "", "depleted", 5, soviet="t1 tankovy depleted; t2 tankovy full"),
        foot("10.05", "3:3", "gutted"),
        foot("10.05", "4:3", "full strength"),
        foot("10.05", "3:1 4:2", "depleted"),
        foot("10.05", "1:2 2:1", "gutted"),
        foot("10.05", "6:1 7:2", "full strength"),
        foot("R54 10.05 10.08", "2r 5:5 lost", "depleted"),
        foot("10.08 R57 10.10", "4d 3r", "gutted"),
        foot("10.08 R57 10.10", "7r", "gutted"),
        foot("10.08 R57 10.10", "7d", "destroyed"),
        foot("10.08 R57 10.10", "6d 1r", "gutted"),
        foot("10.10 10.04", "5d", "gutted", 5),
        bailed("10.06 10.07", "german", "5-2", "2d 3b", "depleted"),
        bailed("10.06 10.07", "soviet", "5-2", "2d 3b", "destroyed"),
        bailed("10.06 10.07", "german", "5-2", "2d 3b", "depleted", attacker="soviet"),
        bailed("10.06 10.07", "soviet", "5-2", "2d 3b", "destroyed", attacker="soviet"),
        bailed("R32 10.06", "draw", "1-1", "3b", "under strength", "4+5+3", draw_bailed="recovered_on_4"),
        bailed("R32 10.06", "draw", "1-1", "3b", "gutted", "1+2+3", draw_bailed="recovered_on_4"),
        bailed("R32 10.06", "draw", "1-1", "3b", "full strength", "6+6+6", draw_bailed="recovered_on_4"),
        bailed("R32 10.06", "draw", "1-1", "3b", "gutted", draw_bailed="destroyed"),
        bailed("R32 10.06", "draw", "1-1", "3b", "full strength", draw_bailed="recovered"),
        row(
            "10.03", "transports_and_upgrade_teams_do_not_count",
            result("german", "5-2", german={"pg1": "2d 4t 1u", "pg2": "4t"}),
            forces={"german": "pg1 7 light_mortar; pg2 7"}, levels="pg1 depleted; pg2 full strength",
            transports={"pg2": 0},
        ),
        row(
            "R56", "platoons_at_home", result("german", "5-2", german={"pg1": "7d"}), forces=PLAIN,
            german="pg1 pg full; pg2 pg full; cars cars depleted; panzer panzer gutted",
            levels="pg1 destroyed; pg2 full strength; cars depleted; panzer gutted",
        ),
    ],
)  # fmt: skip
def test_platoon_level_after_a_game_follows_the_rules(lay: Lay, case: Row) -> None:
    play(lay, case)


@pytest.mark.rule("AOA-10.01", "AOA-10.08")
def test_each_fielded_platoon_is_assessed(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7; cars 2", "soviet": "t1 10; t2 5"}).play(TOOK_PART)
    assert [each.platoon for each in case.events(StrengthAssessed, side="german")] == ["pg1", "cars"]
    assessed = case.one(StrengthAssessed, platoon="pg1")
    assert (assessed.teams, assessed.before, assessed.level) == (5, FULL, DEPLETED)


@pytest.mark.rule("AOA-R09")
def test_gutted_platoon_keeps_only_its_level(lay: Lay) -> None:
    case = lay("battle", forces=PLAIN, dice={"reinforce:german:pg1": "3+1+1+1"})
    case.play(result("soviet", "5-2", german={"pg1": "4d"}), ("german", orders.AssignDice(0, {"pg1": 4})))
    assert case.level("pg1") == "depleted"
    case.next_turn().play(until=orders.ChooseForce)
    assert case.allows(chooses("german", "pg1 5; pg2 7"))
