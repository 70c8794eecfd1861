"""Lines of supply, control and railways: 2.9, 2.10, and 4.3 of the exclusive rules, as play shows them."""

from collections.abc import Collection
from functools import partial
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest
from tests.plugins.damos.cases import activate, retreat, total
from tests.plugins.damos.conftest import Lay, Stage
from tests.plugins.damos.positions import GERMAN, SOVIET, row
from tests.plugins.damos.scattered import OTHER, scattered
from work import lines_run

from damos.map.rails import is_supply_source, rail_sources, supply_length
from damos.map.supply import ENEMY, RAIL, ZONE, has_supply_line, is_isolated, reaches_source, supply_line
from damos.model import events
from damos.model.orders import ChoosePlan, ExtendRail, Rally, Replace
from damos.model.state import DamosState
from damos.turn.strategic import surrendering


def supplied(lay: Lay, hex_: str, side: str = "german", **more: Any) -> bool:
    """Tell whether a demoralised force of a side has a line of supply: whether it may rally.

    More units of its side and of the other come under ``friends`` and ``enemies``.
    """
    own = f"{hex_} {'I' if side == 'german' else 'i'}1:6!; {more.pop('friends', '')}"
    other = more.pop("enemies", "")
    sides = {"german": own, "soviet": other} if side == "german" else {"german": other, "soviet": own}
    case = lay(**sides, side=side, **more).go(activate("I1" if side == "german" else "i1"))
    found = case.allows(Rally())
    case.rest()
    return found


# --- length ---


@pytest.mark.rule("AGC-4.3.1a", "AGC-4.3.1b", "AGC-4.3.2a", "AGC-4.3.2c", "DM-2.10a", "R-DM-36", "R-DM-60")
@pytest.mark.parametrize(("side", "hex_", "turns", "has"), [
    *[("german", hex_, "3", True) for hex_ in ("2820", "2920", "3120", "2520")], ("german", "3220", "3", False),
    ("german", "3120", "8", True), ("german", "3120", "9 12", False), ("german", "3020", "9 12", True),
    ("soviet", "2810", "3", True), ("soviet", "3110", "3", True), ("soviet", "3310", "3 9 12", True),
    ("soviet", "3410", "3", False),
])  # fmt: skip
def test_a_line_has_three_hexes_to_the_railway_two_in_winter_or_five(
    lay: Lay, side: str, hex_: str, turns: str, has: bool
) -> None:
    """A German line has three hexes, and two in winter. A Soviet line has five."""
    for turn in map(int, turns.split()):
        assert supplied(lay, hex_, side, turn=turn) == has


@pytest.mark.rule("R-DM-60", "AGC-4.3.1b")
@pytest.mark.parametrize(("turn", "has"), [(9, True), (10, False)])
def test_winter_begins_a_turn_later_if_the_game_starts_in_june(lay: Lay, turn: int, has: bool) -> None:
    assert supplied(lay, "3120", turn=turn, calendar="t1_22_june") == has
    assert has_supply_line(lay("2518 I1", turn=turn, calendar="t1_22_june").state, GERMAN, "2518") == has


# --- what blocks it ---


@pytest.mark.rule("DM-2.10a", "DM-2.5a", "DM-2.5c", "DM-2.5e")
@pytest.mark.parametrize(("enemies", "has"), [
    ("", True), ("3020 i1:6; 3022 i2:6", False), ("3018 i1:6!; 3024 i2:6!", True),
    ("2921 i1:6; 3023 i2:6; 3019 i3:6", False), ("2921 i1:6!; 3023 i2:6!; 3019 i3:6!", True),
])  # fmt: skip
def test_enemies_and_their_zones_block_a_line(lay: Lay, enemies: str, has: bool) -> None:
    """From 3121 the paths of three hexes to row 28 lead by 3021 or 3022. A demoralized enemy blocks only its hex."""
    assert supplied(lay, "3121", enemies=enemies) == has


