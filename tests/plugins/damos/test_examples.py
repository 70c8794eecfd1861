"""The worked examples of the rulebook, X-DM-1 to X-DM-7, step by step with loaded dice."""

import pytest
from tests.plugins.damos.cases import Case, losses, react, retreat, total
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import (
    ChoosePlan,
    ChoosePosture,
    DeclareAttack,
    EndActivation,
    Exploit,
    LeaveOut,
    PlanAttack,
    React,
    Retreat,
)
from damos.model.tables import attrition_losses, combat_result, lp_moved, zone_range


def extended_example(lay: Lay) -> Case:
    """Set up the extended example with side A as the Soviets, so that side B, German, chooses its posture.

    A is in 2815, the target in 2816, B's armor in 2818 behind a forest in 2817.
    """
    return lay(
        "2816 M1:2; 2818 A1:10; 2815 a1:4 m1:5 i1:9",
        side="soviet",
        forest="2817",
        dice="reaction 66; attack 655; defense 66; counter 6",
    )


@pytest.mark.rule("DM-8.13a", "DM-8.1b", "DM-8.1d", "DM-2.6.1l", "DM-2.6.1m")
def test_x1_extended_combat_reaches_the_posture(lay: Lay) -> None:
    case = extended_example(lay)
    case.go(DeclareAttack("2816"), PlanAttack("penetration", ["a1", "i1", "m1"]))
    case.to(React)
    assert case.never(events.PlansRevealed, events.ForceActivated)
    case.submit(react("A1", "2818 2817 2816"))
    rolled = case.one(events.ReactionRolled)
    assert total(rolled.modifiers) == -1
    assert (rolled.total, rolled.success) == (11, True)
    assert case.at("A1 M1") == "2816 2816"
    case.to(ChoosePosture)
    assert case.postures() == ["counterattack", "steadfast"]
    case.submit(ChoosePosture("counterattack")).rest()
    assert case.one(events.PlansRevealed).plan == "penetration"


@pytest.mark.rule("DM-8.13a", "DM-8.6b", "DM-8.7c", "DM-8.8b", "DM-8.9f", "DM-8.10e", "DM-8.11e")
def test_x1_extended_combat_has_the_printed_result(lay: Lay) -> None:
    case = extended_example(lay)
    case.go(DeclareAttack("2816"), PlanAttack("penetration", ["a1", "i1", "m1"]))
    case.go(react("A1", "2818 2817 2816"), ChoosePosture("counterattack"))
    case.until(lambda case: bool(case.events(events.CombatResolved)))
    combat = case.one(events.CombatResolved)
    assert (combat.attack_strength, combat.defense_strength) == (18, 12)
    assert (combat.attack_modified, combat.defense_modified) == (18, 12)
    assert (combat.attack_column, combat.defense_column) == (10, 8)  # 16-18 and 11-12
    assert (len(combat.attack_dice), len(combat.defense_dice)) == (3, 2)
    assert total(combat.attack_modifiers) == 2
    assert total(combat.defense_modifiers) == -1
    assert (combat.attack_total, combat.defense_total) == (18, 11)
    assert (combat.on_defender, combat.on_attacker) == ("6", "4")

    case.to_losses("soviet")
    assert not case.allows(losses("a1:2 i1:1 m1:1"))
    case.submit(losses("i1:4")).to_losses("german")
    assert not case.allows(losses("A1:2 M1:2"))
    case.submit(losses("A1:6"))
    assert case.sp("a1 m1 i1") == [4, 5, 5]
    assert case.sp("M1 A1") == [2, 4]

    case.until(lambda case: bool(case.events(events.CounterattackResolved)))
    blow = case.one(events.CounterattackResolved)
    assert (blow.counter_strength, blow.attack_strength, blow.ratio, blow.die) == (6, 14, "1:3", 6)
    assert (blow.on_defender, blow.on_attacker) == (1, 3)

    case.to_losses("soviet")
    assert not case.allows(losses("a1:3"))  # at least one point to infantry or mechanized infantry
    assert case.allows(losses("m1:3"))
    case.submit(losses("a1:1 i1:2")).to_losses("german").submit(losses("A1:1"))
    case.until(lambda case: bool(case.events(events.CombatDecided)))
    decided = case.one(events.CombatDecided)
    assert (decided.on_attacker, decided.on_defender, decided.winner) == ("7", "7", "defender")
    assert case.sp("a1 m1 i1") == [3, 5, 3]
    assert case.sp("M1 A1") == [2, 3]

    case.to(Retreat)
    assert not case.accepts(Exploit)
    case.submit(retreat("2816 2815")).rest()
    assert case.at("a1 m1 i1 M1 A1") == "2815 2815 2815 2816 2816"
    assert case.demoralized("a1 m1 i1 M1 A1") == [True, True, True, False, False]
    assert case.spent("a1 m1 i1 M1 A1") == [True, True, True, False, True]
    assert case.never(events.ExploitationBegan)


@pytest.mark.rule("AGC-2.1c", "DM-8.1e")
def test_x1_mechanized_infantry_could_counterattack_alone(lay: Lay) -> None:
    """The example says that it could not. By the exclusive rules it can."""
    case = lay("2815 M1:2; 2816 a1:4", side="soviet", dice="attack *; defense *; counter *")
    case.go(DeclareAttack("2815"), PlanAttack("penetration", ["a1"])).to(ChoosePosture)
    assert case.postures() == ["counterattack", "steadfast"]


