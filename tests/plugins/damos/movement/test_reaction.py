"""Reactions, and retreats that avoid combat (DM-2.6)."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case, avoid, names, react, total
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import (
    AvoidCombat,
    ChoosePlan,
    ChoosePosture,
    Decline,
    EndActivation,
    Rally,
    React,
    Retreat,
    Step,
)

NINE = {"reaction": "45"}
EIGHT = {"reaction": "44"}


def reactions(case: Case, seat: str = "soviet") -> list[React]:
    """Play quietly until reactions are offered or the mover must decide, and return the reactions."""
    case.until(lambda case: case.accepts(React) or case.pending.seat != seat)
    return case.offered(React)


def entered(lay: Lay, german: str, soviet: str, path: str, **more: Any) -> Case:
    """March the first German force along a path."""
    return lay(german=german, soviet=soviet, **more).march(names(german), path)


@pytest.mark.rule("DM-2.1f", "DM-2.1j", "DM-2.6a", "DM-2.6b", "DM-2.6.1a", "DM-2.6.1b", "DM-2.6c", "DM-2.6d", "DM-2.8c")
@pytest.mark.rule(
    "AGC-1.2b", "AGC-1.3a", "AGC-3.0a", "AGC-3.1a", "AGC-3.2a", "DM-2.6.1e", "R-DM-02", "R-DM-10", "R-DM-71"
)
@pytest.mark.parametrize(("mover", "reactor", "more", "reacts"), [
    *[("2817 A1:7", f"2815 {unit}", {}, True) for unit in ("a1:6", "m1:6", "d1:6", "a1:3 i1:3")],
    *[("2817 A1:7", f"2815 {unit}1:6", {}, False) for unit in "ictn"],
    *[("2817 A1:7", f"2815 {unit}", {}, False) for unit in ("a1:6~", "a1:6!", "a1:3~ i1:3", "a1:6! a2:6!")],
    ("2817 A1:7", "2814 a1:4 i1:4", {"zoi_force_sp": "all_units"}, True),
    ("2817 A1:7", "2814 a1:4 i1:4", {"zoi_force_sp": "zoi_units_only"}, False),
    ("2817 A1:7", "2814 a1:6/8", {}, False),  # the current strength gives the range
    ("2817 A1:7", "2815 a1:6", {"boundaries_retreat": "apply"}, True),
    ("2817 A1:7", "2815 a1:6", {"boundaries_retreat": "ignore"}, True),
    ("2817 A1:7; 2815 I1:1", "2814 a1:8", {}, False),  # no path leads through the enemy
    ("2817 A1:7", "2814 a1:8", {"marsh": "2815", "rails": "2830 2829"}, False),  # nor through a closed marsh
    *[("2814 a1:7", f"2816 {unit}1:6", {}, unit in "AMTC") for unit in "AMTCIHR"],
])  # fmt: skip
def test_a_fresh_force_with_a_zone_in_range_can_react(
    lay: Lay, mover: str, reactor: str, more: dict[str, str], reacts: bool
) -> None:
    side, path = ("german", "2816") if mover.startswith("2817") else ("soviet", "2815")
    case = lay(f"{mover}; {reactor}", side=side, **more).march(names(mover), path)
    assert bool(reactions(case, "soviet" if side == "german" else "german")) == reacts


def rolled(case: Case) -> events.ReactionRolled:
    return case.one(events.ReactionRolled)


# --- who reacts, and when ---


@pytest.mark.rule("DM-2.6.1c", "DM-2.6b")
@pytest.mark.parametrize(("strength", "reach"), [(1, 1), (6, 1), (7, 2), (12, 2), (13, 3), (20, 3)])
def test_a_zone_of_influence_reaches_as_far_as_its_dice(lay: Lay, strength: int, reach: int) -> None:
    for distance in (1, 2, 3, 4):
        hexes = f"28{13 + distance}", f"28{12 + distance}"
        case = entered(lay, f"{hexes[0]} A1:7", f"2812 a1:{strength}", hexes[1])
        assert bool(reactions(case)) == (distance <= reach), distance
        case.rest()


@pytest.mark.rule("DM-2.6.1a")
def test_the_movers_own_side_does_not_react(lay: Lay) -> None:
    case = entered(lay, "2817 A1:7; 2816 A2:7", "2812 i1:5", "2717")
    assert case.pending.seat == "german"


@pytest.mark.rule("DM-2.6.1d", "DM-7.0m", "DM-2.6.1p")
def test_a_rally_within_a_zone_triggers_reactions(lay: Lay) -> None:
    """The force has rallied before it fights."""
    case = lay("2816 A1:7!; 2814 a1:8", dice="reaction 66; attack 11; defense 11").march("A1", "", Rally())
    assert case.demoralized("A1") == [False]
    assert reactions(case) != []
    case.play(react("a1", "2814 2815 2816"))
    began = case.one(events.CombatBegan)
    assert (began.hex, began.attackers, began.defenders) == ("2816", ["A1"], ["a1"])
    assert case.one(events.PlansRevealed).plan == "meeting"


@pytest.mark.rule("DM-2.6.1d")
def test_a_rally_outside_zones_of_influence_is_not_disturbed(lay: Lay) -> None:
    case = lay("2816 A1:7!; 2813 a1:8").march("A1", "", Rally())
    assert reactions(case) == []


@pytest.mark.rule("DM-2.6.1s", "DM-7.0f", "R-DM-05", "R-DM-48")
@pytest.mark.parametrize(("option", "dice", "spent"), [
    ("yes", "11", True), ("no", "11", False), ("yes", "66", True), ("no", "66", True),
])  # fmt: skip
def test_a_unit_that_tried_to_react_is_spent_after_the_activation(
    lay: Lay, option: str, dice: str, spent: bool
) -> None:
    """By option, a failed reaction spends nothing. A unit of the stack that did not try stays fresh."""
    faces = {"reaction": dice} | ({"attack": "11", "defense": "1"} if dice == "66" else {})
    case = lay("2817 A1:7; 2815 a1:6 i1:2", dice=faces, failed_reaction_spent=option)
    case.march("A1", "2816", react("a1", "2815 2816"))
    assert dice == "66" or case.spent("a1 i1") == [False, False]
    assert case.rest().spent("a1 i1") == [spent, False]
    assert case.one(events.ActivationEnded).reacted == (["a1"] if spent else [])


@pytest.mark.rule("R-DM-41")
def test_a_defender_against_a_reaction_chooses_its_posture(lay: Lay) -> None:
    case = lay("2816 A1:7; 2814 a1:6", side="soviet", dice="reaction 66; attack 1; defense 11")
    case.march("a1", "2815", react("A1", "2816 2815")).to(ChoosePosture)
    assert case.postures() == ["counterattack", "steadfast"]
    case.play(ChoosePosture("counterattack"))
    assert case.one(events.PlansRevealed).posture == "counterattack"


@pytest.mark.rule("R-DM-03")
@pytest.mark.parametrize(("option", "on_the_way"), [("hex_by_hex", True), ("end_of_move", False)])
def test_reactions_occur_at_each_hex_or_at_the_end_by_option(lay: Lay, option: str, on_the_way: bool) -> None:
    case = lay("2817 A1:7; 2815 a1:6", reaction_trigger_order=option).march("A1", "2816")
    assert bool(reactions(case)) == on_the_way
    if not on_the_way:
        case.submit(EndActivation())
        assert reactions(case) != []


@pytest.mark.rule("R-DM-25", "DM-2.6.1c", "DM-2.6.1s")
@pytest.mark.parametrize(("option", "tries", "again"), [
    ("one_per_activation", True, False), ("one_per_hex_entered", True, True), ("one_per_activation", False, True),
])  # fmt: skip
def test_a_force_reacts_once_per_activation_or_hex_by_option(lay: Lay, option: str, tries: bool, again: bool) -> None:
    """A force that declines may react in the next hex."""
    case = lay("2817 A1:7; 2815 a1:6", dice="reaction 11" if tries else "", reaction_attempts=option)
    case.march("A1", "2816")
    assert reactions(case) != []
    case.submit(react("a1", "2815 2816") if tries else Decline()).go(Step("2716"))
    assert bool(reactions(case)) == again
    assert case.rest().spent("a1") == [tries]


@pytest.mark.rule("R-DM-25")
def test_only_fresh_forces_react_to_the_next_activation(lay: Lay) -> None:
    case = lay("2817 A1:7 ; 2917 A2:7; 2815 a1:6; 2915 a2:6", dice="reaction 11")
    case.march("A1", "2816", react("a1", "2815 2816")).rest()
    case.march("A2", "2916")
    assert {order.units[0] for order in reactions(case)} == {"a2"}


# --- the roll ---


@pytest.mark.rule("DM-2.6.1e", "DM-2.6.1k", "DM-2.6.1l")
@pytest.mark.parametrize(("dice", "modifier", "success"), [
    ("45", 0, True), ("36", 0, True), ("44", 0, False), ("11", 0, False), ("66", 0, True), ("66", -5, True),
])  # fmt: skip
def test_a_reaction_succeeds_with_nine_or_a_natural_twelve(lay: Lay, dice: str, modifier: int, success: bool) -> None:
    fight = {"attack": "11", "defense": "11" if modifier else "1"} if success else {}
    ground: dict[str, Any] = {"forest": "2816", "aid": {"terrain": {"forest": {"reaction": modifier}}}}
    case = lay("2817 A1:7; 2815 a1:6", dice={"reaction": dice} | fight, **(ground if modifier else {}))
    case.march("A1", "2816", react("a1", "2815 2816")).rest()
    assert (rolled(case).success, total(rolled(case).modifiers)) == (success, modifier)
    assert rolled(case).total == sum(map(int, dice)) + modifier
    assert bool(case.events(events.ForceReacted)) == success


BESIDE, TWO, THREE = "2815 2816", "2814 2815 2816", "2813 2814 2815 2816"


@pytest.mark.rule("DM-2.1g", "DM-2.6.1m", "DM-2.6.1n", "DM-2.6.1o", "DM-3.0a", "AGC-1.2b", "AGC-3.1a", "AGC-4.2a")
@pytest.mark.parametrize(("german", "soviet", "path", "ground", "modifier"), [
    ("A1:7", "a1:6", BESIDE, {}, 0), ("A1:6", "a1:6", BESIDE, {}, 0), ("A1:5", "a1:6", BESIDE, {}, 1),
    ("A1:7", "a1:6 i1:6", BESIDE, {}, 0), ("A1:3 I1:9", "a1:6", BESIDE, {}, 1), ("A1:3 T1:9", "a1:6", BESIDE, {}, 0),
    ("C1:9", "a1:6", BESIDE, {}, 1), ("I1:9", "a1:6", BESIDE, {}, 2), ("A1:7", "a1:6", BESIDE, {"forest": "2816"}, -1),
    ("A1:7", "a1:6", BESIDE, {"forest": "2815"}, 0), ("A1:7", "a1:6", BESIDE, {"river": "2815/2816"}, -1),
    ("A1:7", "a1:6", BESIDE, {"town": "2816"}, 0), ("A1:9", "a1:8", TWO, {}, 0),
    ("A1:9", "a1:8", TWO, {"forest": "2815"}, -1), ("A1:9", "a1:8", TWO, {"forest": "2815 2816"}, -1),
    ("A1:20", "a1:13", THREE, {}, -1), ("A1:20", "a1:13", THREE, {"forest": "2814"}, -2),
    ("A1:9", "a1:13", THREE, {}, 0),
])  # fmt: skip
def test_reaction_modifiers_match_the_rules(
    lay: Lay, german: str, soviet: str, path: str, ground: dict[str, str], modifier: int
) -> None:
    """+1 for stronger mobile units, +1 against a force without a zone, -1 for terrain, -1 at three hexes."""
    case = lay(f"2817 {german}; {path[:4]} {soviet}", dice={"reaction": "11"}, **ground)
    case.march(names(german), "2816", react(names(soviet), path)).rest()
    assert total(rolled(case).modifiers) == modifier
    assert rolled(case).total == 2 + modifier


@pytest.mark.rule("AGC-1.2b", "AGC-3.1a", "AGC-4.2a", "DM-2.6.1n")
@pytest.mark.parametrize(("german", "soviet", "modifier"), [("C1:6", "a1:3", 0), ("T1:6", "i1:6", 2)])
def test_german_reaction_modifiers_match_the_rules(lay: Lay, german: str, soviet: str, modifier: int) -> None:
    """Cavalry has a zone but no mobile strength."""
    case = lay(f"2816 {german}; 2814 {soviet}", side="soviet", dice="reaction 11")
    case.march(names(soviet), "2815", react(names(german), "2816 2815")).rest()
    assert (total(rolled(case).modifiers), rolled(case).total) == (modifier, 2 + modifier)


@pytest.mark.rule("DM-2.6.1f", "R-DM-03")
def test_each_hex_rolls_once_in_the_sequence_of_its_owner(lay: Lay) -> None:
    soviet = "2815 a1:4 i1:2; 2716 a2:4"
    for first, second in (("a1", "a2"), ("a2", "a1")):
        case = lay(german="2817 A1:9", soviet=soviet, dice={"reaction": "11,12"})
        orders = {"a1": react("a1 i1", "2815 2816"), "a2": react("a2", "2716 2816")}
        case.march("A1", "2816", orders[first], orders[second]).rest()
        assert [event.units[0] for event in case.events(events.ReactionRolled)] == [first, second]
        assert all(len(event.dice) == 2 for event in case.events(events.ReactionRolled))


# --- paths ---


@pytest.mark.rule("R-DM-10")
@pytest.mark.parametrize(("option", "longest"), [("shortest_legal", 2), ("any", 3)])
def test_a_reaction_path_is_the_shortest_or_any_by_option(lay: Lay, option: str, longest: int) -> None:
    case = entered(lay, "2817 A1:7", "2815 a1:8", "2816", reaction_path=option)
    assert max(len(order.path) for order in reactions(case)) == longest
    assert all(order.path[0] == "2815" and order.path[-1] == "2816" for order in reactions(case))


@pytest.mark.rule("R-DM-35", "DM-2.9a")
@pytest.mark.parametrize(("option", "holder"), [("changes", "soviet"), ("no_change", "german")])
def test_a_reaction_takes_control_of_its_path_by_option(lay: Lay, option: str, holder: str) -> None:
    case = lay(
        "2817 A1:9; 2814 a1:8",
        control={"german": "2815"},
        dice="reaction 66; attack 11; defense 11",
        reaction_control=option,
    )
    case.march("A1", "2816", react("a1", "2814 2815 2816")).rest()
    assert case.holder("2815") == holder


@pytest.mark.rule("R-DM-48", "DM-2.6.1f", "DM-2.6.1a")
@pytest.mark.parametrize(
    ("option", "offered"), [("any_subset", ["a1", "a1 i1", "a1 i1 i2", "a1 i2"]), ("all_or_none", ["a1 i1 i2"])]
)
def test_part_of_a_stack_may_react_by_option(lay: Lay, option: str, offered: list[str]) -> None:
    case = entered(lay, "2817 A1:7", "2815 a1:3 i1:2 i2:1", "2816", reaction_stack_subset=option)
    assert sorted({" ".join(order.units) for order in reactions(case)}) == offered


# --- consequences ---


@pytest.mark.rule("DM-2.6.1p", "R-DM-41", "DM-2.6.1e")
def test_a_reaction_into_an_empty_hex_starts_a_meeting_engagement(lay: Lay) -> None:
    case = lay("2817 A1:7; 2815 a1:6", dice="reaction 66; attack 11; defense 1").march(
        "A1", "2816", react("a1", "2815 2816")
    )
    case.until(lambda case: not case.accepts(React))
    assert not case.accepts(ChoosePlan)
    case.rest()
    began = case.one(events.CombatBegan)
    assert (began.hex, began.attackers, began.defenders) == ("2816", ["A1"], ["a1"])
    assert case.one(events.PlansRevealed).plan == "meeting"
    assert total(case.one(events.CombatResolved).attack_modifiers) == -1


@pytest.mark.rule("DM-2.6.1p", "R-DM-03")
@pytest.mark.parametrize("second", [True, False])
def test_all_reactors_fight_together_and_a_second_may_decline(lay: Lay, second: bool) -> None:
    rolls = "reaction 66,66; attack 11; defense 11" if second else "reaction 66; attack 11; defense 1; counter *"
    case = lay("2817 A1:9; 2815 a1:4; 2716 a2:4", dice=rolls)
    case.march("A1", "2816", react("a1", "2815 2816"), react("a2", "2716 2816") if second else Decline()).rest()
    assert case.one(events.CombatBegan).defenders == (["a1", "a2"] if second else ["a1"])
    assert case.one(events.CombatResolved).defense_strength == (8 if second else 4)
    assert case.spent("a1 a2") == [True, second]


@pytest.mark.rule("DM-2.6.1q", "R-DM-11")
def test_reactors_join_a_defender(lay: Lay) -> None:
    case = lay("2816 A1:7; 2815 i1:4; 2814 a1:4", dice="reaction 66; attack 11; defense 11")
    case.attack("A1", "2815", react("a1", "2814 2815"))
    assert case.one(events.CombatBegan).defenders == ["a1", "i1"]
    assert case.one(events.PlansRevealed).plan == "standard"
    assert case.one(events.PlansRevealed).posture == "counterattack"


@pytest.mark.rule("R-DM-11")
@pytest.mark.parametrize(("option", "plan_first"), [("cost_react_ap_dp", False), ("ap_before_react", True)])
def test_the_plan_is_chosen_after_or_before_reactions_by_option(lay: Lay, option: str, plan_first: bool) -> None:
    case = lay("2816 A1:7; 2815 i1:4; 2814 a1:4", dice="attack 11; defense 1", entry_order=option)
    case.march("A1", "2815").until(lambda case: case.accepts(React) or case.accepts(ChoosePlan))
    assert case.accepts(ChoosePlan) == plan_first


@pytest.mark.rule("R-DM-11")
def test_the_defender_may_avoid_combat_before_others_react(lay: Lay) -> None:
    case = lay("2816 A1:7; 2815 a2:4; 2814 a1:4", dice="attack 11; defense 1; counter *").march("A1", "2815")
    case.until(lambda case: case.accepts(React) or case.accepts(AvoidCombat))
    assert case.allows(avoid("a2", "2815 2814 2813"))
    assert not case.allows(react("a1", "2814 2815"))
    case.submit(Decline()).to(React)


@pytest.mark.rule("DM-2.6.1r")
@pytest.mark.parametrize(
    ("inside", "reacts"), [("i1:2 i2:2", True), ("i1:2 i2:2 i3:2", False), ("r1:2 r2:2", False), ("r1:2 i2:2", True)]
)
def test_reactors_keep_to_the_stacking_limits(lay: Lay, inside: str, reacts: bool) -> None:
    case = lay(f"2816 I1:12; 2815 {inside}; 2814 a1:4", dice="attack *; defense *").march("I1", "2815")
    assert bool(reactions(case)) == reacts


@pytest.mark.rule("R-DM-81", "DM-2.6d")
def test_reactors_that_join_a_demoralized_stack_are_demoralized(lay: Lay) -> None:
    case = lay("2816 A1:7; 2815 i1:4!; 2814 a1:4", dice="reaction 66; attack 11; defense 11")
    case.attack("A1", "2815", react("a1", "2814 2815"))
    assert case.one(events.PlansRevealed).posture == ""
    assert case.one(events.CombatBegan).defenders == ["a1", "i1"]
    assert ("stacked", ["a1"]) in [(event.why, event.units) for event in case.events(events.ForceDemoralized)]
    case = lay("2816 A1:7; 2815 i1:4!; 2814 a1:4", dice="attack 11; defense 1", react_into_demoralized="not_allowed")
    assert reactions(case.march("A1", "2815")) == []


# --- avoiding combat ---


@pytest.mark.rule("DM-2.6.1g", "R-DM-24", "DM-2.6.1i", "DM-2.6.1j", "DM-2.9b")
@pytest.mark.parametrize("path", ["2816", "2816 2815"])
def test_a_force_may_retreat_from_a_mover_in_its_zone_or_its_hex(lay: Lay, path: str) -> None:
    """The modifier for stronger mobile units does not apply: 6 against 7."""
    case = lay("2817 A1:7; 2815 a1:6", dice=NINE)
    case.march("A1", path, avoid("a1", "2815 2814 2813"))
    event = rolled(case)
    assert (event.units, event.retreat, event.success, event.total) == (["a1"], True, True, 9)
    assert (case.at("a1"), case.demoralized("a1"), case.holder("2813")) == ("2813", [False], "soviet")
    assert case.last(events.ForceRetreated).why == "reaction"
    case.until(lambda case: case.pending.seat == "german")
    assert case.accepts(Step)
    assert case.never(events.CombatBegan)
    assert case.rest().spent("a1") == [True]


@pytest.mark.rule("R-DM-24", "DM-2.6.1g")
@pytest.mark.parametrize(
    ("german", "ground", "modifier"), [("I1:9", {}, 2), ("A1:5", {}, 1), ("A1:7", {"forest": "2816 2815 2814"}, 0)]
)
def test_only_bonuses_modify_the_roll_to_avoid_combat(
    lay: Lay, german: str, ground: dict[str, str], modifier: int
) -> None:
    case = lay(f"2816 {german}; 2815 a1:6", dice="reaction 11; attack *; defense *; counter *", **ground)
    case.march(names(german), "2815", avoid("a1", "2815 2814 2813")).rest()
    assert (rolled(case).total, rolled(case).success) == (2 + modifier, False)
    assert case.one(events.CombatBegan).defenders == ["a1"]
    assert case.spent("a1") == [True]


@pytest.mark.rule("R-DM-24")
def test_a_unit_avoids_combat_without_a_roll_by_option(lay: Lay) -> None:
    case = lay("2816 A1:7; 2815 a1:6", reaction_retreat="no_roll")
    case.march("A1", "2815", avoid("a1", "2815 2814 2813")).rest()
    assert case.at("a1") == "2813"
    assert case.rolls() == []


@pytest.mark.rule("R-DM-24", "DM-2.6.1g", "DM-2.6.1b")
@pytest.mark.parametrize(
    ("soviet", "legal"), [("i1:6", False), ("a1:6~", False), ("a1:6!", False), ("a1:3 i1:3", True)]
)
def test_only_a_fresh_force_with_a_zone_avoids_combat(lay: Lay, soviet: str, legal: bool) -> None:
    case = lay(f"2816 A1:7; 2815 {soviet}", dice="attack *; defense *; counter *").march("A1", "2815")
    case.until(lambda case: case.accepts(AvoidCombat) or case.accepts(ChoosePlan))
    assert case.accepts(AvoidCombat) == legal


@pytest.mark.rule("DM-2.6.1i", "DM-2.5d", "R-DM-24")
def test_no_path_out_leads_through_enemy_zones(lay: Lay) -> None:
    """The force may have no path at all."""
    ring = "2714 I6:1; 2914 I7:1; 2717 I8:1; 2917 I9:1"
    dice = {"attack": "*", "defense": "*", "counter": "*", "reaction": "66"}
    case = lay(f"2816 A1:7; {ring}; 2815 a1:6", dice=dice | {"reaction": "*"}).march("A1", "2815")
    case.until(lambda case: case.accepts(AvoidCombat) or case.accepts(ChoosePlan))
    zones = {"2814", "2816", "2715", "2716", "2915", "2916"}
    assert not any(zones & set(order.path) for order in case.offered(AvoidCombat))


@pytest.mark.rule("DM-2.6.1j", "DM-2.9a", "R-DM-09")
def test_the_mover_takes_the_vacated_hex_and_may_continue(lay: Lay) -> None:
    case = lay("2816 A1:7; 2815 a1:6", dice=NINE).march("A1", "2815")
    assert case.holder("2815") == "soviet"
    case.go(avoid("a1", "2815 2814 2813"))
    assert case.holder("2815") == "german"
    case.go(Step("2814"), Step("2714")).rest()
    assert case.at("A1") == "2714"


@pytest.mark.rule("DM-2.6.1p", "DM-8.11e")
def test_reactors_that_lose_retreat_but_are_not_demoralized(lay: Lay) -> None:
    case = lay("2817 A1:12; 2815 a1:6", dice="reaction 66; attack 66; defense 1; counter 5").march(
        "A1", "2816", react("a1", "2815 2816")
    )
    case.to(Retreat).rest()
    assert case.at("A1") == "2816"
    assert case.at("a1") != "2816"
    assert case.demoralized("a1") == [False]


# --- special cases ---


@pytest.mark.rule("R-DM-25", "R-DM-24", "DM-2.6.1s")
def test_a_force_that_failed_to_retreat_does_not_react(lay: Lay) -> None:
    case = lay("2817 A1:7; 2815 a1:6", dice="reaction 11")
    case.march("A1", "2816", avoid("a1", "2815 2814 2813"))
    assert reactions(case) == []


@pytest.mark.rule("R-DM-41", "DM-2.6.1p", "R-DM-11")
def test_other_forces_may_react_into_a_vacated_hex(lay: Lay) -> None:
    case = lay("2816 A1:7; 2815 a1:6; 2715 a2:6", dice="reaction 66,66; attack 11; defense 1")
    case.march("A1", "2815", avoid("a1", "2815 2814 2813"), react("a2", "2715 2815")).rest()
    assert case.one(events.CombatBegan).defenders == ["a2"]
    assert case.one(events.PlansRevealed).plan == "meeting"


@pytest.mark.rule("R-DM-02", "DM-2.6b", "DM-2.1f")
def test_a_spent_friend_extends_the_zone_but_does_not_react(lay: Lay) -> None:
    case = lay("2817 A1:7; 2814 a1:4 i1:4~").march("A1", "2816")
    assert {" ".join(order.units) for order in reactions(case)} == {"a1"}


@pytest.mark.rule("DM-2.6.1r", "R-DM-03")
def test_the_first_reactors_can_fill_the_hex(lay: Lay) -> None:
    """All reactions are announced first. A force that finds no room does not roll."""
    case = lay("2816 I1:9; 2815 i1:2 i2:2; 2814 a1:4; 2715 a2:4", dice="reaction 66; attack 11; defense *; counter *")
    case.march("I1", "2815", react("a1", "2814 2815"), react("a2", "2715 2815")).rest()
    assert case.one(events.CombatBegan).defenders == ["a1", "i1", "i2"]
    assert (case.at("a2"), case.spent("a1 a2")) == ("2715", [True, False])


@pytest.mark.rule("DM-2.6.1c", "DM-2.6.1p", "DM-2.8f", "R-DM-44")
def test_a_demoralized_mover_can_be_attacked_by_a_reaction(lay: Lay) -> None:
    """It cannot attack but must fight. Because it is already demoralized, it loses one more point if it loses."""
    case = lay("2817 A1:7!; 2814 a1:8", dice="reaction 66; attack 11; defense 66").march("A1", "2816")
    case.go(react("a1", "2814 2815 2816")).rest()
    combat = case.one(events.CombatResolved)
    assert case.one(events.CombatBegan).attackers == ["A1"]
    assert combat.attack_total == 2 - 1
    assert case.demoralized("A1") == [True]
    assert case.sp("A1") == [7 - int(combat.on_attacker.rstrip("hd")) - 1]


@pytest.mark.rule("DM-2.6.1i", "DM-2.5d", "R-DM-86")
@pytest.mark.parametrize(("path", "beside"), [("2816", False), ("2816 2815", True)])
def test_the_movers_zone_blocks_a_retreat_unless_it_is_in_the_hex(lay: Lay, path: str, beside: bool) -> None:
    """2716 and 2916 are next to 2816. A mover in 2815 itself has no zone for that retreat."""
    case = lay("2817 A1:7; 2815 a1:6", retreat_towards_supply="owner_free", dice="attack *; defense *; counter *")
    case.march("A1", path).to(AvoidCombat)
    first = {order.path[1] for order in case.offered(AvoidCombat)}
    assert bool(first & {"2716", "2916"}) == beside
    assert first & {"2714", "2814", "2715"}
