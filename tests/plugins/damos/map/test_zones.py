"""Zones of control and zones of influence (DM-2.5, DM-2.6, AGC-3)."""

import pytest
from tests.plugins.damos.conftest import Lay, Stage
from tests.plugins.damos.positions import GERMAN, SOVIET
from tests.plugins.damos.scattered import OTHER, scattered

from damos.map.zones import can_influence, exerting, in_enemy_zone, influence_range, is_zone_capable, zone_of
from damos.model.forces import enemy_of, position, stacks, units_in

AROUND_2816 = ["2716", "2717", "2815", "2817", "2916", "2917"]

# --- control ---


@pytest.mark.rule("DM-2.5a")
def test_a_force_has_a_zone_of_control_in_the_six_hexes_around_it(lay: Lay) -> None:
    state = lay("2816 I1").state
    zone = {hex_: starts for hex_, starts in zone_of(state, GERMAN).items() if "2816" in starts}
    assert sorted(zone) == AROUND_2816
    assert in_enemy_zone(state, SOVIET, "2815")
    assert not in_enemy_zone(state, SOVIET, "2816")
    assert not in_enemy_zone(state, GERMAN, "2815")


@pytest.mark.rule("DM-2.5b")
def test_a_zone_does_not_extend_into_a_major_city_with_enemies(lay: Lay) -> None:
    state = lay("2816 I1; 2815 i1; 2717 i2", major="2815 2716").state
    assert not in_enemy_zone(state, SOVIET, "2815")
    assert in_enemy_zone(state, SOVIET, "2717")
    assert in_enemy_zone(state, SOVIET, "2716"), "no unit is in it"
    assert not in_enemy_zone(state, GERMAN, "2815"), "a force has no zone in its own hex"
    assert in_enemy_zone(state, GERMAN, "2816")


@pytest.mark.rule("DM-2.5e", "DM-2.8c")
def test_demoralized_units_have_no_zone(lay: Lay) -> None:
    state = lay("2816 I1!; 2616 I2! I3").state
    assert "2816" not in exerting(state, GERMAN)
    assert not in_enemy_zone(state, SOVIET, "2815")
    assert in_enemy_zone(state, SOVIET, "2615"), "one unit that is not demoralized keeps the zone"


@pytest.mark.rule("R-DM-38")
@pytest.mark.parametrize(("option", "there"), [("yes", True), ("no", False)])
def test_a_zone_extends_into_a_hex_with_enemies_by_option(lay: Lay, option: str, there: bool) -> None:
    state = lay("2816 I1; 2815 i1", zoc_into_shared_hex=option).state
    assert in_enemy_zone(state, SOVIET, "2815") is there
    assert in_enemy_zone(state, SOVIET, "2817")


@pytest.mark.rule("DM-8.11d", "R-DM-86")
def test_forces_in_given_hexes_can_be_ignored(lay: Lay) -> None:
    state = lay("2816 I1; 2814 I2").state
    assert zone_of(state, GERMAN)["2815"] == ["2814", "2816"]
    assert in_enemy_zone(state, SOVIET, "2815", ignoring=("2816",))
    assert not in_enemy_zone(state, SOVIET, "2815", ignoring=("2816", "2814"))


@pytest.mark.rule("AGC-4.6.1b", "AGC-4.6.1c")
@pytest.mark.parametrize(("turn", "there"), [(1, False), (2, True)])
def test_the_soviets_have_no_zones_on_turn_1(lay: Lay, turn: int, there: bool) -> None:
    state = lay("2816 I1; 2815 a1:13", turn=turn).state
    assert in_enemy_zone(state, GERMAN, "2814") is there
    assert bool(influence_range(state, "2815", SOVIET)) is there
    assert in_enemy_zone(state, SOVIET, "2817")


# --- influence ---


@pytest.mark.rule("AGC-3.1a", "AGC-3.2a", "AGC-3.0a", "DM-2.6a", "DM-2.1j")
def test_zone_of_influence_depends_on_unit_type(stage: Stage) -> None:
    state = stage("2816 g-3pz g-10mot g-1cav g-267; 2811 s-11mc s-17mc s-6cc s-4rc").state
    zoned = [unit_id for unit_id in sorted(state.units) if is_zone_capable(state, [unit_id])]
    assert zoned == ["g-10mot", "g-1cav", "g-3pz", "s-11mc", "s-17mc"]
    assert is_zone_capable(state, ["g-267", "g-1cav"])
    assert not is_zone_capable(state, ["g-267"])


