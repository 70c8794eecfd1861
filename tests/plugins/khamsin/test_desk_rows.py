"""What a club met at the umpire's desk: names, menus, doubts, reports; each row failed once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from tests.plugins.khamsin.cases import ALLIES, AXIS, result
from tests.plugins.khamsin.modules import board as board_of
from tests.plugins.khamsin.positions import shipped

from khamsin.fog.views import view
from khamsin.model import orders
from khamsin.model.events import ConditionCounted
from khamsin.model.notation import areas_in
from khamsin.model.state import Fielded
from khamsin.ui.draw import draw
from khamsin.ui.menus import words
from khamsin.ui.narrate import sentence
from khamsin.ui.parsing import read_order
from sandtable.cli.main import cli
from sandtable.errors import DataError, IllegalOrder, PlayError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import GameEnded
from sandtable.kernel.records import EventRecord
from sandtable.rules.notation.wording import described
from sandtable.tabletop.brief import for_side
from sandtable.tabletop.checking import results_in
from sandtable.tabletop.report.form import read_result
from sandtable.tabletop.report.page import as_text
from sandtable.tabletop.result import ReportBattle

if TYPE_CHECKING:
    from tests.plugins.khamsin.cases import Case
    from tests.plugins.khamsin.conftest import Lay

PEOPLE = [f"--player={seat}=human" for seat in ("umpire", "axis", "allies")]
CRUSADER = board_of("crusader").names
WORN = "Panzer Regiment (attrition 41: two vehicles less in each armoured platoon, activation -1)"


def desk(*words: str, typed: tuple[str, ...] = ()) -> Result:
    return CliRunner().invoke(cli, words, input="\n".join([*typed, ""]), prog_name="sandtable")


# --- names ---


@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ("Sidi Rezegh", ["sidi_rezegh"]),
        ("sidi rezegh el adem", ["sidi_rezegh", "el_adem"]),
        ("Gambut Sidi Rezegh", ["gambut", "sidi_rezegh"]),
        ("Tobruk, Sidi Rezegh", ["tobruk", "sidi_rezegh"]),
        ("tobruk", ["tobruk"]),
    ],
)
def test_an_area_is_named_by_its_title_alone_or_in_a_path(text: str, areas: list[str]) -> None:
    assert areas_in(text, CRUSADER, "KH-3.06") == areas


def test_west_well_and_the_ford_are_areas() -> None:
    names = board_of("teaching").names
    assert areas_in("West Well The Ford", names, "KH-3.06") == ["west_well", "ford"]
    with pytest.raises(IllegalOrder, match="character 11 of West Well Atlantis: Atlantis is no area"):
        areas_in("West Well Atlantis", names, "KH-3.06")


# --- companies ---


def fielding(lay: Lay, side: str = AXIS) -> Decision:
    case = lay("15_pz_div sidi_rezegh armor=12 general=3; 7_armd_bde gabr_saleh", dice={"activation:15_pz_div": "6"})
    case.turn(axis="15_pz_div gabr_saleh", until=orders.FieldCompanies)
    return case.decision(side)


@pytest.mark.rule("KH-13.01", "KH-7.04")
def test_what_can_be_fielded_is_listed_with_wear_supply_and_air(lay: Lay) -> None:
    told = read_order(fielding(lay), "?", board_of("fixture"))
    assert isinstance(told, str)
    assert "15_pz_div: 0 to 1 of panzer, panzer_grenadier, panzer_engineer" in told or "15_pz_div: 0 to 1 of" in told
    assert "attrition 12 armor, 3 general, in supply" in told
    assert "air support:" in told


def test_the_wear_is_no_part_of_the_question(lay: Lay) -> None:
    decision = fielding(lay)
    assert "attrition" not in str(decision.options.outline())


def test_more_is_told_of_a_formation_an_area_a_leader(lay: Lay) -> None:
    case = lay("15_pz_div sidi_rezegh armor=12; rommel gambut; 7_armd_bde gabr_saleh")
    board = case.state.board

    def about(focus: str) -> str:
        return draw(case.game.view("axis"), board, "text", focus) or ""

    assert "attrition 12 armor + 0 general = 12" in about("15_pz_div")
    assert "in reach, with points:" in about("15th Panzer Division")
    assert "Rommel: Gambut" in about("rommel")
    assert "to Gambut: " in about("Sidi Rezegh")
    with pytest.raises(PlayError, match="no formation or leader that this side knows more of"):
        about("7_armd_bde")


# --- menus ---


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (orders.Withdraw(), "stand"),
        (orders.Withdraw("fighting"), "withdraw fighting"),
        (orders.Withdraw("stand", {"panzer_recon": "recon"}), "stand; panzer_recon slips away"),
        (orders.LetGo(let_go=False), "fight"),
        (orders.RetreatTo({"a": "gambut", "b": "gambut"}), "all to gambut"),
        (orders.Advance(), "stay"),
        (orders.Advance({"a": "gambut"}), "a to gambut"),
        (orders.ProposeMode("linked"), "linked: tables next to each other"),
    ],
)
def test_menus_are_in_words(order: Order, told: str) -> None:
    assert described(order) == told


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (
            orders.Withdraw("stand", {"panzer_rgt": "precipitous"}),
            f"stand; {WORN} leaves precipitously (two dice and 1 of attrition)",
        ),
        (
            orders.Withdraw("stand", {"panzer_rgt": "precipitous", "rifle_rgt": "precipitous"}),
            f"stand; {WORN} and Rifle Regiment leave precipitously (two dice and 1 of attrition each)",
        ),
        (
            orders.RetreatTo({"panzer_rgt": "ridge", "recon_unit": "ridge"}),
            "Panzer Regiment and Reconnaissance Unit to The Ridge",
        ),
        (orders.Advance({"recon_unit": "west_well"}), "Reconnaissance Unit to West Well"),
        (orders.Advance(), "stay"),
        (orders.PlaceLeader("west_well"), "at West Well"),
        (
            orders.FieldCompanies([Fielded("recon_unit", "panzerspaeh", air=True), Fielded("guards", "schuetzen")]),
            (
                "Panzerspaeh company of Reconnaissance Unit (out of supply), led by Lehr, with air support; "
                "Schuetzen company of guards, led by Brandt"
            ),
        ),
    ],
)
def test_menus_name_formations_and_areas_and_tell_wear_and_supply(lay: Lay, order: Order, told: str) -> None:
    case = lay(
        "panzer_rgt ridge armor=31 general=10; recon_unit ridge supplied=no; rifle_rgt west_well", module="teaching"
    )
    assert words(order, view(case.state, "axis"), case.state.board) == told


# --- retreats ---


@pytest.mark.rule("KH-R51", "KH-20.02")
def test_a_beaten_force_does_not_flee_into_the_empty_base_of_the_enemy(lay: Lay) -> None:
    """At the Ford the Commonwealth is beaten; West Well next to it stands empty, and one turn of it would win."""
    case = ford(lay)
    assert case.why_not(ALLIES, orders.RetreatTo({"inf_bde": "west_well"})) == "KH-20.02"
    assert case.why_not(ALLIES, orders.RetreatTo({"inf_bde": "east_well"})) == ""


@pytest.mark.rule("KH-R51")
def test_by_the_other_reading_it_does(lay: Lay) -> None:
    case = ford(lay, retreat_dest="not_occupied")
    assert case.why_not(ALLIES, orders.RetreatTo({"inf_bde": "west_well"})) == ""


def ford(lay: Lay, **more: str) -> Case:
    case = lay("panzer_rgt ridge; inf_bde ford", module="teaching", dice={"activation:panzer_rgt": "6"}, **more)
    case.turn(result("axis", "4-3"), axis="panzer_rgt ford", until=orders.RetreatTo)
    return case


# --- results ---


def brief_of(lay: Lay) -> Any:
    case = lay("15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh", dice={"activation:15_pz_div": "6"})
    case.turn(axis="15_pz_div gabr_saleh", until=ReportBattle)
    return case.decision("umpire")


@pytest.mark.rule("KH-18.02")
def test_a_six_to_one_of_who_lost_two_platoons_is_questioned(lay: Lay) -> None:
    decision = brief_of(lay)
    results = results_in(decision.options)
    assert results is not None
    lost = [name for name, each in results.brief.platoons("axis").items() if not each.independent][:2]
    text = f"axis 6-1; axis lost {' '.join(lost)}"
    with pytest.raises(IllegalOrder, match=r"axis lost 2 platoons .* by which it is 4-3, and not 6-1: correct it"):
        read_order(decision, text, board_of("fixture"))
    kept = read_order(decision, f"{text}; as said", board_of("fixture"))
    assert decision.options.why_not(kept) is None
    form = f'winner = "axis"\npoints = "6-1"\n[axis]\nlost = {lost}\n'.replace("'", '"')
    with pytest.raises(DataError, match="write as_said = true if it stands"):
        read_result(form, "it.toml", results.brief, results)
    assert read_result(f"as_said = true\n{form}", "it.toml", results.brief, results).points["axis"] == 6
    assert read_order(decision, f"axis 4-3; axis lost {' '.join(lost)}", board_of("fixture"))


# --- the end ---


@pytest.mark.rule("KH-R110", "KH-25.02")
def test_both_sides_meeting_a_condition_is_told_as_that() -> None:
    board = board_of("teaching")
    both = sentence(EventRecord(1, GameEnded("draw", "even", "KH-R110")), board)
    assert both == "The game is over: a draw (both sides met a condition of victory in the same turn)."
    even = sentence(EventRecord(1, GameEnded("draw", "even", "KH-25.03")), board)
    assert even == "The game is over: a draw (neither side is ahead)."
    assert sentence(EventRecord(1, ConditionCounted("0", 1)), board)


# --- the desk ---


@pytest.mark.rule("KH-3.06")
def test_a_line_with_one_refused_name_is_refused_as_a_whole_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = "panzer_rgt: ford; motor_rgt: ridge; brandt: ford; plan: x"
    right = "panzer_rgt: The Ford; brandt: ford; air: East Well; plan: x"
    typed = ("1", "1", line, "show", right, "show", "quit")
    played = desk("play", "khamsin", "--scenario", "teaching", *PEOPLE, "--seed", "6", "--out", "c.jsonl", typed=typed)
    told = " ".join(played.stderr.split())
    assert "motor_rgt" in told
    assert "nothing of that was written: type it again without what is wrong" in told
    first, _, second = told.partition("nothing of that was written")
    assert "panzer_rgt: -" in second.split("panzer_rgt: ford")[0], first
    shown = second.rpartition("panzer_rgt: ")[2]
    assert "leaders: brandt" in shown  # one look shows the whole order
    assert "interdict: east_well" in shown
    assert "plan: x" in shown


def test_areas_to_interdict_are_named_and_done_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    typed = ("1", "1", "done", "done", "Atlantis", "East Well", "x", "done", "done", "done", "", "quit")
    played = desk("play", "khamsin", "--scenario", "teaching", *PEOPLE, "--seed", "6", "--out", "c.jsonl", typed=typed)
    told = " ".join(played.stderr.split())
    assert "interdict (0 to 1 of them: names or numbers with spaces between, - or done for none, all)" in told
    assert "'Atlantis' is none of these: type a name or a number" in told
    assert "plan (in your own words" in told


@pytest.mark.full
@pytest.mark.rule("KH-6.02", "KH-3.14")
def test_both_sides_reports_of_a_turn_come_from_one_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played = desk("play", "khamsin", "--scenario", "teaching", "--seed", "p", "--out", "c.jsonl")
    assert played.exit_code == 0, played.stderr
    written = desk("board", "c.jsonl", "--turn", "1", "--each-side", "--out", "mail")
    assert written.exit_code == 0, written.stderr
    for side, own, other in (("axis", "panzer_rgt", "armd_bde"), ("allies", "armd_bde", "panzer_rgt")):
        text = Path("mail", f"turn-1-{side}.txt").read_text(encoding="utf-8")
        assert "Turn 1 of" in text
        assert own in text
        assert other not in text
    assert desk("board", "c.jsonl", "--turn", "40", "--each-side").exit_code == 2


@pytest.mark.rule("KH-6.08")
def test_a_brief_for_one_side_holds_nothing_of_the_others_state(lay: Lay) -> None:
    results = results_in(brief_of(lay).options)
    assert results is not None
    whole, handed = as_text(results.brief), as_text(for_side(results.brief, "axis"))
    foe = results.brief.parties["allies"].companies[0]
    assert foe.parent_title in whole
    assert foe.parent_title not in handed
    assert results.brief.parties["axis"].companies[0].parent_title in handed
    assert shipped("teaching").ruleset.id == "khamsin"


@pytest.mark.rule("KH-R51", "KH-20.03")
def test_who_has_no_ground_of_his_own_left_goes_to_empty_ground_of_the_enemys_but_not_to_his_well(lay: Lay) -> None:
    lost = "axis: ridge east_well"
    case = ford(lay, control=lost)
    assert case.why_not(ALLIES, orders.RetreatTo({"inf_bde": "west_well"})) == "KH-20.02"
    assert case.why_not(ALLIES, orders.RetreatTo({"inf_bde": "ridge"})) == ""


def test_who_lets_kampfpanzer_fight_is_told_that_it_costs_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seats = ("--player=umpire=kampfpanzer", "--player=axis=human", "--player=allies=human")
    told = desk("play", "khamsin", "--scenario", "teaching", *seats, "--out", "c.jsonl", typed=("quit",)).stderr
    assert "about twice the general attrition of the resolver's" in " ".join(told.split())
    plain = desk("play", "khamsin", "--scenario", "teaching", *seats[1:], "--out", "d.jsonl", typed=("quit",)).stderr
    assert "attrition" not in plain
