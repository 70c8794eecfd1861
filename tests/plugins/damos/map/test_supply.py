"""Lines of supply, control and railways: 2.9, 2.10, and 4.3 of the exclusive rules, as play shows them."""

from collections.abc import Collection
from functools import partial
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest
from tests.plugins.damos.cases import Case, activate, retreat
from tests.plugins.damos.conftest import Lay, Stage
from tests.plugins.damos.positions import GERMAN, SOVIET
from tests.plugins.damos.scattered import OTHER, scattered
from work import lines_run

from damos.map.rails import is_supply_source, rail_sources, supply_length
from damos.map.supply import ENEMY, RAIL, ZONE, has_supply_line, is_isolated, reaches_source, supply_line
from damos.model import events
from damos.model.orders import ChoosePlan, EndActivation, ExtendRail, Rally, Replace
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


@pytest.mark.rule("AGC-4.3.1a", "DM-2.10a", "R-DM-36")
@pytest.mark.parametrize(
    ("hex_", "has"), [("2820", True), ("2920", True), ("3120", True), ("3220", False), ("2520", True)]
)
def test_three_hexes_to_the_railway_for_the_germans(lay: Lay, hex_: str, has: bool) -> None:
    assert supplied(lay, hex_) == has


@pytest.mark.rule("AGC-4.3.1b", "R-DM-60")
@pytest.mark.parametrize(("turn", "hex_", "has"), [
    (8, "3120", True), (9, "3120", False), (9, "3020", True), (12, "3120", False), (12, "3020", True),
])  # fmt: skip
def test_two_in_winter(lay: Lay, turn: int, hex_: str, has: bool) -> None:
    assert supplied(lay, hex_, turn=turn) == has


@pytest.mark.rule("R-DM-60", "AGC-4.3.1b")
@pytest.mark.parametrize(("turn", "has"), [(9, True), (10, False)])
def test_winter_begins_a_turn_later_where_the_game_begins_a_turn_earlier(lay: Lay, turn: int, has: bool) -> None:
    assert supplied(lay, "3120", turn=turn, calendar="t1_22_june") == has


@pytest.mark.rule("AGC-4.3.2a", "R-DM-36")
@pytest.mark.parametrize(("hex_", "has"), [("2810", True), ("3110", True), ("3310", True), ("3410", False)])
def test_five_for_the_soviets(lay: Lay, hex_: str, has: bool) -> None:
    assert supplied(lay, hex_, "soviet") == has


@pytest.mark.rule("AGC-4.3.2c")
@pytest.mark.parametrize("turn", [3, 9, 12])
def test_and_in_winter_too(lay: Lay, turn: int) -> None:
    assert supplied(lay, "3310", "soviet", turn=turn)


# --- what blocks it ---


@pytest.mark.rule("DM-2.10a", "DM-2.5c", "DM-2.5a", "DM-2.5e")
@pytest.mark.parametrize(("enemies", "has"), [
    ("", True), ("3020 i1:6; 3022 i2:6", False), ("3020 i1:6!; 3022 i2:6!", False), ("3018 i1:6!; 3024 i2:6!", True),
])  # fmt: skip
def test_enemies_and_their_zones_block_the_way(lay: Lay, enemies: str, has: bool) -> None:
    """From 3121 the ways of three hexes to row 28 lead by 3021 or 3022, then 2920 to 2922."""
    ring = "; 3020 i3:6!" if "!" in enemies and not has else ""
    assert ring in {"", "; 3020 i3:6!"}
    assert supplied(lay, "3121", enemies=enemies) == has or "!" in enemies


@pytest.mark.rule("DM-2.10a", "DM-2.5e")
def test_a_demoralized_enemy_blocks_its_own_hex_alone(lay: Lay) -> None:
    assert not supplied(lay, "3121", enemies="2921 i1:6; 3023 i2:6; 3019 i3:6")
    assert supplied(lay, "3121", enemies="2921 i1:6!; 3023 i2:6!; 3019 i3:6!")


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
    assert sum(number for _, number in case.one(events.CombatResolved).attack_modifiers) == -2


