"""Lines of menus and reasons of refusals in words."""

from __future__ import annotations

from typing import Any

import pytest
from tests.plugins.desert_aa.conftest import Case, Lay, move

from desert_aa.fog.views import view
from desert_aa.model import orders
from desert_aa.model.state import Minefield
from desert_aa.ui.asking.answers import answer
from desert_aa.ui.menus import words
from desert_aa.ui.notation import read_order
from sandtable.terminal.form_filling import entries


def read(case: Case, text: str) -> Any:
    return read_order(case.asked, text, case.prepared.board)


def why_not(case: Case, text: str) -> str:
    """Return what is said to a typed order that is refused."""
    refusal = case.asked.options.why_not(read(case, text))
    assert refusal is not None, text
    return f"{refusal.rule} {refusal.reason}"


def menu(case: Case) -> list[str]:
    """Return the lines of the menu, as who is asked reads them."""
    seen = view(case.state, case.asked.side)
    return [
        label for label, _ in entries(case.asked.options, lambda each: words(each, seen, case.prepared.board) or "")
    ]


@pytest.mark.rule("DAA-15.05", "DAA-16.10", "DAA-12.04")
def test_a_plane_that_cannot_attack_is_told_the_true_reason(lay: Lay) -> None:
    case = lay("CAI uk-bom-1; ALX uk-ftr-1; TOB de-inf-1; GSA de-inf-2", "england").to_phase("combat_move")
    assert why_not(case, "move 1 bomber CAI TRI").startswith("DAA-15.05 the flight is")
    assert why_not(case, "move 1 bomber CAI BDI").startswith("DAA-16.10 planes have nothing to attack in BDI")
    assert "this fighter can fly 4" in why_not(case, "move 1 fighter ALX TOB")


@pytest.mark.rule("DAA-4.02")
def test_a_march_too_far_is_refused_for_its_length(lay: Lay) -> None:
    case = lay("CAI uk-inf-1; TOB de-inf-1; BUQ uk-inf-2", "england").to_phase("combat_move")
    assert why_not(case, "move 1 infantry CAI TOB").startswith("DAA-4.02 infantry moves 2 spaces at most")


def repulsed(lay: Lay, units: str = "uk-inf-1..2", second: str = "") -> Case:
    """England attacks Gabr Saleh, both sides miss, and it is asked to press on."""
    place = "HAB uk-inf-1..2; GSA de-inf-1..2; BUQ uk-inf-3"
    dice = "6 6, 6 6" if not second else "6 6 6, 6 6"
    case = lay(place, "england", dice=dice).attack(units, "HAB GSA")
    if second:
        case.attack(second, "BUQ GSA")
    return case.submit(orders.EndMoves()).to(orders.PressOn)


@pytest.mark.rule("DAA-17.09")
def test_a_bare_retreat_is_the_one_way_that_is_open(lay: Lay) -> None:
    case = repulsed(lay)
    assert read(case, "retreat") == orders.Retreat("HAB")
    assert menu(case) == ["fight on: 2 infantry against 2 infantry: it wins 21%", "retreat to Bir Habata (HAB)"]
    refusal = why_not(case, "retreat BUQ")
    assert refusal == "DAA-17.09 no retreat leads where no attacker came from: fight on, or retreat HAB"
    case.submit(read(case, "retreat"))
    assert case.where("uk-inf-1") == "HAB"


@pytest.mark.rule("DAA-17.06")
def test_losses_tell_the_condition_and_put_like_units_together(lay: Lay) -> None:
    """Three like tanks that lie down, and one that is fresh: two of four are lost in three ways, not in six."""
    lies = {"de-arm-1": "extended", "de-arm-2": "extended", "de-arm-3": "extended"}

    def lay_down(state: Any) -> None:
        for unit_id, condition in lies.items():
            state.units[unit_id].condition = condition
            state.units[unit_id].stands_up = 3

    case = lay("HAB uk-arm-1..4; GSA de-arm-1..4", "england", dice="1 1 6 6, 6 6 6 6", tweak=lay_down)
    case.attack("uk-arm-1..4", "HAB GSA").submit(orders.EndMoves()).to(orders.TakeLosses)
    assert menu(case) == [
        "lose 2 armour (laid down, out of fuel)",
        "lose 1 armour, 1 armour (laid down, out of fuel)",
    ]
    case.submit(orders.TakeLosses(["de-arm-1", "de-arm-4"]))


