"""The end of a turn: control, parts that join, reports (KH-6), and victory (KH-25)."""

from dataclasses import replace
from typing import Any

import pytest
from tests.plugins.khamsin import procedures
from tests.plugins.khamsin.cases import NewCase
from tests.plugins.khamsin.modules import DEFAULTS, built
from tests.plugins.khamsin.procedures import facts_of, of, position

from khamsin.model.cards import Board, Weather, WeatherCard
from khamsin.model.events import ConditionCounted, ControlChanged, DoctrineEnded, MedalsAwarded, ReportIssued
from khamsin.model.state import IN_BASE, LOST, Engagement, Formation, KhamsinState
from khamsin.setup.reading import opening_state
from khamsin.turn.victory import check_victory, end, scores
from sandtable.kernel.events import GameEnded


@pytest.mark.rule("KH-R100", "KH-6.01", "KH-3.13")
def test_reports_show_positions_at_the_end_of_the_turn(new_case: NewCase) -> None:
    case = new_case("15_pz_div el_adem; 7_armd_bde assembly_area").turn(
        axis="15_pz_div bir_el_gubi", allies="7_armd_bde gabr_saleh"
    )
    assert case.one(ReportIssued, side="axis").occupied == ["gabr_saleh"]
    assert case.one(ReportIssued, side="allies").occupied == ["bir_el_gubi"]


HELD = {"side": "axis", "kind": "area", "area": "tobruk", "text": "The Axis has Tobruk."}
NEXT = "15_pz_div el_adem; 7_armd_bde gabr_saleh"


def outcome_of(case: Any) -> tuple[str, str]:
    return case.state.outcome, case.state.ending


@pytest.mark.rule("KH-25.01", "KH-25.02", "KH-R110")
def test_the_first_to_meet_a_condition_wins(new_case: NewCase) -> None:
    case = new_case(NEXT, changes={"victory.conditions": [HELD]})
    case.turn(axis="15_pz_div tobruk")
    assert outcome_of(case) == ("axis", "objective")


CHAIN = {"side": "allies", "kind": "chain", "from": "east_well", "to": "ridge", "turns": 2, "text": "The way is open."}
WELL = {"side": "axis", "kind": "area", "area": "east_well", "text": "The Axis has the well."}
CARS = ["armd_bde", "armoured_cars"]
CAMPAIGN = {"victory.conditions": [CHAIN, WELL]}


def run(state: KhamsinState, procedure: Any = end) -> list[Any]:
    """Run a phase without decisions, and return its events."""
    return procedures.run(state, procedure(state))


def campaign(changes: dict[str, Any] | None = None, turn: int = 1, **control: str) -> KhamsinState:
    board = built(CAMPAIGN | (changes or {}))
    state = opening_state(board, DEFAULTS)
    state.place_board(board)
    state.turn, state.weather = turn, "clear"
    state.control |= control
    return state


def ending(happened: list[Any]) -> tuple[str, str]:
    (found,) = of(happened, GameEnded)
    return found.outcome, found.ending


@pytest.mark.rule("KH-3.13", "KH-11.07")
def test_area_is_controlled_by_its_only_or_last_occupant() -> None:
    state = position({"15_pz_div": "gabr_saleh", "7_armd_bde": "bir_el_gubi", "21_pz_div": "bir_el_gubi"})
    state.control["sollum"] = "allies"
    happened = run(state)
    assert of(happened, ControlChanged) == [ControlChanged("gabr_saleh", "axis", "KH-3.13")]
    assert (state.control["bir_el_gubi"], state.control["sollum"]) == ("axis", "allies")


@pytest.mark.rule("KH-R117")
def test_detached_part_rejoins_its_formation_in_the_same_area() -> None:
    state = position({"inf_cw": "tobruk"})
    state.formations["inf_cw"].strength = 1
    part = Formation("allies", 1, "map", "tobruk", parent="inf_cw", regroup_next=True, recovered_now=2)
    state.formations["inf_cw_2"] = part
    run(state)
    whole = state.formations["inf_cw"]
    assert (whole.strength, whole.regroup_next, whole.recovered_now) == (2, True, 2)
    assert "inf_cw_2" not in state.formations


