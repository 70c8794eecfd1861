"""Operations and the order of a turn: activation, movement, pick-ups and stacking (DM-4, DM-7)."""

import pytest
from tests.plugins.damos.cases import Case, activate, ids, names, react
from tests.plugins.damos.conftest import Lay, Prepare

from damos.model import events
from damos.model.orders import (
    Activate,
    ChoosePlan,
    Decline,
    DropOff,
    EndActivation,
    EndPhase,
    LeaveOut,
    MoveStrategically,
    PickUp,
    Rally,
    Step,
)
from sandtable.kernel.decisions import Order
from sandtable.kernel.events import PhaseBegan


def left(case: Case) -> int:
    """Return the half points left to the active force, by the newest event."""
    moves = list(case.events(events.ForceMoved))
    return moves[-1].left


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
def test_exclusive_rules_replace_series_rules(prepare: Prepare) -> None:
    """By the series rules cities are sources of their holder. By the exclusive rules the Germans have the west edge."""
    board = prepare().board
    assert all(int(hex_[2:]) >= 29 for hex_ in board.sources["german"])


# --- activation ---


@pytest.mark.rule("DM-7.0a", "DM-2.1e", "DM-2.1f", "DM-7.0g", "DM-7.0q")
def test_a_fresh_force_activates_once(lay: Lay) -> None:
    case = lay("2816 I1:6 I4:6~; 2818 I2:6~; 2820 I3:6")
    assert case.allows(Activate(["I1"]))
    assert case.refuses(Activate(["I2"]))
    assert case.refuses(activate("I1 I4"))
    case.march("I1", "2817", EndActivation()).rest()
    assert case.at("I1 I4") == "2817 2816"
    assert case.spent("I1 I3") == [True, False]
    assert not case.allows(Activate(["I1"]))
    assert case.allows(Activate(["I3"]))


@pytest.mark.rule("DM-2.1d", "DM-2.1h", "DM-2.1i")
@pytest.mark.parametrize("units", ["i1", "I1 i1", "", "nobody", "I1 I2"])
def test_only_own_units_of_one_hex_are_a_force(lay: Lay, units: str) -> None:
    case = lay("2818 I1:6 H1:4; 2817 I2:6; 2815 i1:6")
    assert case.refuses(activate(units))
    assert case.allows(activate("I1 H1"))


@pytest.mark.rule("DM-7.0d")
def test_forces_without_a_zone_activate_before_forces_with_a_zone(lay: Lay) -> None:
    case = lay("2818 I1:6; 2820 I2:6; 2822 A1:6; 2824 A2:3 I3:3")
    case.march("I1", "2819", EndActivation()).rest()
    assert case.allows(Activate(["I2"]))
    case.march("A1", "2823", EndActivation()).rest()
    assert not case.allows(Activate(["I2"]))
    assert case.why_not(Activate(["I2"])) == "DM-7.0d"
    assert case.allows(activate("A2 I3"))


@pytest.mark.rule("DM-7.0d", "R-DM-32")
@pytest.mark.parametrize(("position", "option", "order", "zone", "closed"), [
    ("2820 A1:3 I1:6", "current", None, True, True), ("2820 I1:6 I2:6", "current", None, False, False),
    ("2820 C1:3", "current", None, True, True), ("2820 A1:3!", "current", None, False, False),
    ("2820 I1:6; 2821 A1:6", "set_at_activation", PickUp(["A1"]), False, False),
    ("2820 I1:6; 2821 A1:6", "current", PickUp(["A1"]), False, True),
    ("2820 A1:6 I1:6", "set_at_activation", DropOff(["A1"]), True, True),
    ("2820 A1:6 I1:6", "current", DropOff(["A1"]), True, True),
])  # fmt: skip
def test_force_with_a_zone_ends_activations_of_forces_without_one(
    lay: Lay, position: str, option: str, order: PickUp | DropOff | None, zone: bool, closed: bool
) -> None:
    """By option, the class of a force is set when it activates, or changes when it picks up units."""
    case = lay(f"{position}; 2824 I9:6", class_after_pickup=option)
    orders = [order, EndActivation()] if order else [EndActivation()]
    case.march(names(position), "2821", *orders).rest()
    assert case.one(events.ForceActivated).zone == zone
    assert case.allows(Activate(["I9"])) == (not closed)


@pytest.mark.rule("DM-7.0i")
def test_operations_may_end_at_any_time(lay: Lay) -> None:
    assert lay("2818 I1:6").end().never(events.ForceActivated)


