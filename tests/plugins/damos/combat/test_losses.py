"""Loss points: the ladder with its symbols, who absorbs them, replacements that pay for them."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case, losses
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import ChoosePlan
from damos.model.tables import lp_moved, lp_number, lp_rank, lp_sum


def hit(lay: Lay, defenders: str, attack: str = "56", **more: Any) -> Case:
    """Let 7 strength points attack, for 3 loss points with an 11, up to the defender's question how to take them."""
    case = lay(f"2816 I1:7; 2815 {defenders}", dice={"attack": attack, "defence": "*"}, **more)
    return case.march("I1", "2815", ChoosePlan("standard")).to_losses("soviet")


# --- the ladder ---


@pytest.mark.rule("DM-8.7a", "DM-8.7b", "DM-8.7c", "DM-8.7d", "R-DM-14")
@pytest.mark.parametrize(("before", "by", "after"), [
    ("0", 1, "0h"), ("0h", 1, "0d"), ("0d", 1, "1"), ("1", 1, "1h"), ("1h", 1, "1d"), ("1d", 1, "2"), ("2", 1, "3"),
    ("3", 1, "4"), ("1d", 2, "3"), ("0", -1, "0"), ("0h", -1, "0"), ("0h", -2, "0"), ("1", -1, "0d"), ("2", -1, "1d"),
    ("3", -1, "2"), ("3", -2, "1d"), ("5", -2, "3"), ("0", 7, "3"),
])  # fmt: skip
def test_loss_points_move_step_by_step(before: str, by: int, after: str) -> None:
    assert lp_moved(before, by) == after


@pytest.mark.rule("DM-8.7a")
def test_the_order_of_loss_points() -> None:
    order = ["0", "0h", "0d", "1", "1h", "1d", "2", "3", "4", "5", "6", "7"]
    assert sorted(order, key=lp_rank) == order
    assert [lp_number(token) for token in order] == [0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 6, 7]


@pytest.mark.rule("R-DM-47")
@pytest.mark.parametrize(("initial", "added", "kept", "dropped"), [
    ("0h", 0, "0h", "0"), ("1d", 0, "1d", "1"), ("0d", 1, "1d", "1"), ("0", 1, "1", "1"), ("1h", 1, "2", "2"),
    ("1d", 2, "3", "3"), ("2", 0, "2", "2"), ("4", 3, "7", "7"),
])  # fmt: skip
def test_symbols_when_a_counterattack_adds_to_them(initial: str, added: int, kept: str, dropped: str) -> None:
    assert lp_sum(initial, added, "keep_if_total_below_2") == kept
    assert lp_sum(initial, added, "drop") == dropped


@pytest.mark.rule("DM-8.8a", "DM-2.1l")
@pytest.mark.parametrize(
    ("die", "on_defender", "left"), [("1", "0", 6), ("2", "0h", 6), ("3", "0d", 6), ("4", "1", 5), ("6", "1h", 5)]
)
def test_only_the_number_costs_strength(lay: Lay, die: str, on_defender: str, left: int) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice={"attack": die, "defence": "1"}).attack("I1", "2815")
    assert case.one(events.CombatResolved).on_defender == on_defender
    assert case.sp("i1") == [left]


@pytest.mark.rule("DM-8.2f", "DM-8.7b")
@pytest.mark.parametrize(("die", "on_attacker", "left"), [("12", "1h", 5), ("15", "2", 4), ("16", "3", 3)])
def test_the_matrix_changes_the_points_before_they_are_absorbed(
    lay: Lay, die: str, on_attacker: str, left: int
) -> None:
    """One step more for the attacker by standard attack against counterattack: 1 is 1h, 1d is 2, and 2 is 3."""
    case = lay("2816 I1:6; 2815 a1:7", dice={"attack": "1", "defence": die, "*": "*"}).attack("I1", "2815")
    assert case.one(events.CombatResolved).on_attacker == on_attacker
    assert case.sp("I1") == [left]


