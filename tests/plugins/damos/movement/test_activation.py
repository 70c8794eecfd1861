"""Operations, 7.0, and the order of a turn: who activates when, how far he moves, and what it costs."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case, activate, avoid, ids, losses, react
from tests.plugins.damos.conftest import Lay, Prepare

from damos.model import events
from damos.model.orders import (
    Activate,
    ChoosePlan,
    DeclareAttack,
    Decline,
    DropOff,
    EndActivation,
    EndPhase,
    Exploit,
    LeaveOut,
    MoveStrategically,
    PickUp,
    PlanAttack,
    Rally,
    Step,
    TakeLosses,
)
from damos.model.state import DamosState
from damos.movement.activation import modifiers_of
from sandtable.kernel.events import PhaseBegan


def left(case: Case) -> int:
    """Return how many half points the active force has left, by the newest event that tells."""
    told = list(case.events(events.ForceMoved))
    return told[-1].left


# --- the turn ---


@pytest.mark.rule("DM-4.0a", "DM-4.0b", "R-DM-01", "DM-2.1c", "DM-2.1i")
@pytest.mark.parametrize(("option", "order"), [("german", ["german", "soviet"]), ("russian", ["soviet", "german"])])
def test_a_turn_is_two_player_turns_of_five_phases(lay: Lay, option: str, order: list[str]) -> None:
    case = lay(phase="opening", first_player=option, dice={"rail": "*"}).to_turn(4)
    names = [event.phase for event in case.events(PhaseBegan)]
    five = ["reinforcement", "strategic", "operations", "surrender", "reset"]
    expected = ["opening", *(f"{side}.{phase}" for side in order for phase in five), "closing"]
    assert names[: len(expected)] == expected


@pytest.mark.rule("DM-2.1b")
def test_exclusive_rules_come_first(prepare: Prepare) -> None:
    """The core makes cities sources for whoever holds them; the exclusive rules give the Germans the west edge only."""
    board = prepare().board
    assert all(int(hex_[2:]) >= 29 for hex_ in board.sources["german"])


# --- who may activate ---


@pytest.mark.rule("DM-7.0a", "DM-2.1e", "DM-2.1f", "DM-7.0g")
def test_fresh_forces_activate_and_once(lay: Lay) -> None:
    case = lay("2816 I1:6; 2818 I2:6~; 2820 I3:6")
    assert case.allows(Activate(["I1"]))
    assert not case.allows(Activate(["I2"]))
    assert case.refuses(Activate(["I2"]))
    case.march("I1", "2817", EndActivation()).rest()
    assert case.spent("I1 I3") == [True, False]
    assert not case.allows(Activate(["I1"]))
    assert case.allows(Activate(["I3"]))


@pytest.mark.rule("DM-2.1h", "DM-2.1i")
@pytest.mark.parametrize("order", [Activate(["i1"]), Activate(["I1", "i1"]), Activate([]), Activate(["nobody"])])
def test_only_own_units(lay: Lay, order: Activate) -> None:
    case = lay("2818 I1:6 H1:4; 2815 i1:6")
    assert case.refuses(order)
    assert case.allows(activate("I1 H1"))


@pytest.mark.rule("DM-2.1d")
def test_units_of_two_hexes_are_no_force(lay: Lay) -> None:
    case = lay("2818 I1:6; 2817 I2:6")
    assert case.refuses(activate("I1 I2"))


@pytest.mark.rule("DM-7.0d")
def test_forces_without_a_zone_come_before_those_with_one(lay: Lay) -> None:
    case = lay("2818 I1:6; 2820 I2:6; 2822 A1:6; 2824 A2:3 I3:3")
    case.march("I1", "2819", EndActivation()).rest()
    assert case.allows(Activate(["I2"]))
    case.march("A1", "2823", EndActivation()).rest()
    assert not case.allows(Activate(["I2"]))
    assert case.why_not(Activate(["I2"])) == "DM-7.0d"
    assert case.allows(activate("A2 I3"))


@pytest.mark.rule("DM-7.0d")
@pytest.mark.parametrize(
    ("units", "zone"), [("A1:3 I1:6", True), ("I1:6 I2:6", False), ("C1:3", True), ("A1:3!", False)]
)
def test_one_unit_with_a_zone_makes_the_force_one(lay: Lay, units: str, zone: bool) -> None:
    case = lay(f"2820 {units}; 2824 I9:6")
    case.march(" ".join(word.split(":")[0] for word in units.split()), "2821", EndActivation()).rest()
    assert case.one(events.ForceActivated).zone == zone
    assert case.allows(Activate(["I9"])) == (not zone)


@pytest.mark.rule("R-DM-32", "DM-7.0d")
@pytest.mark.parametrize(("option", "closed"), [("set_at_activation", False), ("current", True)])
def test_a_force_that_picks_armour_up(lay: Lay, option: str, closed: bool) -> None:
    """Infantry was activated; when it has taken tanks along the time of the infantry is over, or is not."""
    case = lay("2820 I1:6; 2821 A1:6; 2824 I9:6", class_after_pickup=option)
    case.march("I1", "2821", PickUp(["A1"]), EndActivation()).rest()
    assert case.allows(Activate(["I9"])) == (not closed)


@pytest.mark.rule("R-DM-32")
@pytest.mark.parametrize("option", ["set_at_activation", "current"])
def test_infantry_that_armour_leaves_behind(lay: Lay, option: str) -> None:
    case = lay("2820 A1:6 I1:6; 2824 I9:6", class_after_pickup=option)
    case.march("A1 I1", "2821", DropOff(["A1"]), EndActivation()).rest()
    assert not case.allows(Activate(["I9"]))


@pytest.mark.rule("DM-7.0i")
def test_operations_may_end_at_any_time(lay: Lay) -> None:
    case = lay("2818 I1:6")
    case.submit(EndPhase())
    case.until(lambda case: case.phase != "german.operations")
    assert case.never(events.ForceActivated)


@pytest.mark.full
@pytest.mark.rule("DM-7.0h", "DM-11.0b", "DM-11.0a", "DM-7.0f", "DM-2.6.1s")
@pytest.mark.parametrize(("option", "spent"), [("yes", True), ("no", False)])
def test_who_reacted_does_not_activate_in_his_next_turn(lay: Lay, option: str, spent: bool) -> None:
    case = lay("2817 A1:7; 2815 a1:6", dice="reaction 11", failed_reaction_spent=option)
    case.march("A1", "2816", react("a1", "2815 2816"), EndActivation()).rest()
    case.to_phase("soviet.strategic")
    assert case.spent("A1 a1") == [False, spent]
    assert case.asks(MoveStrategically)
    assert not (spent and any("a1" in order.units for order in case.offered(MoveStrategically)))
    case.to_phase("soviet.operations")
    assert case.allows(Activate(["a1"])) == (not spent)
    case.until(lambda case: case.state.turn == 4)
    assert case.spent("a1") == [False]


# --- movement ---


@pytest.mark.rule("DM-7.0j", "DM-3.0a", "DM-2.2d", "R-DM-50")
@pytest.mark.parametrize(("unit", "ground", "halves"), [
    ("I1:6", {}, 2), ("A1:6", {}, 2), ("I1:6", {"forest": "2817"}, 4), ("I1:6", {"town": "2817"}, 2),
    ("I1:6", {"city": "2817"}, 2), ("I1:6", {"major": "2817"}, 2), ("I1:6", {"forest": "2817", "town": "2817"}, 4),
    ("I1:6", {"river": "2818/2817"}, 4), ("I1:6", {"river": "2817/2816"}, 2),
    ("I1:6", {"river": "2818/2817", "forest": "2817"}, 6), ("I1:6", {"marsh": "2817"}, 4),
])  # fmt: skip
def test_the_ground_costs_points(lay: Lay, unit: str, ground: dict[str, str], halves: int) -> None:
    case = lay(f"2818 {unit}", **ground).march(unit[:2], "2817")
    moved = case.one(events.ForceMoved)
    assert (moved.start, moved.hex, moved.halves) == ("2818", "2817", halves)
    assert moved.left == (8 if unit.startswith("I") else 12) - halves
    case.rest()


@pytest.mark.rule("DM-3.0a", "R-DM-50")
@pytest.mark.parametrize(
    ("unit", "may"), [("A1:6", False), ("M1:6", False), ("T1:6", False), ("C1:6", True), ("I1:6", True)]
)
def test_tracks_and_wheels_keep_out_of_marshes(lay: Lay, unit: str, may: bool) -> None:
    case = lay(f"2618 {unit}", marsh="2617").go(activate(unit[:2]))
    assert case.allows(Step("2617")) == may
    case.rest()


@pytest.mark.rule("DM-7.0j")
def test_the_slowest_sets_the_pace(lay: Lay) -> None:
    case = lay("2820 A1:6 I1:6").march("A1 I1", "2821 2822 2823 2824")
    assert left(case) == 0
    assert not case.asks(Step)


@pytest.mark.rule("DM-7.0j")
@pytest.mark.parametrize("hex_", ["2816", "2818", "2618", "9999", "2831"])
def test_a_step_goes_next_door(lay: Lay, hex_: str) -> None:
    case = lay("2818 I1:6").go(activate("I1"))
    assert case.refuses(Step(hex_))
    case.rest()


@pytest.mark.rule("DM-2.5f")
def test_zones_of_control_stop_nobody(lay: Lay) -> None:
    case = lay("2818 A1:6; 2716 i1:6; 2916 i2:6", dice="attrition 66").march("A1", "2817 2816 2815 2814")
    assert left(case) == 4
    case.rest()


@pytest.mark.rule("DM-2.9a", "DM-2.9c")
def test_moving_through_takes_control_and_looking_on_does_not(lay: Lay) -> None:
    case = lay("2816 A1:6; 2710 i1:6").march("A1", "2815 2814").rest()
    assert [case.holder(hex_) for hex_ in ("2815", "2814", "2813", "2715")] == ["german", "german", "soviet", "soviet"]


@pytest.mark.rule("DM-7.0e")
def test_an_activation_ends_when_its_owner_says(lay: Lay) -> None:
    case = lay("2820 I1:6").march("I1", "2821", EndActivation())
    case.rest()
    ended = case.one(events.ActivationEnded)
    assert (ended.units, ended.reacted) == (["I1"], [])


# --- picking up and dropping off ---


@pytest.mark.rule("DM-7.0n", "DM-7.0o")
def test_picking_up_costs_a_point_for_each_hex(lay: Lay) -> None:
    case = lay("2820 A1:6; 2821 I1:6 I2:6; 2822 I3:6").march("A1", "2821", PickUp(ids("I1 I2")))
    assert case.last(events.UnitsPickedUp).left == 4  # infantry with 4 points, 2 spent: 2 are left
    case.submit(Step("2822"))
    assert left(case) == 2
    assert case.allows(PickUp(["I3"]))
    case.submit(PickUp(["I3"])).rest()
    assert case.spent("A1 I1 I2 I3") == [True] * 4


@pytest.mark.rule("DM-7.0n")
def test_where_it_starts_it_may_pick_up_too(lay: Lay) -> None:
    """Two forces of one hex of which one was left at first: the point is paid all the same."""
    case = lay("2820 A1:6; 2821 A2:6").march("A1", "2821", PickUp(["A2"]))
    assert case.last(events.UnitsPickedUp).left == 8
    case.go(Step("2822")).rest()
    assert case.at("A1 A2") == "2822 2822"


@pytest.mark.rule("R-DM-31", "DM-7.0n")
@pytest.mark.parametrize(("unit", "option", "may"), [
    ("A2:6", "fresh_any_type", True), ("I2:6", "fresh_any_type", True), ("A2:6~", "fresh_any_type", False),
    ("A2:6!", "fresh_any_type", False), ("I2:6", "same_class", False), ("C2:6", "same_class", True),
])  # fmt: skip
def test_who_is_picked_up(lay: Lay, unit: str, option: str, may: bool) -> None:
    case = lay(f"2820 A1:6; 2821 {unit}", pickup_limits=option).march("A1", "2821")
    assert case.allows(PickUp([unit[:2]])) == may
    case.rest()


@pytest.mark.rule("R-DM-31", "DM-7.0n")
def test_who_is_left_standing_keeps_nobody_from_being_picked_up(lay: Lay) -> None:
    """Infantry, the spent, the demoralised and the slow come first in the stack, and M9 last."""
    for other in ("B2:4~", "B3:4!", "B4:4"):
        case = lay(f"2820 A1:6; 2821 {other} M9:6", pickup_limits="same_class").march("A1", "2821")
        assert case.allows(PickUp(["M9"])), other
        case.rest()
    far = lay("2820 A1:6; 2824 I1:4 M9:6").march("A1", "2821 2822 2823 2824")
    assert (far.allows(PickUp(["M9"])), far.allows(PickUp(["I1"]))) == (True, False)
    far.rest()


@pytest.mark.rule("R-DM-31", "DM-7.0o")
@pytest.mark.parametrize(("path", "may"), [("2821 2822 2823", True), ("2821 2822 2823 2824", False)])
def test_who_could_not_have_come_so_far_is_not(lay: Lay, path: str, may: bool) -> None:
    """Infantry has 4 points: three for the way and one for the pick-up, or four and one."""
    case = lay(f"2820 A1:6; {path.rsplit(maxsplit=1)[-1]} I1:6").march("A1", path)
    assert case.allows(PickUp(["I1"])) == may
    case.rest()


@pytest.mark.rule("DM-7.0p", "DM-7.0q")
def test_dropping_off_is_free_and_ends_the_units_operations(lay: Lay) -> None:
    case = lay("2820 A1:6 I1:6").march("A1 I1", "2821", DropOff(["I1"]), Step("2822"))
    assert case.spent("I1") == [True]
    assert case.at("A1 I1") == "2822 2821"
    case.rest()
    assert not case.allows(Activate(["I1"]))


@pytest.mark.rule("DM-7.0p", "DM-7.0j")
def test_the_rest_goes_at_its_own_pace(lay: Lay) -> None:
    """One of four points is spent when the infantry stays: the tanks have spent one of six."""
    case = lay("2820 A1:6 I1:6").march("A1 I1", "2821", DropOff(["I1"]))
    case.go(*(Step(hex_) for hex_ in ("2822", "2823", "2824", "2825", "2826")))
    assert not case.asks(Step)


@pytest.mark.rule("DM-7.0q")
def test_a_unit_dropped_cannot_be_taken_along_again(lay: Lay) -> None:
    case = lay("2820 A1:6 I1:6; 2823 A2:6").march("A1 I1", "2821", DropOff(["I1"]), EndActivation()).rest()
    case.march("A2", "2822 2821")
    assert not case.allows(PickUp(["I1"]))
    case.rest()


@pytest.mark.rule("R-DM-80", "DM-2.8b", "R-DM-06")
def test_units_dropped_with_demoralized_friends_are_demoralized(lay: Lay) -> None:
    case = lay("2820 A1:6 I1:6; 2821 I2:6!~").march("A1 I1", "2821", DropOff(["I1"]), Step("2822")).rest()
    assert case.demoralized("A1 I1 I2") == [False, True, True]


# --- combat and the rest of the activation ---


@pytest.mark.rule("DM-7.0k")
def test_entering_the_enemy_costs_ground_and_plan(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:6", forest="2815", dice="attack 1; defence 66")
    case.attack("I1", "2815")
    assert case.one(events.ForceMoved).left == 4


@pytest.mark.rule("DM-7.0b", "DM-8.3c", "DM-2.8g")
def test_move_rally_and_fight_in_one_activation(lay: Lay) -> None:
    case = lay("2818 A1:6!; 2815 i1:6", dice="attack 1; defence 6")
    case.march("A1", "2817", Rally(), Step("2816"), Step("2815"), ChoosePlan("standard")).rest()
    assert case.one(events.ForceRallied).left == 6
    assert case.one(events.PlansRevealed).plan == "standard"


@pytest.mark.rule("R-DM-09", "DM-7.0b")
@pytest.mark.parametrize(("option", "goes_on"), [("ends_activation_except_ea", False), ("may_continue", True)])
def test_what_is_left_after_a_combat(lay: Lay, option: str, goes_on: bool) -> None:
    """Infantry wins, declines to exploit, and has two of four points left."""
    case = lay("2816 I1:6; 2815 i1:6", dice="attack 6; defence 1", after_combat=option)
    case.march("I1", "2815", ChoosePlan("standard"))
    case.until(lambda case: bool(case.events(events.ForceRetreated)))
    if case.allows(Decline()):
        case.submit(Decline())
    case.until(lambda case: case.asked.seat == "german")
    assert case.asks(Step) == goes_on
    if goes_on:
        case.submit(Step("2716"))
        assert left(case) == 2
    case.rest()


@pytest.mark.rule("R-DM-09", "DM-2.6.1p")
def test_a_meeting_engagement_after_a_reaction_is_a_combat(lay: Lay) -> None:
    case = lay("2817 A1:12; 2815 a1:6", dice="reaction 66; attack 66; defence 1; counter 1")
    case.march("A1", "2816", react("a1", "2815 2816"))
    case.until(lambda case: bool(case.events(events.CombatDecided)))
    assert case.one(events.CombatDecided).winner == "attacker"
    case.rest()
    assert [event.exploiting for event in case.events(events.ForceMoved)] == [False]


@pytest.mark.rule("R-DM-09", "DM-2.6.1j")
def test_a_hex_that_was_left_before_combat_stops_nobody(lay: Lay) -> None:
    case = lay("2816 A1:7; 2815 a1:6", dice="reaction 66")
    case.march("A1", "2815", avoid("a1", "2815 2814 2813"), Step("2715"), Step("2714")).rest()
    assert case.at("A1") == "2714"


@pytest.mark.rule("DM-7.0e", "DM-7.0f")
def test_after_it_both_are_spent(lay: Lay) -> None:
    case = lay("2817 A1:7; 2815 a1:6; 2813 a2:6", dice="reaction 11")
    case.march("A1", "2816", react("a1", "2815 2816"), EndActivation()).rest()
    ended = case.one(events.ActivationEnded)
    assert (ended.units, ended.reacted) == (["A1"], ["a1"])
    assert case.spent("A1 a1 a2") == [True, True, False]


# --- over-stacking ---


@pytest.mark.rule("DM-2.3c", "DM-2.3d", "DM-2.3e", "AGC-4.1b")
def test_too_many_at_the_end_of_operations_and_their_owner_says_who_goes(lay: Lay) -> None:
    case = lay("2812 r1:2 r2:2; 2811 r3:2", side="soviet").march("r3", "2812", EndActivation()).rest()
    assert case.sp("r1 r2 r3") == [2, 2, 2]
    case.submit(EndPhase())
    case.to(LeaveOut)
    assert case.asked.seat == "soviet"
    assert all(case.allows(LeaveOut([unit])) for unit in ("r1", "r2", "r3"))
    assert not case.allows(LeaveOut([]))
    assert not case.allows(LeaveOut(["r1", "r2"]))
    case.submit(LeaveOut(["r2"])).until(lambda case: case.phase != "soviet.operations")
    assert case.sp("r1 r2 r3") == [2, 0, 2]
    assert case.standing("r2") == "eliminated"


@pytest.mark.rule("DM-2.3d")
def test_the_other_side_has_until_the_end_of_its_own_operations(lay: Lay) -> None:
    """Three Soviet regiments stand together in the German turn: nothing happens to them there."""
    case = lay("2818 I1:6; 2812 r1:2 r2:2 r3:2")
    case.submit(EndPhase()).to_phase("soviet.operations")
    assert case.sp("r1 r2 r3") == [2, 2, 2]
    case.march("r3", "2811", EndActivation()).rest()
    case.end()
    assert case.sp("r1 r2 r3") == [2, 2, 2]


@pytest.mark.rule("DM-2.3b", "AGC-4.1a")
def test_both_sides_fill_a_hex_each_by_itself(lay: Lay) -> None:
    case = lay("2816 I1:4 I2:4 I3:4 I4:4; 2815 i1:4 i2:4 i3:4", dice="attack 111; defence 11")
    case.march("I1 I2 I3 I4", "2815").until(lambda case: case.asks(ChoosePlan))
    assert case.at("I1 I4 i1 i3") == "2815 2815 2815 2815"
    case.rest()
    assert case.never(events.UnitsLeftOut)


@pytest.mark.rule("DM-2.1k")
def test_markers_do_not_count(lay: Lay) -> None:
    """A demoralised, spent unit is one unit, whatever lies on it."""
    case = lay("2812 i1:2!~ i2:2!~", side="soviet").end()
    assert case.sp("i1 i2") == [2, 2]


@pytest.mark.rule("DM-7.0b", "DM-2.7b", "DM-7.0n")
def test_units_cannot_be_picked_up_where_a_combat_is(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice="attack 1; defence 6").march("I1", "2815")
    assert not case.asks(PickUp)
    case.rest()


@pytest.mark.rule("DM-7.0a", "DM-2.1f", "DM-7.0q")
def test_fresh_units_leave_their_spent_comrades_behind(lay: Lay) -> None:
    case = lay("2820 I1:6 I2:6~")
    assert not case.allows(activate("I1 I2"))
    case.march("I1", "2821", EndActivation()).rest()
    assert case.at("I1 I2") == "2821 2820"


@pytest.mark.rule("DM-7.0j", "DM-3.0a")
def test_a_force_without_the_points_for_a_hex_does_not_enter_it(lay: Lay) -> None:
    case = lay("2820 I1:6", forest="2824").march("I1", "2821 2822 2823")
    assert case.refuses(Step("2824"))
    case.rest()


# --- attrition ---


def starved(lay: Lay, force: str, path: str, dice: str = "33", **more: Any) -> Case:
    """March a force in row 35, out of everybody's supply."""
    told = {"attrition": dice} if dice else {}
    case = lay(f"3520 {force}", dice=told | more.pop("more_dice", {}), **more)
    units = " ".join(word.split(":")[0] for word in force.split())
    return case.march(units, path, EndActivation()).rest()


