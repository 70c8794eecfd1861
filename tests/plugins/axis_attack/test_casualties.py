"""Chapter VI: what is left of the platoons, and who can still move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.axis_attack.cases import chooses, claims, goes_on, keeps, result

from axis_attack.model import orders
from axis_attack.model.cards import DEPLETED, FULL, GUTTED
from axis_attack.model.events import (
    BattleBriefed,
    MobilityAssessed,
    PlatoonLowered,
    ReconClaimed,
    StrengthAssessed,
    VehiclesTaken,
)
from sandtable.tabletop.result import ReportBattle

if TYPE_CHECKING:
    from tests.plugins.axis_attack.conftest import Lay

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


@pytest.mark.rule("AOA-10.03")
def test_transports_and_upgrade_teams_do_not_count(lay: Lay) -> None:
    case = lay("battle", forces={"german": "pg1 7 light_mortar; pg2 7"})
    case.play(result("german", "5-2", german={"pg1": "2d 4t 1u", "pg2": "4t"}))
    assert case.level("pg1", "pg2") == "depleted, full strength"
    assert case.platoon("pg2").transports == 0


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


@pytest.mark.rule("AOA-10.06", "AOA-10.07")
@pytest.mark.parametrize(("winner", "level"), [("german", "depleted"), ("soviet", "destroyed")])
def test_bailed_vehicles_are_the_winners(lay: Lay, winner: str, level: str) -> None:
    case = lay("battle", forces={"german": "pg1 7; pg2 7; panzer 5"})
    case.play(result(winner, "5-2", german={"panzer": "2d 3b"}))
    assert case.level("panzer") == level


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


# --- mobility ---

HALFTRACKS = "a apg full; b apg full; panzer panzer full; pg1 pg full"


@pytest.mark.rule("AOA-10.15", "AOA-10.16", "AOA-10.17")
def test_after_two_sectors_a_platoon_without_its_transport_is_immobile(lay: Lay) -> None:
    case = lay("battle", mission="breakthrough", german=HALFTRACKS, forces={"german": "a 7; b 7; pg1 7"})
    case.play(result("german", "6-1", german={"a": "1t", "pg1": "2d 1t"}), goes_on("german", 2))
    assert case.immobile() == ["a"]
    assert "a" in [name for each in case.events(MobilityAssessed, side="german") for name in each.immobile]


@pytest.mark.rule("AOA-10.15", "AOA-R51")
def test_otherwise_nobody_looks(lay: Lay) -> None:
    case = lay("battle", mission="breakthrough", german=HALFTRACKS, forces={"german": "a 7; b 7"})
    case.play(result("german", "6-1", german={"a": "3t"}), goes_on("german", 1))
    assert case.immobile() == []
    assert case.platoon("a").transports == 0


@pytest.mark.rule("AOA-10.16", "AOA-R51")
def test_vehicles_that_were_lost_in_an_earlier_turn_are_made_good(lay: Lay) -> None:
    """Mobility is a matter of the game before the assessment (AOA-10.15)."""
    case = lay("battle", german=HALFTRACKS, mission="cauldron", forces={"german": "a 7; b 7"})
    case.play(result("german", "6-1", german={"a": "3t"})).next_turn()
    case.play(chooses("german", "a 7; b 7"), until=ReportBattle)
    platoons = [each.brief.platoons("german")["a"] for each in case.events(BattleBriefed, later=True)]
    assert [each.transports for each in platoons] == [3, 3]


@pytest.mark.rule("AOA-10.17")
def test_a_level_lower_needs_fewer_vehicles(lay: Lay) -> None:
    case = lay("battle", mission="breakthrough", german=HALFTRACKS, forces={"german": "a 7; b 7"})
    case.play(result("german", "6-1", german={"a": "2d 1t"}), goes_on("german", 2))
    assert case.immobile() == []


@pytest.mark.rule("AOA-10.18")
def test_an_owner_may_lower_a_platoon_to_keep_it_mobile(lay: Lay) -> None:
    case = lay("battle", mission="breakthrough", german=HALFTRACKS, forces={"german": "a 7; b 7"})
    case.play(result("german", "6-1", german={"a": "1t"}), goes_on("german", 2), until=orders.KeepMobile)
    for wrong in ({"a": FULL}, {"a": GUTTED + 10}, {"nobody": DEPLETED}, {"b": FULL + 1}):
        assert case.why_not(keeps("german", wrong))
    case.play(keeps("german", {"a": DEPLETED}))
    assert case.level("a") == "depleted"
    assert case.immobile() == []
    assert case.one(PlatoonLowered).platoon == "a"


@pytest.mark.rule("AOA-10.19", "AOA-R53")
def test_vehicles_of_the_same_type_may_be_taken_from_another_platoon(lay: Lay) -> None:
    case = lay("battle", mission="breakthrough", german=HALFTRACKS, forces={"german": "a 7; b 7; pg1 7"})
    case.play(result("german", "6-1", german={"a": "1t"}), goes_on("german", 2), until=orders.KeepMobile)
    assert case.why_not(keeps("german", taken={"pg1>a": 1})) in {"AOA-10.19", "AOA-R53"}
    for wrong in ({"b>a": 4}, {"b>a": 2}, {"b>a": 0}, {"a>b": 1}, {"a>a": 1}, {"nobody>a": 1}, {"a": 1}):
        assert case.why_not(keeps("german", taken=wrong)) in {"AOA-10.19", "AOA-10.17"}
    case.play(keeps("german", taken={"b>a": 1}))
    taken = case.one(VehiclesTaken)
    assert (taken.donor, taken.receiver, taken.number) == ("b", "a", 1)
    assert (case.platoon("a").transports, case.platoon("b").transports) == (3, 2)
    assert case.immobile() == ["b"]


@pytest.mark.rule("AOA-R53", "AOA-10.19")
def test_who_gave_vehicles_is_looked_at_though_he_did_not_fight(lay: Lay) -> None:
    case = lay("battle", mission="breakthrough", german=HALFTRACKS, forces={"german": "a 7; pg1 7"})
    case.play(result("german", "6-1", german={"a": "1t"}), goes_on("german", 2), until=orders.KeepMobile)
    case.play(keeps("german", taken={"b>a": 1}))
    assert case.events(MobilityAssessed, side="german")[0].immobile == ["b"]


@pytest.mark.rule("AOA-10.15", "AOA-10.20", "AOA-8.05")
def test_a_scout_that_claims_is_looked_at_too(lay: Lay) -> None:
    german = f"{OTHERS}; cycles cycles full"
    case = lay("battle", german=german, forces={"german": "pg1 7; pg2 7; cycles 7"})
    case.play(result("german", "5-2", german={"cycles": "1t"}, recon="cycles")).next_turn()
    case.play(claims("german", "cycles"), until=orders.PlaceTable)
    (claimed,) = case.events(ReconClaimed, later=True)
    assert (claimed.platoons, claimed.immobile) == (["cycles"], ["cycles"])
