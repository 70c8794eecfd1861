"""Loss points: shares of a force, and replacement points that pay for them (DM-8.7, DM-8.8, AGC-4.5.1)."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugins.damos.cases import Case, losses
from tests.plugins.damos.conftest import Lay
from tests.plugins.damos.positions import prepared_for

from damos.combat.exchange import payable
from damos.combat.losses import ATTRITION, COMBAT, DEMORALIZED, LossRule, LossShare
from damos.model import events, orders
from damos.model.orders import ChoosePlan, TakeLosses
from damos.model.state import DamosState
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream


def hit(lay: Lay, defenders: str, attack: str = "56", **more: Any) -> Case:
    """Let 7 strength points attack and inflict 3 loss points with an 11. The defender has yet to take its losses."""
    case = lay(f"2816 I1:7; 2815 {defenders}", dice={"attack": attack, "defense": "*"}, **more)
    return case.march("I1", "2815", ChoosePlan("standard")).to_losses("soviet")


@pytest.mark.rule("DM-8.8a", "DM-2.1l")
@pytest.mark.parametrize(
    ("die", "on_defender", "left"), [("1", "0", 6), ("2", "0h", 6), ("3", "0d", 6), ("4", "1", 5), ("6", "1h", 5)]
)
def test_loss_costs_only_its_number_in_strength(lay: Lay, die: str, on_defender: str, left: int) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice={"attack": die, "defense": "1"}).attack("I1", "2815")
    assert case.one(events.CombatResolved).on_defender == on_defender
    assert case.sp("i1") == [left]


@pytest.mark.rule("DM-8.2f", "DM-8.7b")
@pytest.mark.parametrize(("die", "on_attacker", "left"), [("12", "1h", 5), ("15", "2", 4), ("16", "3", 3)])
def test_the_matrix_changes_loss_points_before_they_are_absorbed(
    lay: Lay, die: str, on_attacker: str, left: int
) -> None:
    """The counterattack posture adds one step: 1 becomes 1h, 1d becomes 2, and 2 becomes 3."""
    case = lay("2816 I1:6; 2815 a1:7", dice={"attack": "1", "defense": die, "*": "*"}).attack("I1", "2815")
    assert case.one(events.CombatResolved).on_attacker == on_attacker
    assert case.sp("I1") == [left]


# --- absorption ---


SHARES = [
    ("i1:5 i2:4 i3:1", {}, "i1:3; i1:1 i2:2; i1:2 i2:1; i1:1 i2:1 i3:1", "i2:3; i2:2 i3:1; i1:2; i1:4; i1:1 i2:1"),
    ("i1:3/9 i2:4/4", {}, "i2:3", "i1:3"),  # the current strength counts, not the printed strength
    ("i1:3 i2:3", {"forest": "2815"}, "i1:3; i2:3", ""),  # terrain makes no unit larger
    ("i1:4 i2:4 i3:2", {}, "i1:3; i2:3; i2:1 i3:2", "i3:2"),  # of equal units the owner chooses (R-DM-15)
    ("i1:5 i2:1", {"attack": "12"}, "i2:1", ""),  # half of one point, rounded down, is zero
    ("i1:5 i2:4", {"replacements": {"soviet": 5}}, "i1:3; i1:2 +1; i1:1 +2; i2:1 +2; i1:1 i2:1 +1", "+3; i2:2 +1"),
    ("i1:5 i2:4", {"replacements": {"soviet": 1, "german": 9}}, "i1:2 +1", "i1:1 +2"),
]
"""Defenders, and the shares of losses that are legal and refused. ``+1`` means one replacement point."""


def share(text: str) -> TakeLosses:
    taken, _, paid = text.partition("+")
    return losses(taken, int(paid or 0))


@pytest.mark.rule("DM-8.2g", "DM-8.8b", "DM-8.8c", "R-DM-15", "R-DM-62", "AGC-4.5.1a")
@pytest.mark.parametrize(("defenders", "more", "legal", "refused"), SHARES)
def test_the_largest_unit_takes_at_least_half_rounded_down(
    lay: Lay, defenders: str, more: dict[str, Any], legal: str, refused: str
) -> None:
    case = hit(lay, defenders, **more)
    assert [text for text in legal.split("; ") if not case.allows(share(text))] == []
    assert [text for text in refused.split("; ") if text and not case.why_not(share(text))] == []


@pytest.mark.rule("DM-8.8b")
def test_a_refused_share_cites_the_rule(lay: Lay) -> None:
    case = hit(lay, "i1:5 i2:4")
    assert case.why_not(losses("i2:3")) == "DM-8.8b"
    assert case.refuses(losses("i2:3"))


@pytest.mark.rule("AGC-4.5.1a", "R-DM-62")
def test_replacement_points_pay_for_loss_points(lay: Lay) -> None:
    case = hit(lay, "i1:5 i2:4", replacements=STOCK).play(losses("i1:1", 2))
    assert case.sp("i1 i2") == [4, 4]
    assert case.state.replacements["soviet"] == 3


@pytest.mark.rule("R-DM-15", "DM-8.8d", "DM-2.4b")
def test_points_that_the_largest_unit_cannot_take_pass_to_the_others(lay: Lay) -> None:
    """Six loss points on strength 3: no unit is left, and three points are surplus."""
    case = lay("2816 I1:18; 2815 i1:2 i2:1", dice="attack 666; defense 1").attack("I1", "2815")
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


@pytest.mark.rule("DM-8.2g", "DM-8.8b")
def test_both_sides_absorb_their_losses(lay: Lay) -> None:
    case = lay("2816 I1:7 I2:6; 2815 i1:7", dice="attack 111; defense 56")
    case.attack("I1 I2", "2815", losses("I1:1 I2:2"))
    assert case.sp("I1 I2 i1") == [6, 4, 5]


# --- replacement points ---

STOCK = {"soviet": 5, "german": 3}


@pytest.mark.rule("R-DM-62", "DM-8.10a")
def test_the_full_points_decide_the_winner(lay: Lay) -> None:
    """1 against 1, with one point paid for, is still a tie. The defender wins."""
    case = lay("2816 I1:6; 2815 i1:6", dice="attack 4; defense 4", replacements=STOCK)
    case.attack("I1", "2815", losses("", 1))
    decided = case.one(events.CombatDecided)
    assert (decided.winner, decided.on_attacker, decided.on_defender) == ("defender", "1", "1")


@pytest.mark.rule("AGC-4.5.1b")
def test_only_a_supplied_force_pays_with_replacements(lay: Lay) -> None:
    case = lay("3416 I1:7; 3415 i1:3 i2:2", dice="attack 66; defense 1", replacements=STOCK)
    case.march("I1", "3415", ChoosePlan("standard")).to_losses("soviet")
    assert {order.replacements for order in case.loss_options("soviet")} == {0}


@pytest.mark.rule("R-DM-62")
def test_two_replacement_points_per_combat_include_the_counterattack(lay: Lay) -> None:
    """The Germans pay one point in the first exchange, and may pay only one more after the counterattack."""
    case = lay("2816 A1:8; 2815 a1:7", dice="attack 35; defense 41; counter 6", replacements=STOCK)
    case.march("A1", "2815", ChoosePlan("standard")).to_losses("german").submit(losses("", 1))
    case.until(lambda case: bool(case.events(events.CounterattackResolved))).to_losses("german")
    assert max(order.replacements for order in case.loss_options("german")) == 1


@pytest.mark.rule("R-DM-62")
@pytest.mark.parametrize(("option", "most"), [("per_combat_before_half", 2), ("per_player_turn", 1)])
def test_two_replacement_points_per_combat_or_per_player_turn(lay: Lay, option: str, most: int) -> None:
    case = lay(
        "2816 I1:7; 2716 I2:7; 2815 i1:9; 2615 i2:9",
        dice="attack 56,56; defense 11,11",
        replacements=STOCK,
        rp_absorb_limits=option,
    )
    case.attack("I1", "2815", losses("i1:2", 1))
    case.march("I2", "2615", ChoosePlan("standard")).to_losses("soviet")
    assert max(order.replacements for order in case.loss_options("soviet")) == most


# --- shares of losses ---


LOSS_RULES = (COMBAT, ATTRITION, DEMORALIZED)


def shares_by_brute_force(space: LossShare) -> Iterator[TakeLosses]:
    """Yield the shares by brute force: every possible share, checked by the rule."""
    most = [range(sp + 1) for sp in space.strengths.values()]
    for paid in range(space.replacements + 1):
        for lost in product(*most):
            if is_allowed(space, dict(zip(space.strengths, lost, strict=True)), paid):
                yield TakeLosses({unit: n for unit, n in zip(space.strengths, lost, strict=True) if n}, paid)


def is_allowed(space: LossShare, lost: Mapping[str, int], paid: int) -> bool:
    left, keeps = space.points - paid, space.loss_rule.keeps
    limits = {unit: max(0, sp - keeps) for unit, sp in space.strengths.items()}
    top = max(space.strengths.values())
    least = min({COMBAT: left // 2, ATTRITION: min(left, 1), DEMORALIZED: left}[space.loss_rule], max(0, top - keeps))
    return (
        all(lost[unit] <= limits[unit] for unit in lost)
        and sum(lost.values()) == min(left, sum(limits.values()))
        and any(lost[unit] >= least for unit, sp in space.strengths.items() if sp == top)
    )


@pytest.mark.full
@pytest.mark.rule("DM-8.8b", "DM-8.8c", "DM-9.0g", "DM-9.0h", "R-DM-15", "R-DM-62", "AGC-4.5.1a")
@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=4),
    st.integers(1, 7),
    st.sampled_from(LOSS_RULES),
    st.integers(0, 2),
)
def test_listed_shares_of_losses_match_the_rule(sp: list[int], points: int, loss_rule: LossRule, paid: int) -> None:
    space = LossShare({f"u{place}": each for place, each in enumerate(sp)}, points, loss_rule, min(paid, points))
    shares = list(space.values())
    assert sorted(map(repr, shares)) == sorted(map(repr, shares_by_brute_force(space)))
    assert shares
    assert all(space.is_legal(share) for share in shares)
    stream = Stream(b"shares")
    assert all(space.sample(stream) in shares for _ in range(5))


@pytest.mark.rule("DM-8.8a", "DM-8.8b", "AGC-4.5.1a")
@pytest.mark.parametrize(("order", "rule"), [
    (TakeLosses({"a": 1, "b": 3}), "DM-8.8b"), (TakeLosses({"a": 4}), ""), (TakeLosses({"a": 3}), "DM-8.8a"),
    (TakeLosses({"a": 2, "b": 2, "c": 1}), "DM-8.8a"), (TakeLosses({"a": 4, "b": 0}), "DM-8.8a"),
    (TakeLosses({"a": 1, "b": 1}, 2), ""), (TakeLosses({"a": 1}, 3), "AGC-4.5.1a"), (orders.Decline(), "DM-8.8a"),
])  # fmt: skip
def test_a_refused_share_of_losses_cites_its_rule(order: Order, rule: str) -> None:
    refusal = LossShare({"a": 5, "b": 4}, 4, COMBAT, 2).why_not(order)
    assert (refusal.rule if refusal else "") == rule


@pytest.mark.rule("AGC-4.5.1a", "AGC-4.5.1b", "R-DM-62")
@pytest.mark.parametrize(("paid", "option", "most"), [
    (0, "per_combat_before_half", 2), (1, "per_combat_before_half", 2), (1, "per_player_turn", 1),
])  # fmt: skip
def test_payable_replacement_points_are_limited(paid: int, option: str, most: int) -> None:
    prepared = prepared_for("2815 I1:6", "2815 i1:6", {}, {"rp_absorb_limits": option})
    state: DamosState = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    state.replacements["german"], state.paid = 5, {"german": paid}
    assert payable(state, "german", 0) == most
    state.replacements["german"] = 1
    assert payable(state, "german", 0) == 1