@pytest.mark.rule("DM-2.10b")
def test_a_friend_cancels_the_zone_in_his_hex(lay: Lay) -> None:
    """Their zones cover all ways of three hexes from 3120 to the railway; a chain of friends leads out."""
    enemies = "2819 i2:6; 2922 i3:6"
    assert not supplied(lay, "3120", enemies=enemies)
    assert supplied(lay, "3120", enemies=enemies, friends="2921 I2:6; 2821 I3:6; 2822 I4:6")


@pytest.mark.rule("DM-2.10b", "R-DM-38")
def test_a_force_in_a_zone_may_trace_from_there(lay: Lay) -> None:
    """An activated force rallies in no zone; that its own hex does not cut it off shows in combat."""
    case = lay("2816 I1:6; 2815 i1:6; 2717 i9:1", dice="attack 1; defence 6").attack("I1", "2815")
    assert total(case.one(events.CombatResolved).attack_modifiers) == -2


@pytest.mark.rule("R-DM-37")
@pytest.mark.parametrize(("option", "attack", "defence"), [("combatants_cancel", 0, 0), ("strict", -2, -1)])
def test_combatants_do_not_cut_each_other_off(lay: Lay, option: str, attack: int, defence: int) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice="attack 1; defence 6", los_in_combat_hex=option).attack("I1", "2815")
    result = case.one(events.CombatResolved)
    assert total(result.attack_modifiers) == attack
    assert total(result.defence_modifiers) == defence


@pytest.mark.rule("R-DM-38", "DM-2.5a")
@pytest.mark.parametrize(("option", "killed"), [("yes", True), ("no", False)])
def test_a_zone_extends_into_hexes_with_enemies(lay: Lay, option: str, killed: bool) -> None:
    """The only hex where the loser could go first holds friends of his, and lies in a zone."""
    ring = "2714 I6:1; 2914 I7:1; 2717 I8:1; 2917 I9:1"
    case = lay(
        f"2816 I1:6; {ring}; 2815 i1:6; 2814 i2:6; 2813 i3:6", dice="attack 6; defence 1", zoc_into_shared_hex=option
    )
    case.attack("I1", "2815")
    assert (case.standing("i1") == "eliminated") == killed


@pytest.mark.rule("DM-2.5a", "DM-2.5b")
@pytest.mark.parametrize(("ground", "may"), [
    ({"major": "2816"}, True), ({"city": "2816"}, False), ({"forest": "2816"}, False), ({"river": "2815/2816"}, False),
])  # fmt: skip
def test_only_an_occupied_major_city_keeps_zones_out(lay: Lay, ground: dict[str, str], may: bool) -> None:
    case = lay("2816 I1:6!; 2815 i1:6", **ground).go(activate("I1"))
    assert case.allows(Rally()) == may
    case.rest()


# --- by rail ---


@pytest.mark.rule("AGC-4.3.1a", "AGC-4.3.1c", "AGC-4.3.2a", "DM-2.9d")
@pytest.mark.parametrize("gap", ["", "control", "gauge"])
@pytest.mark.parametrize(("side", "enemy", "start", "broken"), [
    ("german", "soviet", "2820", "2825"), ("soviet", "german", "2810", "2805"),
])  # fmt: skip
def test_a_railway_carries_supply_if_held_and_of_the_own_gauge(
    lay: Lay, side: str, enemy: str, start: str, broken: str, gap: str
) -> None:
    def convert(state: DamosState) -> None:
        state.converted = sorted({broken} ^ set(state.converted))

    more: dict[str, Any] = {"control": {enemy: broken}} if gap == "control" else {}
    assert supplied(lay, start, side, **more, **({"tweak": convert} if gap == "gauge" else {})) == (not gap)


@pytest.mark.rule("R-DM-75", "DM-2.10a")
@pytest.mark.parametrize(("enemies", "friends", "control", "has"), [
    ("2725 i1:6", "", {}, False), ("2725 i1:6!", "", {}, True), ("2825 i1:6!", "", {"german": "2825"}, False),
    ("2725 i1:6", "2825 I2:6; 2824 I3:6; 2826 I4:6", {}, True),
])  # fmt: skip
def test_enemies_and_their_zones_cut_a_railway(
    lay: Lay, enemies: str, friends: str, control: dict[str, str], has: bool
) -> None:
    assert supplied(lay, "2820", enemies=enemies, friends=friends, control=control) == has


