"""Retreats, surrender (KH-20) and advances (KH-18.07)."""

from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, Case, NewCase, attacked, fought, result
from tests.plugins.khamsin.procedures import HERE, engaged, first_decision, of, position, run

from khamsin.engagement.retreat import advance, retreat, retreat_areas, storm
from khamsin.fog.views import view
from khamsin.model.battle_events import FormationAdvanced, FormationRetreated
from khamsin.model.events import ControlChanged, FormationLost
from khamsin.model.orders import Advance, RetreatTo


@pytest.mark.rule("KH-20.01", "KH-20.03", "KH-R54", "KH-11.05")
def test_formations_retreat_separately_or_together_or_surrender() -> None:
    places = {"15_pz_div": HERE, "21_pz_div": HERE, "7_armd_bde": HERE}
    state = position(places)
    decision = first_decision(retreat(state, AXIS, ["15_pz_div", "21_pz_div"]))
    assert decision.options.is_legal(RetreatTo({"15_pz_div": "gambut", "21_pz_div": "el_adem"}))
    refusal = decision.options.why_not(RetreatTo({"15_pz_div": "gabr_saleh", "21_pz_div": "el_adem"}))
    assert refusal.reason.endswith("15th Panzer Division can retreat from Sidi Rezegh only to el_adem, gambut")
    together = position(places, retreat_split="together")
    decision = first_decision(retreat(together, AXIS, ["15_pz_div", "21_pz_div"]))
    assert not decision.options.is_legal(RetreatTo({"15_pz_div": "gambut", "21_pz_div": "el_adem"}))
    assert decision.options.is_legal(RetreatTo({"15_pz_div": "gambut", "21_pz_div": "gambut"}))
    state.control["gambut"] = state.control["el_adem"] = ALLIES
    answers = {AXIS: RetreatTo({"15_pz_div": "gambut", "21_pz_div": "gambut"})}
    happened = run(state, retreat(state, AXIS, ["15_pz_div", "21_pz_div"]), answers=answers)
    assert [(it.formation, it.area) for it in of(happened, FormationRetreated)] == [
        ("15_pz_div", "gambut"),
        ("21_pz_div", "gambut"),
    ]
    assert [(it.area, it.side, it.rule) for it in of(happened, ControlChanged)] == [("gambut", AXIS, "KH-11.05")]
    assert run(state, retreat(state, AXIS, [])) == []
    shut = position({**places, "recon_cw": "gabr_saleh", "inf_cw": "gambut"})
    happened = run(shut, retreat(shut, AXIS, ["15_pz_div", "21_pz_div"], ["el_adem"]))
    assert [(it.formation, it.rule) for it in of(happened, FormationLost)] == [
        ("15_pz_div", "KH-20.03"),
        ("21_pz_div", "KH-20.03"),
    ]


@pytest.mark.rule("KH-18.07", "KH-R48", "KH-R49", "KH-7.03")
def test_winner_advances_as_a_force_or_by_formation_by_option() -> None:
    places = {"15_pz_div": HERE, "21_pz_div": HERE, "7_armd_bde": "gabr_saleh"}
    force = {AXIS: ["15_pz_div", "21_pz_div", "afrika_div"], ALLIES: []}
    whole, single = position(places), position(places, advance_scope="per_formation")
    each = engaged(forces=force)
    one = first_decision(advance(whole, each, AXIS)).options
    assert one.is_legal(Advance({"15_pz_div": "gambut", "21_pz_div": "gambut"}))
    assert one.is_legal(Advance())
    assert not one.is_legal(Advance({"15_pz_div": "gambut"}))
    assert not one.is_legal(Advance({"15_pz_div": "gabr_saleh", "21_pz_div": "gabr_saleh"}))
    two = first_decision(advance(single, each, AXIS)).options
    assert two.is_legal(Advance({"15_pz_div": "gambut"}))
    assert two.is_legal(Advance({"15_pz_div": "gambut", "21_pz_div": "el_adem"}))
    assert not two.is_legal(Advance({"15_pz_div": "gabr_saleh"}))
    assert not two.is_legal(Advance({"afrika_div": "gambut"}))  # it has left the area
    single.control["gambut"] = ALLIES
    happened = run(single, advance(single, each, AXIS), answers={AXIS: Advance({"21_pz_div": "gambut"})})
    assert [(it.formation, it.area, it.rule) for it in of(happened, FormationAdvanced)] == [
        ("21_pz_div", "gambut", "KH-18.07")
    ]
    assert [(it.area, it.side) for it in of(happened, ControlChanged)] == [("gambut", AXIS)]
    shut = position({**places, "recon_cw": "el_adem", "inf_cw": "gambut"})
    assert first_decision(advance(shut, each, AXIS)) is None
    assert first_decision(advance(whole, engaged(forces={AXIS: [], ALLIES: []}), AXIS)) is None


@pytest.mark.rule("KH-12.18", "KH-11.05")
def test_storming_force_takes_the_area_unless_enemies_remain() -> None:
    each = engaged(forces={AXIS: ["15_pz_div", "21_pz_div"], ALLIES: []}, other="gabr_saleh")
    state = position({"15_pz_div": HERE, "21_pz_div": HERE})
    happened = run(state, storm(state, each, AXIS, "gabr_saleh"))
    assert [(it.formation, it.start, it.area, it.rule) for it in of(happened, FormationAdvanced)] == [
        (name, HERE, "gabr_saleh", "KH-12.18") for name in ("15_pz_div", "21_pz_div")
    ]
    assert [(it.area, it.side) for it in of(happened, ControlChanged)] == [("gabr_saleh", AXIS)]
    held = position({"15_pz_div": HERE, "7_armd_bde": "gabr_saleh"})
    assert run(held, storm(held, engaged(forces={AXIS: ["15_pz_div"], ALLIES: []}), AXIS, "gabr_saleh")) == []


