"""Demoralisation, 2.8: how it comes, how it spreads, what it forbids, and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from damos.model import events
from damos.model.orders import Activate, ChoosePlan, DropOff, EndActivation, PickUp, Rally, Step

if TYPE_CHECKING:
    from tests.plugins.damos.conftest import Lay

from tests.plugins.damos.cases import activate, retreat

# --- what it forbids ---


@pytest.mark.rule("DM-2.8d")
def test_demoralized_units_do_not_attack(lay: Lay) -> None:
    """2815 is in no zone but its own defenders'; a demoralised defender has none, and is no easier prey."""
    case = lay(german="2816 A1:6!", soviet="2815 i1:6!").go(activate("A1"))
    assert case.refuses(Step("2815"))
    case.rest()


@pytest.mark.rule("DM-2.8d")
@pytest.mark.parametrize(("enemy", "may"), [("i1:6", False), ("i1:6!", True), ("a1:6~", False)])
def test_nor_do_they_move_into_enemy_zones(lay: Lay, enemy: str, may: bool) -> None:
    case = lay(german="2818 A1:6!", soviet=f"2815 {enemy}").march("A1", "2817")
    assert case.allows(Step("2816")) == may
    case.rest()


@pytest.mark.rule("DM-2.8d")
def test_a_friend_there_does_not_help(lay: Lay) -> None:
    case = lay(german="2817 A1:6!; 2816 I1:6", soviet="2815 i1:6").go(activate("A1"))
    assert case.refuses(Step("2816"))
    case.rest()


@pytest.mark.rule("DM-2.8d")
def test_out_of_a_zone_they_may_go(lay: Lay) -> None:
    case = lay(german="2816 A1:6!", soviet="2815 i1:6").march("A1", "2817 2818")
    assert case.rest().at("A1") == "2818"


@pytest.mark.rule("DM-2.8c", "DM-2.5a", "DM-2.5e", "DM-2.6c")
def test_they_have_no_zones(lay: Lay) -> None:
    """A demoralised neighbour does not cut the railway; an undemoralised one does."""
    for mark, supplied in (("", False), ("!", True)):
        case = lay(german="2620 A1:6!", soviet=f"2722 i1:6{mark}; 2922 i2:6{mark}", movement={"A1": 6})
        case.go(activate("A1"))
        assert case.asks(Rally) == supplied, mark
        case.rest()


# --- how it spreads ---


@pytest.mark.rule("DM-2.8b", "DM-2.6d", "R-DM-06")
def test_who_ends_with_demoralized_friends_is_demoralized(lay: Lay) -> None:
    case = lay(german="2820 I1:6; 2821 I2:6!~").march("I1", "2821", EndActivation()).rest()
    assert case.demoralized("I1 I2") == [True, True]
    spread = case.one(events.ForceDemoralized)
    assert (spread.units, spread.hex, spread.why) == (["I1"], "2821", "stacked")


@pytest.mark.rule("DM-2.8b")
def test_and_who_comes_demoralized_to_friends_infects_them(lay: Lay) -> None:
    case = lay(german="2820 I1:6!; 2821 I2:6").march("I1", "2821", EndActivation()).rest()
    assert case.demoralized("I1 I2") == [True, True]


@pytest.mark.rule("DM-2.8b", "R-DM-06")
@pytest.mark.parametrize("option", ["end_of_activation", "immediate"])
def test_passing_through_does_nothing(lay: Lay, option: str) -> None:
    case = lay(german="2820 I1:6; 2821 I2:6!~", demoralize_by_stacking=option)
    case.march("I1", "2821 2822", EndActivation()).rest()
    assert case.demoralized("I1 I2") == [False, True]


@pytest.mark.rule("R-DM-06", "R-DM-80")
@pytest.mark.parametrize(("option", "at_once"), [("end_of_activation", False), ("immediate", True)])
def test_dropped_off_it_spreads_at_once_or_in_the_end(lay: Lay, option: str, at_once: bool) -> None:
    case = lay(german="2820 A1:6 I1:6; 2821 I2:6!~", demoralize_by_stacking=option)
    case.march("A1 I1", "2821", DropOff(["I1"]))
    assert case.demoralized("I1") == [at_once]
    case.go(Step("2822")).rest()
    assert case.demoralized("A1 I1 I2") == [False, True, True]


