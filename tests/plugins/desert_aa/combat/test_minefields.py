"""Fighting in minefields: strikes, sweeps, withdrawals (DAA-9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import GSA, between, minutes

from desert_aa.model import events as told
from desert_aa.model.events import BattleOpened, MinefieldSwept, MinesStruck, RoundFought, SweepFailed, UnitsLost
from desert_aa.model.orders import DeclineSweep, DesignateGuns, EndMoves, PressOn, Retreat, Sweep, TakeLosses
from desert_aa.model.state import Minefield

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay
    from transcripts import Transcript

    from sandtable.kernel.decisions import Roll

OLD = Minefield("germany", known=True, entries=1)
"""A field that has been entered once."""


def enter(lay: Lay, units: str, dice: str, defence: str = "", mine: Minefield | None = None, **options: str) -> Case:
    """England's ``units`` have orders to go from Habata into mined Gabr Saleh."""
    field = mine or Minefield("germany")
    case = lay(f"HAB {units}; {defence}", dice=dice, mines={"GSA": field}, **options)
    return case.attack(units, "HAB GSA")


@pytest.mark.rule("DAA-9.02")
@pytest.mark.parametrize(("die", "hit"), [(1, True), (3, True), (4, False)])
def test_the_first_entry_is_hit_on_three_or_less(lay: Lay, die: int, hit: bool) -> None:
    case = enter(lay, "uk-inf-1", f"{die}" + ("" if hit else ", 6")).fight()
    assert ("uk-inf-1" in case.units()) is not hit


@pytest.mark.rule("DAA-9.03", "DAA-9.09")
@pytest.mark.parametrize(("die", "hit"), [(1, True), (2, True), (3, False)])
def test_later_entries_are_hit_on_two_or_less(lay: Lay, die: int, hit: bool) -> None:
    case = enter(lay, "uk-inf-1", f"6, 6, {die}" + ("" if hit else ", 6")).fight()
    case.to_turn("england").attack("uk-inf-1", "HAB GSA").fight()
    assert ("uk-inf-1" in case.units()) is not hit
    assert [event.entry for event in case.events(MinesStruck)] == [1, 2]


@pytest.mark.rule("DAA-9.11", "DAA-9.09", "DAA-9.10")
def test_a_known_field_keeps_its_weaker_numbers_until_it_is_swept(lay: Lay) -> None:
    case = enter(lay, "uk-inf-1", "6, 6, 3, 4, 3, 4, 3, 3").fight()
    for _ in range(3):
        case.to_turn("england").attack("uk-inf-1", "HAB GSA").fight()
    assert case.needs() == [(3,), (2,), (2,), (3,), (2,), (3,), (2,), (3,)]
    assert case.state.minefields == {}


@pytest.mark.rule("DAA-9.02", "DAA-9.04", "DAA-R40")
def test_each_land_unit_has_a_die_of_its_own(lay: Lay) -> None:
    # Infantry, tank, artillery by ids: the artillery's die is the third of the event's list.
    case = enter(lay, "uk-inf-1 uk-arm-1 uk-art-1 uk-ftr-1", "6 6 2, 6 6 6, 6", "GSA de-inf-1").fight(Retreat("HAB"))
    (strike,) = case.events(MinesStruck)
    assert sorted(strike.units) == ["uk-arm-1", "uk-art-1", "uk-inf-1"]  # no die for the fighter
    assert case.events(UnitsLost)[0].units == [strike.units[2]]


@pytest.mark.rule("DAA-R40")
def test_by_option_the_owner_of_the_intruders_picks_the_losses(lay: Lay) -> None:
    case = enter(lay, "uk-inf-1 uk-arm-1", "1 6, 6", mine_alloc="owner_chooses").submit(EndMoves())
    assert case.asked.seat == "england"
    case.submit(TakeLosses(["uk-arm-1"])).fight()
    assert set(case.units()) == {"uk-inf-1"}
    case = enter(lay, "uk-inf-1 uk-arm-1", "1 6, 6", mine_alloc="owner_chooses").submit(EndMoves())
    assert set(case.fight(TakeLosses(["uk-inf-1"])).units()) == {"uk-arm-1"}


@pytest.mark.rule("DAA-9.04", "DAA-9.05")
def test_units_struck_are_gone_before_the_battle_which_the_rest_fights(lay: Lay) -> None:
    case = enter(lay, "uk-arm-1..2", "1 6, 6, 6", "GSA de-inf-1").fight(Retreat("HAB"))
    assert case.needs() == [(3, 3), (3,), (2,)]
    assert [len(event.attackers) for event in case.events(BattleOpened)] == [1]


@pytest.mark.rule("DAA-9.06", "DAA-9.07")
@pytest.mark.parametrize("die", [1, 2])
def test_once_the_defence_is_gone_the_field_is_swept_on_two_or_less(lay: Lay, die: int) -> None:
    case = enter(lay, "uk-arm-1", f"6, 3, 6, {die}", "GSA de-inf-1").fight()
    assert case.needs() == [(3,), (3,), (2,), (2,)]
    assert case.state.minefields == {}
    assert (case.holder("GSA"), case.at("GSA")) == ("england", "uk-arm-1")
    assert len(case.events(MinefieldSwept)) == 1


