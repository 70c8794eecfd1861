"""Overruns that fail: hit on the way, held by a zone, with no way out (9.65, 6.3, R-KP-53)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import OverrunResolved, UnitBackedUp, UnitsMoved

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Lay


def overruns(case: Case) -> list[tuple[str, str, int, int]]:
    """Return this turn's overruns: who, whom, counted as how many, superiority."""
    return [
        (" ".join(sorted(event.attackers)), " ".join(sorted(event.defenders)), event.counted, event.superiority)
        for event in case.events(OverrunResolved)
    ]


# --- what aborts it ---


@pytest.mark.rule("KP-9.65a", "KP-9.65b", "KP-9.67b")
@pytest.mark.parametrize(("die", "end"), [("1", "0807"), ("6", "0809")])
def test_opportunity_fire_in_the_approach(lay: Lay, die: str, end: str) -> None:
    dice = {"fire:0806:94": die} | ({"overrun:0808": "6"} if end == "0809" else {})
    case = lay(french="29 0808; 1 0811", germans="94 0704", dice=dice)
    case.turn(french="1 P 0806; 29 B1", germans="94 D1 C1 D2 VD")
    assert case.at("94", "29") == f"{end} 0808"
    assert bool(overruns(case)) == (end == "0809")
    assert case.stops() == ({"94": ("0807", "hit")} if end == "0807" else {})


@pytest.mark.rule("KP-9.65a")
def test_hit_early_it_comes_up_to_the_hex_in_front_all_the_same(lay: Lay) -> None:
    case = lay(french="29 0808; 1 0811", germans="94 0704", dice={"fire:0705:94": "1"})
    case.turn(french="1 P 0603", germans="94 D1 C1 D2 VD")
    assert case.hexes("94") == "0705 0805 0806 0807"
    assert case.stops() == {"94": ("0807", "hit")}


@pytest.mark.rule("KP-9.65a", "R-KP-53")
@pytest.mark.parametrize(("die", "end"), [("4", "0807"), ("6", "0809")])
def test_opportunity_fire_in_the_very_hex(lay: Lay, die: str, end: str) -> None:
    dice = {"fire:0808:94": die} | ({"overrun:0808": "6"} if end == "0809" else {})
    case = lay(french="29 0808; 1 0408", germans="94 0806", dice=dice)
    case.turn(french="1 P 0808", germans="94 D1 VD")
    assert case.at("94") == end
    assert bool(overruns(case)) == (end == "0809")
    if end == "0807":
        back = case.one(UnitBackedUp)
        assert (back.start, back.hex, back.why) == ("0808", "0807", "overrun")
        assert case.stops() == {"94": ("0807", "hit")}


@pytest.mark.rule("KP-9.82b", "KP-9.65a", "R-KP-58")
def test_destroyed_in_the_very_hex_it_overruns_nobody(lay: Lay) -> None:
    case = lay(french="29 0808; 1 0709", germans="91 0806", dice={"fire:0808:91": "6"})
    case.turn(french="1 P 0808", germans="91 D1 VD")
    assert (case.level("91"), overruns(case), case.state.wrecks) == (4, [], ["0808"])
    assert case.never(UnitBackedUp)


@pytest.mark.rule("R-KP-53", "KP-6.4a", "KP-7.0c")
def test_the_way_out_and_the_way_back_are_barred(lay: Lay) -> None:
    # While 94 is in 0808 enemies come into 0809 behind it and into 0807, where it came from.
    case = lay(french="29 0808; 11 0810; 1 0806", germans="94 0807", dice={"overrun:0808": "6"})
    case.turn(french="11 S1 A1; 1 S1 D1", germans="94 VD")
    assert case.at("11", "1", "29") == "0809 0807 0808"
    assert case.at("94") in {"0708", "0709", "0908", "0909"}
    assert case.stops()["94"][1] == "exit"


@pytest.mark.rule("R-KP-53", "KP-6.4a")
def test_nowhere_to_go_at_all(lay: Lay) -> None:
    around = "30 0708; 31 0709; 32 0908; 33 0909"
    case = lay(french=f"29 0808; 11 0810; 1 0806; {around}", germans="94 0807", dice={"overrun:0808": "6"})
    case.turn(french="11 S1 A1; 1 S1 D1", germans="94 VD")
    assert case.at("11", "1", "29") == "0809 0807 0808"
    assert (case.level("94"), case.state.wrecks) == (4, ["0808"])


@pytest.mark.rule("KP-9.65a", "KP-9.65b")
def test_the_stop_of_a_zone_counts_before_that_of_a_hit(lay: Lay) -> None:
    # Hit in 0806, and held there by the zone of 30: it does not come as far as the hex in front.
    dice = {"fire:0806:94": "1"}
    case = lay(french="29 0808; 30 0707; 1 0811", germans="94 0704", dice=dice)
    case.turn(french="1 P 0806", germans="94 D1 C1 D2 VD")
    assert case.stops() == {"94": ("0806", "zone")}


@pytest.mark.rule("KP-9.65a", "KP-9.32c")
@pytest.mark.parametrize(("die", "end"), [("2", "0807"), ("3", "0809")])
def test_shells_in_the_approach(lay: Lay, die: str, end: str) -> None:
    dice = {"shell:94:39": die} | ({"overrun:0808": "6"} if end == "0809" else {})
    case = lay(french="29 0808; 39 0820 A", germans="94 0805", dice=dice)
    case.turn(french="39 T 0806", germans="94 D2 VD")
    assert case.at("94") == end


