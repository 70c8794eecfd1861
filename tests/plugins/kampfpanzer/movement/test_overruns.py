"""Overruns and counterattacks, section 9.6."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import OverrunResolved, UnitsFrozen

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Lay


def overruns(case: Case) -> list[tuple[str, str, int, int]]:
    """Return this turn's overruns: who, whom, counted as how many, superiority."""
    return [
        (" ".join(sorted(event.attackers)), " ".join(sorted(event.defenders)), event.counted, event.superiority)
        for event in case.events(OverrunResolved)
    ]


APPROACH = {
    "94": ("0806", "D1 VD", "0809"),
    "95": ("0707", "D1 VC", "0909"),
    "96": ("0907", "D1 VE", "0709"),
    "97": ("0810", "A1 VA", "0807"),
    "98": ("0710", "A1 VB", "0908"),
    "99": ("0910", "A1 VF", "0708"),
}
"""Six ways into 0808: where from, how, and where to."""


def charge(lay: Lay, tanks: int, defenders: str, die: int = 6, **more: str) -> Case:
    """Let so many PzII overrun 0808 from all sides."""
    ways = dict(list(APPROACH.items())[:tanks])
    case = lay(
        french=defenders,
        germans="; ".join(f"{unit} {way[0]}" for unit, way in ways.items()),
        dice={"overrun:0808": str(die)},
        **more,
    )
    return case.turn(germans="; ".join(f"{unit} {way[1]}" for unit, way in ways.items()))


# --- the table ---

TABLE = {
    ("29 0808", 1): "+3 +6 +8 +8 +8 +8",
    ("29 0808; 38 0808 A", 2): "0 +3 +5 +6 +7 +8",
    ("29 0808 entrenched", 2): "0 +3 +5 +6 +7 +8",
    ("29 0808 entrenched; 38 0808 A", 4): "-2 0 +2 +3 +4 +5",
}


@pytest.mark.rule("KP-9.69a", "KP-9.63a", "KP-9.64a", "KP-9.0j", "KP-9.62c", "KP-13.22a", "KP-9.63b", "KP-3.3a")
@pytest.mark.parametrize("tanks", range(1, 7))
@pytest.mark.parametrize(("defenders", "counted"), TABLE)
def test_the_overrun_table(lay: Lay, tanks: int, defenders: str, counted: int) -> None:
    case = charge(lay, tanks, defenders)
    expected = int(TABLE[defenders, counted].split()[tanks - 1])
    assert [row[2:] for row in overruns(case)] == [(counted, expected)]
    ends = [way[2] for way in list(APPROACH.values())[:tanks]]
    frozen = sorted(each.partition(" ")[0] for each in defenders.split("; "))
    assert case.one(UnitsFrozen).units == frozen
    assert case.at(*list(APPROACH)[:tanks]) == " ".join(ends)


@pytest.mark.rule("KP-9.63b", "KP-10.0m")
@pytest.mark.parametrize("attacker", ["91", "52", "105"])
@pytest.mark.parametrize("defender", ["29", "138", "112"])
def test_strengths_play_no_part(lay: Lay, attacker: str, defender: str) -> None:
    case = lay(french=f"{defender} 0808", germans=f"{attacker} 0806", dice={"overrun:0808": "6"})
    case.turn(germans=f"{attacker} D1 VD")
    assert overruns(case) == [(attacker, defender, 1, 3)]


# --- what may be plotted ---


@pytest.mark.rule("KP-9.6b", "KP-9.6c", "KP-9.66a", "R-KP-51", "KP-12.33a", "KP-12.31a")
def test_who_may_overrun_whom(lay: Lay) -> None:
    case = lay(
        french="29 0808; 1 0208; 146 0408; 138 0608; 38 1008 A; 30 1208; 31 1408; 32 1508",
        germans="94 0806; 112 0807; 95 0206; 96 0406; 97 0606; 98 1006; 99 1206; 101 1406; 105 1506",
        woods="1208",
        hilltop="1008",
        town="1408",
        slope="1508",
    )
    assert case.refused("94 D1 VD") == ""
    assert case.refused("112 VD") == "KP-9.6b"
    assert case.refused("95 D1 VD") in {"KP-9.6c", "R-KP-51"}
    assert case.refused("96 D1 VD") in {"KP-9.6c", "R-KP-51"}
    assert case.refused("97 D1 VD") == ""
    assert case.refused("98 D1 VD") == ""
    assert {case.refused(f"{unit} D1 VD") for unit in ("99", "101")} == {"KP-9.66a"}
    assert case.refused("105 D1 VD") == "KP-9.66a"


@pytest.mark.rule("KP-9.66a", "KP-9.91b")
def test_a_wreck_is_no_clear_ground(lay: Lay) -> None:
    case = lay(french="29 0808", germans="94 0806", wrecks="0808")
    assert case.refused("94 D1 VD") == "KP-9.66a"