@pytest.mark.rule("DM-9.0a", "DM-2.10d", "DM-2.10e")
@pytest.mark.parametrize(("unit", "path", "rolls"), [
    ("I1:6", "3521 3522", False), ("I1:6", "3521 3522 3523", True), ("A1:6", "3521 3522 3523", False),
    ("A1:6", "3521 3522 3523 3524", True), ("C1:6", "3521 3522", False), ("C1:6", "3521 3522 3523", True),
])  # fmt: skip
def test_more_than_half_the_allowance_without_supply(lay: Lay, unit: str, path: str, rolls: bool) -> None:
    case = starved(lay, unit, path, "44" if rolls else "")
    assert bool(case.events(events.AttritionRolled)) == rolls


@pytest.mark.rule("DM-9.0a", "DM-2.10d")
def test_a_supplied_force_does_not_roll(lay: Lay) -> None:
    case = lay("2820 I1:6").march("I1", "2821 2822 2823 2824").rest()
    assert case.never(events.AttritionRolled)


@pytest.mark.rule("DM-9.0a")
def test_supply_counts_where_it_ends(lay: Lay) -> None:
    case = lay("3320 I1:6").march("I1", "3220 3120 3020").rest()
    assert case.never(events.AttritionRolled)
    case = lay("3120 I1:6", dice="attrition 66").march("I1", "3220 3321 3421", EndActivation()).rest()
    assert len(case.events(events.AttritionRolled)) == 1


