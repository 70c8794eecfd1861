"""Replacement points: who can get them, how many, and what the enemy sees of it (DM-5.0)."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from damos.model import events
from damos.model.orders import Replace
from damos.turn.reinforcement import Shares
from sandtable.kernel.dice import Stream

if TYPE_CHECKING:
    from tests.plugins.damos.conftest import Lay


@pytest.mark.rule("DM-5.0b", "DM-5.0c", "DM-5.0d", "DM-5.0e", "DM-5.0f", "R-DM-08")
@pytest.mark.parametrize(
    ("unit", "points", "rule"),
    [
        ("I1", 1, ""),
        ("I1", 2, ""),
        ("I1", 3, "DM-5.0c"),
        ("I1", 0, "DM-5.0c"),
        ("I2", 1, "DM-5.0c"),  # at full strength
        ("I3", 1, "DM-5.0d"),  # in an enemy zone
        ("I4", 1, "DM-5.0d"),  # without supply
        ("I5", 5, ""),  # eliminated
        ("I5", 6, "R-DM-08"),
        ("I6", 1, "DM-5.0f"),  # surrendered
        ("I7", 1, "DM-5.0e"),  # on its way
        ("i1", 1, "DM-5.0b"),
        ("nobody", 1, "DM-5.0b"),
    ],
)
def test_who_can_get_how_many(lay: Lay, unit: str, points: int, rule: str) -> None:
    case = lay(
        german="2820 I1:4/6; 2821 I2:6; 2816 I3:3/6; 3520 I4:3/6; eliminated I5:0/6; surrendered I6:0/6; pool I7:5/6",
        soviet="2815 i1:5/6",
        phase="reinforcement",
        replacements={"german": 3},
        tweak=lambda state: setattr(state.units["I7"], "arrives", 9),
    )
    assert case.state.replacements["german"] == 5  # with the two of the turn
    assert case.why_not(Replace({unit: points})) == rule
    case.end()


@pytest.mark.rule("R-DM-08", "DM-5.0e")
@pytest.mark.parametrize(("option", "stock", "points"), [("any_sp_up_to_printed", 1, [1]), ("full_only", 5, [6])])
def test_with_how_many_points_a_lost_unit_comes_back(lay: Lay, option: str, stock: int, points: list[int]) -> None:
    case = lay(
        german="eliminated I5:0/6",
        phase="reinforcement",
        replacements={"german": stock - 1},
        rebuild_eliminated=option,
    )
    found = sorted(order.points["I5"] for order in case.offered(Replace))
    assert found == (points if option == "full_only" else list(range(1, stock + 2)))
    case.end()


@pytest.mark.rule("R-DM-08")
def test_nobody_is_asked_who_has_too_few_points(lay: Lay) -> None:
    case = lay(
        german="eliminated I5:0/6", phase="reinforcement", replacements={"german": 3}, rebuild_eliminated="full_only"
    )
    assert not case.asks(Replace)


@pytest.mark.rule("DM-5.0e", "R-DM-08")
def test_a_rebuilt_unit_comes_in_with_the_next_turn(lay: Lay) -> None:
    case = lay(german="eliminated I5:0/6", phase="reinforcement", replacements={"german": 2}, turn=3)
    case.submit(Replace({"I5": 4}))
    rebuilt = case.one(events.UnitsRebuilt)
    assert (rebuilt.units, rebuilt.arrives) == (["I5"], 4)
    assert (case.standing("I5"), case.unit("I5").sp, case.unit("I5").arrives) == ("pool", 4, 4)
    assert case.state.replacements["german"] == 0


@pytest.mark.rule("DM-5.0b", "DM-5.0g", "AGC-4.5c")
def test_points_are_shared_out_in_secret_and_the_rest_is_saved(lay: Lay) -> None:
    case = lay(german="2820 I1:4/6 I2:3/6", phase="reinforcement", replacements={"german": 4})
    assert case.asked.secret
    assert case.why_not(Replace({"I1": 2, "I2": 4})) == "DM-5.0c"
    assert case.why_not(Replace({})) == "DM-5.0b"
    case.submit(Replace({"I2": 3, "I1": 1}))
    spent = case.one(events.ReplacementsSpent)
    assert (spent.points, spent.units) == (4, {"I1": 1, "I2": 3})
    assert case.seen(spent, "soviet") == events.ReplacementsSpent("german", 4, {})
    assert case.sp("I1 I2") == [5, 6]
    assert case.state.replacements["german"] == 2
    assert not case.asks(Replace)


@pytest.mark.rule("DM-5.0b")
def test_no_more_can_be_shared_out_than_is_saved(lay: Lay) -> None:
    case = lay(german="2820 I1:1/6 I2:1/6", phase="reinforcement", replacements={"german": 1})
    space = case.asked.options
    assert case.allows(Replace({"I1": 1, "I2": 2}))
    refusal = space.why_not(Replace({"I1": 2, "I2": 2}))
    assert refusal == ("DM-5.0b", "that makes 4 points: 3 are saved")
    case.end()


@pytest.mark.rule("DM-5.0b", "R-DM-08")
@pytest.mark.parametrize("option", ["any_sp_up_to_printed", "full_only"])
def test_the_number_of_ways_is_that_of_those_listed(lay: Lay, option: str) -> None:
    units = "2820 I1:4/6 I2:3/6; eliminated I5:0/3 I6:0/2"
    case = lay(german=units, phase="reinforcement", replacements={"german": 3}, rebuild_eliminated=option)
    space = Shares.of(case.state, "german")
    found = list(space.values())
    assert len({tuple(sorted(each.items())) for each in found}) == len(found) == space.count()
    every = product(range(4), range(5), range(5), range(5))
    tables = [{unit: n for unit, n in zip(("I1", "I2", "I5", "I6"), each, strict=True) if n} for each in every]
    assert sorted(map(str, found)) == sorted(str(table) for table in tables if space.is_legal(table))
    case.end()


@pytest.mark.rule("DM-5.0d", "R-DM-07")
@pytest.mark.parametrize(("option", "may"), [("blocked", False), ("allowed", True)])
def test_in_an_enemy_zone_the_unit_is_its_own_friend_or_not(lay: Lay, option: str, may: bool) -> None:
    case = lay(
        german="2817 I1:4/6",
        soviet="2815 i1:6; 2816 i2:6!",
        phase="reinforcement",
        replacements={"german": 4},
        rp_ezoc_friendly=option,
    )
    assert case.allows(Replace({"I1": 1}))  # demoralised neighbours have no zone
    case.end()
    case = lay(
        german="2817 I1:4/6", soviet="2718 i1:6", phase="reinforcement", rp_ezoc_friendly=option, control={"german": ""}
    )
    assert case.allows(Replace({"I1": 1})) == may
    case.end()


@pytest.mark.rule("DM-5.0b")
def test_what_is_drawn_can_be_given(lay: Lay) -> None:
    case = lay(german="2820 I1:4/6 I2:1/9; eliminated I5:0/6", phase="reinforcement", replacements={"german": 9})
    stream = Stream(b"drawn")
    drawn = [case.asked.options.sample(stream) for _ in range(60)]
    assert all(case.allows(order) for order in drawn)
    assert {unit for order in drawn if isinstance(order, Replace) for unit in order.points} == {"I1", "I2", "I5"}
    case.end()