@pytest.mark.rule("KH-20.10")
@pytest.mark.parametrize(("path", "owes"), [([], False), (["gambut", "sidi_rezegh"], True)])
def test_turn_of_rest_ends_the_doctrine_debt(path: list[str], owes: bool) -> None:
    state = position({"15_pz_div": "sidi_rezegh"})
    state.formations["15_pz_div"].doctrine, state.formations["15_pz_div"].path = True, path
    happened = run(state)
    assert state.formations["15_pz_div"].doctrine is owes
    assert bool(of(happened, DoctrineEnded)) is not owes


def test_doctrine_debt_of_a_lost_formation_does_not_end() -> None:
    state = position({})
    state.formations["15_pz_div"].doctrine, state.formations["15_pz_div"].standing = True, LOST
    assert not of(run(state), DoctrineEnded)


def reported(state: KhamsinState, side: str) -> ReportIssued:
    (found,) = (each for each in of(run(state), ReportIssued) if each.side == side)
    kept = state.reports[side]
    assert (kept.turn, kept.occupied, kept.seen) == (state.turn, found.occupied, found.seen)
    assert isinstance(found, ReportIssued)
    return found


@pytest.mark.rule("KH-6.01", "KH-6.03", "KH-6.04", "KH-6.05", "KH-3.14", "KH-R101", "KH-6.08")
def test_motor_reports_presence_and_reconnaissance_composition() -> None:
    enemies = {"15_pz_div": "sidi_rezegh", "21_pz_div": "sidi_rezegh"}
    report = reported(position(enemies | {"7_armd_bde": "gabr_saleh"}), "allies")
    assert (report.occupied, report.seen) == (["sidi_rezegh"], {})
    report = reported(position(enemies | {"recon_cw": "gabr_saleh"}), "allies")
    assert report.occupied == ["sidi_rezegh"]
    assert report.seen == {"sidi_rezegh": {"infantry": 1, "mechanized": 2, "armor": 3}}


@pytest.mark.rule("KH-4.02", "KH-6.04")
def test_report_in_bad_weather_shows_no_composition() -> None:
    state = position({"15_pz_div": "gabr_saleh", "recon_cw": "bir_el_gubi"})
    storm = Weather("storm", (), {"storm": WeatherCard("storm", "Storm", composition=False)})
    state.place_board(replace(state.board, weather=storm))
    state.weather = "storm"
    report = reported(state, "allies")
    assert (report.occupied, report.seen) == (["gabr_saleh"], {})


@pytest.mark.rule("KH-6.03", "KH-6.08")
def test_report_omits_areas_that_are_not_adjacent() -> None:
    report = reported(position({"15_pz_div": "gambut", "recon_cw": "gabr_saleh"}), "allies")
    assert (report.occupied, report.seen) == ([], {})


@pytest.mark.rule("KH-6.06", "KH-6.07", "KH-8.15")
def test_leaders_neither_observe_nor_are_observed() -> None:
    state = position({"rommel": "sidi_rezegh", "recon_cw": "gabr_saleh"})
    assert reported(state, "allies").occupied == []
    assert reported(position({"rommel": "sidi_rezegh", "7_armd_bde": "gabr_saleh"}), "axis").occupied == []


@pytest.mark.rule("KH-R102")
@pytest.mark.parametrize(("choice", "sees"), [("keeps", True), ("loses", False)])
def test_reconnaissance_without_supply_observes_by_option(choice: str, sees: bool) -> None:
    state = position({"15_pz_div": "sidi_rezegh", "recon_cw": "gabr_saleh"}, intel_oos_recon=choice)
    state.formations["recon_cw"].supplied = False
    report = reported(state, "allies")
    assert (report.occupied, bool(report.seen)) == (["sidi_rezegh"], sees)


@pytest.mark.rule("KH-R100")
def test_reports_follow_changes_of_control() -> None:
    state = position({"15_pz_div": "gabr_saleh", "recon_cw": "assembly_area"})
    kinds = [type(each) for each in run(state)]
    assert kinds.index(ControlChanged) < kinds.index(ReportIssued)


@pytest.mark.rule("KH-6.02")
def test_reports_summarize_every_engagement_for_both_sides() -> None:
    state = position({})
    state.engagements["tobruk"] = Engagement(
        "tobruk", "tobruk", points={"axis": 2, "allies": 5}, winner="allies", scale="double"
    )
    happened = run(state)
    for report in of(happened, ReportIssued):
        (summary,) = report.fought
        assert (summary.engagement, summary.points, summary.winner) == ("tobruk", {"axis": 2, "allies": 5}, "allies")
        assert state.reports[report.side].fought == [summary]