# --- absorption ---


@pytest.mark.rule("DM-8.8b", "DM-8.8c", "DM-8.2g")
@pytest.mark.parametrize(("shares", "refused"), [
    ("i1:3", False), ("i1:1 i2:2", False), ("i1:2 i2:1", False), ("i1:1 i2:1 i3:1", False), ("i2:3", True),
    ("i2:2 i3:1", True), ("i1:2", True), ("i1:4", True), ("i1:1 i2:1", True),
])  # fmt: skip
def test_the_largest_takes_at_least_half_rounded_down(lay: Lay, shares: str, refused: bool) -> None:
    case = hit(lay, "i1:5 i2:4 i3:1")
    assert (case.why_not(losses(shares)) != "") == refused
    case.rest()


@pytest.mark.rule("DM-8.8b")
def test_a_refusal_names_the_rule(lay: Lay) -> None:
    case = hit(lay, "i1:5 i2:4")
    assert case.why_not(losses("i2:3")) == "DM-8.8b"
    assert case.refuses(losses("i2:3"))
    case.rest()


@pytest.mark.rule("DM-8.8b")
def test_current_strength_counts_not_the_printed_one(lay: Lay) -> None:
    case = hit(lay, "i1:3/9 i2:4/4")
    assert not case.allows(losses("i1:3"))
    assert case.allows(losses("i2:3"))
    case.rest()


@pytest.mark.rule("DM-8.8b")
def test_the_ground_makes_nobody_larger(lay: Lay) -> None:
    """3 and 3 in a forest: 7 for the column, and either may take all."""
    case = hit(lay, "i1:3 i2:3", forest="2815")
    assert case.allows(losses("i1:3"))
    assert case.allows(losses("i2:3"))
    case.rest()


@pytest.mark.rule("R-DM-15")
def test_of_equals_the_owner_chooses_who_is_largest(lay: Lay) -> None:
    case = hit(lay, "i1:4 i2:4 i3:2")
    assert case.allows(losses("i1:3"))
    assert case.allows(losses("i2:3"))
    assert case.allows(losses("i2:1 i3:2"))
    assert not case.allows(losses("i3:2"))
    case.rest()


@pytest.mark.rule("R-DM-15", "DM-8.8d", "DM-2.4b")
def test_what_the_largest_cannot_take_passes_to_the_others(lay: Lay) -> None:
    """Six loss points on 3: nobody is left, and three are surplus."""
    case = lay("2816 I1:18; 2815 i1:2 i2:1", dice="attack 666; defence 1").attack("I1", "2815")
    taken = next(event for event in case.events(events.LossesTaken) if event.side == "soviet")
    assert (taken.points, taken.surplus) == (6, 3)
    assert case.sp("i1 i2") == [0, 0]
    assert case.standing("i1") == case.standing("i2") == "eliminated"
    assert case.never(events.ForceRetreated)


@pytest.mark.rule("DM-2.4a", "DM-2.4b")
def test_a_unit_without_strength_leaves_the_map(lay: Lay) -> None:
    case = hit(lay, "i1:3 i2:3").play(losses("i1:3"))
    gone = case.one(events.UnitsEliminated)
    assert (gone.units, gone.hex, gone.why) == (["i1"], "2815", "losses")
    assert (case.standing("i1"), case.at("i1"), case.sp("i2")) == ("eliminated", "-", [3])


@pytest.mark.rule("DM-8.8b")
def test_one_point_of_loss_is_free_to_go_anywhere(lay: Lay) -> None:
    """Half of one, rounded down, is nothing."""
    case = hit(lay, "i1:5 i2:1", attack="12")
    assert case.one(events.CombatResolved).on_defender == "1"
    assert case.allows(losses("i2:1"))
    case.rest()


