"""Attack plans and defense postures: the possible choices, and the combat matrix."""

import pytest
from tests.plugins.damos.cases import Case, total
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import ChoosePlan, ChoosePosture, DeclareAttack, PlanAttack

EVEN = {"attack": "4", "defense": "4"}
"""Both sides roll 4, which inflicts 1 loss point at equal strength."""


def resolved(case: Case) -> events.CombatResolved:
    return case.one(events.CombatResolved)


# --- attack plans ---


@pytest.mark.rule("DM-8.0b", "DM-8.3a", "DM-8.3c", "R-DM-11")
@pytest.mark.parametrize(
    ("start", "path", "standard"), [("2818", "2817 2816", True), ("2819", "2818 2817 2816", False)]
)
def test_a_standard_attack_requires_a_point_after_the_hex_is_paid(
    lay: Lay, start: str, path: str, standard: bool
) -> None:
    case = lay(f"{start} I1:6; 2815 i1:6", dice=EVEN)
    case.march("I1", f"{path} 2815")
    case.until(lambda case: case.accepts(ChoosePlan) or bool(case.events(events.PlansRevealed)))
    assert case.allows(ChoosePlan("standard")) == standard
    case.rest()
    assert case.one(events.PlansRevealed).plan == "meeting"


@pytest.mark.rule("DM-8.0b", "DM-8.1a", "DM-8.3d")
def test_concerted_plans_are_not_offered_on_entering(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 i1:6", dice=EVEN)
    case.march("A1", "2815").to(ChoosePlan)
    assert not case.allows(ChoosePlan("grand"))
    assert not case.allows(ChoosePlan("penetration"))


@pytest.mark.rule("DM-8.3a", "DM-8.5c", "DM-8.3b")
@pytest.mark.parametrize(("plan", "modifier", "inflicted"), [("meeting", -1, "0d"), ("standard", 0, "1")])
def test_the_plan_modifies_the_attackers_roll(lay: Lay, plan: str, modifier: int, inflicted: str) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice=EVEN).attack("I1", "2815", plan=plan)
    assert total(resolved(case).attack_modifiers) == modifier
    assert (resolved(case).attack_total, resolved(case).on_defender) == (4 + modifier, inflicted)
    assert total(resolved(case).defense_modifiers) == 0