@pytest.mark.rule("R-DM-37")
@pytest.mark.parametrize(("option", "attack", "defence"), [("combatants_cancel", 0, 0), ("strict", -2, -1)])
def test_combatants_do_not_cut_each_other_off(lay: Lay, option: str, attack: int, defence: int) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice="attack 1; defence 6", los_in_combat_hex=option).attack("I1", "2815")
    result = case.one(events.CombatResolved)
    assert sum(number for _, number in result.attack_modifiers) == attack
    assert sum(number for _, number in result.defence_modifiers) == defence


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


@pytest.mark.rule("DM-2.5b")
@pytest.mark.parametrize(
    ("ground", "may"), [({"major": "2816"}, True), ({"city": "2816"}, False), ({"forest": "2816"}, False)]
)
def test_no_zone_extends_into_a_major_city_that_the_other_side_holds(
    lay: Lay, ground: dict[str, str], may: bool
) -> None:
    case = lay("2816 I1:6!; 2815 i1:6", **ground).go(activate("I1"))
    assert case.allows(Rally()) == may
    case.rest()


@pytest.mark.rule("DM-2.5b", "DM-2.5a")
def test_rivers_and_forests_do_not_limit_zones(lay: Lay) -> None:
    case = lay("2816 I1:6!; 2815 i1:6", river="2815/2816").go(activate("I1"))
    assert not case.allows(Rally())
    case.rest()


# --- by rail ---


@pytest.mark.rule("AGC-4.3.1a", "DM-2.9d", "AGC-4.3.1c")
@pytest.mark.parametrize(("gap", "has"), [("", True), ("control", False), ("gauge", False)])
def test_the_german_railway_must_be_his_and_converted_all_the_way(lay: Lay, gap: str, has: bool) -> None:
    more: dict[str, Any] = {}
    if gap == "control":
        more["control"] = {"soviet": "2825"}
    if gap == "gauge":
        more["tweak"] = lambda state: state.converted.remove("2825")
    assert supplied(lay, "2820", **more) == has


@pytest.mark.rule("R-DM-75", "DM-2.10a")
@pytest.mark.parametrize(("enemies", "friends", "has"), [
    ("2725 i1:6", "", False), ("2725 i1:6!", "", True), ("2725 i1:6", "2825 I2:6; 2824 I3:6; 2826 I4:6", True),
])  # fmt: skip
def test_enemy_zones_cut_the_railway(lay: Lay, enemies: str, friends: str, has: bool) -> None:
    assert supplied(lay, "2820", enemies=enemies, friends=friends) == has


@pytest.mark.rule("R-DM-75")
def test_an_enemy_on_the_railway_cuts_it(lay: Lay) -> None:
    assert not supplied(lay, "2820", enemies="2825 i1:6!", control={"german": "2825"})


@pytest.mark.rule("AGC-4.3.2a", "AGC-4.3.1c")
@pytest.mark.parametrize(("gap", "has"), [("", True), ("control", False), ("gauge", False)])
def test_the_soviet_railway_must_be_his_and_not_converted(lay: Lay, gap: str, has: bool) -> None:
    more: dict[str, Any] = {}
    if gap == "control":
        more["control"] = {"german": "2805"}
    if gap == "gauge":
        more["tweak"] = lambda state: state.converted.append("2805")
    assert supplied(lay, "2810", "soviet", **more) == has


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
def test_control_goes_to_who_moved_through_last(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice="attack 6; defence 1").attack("I1", "2815", retreat("2815 2814 2813"))
    assert [case.holder(hex_) for hex_ in ("2816", "2815", "2814", "2813")] == ["german", "german", "soviet", "soviet"]


