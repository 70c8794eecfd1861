"""Engagements settled by hand, event by event; advantage reason by reason; what people are told who field companies."""

from __future__ import annotations

from typing import Any

import pytest
from tests.plugins.khamsin.modules import board, built
from tests.plugins.khamsin.rooms import of, position, run
from tests.plugins.khamsin.test_settled import ALLIES, AXIS, engaged

from khamsin.engagement.companies import companies_space
from khamsin.engagement.mission import advantage_of, compute_advantage
from khamsin.engagement.settling import settle
from khamsin.model.battle_events import (
    AdvantageReckoned,
    EnemyOverwhelmed,
    EngagementSettled,
    FormationAdvanced,
    FormationRetreated,
    RegroupOwed,
)
from khamsin.model.cards import ENEMY
from khamsin.model.events import ControlChanged, FormationLost
from khamsin.model.orders import Advance, Deploy, RetreatTo
from khamsin.model.state import ON_MAP, Engagement, KhamsinState
from khamsin.turn.arrivals import deploy, deployment_space, due, open_entries
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision

HERE = "sidi_rezegh"


def told(happened: list[Any]) -> list[tuple[Any, ...]]:
    """Return what happened in few words, in its order."""
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
    return told(run(state, settle(state, list(engagements)), answers=answers))


