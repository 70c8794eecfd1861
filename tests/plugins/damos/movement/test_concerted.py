"""Concerted attacks: grand assault and penetration (DM-8.1)."""

from typing import Any

import msgspec
import pytest
from tests.plugins.damos.cases import Case, ids, quiet_order, react, retreat, total
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import (
    Activate,
    AvoidCombat,
    ChoosePlan,
    ChoosePosture,
    DeclareAttack,
    Decline,
    Exploit,
    PickUp,
    PlanAttack,
    Rally,
    React,
    Step,
)
from damos.model.state import DamosState

FIGHT = {"attack": "4", "defense": "1"}
ANY = {"attack": "*", "defense": "*", "counter": "*"}


def declared(lay: Lay, target: str = "2815", german: str = "2816 A1:6", soviet: str = "2815 i1:6", **more: Any) -> Case:
    """Declare an attack. Its plan is the next decision."""
    return lay(german=german, soviet=soviet, dice=more.pop("dice", FIGHT), **more).go(DeclareAttack(target))


def plan(kind: str, units: str = "A1") -> PlanAttack:
    return PlanAttack(kind, ids(units))


# --- attackers and targets ---


@pytest.mark.rule("DM-8.1a", "DM-7.0c", "DM-8.1c")
@pytest.mark.parametrize(("german", "soviet", "legal"), [
    ("2816 A1:6", "2815 i1:6", True), ("2816 C1:6", "2815 i1:6", True), ("2816 I1:6", "2815 i1:6", False),
    ("2816 A1:6~", "2815 i1:6", False), ("2816 A1:6!", "2815 i1:6", False), ("2816 A1:6", "2814 i1:6", False),
    ("2816 A1:7", "2814 i1:6", True), ("2816 A1:7", "2813 i1:6", False), ("2816 A1:13", "2813 i1:6", True),
])  # fmt: skip
def test_a_target_is_in_the_zone_of_a_fresh_force(lay: Lay, german: str, soviet: str, legal: bool) -> None:
    case = lay(german=german, soviet=soviet)
    assert case.allows(DeclareAttack(soviet.split(maxsplit=1)[0])) == legal


@pytest.mark.rule("DM-8.1c")
@pytest.mark.parametrize("target", ["2814", "2816", "2817", "9999"])
def test_a_target_is_a_hex_with_enemies(lay: Lay, target: str) -> None:
    case = lay("2816 A1:6; 2817 A2:6; 2815 i1:6")
    assert not case.allows(DeclareAttack(target))
    assert case.refuses(DeclareAttack(target))


