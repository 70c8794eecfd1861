"""Settling of engagements by event, and formations that regroup or go to their base."""

from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, NewCase, attacked, fought, result, retreats
from tests.plugins.khamsin.procedures import BOTH, HERE, engaged, facts_of, of, position, run

from khamsin.engagement.settling import disable_ineffective, settle
from khamsin.model.battle_events import (
    EnemyOverwhelmed,
    EngagementSettled,
    FormationAdvanced,
    FormationRetreated,
    RegroupOwed,
)
from khamsin.model.cards import ENEMY
from khamsin.model.events import ControlChanged, FormationDisabled, FormationLost
from khamsin.model.orders import Advance, OrderEngagements, RetreatTo
from khamsin.model.state import Engagement, KhamsinState
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision


@pytest.mark.rule("KH-22.13", "KH-22.14")
@pytest.mark.parametrize(
    ("armor", "general", "out"), [(60, 59, False), (60, 60, True), (0, 120, True), (119, 0, False)]
)
def test_formation_is_disabled_at_120_attrition(armor: int, general: int, out: bool) -> None:
    state = position(BOTH)
    state.formations["15_pz_div"].armor, state.formations["15_pz_div"].general = armor, general
    state.formations["21_pz_div"].general = 200  # it is not on the map
    happened = run(state, disable_ineffective(state))
    assert [it.formation for it in of(happened, FormationDisabled)] == ["15_pz_div"] * out
    if out:
        ((sums,),) = [it.calculations for it in happened]
        assert (sums.total, [step[1] for step in sums.steps]) == (armor + general, [armor, general])
        assert facts_of(happened, FormationDisabled)[0].area == HERE


@pytest.mark.rule("KH-R50")
@pytest.mark.parametrize(
    ("order", "areas"),
    [
        ("", ["el_adem", "sidi_rezegh"]),
        ("sidi_rezegh el_adem", ["sidi_rezegh", "el_adem"]),
        ("el_adem sidi_rezegh", ["el_adem", "sidi_rezegh"]),
    ],
)
def test_outcomes_are_applied_by_id_unless_the_umpire_orders_them(
    new_case: NewCase, order: str, areas: list[str]
) -> None:
    where = "15_pz_div sidi_rezegh; 21_pz_div el_adem; 7_armd_bde gabr_saleh; inf_cw tobruk"
    choice = "umpire_order" if order else "tables_first"
    case = new_case(where, dice={"activation:*": "6 6"}, engagement_order=choice)
    answers = [("umpire", OrderEngagements(order.split()))] if order else []
    case.turn(
        result("allies", "4-3"), result("allies", "4-3"), *answers, allies="7_armd_bde sidi_rezegh; inf_cw el_adem"
    )
    assert [each.area for each in case.events(ControlChanged)] == areas
    assert [each.engagement for each in case.events(RegroupOwed, side=AXIS)] == areas
    assert [each.start for each in case.events(FormationRetreated)] == areas


@pytest.mark.rule("KH-20.05", "KH-20.06", "KH-18.06")
def test_regrouping_formation_stays_a_turn_and_still_fights(new_case: NewCase) -> None:
    case = fought(attacked(new_case), result("axis", "5-2"), retreats(ALLIES, f7_armd_bde="gabr_saleh"))
    assert case["7_armd_bde"].regroup
    assert case.refuses(ALLIES, "7_armd_bde sidi_rezegh") == "KH-20.05"
    case.turn()
    assert not case["7_armd_bde"].regroup
    assert case.refuses(ALLIES, "7_armd_bde sidi_rezegh") == ""
    fought_again = attacked(new_case, panzer="regroup")
    fought(fought_again, result("axis", "6-1"))
    assert fought_again.at("15_pz_div") == "sidi_rezegh"


@pytest.mark.rule("KH-22.13", "KH-22.14", "KH-21.14", "KH-R84")
@pytest.mark.parametrize(("general", "out"), [(115, True), (114, False)])
def test_worn_out_formation_returns_to_its_base(new_case: NewCase, general: int, out: bool) -> None:
    case = fought(attacked(new_case, panzer=f"general={general}"), result("axis", "6-1", axis="2/3"))
    assert (case["15_pz_div"].standing == "base") is out
    if out:
        assert case.at("15_pz_div") == "gambut"
        assert case.refuses(AXIS, "15_pz_div sollum") != ""


