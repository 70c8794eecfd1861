"""H fire, section 9.3: patterns, columns of the table, who is hit where and how often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import FireResolved, ImpactPlaced, ImpactsLifted, PanicPlotted, UnitShelled
from sandtable.kernel.events import PhaseBegan, PhaseEnded

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Lay


def hits(case: Case) -> list[tuple[str, str, str, str]]:
    """Return this turn's H attacks: unit, hex, column, result."""
    return [(event.unit, event.hex, event.column, event.result) for event in case.events(UnitShelled)]


GUN = "39 0820 A"

# --- patterns ---


@pytest.mark.rule("KP-9.32a", "KP-9.33a", "KP-9.33b", "KP-9.33c", "KP-9.0i")
@pytest.mark.parametrize(
    ("pattern", "affected"),
    [("T", ["0808"]), ("L", ["0708", "0709", "0807", "0808", "0809", "0908", "0909"])],
)
def test_the_patterns(lay: Lay, pattern: str, affected: list[str]) -> None:
    case = lay(french=GUN).turn(french=f"39 {pattern} 0808")
    impact = case.one(ImpactPlaced)
    assert (impact.firer, impact.hex, impact.pattern, sorted(impact.hexes)) == ("39", "0808", pattern, affected)


@pytest.mark.rule("KP-9.33c")
def test_a_pattern_ends_at_the_edge_of_the_map(lay: Lay) -> None:
    case = lay(french="39 0120 A").turn(french="39 L 0101")
    assert sorted(case.one(ImpactPlaced).hexes) == ["0101", "0102", "0201"]


@pytest.mark.rule("KP-9.32d", "KP-9.0i")
def test_the_marker_lies_from_the_combat_phase_to_the_end_of_movement(lay: Lay) -> None:
    case = lay(french=GUN, germans="94 0305").turn(french="39 T 0808", germans="94 D1")
    events = case.all_events()
    placed = next(place for place, event in enumerate(events) if isinstance(event, ImpactPlaced))
    lifted = next(place for place, event in enumerate(events) if isinstance(event, ImpactsLifted))
    before = [event.phase for event in events[:placed] if isinstance(event, PhaseBegan)]
    ended = [event.phase for event in events[:lifted] if isinstance(event, PhaseEnded)]
    assert (before[-1], ended[-1]) == ("combat", "panic_plot")
    assert case.state.impacts == []


@pytest.mark.rule("KP-9.33d", "KP-9.33b", "R-KP-46")
@pytest.mark.parametrize(
    ("unit", "pattern", "attacked"),
    [
        ("94", "L", False),
        ("94", "T", True),
        ("146", "L", False),
        ("146", "T", True),
        ("138", "L", True),
        ("138", "T", True),
        ("112", "L", True),
        ("115", "L", True),
    ],
)
def test_loose_fire_does_nothing_to_armour(lay: Lay, unit: str, pattern: str, attacked: bool) -> None:
    facing = " A" if unit == "115" else ""
    case = lay(french=GUN, germans=f"{unit} 0808{facing}", dice={f"shell:{unit}:39": "6"} if attacked else {})
    assert len(hits(case.turn(french=f"39 {pattern} 0808"))) == attacked


@pytest.mark.rule("KP-9.33c", "KP-9.32b")
def test_a_loose_pattern_reaches_the_neighbours_equally(lay: Lay) -> None:
    case = lay(french=GUN, germans="112 0808; 113 0708; 114 0809; 115 0909 A; 117 0707", dice={"shell:*": "1 1 1 1"})
    case.turn(french="39 L 0808")
    assert case.levels("112", "113", "114", "115", "117") == [3, 3, 3, 3, 0]


@pytest.mark.rule("KP-9.35a")
def test_several_attacks_are_rolled_one_by_one(lay: Lay) -> None:
    case = lay(french="39 0820 A; 40 0920 A", germans="112 0808", dice={"shell:112:39": "2", "shell:112:40": "4"})
    case.turn(french="39 T 0808; 40 L 0809")
    assert hits(case) == [("112", "0808", "static", "D2"), ("112", "0808", "static", "D1")]
    assert case.level("112") == 3


