"""Attrition by platoon (KH-21) and recovery (KH-22), for each action and as an average."""

from fractions import Fraction
from math import ceil, floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.plugins.khamsin.cases import ALLIES, AXIS, NewCase, attacked, field, losses, panzer_fought
from tests.plugins.khamsin.modules import DEFAULTS
from tests.plugins.khamsin.oracle.attrition import platoons, slow_count
from tests.plugins.khamsin.procedures import HERE, engaged, of, position, run

from khamsin.engagement.attrition import average, count_losses, halved, losses_of
from khamsin.engagement.briefs import briefs_of
from khamsin.model.battle_events import ActionCounted, AttritionTaken, VehiclesRecovered
from khamsin.model.state import Engagement, Fielded, KhamsinState
from sandtable.tabletop.brief import Brief, Platoon
from sandtable.tabletop.result import Attrition, PlatoonLosses, Result

Loss = PlatoonLosses


TANK_PLATOON, SEVEN_TEAMS = Loss(destroyed=2, routed=2, lost=True), Loss(destroyed=7, lost=True)


@pytest.mark.rule("KH-21.01", "KH-21.04", "KH-21.05", "KH-21.06", "KH-21.07", "KH-21.08", "KH-21.09", "KH-21.12")
@pytest.mark.rule("KH-21.13", "KH-R79", "KH-R75", "KH-R76", "KH-R77")
@pytest.mark.parametrize(
    ("platoon", "lost", "option", "expected"),
    [
        ("afv", Loss(destroyed=1), {}, (1, 0)),
        ("afv", Loss(destroyed=4, lost=True), {}, (6, 0)),
        ("afv", TANK_PLATOON, {"afv_count": "whole_platoon"}, (6, 0)),
        ("afv", TANK_PLATOON, {"afv_count": "destroyed_only"}, (4, 0)),
        ("light_afv", Loss(destroyed=3, lost=True), {}, (1, 3)),
        ("light_afv", Loss(destroyed=2), {"light_single": "none"}, (0, 0)),
        ("light_afv", Loss(destroyed=2), {"light_single": "one_armor_each"}, (2, 0)),
        ("infantry", Loss(destroyed=3), {}, (0, 0)),  # 4 of 7 is not below half
        ("infantry", Loss(destroyed=4), {}, (0, 1)),
        ("infantry", Loss(destroyed=5, routed=2, lost=True), {}, (0, 3)),
        ("infantry", SEVEN_TEAMS, {"half_and_lost": "exclusive"}, (0, 3)),
        ("infantry", SEVEN_TEAMS, {"half_and_lost": "cumulative"}, (0, 4)),
        ("gun", Loss(destroyed=4, lost=True), {}, (0, 3)),
        ("gun", Loss(destroyed=2), {}, (0, 0)),  # half is not below half
        ("artillery", Loss(destroyed=3), {}, (0, 1)),
        ("independent", Loss(destroyed=1), {}, (1, 1)),  # a tank counts in both ledgers
        ("independent", Loss(destroyed=1), {"company": "panzer_grenadier"}, (0, 1)),
        ("independent", Loss(destroyed=2), {"company": "panzer_grenadier"}, (0, 2)),
    ],
)
def test_each_loss_costs_its_attrition(
    new_case: NewCase, platoon: str, lost: Loss, option: dict[str, str], expected: tuple[int, int]
) -> None:
    """Losses of one platoon in one action without recovery."""
    options = {name: value for name, value in option.items() if name != "company"}
    reported = losses("axis", "4-3", axis={f"{platoon}.0": lost})
    case = panzer_fought(attacked(new_case, **options), reported, company=option.get("company", "panzer"))
    assert case.ledger("15_pz_div") == expected


TANKS = {"afv.0": Loss(destroyed=4, lost=True), "afv.1": Loss(destroyed=2)}


@pytest.mark.rule("KH-R80", "KH-22.03")
@pytest.mark.parametrize(("score", "needs"), [("4-3", 6), ("5-2", 6), ("6-1", 5)])
def test_connector_recovery_is_easier_only_for_a_storming_force(new_case: NewCase, score: str, needs: int) -> None:
    case = attacked(new_case, dice={"activation:15_pz_div": "6", "recovery:*": "1+1+1+1+1+1"})
    answers = field(AXIS, "15_pz_div panzer"), losses("axis", score, axis=TANKS)
    case.turn(*answers, axis="15_pz_div gabr_saleh", allies="7_armd_bde sidi_rezegh")
    assert case.one(VehiclesRecovered, side="axis").needs == needs


