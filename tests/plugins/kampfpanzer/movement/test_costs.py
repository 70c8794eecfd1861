"""Plots and costs of moves (5.1, 6.0 to 6.2), and the terrain effects chart (10.0, 10.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.events import EntryMissed, UnitsMoved

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

TANK, CARRIER, TRUCK, FOOT = "94", "146", "138", "112"
MOVERS = (TANK, CARRIER, TRUCK, FOOT)

COSTS = {
    # feature of 0809 or of the hexside to it: half points of a tank, a carrier, a truck, infantry
    "clear": ({}, (2, 2, 4, 2)), "town": ({"town": "0809"}, (1, 1, 1, 1)), "woods": ({"woods": "0809"}, (6, 6, 8, 2)),
    "slope": ({"slope": "0809"}, (6, 6, 8, 2)), "hilltop": ({"hilltop": "0809"}, (2, 2, 4, 2)),
    "wreck": ({"wrecks": "0809"}, (4, 4, 16, 2)), "stream": ({"stream_sides": "0808/0809"}, (8, 8, 12, 2)),
    "ford": ({"ford_sides": "0808/0809"}, (4, 4, 8, 2)), "road": ({"road": "0808 0809"}, (1, 1, 1, 1)),
    "bridge": ({"bridge_sides": "0808/0809"}, (1, 1, 1, 1)), "crest": ({"crest_sides": "0808/0809"}, (2, 2, 4, 2)),
}  # fmt: skip


@pytest.mark.rule("KP-6.0b", "KP-10.0a", "KP-10.0b", "KP-10.0c", "KP-10.0d", "KP-10.0e", "KP-10.0f", "KP-10.0g")
@pytest.mark.rule("KP-10.0h", "KP-12.2c", "R-KP-17", "KP-3.3a")
@pytest.mark.parametrize("terrain", COSTS)
@pytest.mark.parametrize("mover", MOVERS)
def test_step_costs_match_the_terrain_effects_chart(new_case: NewCase, terrain: str, mover: str) -> None:
    ground, costs = COSTS[terrain]
    case = new_case(germans=f"{mover} 0808", **ground).turn(germans=f"{mover} D1")
    assert case.track(mover) == [(costs[MOVERS.index(mover)], "0809")]


MIXED = {
    "ford in a stream": ({"stream_sides": "0808/0809", "ford_sides": "0808/0809"}, (4, 8)),
    "bridge over a stream": ({"stream_sides": "0808/0809", "bridge_sides": "0808/0809"}, (1, 1)),
    "road and ford over a stream": (
        {"stream_sides": "0808/0809", "ford_sides": "0808/0809", "road": "0808 0809"},
        (1, 1),
    ),
    "road over a stream": ({"stream_sides": "0808/0809", "road": "0808 0809"}, (1, 1)),
    "road through woods": ({"woods": "0809", "road": "0808 0809"}, (1, 1)),
    "road on a slope": ({"slope": "0809", "road": "0808 0809"}, (1, 1)),
    "road with a wreck": ({"wrecks": "0809", "road": "0808 0809"}, (1, 1)),
    "stream before a town": ({"town": "0809", "stream_sides": "0808/0809"}, (8, 12)),
    "stream before woods": ({"woods": "0809", "stream_sides": "0808/0809"}, (8, 12)),
    "ford before a slope": ({"slope": "0809", "ford_sides": "0808/0809"}, (4, 8)),
    "ford before a wreck": ({"wrecks": "0809", "ford_sides": "0808/0809"}, (4, 8)),
    "road on other hexsides": ({"woods": "0809", "road": "0909 0809 0810"}, (6, 8)),
    "woods on a slope": ({"woods": "0809", "slope": "0809"}, (6, 8)),
    "town in woods": ({"woods": "0809", "town": "0809"}, (1, 1)),
    "wreck in woods": ({"woods": "0809", "wrecks": "0809"}, (6, 16)),
    "wreck on a slope": ({"slope": "0809", "wrecks": "0809"}, (6, 16)),
    "wreck on a hilltop": ({"hilltop": "0809", "wrecks": "0809"}, (4, 16)),
    "stream on other hexsides": ({"stream_sides": "0808/0908 0708/0808"}, (2, 4)),
    "woods in the start hex": ({"woods": "0808"}, (2, 4)),
}


@pytest.mark.rule("KP-10.0k", "KP-10.0l", "KP-10.1a", "R-KP-18", "R-KP-19")
@pytest.mark.parametrize("case_", MIXED)
def test_step_costs_combine_on_mixed_terrain(new_case: NewCase, case_: str) -> None:
    ground, costs = MIXED[case_]
    for mover, cost in zip((TANK, TRUCK), costs, strict=True):
        case = new_case(germans=f"{mover} 0808", **ground).turn(germans=f"{mover} D1")
        assert case.track(mover) == [(cost, "0809")]


@pytest.mark.rule(
    "KP-10.0g KP-10.0l KP-12.0e KP-14.0i KP-3.1a KP-3.24d KP-5.0b KP-5.0c KP-5.0d KP-5.0h KP-5.0i KP-5.1a KP-5.1c"
    " KP-5.1d KP-5.1e KP-5.4a KP-6.0c KP-6.0d KP-6.0e KP-6.0f KP-6.2a KP-6.3d R-KP-06 R-KP-16 R-KP-17 R-KP-19 R-KP-24"
)
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-10.0l", f"wreck_in_a_town_{mover}", "", f"{mover} 0808", town="0809", wrecks="0809", g=f"{mover} D1",
              track=f"{mover} {cost}:0809") for mover, cost in ((TANK, 4), (TRUCK, 16), (FOOT, 2))),
        *(row("R-KP-19", option, "1 0807", "94 0809", woods="0809", slope="0809", crest_sides="0808/0809",
              dice="fire:* 6",
              multi_terrain_hex=option, f="1 N 0809", fire=f"1>94 {superiority}")
          for option, superiority in (("highest", -1), ("dominant_only", 0))),
        *(row("KP-6.0c KP-3.24d KP-6.0d KP-5.1a", f"allowance_{unit}", f"{unit} 0802",
              refused={f"{unit} D{hexes}": "" for hexes in range(1,
              longest + 1)} | {f"{unit} D{longest + 1}": "KP-6.0c"})
          for unit, longest in (("10", 6), ("1", 12), ("48", 3), ("19", 8), ("138", 10), ("146", 18), ("29", 1),
                                ("58", 16))),
        row("R-KP-17 KP-10.0g KP-6.0c", "half_points_add_up", "10 0802; 29 0402",
            road=f"{' '.join(f'08{each:02}' for each in range(2, 16))}, 0402 0403", town="0404",
            refused={"10 D12": "", "10 D13": "KP-6.0c", "29 D2": "", "29 D3": "KP-6.0c", "29 D1 C1": "KP-6.0c"}),
        row("R-KP-17 KP-3.24d", "guns_never_move", "38 0802 A", road="0802 0803", town="0803",
            refused={"38 D1": "R-KP-17", "38 S1 D1": "R-KP-17"}),
        row("KP-5.1c KP-5.1d", "halts_cost_points", "10 0802", f="10 D1 S2 D2", track="10 2:0803 8:0804 10:0805",
            refused=dict.fromkeys(("10 S2 D4", "10 D2 S2 D2", "10 D3 S1 C1 S1"), "")
            | dict.fromkeys(("10 S3 D4", "10 D6 S1", "10 S1 D6", "10 D2 S3 D2"), "KP-6.0c")),
        # plots
        row("KP-5.0h KP-5.1a KP-5.4a KP-3.1a", "no_plot", "18 1205", refused={f"18 {text}": True for text in (
            "D", "G3", "D3X", "3D", "D-1", "D0", "S0", "D3.5", "DD", "D1 5", "V", "Z 0808", "0808 0809")}),
        row("KP-6.2a KP-5.0b KP-12.0e", "one_operation", "18 0805; 29 0905", "94 0808",
            refused={f"18 {text}": True for text in ("D1 N 0808", "N 0808 D1", "D1 P 0808", "D1 M", "M D1", "D1 Q",
                                                     "N 0808 P 0807", "D1 N 0808/94")}),
        row("KP-5.0i KP-5.0b", "without_plots", "1 0808", "94 0809; 29 0202", rolls=0, never=(UnitsMoved,),
            at="1 0808; 94 0809; 29 0202"),
        *(row("KP-14.0i KP-3.1a", f"off_the_map_{start}_{text}", f"1 {start}", refused={f"1 {text}": "KP-14.0i"})
          for start, text in (("0801", "A1"), ("0824", "D1"), ("0108", "E1"), ("0108", "F1"), ("1608", "B1"),
                              ("0802", "A3"))),
        row("R-KP-16", "impossible_plots", "10 0802; 2 0402", "112 0815",
            refused={"10 D7": True, "10 N 0815": True, "10 A2": True, "10 E1 D1; 2 D1": ""}),
        row("R-KP-16", "void_plots", "10 0802; 2 0402", "112 0815", plot_validation="void_plot", f="10 D7; 2 D1",
            refused={"10 D7": "", "10 N 0815": "", "10 A2": "", "10 X7": True}, at="10 0802; 2 0403"),
        row("R-KP-24 KP-5.0c KP-5.0d", "plots_are_carried_out", "1 0802", "94 0602", f="1 D3", g="94 D1",
            at="1 0805; 94 0603"),
        # the clock; the tank pays one point for 0807, the truck two, and the truck has the higher allowance
        row("R-KP-06 KP-6.0f KP-6.3d KP-6.0e", "points", "1 0806", "138 0808", movement_clock="mp_ticks", f="1 D1",
            g="138 A1", at="1 0807; 138 0808", contest=""),
        row("R-KP-06 KP-6.0f KP-6.3d KP-6.0e", "hexes", "1 0806", "138 0808", movement_clock="hex_steps", f="1 D1",
            g="138 A1", at="1 0806; 138 0807", contest="0807 138>1 allowance"),
        *(row("R-KP-06 KP-5.1e", f"halt_in_hexes_{number}", "1 0806", "138 0808", movement_clock="hex_steps", f="1 D1",
              g=plot, at=at)
          for number, (plot, at) in enumerate((("138 S1 A1", "1 0807; 138 0808"), ("138 A1", "1 0806; 138 0807")))),
        *(row("R-KP-06", f"clock_{option}", "138 0805", movement_clock=option, f="138 D1 S2 D2", track=track)
          for option, track in (("mp_ticks", "138 4:0806 12:0807 16:0808"), ("hex_steps",
          "138 2:0806 8:0807 10:0808"))),
        *(row("R-KP-06", f"meeting_{option}", "138 0805", "94 0812", movement_clock=option, f="138 D4", g="94 A4",
              stops=stops)
          for option, stops in (("mp_ticks", "138 0807 zone"), ("hex_steps", "94 0809 enemy; 138 0808 zone"))),
        row("R-KP-06", "hex_is_left_when_the_next_is_paid", "29 0808", "94 0810", stream_sides="0810/0811", g="94 D1",
            track="94 8:0811"),
    ],
)  # fmt: skip
def test_moves_follow_plot_cost_and_clock(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-5.1a", "KP-5.1b", "KP-6.1a", "KP-6.1b", "KP-5.0d", "KP-5.0h")
@pytest.mark.parametrize("text", ["F2 B4", "F2B4", "f2b4", " F2  B4 ", "F1 F1 B4", "F1F1B1B3"])
def test_path_matches_the_plot_in_any_spacing(new_case: NewCase, text: str) -> None:
    case = new_case(french="18 1205").turn(french=f"18 {text}")
    assert case.hexes("18") == "1105 1004 1104 1203 1303 1402"


@pytest.mark.rule("R-KP-22", "KP-14.0d", "KP-6.0c")
def test_unit_too_slow_for_its_only_entry_hex_is_lost(new_case: NewCase) -> None:
    slow = {"kinds": {"A11": {"movement": 2}}}
    case = new_case(french="48 enters 0501; 1 enters 0901", germans="94 1624", woods="0501", more=slow)
    case.turn(french="1 0901")
    missed = case.one(EntryMissed)
    assert (missed.units, missed.lost, missed.rule) == (["48"], True, "R-KP-22")
    assert case.turn().never(EntryMissed)
    assert case.state.missed == ["48"]