@pytest.mark.rule("DM-9.0a", "R-DM-40")
def test_the_slowest_who_began_sets_the_half_and_not_who_was_picked_up(lay: Lay) -> None:
    """Two points and one for the pick-up are half of A1's six; of the infantry's four they would be more."""
    case = lay("3520 A1:6; 3521 I1:6").march("A1", "3521", PickUp(["I1"]), Step("3522"), EndActivation())
    assert case.rest().never(events.AttritionRolled)


@pytest.mark.rule("DM-9.0b", "DM-9.0j")
@pytest.mark.parametrize(("sp", "dice", "points"), [
    (11, "35", 1), (20, "11", 6), (3, "11", 1), (3, "12", 1), (4, "14", 1), (5, "15", 0), (8, "34", 1), (12, "56", 1),
    (19, "66", 1), (15, "66", 0), (9, "46", 1), (9, "56", 0), (30, "24", 3), (7, "12", 2),
])  # fmt: skip
def test_the_attrition_table(lay: Lay, sp: int, dice: str, points: int) -> None:
    """Two infantry units: no modifier for a single unit, nor for a full hex."""
    first = (sp + 1) // 2
    case = starved(lay, f"I1:{first} I2:{sp - first}", "3521 3522 3523", dice)
    rolled = case.one(events.AttritionRolled)
    assert (rolled.modifiers, rolled.total, rolled.points) == ([], sum(map(int, dice)), points)
    assert sum(case.sp("I1 I2")) == sp - points