@pytest.mark.rule("KP-9.6b")
def test_trucks_do_not_overrun(lay: Lay) -> None:
    case = lay(french="29 0808", germans="138 0806; 112 aboard 138")
    assert case.refused("138 D1 VD") in {"KP-9.6b", "KP-12.31a"}


@pytest.mark.rule("R-KP-51")
@pytest.mark.parametrize(("option", "allowed"), [("enemy_soft_in_phase_a", False), ("any_hex", True)])
def test_an_empty_hex(lay: Lay, option: str, allowed: bool) -> None:
    case = lay(french="29 1208", germans="94 0806; 95 0906", overrun_target=option)
    assert (case.refused("94 D1 VD") == "") == allowed
    if allowed:
        case.turn(germans="94 D1 VD")
        assert (case.at("94"), overruns(case)) == ("0809", [])
        assert case.track("94") == [(2, "0807"), (4, "0808"), (10, "0809")]


@pytest.mark.rule("KP-9.6d", "KP-9.61a", "R-KP-91")
@pytest.mark.parametrize(("start", "allowed"), [("0806", True), ("0805", True), ("0804", False)])
def test_two_points_more_are_needed(lay: Lay, start: str, allowed: bool) -> None:
    # A12: six points. One each for 0808 and 0809, and two for the overrun leave two for the approach.
    case = lay(french="29 0808", germans=f"52 {start}")
    steps = 7 - int(start[2:])
    refused = case.refused(f"52 D{steps} VD")
    assert (refused == "") == allowed
    assert allowed or refused in {"KP-9.61a", "KP-9.6d", "KP-6.0c"}


@pytest.mark.rule("KP-9.61a", "KP-10.0c", "KP-10.0f")
def test_the_exit_hex_has_its_price(lay: Lay) -> None:
    assert lay(french="29 0808", germans="52 0807", woods="0809").refused("52 VD") == ""
    assert lay(french="29 0808", germans="52 0807", stream_sides="0808/0809").refused("52 VD")
    assert lay(french="29 0808", germans="52 0806", woods="0809").refused("52 D1 VD")


@pytest.mark.rule("KP-9.62a", "KP-9.62b", "KP-5.22a", "KP-5.22b", "KP-5.22c", "KP-6.2a")
def test_into_the_hex_and_out_by_the_opposite_side(lay: Lay) -> None:
    case = lay(french="29 0808", germans="94 0806", dice={"overrun:0808": "6"})
    assert case.refused("94 D1 VD D1") != ""
    assert case.refused("94 D1 V") != ""
    assert case.refused("94 V0808") != ""
    assert case.refused("94 D1 VDVD") != ""
    assert case.refused("94 D1 VB") != ""  # nobody there
    case.turn(germans="94 D1 VD")
    assert case.hexes("94") == "0807 0808 0809"


@pytest.mark.rule("KP-9.61a", "KP-9.62a")
def test_without_an_approach(lay: Lay) -> None:
    case = lay(french="29 0808", germans="94 0807", dice={"overrun:0808": "6"}).turn(germans="94 VD")
    assert case.track("94") == [(2, "0808"), (8, "0809")]


@pytest.mark.rule("R-KP-53", "KP-6.0c")
def test_the_exit_must_exist_and_be_free_of_the_enemy(lay: Lay) -> None:
    case = lay(french="29 0824; 30 0808; 1 0809", germans="94 0822; 95 0806")
    assert case.refused("94 D1 VD") != ""
    assert case.refused("95 D1 VD") == "R-KP-53"


@pytest.mark.rule("R-KP-91")
@pytest.mark.parametrize(
    ("option", "track"),
    [
        ("in_target_hex", [(2, "0807"), (4, "0808"), (10, "0809")]),
        ("before_entry", [(2, "0807"), (8, "0808"), (10, "0809")]),
    ],
)
def test_when_the_two_points_are_spent(lay: Lay, option: str, track: list[tuple[int, str]]) -> None:
    case = lay(french="29 0808", germans="94 0806", dice={"overrun:0808": "6"}, overrun_points_timing=option)
    assert case.turn(germans="94 D1 VD").track("94") == track


# --- who is attacked ---


@pytest.mark.rule("KP-9.63a", "KP-9.6a", "R-KP-57", "KP-9.82a")
@pytest.mark.parametrize(("die", "level"), [(1, 3), (3, 2), (6, 1)])
def test_the_result_waits_and_the_tank_passes(lay: Lay, die: int, level: int) -> None:
    case = charge(lay, 1, "29 0808", die)
    assert (case.level("29"), case.at("29", "94")) == (level, "0808 0809")


@pytest.mark.rule("KP-9.82b", "KP-9.62b")
def test_destroyed_on_the_spot(lay: Lay) -> None:
    case = charge(lay, 3, "29 0808")
    assert (case.level("29"), case.at("94", "95", "96")) == (4, "0809 0909 0709")
    assert case.state.wrecks == []


