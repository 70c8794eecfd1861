"""Non-combat movement and whose ground is whose: DAA-18."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desert_aa.model.events import SpaceCaptured

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay


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


@pytest.mark.rule("DAA-18.04", "DAA-R03")
@pytest.mark.parametrize(
    ("power", "unit", "owner"), [("italy", "it-inf-1", "germany"), ("germany", "de-inf-1", "germany")]
)
def test_ground_won_back_for_a_partner_reverts_to_him(lay: Lay, power: str, unit: str, owner: str) -> None:
    # Gabr Saleh was Germany's at the outset; England holds it now.
    case = lay(f"GUB {unit}", power, control={"england": "GSA"}).attack(unit, "GUB GSA").fight()
    assert case.holder("GSA") == owner
    (event,) = case.events(SpaceCaptured)
    assert (event.by, event.owner, event.lost_by) == (power, owner, "england")


@pytest.mark.rule("DAA-18.05")
def test_flak_captured_by_a_partner_s_recapture_belongs_to_the_captor(lay: Lay) -> None:
    case = lay("GUB it-inf-1; GSA uk-aa-1", "italy").attack("it-inf-1", "GUB GSA").fight()
    assert case.units()["uk-aa-1"].power == "italy"
    assert case.holder("GSA") == "germany"
    assert case.no_shift("uk-aa-1", "GSA GUB") == "DAA-18.05"
