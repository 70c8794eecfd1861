"""Briefs (KH-17): table, roles, parties, notes, points, and platoons reduced by attrition (KH-22)."""

from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec import json
from msgspec.structs import replace
from tests.plugins.khamsin.cases import (
    ALLIES,
    AXIS,
    NewCase,
    attacked,
    brief_of,
    field,
    fought,
    panzer_fought,
    result,
    strengths,
)
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.procedures import WITH_ROMMEL, engaged, position
from transcripts import Transcript

from khamsin.engagement.briefs import (
    attrition_effects,
    briefs_of,
    company_points,
    fielded_in,
    large_bonus,
    large_units,
    points_steps,
    roles,
    rounded,
    sums_of,
)
from khamsin.model.orders import FieldCompanies
from khamsin.model.state import Engagement, Fielded, KhamsinState
from sandtable.tabletop.brief import Brief, for_side
from sandtable.tabletop.checking import results_in
from sandtable.tabletop.report.page import as_text
from sandtable.tabletop.result import ReportBattle


def panzer_fielded(new_case: NewCase, marks: str, **options: str) -> Any:
    case = panzer_fought(attacked(new_case, marks, **options))
    return case.briefs()[0].parties["axis"].companies[0]


@pytest.mark.rule("KH-22.05", "KH-22.06", "KH-22.07", "KH-R84", "KH-R85", "KH-21.15", "KH-R123", "KH-26.04")
@pytest.mark.parametrize("saved", ["spent", "lost"])
@pytest.mark.parametrize(
    ("marks", "less"), [("armor=14", 0), ("armor=15", 1), ("armor=29 general=9", 1), ("armor=30", 2)]
)
def test_armor_attrition_removes_vehicles_from_platoons(new_case: NewCase, marks: str, less: int, saved: str) -> None:
    company = panzer_fielded(new_case, marks, afv_saved=saved)
    whole = panzer_fielded(new_case, "")
    assert company.afv_less == less
    for each, full in zip(company.platoons, whole.platoons, strict=True):
        if each.kind in {"afv", "light_afv"} and not each.independent:
            assert each.teams == each.fielded == full.teams - less
            assert each.points == full.points * (full.teams - less) // full.teams
        elif saved == "lost" or not less or each.independent:
            assert each == full
        else:
            assert each.points > full.points
            assert replace(each, points=full.points) == full
    spent = sum(each.points for each in company.platoons)
    assert company.points == whole.points
    assert (spent == company.points) == (saved == "spent" or not less)


@pytest.mark.rule("KH-22.09", "KH-22.11", "KH-22.12", "KH-R78", "KH-26.04")
@pytest.mark.parametrize(
    ("marks", "stand"), [("general=59", False), ("general=60", True), ("armor=30 general=30", True)]
)
def test_attrition_of_60_removes_a_team_from_every_platoon(new_case: NewCase, marks: str, stand: bool) -> None:
    company = panzer_fielded(new_case, marks)
    whole = panzer_fielded(new_case, "")
    assert company.stand_less is stand
    assert not (stand and company.afv_less)
    for each, full in zip(company.platoons, whole.platoons, strict=True):
        assert (each.teams, each.points) == (full.teams, full.points)  # paid in full
        assert each.fielded == full.fielded - (stand and not each.independent)


@pytest.mark.rule("KH-17.04", "KH-26.07", "KH-R45")
@given(some.integers(1, 9_000), some.sampled_from((30, 15)))
def test_bonus_is_a_rounded_fraction_of_the_base(base: int, part: int) -> None:
    exact = Fraction(base, part)
    assert rounded(base, part, "floor") == floor(exact)
    for step, name in ((5, "nearest_5"), (10, "nearest_10")):
        found = rounded(base, part, name)
        assert found % step == 0
        assert abs(found - exact) <= Fraction(step, 2)


PANZER, SQUADRON = Fielded("15_pz_div", "panzer", "Gary"), Fielded("7_armd_bde", "crusader", "Bart")


