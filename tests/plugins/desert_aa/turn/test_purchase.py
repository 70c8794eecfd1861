"""Purchases: DAA-14."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.positions import minutes, numbers_in
from tests.plugins.desert_aa.rows import Row, play, row

from desert_aa.model import events as event_types
from desert_aa.model.orders import BuyMinefields, BuyUnits, PlaceBonus, PlaceMinefields, PlaceUnits

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay, Opening
    from transcripts import Transcript


def cash(amount: int) -> dict[str, Any]:
    return {"cash": {"axis": amount, "allies": amount}}


@pytest.mark.rule("DAA-R08")
@pytest.mark.parametrize(
    ("option", "first", "second"), [("axis_first", "italy", "england"), ("allies_first", "england", "italy")]
)
def test_bonus_order_option_makes_one_side_place_openly_first(
    opening: Opening, option: str, first: str, second: str
) -> None:
    case = opening(bonus_order=option)
    assert [decision.seat for decision in case.game.waiting()] == [first]
    space, power = {"italy": ("GSA", "germany"), "england": ("HAB", "england")}[first]
    units = len(case.state.units)
    case.submit(PlaceBonus({power: {space: {"armor": 1}}}), first)
    assert [decision.seat for decision in case.game.waiting()] == [second]
    other_side = {"italy": "axis", "england": "allies"}[second]
    assert len(case.game.view(other_side).units) == units + 1


PURCHASES = [
    row("DAA-14.02 DAA-14.05", "units are paid for first and arrive after non-combat movement", "", "buy infantry 2",
        "cash axis = 4", "phase noncombat_move", "units = -", "end", "moment = placement", "place BEN infantry 2",
        "at BEN = de-inf-1 de-inf-2", power="germany", state=cash(10)),
    row("DAA-14.02", "no power spends more than it has", "", "refuse buy infantry 2 armor 1 = DAA-14.02",
        power="germany", state=cash(10)),
    # England saves 10 IPC, collects 24, then buys a bomber and a fighter for 27.
    row("DAA-14.03", "savings carry over", "", "turn england", "buy bomber 1 fighter 1", "cash allies = 7",
        power="england", state=cash(10)),
    *(row("DAA-14.02", f"{power} may buy with {least} IPC", "", "wants buy = True", "buy ", "count UnitsBought = 0",
          "count MinefieldsBought = 0", power=power, state=cash(least))
      for power, least in (("italy", 2), ("england", 3), ("germany", 3))),
    *(row("DAA-14.02", f"{power} has no purchase with {money} IPC", "", "wants buy = False", power=power,
          state=cash(money)) for power, money in (("italy", 1), ("england", 2), ("germany", 2))),
    row("DAA-14.02 DAA-8.01", "a power that buys minefields alone has bought no units", "", "buy minefield 1",
        "count UnitsBought = 0", "count MinefieldsBought = 1", power="england", state=cash(9)),
    row("DAA-14.02 DAA-8.01 DAA-R37", "minefields bought in secret are not units", "", "buy ", "unseen 1",
        "count UnitsBought = 0", "count MinefieldsBought = 1", power="england", state=cash(9),
        mine_secrecy="all_secret"),
]  # fmt: skip


@pytest.mark.rule("DAA-14.02", "DAA-14.03", "DAA-14.05", "DAA-8.01", "DAA-R37")
@pytest.mark.parametrize("row", PURCHASES)
def test_purchases_follow_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-14.02", "DAA-8.01", "DAA-3.09", "DAA-14.05")
def test_purchased_units_arrive_in_the_same_turn(lay: Lay, transcript: Transcript) -> None:
    case = lay("ALX uk-inf-4", state=cash(30))
    assert (case.asked.purpose, numbers_in(case.asked.prompt)) == ("buy.england", [30])
    case.submit(BuyUnits({"artillery": 2, "infantry": 1, "minefield": 2})).to(PlaceUnits)
    case.submit(PlaceUnits({"SUE": {"infantry": 1, "artillery": 1}, "MAT": {"artillery": 1}}))
    assert (case.asked.purpose.partition(".")[0], numbers_in(case.asked.prompt)) == ("lay_mines", [2])
    case.submit(PlaceMinefields(["SIW", "HAB"]))
    kinds = (
        event_types.UnitsBought,
        event_types.MinefieldsBought,
        event_types.UnitsArrived,
        event_types.MinefieldsPlaced,
    )
    transcript(minutes(case.events(*kinds)))


@pytest.mark.rule("DAA-8.01", "DAA-R37")
def test_minefields_are_bought_in_a_secret_decision_by_option(lay: Lay, transcript: Transcript) -> None:
    case = lay("", "england", state=cash(20), mine_secrecy="all_secret")
    case.submit(BuyUnits({"infantry": 1}))
    assert (numbers_in(case.asked.prompt), case.asked.secret) == ([17], True)
    assert case.refused(BuyMinefields(3)) == "DAA-8.02"
    case.submit(BuyMinefields(2)).to(PlaceMinefields)
    assert (case.asked.purpose.partition(".")[0], numbers_in(case.asked.prompt)) == ("lay_mines", [2])
    transcript(minutes(case.events(event_types.UnitsBought, event_types.MinefieldsBought)))
