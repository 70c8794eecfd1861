"""Menu lines in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import move
from tests.plugins.desert_aa.ui.typed import line

from desert_aa.fog.views import view
from desert_aa.model import orders
from desert_aa.model.state import Minefield
from desert_aa.ui.asking.answers import answer
from sandtable.terminal.form_filling import entries

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript


def lying(state: Any) -> None:
    for unit_id in ("de-arm-1", "de-arm-2", "de-arm-3"):
        state.units[unit_id].condition, state.units[unit_id].stands_up = "extended", 3


def nothing(state: Any) -> None:
    """Change nothing."""


FIGHTS = {
    "one way is open": ("HAB uk-inf-1..2; GSA de-inf-1..2; BUQ uk-inf-3", "6 6, 6 6", orders.PressOn, nothing),
    "laid down": ("HAB uk-arm-1..4; GSA de-arm-1..4", "1 1 6 6, 6 6 6 6", orders.TakeLosses, lying),
    "of two powers": (
        "HAB uk-arm-1..6; GSA de-inf-1..5 it-inf-1..5",
        "1 1 1 1 1 6, 6 6 6 6 6 6 6 6 6 6",
        orders.TakeLosses,
        nothing,
    ),
}


@pytest.mark.rule("DAA-17.06", "DAA-17.09")
@pytest.mark.parametrize(("units", "dice", "asked", "tweak"), FIGHTS.values(), ids=FIGHTS)
def test_menu_lists_the_choices_of_a_battle(
    lay: Lay, units: str, dice: str, asked: Any, tweak: Any, transcript: Transcript
) -> None:
    """Losses name the condition of units, and identical units share a line."""
    case = lay(units, "england", dice=dice, tweak=tweak).attack(units.partition(";")[0][4:], "HAB GSA")
    case.submit(orders.EndMoves()).to(asked)
    transcript("\n".join(label for label, _ in entries(case.asked.options, lambda each: line(case, each))))


@pytest.mark.rule("DAA-4.03", "DAA-16.01", "DAA-17.01")
def test_menu_shows_moves_with_defenders_and_odds(lay: Lay, transcript: Transcript) -> None:
    """A detour that lays a unit down without need is not in the menu, but it can be ordered."""
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", "england").to_phase("combat_move")
    attack = move("uk-arm-1..2", "HAB GSA")
    assert line(case, move("uk-arm-1", "HAB GSA"))
    assert line(case, move("uk-arm-1", "HAB MIN SIW GSA")) == ""
    assert case.asked.options.is_legal(move("uk-arm-1", "HAB MIN SIW GSA"))
    before = line(case, attack)
    transcript(f"{before}\n{line(case.submit(attack), orders.EndMoves())}")


@pytest.mark.rule("DAA-14.02")
def test_menu_shows_purchases_with_prices(lay: Lay, transcript: Transcript) -> None:
    case = lay("HAB uk-inf-1", "england")
    bought = orders.BuyUnits({"infantry": 2, "armor": 1}), orders.BuyUnits({})
    transcript("\n".join(line(case, each) for each in (*bought, orders.PlaceUnits({"ALX": {"aa_gun": 1}}))))


@pytest.mark.rule("DAA-9.02", "DAA-9.06", "DAA-9.09", "DAA-9.10")
@pytest.mark.parametrize("entries", [0, 1])
def test_menu_shows_the_dice_of_a_known_minefield(lay: Lay, entries: int, transcript: Transcript) -> None:
    def mined(state: Any) -> None:
        state.control["GSA"] = "germany"
        state.minefields["GSA"] = Minefield("germany", known=True, entries=entries)

    case = lay("HAB uk-arm-1..2", "england", tweak=mined).to_phase("combat_move")
    lines = [line(case, move("uk-arm-1", "HAB GSA"))]
    lines.append(line(case.submit(move("uk-arm-1..2", "HAB GSA")), orders.EndMoves()))
    answered = answer(view(case.state, "allies"), case.prepared.board, "odds GSA")
    assert answered is not None
    transcript("\n".join([*lines, *answered.lines]))


@pytest.mark.rule("DAA-12.04", "DAA-16.07")
def test_menu_omits_detours_of_planes(lay: Lay) -> None:
    case = lay("BUQ uk-ftr-1; GSA de-inf-1", "england").to_phase("combat_move")
    options: Any = case.asked.options
    flights = [orders.MoveUnits(["uk-ftr-1"], path) for path, _ in options.routes("uk-ftr-1") if path[-1] == "GSA"]
    assert len(flights) > 3
    assert len([each for each in flights if line(case, each)]) == 1
    assert all(options.is_legal(each) for each in flights), "it may be ordered all the same"


@pytest.mark.rule("DAA-18.01")
def test_menu_omits_round_trip_marches(lay: Lay) -> None:
    case = lay("HAB uk-inf-1", "england").to_phase("noncombat_move")
    assert line(case, move("uk-inf-1", "HAB SIB HAB")) == ""
    assert line(case, move("uk-inf-1", "HAB SIB"))


def test_end_of_moves_lists_units_that_have_not_moved(lay: Lay, transcript: Transcript) -> None:
    case = lay("ALX uk-bom-1; HAB uk-inf-1 uk-aa-1; GSA de-inf-1; TRI it-inf-1", "england").to_phase("combat_move")
    case.submit(orders.EndMoves()).to_phase("noncombat_move")
    before = line(case, orders.EndMoves())
    transcript(f"{before}\n{line(case.submit(move('uk-inf-1', 'HAB SIB')), orders.EndMoves())}")