def fielded(*, german: Fielded = PANZER, british: Fielded = SQUADRON, **facts: Any) -> Engagement:
    """Return an engagement of two formations, each with one fielded company for every action."""
    number = facts.pop("number", 1)
    found: dict[str, Any] = {
        "forces": {AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde"]},
        "mission": "Encounter",
        "number": number,
        "fielded": {AXIS: [german] * number, ALLIES: [british] * number},
    }
    return engaged(**(found | facts))


@pytest.mark.rule(
    "KH-17.02",
    "KH-17.04",
    "KH-17.05",
    "KH-17.08",
    "KH-R35",
    "KH-R45",
    "KH-R46",
    "KH-16.11",
    "KH-16.12",
    "KH-16.13",
    "KH-16.14",
    "KH-16.15",
    "KH-1.11",
    "KH-R120",
    "KH-R121",
)
@pytest.mark.parametrize(
    ("options", "net", "bonus", "points"),
    [
        ({}, 0, True, 1500),
        ({}, 1, True, 1550),
        ({}, 2, False, 1550),
        ({}, 2, True, 1650),
        ({"small_table": "yes"}, 2, True, 1200 + 40 + 80),
        ({"bid_axis": "3"}, 1, False, 1530 + 50),
        ({"bid_axis": "12", "bid_allies": "7"}, 2, False, 1620 + 50),
        ({"significant_scales": "fixed_100", "small_table": "yes"}, 2, True, 1200 + 40 + 100),
    ],
)
def test_company_points_are_base_plus_advantage(options: dict[str, Any], net: int, bonus: bool, points: int) -> None:
    state = position(WITH_ROMMEL, **options)
    each = fielded(favored=AXIS if net else "", net=net)
    assert company_points(state, each, AXIS, replace(PANZER, bonus=bonus)) == points
    theirs = 1200 if options.get("small_table") else 1500 + 10 * int(options.get("bid_allies", 0))
    assert company_points(state, each, ALLIES, replace(SQUADRON, bonus=bonus)) == theirs


@pytest.mark.rule("KH-R35", "KH-17.04", "KH-17.05", "KH-14.04", "KH-14.05", "KH-R36", "KH-17.02")
def test_large_battle_bonus_applies_once_to_the_whole_side() -> None:
    """The bonus is 4500 / 30 = 150; the significant advantage adds 100."""
    state = position(WITH_ROMMEL)
    for net, bonus in ((0, 0), (1, 150), (2, 250), (5, 250)):
        each = fielded(mode="total_war", number=3, favored=AXIS if net else "", net=net, mission="Total Victory")
        assert large_bonus(state, each, AXIS, 3) == bonus
        assert large_bonus(state, each, ALLIES, 3) == 0
        assert sum(points for _, points, _ in points_steps(state, each, AXIS, [PANZER] * 3)) == 4500 + bonus
        (brief,) = briefs_of(state, each)
        first, *others = brief.parties[AXIS].companies
        assert (first.points, [other.points for other in others]) == (1500 + bonus, [1500, 1500])
        assert brief.parties[AXIS].rerolls == (3 if net >= 3 else 0)
        assert [it.id.partition("_")[0] for it in (first.platoons[0], others[1].platoons[0])] == ["c1", "c3"]
    units = [(749, 0, 0), (750, 1, 0), (1499, 1, 0), (1500, 1, 1), (2249, 1, 1), (2250, 2, 1), (4500, 3, 3)]
    nearest, whole = position(WITH_ROMMEL, tw_flights="nearest"), position(WITH_ROMMEL, tw_flights="floor")
    assert [(points, large_units(nearest, points), large_units(whole, points)) for points, _, _ in units] == units


@pytest.mark.rule("KH-22.05", "KH-22.06", "KH-22.09", "KH-22.12")
@pytest.mark.parametrize(
    ("armor", "general", "less"),
    [
        (14, 0, (0, False)), (15, 0, (1, False)), (29, 0, (1, False)), (30, 0, (2, False)), (59, 0, (2, False)),
        (30, 29, (2, False)), (30, 30, (0, True)), (0, 59, (0, False)), (0, 60, (0, True)),
    ],
)  # fmt: skip
def test_attrition_removes_vehicles_then_a_team(armor: int, general: int, less: tuple[int, bool]) -> None:
    state = position(WITH_ROMMEL)
    state.formations["15_pz_div"].armor, state.formations["15_pz_div"].general = armor, general
    assert attrition_effects(state, "15_pz_div") == less
    each = fielded()
    (brief,) = briefs_of(state, each)
    (company,) = brief.parties[AXIS].companies
    assert (company.afv_less, company.stand_less) == less
    steps = {sum_.name: [step[1:] for step in sum_.steps] for sum_ in sums_of(state, each, brief)}
    tiers = [(1, "KH-22.05"), (1, "KH-22.06")][: less[0]]
    assert steps.get("afv_less.15_pz_div.axis", []) == tiers
    assert steps.get("stand_less.15_pz_div.axis", []) == [(1, "KH-22.09")] * less[1]


def dumped(state: KhamsinState, each: Engagement) -> str:
    """Return the briefs of an engagement without platoons, and the calculations of their figures."""
    rows: list[str] = []
    for brief in briefs_of(state, each):
        for side, party in brief.parties.items():
            bare = tuple(replace(company, platoons=()) for company in party.companies)
            brief.parties[side] = replace(party, companies=bare)
        rows += [json.format(json.encode(brief), indent=1).decode()]
        rows += [f"  {sums.name}: {sums.steps}" for sums in sums_of(state, each, brief)]
    return "\n".join(rows)


LED = replace(PANZER, player="Jim", trade=True, command=True, stratagems="Rommel", air=True)
SMALL = {"small_table": "yes"}
BRIEFED: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "plain": ({}, {}, {}),
    "small": ({}, SMALL, {}),
    "net 2": ({"favored": AXIS, "net": 2}, {}, {}),
    "net 3, cut off": ({"favored": AXIS, "net": 3}, {}, {"supplied": False}),
    "net 4, led": ({"german": LED, "favored": AXIS, "net": 4, "stationary": AXIS}, {}, {}),
    "fortified": ({"column": "fortified", "stationary": AXIS}, {}, {}),
    "stationary": ({"column": "stationary", "stationary": AXIS}, {}, {}),
    "two actions": ({"number": 2}, {}, {}),
    "total war": ({"mode": "total_war", "number": 2}, {}, {}),
    "total war, small": ({"mode": "total_war"}, SMALL, {}),
    "total war, stationary": ({"mode": "total_war", "stationary": AXIS}, {}, {}),
    "total war, favored": (
        {"german": replace(PANZER, air=True), "mode": "total_war", "number": 2, "favored": AXIS, "net": 3},
        {},
        {},
    ),
    "total war, connector": ({"mode": "total_war", "number": 2, "other": "el_adem"}, {}, {}),
    "linked": ({"mode": "linked", "number": 3}, {}, {}),
    "linked, small": ({"mode": "linked", "number": 2}, SMALL, {}),
    "linked, not announced": ({"mode": "linked", "number": 2}, {"linked_reserves": "not_announced"}, {}),
    "connector": ({"other": "el_adem"}, {}, {}),
    "connector, weaker": ({"other": "el_adem"}, {"connector_road_by": "weaker_side"}, {}),
    "connector, even": ({"other": "el_adem"}, {"connector_road_by": "weaker_side"}, {"british": 3}),
    "connector, stronger": ({"other": "el_adem"}, {"connector_road_by": "weaker_side"}, {"british": 4}),
}


