"""Orders that are questioned before they are accepted."""

from collections.abc import Callable
from typing import Any

import pytest

from axis_attack.fog.views import view
from axis_attack.forces.company import company_space, starting_force
from axis_attack.forces.force import force_space
from axis_attack.model.orders import BuildCompany, ChooseForce
from axis_attack.model.state import AxisState
from axis_attack.recovery.exchange import exchange_space
from axis_attack.recovery.reinforcement import dice_space
from axis_attack.ui.asking.answers import answer
from axis_attack.ui.asking.doubts import read_order
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Space

Lay = Callable[..., Any]


def read(state: AxisState, space: Space, text: str, done: Order | None = None) -> Any:
    return read_order(Decision("german", "?", space, "AOA-3.01", done=done), text, state.board)


def words_of(state: AxisState, text: str, side: str = "german") -> str:
    found = answer(view(state, side), state.board, text)
    assert found is not None
    return "\n".join(found.lines)


def forces(lay: Lay, **position: Any) -> tuple[AxisState, Any]:
    state = lay("forces", **position).state
    return state, force_space(state, "german")


@pytest.mark.rule("AOA-3.02")
def test_a_force_with_room_for_another_platoon_is_asked_back_once(lay: Lay) -> None:
    state, space = forces(lay, german="pg1 pg full; pg2 pg full; panzer panzer full")
    doubt = read(state, space, "pg1; pg2")
    assert "points are left, enough for panzer" in doubt
    assert doubt.endswith("or the same with ; as said at its end")
    order = read(state, space, "pg1; pg2; As Said")
    assert isinstance(order, ChooseForce)
    assert space.is_legal(order)


@pytest.mark.rule("AOA-3.02")
def test_who_has_nothing_to_add_is_not_asked_back(lay: Lay) -> None:
    state, space = forces(lay, german="pg1 pg full; pg2 pg full")
    assert isinstance(read(state, space, "pg1; pg2"), ChooseForce)


@pytest.mark.rule("AOA-3.03", "AOA-3.04")
def test_a_victory_point_that_raises_a_limit_nobody_reaches_is_asked_back(lay: Lay) -> None:
    state, space = forces(lay, german="pg1 pg full; pg2 pg full", balance=(3, 0))
    assert "without any extra" in read(state, space, "pg1; pg2; extra 1")
    assert read(state, space, "pg1; pg2; extra 1; as said").extra == 1


@pytest.mark.rule("AOA-1.01")
def test_a_company_with_points_to_spare_is_asked_back(lay: Lay) -> None:
    state = lay("forces").state
    space = company_space(state, "german")
    start = starting_force(space.company)
    doubt = read(state, space, "start; drop cars", start)
    assert "nothing is bought for them later" in doubt
    assert isinstance(read(state, space, "start; drop cars; as said", start), BuildCompany)


def test_a_platoon_that_nobody_has_is_told_with_those_there_are(lay: Lay) -> None:
    state, space = forces(lay, german="pg1 pg full; pg2 pg full")
    with pytest.raises(IllegalOrder, match="tiger is no platoon of yours: choose pg1 or pg2"):
        read(state, space, "tiger")


def test_what_can_be_bought_is_told_with_its_price(lay: Lay) -> None:
    state, space = forces(lay, balance=(3, 0))
    with pytest.raises(IllegalOrder, match=r"buy counterbattery \(three victory points\).*you have three victory"):
        read(state, space, "pg1; pg2; buy")
    assert "buy counterbattery: 3" in words_of(state, "force")


@pytest.mark.rule("AOA-9.22")
def test_what_is_bought_for_platoons_wants_their_names(lay: Lay) -> None:
    state, space = forces(lay, mission="hold_the_line", attacker="soviet", balance=(9, 9))
    with pytest.raises(IllegalOrder, match="name the platoons: buy preregistered "):
        read(state, space, "pg1; pg2; buy preregistered")


def test_to_drop_before_start_tells_how_to_begin(lay: Lay) -> None:
    state = lay("forces").state
    with pytest.raises(IllegalOrder, match="write start; drop howitzers"):
        read(state, company_space(state, "german"), "drop howitzers", None)


@pytest.mark.rule("AOA-11.05", "AOA-11.08", "AOA-11.18")
def test_dice_that_cannot_be_given_so_are_told_why(lay: Lay) -> None:
    state = lay("forces", german="pg1 pg depleted; pg2 pg gutted; hmg hmg full", balance=(2, 0)).state
    space = dice_space(state, "german", ["pg2"])
    assert space is not None
    with pytest.raises(IllegalOrder, match="pg2 is raised automatically this turn"):
        read(state, space, "pg2 2; pg1 1")
    with pytest.raises(IllegalOrder, match="hmg is at the level bought"):
        read(state, space, "hmg 3")
    (refused,) = space.all_wrong(read(state, space, "pg1 5"))
    assert refused.reason.endswith("it must be exactly 3; more are bought, a victory point each: buy NUMBER")


@pytest.mark.rule("AOA-11.24")
def test_an_exchange_without_a_number_takes_as_many_teams_as_the_old_platoon_is_worth(lay: Lay) -> None:
    state = lay("forces", balance=(5, 0), german="pg1 pg full; pg2 pg full; panzer panzer full").state
    space = exchange_space(state, "german")
    assert space is not None
    sizes = [teams for name, teams, _ in space.offers("panzer") if name == "pak40"]
    assert len(sizes) > 1
    assert read(state, space, "panzer for pak40").wanted.teams == max(sizes)
    assert read(state, space, f"panzer for pak40 {min(sizes)}").wanted.teams == min(sizes)
