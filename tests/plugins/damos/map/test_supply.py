"""Supply lines, control and railways (DM-2.9, DM-2.10, AGC-4.3)."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.plugins.damos.cases import activate, retreat, total
from tests.plugins.damos.conftest import Lay, Stage
from tests.plugins.damos.positions import GERMAN, SOVIET, row

from damos.map.rails import is_supply_source, rail_sources
from damos.map.supply import ENEMY, RAIL, ZONE, has_supply_line, is_isolated, reaches_source, supply_line
from damos.model import events
from damos.model.orders import ChoosePlan, ExtendRail, Rally
from damos.model.state import DamosState
from damos.turn.strategic import surrendering


def supplied(lay: Lay, hex_: str, side: str = "german", **more: Any) -> bool:
    """Return whether a demoralized force of a side has a supply line, which means that it may rally.

    ``friends`` and ``enemies`` are further units.
    """
    own = f"{hex_} {'I' if side == 'german' else 'i'}1:6!; {more.pop('friends', '')}"
    other = more.pop("enemies", "")
    sides = {"german": own, "soviet": other} if side == "german" else {"german": other, "soviet": own}
    case = lay(**sides, side=side, **more).go(activate("I1" if side == "german" else "i1"))
    found = case.allows(Rally())
    case.rest()
    return found


# --- length ---


def swap(hex_: str) -> Callable[[DamosState], None]:
    """Return a change of the opening: convert a rail hex, or undo its conversion."""
    return lambda state: setattr(state, "converted", sorted({hex_} ^ set(state.converted)))


CUT: dict[str, Any] = {"control": {"german": "2805"}}
"""The railway to the east is cut."""
ALL_RAIL: dict[str, Any] = {"control": {"german": " ".join(row(28, 15))}}
WEST: dict[str, Any] = {
    "control": {"german": "2805", "soviet": " ".join(row(28, 23, 16))}, "tweak": lambda state: state.converted.clear(),
}  # fmt: skip
CITIES = [("3515", "3514"), ("2311", "2314")]
SUPPLIED: dict[str, list[tuple[str, str, dict[str, Any], bool]]] = {
    "a German line has three hexes to the railway, and two in winter (AGC-4.3.1a, AGC-4.3.1b)": [
        *[("german", hex_, {}, hex_ != "3220") for hex_ in ("2820", "2920", "3120", "2520", "3220")],
        *[("german", "3120", {"turn": turn}, turn < 9) for turn in (8, 9, 12)],
        *[("german", "3020", {"turn": turn}, True) for turn in (9, 12)],
    ],
    "a Soviet line has five hexes in every season (AGC-4.3.2a, AGC-4.3.2c)": [
        *[("soviet", hex_, {}, hex_ != "3410") for hex_ in ("2810", "3110", "3310", "3410")],
        *[("soviet", "3310", {"turn": turn}, True) for turn in (9, 12)],
    ],
    # From 3121 the paths of three hexes to row 28 lead by 3021 or 3022.
    "enemies and their zones block a line, a demoralized enemy blocks its hex (DM-2.10a, DM-2.5e)": [
        ("german", "3121", {}, True), ("german", "3121", {"enemies": "3020 i1:6; 3022 i2:6"}, False),
        ("german", "3121", {"enemies": "3018 i1:6!; 3024 i2:6!"}, True),
        ("german", "3121", {"enemies": "2921 i1:6; 3023 i2:6; 3019 i3:6"}, False),
        ("german", "3121", {"enemies": "2921 i1:6!; 3023 i2:6!; 3019 i3:6!"}, True),
    ],
    "only an occupied major city keeps zones out (DM-2.5b)": [
        *[("german", "2816", {"enemies": "2815 i1:6", kind: "2816"}, kind == "major")
          for kind in ("major", "city", "forest")],
        ("german", "2816", {"enemies": "2815 i1:6", "river": "2815/2816"}, False),
    ],
    "a railway carries supply if it is held and has the own gauge (AGC-4.3.1c, AGC-4.3.2a, DM-2.9d)": [
        ("german", "2820", {}, True), ("german", "2820", {"control": {"soviet": "2825"}}, False),
        ("german", "2820", {"tweak": swap("2825")}, False), ("soviet", "2810", {}, True),
        ("soviet", "2810", {"control": {"german": "2805"}}, False), ("soviet", "2810", {"tweak": swap("2805")}, False),
    ],
    "enemies and their zones cut a railway (R-DM-75)": [
        ("german", "2820", {"enemies": "2725 i1:6"}, False), ("german", "2820", {"enemies": "2725 i1:6!"}, True),
        ("german", "2820", {"enemies": "2825 i1:6!", "control": {"german": "2825"}}, False),
        ("german", "2820", {"enemies": "2725 i1:6", "friends": "2825 I2:6; 2824 I3:6; 2826 I4:6"}, True),
    ],
    "a friendly city in Russia is a Soviet source, and a German source only by option (AGC-4.3.2b, R-DM-74)": [
        ("soviet", "2810", {"city": "2808"} | CUT, True), ("soviet", "2810", {"major": "2808"} | CUT, True),
        ("soviet", "2810", {"city": "2808", "control": {"german": "2805 2808"}}, False),
        ("soviet", "2810", {"town": "2808"} | CUT, False), ("soviet", "2820", {"city": "2823"} | WEST, False),
        *[("german", hex_, {"city": city, "los_core_vs_agc": option, "control": {holder: city}}, has)
          for hex_, city in CITIES
          for option, holder, has in (("agc_replaces_core", "german", False), ("both", "german", True),
                                      ("both", "soviet", False))],
    ],
    "a force on a source requires no railway (R-DM-36)": [
        ("soviet", "2510", {"city": "2510"} | ALL_RAIL, True), ("soviet", "2510", ALL_RAIL, False),
    ],
    # A force on a recaptured stretch traces five hexes across country, not along the rails.
    "converted rails do not serve the Soviets (AGC-4.3.1c)": [
        ("soviet", hex_, {"control": {"soviet": " ".join(row(28, int(hex_[2:]), 16))}}, hex_ == "2820")
        for hex_ in ("2820", "2822")
    ],
    "a line across country may pass through enemy hexes (DM-2.10a)": [
        ("german", "2615", {"control": {"soviet": "2715 2716"}}, True),
    ],
}  # fmt: skip
"""Forces with and without supply by rule: side, hex, options and terrain."""


@pytest.mark.rule("AGC-1.3e", "AGC-4.3.1a", "AGC-4.3.1b", "AGC-4.3.1c", "AGC-4.3.2a", "AGC-4.3.2b", "AGC-4.3.2c")
@pytest.mark.rule("DM-2.5a", "DM-2.5b", "DM-2.5c", "DM-2.5e", "DM-2.9d", "DM-2.10a", "DM-2.10c")
@pytest.mark.rule("R-DM-36", "R-DM-60", "R-DM-74", "R-DM-75")
@pytest.mark.parametrize(("side", "hex_", "more", "has"), [
    pytest.param(*each, id=f"{rule} {number}") for rule, rows in SUPPLIED.items() for number, each in enumerate(rows, 1)
])  # fmt: skip
def test_a_force_has_supply_by_its_rule(lay: Lay, side: str, hex_: str, more: dict[str, Any], has: bool) -> None:
    assert supplied(lay, hex_, side, **more) == has


@pytest.mark.rule("R-DM-60", "AGC-4.3.1b")
@pytest.mark.parametrize(("turn", "has"), [(9, True), (10, False)])
def test_winter_begins_a_turn_later_if_the_game_starts_in_june(lay: Lay, turn: int, has: bool) -> None:
    assert supplied(lay, "3120", turn=turn, calendar="t1_22_june") == has
    assert has_supply_line(lay("2518 I1", turn=turn, calendar="t1_22_june").state, GERMAN, "2518") == has


# --- blocked lines ---


@pytest.mark.rule("DM-2.10b", "R-DM-38")
def test_a_force_in_an_enemy_zone_may_trace_from_its_hex(lay: Lay) -> None:
    """A force cannot rally in a zone, so a combat shows that its own hex does not cut it off."""
    case = lay("2816 I1:6; 2815 i1:6; 2717 i9:1", dice="attack 1; defense 6").attack("I1", "2815")
    assert total(case.one(events.CombatResolved).attack_modifiers) == -2


@pytest.mark.rule("R-DM-37")
@pytest.mark.parametrize(("option", "attack", "defense"), [("combatants_cancel", 0, 0), ("strict", -2, -1)])
def test_forces_in_a_combat_do_not_cut_each_other_off_by_option(
    lay: Lay, option: str, attack: int, defense: int
) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice="attack 1; defense 6", los_in_combat_hex=option).attack("I1", "2815")
    result = case.one(events.CombatResolved)
    assert total(result.attack_modifiers) == attack
    assert total(result.defense_modifiers) == defense


# --- control ---


@pytest.mark.rule("DM-2.9a", "DM-2.9b", "DM-2.9c", "DM-2.9d")
@pytest.mark.parametrize(("dice", "at", "holders"), [
    ("attack 6; defense 1", "2813", ["german", "german", "soviet", "soviet"]),
    ("attack 1; defense 6", "2815", ["german", "soviet", "soviet", "soviet"]),
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
    case.until(lambda case: case.accepts(ExtendRail)).submit(ExtendRail(["2815", "2814", "2813"]))
    case.to_phase("german.operations").go(activate("I1"))
    assert case.allows(Rally())


@pytest.mark.rule("DM-2.10d")
def test_supply_is_checked_when_it_is_required(lay: Lay) -> None:
    """The railway is cut in the activation in which the combat takes place."""
    case = lay("2816 I1:6; 2815 i1:6; 2820 i2:1", dice="attack 1; defense 6")
    case.march("I1", "2815", ChoosePlan("standard")).rest()
    assert total(case.one(events.CombatResolved).attack_modifiers) == -2


# --- special cases ---


@pytest.mark.rule("AGC-4.3.1c", "DM-2.9a")
def test_a_recaptured_railway_is_still_converted(lay: Lay) -> None:
    case = lay("2614 I1:6; 2816 i1:6", dice="attack *; defense *")
    assert case.holder("2816") == "soviet"
    assert "2816" in case.state.converted
    case.march("I1", "2715 2815 2816").rest()
    assert "2816" in case.state.converted


# The railway of the small map runs along row 28. It is German and converted from column 16 westwards.


@pytest.mark.rule("AGC-4.3.1a", "DM-2.10a")
def test_a_german_line_has_three_hexes_to_the_railway(lay: Lay) -> None:
    state = lay("2518 I1; 2418 I2").state
    assert supply_line(state, GERMAN, "2518").path == ("2518", "2617", "2717", "2816")
    assert supply_line(state, GERMAN, "2518").rail_path[0] == "2816"
    assert supply_line(state, GERMAN, "2518").rail_path[-1] == "2830"
    assert not has_supply_line(state, GERMAN, "2418")
    assert supply_line(state, GERMAN, "2418").blocked == (), "nothing blocks the line: it is too long"


@pytest.mark.rule("AGC-4.3.2a", "AGC-4.3.2c")
@pytest.mark.parametrize("turn", [3, 12])
def test_a_soviet_line_has_five_hexes_in_every_season(lay: Lay, turn: int) -> None:
    state = lay("2308 i1; 2208 i2", turn=turn).state
    line = supply_line(state, SOVIET, "2308")
    assert (len(line.path), line.rail_path[-1]) == (6, "2801")
    assert not has_supply_line(state, SOVIET, "2208")


@pytest.mark.rule("R-DM-36")
def test_a_line_on_a_railway_or_a_source_has_no_length(lay: Lay) -> None:
    state = lay("2820 I1; 2806 i1; 3505 i2; 3601 i3; 3506 i4", city="3505").state
    assert supply_line(state, GERMAN, "2820").path == ("2820",)
    assert supply_line(state, SOVIET, "2806").path == ("2806",)
    assert supply_line(state, SOVIET, "3505") == (True, ("3505",), ("3505",), ())
    assert has_supply_line(state, SOVIET, "3601"), "it is on the east edge"
    assert not has_supply_line(state, SOVIET, "3506"), "no line: it is next to a city without a railway"


# --- railways and sources ---


@pytest.mark.rule("AGC-4.3.1c", "AGC-4.3.1a")
def test_unconverted_rail_does_not_serve_the_germans(lay: Lay) -> None:
    case = lay("2811 I1", control={GERMAN: "2815 2814 2813 2812 2811"})
    state = case.state
    line = supply_line(state, GERMAN, "2811")
    assert not line.supplied
    assert dict(line.blocked) == {f"28{place:02}": RAIL for place in (8, 9, 10, 12, 13, 14)}, "the rail within reach"
    state.converted = sorted([*state.converted, "2815"])
    assert not has_supply_line(state, GERMAN, "2811")
    state.converted = sorted([*state.converted, "2814"])
    assert supply_line(state, GERMAN, "2811").path == ("2811", "2812", "2813", "2814")


@pytest.mark.rule("AGC-4.3.1c")
def test_a_unit_on_unconverted_rail_traces_to_the_railhead(lay: Lay) -> None:
    line = supply_line(lay("2815 I1").state, GERMAN, "2815")
    assert line.path == ("2815", "2816")
    assert line.rail_path[:2] == ("2816", "2817")


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


# --- interrupted lines ---


@pytest.mark.rule("DM-2.10a", "DM-2.10b", "DM-2.5c", "R-DM-38", "R-DM-75")
def test_a_blocked_line_names_enemies_and_zones(lay: Lay) -> None:
    state = lay("2816 I1; 2618 I2; 2923 i1").state
    assert not has_supply_line(state, GERMAN, "2816")
    assert set(supply_line(state, GERMAN, "2816").blocked) >= {("2822", ZONE)}
    blocked = dict(supply_line(lay("2816 I1; 2822 i1!").state, GERMAN, "2816").blocked)
    assert blocked["2822"] == ENEMY
    assert ZONE not in blocked.values(), "a demoralized force has no zone"


@pytest.mark.rule("DM-2.10b", "R-DM-38")
@pytest.mark.parametrize(("hex_", "enemies", "friends", "has"), [
    ("2816", "2923 i1; 2723 i2", "", False), ("2816", "2923 i1; 2723 i2", "2822 I2", False),
    ("2816", "2923 i1; 2723 i2", "2822 I2!; 2823 I3", True), ("3120", "2819 i2; 2922 i3", "", False),
    ("3120", "2819 i2; 2922 i3", "2921 I2; 2821 I3; 2822 I4", True),
])  # fmt: skip
def test_a_friendly_force_cancels_zones_in_its_hex(lay: Lay, hex_: str, enemies: str, friends: str, has: bool) -> None:
    state = lay(german=f"{hex_} I1!; {friends}", soviet=enemies).state
    assert has_supply_line(state, GERMAN, hex_) == has


@pytest.mark.rule("R-DM-37")
def test_forces_in_a_combat_hex_can_be_ignored(lay: Lay) -> None:
    state = lay("2816 I1; 2815 I2; 2815 i1").state
    for side in (GERMAN, SOVIET):
        assert has_supply_line(state, side, "2815", ignoring=("2815",))
    assert not has_supply_line(state, SOVIET, "2815"), "I2 has a zone in all six hexes"
    assert has_supply_line(state, GERMAN, "2815"), "I1 cancels the zone in 2816"
    state.units["I1"].hex = "2813"
    assert not has_supply_line(state, GERMAN, "2815")


# --- paths of any length ---


@pytest.mark.rule("DM-10.0b", "R-DM-23")
def test_a_path_of_any_length_requires_rail_only_by_option(lay: Lay) -> None:
    options = {"exclusive_sources_any_length": True, "rail_needed": False}
    for token, reaches in options.items():
        state = lay("2204 I1", surrender_sources=token, control={SOVIET: "2830 2829"}).state
        assert not has_supply_line(state, GERMAN, "2204")
        assert reaches_source(state, GERMAN, "2204") is reaches


RING = "2910 I1; 2710 I2; 2812 I3"
"""Germans around 2810 whose zones cover all six hexes."""


@pytest.mark.rule("DM-10.0b", "DM-10.0c")
def test_zones_on_all_sides_leave_no_path_to_a_source(lay: Lay) -> None:
    soviet = "2810 i1"
    assert not reaches_source(lay(german=RING, soviet=soviet).state, SOVIET, "2810")
    assert reaches_source(lay(german="2910 I1!; 2710 I2!; 2812 I3", soviet=soviet).state, SOVIET, "2810")
    friend = f"{soviet}; 2809 i2; 2808 i3"
    assert reaches_source(lay(german=RING, soviet=friend).state, SOVIET, "2810")


@pytest.mark.rule("AGC-5.0b", "R-DM-76", "C-DM-05")
def test_zones_isolate_moscow_regardless_of_railways(stage: Stage) -> None:
    ring = "2602 g-3pz; 2802 g-4pz; 2703 g-10pz"
    assert not is_isolated(stage("2802 g-3pz").state, SOVIET)
    assert is_isolated(stage(f"{ring}; 2701 g-17pz").state, SOVIET)
    assert is_isolated(stage(f"{ring}; 2601 g-17pz; 2801 g-18pz").state, SOVIET)
    cancelled = stage(f"{ring}; 2601 g-17pz; 2801 g-18pz; 2701 s-4rc").state
    assert not is_isolated(cancelled, SOVIET), "a force on the path cancels the zones in its hex"


# --- surrender ---


@pytest.mark.rule("DM-10.0a", "DM-10.0b")
def test_only_a_force_cut_off_beside_a_supplied_enemy_surrenders(lay: Lay) -> None:
    rail = {GERMAN: "2815 2814 2813 2812"}
    state = lay(german=RING, soviet="2810 i1; 2601 i2", side=SOVIET, control=rail).state
    assert surrendering(state, SOVIET) == {}, "no enemy is supplied"
    state.converted = sorted([*state.converted, "2815", "2814", "2813", "2812"])
    assert surrendering(state, SOVIET) == {}, "I3 is supplied, but two hexes away"
    state.units["I3"].hex = "2811"
    assert surrendering(state, SOVIET) == {"2810": ["i1"]}
    state.units["I3"].demoralized = True
    assert surrendering(state, SOVIET) == {}
