"""Zones of control (8): extent, owners, and moves into, out of and between zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.cases import counter
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.events import RecoveryRolled
from kampfpanzer.movement.positions import Positions
from kampfpanzer.terrain.zones import passengers

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

AROUND = {"0807": "A", "0908": "B", "0909": "C", "0809": "D", "0709": "E", "0708": "F"}
BEYOND = {"0806": "D", "1007": "E", "1009": "F", "0810": "A", "0609": "B", "0607": "C"}
"""Hexes at distance 2 from 0808, with the direction to it."""

# --- extent and owners ---


@pytest.mark.rule("KP-8.0a", "KP-8.0b", "KP-8.0c")
@pytest.mark.parametrize("start", BEYOND)
def test_zone_is_the_six_adjacent_hexes(new_case: NewCase, start: str) -> None:
    case = new_case(french="29 0808", germans=f"94 {start}").turn(germans=f"94 {BEYOND[start]}3")
    (tick, hex_), *more = case.track("94")
    assert (hex_ in AROUND, tick, more) == (True, 2, [])  # at the normal cost


@pytest.mark.rule("KP-8.0a", "KP-8.2a", "KP-8.3a", "KP-8.3b", "KP-12.4a", "R-KP-82", "R-KP-81")
def test_zones_of_a_position_follow_unit_states(new_case: NewCase) -> None:
    case = new_case(
        french="1 0303; 2 0603 D1; 138 0903; 146 0309; 29 aboard 146; 147 0609; 38 aboard 147; 35 0909 A entrenched;"
        "6 1203 pinned",
        germans="94 1624",
        tweak=lambda state: setattr(state.units["1"], "pending", 2),
    )
    positions = Positions(case.state)
    assert sorted(each for each in positions.where if positions.zone[each]) == ["1", "146", "35", "6", "94"]
    assert passengers(case.state) == {"146": "29", "147": "38"}
    for hex_, zone in (("0302", True), ("0303", False), ("0602", False), ("0310", True), ("0608", False)):
        assert bool(positions.controller("germans", hex_)) == zone
    around = {each for each in positions.around["1624"] if each}
    found = {each for each in positions.around if each and positions.controller("french", each)}
    assert found == around
    assert {positions.controller("french", each) for each in around} == {"94"}


@pytest.mark.rule("R-KP-76")
def test_riders_have_no_zone(new_case: NewCase) -> None:
    case = new_case(french="69 0303 D1; 81 aboard 69", germans="94 1624", more={"riders": True})
    positions = Positions(case.state)
    assert "81" not in positions.where
    assert not positions.zone["69"]
    assert positions.controller("germans", "0302") == ""


ZONES = {
    "1 0808": True, "29 0808": True, "38 0808 A": True, "39 0808 D": True, "29 0808 entrenched": True,
    "29 0808 D1": False, "29 0808 D3": False, "1 0808 D1": False, "138 0808": False, "146 0808": False,
    "138 0808; 29 aboard 138": True, "146 0808; 29 aboard 146": True, "138 0808; 38 aboard 138": False,
    "146 0808; 38 aboard 146": False, "138 0808 D1; 29 aboard 138 D1": False, "29 0808 D1; 38 0808 A": True,
}  # fmt: skip


@pytest.mark.rule("KP-8.0a", "KP-8.2a", "KP-8.3a", "KP-8.3b", "R-KP-82", "KP-6.3a", "KP-12.4a")
@pytest.mark.parametrize("unit", ZONES)
def test_units_with_a_zone_stop_a_tank(new_case: NewCase, unit: str) -> None:
    case = new_case(french=unit, germans="94 0905").turn(germans="94 D5")  # 0906 0907 0908 0909 0910
    assert case.at("94") == ("0908" if ZONES[unit] else "0910")


@pytest.mark.rule("KP-8.2a", "R-KP-81", "KP-9.72b")
def test_recovered_unit_has_its_zone_again(new_case: NewCase) -> None:
    case = new_case(french="29 0808 D1", germans="94 0905", dice={"recovery:29": "3"}).turn()
    assert case.turn(germans="94 D5").at("94") == "0908"


# --- moves ---

FIRST, TICK, START = "impossible_first", "evaluate_tick", "start_positions"
HELD = "94 0708 zone_to_zone"


@pytest.mark.rule(
    "KP-11.23a KP-5.0g KP-6.1b KP-6.3a KP-8.0a KP-8.0d KP-8.0e KP-8.1a KP-8.3a KP-8.4a KP-9.68a KP-9.82a R-KP-09"
    " R-KP-81 R-KP-82"
)
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-8.0a", "two_hexes_away", "29 0808", "94 0805; 95 1006", g="94 D1 E1 E1; 95 D6", at="95 1012", stops={}),
        row("R-KP-82 R-KP-81 KP-5.0g", "pinned", "1 0808", "94 0905; 102 0804", g="94 D5; 102 N 0808",
            dice="fire:0808:1 6", at="94 0908"),
        row("R-KP-82 R-KP-81 KP-5.0g", "disrupted_by_fire", "1 0808", "94 0905; 102 0804", g="94 D5; 102 N 0808",
            dice="fire:0808:1 4", at="94 0910"),
        row("R-KP-81 KP-9.82a", "hit_in_movement", "29 0808", "94 0807; 95 0905", g="94 VD; 95 S3 D5",
            dice="overrun:0808 1", levels="29 3", at="95 0908"),
        row("R-KP-82 KP-11.23a", "panicked", "29 0804", "94 0901", f="29 P 0808", g="94 D9", dice="panic:french 4",
            at="94 0904"),
        row("KP-8.0d KP-8.0e KP-6.3a", "out", "29 0808", "94 0807", g="94 A2", at="94 0805", stops={}),
        row("KP-8.0d KP-8.0e KP-6.3a", "out_sideways", "29 0808", "94 0807", g="94 B2", at="94 1006", stops={}),
        row("KP-8.0d KP-8.0e KP-6.3a", "to_same_zone", "29 0808", "94 0807", g="94 C1", stops="94 0807 zone_to_zone"),
        row("KP-8.0d KP-8.0e KP-6.3a", "to_same_zone_west", "29 0808", "94 0807", g="94 E1",
            stops="94 0807 zone_to_zone"),
        row("KP-8.0d KP-8.0e KP-6.3a", "out_west", "29 0808", "94 0807", g="94 F1", at="94 0707", stops={}),
        row("KP-8.0d KP-8.0e KP-6.3a", "out_and_in", "29 0808", "94 0807", g="94 A1 D1 A1", stops="94 0807 zone"),
        row("KP-8.0d KP-8.0e KP-6.3a", "out_and_round", "29 0808", "94 0807", g="94 A1 C1 D3", stops="94 0908 zone"),
        row("KP-8.0e", "to_zone_of_another", "29 0808; 30 0607", "94 0807", g="94 F1", at="94 0807",
            stops="94 0807 zone_to_zone"),
        # 1 has moved away before the truck pays its step, so the truck leaves no zone
        row("KP-8.0e R-KP-09", "zone_left_in_time", "1 0808; 30 0909 D1", "138 0807", f="1 E3", g="138 C1",
            at="138 0908"),
        # both move at the same moment, so no enemy is next to 94 in 0908
        row("KP-8.0e R-KP-09", "zone_of_the_entered_hex_is_gone", "1 0808", "94 0807", f="1 E3", g="94 C1",
            at="1 0510; 94 0908"),
        row("KP-8.0e KP-8.3a", "from_zone_to_truck", "29 0808; 138 0905", "94 0807", g="94 A1", at="94 0806", stops={}),
        row("KP-8.0e KP-8.3a", "from_truck_into_zone", "29 0808; 138 0906", "94 0806; 95 0805", g="94 D3",
            stops="94 0807 zone"),
        row("KP-6.3a KP-6.1b", "arrived", "29 0808", "94 0805", g="94 D2", at="94 0807", stops={}),
        row("KP-8.0d", "enemy_adjacent_before", "138 0808", "94 0807", f="138 D2", g="94 C1", at="138 0810; 94 0908",
            stops={}),
        *(row("R-KP-09 KP-8.0e", f"side_by_side_{option}", "1 0807", "105 0808", f="1 C1", g="105 C1",
              zoc_to_zoc=option, at=at)
          for option, at in ((FIRST, "1 0807; 105 0909"), (TICK, "1 0807; 105 0808"), (START, "1 0807; 105 0909"))),
        *(row("R-KP-09 KP-8.0e", f"same_way_{option}", "1 0808", "94 0708", f="1 D1", g="94 D1", zoc_to_zoc=option,
              at=at, stops=stops)
          for option, at, stops in (
              (FIRST, "1 0809; 94 0708", HELD), (TICK, "1 0808; 94 0708", f"1 0808 zone_to_zone; {HELD}"),
              (START, "1 0809; 94 0708", HELD))),
        # whether 94 moves or not, 1 would step from zone to zone; 1 stays, and 94 may leave
        *(row("R-KP-09 KP-8.0d KP-8.0e", f"follower_{option}", "1 0507", "94 0506", f="1 A1", g="94 A3",
              zoc_to_zoc=option, at=at)
          for option, at in ((FIRST, "1 0507; 94 0503"), (TICK, "1 0507; 94 0506"), (START, "1 0506; 94 0505"))),
        row("R-KP-09 KP-8.0d KP-8.0e", "follower_stop", "1 0507", "94 0506", f="1 A1", g="94 A3",
            stops="1 0507 zone_to_zone"),
        row("R-KP-09 KP-8.0d", "waiting_follower", "1 0507", "94 0506", f="1 S1 A1", g="94 A3", at="94 0503"),
        # 1 can never follow; 2 leaves no zone, and moves behind it
        row("R-KP-09 KP-8.0e", "line_of_followers", "1 0507; 2 0509", "94 0506", f="1 A1; 2 A1", g="94 A3",
            at="1 0507; 2 0508; 94 0503"),
        # the step of 1 is possible, so 0707 is in its zone when 94 would enter it
        row("R-KP-09 KP-8.0e", "simultaneous_arrival", "29 0808; 1 0507", "94 0807", f="1 C1", g="94 F1",
            at="1 0607; 94 0807", stops="94 0807 zone_to_zone"),
        row("KP-8.4a", "no_other_effect", "29 0808; 2 1015; 30 1112",
            "112 0807; 138 0707; 102 1012; 95 0809 D2; 115 0908 A", g="112 M; 138 M 0807; 102 N 1015; 115 C",
            dice="fire:1015:2 6; recovery:95 1", aboard="112 138", fire="102>2 1", one=(RecoveryRolled, {"after": 0}),
            facing="115 C"),
        row("KP-9.68a KP-8.1a", "target_of_overrun_stops_others_only", "29 0808", "94 0806; 95 0706",
            dice="overrun:0808 6; counter:29 6", reply=[counter("french", "94")], g="94 D1 VD; 95 D3",
            at="94 0809; 95 0708"),
    ],
)  # fmt: skip
def test_moves_in_zones_stop_or_pass(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)