def in_short(happened: list[Any]) -> list[tuple[Any, ...]]:
    """Return the events as short tuples, in sequence."""
    found: list[tuple[Any, ...]] = []
    for each in happened:
        if isinstance(each, RegroupOwed):
            found.append(("regroup", each.side, *each.formations, each.rule))
        elif isinstance(each, EnemyOverwhelmed):
            found.append(("overwhelmed", each.side, *each.formations))
        elif isinstance(each, FormationRetreated):
            found.append(("retreat", each.formation, each.start, each.area, each.rule))
        elif isinstance(each, FormationAdvanced):
            found.append(("advance", each.formation, each.start, each.area, each.rule))
        elif isinstance(each, ControlChanged):
            found.append(("control", each.area, each.side, each.rule))
        elif isinstance(each, FormationLost):
            found.append(("lost", each.formation))
        elif isinstance(each, EngagementSettled):
            found.append(("settled", each.engagement))
    return found


def settled(state: KhamsinState, *engagements: Engagement, **answers: Any) -> list[tuple[Any, ...]]:
    for each in engagements:
        state.engagements[each.id] = each
    return in_short(run(state, settle(state, list(engagements)), answers=answers))


def on_connector(**facts: Any) -> Engagement:
    return engaged(**{
        "id": "el_adem~sidi_rezegh", "area": "el_adem", "other": HERE, "holder": "",
        "forces": {AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde"]},
        "origins": {"15_pz_div": HERE, "7_armd_bde": "el_adem"},
        **facts,
    })  # fmt: skip


@pytest.mark.rule("KH-12.16", "KH-12.17", "KH-12.18", "KH-12.19", "KH-18.06")
def test_overwhelming_connector_winner_clears_the_area_behind() -> None:
    state = position({"15_pz_div": HERE, "7_armd_bde": "el_adem", "recon_cw": "el_adem"})
    state.control |= {"el_adem": ALLIES, "bir_el_gubi": ALLIES}
    each = on_connector(winner=AXIS, scale="double", points={AXIS: 12, ALLIES: 2})
    away = RetreatTo({"7_armd_bde": "tobruk", "recon_cw": "bir_el_gubi"})
    assert settled(state, each, allies=away) == [
        ("overwhelmed", AXIS, "15_pz_div"),
        ("regroup", ALLIES, "7_armd_bde", "KH-18.06"),
        ("retreat", "7_armd_bde", "el_adem", "el_adem", "KH-12.16"),
        ("regroup", ALLIES, "7_armd_bde", "recon_cw", "KH-12.19"),
        ("retreat", "7_armd_bde", "el_adem", "tobruk", "KH-20.01"),
        ("retreat", "recon_cw", "el_adem", "bir_el_gubi", "KH-20.01"),
        ("advance", "15_pz_div", HERE, "el_adem", "KH-12.18"),
        ("control", "el_adem", AXIS, "KH-11.05"),
        ("settled", "el_adem~sidi_rezegh"),
    ]


@pytest.mark.rule("KH-12.18", "KH-12.19", "KH-20.02", "KH-R56")
@pytest.mark.parametrize("winner", [AXIS, ALLIES])
def test_retreat_into_an_area_about_to_be_stormed_is_refused(winner: str) -> None:
    """The loser's other force, beaten next to El Adem at the same time, may not retreat there."""
    loser, beside = ENEMY[winner], "bir_el_gubi"
    ahead, other = {AXIS: "15_pz_div", ALLIES: "7_armd_bde"}, {AXIS: "21_pz_div", ALLIES: "recon_cw"}
    origins = {ahead[winner]: HERE, ahead[loser]: "el_adem"}
    state = position(origins | dict.fromkeys(other.values(), beside))
    state.control |= dict.fromkeys(("el_adem", beside, "gabr_saleh"), loser)
    storming = on_connector(origins=origins, winner=winner, scale="double", points={winner: 12, loser: 2})
    forces = {side: [piece] for side, piece in other.items()}
    losing = engaged(id=beside, area=beside, holder=loser, forces=forces, winner=winner, scale="more")
    with pytest.raises(IllegalOrder, match="can retreat from Bir el Gubi only to gabr_saleh"):
        settled(state, storming, losing, **{loser: RetreatTo({other[loser]: "el_adem"})})


@pytest.mark.rule("KH-12.16", "KH-12.17", "KH-18.10", "KH-20.02")
def test_connector_forces_fall_back_and_retreat_further_if_blocked() -> None:
    state = position({"15_pz_div": HERE, "7_armd_bde": "el_adem"})
    each = on_connector(winner=AXIS, scale="more", points={AXIS: 4, ALLIES: 3})
    assert settled(state, each) == [
        ("regroup", AXIS, "15_pz_div", "KH-18.10"),
        ("retreat", "15_pz_div", HERE, HERE, "KH-12.17"),
        ("regroup", ALLIES, "7_armd_bde", "KH-18.10"),
        ("retreat", "7_armd_bde", "el_adem", "el_adem", "KH-12.16"),
        ("settled", "el_adem~sidi_rezegh"),
    ]
    state = position({"15_pz_div": HERE, "7_armd_bde": "el_adem", "21_pz_div": "el_adem"})
    state.control["tobruk"] = ALLIES
    rows = settled(
        state, on_connector(scale="even", points={AXIS: 3, ALLIES: 3}), allies=RetreatTo({"7_armd_bde": "tobruk"})
    )
    assert [row for row in rows if row[0] == "retreat"] == [
        ("retreat", "15_pz_div", HERE, HERE, "KH-12.16"),
        ("retreat", "7_armd_bde", "el_adem", "el_adem", "KH-12.16"),
        ("retreat", "7_armd_bde", "el_adem", "tobruk", "KH-20.01"),
    ]


@pytest.mark.rule("KH-18.05", "KH-18.06", "KH-18.07", "KH-18.08", "KH-19.11", "KH-R53")
def test_double_victory_moves_the_loser_before_the_winner() -> None:
    state = position({"15_pz_div": HERE, "7_armd_bde": HERE, "recon_cw": HERE})
    each = engaged(
        forces={AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde"]}, left={"recon_cw": "precipitous"},
        winner=ALLIES, scale="double",
    )  # fmt: skip
    state.formations["recon_cw"].path = ["gabr_saleh", HERE]
    answers = {AXIS: RetreatTo({"15_pz_div": "gambut"}), ALLIES: RetreatTo({"recon_cw": "gabr_saleh"})}
    procedure = settle(state, [each])
    state.engagements[each.id] = each

    def answered() -> Any:
        given: Any = None
        while True:
            try:
                item = procedure.send(given)
            except StopIteration:
                return
            given = None
            if isinstance(item, Decision):
                is_advance = item.purpose.startswith("advance")
                given = Advance({"7_armd_bde": "el_adem"}) if is_advance else answers[item.side]
                item.options.check(given)
            else:
                given = yield item

    assert in_short(run(state, answered())) == [
        ("regroup", AXIS, "15_pz_div", "KH-18.06"),
        ("regroup", ALLIES, "recon_cw", "KH-19.11"),
        ("overwhelmed", ALLIES, "7_armd_bde"),
        ("control", HERE, ALLIES, "KH-18.04"),
        ("retreat", "recon_cw", HERE, "gabr_saleh", "KH-20.01"),
        ("retreat", "15_pz_div", HERE, "gambut", "KH-20.01"),
        ("advance", "7_armd_bde", HERE, "el_adem", "KH-18.07"),
        ("control", "el_adem", ALLIES, "KH-11.05"),
        ("settled", HERE),
    ]


@pytest.mark.rule("KH-R50", "KH-R53", "KH-R56")
def test_several_engagements_settle_outcomes_before_retreats() -> None:
    state = position({"15_pz_div": HERE, "7_armd_bde": HERE, "21_pz_div": "fort_capuzzo", "inf_cw": "fort_capuzzo"})
    first = engaged(forces={AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde"]}, winner=AXIS, scale="more")
    second = engaged(
        id="fort_capuzzo",
        area="fort_capuzzo",
        forces={AXIS: ["21_pz_div"], ALLIES: ["inf_cw"]},
        winner=ALLIES,
        scale="more",
    )
    rows = settled(
        state, first, second, axis=RetreatTo({"21_pz_div": "sollum"}), allies=RetreatTo({"7_armd_bde": "gabr_saleh"})
    )
    assert [row[:2] for row in rows if row[0] != "regroup"] == [
        ("control", "fort_capuzzo"), ("retreat", "21_pz_div"), ("retreat", "7_armd_bde"),
        ("settled", HERE), ("settled", "fort_capuzzo"),
    ]  # fmt: skip
