"""Attrition, 9.0: who checks, how, and who takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from damos.model import events
from damos.model.orders import DropOff, EndActivation, PickUp, Step

if TYPE_CHECKING:
    from tests.plugins.damos.cases import Case
    from tests.plugins.damos.conftest import Lay

from tests.plugins.damos.cases import losses

# --- attrition ---


def starved(lay: Lay, force: str, path: str, dice: str = "33", **more: Any) -> Case:
    """March a force in row 35, out of everybody's supply."""
    told = {"attrition": dice} if dice else {}
    case = lay(german=f"3520 {force}", dice=told | more.pop("more_dice", {}), **more)
    units = " ".join(word.split(":")[0] for word in force.split())
    return case.march(units, path, EndActivation()).rest()


@pytest.mark.rule("DM-9.0a", "DM-2.10d", "DM-2.10e")
@pytest.mark.parametrize(
    ("unit", "path", "rolls"),
    [
        ("I1:6", "3521 3522", False),
        ("I1:6", "3521 3522 3523", True),
        ("A1:6", "3521 3522 3523", False),
        ("A1:6", "3521 3522 3523 3524", True),
        ("C1:6", "3521 3522", False),
        ("C1:6", "3521 3522 3523", True),
    ],
)
def test_more_than_half_the_allowance_without_supply(lay: Lay, unit: str, path: str, rolls: bool) -> None:
    case = starved(lay, unit, path, "44" if rolls else "")
    assert bool(case.events(events.AttritionRolled)) == rolls


@pytest.mark.rule("DM-9.0a")
def test_a_supplied_force_does_not_roll(lay: Lay) -> None:
    case = lay(german="2820 I1:6").march("I1", "2821 2822 2823 2824").rest()
    assert case.never(events.AttritionRolled)


@pytest.mark.rule("DM-9.0a")
def test_supply_counts_where_it_ends(lay: Lay) -> None:
    case = lay(german="3320 I1:6").march("I1", "3220 3120 3020").rest()
    assert case.never(events.AttritionRolled)
    case = lay(german="3120 I1:6", dice={"attrition": "66"}).march("I1", "3220 3321 3421", EndActivation()).rest()
    assert len(case.events(events.AttritionRolled)) == 1


@pytest.mark.rule("DM-9.0a", "R-DM-40")
def test_the_slowest_who_began_sets_the_half_and_not_who_was_picked_up(lay: Lay) -> None:
    """Two points and one for the pick-up are half of A1's six; of the infantry's four they would be more."""
    case = lay(german="3520 A1:6; 3521 I1:6").march("A1", "3521", PickUp(["I1"]), Step("3522"), EndActivation())
    assert case.rest().never(events.AttritionRolled)


@pytest.mark.rule("DM-9.0b", "DM-9.0j")
@pytest.mark.parametrize(
    ("sp", "dice", "points"),
    [
        (11, "35", 1),
        (20, "11", 6),
        (3, "11", 1),
        (3, "12", 1),
        (4, "14", 1),
        (5, "15", 0),
        (8, "34", 1),
        (12, "56", 1),
        (19, "66", 1),
        (15, "66", 0),
        (9, "46", 1),
        (9, "56", 0),
        (30, "24", 3),
        (7, "12", 2),
    ],
)
def test_the_attrition_table(lay: Lay, sp: int, dice: str, points: int) -> None:
    """Two infantry units: no modifier for a single unit, nor for a full hex."""
    first = (sp + 1) // 2
    case = starved(lay, f"I1:{first} I2:{sp - first}", "3521 3522 3523", dice)
    rolled = case.one(events.AttritionRolled)
    assert (rolled.modifiers, rolled.total, rolled.points) == ([], sum(map(int, dice)), points)
    assert sum(case.sp("I1 I2")) == sp - points


@pytest.mark.rule("DM-9.0c", "DM-9.0d", "DM-9.0e", "DM-9.0f", "R-DM-40")
@pytest.mark.parametrize(
    ("force", "ground", "modifier"),
    [
        ("I1:6 I2:6", {}, 0),
        ("I1:6", {}, 1),
        ("I1:6 I2:6", {"town": "3523"}, 1),
        ("I1:6 I2:6", {"city": "3523"}, 1),
        ("I1:6 I2:6", {"major": "3523"}, 1),
        ("I1:6 I2:6", {"town": "3520"}, 0),
        ("I1:6! I2:6!", {}, -1),
        ("I1:6 I2:6 I3:6 I4:6", {}, -1),
        ("I1:6! I2:6! I3:6! I4:6!", {}, -2),
        ("I1:6", {"city": "3523"}, 2),
        ("I1:6!", {}, 0),
    ],
)
def test_its_modifiers(lay: Lay, force: str, ground: dict[str, str], modifier: int) -> None:
    units = force.replace("!", "")
    case = lay(german=f"3520 {force}", dice={"attrition": "34"}, **ground)
    case.march(" ".join(word.split(":")[0] for word in units.split()), "3521 3522 3523", EndActivation()).rest()
    rolled = case.one(events.AttritionRolled)
    assert sum(number for _, number in rolled.modifiers) == modifier
    assert rolled.total == 7 + modifier