@pytest.mark.full
@pytest.mark.rule("DM-7.0h", "DM-11.0b", "DM-11.0a", "DM-7.0f", "DM-2.6.1s")
@pytest.mark.parametrize(("option", "spent"), [("yes", True), ("no", False)])
def test_a_unit_that_reacted_does_not_activate_in_its_next_turn(lay: Lay, option: str, spent: bool) -> None:
    case = lay("2817 A1:7; 2815 a1:6", dice="reaction 11", failed_reaction_spent=option)
    case.march("A1", "2816", react("a1", "2815 2816"), EndActivation()).rest()
    case.to_phase("soviet.strategic")
    assert case.spent("A1 a1") == [False, spent]
    assert case.accepts(MoveStrategically)
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
def test_terrain_costs_movement_points(lay: Lay, unit: str, ground: dict[str, str], halves: int) -> None:
    case = lay(f"2818 {unit}", **ground).march(unit[:2], "2817")
    moved = case.one(events.ForceMoved)
    assert (moved.start, moved.hex, moved.halves) == ("2818", "2817", halves)
    assert moved.left == (8 if unit.startswith("I") else 12) - halves


LIMITS = {limit: {"pickup_limits": limit} for limit in ("fresh_any_type", "same_class")}
ORDERS: dict[str, list[tuple[str, dict[str, str], str, Order, bool]]] = {
    "tracked and wheeled units stay out of a marsh (DM-3.0a)": [
        (f"2618 {unit}1:6", {"marsh": "2617"}, "", Step("2617"), unit in "CI") for unit in "AMTCI"
    ],
    "a step leads to a neighboring hex (DM-7.0j)": [
        ("2818 I1:6", {}, "", Step(hex_), False) for hex_ in ("2816", "2818", "2618", "9999", "2831")
    ],
    "a step requires its points (DM-7.0j)": [
        ("2820 I1:6", {"forest": "2824"}, "2821 2822 2823", Step("2824"), False),
    ],
    "only fresh units are picked up, by option of the same class (R-DM-31)": [
        ("2820 A1:6; 2821 A2:6", LIMITS["fresh_any_type"], "2821", PickUp(["A2"]), True),
        ("2820 A1:6; 2821 I2:6", LIMITS["fresh_any_type"], "2821", PickUp(["I2"]), True),
        ("2820 A1:6; 2821 A2:6~", LIMITS["fresh_any_type"], "2821", PickUp(["A2"]), False),
        ("2820 A1:6; 2821 A2:6!", LIMITS["fresh_any_type"], "2821", PickUp(["A2"]), False),
        ("2820 I1:6; 2821 I2:6!", {}, "2821", PickUp(["I2"]), False),
        ("2820 A1:6; 2821 I2:6", LIMITS["same_class"], "2821", PickUp(["I2"]), False),
        ("2820 A1:6; 2821 C2:6", LIMITS["same_class"], "2821", PickUp(["C2"]), True),
    ],
    "a unit that stays behind does not prevent a pick-up (DM-7.0n)": [
        *((f"2820 A1:6; 2821 {each} M9:6", LIMITS["same_class"], "2821", PickUp(["M9"]), True)
          for each in ("B2:4~", "B3:4!", "B4:4")),
        *(("2820 A1:6; 2824 I1:4 M9:6", {}, "2821 2822 2823 2824", PickUp([unit]), unit == "M9")
          for unit in ("M9", "I1")),
    ],
    "a picked-up unit pays for the path and the pick-up (DM-7.0o)": [
        ("2820 A1:6; 2823 I1:6", {}, "2821 2822 2823", PickUp(["I1"]), True),
        ("2820 A1:6; 2824 I1:6", {}, "2821 2822 2823 2824", PickUp(["I1"]), False),
    ],
    "a demoralized unit does not attack or enter an enemy zone, even with a friend in it (DM-2.8d)": [
        ("2816 A1:6!; 2815 i1:6!", {}, "", Step("2815"), False),
        ("2818 A1:6!; 2815 i1:6", {}, "2817", Step("2816"), False),
        ("2818 A1:6!; 2815 i1:6!", {}, "2817", Step("2816"), True),
        ("2818 A1:6!; 2815 a1:6~", {}, "2817", Step("2816"), False),
        ("2817 A1:6!; 2816 I1:6; 2815 i1:6", {}, "", Step("2816"), False),
    ],
    "a rally requires supply, two points and a hex outside enemy zones (DM-2.8g, DM-2.10d, DM-7.0l)": [
        ("2820 I1:6!", {}, "", Rally(), True), ("3320 I1:6!", {}, "", Rally(), False),
        ("2816 I1:6!; 2815 i1:6", {}, "", Rally(), False), ("2816 I1:6!; 2815 i1:6!", {}, "", Rally(), True),
        ("2816 I1:6! I2:6!; 2815 i1:6", {}, "", Rally(), False), ("2816 I1:6", {}, "", Rally(), False),
        ("2820 I1:6!", {}, "2821 2822", Rally(), True), ("2820 I1:6!", {}, "2821 2822 2823", Rally(), False),
    ],
}  # fmt: skip
"""Legal and refused orders of the first force by rule: position, options and terrain, path of the force, order."""


