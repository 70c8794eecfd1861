"""Pushed units, armor, combat and non-combat movement on land: DAA-4, DAA-5, DAA-16, DAA-18."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import minutes

from desert_aa.model import events as told
from desert_aa.model.events import BattleOpened, SpaceCaptured, UnitsStoodUp
from desert_aa.model.orders import EndMoves, Retreat

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript


@pytest.mark.rule("DAA-10.01", "DAA-15.06")
def test_flak_moves_one_space_or_two_with_the_penalty(lay: Lay) -> None:
    case = lay("HAB uk-aa-1..3; GSA de-inf-1")
    case.shift("uk-aa-1", "HAB MIN").shift("uk-aa-2", "HAB MIN RUW")
    assert (case.condition("uk-aa-1"), case.condition("uk-aa-2")) == ("ready", "extended")
    assert case.no_shift("uk-aa-3", "HAB MIN RUW NAT") in {"DAA-10.01", "DAA-16.02"}
    case.to_turn("england")
    assert case.no_shift("uk-aa-2", "RUW MIN") in {"DAA-4.09", "DAA-4.03", "DAA-10.01"}
    case.shift("uk-aa-1", "MIN HAB").to_turn("england").shift("uk-aa-2", "RUW MIN")
    assert case.where("uk-aa-2") == "MIN"


@pytest.mark.rule("DAA-15.06", "DAA-R52")
def test_flak_makes_no_combat_move_pushed_or_not(lay: Lay) -> None:
    case = lay("HAB uk-aa-1; MIN uk-aa-2; GSA de-inf-1", control={"germany": "SIW"})
    assert case.no_attack("uk-aa-1", "HAB GSA") in {"DAA-15.06", "DAA-R52"}
    assert case.no_attack("uk-aa-1", "HAB SIW") in {"DAA-15.06", "DAA-R52"}
    assert case.no_attack("uk-aa-2", "MIN HAB GSA") in {"DAA-15.06", "DAA-R52"}


@pytest.mark.rule("DAA-R50", "DAA-8.05")
def test_by_option_a_space_holds_one_flak_gun(lay: Lay) -> None:
    case = lay("HAB uk-aa-1; MIN uk-aa-2..3; SIW uk-aa-4", aa_limit="one_per_space")
    assert case.no_shift("uk-aa-2", "MIN HAB") in {"DAA-8.05", "DAA-R50"}
    assert case.no_shift("uk-aa-2 uk-aa-3", "MIN RUW") in {"DAA-8.05", "DAA-R50"}
    case.shift("uk-aa-2", "MIN RUW")
    assert case.no_shift("uk-aa-3", "MIN RUW") in {"DAA-8.05", "DAA-R50"}


@pytest.mark.rule("DAA-10.07", "DAA-18.05")
def test_captured_flak_goes_over_and_stays_put_that_turn(lay: Lay) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1 de-aa-1", dice="1, 6").attack("uk-arm-1", "HAB GSA").fight()
    assert case.units()["de-aa-1"].power == "england"
    assert case.no_shift("de-aa-1", "GSA HAB") == "DAA-18.05"
    case.to_turn("england").shift("de-aa-1", "GSA HAB")
    assert case.where("de-aa-1") == "HAB"


STOPPED = {"DAA-4.03", "DAA-4.09", "DAA-5.02", "DAA-R14"}
"""The rules that may be cited against moving a unit that is out of fuel."""


@pytest.mark.rule("DAA-4.01", "DAA-4.02")
@pytest.mark.parametrize(
    ("power", "units", "path"),
    [
        ("england", "uk-inf-1..4 uk-art-1..2", "HAB MIN RUW"),
        ("germany", "de-inf-1..2 de-art-1..3", "HAC GUB GSA"),
        ("italy", "it-inf-1..5 it-art-1", "TEN GIA MAR"),
    ],
)
def test_any_number_of_infantry_and_guns_of_either_side_may_be_pushed(
    lay: Lay, power: str, units: str, path: str
) -> None:
    case = lay(f"{path.split(maxsplit=1)[0]} {units}", power)
    case.shift(units, path)
    assert case.at(path.rsplit(maxsplit=1)[-1]) == " ".join(sorted(case.units()))
    assert {unit.condition for unit in case.units().values()} == {"extended"}


@pytest.mark.rule("DAA-4.02")
@pytest.mark.parametrize("path", ["HAB MIN RUW", "HAB SIW MIN", "HAB MIN HAB"])
def test_a_push_may_lead_in_any_direction(lay: Lay, path: str) -> None:
    case = lay("HAB uk-inf-1")
    case.shift("uk-inf-1", path)
    assert case.where("uk-inf-1") == path.rsplit(maxsplit=1)[-1]


@pytest.mark.rule("DAA-4.02")
def test_a_push_makes_two_spaces_and_no_more(lay: Lay) -> None:
    case = lay("BDI de-inf-1 de-art-1", "germany")
    for unit in ("de-inf-1", "de-art-1"):
        assert case.no_attack(unit, "BDI GUB GSA HAB") in {"DAA-4.02", "DAA-16.02"}
    for unit in ("de-inf-1", "de-art-1"):
        assert case.no_shift(unit, "BDI GUB GSA TEN") in {"DAA-4.02", "DAA-16.02"}


@pytest.mark.rule("DAA-4.01", "DAA-15.01", "DAA-15.02")
def test_infantry_and_guns_that_move_one_space_pay_nothing(lay: Lay) -> None:
    case = lay("HAB uk-inf-1 uk-art-1")
    case.shift("uk-inf-1 uk-art-1", "HAB MIN")
    assert (case.condition("uk-inf-1"), case.condition("uk-art-1")) == ("ready", "ready")
    case.to_turn("england").shift("uk-inf-1 uk-art-1", "MIN RUW")
    assert case.at("RUW") == "uk-art-1 uk-inf-1"


@pytest.mark.rule("DAA-4.02", "DAA-4.04")
def test_a_pushed_piece_attacks_in_the_second_space(lay: Lay) -> None:
    # Germany's infantry attacks on 1, England's defends on 2.
    case = lay("GUB de-inf-1; HAB uk-inf-1", "germany", dice="1, 3")
    case.attack("de-inf-1", "GUB GSA HAB").fight()
    assert case.at("HAB") == "de-inf-1"
    assert case.holder("HAB") == "germany"
    assert case.condition("de-inf-1") == "extended"


@pytest.mark.rule("DAA-4.03", "DAA-4.09", "DAA-R14")
def test_a_pushed_piece_moves_in_neither_phase_of_the_next_turn(lay: Lay) -> None:
    case = lay("HAB uk-inf-1; GSA de-inf-1")
    case.shift("uk-inf-1", "HAB MIN SIW")
    case.to_turn("england")
    assert case.no_attack("uk-inf-1", "SIW GSA") in STOPPED
    assert case.no_shift("uk-inf-1", "SIW MIN") in STOPPED
    assert case.no_shift("uk-inf-1", "SIW MIN RUW") in STOPPED


@pytest.mark.rule("DAA-4.03")
def test_a_piece_pushed_in_combat_movement_is_stopped_as_well(lay: Lay) -> None:
    case = lay("GUB de-inf-1", "germany")
    case.attack("de-inf-1", "GUB GSA HAB").fight()
    assert case.holder("HAB") == "germany"
    case.to_turn("germany")
    assert case.no_attack("de-inf-1", "HAB MIN") in STOPPED
    assert case.no_shift("de-inf-1", "HAB GSA") in STOPPED


@pytest.mark.rule("DAA-4.05")
def test_a_piece_out_of_fuel_defends(lay: Lay) -> None:
    # Germany's attack misses with 6; the infantry that lies flat hits with 2, as if it stood.
    case = lay("MIN uk-inf-1; GSA de-inf-1", dice="6, 2")
    case.shift("uk-inf-1", "MIN SIW HAB")
    case.to_turn("germany").attack("de-inf-1", "GSA HAB").fight()
    assert case.condition("uk-inf-1") == "extended"
    assert (case.at("HAB"), case.where("de-inf-1")) == ("uk-inf-1", "")


@pytest.mark.rule("DAA-4.06", "DAA-4.07")
def test_a_pushed_piece_falls_back_one_space_and_is_stopped_all_the_same(lay: Lay) -> None:
    case = lay("GUB de-inf-1; HAB uk-inf-1", "germany", dice="6, 6")
    case.attack("de-inf-1", "GUB GSA HAB").to_phase("combat_move").submit(EndMoves())
    case.to(Retreat)
    assert case.refused(Retreat("GUB")) in {"DAA-4.06", "DAA-17.09", "DAA-R16"}
    case.submit(Retreat("GSA"))
    assert case.where("de-inf-1") == "GSA"
    case.to_turn("germany")
    assert case.condition("de-inf-1") == "extended"
    assert case.no_attack("de-inf-1", "GSA HAB") in STOPPED


@pytest.mark.rule("DAA-4.08")
def test_everybody_sees_which_pieces_lie_flat(lay: Lay) -> None:
    case = lay("HAB uk-inf-1..2")
    case.shift("uk-inf-1", "HAB MIN RUW")
    for side in ("axis", "allies"):
        seen = case.game.view(side).units
        assert seen["uk-inf-1"].condition == "extended"
        assert seen["uk-inf-2"].condition == "ready"


@pytest.mark.rule("DAA-4.10", "DAA-R13")
def test_the_stop_ends_when_the_next_turn_of_the_owner_ends(lay: Lay) -> None:
    case = lay("HAB uk-inf-1")
    case.shift("uk-inf-1", "HAB MIN RUW")
    case.to_turn("england").to_phase("noncombat_move")
    assert case.condition("uk-inf-1") == "extended"
    case.to_turn("germany")
    assert case.condition("uk-inf-1") == "ready"
    assert [event.units for event in case.events(UnitsStoodUp)] == [["uk-inf-1"]]
    case.to_turn("england").shift("uk-inf-1", "RUW NAT FAY")
    assert case.where("uk-inf-1") == "FAY"


@pytest.mark.rule("DAA-R13")
def test_a_piece_rises_after_non_combat_movement_not_before(lay: Lay) -> None:
    case = lay("HAB uk-inf-1")
    case.shift("uk-inf-1", "HAB MIN RUW").to_turn("england").to_phase("noncombat_move")
    place = len(case.events())
    case.submit(EndMoves()).to_turn("germany")
    names = [type(event).__name__ for event in case.events()[place:]]
    assert names[0] in {"UnitsStoodUp", "PhaseEnded"}
    assert names.index("UnitsStoodUp") < names.index("PowerTurnBegan")


@pytest.mark.rule("DAA-R15")
def test_the_turn_of_a_partner_does_not_lift_the_stop(lay: Lay) -> None:
    case = lay("TEN it-inf-1; HAC de-inf-1", "italy")
    case.shift("it-inf-1", "TEN GIA MAR")
    case.to_turn("germany").to_turn("italy")
    assert case.condition("it-inf-1") == "extended"
    assert case.no_shift("it-inf-1", "MAR HUN") in STOPPED
    case.to_turn("germany")
    assert case.condition("it-inf-1") == "ready"


@pytest.mark.rule("DAA-5.01", "DAA-15.03")
def test_armour_moves_two_spaces_freely_and_three_if_pushed(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..3")
    case.shift("uk-arm-1", "HAB MIN RUW").shift("uk-arm-2", "HAB MIN RUW NAT")
    assert (case.condition("uk-arm-1"), case.condition("uk-arm-2")) == ("ready", "extended")
    assert case.no_shift("uk-arm-3", "HAB MIN RUW NAT FAY") in {"DAA-5.01", "DAA-16.02"}


@pytest.mark.rule("DAA-5.02")
def test_a_tank_that_used_three_spaces_off_the_road_cannot_move_next_turn(lay: Lay) -> None:
    case = lay("SIW uk-arm-1; GUB de-inf-1")
    case.shift("uk-arm-1", "SIW MIN SIB HAB")
    case.to_turn("england")
    assert case.no_attack("uk-arm-1", "HAB GSA") in STOPPED
    assert case.no_shift("uk-arm-1", "HAB MIN") in STOPPED
    case.to_turn("germany")
    assert case.condition("uk-arm-1") == "ready"


@pytest.mark.rule("DAA-R12", "DAA-18.01")
def test_a_piece_moves_in_one_of_the_two_phases_only(lay: Lay) -> None:
    case = lay("GSA de-inf-1..2 de-arm-1", "germany")
    case.attack("de-inf-1 de-arm-1", "GSA HAB").fight()
    assert case.no_shift("de-inf-1", "HAB GSA") in {"DAA-18.01", "DAA-R12"}
    assert case.no_shift("de-arm-1", "HAB GSA") in {"DAA-18.01", "DAA-R12"}
    case.shift("de-inf-2", "GSA GUB")
    assert case.no_shift("de-inf-2", "GUB HAC") in {"DAA-18.01", "DAA-R12"}


@pytest.mark.rule("DAA-16.02")
def test_moves_run_from_neighbour_to_neighbour(lay: Lay) -> None:
    case = lay("HAB uk-inf-1; GSA de-arm-1")
    assert case.no_attack("uk-inf-1", "HAB BDI") == "DAA-16.02"
    assert case.no_attack("uk-inf-1", "MIN SIB") == "DAA-16.02"  # it does not stand there
    assert case.no_shift("uk-inf-1", "HAB RUW") == "DAA-16.02"


@pytest.mark.rule("DAA-11.03", "DAA-11.04", "DAA-16.02")
@pytest.mark.parametrize(
    ("space", "unit", "closed", "rule"),
    [
        ("HAB", "uk-inf-1", "QAT", "DAA-11.03"),
        ("MEK", "de-arm-1", "JEB", "DAA-11.03"),
        ("GIR", "it-inf-1", "GSS", "DAA-11.04"),
        ("TRI", "it-art-1", "DEH", "DAA-11.04"),
    ],
)
def test_land_units_enter_no_closed_ground(lay: Lay, space: str, unit: str, closed: str, rule: str) -> None:
    power = {"uk": "england", "de": "germany", "it": "italy"}[unit[:2]]
    case = lay(f"{space} {unit}", power)
    assert case.no_attack(unit, f"{space} {closed}") == rule
    assert case.no_shift(unit, f"{space} {closed}") == rule


@pytest.mark.rule("DAA-11.03")
def test_armour_does_not_cross_the_qattara_depression(lay: Lay) -> None:
    assert lay("HAB uk-arm-1").no_shift("uk-arm-1", "HAB QAT NAT") == "DAA-11.03"


@pytest.mark.rule("DAA-16.03")
@pytest.mark.parametrize("enemy", ["uk-inf-1", "uk-ftr-1", "uk-aa-1"])
def test_enemy_units_stop_even_armour(lay: Lay, enemy: str) -> None:
    case = lay(f"GSA de-arm-1; HAB {enemy}", "germany")
    assert case.no_attack("de-arm-1", "GSA HAB MIN") == "DAA-16.03"


@pytest.mark.rule("DAA-16.04")
def test_armour_blitzes_through_an_empty_space_and_claims_it(lay: Lay) -> None:
    # The tank attacks on 3, the infantry in Minqar Qaim defends on 2.
    case = lay("GSA de-arm-1; MIN uk-inf-1", "germany", dice="3, 6")
    case.attack("de-arm-1", "GSA HAB MIN").fight()
    assert (case.holder("HAB"), case.holder("MIN")) == ("germany", "germany")
    assert case.where("de-arm-1") == "MIN"
    assert case.condition("de-arm-1") == "ready"


@pytest.mark.rule("DAA-16.04")
def test_armour_may_turn_back_onto_friendly_ground_after_a_blitz(lay: Lay) -> None:
    case = lay("GSA de-arm-1", "germany").attack("de-arm-1", "GSA HAB GSA").fight()
    assert (case.holder("HAB"), case.where("de-arm-1")) == ("germany", "GSA")


@pytest.mark.rule("DAA-16.05", "DAA-R10")
def test_pushed_infantry_and_guns_halt_on_enemy_ground(lay: Lay) -> None:
    case = lay("GSA de-inf-1 de-art-1", "germany")
    for unit in ("de-inf-1", "de-art-1"):
        assert case.no_attack(unit, "GSA HAB MIN") in {"DAA-16.05", "DAA-R10"}


@pytest.mark.rule("DAA-R10")
def test_by_option_pushed_infantry_runs_through_empty_enemy_ground(lay: Lay) -> None:
    case = lay("GSA de-inf-1 de-art-1", "germany", mech_blitz="allowed")
    case.attack("de-inf-1 de-art-1", "GSA HAB MIN").fight()
    assert (case.holder("HAB"), case.holder("MIN")) == ("germany", "germany")
    assert case.at("MIN") == "de-art-1 de-inf-1"
    assert case.condition("de-inf-1") == "extended"


@pytest.mark.rule("DAA-16.03", "DAA-R10")
def test_by_option_enemy_units_stop_pushed_infantry_all_the_same(lay: Lay) -> None:
    case = lay("GSA de-inf-1; HAB uk-inf-1", "germany", mech_blitz="allowed")
    assert case.no_attack("de-inf-1", "GSA HAB MIN") == "DAA-16.03"


@pytest.mark.rule("DAA-16.01", "DAA-R38")
def test_no_battle_begins_before_all_combat_moves_are_made(lay: Lay) -> None:
    case = lay("GSA de-inf-1; GUB de-inf-2; HAB uk-inf-1", "germany", dice="6 6, 6")
    case.attack("de-inf-1", "GSA HAB")
    assert not case.events(BattleOpened)
    assert case.phase == "combat_move"
    case.attack("de-inf-2", "GUB GSA HAB")
    assert not case.events(BattleOpened, SpaceCaptured)
    case.fight(Retreat("GSA"))
    assert [event.attackers for event in case.events(BattleOpened)] == [["de-inf-1", "de-inf-2"]]


@pytest.mark.rule("DAA-16.08")
def test_units_from_several_spaces_join_in_one_attack(lay: Lay) -> None:
    # Three attackers: infantry on 1, armour on 3 each; the infantry in Habata defends on 2.
    case = lay("GSA de-inf-1; BDI de-arm-1; GUB de-arm-2; HAB uk-inf-1", "germany", dice="6 6 3, 6")
    case.attack("de-inf-1", "GSA HAB").attack("de-arm-1", "BDI GSA HAB").attack("de-arm-2", "GUB GSA HAB").fight()
    assert case.needs() == [(1, 3, 3), (2,)]
    assert case.at("HAB") == "de-arm-1 de-arm-2 de-inf-1"


@pytest.mark.rule("DAA-16.09", "DAA-1.01")
def test_partners_attack_only_in_turns_of_their_own(lay: Lay) -> None:
    case = lay("GIR it-inf-1 de-inf-1; SIW uk-inf-1", "italy", control={"italy": "GIR"}, dice="6, 6")
    assert case.no_attack("de-inf-1", "GIR SIW") == "DAA-16.09"
    assert case.no_attack("it-inf-1 de-inf-1", "GIR SIW") == "DAA-16.09"
    case.attack("it-inf-1", "GIR SIW").fight(Retreat("GIR"))
    assert case.needs() == [(1,), (2,)]
    assert case.no_shift("de-inf-1", "GIR GSA") == "DAA-16.09"


@pytest.mark.rule("DAA-1.01", "DAA-18.02")
def test_ground_of_a_partner_is_friendly(lay: Lay) -> None:
    case = lay("GIR it-inf-1; HAC de-inf-1", "italy").shift("it-inf-1", "GIR GSA GUB")
    assert (case.where("it-inf-1"), case.holder("GSA")) == ("GUB", "germany")


@pytest.mark.rule("DAA-18.01")
def test_units_that_stood_still_move_and_those_that_fought_do_not(lay: Lay) -> None:
    case = lay("HAB uk-inf-1..2; GSA de-inf-1", dice="1, 6").attack("uk-inf-1", "HAB GSA").fight()
    assert case.no_shift("uk-inf-1", "GSA HAB") == "DAA-18.01"
    case.shift("uk-inf-2", "HAB GSA")
    assert case.at("GSA") == "uk-inf-1 uk-inf-2"


@pytest.mark.rule("DAA-18.01")
def test_nobody_moves_twice_in_non_combat_movement(lay: Lay) -> None:
    case = lay("HAB uk-arm-1 uk-ftr-1").shift("uk-arm-1 uk-ftr-1", "HAB MIN")
    assert case.no_shift("uk-arm-1", "MIN RUW") == "DAA-18.01"
    assert case.no_shift("uk-ftr-1", "MIN RUW") == "DAA-18.01"


@pytest.mark.rule("DAA-18.02")
@pytest.mark.parametrize("unit", ["uk-inf-1", "uk-arm-1", "uk-aa-1"])
def test_ground_units_stay_on_friendly_ground(lay: Lay, unit: str) -> None:
    case = lay(f"HAB {unit}")
    assert case.no_shift(unit, "HAB GSA") == "DAA-18.02"
    assert case.no_shift(unit, "HAB GSA BUQ") == "DAA-18.02"


@pytest.mark.rule("DAA-18.02")
def test_non_combat_movement_may_enter_ground_taken_this_turn(lay: Lay) -> None:
    case = lay("HAB uk-inf-1..2").attack("uk-inf-1", "HAB GSA").fight().shift("uk-inf-2", "HAB GSA")
    assert case.at("GSA") == "uk-inf-1 uk-inf-2"


@pytest.mark.rule("DAA-4.03", "DAA-10.01", "DAA-6.02", "DAA-16.02")
@pytest.mark.parametrize(
    ("power", "units", "path"),
    [
        ("england", "uk-inf-1 uk-arm-1", "HAB MIN RUW"),
        ("england", "uk-arm-1", "HAB MIN RUW NAT"),
        ("england", "uk-inf-1 uk-arm-1", "HAB MIN"),
        ("england", "uk-aa-1", "HAB MIN RUW"),
        ("england", "uk-aa-1", "HAB MIN"),
        ("england", "uk-aa-1", "ALA FUK MAT"),
        ("england", "uk-aa-1 uk-art-1", "HAB MIN RUW"),
        ("italy", "it-art-1 it-inf-1", "TEN GIA MAR"),
        ("england", "uk-arm-1", "ALA FUK MAT SIB"),
    ],
)
def test_what_a_march_costs(lay: Lay, power: str, units: str, path: str, transcript: Transcript) -> None:
    case = lay(f"{path[:3]} {units}", power, round_=4).shift(units, path)
    transcript(minutes(case.events(told.UnitsMoved)))


@pytest.mark.rule("DAA-R11", "DAA-R48")
@pytest.mark.parametrize(("option", "extended"), [("actual", []), ("declared", ["uk-arm-1"])])
def test_by_which_path_fuel_is_judged(lay: Lay, option: str, extended: list[str]) -> None:
    case = lay("MIN uk-arm-1", dice="6, 6", mines={"GSA": "germany"}, penalty_by=option)
    case.attack("uk-arm-1", "MIN HAB GSA GUB").fight()
    (event,) = case.events(told.UnitsMoved)
    assert (event.path, event.extended) == (["MIN", "HAB", "GSA"], extended)
    assert bool(event.calculations) is bool(extended)


@pytest.mark.rule("DAA-R50")
def test_by_option_a_place_that_a_gun_has_left_is_free_for_another(lay: Lay) -> None:
    case = lay("HAB uk-aa-1; MIN uk-aa-2", aa_limit="one_per_space").shift("uk-aa-1", "HAB SIW")
    assert case.no_shift("uk-aa-2", "MIN SIW") == "DAA-8.05"
    case.shift("uk-aa-2", "MIN HAB")
    assert (case.where("uk-aa-1"), case.where("uk-aa-2")) == ("SIW", "HAB")
