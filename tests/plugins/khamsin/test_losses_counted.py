"""Losses of an engagement counted event by event: recovery, halves, averages over tables, who shares in them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.plugins.khamsin.rooms import of, position, run
from tests.plugins.khamsin.test_settled import ALLIES, AXIS, engaged

from khamsin.engagement.attrition import count_losses
from khamsin.engagement.briefs import briefs_of
from khamsin.model.battle_events import ActionCounted, AttritionTaken, VehiclesRecovered
from khamsin.model.state import Engagement, Fielded, KhamsinState
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.result import Attrition, PlatoonLosses, Result

HERE = "sidi_rezegh"
PLACES = {"15_pz_div": HERE, "21_pz_div": HERE, "7_armd_bde": HERE}
GERMAN, OTHER, BRITISH = (
    Fielded("15_pz_div", "panzer"),
    Fielded("21_pz_div", "panzer"),
    Fielded("7_armd_bde", "crusader"),
)


def fought(*german: Fielded, **facts: Any) -> tuple[KhamsinState, Engagement, list[Brief]]:
    """Return an engagement that the Axis has won, with these companies against as many British ones, and its briefs."""
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
    """Return the first armoured platoon of a side."""
    return next(name for name, it in brief.platoons(side).items() if it.kind == "afv" and not it.independent)


def lost(brief: Brief, side: str, number: int, **more: Any) -> Result:
    """Return a result in which a side lost tanks of one platoon."""
    platoons = {side: {tanks(brief, side): PlatoonLosses(number, **more)}}
    return Result(AXIS, {AXIS: 6, ALLIES: 1}, platoons)


def counted(state: KhamsinState, each: Engagement, pairs: Any, **dice: list[int]) -> list[Any]:
    rolls = {f"recovery:{HERE}:{name.lstrip('r').replace('__', ':', 1)}": faces for name, faces in dice.items()}
    return run(state, count_losses(state, each, list(pairs)), rolls)


def taken(happened: list[Any]) -> list[tuple[str, int, int, int, str]]:
    return [(it.formation, it.armor, it.general, it.recovered, it.rule) for it in of(happened, AttritionTaken)]


@pytest.mark.rule("KH-21.04", "KH-22.02", "KH-22.03", "KH-22.04")
@pytest.mark.parametrize(
    ("side", "formation", "needs", "faces", "back"),
    [
        (AXIS, "15_pz_div", 5, [5, 4, 6], 2),
        (ALLIES, "7_armd_bde", 6, [5, 4, 6], 1),
        (AXIS, "15_pz_div", 5, [1, 2, 3], 0),
    ],
)
def test_vehicles_come_back_on_a_five_to_who_holds_the_area_else_on_a_six(
    side: str, formation: str, needs: int, faces: list[int], back: int
) -> None:
    state, each, (brief,) = fought(GERMAN)
    happened = counted(state, each, [(brief, lost(brief, side, 3))], **{f"r1__{formation}": faces})
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


@pytest.mark.rule("KH-22.02", "KH-R80", "KH-R82")
def test_dice_may_come_from_the_table_and_bring_back_no_more_than_was_lost() -> None:
    state, each, (brief,) = fought(GERMAN)
    report = lost(brief, AXIS, 2)
    told = Result(report.winner, report.points, report.platoons, recovery={AXIS: (6, 6)})
    assert taken(counted(state, each, [(brief, told)]))[0] == ("15_pz_div", 0, 0, 2, "KH-21.02")
    few = Result(report.winner, report.points, report.platoons, recovery={AXIS: (6,)})
    state, each, (brief,) = fought(GERMAN)
    assert taken(counted(state, each, [(brief, few)], r1__15_pz_div=[1, 1]))[0] == ("15_pz_div", 2, 0, 0, "KH-21.02")
    state, each, (brief,) = fought(GERMAN, options={"recovery_control": "won_that_table"}, winner=ALLIES)
    happened = counted(state, each, [(brief, lost(brief, AXIS, 1))], r1__15_pz_div=[5])
    assert of(happened, VehiclesRecovered)[0].needs == 5  # it won that table


@pytest.mark.rule("KH-19.04", "KH-R60")
def test_who_wins_a_fighting_withdrawal_takes_half_rounded_up() -> None:
    for side, halved in ((AXIS, True), (ALLIES, True)):
        state, each, (brief,) = fought(GERMAN, withdrawing={side: "fighting"})
        happened = counted(state, each, [(brief, lost(brief, AXIS, 3))], r1__15_pz_div=[1, 1, 1])
        (action,) = [it for it in of(happened, ActionCounted) if it.side == AXIS]
        assert (action.armor, action.halved) == (2, halved)
        assert [it.halved for it in of(happened, ActionCounted) if it.side == ALLIES] == [False]
        assert [step[1] for step in action.calculations[0].steps] == [3, -1]
        (mean,) = [it for it in of(happened, AttritionTaken) if it.side == AXIS]
        assert (mean.armor, mean.recovered) == (2, 0)
    state, each, (brief,) = fought(GERMAN, withdrawing={AXIS: "fighting"})
    happened = counted(state, each, [(brief, lost(brief, AXIS, 3))], r1__15_pz_div=[6, 1, 1])
    (action,) = [it for it in of(happened, ActionCounted) if it.side == AXIS]
    (mean,) = [it for it in of(happened, AttritionTaken) if it.side == AXIS]
    assert (action.armor, mean.armor, mean.recovered) == (1, 1, 1)  # half of two; without recovery half of three


@pytest.mark.rule("KH-21.02", "KH-21.03", "KH-15.20", "KH-R30", "KH-R39")
def test_each_formation_has_the_mean_of_its_actions_and_on_linked_tables_that_of_its_side() -> None:
    def short(**lines: str) -> Result:
        rows = {name.removeprefix("f"): Attrition(*map(int, text.split("/"))) for name, text in lines.items()}
        return Result(AXIS, {AXIS: 6, ALLIES: 1}, short={AXIS: rows})

    def means(mode: str, *german: Fielded, **options: str) -> list[tuple[str, int, int, int, str]]:
        state, each, briefs = fought(*german, mode=mode, options=options)
        results = [short(f15_pz_div="6/2"), short(f21_pz_div="3/3") if OTHER in german else short(f15_pz_div="1/2")]
        return [it for it in taken(counted(state, each, zip(briefs, results, strict=True))) if it[0] != "7_armd_bde"]

    assert means("ordinary", GERMAN, OTHER) == [("15_pz_div", 6, 2, 0, "KH-21.02"), ("21_pz_div", 3, 3, 0, "KH-21.02")]
    usual = means("ordinary", GERMAN, GERMAN)
    assert usual == [("15_pz_div", 4, 2, 0, "KH-21.02")]  # seven halves are four
    both = [(name, 5, 3, 0, "KH-15.20") for name in ("15_pz_div", "21_pz_div")]
    assert means("linked", GERMAN, OTHER) == both  # nine halves, five halves
    own = means("linked", GERMAN, OTHER, linked_attrition="per_formation")
    assert own == [("15_pz_div", 6, 2, 0, "KH-21.02"), ("21_pz_div", 3, 3, 0, "KH-21.02")]
    shared = means("ordinary", GERMAN, GERMAN, unfielded_attrition="share_average")
    assert shared == [*usual, ("21_pz_div", 4, 2, 0, "KH-R30")]


@pytest.mark.rule("KH-21.05", "KH-22.01", "KH-R75")
def test_a_platoon_that_is_lost_counts_all_its_vehicles_and_each_wreck_names_it() -> None:
    state, each, (brief,) = fought(GERMAN)
    name = tanks(brief, ALLIES)
    number = brief.platoons(ALLIES)[name].fielded
    faces = [1] * number
    happened = counted(state, each, [(brief, lost(brief, ALLIES, 1, lost=True))], r1__7_armd_bde=faces)
    (action,) = [it for it in of(happened, ActionCounted) if it.side == ALLIES]
    assert (action.armor, action.items) == (number + 2, [("afv", number, 0), ("afv_platoons", 2, 0)])
    assert [step for step in action.calculations[0].steps] == [  # noqa: C416 - a tuple of tuples
        (f"{name} afv", number, "KH-21.04"), (f"{name} afv_platoons", 2, "KH-21.05"),
    ]  # fmt: skip