@pytest.mark.rule("KP-9.65a", "R-KP-52")
def test_one_of_two_is_hit_and_the_other_goes_on(lay: Lay) -> None:
    dice = {"shell:94:39": "1", "overrun:0808": "6"}
    case = lay(french="29 0808; 39 0820 A", germans="94 0805; 95 0707", dice=dice)
    case.turn(french="39 T 0806", germans="94 D2 VD; 95 D1 VC")
    assert overruns(case) == [("95", "29", 1, 3)]
    assert case.at("94", "95") == "0807 0909"
    assert attack_is_not_delayed(case)


def attack_is_not_delayed(case: Case) -> bool:
    """Tell whether the overrun was resolved before the overrunners left the hex."""
    kinds = [type(event) for event in case.all_events()]
    return kinds.index(OverrunResolved) < max(place for place, kind in enumerate(kinds) if kind is UnitsMoved)


@pytest.mark.rule("R-KP-52", "KP-8.1c")
def test_one_of_two_is_held_and_the_other_goes_on(lay: Lay) -> None:
    case = lay(french="29 0808; 30 0606", germans="94 0806; 95 0704", dice={"overrun:0808": "6"})
    case.turn(germans="94 D1 VD; 95 D4 VC")
    assert overruns(case) == [("94", "29", 1, 3)]
    assert case.at("94", "95") == "0809 0706"
    assert attack_is_not_delayed(case)


@pytest.mark.rule("KP-8.1a", "KP-8.1b", "KP-8.1c", "R-KP-09")
def test_zones_on_the_way(lay: Lay) -> None:
    # From 0910 a zone reaches the exit hex, from 0909 the target hex as well, from 0908 the approach.
    for other, end in (("0910", "0809"), ("0909", "0809"), ("0908", "0807")):
        dice = {"overrun:0808": "6"} if end == "0809" else {}
        case = lay(french=f"29 0808; 30 {other}", germans="94 0806", dice=dice).turn(germans="94 D1 VD")
        assert (case.at("94"), bool(overruns(case))) == (end, end == "0809")


@pytest.mark.rule("KP-8.0e", "KP-8.1c")
def test_from_zone_to_zone_in_the_approach(lay: Lay) -> None:
    case = lay(french="29 0808; 30 0907", germans="94 0806").turn(germans="94 D1 VD")
    assert (case.at("94"), overruns(case)) == ("0806", [])


@pytest.mark.rule("R-KP-53")
@pytest.mark.parametrize(("start", "plot"), [("0811", "A2"), ("0812", "A3")])  # before 94 is in 0808, and as it comes
def test_an_enemy_drives_into_the_exit_hex(lay: Lay, start: str, plot: str) -> None:
    case = lay(french=f"29 0808; 11 {start}", germans="94 0805").turn(french=f"11 {plot}", germans="94 D2 VD")
    assert case.at("11") == "0809"
    assert (case.at("94"), overruns(case)) == ("0807", [])
    # Known in time, it does not drive into the target at all.
    assert case.hexes("94") == ("0806 0807" if plot == "A2" else "0806 0807 0808")


@pytest.mark.rule("R-KP-53", "R-KP-07")
def test_an_enemy_who_leaves_the_exit_hex_at_that_moment_bars_nothing(lay: Lay) -> None:
    case = lay(french="29 0808; 11 0810", germans="94 0806", dice={"overrun:0808": "6"})
    assert case.turn(french="11 A1 C1", germans="94 D1 VD").at("11", "94") == "0910 0809"


@pytest.mark.rule("R-KP-53", "R-KP-52")
def test_who_cannot_get_out_has_no_part_in_the_attack(lay: Lay) -> None:
    # 11 comes into 0809 while 94 waits in 0808 for 95, which is longer on its way.
    case = lay(french="29 0808; 11 0811", germans="94 0806; 95 0703", dice={"overrun:0808": "6"})
    case.turn(french="11 S2 A2", germans="94 D1 VD; 95 D5 VC")
    assert overruns(case) == [("95", "29", 1, 3)]
    assert case.at("94", "95", "11") == "0807 0909 0809"


@pytest.mark.rule("KP-8.1b", "KP-6.3b", "R-KP-09")
def test_an_enemy_who_comes_beside_it_in_the_target_hex_does_not_stop_it(lay: Lay) -> None:
    case = lay(french="29 0808; 1 0910", germans="94 0807", dice={"overrun:0808": "6"})
    assert case.turn(french="1 S1 A1", germans="94 VD").at("1", "94") == "0909 0809"


@pytest.mark.rule("R-KP-53", "R-KP-15")
def test_a_friend_who_was_stopped_in_the_exit_hex(lay: Lay) -> None:
    # 95 wants to drive through 0809, and the zone of 29 holds it there before 94 is in 0808.
    case = lay(french="29 0808", germans="94 0805; 95 1010", dice={"overrun:0808": "6"})
    case.turn(germans="94 D2 VD; 95 F3")
    assert case.at("94", "95") == "0807 0809"
