"""Descriptions of hexes, units and places, menu lines, and digests of a phase."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from tests.plugins.kampfpanzer.plotting.test_deployment import opened
from tests.plugins.kampfpanzer.positions import FRENCH, GERMANS

from kampfpanzer import SCENARIOS
from kampfpanzer.fog.views import view as view_of
from kampfpanzer.model import orders
from kampfpanzer.model.state import ON_MAP, KampfState
from kampfpanzer.ui.aims import aims
from kampfpanzer.ui.digest import digest
from kampfpanzer.ui.draw import draw
from kampfpanzer.ui.menus import DESCRIPTIONS, words
from sandtable.cli.main import cli
from sandtable.errors import PlayError
from sandtable.viewer.style import paper

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import NewCase
    from transcripts import Transcript

GOLDEN = Path(__file__).parents[4] / "replays" / "kampfpanzer" / "french-majority-hannut.jsonl"


def focused(case: Case, focus: str, side: str = FRENCH) -> str:
    text = draw(view_of(case.state, side), case.state.board, "text", focus)
    assert text is not None
    return text


def drawn(state: KampfState, side: str, columns: int) -> str:
    with paper(columns):
        text = draw(view_of(state, side), state.board, "text")
    assert text is not None
    return text


# --- hexes, units and places ---


@pytest.mark.rule("KP-10.0c", "KP-10.0e", "KP-3.24a", "KP-9.13a", "KP-9.4c")
def test_focus_describes_hexes_units_and_places(new_case: NewCase, transcript: Transcript) -> None:
    hexes = new_case(french="1 0507; 29 0605 entrenched", germans="94 0508 D2", woods="0606", wrecks="0508")
    # a gun faces one direction
    units = new_case(french="1 0507; 38 0710 A; 29 aboard 146; 146 0901", germans="94 0512; 138 0706")
    alone = new_case(french="1 0507", germans="94 0517")  # only one of the two has the range to fire
    assert focused(alone, "94") == focused(alone, "94", GERMANS)
    views = [focused(hexes, each) for each in ("0606", "0508", "0605")]
    views += [focused(units, each) for each in ("1", "38", "146", "29")]
    views += [focused(alone, "94"), drawn_place("hill 3")]
    transcript("\n\n".join(views))


def drawn_place(name: str) -> str:
    state = opened("abbeville")
    return draw(view_of(state, "british"), state.board, "text", name) or ""


def test_focus_that_is_neither_hex_nor_unit_is_refused(new_case: NewCase) -> None:
    case = new_case(french="1 0507", germans="94 0512")
    for focus in ("9999", "x", "Hill"):
        with pytest.raises(PlayError, match="neither a hex of the map nor a unit"):
            focused(case, focus)


def test_map_before_the_first_turn_shows_set_up_areas() -> None:
    state = opened("abbeville")
    state.units["42"].hex, state.units["42"].standing = "0619", ON_MAP
    state.deployed.append("british")
    text = drawn(state, "germans", 160)
    assert "\n01 " in text  # 3001 to 3006 and the hill, not only the British
    assert " 30 31 " in text


def test_map_with_margin_fits_one_strip() -> None:
    state = opened("abbeville")
    for unit, hex_ in (("42", "0411"), ("94", "3003")):
        state.units[unit].hex, state.units[unit].standing = hex_, ON_MAP
    state.deployed.extend(["british", "germans"])
    text = drawn(state, "germans", 100)
    heads = [line for line in text.splitlines() if line.startswith("      ") and line.split()[0].isdigit()]
    assert len(set(heads)) == 1


# --- victory conditions ---


@pytest.mark.rule("KP-14.0j", "KP-14.9.4")
def test_aims_describe_victory_of_every_scenario(transcript: Transcript) -> None:
    lines: list[str] = []
    for scenario in SCENARIOS:
        state = opened(scenario)
        lines += aims(view_of(state, state.board.sides[0]), state.board)
        state.turn = 1
        later = list(aims(view_of(state, state.board.sides[0]), state.board))
        assert all("{" not in line and len(line) < 250 for line in later)
    state = opened("abbeville")
    state.turn = 4
    state.units["112"].hex, state.units["112"].standing = "0807", ON_MAP
    transcript("\n".join([*lines, "", *aims(view_of(state, "british"), state.board)]))
    assert "Figures: attack and weapon" in drawn(state, "british", 100)


# --- menus and digests ---


@pytest.mark.rule("KP-9.11a")
def test_menu_lines_describe_orders(new_case: NewCase, transcript: Transcript) -> None:
    case = new_case(french="1 0507; 2 0506; 38 0710 A", germans="94 0508 D2; 112 aboard 138; 138 0706")
    fire = new_case(french="1 0507; 2 0508", germans="94 0510")
    fire.state.plots.update({"1": "N 0510", "2": "N 0510"})
    given = [
        orders.Counterattack("94"),
        orders.DeclineCounterattack(),
        orders.ChooseTarget("138"),
        orders.BackUp("1"),
        orders.GroupFire([["1", "2"], ["38"]]),
        orders.ChooseFacing("B"),
        orders.ChooseFacing("C"),
    ]
    assert (
        set(DESCRIPTIONS) == set(orders.ORDERS) - {orders.Deploy, orders.HandInPlots} == {type(each) for each in given}
    )
    lines = [words(each, view_of(case.state, FRENCH), case.state.board) for each in given]
    lines.append(words(orders.GroupFire([["1"], ["2"]]), view_of(fire.state, FRENCH), fire.state.board))
    transcript("\n".join(map(str, lines)))


@pytest.mark.rule("KP-9.24b")
def test_menu_line_of_opportunity_fire_shows_no_odds(new_case: NewCase) -> None:
    """Such fire is aimed only at the unit that passes, not at the others in the hex."""
    fire = new_case(french="1 0507; 2 0508", germans="94 0510; 112 0510")
    fire.state.plots.update({"1": "P 0510", "2": "P 0510"})
    line = words(orders.GroupFire([["1", "2"]]), view_of(fire.state, FRENCH), fire.state.board)
    assert line == "fire: S35 1 with S35 2"


@pytest.mark.rule("KP-6.3a", "KP-6.1a")
def test_movement_digest_has_one_line_per_unit(new_case: NewCase) -> None:
    case = new_case(french="29 0808; 1 0315", germans="94 0805").turn(french="1 D1 S1 D1", germans="94 D3")
    texts = digest(case.game.records, case.state.board).values()
    assert sorted(line for text in texts for line in text.splitlines()) == [
        "PzII 94 to 0807 (2 hexes, 2 points), stopped in the zone of infantry 29.",
        "S35 1 to 0317 (2 hexes, 3 points).",
    ]


@pytest.mark.full
def test_replay_is_brief_and_full_on_request() -> None:
    brief = CliRunner().invoke(cli, ["replay", str(GOLDEN), "--turn", "1"], prog_name="sandtable")
    full = CliRunner().invoke(cli, ["replay", str(GOLDEN), "--turn", "1", "--full"], prog_name="sandtable")
    assert brief.exit_code == full.exit_code == 0
    assert "PzII 94 from 2240 to 2445 (16 hexes, 14 points)." in brief.output
    assert "After 1 point" not in brief.output
    assert "After 1 point" in full.output
    assert 2 * brief.output.count("\n") < full.output.count("\n") + 60
