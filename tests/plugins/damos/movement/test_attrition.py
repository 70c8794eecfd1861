"""Attrition of unsupplied forces (DM-9): when they roll, modifiers and losses."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case, ids, losses, names
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import DeclareAttack, DropOff, EndActivation, Exploit, PickUp, PlanAttack, Step, TakeLosses
from damos.model.state import DamosState
from damos.movement.activation import modifiers_of

PATH = "3521 3522 3523"


def unsupplied_march(lay: Lay, force: str, path: str, dice: str = "", **more: Any) -> Case:
    """March a force from 3520, where no side has supply, along a path."""
    case = lay(f"3520 {force}", dice={"attrition": dice} if dice else {}, **more)
    return case.march(names(force), path, EndActivation()).rest()


# --- when ---


@pytest.mark.rule("DM-2.10d", "DM-2.10e", "DM-9.0a", "DM-9.0i", "R-DM-79")
@pytest.mark.parametrize(("position", "path", "turn", "rolls"), [
    ("3520 I1:6", "3521 3522", 3, False), ("3520 I1:6", "3521 3522 3523", 3, True),
    ("3520 A1:6", "3521 3522 3523", 3, False), ("3520 A1:6", "3521 3522 3523 3524", 3, True),
    ("3520 C1:6", "3521 3522", 3, False), ("3520 C1:6", "3521 3522 3523", 3, True),
    ("3520 I1:6", "3521 3522 3523", 1, False), ("3520 I1:6", "3521 3522 3523", 2, True),
    ("2820 I1:6", "2821 2822 2823 2824", 3, False), ("3320 I1:6", "3220 3120 3020", 3, False),
    ("3120 I1:6", "3220 3321 3421", 3, True),
])  # fmt: skip
def test_unsupplied_force_rolls_attrition_beyond_half_its_allowance(
    lay: Lay, position: str, path: str, turn: int, rolls: bool
) -> None:
    """The hex where the force ends decides whether it has supply. Turn 1 has no attrition."""
    case = lay(position, dice={"attrition": "44"} if rolls else {}, turn=turn)
    case.march(names(position), path).rest()
    assert len(case.events(events.AttritionRolled)) == rolls


@pytest.mark.rule("DM-9.0a", "R-DM-40")
def test_the_slowest_unit_that_started_sets_the_half_of_the_allowance(lay: Lay) -> None:
    """Two points and the pick-up are half of A1's six points. They would be more than half of the infantry's four."""
    case = lay("3520 A1:6; 3521 I1:6").march("A1", "3521", PickUp(["I1"]), Step("3522"), EndActivation())
    assert case.rest().never(events.AttritionRolled)


@pytest.mark.rule("DM-9.0a")
def test_points_for_a_plan_count_for_attrition(lay: Lay) -> None:
    """One point for the hex and one for the standard attack are half of four. One more hex is more than half."""
    dice = {"attack": "6", "defense": "1"}
    case = lay("3520 I1:6; 3519 i1:6", dice=dice).attack("I1", "3519")
    assert case.never(events.AttritionRolled)
    case = lay("3520 I1:6; 3518 i1:6", dice=dice | {"attrition": "66"}).attack("I1", "3519 3518")
    assert len(case.events(events.AttritionRolled)) == 1


@pytest.mark.rule("DM-9.0a", "DM-8.12.2a", "R-DM-40")
def test_a_divided_force_rolls_for_attrition_in_each_hex(lay: Lay) -> None:
    """Three points across country and one for the plan. Then each unit moves separately."""
    case = lay(
        "3520 A1:6 A2:5; 3516 i1:1",
        dice="attack 66; defense 1; attrition:3515 66; attrition:3516 66",
        control={"soviet": "3516"},
    )
    case.march("A1 A2", "3519 3518 3517 3516", Exploit(["A1"]), Step("3515")).rest()
    assert [event.hex for event in case.events(events.AttritionRolled)] == ["3515", "3516"]
    assert [event.units for event in case.events(events.AttritionRolled)] == [["A1"], ["A2"]]


@pytest.mark.rule("DM-9.0a", "DM-8.3a")
@pytest.mark.parametrize("plan", ["penetration", "grand"])
def test_a_penetration_spends_all_points_and_an_assault_its_cost(lay: Lay, plan: str) -> None:
    """One point and two for the assault are half of six, not more."""
    rolled = plan == "penetration"
    case = lay("3520 A1:6; 3519 i1:1", dice={"attack": "6", "defense": "1"} | ({"attrition": "66"} if rolled else {}))
    case.go(DeclareAttack("3519"), PlanAttack(plan, ["A1"]))
    case.rest() if rolled else case.play(Step("3519"))
    assert len(case.events(events.AttritionRolled)) == rolled


@pytest.mark.rule("R-DM-40")
def test_dropped_units_do_not_roll_for_attrition(lay: Lay) -> None:
    case = lay("3520 I1:6 I2:6", dice="attrition 11")
    case.march("I1 I2", "3521", DropOff(["I2"]), Step("3522"), Step("3523"), EndActivation()).rest()
    assert case.one(events.AttritionRolled).units == ["I1"]
    assert case.sp("I2") == [6]


# --- the roll ---


@pytest.mark.rule("DM-9.0b", "DM-9.0j", "R-DM-22")
@pytest.mark.parametrize(("sp", "dice", "points"), [
    (11, "35", 1), (20, "11", 6), (3, "11", 1), (3, "12", 1), (4, "14", 1), (5, "15", 0), (8, "34", 1), (12, "56", 1),
    (19, "66", 1), (15, "66", 0), (9, "46", 1), (9, "56", 0), (30, "24", 3), (7, "12", 2),
])  # fmt: skip
def test_attrition_points_come_from_the_table(lay: Lay, sp: int, dice: str, points: int) -> None:
    """Two infantry units: no modifier for a single unit or a full hex."""
    first = (sp + 1) // 2
    case = unsupplied_march(lay, f"I1:{first} I2:{sp - first}", PATH, dice)
    rolled = case.one(events.AttritionRolled)
    assert (rolled.modifiers, rolled.total, rolled.points) == ([], sum(map(int, dice)), points)
    assert sum(case.sp("I1 I2")) == sp - points


@pytest.mark.rule("R-DM-22", "DM-9.0b")
@pytest.mark.parametrize(("force", "dice", "points"), [("I1:5! I2:5! I3:5! I4:5!", "11", 6), ("I1:20", "66", 1)])
def test_attrition_totals_beyond_the_table_are_clamped(lay: Lay, force: str, dice: str, points: int) -> None:
    assert unsupplied_march(lay, force, PATH, dice).one(events.AttritionRolled).points == points


@pytest.mark.rule("DM-9.0c", "DM-9.0d", "DM-9.0e", "DM-9.0f", "R-DM-40")
@pytest.mark.parametrize(("force", "ground", "modifiers"), [
    ("I1:6 I2:6", {}, {}), ("I1:6", {}, {"single unit": 1}), ("I1:6 I2:6", {"town": "3523"}, {"settled": 1}),
    ("I1:6 I2:6", {"city": "3523"}, {"settled": 1}), ("I1:6 I2:6", {"major": "3523"}, {"settled": 1}),
    ("I1:6 I2:6", {"town": "3520"}, {}), ("I1:6! I2:6!", {}, {"demoralized": -1}),
    ("I1:6 I2:6 I3:6 I4:6", {}, {"full hex": -1}), ("I1:6", {"city": "3523"}, {"settled": 1, "single unit": 1}),
    ("I1:6! I2:6! I3:6! I4:6!", {}, {"demoralized": -1, "full hex": -1}),
    ("I1:6!", {}, {"single unit": 1, "demoralized": -1}),
    ("I1:6! I2:6! I3:6! I4:6!", {"major": "3523"}, {"settled": 1, "demoralized": -1, "full hex": -1}),
])  # fmt: skip
def test_attrition_modifiers_match_the_rules(
    lay: Lay, force: str, ground: dict[str, str], modifiers: dict[str, int]
) -> None:
    rolled = unsupplied_march(lay, force, PATH, "34", **ground).one(events.AttritionRolled)
    assert dict(rolled.modifiers) == modifiers
    assert rolled.total == 7 + sum(modifiers.values())


@pytest.mark.rule("DM-9.0e")
@pytest.mark.parametrize(("units", "modifiers"), [
    ("I1:6! I2:6", {"demoralized": -1}), ("I1:6! I2:6 I3:6 I4:6", {"demoralized": -1, "full hex": -1}),
])  # fmt: skip
def test_one_demoralized_unit_changes_the_attrition_roll(lay: Lay, units: str, modifiers: dict[str, int]) -> None:
    state: DamosState = lay(f"3520 {units}").state
    assert dict(modifiers_of(state, "german", "3520", ids(names(units)))) == modifiers


@pytest.mark.rule("R-DM-40", "DM-9.0d", "DM-9.0f")
def test_friends_in_the_hex_count_for_attrition_modifiers(lay: Lay) -> None:
    case = lay("3520 I1:6; 3523 I2:6", dice="attrition 34").march("I1", "3521 3522 3523", EndActivation())
    rolled = case.rest().one(events.AttritionRolled)
    assert (rolled.units, rolled.modifiers) == (["I1"], [])
    assert case.sp("I2") == [6]


# --- losses ---


@pytest.mark.rule("DM-9.0g", "DM-9.0h", "DM-8.8c")
def test_the_strongest_unit_takes_the_first_attrition_point_in_secret(lay: Lay) -> None:
    case = lay("3520 I1:6 I2:4 I3:2", dice="attrition 12")
    case.march("I1 I2 I3", PATH, EndActivation()).to_losses("german")
    rolled = case.one(events.AttritionRolled)
    assert (rolled.points, rolled.modifiers) == (3, [])
    assert case.pending.secret
    assert all(case.allows(losses(shares)) for shares in ("I1:3", "I1:1 I2:2", "I1:1 I2:1 I3:1"))
    assert not any(case.allows(losses(shares)) for shares in ("I2:3", "I1:1 I3:2", "I1:1 I2:1"))
    assert not case.allows(TakeLosses({"I1": 1, "I2": 1}, 1))
    case.submit(losses("I1:2 I3:1")).rest()
    taken = case.one(events.LossesTaken)
    assert case.sp("I1 I2 I3") == [4, 4, 1]
    seen = case.seen(taken, "soviet")
    assert isinstance(seen, events.LossesTaken)
    assert (seen.points, seen.losses, seen.why) == (3, {}, "attrition")


@pytest.mark.rule("DM-9.0h")
@pytest.mark.parametrize("strengths", [(2, 2), (3, 1)])
def test_attrition_eliminates_no_unit_and_replacements_do_not_pay(lay: Lay, strengths: tuple[int, int]) -> None:
    case = unsupplied_march(lay, f"I1:{strengths[0]} I2:{strengths[1]}", PATH, "11", replacements={"german": 9})
    assert case.one(events.AttritionRolled).points == 2
    assert case.sp("I1 I2") == [1, 1]
    assert case.state.replacements["german"] == 9


@pytest.mark.rule("R-DM-40", "DM-9.0h", "DM-2.4c")
@pytest.mark.parametrize("dice", ["11", "34", "66"])
def test_a_force_of_one_point_rolls_but_loses_nothing(lay: Lay, dice: str) -> None:
    """If it did not roll, the enemy would know that it is the last point."""
    case = unsupplied_march(lay, "I1:1", PATH, dice)
    assert case.one(events.AttritionRolled).points == 0
    assert case.sp("I1") == [1]
