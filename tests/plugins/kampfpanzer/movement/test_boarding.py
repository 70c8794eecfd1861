"""Trucks and carriers, section 12: embarking, debarking, riding along, being hit together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import (
    ContestDecided,
    FireResolved,
    OperationFailed,
    RecoveryRolled,
    UnitDebarked,
    UnitDestroyed,
    UnitEmbarked,
    UnitsMoved,
)
from kampfpanzer.model.orders import ChooseFacing

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Lay

from tests.plugins.kampfpanzer.cases import face, group


def carrier(case: Case, unit: str) -> str:
    return case.state.units[unit].carrier


# --- embarking ---


@pytest.mark.rule("KP-12.0f", "KP-12.0a", "KP-5.31a", "KP-5.31b", "KP-5.31c", "KP-7.2a", "KP-12.11b", "KP-9.4a")
@pytest.mark.parametrize("vehicle", ["138", "146"])
@pytest.mark.parametrize("unit", ["29", "38", "39"])
def test_the_vehicle_comes_to_the_unit(lay: Lay, vehicle: str, unit: str) -> None:
    facing = "" if unit == "29" else " A"
    case = lay(french=f"{unit} 0808{facing}; {vehicle} 0807").turn(french=f"{unit} M; {vehicle} M 0808")
    event = case.one(UnitEmbarked)
    assert (event.unit, event.vehicle, event.hex) == (unit, vehicle, "0808")
    assert (case.at(unit, vehicle), carrier(case, unit)) == ("0808 0808", vehicle)
    assert case.state.units[unit].facing == ""


@pytest.mark.rule("KP-12.11a", "KP-5.31a", "KP-12.11b", "KP-12.0f", "KP-12.0a", "R-KP-63", "KP-12.14a", "KP-5.31c")
@pytest.mark.parametrize(
    ("plot", "rule"),
    [
        ("29 M; 138 M", "KP-5.31c"),  # no hex
        ("29 M 0808; 138 M 0808", "KP-5.31b"),
        ("29 M; 138 M 0807", "KP-12.0f"),  # its own hex
        ("29 M; 138 M 0906", "KP-12.0f"),  # nobody there
        ("29 M; 139 M 0808", "KP-12.0f"),  # not adjacent
        ("29 M; 1 M 0808", "KP-12.0a"),  # no vehicle
        ("29 M; 138 M 0808; 140 M 0808", "R-KP-63"),  # two for one
        ("30 M; 138 M 0708", "KP-12.14a"),  # it shares its hex with a gun
        ("38 M; 138 M 0708", "KP-12.14a"),
        ("31 M; 141 M 0604", "KP-12.0f"),  # full already
        ("32 M; 138 M 0808", "KP-12.2b"),
        ("1 M; 138 M 0907", "KP-12.0a"),
    ],
)
def test_what_cannot_be_plotted(lay: Lay, plot: str, rule: str) -> None:
    units = "29 0808; 138 0807; 139 0810; 140 0809; 1 0907; 30 0708; 38 0708 A; 31 0604; 141 0605; 32 aboard 141"
    case = lay(french=units)
    assert case.refused("29 M; 138 M 0808") == ""
    assert case.refused(plot) == rule


@pytest.mark.rule("KP-12.11a", "KP-5.31a")
@pytest.mark.parametrize(
    ("plot", "rule"),
    [
        ("29 M", "KP-12.11a"),
        ("138 M 0808", "KP-12.11a"),
        ("29 A1; 138 M 0808", "KP-7.0a"),
        ("29 M; 138 A1", "KP-12.11a"),
    ],
)
def test_it_takes_two(lay: Lay, plot: str, rule: str) -> None:
    assert lay(french="29 0808; 138 0807").refused(plot) == rule


@pytest.mark.rule("KP-12.11a", "KP-5.31a")
def test_a_vehicle_comes_for_nobody_when_who_waited_is_dead(lay: Lay) -> None:
    case = lay(french="29 0808; 138 0807", germans="105 0809; 106 0909; 107 0707", dice={"fire:0808:29": "1"})
    fire = "105 N 0808; 106 N 0808; 107 N 0808"
    case.turn(group("germans", "105 106 107"), french="29 M; 138 M 0808", germans=fire)
    assert case.one(UnitDestroyed).unit == "29"
    failed = case.one(OperationFailed)
    assert (failed.rule, "nobody waits" in failed.why) == ("KP-12.11a", True)
    assert case.at("138") == "0807"


@pytest.mark.rule("KP-12.11a", "KP-12.12a")
def test_each_pair_stands_and_falls_by_itself(lay: Lay) -> None:
    dice = {"fire:0808:29": "6"}  # 5 against 5 and no more: pinned
    case = lay(french="29 0808; 138 0807; 30 1208; 139 1207; 31 0208; 140 0207", germans="102 0810", dice=dice)
    case.turn(french="29 M; 138 M 0808; 30 M; 139 M 1208; 31 M; 140 M 0208", germans="102 N 0808")
    assert case.failed() == {"29": "embark", "138": "embark"}
    assert [carrier(case, unit) for unit in ("29", "30", "31")] == ["", "139", "140"]


@pytest.mark.rule("KP-12.0e", "KP-12.0b", "KP-6.2a")
@pytest.mark.parametrize(
    "plot", ["29 M A1; 138 M 0808", "29 M; 138 D1 M 0808", "29 M; 138 M 0808 D1", "29 M N 0810; 138 M 0808"]
)
def test_nothing_else_in_the_same_turn(lay: Lay, plot: str) -> None:
    assert lay(french="29 0808; 138 0807", germans="94 0810").refused(plot) != ""


@pytest.mark.rule("KP-12.12a", "KP-9.71c", "R-KP-66")
@pytest.mark.parametrize("units", ["29 0808 D1; 138 0807", "29 0808; 138 0807 D1"])
def test_the_disrupted_take_no_part(lay: Lay, units: str) -> None:
    assert lay(french=units).refused("29 M; 138 M 0808") != ""


@pytest.mark.rule("R-KP-66", "KP-12.12a", "KP-12.15a")
@pytest.mark.parametrize("die", ["6", "4"])
def test_one_of_them_is_hit_in_the_combat_phase(lay: Lay, die: str) -> None:
    case = lay(french="6 0804", germans="138 0808; 112 0809", dice={"fire:0808:138": die})  # +1
    case.turn(french="6 N 0808", germans="112 M; 138 M 0809")
    assert (case.at("138", "112"), carrier(case, "112")) == ("0808 0809", "")
    assert set(case.failed()) & {"138", "112"}


@pytest.mark.rule("KP-12.15a", "KP-12.0d", "KP-4.1e")
def test_after_all_other_movement(lay: Lay) -> None:
    case = lay(french="29 0808; 138 0807; 1 0202; 30 1208; 139 1208; 31 aboard 139").turn(
        french="29 M; 138 M 0808; 1 D9"
    )
    kinds = [type(event) for event in case.all_events()]
    assert kinds.index(UnitEmbarked) > max(place for place, kind in enumerate(kinds) if kind is UnitsMoved)


@pytest.mark.rule("KP-12.15b", "KP-9.67a")
@pytest.mark.parametrize(("target", "plot"), [("0808", "29 M; 138 M 0808"), ("0808", "29 M; 138 M 0709")])
def test_an_overrun_comes_first(lay: Lay, target: str, plot: str) -> None:
    units = "29 0808; 138 0709" if plot.endswith("0808") else "138 0808; 29 0709"
    case = lay(french=units, germans="94 0806", dice={"overrun:0808": "6"}).turn(french=plot, germans="94 D1 VD")
    assert carrier(case, "29") == ""
    assert case.events(UnitEmbarked) == []


@pytest.mark.rule("R-KP-64", "KP-13.0c")
@pytest.mark.parametrize(("option", "allowed"), [("forbidden", False), ("allowed", True)])
def test_out_of_an_entrenchment(lay: Lay, option: str, allowed: bool) -> None:
    case = lay(french="29 0808 entrenched; 138 0807", embark_entrenched=option)
    assert (case.refused("29 M; 138 M 0808") == "") == allowed
    if allowed:
        assert carrier(case.turn(french="29 M; 138 M 0808"), "29") == "138"


# --- debarking ---


@pytest.mark.rule("KP-12.0g", "KP-5.32a", "KP-5.32b", "KP-12.0d")
@pytest.mark.parametrize("vehicle", ["138", "146"])
def test_the_unit_stays_and_the_vehicle_goes(lay: Lay, vehicle: str) -> None:
    case = lay(french=f"{vehicle} 0808; 29 aboard {vehicle}").turn(french=f"29 Q; {vehicle} Q 0909")
    event = case.one(UnitDebarked)
    assert (event.unit, event.vehicle, event.hex) == ("29", vehicle, "0909")
    assert (case.at("29", vehicle), carrier(case, "29")) == ("0808 0909", "")
    assert (event.facing, case.state.units["29"].facing) == ("", "")


@pytest.mark.rule("KP-12.11a", "KP-12.11b", "KP-5.32a", "KP-5.32b", "KP-12.0g", "KP-12.0e")
@pytest.mark.parametrize(
    ("plot", "rule"),
    [
        ("29 Q; 138 Q", "KP-5.32b"),
        ("29 Q 0909; 138 Q", "KP-5.32a"),
        ("29 Q; 138 Q 0808", "KP-12.0g"),
        ("29 Q; 138 Q 0810", "KP-12.0g"),
        ("29 Q; 138 Q 0909 D1", "KP-5.32b"),
        ("29 A1", "KP-12.2b"),
        ("29 N 0812", "KP-12.2b"),
        ("30 Q; 139 Q 0304", "KP-12.0g"),
    ],
)
def test_what_debarking_cannot_be(lay: Lay, plot: str, rule: str) -> None:
    case = lay(french="138 0808; 29 aboard 138; 30 0303; 139 0304", germans="94 0812")
    assert case.refused("29 Q; 138 Q 0909") == ""
    assert case.refused(plot) == rule


@pytest.mark.rule("KP-12.11a")
@pytest.mark.parametrize("plot", ["29 Q", "138 Q 0909"])
def test_both_must_have_it_plotted(lay: Lay, plot: str) -> None:
    assert lay(french="138 0808; 29 aboard 138").refused(plot) == "KP-12.11a"


@pytest.mark.rule("R-KP-34", "KP-9.4b")
@pytest.mark.parametrize(("plot", "facing"), [("38 Q C", "C"), ("38 Q F", "F"), ("38 Q", "F")])
def test_a_gun_gets_its_facing_with_the_plot(lay: Lay, plot: str, facing: str) -> None:
    # Without a letter it faces away from its vehicle, which went to C.
    case = lay(french="138 0808; 38 aboard 138").turn(french=f"{plot}; 138 Q 0909")
    assert case.state.units["38"].facing == facing


@pytest.mark.rule("R-KP-34", "KP-9.4b")
def test_or_when_it_has_debarked(lay: Lay) -> None:
    case = lay(french="138 0808; 38 aboard 138", debark_facing="chosen_on_execution")
    case.upto(french="38 Q; 138 Q 0909")
    assert case.asked.side == "french"
    assert case.refuses("french", ChooseFacing("G"))
    case.answer(face("french", "B"))
    assert case.state.units["38"].facing == "B"


@pytest.mark.rule("KP-12.14b", "KP-12.14c", "R-KP-65")
@pytest.mark.parametrize(
    ("others", "plots", "debarks"),
    [
        ("1 0909", "", False),
        ("1 0909", "1 D2", True),
        ("30 0909", "", False),
        ("1 0906", "1 D1", True),
    ],
)
def test_the_hex_must_be_vacant_by_then(lay: Lay, others: str, plots: str, debarks: bool) -> None:
    case = lay(french=f"138 0808; 29 aboard 138; {others}")
    sheet = f"29 Q; 138 Q 0909; {plots}"
    if case.refused(sheet) == "":
        case.turn(french=sheet)
    assert (carrier(case, "29") == "") == debarks


@pytest.mark.rule("KP-12.14b", "R-KP-65", "KP-12.14c")
def test_an_enemy_may_be_there_or_come(lay: Lay) -> None:
    case = lay(french="138 0808; 29 aboard 138", germans="94 0910")
    case.turn(french="29 Q; 138 Q 0909", germans="94 A1")
    assert (carrier(case, "29"), case.failed().get("138") or case.failed().get("29")) == ("138", "debark")
    case = lay(french="138 0808; 29 aboard 138 ", germans="139 0909")
    assert case.refused("29 Q; 138 Q 0909") == ""
    assert carrier(case.turn(french="29 Q; 138 Q 0909", germans="139 D1"), "29") == ""


@pytest.mark.rule("R-KP-65")
@pytest.mark.parametrize(
    "ground", [{"woods": "0909"}, {"slope": "0909"}, {"stream_sides": "0808/0909"}, {"wrecks": "0909"}]
)
def test_whatever_the_ground(lay: Lay, ground: dict[str, str]) -> None:
    case = lay(french="138 0808; 29 aboard 138", **ground).turn(french="29 Q; 138 Q 0909")
    assert case.at("29", "138") == "0808 0909"


@pytest.mark.rule("R-KP-65")
@pytest.mark.parametrize(("option", "debarks"), [("any_vacant_adjacent", True), ("zoc_restricted", False)])
def test_into_an_enemy_zone(lay: Lay, option: str, debarks: bool) -> None:
    case = lay(french="138 0808; 29 aboard 138", germans="112 0910", debark_hex=option)
    if case.refused("29 Q; 138 Q 0909") == "":
        case.turn(french="29 Q; 138 Q 0909")
    assert (carrier(case, "29") == "") == debarks


@pytest.mark.rule("R-KP-65", "KP-13.0c")
def test_not_into_an_entrenchment(lay: Lay) -> None:
    case = lay(french="138 0808; 29 aboard 138; 30 0909 entrenched")
    if case.refused("29 Q; 138 Q 0909; 30 D1") == "":
        case.turn(french="29 Q; 138 Q 0909; 30 D1")
    assert carrier(case, "29") == "138"


@pytest.mark.rule("R-KP-65")
def test_of_two_friends_the_lower_number_gets_the_hex(lay: Lay) -> None:
    case = lay(french="138 0808; 29 aboard 138; 139 1008; 30 aboard 139")
    sheet = "29 Q; 138 Q 0909; 30 Q; 139 Q 0909"
    if case.refused(sheet) == "":
        case.turn(french=sheet)
        assert (carrier(case, "29"), carrier(case, "30")) == ("", "139")


@pytest.mark.rule("R-KP-65", "KP-6.4d", "KP-6.4e")
@pytest.mark.parametrize(
    ("french", "german", "dice", "winner"),
    [
        ("138", "146", {}, "138"),  # 20 against 18
        ("146", "138", {}, "138"),
        ("138", "139", {"contest:0909:french": "3", "contest:0909:germans": "5"}, "139"),
    ],
)
def test_opposing_vehicles_compete_for_it(
    lay: Lay, french: str, german: str, dice: dict[str, str], winner: str
) -> None:
    case = lay(french=f"{french} 0808; 29 aboard {french}", germans=f"{german} 1008; 112 aboard {german}", dice=dice)
    case.turn(french=f"29 Q; {french} Q 0909", germans=f"112 Q; {german} Q 0909")
    assert case.at(winner) == "0909"
    assert case.one(ContestDecided).winners == [winner]
    assert sorted([carrier(case, "29"), carrier(case, "112")]) == sorted(["", {french: german, german: french}[winner]])


@pytest.mark.rule("KP-12.13c", "KP-12.12a", "R-KP-66")
def test_a_pinned_pair_stays_together(lay: Lay) -> None:
    case = lay(french="138 0808; 29 aboard 138", germans="6 0804", dice={"fire:0808:138": "6"})
    case.turn(french="29 Q; 138 Q 0909", germans="6 N 0808")
    assert carrier(case, "29") == "138"


@pytest.mark.rule("KP-12.0d", "KP-12.15a", "KP-12.14c")
def test_two_columns_unload_into_each_other_s_places(lay: Lay) -> None:
    # 0909 is left by 1 during movement, and 0809 by nobody.
    case = lay(french="138 0808; 29 aboard 138; 139 0811; 30 aboard 139; 1 0909")
    case.turn(french="29 Q; 138 Q 0909; 30 Q; 139 Q 0810; 1 B3")
    assert case.at("29", "138", "30", "139") == "0808 0909 0811 0810"


# --- riding along ---


@pytest.mark.rule("KP-12.2a", "KP-12.2b", "KP-7.2a", "KP-12.2c")
@pytest.mark.parametrize(("vehicle", "hexes"), [("138", 10), ("146", 18)])
@pytest.mark.parametrize("unit", ["29", "38"])
def test_the_passenger_goes_along(lay: Lay, vehicle: str, hexes: int, unit: str) -> None:
    case = lay(french=f"{vehicle} 0802; {unit} aboard {vehicle}")
    assert case.refused(f"{vehicle} D{hexes}") == ""
    case.turn(french=f"{vehicle} D{hexes}")
    assert case.at(vehicle, unit) == f"08{2 + hexes:02} 08{2 + hexes:02}"
    assert case.turn(french=f"{vehicle} A2").at(unit) == f"08{hexes:02}"


@pytest.mark.rule("KP-12.0b", "KP-12.31a", "KP-12.2b")
def test_neither_fires(lay: Lay) -> None:
    case = lay(french="138 0808; 29 aboard 138; 146 0608; 39 aboard 146", germans="112 0811")
    for plot in ("29 N 0811", "29 P 0810", "39 T 0811", "138 N 0811", "146 P 0610", "138 T 0811", "39 C", "29 D1"):
        assert case.refused(plot) != "", plot


@pytest.mark.rule("KP-12.0c", "KP-12.31b", "KP-12.32a", "KP-9.51d", "KP-9.51b")
@pytest.mark.parametrize(
    ("firer", "vehicle", "defence", "strength"),
    [("11", "138", 1, 4), ("105", "138", 1, 10), ("63", "138", 1, 4), ("11", "146", 3, 4), ("105", "146", 3, 5)],
)
def test_the_pair_defends_as_the_vehicle(lay: Lay, firer: str, vehicle: str, defence: int, strength: int) -> None:
    dice = {"fire:0808:*": "6"}
    case = lay(french=f"{vehicle} 0808; 29 aboard {vehicle}", germans=f"{firer} 0804", dice=dice)
    shot = case.turn(germans=f"{firer} N 0808").one(FireResolved)
    assert (shot.strengths, shot.defence, shot.targets) == ([strength], defence, [vehicle])
    assert case.level("29") == case.level(vehicle)
    assert case.pinned() in ([], ["29", vehicle], [vehicle], sorted(["29", vehicle]))


@pytest.mark.rule("KP-12.32a", "KP-12.0c", "KP-9.51b")
def test_the_passenger_is_no_target(lay: Lay) -> None:
    case = lay(french="146 0808; 29 aboard 146", germans="112 0804; 105 0704")
    assert case.refused("112 N 0808") == "KP-9.51b"
    assert case.refused("105 N 0808/29") != ""
    assert case.refused("105 N 0808/146") == case.refused("105 N 0808") == ""


@pytest.mark.rule("KP-12.32a", "KP-9.91a", "KP-9.91d")
def test_both_are_destroyed_and_one_wreck_is_left(lay: Lay) -> None:
    case = lay(french="138 0808; 29 aboard 138", germans="105 0807", dice={"fire:0808:138": "6"})
    case.turn(germans="105 N 0808")
    event = case.one(UnitDestroyed)
    assert (event.unit, event.passengers, event.wreck) == ("138", ["29"], True)
    assert (case.levels("138", "29"), case.state.wrecks) == ([4, 4], ["0808"])


@pytest.mark.rule("KP-12.32b", "KP-12.0c")
@pytest.mark.parametrize(("die", "level"), [("2", 0), ("3", 2)])
def test_one_roll_recovers_both(lay: Lay, die: str, level: int) -> None:
    case = lay(french="138 0808 D2; 29 aboard 138 D2", dice={"recovery:138": die}).turn()
    assert case.levels("138", "29") == [level, level]
    assert [event.unit for event in case.events(RecoveryRolled)] == ["138"]


@pytest.mark.rule("KP-12.2b", "KP-12.32a", "KP-9.71c")
def test_a_disrupted_pair_can_do_nothing(lay: Lay) -> None:
    case = lay(french="138 0808 D1; 29 aboard 138 D1")
    assert all(case.refused(plot) != "" for plot in ("138 D1", "29 Q; 138 Q 0809"))


@pytest.mark.rule("KP-12.0e", "KP-12.11a")
def test_why_it_failed_is_said(lay: Lay) -> None:
    case = lay(french="138 0808; 29 aboard 138", germans="94 0910")
    case.turn(french="29 Q; 138 Q 0909", germans="94 A1")
    assert all(event.why and event.operation == "debark" for event in case.events(OperationFailed))
    assert case.events(OperationFailed)