@pytest.mark.rule("KH-R80", "KH-22.03", "KH-18.14")
def test_recovery_has_no_bonus_after_leaving_a_held_area(new_case: NewCase) -> None:
    """Even points with both sides moving: the Axis keeps the area, and both forces leave it."""
    case = new_case("15_pz_div el_adem; 7_armd_bde gabr_saleh", actions_per_engagement="2")
    results = losses("axis", "4-3", axis=TANKS), losses("allies", "4-3")
    panzer_fielded = field(AXIS, "15_pz_div panzer", "15_pz_div panzer")
    case.turn(panzer_fielded, *results, axis="15_pz_div bir_el_gubi", allies="7_armd_bde bir_el_gubi")
    assert case.control("bir_el_gubi") == "axis"
    assert case.one(VehiclesRecovered, side="axis").needs == 6


@pytest.mark.rule("KH-R81", "KH-22.02")
def test_recovery_precedes_averaging(new_case: NewCase) -> None:
    case = attacked(new_case, actions_per_engagement="2", dice={"recovery:*": "6+6 1+1"})
    lost = {"afv.0": Loss(destroyed=2)}
    panzer_fought(case, losses("axis", "6-1", axis=lost), losses("axis", "6-1", axis=lost))
    assert case.ledger("15_pz_div") == (1, 0)
    assert [(each.armor, each.general) for each in case.events(ActionCounted, side="axis")] == [(0, 0), (2, 0)]


@pytest.mark.rule("KH-R82", "KH-R83", "KH-22.04")
def test_light_vehicle_recovery_is_capped_at_their_cost(new_case: NewCase) -> None:
    case = attacked(new_case, dice={"recovery:*": "6+6+6"})
    panzer_fought(case, losses("axis", "6-1", axis={"light_afv.0": Loss(destroyed=3, lost=True)}))
    assert case.ledger("15_pz_div") == (0, 3)


@pytest.mark.rule("KH-R78", "KH-22.11")
def test_missing_team_counts_as_lost_for_half_strength(new_case: NewCase) -> None:
    case = attacked(new_case, "general=60")
    panzer_fought(case, losses("axis", "6-1", axis={"infantry.0": Loss(destroyed=3)}))  # 3 of 7 are left
    assert case["15_pz_div"].general == 61


PLACES = {"15_pz_div": HERE, "21_pz_div": HERE, "7_armd_bde": HERE}
GERMAN, OTHER, BRITISH = (
    Fielded("15_pz_div", "panzer"),
    Fielded("21_pz_div", "panzer"),
    Fielded("7_armd_bde", "crusader"),
)


def won(*german: Fielded, **facts: Any) -> tuple[KhamsinState, Engagement, list[Brief]]:
    """Return an engagement that the Axis won with these companies against as many British ones, and its briefs."""
    options = facts.pop("options", {})
    state = position(PLACES)
    state.options = state.options | options
    found: dict[str, Any] = {
        "forces": {AXIS: ["15_pz_div", "21_pz_div"], ALLIES: ["7_armd_bde"]},
        "mission": "Encounter", "number": len(german), "winner": AXIS, "scale": "double",
        "fielded": {AXIS: list(german), ALLIES: [BRITISH] * len(german)},
    }  # fmt: skip
    each = engaged(**(found | facts))
    state.engagements[each.id] = each
    return state, each, briefs_of(state, each)


def tanks(brief: Brief, side: str) -> str:
    """Return the id of the first armored platoon of a side."""
    return next(name for name, it in brief.platoons(side).items() if it.kind == "afv" and not it.independent)


def tanks_lost(brief: Brief, side: str, number: int, **more: Any) -> Result:
    """Return a result in which a side loses ``number`` tanks of one platoon."""
    platoons = {side: {tanks(brief, side): PlatoonLosses(number, **more)}}
    return Result(AXIS, {AXIS: 6, ALLIES: 1}, platoons)


def count(state: KhamsinState, each: Engagement, pairs: Any, **dice: list[int]) -> list[Any]:
    rolls = {f"recovery:{HERE}:{name.lstrip('r').replace('__', ':', 1)}": faces for name, faces in dice.items()}
    return run(state, count_losses(state, each, list(pairs)), rolls)


def taken(happened: list[Any]) -> list[tuple[str, int, int, int, str]]:
    return [(it.formation, it.armor, it.general, it.recovered, it.rule) for it in of(happened, AttritionTaken)]