@pytest.mark.rule("KH-R51")
@pytest.mark.parametrize(
    ("words", "rules"),
    [
        pytest.param({}, {"west_well": "KH-20.02", "east_well": ""}, marks=pytest.mark.rule("KH-20.02"), id="own_area"),
        pytest.param({"retreat_dest": "not_occupied"}, {"west_well": ""}, id="not_occupied"),
        pytest.param(
            {"control": "axis: ridge east_well"},
            {"west_well": "KH-20.02", "ridge": ""},
            marks=pytest.mark.rule("KH-20.03"),
            id="no_own_area",
        ),
    ],
)
def test_retreat_into_an_empty_enemy_base_is_refused_by_default(
    new_case: NewCase, words: dict[str, str], rules: dict[str, str]
) -> None:
    """The Commonwealth is beaten at the Ford; West Well next to it is empty, and one turn there would win."""
    case = new_case("panzer_rgt ridge; inf_bde ford", module="teaching", dice={"activation:panzer_rgt": "6"}, **words)
    case.turn(result("axis", "4-3"), axis="panzer_rgt ford", until=RetreatTo)
    assert {area: case.why_not(ALLIES, RetreatTo({"inf_bde": area})) for area in rules} == rules


def retreating(new_case: NewCase, more: str = "", **rest: Any) -> Case:
    return fought(attacked(new_case, more=more, **rest), result("allies", "4-3"), until=RetreatTo)


@pytest.mark.rule("KH-R122", "KH-6.08")
def test_barred_retreat_is_refused_without_naming_the_enemy(new_case: NewCase) -> None:
    """Neither the refusal nor the decision names the enemy formation next to the area; nor does the view."""
    alone, barred = (retreating(new_case, more, retreat_dest="not_occupied") for more in ("", "recon_cw el_adem"))
    assert alone.why_not(AXIS, RetreatTo({"15_pz_div": "el_adem"})) == ""
    assert barred.why_not(AXIS, RetreatTo({"15_pz_div": "el_adem"})) == "KH-20.02"
    (decision,) = barred.pending
    assert decision.discloses == "KH-R122"
    assert (decision.prompt, decision.purpose) == (alone.pending[0].prompt, alone.pending[0].purpose)
    assert "recon_cw" not in str(view(barred.state, AXIS))


@pytest.mark.rule("KH-20.03", "KH-20.04", "KH-12.01", "KH-R105")
@pytest.mark.parametrize("dice", [{"capture:rommel": "3"}, {"capture:rommel": "4", "casualty:rommel": "1"}])
def test_formation_without_a_retreat_surrenders_with_its_leader(new_case: NewCase, dice: dict[str, str]) -> None:
    """A leader that is not captured is alone with enemies (KH-R104), and dies."""
    where = "15_pz_div tobruk; rommel tobruk; 7_armd_bde el_adem; inf_cw el_adem; 21_pz_div gambut"
    case = new_case(where, dice={"activation:7_armd_bde": "6"} | dice, control="axis: tobruk")
    case.turn(result("allies", "4-3"), allies="7_armd_bde tobruk")
    assert case.one(FormationLost).reason == "surrendered"
    assert (case["15_pz_div"].standing, case.state.leaders["rommel"].standing) == ("lost", "dead")
    assert case.refuses(AXIS, "15_pz_div el_adem") != ""


@pytest.mark.rule("KH-20.02", "KH-R51", "KH-R52", "KH-20.01")
@pytest.mark.parametrize(
    ("options", "path", "control", "enemies", "areas"),
    [
        ({}, [], {}, {}, ["el_adem", "gambut"]),
        ({}, [], {"el_adem": ALLIES}, {}, ["gambut"]),
        ({}, [], {"el_adem": ALLIES, "gambut": ALLIES}, {}, ["el_adem", "gabr_saleh", "gambut"]),
        ({}, [], {}, {"7_armd_bde": "gambut"}, ["el_adem"]),
        ({}, [], {}, {"7_armd_bde": "gambut", "inf_cw": "el_adem"}, ["gabr_saleh"]),
        ({}, [], {}, {"7_armd_bde": "gambut", "inf_cw": "el_adem", "recon_cw": "gabr_saleh"}, []),
        ({"retreat_dest": "not_enemy_controlled"}, [], {"el_adem": ALLIES, "gambut": ALLIES}, {}, []),
        ({"retreat_dest": "not_enemy_controlled"}, [], {"el_adem": ALLIES}, {}, ["gambut"]),
        ({"retreat_direction": "toward_supply"}, [], {}, {}, ["gambut"]),
        ({"retreat_direction": "toward_supply"}, [], {}, {"7_armd_bde": "gambut"}, ["el_adem"]),
        ({"retreat_direction": "back"}, ["el_adem", "sidi_rezegh"], {}, {}, ["el_adem"]),
        ({"retreat_direction": "back"}, ["gabr_saleh", "sidi_rezegh"], {}, {}, ["el_adem", "gambut"]),
        ({"retreat_direction": "back"}, [], {}, {}, ["el_adem", "gambut"]),
    ],
)
def test_retreat_areas_exclude_enemies_and_prefer_own_areas(
    options: dict[str, Any], path: list[str], control: dict[str, str], enemies: dict[str, str], areas: list[str]
) -> None:
    state = position({"15_pz_div": "sidi_rezegh", **enemies})
    state.options = state.options | options
    state.control |= control
    state.formations["15_pz_div"].path = path
    assert retreat_areas(state, "15_pz_div") == areas