@pytest.mark.rule("DM-9.0c", "DM-9.0d", "DM-9.0e", "DM-9.0f", "R-DM-40")
@pytest.mark.parametrize(("force", "ground", "modifier"), [
    ("I1:6 I2:6", {}, 0), ("I1:6", {}, 1), ("I1:6 I2:6", {"town": "3523"}, 1), ("I1:6 I2:6", {"city": "3523"}, 1),
    ("I1:6 I2:6", {"major": "3523"}, 1), ("I1:6 I2:6", {"town": "3520"}, 0), ("I1:6! I2:6!", {}, -1),
    ("I1:6 I2:6 I3:6 I4:6", {}, -1), ("I1:6! I2:6! I3:6! I4:6!", {}, -2), ("I1:6", {"city": "3523"}, 2),
    ("I1:6!", {}, 0),
])  # fmt: skip
def test_its_modifiers(lay: Lay, force: str, ground: dict[str, str], modifier: int) -> None:
    units = force.replace("!", "")
    case = lay(f"3520 {force}", dice="attrition 34", **ground)
    case.march(" ".join(word.split(":")[0] for word in units.split()), "3521 3522 3523", EndActivation()).rest()
    rolled = case.one(events.AttritionRolled)
    assert sum(number for _, number in rolled.modifiers) == modifier
    assert rolled.total == 7 + modifier