@pytest.mark.rule("KP-9.83a", "KP-9.65b")
def test_a_pin_is_nothing(lay: Lay) -> None:
    case = charge(lay, 1, "29 0808 entrenched", 6)  # superiority 0
    assert (case.level("29"), case.pinned()) == (0, [])
    assert case.turn(french="29 A1").at("29") == "0807"


@pytest.mark.rule("KP-9.63a", "KP-9.71d", "KP-9.67a")
def test_a_disrupted_unit_counts_too(lay: Lay) -> None:
    case = charge(lay, 1, "29 0808 D1", 6)
    assert overruns(case) == [("94", "29", 1, 3)]
    assert case.level("29") == 2


@pytest.mark.rule("R-KP-52")
@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("all_units_same_hex_one_attack", [("94 95", "29", 1, 6)]),
        ("per_arrival", [("94", "29", 1, 3), ("95", "29", 1, 3)]),
    ],
)
def test_arriving_one_after_the_other(lay: Lay, option: str, expected: list[tuple[str, str, int, int]]) -> None:
    dice = {"overrun:0808": " ".join("6" for _ in expected)}
    case = lay(french="29 0808", germans="94 0806; 95 0705", dice=dice, overrun_combination=option)
    case.turn(germans="94 D1 VD; 95 D3 VC")
    assert overruns(case) == expected
    assert case.at("94", "95") == "0809 0909"


@pytest.mark.rule("R-KP-51")
def test_a_hex_that_has_emptied_is_passed(lay: Lay) -> None:
    # Who is to be overrun cannot leave; but he can be destroyed by fire before.
    case = lay(french="29 0808", germans="94 0806; 106 0909", dice={"fire:0808:29": "1"})
    case.turn(germans="94 D1 VD; 106 N 0808")
    assert (case.level("29"), overruns(case)) == (4, [])
    assert case.track("94") == [(2, "0807"), (4, "0808"), (10, "0809")]


@pytest.mark.rule("R-KP-51", "KP-9.6c")
def test_a_hard_target_that_has_come_stops_it(lay: Lay) -> None:
    # 29 dies under fire, and a French tank drives into its hex before the overrun is there.
    case = lay(french="29 0808; 11 0909", germans="94 0805; 106 0709", dice={"fire:0808:29": "1"})
    case.turn(french="11 F1; 29 B1", germans="94 D2 VD; 106 N 0808")
    assert overruns(case) == []
    assert case.at("11", "94") == "0808 0807"


# --- who is frozen ---


@pytest.mark.rule("KP-9.67a", "KP-4.1e")
@pytest.mark.parametrize(
    ("french", "plot"),
    [
        ("29 0808", "29 B1"),
        ("138 0808", "138 B3"),
        ("38 0808 A", "38 C"),
        ("29 0808; 138 0908", "29 M; 138 M 0808"),
        ("138 0808; 29 0709", "29 M; 138 M 0709"),
        ("138 0808; 29 aboard 138", "138 Q 0908; 29 Q"),
    ],
)
def test_who_is_overrun_stays(lay: Lay, french: str, plot: str) -> None:
    case = lay(french=french, germans="94 0806", dice={"overrun:0808": "6"})
    before = {unit_id: (unit.hex, unit.carrier, unit.facing) for unit_id, unit in case.state.units.items()}
    case.turn(french=plot, germans="94 D1 VD")
    after = {unit_id: (unit.hex, unit.carrier, unit.facing) for unit_id, unit in case.state.units.items()}
    assert {unit_id for unit_id in before if after[unit_id] != before[unit_id]} == {"94"}
    assert case.events(UnitsFrozen)


@pytest.mark.rule("KP-9.67b", "KP-8.1c", "KP-6.3a")
def test_even_if_the_overrun_fails(lay: Lay) -> None:
    # The zone of 30 stops 94 in 0807: 29 has not moved all the same.
    case = lay(french="29 0808; 30 0908", germans="94 0806").turn(french="29 C1", germans="94 D1 VD")
    assert (case.at("29", "94"), overruns(case)) == ("0808 0807", [])


@pytest.mark.rule("KP-9.67c", "KP-9.0a")
def test_it_may_fire(lay: Lay) -> None:
    dice = {"fire:0804:95": "6", "overrun:0808": "6"}
    case = lay(french="38 0808 A", germans="94 0806; 95 0804", dice=dice)
    case.turn(french="38 N 0804", germans="94 D1 VD")
    assert (case.pinned(), case.level("38")) == (["95"], 1)


@pytest.mark.rule("R-KP-54", "KP-9.67a", "KP-11.0b")
def test_a_panicked_overrunner_freezes_nobody(lay: Lay) -> None:
    dice = {"panic:germans": "6", "scatter:94": "1", "points:94": "1"}
    case = lay(french="29 0808", germans="94 0806", dice=dice, more={"panic": {"germans": 2}})
    case.turn(french="29 D1", germans="94 D1 VD")
    assert case.at("29", "94") == "0809 0805"
