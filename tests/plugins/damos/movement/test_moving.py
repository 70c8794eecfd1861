"""Exploitation: who exploits, how far, and what the force can do (DM-8.12)."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case, activate, ids, names, retreat, steps, total
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import AvoidCombat, ChoosePlan, EndActivation, Exploit, LeaveOut, React, Step

WIN = {"attack": "66", "defense": "1"}
"""7 against 5 or less: 3 loss points, and no losses for the attacker."""


def won(lay: Lay, force: str = "A1:7", soviet: str = "2815 i1:5", plan: str = "standard", **more: Any) -> Case:
    """Let a force win from 2816 and the defender retreat to 2813. The attacker has yet to exploit."""
    german = f"2816 {force}; {more.pop('german', '')}"
    case = lay(german=german, soviet=soviet, dice=more.pop("dice", WIN), **more)
    units = names(force)
    return case.march(units, "2815", ChoosePlan(plan), retreat("2815 2814 2813"))


def allowance(case: Case, units: str = "A1") -> int:
    """Exploit with these units, and return the points of their allowance."""
    case.go(Exploit(ids(units)))
    halves = case.last(events.ExploitationBegan).halves
    assert halves % 2 == 0
    return halves // 2


# --- who exploits ---


@pytest.mark.rule("AGC-4.7a", "R-DM-67", "DM-8.12a")
@pytest.mark.parametrize(("pause", "exploits"), [(0, True), (2, False)])
def test_a_mobile_force_that_used_its_hex_in_the_pause_does_not_exploit(lay: Lay, pause: int, exploits: bool) -> None:
    case = lay(
        "2817 A1:7; 2815 a1:5",
        dice="reaction 66; attack 66; defense 1; counter 1",
        tweak=lambda state: setattr(state, "pause_turn", pause),
    )
    case.go(activate("A1"), Step("2816")).until(lambda case: case.accepts(React))
    case.submit(React(["a1"], ["2815", "2816"]))
    case.until(lambda case: case.accepts(Exploit) or not case.state.active)
    assert (case.accepts(Exploit), case.one(events.CombatDecided).winner) == (exploits, "attacker")


@pytest.mark.rule("DM-8.12a", "DM-8.12b", "DM-8.12c", "R-DM-29")
def test_a_winner_in_an_empty_hex_may_exploit(lay: Lay) -> None:
    case = won(lay)
    case.go(Exploit(["A1"]), Step("2814"), EndActivation())
    case.rest()
    assert (case.at("A1"), case.holder("2814")) == ("2814", "german")  # DM-2.9a
    moved = case.last(events.ForceMoved)
    assert (moved.start, moved.hex, moved.halves, moved.left, moved.exploiting) == ("2815", "2814", 2, 4, True)


@pytest.mark.rule("DM-8.12a")
@pytest.mark.parametrize("stays", ["I5", "I1"])
def test_an_excess_unit_does_not_prevent_others_from_exploiting(lay: Lay, stays: str) -> None:
    dice = WIN
    case = lay("2816 I1:1 I2:1 I3:1 I5:1 M4:7; 2815 i1:3", dice=dice)
    case.march("I1 I2 I3 I5 M4", "2815", LeaveOut([stays]))
    case.until(lambda case: case.accepts(Exploit) or not case.state.active)
    assert case.allows(Exploit(["M4"]))
    assert not case.allows(Exploit([stays]))


@pytest.mark.rule("DM-8.12a", "DM-8.12i", "DM-8.8d", "R-DM-19")
@pytest.mark.parametrize(("position", "side", "dice", "offered"), [
    ("2816 A1:7; 2815 i1:5", "german", WIN, True), ("2816 A1:7; 2815 i1:1", "german", WIN, True),
    ("2816 A1:6; 2815 i1:6", "german", {"attack": "1", "defense": "6"}, False),
    ("2816 A1:6; 2815 i1:6", "soviet", {"attack": "1", "defense": "6"}, False),
])  # fmt: skip
def test_an_attacker_that_won_may_exploit(
    lay: Lay, position: str, side: str, dice: dict[str, str], offered: bool
) -> None:
    """Also if all defenders are eliminated. It may decline. A winning defender stays in its hex."""
    case = lay(position, side=side, dice=dice)
    case.attack("A1", "2815") if side == "german" else case.attack("i1", "2816")
    assert case.had_decision("exploit_from") == offered
    assert case.never(events.ExploitationBegan)
    assert case.at("A1") == ("2815" if offered else "2816") or side == "german"


@pytest.mark.rule("R-DM-19", "DM-8.12a")
@pytest.mark.parametrize(("option", "exploits"), [("attacker_won_and_hex_empty", False), ("hex_empty", True)])
def test_attacker_that_loses_exploits_an_empty_hex_by_option(lay: Lay, option: str, exploits: bool) -> None:
    """The counterattack eliminates its own side. By points it is a tie, which the attacker loses."""
    case = lay(
        "2816 A1:6; 2815 a1:2",
        dice="attack 4; defense 1; counter 6",
        eliminated_side_loses="lp_only",
        ea_condition=option,
    )
    case.march("A1", "2815", ChoosePlan("standard"))
    case.until(lambda case: bool(case.events(events.CombatDecided)))
    assert case.one(events.CombatDecided).winner == "defender"
    case.until(lambda case: case.accepts(Exploit) or case.state.active == [])
    assert case.accepts(Exploit) == exploits


# --- allowance ---


@pytest.mark.rule("DM-8.12.1a", "DM-8.12.1c", "R-DM-43")
@pytest.mark.parametrize(("unit", "plan", "option", "points"), [
    ("A1", "standard", "one", 3), ("M1", "standard", "one", 2), ("T1", "standard", "one", 2),
    ("C1", "standard", "one", 1), ("I1", "standard", "one", 1), ("A1", "meeting", "one", 2),
    ("M1", "meeting", "one", 1), ("T1", "standard", "zero", 1),
])  # fmt: skip
def test_an_exploitation_allowance_is_the_rating_and_the_plan(
    lay: Lay, unit: str, plan: str, option: str, points: int
) -> None:
    assert allowance(won(lay, f"{unit}:7", plan=plan, exploit_rating_motorized=option), unit) == points


@pytest.mark.rule("DM-8.12.1a")
def test_infantry_cannot_exploit_after_a_meeting_engagement(lay: Lay) -> None:
    case = won(lay, "I1:7", plan="meeting").until(lambda case: case.accepts(Exploit) or not case.state.active)
    if case.accepts(Exploit):
        case.go(Exploit(["I1"]))
        assert case.last(events.ExploitationBegan).halves == 0
        assert not case.accepts(Step)


@pytest.mark.rule("DM-8.12.1b", "DM-8.8d", "R-DM-28")
@pytest.mark.parametrize(("unit", "option", "points"), [
    ("A1", "lowest_unit", 5), ("C1", "lowest_unit", 3), ("I1", "lowest_unit", 1), ("I1", "per_unit", 1),
])  # fmt: skip
def test_surplus_points_go_to_forces_with_a_zone(lay: Lay, unit: str, option: str, points: int) -> None:
    """Three loss points hit one strength point: two are surplus."""
    case = lay(f"2816 {unit}:7; 2815 i1:1", dice=WIN, ema_mixed_force=option)
    case.march(unit, "2815", ChoosePlan("standard"))
    assert allowance(case, unit) == points
    assert case.last(events.ExploitationBegan).surplus == (0 if unit == "I1" else 2)
    assert next(event for event in case.events(events.LossesTaken) if event.side == "soviet").surplus == 2
    assert case.go(Step("2814")).accepts(Step) == (points > 1)


@pytest.mark.rule("R-DM-28")
@pytest.mark.parametrize("option", ["lowest_unit", "per_unit"])
def test_a_mixed_force_exploits_as_far_as_its_infantry_by_option(lay: Lay, option: str) -> None:
    """By the other option, each unit goes as far as it can."""
    case = won(lay, "A1:4 I1:3", ema_mixed_force=option).go(Exploit(ids("A1 I1")))
    assert case.last(events.ExploitationBegan).halves == 2 or option == "per_unit"
    assert case.go(Step("2814")).accepts(Step) == (option == "per_unit")


@pytest.mark.rule("R-DM-28", "DM-8.12.2a")
def test_parts_of_a_force_exploit_in_turn_at_their_own_speed(lay: Lay) -> None:
    case = won(lay, "A1:4 I1:3")
    case.go(Exploit(["A1"]), Step("2715"), Step("2614"), Step("2514"))
    assert not case.accepts(Step)
    case.until(lambda case: case.accepts(Exploit))
    assert not case.allows(Exploit(["A1"]))
    case.go(Exploit(["I1"]), Step("2814"))
    case.rest()
    assert case.at("A1 I1") == "2514 2814"
    assert [event.halves for event in case.events(events.ExploitationBegan)] == [6, 2]
    assert case.spent("A1 I1") == [True, True]


@pytest.mark.rule("DM-8.12.2a")
def test_a_part_finishes_before_the_next_begins(lay: Lay) -> None:
    case = won(lay, "A1:4 A2:3").go(Exploit(["A2"]), Step("2814"))
    assert not case.allows(Exploit(["A1"]))
    case.go(EndActivation()).to(Exploit).submit(Exploit(["A1"])).go(Step("2715")).rest()
    assert case.at("A1 A2") == "2715 2814"


@pytest.mark.rule("R-DM-29", "DM-3.0a")
def test_exploitation_pays_for_terrain(lay: Lay) -> None:
    case = won(lay, forest="2814").go(Exploit(["A1"]), Step("2814"))
    assert case.last(events.ForceMoved).left == 2


# --- actions ---


@pytest.mark.rule("DM-8.12b", "R-DM-30", "DM-8.12f", "DM-8.12d")
def test_an_exploiting_force_may_attack_once_without_another_exploitation(lay: Lay) -> None:
    """One point for 2915, one for 2914, and one for a standard attack there."""
    dice = {"attack": "66,66", "defense": "1,1"}
    case = won(lay, soviet="2815 i1:5; 2914 i3:5", dice=dice)
    case.go(Exploit(["A1"]), Step("2915"), Step("2914"), ChoosePlan("standard"))
    case.until(lambda case: len(case.events(events.CombatDecided)) == 2)
    case.rest()
    fights = case.events(events.CombatBegan)
    assert [(fight.hex, fight.exploiting) for fight in fights] == [("2815", False), ("2914", True)]
    assert len(case.events(events.ExploitationBegan)) == 1
    assert case.at("A1") == "2914"


@pytest.mark.rule("DM-8.12d", "DM-8.12b")
@pytest.mark.parametrize(("others", "path"), [("2612 a1:8; 2913 a2:8", "2814 2714"), ("2915 a3:5", "2915")])
def test_no_unit_reacts_to_an_exploitation_or_avoids_its_combat(lay: Lay, others: str, path: str) -> None:
    dice = {"attack": "66,12", "defense": "1,1", "counter": "1"} if path == "2915" else WIN
    case = won(lay, soviet=f"2815 i1:5; {others}", dice=dice).go(Exploit(["A1"]))
    for hex_ in path.split():
        case.submit(Step(hex_))
        assert not case.accepts(React)
        assert not case.accepts(AvoidCombat)
        assert path == "2915" or case.pending.seat == "german"
    case.rest()
    assert case.never(events.ReactionRolled)


@pytest.mark.rule("R-DM-30", "DM-8.12c")
@pytest.mark.parametrize(("path", "standard"), [("2915 2914", True), ("2916 2915 2914", False)])
def test_a_plan_is_paid_from_the_exploitation_allowance(lay: Lay, path: str, standard: bool) -> None:
    dice = {"attack": "66,66", "defense": "1,1"}
    case = won(lay, soviet="2815 i1:5; 2914 i3:5", dice=dice)
    case.go(Exploit(["A1"]), *(Step(hex_) for hex_ in path.split()))
    case.until(lambda case: case.accepts(ChoosePlan) or len(case.events(events.PlansRevealed)) == 2)
    assert case.allows(ChoosePlan("standard")) == standard


@pytest.mark.rule("DM-8.12e", "R-DM-30")
def test_an_exploiting_force_can_make_a_grand_assault_but_no_penetration(lay: Lay) -> None:
    """Three points: one for the hex, two for the assault."""
    case = won(lay, soviet="2815 i1:5; 2915 i3:5", dice={"attack": "66,11", "defense": "1,1"})
    case.go(Exploit(["A1"]), Step("2915"))
    assert not case.allows(ChoosePlan("penetration"))
    case.go(ChoosePlan("grand")).rest()
    assert case.last(events.CombatBegan).hex == "2915"
    assert [event.plan for event in case.events(events.PlansRevealed)] == ["standard", "grand"]


@pytest.mark.rule("DM-8.12g", "DM-8.12h", "DM-8.5a", "DM-8.5b")
@pytest.mark.parametrize(("row", "soviet", "path", "plan", "attack", "defense"), [
    (31, "3115 i1:5; 3414 i3:5", "3214 3314 3414", [], -1, -1),  # a meeting engagement
    (32, "3215 i1:3; 3115 i3:3", "3115", [ChoosePlan("standard")], -4, 0),
])  # fmt: skip
def test_an_exploiting_force_keeps_its_supply_state(
    lay: Lay, row: int, soviet: str, path: str, plan: list[ChoosePlan], attack: int, defense: int
) -> None:
    """Row 31 is within three hexes of the railway, rows 32 and 34 are not."""
    case = lay(f"{row}16 A1:7; {soviet}", dice="attack 66,66; defense 1,1")
    case.march("A1", f"{row}15", ChoosePlan("standard"), retreat(f"{row}15 {row}14 {row}13"))
    assert total(case.one(events.CombatResolved).attack_modifiers) == (-4 if row == 32 else 0)
    case.go(Exploit(["A1"]), *steps(path), *plan).rest()
    second = case.last(events.CombatResolved)
    assert (second.hex, total(second.attack_modifiers)) == (path[-4:], attack)
    assert total(second.defense_modifiers) == defense


@pytest.mark.rule("DM-8.12c", "DM-9.0a", "R-DM-40")
def test_exploitation_does_not_count_for_attrition(lay: Lay) -> None:
    """Two of six points for the attack. The three points after it do not count."""
    case = lay("3216 A1:7; 3215 i1:3", dice="attack 66; defense 1")
    case.march("A1", "3215", ChoosePlan("standard"), retreat("3215 3214 3213"))
    case.go(Exploit(["A1"]), Step("3315"), Step("3414"), Step("3514")).rest()
    assert case.at("A1") == "3514"
    assert case.never(events.AttritionRolled)


@pytest.mark.rule("AGC-4.6.2b", "R-DM-82")
def test_twelve_to_one_attack_exploits_with_1_point_despite_surplus(lay: Lay) -> None:
    case = lay("2816 A1:12; 2815 i1:1", dice={})
    case.march("A1", "2815", ChoosePlan("standard"))
    assert allowance(case) == 1