@pytest.mark.rule("AGC-4.3.2b", "DM-2.10c")
@pytest.mark.parametrize(("ground", "holder", "has"), [
    ("city", "soviet", True), ("major", "soviet", True), ("city", "german", False), ("town", "soviet", False),
])  # fmt: skip
def test_a_friendly_soviet_city_is_a_source(lay: Lay, ground: str, holder: str, has: bool) -> None:
    """The railway to the east is cut at 2805; a place at 2808 may do instead."""
    control = {"german": "2805" + (" 2808" if holder == "german" else "")}
    assert supplied(lay, "2810", "soviet", control=control, **{ground: "2808"}) == has


@pytest.mark.rule("AGC-4.3.2b", "AGC-1.3e")
def test_a_city_west_of_the_frontier_is_none(lay: Lay) -> None:
    """Behind the German frontier cities are not in Russia, whoever holds them."""
    control = {"german": "2805", "soviet": "2823 2822 2821 2820 2819 2818 2817 2816"}
    assert not supplied(
        lay, "2820", "soviet", city="2823", control=control, tweak=lambda state: state.converted.clear()
    )


@pytest.mark.rule("R-DM-74", "DM-2.10c")
@pytest.mark.parametrize(("option", "has"), [("agc_replaces_core", False), ("both", True)])
def test_cities_are_no_sources_for_the_germans(lay: Lay, option: str, has: bool) -> None:
    control = {"german": "3515 3514 3513"}
    assert supplied(lay, "3515", city="3514", control=control, los_core_vs_agc=option) == has


@pytest.mark.rule("DM-2.10d", "DM-5.0d", "R-DM-07")
@pytest.mark.parametrize(("hex_", "option", "may"), [
    ("2820", "blocked", True), ("3320", "blocked", False), ("2816", "blocked", False), ("2816", "allowed", True),
])  # fmt: skip
def test_replacements_go_to_the_supplied_and_not_into_zones(lay: Lay, hex_: str, option: str, may: bool) -> None:
    case = lay(
        f"{hex_} I1:4/6; 2822 I2:4/6; 2815 i1:6",
        phase="reinforcement",
        turn=4,
        replacements={"german": 3},
        rp_ezoc_friendly=option,
    )
    case.until(lambda case: case.asks(Replace))
    assert case.allows(Replace({"I1": 1})) == may


# --- control ---


@pytest.mark.rule("DM-2.9a", "DM-2.9b", "DM-2.9c", "DM-2.9d")
@pytest.mark.parametrize(("dice", "at", "holders"), [
    ("attack 6; defence 1", "2813", ["german", "german", "soviet", "soviet"]),
    ("attack 1; defence 6", "2815", ["german", "soviet", "soviet", "soviet"]),
])  # fmt: skip
def test_control_passes_to_the_last_force_that_moved_through(lay: Lay, dice: str, at: str, holders: list[str]) -> None:
    """An attacker that is thrown out of a hex has not moved through it."""
    case = lay("2816 I1:6; 2815 i1:6", dice=dice)
    case.march("I1", "2815", ChoosePlan("standard")).answer(
        *([retreat("2815 2814 2813")] if at == "2813" else [])
    ).rest()
    assert case.at("i1") == at
    assert [case.holder(hex_) for hex_ in ("2816", "2815", "2814", "2813")] == holders


@pytest.mark.rule("AGC-4.3.1d", "DM-2.10a")
def test_a_converted_line_carries_supply_at_once(lay: Lay) -> None:
    taken = {"german": "2815 2814 2813 2812 2811 2810"}
    case = lay(
        "2812 I1:6!", phase="strategic", control=taken, dice="rail 6", tweak=lambda state: state.converted.sort()
    )
    case.until(lambda case: case.asks(ExtendRail)).submit(ExtendRail(["2815", "2814", "2813"]))
    case.to_phase("german.operations").go(activate("I1"))
    assert case.allows(Rally())
    case.rest()


