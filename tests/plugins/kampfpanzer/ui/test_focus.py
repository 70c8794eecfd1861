"""What a person is told at the table: a hex or a unit looked at, the echo of a plot, a phase in brief."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from tests.plugins.kampfpanzer.positions import FRENCH, GERMANS

from kampfpanzer.fog.views import view as view_of
from kampfpanzer.model import orders
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.plotting.sheet import plot_sheet
from kampfpanzer.plotting.situation import Situation
from kampfpanzer.ui.asking.answers import LETTERS_OF_PLOTS
from kampfpanzer.ui.digest import digest
from kampfpanzer.ui.draw import draw
from kampfpanzer.ui.menus import words
from sandtable.cli.main import cli
from sandtable.errors import IllegalOrder, PlayError
from sandtable.kernel.decisions import Order

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Lay

GOLDEN = Path(__file__).parents[4] / "replays" / "kampfpanzer" / "french-majority-hannut.jsonl"


def looked(case: Case, focus: str, side: str = FRENCH) -> str:
    told = draw(view_of(case.state, side), case.state.board, "text", focus)
    assert told is not None
    return told


# --- a hex, a unit ---


@pytest.mark.rule("KP-10.0c", "KP-10.0e")
def test_a_hex_tells_ground_who_stands_there_cost_and_sight(lay: Lay) -> None:
    case = lay(french="1 0507; 29 0605 entrenched", germans="94 0508 D2", woods="0606", wrecks="0508")
    hex_ = looked(case, "0606")
    assert hex_.startswith("0606: woods\n  nobody there")
    assert "steps of tanks and carriers: A 0605 1," in hex_
    assert "in range and sight of the French: S35 1 and Inf-Fr 29" in hex_
    assert "there: PzII 94 (disrupted, level 2)" in looked(case, "0508")
    assert "wreck (+2)" in looked(case, "0508")
    assert "entrenchment of the French" in looked(case, "0605")


@pytest.mark.rule("KP-3.24a", "KP-9.13a", "KP-9.4c")
def test_a_unit_tells_its_figures_where_it_stands_and_whom_it_could_hit(lay: Lay) -> None:
    case = lay(french="1 0507; 38 0710 A; 29 aboard 146; 146 0901", germans="94 0512; 138 0706")
    unit = looked(case, "1")
    assert unit.startswith("S35 1, of the French: attack 5A, range 15, defence [4], movement 12")
    assert "  in 0507: clear" in unit
    assert "in range and sight: PzII 94 in 0512 and Truck 138 in 0706" in unit
    assert "in range and sight: Truck 138 in 0706" in looked(case, "38")  # a gun looks one way
    assert "with Inf-Fr 29 aboard" in looked(case, "146")
    assert "aboard APC 146 in 0901" in looked(case, "29")


def test_what_is_neither_hex_nor_unit_is_refused(lay: Lay) -> None:
    case = lay(french="1 0507", germans="94 0512")
    for focus in ("9999", "x", "Hill"):
        with pytest.raises(PlayError, match="no hex of the map and no unit"):
            looked(case, focus)


@pytest.mark.rule("KP-4.1a")
def test_the_enemy_s_plot_is_not_told(lay: Lay) -> None:
    case = lay(french="1 0507", germans="94 0512")
    assert looked(case, "94", FRENCH) == looked(case, "94", GERMANS)


# --- the sheet ---


def echo(case: Case, unit: str, **plots: str) -> str:
    sheet = {key.removeprefix("u"): text for key, text in plots.items()}
    told = plot_sheet(Situation(case.state, FRENCH)).echo
    assert told is not None
    return told(unit, sheet)


@pytest.mark.rule("KP-5.1a", "KP-6.0c")
def test_the_sheet_says_where_a_plot_ends_and_what_it_costs(lay: Lay) -> None:
    case = lay(french="1 0507; 2 0508", germans="94 0520", woods="0504")
    assert echo(case, "1", u1="A1 B1") == "ends in 0605, 2 of 12 points"
    assert echo(case, "1", u1="A2 S1") == "ends in 0505, 3 of 12 points"
    assert echo(case, "1", u1="A3") == "ends in 0504, 5 of 12 points"
    assert echo(case, "1", u1="N 0520") == ""


@pytest.mark.rule("KP-7.0a")
def test_the_sheet_says_at_once_who_else_would_end_there(lay: Lay) -> None:
    case = lay(french="1 0507; 2 0509", germans="94 0520")
    told = echo(case, "2", u1="D1", u2="A1")
    assert told.startswith("ends in 0508, 1 of 12 points; S35 2 would end in 0508, where S35 1 ends")
    assert told.endswith("[KP-7.0a]")
    assert "would end" in echo(case, "1", u1="D2")  # who stays is there, too
    assert "would end" not in echo(case, "1", u1="D2", u2="D1")


@pytest.mark.rule("KP-5.4a", "KP-5.21b")
@pytest.mark.parametrize(("text", "right"), [("0505 N", "N 0505"), ("0505 p", "P 0505"), ("0506 M", "M 0506")])
def test_a_hex_before_its_letter_is_answered_with_the_right_order(text: str, right: str) -> None:
    with pytest.raises(IllegalOrder, match=f"write {right}") as error:
        parse_plot(text)
    assert error.value.rule == "KP-5.4a"


@pytest.mark.rule("KP-5.0b")
def test_what_the_letters_of_a_plot_mean_is_told_by_examples_that_can_be_read() -> None:
    for line in LETTERS_OF_PLOTS[1:]:
        for example in re.findall(r"\b(?:0501 D3|D5 S2 D1|D5 C2|D5 VD|[NPTL] \d{4}(?:/38)?|M|Q|Q C|C)(?=[:,])", line):
            assert parse_plot(example).text == example


def test_two_operations_in_a_plot_are_still_two() -> None:
    with pytest.raises(IllegalOrder, match="another operation"):
        parse_plot("0505 D2 N")


# --- a phase in brief ---


def lines_of(case: Case) -> list[str]:
    return [line for text in digest(case.game.records, case.state.board).values() for line in text.splitlines()]


@pytest.mark.rule("KP-6.3a", "KP-6.1a")
def test_a_line_a_unit_tells_from_where_to_where_and_what_stopped_it(lay: Lay) -> None:
    case = lay(french="29 0808; 1 0315", germans="94 0805").turn(french="1 D1 S1 D1", germans="94 D3")
    told = {line.split(" to ")[0]: line for line in lines_of(case)}
    assert told == {
        "PzII 94": "PzII 94 to 0807 (2 hexes, 2 points), stopped in the zone of infantry 29.",
        "S35 1": "S35 1 to 0317 (2 hexes, 3 points).",
    }


@pytest.mark.full
def test_replay_is_brief_and_full_on_request() -> None:
    brief = CliRunner().invoke(cli, ["replay", str(GOLDEN), "--turn", "1"], prog_name="sandtable")
    full = CliRunner().invoke(cli, ["replay", str(GOLDEN), "--turn", "1", "--full"], prog_name="sandtable")
    assert brief.exit_code == full.exit_code == 0
    assert "PzII 94 from 2240 to 2445 (16 hexes, 14 points)." in brief.output
    assert "After 1 point" not in brief.output
    assert "After 1 point" in full.output
    assert 2 * brief.output.count("\n") < full.output.count("\n") + 60


# --- menus ---


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (
            orders.Counterattack("94"),
            "counter PzII 94 (disrupted, level 2) in 0508: attack 2A, range 5, defence [3]",
        ),
        (orders.DeclineCounterattack(), "decline: no counterattack"),
        (orders.ChooseTarget("138"), "hit Truck 138 with Inf-Ge 112 aboard in 0706: defence 1, movement 20"),
        (orders.BackUp("1"), "withdraw S35 1 in 0507: attack 5A, range 15, defence [4], movement 12"),
        (orders.GroupFire([["1", "2"], ["38"]]), "fire: S35 1 with S35 2; 25mm 38"),
        (orders.ChooseFacing("B"), "face B, north-east"),
    ],
)
def test_a_line_of_a_menu_tells_who_it_is_and_what_state_he_is_in(lay: Lay, order: Order, told: str) -> None:
    germans = "94 0508 D2; 112 aboard 138; 138 0706"
    case = lay(french="1 0507; 2 0506; 38 0710 A", germans=germans)
    said = words(order, view_of(case.state, FRENCH), case.state.board)
    assert said is not None
    assert said.startswith(told)
