"""H fire (9.3): patterns, table columns, targets, and movement through a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.model.test_tables import SHELLS, cells
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.events import FireResolved, ImpactPlaced, ImpactsLifted, PanicPlotted, UnitShelled
from sandtable.kernel.events import PhaseBegan, PhaseEnded

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

GUN, TWO = "39 0820 A", "39 0820 A; 40 0920 A"
RING = ["0708", "0709", "0807", "0808", "0809", "0908", "0909"]
BARS = {"94": "L", "146": "L"}
"""Hard units, which loose fire does not hit."""


def impact(pattern: str, hexes: list[str]) -> tuple[type[ImpactPlaced], dict[str, object]]:
    return ImpactPlaced, {"firer": "39", "pattern": pattern, "hexes": hexes}


# --- patterns and targets ---


@pytest.mark.rule(
    "KP-10.0m KP-12.0c KP-12.32a KP-9.0c KP-9.0i KP-9.12a KP-9.31a KP-9.32a KP-9.32b KP-9.32d KP-9.33a KP-9.33b"
    " KP-9.33c KP-9.33d KP-9.34b KP-9.35a KP-9.37b KP-9.81a R-KP-44 R-KP-46 R-KP-50"
)
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-9.32a KP-9.33a KP-9.33b KP-9.33c KP-9.0i", f"pattern_{pattern}", GUN, f=f"39 {pattern} 0808",
              one=impact(pattern, hexes)) for pattern, hexes in (("T", ["0808"]), ("L", RING))),
        row("KP-9.33c", "edge_of_the_map", "39 0120 A", f="39 L 0101", one=impact("L", ["0101", "0102", "0201"])),
        *(row("KP-9.33d KP-9.33b R-KP-46", f"{pattern}_at_{unit}", GUN, f"{unit} 0808{' A' if unit == '115' else ''}",
              dice=f"shell:{unit}:39 6" if BARS.get(unit) != pattern else "", f=f"39 {pattern} 0808",
              shelled=f"{unit} 0808 static" if BARS.get(unit) != pattern else "")
          for unit in ("94", "146", "138", "112", "115") for pattern in "LT"),
        row("KP-9.33c KP-9.32b", "neighbors_of_a_loose_pattern", GUN,
            "112 0808; 113 0708; 114 0809; 115 0909 A; 117 0707", dice="shell:* 1 1 1 1", f="39 L 0808",
            levels="112 3; 113 3; 114 3; 115 3; 117 0"),
        row("KP-9.35a", "one_roll_an_attack", TWO, "112 0808", dice="shell:112:39 2; shell:112:40 4",
            f="39 T 0808; 40 L 0809", shelled="112 0808 static D2; 112 0808 static D1", levels="112 3"),
        row("R-KP-44 KP-9.0i", "friends_are_hit", f"{GUN}; 29 0808", "112 0809; 94 0909", f="39 L 0808",
            dice="shell:29:39 6; shell:112:39 6", h_hits_friends="yes", shelled="29 0808 static; 112 0809 static"),
        row("R-KP-44", "friends_are_spared", f"{GUN}; 29 0808", "112 0809", dice="shell:112:39 6", f="39 L 0808",
            h_hits_friends="no", shelled="112 0809 static"),
        row("R-KP-44", "its_own_gun", "39 0810 A", dice="shell:39:39 6", f="39 L 0809", shelled="39 0810 static"),
        row("R-KP-50 KP-9.31a KP-9.37b KP-9.32a", "any_hex_in_sight", "39 0820 A; 29 0805",
            refused={"39 T 0808": "", "39 T 0805": "", "39 T 0821": "KP-9.4c", "39 T 0825": True}),
        row("R-KP-50 KP-9.31a KP-9.37b KP-9.32a", "crest", "39 0310 A", "112 0306", crest_sides="0307/0308",
            refused={"39 T 0306": True}),
        row("KP-9.31a KP-9.12a KP-9.0c", "one_hex", GUN,
            refused={"39 T 0808 L 0809": True, "39 T 0808/112": True, "39 T": True}),
        row("R-KP-46 KP-12.32a KP-12.0c KP-9.33d", "truck_and_passenger", GUN, "138 0808; 112 aboard 138",
            dice="shell:138:39 2", f="39 L 0808", shelled="138 0808 static D2", levels="138 2; 112 2"),
        row("R-KP-46 KP-12.32a KP-12.0c KP-9.33d", "carrier_and_passenger", GUN, "146 0808; 112 aboard 146",
            f="39 L 0808", shelled="", levels="146 0; 112 0"),
        row("R-KP-46 KP-12.32a KP-12.0c KP-9.33d", "tight_at_carrier_and_passenger", GUN, "146 0808; 112 aboard 146",
            dice="shell:146:39 2", f="39 T 0808", shelled="146 0808 static D2", levels="146 2; 112 2"),
        row("KP-10.0m KP-9.34b", "ground_and_wrecks", GUN, "112 0808", wrecks="0808", slope="0808",
            dice="shell:112:39 1", f="39 T 0808", one=(UnitShelled, {"added": 0, "result": "D3"})),
        row("KP-9.32d KP-9.81a", "results_with_those_of_fire", f"{GUN}; 1 0804", "102 0808",
            dice="shell:102:39 1; fire:0808:102 5; fire:0804:1 6", f="39 T 0808; 1 N 0808", g="102 N 0804",
            levels="102 4", fire="102>1 1; 1>102 2"),
    ],
)  # fmt: skip
def test_h_fire_pattern_hits_its_targets(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-9.32d", "KP-9.0i")
def test_impact_lasts_from_combat_to_the_end_of_movement(new_case: NewCase) -> None:
    case = new_case(french=GUN, germans="94 0305").turn(french="39 T 0808", germans="94 D1")
    events = case.all_events()
    placed = next(index for index, event in enumerate(events) if isinstance(event, ImpactPlaced))
    lifted = next(index for index, event in enumerate(events) if isinstance(event, ImpactsLifted))
    before = [event.phase for event in events[:placed] if isinstance(event, PhaseBegan)]
    ended = [event.phase for event in events[:lifted] if isinstance(event, PhaseEnded)]
    assert (before[-1], ended[-1]) == ("combat", "panic_plot")
    assert case.state.impacts == []


@pytest.mark.rule("R-KP-90", "KP-9.32d")
def test_impacts_are_placed_before_all_fire(new_case: NewCase) -> None:
    case = new_case(
        french=f"{GUN}; 1 0804", germans="102 0808; 112 1010; 40 0201 D", dice={"shell:*": "6", "fire:*": "6"}
    )
    case.turn(french="39 T 1010; 1 N 0808", germans="40 T 0205")
    kinds = [type(event) for event in case.all_events()]
    last = max(index for index, kind in enumerate(kinds) if kind is ImpactPlaced)
    assert last < kinds.index(UnitShelled)
    assert last < kinds.index(FireResolved)


# --- columns ---

RESULTS = {place: result.strip("-") for place, result in cells(SHELLS).items()}
PLOTS = [
    ("112 0808", "", "112", "static"),
    ("112 0808", "112 P 0811", "112", "static"),
    ("112 0808", "112 A1", "112", "moving"),
    ("138 0808", "138 S2 B1", "138", "moving"),
    ("94 0808", "94 A1 VA", "94", "moving"),
    ("115 0808 A", "115 C", "115", "static"),
    ("112 0808; 138 0809", "112 M; 138 M 0808", "112", "static"),
    ("138 0808; 112 0809", "112 M; 138 M 0809", "138", "static"),
    ("138 0808; 112 aboard 138", "138 Q 0809; 112 Q", "138", "static"),
    ("138 0808; 112 aboard 138", "138 B3", "138", "moving"),
    ("112 0808 D1", "", "112", "static"),
]


@pytest.mark.rule(
    "KP-12.13b KP-13.1c KP-13.23a KP-13.23b KP-3.3a KP-9.34a KP-9.34b KP-9.34c KP-9.37c KP-9.37d KP-9.38a KP-9.39a"
    " KP-9.39b R-KP-47 R-KP-48 R-KP-49"
)
@pytest.mark.parametrize(
    "turn",
    [
        *(row("KP-9.39a KP-9.34a KP-3.3a", f"moving_{die}", GUN, "138 0808", dice=f"shell:138:39 {die}", f="39 T 0808",
              g="138 B1", shelled=f"138 0808 moving {RESULTS[str(die), 'moving']}".strip()) for die in range(1, 7)),
        # strength and terrain do not matter
        *(row("KP-9.39b KP-9.34a KP-9.34b", f"static_{unit}_{die}", GUN, f"{unit} 0808", dice=f"shell:{unit}:39 {die}",
              wrecks=wrecks, f="39 T 0808", shelled=f"{unit} 0808 static {RESULTS[str(die), 'static']}".strip(),
              levels=f"{unit} {(RESULTS[str(die), 'static'] or 'D0')[1]}")
          for unit, wrecks in (("138", ""), ("52", ""), ("112", "0808")) for die in range(1, 7)),
        *(row("KP-9.34a KP-9.34c KP-9.38a R-KP-47 KP-12.13b", f"plot_{number}", f"{GUN}; 29 0806", germans,
              dice=f"shell:{unit}:39 6" + ("; overrun:0806 6" if "V" in plot else ""), f="39 T 0808", g=plot,
              shelled=f"{unit} 0808 {column}")
          for number, (germans, plot, unit, column) in enumerate(PLOTS)),
        *(row("KP-9.37c KP-9.37d KP-13.23a KP-13.23b KP-13.1c", f"cover_{number}", GUN, f"112 0808{entrenched}",
              **ground,
              dice="shell:112:39 1", f=f"39 {pattern} 0808",
              one=(UnitShelled, {"column": column, "added": added, "die": 1,
                                 "result": RESULTS[str(1 + added), column]}))
          for number, (ground, entrenched, pattern, column, added) in enumerate((
              ({"woods": "0808"}, "", "L", "moving", 0), ({"town": "0808"}, "", "L", "moving", 0),
              ({}, " entrenched", "L", "moving", 0), ({"woods": "0808"}, "", "T", "static", 1),
              ({"town": "0808"}, "", "T", "static", 1), ({}, " entrenched", "T", "static", 0),
              ({"slope": "0808"}, "", "T", "static", 0), ({"hilltop": "0808"}, "", "L", "static", 0),
              ({}, "", "L", "static", 0)))),
        *(row("KP-9.37c KP-9.37d", f"movers_in_woods_{pattern}", GUN, "112 0808", woods="0808", dice="shell:112:39 2",
              f=f"39 {pattern} 0808", g="112 B1",
              one=(UnitShelled, {"column": "moving", "added": added, "result": result}))
          for pattern, added, result in (("L", 0, "D1"), ("T", 1, ""))),
        row("R-KP-48", "seven", GUN, "112 0808", town="0808", dice="shell:112:39 6", f="39 T 0808",
            shelled="112 0808 static"),
        *(row("R-KP-49 KP-13.23b", f"entrenched_in_{kind}_{option}", GUN, "112 0808 entrenched", **{kind: "0808"},
              dice="shell:112:39 1", h_tight_entrenched_woods=option, f="39 T 0808", one=(UnitShelled,
              {"added": added}))
          for kind in ("woods", "town") for option, added in (("terrain_plus1", 1), ("no_modifier", 0))),
    ],
)  # fmt: skip
def test_h_fire_column_depends_on_plot_and_cover(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("KP-9.34c", "R-KP-47", "KP-11.0c")
def test_panic_and_pins_do_not_change_the_column(new_case: NewCase) -> None:
    dice = {"shell:*": "6 6", "fire:0808:94": "6", "panic:germans": "1"}
    case = new_case(french=f"{TWO}; 1 0804", germans="94 0808; 112 1111", dice=dice)
    case.turn(french="39 T 0808; 40 T 1111; 1 N 0808", germans="94 B2; 112 P 1108")
    hits = [(event.unit, event.column) for event in case.events(UnitShelled)]
    assert hits == [("94", "moving"), ("112", "static")]
    assert (case.at("94"), case.events(PanicPlotted)) == ("0808", [])


# --- movement through a pattern ---

EACH, ONCE = {"h_moving_units": "each_affected_entry"}, {"h_moving_units": "once_per_unit"}
THREE = "138 0807 moving; 138 0808 moving; 138 0809 moving"


@pytest.mark.rule("KP-9.32b KP-9.32c KP-9.33b KP-9.36a KP-9.71d KP-9.81c KP-9.82a KP-9.82b R-KP-45 R-KP-58")
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-9.32c KP-9.36a R-KP-45 KP-9.82a", "each_hex", GUN, "138 0805", **EACH, dice="shell:138:39 3 3 3",
            f="39 L 0808", g="138 D6", shelled=THREE, at="138 0811"),
        row("KP-9.32c KP-9.36a R-KP-45 KP-9.82a", "once", GUN, "138 0805", **ONCE, dice="shell:138:39 3", f="39 L 0808",
            g="138 D6", shelled="138 0807 moving", at="138 0811"),
        row("KP-9.32b KP-9.32c R-KP-45", "start_within", GUN, "138 0807", **EACH, dice="shell:138:39 3 3 3",
            f="39 L 0808", g="138 D4", shelled=THREE),
        row("KP-9.32b KP-9.32c R-KP-45", "start_within_once", GUN, "138 0807", **ONCE, dice="shell:138:39 3",
            f="39 L 0808", g="138 D4", shelled="138 0807 moving"),
        row("KP-9.32c R-KP-45 KP-9.33b", "tank_through_a_tight_pattern", GUN, "94 0807", dice="shell:94:39 1",
            f="39 T 0808", g="94 D2", shelled="94 0808 moving D1", at="94 0809", levels="94 1"),
        row("KP-9.36a", "in_a_circle", GUN, "138 0806", dice="shell:138:39 3 3 3 3", f="39 L 0808", g="138 D1 C1 D1 E1",
            shelled="138 0807 moving; 138 0908 moving; 138 0909 moving; 138 0809 moving"),
        # 39: 0807 0808 0809; 40: 0809 0810 0811
        row("KP-9.82b R-KP-58 KP-9.71d", "killed_at_the_fourth_hit", TWO, "138 0806",
            dice="shell:138:39 1 1 1; shell:138:40 1", pending_results="accumulate_kill_at_4", f="39 L 0808; 40 L 0810",
            g="138 D5", levels="138 4", wrecked="0809"),
        row("KP-9.82b R-KP-58 KP-9.71d", "killed_at_the_end", TWO, "138 0806",
            dice="shell:138:39 1 1 1; shell:138:40 1 1 1", pending_results="end_only", f="39 L 0808; 40 L 0810",
            g="138 D5", levels="138 4", wrecked="0811"),
        row("KP-9.81c", "impact_outlives_its_gun", GUN, "105 0819; 138 0806", dice="fire:0820:39 1; shell:138:39 3",
            f="39 T 0808", g="105 N 0820; 138 D3", levels="39 4", shelled="138 0808 moving"),
    ],
)  # fmt: skip
def test_movement_through_a_pattern_is_shelled(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)
