"""Attrition where the casebook of the rules does not look: forces that part, secret shares, who is not checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.damos.cases import ids, losses

from damos.model import events
from damos.model.orders import DeclareAttack, DropOff, EndActivation, Exploit, PlanAttack, Step, TakeLosses
from damos.model.state import DamosState
from damos.movement.activation import modifiers_of

if TYPE_CHECKING:
    from tests.plugins.damos.conftest import Lay

FAR = "3520"
"""Seven rows from the railway."""


@pytest.mark.rule("DM-9.0a", "DM-8.12.2a", "R-DM-40")
def test_a_force_that_has_parted_is_checked_hex_by_hex(lay: Lay) -> None:
    """Three points across country and one for the plan; then each goes its own way."""
    case = lay(
        german="3520 A1:6 A2:5",
        soviet="3516 i1:1",
        dice={"attack": "66", "defence": "1", "attrition:3515": "66", "attrition:3516": "66"},
        control={"soviet": "3516"},
    )
    case.march("A1 A2", "3519 3518 3517 3516", Exploit(["A1"]), Step("3515")).rest()
    assert [event.hex for event in case.events(events.AttritionRolled)] == ["3515", "3516"]
    assert [event.units for event in case.events(events.AttritionRolled)] == [["A1"], ["A2"]]


@pytest.mark.rule("DM-9.0a", "R-DM-40", "DM-7.0q")
def test_who_was_dropped_is_not_checked(lay: Lay) -> None:
    case = lay(german=f"{FAR} I1:6 I2:6", dice={"attrition:3523": "66"})
    case.march("I1 I2", "3521", DropOff(["I2"]), Step("3522"), Step("3523"), EndActivation()).rest()
    assert case.one(events.AttritionRolled).units == ["I1"]


@pytest.mark.rule("DM-9.0a", "DM-8.3a")
@pytest.mark.parametrize("plan", ["penetration", "grand"])
def test_a_penetration_spends_everything_and_an_assault_what_it_costs(lay: Lay, plan: str) -> None:
    """One point and two for the assault are half of six, and not more."""
    rolled = plan == "penetration"
    case = lay(
        german="3520 A1:6",
        soviet="3519 i1:1",
        dice={"attack": "6", "defence": "1"} | ({"attrition": "66"} if rolled else {}),
    )
    case.go(DeclareAttack("3519"), PlanAttack(plan, ["A1"]))
    case.rest() if rolled else case.play(Step("3519"))
    assert len(case.events(events.AttritionRolled)) == rolled


@pytest.mark.rule("DM-9.0g", "DM-9.0h", "DM-8.8c")
def test_the_first_point_is_the_strongest_units_and_shares_are_secret(lay: Lay) -> None:
    case = lay(german=f"{FAR} I1:6 I2:4 I3:2", dice={"attrition": "12"})
    case.march("I1 I2 I3", "3521 3522 3523", EndActivation()).to_losses("german")
    rolled = case.one(events.AttritionRolled)
    assert (rolled.points, rolled.modifiers) == (3, [])
    assert case.asked.secret
    assert case.allows(losses("I1:1 I2:2"))
    assert case.allows(losses("I1:1 I2:1 I3:1"))
    assert not case.allows(losses("I2:3"))
    assert not case.allows(losses("I1:1 I3:2"))  # nobody is eliminated
    assert not case.allows(TakeLosses({"I1": 1, "I2": 1}, 1))
    case.submit(losses("I1:2 I3:1")).rest()
    taken = case.one(events.LossesTaken)
    assert case.sp("I1 I2 I3") == [4, 4, 1]
    seen = case.seen(taken, "soviet")
    assert isinstance(seen, events.LossesTaken)
    assert (seen.points, seen.losses, seen.why) == (3, {}, "attrition")


@pytest.mark.rule("DM-9.0i", "R-DM-79")
def test_nobody_is_checked_on_the_first_turn(lay: Lay) -> None:
    case = lay(german=f"{FAR} I1:6", turn=1).march("I1", "3521 3522 3523", EndActivation()).rest()
    assert case.never(events.AttritionRolled)


@pytest.mark.rule("R-DM-40", "DM-2.4c")
def test_a_single_point_of_strength_loses_nothing(lay: Lay) -> None:
    """It is rolled for all the same: else the enemy would know that it is the last."""
    case = lay(german=f"{FAR} I1:1", dice={"attrition": "11"})
    case.march("I1", "3521 3522 3523", EndActivation()).rest()
    assert case.one(events.AttritionRolled).points == 0
    assert case.sp("I1") == [1]


@pytest.mark.rule("DM-9.0c", "DM-9.0d", "DM-9.0e", "DM-9.0f", "R-DM-40")
@pytest.mark.parametrize(
    ("units", "ground", "expected"),
    [
        ("I1:6", {}, {"single unit": 1}),
        ("I1:6 I2:6", {}, {}),
        ("I1:6 I2:6 I3:6 I4:6", {}, {"full hex": -1}),
        ("I1:6! I2:6", {}, {"demoralized": -1}),
        ("I1:6 I2:6", {"town": "3520"}, {"settled": 1}),
        ("I1:6", {"city": "3520"}, {"settled": 1, "single unit": 1}),
        ("I1:6! I2:6 I3:6 I4:6", {"major": "3520"}, {"settled": 1, "demoralized": -1, "full hex": -1}),
    ],
)
def test_what_changes_the_roll(lay: Lay, units: str, ground: dict[str, str], expected: dict[str, int]) -> None:
    state: DamosState = lay(german=f"{FAR} {units}", **ground).state
    force = ids(" ".join(word.split(":")[0] for word in units.split()))
    assert dict(modifiers_of(state, "german", FAR, force)) == expected
