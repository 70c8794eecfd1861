"""The opening grant: DAA-2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import minutes

from desert_aa.model import events as told
from desert_aa.model.events import GrantReceived
from desert_aa.model.orders import BuyMinefields, BuyUnits, PlaceBonus, PlaceMinefields

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Changed, Opening
    from transcripts import Transcript


@pytest.mark.rule("DAA-R50", "DAA-2.03")
def test_by_option_the_grant_buys_no_second_gun_for_a_space(opening: Opening) -> None:
    # In the teaching game there is a gun in the capital of either side.
    for option, refused in (("one_per_space", True), ("one_fires", False)):
        case = opening("frontier", aa_limit=option)
        england = next(each for each in case.game.waiting() if each.seat == "england")
        assert (england.options.why_not(PlaceBonus({"england": {"MSH": {"aa_gun": 1}}})) is not None) is refused
        assert (england.options.why_not(PlaceBonus({"england": {"RAS": {"aa_gun": 2}}})) is not None) is refused
        assert england.options.is_legal(PlaceBonus({"england": {"RAS": {"aa_gun": 1}, "OAS": {"aa_gun": 1}}}))


@pytest.mark.rule("DAA-8.01", "DAA-8.02", "DAA-2.03")
def test_the_grant_pays_for_a_minefield_too(opening: Opening) -> None:
    case = opening()
    two = PlaceBonus(minefields={"italy": 1, "germany": 1})  # 16 of 12
    assert case.refused(two, "italy") in {"DAA-2.01", "DAA-8.02"}
    case.submit(PlaceBonus(minefields={"italy": 1}), "italy").submit(PlaceBonus(), "england")
    case.submit(PlaceMinefields(["HUN"]))
    assert case.state.cash["axis"] == 22 + 12 - 8
    assert case.state.minefields["HUN"].power == "italy"


@pytest.mark.rule("DAA-8.02", "DAA-R37")
def test_what_one_power_pays_unseen_out_of_the_grant_its_partner_has_not(opening: Opening) -> None:
    case = opening(mine_secrecy="all_secret")
    case.submit(PlaceBonus(), "italy").submit(PlaceBonus(), "england").to(BuyMinefields)
    assert case.asked.power == "italy"
    case.submit(BuyMinefields(1)).submit(PlaceMinefields(["HUN"])).to(BuyMinefields)
    assert case.asked.power == "germany"
    assert case.refused(BuyMinefields(1)) == "DAA-8.02"  # 4 of 12 are left
    case.submit(BuyMinefields(0))
    assert case.state.cash["axis"] == 22 + 12 - 8


@pytest.mark.rule("DAA-8.02", "DAA-R37")
def test_who_spent_the_grant_openly_is_asked_for_no_minefields(opening: Opening) -> None:
    case = opening(mine_secrecy="all_secret")
    spent = PlaceBonus({"italy": {"HUN": {"armour": 2}}})  # 8 of 12: a minefield costs more than is left
    case.submit(spent, "italy").submit(PlaceBonus(), "england").to(BuyMinefields)
    assert case.asked.power == "england"


@pytest.mark.rule("DAA-1.05", "DAA-2.01", "DAA-14.08", "DAA-R02")
def test_the_purses_open_with_the_printed_income_and_the_grant_on_top(opening: Opening) -> None:
    case = opening()
    assert {event.purse: event.amount for event in case.events(GrantReceived)} == {"axis": 12, "allies": 12}
    assert case.state.cash == {"axis": 22 + 12, "allies": 24 + 12}


@pytest.mark.rule("DAA-2.01", "DAA-2.02")
def test_the_grant_pays_for_no_more_than_12_the_rest_is_saved(opening: Opening) -> None:
    case = opening()
    too_dear = PlaceBonus({"england": {"HAB": {"armour": 3}}})  # 15
    assert case.refused(too_dear, "england") in {"DAA-2.01", "DAA-2.02"}
    case.submit(PlaceBonus({"england": {"HAB": {"armour": 2}}}), "england").submit(PlaceBonus())
    assert case.state.cash == {"axis": 34, "allies": 26}


@pytest.mark.rule("DAA-2.03", "DAA-R07")
def test_grant_units_start_anywhere_on_ground_of_the_side(opening: Opening) -> None:
    case = opening()
    assert case.refused(PlaceBonus({"germany": {"HAB": {"infantry": 1}}}), "italy") == "DAA-2.03"
    assert case.refused(PlaceBonus({"germany": {"QAT": {"infantry": 1}}}), "italy") == "DAA-2.03"
    assert case.refused(PlaceBonus({"england": {"GIR": {"infantry": 1}}}), "england") == "DAA-2.03"
    # In a zone of each side, and far from any: a German in an Italian oasis and an Italian in a German camp.
    case.submit(PlaceBonus({"germany": {"GIR": {"infantry": 1}}, "italy": {"GSA": {"infantry": 1}}}), "italy")
    case.submit(PlaceBonus({"england": {"SIW": {"infantry": 1}, "SUE": {"infantry": 1}}}), "england")
    assert case.at("GSA") == "it-inf-10"
    assert case.at("GIR") == "de-inf-10 it-inf-5"  # an Italian is there from the start
    assert len(case.at("SIW").split()) == 2


@pytest.mark.rule("DAA-2.04", "DAA-R08")
@pytest.mark.parametrize("first", ["italy", "england"])
def test_either_side_may_decide_about_the_grant_first_and_nothing_shows_before_both_have(
    opening: Opening, first: str
) -> None:
    case = opening()
    assert {decision.seat for decision in case.game.waiting()} == {"italy", "england"}
    orders = {
        "italy": PlaceBonus({"germany": {"GSA": {"armour": 1}}}),
        "england": PlaceBonus({"england": {"HAB": {"armour": 1}}}),
    }
    before = case.state.units.keys() | set()
    case.submit(orders[first], first)
    assert case.state.units.keys() == before
    second = "england" if first == "italy" else "italy"
    assert [decision.seat for decision in case.game.waiting()] == [second]
    case.submit(orders[second], second)
    assert {unit_id[:6] for unit_id in case.state.units.keys() - before} == {"de-arm", "uk-arm"}


@pytest.mark.rule("DAA-2.05")
def test_the_grant_is_paid_once(opening: Opening) -> None:
    case = opening().until(lambda case: case.state.turn == 3)
    assert len(case.events(GrantReceived)) == 2


@pytest.mark.rule("DAA-R09")
def test_grant_units_fight_in_the_opening_turn(opening: Opening) -> None:
    # An Italian tank of the grant attacks Siwa on 2; the infantry there defends on 2.
    case = opening(dice="2, 6")
    case.submit(PlaceBonus({"italy": {"GIR": {"armour": 1}}}), "italy").submit(PlaceBonus())
    case.to_phase("combat_move").attack("it-arm-2", "GIR SIW").fight()
    assert (case.state.turn, case.at("SIW")) == (1, "it-arm-2")


@pytest.mark.rule("DAA-R01", "DAA-R02")
def test_by_option_each_axis_power_has_a_purse_of_its_own(opening: Opening) -> None:
    case = opening(axis_treasury="per_nation")
    # Own ground is worth 12 and 10; the grant of 12 is halved.
    assert case.state.cash == {"italy": 12 + 6, "germany": 10 + 6, "allies": 24 + 12}
    assert case.refused(PlaceBonus({"germany": {"BEN": {"artillery": 2}}}), "italy") == "DAA-2.01"  # 8
    case.submit(PlaceBonus({"germany": {"BEN": {"armour": 1}}, "italy": {"TRI": {"infantry": 3}}}), "italy")
    case.submit(PlaceBonus(), "england")
    assert case.state.cash == {"italy": 12, "germany": 11, "allies": 36}
    case.until(lambda case: case.state.turn == 2)
    assert case.state.cash["italy"] == 12 + 12
    assert case.state.cash["germany"] == 11 + 10
    assert case.refused(BuyUnits({"bomber": 1, "fighter": 1})) == "DAA-14.02"  # 25 of 24


@pytest.mark.rule("DAA-2.01", "DAA-R68", "DAA-R69")
def test_a_bid_is_added_to_the_grant_of_its_side(opening: Opening) -> None:
    assert opening(axis_bid="5").state.cash == {"axis": 22 + 12 + 5, "allies": 24 + 12}
    case = opening(allies_bid="7", axis_treasury="per_nation")
    assert case.state.cash == {"italy": 12 + 6, "germany": 10 + 6, "allies": 24 + 19}
    assert case.refused(PlaceBonus({"england": {"ALX": {"bomber": 1, "infantry": 4}}}), "england") == "DAA-2.01"  # 23
    case.submit(PlaceBonus(), "italy").submit(PlaceBonus({"england": {"ALX": {"infantry": 6}}}), "england")  # 18
    assert case.state.cash["allies"] == 24 + 1


@pytest.mark.rule("DAA-2.01", "DAA-2.03", "DAA-2.04", "DAA-8.01")
def test_what_each_side_buys_with_its_grant(opening: Opening, transcript: Transcript) -> None:
    case = opening("frontier", axis_treasury="per_nation")
    assert {each.seat: each.prompt for each in case.game.waiting()} == dict.fromkeys(
        ("italy", "england"), "spend the grant of 12 IPC, or save it"
    )
    case.submit(PlaceBonus({"england": {"RAS": {"infantry": 1}}}, {"england": 1}), "england")
    axis = {"italy": {"WAZ": {"infantry": 2}, "MGH": {"infantry": 1}}, "germany": {"BTR": {"aa_gun": 1}}}
    case.submit(PlaceBonus(axis), "italy").submit(PlaceMinefields(["OAS"]))
    bought = told.GrantReceived, told.UnitsBought, told.UnitsArrived, told.MinefieldsBought, told.MinefieldsPlaced
    transcript(minutes(case.events(*bought)))


@pytest.mark.rule("DAA-2.01", "DAA-R68")
@pytest.mark.parametrize(
    ("bids", "received"), [({}, {}), ({"axis_bid": "3"}, {"axis": 3}), ({"allies_bid": "4"}, {"allies": 4})]
)
def test_without_a_grant_nobody_is_asked(
    opening: Opening, changed: Changed, bids: dict[str, str], received: dict[str, int]
) -> None:
    case = opening(changed({"treasury": {"bonus": 0}}), **bids)
    assert {event.purse: event.amount for event in case.events(told.GrantReceived)} == received
    wanted = "GrantSpace" if bids else "Form"
    assert {type(each.options).__name__ for each in case.game.waiting()} == {wanted}


@pytest.mark.rule("DAA-8.02", "DAA-R37", "DAA-R01")
@pytest.mark.parametrize(("kind", "asked"), [("artillery", ["germany", "england"]), ("infantry", ["italy", "germany"])])
def test_who_has_eight_left_of_his_part_is_asked_for_mines(opening: Opening, kind: str, asked: list[str]) -> None:
    """Ten to each power of the Axis: after artillery for 3 Italy can pay no minefield, after infantry for 2 it can."""
    case = opening(mine_secrecy="all_secret", axis_treasury="per_nation", axis_bid="8")
    case.submit(PlaceBonus({"italy": {"TRI": {kind: 1}}}), "italy").submit(PlaceBonus(), "england")
    money = {"italy": 8, "germany": 10, "england": 12}
    for power in asked:
        wanted = (power, f"buy minefields, unseen: {money[power]} IPC", True)
        assert (case.asked.power, case.asked.prompt, case.asked.secret) == wanted
        assert [case.refused(BuyMinefields(number)) for number in (-1, 2)] == ["DAA-8.02"] * 2
        case.submit(BuyMinefields(1)).to(PlaceMinefields).submit(next(case.asked.options.values()))


@pytest.mark.rule("DAA-R36", "DAA-R37")
def test_who_could_lay_no_minefield_is_not_asked_for_any(opening: Opening) -> None:
    # In the teaching game Germany holds nothing but the road.
    case = opening("frontier", mine_secrecy="all_secret", mine_allied_space="refused", axis_bid="20")
    case.submit(PlaceBonus(), "italy").submit(PlaceBonus(), "england")
    asked = []
    while case.wants(BuyMinefields):
        asked.append(case.asked.power)
        case.submit(BuyMinefields(0)).submit(PlaceMinefields([]))
    assert asked == ["italy", "england"]
    assert case.events(told.MinefieldsPlaced) == [
        told.MinefieldsPlaced("italy", 0),
        told.MinefieldsPlaced("england", 0),
    ]


@pytest.mark.rule("DAA-8.05", "DAA-R07")
def test_how_many_minefields_a_grant_may_buy(opening: Opening) -> None:
    # In the teaching game the Axis can mine one space, whoever lays; England two.
    case = opening("frontier", axis_bid="50", allies_bid="50")
    for one, two in (("italy", "germany"), ("germany", "italy")):
        assert case.refused(PlaceBonus({}, {one: 2}), "italy") == "DAA-8.05"
        assert case.refused(PlaceBonus({}, {one: 1, two: 1}), "italy") == "DAA-8.05"
        assert case.game.waiting()[0].options.is_legal(PlaceBonus({}, {one: 1}))
    assert case.refused(PlaceBonus({}, {"england": 3}), "england") == "DAA-8.05"
    case.submit(PlaceBonus({}, {"england": 2}), "england").submit(PlaceBonus(), "italy")
    assert case.events(told.MinefieldsPlaced) == [told.MinefieldsPlaced("england", 2, ["KHA", "OAS"])]