@pytest.mark.rule(
    "KH-16.13",
    "KH-16.14",
    "KH-14.04",
    "KH-14.05",
    "KH-12.14",
    "KH-14.06",
    "KH-14.10",
    "KH-15.01",
    "KH-17.08",
    "KH-17.07",
    "KH-O4",
    "KH-17.09",
    "KH-24.02",
    "KH-16.16",
    "KH-17.03",
    "KH-7.04",
    "KH-14.11",
    "KH-10.08",
    "KH-10.09",
    "KH-10.10",
    "KH-12.15",
    "KH-R22",
    "KH-15.15",
    "KH-23.01",
    "KH-14.01",
    "KH-12.05",
    "KH-12.13",
    "KH-2.11",
    "KH-12.02",
    "KH-1.10",
    "KH-12.21",
    "KH-7.05",
    "KH-14.07",
    "KH-14.08",
    "KH-14.09",
    "KH-15.02",
    "KH-15.03",
    "KH-15.10",
    "KH-15.12",
    "KH-15.06",
    "KH-15.07",
    "KH-15.09",
    "KH-R119",
)
@pytest.mark.parametrize("name", BRIEFED)
def test_brief_has_table_parties_notes_and_calculations(name: str, transcript: Transcript) -> None:
    facts, options, marks = BRIEFED[name]
    state = position(WITH_ROMMEL, **options)
    state.air_level[AXIS] = "limited"
    state.formations["15_pz_div"].supplied = marks.get("supplied", True)
    state.formations["7_armd_bde"].strength = marks.get("british", state.formations["7_armd_bde"].strength)
    transcript(dumped(state, fielded(**facts)))