@pytest.mark.rule("R-DM-40", "DM-9.0d", "DM-9.0f")
def test_all_friends_in_the_hex_are_counted_for_those(lay: Lay) -> None:
    case = lay("3520 I1:6; 3523 I2:6", dice="attrition 34").march("I1", "3521 3522 3523", EndActivation())
    rolled = case.rest().one(events.AttritionRolled)
    assert (rolled.units, rolled.modifiers) == (["I1"], [])
    assert case.sp("I2") == [6]


@pytest.mark.rule("R-DM-40")
def test_those_dropped_on_the_way_are_not_checked(lay: Lay) -> None:
    case = lay("3520 I1:6 I2:6", dice="attrition 11")
    case.march("I1 I2", "3521", DropOff(["I2"]), Step("3522"), Step("3523"), EndActivation()).rest()
    assert case.one(events.AttritionRolled).units == ["I1"]
    assert case.sp("I2") == [6]


@pytest.mark.rule("R-DM-22", "DM-9.0b")
@pytest.mark.parametrize(("force", "dice", "points"), [("I1:5! I2:5! I3:5! I4:5!", "11", 6), ("I1:20", "66", 1)])
def test_totals_beyond_the_table(lay: Lay, force: str, dice: str, points: int) -> None:
    case = lay(f"3520 {force}", dice={"attrition": dice})
    case.march(" ".join(word.split(":")[0] for word in force.split()), "3521 3522 3523", EndActivation()).rest()
    assert case.one(events.AttritionRolled).points == points


