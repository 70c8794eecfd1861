"""Opposing plots that meet, sections 6.3 and 6.4: stops, contests for a hex, enemies head on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import ContestDecided, UnitsMoved, UnitStopped

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Lay


def contest(case: Case) -> tuple[str, str, str, str]:
    """Return the only contest: hex, winners, losers, what decided it."""
    event = case.one(ContestDecided)
    return event.hex, " ".join(sorted(event.winners)), " ".join(sorted(event.losers)), event.by


# --- contests: both want 0808, from 0807 and from 0809 ---


@pytest.mark.rule("KP-6.4a", "KP-6.4b", "KP-6.4c", "KP-6.0e")
@pytest.mark.parametrize(
    ("road", "winner", "loser", "ends"),
    [("0810 0809 0808", "1", "105", "0808 0809"), ("0806 0807 0808", "105", "1", "0807 0808")],
)
def test_fewer_hexes_first(lay: Lay, road: str, winner: str, loser: str, ends: str) -> None:
    """Whoever comes by road has made two hexes in the same time."""
    by_road = road.startswith("0810")
    case = lay(french="1 0807" if by_road else "1 0806", germans="105 0810" if by_road else "105 0809", road=road)
    case.turn(french="1 D1" if by_road else "1 D2", germans="105 A2" if by_road else "105 A1")
    assert contest(case) == ("0808", winner, loser, "hexes")
    assert case.at("1", "105") == ends


@pytest.mark.rule("KP-6.4d", "KP-6.4f")
@pytest.mark.parametrize(
    ("french", "german", "winner"),
    [("1", "105", "1"), ("11", "69", "69"), ("29", "105", "105"), ("11", "138", "138"), ("58", "94", "58")],
)
def test_then_the_higher_allowance(lay: Lay, french: str, german: str, winner: str) -> None:
    roads = "0807 0808 0809"  # so that all come at the same time
    case = lay(french=f"{french} 0807", germans=f"{german} 0809", road=roads)
    case.turn(french=f"{french} D1", germans=f"{german} A1")
    loser = french if winner == german else german
    assert contest(case) == ("0808", winner, loser, "allowance")
    assert case.at(winner) == "0808"


@pytest.mark.rule("KP-6.4e", "KP-6.4f")
@pytest.mark.parametrize(
    ("french", "german", "winner"),
    [("4", "2", "11"), ("2", "4", "105"), ("3 5", "3 1", "11"), ("6 6 1", "6 6 2", "105")],
)
def test_then_dice_until_they_differ(lay: Lay, french: str, german: str, winner: str) -> None:
    dice = {"contest:0808:french": french, "contest:0808:germans": german}
    case = lay(french="11 0807", germans="105 0809", dice=dice).turn(french="11 D2", germans="105 A2")
    assert contest(case) == ("0808", winner, {"11": "105", "105": "11"}[winner], "dice")
    assert case.at("11", "105") == {"11": "0808 0809", "105": "0807 0808"}[winner]


@pytest.mark.rule("KP-6.4f")
def test_both_stop_after_it(lay: Lay) -> None:
    case = lay(french="1 0807", germans="105 0809").turn(french="1 D1 B3", germans="105 A4")
    assert case.stops() == {"1": ("0808", "contest_won"), "105": ("0809", "contest")}
    assert {event.tick for event in case.events(UnitStopped)} == {2}


@pytest.mark.rule("KP-6.4f", "KP-8.3a")
def test_trucks_stop_after_it_too(lay: Lay) -> None:
    dice = {"contest:0808:french": "1", "contest:0808:germans": "2"}
    case = lay(french="138 0807", germans="139 0809", dice=dice).turn(french="138 D1 B3", germans="139 A1 F2")
    assert case.at("138", "139") == "0807 0808"


@pytest.mark.rule("KP-6.4a", "R-KP-06")
def test_who_comes_first_is_simply_there(lay: Lay) -> None:
    case = lay(french="1 0807", germans="105 0810").turn(french="1 D1", germans="105 A2")
    assert case.events(ContestDecided) == []
    assert case.at("1", "105") == "0808 0809"


@pytest.mark.rule("R-KP-13", "KP-5.1e")
@pytest.mark.parametrize(
    ("option", "winner", "by"), [("hexes_plus_stop_points", "105", "allowance"), ("hexes_only", "6", "hexes")]
)
def test_points_spent_standing_count_as_hexes(lay: Lay, option: str, winner: str, by: str) -> None:
    case = lay(french="6 0807", germans="105 0811", contest_hex_count=option)
    case.turn(french="6 S2 D1", germans="105 A3")
    assert contest(case) == ("0808", winner, {"6": "105", "105": "6"}[winner], by)


@pytest.mark.rule("R-KP-12", "R-KP-15")
def test_the_best_of_each_side_decides_for_all(lay: Lay) -> None:
    case = lay(french="6 0807; 1 0708", germans="105 0809").turn(french="6 D1 C1; 1 C1 B1", germans="105 A1")
    assert contest(case) == ("0808", "1 6", "105", "allowance")
    assert case.at("1", "6", "105") == "0808 0807 0809"  # two may not stay: the higher number goes back


@pytest.mark.rule("R-KP-12")
def test_all_of_the_losing_side_stay_out(lay: Lay) -> None:
    case = lay(french="1 0807", germans="105 0809; 106 0709").turn(french="1 D1", germans="105 A1 B1; 106 B1 A1")
    assert contest(case) == ("0808", "1", "105 106", "allowance")
    assert case.at("1", "105", "106") == "0808 0809 0709"


@pytest.mark.rule("R-KP-12", "KP-6.4e")
def test_one_roll_a_side(lay: Lay) -> None:
    dice = {"contest:0808:french": "2", "contest:0808:germans": "5"}
    case = lay(french="11 0807", germans="105 0809; 106 0709", dice=dice)
    case.turn(french="11 D1", germans="105 A1; 106 B1 A1")
    assert contest(case) == ("0808", "105 106", "11", "dice")


@pytest.mark.rule("KP-6.4b", "R-KP-07")
def test_two_contests_at_once(lay: Lay) -> None:
    case = lay(french="1 0807; 2 0407", germans="105 0809; 69 0409")
    case.turn(french="1 D1; 2 D1", germans="105 A1; 69 A1")
    assert {event.hex: event.winners for event in case.events(ContestDecided)} == {"0808": ["1"], "0408": ["69"]}


@pytest.mark.rule("R-KP-53", "KP-6.4f")
def test_a_race_for_the_exit_of_an_overrun_that_is_lost(lay: Lay) -> None:
    # The R35 has waited a point and paid four for the stream: it has moved through fewer hexes.
    case = lay(french="29 0808; 6 0810", germans="94 0806", dice={"overrun:0808": "6"}, stream_sides="0809/0810")
    case.turn(french="6 S1 A1", germans="94 D1 VD")
    assert (case.one(ContestDecided).winners, case.at("6", "94")) == (["6"], "0809 0807")


# --- stops ---


@pytest.mark.rule("KP-6.3a", "KP-8.0b", "KP-6.1b")
def test_entering_a_zone_ends_the_move(lay: Lay) -> None:
    case = lay(french="29 0808", germans="94 0804").turn(germans="94 D6")
    assert (case.at("94"), case.stops()["94"]) == ("0807", ("0807", "zone"))
    assert case.one(UnitStopped).by == "29"


@pytest.mark.rule("KP-6.3b", "KP-6.3d")
def test_two_who_meet_both_stop(lay: Lay) -> None:
    case = lay(french="1 0804", germans="105 0811").turn(french="1 D5", germans="105 A5")
    assert case.at("1", "105") == "0807 0808"
    assert set(case.stops()) == {"1", "105"}


@pytest.mark.rule("KP-6.3c")
def test_crossing_tracks_is_no_meeting(lay: Lay) -> None:
    case = lay(french="1 0804", germans="138 1305").turn(french="1 D6", germans="138 E9")
    assert case.at("1") == "0810"
    assert case.hexes("138").startswith("1205 1106 1006 0907 0807 0708")
    assert case.stops() == {}


@pytest.mark.rule("R-KP-08", "KP-6.3b")
@pytest.mark.parametrize(("option", "ends"), [("all_unfinished", "0807 0808"), ("only_started", "0807 0810")])
def test_a_truck_still_paying_for_its_first_hex(lay: Lay, option: str, ends: str) -> None:
    case = lay(french="1 0806", germans="138 0808", zoc_both_cease=option)
    assert case.turn(french="1 D1", germans="138 D2").at("1", "138") == ends


@pytest.mark.rule("R-KP-08", "KP-5.1c")
@pytest.mark.parametrize(("option", "end"), [("all_unfinished", "0808"), ("only_started", "0810")])
def test_a_tank_on_a_halt(lay: Lay, option: str, end: str) -> None:
    case = lay(french="1 0805", germans="105 0808", zoc_both_cease=option)
    assert case.turn(french="1 D2", germans="105 S3 D2").at("105") == end


@pytest.mark.rule("R-KP-08", "KP-6.3b")
def test_on_a_halt_after_a_first_hex_it_is_moving_anyhow(lay: Lay) -> None:
    case = lay(french="1 0805", germans="105 0809", zoc_both_cease="only_started")
    assert case.turn(french="1 S1 D2", germans="105 A1 S4 D2").at("105") == "0808"


@pytest.mark.rule("R-KP-08", "KP-8.0d")
def test_who_was_adjacent_from_the_start_may_part(lay: Lay) -> None:
    case = lay(french="1 0807; 29 0402", germans="105 0808; 138 0403").turn(french="1 A2", germans="105 D2; 138 D2")
    assert case.at("1", "105", "138") == "0805 0810 0405"


@pytest.mark.rule("KP-6.3a", "KP-12.4a")
@pytest.mark.parametrize("unit", ["94", "138", "146", "112", "69"])
def test_units_of_every_kind_are_stopped(lay: Lay, unit: str) -> None:
    road = "0806 0807 0908"
    case = lay(french="29 0808", germans=f"{unit} 0806", road=road).turn(germans=f"{unit} D1 C1")
    assert (case.at(unit), case.stops()[unit]) == ("0807", ("0807", "zone"))


# --- head on, and enemies without a zone ---


@pytest.mark.rule("R-KP-10")
@pytest.mark.parametrize(("option", "ends"), [("blocked", "0807 0808"), ("allowed", "0808 0807")])
def test_trucks_head_on(lay: Lay, option: str, ends: str) -> None:
    case = lay(french="138 0807", germans="139 0808", head_on_swap=option)
    assert case.turn(french="138 D1", germans="139 A1").at("138", "139") == ends


@pytest.mark.rule("R-KP-10", "KP-8.0e")
def test_tanks_never_pass_each_other(lay: Lay) -> None:
    case = lay(french="1 0807", germans="105 0808", head_on_swap="allowed")
    assert case.turn(french="1 D1", germans="105 A1").at("1", "105") == "0807 0808"


@pytest.mark.rule("R-KP-11", "KP-7.0c")
@pytest.mark.parametrize("still", ["138 0808", "29 0808 D1", "138 0808; 38 aboard 138"])
def test_an_enemy_without_a_zone_is_in_the_way(lay: Lay, still: str) -> None:
    case = lay(french=still, germans="94 0805").turn(germans="94 D5")
    assert (case.at("94"), case.stops()["94"]) == ("0807", ("0807", "enemy"))
    assert case.events(ContestDecided) == []


@pytest.mark.rule("R-KP-07", "KP-7.0c")
def test_a_hex_that_is_left_at_the_same_moment_is_free(lay: Lay) -> None:
    case = lay(french="138 0807", germans="139 0808").turn(french="138 D1", germans="139 D1")
    assert case.at("138", "139") == "0808 0809"
    assert len(case.events(UnitsMoved)) == 1


@pytest.mark.rule("R-KP-07", "R-KP-11")
def test_a_column_that_is_blocked_in_front_stands(lay: Lay) -> None:
    case = lay(french="138 0807; 140 0809", germans="139 0808; 141 0806")
    case.turn(french="138 D1", germans="139 D1; 141 D1")
    assert case.at("141", "138", "139", "140") == "0806 0807 0808 0809"


@pytest.mark.rule("R-KP-07")
def test_a_ring_of_enemies_may_turn(lay: Lay) -> None:
    # three trucks, each into the hex of the next
    case = lay(french="138 0807; 140 0908", germans="139 0808").turn(french="138 C1; 140 E1", germans="139 A1")
    assert case.at("138", "140", "139") == "0908 0808 0807"


@pytest.mark.rule("KP-5.0c", "KP-7.0c")
def test_a_path_through_the_enemy_may_be_plotted(lay: Lay) -> None:
    case = lay(french="1 0808", germans="94 0805")
    assert case.refused("94 D6") == ""
    assert case.turn(french="1 B4", germans="94 S3 D6").at("94") == "0811"