@pytest.mark.rule("KH-12.05", "KH-17.03")
def test_company_of_an_action_is_led_by_leaders_in_the_area() -> None:
    two = fielded(number=2)
    two.fielded[AXIS] = [PANZER, Fielded("15_pz_div", "panzer_engineer")]
    assert fielded_in(two, 2)[AXIS] == [Fielded("15_pz_div", "panzer_engineer")]
    away = position({**WITH_ROMMEL, "rommel": "gambut"})
    assert briefs_of(away, fielded(german=LED))[0].parties[AXIS].command == ()


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
def test_roles_follow_movement_if_companies_are_alike(
    facts: dict[str, Any], companies: tuple[str, str], exact: bool, expected: tuple[str, str]
) -> None:
    state = position(WITH_ROMMEL, company_type_key="exact_type" if exact else "intel_class")
    german, british = Fielded("15_pz_div", companies[0]), Fielded("7_armd_bde", companies[1])
    assert roles(state, fielded(**facts), {AXIS: [german], ALLIES: [british]}) == expected


def at_belhamed(*more: str, **facts: Any) -> list[Brief]:
    """Return the briefs of 15th Panzer, ``more`` and 7th Armored, which fight at Belhamed in Operation Crusader."""
    of = board("crusader").formations
    forces = {AXIS: ["15_pz_div", *more], ALLIES: ["7_armd_bde"]}
    state = position(dict.fromkeys((*forces[AXIS], *forces[ALLIES]), "belhamed"), "crusader")
    number = facts.setdefault("number", 1)
    companies = {side: [Fielded(first, of[first].options[0])] * number for side, (first, *_) in forces.items()}
    it = engaged(id="belhamed", area="belhamed", mission="Encounter", forces=forces, fielded=companies, **facts)
    return briefs_of(state, it)


@pytest.mark.rule("KH-2.09")
def test_guns_without_companies_bombard_for_their_force() -> None:
    (brief,) = at_belhamed("arko_104")
    assert (brief.parties[AXIS].extras, brief.parties[ALLIES].extras) == ({"battalion_shoot": 1}, {})
    assert "Arko 104 bombards for you." in brief.parties[AXIS].notes
    assert not any("bombards" in note for note in brief.parties[ALLIES].notes)


@pytest.mark.rule("KH-1.12", "KH-1.13")
def test_brief_names_the_lists_of_each_fielded_formation() -> None:
    of = board("crusader")
    (brief,) = at_belhamed()
    for side, formation in ((AXIS, "15_pz_div"), (ALLIES, "7_armd_bde")):
        lists = of.nations[of.formations[formation].nation].lists
        assert lists
        assert f"{of.formations[formation].title}: lists of {lists} (KH-1.12)." in brief.parties[side].notes
        assert sum("lists of" in note for note in brief.parties[side].notes) == 1