@pytest.mark.rule("DM-9.0g")
def test_the_strongest_takes_the_first_point_and_the_rest_go_anywhere(lay: Lay) -> None:
    case = lay("3520 I1:8 I2:3", dice="attrition 11").march("I1 I2", "3521 3522 3523", EndActivation())
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
    case = lay("3520 I1:2 I2:2", dice="attrition 11").march("I1 I2", "3521 3522 3523", EndActivation())
    case.rest()
    assert case.one(events.AttritionRolled).points == 2
    assert case.sp("I1 I2") == [1, 1]


@pytest.mark.rule("DM-9.0h")
def test_replacements_do_not_pay_for_attrition_and_the_rest_is_ignored(lay: Lay) -> None:
    case = lay("3520 I1:3 I2:1", dice="attrition 11", replacements={"german": 9})
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
    case = lay("3520 I1:6; 3519 i1:6", dice=dice).attack("I1", "3519")
    assert case.never(events.AttritionRolled)
    case = lay("3520 I1:6; 3518 i1:6", dice=dice | {"attrition": "66"}).attack("I1", "3519 3518")
    assert len(case.events(events.AttritionRolled)) == 1


FAR = "3520"
"""Seven rows from the railway."""


@pytest.mark.rule("DM-9.0a", "DM-8.12.2a", "R-DM-40")
def test_a_force_that_has_parted_is_checked_hex_by_hex(lay: Lay) -> None:
    """Three points across country and one for the plan; then each goes its own way."""
    case = lay(
        "3520 A1:6 A2:5; 3516 i1:1",
        dice="attack 66; defence 1; attrition:3515 66; attrition:3516 66",
        control={"soviet": "3516"},
    )
    case.march("A1 A2", "3519 3518 3517 3516", Exploit(["A1"]), Step("3515")).rest()
    assert [event.hex for event in case.events(events.AttritionRolled)] == ["3515", "3516"]
    assert [event.units for event in case.events(events.AttritionRolled)] == [["A1"], ["A2"]]