@pytest.mark.rule("R-DM-13", "DM-8.4c", "DM-8.2d")
def test_plan_and_posture_are_chosen_and_revealed_together(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 a1:6", side="soviet", dice="attack 1; defense 4")
    case.march("a1", "2816").to(ChoosePlan)
    assert {decision.seat for decision in case.game.waiting()} == {"german", "soviet"}
    case.submit(ChoosePlan("standard"))
    assert case.never(events.PlansRevealed)
    case.submit(ChoosePosture("counterattack"))
    revealed = case.rest().one(events.PlansRevealed)
    assert (revealed.plan, revealed.posture) == ("standard", "counterattack")


@pytest.mark.rule("R-DM-13")
def test_the_defender_reveals_its_posture_first_by_option(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 a1:6", side="soviet", dice="attack 1; defense 4", chit_reveal="defender_first")
    case.march("a1", "2816").to(ChoosePosture)
    assert [decision.seat for decision in case.game.waiting()] == ["german"]
    case.submit(ChoosePosture("counterattack"))
    case.to(ChoosePlan).submit(ChoosePlan("standard")).rest()
    assert case.one(events.PlansRevealed).posture == "counterattack"


# --- postures ---


GROUNDS = {"clear": {}, "forest": {"forest": "2816"}, "city": {"city": "2816"}, "major": {"major": "2816"}}


def postures_of(case: Case) -> list[str]:
    """Return the postures of a German defender in 2816, or the posture that it has if there is no choice."""
    case.march("a1", "2816")
    case.until(lambda case: case.accepts(ChoosePosture) or bool(case.events(events.PlansRevealed)))
    if case.accepts(ChoosePosture):
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
def test_german_postures_depend_on_force_and_terrain(lay: Lay, defender: str, ground: str, postures: list[str]) -> None:
    case = lay(f"2816 {defender}; 2815 a1:6", side="soviet", dice="attack *; defense *", **GROUNDS[ground])
    assert postures_of(case) == postures


@pytest.mark.rule("R-DM-53")
@pytest.mark.parametrize(("option", "ground", "forced"), [
    ("city_and_major_city", "major", True), ("city_only", "major", False), ("city_only", "city", True),
    ("city_and_major_city", "town", False),
])  # fmt: skip
def test_cities_require_a_steadfast_defense_by_option(lay: Lay, option: str, ground: str, forced: bool) -> None:
    case = lay("2816 A1:6; 2815 a1:6", side="soviet", dice="attack *; defense *", city_means=option, **{ground: "2816"})
    assert (postures_of(case) == ["steadfast"]) == forced


@pytest.mark.rule("AGC-2.1b", "AGC-2.1c", "DM-8.4e")
@pytest.mark.parametrize(("defender", "ground", "posture"), [
    ("a1:6", {}, "counterattack"), ("m1:6", {}, "counterattack"), ("i1:3 d1:3", {}, "counterattack"),
    ("i1:6", {}, "steadfast"), ("t1:6", {}, "steadfast"), ("c1:6", {"forest": "2815"}, "steadfast"),
    ("a1:6", {"forest": "2815"}, "counterattack"),
])  # fmt: skip
def test_soviets_that_can_counterattack_must(lay: Lay, defender: str, ground: dict[str, str], posture: str) -> None:
    case = lay(f"2816 I1:6; 2815 {defender}", dice="attack 1; defense *", **ground)
    case.attack("I1", "2815")
    assert case.one(events.PlansRevealed).posture == posture


@pytest.mark.rule("R-DM-54", "AGC-2.1a", "AGC-2.1b")
@pytest.mark.parametrize(
    ("option", "posture"), [("steadfast_wins", "steadfast"), ("counterattack_wins", "counterattack")]
)
def test_soviet_armor_in_a_city_is_steadfast_by_option(lay: Lay, option: str, posture: str) -> None:
    case = lay("2816 I1:6; 2815 a1:6", city="2815", dice="attack 1; defense 66", soviet_city_counterattack=option)
    case.attack("I1", "2815")
    assert case.one(events.PlansRevealed).posture == posture


@pytest.mark.rule("DM-2.8e", "DM-8.4d", "DM-8.5d", "DM-8.1f")
def test_a_demoralized_defender_has_no_posture_and_helps_the_attacker(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 a1:6!", dice="attack 4; defense 6").attack("I1", "2815")
    assert case.one(events.PlansRevealed).posture == ""
    assert total(resolved(case).attack_modifiers) == 1
    assert (resolved(case).attack_total, resolved(case).on_attacker) == (5, "1h")


# --- combat matrix ---


@pytest.mark.rule("DM-8.2a", "DM-8.4b", "DM-8.5e", "DM-8.5f", "DM-8.2f", "DM-8.7b", "R-DM-51")
@pytest.mark.parametrize(("plan", "posture", "on_defender", "on_attacker"), [
    ("meeting", "steadfast", "0d", "1"), ("meeting", "counterattack", "0d", "1h"), ("meeting", "delay", "0h", "0d"),
    ("standard", "steadfast", "1", "1"), ("standard", "counterattack", "1", "1h"), ("standard", "delay", "0d", "1"),
    ("grand", "steadfast", "1h", "1h"), ("grand", "counterattack", "1", "1"), ("grand", "delay", "0d", "0d"),
    ("penetration", "steadfast", "1d", "1"), ("penetration", "counterattack", "1h", "1h"),
    ("penetration", "delay", "1h", "1"),
])  # fmt: skip
def test_combat_matrix_modifies_both_results(
    lay: Lay, plan: str, posture: str, on_defender: str, on_attacker: str
) -> None:
    """6 against 5 and 1 for the forest, a 4 against a 5: 1 and 1 without modifiers."""
    case = lay("2816 A1:5; 2815 a1:6", side="soviet", forest="2816", dice="attack 4; defense 5; counter *")
    if plan in {"meeting", "standard"}:
        case.attack("a1", "2816", ChoosePosture(posture), plan=plan)
    else:
        case.go(DeclareAttack("2816"), PlanAttack(plan, ["a1"]), ChoosePosture(posture)).rest()
    assert (resolved(case).on_defender, resolved(case).on_attacker) == (on_defender, on_attacker)