@pytest.mark.rule("DM-2.10d")
def test_supply_is_looked_at_when_it_is_needed(lay: Lay) -> None:
    """The railway is cut in the same activation in which the combat is: the check is of that moment."""
    case = lay("2816 I1:6; 2815 i1:6; 2820 i2:1", dice="attack 1; defence 6")
    case.march("I1", "2815", ChoosePlan("standard")).rest()
    assert total(case.one(events.CombatResolved).attack_modifiers) == -2


# --- corners ---


@pytest.mark.rule("R-DM-36", "AGC-4.3.2b")
def test_who_stands_on_a_source_is_supplied_without_a_railway(lay: Lay) -> None:
    control = {"german": " ".join(row(28, 15))}
    assert supplied(lay, "2510", "soviet", city="2510", control=control)
    assert not supplied(lay, "2510", "soviet", control=control)


@pytest.mark.rule("AGC-4.3.1c", "DM-2.9a")
def test_a_recaptured_railway_is_still_converted(lay: Lay) -> None:
    case = lay("2614 I1:6; 2816 i1:6", dice="attack *; defence *")
    assert case.holder("2816") == "soviet"
    assert "2816" in case.state.converted
    case.march("I1", "2715 2815 2816").rest()
    assert "2816" in case.state.converted


@pytest.mark.rule("AGC-4.3.2a", "AGC-4.3.1c")
@pytest.mark.parametrize(("hex_", "has"), [("2820", True), ("2822", False)])
def test_converted_rails_do_not_serve_the_soviets(lay: Lay, hex_: str, has: bool) -> None:
    """A force on a stretch that it took back traces five hexes across country, not along the rails."""
    control = {"soviet": " ".join(row(28, int(hex_[2:]), 16))}
    assert supplied(lay, hex_, "soviet", control=control) == has


@pytest.mark.rule("DM-2.10a", "AGC-4.3.1a")
def test_the_way_across_country_may_lead_through_soviet_hexes(lay: Lay) -> None:
    """Control matters on the railway alone."""
    assert supplied(lay, "2615", control={"soviet": "2715 2716"})


# The railway of the small map runs along row 28. It is German and converted from column 16 westwards.


@pytest.mark.rule("AGC-4.3.1a", "DM-2.10a")
def test_a_german_line_is_three_hexes_long_off_the_railway(lay: Lay) -> None:
    state = lay("2518 I1; 2418 I2").state
    assert supply_line(state, GERMAN, "2518").path == ("2518", "2617", "2717", "2816")
    assert supply_line(state, GERMAN, "2518").rail_path[0] == "2816"
    assert supply_line(state, GERMAN, "2518").rail_path[-1] == "2830"
    assert not has_supply_line(state, GERMAN, "2418")
    assert supply_line(state, GERMAN, "2418").blocked == (), "nothing blocks: it is too far"


@pytest.mark.rule("AGC-4.3.2a", "AGC-4.3.2c")
@pytest.mark.parametrize("turn", [3, 12])
def test_a_soviet_line_is_five_hexes_long_all_the_year(lay: Lay, turn: int) -> None:
    state = lay("2308 i1; 2208 i2", turn=turn).state
    line = supply_line(state, SOVIET, "2308")
    assert (len(line.path), line.rail_path[-1]) == (6, "2801")
    assert not has_supply_line(state, SOVIET, "2208")


@pytest.mark.rule("R-DM-36")
def test_no_length_at_all_on_the_railway_and_on_a_source(lay: Lay) -> None:
    state = lay("2820 I1; 2806 i1; 3505 i2; 3601 i3; 3506 i4", city="3505").state
    assert supply_line(state, GERMAN, "2820").path == ("2820",)
    assert supply_line(state, SOVIET, "2806").path == ("2806",)
    assert supply_line(state, SOVIET, "3505") == (True, ("3505",), ("3505",), ())
    assert has_supply_line(state, SOVIET, "3601"), "it stands on the east edge"
    assert not has_supply_line(state, SOVIET, "3506"), "beside a city without railway there is none"


# --- railways and sources ---