@pytest.mark.rule("DM-9.0a", "R-DM-40", "DM-7.0q")
def test_who_was_dropped_is_not_checked(lay: Lay) -> None:
    case = lay(f"{FAR} I1:6 I2:6", dice="attrition:3523 66")
    case.march("I1 I2", "3521", DropOff(["I2"]), Step("3522"), Step("3523"), EndActivation()).rest()
    assert case.one(events.AttritionRolled).units == ["I1"]


@pytest.mark.rule("DM-9.0a", "DM-8.3a")
@pytest.mark.parametrize("plan", ["penetration", "grand"])
def test_a_penetration_spends_everything_and_an_assault_what_it_costs(lay: Lay, plan: str) -> None:
    """One point and two for the assault are half of six, and not more."""
    rolled = plan == "penetration"
    case = lay("3520 A1:6; 3519 i1:1", dice={"attack": "6", "defence": "1"} | ({"attrition": "66"} if rolled else {}))
    case.go(DeclareAttack("3519"), PlanAttack(plan, ["A1"]))
    case.rest() if rolled else case.play(Step("3519"))
    assert len(case.events(events.AttritionRolled)) == rolled


@pytest.mark.rule("DM-9.0g", "DM-9.0h", "DM-8.8c")
def test_the_first_point_is_the_strongest_units_and_shares_are_secret(lay: Lay) -> None:
    case = lay(f"{FAR} I1:6 I2:4 I3:2", dice="attrition 12")
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
    case = lay(f"{FAR} I1:6", turn=1).march("I1", "3521 3522 3523", EndActivation()).rest()
    assert case.never(events.AttritionRolled)


