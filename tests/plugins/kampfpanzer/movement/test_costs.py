"""Moves as they are plotted and paid for: sections 5.1, 6.0 to 6.2 and the terrain effects chart, 10.0 and 10.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import ContestDecided, EntryMissed, UnitsMoved

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Lay

TANK, CARRIER, TRUCK, FOOT = "94", "146", "138", "112"
MOVERS = (TANK, CARRIER, TRUCK, FOOT)
TOO_FAR = {"KP-5.1d", "KP-6.0c"}

COSTS = {
    # what lies in 0809 or on the side to it: half points of a tank, a carrier, a truck, infantry
    "clear": ({}, (2, 2, 4, 2)),
    "town": ({"town": "0809"}, (1, 1, 1, 1)),
    "woods": ({"woods": "0809"}, (6, 6, 8, 2)),
    "slope": ({"slope": "0809"}, (6, 6, 8, 2)),
    "hilltop": ({"hilltop": "0809"}, (2, 2, 4, 2)),
    "wreck": ({"wrecks": "0809"}, (4, 4, 16, 2)),
    "stream": ({"stream_sides": "0808/0809"}, (8, 8, 12, 2)),
    "ford": ({"ford_sides": "0808/0809"}, (4, 4, 8, 2)),
    "road": ({"road": "0808 0809"}, (1, 1, 1, 1)),
    "bridge": ({"bridge_sides": "0808/0809"}, (1, 1, 1, 1)),
    "crest": ({"crest_sides": "0808/0809"}, (2, 2, 4, 2)),
}


@pytest.mark.rule("KP-6.0b", "KP-10.0a", "KP-10.0b", "KP-10.0c", "KP-10.0d", "KP-10.0e", "KP-10.0f", "KP-10.0g")
@pytest.mark.rule("KP-10.0h", "KP-12.2c", "R-KP-17", "KP-3.3a")
@pytest.mark.parametrize("terrain", COSTS)
@pytest.mark.parametrize("mover", MOVERS)
def test_the_terrain_effects_chart(lay: Lay, terrain: str, mover: str) -> None:
    ground, costs = COSTS[terrain]
    case = lay(germans=f"{mover} 0808", **ground).turn(germans=f"{mover} D1")
    assert case.track(mover) == [(costs[MOVERS.index(mover)], "0809")]


MIXED = {
    "a ford spares one the stream": ({"stream_sides": "0808/0809", "ford_sides": "0808/0809"}, (4, 8)),
    "so does a bridge": ({"stream_sides": "0808/0809", "bridge_sides": "0808/0809"}, (1, 1)),
    "a road crosses a stream": ({"stream_sides": "0808/0809", "road": "0808 0809"}, (1, 1)),
    "a road leads through woods": ({"woods": "0809", "road": "0808 0809"}, (1, 1)),
    "a road up a slope": ({"slope": "0809", "road": "0808 0809"}, (1, 1)),
    "a road past a wreck": ({"wrecks": "0809", "road": "0808 0809"}, (1, 1)),
    "a stream before a town": ({"town": "0809", "stream_sides": "0808/0809"}, (8, 12)),
    "a stream before woods": ({"woods": "0809", "stream_sides": "0808/0809"}, (8, 12)),
    "a ford before a slope": ({"slope": "0809", "ford_sides": "0808/0809"}, (4, 8)),
    "a ford before a wreck": ({"wrecks": "0809", "ford_sides": "0808/0809"}, (4, 8)),
    "a road that crosses another side": ({"woods": "0809", "road": "0909 0809 0810"}, (6, 8)),
    "woods on a slope": ({"woods": "0809", "slope": "0809"}, (6, 8)),
    "a town in the woods": ({"woods": "0809", "town": "0809"}, (1, 1)),
    "a wreck in the woods": ({"woods": "0809", "wrecks": "0809"}, (6, 16)),
    "a wreck on a slope": ({"slope": "0809", "wrecks": "0809"}, (6, 16)),
    "a wreck on a hilltop": ({"hilltop": "0809", "wrecks": "0809"}, (4, 16)),
    "the side of another hex": ({"stream_sides": "0808/0908 0708/0808"}, (2, 4)),
    "woods that are left": ({"woods": "0808"}, (2, 4)),
}


@pytest.mark.rule("KP-10.0k", "KP-10.0l", "KP-10.1a", "R-KP-18", "R-KP-19")
@pytest.mark.parametrize("case_", MIXED)
def test_mixed_ground(lay: Lay, case_: str) -> None:
    ground, costs = MIXED[case_]
    for mover, cost in zip((TANK, TRUCK), costs, strict=True):
        case = lay(germans=f"{mover} 0808", **ground).turn(germans=f"{mover} D1")
        assert case.track(mover) == [(cost, "0809")]


@pytest.mark.rule("KP-10.0l")
def test_a_wreck_in_a_town(lay: Lay) -> None:
    for mover, cost in ((TANK, 4), (TRUCK, 16), (FOOT, 2)):
        case = lay(germans=f"{mover} 0808", town="0809", wrecks="0809").turn(germans=f"{mover} D1")
        assert case.track(mover) == [(cost, "0809")]


@pytest.mark.rule("R-KP-19")
@pytest.mark.parametrize(("option", "addition"), [("highest", 3), ("dominant_only", 2)])
def test_dominant_terrain(lay: Lay, option: str, addition: int) -> None:
    ground = {"woods": "0809", "slope": "0809", "crest_sides": "0808/0809"}
    case = lay(french="1 0807", germans="94 0809", multi_terrain_hex=option, dice={"fire:*": "6"}, **ground)
    shot = case.turn(french="1 N 0809")
    assert shot.fire() == [("1", "94", 5 - 3 - addition)]


# --- allowances ---


@pytest.mark.rule("KP-6.0c", "KP-3.24d", "KP-6.0d", "KP-5.1a")
@pytest.mark.parametrize(
    ("unit", "longest"),
    [("10", 6), ("1", 12), ("48", 3), ("19", 8), ("138", 10), ("146", 18), ("29", 1), ("58", 16)],
)
def test_allowances(lay: Lay, unit: str, longest: int) -> None:
    case = lay(french=f"{unit} 0802")
    assert [case.refused(f"{unit} D{hexes}") for hexes in range(1, longest + 1)] == [""] * longest
    assert case.refused(f"{unit} D{longest + 1}") in TOO_FAR


@pytest.mark.rule("R-KP-17", "KP-10.0g", "KP-6.0c")
def test_half_points_are_added_up(lay: Lay) -> None:
    road = " ".join(f"08{row:02}" for row in range(2, 16))
    case = lay(french="10 0802; 29 0402", road=f"{road}, 0402 0403", town="0404")
    assert case.refused("10 D12") == ""
    assert case.refused("10 D13") in TOO_FAR
    assert case.refused("29 D2") == ""
    assert case.refused("29 D3") in TOO_FAR
    assert case.refused("29 D1 C1") in TOO_FAR  # half a point, and one


@pytest.mark.rule("R-KP-17", "KP-3.24d")
def test_guns_never_move(lay: Lay) -> None:
    case = lay(french="38 0802 A", road="0802 0803", town="0803")
    assert case.refused("38 D1") == "R-KP-17"
    assert case.refused("38 S1 D1") == "R-KP-17"


@pytest.mark.rule("KP-5.1c", "KP-5.1d")
def test_standing_costs_what_it_says(lay: Lay) -> None:
    case = lay(french="10 0802")
    assert [case.refused(f"10 {text}") for text in ("S2 D4", "D2 S2 D2", "D3 S1 C1 S1")] == [""] * 3
    assert all(case.refused(f"10 {text}") in TOO_FAR for text in ("S3 D4", "D6 S1", "S1 D6", "D2 S3 D2"))
    assert case.turn(french="10 D1 S2 D2").track("10") == [(2, "0803"), (8, "0804"), (10, "0805")]


# --- plots ---


@pytest.mark.rule("KP-5.1a", "KP-5.1b", "KP-6.1a", "KP-6.1b", "KP-5.0d", "KP-5.0h")
@pytest.mark.parametrize("text", ["F2 B4", "F2B4", "f2b4", " F2  B4 ", "F1 F1 B4", "F1F1B1B3"])
def test_the_path_is_the_plot(lay: Lay, text: str) -> None:
    case = lay(french="18 1205").turn(french=f"18 {text}")
    assert case.hexes("18") == "1105 1004 1104 1203 1303 1402"


@pytest.mark.rule("KP-5.0h", "KP-5.1a", "KP-5.4a", "KP-3.1a")
@pytest.mark.parametrize(
    "text", ["D", "G3", "D3X", "3D", "D-1", "D0", "S0", "D3.5", "DD", "D1 5", "V", "Z 0808", "0808 0809"]
)
def test_what_is_no_plot(lay: Lay, text: str) -> None:
    assert lay(french="18 1205").refused(f"18 {text}") != ""


@pytest.mark.rule("KP-6.2a", "KP-5.0b", "KP-12.0e")
@pytest.mark.parametrize(
    "text", ["D1 N 0808", "N 0808 D1", "D1 P 0808", "D1 M", "M D1", "D1 Q", "N 0808 P 0807", "D1 N 0808/94"]
)
def test_one_operation_a_turn(lay: Lay, text: str) -> None:
    case = lay(french="18 0805; 29 0905", germans="94 0808")
    assert case.refused(f"18 {text}") != ""


@pytest.mark.rule("KP-5.0i", "KP-5.0b")
def test_without_a_plot_nothing_happens(lay: Lay) -> None:
    case = lay(french="1 0808", germans="94 0809; 29 0202").turn()
    assert (case.rolls(), case.events(UnitsMoved)) == ([], [])
    assert case.at("1", "94", "29") == "0808 0809 0202"


@pytest.mark.rule("KP-5.0a", "KP-9.71c", "KP-4.1a")
def test_the_disrupted_and_strangers_have_no_plot(lay: Lay) -> None:
    case = lay(french="1 0808 D1; 2 0202; 3 0402 D3", germans="94 0815; 138 1010; 112 aboard 138")
    assert {case.refused("1 D1"), case.refused("3 N 0815")} <= {"KP-5.0a", "KP-9.71c"}
    assert case.refused("94 D1", "french") != ""
    assert case.refused("999 D1", "french") != ""
    assert case.refused("112 D1", "germans") != ""


@pytest.mark.rule("KP-14.0i", "KP-3.1a")
@pytest.mark.parametrize(
    ("start", "text"), [("0801", "A1"), ("0824", "D1"), ("0108", "E1"), ("0108", "F1"), ("1608", "B1"), ("0802", "A3")]
)
def test_nobody_leaves_the_map(lay: Lay, start: str, text: str) -> None:
    assert lay(french=f"1 {start}").refused(f"1 {text}") in {"KP-14.0i", "R-KP-16"}


@pytest.mark.rule("R-KP-16")
def test_impossible_plots_are_refused(lay: Lay) -> None:
    case = lay(french="10 0802; 2 0402", germans="112 0815")
    assert [bool(case.refused(text)) for text in ("10 D7", "10 N 0815", "10 A2", "10 E1 D1; 2 D1")].count(True) == 3


@pytest.mark.rule("R-KP-16")
def test_or_do_nothing(lay: Lay) -> None:
    case = lay(french="10 0802; 2 0402", germans="112 0815", plot_validation="void_plot")
    assert [case.refused(f"10 {text}") for text in ("D7", "N 0815", "A2")] == [""] * 3
    assert case.refused("10 X7") != ""
    case.turn(french="10 D7; 2 D1")
    assert case.at("10", "2") == "0802 0403"


@pytest.mark.rule("R-KP-24", "KP-5.0c", "KP-5.0d")
def test_what_is_plotted_is_carried_out(lay: Lay) -> None:
    case = lay(french="1 0802", germans="94 0602")
    case.turn(french="1 D3", germans="94 D1")  # no question on the way
    assert case.at("1", "94") == "0805 0603"


# --- the clock ---


@pytest.mark.rule("R-KP-06", "KP-6.0f", "KP-6.3d", "KP-6.0e")
@pytest.mark.parametrize(("option", "ends", "contests"), [("mp_ticks", "0807 0808", 0), ("hex_steps", "0806 0807", 1)])
def test_points_or_hexes(lay: Lay, option: str, ends: str, contests: int) -> None:
    # The tank pays one point for 0807, the truck two; the truck has the higher allowance.
    case = lay(french="1 0806", germans="138 0808", movement_clock=option)
    case.turn(french="1 D1", germans="138 A1")
    assert (case.at("1", "138"), len(case.events(ContestDecided))) == (ends, contests)


@pytest.mark.rule("R-KP-06", "KP-5.1e")
@pytest.mark.parametrize(("plot", "ends"), [("138 S1 A1", "0807 0808"), ("138 A1", "0806 0807")])
def test_each_point_of_a_halt_is_a_step(lay: Lay, plot: str, ends: str) -> None:
    case = lay(french="1 0806", germans="138 0808", movement_clock="hex_steps")
    assert case.turn(french="1 D1", germans=plot).at("1", "138") == ends


@pytest.mark.rule("R-KP-06")
def test_a_unit_stays_where_it_is_until_the_next_hex_is_paid(lay: Lay) -> None:
    # The tank needs four points for the stream; meanwhile the truck comes past its old hex and is not stopped there,
    # for it is gone when the tank is in its zone no more.
    case = lay(french="29 0808", germans="94 0810", stream_sides="0810/0811").turn(germans="94 D1")
    assert case.track("94") == [(8, "0811")]


@pytest.mark.rule("R-KP-22", "KP-14.0d", "KP-6.0c")
def test_who_is_too_slow_for_its_only_entrance_is_lost(lay: Lay) -> None:
    slow = {"kinds": {"A11": {"movement": 2}}}
    case = lay(french="48 enters 0501; 1 enters 0901", germans="94 1624", woods="0501", more=slow)
    case.turn(french="1 0901")
    missed = case.one(EntryMissed)
    assert (missed.units, missed.lost, missed.rule) == (["48"], True, "R-KP-22")
    assert case.turn().never(EntryMissed)
    assert case.state.missed == ["48"]
