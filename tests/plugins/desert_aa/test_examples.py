"""The worked examples of the inventory, DAA-X01 to DAA-X33, with loaded dice.

The inventory's map is not ours; the places are chosen on ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desert_aa.model.events import FlakFired, IncomeCollected, MinesStruck, UnitsLost
from desert_aa.model.orders import (
    BuyUnits,
    DeclareMinefield,
    DesignateGuns,
    EndMoves,
    PlaceBonus,
    PlaceMinefields,
    PlaceUnits,
    Retreat,
    TakeLosses,
)

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay, Opening

PENALTY = {"DAA-4.03", "DAA-4.09", "DAA-5.02", "DAA-6.05"}


@pytest.mark.rule("DAA-4.03", "DAA-4.05", "DAA-4.10")
def test_x01_infantry_pushed_off_the_road_misses_a_turn_and_defends_meanwhile(lay: Lay) -> None:
    case = lay("MIN uk-inf-1; GSA de-inf-1", dice="6, 2").shift("uk-inf-1", "MIN SIW HAB")
    assert case.condition("uk-inf-1") == "extended"
    case.to_turn("germany").attack("de-inf-1", "GSA HAB").fight()
    assert case.at("HAB") == "uk-inf-1"
    case.to_turn("england")
    assert case.no_shift("uk-inf-1", "HAB MIN") in PENALTY
    assert case.to_turn("germany").condition("uk-inf-1") == "ready"


@pytest.mark.rule("DAA-4.06", "DAA-4.07")
def test_x02_pushed_infantry_that_fails_and_falls_back_still_lies_flat_next_turn(lay: Lay) -> None:
    case = lay("GUB de-inf-1; HAB uk-inf-1", "germany", dice="6, 6")
    case.attack("de-inf-1", "GUB GSA HAB").fight(Retreat("GSA"))
    assert case.where("de-inf-1") == "GSA"
    case.to_turn("germany")
    assert case.condition("de-inf-1") == "extended"
    assert case.no_shift("de-inf-1", "GSA GUB") in PENALTY


@pytest.mark.rule("DAA-5.01", "DAA-16.04")
def test_x03_a_tank_blitzes_two_empty_spaces_and_stops_in_the_third(lay: Lay) -> None:
    case = lay("GSA de-arm-1", "germany").attack("de-arm-1", "GSA HAB MIN RUW").fight()
    assert [case.holder(space) for space in ("HAB", "MIN", "RUW")] == ["germany"] * 3
    assert (case.where("de-arm-1"), case.condition("de-arm-1")) == ("RUW", "extended")


@pytest.mark.rule("DAA-6.02")
def test_x04_infantry_moves_two_along_the_road_without_a_penalty(lay: Lay) -> None:
    case = lay("ALA uk-inf-1").shift("uk-inf-1", "ALA FUK MAT")
    case.to_turn("england").shift("uk-inf-1", "MAT FUK ALA")
    assert case.where("uk-inf-1") == "ALA"


@pytest.mark.rule("DAA-R18")
@pytest.mark.parametrize(("option", "stopped"), [("extra_leg", False), ("whole_move", True)])
def test_x05_from_the_desert_onto_the_road_and_along_it(lay: Lay, option: str, stopped: bool) -> None:
    case = lay("RUW uk-inf-1", road_rule=option).shift("uk-inf-1", "RUW FUK MAT").to_turn("england")
    if stopped:
        assert case.no_shift("uk-inf-1", "MAT FUK") in PENALTY
    else:
        assert case.shift("uk-inf-1", "MAT FUK").where("uk-inf-1") == "FUK"


def cut_off(lay: Lay, units: str = "", dice: str = "") -> Case:
    """DAA-X06: an English tank has driven to Bardia; German infantry enters Sidi Barrani, two spaces behind it."""
    case = lay(f"MAT uk-arm-1; HAB de-inf-1; {units}", control={"england": "BDI"}, dice=dice)
    case.shift("uk-arm-1", "MAT SIB BUQ BDI").to_turn("germany").attack("de-inf-1", "HAB SIB")
    return case


@pytest.mark.rule("DAA-6.03", "DAA-6.04")
def test_x06_a_tank_is_laid_flat_when_the_road_is_cut_two_spaces_behind_it(lay: Lay) -> None:
    case = cut_off(lay)
    assert case.condition("uk-arm-1") == "advanced"
    assert case.to_turn("italy").condition("uk-arm-1") == "cut"


@pytest.mark.rule("DAA-6.06", "DAA-6.07")
def test_x07_it_stands_up_when_the_blocker_is_destroyed_and_moves_in_non_combat(lay: Lay) -> None:
    case = cut_off(lay, "MIN uk-inf-1", "1, 6").to_turn("england").attack("uk-inf-1", "MIN SIB").fight()
    assert case.shift("uk-arm-1", "BDI BUQ").where("uk-arm-1") == "BUQ"


@pytest.mark.rule("DAA-6.05")
def test_x08_otherwise_it_waits_until_that_turn_ends(lay: Lay) -> None:
    case = cut_off(lay).to_turn("england")
    assert case.no_shift("uk-arm-1", "BDI BUQ") in PENALTY
    assert case.to_turn("germany").condition("uk-arm-1") == "ready"


@pytest.mark.rule("DAA-6.03")
def test_x09_three_road_spaces_behind_cuts_nothing(lay: Lay) -> None:
    case = lay("MAT uk-arm-1; MIN de-inf-1", control={"england": "BDI"}).shift("uk-arm-1", "MAT SIB BUQ BDI")
    case.to_turn("germany").attack("de-inf-1", "MIN MAT").to_turn("england")
    assert case.attack("uk-arm-1", "BDI GUB").where("uk-arm-1") == "BDI"


@pytest.mark.rule("DAA-7.04", "DAA-7.09")
def test_x10_two_guns_against_four_tanks(lay: Lay) -> None:
    # Shots 3 and 4: one tank gone before it fires; three tanks roll; only the infantry answers.
    case = lay("HAB uk-arm-1..4; GSA de-art-1..2 de-inf-1..2", dice="3 4, 6 6 6, 6 6").attack("uk-arm-1..4", "HAB GSA")
    case.fight(DesignateGuns(["de-art-1", "de-art-2"]), Retreat("HAB"))
    assert case.needs() == [(3, 3), (3, 3, 3), (2, 2)]
    assert len(case.at("HAB").split()) == 3


@pytest.mark.rule("DAA-7.06", "DAA-R27")
def test_x11_one_tank_against_three_guns_is_shot_at_once(lay: Lay) -> None:
    case = lay("HAB uk-arm-1; GSA de-art-1..3", dice="6, 6, 6 6").attack("uk-arm-1", "HAB GSA").submit(EndMoves())
    assert case.refused(DesignateGuns(["de-art-1", "de-art-2", "de-art-3"])) in {"DAA-7.06", "DAA-R27"}
    case.go(DesignateGuns(["de-art-2"]), Retreat("HAB"))
    assert case.needs() == [(3,), (3,), (2, 2)]


@pytest.mark.rule("DAA-7.03")
def test_x12_against_infantry_alone_no_gun_is_told_off(lay: Lay) -> None:
    case = lay("HAB uk-inf-1; GSA de-art-1", dice="6, 6").attack("uk-inf-1", "HAB GSA").submit(EndMoves())
    assert (case.asked.seat, case.needs()) == ("england", [(1,), (2,)])
    case.submit(Retreat("HAB"))


@pytest.mark.rule("DAA-R31")
def test_x13_an_italian_gun_hits_a_tank_with_a_three(lay: Lay) -> None:
    case = lay("HAB uk-arm-1; GSA it-art-1", dice="3").attack("uk-arm-1", "HAB GSA").fight(DesignateGuns(["it-art-1"]))
    assert "uk-arm-1" not in case.units()


def first_incursion(lay: Lay, dice: str) -> Case:
    """DAA-X14: three infantry enter a hidden field: 2, 5, 3 strike two of them; the sweep shows 3."""
    case = lay("HAB uk-inf-1..5", mines={"GSA": "germany"}, dice=f"2 5 3, 3, {dice}")
    return case.attack("uk-inf-1..3", "HAB GSA").fight()


@pytest.mark.rule("DAA-9.02", "DAA-9.06", "DAA-9.08")
def test_x14_the_first_incursion_into_a_minefield(lay: Lay) -> None:
    case = first_incursion(lay, "")
    assert case.at("HAB") == "uk-inf-2 uk-inf-4 uk-inf-5"
    assert (case.at("GSA"), case.holder("GSA")) == ("", "germany")
    assert case.state.minefields["GSA"].known


@pytest.mark.rule("DAA-9.07", "DAA-9.09", "DAA-9.10")
def test_x15_the_second_incursion_into_a_minefield(lay: Lay) -> None:
    case = first_incursion(lay, "3 6, 3").to_turn("england").attack("uk-inf-4..5", "HAB GSA").fight()
    assert case.at("GSA") == "uk-inf-4 uk-inf-5"
    assert (case.holder("GSA"), case.state.minefields) == ("england", {})


@pytest.mark.rule("DAA-8.12")
def test_x16_a_blitz_through_a_mined_space_ends_there(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..2", mines={"GSA": "germany"}, dice="6 6, 2").attack("uk-arm-1..2", "HAB GSA GUB").fight()
    assert [event.space for event in case.events(MinesStruck)] == ["GSA"]
    assert (case.at("GSA"), case.at("GUB"), case.holder("GUB")) == ("uk-arm-1 uk-arm-2", "", "germany")


@pytest.mark.rule("DAA-8.11")
def test_x17_an_undeclared_field_is_forfeit_and_the_enemy_proceeds(lay: Lay) -> None:
    case = lay("HAB uk-arm-1", mines={"GSA": "germany"}, mine_auto="manual").attack("uk-arm-1", "HAB GSA GUB")
    cash = case.state.cash["axis"]
    case.fight(DeclareMinefield(declare=False))
    assert (case.where("uk-arm-1"), case.holder("GSA"), case.holder("GUB")) == ("GUB", "england", "england")
    assert (case.state.minefields, case.state.cash["axis"]) == ({}, cash)


@pytest.mark.rule("DAA-9.02")
def test_x18_fighters_alone_do_not_set_off_mines(lay: Lay) -> None:
    case = lay("HAB uk-ftr-1..2; GSA de-inf-1", mines={"GSA": "germany"}, dice="6 6, 6")
    case.attack("uk-ftr-1..2", "HAB GSA").fight(Retreat())
    assert case.needs() == [(3, 3), (2,)]
    assert not case.state.minefields["GSA"].known


@pytest.mark.rule("DAA-8.05", "DAA-8.07")
def test_x19_no_mines_in_a_city_on_the_road_or_beside_another_field(lay: Lay) -> None:
    case = lay("", "germany", mines={"GSA": "germany"}).submit(BuyUnits({"minefield": 1})).to(PlaceMinefields)
    assert [case.refused(PlaceMinefields([space])) for space in ("DER", "TMI", "GSA")] == [
        "DAA-8.07",
        "DAA-8.07",
        "DAA-8.05",
    ]


@pytest.mark.rule("DAA-10.03", "DAA-10.05")
def test_x20_flak_fires_at_three_planes_once(lay: Lay) -> None:
    # Dice 1, 2, 1: two planes gone; the third fights two rounds without flak.
    case = lay("HAB uk-ftr-1..3; GSA de-inf-1 de-aa-1", dice="1 2 1, 6, 6, 6, 6").attack("uk-ftr-1..3", "HAB GSA")
    case.submit(EndMoves()).until(lambda case: len(case.needs()) == 5).go(Retreat())
    assert case.needs() == [(1, 1, 1), (3,), (2,), (3,), (2,)]
    assert len(case.events(FlakFired)) == 1


@pytest.mark.rule("DAA-10.06", "DAA-10.07")
def test_x21_flak_goes_to_the_captor_and_is_never_a_loss(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..3; GSA de-inf-1 de-aa-1", dice="1 1 1, 6").attack("uk-arm-1..3", "HAB GSA").fight()
    assert [event.units for event in case.events(UnitsLost)] == [["de-inf-1"]]
    assert case.units()["de-aa-1"].power == "england"


@pytest.mark.rule("DAA-15.07")
def test_x22_one_gun_lifts_one_of_two_infantry(lay: Lay) -> None:
    case = lay("GSA de-inf-1..2 de-art-1; HAB uk-inf-1", "germany", dice="6 6 6, 6")
    case.attack("de-inf-1..2 de-art-1", "GSA HAB").fight(Retreat("GSA"))
    assert case.needs()[0] == (1, 2, 2)


@pytest.mark.rule("DAA-11.01", "DAA-3.03", "DAA-3.04")
def test_x23_italian_infantry_and_artillery_attack_on_two(lay: Lay) -> None:
    case = lay("GIR it-inf-1 it-art-1; SIW uk-inf-1", "italy", dice="6 6, 6")
    case.attack("it-inf-1 it-art-1", "GIR SIW").fight(Retreat("GIR"))
    assert case.needs()[0] == (2, 2)


@pytest.mark.rule("DAA-13.02", "DAA-13.03", "DAA-13.04")
def test_x24_two_bombers_raid_a_zone_with_flak(lay: Lay) -> None:
    # Flak 1 and 4: one bomber is lost; the other shows 1; England gives up any unit it likes, its fighter here.
    case = lay("BDI de-bom-1..2; MAT uk-inf-1 uk-ftr-1 uk-aa-1", "germany", dice="1 4, 1")
    case.attack("de-bom-1..2", "BDI BUQ SIB MAT", raid=True).fight(TakeLosses(["uk-ftr-1"]))
    assert case.at("MAT").split()[1:] == ["uk-aa-1", "uk-inf-1"]


@pytest.mark.rule("DAA-13.05")
def test_x25_a_fighter_does_not_fly_along_with_a_raid(lay: Lay) -> None:
    case = lay("SIB de-bom-1 de-ftr-1; MAT uk-inf-1", "germany")
    assert case.no_attack("de-bom-1 de-ftr-1", "SIB MAT", raid=True) == "DAA-13.05"


@pytest.mark.rule("DAA-11.03", "DAA-11.04")
def test_x26_a_bomber_may_cross_qattara_but_not_the_great_sand_sea(lay: Lay) -> None:
    case = lay("SIW uk-bom-1; GIA it-inf-1")
    assert case.no_attack("uk-bom-1", "SIW GSS GIA") == "DAA-11.04"
    assert case.shift("uk-bom-1", "SIW QAT FAY").where("uk-bom-1") == "FAY"


@pytest.mark.rule("DAA-12.03", "DAA-18.03")
def test_x27_a_plane_that_could_land_only_on_ground_to_be_taken_this_turn_may_not_attack(lay: Lay) -> None:
    # From Fuka to Bardia is four spaces; Buq Buq, next to it, is the enemy's, and a tank is about to take it.
    case = lay("FUK uk-ftr-1; SIB uk-arm-1; BDI de-inf-1", control={"germany": "BUQ"}).attack("uk-arm-1", "SIB BUQ")
    assert case.no_attack("uk-ftr-1", "FUK MAT SIB BUQ BDI") in {"DAA-18.03", "DAA-12.03"}


@pytest.mark.rule("DAA-2.02", "DAA-2.03")
def test_x28_the_axis_spends_eight_of_its_grant_and_saves_four(opening: Opening) -> None:
    case = opening()
    order = PlaceBonus({"germany": {"GIR": {"armour": 1}}, "italy": {"GSA": {"artillery": 1}}})  # 5 + 3
    case.submit(order, "italy").submit(PlaceBonus(), "england")
    assert case.state.cash["axis"] == 22 + 4
    assert "de-arm-8" in case.at("GIR")
    assert case.at("GSA") == "it-art-3"


@pytest.mark.rule("DAA-3.12")
def test_x29_nine_infantry_in_one_zone(lay: Lay) -> None:
    case = lay("", "germany", state={"cash": {"axis": 27, "allies": 0}}).submit(BuyUnits({"infantry": 9}))
    assert len(case.to(PlaceUnits).submit(PlaceUnits({"BEN": {"infantry": 9}})).at("BEN").split()) == 9


@pytest.mark.rule("DAA-14.06", "DAA-R05")
def test_x30_a_zone_captured_by_germany_serves_italy_first(lay: Lay) -> None:
    case = lay("SIB de-inf-1", "germany").submit(BuyUnits({"infantry": 1})).attack("de-inf-1", "SIB MAT").fight()
    case.to(PlaceUnits)
    assert case.refused(PlaceUnits({"MAT": {"infantry": 1}})) in {"DAA-14.06", "DAA-R05"}
    case.submit(PlaceUnits({"BEN": {"infantry": 1}}))
    case.to_turn("italy").submit(BuyUnits({"infantry": 1})).to(PlaceUnits).submit(PlaceUnits({"MAT": {"infantry": 1}}))
    assert case.at("MAT") == "de-inf-1 it-inf-1"


@pytest.mark.rule("DAA-R01", "DAA-1.05")
def test_x31_the_incomes_of_the_first_round(opening: Opening) -> None:
    # On our map the Axis 22 divide into 12 and 10 (the inventory's own starter map: 16 and 6).
    case = opening().until(lambda case: case.state.turn == 2)
    collected = [(event.power, event.purse, event.amount) for event in case.events(IncomeCollected)]
    assert collected == [("italy", "axis", 12), ("england", "allies", 24), ("germany", "axis", 10)]
    assert case.state.cash == {"axis": 22 + 12 + 22, "allies": 24 + 12 + 24}


@pytest.mark.rule("DAA-1.04", "DAA-R61")
def test_x32_an_english_land_unit_takes_tripoli_and_england_wins(lay: Lay) -> None:
    case = lay("HOM uk-arm-1; TRI it-inf-1", dice="3, 6").attack("uk-arm-1", "HOM TRI").fight()
    assert (case.state.outcome, case.state.ending) == ("allies", "capital_captured")


@pytest.mark.rule("DAA-17.04", "DAA-17.05", "DAA-17.06", "DAA-17.08", "DAA-17.09")
def test_x33_two_infantry_against_one(lay: Lay) -> None:
    # Attack 2 and 5: no hit, a 1 is needed; defence 2: a hit. One attacker is left, and may retreat.
    case = lay("GSA de-inf-1..2; HAB uk-inf-1", "germany", dice="2 5, 2").attack("de-inf-1..2", "GSA HAB")
    case.submit(EndMoves())
    assert (len(case.at("HAB").split()), case.wants(Retreat)) == (2, True)
    case.submit(Retreat("GSA"))
    assert len(case.at("GSA").split()) == 1