@pytest.mark.rule("DM-2.6b", "X-DM-7l")
@pytest.mark.parametrize(("strength", "hexes"), [(1, 1), (6, 1), (7, 2), (12, 2), (13, 3), (30, 3)])
def test_a_zone_of_influence_reaches_one_hex_per_die(lay: Lay, strength: int, hexes: int) -> None:
    state = lay(f"2812 a1:{strength}").state
    assert influence_range(state, "2812", SOVIET) == hexes
    reached = [hex_ for hex_ in state.board.hexmap.numbers if can_influence(state, SOVIET, hex_) == ["2812"]]
    assert len(reached) == 3 * hexes * (hexes + 1)


@pytest.mark.rule("DM-2.6c", "DM-2.6d", "R-DM-02")
@pytest.mark.parametrize(("units", "option", "hexes"), [
    ("a1:3 i1:5", "all_units", 2), ("a1:3 i1:5", "zoi_units_only", 1), ("a1:13!", "all_units", 0),
    ("a2:5! a3:5", "all_units", 1),
])  # fmt: skip
def test_zone_range_counts_the_strength_of_the_option(lay: Lay, units: str, option: str, hexes: int) -> None:
    assert influence_range(lay(f"2812 {units}", zoi_force_sp=option).state, "2812", SOVIET) == hexes


@pytest.mark.rule("DM-2.6.1a", "DM-2.6.1b", "R-DM-48")
def test_only_fresh_units_have_a_zone_of_influence(lay: Lay) -> None:
    state = lay("2812 a1:5~ i1:5; 2713 a2:5; 2611 i2:5; 2711 a3:5").state
    assert can_influence(state, SOVIET, "2712") == ["2711", "2713"]
    assert can_influence(state, SOVIET, "2711") == [], "a unit in the hex does not count, and 2713 is too far away"


@pytest.mark.rule("AGC-4.8a", "R-DM-68")
def test_the_cossack_hex_has_a_zone_of_influence(lay: Lay) -> None:
    case = lay("2812 i1:5; 2712 i2:5", turn=9)
    state = case.state
    assert influence_range(state, "2812", SOVIET) == 0
    state.cossacks = "2812"
    assert influence_range(state, "2812", SOVIET) == 1
    assert influence_range(state, "2712", SOVIET) == 0


# --- by brute force ---


@pytest.mark.rule("DM-2.5a", "DM-2.5e", "DM-2.6b")
@pytest.mark.parametrize("seed", range(12))
def test_zones_match_a_brute_force_search(seed: int) -> None:
    state = scattered(seed)
    board = state.board
    for side in (GERMAN, SOVIET):
        steady = {u.hex for u in state.units.values() if u.hex and u.side == side and not u.demoralized}
        enemies = {u.hex for u in state.units.values() if u.hex and u.side == OTHER[side]}
        for hex_ in board.hexmap.numbers:
            near = sorted(start for start in steady if board.hexmap.range_hexes(start, hex_) == 1)
            if "major_city" in board.hexmap.terrain_of(hex_) and hex_ in enemies:
                near = []
            assert zone_of(state, side).get(hex_, []) == near
            assert in_enemy_zone(state, OTHER[side], hex_) == bool(near)


@pytest.mark.parametrize("seed", range(6))
def test_the_index_of_units_by_hex_follows_every_change(seed: int) -> None:
    state = scattered(seed)
    for unit_id in sorted(state.units)[::7]:
        unit = state.units[unit_id]
        unit.hex = "" if unit.hex else "2816"
        unit.demoralized = not unit.demoralized
        for side in (GERMAN, SOVIET):
            there = sorted(each for each, u in state.units.items() if u.hex == "2816" and u.side == side)
            assert units_in(state, "2816", side) == there
            hexes = {u.hex for u in state.units.values() if u.hex and u.side == side and not u.demoralized}
            assert set(exerting(state, side)) == hexes
            assert set(stacks(state, side)) == {u.hex for u in state.units.values() if u.hex and u.side == side}
    assert position(state) is position(state)
    assert enemy_of(GERMAN) == SOVIET
