"""Zones of control, section 8, and stacking, section 7."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import RecoveryRolled, UnitBackedUp, UnitDestroyed
from kampfpanzer.model.orders import BackUp

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Lay

from tests.plugins.kampfpanzer.cases import back, counter

AROUND = {"0807": "A", "0908": "B", "0909": "C", "0809": "D", "0709": "E", "0708": "F"}
BEYOND = {"0806": "D", "1007": "E", "1009": "F", "0810": "A", "0609": "B", "0607": "C"}
"""Hexes two away from 0808, each with the direction to it."""

# --- the six hexes ---


@pytest.mark.rule("KP-8.0a", "KP-8.0b", "KP-8.0c")
@pytest.mark.parametrize("start", BEYOND)
def test_a_zone_is_the_six_hexes_around(lay: Lay, start: str) -> None:
    case = lay(french="29 0808", germans=f"94 {start}").turn(germans=f"94 {BEYOND[start]}3")
    (tick, hex_), *more = case.track("94")
    assert (hex_ in AROUND, tick, more) == (True, 2, [])  # at the usual price


@pytest.mark.rule("KP-8.0a")
def test_and_no_farther(lay: Lay) -> None:
    case = lay(french="29 0808", germans="94 0805; 95 1006").turn(germans="94 D1 E1 E1; 95 D6")
    assert case.at("95") == "1012"
    assert case.stops().get("94", ("", ""))[1] != "zone"


ZONES = {
    "1 0808": True,
    "29 0808": True,
    "38 0808 A": True,
    "39 0808 D": True,
    "29 0808 entrenched": True,
    "29 0808 D1": False,
    "29 0808 D3": False,
    "1 0808 D1": False,
    "138 0808": False,
    "146 0808": False,
    "138 0808; 29 aboard 138": True,
    "146 0808; 29 aboard 146": True,
    "138 0808; 38 aboard 138": False,
    "146 0808; 38 aboard 146": False,
    "138 0808 D1; 29 aboard 138 D1": False,
    "29 0808 D1; 38 0808 A": True,
}


@pytest.mark.rule("KP-8.0a", "KP-8.2a", "KP-8.3a", "KP-8.3b", "R-KP-82", "KP-6.3a", "KP-12.4a")
@pytest.mark.parametrize("unit", ZONES)
def test_who_has_a_zone(lay: Lay, unit: str) -> None:
    case = lay(french=unit, germans="94 0905").turn(germans="94 D5")  # 0906 0907 0908 0909 0910
    assert case.at("94") == ("0908" if ZONES[unit] else "0910")


@pytest.mark.rule("R-KP-82", "R-KP-81", "KP-5.0g")
@pytest.mark.parametrize(("die", "end"), [("6", "0908"), ("4", "0910")])
def test_fire_before_movement_takes_a_zone_away_if_it_disrupts(lay: Lay, die: str, end: str) -> None:
    case = lay(french="1 0808", germans="94 0905; 102 0804", dice={"fire:0808:1": die})  # +1
    assert case.turn(germans="94 D5; 102 N 0808").at("94") == end


@pytest.mark.rule("R-KP-81", "KP-9.82a")
def test_hits_in_the_movement_phase_leave_it_for_now(lay: Lay) -> None:
    case = lay(french="29 0808", germans="94 0807; 95 0905", dice={"overrun:0808": "1"})
    case.turn(germans="94 VD; 95 S3 D5")
    assert (case.level("29"), case.at("95")) == (3, "0908")


@pytest.mark.rule("R-KP-82", "KP-11.23a")
def test_a_panicked_unit_has_its_zone(lay: Lay) -> None:
    case = lay(french="29 0804", germans="94 0901", dice={"panic:french": "4"})
    assert case.turn(french="29 P 0808", germans="94 D9").at("94") == "0904"


@pytest.mark.rule("KP-8.2a", "R-KP-81", "KP-9.72b")
def test_it_has_it_again_when_it_has_recovered(lay: Lay) -> None:
    case = lay(french="29 0808 D1", germans="94 0905", dice={"recovery:29": "3"}).turn()
    assert case.turn(germans="94 D5").at("94") == "0908"


# --- leaving zones ---


@pytest.mark.rule("KP-8.0d", "KP-8.0e", "KP-6.3a")
@pytest.mark.parametrize(
    ("plot", "end", "why"),
    [
        ("A2", "0805", ""),
        ("B2", "1006", ""),
        ("C1", "0807", "zone_to_zone"),  # 0908 is next to 29 as well
        ("E1", "0807", "zone_to_zone"),
        ("F1", "0707", ""),
        ("A1 D1 A1", "0807", "zone"),  # out, and back in
        ("A1 C1 D3", "0908", "zone"),
    ],
)
def test_leaving_a_zone(lay: Lay, plot: str, end: str, why: str) -> None:
    case = lay(french="29 0808", germans="94 0807").turn(germans=f"94 {plot}")
    assert (case.at("94"), case.stops().get("94", ("", ""))[1]) == (end, why)


@pytest.mark.rule("KP-8.0e")
def test_not_into_the_zone_of_another_either(lay: Lay) -> None:
    case = lay(french="29 0808; 30 0607", germans="94 0807").turn(germans="94 F1")
    assert (case.at("94"), case.stops()["94"]) == ("0807", ("0807", "zone_to_zone"))


@pytest.mark.rule("KP-8.0e", "R-KP-09")
def test_a_zone_that_moves_away_in_time_is_no_hindrance(lay: Lay) -> None:
    # 1 has left before the truck's step is paid, so the truck comes from nobody's zone.
    case = lay(french="1 0808; 30 0909 D1", germans="138 0807").turn(french="1 E3", germans="138 C1")
    assert case.at("138") == "0908"


@pytest.mark.rule("KP-8.0e", "R-KP-09")
def test_the_hex_entered_is_looked_at_as_it_will_be(lay: Lay) -> None:
    # Both leave at the same moment: when 94 is in 0908 there is nobody left beside it.
    case = lay(french="1 0808", germans="94 0807").turn(french="1 E3", germans="94 C1")
    assert case.at("1", "94") == "0510 0908"


@pytest.mark.rule("KP-8.0e", "KP-8.3a")
def test_from_a_zone_to_the_side_of_a_truck(lay: Lay) -> None:
    case = lay(french="29 0808; 138 0905", germans="94 0807").turn(germans="94 A1")
    assert (case.at("94"), case.stops()) == ("0806", {})


@pytest.mark.rule("KP-8.0e", "KP-8.3a")
def test_from_the_side_of_trucks_and_friends_into_a_zone(lay: Lay) -> None:
    case = lay(french="29 0808; 138 0906", germans="94 0806; 95 0805").turn(germans="94 D3")
    assert case.stops() == {"94": ("0807", "zone")}


@pytest.mark.rule("KP-6.3a", "KP-6.1b")
def test_who_has_arrived_is_not_stopped(lay: Lay) -> None:
    case = lay(french="29 0808", germans="94 0805").turn(germans="94 D2")
    assert (case.at("94"), case.stops()) == ("0807", {})


@pytest.mark.rule("R-KP-09", "KP-8.0e")
@pytest.mark.parametrize(
    ("option", "ends"),
    [("impossible_first", "0807 0909"), ("evaluate_tick", "0807 0808"), ("start_positions", "0807 0909")],
)
def test_side_by_side(lay: Lay, option: str, ends: str) -> None:
    case = lay(french="1 0807", germans="105 0808", zoc_to_zoc=option).turn(french="1 C1", germans="105 C1")
    assert case.at("1", "105") == ends


@pytest.mark.rule("R-KP-09", "KP-8.0d", "KP-8.0e")
@pytest.mark.parametrize(
    ("option", "ends"),
    [("impossible_first", "0507 0503"), ("evaluate_tick", "0507 0506"), ("start_positions", "0506 0505")],
)
def test_a_follower_who_cannot_follow_holds_nobody(lay: Lay, option: str, ends: str) -> None:
    # Wherever 94 goes or stays, 1 would step from its zone into its zone: so 1 stays, and 94 is free to leave.
    case = lay(french="1 0507", germans="94 0506", zoc_to_zoc=option).turn(french="1 A1", germans="94 A3")
    assert case.at("1", "94") == ends


@pytest.mark.rule("R-KP-09", "KP-8.0d", "KP-8.0e")
def test_the_follower_is_told_what_stopped_him(lay: Lay) -> None:
    case = lay(french="1 0507", germans="94 0506").turn(french="1 A1", germans="94 A3")
    assert case.stops() == {"1": ("0507", "zone_to_zone")}


@pytest.mark.rule("R-KP-09", "KP-8.0d")
def test_who_waits_a_point_before_he_follows_holds_nobody_either(lay: Lay) -> None:
    case = lay(french="1 0507", germans="94 0506").turn(french="1 S1 A1", germans="94 A3")
    assert case.at("94") == "0503"


@pytest.mark.rule("R-KP-09", "KP-8.0e")
def test_a_line_of_pursuers_is_stopped_from_the_front(lay: Lay) -> None:
    # 1 can never follow; 2 comes from nobody's zone, and goes up behind it.
    case = lay(french="1 0507; 2 0509", germans="94 0506").turn(french="1 A1; 2 A1", germans="94 A3")
    assert case.at("1", "2", "94") == "0507 0508 0503"


@pytest.mark.rule("R-KP-09", "KP-8.0e")
def test_who_comes_up_at_that_moment_still_bars(lay: Lay) -> None:
    # The step of 1 is possible; so 0707 is in its zone when 94 would enter it.
    case = lay(french="29 0808; 1 0507", germans="94 0807").turn(french="1 C1", germans="94 F1")
    assert (case.at("1", "94"), case.stops()["94"]) == ("0607 0807", ("0807", "zone_to_zone"))


@pytest.mark.rule("KP-8.4a")
def test_zones_do_nothing_else(lay: Lay) -> None:
    dice = {"fire:1015:2": "6", "recovery:95": "1"}
    case = lay(
        french="29 0808; 2 1015; 30 1112",
        germans="112 0807; 138 0707; 102 1012; 95 0809 D2; 115 0908 A",
        dice=dice,
    )
    case.turn(germans="112 M; 138 M 0807; 102 N 1015; 115 C")
    assert case.state.units["112"].carrier == "138"
    assert case.fire() == [("102", "2", 1)]
    assert case.one(RecoveryRolled).after == 0
    assert case.state.units["115"].facing == "C"


# --- stacking, as it is plotted ---


@pytest.mark.rule("KP-7.0a", "KP-7.1a", "R-KP-16", "KP-13.21a")
@pytest.mark.parametrize(
    ("there", "mover", "allowed"),
    [
        ("38 0808 A", "29 0807", True),
        ("29 0808", "30 0807", False),
        ("1 0808", "2 0807", False),
        ("138 0808", "29 0807", False),
        ("29 0808", "138 0807", False),
        ("38 0808 A", "138 0807", False),
        ("29 0808", "1 0807", False),
        ("29 0808; 38 0808 A", "30 0807", False),
        ("138 0808; 38 aboard 138", "29 0807", False),
        ("29 0808 D1", "30 0807", False),
    ],
)
def test_who_may_end_together(lay: Lay, there: str, mover: str, allowed: bool) -> None:
    unit = mover.partition(" ")[0]
    case = lay(french=f"{there}; {mover}")
    assert (case.refused(f"{unit} D1") == "") == allowed
    if allowed:
        assert case.turn(french=f"{unit} D1").at(unit) == "0808"


@pytest.mark.rule("KP-7.0a", "R-KP-16")
def test_plots_of_a_side_are_looked_at_together(lay: Lay) -> None:
    case = lay(french="1 0808; 2 0807; 3 0810")
    assert case.refused("2 D1") == "KP-7.0a"
    assert case.refused("1 B1; 2 D1") == ""
    assert case.refused("2 D2; 3 A1") == "KP-7.0a"
    assert case.refused("1 A1; 2 D1") == ""  # they change places


@pytest.mark.rule("KP-7.0b")
def test_friends_pass_through_each_other(lay: Lay) -> None:
    case = lay(french="1 0808; 2 0807; 29 0809; 138 0810").turn(french="1 A1; 2 D4")
    assert case.at("1", "2") == "0807 0811"
    assert case.stops() == {}


@pytest.mark.rule("KP-7.0c", "KP-6.4a")
def test_nobody_passes_through_an_enemy(lay: Lay) -> None:
    case = lay(french="138 0808", germans="94 0806; 112 0708").turn(germans="94 D4; 112 C1")
    assert case.at("94", "112") == "0807 0708"


# --- stacking, as it comes out: 29 in 0908 has its zone in 0807 and 0808, not in 0806 ---


@pytest.mark.rule("R-KP-15", "KP-7.0a")
def test_the_later_one_goes_back(lay: Lay) -> None:
    case = lay(french="29 0908", germans="94 0807; 95 0805").turn(germans="95 D4")
    gone = case.one(UnitBackedUp)
    assert (gone.unit, gone.start, gone.hex, gone.why) == ("95", "0807", "0806", "stack")
    assert case.at("94", "95") == "0807 0806"


@pytest.mark.rule("R-KP-15")
@pytest.mark.parametrize(
    ("germans", "plots", "ends"),
    [
        ("94 0706; 95 0804", "94 C1 D2; 95 D5", "0807 0806"),  # 95 comes later
        ("94 0804; 95 0706", "94 D5; 95 C1 D2", "0806 0807"),  # 94 comes later
        ("94 0806; 95 0707", "94 D3; 95 C1 D1", "0807 0707"),  # at once: the higher number
        ("94 0707; 95 0806", "94 C1 D1; 95 D3", "0807 0806"),
    ],
)
def test_who_came_later(lay: Lay, germans: str, plots: str, ends: str) -> None:
    case = lay(french="29 0908", germans=germans).turn(germans=plots)
    assert case.at("94", "95") == ends


@pytest.mark.rule("R-KP-15")
def test_it_goes_back_as_far_as_need_be(lay: Lay) -> None:
    # 0806 is taken by 96, so 95 goes back to 0805.
    case = lay(french="29 0908", germans="94 0807; 95 0804; 96 0706").turn(germans="95 D5; 96 C1")
    assert case.at("94", "95", "96") == "0807 0805 0806"


@pytest.mark.rule("R-KP-15")
def test_whoever_took_its_start_goes_back_as_well(lay: Lay) -> None:
    case = lay(french="29 0908", germans="94 0807; 95 0806; 96 0805").turn(germans="95 D3; 96 D1")
    assert case.at("94", "95", "96") == "0807 0806 0805"


@pytest.mark.rule("R-KP-15", "KP-13.0c", "R-KP-74")
def test_a_tank_does_not_go_back_into_an_entrenchment(lay: Lay) -> None:
    case = lay(french="29 0908", germans="95 0807; 94 0804; 112 0806 entrenched").turn(germans="94 D5; 112 E1")
    assert case.at("94", "95", "112") == "0805 0807 0707"
    assert case.one(UnitBackedUp).hex == "0805"


@pytest.mark.rule("R-KP-15", "KP-13.0b")
def test_infantry_does(lay: Lay) -> None:
    case = lay(french="29 0908", germans="94 0807; 112 0806 entrenched", road="0806 0807 0808")
    assert case.turn(germans="112 D2").at("112") == "0806"


@pytest.mark.rule("R-KP-15", "KP-7.1a")
def test_infantry_stopped_with_a_gun_may_stay(lay: Lay) -> None:
    case = lay(french="29 0908", germans="115 0807 A; 112 0806", road="0806 0807 0808").turn(germans="112 D2")
    assert case.at("112", "115") == "0807 0807"


@pytest.mark.rule("R-KP-15")
def test_or_the_later_one_is_lost(lay: Lay) -> None:
    case = lay(french="29 0908", germans="94 0807; 95 0805", end_overstack="later_unit_eliminated")
    case.turn(germans="95 D4")
    assert case.one(UnitDestroyed).unit == "95"
    assert case.levels("94", "95") == [0, 4]


@pytest.mark.rule("R-KP-15")
@pytest.mark.parametrize(("chosen", "ends"), [("94", "0806 0807"), ("95", "0807 0806")])
def test_or_the_owner_chooses(lay: Lay, chosen: str, ends: str) -> None:
    case = lay(french="29 0908", germans="94 0706; 95 0804", end_overstack="owner_chooses")
    case.upto(germans="94 C1 D2; 95 D5")
    assert case.asked.side == "germans"
    assert case.refuses("germans", BackUp("29"))
    case.answer(back("germans", chosen))
    assert case.at("94", "95") == ends


@pytest.mark.rule("R-KP-15")
def test_without_a_choice_he_is_not_asked(lay: Lay) -> None:
    case = lay(french="29 0908", germans="94 0807; 95 0805", end_overstack="owner_chooses")
    assert case.turn(germans="95 D4").at("94", "95") == "0807 0806"


@pytest.mark.rule("R-KP-15", "R-KP-39")
def test_going_back_triggers_nothing_and_costs_nothing(lay: Lay) -> None:
    case = lay(french="29 0908; 39 0820 A", germans="94 0807; 95 0805", dice={"shell:95:39": "3"})
    case.turn(french="39 T 0806", germans="95 D4")
    assert case.at("95") == "0806"  # shelled once, on its way there
    assert len(case.rolls()) == 1


@pytest.mark.rule("KP-7.2a", "KP-7.0a")
def test_a_pair_stopped_on_a_friend_goes_back_together(lay: Lay) -> None:
    case = lay(french="29 0908", germans="94 0807; 138 0805; 112 aboard 138").turn(germans="138 D4")
    assert case.at("138", "112") == "0806 0806"


@pytest.mark.rule("KP-9.68a", "KP-8.1a")
def test_the_target_of_an_overrun_does_not_stop_it_but_others_it_does(lay: Lay) -> None:
    dice = {"overrun:0808": "6", "counter:29": "6"}
    case = lay(french="29 0808", germans="94 0806; 95 0706", dice=dice)
    case.turn(counter("french", "94"), germans="94 D1 VD; 95 D3")
    assert case.at("94", "95") == "0809 0708"
