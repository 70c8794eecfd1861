"""Anti-aircraft guns: DAA-10."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desert_aa.model.events import BattleOpened, FlakFired, RoundFought, SpaceCaptured, UnitsLost
from desert_aa.model.orders import BuyUnits, EndMoves, PlaceBonus, PlaceUnits, Retreat, TakeLosses
from sandtable.errors import DataError

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Changed, Lay, Opening


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


@pytest.mark.rule("DAA-10.03", "DAA-17.02")
def test_each_plane_meets_a_die_of_flak_and_falls_on_a_one_before_it_fires(lay: Lay) -> None:
    # A fighter and a bomber, the second die shows 1: one of them is gone, the other attacks alone.
    case = lay("HAB uk-ftr-1 uk-bom-1; GSA de-inf-1 de-aa-1", dice="2 1, 6, 6")
    case.attack("uk-ftr-1 uk-bom-1", "HAB GSA").fight(Retreat())
    (shot,) = case.events(FlakFired)
    assert shot.planes == ["uk-ftr-1", "uk-bom-1"]
    assert case.events(UnitsLost)[0].units == ["uk-bom-1"]
    assert case.needs() == [(1, 1), (3,), (2,)]


@pytest.mark.rule("DAA-10.03")
@pytest.mark.parametrize(("die", "lives"), [(1, False), (2, True)])
def test_flak_hits_on_one_only(lay: Lay, die: int, lives: bool) -> None:
    case = lay("HAB uk-ftr-1; GSA de-inf-1 de-aa-1", dice=f"{die}" + (", 6, 6" if lives else ""))
    case.attack("uk-ftr-1", "HAB GSA").fight(*([Retreat()] if lives else []))
    assert ("uk-ftr-1" in case.units()) is lives


@pytest.mark.rule("DAA-10.03")
def test_flak_does_not_fire_at_land_units(lay: Lay) -> None:
    case = lay("HAB uk-inf-1; GSA de-inf-1 de-aa-1", dice="6, 6").attack("uk-inf-1", "HAB GSA").fight(Retreat("HAB"))
    assert case.needs() == [(1,), (2,)]


@pytest.mark.rule("DAA-10.05")
def test_flak_is_silent_in_later_rounds(lay: Lay) -> None:
    case = lay("HAB uk-ftr-1; GSA de-inf-1 de-aa-1", dice="2, 6, 6, 6, 6").attack("uk-ftr-1", "HAB GSA")
    case.submit(EndMoves()).until(lambda case: len(case.events(RoundFought)) == 2).go(Retreat())
    assert case.needs() == [(1,), (3,), (2,), (3,), (2,)]


@pytest.mark.rule("DAA-17.03", "DAA-R50")
def test_one_of_many_flak_guns_fires(lay: Lay) -> None:
    # Two planes, three guns: two dice, not six.
    case = lay("HAB uk-ftr-1..2; GSA de-inf-1 de-aa-1..3", dice="2 2, 6 6, 6").attack("uk-ftr-1..2", "HAB GSA")
    case.fight(Retreat())
    assert case.needs() == [(1, 1), (3, 3), (2,)]


@pytest.mark.rule("DAA-R50", "DAA-8.05")
def test_by_option_a_space_holds_one_flak_gun(lay: Lay) -> None:
    case = lay("HAB uk-aa-1; MIN uk-aa-2..3; SIW uk-aa-4", aa_limit="one_per_space")
    assert case.no_shift("uk-aa-2", "MIN HAB") in {"DAA-8.05", "DAA-R50"}
    assert case.no_shift("uk-aa-2 uk-aa-3", "MIN RUW") in {"DAA-8.05", "DAA-R50"}
    case.shift("uk-aa-2", "MIN RUW")
    assert case.no_shift("uk-aa-3", "MIN RUW") in {"DAA-8.05", "DAA-R50"}


@pytest.mark.rule("DAA-R50")
def test_by_option_a_second_gun_finds_no_room_in_a_zone(lay: Lay) -> None:
    case = lay("MAT uk-aa-1; ALX uk-aa-2", state={"cash": {"axis": 0, "allies": 10}}, aa_limit="one_per_space")
    case.submit(BuyUnits({"aa_gun": 2})).to_turn("germany")
    # Suez alone has room, for one of the two; the other waits.
    assert case.at("SUE") == "uk-aa-3"
    assert case.state.waiting["england"] == {"aa_gun": 1}


@pytest.mark.rule("DAA-R50", "DAA-2.03")
def test_by_option_the_grant_buys_no_second_gun_for_a_space(opening: Opening) -> None:
    # In the teaching game there is a gun in the capital of either side.
    for option, refused in (("one_per_space", True), ("one_fires", False)):
        case = opening("frontier", aa_limit=option)
        england = next(each for each in case.game.waiting() if each.seat == "england")
        assert (england.options.why_not(PlaceBonus({"england": {"MSH": {"aa_gun": 1}}})) is not None) is refused
        assert (england.options.why_not(PlaceBonus({"england": {"RAS": {"aa_gun": 2}}})) is not None) is refused
        assert england.options.is_legal(PlaceBonus({"england": {"RAS": {"aa_gun": 1}, "OAS": {"aa_gun": 1}}}))


@pytest.mark.rule("DAA-R50")
def test_by_option_a_scenario_with_massed_flak_is_refused(opening: Opening, changed: Changed) -> None:
    massed = changed({"forces": {"england": {"MAT": {"aa_gun": 2}}}})
    assert len([unit for unit in opening(massed).units().values() if (unit.space, unit.kind) == ("MAT", "aa_gun")]) == 2
    with pytest.raises(DataError):
        opening(massed, aa_limit="one_per_space")


@pytest.mark.rule("DAA-R50", "DAA-18.06")
def test_flak_may_be_massed(lay: Lay) -> None:
    case = lay("", state={"cash": {"axis": 0, "allies": 20}}).submit(BuyUnits({"aa_gun": 4})).to(PlaceUnits)
    assert len(case.submit(PlaceUnits({"MAT": {"aa_gun": 4}})).at("MAT").split()) == 4


@pytest.mark.rule("DAA-10.06")
def test_flak_is_never_among_the_losses(lay: Lay) -> None:
    # Two hits on one infantry and two guns: the infantry is lost, and that is all.
    case = lay("HAB uk-arm-1..2; GSA de-inf-1 de-aa-1..2", dice="1 1, 6").attack("uk-arm-1..2", "HAB GSA").fight()
    assert [event.units for event in case.events(UnitsLost)] == [["de-inf-1"]]
    assert case.at("GSA") == "de-aa-1 de-aa-2 uk-arm-1 uk-arm-2"


@pytest.mark.rule("DAA-10.06", "DAA-17.06")
def test_flak_cannot_be_given_up_for_a_hit(lay: Lay) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1 de-art-1 de-aa-1", dice="1, 6 6").attack("uk-arm-1", "HAB GSA")
    case.submit(EndMoves()).to(TakeLosses)
    assert case.refused(TakeLosses(["de-aa-1"])) in {"DAA-10.06", "DAA-17.06"}
    case.go(TakeLosses(["de-inf-1"]), Retreat("HAB"))


@pytest.mark.rule("DAA-10.07", "DAA-18.05")
def test_captured_flak_goes_over_and_stays_put_that_turn(lay: Lay) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1 de-aa-1", dice="1, 6").attack("uk-arm-1", "HAB GSA").fight()
    assert case.units()["de-aa-1"].power == "england"
    assert case.no_shift("de-aa-1", "GSA HAB") == "DAA-18.05"
    case.to_turn("england").shift("de-aa-1", "GSA HAB")
    assert case.where("de-aa-1") == "HAB"


@pytest.mark.rule("DAA-10.07")
def test_captured_flak_fires_for_its_new_owner(lay: Lay) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1 de-aa-1; TOB de-ftr-1", dice="1, 6, 1").attack("uk-arm-1", "HAB GSA")
    case.to_turn("germany").attack("de-ftr-1", "TOB GUB GSA").fight()
    assert case.where("de-ftr-1") == ""
    assert [event.power for event in case.events(FlakFired)] == ["england"]


@pytest.mark.rule("DAA-R53", "DAA-10.07")
@pytest.mark.parametrize("unit", ["uk-inf-1", "uk-arm-1"])
def test_a_space_with_flak_alone_falls_without_a_battle(lay: Lay, unit: str) -> None:
    case = lay(f"HAB {unit}; GSA de-aa-1").attack(unit, "HAB GSA").fight()
    assert not case.events(BattleOpened)
    assert case.needs() == []
    assert case.holder("GSA") == "england"
    assert [event.flak for event in case.events(SpaceCaptured)] == [["de-aa-1"]]


@pytest.mark.rule("DAA-R51")
@pytest.mark.parametrize(("option", "needs"), [("no", [(3,), (2,)]), ("yes", [(1,), (3,), (2,)])])
def test_flak_under_the_flight_path(lay: Lay, option: str, needs: list[tuple[int, ...]]) -> None:
    # From Habata over the flak of Gabr Saleh to the infantry in El Gubi.
    dice = "6, 6" if option == "no" else "2, 6, 6"
    case = lay("HAB uk-ftr-1; GSA de-aa-1; GUB de-inf-1", dice=dice, aa_overflight=option)
    case.attack("uk-ftr-1", "HAB GSA GUB").fight(Retreat())
    assert case.needs() == needs


@pytest.mark.rule("DAA-R51")
def test_by_option_a_plane_may_be_shot_down_on_its_way(lay: Lay) -> None:
    case = lay("HAB uk-ftr-1; GSA de-aa-1; GUB de-inf-1", dice="1", aa_overflight="yes")
    case.attack("uk-ftr-1", "HAB GSA GUB").fight()
    assert "uk-ftr-1" not in case.units()
    assert not case.events(BattleOpened)