@pytest.mark.rule("DM-2.8b", "R-DM-06")
def test_a_retreat_spreads_it(lay: Lay) -> None:
    """The loser comes to i2, which is demoralised with it."""
    case = lay(german="2816 I1:6", soviet="2815 i1:6; 2813 i2:6", dice={"attack": "6", "defence": "1"})
    case.attack("I1", "2815", retreat("2815 2814 2813"))
    assert case.demoralized("i1 i2") == [True, True]


@pytest.mark.rule("DM-2.8b", "R-DM-06")
def test_a_loser_of_a_meeting_engagement_who_comes_to_demoralized_friends_is_demoralized(lay: Lay) -> None:
    case = lay(german="2816 I1:6", soviet="2815 i1:6; 2813 i2:6!", dice={"attack": "6", "defence": "1"})
    case.attack("I1", "2815", retreat("2815 2814 2813"), plan="meeting")
    assert case.demoralized("i1 i2") == [True, True]


@pytest.mark.rule("DM-2.6d", "DM-2.8e")
def test_one_demoralized_unit_in_the_hex_makes_the_whole_defence_demoralized(lay: Lay) -> None:
    """Such a stack arises only within an activation; laid out all the same, it has no posture."""
    case = lay(german="2816 I1:6", soviet="2815 i1:3! i2:3!", dice={"attack": "1", "defence": "6"}).attack("I1", "2815")
    assert case.one(events.PlansRevealed).posture == ""
    assert case.demoralized("i1 i2") == [False, False]


# --- how it ends ---


@pytest.mark.rule("DM-2.8g", "DM-7.0l")
def test_a_rally_costs_two_points(lay: Lay) -> None:
    case = lay(german="2820 I1:6! I2:3!").march("I1 I2", "2821", Rally())
    rallied = case.one(events.ForceRallied)
    assert (rallied.units, rallied.hex, rallied.left, rallied.why) == (["I1", "I2"], "2821", 2, "rally")
    assert case.demoralized("I1 I2") == [False, False]
    case.rest()


@pytest.mark.rule("DM-2.8g", "DM-7.0l")
@pytest.mark.parametrize(
    ("position", "soviet", "may"),
    [
        ("2820 I1:6!", "", True),
        ("3320 I1:6!", "", False),
        ("2816 I1:6!", "2815 i1:6", False),
        ("2816 I1:6!", "2815 i1:6!", True),
        ("2816 I1:6", "", False),
    ],
)
def test_it_wants_supply_and_no_enemy_zone(lay: Lay, position: str, soviet: str, may: bool) -> None:
    case = lay(german=position, soviet=soviet).go(activate("I1"))
    assert case.allows(Rally()) == may
    case.rest()


@pytest.mark.rule("DM-2.8g")
def test_and_two_points(lay: Lay) -> None:
    case = lay(german="2820 I1:6!").march("I1", "2821 2822")
    assert case.allows(Rally())
    case.submit(Step("2823"))
    assert not case.allows(Rally())
    case.rest()


@pytest.mark.rule("DM-2.8g")
def test_a_friend_in_the_hex_does_not_lift_the_zone_for_a_rally(lay: Lay) -> None:
    """The unit itself stands there: if that were enough no zone would ever bar a rally."""
    case = lay(german="2816 I1:6! I2:6!", soviet="2815 i1:6").go(activate("I1 I2"))
    assert not case.allows(Rally())
    case.rest()


@pytest.mark.rule("DM-2.8g", "DM-7.0b")
def test_once_rallied_it_attacks(lay: Lay) -> None:
    dice = {"attack": "1", "defence": "6"}
    case = lay(german="2817 A1:6!", soviet="2815 i1:6", dice=dice)
    case.march("A1", "", Rally(), Step("2816"), Step("2815"), ChoosePlan("standard")).rest()
    assert case.one(events.PlansRevealed).plan == "standard"


@pytest.mark.rule("DM-2.8g")
def test_it_does_not_end_by_itself(lay: Lay) -> None:
    case = lay(german="2820 I1:6!", dice={"rail": "*"}).to_turn(4)
    assert case.demoralized("I1") == [True]


@pytest.mark.rule("DM-2.8c", "DM-7.0d")
def test_a_demoralized_armoured_force_counts_as_one_without_a_zone(lay: Lay) -> None:
    case = lay(german="2820 A1:6!; 2822 I1:6").march("A1", "2821", EndActivation()).rest()
    assert case.allows(Activate(["I1"]))


@pytest.mark.rule("R-DM-31")
def test_demoralized_units_are_not_picked_up(lay: Lay) -> None:
    case = lay(german="2820 I1:6; 2821 I2:6!").march("I1", "2821")
    assert not case.allows(PickUp(["I2"]))
    case.rest()
