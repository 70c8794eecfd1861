"""Menus in words."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay

from axis_attack.fog.views import view
from axis_attack.model import orders
from axis_attack.model.orders import AdjustTotal
from axis_attack.model.state import AxisState, Fielded
from axis_attack.ui.asking.answers import answer
from axis_attack.ui.asking.menus import words
from sandtable.kernel.decisions import Order
from sandtable.plugin.manifest import Answer


def told(state: AxisState, text: str, side: str = "german") -> Answer:
    found = answer(view(state, side), state.board, text)
    assert found is not None
    return found


def lines_of(state: AxisState, *listed: Order) -> list[str]:
    return [words(order, view(state, "german"), state.board) or "" for order in listed]


@pytest.mark.rule("AOA-5.22", "AOA-5.23", "AOA-12.01")
def test_to_concede_is_told_with_what_it_costs(lay: Lay) -> None:
    play, concede = lines_of(lay("forces").state, orders.Concede(), orders.Concede(concede=True))
    assert play == "play: Encounter in sector 4 (Sector 4), both sides attack"
    assert "the Soviet score 6 and you 1, no platoon is lost, the front goes to sector 3" in concede
    at_home, surrounded = lay("forces", sector=1).state, lay("forces", mission="cauldron", attacker="soviet").state
    assert lines_of(at_home, orders.Concede(concede=True))[0].endswith("the campaign is over")
    assert lines_of(surrounded, orders.Concede(concede=True))[0].endswith("the front stays")


@pytest.mark.rule("AOA-8.10", "AOA-8.19", "AOA-8.22")
def test_points_are_asked_for_with_what_they_buy(lay: Lay) -> None:
    state = lay("forces", mission="hold_the_line", balance=(6, 0)).state
    leave, other = lines_of(state, orders.ChangeMission(), orders.ChangeMission("breakthrough"))
    assert leave.startswith("Hold the Line, leave it: the German attack; if the German win, the front goes to sector 5")
    assert "for 5 of your 6 victory points" in other
    assert "sector 5 (Sector 5) or further" in other
    totals = lines_of(state, orders.AdjustTotal(), orders.AdjustTotal("soviet", -1))
    assert totals == ["leave both totals", "the total of the Soviet down by one"]
    assert lines_of(state, orders.ShiftTable(1, -2)) == ["1 east and 2 north, for 3 of your 6 victory points"]


@pytest.mark.rule("AOA-7.05", "AOA-10.18", "AOA-10.19", "AOA-11.15")
def test_what_comes_of_a_breakthrough_and_who_is_raised_is_told(lay: Lay) -> None:
    broken = lay("forces", mission="breakthrough", german="pg1 pg gutted; pg2 pg full").state
    one, two = lines_of(broken, orders.ChooseBreakthrough(1), orders.ChooseBreakthrough(2))
    assert one == "the front goes to sector 5 (Sector 5)"
    assert two.startswith("the front goes to sector 6 (Sector 6); platoons without their transports")
    kept = lines_of(broken, orders.KeepMobile(), orders.KeepMobile({"pg1": 2}, {"pg2>hmg": 2}))
    assert kept[1] == "Pg1 goes down to depleted and 2 of the vehicles of pg2 go to hmg"
    seen = view(broken, "german")
    name = words("pg1", seen, broken.board)
    assert str(name).endswith(", gutted, a die of 3 or more raises it)")
    assert lines_of(broken, orders.RaisePlatoons(["pg1"])) == [f"raise to depleted: {name}"]
    assert words("t1", seen, broken.board) is None


def test_a_corner_of_the_table_is_told_as_it_is_typed_from_1(lay: Lay) -> None:
    state = lay("forces").state
    assert words(orders.PlaceTable(0, 2), view(state, "german"), state.board) == "corner in column 1, row 3"


def test_forces_dice_claims_and_exchanges_are_told_in_words(lay: Lay) -> None:
    state = lay("forces", german="pg1 pg full; pg2 pg gutted; hmg hmg depleted").state
    seen = view(state, "german")
    told = [
        words(order, seen, state.board)
        for order in (
            orders.ChooseForce([Fielded("pg1", 7)], 1),
            orders.AssignDice(1, {"pg2": 5}),
            orders.AssignDice(0, {}),
            orders.ClaimRecon([]),
            orders.ExchangePlatoon(),
        )
    ]
    assert told[0] == "field pg1 7; one victory point for more"
    assert told[1] == "buy one die at a victory point each; 5 to pg2 (3 or more)"
    assert told[2:] == ["no dice", "claim none", "exchange none"]


Lay = Callable[..., Any]


@pytest.mark.rule("AOA-8.10")
def test_who_may_change_a_total_reads_in_the_menu_what_totals_mean(lay: Lay) -> None:
    state = lay("forces").state
    state.phase = "selection"
    assert "7 " in str(words(AdjustTotal(), view(state, "german"), state.board))