@pytest.mark.rule("DM-2.8d", "DM-2.8g", "DM-2.10d", "DM-3.0a", "DM-7.0j", "DM-7.0l", "DM-7.0n", "DM-7.0o")
@pytest.mark.rule("R-DM-31", "R-DM-50")
@pytest.mark.parametrize(("position", "more", "path", "order", "legal"), [
    pytest.param(*each, id=f"{rule} {number}") for rule, rows in ORDERS.items() for number, each in enumerate(rows, 1)
])  # fmt: skip
def test_an_order_of_the_active_force_is_legal_or_refused(
    lay: Lay, position: str, more: dict[str, str], path: str, order: Order, legal: bool
) -> None:
    case = lay(position, **more).march(names(position), path)
    assert case.allows(order) == legal
    assert legal or case.refuses(order)


@pytest.mark.rule("DM-7.0b", "DM-2.7b", "DM-7.0n")
def test_no_unit_is_picked_up_in_a_combat_hex(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice="attack 1; defense 6").march("I1", "2815")
    assert not case.accepts(PickUp)


@pytest.mark.rule("DM-7.0j")
def test_the_slowest_unit_sets_the_allowance(lay: Lay) -> None:
    case = lay("2820 A1:6 I1:6").march("A1 I1", "2821 2822 2823 2824")
    assert left(case) == 0
    assert not case.accepts(Step)


@pytest.mark.rule("DM-2.5f")
def test_zones_of_control_do_not_stop_movement(lay: Lay) -> None:
    case = lay("2818 A1:6; 2716 i1:6; 2916 i2:6", dice="attrition 66").march("A1", "2817 2816 2815 2814")
    assert left(case) == 4


@pytest.mark.rule("DM-2.9a", "DM-2.9c")
def test_a_force_takes_control_of_the_hexes_it_moves_through(lay: Lay) -> None:
    case = lay("2816 A1:6; 2710 i1:6").march("A1", "2815 2814").rest()
    assert [case.holder(hex_) for hex_ in ("2815", "2814", "2813", "2715")] == ["german", "german", "soviet", "soviet"]


@pytest.mark.rule("DM-7.0e")
def test_the_owner_ends_an_activation(lay: Lay) -> None:
    case = lay("2820 I1:6").march("I1", "2821", EndActivation())
    case.rest()
    ended = case.one(events.ActivationEnded)
    assert (ended.units, ended.reacted) == (["I1"], [])


# --- picking up and dropping off ---


@pytest.mark.rule("DM-7.0n", "DM-7.0o")
def test_a_pick_up_costs_a_point_for_each_hex(lay: Lay) -> None:
    case = lay("2820 A1:6; 2821 I1:6 I2:6; 2822 I3:6").march("A1", "2821", PickUp(ids("I1 I2")))
    assert case.last(events.UnitsPickedUp).left == 4  # infantry with 4 points, 2 of them spent
    case.submit(Step("2822"))
    assert left(case) == 2
    assert case.allows(PickUp(["I3"]))
    case.submit(PickUp(["I3"])).rest()
    assert case.spent("A1 I1 I2 I3") == [True] * 4


@pytest.mark.rule("DM-7.0n")
def test_a_pick_up_costs_an_armored_force_a_point(lay: Lay) -> None:
    case = lay("2820 A1:6; 2821 A2:6").march("A1", "2821", PickUp(["A2"]))
    assert case.last(events.UnitsPickedUp).left == 8
    case.go(Step("2822")).rest()
    assert case.at("A1 A2") == "2822 2822"


@pytest.mark.rule("DM-7.0p", "DM-7.0q")
def test_dropping_off_is_free_and_spends_the_unit(lay: Lay) -> None:
    case = lay("2820 A1:6 I1:6").march("A1 I1", "2821", DropOff(["I1"]), Step("2822"))
    assert case.spent("I1") == [True]
    assert case.at("A1 I1") == "2822 2821"
    case.rest()
    assert not case.allows(Activate(["I1"]))


@pytest.mark.rule("DM-7.0p", "DM-7.0j")
def test_the_remaining_force_moves_at_its_own_allowance(lay: Lay) -> None:
    """One of four points is spent when the infantry stays. The tanks have spent one of six."""
    case = lay("2820 A1:6 I1:6").march("A1 I1", "2821", DropOff(["I1"]))
    case.go(*(Step(hex_) for hex_ in ("2822", "2823", "2824", "2825", "2826")))
    assert not case.accepts(Step)


@pytest.mark.rule("DM-7.0q")
def test_a_dropped_unit_cannot_be_picked_up_again(lay: Lay) -> None:
    case = lay("2820 A1:6 I1:6; 2823 A2:6").march("A1 I1", "2821", DropOff(["I1"]), EndActivation()).rest()
    case.march("A2", "2822 2821")
    assert not case.allows(PickUp(["I1"]))