@pytest.mark.rule("DM-8.2g", "DM-8.8b")
def test_both_sides_absorb(lay: Lay) -> None:
    case = lay("2816 I1:7 I2:6; 2815 i1:7", dice="attack 111; defence 56")
    case.attack("I1 I2", "2815", losses("I1:1 I2:2"))
    assert case.sp("I1 I2 i1") == [6, 4, 5]


# --- replacement points ---

STOCK = {"soviet": 5, "german": 3}


@pytest.mark.rule("AGC-4.5.1a", "R-DM-62")
def test_up_to_two_points_are_paid_with_replacements(lay: Lay) -> None:
    case = hit(lay, "i1:5 i2:4", replacements=STOCK)
    assert case.allows(losses("i1:3"))
    assert case.allows(losses("i1:2", 1))
    assert case.allows(losses("i1:1", 2))
    assert not case.allows(losses("", 3))
    case.play(losses("i1:1", 2))
    assert case.sp("i1 i2") == [4, 4]
    assert case.state.replacements["soviet"] == 3


@pytest.mark.rule("R-DM-62", "DM-8.8b")
def test_half_is_half_of_what_remains(lay: Lay) -> None:
    case = hit(lay, "i1:5 i2:4", replacements=STOCK)
    assert case.allows(losses("i2:1", 2))
    assert case.allows(losses("i1:1 i2:1", 1))
    assert not case.allows(losses("i2:2", 1))
    case.rest()


@pytest.mark.rule("R-DM-62", "DM-8.10a")
def test_the_winner_is_decided_by_the_full_points(lay: Lay) -> None:
    """1 against 1 less one that is paid for: still a tie, and the defender has won."""
    case = lay("2816 I1:6; 2815 i1:6", dice="attack 4; defence 4", replacements=STOCK)
    case.attack("I1", "2815", losses("", 1))
    decided = case.one(events.CombatDecided)
    assert (decided.winner, decided.on_attacker, decided.on_defender) == ("defender", "1", "1")


@pytest.mark.rule("AGC-4.5.1a")
def test_not_more_is_paid_than_there_is(lay: Lay) -> None:
    case = hit(lay, "i1:5 i2:4", replacements={"soviet": 1, "german": 9})
    assert case.allows(losses("i1:2", 1))
    assert not case.allows(losses("i1:1", 2))
    case.rest()


@pytest.mark.rule("AGC-4.5.1b")
def test_only_a_supplied_force_pays(lay: Lay) -> None:
    case = lay("3416 I1:7; 3415 i1:3 i2:2", dice="attack 66; defence 1", replacements=STOCK)
    case.march("I1", "3415", ChoosePlan("standard")).to_losses("soviet")
    assert {order.replacements for order in case.loss_options("soviet")} == {0}
    case.rest()


@pytest.mark.rule("R-DM-62")
def test_two_points_a_combat_counterattack_included(lay: Lay) -> None:
    """The Germans pay one in the first exchange, and may pay only one more after the counterattack."""
    case = lay("2816 A1:8; 2815 a1:7", dice="attack 35; defence 41; counter 6", replacements=STOCK)
    case.march("A1", "2815", ChoosePlan("standard")).to_losses("german").submit(losses("", 1))
    case.until(lambda case: bool(case.events(events.CounterattackResolved))).to_losses("german")
    assert max(order.replacements for order in case.loss_options("german")) == 1
    case.rest()


@pytest.mark.rule("R-DM-62")
@pytest.mark.parametrize(("option", "most"), [("per_combat_before_half", 2), ("per_player_turn", 1)])
def test_two_points_a_combat_or_a_player_turn(lay: Lay, option: str, most: int) -> None:
    case = lay(
        "2816 I1:7; 2716 I2:7; 2815 i1:9; 2615 i2:9",
        dice="attack 56,56; defence 11,11",
        replacements=STOCK,
        rp_absorb_limits=option,
    )
    case.attack("I1", "2815", losses("i1:2", 1))
    case.march("I2", "2615", ChoosePlan("standard")).to_losses("soviet")
    assert max(order.replacements for order in case.loss_options("soviet")) == most
    case.rest()
