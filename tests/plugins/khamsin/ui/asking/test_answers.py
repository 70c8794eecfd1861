"""Answers to queries about a campaign, based on the view of a side."""

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS
from tests.plugins.khamsin.procedures import desert, wells
from transcripts import Transcript

from khamsin.fog.views import view
from khamsin.model.forces import on_map
from khamsin.model.state import KhamsinState, Report
from khamsin.movement.paths import formation_path
from khamsin.supply.supply import supplied_areas
from khamsin.ui.asking.answers import answer
from sandtable.errors import PlayError
from sandtable.plugin.manifest import Answer


def answered(state: KhamsinState, text: str, side: str = AXIS) -> Answer:
    found = answer(view(state, side), state.board, text)
    assert found is not None
    return found


def dialog(state: KhamsinState, *texts: str, side: str = AXIS) -> str:
    """Return queries and their answers as printed."""
    found = [(text, answered(state, text, side)) for text in texts]
    rows = [[f"> {text}", f"{it.yes} {' '.join(it.rules)}".strip(), *it.lines] for text, it in found]
    return "\n".join("\n".join(row) for row in rows)


@pytest.mark.rule("KH-6.03", "KH-8.10", "KH-9.01", "KH-10.01", "KH-11.02", "KH-20.05", "KH-22.08", "KH-22.09")
def test_answers_follow_supply_reports_attrition_and_orders(transcript: Transcript) -> None:
    state = desert(**{"15_pz_div": "sidi_rezegh", "21_pz_div": "bardia", "7_armd_bde": "gabr_saleh"})
    near, path = state.board.neighbors["sidi_rezegh"], "path 15_pz_div gambut"
    texts = [dialog(state, "?", "supply 15_pz_div", "supply Sidi Rezegh", path, "reach 15_pz_div", "problems")]
    state.control |= dict.fromkeys(near, ALLIES)
    texts.append(dialog(state, "supply 15_pz_div"))
    state.reports[AXIS] = Report(1, ["gambut", near[0]])
    state.formations["15_pz_div"].general, state.formations["21_pz_div"].supplied = 45, False
    texts.append(
        dialog(
            state, path, f"path 15_pz_div {near[0]}", "reach 15_pz_div", "companies 15th Panzer Division", "problems"
        )
    )
    state.formations["7_armd_bde"].regroup = True
    texts.append(dialog(state, "reach 7_armd_bde", side=ALLIES))
    transcript("\n\n".join(texts))
    assert answer(view(state, AXIS), state.board, "hold") is None


@pytest.mark.rule("KH-10.02", "KH-10.03", "KH-11.02")
def test_supply_answers_match_the_rules() -> None:
    state = desert(**{"15_pz_div": "sidi_rezegh"})
    for area in state.board.areas:
        assert answered(state, f"supply {area}").yes is (area in supplied_areas(state, AXIS)), area


@pytest.mark.rule("KH-8.10", "KH-8.11")
def test_path_answers_match_legal_orders() -> None:
    """For every area, the answer is yes exactly if the orders space accepts a path that ends there."""
    state = desert(**{"15_pz_div": "sidi_rezegh"})
    space = formation_path(state, "15_pz_div")
    ends = {path[-1] for path in space.values()}
    for area in state.board.areas:
        if area != "sidi_rezegh":
            assert answered(state, f"path 15_pz_div {area}").yes is (area in ends), area
    listed = dialog(state, "reach 15_pz_div")
    assert all(state.board.names[area] in listed for area in ends - {"sidi_rezegh"})


@pytest.mark.rule("KH-6.03", "KH-R10")
def test_answers_ignore_unreported_enemies() -> None:
    """The Axis gets the same answers in two campaigns that differ only in an unreported enemy area."""
    queries = ["supply 15_pz_div", "reach 15_pz_div", "companies 15_pz_div", "path 15_pz_div gabr_saleh"]
    answers = []
    for area in ("gabr_saleh", "maddalena"):
        state = desert(**{"15_pz_div": "sidi_rezegh", "7_armd_bde": area})
        answers.append([answered(state, text) for text in queries])
    assert answers[0] == answers[1]


def test_questions_about_enemy_formations_are_refused() -> None:
    state = desert(**{"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    for text in ("supply 7_armd_bde", "companies 7_armd_bde", "path 7_armd_bde gabr_saleh"):
        with pytest.raises(PlayError, match="formation of your side"):
            answered(state, text)
    assert answered(state, "companies 7_armd_bde", "umpire").lines
    assert on_map(state, ALLIES) == ["7_armd_bde"]


def test_questions_accept_name_prefixes_and_list_candidates() -> None:
    state = wells(panzer_rgt="ridge")
    for text in ("reach panzer", "path panzer ford", "path panzer the ford", "supply panzer", "companies panz"):
        assert answer(view(state, AXIS), state.board, text) is not None
    with pytest.raises(PlayError, match="guard_battalion"):
        answer(view(state, AXIS), state.board, "path ford ford")
    away = wells()
    for formation in away.formations.values():
        formation.standing = "undeployed"
    listed = answer(view(away, AXIS), away.board, "?")
    assert listed is not None
    assert "…" not in "\n".join(listed.lines)