@pytest.mark.rule("DAA-9.06", "DAA-9.08")
def test_a_three_does_not_sweep_at_the_first_entry_and_the_attacker_pulls_out(lay: Lay) -> None:
    case = enter(lay, "uk-arm-1", "6, 3, 6, 3", "GSA de-inf-1").fight()
    assert (case.where("uk-arm-1"), case.holder("GSA")) == ("HAB", "germany")
    assert case.state.minefields["GSA"].known
    assert len(case.events(SweepFailed)) == 1


@pytest.mark.rule("DAA-9.10")
@pytest.mark.parametrize(("die", "swept"), [(3, True), (4, False)])
def test_a_known_field_is_swept_on_three_or_less(lay: Lay, die: int, swept: bool) -> None:
    case = enter(lay, "uk-inf-1", f"6, {die}", mine=OLD).fight()
    assert case.needs() == [(2,), (3,)]
    assert (case.holder("GSA") == "england") is swept
    assert ("GSA" in case.state.minefields) is not swept


@pytest.mark.rule("DAA-9.08")
def test_the_attacker_may_leave_the_field_unswept_and_pull_out(lay: Lay) -> None:
    case = enter(lay, "uk-inf-1", "6").fight(DeclineSweep())
    assert (case.where("uk-inf-1"), case.holder("GSA")) == ("HAB", "germany")


@pytest.mark.rule("DAA-9.06", "DAA-R17")
def test_after_a_failed_sweep_each_unit_goes_back_the_way_it_came(lay: Lay) -> None:
    case = lay("HAB uk-inf-1; BUQ uk-inf-2; MIN uk-arm-1", dice="6 6 6, 6", mines={"GSA": "germany"})
    case.attack("uk-inf-1", "HAB GSA").attack("uk-inf-2", "BUQ GSA").attack("uk-arm-1", "MIN SIW GSA").fight()
    assert [case.where(unit) for unit in ("uk-inf-1", "uk-inf-2", "uk-arm-1")] == ["HAB", "BUQ", "SIW"]


@pytest.mark.rule("DAA-R17", "DAA-16.04")
def test_armour_thrown_back_after_a_blitz_stands_on_the_ground_it_took(lay: Lay) -> None:
    case = lay("HAB uk-arm-1", dice="6, 6", mines={"TEN": "italy"}).attack("uk-arm-1", "HAB GSA TEN").fight()
    assert (case.where("uk-arm-1"), case.holder("GSA"), case.holder("TEN")) == ("GSA", "england", "italy")


@pytest.mark.rule("DAA-R41")
def test_all_that_enter_in_one_phase_are_one_entry(lay: Lay) -> None:
    case = lay("HAB uk-inf-1; BUQ uk-inf-2", dice="3 3", mines={"GSA": "germany"})
    case.attack("uk-inf-1", "HAB GSA").attack("uk-inf-2", "BUQ GSA").fight()
    assert case.needs() == [(3, 3)]
    assert case.state.minefields["GSA"].entries == 1
    assert not case.units()


@pytest.mark.rule("DAA-R44", "DAA-R66")
def test_planes_do_not_sweep(lay: Lay) -> None:
    # The infantry dies in the field; the fighter wins the battle: no sweep, no capture.
    case = enter(lay, "uk-inf-1 uk-ftr-1", "1, 3, 6", "GSA de-inf-1").fight()
    assert "de-inf-1" not in case.units()
    assert not case.events(MinefieldSwept, SweepFailed)
    assert (case.holder("GSA"), set(case.state.minefields)) == ("germany", {"GSA"})


@pytest.mark.rule("DAA-9.06", "DAA-R45")
def test_a_field_is_tried_once_in_a_combat_phase(lay: Lay) -> None:
    case = enter(lay, "uk-inf-1..3", "6 6 6, 6").fight()
    assert case.needs() == [(3, 3, 3), (2,)]
    assert case.at("HAB") == "uk-inf-1 uk-inf-2 uk-inf-3"


@pytest.mark.rule("DAA-R46")
def test_an_undefended_field_is_swept_right_after_the_mine_dice(lay: Lay) -> None:
    case = enter(lay, "uk-inf-1", "6, 2").submit(EndMoves())
    assert case.phase == "combat_move"
    assert (case.asked.seat, case.wants(Sweep)) == ("england", True)
    case.submit(Sweep())
    assert not case.events(BattleOpened)
    assert (case.holder("GSA"), case.at("GSA")) == ("england", "uk-inf-1")


@pytest.mark.rule("DAA-R46", "DAA-R53")
def test_flak_in_an_undefended_field_goes_over_with_the_sweep(lay: Lay) -> None:
    case = enter(lay, "uk-inf-1", "6, 2", "GSA de-aa-1").fight()
    assert not case.events(BattleOpened)
    assert case.units()["de-aa-1"].power == "england"


