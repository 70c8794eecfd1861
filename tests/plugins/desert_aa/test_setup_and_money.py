"""Powers, the opening grant, money, purchases and arrivals: DAA-1, DAA-2, DAA-3, DAA-14."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desert_aa.model.events import GrantReceived, IncomeCollected, PowerTurnBegan
from desert_aa.model.orders import BuyUnits, EndMoves, PlaceBonus, PlaceUnits
from sandtable.kernel.events import PhaseBegan

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay, Opening


def rich(lay: Lay, power: str, cash: int = 100, units: str = "", **options: str) -> Case:
    """Begin a turn of ``power`` with so much money in each purse."""
    purses = ("italy", "germany", "allies") if options.get("axis_treasury") == "per_nation" else ("axis", "allies")
    return lay(units, power, state={"cash": dict.fromkeys(purses, cash)}, **options)


# --- powers and turns ---


@pytest.mark.rule("DAA-1.01", "DAA-1.02")
def test_italy_and_germany_are_the_axis_and_england_the_allies(opening: Opening) -> None:
    case = opening()
    assert dict(case.prepared.ruleset.powers) == {"italy": "axis", "england": "allies", "germany": "axis"}
    assert case.prepared.ruleset.sides == ("axis", "allies")


@pytest.mark.rule("DAA-1.03", "DAA-14.07")
def test_italy_england_germany_play_in_this_order_round_by_round(lay: Lay) -> None:
    case = lay("", "italy", round_=1).to_turn("england").to_turn("germany").to_turn("italy").to_turn("england")
    assert [event.power for event in case.events(PowerTurnBegan)] == ["italy", "england", "germany", "italy", "england"]
    assert case.state.turn == 2


@pytest.mark.rule("DAA-14.01")
def test_the_steps_of_a_turn_come_in_their_order(lay: Lay) -> None:
    case = lay("", "england").to_turn("germany")
    phases = [event.phase for event in case.events(PhaseBegan)]
    order = ["purchase", "combat_move", "combat", "noncombat_move", "placement", "income"]
    assert phases[:-1] == [f"england.{phase}" for phase in order]


# --- the opening grant ---


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


# --- prices ---


PRICES = [
    pytest.param("england germany", "infantry", 3, marks=pytest.mark.rule("DAA-3.01", "DAA-15.01")),
    pytest.param("england germany", "artillery", 4, marks=pytest.mark.rule("DAA-3.01", "DAA-15.02")),
    pytest.param("england germany", "armour", 5, marks=pytest.mark.rule("DAA-3.01", "DAA-15.03")),
    pytest.param("england germany", "fighter", 12, marks=pytest.mark.rule("DAA-3.01", "DAA-15.04")),
    pytest.param("england germany", "bomber", 15, marks=pytest.mark.rule("DAA-3.01", "DAA-15.05")),
    pytest.param("england germany", "aa_gun", 5, marks=pytest.mark.rule("DAA-3.01", "DAA-15.06", "DAA-10.02")),
    pytest.param("italy", "infantry", 2, marks=pytest.mark.rule("DAA-3.03")),
    pytest.param("italy", "artillery", 3, marks=pytest.mark.rule("DAA-3.04")),
    pytest.param("italy", "armour", 4, marks=pytest.mark.rule("DAA-3.05")),
    pytest.param("italy", "fighter", 10, marks=pytest.mark.rule("DAA-3.06")),
    pytest.param("italy", "bomber", 15, marks=pytest.mark.rule("DAA-3.07")),
    pytest.param("italy", "aa_gun", 5, marks=pytest.mark.rule("DAA-3.08", "DAA-10.02")),
    pytest.param("italy england germany", "minefield", 8, marks=pytest.mark.rule("DAA-8.02")),
]


@pytest.mark.parametrize(("powers", "kind", "price"), PRICES)
def test_what_a_unit_costs(lay: Lay, powers: str, kind: str, price: int) -> None:
    for power in powers.split():
        assert rich(lay, power, 2 * price - 1).refused(BuyUnits({kind: 2})) == "DAA-14.02"
        case = rich(lay, power, 2 * price + 1).submit(BuyUnits({kind: 2}))
        assert case.state.cash["allies" if power == "england" else "axis"] == 1


@pytest.mark.rule("DAA-15.08")
@pytest.mark.parametrize("kind", ["transport", "submarine", "battleship", "factory", "convoy", "research"])
def test_ships_factories_and_research_are_not_for_sale(lay: Lay, kind: str) -> None:
    assert rich(lay, "england").refused(BuyUnits({kind: 1})) in {"DAA-15.08", "DAA-14.02"}


# --- purchases and arrivals ---


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


@pytest.mark.rule("DAA-3.02", "DAA-R04")
@pytest.mark.parametrize("power", ["italy", "germany"])
def test_new_units_come_in_at_all_three_zones_of_the_side(lay: Lay, power: str) -> None:
    case = rich(lay, power).submit(BuyUnits({"infantry": 3, "fighter": 1})).to(PlaceUnits)
    case.submit(PlaceUnits({"TRI": {"infantry": 1}, "SIR": {"infantry": 1, "fighter": 1}, "BEN": {"infantry": 1}}))
    assert [len(case.at(zone).split()) for zone in ("TRI", "SIR", "BEN")] == [1, 2, 1]


@pytest.mark.rule("DAA-R04")
def test_by_option_each_axis_power_uses_its_own_zones_only(lay: Lay) -> None:
    italy = rich(lay, "italy", rz_scope="per_nation").submit(BuyUnits({"infantry": 1})).to(PlaceUnits)
    assert italy.refused(PlaceUnits({"BEN": {"infantry": 1}})) in {"DAA-3.11", "DAA-R04"}
    italy.submit(PlaceUnits({"TRI": {"infantry": 1}}))
    # Germany holds Benghazi alone: there is nothing to choose.
    germany = rich(lay, "germany", rz_scope="per_nation").submit(BuyUnits({"infantry": 1})).to_turn("italy")
    assert germany.at("BEN") == "de-inf-1"


@pytest.mark.rule("DAA-3.09", "DAA-3.13")
def test_zones_are_the_only_doors_to_the_map(lay: Lay) -> None:
    doors = {}
    for power in ("germany", "england"):
        case = rich(lay, power).submit(BuyUnits({"infantry": 1})).to(PlaceUnits)
        options = case.asked.options
        spaces = case.prepared.board.spaces
        doors[power] = {space for space in spaces if options.is_legal(PlaceUnits({space: {"infantry": 1}}))}
        assert case.refused(PlaceUnits({"HUN": {"infantry": 1}})) == "DAA-3.09"
    assert doors == {"germany": {"TRI", "SIR", "BEN"}, "england": {"MAT", "ALX", "SUE"}}


@pytest.mark.rule("DAA-3.10", "DAA-3.11", "DAA-14.06", "DAA-R05")
def test_a_captured_zone_serves_its_captor_from_his_next_turn_on(lay: Lay) -> None:
    case = rich(lay, "england", units="BUN uk-inf-1").submit(BuyUnits({"infantry": 1}))
    case.attack("uk-inf-1", "BUN SIR").fight().to(PlaceUnits)
    assert case.holder("SIR") == "england"
    assert case.refused(PlaceUnits({"SIR": {"infantry": 1}})) in {"DAA-14.06", "DAA-R05"}
    case.submit(PlaceUnits({"SUE": {"infantry": 1}}))
    case.to_turn("germany").submit(BuyUnits({"infantry": 1})).to(PlaceUnits)
    assert case.refused(PlaceUnits({"SIR": {"infantry": 1}})) == "DAA-3.11"
    case.to_turn("england").submit(BuyUnits({"artillery": 1})).to(PlaceUnits)
    case.submit(PlaceUnits({"SIR": {"artillery": 1}}))
    assert case.at("SIR") == "uk-art-1 uk-inf-1"


@pytest.mark.rule("DAA-R05")
def test_by_option_a_captured_zone_serves_at_once(lay: Lay) -> None:
    case = rich(lay, "england", units="BUN uk-inf-1", rz_new="at_once").submit(BuyUnits({"artillery": 1}))
    case.attack("uk-inf-1", "BUN SIR").fight().to(PlaceUnits).submit(PlaceUnits({"SIR": {"artillery": 1}}))
    assert case.at("SIR") == "uk-art-1 uk-inf-1"


@pytest.mark.rule("DAA-R06")
def test_units_without_a_zone_wait_off_the_map(lay: Lay) -> None:
    case = lay("HUN it-inf-1", "italy", control={"england": "TRI SIR BEN"}, victory_time="hold_one_round")
    case.submit(BuyUnits({"infantry": 2})).to_turn("england")
    assert set(case.units()) == {"it-inf-1"}
    assert case.state.waiting["italy"] == {"infantry": 2}
    case.to_turn("italy").attack("it-inf-1", "HUN SIR").to_turn("italy").to_turn("england")
    assert case.state.waiting["italy"] == {}
    assert len(case.at("SIR").split()) == 3


# --- income ---


@pytest.mark.rule("DAA-14.04", "DAA-R01")
def test_each_axis_space_pays_once_a_round_into_the_common_purse(lay: Lay) -> None:
    case = rich(lay, "italy", 50).to_turn("italy")
    assert [(event.power, event.purse, event.amount) for event in case.events(IncomeCollected)] == [
        ("italy", "axis", 12),
        ("england", "allies", 24),
        ("germany", "axis", 10),
    ]
    assert case.state.cash == {"axis": 72, "allies": 74}


@pytest.mark.rule("DAA-R01")
def test_the_common_purse_pays_for_either_partner(lay: Lay) -> None:
    case = rich(lay, "italy", 25).submit(BuyUnits({"fighter": 1}))
    case.to_turn("germany")
    assert case.state.cash["axis"] == 25 - 10 + 12
    case.submit(BuyUnits({"bomber": 1, "fighter": 1}))  # 27
    assert case.state.cash["axis"] == 0


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


@pytest.mark.rule("DAA-14.09", "DAA-14.04")
def test_a_conquered_space_pays_its_new_holder_and_everybody_sees_whose_it_is(lay: Lay) -> None:
    # Tobruk is worth 3 to Germany, whose spaces pay 10.
    case = rich(lay, "england", units="GUB uk-inf-1").attack("uk-inf-1", "GUB TOB").to_turn("italy")
    assert [(event.power, event.amount) for event in case.events(IncomeCollected)] == [("england", 27), ("germany", 7)]
    assert [case.game.view(side).control["TOB"] for side in ("axis", "allies")] == ["england", "england"]


@pytest.mark.rule("DAA-R03")
@pytest.mark.parametrize(("power", "unit"), [("italy", "it-inf-1"), ("germany", "de-inf-1")])
def test_conquered_ground_belongs_to_the_power_that_took_it(lay: Lay, power: str, unit: str) -> None:
    case = lay(f"GIR {unit}", power).attack(unit, "GIR SIW").fight()
    assert case.holder("SIW") == power