@pytest.mark.rule("R-KP-44")
@pytest.mark.parametrize(("option", "hit"), [("yes", ["29", "112"]), ("no", ["112"])])
def test_friends_are_hit_as_well(lay: Lay, option: str, hit: list[str]) -> None:
    dice = {f"shell:{unit}:39": "6" for unit in hit}
    case = lay(french=f"{GUN}; 29 0808", germans="112 0809", dice=dice, h_hits_friends=option)
    assert sorted(unit for unit, *_ in hits(case.turn(french="39 L 0808"))) == sorted(hit)


@pytest.mark.rule("R-KP-44")
def test_even_its_own_gun(lay: Lay) -> None:
    case = lay(french="39 0810 A", dice={"shell:39:39": "6"})
    assert [unit for unit, *_ in hits(case.turn(french="39 L 0809"))] == ["39"]


@pytest.mark.rule("R-KP-50", "KP-9.31a", "KP-9.37b", "KP-9.32a")
def test_it_may_be_aimed_at_any_hex_it_sees(lay: Lay) -> None:
    case = lay(french="39 0820 A; 29 0805")
    assert [case.refused(f"39 T {hex_}") for hex_ in ("0808", "0805")] == ["", ""]
    assert case.refused("39 T 0821") == "KP-9.4c"
    assert case.refused("39 T 0825")
    across = lay(french="39 0310 A", germans="112 0306", crest_sides="0307/0308")
    assert across.refused("39 T 0306")


@pytest.mark.rule("KP-9.31a", "KP-9.12a", "KP-9.0c")
def test_it_fires_once(lay: Lay) -> None:
    case = lay(french=GUN)
    assert case.refused("39 T 0808 L 0809")
    assert case.refused("39 T 0808/112")
    assert case.refused("39 T")


# --- columns ---

MOVING = {1: "D1", 2: "D1", 3: "", 4: "", 5: "", 6: ""}
STATIC = {1: "D3", 2: "D2", 3: "D2", 4: "D1", 5: "D1", 6: ""}


@pytest.mark.rule("KP-9.39a", "KP-9.34a", "KP-3.3a")
@pytest.mark.parametrize("die", range(1, 7))
def test_the_moving_column(lay: Lay, die: int) -> None:
    case = lay(french=GUN, germans="138 0808", dice={"shell:138:39": str(die)})
    case.turn(french="39 T 0808", germans="138 B1")
    assert hits(case) == [("138", "0808", "moving", MOVING[die])]


@pytest.mark.rule("KP-9.39b", "KP-9.34a", "KP-9.34b")
@pytest.mark.parametrize("die", range(1, 7))
def test_the_static_column(lay: Lay, die: int) -> None:
    for unit, wrecks in (("138", ""), ("52", ""), ("112", "0808")):  # whatever the strength or the ground
        case = lay(french=GUN, germans=f"{unit} 0808", wrecks=wrecks, dice={f"shell:{unit}:39": str(die)})
        case.turn(french="39 T 0808")
        assert hits(case) == [(unit, "0808", "static", STATIC[die])]
        assert case.level(unit) == int((STATIC[die] or "D0")[1])


@pytest.mark.rule("KP-9.34a", "KP-9.34c", "KP-9.38a", "R-KP-47", "KP-12.13b")
@pytest.mark.parametrize(
    ("germans", "plot", "unit", "column"),
    [
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
    ],
)
def test_the_plot_decides_the_column(lay: Lay, germans: str, plot: str, unit: str, column: str) -> None:
    overrun = {"overrun:0806": "6"} if "V" in plot else {}
    case = lay(french=f"{GUN}; 29 0806", germans=germans, dice={f"shell:{unit}:39": "6"} | overrun)
    case.turn(french="39 T 0808", germans=plot)
    assert hits(case)[0] == (unit, "0808", column, "")


@pytest.mark.rule("KP-9.34c", "R-KP-47", "KP-11.0c")
def test_panic_and_pins_do_not_change_the_column(lay: Lay) -> None:
    dice = {"shell:*": "6 6", "fire:0808:94": "6", "panic:germans": "1"}
    case = lay(french=f"{GUN}; 40 0920 A; 1 0804", germans="94 0808; 112 1111", dice=dice)
    case.turn(french="39 T 0808; 40 T 1111; 1 N 0808", germans="94 B2; 112 P 1108")
    assert [(unit, column) for unit, _, column, _ in hits(case)] == [("94", "moving"), ("112", "static")]
    assert (case.at("94"), case.events(PanicPlotted)) == ("0808", [])