@pytest.mark.rule("AGC-4.3.1c", "AGC-4.3.1a")
def test_unconverted_rail_does_not_serve_the_germans(lay: Lay) -> None:
    case = lay("2811 I1", control={GERMAN: "2815 2814 2813 2812 2811"})
    state = case.state
    line = supply_line(state, GERMAN, "2811")
    assert not line.supplied
    assert dict(line.blocked) == {f"28{place:02}": RAIL for place in (8, 9, 10, 12, 13, 14)}, "what rail is in reach"
    state.converted = sorted([*state.converted, "2815"])
    assert not has_supply_line(state, GERMAN, "2811")
    state.converted = sorted([*state.converted, "2814"])
    assert supply_line(state, GERMAN, "2811").path == ("2811", "2812", "2813", "2814")


@pytest.mark.rule("AGC-4.3.1c")
def test_a_unit_on_unconverted_rail_goes_across_country_to_the_railhead(lay: Lay) -> None:
    line = supply_line(lay("2815 I1").state, GERMAN, "2815")
    assert line.path == ("2815", "2816")
    assert line.rail_path[:2] == ("2816", "2817")


@pytest.mark.rule("AGC-4.3.1a", "DM-2.9d")
def test_rail_under_enemy_control_does_not_serve(lay: Lay) -> None:
    state = lay("2816 I1", control={SOVIET: "2822"}).state
    assert not has_supply_line(state, GERMAN, "2816")
    assert has_supply_line(state, GERMAN, "2823")


@pytest.mark.rule("AGC-4.3.2a", "AGC-4.3.2b")
def test_the_soviets_require_unconverted_rail(lay: Lay) -> None:
    state = lay("2812 i1").state
    assert has_supply_line(state, SOVIET, "2812")
    state.converted = sorted([*state.converted, *(f"28{place:02}" for place in range(3, 16))])
    assert not has_supply_line(state, SOVIET, "2812")
    assert has_supply_line(state, SOVIET, "2807"), "five hexes from there to 2802"


@pytest.mark.rule("AGC-4.3.2b")
def test_a_city_is_a_source_while_it_is_friendly(lay: Lay) -> None:
    state = lay("2813 i1", city="2810", control={GERMAN: "2808"}).state
    assert supply_line(state, SOVIET, "2813").rail_path == ("2813", "2812", "2811", "2810")
    state.control["2810"] = GERMAN
    assert not has_supply_line(state, SOVIET, "2813"), "it is six hexes to 2807"


@pytest.mark.rule("AGC-1.3a", "AGC-1.3e")
def test_cities_outside_the_area_are_not_sources(stage: Stage) -> None:
    state = stage("2811 s-4rc").state
    board = state.board
    outside = [hex_ for hex_ in board.hexmap.hexes_with("city") if hex_ not in board.area]
    assert {"3907", "3815", "2119"} <= set(outside)
    assert not [hex_ for hex_ in outside if is_supply_source(state, SOVIET, hex_)]
    assert not set(outside) & set(rail_sources(state, SOVIET))
    assert not set(outside) & set(board.sources["soviet"])
    assert {"2702", "2811", "2819"} <= set(board.sources["soviet"])


@pytest.mark.rule("R-DM-74", "DM-2.10c")
def test_german_cities_are_sources_by_the_series_only(lay: Lay) -> None:
    for token, supplied in (("agc_replaces_core", False), ("both", True)):
        state = lay("2311 I1; 2312 I2", city="2314", los_core_vs_agc=token, control={GERMAN: "2314"}).state
        assert has_supply_line(state, GERMAN, "2311") is supplied
        state.control["2314"] = SOVIET
        assert not has_supply_line(state, GERMAN, "2311")


# --- what cuts it ---


@pytest.mark.rule("DM-2.10a", "DM-2.5c", "R-DM-75")
def test_enemies_and_their_zones_cut_both_parts(lay: Lay) -> None:
    state = lay("2816 I1; 2618 I2; 2923 i1").state
    assert not has_supply_line(state, GERMAN, "2816")
    assert set(supply_line(state, GERMAN, "2816").blocked) >= {("2822", ZONE)}
    state = lay("2816 I1; 2822 i1!").state
    blocked = dict(supply_line(state, GERMAN, "2816").blocked)
    assert blocked["2822"] == ENEMY
    assert ZONE not in blocked.values(), "a demoralised force has no zone"