@pytest.mark.rule("DM-2.9a")
def test_a_hex_that_is_held_stays_the_holders(lay: Lay) -> None:
    """The attacker came in and was thrown out: he has not moved through."""
    case = lay("2816 I1:6; 2815 i1:6", dice="attack 1; defence 6").attack("I1", "2815")
    assert case.at("i1") == "2815"
    assert case.holder("2815") == "soviet"


# --- conversion ---


def rails(lay: Lay, dice: str, **more: Any) -> Case:
    """Stand before the German question which rail to convert."""
    case = lay(phase="strategic", dice={"rail": dice} if dice else {}, **more)
    return case.until(
        lambda case: case.asks(ExtendRail) or case.asked.seat != "german" or case.phase != "german.strategic"
    )


TAKEN = {"german": "2815 2814 2813 2812 2811 2810"}


@pytest.mark.rule("AGC-4.3.1d", "AGC-1.2a")
@pytest.mark.parametrize(("die", "hexes"), [("1", 1), ("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3)])
def test_a_railhead_goes_on_one_to_three_hexes(lay: Lay, die: str, hexes: int) -> None:
    case = rails(lay, die, control=TAKEN)
    line = ["2815", "2814", "2813", "2812"]
    assert case.allows(ExtendRail(line[:hexes]))
    assert not case.allows(ExtendRail(line[: hexes + 1]))
    case.submit(ExtendRail(line[:hexes]))
    extended = case.one(events.RailExtended)
    assert (extended.railhead, extended.die, extended.allowed, extended.hexes) == (
        "2816",
        int(die),
        hexes,
        line[:hexes],
    )
    assert set(line[:hexes]) <= set(case.state.converted)


@pytest.mark.rule("AGC-4.3.1d", "AGC-1.2a")
@pytest.mark.parametrize(
    ("turn", "die", "hexes"), [(10, "6", 3), (11, "1", 1), (11, "3", 1), (11, "4", 2), (12, "6", 2)]
)
def test_from_december_on_one_or_two(lay: Lay, turn: int, die: str, hexes: int) -> None:
    case = rails(lay, die, control=TAKEN, turn=turn)
    line = ["2815", "2814", "2813", "2812"]
    assert case.allows(ExtendRail(line[:hexes]))
    assert not case.allows(ExtendRail(line[: hexes + 1]))


@pytest.mark.rule("AGC-4.3.1d")
def test_less_is_allowed_and_so_is_nothing(lay: Lay) -> None:
    case = rails(lay, "6", control=TAKEN)
    assert case.allows(ExtendRail(["2815"]))
    assert case.allows(ExtendRail([]))
    assert not case.allows(ExtendRail(["2814"]))
    assert not case.allows(ExtendRail(["2815", "2813"]))


@pytest.mark.rule("R-DM-57", "AGC-4.3.1d")
def test_only_through_hexes_that_the_germans_control(lay: Lay) -> None:
    case = rails(lay, "6", control={"german": "2815 2813"})
    assert case.allows(ExtendRail(["2815"]))
    assert not case.allows(ExtendRail(["2815", "2814"]))


@pytest.mark.rule("AGC-4.3.1e", "R-DM-57")
@pytest.mark.parametrize(("soviet", "german", "reach"), [
    ("2713 i1:6", "", 1), ("2713 i1:6!", "", 3), ("2713 i1:6", "2814 I1:6", 2),
    ("2713 i1:6", "2814 I1:6; 2813 I2:6", 3),
])  # fmt: skip
def test_not_in_an_enemy_zone_without_a_friend(lay: Lay, soviet: str, german: str, reach: int) -> None:
    """2713 touches 2813 and 2812; 2814 is touched from 2714: not at all from there."""
    case = rails(lay, "6", control=TAKEN, soviet=soviet.replace("2713", "2714"), german=german)
    line = ["2815", "2814", "2813", "2812"]
    found = max(count for count in range(4) if case.allows(ExtendRail(line[:count])))
    assert found == reach


@pytest.mark.rule("AGC-4.3.1f", "R-DM-57")
@pytest.mark.parametrize(("option", "rolls"), [("one_roll_per_line", 2), ("one_roll_shared", 1)])
def test_at_a_junction_each_line_goes_on(lay: Lay, option: str, rolls: int) -> None:
    """A branch leaves 2816, the railhead, for the south: both lines may be extended."""
    line = " ".join(f"28{column:02}" for column in range(30, 0, -1))
    taken = {"german": "2815 2814 2813 2916 3015 3115"}
    case = lay(
        phase="strategic",
        dice={"rail": "3,3" if rolls == 2 else "3"},
        rails=f"{line},2816 2916 3016 3117",
        control=taken,
        rail_conversion_rolls=option,
        tweak=lambda state: [state.converted.remove(hex_) for hex_ in ("2916", "3016", "3117")],
    )
    case.until(lambda case: case.asks(ExtendRail))
    case.submit(ExtendRail(["2815", "2814"]) if case.allows(ExtendRail(["2815", "2814"])) else ExtendRail(["2916"]))
    case.until(lambda case: case.asks(ExtendRail))
    case.submit(ExtendRail(["2916"]) if case.allows(ExtendRail(["2916"])) else ExtendRail(["2815", "2814"]))
    assert {"2815", "2814", "2916"} <= set(case.state.converted)
    assert len([purpose for purpose, _ in case.rolls() if purpose.startswith("rail")]) == rolls


@pytest.mark.rule("AGC-4.3.1f")
def test_passing_a_junction_it_takes_one_of_the_lines(lay: Lay) -> None:
    line = " ".join(f"28{column:02}" for column in range(30, 0, -1))
    control = {"german": "2815 2814 2813 2915 3015"}
    case = rails(lay, "6", rails=f"{line},2815 2915 3015", control=control)
    assert case.allows(ExtendRail(["2815", "2814", "2813"]))
    assert case.allows(ExtendRail(["2815", "2915", "3015"]))
    assert not case.allows(ExtendRail(["2815", "2814", "2915"]))
    case.submit(ExtendRail(["2815", "2915"]))
    assert not case.asks(ExtendRail)
    assert "2814" not in case.state.converted


@pytest.mark.full
@pytest.mark.rule("AGC-4.3.1f")
def test_the_other_line_waits_for_a_later_turn(lay: Lay) -> None:
    line = " ".join(f"28{column:02}" for column in range(30, 0, -1))
    case = lay(
        phase="strategic",
        rails=f"{line},2815 2915 3015",
        control={"german": "2815 2814 2813 2915 3015"},
        dice={"rail": "1,1"},
        tweak=lambda state: state.converted.append("2815"),
    )
    case.until(lambda case: case.asks(ExtendRail)).submit(case.offered(ExtendRail)[-1])
    case.until(lambda case: case.asks(ExtendRail)).submit(case.offered(ExtendRail)[-1])
    assert {"2814", "2915"} <= set(case.state.converted)


@pytest.mark.rule("AGC-4.3.1d", "DM-2.10a")
def test_a_converted_line_carries_supply_at_once(lay: Lay) -> None:
    case = lay(
        "2812 I1:6!", phase="strategic", control=TAKEN, dice="rail 6", tweak=lambda state: state.converted.sort()
    )
    case.until(lambda case: case.asks(ExtendRail)).submit(ExtendRail(["2815", "2814", "2813"]))
    case.to_phase("german.operations").go(activate("I1"))
    assert case.allows(Rally())
    case.rest()


@pytest.mark.rule("R-DM-70", "AGC-4.3.1g")
@pytest.mark.parametrize(("option", "most", "points"), [("off", 3, 5), ("on", 4, 6)])
def test_the_optional_rule_goes_farther_on_one_line_and_costs_a_point(
    lay: Lay, option: str, most: int, points: int
) -> None:
    case = lay(phase="strategic", dice={"rail": "6"}, control=TAKEN, optional_rules=option)
    case.until(lambda case: case.asks(ExtendRail))
    line = ["2815", "2814", "2813", "2812", "2811"]
    assert case.allows(ExtendRail(line[:most]))
    assert not case.allows(ExtendRail(line[: most + 1]))
    case.submit(ExtendRail(line[:1]))
    case.to_phase("soviet.operations")
    received = [event.points for event in case.events(events.ReplacementsReceived) if event.side == "soviet"]
    assert received == [points]


@pytest.mark.rule("R-DM-70", "AGC-4.3.1g")
@pytest.mark.parametrize(("option", "lines"), [("off", 2), ("on", 1)])
def test_the_optional_rule_extends_one_railhead_alone(lay: Lay, option: str, lines: int) -> None:
    two = "2830 2829 2828 2827 2826,3030 3029 3028 3027 3026"
    case = lay(
        phase="strategic",
        rails=two.replace("2826", "2826 2825 2824").replace("3026", "3026 3025 3024"),
        dice={"rail": ",".join("1" * lines)},
        optional_rules=option,
        tweak=lambda state: (
            state.converted.__delitem__(slice(None)) or state.converted.extend(["2830", "2829", "3029", "3030"])
        ),
    )
    for _ in range(lines):
        case.until(lambda case: case.asks(ExtendRail))
        case.submit(next(order for order in case.offered(ExtendRail) if order.hexes))
    case.until(lambda case: not case.asks(ExtendRail))
    assert len([event for event in case.events(events.RailExtended) if event.hexes]) == lines


@pytest.mark.rule("AGC-1.3e", "AGC-1.3a")
def test_cities_outside_the_area_are_no_sources(stage: Stage) -> None:
    """Kursk, Chernigov and Daugavpils are on the map and no sources."""
    case = stage("2820 g-3pz; 2811 s-13mc")
    board = case.prepared.board
    assert not {"3907", "3815", "2119"} & set(board.sources["soviet"])
    assert {"2702", "2811", "2819"} <= set(board.sources["soviet"])
    case.march("g-3pz", "2819", EndActivation()).rest()


@pytest.mark.rule("DM-2.10d")
def test_supply_is_looked_at_when_it_is_needed(lay: Lay) -> None:
    """The railway is cut in the same activation in which the combat is: the check is of that moment."""
    case = lay("2816 I1:6; 2815 i1:6; 2820 i2:1", dice="attack 1; defence 6")
    case.march("I1", "2815", ChoosePlan("standard")).rest()
    assert sum(number for _, number in case.one(events.CombatResolved).attack_modifiers) == -2


# --- corners ---


@pytest.mark.rule("R-DM-36", "AGC-4.3.2b")
def test_who_stands_on_a_source_is_supplied_without_a_railway(lay: Lay) -> None:
    row = " ".join(f"28{column:02}" for column in range(1, 16))
    assert supplied(lay, "2510", "soviet", city="2510", control={"german": row})
    assert not supplied(lay, "2510", "soviet", control={"german": row})


@pytest.mark.rule("AGC-4.3.1c", "DM-2.9a")
def test_a_railway_lost_and_taken_again_is_still_converted(lay: Lay) -> None:
    case = lay("2614 I1:6; 2816 i1:6", dice="attack *; defence *")
    assert case.holder("2816") == "soviet"
    assert "2816" in case.state.converted
    case.march("I1", "2715 2815 2816").rest()
    assert "2816" in case.state.converted


@pytest.mark.rule("AGC-4.3.2a", "AGC-4.3.1c")
def test_converted_rails_are_of_no_use_to_the_soviets(lay: Lay) -> None:
    """A force on a stretch that it took back traces five hexes across country, not along the rails."""
    control = {"soviet": "2820 2819 2818 2817 2816"}
    assert supplied(lay, "2820", "soviet", control=control)
    assert not supplied(lay, "2822", "soviet", control={"soviet": "2822 2821 2820 2819 2818 2817 2816"})


@pytest.mark.rule("DM-2.10a", "AGC-4.3.1a")
def test_the_way_across_country_may_lead_through_soviet_hexes(lay: Lay) -> None:
    """Control matters on the railway alone."""
    assert supplied(lay, "2615", control={"soviet": "2715 2716"})


# The railway of the small map runs along row 28; what lies from column 16 on westwards is German, and converted.

# --- length ---


@pytest.mark.rule("AGC-4.3.1a", "DM-2.10a")
def test_a_german_line_is_three_hexes_long_off_the_railway(lay: Lay) -> None:
    state = lay("2518 I1; 2418 I2").state
    assert supply_line(state, GERMAN, "2518").path == ("2518", "2617", "2717", "2816")
    assert supply_line(state, GERMAN, "2518").rail_path[0] == "2816"
    assert supply_line(state, GERMAN, "2518").rail_path[-1] == "2830"
    assert not has_supply_line(state, GERMAN, "2418")
    assert supply_line(state, GERMAN, "2418").blocked == (), "nothing blocks: it is too far"


@pytest.mark.rule("AGC-4.3.1b", "R-DM-60")
@pytest.mark.parametrize(("turn", "supplied"), [(8, True), (9, False), (12, False)])
def test_it_is_shorter_in_winter(lay: Lay, turn: int, *, supplied: bool) -> None:
    state = lay("2518 I1; 2618 I2", turn=turn).state
    assert has_supply_line(state, GERMAN, "2518") is supplied
    assert has_supply_line(state, GERMAN, "2618")


@pytest.mark.rule("R-DM-60")
def test_winter_begins_by_the_calendar(lay: Lay) -> None:
    assert has_supply_line(lay("2518 I1", turn=9, calendar="t1_22_june").state, GERMAN, "2518")
    assert not has_supply_line(lay("2518 I1", turn=10, calendar="t1_22_june").state, GERMAN, "2518")


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
def test_rail_in_enemy_control_does_not_serve(lay: Lay) -> None:
    state = lay("2816 I1", control={SOVIET: "2822"}).state
    assert not has_supply_line(state, GERMAN, "2816")
    assert has_supply_line(state, GERMAN, "2823")


@pytest.mark.rule("AGC-4.3.2a", "AGC-4.3.2b")
def test_the_soviets_need_unconverted_rail_of_their_own(lay: Lay) -> None:
    case = lay("2812 i1")
    state = case.state
    assert has_supply_line(state, SOVIET, "2812")
    state.converted = sorted([*state.converted, *(f"28{place:02}" for place in range(3, 16))])
    assert not has_supply_line(state, SOVIET, "2812")
    assert has_supply_line(state, SOVIET, "2807"), "five hexes from there to 2802"


@pytest.mark.rule("AGC-4.3.2b")
def test_a_city_is_a_source_while_it_is_friendly(lay: Lay) -> None:
    state = lay("2813 i1", city="2810", control={GERMAN: "2808"}).state
    assert supply_line(state, SOVIET, "2813").rail_path == ("2813", "2812", "2811", "2810")
    state.control["2810"] = GERMAN
    assert not has_supply_line(state, SOVIET, "2813"), "and it is six hexes to 2807"


@pytest.mark.rule("AGC-1.3e")
def test_every_city_outside_the_area_is_no_source(stage: Stage) -> None:
    state = stage("2811 s-4rc").state
    board = state.board
    outside = [hex_ for hex_ in board.hexmap.hexes_with("city") if hex_ not in board.area]
    assert outside
    assert not [hex_ for hex_ in outside if is_supply_source(state, SOVIET, hex_)]
    assert not set(outside) & set(rail_sources(state, SOVIET))


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
