"""Anti-aircraft guns: DAA-10."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import between, minutes

from desert_aa.model import events as told
from desert_aa.model.events import BattleOpened, FlakFired, RoundFought, SpaceCaptured, UnitsLost
from desert_aa.model.orders import EndMoves, Retreat, TakeLosses

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript

    from sandtable.kernel.decisions import Roll


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


@pytest.mark.rule("DAA-13.02", "DAA-13.03", "DAA-13.04", "DAA-R54", "DAA-10.04")
@pytest.mark.parametrize(("option", "need"), [("one", 1), ("four", 4)])
def test_a_raid_on_a_zone_with_flak(
    lay: Lay, rolls: list[Roll], option: str, need: int, transcript: Transcript
) -> None:
    dice = f"6 1 6, {need} {need + 1}"
    case = lay("BDI de-bom-1..3; MAT uk-inf-1 uk-art-1 uk-aa-1", "germany", dice=dice, tbr_hit=option)
    case.attack("de-bom-1..3", "BDI BUQ SIB MAT", raid=True).fight(TakeLosses(["uk-art-1"]))
    planned = case.events(told.MovePlanned, told.CombatsDeclared)
    transcript(minutes([*planned, *between(case, told.FlakFired), *rolls]))


@pytest.mark.rule("DAA-13.02")
def test_a_raid_without_bombers_or_without_targets_strikes_nothing(lay: Lay) -> None:
    shot = lay("BDI de-bom-1; MAT uk-inf-1 uk-aa-1", "germany", dice="1")
    shot.attack("de-bom-1", "BDI BUQ SIB MAT", raid=True).fight()
    assert shot.events(told.RaidFlown) == [told.RaidFlown("germany", "MAT", [], 0)]
    assert not [event for event in shot.events(told.UnitsLost) if event.cause == "raid"]


@pytest.mark.rule("DAA-10.03", "DAA-R51")
def test_planes_of_one_kind_that_flew_different_ways_are_told_apart(lay: Lay, rolls: list[Roll]) -> None:
    case = lay("HAB uk-ftr-1; MIN uk-ftr-2; GSA de-inf-1 de-aa-1", dice="6 1, 6, 6")
    case.attack("uk-ftr-1", "HAB GSA").attack("uk-ftr-2", "MIN HAB GSA").fight(Retreat())
    assert not rolls[0].pooled
    assert case.events(told.UnitsLost)[0].units == ["uk-ftr-2"]


@pytest.mark.rule("DAA-R51")
def test_by_option_every_gun_on_the_way_fires_at_those_who_are_left(lay: Lay, rolls: list[Roll]) -> None:
    # Two spaces with flak are crossed; the guns at the target fire as the battle opens.
    case = lay(
        "HAB uk-bom-1..2; GSA de-aa-1; GUB de-aa-2; TOB de-inf-1 de-aa-3", dice="1 6, 6, 6, 6, 6", aa_overflight="yes"
    )
    case.attack("uk-bom-1..2", "HAB GSA GUB TOB").fight(Retreat())
    assert [(roll.purpose, roll.rule, roll.units) for roll in rolls[:3]] == [
        ("overflight.GSA", "DAA-R51", ("uk-bom-1", "uk-bom-2")),
        ("overflight.GUB", "DAA-R51", ("uk-bom-2",)),
        ("flak.TOB", "DAA-10.03", ("uk-bom-2",)),
    ]
    assert [event.units for event in case.events(told.UnitsLost)] == [["uk-bom-1"]]
    alone = lay("HAB uk-bom-1; GSA de-aa-1; GUB de-aa-2; TOB de-inf-1", dice="1", aa_overflight="yes")
    alone.attack("uk-bom-1", "HAB GSA GUB TOB").fight()
    assert [event.space for event in alone.events(told.FlakFired)] == ["GSA"]


@pytest.mark.rule("DAA-R51", "DAA-18.01")
def test_by_option_guns_fire_at_planes_that_change_their_field_as_well(lay: Lay, rolls: list[Roll]) -> None:
    case = lay("HAB uk-ftr-1..2; GSA de-aa-1", dice="1 6", aa_overflight="yes", control={"england": "BUQ"})
    case.shift("uk-ftr-1..2", "HAB GSA BUQ").to_turn("germany")
    assert [roll.purpose for roll in rolls] == ["overflight.GSA"]
    assert case.at("BUQ") == "uk-ftr-2"
    assert case.events(told.UnitsMoved)[0].rule == "DAA-12.01"