@pytest.mark.rule("KP-9.37c", "KP-9.37d", "KP-13.23a", "KP-13.23b", "KP-13.1c")
@pytest.mark.parametrize(
    ("ground", "entrenched", "pattern", "column", "added"),
    [
        ({"woods": "0808"}, "", "L", "moving", 0),
        ({"town": "0808"}, "", "L", "moving", 0),
        ({}, " entrenched", "L", "moving", 0),
        ({"woods": "0808"}, "", "T", "static", 1),
        ({"town": "0808"}, "", "T", "static", 1),
        ({}, " entrenched", "T", "static", 0),
        ({"slope": "0808"}, "", "T", "static", 0),
        ({"hilltop": "0808"}, "", "L", "static", 0),
        ({}, "", "L", "static", 0),
    ],
)
def test_cover(lay: Lay, ground: dict[str, str], entrenched: str, pattern: str, column: str, added: int) -> None:
    case = lay(french=GUN, germans=f"112 0808{entrenched}", dice={"shell:112:39": "1"}, **ground)
    case.turn(french=f"39 {pattern} 0808")
    hit = case.one(UnitShelled)
    assert (hit.column, hit.added, hit.die) == (column, added, 1)
    assert hit.result == (MOVING if column == "moving" else STATIC)[1 + added]


@pytest.mark.rule("KP-9.37c", "KP-9.37d")
@pytest.mark.parametrize(("pattern", "column", "added"), [("L", "moving", 0), ("T", "moving", 1)])
def test_movers_in_woods(lay: Lay, pattern: str, column: str, added: int) -> None:
    case = lay(french=GUN, germans="112 0808", woods="0808", dice={"shell:112:39": "2"})
    case.turn(french=f"39 {pattern} 0808", germans="112 B1")
    hit = case.one(UnitShelled)
    assert (hit.column, hit.added, hit.result) == (column, added, MOVING[2 + added])


@pytest.mark.rule("R-KP-48")
def test_a_seven_is_nothing(lay: Lay) -> None:
    case = lay(french=GUN, germans="112 0808", town="0808", dice={"shell:112:39": "6"})
    assert case.turn(french="39 T 0808").one(UnitShelled).result == ""


@pytest.mark.rule("R-KP-49", "KP-13.23b")
@pytest.mark.parametrize(("option", "added"), [("terrain_plus1", 1), ("no_modifier", 0)])
@pytest.mark.parametrize("kind", ["woods", "town"])
def test_tight_fire_at_trenches_in_woods(lay: Lay, option: str, added: int, kind: str) -> None:
    case = lay(
        french=GUN,
        germans="112 0808 entrenched",
        dice={"shell:112:39": "1"},
        h_tight_entrenched_woods=option,
        **{kind: "0808"},
    )
    assert case.turn(french="39 T 0808").one(UnitShelled).added == added


# --- movement through a pattern ---


@pytest.mark.rule("KP-9.32c", "KP-9.36a", "R-KP-45", "KP-9.82a")
@pytest.mark.parametrize(
    ("option", "hexes"),
    [("each_affected_entry", ["0807", "0808", "0809"]), ("once_per_unit", ["0807"])],
)
def test_each_affected_hex_entered_is_an_attack(lay: Lay, option: str, hexes: list[str]) -> None:
    dice = {"shell:138:39": " ".join("3" for _ in hexes)}
    case = lay(french=GUN, germans="138 0805", dice=dice, h_moving_units=option)
    case.turn(french="39 L 0808", germans="138 D6")
    assert hits(case) == [("138", hex_, "moving", "") for hex_ in hexes]
    assert case.at("138") == "0811"


@pytest.mark.rule("KP-9.32b", "KP-9.32c", "R-KP-45")
@pytest.mark.parametrize(
    ("option", "hexes"), [("each_affected_entry", ["0807", "0808", "0809"]), ("once_per_unit", ["0807"])]
)
def test_starting_within_counts_as_well(lay: Lay, option: str, hexes: list[str]) -> None:
    dice = {"shell:138:39": " ".join("3" for _ in hexes)}
    case = lay(french=GUN, germans="138 0807", dice=dice, h_moving_units=option)
    case.turn(french="39 L 0808", germans="138 D4")
    assert [hex_ for _, hex_, *_ in hits(case)] == hexes