@pytest.mark.rule("KH-15.11", "KH-17.09")
def test_each_linked_table_has_the_terrain_and_guide_of_its_area() -> None:
    of = board("crusader")
    terrain, tables = of.terrain["belhamed"], [each.table for each in at_belhamed(mode="linked", number=2)]
    assert of.guides[terrain]
    assert [(it.terrain, it.guide) for it in tables] == [(terrain, of.guides[terrain])] * 2


@pytest.mark.rule("KH-6.08")
def test_brief_for_a_side_omits_the_enemy_formation(new_case: NewCase) -> None:
    results = results_in(brief_of(new_case).options)
    assert results is not None
    whole, handed = as_text(results.brief), as_text(for_side(results.brief, "axis"))
    foe = results.brief.parties["allies"].companies[0]
    assert foe.parent_title in whole
    assert foe.parent_title not in handed
    assert results.brief.parties["axis"].companies[0].parent_title in handed


@pytest.mark.rule("KH-16.16", "KH-R47")
def test_rerolls_may_be_traded_for_a_move(new_case: NewCase) -> None:
    case = attacked(new_case, changes=strengths(4, 1))
    fought(case, until=FieldCompanies)
    assert case.why_not(ALLIES, field(ALLIES, Fielded("7_armd_bde", "crusader", trade=True))[1]) == "KH-16.16"
    case.play(field(AXIS, Fielded("15_pz_div", "panzer", bonus=True, trade=True)))
    party = case.briefs()[0].parties["axis"]
    assert party.traded
    case = fought(attacked(new_case, changes=strengths(4, 1), reroll_scope="any_die"))
    assert case.briefs()[0].parties["axis"].rerolls == 1


@pytest.mark.rule("KH-26.06", "KH-26.07", "KH-R45", "KH-R46", "KH-O3")
@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({"base_points": "1750"}, [1810, 1925]),  # 58.3 is 60, 116.7 is 115
        ({"base_points": "1750", "points_rounding": "nearest_10"}, [1810, 1930]),
        ({"base_points": "1750", "points_rounding": "floor"}, [1808, 1924]),
        ({"base_points": "1750", "significant_scales": "fixed_100"}, [1810, 1910]),
        ({"base_points": "1500", "significant_scales": "fixed_100"}, [1550, 1650]),
    ],
)
def test_higher_base_raises_the_bonus_in_proportion(
    new_case: NewCase, options: dict[str, Any], points: list[int]
) -> None:
    case = attacked(new_case, changes=strengths(2, 1), actions_per_engagement="2", **options)
    fought(case, field(AXIS, Fielded("15_pz_div", "panzer"), Fielded("15_pz_div", "panzer", bonus=True)))
    assert [each.parties["axis"].points for each in case.briefs()] == points


@pytest.mark.rule("KH-1.01", "KH-1.03", "KH-1.12", "KH-18.02")
def test_brief_is_complete_and_accepts_only_fitting_results(new_case: NewCase) -> None:
    case = fought(attacked(new_case), until=ReportBattle)
    (brief,) = case.briefs()
    assert (brief.turn, brief.place, brief.mode) == (2, "sidi_rezegh", "ordinary")
    axis = brief.parties["axis"]
    assert (axis.companies[0].parent, axis.companies[0].nation.lower(), axis.companies[0].skill) == (
        "15_pz_div",
        "german",
        "veteran",
    )

    def rule(found: Any) -> str:
        return case.rejects("umpire", ReportBattle(brief.id, found(brief)))

    assert rule(result("axis", "5-3")) != ""
    assert rule(result("axis", "3-4")) != ""
    assert rule(result("axis", "6-1", axis="999/0")) != ""
    assert case.rejects("umpire", ReportBattle("other", result("axis", "6-1")(brief))) != ""
    case.play(result("axis", "6-1"))
