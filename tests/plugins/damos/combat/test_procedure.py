"""Combat: order of steps, plans and postures, strengths and terrain, modifiers, the results table, who takes part."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugins.damos.cases import Case, E, TableDice, ids, losses, quiet_order, react
from tests.plugins.damos.conftest import Lay
from tests.plugins.damos.positions import SIDES, prepared_for, stand

import damos
from damos.combat.battle import ATTACKER, DEFENDER, Battle, Outcome
from damos.combat.exchange import payable
from damos.combat.losses import ATTRITION, COMBAT, DEMORALIZED, LossRule, LossShare
from damos.combat.procedure import fight
from damos.model import events, handlers, orders
from damos.model.forces import units_in
from damos.model.orders import (
    ChoosePlan,
    ChoosePosture,
    KeepBenefit,
    LeaveOut,
    PickUp,
    Reroll,
    Rout,
    Step,
    TakeLosses,
    UseAir,
)
from damos.model.state import ELIMINATED, DamosState
from damos.model.tables import combat_result
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import GameEnded
from sandtable.kernel.handlers import functions_of
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, OrderRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import Phase, Procedure, SequenceOfPlay
from sandtable.plugin.manager import Prepared

EVEN = {"attack": "4", "defence": "4"}


def resolved(case: Case) -> events.CombatResolved:
    return case.one(events.CombatResolved)


def totals(modifiers: events.Modifiers) -> int:
    return sum(number for _, number in modifiers)


# --- where, when and who ---


@pytest.mark.rule("DM-2.7a", "DM-8.0a", "DM-7.0k", "DM-8.2b")
def test_forces_fight_in_the_hex_that_was_entered(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4 i2:2", dice="attack 4; defence 1")
    case.attack("I1", "2815", losses("i1:1"))
    began = case.one(events.CombatBegan)
    assert (began.hex, began.attackers, began.defenders, began.entry) == ("2815", ["I1"], ["i1", "i2"], "2816")
    assert (resolved(case).attack_strength, resolved(case).defence_strength) == (6, 6)


@pytest.mark.rule("DM-8.0a")
def test_on_the_other_players_turn_sides_are_swapped(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4", side="soviet", dice=EVEN).attack("i1", "2816")
    began = case.one(events.CombatBegan)
    assert (began.hex, began.attackers, began.defenders) == ("2816", ["i1"], ["I1"])


@pytest.mark.rule("DM-2.7b")
def test_a_neighbour_does_not_join_the_attack(lay: Lay) -> None:
    case = lay("2816 I1:6; 2716 I2:6; 2815 i1:4", dice=EVEN).attack("I1", "2815")
    assert case.one(events.CombatBegan).attackers == ["I1"]
    assert resolved(case).attack_strength == 6


@pytest.mark.rule("DM-2.7b", "DM-7.0n")
def test_who_is_picked_up_on_the_way_does(lay: Lay) -> None:
    case = lay("2817 I1:6; 2816 I2:6; 2815 i1:6", dice="attack 31; defence 1")
    case.march("I1", "2816", PickUp(["I2"]), Step("2815"), ChoosePlan("standard")).rest()
    assert case.one(events.CombatBegan).attackers == ["I1", "I2"]
    assert resolved(case).attack_strength == 12


@pytest.mark.rule("DM-8.2a", "DM-8.9c")
def test_the_steps_come_in_their_order(lay: Lay) -> None:
    case = lay("2816 A1:10; 2815 a1:6", dice="attack 44; defence 1; counter 1")
    case.attack("A1", "2815")
    steps = (
        events.CombatBegan,
        events.PlansRevealed,
        events.CombatResolved,
        events.LossesTaken,
        events.CounterattackResolved,
        events.CombatDecided,
        events.ForceRetreated,
        events.ForceDemoralized,
    )
    found = case.order_of(*steps)
    assert list(dict.fromkeys(found)) == [kind.__name__ for kind in steps]
    assert found.index("CounterattackResolved") > found.index("LossesTaken")


# --- attack plans ---


@pytest.mark.rule("DM-8.0b", "DM-8.3a", "DM-8.3c", "R-DM-11")
@pytest.mark.parametrize(
    ("start", "path", "standard"), [("2818", "2817 2816", True), ("2819", "2818 2817 2816", False)]
)
def test_a_standard_attack_needs_a_point_when_the_hex_is_paid(lay: Lay, start: str, path: str, standard: bool) -> None:
    case = lay(f"{start} I1:6; 2815 i1:6", dice=EVEN)
    case.march("I1", f"{path} 2815")
    case.until(lambda case: case.asks(ChoosePlan) or bool(case.events(events.PlansRevealed)))
    assert case.allows(ChoosePlan("standard")) == standard
    case.rest()
    assert case.one(events.PlansRevealed).plan == "meeting"


@pytest.mark.rule("DM-8.0b", "DM-8.1a", "DM-8.3d")
def test_concerted_plans_are_not_chosen_on_entering(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 i1:6", dice=EVEN)
    case.march("A1", "2815").to(ChoosePlan)
    assert not case.allows(ChoosePlan("grand"))
    assert not case.allows(ChoosePlan("penetration"))
    case.rest()


@pytest.mark.rule("DM-8.3a", "DM-8.5c", "DM-8.3b")
@pytest.mark.parametrize(("plan", "modifier", "inflicted"), [("meeting", -1, "0d"), ("standard", 0, "1")])
def test_the_plan_modifies_the_attackers_roll(lay: Lay, plan: str, modifier: int, inflicted: str) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice=EVEN).attack("I1", "2815", plan=plan)
    assert totals(resolved(case).attack_modifiers) == modifier
    assert (resolved(case).attack_total, resolved(case).on_defender) == (4 + modifier, inflicted)
    assert totals(resolved(case).defence_modifiers) == 0


@pytest.mark.rule("R-DM-13", "DM-8.4c", "DM-8.2d")
def test_plan_and_posture_are_asked_together_and_opened_together(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 a1:6", side="soviet", dice="attack 1; defence 4")
    case.march("a1", "2816").to(ChoosePlan)
    assert {decision.seat for decision in case.game.waiting()} == {"german", "soviet"}
    case.submit(ChoosePlan("standard"))
    assert case.never(events.PlansRevealed)
    case.submit(ChoosePosture("counterattack"))
    revealed = case.rest().one(events.PlansRevealed)
    assert (revealed.plan, revealed.posture) == ("standard", "counterattack")


@pytest.mark.rule("R-DM-13")
def test_or_the_defender_shows_his_posture_first(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 a1:6", side="soviet", dice="attack 1; defence 4", chit_reveal="defender_first")
    case.march("a1", "2816").to(ChoosePosture)
    assert [decision.seat for decision in case.game.waiting()] == ["german"]
    case.submit(ChoosePosture("counterattack"))
    case.to(ChoosePlan).submit(ChoosePlan("standard")).rest()
    assert case.one(events.PlansRevealed).posture == "counterattack"


# --- postures ---

GROUNDS = {"clear": {}, "forest": {"forest": "2816"}, "city": {"city": "2816"}, "major": {"major": "2816"}}


def postures_of(case: Case) -> list[str]:
    """Return what a German defender in 2816 may choose; his only choice may be made for him."""
    case.march("a1", "2816")
    case.until(lambda case: case.asks(ChoosePosture) or bool(case.events(events.PlansRevealed)))
    if case.asks(ChoosePosture):
        return case.postures()
    return [case.one(events.PlansRevealed).posture]


@pytest.mark.rule("DM-8.4a", "AGC-2.1a", "AGC-2.1c", "AGC-2.1d", "R-DM-53", "R-DM-83", "AGC-2.0a")
@pytest.mark.parametrize(("defender", "ground", "postures"), [
    ("A1:6", "clear", ["counterattack", "steadfast"]), ("M1:6", "clear", ["counterattack", "steadfast"]),
    ("T1:6", "clear", ["steadfast"]), ("I1:6", "clear", ["steadfast"]),
    ("I1:3 A1:3", "clear", ["counterattack", "steadfast"]), ("C1:6", "forest", ["delay", "steadfast"]),
    ("A1:6", "forest", ["counterattack", "delay", "steadfast"]), ("A1:6", "city", ["steadfast"]),
    ("A1:6", "major", ["steadfast"]),
])  # fmt: skip
def test_the_germans_choose_among_what_force_and_ground_allow(
    lay: Lay, defender: str, ground: str, postures: list[str]
) -> None:
    case = lay(f"2816 {defender}; 2815 a1:6", side="soviet", dice="attack *; defence *", **GROUNDS[ground])
    assert postures_of(case) == postures


@pytest.mark.rule("R-DM-53")
@pytest.mark.parametrize(("option", "ground", "forced"), [
    ("city_and_major_city", "major", True), ("city_only", "major", False), ("city_only", "city", True),
    ("city_and_major_city", "town", False),
])  # fmt: skip
def test_which_places_demand_steadfastness(lay: Lay, option: str, ground: str, forced: bool) -> None:
    case = lay("2816 A1:6; 2815 a1:6", side="soviet", dice="attack *; defence *", city_means=option, **{ground: "2816"})
    assert (postures_of(case) == ["steadfast"]) == forced


@pytest.mark.rule("AGC-2.1b", "AGC-2.1c", "DM-8.4e")
@pytest.mark.parametrize(("defender", "ground", "posture"), [
    ("a1:6", {}, "counterattack"), ("m1:6", {}, "counterattack"), ("i1:3 d1:3", {}, "counterattack"),
    ("i1:6", {}, "steadfast"), ("t1:6", {}, "steadfast"), ("c1:6", {"forest": "2815"}, "steadfast"),
    ("a1:6", {"forest": "2815"}, "counterattack"),
])  # fmt: skip
def test_the_soviets_must_counterattack_where_they_can(
    lay: Lay, defender: str, ground: dict[str, str], posture: str
) -> None:
    case = lay(f"2816 I1:6; 2815 {defender}", dice="attack 1; defence *", **ground)
    case.attack("I1", "2815")
    assert case.one(events.PlansRevealed).posture == posture


@pytest.mark.rule("R-DM-54", "AGC-2.1a", "AGC-2.1b")
@pytest.mark.parametrize(
    ("option", "posture"), [("steadfast_wins", "steadfast"), ("counterattack_wins", "counterattack")]
)
def test_soviet_armour_in_a_city(lay: Lay, option: str, posture: str) -> None:
    case = lay("2816 I1:6; 2815 a1:6", city="2815", dice="attack 1; defence 66", soviet_city_counterattack=option)
    case.attack("I1", "2815")
    assert case.one(events.PlansRevealed).posture == posture


@pytest.mark.rule("DM-2.8e", "DM-8.4d", "DM-8.5d", "DM-8.1f")
def test_a_demoralized_defender_chooses_nothing_and_helps_the_attacker(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 a1:6!", dice="attack 4; defence 6").attack("I1", "2815")
    assert case.one(events.PlansRevealed).posture == ""
    assert totals(resolved(case).attack_modifiers) == 1
    assert (resolved(case).attack_total, resolved(case).on_attacker) == (5, "1h")


# --- the combat matrix, plans on entering: the rest of it is in test_concerted.py ---


@pytest.mark.rule("DM-8.2a", "DM-8.4b", "DM-8.5e", "DM-8.5f", "DM-8.2f", "DM-8.7b", "R-DM-51")
@pytest.mark.parametrize(("plan", "posture", "on_defender", "on_attacker"), [
    ("meeting", "steadfast", "0d", "1"), ("meeting", "counterattack", "0d", "1h"), ("meeting", "delay", "0h", "0d"),
    ("standard", "steadfast", "1", "1"), ("standard", "counterattack", "1", "1h"), ("standard", "delay", "0d", "1"),
])  # fmt: skip
def test_the_matrix(lay: Lay, plan: str, posture: str, on_defender: str, on_attacker: str) -> None:
    """6 against 6, a 4 against a 5: 1 and 1 if nothing modified them."""
    case = lay("2816 A1:5; 2815 a1:6", side="soviet", forest="2816", dice="attack 4; defence 5")
    case.attack("a1", "2816", ChoosePosture(posture), plan=plan)
    assert (resolved(case).on_defender, resolved(case).on_attacker) == (on_defender, on_attacker)


# --- strengths, columns, dice ---


@pytest.mark.rule("DM-8.2a", "DM-8.6a", "DM-8.2e", "DM-8.6b")
@pytest.mark.parametrize(("strength", "column", "dice"), [
    (1, 1, 1), (2, 2, 1), (4, 3, 1), (6, 4, 1), (7, 5, 2), (8, 6, 2), (10, 7, 2), (12, 8, 2), (13, 9, 3), (18, 10, 3),
    (19, 11, 3), (23, 11, 3), (24, 12, 3), (40, 12, 3),
])  # fmt: skip
def test_strength_gives_column_and_number_of_dice(lay: Lay, strength: int, column: int, dice: int) -> None:
    faces = {"attack": "1" * dice, "defence": "1"}
    case = lay(f"2816 I1:{strength}; 2815 i1:5", dice=faces).attack("I1", "2815")
    assert (resolved(case).attack_column, len(resolved(case).attack_dice)) == (column, dice)


@pytest.mark.rule("DM-8.2c", "DM-3.0a", "R-DM-50")
@pytest.mark.parametrize(("ground", "attack", "defence"), [
    ({}, 6, 6), ({"forest": "2815"}, 6, 7), ({"town": "2815"}, 6, 6), ({"city": "2815"}, 6, 8),
    ({"major": "2815"}, 6, 10), ({"marsh": "2815"}, 4, 7), ({"river": "2816/2815"}, 5, 6),
    ({"river": "2815/2814"}, 6, 6), ({"river": "2816/2815", "forest": "2815"}, 5, 7), ({"forest": "2816"}, 6, 6),
])  # fmt: skip
def test_the_ground_changes_strengths(lay: Lay, ground: dict[str, str], attack: int, defence: int) -> None:
    dice = {"attack": "1", "defence": "6" * (1 if defence <= 6 else 2)}
    case = lay("2816 I1:6; 2815 i1:6", dice=dice, **ground).attack("I1", "2815")
    assert (resolved(case).attack_strength, resolved(case).defence_strength) == (6, 6)
    assert (resolved(case).attack_modified, resolved(case).defence_modified) == (attack, defence)


@pytest.mark.rule("DM-8.2c")
@pytest.mark.parametrize(("strength", "modified"), [(1, 0), (6, 5), (7, 5), (12, 10), (13, 10), (24, 20)])
def test_a_river_costs_one_for_each_six_or_part_of_six(lay: Lay, strength: int, modified: int) -> None:
    dice = {"attack": "1" * (1 + (modified > 6) + (modified > 12)), "defence": "6"}
    case = lay(f"2816 I1:{strength}; 2815 i1:5", river="2816/2815", dice=dice).attack("I1", "2815")
    assert resolved(case).attack_strength == strength
    assert max(resolved(case).attack_modified, 0) == modified


@pytest.mark.rule("R-DM-21")
@pytest.mark.parametrize(("option", "dice"), [("column_1", [6]), ("no_roll", [])])
def test_a_force_worn_down_to_nothing_by_the_ground(lay: Lay, option: str, dice: list[int]) -> None:
    faces = {"defence": "11"} | ({"attack": "6"} if dice else {})
    case = lay("2816 I1:1; 2815 i1:6", marsh="2815", dice=faces, sp_below_1=option)
    case.attack("I1", "2815")
    assert resolved(case).attack_dice == dice
    assert resolved(case).on_defender == ("0d" if dice else "0")


@pytest.mark.rule("R-DM-87")
def test_the_side_that_reactors_came_by_does_not_count(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:2; 2814 a1:6", river="2815/2814", dice="reaction 66; attack 1; defence 66")
    case.attack("I1", "2815", react("a1", "2814 2815"))
    assert (resolved(case).attack_modified, resolved(case).defence_modified) == (6, 8)


@pytest.mark.rule("R-DM-20")
@pytest.mark.parametrize(("column", "total", "last_row", "diagonal"), [
    (1, 9, "1h", "1h"), (1, 10, "1h", "1d"), (2, 10, "1d", "2"), (3, 13, "2", "3"), (8, 19, "4", "5"),
    (12, 23, "7", "7"),
])  # fmt: skip
def test_totals_beyond_the_last_row(column: int, total: int, last_row: str, diagonal: str) -> None:
    assert combat_result(column, total, "last_row_of_column") == last_row
    assert combat_result(column, total, "extrapolate") == diagonal


# --- supply ---


@pytest.mark.rule("DM-8.2a", "DM-8.5a", "DM-2.10d", "DM-2.10e")
@pytest.mark.parametrize(
    ("strength", "plan", "total"), [(5, "meeting", -3), (6, "standard", -2), (12, "standard", -4), (14, "standard", -6)]
)
def test_an_attacker_without_supply_loses_two_for_each_die(lay: Lay, strength: int, plan: str, total: int) -> None:
    dice = {"attack": "3" * (1 + (strength > 6) + (strength > 12)), "defence": "1"}
    case = lay(f"3316 I1:{strength}; 3315 i1:5", dice=dice).attack("I1", "3315", plan=plan)
    assert totals(resolved(case).attack_modifiers) == total


@pytest.mark.rule("DM-8.5b", "DM-2.10d", "DM-2.10e")
@pytest.mark.parametrize(("row", "modifier"), [(33, 0), (34, -1)])
def test_a_defender_without_supply_loses_one(lay: Lay, row: int, modifier: int) -> None:
    """Five hexes from the railway the Soviets are supplied, six from it they are not."""
    case = lay(f"{row}16 I1:6; {row}15 i1:12", dice="attack 1; defence 44")
    case.attack("I1", f"{row}15")
    assert totals(resolved(case).defence_modifiers) == modifier
    assert resolved(case).defence_total == 8 + modifier


# --- over-stacked units ---


@pytest.mark.rule("DM-2.3f", "R-DM-39", "DM-2.3b")
def test_the_excess_sits_out_and_its_owner_says_who(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4 i2:3 i3:2 i4:1", dice="attack 1; defence 66")
    case.march("I1", "2815").to(LeaveOut)
    assert case.asked.seat == "soviet"
    assert case.allows(LeaveOut(["i1"]))
    assert not case.allows(LeaveOut([]))
    assert not case.allows(LeaveOut(["i3", "i4"]))
    case.submit(LeaveOut(["i2"])).rest()
    assert case.one(events.CombatBegan).hex == "2815"
    assert case.one(events.UnitsLeftOut).units == ["i2"]
    assert resolved(case).defence_strength == 7
    assert case.sp("i2") == [3]


@pytest.mark.rule("DM-2.3g")
def test_the_excess_is_lost_with_the_combat(lay: Lay) -> None:
    case = lay("2816 I1:12; 2815 i1:4 i2:3 i3:2 i4:3", dice="attack 66; defence 11")
    case.attack("I1", "2815", LeaveOut(["i4"]))
    assert case.sp("i4") == [0]
    assert case.standing("i4") == "eliminated"
    assert any(event.units == ["i4"] and event.why == "stacking" for event in case.events(events.UnitsEliminated))
    assert set(case.at("i1 i2 i3").split()) - {"-"} != {"2815"}


@pytest.mark.rule("DM-2.3f", "DM-2.3c")
def test_an_attacker_over_the_limit_leaves_somebody_out_too(lay: Lay) -> None:
    case = lay("2816 I1:5 I2:4 I3:3 I4:2 I5:1; 2815 i1:6", dice="attack 111; defence 1")
    case.march("I1 I2 I3 I4 I5", "2815", LeaveOut(["I5"])).rest()
    assert resolved(case).attack_strength == 14


# --- what is told ---


@pytest.mark.rule("R-DM-42", "DM-2.4d")
def test_totals_are_told_to_both_sides(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4 i2:2", dice="attack 6; defence 1")
    case.attack("I1", "2815", losses("i1:1"))
    told = resolved(case)
    assert case.seen(told, "german") == case.seen(told, "soviet") == told
    taken = next(event for event in case.events(events.LossesTaken) if event.side == "soviet")
    seen = case.seen(taken, "german")
    assert isinstance(seen, events.LossesTaken)
    assert (seen.points, seen.losses) == (taken.points, {})
    assert case.seen(taken, "soviet") == taken


@pytest.mark.rule("DM-2.4c")
def test_the_enemy_does_not_see_how_strong_each_unit_is(lay: Lay) -> None:
    one = lay("2816 I1:6; 2815 i1:4/6 i2:2/6")
    other = lay("2816 I1:6; 2815 i1:2/6 i2:4/6")
    views = [[msgspec.json.encode(case.game.view(side)) for case in (one, other)] for side in ("german", "soviet")]
    assert views[0][0] == views[0][1]
    assert views[1][0] != views[1][1]


@pytest.mark.rule("DM-2.2d", "DM-2.1d")
def test_a_stack_activates_as_one_force_with_one_total(lay: Lay) -> None:
    case = lay("2816 A1:3 I1:6; 2815 i1:5", dice="attack 11; defence 6")
    case.attack("A1 I1", "2815")
    assert case.one(events.ForceActivated).units == ids("A1 I1")
    assert resolved(case).attack_strength == 9


# --- shares of losses ---

TOLLS = (COMBAT, ATTRITION, DEMORALIZED)


def by_hand(space: LossShare) -> Iterator[TakeLosses]:
    """Find the shares the slow way: all that could be written, judged by the rule as it is told."""
    most = [range(sp + 1) for sp in space.strengths.values()]
    for paid in range(space.replacements + 1):
        for lost in product(*most):
            if allowed(space, dict(zip(space.strengths, lost, strict=True)), paid):
                yield TakeLosses({unit: n for unit, n in zip(space.strengths, lost, strict=True) if n}, paid)


def allowed(space: LossShare, lost: Mapping[str, int], paid: int) -> bool:
    left, keeps = space.points - paid, space.loss_rule.keeps
    room = {unit: max(0, sp - keeps) for unit, sp in space.strengths.items()}
    top = max(space.strengths.values())
    wanted = min({COMBAT: left // 2, ATTRITION: min(left, 1), DEMORALIZED: left}[space.loss_rule], max(0, top - keeps))
    return (
        all(lost[unit] <= room[unit] for unit in lost)
        and sum(lost.values()) == min(left, sum(room.values()))
        and any(lost[unit] >= wanted for unit, sp in space.strengths.items() if sp == top)
    )


@pytest.mark.full
@pytest.mark.rule("DM-8.8b", "DM-8.8c", "DM-9.0g", "DM-9.0h", "R-DM-15", "R-DM-62", "AGC-4.5.1a")
@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 7), st.sampled_from(TOLLS), st.integers(0, 2)
)
def test_shares_of_losses_are_those_of_the_rule(sp: list[int], points: int, loss_rule: LossRule, paid: int) -> None:
    space = LossShare({f"u{place}": each for place, each in enumerate(sp)}, points, loss_rule, min(paid, points))
    shares = list(space.values())
    assert sorted(map(repr, shares)) == sorted(map(repr, by_hand(space)))
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
def test_a_share_that_is_refused_names_its_rule(order: Order, rule: str) -> None:
    refusal = LossShare({"a": 5, "b": 4}, 4, COMBAT, 2).why_not(order)
    assert (refusal.rule if refusal else "") == rule


# --- a fight by itself ---


class Bout:
    """A fight in 2815 on the small map, which the phasing side entered from 2816; questions are answered by ``orders``.

    Whatever is asked and not told is answered as little as can be.
    """

    def __init__(
        self,
        prepared: Prepared,
        forces: tuple[str, str],
        dice: Mapping[str, str],
        given: Sequence[Order] = (),
        *,
        side: str = "german",
        turn: int = 3,
        replacements: Mapping[str, int] | None = None,
        **fixed: Any,
    ) -> None:
        state: DamosState = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        stand(state, prepared, forces, (side, turn, "operations"), {}, replacements or {})
        state.position, state.turn = 0, turn - 1

        def bout(state: DamosState) -> Procedure:
            attackers = units_in(state, "2815", side)
            self.outcome: Outcome = yield from fight(state, "2815", attackers, "2816", **fixed)
            yield GameEnded("draw", "over")

        rules = Ruleset(
            id="bout",
            version="1",
            sides=SIDES,
            state_type=DamosState,
            sequence=SequenceOfPlay((Phase("bout", bout, side),)),
            functions=tuple(functions_of([handlers])),
            orders=orders.ORDERS,
            events=events.EVENTS,
        )
        self.dice = TableDice(dice)
        self.game = Game(rules, state, self.dice)
        self.game.start()
        left = list(given)
        while not self.game.is_over:
            decision = self.game.waiting()[0]
            told = next((order for order in left if decision.options.is_legal(order)), None)
            if told is not None:
                left.remove(told)
            self.game.submit(told or quiet_order(decision), decision.seat)
        assert not left
        self.dice.assert_all_used()

    @property
    def state(self) -> DamosState:
        state = self.game.state
        assert isinstance(state, DamosState)
        return state

    def all(self, kind: type[E]) -> list[E]:
        happened = (record.event for record in self.game.records if isinstance(record, EventRecord))
        return [event for event in happened if isinstance(event, kind)]

    def one(self, kind: type[E]) -> E:
        (found,) = self.all(kind)
        return found

    def sp(self, units: str) -> list[int]:
        return [self.state.units[unit_id].sp for unit_id in units.split()]

    def at(self, units: str) -> str:
        return " ".join(self.state.units[unit_id].hex or "-" for unit_id in units.split())


def bout(german: str, soviet: str, dice: Mapping[str, str], given: Sequence[Order] = (), **rest: Any) -> Bout:
    names = {option.name for option in damos.options()}
    chosen = {name: rest.pop(name) for name in list(rest) if name in names}
    features = {name: rest.pop(name) for name in list(rest) if name in {"forest", "city", "major", "river"}}
    prepared = prepared_for(german, soviet, features, chosen)
    return Bout(prepared, (german, soviet), dice, given, **rest)


@pytest.mark.rule("X-DM-1", "DM-8.13a")
def test_the_extended_example_from_the_strengths_on() -> None:
    told = [losses("I1:4"), losses("a1:6"), losses("I1:2 A1:1"), losses("a1:1")]
    dice = {"attack": "655", "defence": "66", "counter": "6"}
    fought = bout("2815 A1:4 M1:5 I1:9", "2815 m1:2 a1:10", dice, told, plan="penetration", posture="counterattack")
    resolved, answer = fought.one(events.CombatResolved), fought.one(events.CounterattackResolved)
    assert (resolved.attack_strength, resolved.defence_strength) == (18, 12)
    assert (resolved.attack_total, resolved.on_defender) == (18, "6")
    assert (resolved.defence_total, resolved.on_attacker) == (11, "4")
    assert (answer.counter_strength, answer.attack_strength, answer.ratio) == (6, 14, "1:3")
    assert (answer.on_defender, answer.on_attacker) == (1, 3)
    decided = fought.one(events.CombatDecided)
    assert (decided.winner, decided.on_attacker, decided.on_defender) == ("defender", "7", "7")
    assert fought.sp("A1 M1 I1 m1 a1") == [3, 5, 3, 2, 3]
    assert fought.at("m1 a1") == "2815 2815"
    assert fought.one(events.ForceRetreated).units == ["A1", "I1", "M1"]
    assert [fought.state.units[each].demoralized for each in ("A1", "I1", "M1")] == [True] * 3
    assert fought.outcome == Outcome("defender", False, False, 0, True, "penetration")


@pytest.mark.rule("DM-8.12a", "DM-8.8d", "DM-8.12g", "DM-8.12f", "R-DM-19")
@pytest.mark.parametrize("exploiting", [False, True])
def test_what_a_victory_tells_the_activation(exploiting: bool) -> None:
    rest: dict[str, Any] = {"exploiting": exploiting, "supplied": False} if exploiting else {}
    fought = bout("2815 A1:8 A2:8 A3:8", "2815 i1:3", {"attack": "666", "defence": "1"}, plan="standard", **rest)
    modifiers = fought.one(events.CombatResolved).attack_modifiers
    assert modifiers == ([("supply", -6)] if exploiting else [])
    lost = 5 if exploiting else 6
    assert fought.one(events.LossesTaken).surplus == lost - 3
    assert fought.outcome == Outcome("attacker", True, not exploiting, lost - 3, not exploiting, "standard")


@pytest.mark.rule("AGC-4.6.2a", "AGC-4.6.2b", "R-DM-63", "R-DM-82", "DM-2.3g")
@pytest.mark.parametrize(
    ("terrain", "option", "sure"), [("", "modified_sp", True), ("2815", "modified_sp", False), ("2815", "raw_sp", True)]
)
def test_twelve_to_one(terrain: str, option: str, sure: bool) -> None:
    dice = {} if sure else {"attack": "111", "defence": "1"}
    features: dict[str, Any] = {"forest": terrain} if terrain else {}
    fought = bout("2815 A1:12 A2:12", "2815 i1:2", dice, plan="standard", ratio_12=option, **features)
    assert fought.outcome.overwhelmed == sure
    assert bool(fought.all(events.CombatResolved)) != sure
    if sure:
        assert fought.outcome == Outcome("attacker", True, True, 0, True, "standard", overwhelmed=True)
        assert fought.at("i1") == "-"


@pytest.mark.rule("DM-2.9a")
def test_a_hex_that_was_defended_is_still_the_defenders() -> None:
    held = bout("2815 I1:6", "2815 i1:6", {"attack": "1", "defence": "6"}, plan="standard")
    assert held.state.control["2815"] == "soviet"
    taken = bout("2815 I1:6", "2815 i1:6", {"attack": "6", "defence": "1"}, plan="standard")
    assert taken.state.control["2815"] == "german"


@pytest.mark.rule("DM-2.3f", "DM-2.3g", "R-DM-39")
def test_who_sat_out_a_lost_combat_is_lost() -> None:
    fought = bout(
        "2815 A1:9",
        "2815 i1:3 i2:3 i3:3 i4:3",
        {"attack": "66", "defence": "11"},
        [LeaveOut(["i2"]), losses("i1:2 i3:2 i4:1")],
        plan="grand",
    )
    assert fought.one(events.UnitsLeftOut).units == ["i2"]
    assert fought.one(events.CombatResolved).defence_strength == 9
    assert [event.units for event in fought.all(events.UnitsEliminated)] == [["i2"]]


# --- replacements ---


@pytest.mark.rule("AGC-4.5.1a", "AGC-4.5.1b", "R-DM-62")
@pytest.mark.parametrize(("paid", "option", "most"), [
    (0, "per_combat_before_half", 2), (1, "per_combat_before_half", 2), (1, "per_player_turn", 1),
])  # fmt: skip
def test_how_much_may_be_paid(paid: int, option: str, most: int) -> None:
    prepared = prepared_for("2815 I1:6", "2815 i1:6", {}, {"rp_absorb_limits": option})
    state: DamosState = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    state.replacements["german"], state.paid = 5, {"german": paid}
    assert payable(state, "german", 0) == most
    state.replacements["german"] = 1
    assert payable(state, "german", 0) == 1


@pytest.mark.rule("DM-8.11b")
def test_who_was_lost_or_has_gone_takes_no_part_any_more(lay: Lay) -> None:
    state = lay("2815 I1:6; 2815 I2:6; 2815 A1:6; 2814 i1:6").state
    battle = Battle(state, "2815", "2816", {ATTACKER: ["A1", "I1", "I2"], DEFENDER: []})
    assert battle.attackers == battle.of(ATTACKER) == ["A1", "I1", "I2"]
    state.units["A1"].hex = "2816"
    assert battle.attackers == ["I1", "I2"]
    state.units["I1"].standing = ELIMINATED
    assert battle.attackers == ["I2"]


# --- the air unit ---


@pytest.mark.rule("AGC-4.4c", "R-DM-84")
def test_any_die_may_be_the_enemys() -> None:
    told = [UseAir(reroll=True), Reroll(2), KeepBenefit("shift")]
    dice = {"attack": "3", "defence": "6", "reroll": "1", "air": "66"}
    fought = bout("2815 I1:6", "2815 i1:6", dice, told, plan="standard", air_reroll_side="any_die")
    again = fought.one(events.DieRerolled)
    assert (again.side, again.number, again.before, again.after) == ("soviet", 1, 6, 1)
    assert fought.one(events.CombatResolved).defence_dice == [1]
    assert fought.state.air.benefit == "shift"


@pytest.mark.rule("AGC-4.4d", "AGC-4.4e", "R-DM-85")
@pytest.mark.parametrize(("option", "roll", "outcome", "benefit"), [
    ("literal", "14", "one_benefit", "reroll"), ("literal", "13", "nothing", ""), ("swapped", "14", "kept", ""),
    ("swapped", "13", "one_benefit", "reroll"),
])  # fmt: skip
def test_how_the_air_unit_wears_out(option: str, roll: str, outcome: str, benefit: str) -> None:
    told: list[Order] = [UseAir(shift=True)]
    told += [KeepBenefit("reroll")] if benefit else []
    dice = {"attack": "33", "defence": "1", "air": roll}
    fought = bout("2815 I1:6", "2815 i1:6", dice, told, plan="standard", air_success_cost=option)
    checked = fought.one(events.AirChecked)
    assert (checked.needed, checked.outcome, checked.benefit) == (5, outcome, benefit)
    air = fought.state.air
    assert (air.ready, air.failures, air.benefit) == (True, int(roll == "13"), benefit)


# --- major cities ---


@pytest.mark.rule("DM-8.11i", "R-DM-15", "R-DM-18")
def test_of_two_strongest_units_the_owner_routs_one() -> None:
    dice = {"attack": "66", "defence": "111"}
    told = [losses("i1:2 i2:2"), Rout(["2815", "2814", "2813"], "i2")]
    fought = bout("2815 I1:6 I2:6", "2815 i1:6 i2:6", dice, told, plan="standard", major="2815")
    assert (fought.at("i1"), fought.at("i2")) == ("2815", "2813")
    assert fought.outcome == Outcome("attacker", False, False, 0, True, "standard")


@pytest.mark.rule("DM-8.11c", "DM-8.11i", "R-DM-39")
def test_after_a_rout_all_attackers_go_also_those_that_sat_out() -> None:
    dice = {"attack": "66", "defence": "111"}
    told = [LeaveOut(["I5"]), losses("i1:2 i2:2"), Rout(["2815", "2814", "2813"], "i1")]
    fought = bout("2815 I1:6 I2:3 I3:2 I4:1 I5:1", "2815 i1:7 i2:5", dice, told, plan="standard", major="2815")
    assert [event.units[-1] for event in fought.all(events.ForceRetreated)] == ["i1", "I5"]
    assert {unit.side for unit in fought.state.units.values() if unit.hex == "2815"} == {"soviet"}


@pytest.mark.rule("R-DM-18")
def test_a_unit_that_finds_no_way_out_routs_to_its_end() -> None:
    ring = "2714 A5:1; 2716 A6:1; 2914 A7:1; 2916 A8:1"
    dice = {"attack": "66", "defence": "111"}
    told = [losses("i1:3 i2:1"), Rout([], "i1")]
    fought = bout(f"2815 I1:6 I2:6; {ring}", "2815 i1:9 i2:3", dice, told, plan="standard", major="2815")
    assert fought.one(events.UnitsEliminated).units == ["i1"]
    assert fought.at("i2") == "2815"


# --- secrecy ---


@pytest.mark.rule("DM-2.4c", "DM-8.11f")
@pytest.mark.parametrize("shares", ["i1:3! i2:3!", "i1:4! i2:2!", "i1:1! i2:5!"])
def test_whether_losses_are_asked_for_tells_nothing_of_how_strength_is_shared(shares: str) -> None:
    fought = bout("2815 I1:6", f"2815 {shares}", {"attack": "6", "defence": "1"}, plan="standard")
    asked = [record for record in fought.game.records if isinstance(record, OrderRecord) and record.secret]
    assert [type(record.order) for record in asked] == [TakeLosses, TakeLosses]
    assert [event.why for event in fought.all(events.LossesTaken)] == ["combat", "demoralized"]