@pytest.mark.rule("DM-2.10b", "R-DM-38")
def test_a_friendly_force_cancels_zones_in_its_own_hex(lay: Lay) -> None:
    soviet = "2923 i1; 2723 i2"
    assert not has_supply_line(lay(german="2816 I1", soviet=soviet).state, GERMAN, "2816")
    assert not has_supply_line(lay(german="2816 I1; 2822 I2", soviet=soviet).state, GERMAN, "2816")
    friends = "2816 I1; 2822 I2!; 2823 I3"
    assert has_supply_line(lay(german=friends, soviet=soviet).state, GERMAN, "2816"), "even a demoralised one"


@pytest.mark.rule("AGC-4.6.1b")
def test_on_turn_1_soviet_zones_cut_nothing(lay: Lay) -> None:
    state = lay("2816 I1; 2923 i1", turn=1).state
    assert has_supply_line(state, GERMAN, "2816")
    state.turn = 2
    assert not has_supply_line(state, GERMAN, "2816"), "nobody has moved, but now they are awake"


@pytest.mark.rule("R-DM-37")
def test_forces_in_the_combat_hex_may_be_left_out(lay: Lay) -> None:
    state = lay("2816 I1; 2815 I2; 2815 i1").state
    for side in (GERMAN, SOVIET):
        assert has_supply_line(state, side, "2815", ignoring=("2815",))
    assert not has_supply_line(state, SOVIET, "2815"), "all six hexes lie in the zone of I2"
    assert has_supply_line(state, GERMAN, "2815"), "I1 cancels the zone in 2816"
    state.units["I1"].hex = "2813"
    assert not has_supply_line(state, GERMAN, "2815")


# --- ways of any length ---


@pytest.mark.rule("DM-10.0b", "R-DM-23")
def test_the_way_out_needs_no_railway(lay: Lay) -> None:
    options = {"exclusive_sources_any_length": True, "rail_needed": False}
    for token, reaches in options.items():
        state = lay("2204 I1", surrender_sources=token, control={SOVIET: "2830 2829"}).state
        assert not has_supply_line(state, GERMAN, "2204")
        assert reaches_source(state, GERMAN, "2204") is reaches


RING = "2910 I1; 2710 I2; 2812 I3"
"""Around 2810: their zones cover all six hexes."""


@pytest.mark.rule("DM-10.0b", "DM-10.0c")
def test_zones_all_around_leave_no_way_out(lay: Lay) -> None:
    soviet = "2810 i1"
    assert not reaches_source(lay(german=RING, soviet=soviet).state, SOVIET, "2810")
    assert reaches_source(lay(german="2910 I1!; 2710 I2!; 2812 I3", soviet=soviet).state, SOVIET, "2810")
    friend = f"{soviet}; 2809 i2; 2808 i3"
    assert reaches_source(lay(german=RING, soviet=friend).state, SOVIET, "2810")


@pytest.mark.rule("AGC-5.0b", "R-DM-76", "C-DM-05")
def test_moscow_is_isolated_by_zones_whatever_the_railways(stage: Stage) -> None:
    ring = "2602 g-3pz; 2802 g-4pz; 2703 g-10pz"
    assert not is_isolated(stage("2802 g-3pz").state, SOVIET)
    assert is_isolated(stage(f"{ring}; 2701 g-17pz").state, SOVIET)
    assert is_isolated(stage(f"{ring}; 2601 g-17pz; 2801 g-18pz").state, SOVIET)
    cancelled = stage(f"{ring}; 2601 g-17pz; 2801 g-18pz; 2701 s-4rc").state
    assert not is_isolated(cancelled, SOVIET), "a force on the way cancels the zones in its hex"


# --- surrender ---