@pytest.mark.rule("DM-8.7b", "DM-8.7c", "DM-8.7d")
@pytest.mark.parametrize(("before", "by", "after"), [
    ("1", 1, "1h"), ("2", -1, "1d"), ("2", 1, "3"), ("0", 1, "0h"), ("0d", 1, "1"), ("0", -1, "0"), ("3", -1, "2"),
    ("3", -2, "1d"), ("1d", 2, "3"),
])  # fmt: skip
def test_example_loss_point_changes_match_the_book(before: str, by: int, after: str) -> None:
    assert lp_moved(before, by) == after


@pytest.mark.rule("DM-8.9f")
@pytest.mark.parametrize(("german", "soviet", "kind", "attack", "defense", "strengths", "ratio"), [
    ("A1:5", "a1:4", "standard", "4", "1", (3, 5), "1:2"), ("A1:15", "a1:8", "standard", "111", "11", (6, 14), "1:3"),
    ("A1:5", "a1:6", "standard", "4", "1", (5, 5), "1:1"), ("A1:5", "a1:11", "penetration", "6", "11", (9, 4), "2:1"),
    ("A1:20", "a1:3", "standard", "111", "1", (1, 20), "1:4"), ("A1:7", "a1:7", "standard", "33", "11", (6, 6), "1:1"),
    ("A1:12", "a1:7", "standard", "33", "11", (5, 11), "1:3"),
])  # fmt: skip
def test_example_counterattack_ratios_match_the_book(
    lay: Lay, german: str, soviet: str, kind: str, attack: str, defense: str, strengths: tuple[int, int], ratio: str
) -> None:
    dice = {"attack": attack, "defense": defense, "counter": "1"}
    case = lay(f"2816 {german}; 2815 {soviet}", dice=dice)
    if kind == "penetration":
        case.go(DeclareAttack("2815"), PlanAttack("penetration", ["A1"])).rest()
    else:
        case.attack("A1", "2815", plan=kind)
    blow = case.one(events.CounterattackResolved)
    assert (blow.counter_strength, blow.attack_strength, blow.ratio) == (*strengths, ratio)


@pytest.mark.rule("DM-2.3b", "DM-2.3c", "DM-2.3d", "DM-2.3e")
def test_example_a_fourth_division_in_a_hex_is_lost_after_operations(lay: Lay) -> None:
    case = lay("2812 i1:2 i2:2 i3:2; 2811 i4:2", side="soviet", dice="rail *")
    case.march("i4", "2812", EndActivation()).rest()
    assert case.at("i1 i2 i3 i4") == "2812 2812 2812 2812"
    case.submit(case.pending.done or EndActivation()).to(LeaveOut)
    case.submit(LeaveOut(["i2"])).until(lambda case: not case.phase.endswith("operations"))
    assert case.sp("i1 i2 i3 i4") == [2, 0, 2, 2]


@pytest.mark.rule("DM-8.6b", "DM-2.1a")
@pytest.mark.parametrize(("strength", "dice", "plan", "inflicted"), [
    (7, "66", "standard", "3"), (1, "3", "penetration", "0h"), (2, "3", "penetration", "0d"),
    (30, "666", "penetration", "7"),
])  # fmt: skip
def test_example_results_match_the_book(lay: Lay, strength: int, dice: str, plan: str, inflicted: str) -> None:
    """The postures change nothing: steadfast against a standard attack, delay against a penetration."""
    case = lay(f"2816 I1:8; 2815 a1:{strength}", side="soviet", forest="2816", dice={"attack": dice, "defense": "11"})
    if plan == "standard":
        case.attack("a1", "2816")
    else:
        case.go(DeclareAttack("2816"), PlanAttack(plan, ["a1"]), ChoosePosture("delay")).rest()
    assert case.one(events.CombatResolved).on_defender == inflicted


@pytest.mark.rule("DM-2.6b", "DM-8.6b", "DM-9.0j")
def test_example_table_cells_and_zone_ranges_match_the_book() -> None:
    assert [combat_result(column, total) for column, total in ((5, 12), (10, 18), (8, 11))] == ["3", "6", "3"]
    assert [combat_result(column, total) for column, total in ((1, 5), (2, 5), (12, 20))] == ["0h", "0d", "7"]
    assert combat_result(4, -2) == combat_result(4, 0) == "0"
    assert (attrition_losses(11, 8), attrition_losses(20, 2)) == (1, 6)
    assert [zone_range(strength) for strength in (6, 7, 12, 13)] == [1, 2, 2, 3]


@pytest.mark.rule("DM-8.5a", "DM-8.5c")
@pytest.mark.parametrize(
    ("strength", "plan", "dice", "modifier"), [(14, "standard", "111", -6), (5, "meeting", "1", -3)]
)
def test_example_attack_without_supply_has_the_printed_modifier(
    lay: Lay, strength: int, plan: str, dice: str, modifier: int
) -> None:
    case = lay(f"3316 I1:{strength}; 3315 i1:5", dice={"attack": dice, "defense": "1"})
    case.march("I1", "3315", ChoosePlan(plan)).rest()
    combat = case.one(events.CombatResolved)
    assert (len(combat.attack_dice), total(combat.attack_modifiers)) == (len(dice), modifier)
    assert combat.attack_total == len(dice) + modifier
    row_0 = {14: "1", 5: "0"}
    assert combat.on_defender == row_0[strength]
