"""The spaces of forces, companies and purchases: what is drawn or listed is legal, and all of it comes up."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.plugins.axis_attack.cases import AirSupport, Case, Purchase, chooses

from axis_attack.forces.company import Companies, company_space, starting_force
from axis_attack.forces.force import Forces, force_space, points_calculation
from axis_attack.model import orders
from axis_attack.model.state import AxisState, Fielded
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Space

if TYPE_CHECKING:
    from tests.plugins.axis_attack.conftest import Lay

WORN = (
    "pg1 pg full immobile; pg2 pg depleted; pg3 pg full; hmg hmg full immobile; panzer panzer full;"
    " howitzers howitzers full"
)
encoded = msgspec.json.Encoder(order="deterministic").encode


def wings(state: AxisState) -> None:
    state.aircraft["german"] = {"ju87": "limited", "bf109": "sporadic"}
    state.bound = "german"


def drawn(space: Space, number: int = 300) -> list[Any]:
    stream = Stream(b"drawn")
    return [space.sample(stream) for _ in range(number)]


def space_of(case: Case, side: str = "german") -> Forces:
    found = case.decision(side, orders.ChooseForce).options
    assert isinstance(found, Forces)
    return found


@pytest.mark.rule("AOA-3.01", "AOA-3.02", "AOA-3.05", "AOA-7.05")
@pytest.mark.parametrize("mission", ["encounter", "breakthrough", "trench_fight"])
@pytest.mark.parametrize("tweak", [wings, lambda state: None], ids=["bound, with aircraft", "free"])
def test_what_is_drawn_or_listed_can_be_fielded(lay: Lay, mission: str, tweak: Any) -> None:
    case = lay("forces", german=WORN, mission=mission, balance=(9, 9), tweak=tweak).play(until=orders.ChooseForce)
    space = space_of(case)
    for order in [*drawn(space), *islice(space.values(), 500)]:
        assert space.why_not(order) is None, order


@pytest.mark.rule("AOA-3.01")
def test_every_force_is_listed_once_and_every_one_listed_is_drawn(lay: Lay) -> None:
    case = lay("forces", german="pg1 pg depleted light_mortar=1; pg2 pg full; howitzers howitzers depleted")
    space = space_of(case.play(until=orders.ChooseForce))
    listed = [encoded(order) for order in space.values()]
    assert len(listed) == len(set(listed)) == 2 * 2 * 3  # a mortar or none, 5 or 7, howitzers not, on or off the table
    assert {encoded(order) for order in drawn(space)} == set(listed)


@pytest.mark.rule("AOA-9.03", "AOA-4.01", "AOA-3.03")
def test_all_that_can_be_bought_comes_up(lay: Lay) -> None:
    case = lay("forces", german=WORN, mission="hold_the_line", balance=(9, 9), tweak=wings).play(
        until=orders.ChooseForce
    )
    seen = drawn(space_of(case), 2000)
    assert {each.purchase.kind for each in seen} == {
        "",
        "smoke",
        "night_attack",
        "counterbattery",
        "battalion_shoot",
        "aerial_bombardment",
    }
    assert {each.extra for each in seen} == {0, 1, 2, 3}
    assert {each.air.aircraft for each in seen} == {"", "ju87", "bf109"}
    assert {platoon.carried_by for each in seen for platoon in each.platoons} == {"", "panzer"}
    assert {platoon.platoon for each in seen for platoon in each.platoons} == set(case.state.rosters["german"])


@pytest.mark.rule("AOA-R62", "AOA-7.05")
@pytest.mark.parametrize(
    ("german", "is_empty"),
    [
        ("pg1 pg full; pg2 pg full", False),
        ("pg1 pg full; pg2 pg gutted; panzer panzer full", True),
        ("pg1 pg full immobile; pg2 pg full; panzer panzer full", False),
        ("pg1 pg full immobile; pg2 pg full immobile; panzer panzer full", False),
        ("pg1 pg full immobile; pg2 pg full immobile; panzer panzer depleted", True),
        ("pg1 pg full immobile; pg2 pg full; cars cars full", True),
    ],
    ids=["two", "one left", "one rides", "both ride at 5 teams", "nine teams of room for ten", "nobody to ride on"],
)
def test_whether_there_is_any_force_is_known_without_a_list(lay: Lay, german: str, is_empty: bool) -> None:
    case = lay("selection", german=german)
    case.state.bound = "german"
    space = force_space(case.state, "german")
    assert space.is_empty() is is_empty
    assert (next(space.values(), None) is None) is is_empty
    if is_empty:
        with pytest.raises(ValueError, match="nothing can be chosen"):
            space.sample(Stream(b"none"))


@pytest.mark.rule("AOA-3.17", "AOA-R24")
def test_points_are_the_same_in_the_space_and_in_the_record(lay: Lay) -> None:
    case = lay("forces", german=WORN, balance=(9, 9), tweak=wings).play(until=orders.ChooseForce)
    space = space_of(case)
    for order in drawn(space, 50):
        assert space.points(order) == points_calculation(case.state, "german", order.platoons, order.air).total


@pytest.mark.rule("AOA-3.01")
@pytest.mark.parametrize(
    "order",
    [
        orders.Concede(),
        orders.ChooseForce("pg1"),  # type: ignore[arg-type]
        orders.ChooseForce([1, 2]),  # type: ignore[list-item]
        orders.ChooseForce([Fielded(["pg1"], 7), Fielded("pg3", 7)]),  # type: ignore[arg-type]
        orders.ChooseForce([Fielded("pg1", True), Fielded("pg3", 7)]),
        orders.ChooseForce([Fielded("pg1", 7, off_table=1), Fielded("pg3", 7)]),  # type: ignore[arg-type]
        orders.ChooseForce([Fielded("pg1", 7, carried_by="panzer"), Fielded("pg3", 7)]),
        orders.ChooseForce([Fielded("pg1", 7, {"light_mortar": 1}), Fielded("pg3", 7)]),
        orders.ChooseForce([Fielded("pg1", 7), Fielded("pg3", 7)], True),
        orders.ChooseForce([Fielded("pg1", 7), Fielded("pg3", 7)], 0, Purchase("", 1)),
        orders.ChooseForce([Fielded("pg1", 7), Fielded("pg3", 7)], 0, Purchase("counterbattery", 1, (), ("the mill",))),
        orders.ChooseForce([Fielded("pg1", 7), Fielded("pg3", 7)], 0, Purchase(), AirSupport("", "limited")),
    ],
)
def test_nonsense_is_refused_with_a_reason(lay: Lay, order: Any) -> None:
    case = lay("forces", german=WORN, balance=(9, 9)).play(until=orders.ChooseForce)
    refusal = space_of(case).why_not(order)
    assert refusal is not None
    assert refusal.reason
    assert case.allows(chooses("german", "pg1 7; pg3 7"))


# --- starting forces ---


@pytest.mark.full
@pytest.mark.rule("AOA-1.01", "AOA-1.05", "AOA-1.12", "AOA-1.14")
def test_companies_that_are_drawn_or_listed_can_be_built(lay: Lay) -> None:
    case = lay("setup.company")
    for side in ("german", "soviet"):
        space = company_space(case.state, side)
        seen = drawn(space, 200)
        for order in [*seen, *islice(space.values(), 500)]:
            assert space.why_not(order) is None, order
        types = case.state.board.lists[side].types
        assert {each.type for order in seen for each in order.platoons.values()} == set(types)
        assert any(order.aircraft for order in seen)


@pytest.mark.full
@pytest.mark.rule("AOA-1.01")
def test_the_starting_force_of_the_list_stands_first_and_once(lay: Lay) -> None:
    board = lay("setup.company").state.board
    space = Companies(board.lists["german"], 900)
    start = starting_force(board.lists["german"])
    listed = [encoded(order) for order in islice(space.values(), 2000)]
    assert listed[0] == encoded(start)
    assert len(set(listed)) == len(listed)