@pytest.mark.rule("R-DM-40", "DM-9.0d", "DM-9.0f")
def test_all_friends_in_the_hex_are_counted_for_those(lay: Lay) -> None:
    case = lay(german="3520 I1:6; 3523 I2:6", dice={"attrition": "34"}).march("I1", "3521 3522 3523", EndActivation())
    rolled = case.rest().one(events.AttritionRolled)
    assert (rolled.units, rolled.modifiers) == (["I1"], [])
    assert case.sp("I2") == [6]


@pytest.mark.rule("R-DM-40")
def test_those_dropped_on_the_way_are_not_checked(lay: Lay) -> None:
    case = lay(german="3520 I1:6 I2:6", dice={"attrition": "11"})
    case.march("I1 I2", "3521", DropOff(["I2"]), Step("3522"), Step("3523"), EndActivation()).rest()
    assert case.one(events.AttritionRolled).units == ["I1"]
    assert case.sp("I2") == [6]


@pytest.mark.rule("R-DM-22", "DM-9.0b")
@pytest.mark.parametrize(("force", "dice", "points"), [("I1:5! I2:5! I3:5! I4:5!", "11", 6), ("I1:20", "66", 1)])
def test_totals_beyond_the_table(lay: Lay, force: str, dice: str, points: int) -> None:
    case = lay(german=f"3520 {force}", dice={"attrition": dice})
    case.march(" ".join(word.split(":")[0] for word in force.split()), "3521 3522 3523", EndActivation()).rest()
    assert case.one(events.AttritionRolled).points == points


@pytest.mark.rule("DM-9.0g")
def test_the_strongest_takes_the_first_point_and_the_rest_go_anywhere(lay: Lay) -> None:
    case = lay(german="3520 I1:8 I2:3", dice={"attrition": "11"}).march("I1 I2", "3521 3522 3523", EndActivation())
    case.to_losses("german")
    assert case.one(events.AttritionRolled).points == 3
    assert case.allows(losses("I1:3"))
    assert case.allows(losses("I1:1 I2:2"))
    assert not case.allows(losses("I2:3"))
    assert not case.allows(losses("I1:1 I2:1"))
    case.submit(losses("I1:1 I2:2")).rest()
    assert case.sp("I1 I2") == [7, 1]


@pytest.mark.rule("DM-9.0h")
def test_nobody_dies_of_it(lay: Lay) -> None:
    """Two points on 2 and 2: one each."""
    case = lay(german="3520 I1:2 I2:2", dice={"attrition": "11"}).march("I1 I2", "3521 3522 3523", EndActivation())
    case.rest()
    assert case.one(events.AttritionRolled).points == 2
    assert case.sp("I1 I2") == [1, 1]


@pytest.mark.rule("DM-9.0h")
def test_replacements_do_not_pay_for_attrition_and_the_rest_is_ignored(lay: Lay) -> None:
    case = lay(german="3520 I1:3 I2:1", dice={"attrition": "11"}, replacements={"german": 9})
    case.march("I1 I2", "3521 3522 3523", EndActivation()).rest()
    assert sum(case.sp("I1 I2")) == 2
    assert case.state.replacements["german"] == 9


@pytest.mark.rule("R-DM-40", "DM-9.0h")
def test_a_force_of_one_point_loses_nothing_at_any_roll(lay: Lay) -> None:
    for roll in ("11", "34", "66"):
        case = starved(lay, "I1:1", "3521 3522 3523", roll)
        assert case.one(events.AttritionRolled).points == 0
        assert case.sp("I1") == [1]


@pytest.mark.rule("DM-9.0i", "R-DM-79")
@pytest.mark.parametrize(("turn", "rolls"), [(1, False), (2, True)])
def test_none_on_the_first_turn(lay: Lay, turn: int, rolls: bool) -> None:
    case = starved(lay, "I1:6", "3521 3522 3523", "66" if rolls else "", turn=turn)
    assert bool(case.events(events.AttritionRolled)) == rolls


@pytest.mark.rule("DM-9.0a")
def test_points_for_rally_and_plan_are_points_spent(lay: Lay) -> None:
    """One for the hex and one for the standard attack are half of four; one more hex is more."""
    dice = {"attack": "6", "defence": "1"}
    case = lay(german="3520 I1:6", soviet="3519 i1:6", dice=dice).attack("I1", "3519")
    assert case.never(events.AttritionRolled)
    case = lay(german="3520 I1:6", soviet="3518 i1:6", dice=dice | {"attrition": "66"}).attack("I1", "3519 3518")
    assert len(case.events(events.AttritionRolled)) == 1