@pytest.mark.rule("DM-10.0a", "DM-10.0b")
def test_only_who_is_cut_off_and_pressed_surrenders(lay: Lay) -> None:
    rail = {GERMAN: "2815 2814 2813 2812"}
    state = lay(german=RING, soviet="2810 i1; 2601 i2", side=SOVIET, control=rail).state
    assert surrendering(state, SOVIET) == {}, "none of the enemies is supplied"
    state.converted = sorted([*state.converted, "2815", "2814", "2813", "2812"])
    assert surrendering(state, SOVIET) == {}, "I3 is supplied, but two hexes away"
    state.units["I3"].hex = "2811"
    assert surrendering(state, SOVIET) == {"2810": ["i1"]}
    state.units["I3"].demoralized = True
    assert surrendering(state, SOVIET) == {}


# --- against an oracle ---


def oracle(state: DamosState, side: str, ignoring: Collection[str] = ()) -> tuple[nx.Graph, nx.Graph, set[str]]:
    """Return the graphs of land and of usable railways, and what is closed, computed afresh from the rules."""
    board, enemy = state.board, OTHER[side]
    on_map = [unit for unit in state.units.values() if unit.hex]
    enemies = {unit.hex for unit in on_map if unit.side == enemy and unit.hex not in ignoring}
    friends = {unit.hex for unit in on_map if unit.side == side}
    steady = {unit.hex for unit in on_map if unit.side == enemy and not unit.demoralized and unit.hex not in ignoring}
    zone = {near for hex_ in steady for near in board.around[hex_]}
    closed = enemies | (zone - friends)
    ground = {*board.area, *(hex_ for hex_, holder in board.home.items() if holder == GERMAN)}
    land, rails = nx.Graph(), nx.Graph()
    land.add_nodes_from(ground)
    for hex_ in ground:
        for near in board.around[hex_]:
            if near in ground:
                land.add_edge(hex_, near)
                if "rail" in board.hexmap.side_of(hex_, near):
                    rails.add_edge(hex_, near)
    own = {
        hex_
        for hex_ in rails
        if state.control[hex_] == side and (hex_ in state.converted) == (side == GERMAN) and hex_ not in closed
    }
    return land, rails.subgraph(own), closed


def source_hexes(state: DamosState, side: str) -> set[str]:
    board = state.board
    if side == GERMAN:
        return {hex_ for hex_ in board.hexmap.numbers if hex_.endswith("30")}
    cities = {*board.hexmap.hexes_with("city"), *board.hexmap.hexes_with("major_city")}
    friendly = {hex_ for hex_ in cities & board.area if state.control[hex_] == SOVIET and board.home[hex_] == SOVIET}
    return friendly | {hex_ for hex_ in board.area if hex_.endswith("01")}


def expected(state: DamosState, side: str, ignoring: Collection[str] = ()) -> set[str]:
    """Return every hex with a supply line."""
    land, rails, closed = oracle(state, side, ignoring)
    sources = source_hexes(state, side)
    length = 5 if side == SOVIET else 2 if state.turn >= 9 else 3
    served: set[str] = {hex_ for part in nx.connected_components(rails) if part & sources for hex_ in part}
    ways = land.subgraph([hex_ for hex_ in land if hex_ not in closed])
    near: dict[str, int] = (
        nx.multi_source_dijkstra_path_length(ways, served & set(ways), cutoff=length) if served else {}
    )
    found: set[str] = (sources & state.board.area) | set(near)
    for hex_ in set(land) & closed:  # where a unit stands is not asked
        if any(near.get(each, length) < length for each in land[hex_]):
            found.add(hex_)
    return found


def hexes_supplied(state: DamosState, side: str) -> set[str]:
    """Return every hex in which a force of a side would have a supply line."""
    return {hex_ for hex_ in state.board.hexmap.numbers if has_supply_line(state, side, hex_)}


@pytest.mark.rule("AGC-4.3.1a", "AGC-4.3.1b", "AGC-4.3.2a", "AGC-4.3.2b", "DM-2.10a", "DM-2.10b", "R-DM-75")
@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("side", [GERMAN, SOVIET])
def test_supply_of_the_whole_map_is_the_oracles(seed: int, side: str) -> None:
    state = scattered(seed)
    wanted = expected(state, side)
    assert hexes_supplied(state, side) == wanted


