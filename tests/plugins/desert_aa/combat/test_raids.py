"""Tactical bombing raids: DAA-13."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desert_aa.model.events import BattleOpened, FlakFired, RaidFlown, UnitsLost
from desert_aa.model.orders import EndMoves, Retreat, TakeLosses

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay

WAY = "BDI BUQ SIB MAT"
"""From Bardia to the zone of Matruh, three spaces there and three back."""


def raid(lay: Lay, bombers: int, zone: str, dice: str, others: str = "", **options: str) -> Case:
    case = lay(f"BDI de-bom-1..{bombers}; MAT {zone}; {others}", "germany", dice=dice, **options)
    return case.attack(f"de-bom-1..{bombers}", WAY, raid=True)


@pytest.mark.rule("DAA-13.01", "DAA-13.03")
@pytest.mark.parametrize(("die", "hit"), [(1, True), (2, False), (4, False)])
def test_a_raider_hits_on_one(lay: Lay, die: int, hit: bool) -> None:
    case = raid(lay, 1, "uk-inf-1", str(die)).fight()
    assert ("uk-inf-1" in case.units()) is not hit
    assert [(event.space, event.hits) for event in case.events(RaidFlown)] == [("MAT", int(hit))]
    assert not case.events(BattleOpened)


@pytest.mark.rule("DAA-R54")
@pytest.mark.parametrize("option", ["four", "own_attack"])
def test_by_option_a_raider_hits_on_four(lay: Lay, option: str) -> None:
    assert not [unit for unit in raid(lay, 1, "uk-inf-1", "4", tbr_hit=option).fight().units() if unit == "uk-inf-1"]
    assert "uk-inf-1" in raid(lay, 1, "uk-inf-1", "5", tbr_hit=option).fight().units()


@pytest.mark.rule("DAA-R54", "DAA-13.03")
def test_the_printed_one_stands_by_default(lay: Lay) -> None:
    assert raid(lay, 2, "uk-inf-1", "2 2").fight().needs() == [(1, 1)]


@pytest.mark.rule("DAA-13.01")
def test_only_zones_of_the_enemy_are_raided(lay: Lay) -> None:
    case = lay("BDI de-bom-1 de-arm-1; SIB uk-inf-1; BEN uk-inf-2; SIR de-inf-1", "germany", dice="1")
    assert case.no_attack("de-bom-1", "BDI BUQ SIB", raid=True) == "DAA-13.01"  # no zone
    assert case.no_attack("de-bom-1", "BDI TOB TMI DER BAR", raid=True) == "DAA-13.01"  # not the enemy's
    assert case.no_attack("de-arm-1", "BDI BUQ", raid=True) in {"DAA-13.01", "DAA-13.05"}  # no bomber
    case.attack("de-bom-1", "BDI TOB TMI DER BAR BEN", raid=True).fight()  # captured Benghazi is the enemy's now
    assert "uk-inf-2" not in case.units()


@pytest.mark.rule("DAA-13.02", "DAA-10.04", "DAA-10.05")
def test_raiders_meet_one_die_of_flak_each_and_the_lost_ones_do_not_strike(lay: Lay) -> None:
    case = raid(lay, 3, "uk-inf-1 uk-aa-1..2", "1 2 1, 6").fight()
    assert case.needs() == [(1, 1, 1), (1,)]
    assert len([unit for unit in case.units() if unit.startswith("de-bom")]) == 1
    assert [event.planes for event in case.events(FlakFired)] == [["de-bom-1", "de-bom-2", "de-bom-3"]]


@pytest.mark.rule("DAA-13.02")
def test_a_raid_shot_down_to_the_last_bomber_rolls_nothing(lay: Lay) -> None:
    case = raid(lay, 1, "uk-inf-1 uk-aa-1", "1").fight()
    assert case.needs() == [(1,)]
    assert set(case.units()) == {"uk-inf-1", "uk-aa-1"}


@pytest.mark.rule("DAA-13.04", "DAA-R55")
@pytest.mark.parametrize("loss", ["uk-inf-1", "uk-arm-1", "uk-ftr-1", "uk-bom-1"])
def test_the_defender_picks_any_unit_even_a_plane_on_the_ground(lay: Lay, loss: str) -> None:
    case = raid(lay, 1, "uk-inf-1 uk-arm-1 uk-ftr-1 uk-bom-1", "1").submit(EndMoves())
    assert case.asked.seat == "england"
    case.submit(TakeLosses([loss]))
    assert set(case.units()) == {"de-bom-1", "uk-inf-1", "uk-arm-1", "uk-ftr-1", "uk-bom-1"} - {loss}


@pytest.mark.rule("DAA-R55", "DAA-10.06", "DAA-8.04")
def test_a_raid_costs_neither_flak_nor_mines(lay: Lay) -> None:
    # Two hits, one unit besides flak; in the teaching game the zone of Khashm el Ahmar can be mined.
    case = lay(
        "TEL de-bom-1..2; KHA uk-inf-1 uk-aa-1",
        "germany",
        dice="2 2, 1 1",
        mines={"KHA": "england"},
        scenario="frontier",
    )
    case.attack("de-bom-1..2", "TEL OAS KHA", raid=True).fight()
    assert [event.units for event in case.events(UnitsLost)] == [["uk-inf-1"]]
    assert case.where("uk-aa-1") == "KHA"
    assert set(case.state.minefields) == {"KHA"}


@pytest.mark.rule("DAA-R55")
def test_flak_cannot_be_given_up_to_a_raid(lay: Lay) -> None:
    case = raid(lay, 1, "uk-inf-1 uk-art-1 uk-aa-1", "6, 1").submit(EndMoves())
    assert case.refused(TakeLosses(["uk-aa-1"])) in {"DAA-R55", "DAA-10.06", "DAA-13.04"}
    case.submit(TakeLosses(["uk-art-1"]))


@pytest.mark.rule("DAA-13.05")
def test_no_fighter_goes_along(lay: Lay) -> None:
    case = lay("SIB de-bom-1 de-ftr-1; MAT uk-inf-1", "germany")
    assert case.no_attack("de-ftr-1", "SIB MAT", raid=True) == "DAA-13.05"
    assert case.no_attack("de-bom-1 de-ftr-1", "SIB MAT", raid=True) == "DAA-13.05"


@pytest.mark.rule("DAA-R56", "DAA-13.01")
def test_a_raid_precedes_the_attack_on_the_same_zone_and_raiders_stay_out_of_it(lay: Lay) -> None:
    # The raid costs the infantry; the tank fights the artillery alone: raid 1; attack 3, defence 2.
    case = raid(lay, 1, "uk-inf-1 uk-art-1", "1, 6, 6", others="SIB de-inf-1")
    case.attack("de-inf-1", "SIB MAT").fight(TakeLosses(["uk-inf-1"]), Retreat("SIB"))
    assert [purpose.split(".")[0] for purpose, _ in case.rolls()] == ["raid", "attack", "defence"]
    assert case.needs() == [(1,), (1,), (2,)]
    assert [event.attackers for event in case.events(BattleOpened)] == [["de-inf-1"]]


@pytest.mark.rule("DAA-R56")
def test_the_ground_attack_walks_in_when_the_raid_has_cleared_the_zone(lay: Lay) -> None:
    case = raid(lay, 1, "uk-inf-1", "1", others="SIB de-inf-1").attack("de-inf-1", "SIB MAT").fight()
    assert case.needs() == [(1,)]
    assert (case.holder("MAT"), case.where("de-inf-1")) == ("germany", "MAT")


@pytest.mark.rule("DAA-R57")
def test_fighters_do_not_rise_against_a_raid(lay: Lay) -> None:
    case = raid(lay, 1, "uk-ftr-1..3", "6").fight()
    assert case.needs() == [(1,)]
    assert "de-bom-1" in case.units()


@pytest.mark.rule("DAA-13.01", "DAA-16.07")
def test_a_raider_needs_a_way_home(lay: Lay) -> None:
    # Four spaces to Fuka are four back; to Matruh from Tobruk it is four and three.
    case = lay("TOB de-bom-1; MAT uk-inf-1", "germany")
    assert case.no_attack("de-bom-1", "TOB BDI BUQ SIB MAT", raid=True) in {"DAA-18.03", "DAA-16.07"}