def on_connector(**facts: Any) -> Engagement:
    return engaged(**{
        "id": "el_adem~sidi_rezegh", "area": "el_adem", "other": HERE, "holder": "",
        "forces": {AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde"]},
        "origins": {"15_pz_div": HERE, "7_armd_bde": "el_adem"},
        **facts,
    })  # fmt: skip


# --- settled ---


@pytest.mark.rule("KH-12.16", "KH-12.17", "KH-12.18", "KH-12.19", "KH-18.06")
def test_who_overwhelms_on_a_connector_drives_all_out_of_the_area_behind() -> None:
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
def test_nobody_retreats_into_an_area_that_is_about_to_be_stormed(winner: str) -> None:
    """The loser's other force, beaten next to El Adem at the same time, must find another way."""
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
def test_both_fall_back_from_a_connector_and_go_on_where_enemies_hold_what_they_left() -> None:
    state = position({"15_pz_div": HERE, "7_armd_bde": "el_adem"})
    each = on_connector(winner=AXIS, scale="more", points={AXIS: 4, ALLIES: 3})
    assert settled(state, each) == [
        ("regroup", AXIS, "15_pz_div", "KH-18.10"),
        ("regroup", ALLIES, "7_armd_bde", "KH-18.10"),
        ("retreat", "15_pz_div", HERE, HERE, "KH-12.17"),
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
def test_after_a_double_victory_the_loser_goes_before_the_winner_goes_on() -> None:
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
                yield item

    assert told(run(state, answered())) == [
        ("control", HERE, ALLIES, "KH-18.04"),
        ("regroup", AXIS, "15_pz_div", "KH-18.06"),
        ("regroup", ALLIES, "recon_cw", "KH-19.11"),
        ("overwhelmed", ALLIES, "7_armd_bde"),
        ("retreat", "recon_cw", HERE, "gabr_saleh", "KH-20.01"),
        ("retreat", "15_pz_div", HERE, "gambut", "KH-20.01"),
        ("advance", "7_armd_bde", HERE, "el_adem", "KH-18.07"),
        ("control", "el_adem", ALLIES, "KH-11.05"),
        ("settled", HERE),
    ]


@pytest.mark.rule("KH-R50", "KH-R53", "KH-R56")
def test_of_several_engagements_all_outcomes_come_before_all_retreats_area_by_area() -> None:
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


# --- advantage ---


@pytest.mark.rule("KH-16.01", "KH-16.03", "KH-16.07", "KH-16.08", "KH-16.09", "KH-16.10", "KH-R43")
def test_points_of_advantage_come_for_each_reason() -> None:
    state = position({"15_pz_div": HERE, "21_pz_div": HERE, "7_armd_bde": HERE, "recon_cw": HERE})
    each = engaged()

    def reasons(side: str) -> list[tuple[str, int]]:
        return [(step[0].partition(",")[0], step[1]) for step in advantage_of(state, each, side).steps]

    assert (reasons(AXIS), reasons(ALLIES)) == ([("strength", 2)], [])  # six companies against three
    state.formations["15_pz_div"].path = ["gambut", HERE]
    assert reasons(AXIS) == [("strength", 2)]
    state.formations["21_pz_div"].path = ["gambut", HERE]
    assert reasons(AXIS) == [("strength", 2)]
    state.formations["21_pz_div"].path = ["el_adem", HERE]
    assert reasons(AXIS) == [("strength", 2), ("connectors", 1)]
    each.stationary = AXIS
    assert reasons(AXIS) == [("strength", 2)]
    each.stationary, each.other = "", "el_adem"
    assert reasons(AXIS) == [("strength", 2)]
    each.other = ""
    state.formations["21_pz_div"].path = ["", HERE]  # from off the map: no connector
    assert reasons(AXIS) == [("strength", 2)]
    state.formations["7_armd_bde"].overwhelmed = state.formations["21_pz_div"].assimilating = True
    assert reasons(ALLIES) == [("overwhelmed", 1), ("assimilating", 1)]
    (event,) = of(run(state, compute_advantage(state, _known(state, each))), AdvantageReckoned)
    assert (event.favoured, event.net) == ("", 0)
    state.formations["7_armd_bde"].overwhelmed = False
    (event,) = of(run(state, compute_advantage(state, each)), AdvantageReckoned)
    assert (event.favoured, event.net, event.points) == (
        AXIS,
        1,
        {AXIS: [("strength", 2)], ALLIES: [("assimilating", 1)]},
    )
    assert {sum_.name: sum_.total for sum_ in event.calculations} == {
        "points.axis": 2, "points.allies": 1, "strength.axis": 6, "strength.allies": 3, "net": 1,
    }  # fmt: skip


def _known(state: KhamsinState, each: Engagement) -> Engagement:
    state.engagements[each.id] = each
    return each


@pytest.mark.rule("KH-7.04", "KH-13.01")
def test_who_fields_is_told_how_worn_his_formations_are_and_what_flies() -> None:
    state = position({"15_pz_div": HERE, "7_armd_bde": HERE})
    formation = state.formations["15_pz_div"]
    formation.armor, formation.general = 3, 7
    each = engaged(forces={AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde"]}, number=1)
    assert companies_space(state, each, AXIS).told() == {
        "15_pz_div": "attrition 3 armor, 7 general, in supply",
        "air": "none for this engagement",
    }
    formation.supplied = False
    assert companies_space(state, each, AXIS).told()["15_pz_div"].endswith("OUT OF SUPPLY")
    desert = position({}, "crusader")
    desert.weather = next(name for name, card in board("crusader").weather.cards.items() if card.air != "none")
    most, level = board("crusader").air[AXIS].engagements, board("crusader").air[AXIS].level
    for used, told_ in (
        (most - 1, f"{level}, for 1 more of this turn's engagements"),
        (most, "none for this engagement"),
    ):
        desert.air_used[AXIS] = used
        assert companies_space(desert, engaged(area="tobruk", forces={AXIS: [], ALLIES: []}), AXIS).told() == {
            "air": told_
        }


# --- at the start ---


@pytest.mark.rule("KH-1.08", "KH-7.03")
def test_a_side_deploys_where_it_has_a_choice_and_nations_kept_apart_do_not_share() -> None:
    changes: dict[str, Any] = {
        "coordination": {"apart": [["german", "italian"]]},
        "forces.nations.italian": {"title": "Italian", "side": AXIS},
        "forces.formations.afrika_div.nation": "italian",
        "forces.formations.afrika_div.start": ["el_adem", "gambut"],
        "forces.formations.21_pz_div.start": ["gambut", "sollum"],
        "replacements.german.nations": ["german", "italian"],
    }
    state = position({})
    state.place_board(built(changes, "fixture"))
    space = deployment_space(state, AXIS)
    assert space is not None
    people = {"rommel": state.board.leaders["rommel"].start[0]}

    def why(**areas: str) -> str:
        refusal = space.why_not(Deploy({name.removeprefix("f"): area for name, area in areas.items()}, people))
        return refusal.reason if refusal else ""

    assert why(fafrika_div="el_adem", f21_pz_div="gambut") == ""
    assert why(fafrika_div="gambut", f21_pz_div="sollum") == ""
    shared = "afrika_div: Afrika Division may not share Gambut with 21st Panzer Division"
    assert why(fafrika_div="gambut", f21_pz_div="gambut") == shared
    assert why(fafrika_div="sollum", f21_pz_div="gambut") != ""
    assert deployment_space(state, ALLIES) is None
    order = Deploy({"afrika_div": "gambut", "21_pz_div": "sollum"}, people)
    run(state, deploy(state), answers={AXIS: order})
    at = {each: it.area for each, it in state.formations.items()}
    assert (at["afrika_div"], at["21_pz_div"], at["15_pz_div"], at["7_armd_bde"]) == (
        "gambut",
        "sollum",
        HERE,
        "gabr_saleh",
    )


@pytest.mark.rule("KH-4.04", "KH-4.05", "KH-11.03")
def test_who_is_due_enters_by_the_scheduled_area_while_it_is_open() -> None:
    late = position({}, "crusader", turn=8)
    piece, ways = "2_sa_div", board("crusader").formations["2_sa_div"].entries
    enters = board("crusader").formations[piece].enters
    for turn, there in ((enters - 1, False), (enters, True), (enters + 1, True)):
        late.turn = turn
        assert (piece in due(late)) is there
    assert open_entries(late, piece) == list(ways[:1])
    late.control[ways[0]] = AXIS
    assert open_entries(late, piece) == list(ways[1:])
    late.control[ways[0]] = ALLIES
    german = late.formations["15_pz_div"]
    german.standing, german.area = ON_MAP, ways[0]
    assert open_entries(late, piece) == list(ways[1:])
    german.strength = 0
    assert open_entries(late, piece) == list(ways[:1])
