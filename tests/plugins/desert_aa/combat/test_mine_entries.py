"""Entering and declaring minefields: DAA-8."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.positions import entered

from desert_aa.model import events as told
from desert_aa.model.events import (
    BattleOpened,
    EntryChecked,
    MinefieldDeclared,
    MinefieldForfeited,
    MinesStruck,
    UnitsLost,
)
from desert_aa.model.orders import DeclareMinefield, EndMoves, Retreat, Sweep
from desert_aa.model.state import Minefield

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay


@pytest.mark.rule("DAA-8.04")
def test_hits_of_the_attack_do_not_touch_a_minefield(lay: Lay) -> None:
    # Mines miss three tanks; three hits on one infantry; the sweep fails: the field lies where it lay.
    case = entered(lay, "uk-arm-1..3", "6 6 6, 1 1 1, 6, 6", "GSA de-inf-1").fight()
    assert [event.units for event in case.events(UnitsLost)] == [["de-inf-1"]]
    assert set(case.state.minefields) == {"GSA"}


@pytest.mark.rule("DAA-8.08", "DAA-R47")
def test_an_enemy_neither_stays_in_a_minefield_nor_owns_it(lay: Lay) -> None:
    # Germany fails in mined Siwa, worth 1 to England.
    case = lay("GSA de-inf-1", "germany", mines={"SIW": "england"}, dice="6, 6").attack("de-inf-1", "GSA SIW").fight()
    assert (case.where("de-inf-1"), case.holder("SIW")) == ("GSA", "england")
    case.to_turn("england").to_turn("germany")
    incomes = {event.power: event.amount for event in case.income()}
    assert (incomes["england"], incomes["germany"]) == (24, 10)


@pytest.mark.rule("DAA-8.09", "DAA-R43")
@pytest.mark.parametrize("owner", ["germany", "italy"])
def test_the_side_of_the_owner_stands_in_its_field_and_crosses_it_unharmed(lay: Lay, owner: str) -> None:
    case = lay("GUB de-arm-1; GSA de-inf-1", "germany", mines={"GSA": owner})
    case.attack("de-arm-1", "GUB GSA HAB").fight().shift("de-inf-1", "GSA GUB")
    assert (case.where("de-arm-1"), case.holder("HAB")) == ("HAB", "germany")
    assert case.needs() == []


@pytest.mark.rule("DAA-8.10", "DAA-R39")
def test_the_program_declares_for_the_owner(lay: Lay) -> None:
    case = entered(lay, "uk-inf-1", "6, 6").submit(EndMoves())
    assert case.wants(Sweep)  # England is asked next, not Germany
    assert case.state.minefields["GSA"].known
    case.fight()


@pytest.mark.rule("DAA-R39", "DAA-8.10")
def test_by_option_the_owner_declares_himself(lay: Lay) -> None:
    case = entered(lay, "uk-inf-1", "3", mine_auto="manual").submit(EndMoves())
    assert (case.asked.seat, case.wants(DeclareMinefield)) == ("germany", True)
    case.submit(DeclareMinefield(declare=True))
    assert "uk-inf-1" not in case.units()


@pytest.mark.rule("DAA-8.11", "DAA-R39")
def test_a_field_that_is_not_declared_is_lost_without_refund(lay: Lay) -> None:
    case = entered(lay, "uk-arm-1", "", mine_auto="manual").submit(EndMoves())
    cash = dict(case.state.cash)
    case.submit(DeclareMinefield(declare=False)).fight()
    assert case.state.minefields == {}
    assert case.state.cash == cash
    assert (case.holder("GSA"), case.where("uk-arm-1")) == ("england", "GSA")
    assert len(case.events(MinefieldForfeited)) == 1


@pytest.mark.rule("DAA-R39")
def test_by_option_a_field_once_declared_need_not_be_declared_again(lay: Lay) -> None:
    case = entered(lay, "uk-inf-1", "6, 6, 6, 6", mine_auto="manual").fight(DeclareMinefield(declare=True))
    case.to_turn("england").attack("uk-inf-1", "HAB GSA").submit(EndMoves())
    assert case.wants(Sweep)
    case.fight()


@pytest.mark.rule("DAA-8.12", "DAA-9.01")
@pytest.mark.parametrize("known", [False, True])
def test_a_field_halts_every_intruder(lay: Lay, known: bool) -> None:
    # Two tanks want to go on through Gabr Saleh to El Gubi; they roll, and are thrown back to Habata.
    case = lay("HAB uk-arm-1..2", dice="6 6, 6" + (", 6 6, 6" if known else ""), mines={"GSA": "germany"})
    case.attack("uk-arm-1..2", "HAB GSA GUB").fight()
    assert case.at("HAB") == "uk-arm-1 uk-arm-2"
    assert case.holder("GUB") == "germany"
    if known:
        case.to_turn("england")
        assert case.no_attack("uk-arm-1..2", "HAB GSA GUB") == "DAA-8.12"
        case.attack("uk-arm-1..2", "HAB GSA").fight()


@pytest.mark.rule("DAA-8.12", "DAA-9.01")
@pytest.mark.parametrize("option", ["committed", "immediate"])
def test_a_field_halts_those_who_follow_the_first_as_well(lay: Lay, option: str) -> None:
    # Ordered one by one, both before the field shows (or, shown at once, the first through it and the second into it).
    case = lay("HAB uk-arm-1..2", dice="6 6, 6", mines={"GSA": "germany"}, mine_reveal=option)
    case.attack("uk-arm-1", "HAB GSA GUB").attack("uk-arm-2", "HAB GSA GUB" if option == "committed" else "HAB GSA")
    case.fight()
    assert case.needs() == [(3, 3), (2,)]
    assert (case.at("HAB"), case.holder("GUB")) == ("uk-arm-1 uk-arm-2", "germany")


@pytest.mark.rule("DAA-R38", "DAA-16.01")
def test_fields_show_when_all_moves_are_committed(lay: Lay) -> None:
    case = lay("HAB uk-inf-1; BUQ uk-inf-2", dice="6 6, 6", mines={"GSA": "germany"})
    case.attack("uk-inf-1", "HAB GSA")
    assert not case.events(MinefieldDeclared)
    case.attack("uk-inf-2", "BUQ GSA").submit(EndMoves())
    assert len(case.events(MinefieldDeclared)) == 1
    case.fight()


@pytest.mark.rule("DAA-R38")
def test_by_option_a_field_shows_with_the_first_unit_that_enters(lay: Lay) -> None:
    case = lay("HAB uk-inf-1; BUQ uk-inf-2", dice="6, 6", mines={"GSA": "germany"}, mine_reveal="immediate")
    case.attack("uk-inf-1", "HAB GSA")
    assert len(case.events(MinefieldDeclared)) == 1
    assert set(case.game.view("allies").minefields) == {"GSA"}
    assert case.phase == "combat_move"  # the second unit may stay away now
    case.fight()
    assert (case.where("uk-inf-1"), case.where("uk-inf-2")) == ("HAB", "BUQ")


@pytest.mark.rule("DAA-R38", "DAA-9.02")
def test_by_option_planes_bring_no_field_into_the_open_either(lay: Lay) -> None:
    case = lay("HAB uk-ftr-1; GSA de-inf-1", dice="6, 6", mines={"GSA": "germany"}, mine_reveal="immediate")
    case.attack("uk-ftr-1", "HAB GSA").fight(Retreat())
    assert not case.events(EntryChecked, MinefieldDeclared)


@pytest.mark.rule("DAA-8.11", "DAA-8.12", "DAA-R39")
def test_by_option_one_field_may_be_kept_quiet_and_the_next_declared(lay: Lay) -> None:
    # A tank runs through the first field, which is forfeit, into the second, which strikes it.
    case = lay("HAB uk-arm-1", dice="3", mines={"GSA": "germany", "GIR": "italy"}, mine_auto="manual")
    case.attack("uk-arm-1", "HAB GSA GIR").submit(EndMoves())
    assert (case.asked.seat, case.asked.power) == ("germany", "germany")
    case.submit(DeclareMinefield(declare=False))
    assert (case.asked.seat, case.asked.power) == ("italy", "italy")
    case.submit(DeclareMinefield(declare=True))
    assert [event.space for event in case.events(MinefieldForfeited, MinefieldDeclared)] == ["GSA", "GIR"]
    assert (set(case.state.minefields), case.units(), case.holder("GSA")) == ({"GIR"}, {}, "england")


@pytest.mark.rule("DAA-R42", "DAA-18.02")
@pytest.mark.parametrize("known", [False, True])
def test_nobody_enters_a_field_in_non_combat_movement(lay: Lay, known: bool) -> None:
    case = lay("HAB uk-inf-1..2", dice="6, 6" if known else "", mines={"GSA": "germany"})
    if known:
        case.attack("uk-inf-1", "HAB GSA").fight()
    assert case.no_shift("uk-inf-2", "HAB GSA") in {"DAA-18.02", "DAA-R42"}
    assert len(case.events(MinesStruck)) == known


@pytest.mark.rule("DAA-8.12", "DAA-R48", "DAA-R11")
@pytest.mark.parametrize(("option", "condition"), [("actual", "ready"), ("declared", "extended")])
def test_armour_that_mines_halt_before_its_third_space(lay: Lay, option: str, condition: str) -> None:
    # From Minqar Qaim through Habata into the field, with El Gubi for a third space.
    case = lay("MIN uk-arm-1", dice="6, 6", mines={"GSA": "germany"}, penalty_by=option)
    case.attack("uk-arm-1", "MIN HAB GSA GUB").fight()
    assert case.where("uk-arm-1") == "HAB"
    assert case.condition("uk-arm-1") == condition
    case.to_turn("england")
    legal = not case.refused_to_move("uk-arm-1", "HAB GSA")
    assert legal is (condition == "ready")


@pytest.mark.rule("DAA-R11")
@pytest.mark.parametrize(("option", "condition"), [("actual", "ready"), ("declared", "extended")])
def test_infantry_that_mines_halt_before_its_second_space(lay: Lay, option: str, condition: str) -> None:
    case = lay("HAB uk-inf-1", dice="6, 6", mines={"GSA": "germany"}, penalty_by=option, mech_blitz="allowed")
    case.attack("uk-inf-1", "HAB GSA GUB").fight()
    assert (case.where("uk-inf-1"), case.condition("uk-inf-1")) == ("HAB", condition)


@pytest.mark.rule("DAA-R11", "DAA-4.03")
def test_a_piece_that_mines_halt_on_its_second_space_has_been_pushed(lay: Lay) -> None:
    case = lay("MIN uk-inf-1", dice="6, 6", mines={"GSA": "germany"}).attack("uk-inf-1", "MIN HAB GSA").fight()
    assert (case.where("uk-inf-1"), case.condition("uk-inf-1")) == ("HAB", "extended")


@pytest.mark.rule("DAA-9.02")
def test_planes_set_off_no_mines(lay: Lay) -> None:
    case = entered(lay, "uk-ftr-1", "6, 6", "GSA de-inf-1").fight(Retreat())
    assert not case.events(MinefieldDeclared, MinesStruck)
    assert case.events(BattleOpened)
    assert case.game.view("allies").minefields == {}


@pytest.mark.rule("DAA-8.10", "DAA-R38", "DAA-R37")
@pytest.mark.parametrize(
    ("path", "mines", "secrecy", "checked"),
    [
        ("HAB GSA TEN", {}, "spaces_secret", None),  # everybody knows that there are none
        ("HAB GSA TEN", {}, "all_secret", ["GSA", "TEN"]),
        ("HAB GSA TEN", {"HUN": "italy"}, "spaces_secret", ["GSA", "TEN"]),
        ("HAB GSA TEN", {"HUN": Minefield("italy", known=True)}, "spaces_secret", None),
        ("HAB GSA TEN", {"SIW": "england"}, "spaces_secret", None),  # an own one
        ("HAB GSA TEN", {"HUN": "italy", "TEN": Minefield("italy", known=True)}, "spaces_secret", ["GSA"]),
        ("BUQ BDI TOB", {"HUN": "italy"}, "spaces_secret", None),  # no mines on the road
        ("MIN HAB GSA", {"HUN": "italy"}, "spaces_secret", ["GSA"]),  # none of the enemy in Habata
    ],
)
def test_where_a_field_might_have_lain_is_told(
    lay: Lay, path: str, mines: dict[str, Any], secrecy: str, checked: list[str] | None
) -> None:
    known = any(not isinstance(mine, str) and space == "TEN" for space, mine in mines.items())
    dice = "6, 6" if known else ""
    case = lay(f"{path[:3]} uk-arm-1", mines=mines, mine_secrecy=secrecy, dice=dice).attack("uk-arm-1", path).fight()
    assert [event.spaces for event in case.events(told.EntryChecked)] == ([checked] if checked else [])
