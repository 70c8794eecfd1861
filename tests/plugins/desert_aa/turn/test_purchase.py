"""Purchases: DAA-14."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.positions import minutes, rich

from desert_aa.model import events as told
from desert_aa.model.orders import BuyMinefields, BuyUnits, EndMoves, PlaceBonus, PlaceMinefields, PlaceUnits

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay, Opening
    from transcripts import Transcript


@pytest.mark.rule("DAA-R08")
@pytest.mark.parametrize(
    ("option", "first", "second"), [("axis_first", "italy", "england"), ("allies_first", "england", "italy")]
)
def test_by_option_one_side_places_openly_before_the_other(
    opening: Opening, option: str, first: str, second: str
) -> None:
    case = opening(bonus_order=option)
    assert [decision.seat for decision in case.game.waiting()] == [first]
    space, power = {"italy": ("GSA", "germany"), "england": ("HAB", "england")}[first]
    units = len(case.state.units)
    case.submit(PlaceBonus({power: {space: {"armour": 1}}}), first)
    assert [decision.seat for decision in case.game.waiting()] == [second]
    other_side = {"italy": "axis", "england": "allies"}[second]
    assert len(case.game.view(other_side).units) == units + 1


@pytest.mark.rule("DAA-14.02", "DAA-14.05")
def test_units_are_paid_for_at_once_and_arrive_after_non_combat_movement(lay: Lay) -> None:
    case = rich(lay, "germany", 10).submit(BuyUnits({"infantry": 2}))
    assert case.state.cash["axis"] == 4
    case.to_phase("noncombat_move")
    assert not case.units()
    case.submit(EndMoves())
    assert case.phase == "placement"
    case.submit(PlaceUnits({"BEN": {"infantry": 2}}))
    assert case.at("BEN") == "de-inf-1 de-inf-2"


@pytest.mark.rule("DAA-14.02")
def test_nobody_spends_more_than_he_has(lay: Lay) -> None:
    assert rich(lay, "germany", 10).refused(BuyUnits({"infantry": 2, "armour": 1})) == "DAA-14.02"


@pytest.mark.rule("DAA-14.03")
def test_savings_carry_over(lay: Lay) -> None:
    # England holds 24 IPC of ground: 10 saved, 24 collected, then a bomber and a fighter for 27.
    case = rich(lay, "england", 10).to_turn("england").submit(BuyUnits({"bomber": 1, "fighter": 1}))
    assert case.state.cash["allies"] == 10 + 24 - 27


@pytest.mark.rule("DAA-14.02", "DAA-8.01", "DAA-3.09", "DAA-14.05")
def test_a_purchase_and_where_it_arrives(lay: Lay, transcript: Transcript) -> None:
    case = lay("ALX uk-inf-4", state=cash(30))
    assert case.asked.prompt == "buy units: 30 IPC"
    case.submit(BuyUnits({"artillery": 2, "infantry": 1, "minefield": 2})).to(PlaceUnits)
    case.submit(PlaceUnits({"SUE": {"infantry": 1, "artillery": 1}, "MAT": {"artillery": 1}}))
    assert case.asked.prompt == "lay your minefields, unseen: 2"
    case.submit(PlaceMinefields(["SIW", "HAB"]))
    kinds = told.UnitsBought, told.MinefieldsBought, told.UnitsArrived, told.MinefieldsPlaced
    transcript(minutes(case.events(*kinds)))


def cash(amount: int) -> dict[str, Any]:
    return {"cash": {"axis": amount, "allies": amount}}


@pytest.mark.rule("DAA-14.02")
@pytest.mark.parametrize(("power", "least"), [("italy", 2), ("england", 3), ("germany", 3)])
def test_who_can_buy_nothing_is_not_asked(lay: Lay, power: str, least: int) -> None:
    assert lay("", power, state=cash(least)).wants(BuyUnits)
    assert not lay("", power, state=cash(least - 1)).wants(BuyUnits)
    bought = lay("", power, state=cash(least)).submit(BuyUnits({}))
    assert bought.events(told.UnitsBought, told.MinefieldsBought) == []


@pytest.mark.rule("DAA-14.02", "DAA-8.01", "DAA-R37")
def test_who_buys_minefields_alone_has_bought_no_units(lay: Lay) -> None:
    openly = lay("", state=cash(9)).submit(BuyUnits({"minefield": 1}))
    unseen = lay("", state=cash(9), mine_secrecy="all_secret").submit(BuyUnits({})).submit(BuyMinefields(1))
    for case in (openly, unseen):
        assert [type(event) for event in case.events(told.UnitsBought, told.MinefieldsBought)] == [
            told.MinefieldsBought
        ]


@pytest.mark.rule("DAA-8.01", "DAA-R37")
def test_by_option_minefields_are_bought_in_a_second_and_secret_question(lay: Lay, transcript: Transcript) -> None:
    case = lay("", "england", state=cash(20), mine_secrecy="all_secret")
    case.submit(BuyUnits({"infantry": 1}))
    assert (case.asked.prompt, case.asked.secret) == ("buy minefields, unseen: 17 IPC", True)
    assert case.refused(BuyMinefields(3)) == "DAA-8.02"
    case.submit(BuyMinefields(2)).to(PlaceMinefields)
    assert case.asked.prompt == "lay your minefields, unseen: 2"
    transcript(minutes(case.events(told.UnitsBought, told.MinefieldsBought)))