@pytest.mark.rule(
    "KH-21.04", "KH-22.02", "KH-22.03", "KH-22.04", "KH-22.01", "KH-R80", "KH-R82", "KH-21.10", "KH-21.11"
)
@pytest.mark.parametrize(
    ("side", "formation", "needs", "faces", "back"),
    [
        (AXIS, "15_pz_div", 5, [5, 4, 6], 2),
        (ALLIES, "7_armd_bde", 6, [5, 4, 6], 1),
        (AXIS, "15_pz_div", 5, [1, 2, 3], 0),
    ],
)
def test_vehicles_recover_on_5_for_the_holder_and_on_6_for_others(
    side: str, formation: str, needs: int, faces: list[int], back: int
) -> None:
    state, each, (brief,) = won(GERMAN)
    happened = count(state, each, [(brief, tanks_lost(brief, side, 3))], **{f"r1__{formation}": faces})
    (recovered,) = of(happened, VehiclesRecovered)
    assert (recovered.formation, recovered.dice, recovered.needs, recovered.recovered) == (
        formation,
        faces,
        needs,
        back,
    )
    assert recovered.rule == ("KH-22.03" if needs == 5 else "KH-22.02")
    action = next(it for it in of(happened, ActionCounted) if it.formation == formation)
    assert (action.armor, action.general, action.halved) == (3 - back, 0, False)
    assert action.items == [("afv", 3, 0), *([("recovered", -back, 0)] if back else [])]
    other = "7_armd_bde" if side == AXIS else "15_pz_div"
    found = {it[0]: it[1:] for it in taken(happened)}
    assert found == {formation: (3 - back, 0, back, "KH-21.02"), other: (0, 0, 0, "KH-21.02")}
    (mean,) = [it for it in of(happened, AttritionTaken) if it.formation == formation]
    sums = {it.name: it.total for it in mean.calculations or ()}
    assert sums == {**({"armor": 3 - back} if back < 3 else {}), **({"recovered": back} if back else {})}


@pytest.mark.rule("KH-22.02", "KH-R80", "KH-R82", "KH-22.03")
def test_recovery_dice_may_be_reported_from_the_table() -> None:
    state, each, (brief,) = won(GERMAN)
    report = tanks_lost(brief, AXIS, 2)
    rolled = Result(report.winner, report.points, report.platoons, recovery={AXIS: (6, 6)})
    assert taken(count(state, each, [(brief, rolled)]))[0] == ("15_pz_div", 0, 0, 2, "KH-21.02")
    few = Result(report.winner, report.points, report.platoons, recovery={AXIS: (6,)})
    state, each, (brief,) = won(GERMAN)
    assert taken(count(state, each, [(brief, few)], r1__15_pz_div=[1, 1]))[0] == ("15_pz_div", 2, 0, 0, "KH-21.02")
    state, each, (brief,) = won(GERMAN, options={"recovery_control": "won_that_table"}, winner=ALLIES)
    happened = count(state, each, [(brief, tanks_lost(brief, AXIS, 1))], r1__15_pz_div=[5])
    assert of(happened, VehiclesRecovered)[0].needs == 5  # it won that table


@pytest.mark.rule("KH-19.04", "KH-R60")
def test_winner_of_a_fighting_withdrawal_takes_half_rounded_up() -> None:
    for side in (AXIS, ALLIES):
        state, each, (brief,) = won(GERMAN, withdrawing={side: "fighting"})
        happened = count(state, each, [(brief, tanks_lost(brief, AXIS, 3))], r1__15_pz_div=[1, 1, 1])
        (action,) = [it for it in of(happened, ActionCounted) if it.side == AXIS]
        assert (action.armor, action.halved) == (2, True)
        assert [it.halved for it in of(happened, ActionCounted) if it.side == ALLIES] == [False]
        assert [step[1] for step in action.calculations[0].steps] == [3, -1]
        (mean,) = [it for it in of(happened, AttritionTaken) if it.side == AXIS]
        assert (mean.armor, mean.recovered) == (2, 0)
    state, each, (brief,) = won(GERMAN, withdrawing={AXIS: "fighting"})
    happened = count(state, each, [(brief, tanks_lost(brief, AXIS, 3))], r1__15_pz_div=[6, 1, 1])
    (action,) = [it for it in of(happened, ActionCounted) if it.side == AXIS]
    (mean,) = [it for it in of(happened, AttritionTaken) if it.side == AXIS]
    assert (action.armor, mean.armor, mean.recovered) == (1, 1, 1)  # half of 2; without recovery half of 3