@pytest.mark.rule("DM-8.1a")
def test_the_soviets_can_declare_an_attack(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 a1:6", side="soviet", dice=FIGHT)
    case.go(DeclareAttack("2816"), PlanAttack("penetration", ["a1"]))
    assert case.rest().one(events.CombatBegan).attackers == ["a1"]


# --- secrets ---


@pytest.mark.rule("DM-8.1b", "DM-8.1f", "R-DM-13", "DM-12.0a")
def test_the_enemy_learns_only_the_target(lay: Lay) -> None:
    case = declared(lay, german="2816 A1:6; 2716 A2:6", soviet="2815 i1:6; 2814 a1:6")
    assert case.one(events.AttackDeclared).target == "2815"
    assert case.seen(case.one(events.AttackDeclared), "soviet") == case.one(events.AttackDeclared)
    assert case.pending.secret
    case.submit(plan("penetration", "A2"))
    planned = case.one(events.AttackPlanned)
    seen = case.seen(planned, "soviet")
    assert (planned.plan, planned.units) == ("penetration", ["A2"])
    assert seen is None or (getattr(seen, "plan", ""), getattr(seen, "units", [])) == ("", [])
    case.to(React)
    assert case.never(events.PlansRevealed, events.ForceActivated)
    assert case.at("A1 A2") == "2816 2716"
    case.rest()
    assert case.at("A1") == "2816"


@pytest.mark.rule("DM-8.1f", "R-DM-13")
def test_the_posture_is_chosen_before_the_force_is_revealed(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 a1:6; 2716 a2:6", side="soviet", dice="attack 4; defense 5")
    case.go(DeclareAttack("2816"), PlanAttack("penetration", ["a2"])).to(ChoosePosture)
    assert case.pending.seat == "german"
    assert case.never(events.ForceActivated, events.ForceMoved)
    case.play(ChoosePosture("counterattack"))
    moved = case.order_of(events.PlansRevealed, events.ForceMoved, events.CombatResolved)
    assert moved.index("ForceMoved") < moved.index("CombatResolved")
    assert case.one(events.CombatBegan).attackers == ["a2"]


@pytest.mark.rule("DM-8.1b")
def test_the_enemys_view_does_not_depend_on_the_plan(lay: Lay) -> None:
    seen = []
    for kind, unit in (("penetration", "A1"), ("grand", "A2")):
        case = declared(lay, german="2816 A1:6; 2716 A2:6", soviet="2815 i1:6; 2814 a1:6")
        case.submit(plan(kind, unit)).to(React)
        seen.append(msgspec.json.encode(case.game.view("soviet")))
        case.rest()
    assert seen[0] == seen[1]


# --- reactions and postures ---


@pytest.mark.rule("DM-8.1d", "DM-8.1e")
@pytest.mark.parametrize(("dice", "postures"), [("66", ["counterattack", "steadfast"]), ("11", ["steadfast"])])
def test_armor_that_reacts_in_time_allows_a_counterattack(lay: Lay, dice: str, postures: list[str]) -> None:
    case = lay(
        "2816 I1:6; 2817 A1:6; 2815 a1:6",
        side="soviet",
        dice={"reaction": dice, "attack": "*", "defense": "*", "counter": "*"},
    )
    case.go(DeclareAttack("2816"), PlanAttack("penetration", ["a1"]), react("A1", "2817 2816"))
    case.until(lambda case: case.accepts(ChoosePosture) or bool(case.events(events.PlansRevealed)))
    found = case.postures() if case.accepts(ChoosePosture) else [case.one(events.PlansRevealed).posture]
    assert found == postures


@pytest.mark.rule("DM-2.6.1h", "DM-8.1d")
def test_the_target_cannot_avoid_combat(lay: Lay) -> None:
    case = declared(lay, soviet="2815 a1:6", dice={"attack": "1", "defense": "6"}).submit(plan("penetration"))
    offers = []
    while case.state.attack_target or case.state.active:
        offers += [case.offered(AvoidCombat)] if case.accepts(AvoidCombat) else []
        case.game.submit(quiet_order(case.pending), case.pending.seat)
    assert offers == []
    assert case.one(events.CombatBegan).defenders == ["a1"]


@pytest.mark.rule("R-DM-04", "DM-8.1d")
@pytest.mark.parametrize(("option", "modifier"), [("known_forces_only", 0), ("always", 1)])
def test_an_unknown_attacker_is_not_compared_with_reactors(lay: Lay, option: str, modifier: int) -> None:
    case = declared(lay, soviet="2815 i1:6; 2814 a1:8", dice=ANY | {"reaction": "11"}, reaction_mech_compare=option)
    case.submit(plan("penetration")).go(react("a1", "2814 2815")).rest()
    rolled = case.one(events.ReactionRolled)
    assert total(rolled.modifiers) == modifier


@pytest.mark.rule("DM-8.1d", "DM-8.1f", "DM-8.1i", "DM-8.3e")
@pytest.mark.parametrize("reacts", [True, False])
def test_a_unit_may_react_when_a_penetration_arrives(lay: Lay, reacts: bool) -> None:
    """The posture is unchanged if armor arrives late. A unit that declines has no second decision."""
    case = declared(lay, soviet="2815 i1:6; 2814 a1:6", dice=ANY | ({"reaction": "66"} if reacts else {}))
    case.submit(plan("penetration")).to(React)
    case.until(lambda case: bool(case.events(events.ForceMoved))).to(React)
    case.submit(react("a1", "2814 2815") if reacts else Decline())
    case.until(lambda case: case.accepts(React) or bool(case.events(events.CombatResolved)))
    assert not case.accepts(React)
    case.rest()
    assert case.one(events.CombatBegan).defenders == (["a1", "i1"] if reacts else ["i1"])
    assert case.one(events.PlansRevealed).posture == "steadfast"


@pytest.mark.rule("DM-8.1d", "R-DM-25")
def test_a_unit_that_tried_to_react_does_not_try_again(lay: Lay) -> None:
    case = declared(lay, soviet="2815 i1:6; 2814 a1:6", dice=ANY | {"reaction": "11"})
    case.submit(plan("penetration")).go(react("a1", "2814 2815")).rest()
    assert len(case.events(events.ReactionRolled)) == 1
    assert case.spent("a1") == [True]


# --- penetration ---


@pytest.mark.rule("DM-8.1g", "DM-8.3a", "DM-8.3e", "DM-8.5c")
def test_a_penetration_enters_the_target_directly(lay: Lay) -> None:
    case = declared(lay).submit(plan("penetration")).rest()
    assert case.one(events.CombatBegan).entry == "2816"
    assert [event.hex for event in case.events(events.ForceMoved)] == ["2815"]
    assert total(case.one(events.CombatResolved).attack_modifiers) == 2
    assert case.one(events.PlansRevealed).plan == "penetration"


@pytest.mark.rule("DM-8.12.1a", "DM-8.12.1d", "DM-8.1g", "DM-8.3b")
@pytest.mark.parametrize(("kind", "unit", "soviet", "more", "points"), [
    ("penetration", "M1", "i1:1", {"forest": "2815"}, 1 + 6 - 2 + 1),  # with one surplus loss point
    ("penetration", "A1", "i1:6", {}, 2 + 6 - 1), ("grand", "A1", "i1:6", {}, 2 + 2),
])  # fmt: skip
def test_a_concerted_attack_is_exploited(
    lay: Lay, kind: str, unit: str, soviet: str, more: dict[str, Any], points: int
) -> None:
    """After a penetration: the rating and the allowance, less the terrain. After a grand assault: the rating and 2."""
    dice = {"attack": "5" if more else "6", "defense": "1"}
    case = declared(lay, german=f"2816 {unit}:6", soviet=f"2815 {soviet}", dice=dice, **more).submit(plan(kind, unit))
    case.go(
        *([Step("2815")] if kind == "grand" else []), *([] if more else [retreat("2815 2814 2813")]), Exploit([unit])
    )
    assert case.one(events.ExploitationBegan).halves == 2 * points
    taken = next(each for each in case.events(events.LossesTaken) if each.side == "soviet")
    assert taken.surplus == (1 if more else 0)


# --- grand assault ---


@pytest.mark.rule("DM-8.1h", "DM-8.3a", "DM-8.5c")
def test_a_grand_assault_moves_to_its_target(lay: Lay) -> None:
    case = declared(lay, german="2817 A1:7", dice={"attack": "44", "defense": "1"}).submit(plan("grand"))
    case.go(Step("2816"), Step("2815")).rest()
    assert [event.hex for event in case.events(events.ForceMoved)] == ["2816", "2815"]
    assert total(case.one(events.CombatResolved).attack_modifiers) == 1
    assert case.one(events.PlansRevealed).plan == "grand"


@pytest.mark.rule("DM-8.1h", "DM-7.0n")
def test_a_grand_assault_picks_units_up_on_the_way(lay: Lay) -> None:
    case = declared(
        lay, german="2817 A1:7; 2816 I1:6", movement={"I1": 5}, dice={"attack": "444", "defense": "1"}
    ).submit(plan("grand"))
    case.go(Step("2816"), PickUp(["I1"]), Step("2815")).rest()
    assert case.one(events.CombatBegan).attackers == ["A1", "I1"]
    assert case.one(events.CombatResolved).attack_strength == 13


@pytest.mark.rule("DM-8.1h", "DM-2.3c")
def test_a_grand_assault_picks_up_units_within_the_stacking_limit(lay: Lay) -> None:
    german = "2817 A1:7 I1:1 I2:1 I3:1; 2816 I4:6"
    case = declared(lay, german=german, dice={"attack": "*", "defense": "*"}).submit(plan("grand", "A1 I1 I2 I3"))
    case.go(Step("2816"))
    assert not case.allows(PickUp(["I4"]))


@pytest.mark.rule("DM-2.8d", "DM-7.0k", "DM-8.1a", "DM-8.1g", "DM-8.1h", "DM-8.3a", "DM-8.3d", "DM-8.3e", "R-DM-27")
@pytest.mark.parametrize(("german", "more", "planned", "legal"), [
    *[("2816 A1:6 I1:6; 2716 I9:6; 2715 A5:6~; 2915 A6:6!", {}, ("penetration", units), units.startswith("A1"))
      for units in ("A1", "A1 I1", "I9", "A5", "A6")],
    ("2817 A1:7; 2716 A2:6", {}, ("penetration", "A1"), False), ("2817 A1:7; 2716 A2:6", {}, ("grand", "A1"), True),
    ("2816 A1:7; 2715 A2:7", {"movement": {"A1": 3}}, ("grand", "A1"), True),
    ("2816 A1:7; 2715 A2:7", {"movement": {"A1": 2}}, ("grand", "A1"), False),
    ("2816 A1:6; 2715 A2:7!", {}, ("penetration", "A2"), False),
    ("2816 A1:6; 2716 A2:6", {"movement": {"A1": 2}, "forest": "2815"}, ("penetration", "A1"), True),
    ("2816 A1:6; 2716 A2:6", {"movement": {"A1": 1}, "forest": "2815"}, ("penetration", "A1"), False),
])  # fmt: skip
def test_a_concerted_attack_requires_a_fresh_force_in_reach(
    lay: Lay, german: str, more: dict[str, Any], planned: tuple[str, str], legal: bool
) -> None:
    """A penetration starts in a neighboring hex. A grand assault costs two points more than its path."""
    case = declared(lay, german=german, dice=ANY, **more)
    assert case.allows(plan(*planned)) == legal


@pytest.mark.rule("DM-8.3d", "DM-7.0c")
def test_a_grand_assault_can_only_move_and_attack(lay: Lay) -> None:
    case = declared(lay, german="2817 A1:7", dice=ANY).submit(plan("grand"))
    case.go(Step("2816"))
    assert not case.accepts(Rally)
    assert not case.accepts(ChoosePlan)
    case.rest()
    assert case.one(events.CombatBegan).hex == "2815"


@pytest.mark.rule("R-DM-26", "DM-8.1i")
@pytest.mark.parametrize(("option", "rolls", "hexes"), [
    ("resolve_then_continue", ("666,666", "1,1", "1"), ["2816", "2814"]), ("ends", ("666", "1", "1"), ["2816"]),
    ("resolve_then_continue", ("111", "6", ""), ["2816"]),
])  # fmt: skip
def test_a_grand_assault_met_on_its_path_continues_if_it_wins(
    lay: Lay, option: str, rolls: tuple[str, str, str], hexes: list[str]
) -> None:
    """a1 reacts into 2816. By option, the assault ends there even if it wins."""
    dice = dict(zip(("attack", "defense", "counter"), rolls, strict=True))
    case = declared(
        lay,
        german="2817 A1:13",
        soviet="2814 i1:6; 2716 a1:6",
        target="2814",
        dice={"reaction": "66"} | {name: faces for name, faces in dice.items() if faces},
        grand_assault_interrupted=option,
    )
    case.submit(plan("grand")).go(Step("2816"), react("a1", "2716 2816"))
    case.until(lambda case: bool(case.events(events.CombatDecided)))
    assert case.one(events.CombatDecided).winner == ("attacker" if rolls[2] else "defender")
    if len(hexes) > 1:
        case.go(Step("2815"), Step("2814"))
    case.rest()
    assert [event.hex for event in case.events(events.CombatBegan)] == hexes
    assert [event.plan for event in case.events(events.PlansRevealed)] == ["meeting", "grand"][: len(hexes)]
    assert case.spent("A1") == [True]
    assert (case.at("A1") == "2814") == (len(hexes) > 1)


# --- it must be carried out ---


@pytest.mark.rule("R-DM-27", "DM-8.3d", "DM-7.0e", "DM-7.0g")
def test_a_planned_attack_is_carried_out_and_spends_its_force(lay: Lay) -> None:
    case = declared(lay, dice={"attack": "1", "defense": "1"}).submit(plan("penetration")).rest()
    assert case.never(events.AttackDropped)
    assert len(case.events(events.CombatBegan)) == 1
    assert case.spent("A1") == [True]
    assert not case.allows(Activate(["A1"]))


@pytest.mark.rule("R-DM-27")
def test_a_planned_attack_may_be_canceled_by_option(lay: Lay) -> None:
    case = declared(lay, concerted_must_execute="may_cancel", dice={}).submit(plan("penetration"))
    assert case.to(Decline).pending.secret, "the enemy does not see that the player considers it"
    case.submit(Decline()).until(lambda case: not case.state.attack_target)
    assert len(case.events(events.AttackDropped)) == 1
    assert case.spent("A1") == [False]
    assert case.at("A1") == "2816"


@pytest.mark.rule("DM-7.0d")
def test_a_concerted_attack_activates_a_force_with_a_zone(lay: Lay) -> None:
    case = declared(lay, german="2816 A1:6; 2716 I1:6", dice={"attack": "1", "defense": "1"})
    case.submit(plan("penetration")).rest()
    assert not case.allows(Activate(["I1"]))


# --- special cases ---


@pytest.mark.rule("DM-8.1c", "DM-8.1h")
def test_a_force_other_than_the_one_with_the_zone_may_attack(lay: Lay) -> None:
    """Only A1 has 2813 in its zone. A2 makes the assault."""
    case = declared(lay, "2813", "2816 A1:13; 2815 A2:6", "2813 i1:6", dice={"attack": "4", "defense": "1"})
    case.submit(plan("grand", "A2")).go(Step("2814"), Step("2813")).rest()
    assert case.one(events.CombatBegan).attackers == ["A2"]


@pytest.mark.rule("DM-7.0e", "DM-8.3d")
def test_an_attack_that_destroys_its_attacker_ends(lay: Lay) -> None:
    case = declared(lay, german="2816 A1:1; 2716 A2:6", dice={"attack": "1", "defense": "6"})
    case.submit(plan("penetration")).rest()
    assert case.standing("A1") == "eliminated"
    assert (case.state.attack_target, case.state.active) == ("", [])
    assert case.allows(Activate(["A2"]))


@pytest.mark.rule("DM-8.1b", "DM-8.1c")
def test_a_demoralized_target_has_no_posture(lay: Lay) -> None:
    case = declared(lay, soviet="2815 a1:6!", dice={"attack": "1", "defense": "6"}).submit(plan("penetration")).rest()
    assert case.one(events.PlansRevealed).posture == ""
    assert total(case.one(events.CombatResolved).attack_modifiers) == 3


@pytest.mark.rule("AGC-4.8a", "R-DM-68", "DM-8.1a")
def test_cossacks_make_concerted_attacks(lay: Lay) -> None:
    def named(state: DamosState) -> None:
        state.cossacks = "2815"

    case = lay("2816 I1:6; 2815 i1:6", side="soviet", turn=10, tweak=named, dice=FIGHT)
    case.go(DeclareAttack("2816"), PlanAttack("penetration", ["i1"])).rest()
    assert case.one(events.CombatBegan).attackers == ["i1"]
