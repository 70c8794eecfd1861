"""Answers to queries about a position: they agree with the rules and reveal no hidden strength."""

from pathlib import Path

import pytest
from tests.plugins.damos.conftest import Lay
from tests.plugins.damos.positions import GERMAN, SOVIET, installed

from damos.fog.views import view
from damos.map.supply import has_supply_line
from damos.model.forces import stacks
from damos.model.orders import Activate, Step
from damos.model.state import DamosState
from sandtable.errors import PlayError
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import fold_log, prepare_for
from sandtable.plugin.manager import Rulesets
from sandtable.plugin.manifest import Answer

LOG = Path(__file__).parents[4] / "replays/damos/german-gates-smolensk.jsonl"


def answer_to(state: DamosState, text: str, side: str = GERMAN) -> Answer:
    found = installed().answer(view(state, side), state.board, text)
    assert found is not None
    return found


def text_of(state: DamosState, text: str, side: str = GERMAN) -> str:
    return "\n".join(answer_to(state, text, side).lines)


# --- supply ---


@pytest.mark.rule("AGC-4.3.1a", "DM-2.10a")
def test_a_supply_line_is_listed_hex_by_hex(lay: Lay) -> None:
    state = lay("2518 I1; 2418 I2").state
    assert answer_to(state, "supply I1").yes
    assert "across country 2518 2617 2717 2816, then by rail 2816 " in text_of(state, "supply 2518")
    assert answer_to(state, "supply I2").yes is False
    assert "the railway is too far" in text_of(state, "supply I2")


@pytest.mark.rule("DM-2.10a", "DM-10.0b")
def test_the_hexes_that_cut_a_line_are_listed(lay: Lay) -> None:
    hexes = ("2517", "2519", "2417", "2418", "2618", "2617")
    cage = "; ".join(f"{hex_} i{place}:3" for place, hex_ in enumerate(hexes, 1))
    state = lay(german="2518 I1", soviet=cage).state
    lines = text_of(state, "supply I1")
    assert "is there" in lines or "zone of control" in lines
    assert "no path of any length" in lines


def test_supply_answers_agree_with_the_rules_in_a_recorded_game() -> None:
    log = read_log(str(LOG))
    prepared = prepare_for(log, Rulesets())
    state = fold_log(log, prepared, 630)
    assert isinstance(state, DamosState)
    for side in (GERMAN, SOVIET):
        for hex_, units in list(stacks(state, side).items())[:20]:
            answer = prepared.installed.answer(view(state, side), prepared.board, f"supply {units[0]}")
            assert answer is not None
            assert answer.yes is has_supply_line(state, side, hex_)


# --- marches ---


@pytest.mark.rule("DM-7.0j")
def test_the_path_of_an_answer_can_be_marched(lay: Lay) -> None:
    """Each hex of the path is legal as a step and costs the stated points."""
    case = lay("2518 A1; 2214 i1", dice="attrition *")
    lines = answer_to(case.state, "path A1 2315")
    assert lines.yes
    price, path = lines.lines[0].split(" points: ")
    case.game.submit(Activate(["A1"]))
    for step in path.split(", "):
        case.game.submit(Step(step.split(" ")[0]))
    assert case.state.units["A1"].hex == "2315"
    left = case.state.board.counters["A1"].ma_halves // 2 - int(price.split(": ")[1].split(" ")[0])
    assert f"{left} movement points left" in next(iter(case.game.waiting())).prompt


@pytest.mark.rule("DM-7.0j", "DM-2.1f")
def test_reach_shows_enemies_and_zones_and_refuses_spent_units(lay: Lay) -> None:
    state = lay("2518 A1; 2516 i1").state
    lines = text_of(state, "reach A1")
    assert "2516x" in lines
    assert "2517*" in lines
    state.units["A1"].spent = True
    assert answer_to(state, "reach A1").rules == ("DM-2.1f",)


def test_an_unreachable_hex_is_answered_with_the_closest_one(lay: Lay) -> None:
    answer = answer_to(lay("2518 I1").state, "path I1 2505")
    assert answer.yes is False
    assert "gets no closer to 2505" in answer.lines[0]


# --- zones ---


@pytest.mark.rule("DM-2.5a", "DM-2.5e", "DM-2.6b")
def test_zone_query_lists_both_zones_of_a_force(lay: Lay) -> None:
    state = lay("2518 A1; 2316 i1").state
    who, control, influence = answer_to(state, "zone A1").lines
    assert who.endswith("in 2518")
    assert set(control.removeprefix("zone of control: ").split()) == set(state.board.around["2518"])
    assert set(control.split()[3:]) < set(influence.split()[3:])
    state.units["A1"].demoralized = True
    assert answer_to(state, "zone A1").lines[1] == "zone of control: none"
    assert answer_to(state, "zone i1").lines[2] == "zone of influence: none that you know of"


# --- stacks and odds ---


@pytest.mark.rule("DM-2.3a", "DM-2.4c")
def test_a_stack_is_described_without_hidden_strengths(lay: Lay) -> None:
    state = lay("2518 I1:4; 2516 i1:2").state
    assert "strength 4" in text_of(state, "stack 2518")
    assert "strength unknown to you" in text_of(state, "stack 2516")
    assert "strength 2" in text_of(state, "stack 2516", SOVIET)


@pytest.mark.rule("DM-8.2e", "DM-8.10b")
def test_odds_show_the_column_and_the_number_of_dice(lay: Lay) -> None:
    """One die each in column 1: 36 rolls."""
    state = lay("2518 I1:1; 2517 i1:1").state
    lines = answer_to(state, "odds I1 2517", "umpire").lines
    assert "standard attack against steadfast: attacker ahead " in "\n".join(lines)
    assert any("column 1, 1 d6" in line for line in lines)
    assert answer_to(state, "odds I1 2516").yes is False


# --- the side that asks ---


@pytest.mark.rule("DM-2.4c")
def test_hidden_strengths_change_no_answer(lay: Lay) -> None:
    """Two states that differ only in the strength of a Soviet unit give the Germans the same answers."""
    queries = ("odds I1 2517", "stack 2517", "reach I1", "path I1 2617", "supply I1", "supply i1", "zone I1", "zone i1")
    answers = []
    for points in (1, 4):
        state = lay("2518 I1; 2517 i1:5").state
        state.units["i1"].sp = points
        answers.append([answer_to(state, text) for text in queries])
    assert answers[0] == answers[1]
    assert "strength unknown to you, printed strength used" in text_of(state, "odds I1 2517")


def test_unknown_queries_units_and_hexes_are_refused(lay: Lay) -> None:
    state = lay("2518 I1").state
    names = [line.split(" ")[0] for line in answer_to(state, "?").lines]
    assert names == ["supply", "zone", "reach", "path", "stack", "problems", "odds"]
    assert installed().answer(view(state, GERMAN), state.board, "go 2816") is None
    for text, why in (("supply 99 Pz", "a unit, hex or town"), ("path I1 nowhere", "not a force and a hex")):
        with pytest.raises(PlayError, match=why):
            answer_to(state, text)