# --- combat and the rest of the activation ---


@pytest.mark.rule("DM-7.0k")
def test_an_attack_pays_for_terrain_and_plan(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:6", forest="2815", dice="attack 1; defense 66")
    case.attack("I1", "2815")
    assert case.one(events.ForceMoved).left == 4


@pytest.mark.rule("DM-7.0b", "DM-8.3c", "DM-2.8g")
def test_a_force_moves_rallies_and_fights_in_one_activation(lay: Lay) -> None:
    case = lay("2818 A1:6!; 2815 i1:6", dice="attack 1; defense 6")
    case.march("A1", "2817", Rally(), Step("2816"), Step("2815"), ChoosePlan("standard")).rest()
    assert case.one(events.ForceRallied).left == 6
    assert case.one(events.PlansRevealed).plan == "standard"


@pytest.mark.rule("R-DM-09", "DM-7.0b")
@pytest.mark.parametrize(("option", "continues"), [("ends_activation_except_ea", False), ("may_continue", True)])
def test_a_force_may_continue_after_a_combat_by_option(lay: Lay, option: str, continues: bool) -> None:
    """Infantry wins, declines to exploit, and has two of four points left."""
    case = lay("2816 I1:6; 2815 i1:6", dice="attack 6; defense 1", after_combat=option)
    case.march("I1", "2815", ChoosePlan("standard"))
    case.until(lambda case: bool(case.events(events.ForceRetreated)))
    if case.allows(Decline()):
        case.submit(Decline())
    case.until(lambda case: case.pending.seat == "german")
    assert case.accepts(Step) == continues
    if continues:
        case.submit(Step("2716"))
        assert left(case) == 2


@pytest.mark.rule("R-DM-09", "DM-2.6.1p")
def test_a_meeting_engagement_after_a_reaction_is_a_combat(lay: Lay) -> None:
    case = lay("2817 A1:12; 2815 a1:6", dice="reaction 66; attack 66; defense 1; counter 1")
    case.march("A1", "2816", react("a1", "2815 2816"))
    case.until(lambda case: bool(case.events(events.CombatDecided)))
    assert case.one(events.CombatDecided).winner == "attacker"
    case.rest()
    assert [event.exploiting for event in case.events(events.ForceMoved)] == [False]


# --- excess units ---


@pytest.mark.rule("DM-2.3c", "DM-2.3d", "DM-2.3e", "AGC-4.1b")
def test_the_owner_names_the_excess_unit_at_the_end_of_operations(lay: Lay) -> None:
    case = lay("2812 r1:2 r2:2; 2811 r3:2", side="soviet").march("r3", "2812", EndActivation()).rest()
    assert case.sp("r1 r2 r3") == [2, 2, 2]
    case.submit(EndPhase())
    case.to(LeaveOut)
    assert case.pending.seat == "soviet"
    assert all(case.allows(LeaveOut([unit])) for unit in ("r1", "r2", "r3"))
    assert not case.allows(LeaveOut([]))
    assert not case.allows(LeaveOut(["r1", "r2"]))
    case.submit(LeaveOut(["r2"])).until(lambda case: case.phase != "soviet.operations")
    assert case.sp("r1 r2 r3") == [2, 0, 2]
    assert case.standing("r2") == "eliminated"


@pytest.mark.rule("DM-2.3d")
def test_excess_units_of_the_other_side_stay_until_its_operations_end(lay: Lay) -> None:
    """Three Soviet regiments are in one hex in the German turn, and leave it in their own."""
    case = lay("2818 I1:6; 2812 r1:2 r2:2 r3:2")
    case.submit(EndPhase()).to_phase("soviet.operations")
    assert case.sp("r1 r2 r3") == [2, 2, 2]
    case.march("r3", "2811", EndActivation()).rest()
    case.end()
    assert case.sp("r1 r2 r3") == [2, 2, 2]


@pytest.mark.rule("DM-2.3b", "AGC-4.1a")
def test_both_sides_fill_a_combat_hex_to_their_limits(lay: Lay) -> None:
    case = lay("2816 I1:4 I2:4 I3:4 I4:4; 2815 i1:4 i2:4 i3:4", dice="attack 111; defense 11")
    case.march("I1 I2 I3 I4", "2815").until(lambda case: case.accepts(ChoosePlan))
    assert case.at("I1 I4 i1 i3") == "2815 2815 2815 2815"
    case.rest()
    assert case.never(events.UnitsLeftOut)


@pytest.mark.rule("DM-2.1k")
def test_markers_do_not_count_for_stacking(lay: Lay) -> None:
    """A demoralized, spent unit counts as one unit."""
    case = lay("2812 i1:2!~ i2:2!~", side="soviet").end()
    assert case.sp("i1 i2") == [2, 2]
