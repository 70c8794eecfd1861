"""Briefs part by part, of engagements laid by hand: table, roles, parties, notes, and what a bonus comes to."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.rooms import position
from tests.plugins.khamsin.test_settled import ALLIES, AXIS, engaged

from khamsin.engagement.briefs import (
    attrition_effects,
    battle_notes,
    briefs_of,
    company_points,
    fielded_in,
    large_bonus,
    large_units,
    party_notes,
    points_steps,
    roles,
    sums_of,
)
from khamsin.engagement.companies import attacking_side, companies_space, may_fly, share_bounds
from khamsin.leaders.honour import player_of
from khamsin.model.state import ON_MAP, Engagement, Fielded, KhamsinState
from sandtable.tabletop.brief import Table

WHERE = {"15_pz_div": "sidi_rezegh", "7_armd_bde": "sidi_rezegh"}
PANZER, SQUADRON = Fielded("15_pz_div", "panzer", "Gary"), Fielded("7_armd_bde", "crusader", "Bart")
NEVER = {"15_pz_div": "sidi_rezegh", "7_armd_bde": "sidi_rezegh", "rommel": "sidi_rezegh"}


def fought(*, german: Fielded = PANZER, british: Fielded = SQUADRON, **facts: Any) -> Engagement:
    """Return an engagement of two formations whose companies are fielded, as many as its number."""
    number = facts.pop("number", 1)
    found: dict[str, Any] = {
        "forces": {AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde"]},
        "mission": "Encounter",
        "number": number,
        "fielded": {AXIS: [german] * number, ALLIES: [british] * number},
    }
    return engaged(**(found | facts))


def laid(**options: str) -> KhamsinState:
    state = position(NEVER)
    state.options = state.options | options
    return state


# --- points ---


@pytest.mark.rule("KH-17.02", "KH-17.04", "KH-17.05", "KH-17.08", "KH-R35", "KH-R45", "KH-R46")
@pytest.mark.parametrize(
    ("options", "net", "bonus", "points"),
    [
        ({}, 0, True, 1500),
        ({}, 1, True, 1550),
        ({}, 2, False, 1550),
        ({}, 2, True, 1650),
        ({"small_table": "yes"}, 2, True, 1200 + 40 + 80),
        ({"bid_axis": "3"}, 1, False, 1530 + 50),
        ({"significant_scales": "fixed_100", "small_table": "yes"}, 2, True, 1200 + 40 + 100),
    ],
)
def test_a_company_has_its_base_and_what_its_side_is_ahead(
    options: dict[str, str], net: int, bonus: bool, points: int
) -> None:
    state = laid(**options)
    each = fought(favoured=AXIS if net else "", net=net)
    assert company_points(state, each, AXIS, replace(PANZER, bonus=bonus)) == points
    assert company_points(state, each, ALLIES, replace(SQUADRON, bonus=bonus)) == (
        1200 if options.get("small_table") else 1500
    )


@pytest.mark.rule("KH-R35", "KH-17.04", "KH-17.05", "KH-14.04", "KH-14.05", "KH-R36")
def test_in_a_large_battle_the_bonus_is_that_of_the_whole_side_and_once() -> None:
    """A thirtieth of 4500 is 150; the greater bonus is 100."""
    state = laid()
    for net, bonus in ((0, 0), (1, 150), (2, 250), (5, 250)):
        each = fought(mode="total_war", number=3, favoured=AXIS if net else "", net=net, mission="Total Victory")
        assert large_bonus(state, each, AXIS, 3) == bonus
        assert large_bonus(state, each, ALLIES, 3) == 0
        assert sum(points for _, points, _ in points_steps(state, each, AXIS, [PANZER] * 3)) == 4500 + bonus
        (brief,) = briefs_of(state, each)
        first, *others = brief.parties[AXIS].companies
        assert (first.points, [other.points for other in others]) == (1500 + bonus, [1500, 1500])
        assert brief.parties[AXIS].rerolls == (3 if net >= 3 else 0)
        assert [it.id.partition("_")[0] for it in (first.platoons[0], others[1].platoons[0])] == ["c1", "c3"]
    units = [(749, 0, 0), (750, 1, 0), (1499, 1, 0), (1500, 1, 1), (2249, 1, 1), (2250, 2, 1), (4500, 3, 3)]
    nearest, whole = laid(tw_flights="nearest"), laid(tw_flights="floor")
    assert [(points, large_units(nearest, points), large_units(whole, points)) for points, _, _ in units] == units


@pytest.mark.rule("KH-22.05", "KH-22.06", "KH-22.09", "KH-22.12")
@pytest.mark.parametrize(
    ("armor", "general", "less"),
    [
        (14, 0, (0, False)), (15, 0, (1, False)), (29, 0, (1, False)), (30, 0, (2, False)), (59, 0, (2, False)),
        (30, 29, (2, False)), (30, 30, (0, True)), (0, 59, (0, False)), (0, 60, (0, True)),
    ],
)  # fmt: skip
def test_attrition_takes_vehicles_then_a_stand(armor: int, general: int, less: tuple[int, bool]) -> None:
    state = laid()
    state.formations["15_pz_div"].armor, state.formations["15_pz_div"].general = armor, general
    assert attrition_effects(state, "15_pz_div") == less
    each = fought()
    (brief,) = briefs_of(state, each)
    (company,) = brief.parties[AXIS].companies
    assert (company.afv_less, company.stand_less) == less
    told = {sum_.name: [step[1:] for step in sum_.steps] for sum_ in sums_of(state, each, brief)}
    tiers = [(1, "KH-22.05"), (1, "KH-22.06")][: less[0]]
    assert told.get("afv_less.15_pz_div.axis", []) == tiers
    assert told.get("stand_less.15_pz_div.axis", []) == [(1, "KH-22.09")] * less[1]


@pytest.mark.rule("KH-16.13", "KH-16.14", "KH-14.04", "KH-14.05")
def test_re_rolls_and_flights_tell_where_they_come_from() -> None:
    state = laid()
    for net, steps in ((2, None), (3, [(1, "KH-16.13")]), (4, [(4, "KH-16.14"), (-2, "KH-16.14")])):
        each = fought(favoured=AXIS, net=net)
        (brief,) = briefs_of(state, each)
        told = {sum_.name: [step[1:] for step in sum_.steps] for sum_ in sums_of(state, each, brief)}
        assert told.get("rerolls.axis") == steps
        assert "rerolls.allies" not in told
        assert "flights.axis" not in told
    large = fought(german=replace(PANZER, air=True), mode="total_war", number=2, favoured=AXIS, net=3)
    (brief,) = briefs_of(state, large)
    told = {sum_.name: [step[1:] for step in sum_.steps] for sum_ in sums_of(state, large, brief)}
    assert (told["rerolls.axis"], told["flights.axis"]) == ([(2, "KH-14.05")], [(2, "KH-14.04")])
    assert (brief.parties[AXIS].flights, brief.parties[ALLIES].flights) == (2, 0)


# --- table and roles ---


@pytest.mark.rule("KH-12.14", "KH-14.06", "KH-14.10", "KH-15.01", "KH-17.08")
@pytest.mark.parametrize(
    ("facts", "options", "table", "objectives"),
    [
        ({}, {}, Table(terrain="desert"), 0),
        ({}, {"small_table": "yes"}, Table(width=4, small=True, terrain="desert"), 0),
        ({"mode": "total_war"}, {"small_table": "yes"}, Table(depth=6, small=True, terrain="desert"), 6),
        ({"mode": "total_war", "stationary": AXIS}, {}, Table(depth=6, terrain="desert"), 5),
        ({"column": "fortified", "stationary": AXIS}, {}, Table(terrain="desert", fortified=AXIS), 0),
        ({"column": "stationary", "stationary": AXIS}, {}, Table(terrain="desert"), 0),
        ({"other": "el_adem"}, {}, Table(terrain="desert", road=True), 0),
        ({"mode": "linked", "number": 3}, {}, Table(terrain="desert", number=1, near=(2,)), 0),
    ],
)
def test_a_table_is_laid_by_mode_and_place(
    facts: dict[str, Any], options: dict[str, str], table: Table, objectives: int
) -> None:
    state = laid(**options)
    brief = briefs_of(state, fought(**facts))[0]
    assert brief.table == replace(table, guide=brief.table.guide)
    assert brief.objectives == objectives


@pytest.mark.rule("KH-15.01", "KH-14.01", "KH-12.05", "KH-12.13")
def test_actions_are_numbered_and_linked_tables_know_their_neighbours() -> None:
    state = laid()
    linked = briefs_of(state, fought(mode="linked", number=3))
    assert [(each.table.number, each.table.near) for each in linked] == [(1, (2,)), (2, (1, 3)), (3, (2,))]
    assert [(each.action, each.actions, each.id) for each in linked] == [
        (number, 3, f"fixture:1:sidi_rezegh:{number}") for number in (1, 2, 3)
    ]
    ordinary = briefs_of(state, fought(number=2))
    assert [(each.table.number, each.table.near, each.mode) for each in ordinary] == [(0, (), "ordinary")] * 2
    assert [each.rules for each in (linked[0], ordinary[0])] == [
        ("KH-1.01", "KH-12.05", "KH-12.06", "KH-17.02", "KH-15.01"),
        ("KH-1.01", "KH-12.05", "KH-12.06", "KH-17.02"),
    ]
    large = fought(mode="total_war", number=2, other="el_adem")
    (brief,) = briefs_of(state, large)
    assert (brief.action, brief.actions, len(brief.parties[AXIS].companies)) == (1, 1, 2)
    assert brief.rules == ("KH-1.01", "KH-12.05", "KH-12.13", "KH-17.02", "KH-14.01")
    two = fought(number=2)
    two.fielded[AXIS] = [PANZER, Fielded("15_pz_div", "panzer_engineer")]
    assert fielded_in(two, 2)[AXIS] == [Fielded("15_pz_div", "panzer_engineer")]


@pytest.mark.rule("KH-12.10", "KH-12.11", "KH-14.09", "KH-19.03", "KH-R32", "KH-R33")
@pytest.mark.parametrize(
    ("facts", "companies", "exact", "expected"),
    [
        ({}, ("panzer", "crusader"), False, ("", "")),
        ({"withdrawing": {AXIS: "fighting"}}, ("panzer", "crusader"), False, (ALLIES, AXIS)),
        ({"withdrawing": {ALLIES: "fighting"}, "stationary": AXIS}, ("panzer", "crusader"), False, (AXIS, ALLIES)),
        ({"stationary": ALLIES, "mission": "Hold the Line"}, ("panzer", "crusader"), False, (AXIS, ALLIES)),
        ({"stationary": ALLIES, "mission": "Hold the Line"}, ("panzer", "crusader"), True, ("", "")),
        ({"stationary": ALLIES, "mission": "Hold the Line"}, ("panzer", "panzer"), True, (AXIS, ALLIES)),
        ({"stationary": ALLIES, "mission": "Hold the Line"}, ("panzer_engineer", "crusader"), False, ("", "")),
        ({"stationary": ALLIES, "mission": "Breakthrough"}, ("panzer", "crusader"), False, ("", "")),
        ({"stationary": ALLIES, "mode": "total_war"}, ("panzer_engineer", "crusader"), False, (AXIS, ALLIES)),
        ({"mode": "total_war"}, ("panzer", "crusader"), False, ("", "")),
    ],
)
def test_who_attacks_follows_from_who_stood_still_where_the_companies_are_alike(
    facts: dict[str, Any], companies: tuple[str, str], exact: bool, expected: tuple[str, str]
) -> None:
    state = laid(**({"company_type_key": "exact_type"} if exact else {}))
    german, british = Fielded("15_pz_div", companies[0]), Fielded("7_armd_bde", companies[1])
    assert roles(state, fought(**facts), {AXIS: [german], ALLIES: [british]}) == expected


# --- parties and notes ---


@pytest.mark.rule("KH-24.02", "KH-16.16", "KH-17.03", "KH-7.04", "KH-14.11")
def test_a_party_is_told_who_leads_what_flies_and_who_is_there() -> None:
    state = laid()
    plain = briefs_of(state, fought())[0].parties[AXIS]
    assert (plain.own_troops, plain.traded, plain.air, plain.command, plain.characters) == (True, False, "none", (), ())
    other = replace(PANZER, player="Jim", trade=True, command=True, stratagems="Rommel", air=True)
    state.air_level[AXIS] = "limited"
    party = briefs_of(state, fought(german=other, favoured=AXIS, net=4, stationary=AXIS))[0].parties[AXIS]
    assert (party.own_troops, party.traded, party.air, party.flights) == (False, True, "limited", 0)
    assert (party.command, party.characters, party.stratagems) == (("rommel",), ("rommel",), "Rommel")
    assert (party.player, party.stationary, party.rerolls, party.extras) == ("Jim", True, 2, {})
    large = briefs_of(state, fought(mode="total_war", number=2))[0].parties
    assert (large[AXIS].command, large[ALLIES].command, large[AXIS].stationary) == (("rommel",), (), False)
    away = position({**NEVER, "rommel": "gambut"})
    assert briefs_of(away, fought(german=other))[0].parties[AXIS].command == ()


@pytest.mark.rule("KH-2.09")
def test_guns_without_companies_bombard_for_their_force() -> None:
    state = position({"15_pz_div": "belhamed", "arko_104": "belhamed"}, "crusader")
    british = next(each for each, card in board("crusader").formations.items() if card.side == ALLIES and card.options)
    kind = board("crusader").formations[british].options[0]
    german = Fielded("15_pz_div", board("crusader").formations["15_pz_div"].options[0])
    state.formations[british].standing, state.formations[british].area = ON_MAP, "belhamed"
    each = engaged(
        id="belhamed", area="belhamed", mission="Encounter", number=1,
        forces={AXIS: ["15_pz_div", "arko_104"], ALLIES: [british]},
        fielded={AXIS: [german], ALLIES: [Fielded(british, kind)]},
    )  # fmt: skip
    (brief,) = briefs_of(state, each)
    assert (brief.parties[AXIS].extras, brief.parties[ALLIES].extras) == ({"battalion_shoot": 1}, {})
    assert "Arko 104 bombards for you." in brief.parties[AXIS].notes
    assert not any("bombards" in note for note in brief.parties[ALLIES].notes)


@pytest.mark.rule("KH-10.08", "KH-10.09", "KH-10.10", "KH-16.13", "KH-12.15", "KH-R22", "KH-14.10", "KH-15.15")
def test_notes_are_those_that_apply() -> None:
    state = laid()
    each = fought()
    assert party_notes(state, each, AXIS, [PANZER], []) == ()
    state.formations["15_pz_div"].supplied = False
    notes = party_notes(state, fought(favoured=AXIS, net=3), AXIS, [PANZER, PANZER], [])
    assert [note[-10:].strip(" (.)") for note in notes] == ["KH-10.08", "KH-10.09", "KH-10.10", "KH-16.13"]
    assert party_notes(state, fought(favoured=AXIS, net=3), ALLIES, [SQUADRON], []) == ()
    assert battle_notes(state, each) == ()
    road = battle_notes(state, fought(other="el_adem"))
    assert len(road) == 2
    assert road[1].startswith("The mission's defender lays a road")
    weaker = laid(connector_road_by="weaker_side")
    assert battle_notes(weaker, fought(other="el_adem"))[1].startswith("Commonwealth lays")
    weaker.formations["7_armd_bde"].strength = 3
    assert battle_notes(weaker, fought(other="el_adem"))[1].startswith("The mission's defender lays")
    weaker.formations["7_armd_bde"].strength = 4
    assert battle_notes(weaker, fought(other="el_adem"))[1].startswith("Axis lays")
    small = laid(small_table="yes")
    assert [len(battle_notes(small, fought(mode=mode))) for mode in ("ordinary", "total_war", "linked")] == [1, 2, 5]
    assert len(battle_notes(state, fought(mode="total_war", stationary=AXIS))) == 3
    for told, number in (("told", 4), ("untold", 3)):
        assert len(battle_notes(laid(linked_reserves=told), fought(mode="linked"))) == number


# --- who fields ---


@pytest.mark.rule("KH-7.04")
@pytest.mark.parametrize(("used", "level", "flies"), [(0, "limited", True), (9, "limited", False), (0, "none", False)])
def test_aircraft_fly_as_often_as_the_module_says(used: int, level: str, flies: bool) -> None:
    state = position({}, "crusader")
    state.weather = next(each for each, card in state.board.weather.cards.items() if card.air != "none")
    most = state.board.air[AXIS].engagements
    for count, able in ((min(used, most), flies), (most - 1, level != "none"), (most, False)):
        state.air_used[AXIS], state.air_level[AXIS] = count, level
        assert may_fly(state, AXIS) is able
    assert not may_fly(position({}), AXIS)  # this module has no air force


@pytest.mark.rule("KH-R28", "KH-R29", "KH-R31", "KH-14.11")
def test_bounds_are_shares_of_the_force_and_no_more_than_its_companies() -> None:
    assert share_bounds({"a": 3, "b": 1}, 4, "free") == {"a": (0, 4), "b": (0, 4)}
    assert share_bounds({"a": 3, "b": 1}, 3, "spread_evenly") == {"a": (1, 2), "b": (1, 2)}
    assert share_bounds({"a": 3, "b": 1}, 4, "spread_evenly") == {"a": (2, 2), "b": (2, 2)}
    assert share_bounds({"a": 3, "b": 1}, 4, "proportional") == {"a": (3, 3), "b": (1, 1)}
    assert share_bounds({"a": 3, "b": 1}, 2, "proportional") == {"a": (1, 2), "b": (0, 1)}
    places = {"15_pz_div": "sidi_rezegh", "21_pz_div": "sidi_rezegh", "7_armd_bde": "sidi_rezegh"}
    state = position(places, action_allocation="spread_evenly")
    state.formations["21_pz_div"].strength = 1
    force = {AXIS: ["15_pz_div", "21_pz_div"], ALLIES: ["7_armd_bde"]}
    assert companies_space(state, engaged(number=4, forces=force), AXIS).bounds == {
        "15_pz_div": (2, 2),
        "21_pz_div": (2, 2),
    }
    state.options = state.options | {"strength_caps_actions": "yes"}
    four = companies_space(state, engaged(number=4, forces=force), AXIS)
    assert (four.bounds, four.bounds_rule) == ({"15_pz_div": (0, 3), "21_pz_div": (0, 1)}, "KH-R29")
    assert companies_space(state, engaged(number=2, forces=force), AXIS).bounds == {
        "15_pz_div": (1, 1),
        "21_pz_div": (1, 1),
    }
    large = companies_space(state, engaged(number=2, forces=force, mode="total_war"), AXIS)
    assert (large.bounds, large.bounds_rule, large.kinds) == ({"15_pz_div": (0, 2), "21_pz_div": (0, 1)}, "KH-R28", 2)


@pytest.mark.rule("KH-R31")
def test_who_moved_in_fields_first_where_the_attacker_does() -> None:
    state = laid()
    assert attacking_side(state, engaged(stationary=ALLIES, holder=AXIS)) == AXIS
    assert attacking_side(state, engaged(holder=AXIS)) == ALLIES
    assert attacking_side(state, engaged(holder="")) == ALLIES  # the Axis controls Sidi Rezegh
    state.control["sidi_rezegh"] = ALLIES
    assert attacking_side(state, engaged(holder="")) == AXIS


@pytest.mark.rule("KH-17.01", "KH-24.02")
def test_a_company_is_led_by_who_is_named_else_the_commander_else_the_chief() -> None:
    state = position({}, "crusader")
    cards = board("crusader").formations
    without = next((each for each, card in cards.items() if not card.commander), "")
    with_one = next(each for each, card in cards.items() if card.commander)
    side = cards[with_one].side
    assert player_of(state, side, Fielded(with_one, "x", "Somebody")) == "Somebody"
    assert player_of(state, side, Fielded(with_one, "x")) == cards[with_one].commander
    if without:
        assert (
            player_of(state, cards[without].side, Fielded(without, "x"))
            == state.board.commanders[cards[without].side][0]
        )