@pytest.mark.rule("R-DM-40", "DM-2.4c")
def test_a_single_point_of_strength_loses_nothing(lay: Lay) -> None:
    """It is rolled for all the same: else the enemy would know that it is the last."""
    case = lay(f"{FAR} I1:1", dice="attrition 11")
    case.march("I1", "3521 3522 3523", EndActivation()).rest()
    assert case.one(events.AttritionRolled).points == 0
    assert case.sp("I1") == [1]


@pytest.mark.rule("DM-9.0c", "DM-9.0d", "DM-9.0e", "DM-9.0f", "R-DM-40")
@pytest.mark.parametrize(("units", "ground", "expected"), [
    ("I1:6", {}, {"single unit": 1}), ("I1:6 I2:6", {}, {}), ("I1:6 I2:6 I3:6 I4:6", {}, {"full hex": -1}),
    ("I1:6! I2:6", {}, {"demoralized": -1}), ("I1:6 I2:6", {"town": "3520"}, {"settled": 1}),
    ("I1:6", {"city": "3520"}, {"settled": 1, "single unit": 1}),
    ("I1:6! I2:6 I3:6 I4:6", {"major": "3520"}, {"settled": 1, "demoralized": -1, "full hex": -1}),
])  # fmt: skip
def test_what_changes_the_roll(lay: Lay, units: str, ground: dict[str, str], expected: dict[str, int]) -> None:
    state: DamosState = lay(f"{FAR} {units}", **ground).state
    force = ids(" ".join(word.split(":")[0] for word in units.split()))
    assert dict(modifiers_of(state, "german", FAR, force)) == expected