@pytest.mark.rule("DAA-4.03", "DAA-16.01", "DAA-17.01")
def test_a_move_is_told_with_its_cost_its_foes_and_the_chance(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", "england").to_phase("combat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    attack = move("uk-arm-1..2", "HAB GSA")
    assert words(attack, seen, board) == (
        "move 2 armour from Bir Habata (HAB) to Gabr Saleh-Maddalena (GSA); against 1 infantry: it wins 95%"
    )
    case.submit(attack)
    seen = view(case.state, "allies")
    told = words(orders.EndMoves(), seen, board)
    fights = "end moves, and fight: Gabr Saleh-Maddalena (GSA): 2 armour against 1 infantry: it wins 95%"
    assert told == f"{fights}; may still move: XE1 1 infantry"


@pytest.mark.rule("DAA-4.03", "DAA-16.01")
def test_a_way_round_on_which_a_unit_runs_dry_for_nothing_is_no_line_of_the_menu(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", "england").to_phase("combat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    assert words(move("uk-arm-1", "HAB GSA"), seen, board)
    assert words(move("uk-arm-1", "HAB MIN SIW GSA"), seen, board) == ""
    case.submit(move("uk-arm-1", "HAB MIN SIW GSA"))  # and can be ordered all the same


@pytest.mark.rule("DAA-14.02")
def test_what_is_bought_is_told_with_its_price(lay: Lay) -> None:
    case = lay("HAB uk-inf-1", "england")
    seen, board = view(case.state, "allies"), case.prepared.board
    assert words(orders.BuyUnits({"infantry": 2, "armour": 1}), seen, board) == "buy 2 infantry, 1 armour, 11 IPC"
    assert words(orders.BuyUnits({}), seen, board) == "buy nothing"
    assert words(orders.PlaceUnits({"ALX": {"aa_gun": 1}}), seen, board) == "place 1 flak in Alexandria (ALX)"


@pytest.mark.rule("DAA-17.06")
def test_many_losses_that_differ_in_nothing_but_their_power_are_few_lines(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..6; GSA de-inf-1..5 it-inf-1..5", "england", dice="1 1 1 1 1 6, 6 6 6 6 6 6 6 6 6 6")
    case.attack("uk-arm-1..6", "HAB GSA").submit(orders.EndMoves()).to(orders.TakeLosses)
    lines = menu(case)
    assert len(lines) == 6
    assert "lose 3 Germany's infantry, 2 Italy's infantry" in lines
    assert "lose 5 Germany's infantry" in lines
    case.submit(orders.TakeLosses([f"de-inf-{n}" for n in range(1, 6)]))


@pytest.mark.rule("DAA-9.02", "DAA-9.06", "DAA-9.09", "DAA-9.10")
@pytest.mark.parametrize(("entries", "lost", "lifted"), [(0, 3, 2), (1, 2, 3)])
def test_a_move_into_a_known_minefield_tells_its_dice(lay: Lay, entries: int, lost: int, lifted: int) -> None:
    def mined(state: Any) -> None:
        state.control["GSA"] = "germany"
        state.minefields["GSA"] = Minefield("germany", known=True, entries=entries)

    case = lay("HAB uk-arm-1..2", "england", tweak=mined).to_phase("combat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    told = words(move("uk-arm-1", "HAB GSA"), seen, board) or ""
    dice = f"minefield of Germany: a land unit is lost on a die of {lost} or less, and one of {lifted} or less lifts it"
    assert told.endswith(f"nobody is there; {dice}")
    case.submit(move("uk-arm-1..2", "HAB GSA"))
    seen = view(case.state, "allies")
    assert f"and enter Gabr Saleh-Maddalena (GSA): 2 armour ({dice})" in (words(orders.EndMoves(), seen, board) or "")
    answered = answer(seen, board, "odds GSA")
    assert answered is not None
    assert f"each is lost on a die of {lost} or less" in answered.lines[0]


@pytest.mark.rule("DAA-12.04", "DAA-16.07")
def test_a_plane_that_flies_a_way_round_is_no_line_of_the_menu(lay: Lay) -> None:
    case = lay("BUQ uk-ftr-1; GSA de-inf-1", "england").to_phase("combat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    ways = [path for path, _ in case.asked.options.ways("uk-ftr-1") if path[-1] == "GSA"]  # type: ignore[attr-defined]
    told = [way for way in ways if words(orders.MoveUnits(["uk-ftr-1"], way), seen, board)]
    assert len(ways) > 3
    assert len(told) == 1
    for way in ways:
        assert case.asked.options.why_not(orders.MoveUnits(["uk-ftr-1"], way)) is None, "it may be ordered all the same"


@pytest.mark.rule("DAA-18.01")
def test_a_march_round_to_where_it_began_is_no_line_of_the_menu(lay: Lay) -> None:
    case = lay("HAB uk-inf-1", "england").to_phase("noncombat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    assert words(move("uk-inf-1", "HAB SIB HAB"), seen, board) == ""
    assert words(move("uk-inf-1", "HAB SIB"), seen, board)


def test_the_end_of_a_phase_tells_who_has_not_moved_and_the_raids(lay: Lay) -> None:
    case = lay("ALX uk-bom-1; HAB uk-inf-1 uk-aa-1; GSA de-inf-1; TRI it-inf-1", "england").to_phase("combat_move")
    case.submit(orders.EndMoves()).to_phase("noncombat_move")
    seen, board = view(case.state, "allies"), case.prepared.board
    told = words(orders.EndMoves(), seen, board) or ""
    assert told.startswith("end moves; may still move: ALX 1 bomber; HAB 1 infantry, 1 flak")
    case.submit(move("uk-inf-1", "HAB SIB"))
    assert "HAB 1 flak;" in (words(orders.EndMoves(), view(case.state, "allies"), board) or "")
