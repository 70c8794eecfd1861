"""The opening grant: DAA-2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import minutes
from tests.plugins.desert_aa.rows import Row, grant, play

from desert_aa.model import events as event_types
from desert_aa.model.orders import BuyMinefields, PlaceBonus, PlaceMinefields

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Changed, Opening
    from transcripts import Transcript


SAVE = "by italy bonus", "by england bonus"
UNSEEN = {"mine_secrecy": "all_secret"}
APART = {"axis_treasury": "per_nation"}
GRANTS = [
    # In Frontier each capital has flak.
    grant("DAA-R50 DAA-2.03", "by option the grant buys no second gun for a space",
          "refuse england bonus england MSH aa_gun 1 = DAA-8.05",
          "refuse england bonus england RAS aa_gun 2 = DAA-8.05",
          "by england bonus england RAS aa_gun 1, england OAS aa_gun 1", scenario="frontier", aa_limit="one_per_space"),
    grant("DAA-R50 DAA-2.03", "the grant buys guns for a space that has some",
          "by england bonus england MSH aa_gun 2", scenario="frontier", aa_limit="one_fires"),
    grant("DAA-8.01 DAA-8.02 DAA-2.03", "the grant pays for a minefield too",
          "refuse italy bonus italy minefield 1, germany minefield 1 = DAA-2.01 DAA-8.02",  # 16 of 12
          "by italy bonus italy minefield 1", "by england bonus", "mine HUN", "cash axis = 26",  # 22 + 12 - 8
          "mines = HUN", "owners = italy"),
    grant("DAA-8.02 DAA-R37", "a secret grant purchase reduces the partner's share", *SAVE, "to unseen 0",
          "asked = italy", "unseen 1", "mine HUN", "to unseen 0", "asked = germany",
          "refuse unseen 1 = DAA-8.02", "unseen 0", "cash axis = 26", **UNSEEN),  # 4 of 12 are left
    # 8 of 12 are spent, and a minefield costs more than the rest.
    grant("DAA-8.02 DAA-R37", "a side that spent the grant openly buys no minefields",
          "by italy bonus italy HUN armor 2", "by england bonus", "to unseen 0", "asked = england", **UNSEEN),
    grant("DAA-1.05 DAA-2.01 DAA-14.08 DAA-R02", "the purses open with the printed income and the grant",
          "grants = axis 12 allies 12", "cash axis = 34", "cash allies = 36"),
    grant("DAA-2.01 DAA-2.02", "the grant pays for no more than 12, and the rest is saved",
          "refuse england bonus england HAB armor 3 = DAA-2.01 DAA-2.02",  # 15
          "by england bonus england HAB armor 2", "by italy bonus", "cash axis = 34", "cash allies = 26"),
    # Units in a zone of each side, and far from zones: Germans in an Italian oasis, Italians in a German camp.
    grant("DAA-2.03 DAA-R07", "grant units start anywhere on ground of the side",
          "refuse italy bonus germany HAB infantry 1 = DAA-2.03",
          "refuse italy bonus germany QAT infantry 1 = DAA-2.03",
          "refuse england bonus england GIR infantry 1 = DAA-2.03",
          "by italy bonus germany GIR infantry 1, italy GSA infantry 1",
          "by england bonus england SIW infantry 1, england SUE infantry 1", "at GSA = it-inf-10",
          "at GIR = de-inf-10 it-inf-5", "size SIW = 2"),  # an Italian unit is in the space from the start
    grant("DAA-2.05", "the grant is paid once", "round 3", "count GrantReceived = 2"),
    # An Italian tank of the grant attacks Siwa on 2; the infantry there defends on 2.
    grant("DAA-R09", "grant units fight in the opening turn", "by italy bonus italy GIR armor 1", "by england bonus",
          "attack it-arm-2: GIR SIW", "fight", "now = 1 italy", "at SIW = it-arm-2", dice="2, 6"),
    # Own ground is worth 12 and 10; the grant of 12 is halved; 8 of 6; 25 of 24.
    grant("DAA-R01 DAA-R02", "by option each Axis power has its own purse", "cash italy = 18", "cash germany = 16",
          "cash allies = 36", "refuse italy bonus germany BEN artillery 2 = DAA-2.01",
          "by italy bonus germany BEN armor 1, italy TRI infantry 3", "by england bonus", "cash italy = 12",
          "cash germany = 11", "cash allies = 36", "round 2", "cash italy = 24", "cash germany = 21",
          "refuse buy bomber 1 fighter 1 = DAA-14.02", **APART),
    grant("DAA-2.01 DAA-R68", "a bid of the Axis is added to its grant", "cash axis = 39", "cash allies = 36",
          axis_bid="5"),
    grant("DAA-2.01 DAA-R69", "a bid of the Allies is added to their grant", "cash italy = 18", "cash germany = 16",
          "cash allies = 43", "refuse england bonus england ALX bomber 1 infantry 4 = DAA-2.01", "by italy bonus",  # 23
          "by england bonus england ALX infantry 6", "cash allies = 25", allies_bid="7", **APART),  # 18
    # In Frontier the Axis can mine one space with either power, and England two.
    grant("DAA-8.05 DAA-R07", "the grant buys no more minefields than can be placed",
          *(f"refuse italy bonus {mines} = DAA-8.05" for mines in (
              "italy minefield 2", "germany minefield 2", "italy minefield 1, germany minefield 1")),
          "refuse england bonus england minefield 3 = DAA-8.05", "by england bonus england minefield 2",
          "by italy bonus italy minefield 1", "mines = KHA OAS WAZ", scenario="frontier", axis_bid="50",
          allies_bid="50"),
    grant("DAA-8.05 DAA-R07", "Germany may buy the minefield of the Axis", "by italy bonus germany minefield 1",
          "by england bonus", "owners = germany", scenario="frontier", axis_bid="50"),
]  # fmt: skip


@pytest.mark.rule("DAA-1.05", "DAA-14.08", "DAA-2.01", "DAA-2.02", "DAA-2.03", "DAA-2.05", "DAA-8.01", "DAA-8.02")
@pytest.mark.rule("DAA-8.05", "DAA-R01", "DAA-R02", "DAA-R07", "DAA-R09", "DAA-R37", "DAA-R50", "DAA-R68", "DAA-R69")
@pytest.mark.parametrize("row", GRANTS)
def test_grants_follow_the_rules(opening: Opening, row: Row) -> None:
    play(opening, row)


@pytest.mark.rule("DAA-2.04", "DAA-R08")
@pytest.mark.parametrize("first", ["italy", "england"])
def test_grant_is_revealed_after_both_sides_decide_in_any_order(opening: Opening, first: str) -> None:
    case = opening()
    assert {decision.seat for decision in case.game.waiting()} == {"italy", "england"}
    orders = {
        "italy": PlaceBonus({"germany": {"GSA": {"armor": 1}}}),
        "england": PlaceBonus({"england": {"HAB": {"armor": 1}}}),
    }
    before = case.state.units.keys() | set()
    case.submit(orders[first], first)
    assert case.state.units.keys() == before
    second = "england" if first == "italy" else "italy"
    assert [decision.seat for decision in case.game.waiting()] == [second]
    case.submit(orders[second], second)
    assert {unit_id[:6] for unit_id in case.state.units.keys() - before} == {"de-arm", "uk-arm"}


@pytest.mark.rule("DAA-2.01", "DAA-2.03", "DAA-2.04", "DAA-8.01")
def test_both_sides_decide_on_their_grants(opening: Opening, transcript: Transcript) -> None:
    case = opening("frontier", axis_treasury="per_nation")
    assert {each.seat: each.prompt for each in case.game.waiting()} == dict.fromkeys(
        ("italy", "england"), "spend the opening grant of 12 IPC, or save it"
    )
    case.submit(PlaceBonus({"england": {"RAS": {"infantry": 1}}}, {"england": 1}), "england")
    axis = {"italy": {"WAZ": {"infantry": 2}, "MGH": {"infantry": 1}}, "germany": {"BTR": {"aa_gun": 1}}}
    case.submit(PlaceBonus(axis), "italy").submit(PlaceMinefields(["OAS"]))
    bought = (
        event_types.GrantReceived,
        event_types.UnitsBought,
        event_types.UnitsArrived,
        event_types.MinefieldsBought,
        event_types.MinefieldsPlaced,
    )
    transcript(minutes(case.events(*bought)))


@pytest.mark.rule("DAA-2.01", "DAA-R68")
@pytest.mark.parametrize(
    ("bids", "received"), [({}, {}), ({"axis_bid": "3"}, {"axis": 3}), ({"allies_bid": "4"}, {"allies": 4})]
)
def test_no_grant_decision_without_a_grant(
    opening: Opening, changed: Changed, bids: dict[str, str], received: dict[str, int]
) -> None:
    case = opening(changed({"treasury": {"bonus": 0}}), **bids)
    assert {event.purse: event.amount for event in case.events(event_types.GrantReceived)} == received
    wanted = "GrantSpace" if bids else "Form"
    assert {type(each.options).__name__ for each in case.game.waiting()} == {wanted}


@pytest.mark.rule("DAA-8.02", "DAA-R37", "DAA-R01")
@pytest.mark.parametrize(("kind", "asked"), [("artillery", ["germany", "england"]), ("infantry", ["italy", "germany"])])
def test_power_with_8_ipc_left_of_its_share_decides_on_mines(opening: Opening, kind: str, asked: list[str]) -> None:
    """Each Axis power has 10 IPC. After artillery (3) Italy cannot pay for a minefield, after infantry (2) it can."""
    case = opening(mine_secrecy="all_secret", axis_treasury="per_nation", axis_bid="8")
    case.submit(PlaceBonus({"italy": {"TRI": {kind: 1}}}), "italy").submit(PlaceBonus(), "england")
    money = {"italy": 8, "germany": 10, "england": 12}
    for power in asked:
        wanted = (power, f"buy minefields in secret: {money[power]} IPC to spend", True)
        assert (case.asked.power, case.asked.prompt, case.asked.secret) == wanted
        assert [case.refused(BuyMinefields(number)) for number in (-1, 2)] == ["DAA-8.02"] * 2
        case.submit(BuyMinefields(1)).to(PlaceMinefields).submit(next(case.asked.options.values()))


@pytest.mark.rule("DAA-R36", "DAA-R37")
def test_no_mine_decision_without_a_space_to_mine(opening: Opening) -> None:
    # In Frontier Germany holds only road spaces.
    case = opening("frontier", mine_secrecy="all_secret", mine_allied_space="refused", axis_bid="20")
    case.submit(PlaceBonus(), "italy").submit(PlaceBonus(), "england")
    asked = []
    while case.expects(BuyMinefields):
        asked.append(case.asked.power)
        case.submit(BuyMinefields(0)).submit(PlaceMinefields([]))
    assert asked == ["italy", "england"]
    assert case.events(event_types.MinefieldsPlaced) == [
        event_types.MinefieldsPlaced("italy", 0),
        event_types.MinefieldsPlaced("england", 0),
    ]