@pytest.mark.rule("KP-9.32c", "R-KP-45", "KP-9.33b")
def test_tanks_too_through_a_tight_pattern(lay: Lay) -> None:
    case = lay(french=GUN, germans="94 0807", dice={"shell:94:39": "1"})
    case.turn(french="39 T 0808", germans="94 D2")
    assert hits(case) == [("94", "0808", "moving", "D1")]
    assert (case.at("94"), case.level("94")) == ("0809", 1)


@pytest.mark.rule("KP-9.36a")
def test_going_round_in_a_pattern_costs_each_time(lay: Lay) -> None:
    case = lay(french=GUN, germans="138 0806", dice={"shell:138:39": "3 3 3 3"})
    case.turn(french="39 L 0808", germans="138 D1 C1 D1 E1")  # 0807 0908 0909 0809
    assert [hex_ for _, hex_, *_ in hits(case)] == ["0807", "0908", "0909", "0809"]


@pytest.mark.rule("KP-9.82b", "R-KP-58", "KP-9.71d")
@pytest.mark.parametrize(("option", "end"), [("accumulate_kill_at_4", ""), ("end_only", "0811")])
def test_four_hits_on_the_way(lay: Lay, option: str, end: str) -> None:
    dice = {"shell:138:39": "1 1 1", "shell:138:40": "1 1 1" if end else "1"}
    case = lay(french=f"{GUN}; 40 0920 A", germans="138 0806", dice=dice, pending_results=option)
    case.turn(french="39 L 0808; 40 L 0810", germans="138 D5")
    # 39: 0807 0808 0809; 40: 0809 0810 0811
    assert case.level("138") == 4
    assert case.state.wrecks == ([end] if end else ["0809"])


@pytest.mark.rule("KP-9.81c")
def test_the_impact_outlives_its_gun(lay: Lay) -> None:
    dice = {"fire:0820:39": "1", "shell:138:39": "3"}
    case = lay(french=GUN, germans="105 0819; 138 0806", dice=dice)
    case.turn(french="39 T 0808", germans="105 N 0820; 138 D3")
    assert case.level("39") == 4
    assert hits(case) == [("138", "0808", "moving", "")]


@pytest.mark.rule("R-KP-46", "KP-12.32a", "KP-12.0c", "KP-9.33d")
@pytest.mark.parametrize(("vehicle", "rolls"), [("138", 1), ("146", 0)])
def test_vehicles_with_passengers_are_rolled_for_once(lay: Lay, vehicle: str, rolls: int) -> None:
    dice = {f"shell:{vehicle}:39": "2"} if rolls else {}
    case = lay(french=GUN, germans=f"{vehicle} 0808; 112 aboard {vehicle}", dice=dice)
    case.turn(french="39 L 0808")
    assert [unit for unit, *_ in hits(case)] == [vehicle] * rolls
    assert case.levels(vehicle, "112") == [2 * rolls] * 2


@pytest.mark.rule("KP-10.0m", "KP-9.34b")
def test_ground_and_wrecks_do_not_help(lay: Lay) -> None:
    case = lay(french=GUN, germans="112 0808", dice={"shell:112:39": "1"}, wrecks="0808", slope="0808")
    hit = case.turn(french="39 T 0808").one(UnitShelled)
    assert (hit.added, hit.result) == (0, "D3")


@pytest.mark.rule("KP-9.32d", "KP-9.81a")
def test_shells_and_fire_come_into_force_together(lay: Lay) -> None:
    dice = {"shell:102:39": "1", "fire:0808:102": "5", "fire:0804:1": "6"}
    case = lay(french=f"{GUN}; 1 0804", germans="102 0808", dice=dice)
    case.turn(french="39 T 0808; 1 N 0808", germans="102 N 0804")
    assert case.level("102") == 4
    assert len(case.events(FireResolved)) == 2


@pytest.mark.rule("R-KP-90", "KP-9.32d")
def test_impacts_lie_before_anything_is_fired(lay: Lay) -> None:
    case = lay(french=f"{GUN}; 1 0804", germans="102 0808; 112 1010; 40 0201 D", dice={"shell:*": "6", "fire:*": "6"})
    case.turn(french="39 T 1010; 1 N 0808", germans="40 T 0205")
    kinds = [type(event) for event in case.all_events()]
    last = max(place for place, kind in enumerate(kinds) if kind is ImpactPlaced)
    assert last < kinds.index(UnitShelled)
    assert last < kinds.index(FireResolved)