@pytest.mark.rule("R-DM-37")
@pytest.mark.parametrize("seed", range(6))
def test_with_a_combat_hex_left_out_as_well(seed: int) -> None:
    state = scattered(seed)
    for side in (GERMAN, SOVIET):
        combat = sorted({unit.hex for unit in state.units.values() if unit.hex and unit.side != side})[seed]
        wanted = expected(state, side, [combat])
        assert has_supply_line(state, side, combat, [combat]) is (combat in wanted)


@pytest.mark.full
@pytest.mark.rule("AGC-4.3.1a", "AGC-4.3.2a")
@pytest.mark.parametrize("seed", range(6))
def test_every_line_that_is_shown_is_one_and_every_frontier_blocks(seed: int) -> None:
    state = scattered(seed)
    board = state.board
    for side in (GERMAN, SOVIET):
        _, rails, closed = oracle(state, side)
        length = supply_length(state, side)
        for hex_ in sorted(board.area):
            line = supply_line(state, side, hex_)
            if not line.supplied:
                assert not line.path
                assert not line.rail_path
                for each, why in line.blocked:
                    assert why == RAIL or each in closed
                continue
            assert line.path[0] == hex_
            assert line.path[-1] == line.rail_path[0]
            assert len(line.path) - 1 <= length
            assert line.rail_path[-1] in source_hexes(state, side)
            assert not set(line.path[1:]) & closed
            assert all(near in board.around[here] for here, near in pairwise(line.path))
            if len(line.rail_path) > 1 or len(line.path) > 1:
                assert all(rails.has_edge(here, near) for here, near in pairwise(line.rail_path))
                assert line.rail_path[0] in rails


@pytest.mark.full
@pytest.mark.rule("DM-10.0b", "DM-10.0c", "R-DM-23")
@pytest.mark.parametrize("seed", range(8))
def test_ways_of_any_length_are_the_oracles(seed: int) -> None:
    for reading in ("exclusive_sources_any_length", "rail_needed"):
        state = scattered(seed, surrender_sources=reading)
        for side in (GERMAN, SOVIET):
            land, rails, closed = oracle(state, side)
            sources = source_hexes(state, side) & state.board.area
            ends = sources - closed
            if reading == "rail_needed":
                served = source_hexes(state, side)
                ends = {hex_ for part in nx.connected_components(rails) if part & served for hex_ in part}
            open_ = land.subgraph([hex_ for hex_ in land if hex_ not in closed])
            safe = {hex_ for part in nx.connected_components(open_) if part & ends for hex_ in part}
            for hex_ in sorted(state.board.area):
                wanted = hex_ in sources or hex_ in safe or bool(safe & set(state.board.around[hex_]))
                assert reaches_source(state, side, hex_) is wanted, (side, hex_)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(4))
def test_after_any_change_the_answer_is_the_same_as_afresh(seed: int) -> None:
    state = scattered(seed)
    hexes = sorted(state.board.area)
    for number, unit_id in enumerate(sorted(state.units)[:24]):
        unit = state.units[unit_id]
        unit.hex = hexes[(number * 37 + seed * 11) % len(hexes)]
        unit.demoralized = number % 5 == 0
        if number % 3 == 0:
            state.control[unit.hex] = unit.side
        if number % 4 == 0:
            state.converted = state.converted[:-1]
        for side in (GERMAN, SOVIET):
            assert hexes_supplied(state, side) == expected(state, side)


# --- work ---


@pytest.mark.full
def test_supply_is_known_again_with_little_work_after_a_move() -> None:
    state = scattered(3, most=150)
    hexes = sorted(state.board.area)
    moved = [unit for unit in state.units.values() if unit.hex]
    work: list[int] = []
    for number, unit in enumerate(moved):
        for side in (GERMAN, SOVIET):
            has_supply_line(state, side, hexes[0])
        near = state.board.around[unit.hex] if unit.hex else hexes
        unit.hex = near[number % len(near)]
        state.control[unit.hex] = unit.side
        work += [lines_run(partial(has_supply_line, state, side, hexes[0])) for side in (GERMAN, SOVIET)]
    assert sorted(work)[len(work) * 95 // 100] < 12_000  # counted 3,400