@pytest.mark.rule("KH-21.02", "KH-21.03", "KH-15.20", "KH-R30", "KH-R39", "KH-R29")
def test_attrition_is_averaged_by_formation_or_by_linked_side() -> None:
    def short(**lines: str) -> Result:
        rows = {name.removeprefix("f"): Attrition(*map(int, text.split("/"))) for name, text in lines.items()}
        return Result(AXIS, {AXIS: 6, ALLIES: 1}, short={AXIS: rows})

    def means(mode: str, *german: Fielded, **options: str) -> list[tuple[str, int, int, int, str]]:
        state, each, briefs = won(*german, mode=mode, options=options)
        results = [short(f15_pz_div="6/2"), short(f21_pz_div="3/3") if OTHER in german else short(f15_pz_div="1/2")]
        return [it for it in taken(count(state, each, zip(briefs, results, strict=True))) if it[0] != "7_armd_bde"]

    assert means("ordinary", GERMAN, OTHER) == [("15_pz_div", 6, 2, 0, "KH-21.02"), ("21_pz_div", 3, 3, 0, "KH-21.02")]
    usual = means("ordinary", GERMAN, GERMAN)
    assert usual == [("15_pz_div", 4, 2, 0, "KH-21.02")]  # 7 / 2 is rounded up to 4
    both = [(name, 5, 3, 0, "KH-15.20") for name in ("15_pz_div", "21_pz_div")]
    assert means("linked", GERMAN, OTHER) == both  # 9 / 2 and 5 / 2
    own = means("linked", GERMAN, OTHER, linked_attrition="per_formation")
    assert own == [("15_pz_div", 6, 2, 0, "KH-21.02"), ("21_pz_div", 3, 3, 0, "KH-21.02")]
    shared = means("ordinary", GERMAN, GERMAN, unfielded_attrition="share_average")
    assert shared == [*usual, ("21_pz_div", 4, 2, 0, "KH-R30")]


@pytest.mark.rule("KH-21.05", "KH-22.01", "KH-R75")
def test_lost_platoon_counts_all_its_vehicles() -> None:
    state, each, (brief,) = won(GERMAN)
    name = tanks(brief, ALLIES)
    number = brief.platoons(ALLIES)[name].fielded
    faces = [1] * number
    happened = count(state, each, [(brief, tanks_lost(brief, ALLIES, 1, lost=True))], r1__7_armd_bde=faces)
    (action,) = [it for it in of(happened, ActionCounted) if it.side == ALLIES]
    assert (action.armor, action.items) == (number + 2, [("afv", number, 0), ("afv_platoons", 2, 0)])
    assert [step for step in action.calculations[0].steps] == [  # noqa: C416 - a tuple of tuples
        (f"{name} afv", number, "KH-21.04"), (f"{name} afv_platoons", 2, "KH-21.05"),
    ]  # fmt: skip


ROUNDED = {"ceil": ceil, "floor": floor, "nearest": lambda value: floor(value + Fraction(1, 2))}


@pytest.mark.full
@pytest.mark.rule("KH-21.04", "KH-21.05", "KH-21.06", "KH-21.07", "KH-21.08", "KH-21.09", "KH-R75", "KH-R76", "KH-R77")
@given(
    platoons(),
    some.sampled_from(("whole_platoon", "destroyed_only")),
    some.sampled_from(("none", "one_armor_each")),
    some.sampled_from(("exclusive", "cumulative")),
)
def test_attrition_matches_the_slow_count(
    drawn: tuple[list[Platoon], dict[str, PlatoonLosses]], afv_count: str, light_single: str, half_and_lost: str
) -> None:
    options = DEFAULTS | {"afv_count": afv_count, "light_single": light_single, "half_and_lost": half_and_lost}
    found = losses_of(*drawn, options)
    assert (found.armor, found.general, found.vehicles) == slow_count(*drawn, options)
    assert all(armor or general for _, armor, general in found.items)


points = some.builds(Attrition, some.integers(0, 60), some.integers(0, 60))


@pytest.mark.rule("KH-21.02", "KH-21.03", "KH-R02", "KH-R03")
@given(
    some.lists(points, min_size=1, max_size=7),
    some.sampled_from(sorted(ROUNDED)),
    some.sampled_from(("per_ledger", "total")),
)
def test_averages_match_fractions(taken: list[Attrition], rounding: str, scope: str) -> None:
    found = average(taken, DEFAULTS | {"avg_round": rounding, "avg_round_scope": scope})
    armor = Fraction(sum(each.armor for each in taken), len(taken))
    general = Fraction(sum(each.general for each in taken), len(taken))
    law = ROUNDED[rounding]
    assert found.armor == law(armor)
    assert found.general == (law(general) if scope == "per_ledger" else law(armor + general) - law(armor))
    assert found.general >= 0


@pytest.mark.rule("KH-19.04", "KH-R60")
@given(some.integers(0, 500))
def test_half_is_rounded_up(ledger: int) -> None:
    assert halved(ledger) == ceil(Fraction(ledger, 2))