@pytest.mark.rule("KH-25.02", "KH-25.01")
def test_met_condition_ends_the_campaign() -> None:
    assert ending(run(campaign(east_well="axis"))) == ("axis", "objective")


@pytest.mark.rule("KH-25.02", "KH-25.01")
def test_condition_must_hold_for_consecutive_turns() -> None:
    state = campaign(ridge="allies")
    first = run(state)
    assert facts_of(first, ConditionCounted) == [ConditionCounted("0", 1)]
    assert not of(first, GameEnded)
    state.control["ridge"] = "axis"
    assert facts_of(run(state), ConditionCounted) == [ConditionCounted("0", 0)]
    state.control["ridge"] = "allies"
    assert not of(run(state), GameEnded)
    assert ending(run(state)) == ("allies", "objective")


@pytest.mark.rule("KH-25.02", "KH-25.01")
@pytest.mark.parametrize("standing", [IN_BASE, LOST])
def test_broken_force_loses_the_campaign(standing: str) -> None:
    broken = {"side": "axis", "kind": "ineffective", "of": CARS, "count": 2, "text": "Broken."}
    state = campaign({"victory.conditions": [broken]})
    state.formations["armd_bde"].standing = LOST
    assert not of(run(state), GameEnded)
    state.formations["armoured_cars"].standing = standing
    assert ending(run(state)) == ("axis", "broken")


@pytest.mark.rule("KH-25.02", "KH-R110")
@pytest.mark.parametrize(("ranks", "result"), [([], ("draw", "even")), (["allies", "axis"], ("allies", "objective"))])
def test_simultaneous_conditions_draw_unless_the_module_ranks_sides(ranks: list[str], result: tuple[str, str]) -> None:
    both = [WELL, {"side": "allies", "kind": "area", "area": "west_well", "text": "The other well."}]
    ranked = {"victory.ranks": ranks} if ranks else {}
    happened = run(campaign({"victory.conditions": both} | ranked, east_well="axis", west_well="allies"))
    assert ending(happened) == result
    assert of(happened, GameEnded)[0].rule == ("KH-25.02" if ranks else "KH-R110")


@pytest.mark.rule("KH-25.03", "KH-R111", "KH-2.03")
@pytest.mark.parametrize(
    ("control", "result"),
    [({}, ("draw", "even")), ({"ford": "axis"}, ("axis", "position")), ({"ridge": "allies"}, ("allies", "position"))],
)
def test_better_position_wins_after_the_last_turn(control: dict[str, str], result: tuple[str, str]) -> None:
    last, before = campaign(turn=9), campaign(turn=8)
    for state in (last, before):
        state.control |= control
    assert ending(run(last)) == result
    assert not of(run(before), GameEnded)


@pytest.mark.rule("KH-25.03", "KH-R111")
def test_position_counts_areas_and_losses_and_requires_the_margin() -> None:
    state = campaign({"victory.margin": 3}, turn=9)
    assert scores(state) == {"axis": 5, "allies": 5}
    state.formations["panzer_rgt"].standing = IN_BASE
    assert scores(state) == {"axis": 5, "allies": 7}
    assert ending(run(state)) == ("draw", "even")
    state.formations["rifle_rgt"].standing = LOST
    assert ending(run(state)) == ("allies", "position")


@pytest.mark.rule("KH-R111")
def test_objective_counts_1_without_a_score_table() -> None:
    state = campaign(turn=6)
    board: Board = state.board
    state.place_board(replace(board, victory=replace(board.victory, score={}, ineffective=0, margin=1)))
    assert scores(state) == {"axis": 2, "allies": 2}


@pytest.mark.rule("KH-24.10", "KH-R112")
def test_medals_go_to_the_best_players_of_each_side() -> None:
    state = campaign(east_well="axis")
    state.honor |= {"Anna": 4, "Ben": 4, "Clara": -1, "David": 2}
    happened = run(state, check_victory)
    assert facts_of(happened, MedalsAwarded) == [MedalsAwarded({"axis": ["Anna", "Ben"], "allies": ["David"]})]
    assert ending(happened) == ("axis", "objective")
