"""Infantry that rides on tanks at Summa, 14.5 and R-KP-76. The Germans of the table have Russian units here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kampfpanzer.model.events import (
    FireResolved,
    OperationFailed,
    OverrunResolved,
    RecoveryRolled,
    UnitDebarked,
    UnitDestroyed,
    UnitEmbarked,
    UnitShelled,
)

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Lay, Stage

from tests.plugins.kampfpanzer.cases import counter, group

PAIR = "69 0808; 81 aboard 69"


def ride(lay: Lay, *, french: str = "", germans: str = PAIR, **rest: Any) -> Case:
    return lay(french=french, germans=germans, more={"riders": True, **rest.pop("more", {})}, **rest)


@pytest.mark.rule("KP-14.5.3", "R-KP-76", "KP-12.0f")
def test_infantry_mounts_a_tank(lay: Lay) -> None:
    case = ride(lay, germans="69 0807; 81 0808; 70 0907; 115 0908 A")
    assert case.refused("115 M; 70 M 0908") != ""  # guns do not
    event = case.turn(germans="69 M 0808; 81 M").one(UnitEmbarked)
    assert (event.unit, event.vehicle, case.at("69", "81")) == ("81", "69", "0808 0808")


@pytest.mark.rule("KP-14.5.3", "KP-12.0a")
def test_elsewhere_it_does_not(lay: Lay) -> None:
    assert lay(germans="69 0807; 81 0808").refused("69 M 0808; 81 M") != ""


@pytest.mark.rule("KP-14.5.3", "KP-12.0g", "R-KP-63")
def test_and_gets_off_again(lay: Lay) -> None:
    case = ride(lay, germans=f"{PAIR}; 82 0809")
    assert case.refused("82 M; 69 M 0809") != ""  # one a tank
    event = case.turn(germans="69 Q 0909; 81 Q").one(UnitDebarked)
    assert (event.unit, event.hex, case.at("69", "81")) == ("81", "0909", "0909 0808")


@pytest.mark.rule("R-KP-76", "KP-12.2b")
def test_the_tank_moves_and_fights_as_ever(lay: Lay) -> None:
    case = ride(lay, french="1 0812; 29 0402", dice={"fire:0812:1": "6"})
    assert case.refused("69 D15", "germans") in {"KP-14.0i", ""}
    assert case.refused("69 P 0811") == ""
    case.turn(germans="69 N 0812")
    assert case.fire() == [("69", "1", 2)]
    assert case.turn(germans="69 A7").at("69", "81") == "0801 0801"


@pytest.mark.rule("R-KP-76", "KP-9.63a")
def test_it_overruns_and_counts_once(lay: Lay) -> None:
    dice = {"overrun:0810": "6", "counter:29": "1"}
    case = ride(lay, french="29 0810", dice=dice).turn(counter("french", "69"), germans="69 D1 VD")
    assert (case.one(OverrunResolved).superiority, case.at("69", "81")) == (3, "0811 0811")
    assert case.levels("69", "81") == [1, 1]  # the counterattack hits both


@pytest.mark.rule("R-KP-76", "KP-12.0b")
def test_the_riders_do_not_fire_or_move(lay: Lay) -> None:
    case = ride(lay, french="29 0810")
    assert all(case.refused(f"81 {plot}") != "" for plot in ("N 0810", "P 0812", "D1", "C"))


@pytest.mark.rule("R-KP-76", "KP-8.2a")
def test_the_riders_have_no_zone_of_their_own(lay: Lay) -> None:
    case = ride(lay, french="1 0805", germans="69 0808 D1; 81 aboard 69").turn(french="1 B1 C1 C1 D4")
    assert case.stops() == {} or case.stops().get("1", ("", ""))[1] != "zone"
    case = ride(lay, french="1 0905", germans="69 0808 D1; 81 aboard 69")
    assert case.turn(french="1 D5").at("1") == "0910"
    case = ride(lay, french="1 0905")
    assert case.turn(french="1 D5").at("1") == "0908"  # the tank's


# --- attacks ---


@pytest.mark.rule("KP-14.5.4", "KP-14.5.5", "R-KP-76")
@pytest.mark.parametrize(
    ("firer", "ground", "strength", "superiority"),
    [
        ("1", {}, 5, 4),
        ("29", {}, 4, 3),  # small arms: they are soft
        ("19", {}, 12, 8),  # mixed weapons double
        ("6", {"woods": "0808"}, 2, -1),
        ("6", {"town": "0808"}, 2, -3),
    ],
)
def test_riders_attacked_alone(lay: Lay, firer: str, ground: dict[str, str], strength: int, superiority: int) -> None:
    case = ride(lay, french=f"{firer} 0811", dice={"fire:0808:81": "2"}, **ground)
    case.turn(french=f"{firer} N 0808/81")
    shot = case.one(FireResolved)
    assert (shot.targets, shot.strengths, shot.superiority) == (["81"], [strength], superiority)
    assert case.level("69") == 0
    assert case.level("81") == int(shot.result[1]) if shot.result != "P" else case.pinned() == ["81"]


@pytest.mark.rule("KP-14.5.6", "KP-12.32a")
@pytest.mark.parametrize(("die", "level"), [("6", 2), ("1", 3)])
def test_a_result_on_the_tank_is_suffered_by_both(lay: Lay, die: str, level: int) -> None:
    case = ride(lay, french="1 0811", dice={"fire:0808:69": die}).turn(french="1 N 0808/69")
    shot = case.one(FireResolved)
    assert (shot.targets, shot.superiority, case.levels("69", "81")) == (["69"], 4, [level, level])


@pytest.mark.rule("KP-14.5.6", "KP-9.51b", "R-KP-76")
def test_small_arms_cannot_fire_at_the_tank(lay: Lay) -> None:
    case = ride(lay, french="29 0811")
    assert case.refused("29 N 0808/69") == "KP-9.51b"
    assert case.refused("29 N 0808/81") == ""


@pytest.mark.rule("R-KP-28", "KP-9.12b", "KP-14.5.6")
@pytest.mark.parametrize(("firer", "strength", "superiority"), [("1", 5, 3), ("19", 6, 4)])
def test_tank_and_riders_in_one_attack(lay: Lay, firer: str, strength: int, superiority: int) -> None:
    case = ride(lay, french=f"{firer} 0811; 29 0711", dice={"fire:0808:*": "6"})
    assert case.refused("29 N 0808") in {"KP-9.51b", "R-KP-28"}
    shot = case.turn(french=f"{firer} N 0808").one(FireResolved)
    assert (sorted(shot.targets), shot.strengths, shot.defence) == (["69", "81"], [strength], 2)
    assert shot.superiority == superiority
    # one attack, one result: the riders do not suffer it once more for their tank
    assert case.levels("69", "81") == [int(shot.result[1])] * 2


@pytest.mark.rule("KP-14.5.5", "R-KP-76")
def test_each_has_a_marker_of_its_own(lay: Lay) -> None:
    dice = {"fire:0808:81": "6", "fire:0808:69": "6"}
    case = ride(lay, french="6 0811; 1 0812", dice=dice)
    case.turn(french="6 N 0808/81; 1 N 0808/69")  # +1: pinned; +4: D2
    assert case.levels("69", "81") == [2, 2]
    dice = {"fire:0808:81": "5", "fire:0808:69": "6"}
    case = ride(lay, french="1 0811; 2 0812", dice=dice)
    case.turn(french="1 N 0808/81; 2 N 0808/69")  # D2 and D2
    assert case.levels("69", "81") == [2, 4]


@pytest.mark.rule("KP-14.5.5", "KP-14.5.7", "R-KP-76")
def test_disrupted_riders_stay_on_and_do_not_stop_the_tank(lay: Lay) -> None:
    case = ride(lay, germans="69 0808; 81 aboard 69 D2")
    assert case.refused("69 Q 0909; 81 Q") != ""
    case.turn(germans="69 A3")
    assert (case.at("69", "81"), case.level("81")) == ("0805 0805", 2)


@pytest.mark.rule("KP-14.5.5", "KP-9.71a", "R-KP-76")
def test_pinned_riders_do_not_stop_the_tank(lay: Lay) -> None:
    case = ride(lay, french="6 0811", dice={"fire:0808:81": "6"}).turn(french="6 N 0808/81", germans="69 A3")
    assert (case.pinned(), case.at("69", "81")) == (["81"], "0805 0805")


@pytest.mark.rule("KP-12.12a", "R-KP-66", "KP-14.5.7")
def test_but_they_cannot_get_off(lay: Lay) -> None:
    case = ride(lay, french="6 0811", dice={"fire:0808:81": "6"}).turn(french="6 N 0808/81", germans="69 Q 0909; 81 Q")
    assert case.at("69", "81") == "0808 0808"


@pytest.mark.rule("KP-12.11a", "R-KP-76")
def test_nobody_is_left_to_get_off(lay: Lay) -> None:
    case = ride(lay, french="19 0811", dice={"fire:0808:81": "6"})
    case.turn(french="19 N 0808/81", germans="69 Q 0909; 81 Q")
    failed = case.one(OperationFailed)
    assert (failed.unit, failed.rule) == ("69", "KP-12.11a")
    assert "nobody plotted to leave it" in failed.why
    assert case.at("69") == "0808"


@pytest.mark.rule("R-KP-76", "KP-9.91d", "KP-14.5.5")
def test_riders_destroyed_alone_leave_no_wreck(lay: Lay) -> None:
    case = ride(lay, french="19 0811", dice={"fire:0808:81": "6"}).turn(french="19 N 0808/81", germans="69 A1")
    event = case.one(UnitDestroyed)
    assert (event.unit, event.passengers, event.wreck) == ("81", [], False)
    assert (case.state.wrecks, case.at("69")) == ([], "0807")


@pytest.mark.rule("KP-14.5.6", "KP-12.32a", "KP-9.91a")
def test_the_tank_takes_its_riders_along(lay: Lay) -> None:
    case = ride(lay, french="19 0809", dice={"fire:0808:69": "6"}).turn(french="19 N 0808/69")
    assert (case.levels("69", "81"), case.state.wrecks) == ([4, 4], ["0808"])


@pytest.mark.rule("R-KP-76", "KP-12.32b", "KP-9.72b")
def test_each_recovers_by_itself(lay: Lay) -> None:
    dice = {"recovery:69": "3", "recovery:81": "1"}
    case = ride(lay, germans="69 0808 D2; 81 aboard 69 D3", dice=dice).turn()
    assert case.levels("69", "81") == [2, 0]
    assert sorted(event.unit for event in case.events(RecoveryRolled)) == ["69", "81"]


@pytest.mark.rule("R-KP-46", "KP-9.33d", "R-KP-76")
def test_loose_shells_hit_the_riders_only(lay: Lay) -> None:
    case = ride(lay, french="39 0820 A", dice={"shell:81:39": "2"}).turn(french="39 L 0808")
    hits = [(event.unit, event.column, event.result) for event in case.events(UnitShelled)]
    assert (hits, case.levels("69", "81")) == ([("81", "static", "D2")], [0, 2])


@pytest.mark.rule("R-KP-46", "R-KP-76")
def test_tight_shells_hit_both_and_the_riders_twice(lay: Lay) -> None:
    case = ride(lay, french="39 0820 A", dice={"shell:69:39": "4", "shell:81:39": "2"}).turn(french="39 T 0808")
    assert case.levels("69", "81") == [1, 3]


@pytest.mark.rule("R-KP-46", "R-KP-47", "KP-9.36a")
def test_riders_of_a_moving_tank_are_moving(lay: Lay) -> None:
    case = ride(lay, french="39 0820 A", germans="69 0806; 81 aboard 69", dice={"shell:81:39": "3 1 4"})
    case.turn(french="39 L 0808", germans="69 D3")
    assert [(event.unit, event.hex, event.column) for event in case.events(UnitShelled)] == [
        ("81", hex_, "moving") for hex_ in ("0807", "0808", "0809")
    ]
    assert case.levels("69", "81") == [0, 1]


@pytest.mark.rule("R-KP-67", "KP-14.5.3")
def test_they_panic_as_one(lay: Lay) -> None:
    dice = {"panic:germans": "2", "scatter:69": "1", "points:69": "3"}
    case = ride(lay, more={"panic": {"germans": 2}}, dice=dice).turn(germans="69 D3")
    assert case.at("69", "81") == "0805 0805"


@pytest.mark.rule("KP-9.11a", "R-KP-25", "KP-14.5.4")
def test_attacks_on_riders_combine_among_themselves(lay: Lay) -> None:
    case = ride(lay, french="1 0811; 2 0812; 3 0711", dice={"fire:0808:81": "6", "fire:0808:69": "6"})
    case.turn(group("french", "1 2"), french="1 N 0808/81; 2 N 0808/81; 3 N 0808/69")
    assert sorted((targets, value) for _, targets, value in case.fire()) == [("69", 4), ("81", 8)]


@pytest.mark.rule("KP-14.5.8", "KP-14.5.10", "KP-14.0j")
@pytest.mark.parametrize(
    ("level", "out", "won"), [("", "70 71 72 73", True), ("D2", "70 71 72 73", True), ("", "70 71 72", False)]
)
def test_riders_that_leave_the_map_count(stage: Stage, level: str, out: str, won: bool) -> None:
    case = stage("summa", finns="63 0310", russians=f"69 1502; 81 aboard 69 {level}", out=out, turn=4)
    case.turn(russians="69 A2")
    assert (case.left("69"), case.left("81")) == (True, True)
    assert (case.state.outcome == "russians") == won