@pytest.mark.rule("DAA-R49", "DAA-8.08")
def test_a_field_works_on_when_its_defenders_are_gone(lay: Lay) -> None:
    # The battle is won and the sweep fails; the next entry finds nobody but the mines, which hit.
    case = enter(lay, "uk-arm-1", "6, 3, 6, 6, 2", "GSA de-inf-1").fight()
    assert case.at("GSA") == ""
    case.to_turn("england").attack("uk-arm-1", "HAB GSA").fight()
    assert not case.units()
    assert len(case.events(RoundFought)) == 1


@pytest.mark.rule("DAA-R47", "DAA-8.08")
def test_a_repelled_attack_leaves_the_ground_with_its_holder(lay: Lay) -> None:
    case = enter(lay, "uk-arm-1", "6, 6, 6", "GSA de-inf-1").fight(Retreat("HAB"))
    assert case.holder("GSA") == "germany"
    assert case.state.minefields["GSA"].entries == 1


@pytest.mark.rule("DAA-9.08", "DAA-18.01")
def test_who_was_thrown_back_has_moved_all_the_same(lay: Lay) -> None:
    case = enter(lay, "uk-inf-1", "6, 6").fight()
    assert case.no_shift("uk-inf-1", "HAB MIN") == "DAA-18.01"


@pytest.mark.rule("DAA-R34", "DAA-9.05")
def test_mines_strike_before_flak_fires(lay: Lay) -> None:
    case = enter(lay, "uk-inf-1 uk-ftr-1", "6, 6, 6 6, 6", "GSA de-inf-1 de-aa-1").fight(Retreat("HAB"))
    assert [purpose.split(".")[0] for purpose, _ in case.rolls()] == ["mines", "flak", "attack", "defence"]


@pytest.mark.rule("DAA-R34", "DAA-7.06", "DAA-9.02", "DAA-10.03", "DAA-17.04", "DAA-17.05", "DAA-9.07", "DAA-R31")
def test_a_battle_in_a_minefield_from_the_first_step_to_the_lifted_field(
    lay: Lay, rolls: list[Roll], transcript: Transcript
) -> None:
    """Mines take an infantryman, flak the bomber, an Italian gun that needs 2 a tank; the rest win in two rounds."""
    case = lay(
        "HAB uk-inf-1..2 uk-art-1 uk-arm-1..2 uk-ftr-1 uk-bom-1; GSA de-inf-1 de-art-1 it-art-1 de-aa-1",
        dice="3 6 6 6 6, 2 1, 4 2, 2 6 3 6, 1, 6 6 1, 2",
        mines={GSA: "germany"},
        at_italy="two",
    )
    case.attack("uk-bom-1 uk-inf-1..2 uk-art-1 uk-arm-1..2 uk-ftr-1", "HAB GSA")
    guns = DesignateGuns(["de-art-1"]), DesignateGuns(["it-art-1"])
    case.fight(*guns, TakeLosses(["it-art-1", "de-inf-1"]), TakeLosses(["uk-ftr-1"]), PressOn(), Sweep())
    transcript(minutes([*between(case, told.EntryChecked), *between(case, told.BattleOpened), *rolls]))


@pytest.mark.rule("DAA-9.09", "DAA-9.10", "DAA-9.08", "DAA-R40")
@pytest.mark.parametrize("entries", [1, 2])
def test_a_later_entry_into_a_field_that_is_not_lifted(
    lay: Lay, rolls: list[Roll], entries: int, transcript: Transcript
) -> None:
    mine = Minefield("germany", known=True, entries=entries)
    units = "HAB uk-inf-1; BUQ uk-arm-1; SIW uk-arm-2"
    case = lay(units, dice="6 2 6, 4", mines={GSA: mine}, mine_alloc="owner_chooses")
    case.attack("uk-inf-1", "HAB GSA").attack("uk-arm-1", "BUQ GSA").attack("uk-arm-2", "SIW GSA")
    case.fight(TakeLosses(["uk-arm-1"]))
    transcript(minutes([*between(case, told.MinesStruck), *rolls]))


@pytest.mark.rule("DAA-9.08")
def test_a_field_that_is_left_unswept_after_a_battle(lay: Lay, transcript: Transcript) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1", dice="6, 1, 6", mines={GSA: "italy"})
    case.attack("uk-arm-1", "HAB GSA").fight(DeclineSweep())
    transcript(minutes(between(case, told.SweepFailed)))


@pytest.mark.rule("DAA-R41", "DAA-R46")
def test_two_fields_that_are_entered_strike_one_after_the_other(lay: Lay) -> None:
    case = lay("SIW uk-inf-1..2; HAB uk-inf-3", dice="3 3, 6, 2", mines={"GIR": "italy", "GSA": "germany"})
    case.attack("uk-inf-3", "HAB GSA").attack("uk-inf-1..2", "SIW GIR").fight(Sweep())
    struck = [(event.space, event.units, event.hits) for event in case.events(told.MinesStruck)]
    assert struck == [("GIR", ["uk-inf-1", "uk-inf-2"], 2), ("GSA", ["uk-inf-3"], 0)]
    assert (set(case.state.minefields), case.holder("GSA"), case.holder("GIR")) == ({"GIR"}, "england", "italy")
