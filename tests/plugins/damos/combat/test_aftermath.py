"""Winner, loser, retreats, routs and demoralization after a combat (DM-8.10, DM-8.11, DM-2.8)."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case, activate, losses, retreat
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import (
    Activate,
    ChoosePlan,
    Decline,
    DropOff,
    EndActivation,
    LeaveOut,
    Rally,
    Retreat,
    Rout,
    Step,
)

WIN = {"attack": "6", "defense": "1"}
"""6 against 6: 1h on the defender, 0 on the attacker."""
LOSE = {"attack": "1", "defense": "6"}
RING = "2714 I6:1; 2914 I7:1; 2717 I8:1; 2917 I9:1"
"""Forces whose zones cover all six hexes around 2815."""


def beaten(lay: Lay, soviet: str = "2815 i1:6", german: str = "", plan: str = "standard", **more: Any) -> Case:
    """Let I1 attack from 2816 and win. The defender has yet to choose its retreat."""
    case = lay(german=f"2816 I1:6; {german}", soviet=soviet, dice=WIN, **more)
    return case.march("I1", "2815", ChoosePlan(plan)).until(lambda case: bool(case.events(events.CombatDecided)))


def paths(case: Case) -> list[list[str]]:
    return [order.path for order in case.offered(Retreat)]


def eliminated_by_retreat(case: Case) -> list[str]:
    return [unit for event in case.events(events.UnitsEliminated) if event.why == "retreat" for unit in event.units]


# --- the winner ---

FACES = {"0": "1", "0h": "2", "0d": "3", "1": "4", "1h": "6", "1d": "15", "2": "16", "3": "56"}
"""Faces by the loss points that they inflict at strength 6 or 7."""


@pytest.mark.rule("DM-8.10b", "DM-8.10c", "DM-8.10d", "DM-8.10e", "DM-8.2i", "R-DM-12")
@pytest.mark.parametrize(("inflicted", "suffered", "winner"), [
    ("1h", "1", "attacker"), ("1h", "1d", "defender"), ("0", "0h", "defender"), ("2", "1d", "attacker"),
    ("3", "3", "defender"), ("1d", "1d", "defender"), ("0h", "0", "attacker"), ("0d", "0h", "attacker"),
    ("1", "0d", "attacker"), ("0", "0", "defender"), ("2", "3", "defender"), ("3", "2", "attacker"),
])  # fmt: skip
def test_the_side_that_inflicts_more_points_wins(lay: Lay, inflicted: str, suffered: str, winner: str) -> None:
    attack, defense = FACES[inflicted], FACES[suffered]
    german, soviet = (5 + len(attack), 5 + len(defense))
    case = lay(f"2816 I1:{german}; 2815 i1:{soviet}", dice={"attack": attack, "defense": defense})
    decided = case.attack("I1", "2815").one(events.CombatDecided)
    assert (decided.on_defender, decided.on_attacker, decided.winner) == (inflicted, suffered, winner)


# --- retreats ---


@pytest.mark.rule("DM-8.11b")
def test_a_defender_retreats_two_or_three_hexes(lay: Lay) -> None:
    found = paths(beaten(lay).to(Retreat))
    assert {len(path) - 1 for path in found} == {2, 3}
    assert {path[0] for path in found} == {"2815"}


@pytest.mark.rule("DM-8.11b")
def test_an_attacker_retreats_one_hex(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice=LOSE)
    case.march("I1", "2815", ChoosePlan("standard")).to(Retreat)
    assert case.pending.seat == "german"
    assert {len(path) - 1 for path in paths(case)} == {1}
    case.play(retreat("2815 2816"))
    assert (case.at("I1 i1"), case.demoralized("I1 i1")) == ("2816 2815", [True, False])


@pytest.mark.rule("DM-8.11c")
def test_a_beaten_force_retreats_together(lay: Lay) -> None:
    case = beaten(lay, "2815 i1:4 i2:2").play(retreat("2815 2814 2813"))
    assert case.at("i1 i2") == "2813 2813"
    assert len(case.events(events.ForceRetreated)) == 1


@pytest.mark.rule("DM-2.9b")
def test_a_retreat_takes_control_of_no_hex(lay: Lay) -> None:
    case = beaten(lay, control={"german": "2814 2813 2812"}).play(retreat("2815 2814 2813"))
    assert [case.holder(hex_) for hex_ in ("2815", "2814", "2813")] == ["german", "german", "german"]


@pytest.mark.rule("DM-2.5d", "DM-2.5e", "DM-2.8c", "DM-8.11d", "R-DM-86")
@pytest.mark.parametrize(("german", "option", "killed"), [
    (RING, "winner_in_hex_ignored", True), (RING.replace(":1", ":1!"), "winner_in_hex_ignored", False),
    ("", "winner_in_hex_ignored", False), ("", "literal", True),
])  # fmt: skip
def test_a_loser_that_must_enter_an_enemy_zone_is_eliminated(lay: Lay, german: str, option: str, killed: bool) -> None:
    case = beaten(lay, german=german, retreat_from_combat_zoc=option).rest()
    assert eliminated_by_retreat(case) == (["i1"] if killed else [])
    assert case.standing("i1") == ("eliminated" if killed else "on_map")
    assert case.never(events.ForceRetreated) == killed


@pytest.mark.rule("R-DM-86", "DM-2.5d", "DM-8.11d")
@pytest.mark.parametrize("others", ["", "; 2714 i6:1; 2914 i7:1; 2717 i8:1; 2917 i9:1"])
def test_only_zones_from_other_hexes_eliminate_a_beaten_attacker(lay: Lay, others: str) -> None:
    """Units in 2717 and 2917 cover the three hexes west of 2815, units in 2714 and 2914 the other three."""
    case = lay(german="2816 I1:6", soviet=f"2815 i1:6{others}", dice=LOSE).attack("I1", "2815")
    assert eliminated_by_retreat(case) == (["I1"] if others else [])
    assert (case.at("I1") == "-") == bool(others)


@pytest.mark.rule("DM-8.11h", "R-DM-72")
def test_a_friendly_major_city_beside_the_combat_ends_a_retreat(lay: Lay) -> None:
    case = beaten(lay, major="2814").to(Retreat)
    assert ["2815", "2814"] in paths(case)
    assert ["2815", "2814", "2813"] in paths(case)
    assert not any(len(path) == 2 and path[1] != "2814" for path in paths(case))
    case.play(retreat("2815 2814"))
    assert (case.at("i1"), case.demoralized("i1")) == ("2814", [True])


# --- demoralization ---


@pytest.mark.rule("DM-8.11e", "DM-2.8a")
@pytest.mark.parametrize(("plan", "demoralized"), [("standard", True), ("meeting", False)])
def test_a_beaten_defender_is_demoralized_except_in_a_meeting_engagement(
    lay: Lay, plan: str, demoralized: bool
) -> None:
    case = beaten(lay, plan=plan).play(retreat("2815 2814 2813"))
    assert (case.at("i1"), case.demoralized("i1"), case.demoralized("I1")) == ("2813", [demoralized], [False])


@pytest.mark.rule("DM-8.11e", "DM-2.8a")
@pytest.mark.parametrize(("plan", "demoralized"), [("standard", True), ("meeting", False)])
def test_a_beaten_attacker_is_demoralized_except_in_a_meeting_engagement(
    lay: Lay, plan: str, demoralized: bool
) -> None:
    case = lay("2816 I1:6; 2815 i1:6", dice=LOSE).attack("I1", "2815", plan=plan)
    assert case.demoralized("I1") == [demoralized]
    assert case.at("I1") != "2815"


@pytest.mark.rule("DM-8.11f", "DM-2.8f")
def test_a_demoralized_loser_loses_a_point_from_its_largest_unit(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4! i2:2!", dice="attack 4; defense 1")
    case.march("I1", "2815", ChoosePlan("standard")).to_losses("soviet")
    case.play(losses("i2:1"))
    assert case.one(events.CombatResolved).on_defender == "1"
    assert case.sp("i1 i2") == [3, 1]
    assert case.demoralized("i1 i2") == [True, True]
    assert [event.why for event in case.events(events.LossesTaken)][-1] == "demoralized"
    assert case.at("i1") != "2815"


@pytest.mark.rule("R-DM-44", "DM-2.8f", "DM-8.11f")
@pytest.mark.parametrize(("strength", "die", "plan", "option", "left"), [
    (6, 4, "meeting", "lose_1_sp", 4), (6, 4, "meeting", "none", 5), (2, 3, "standard", "lose_1_sp", 0),
])  # fmt: skip
def test_a_demoralized_loser_loses_one_more_point(
    lay: Lay, strength: int, die: int, plan: str, option: str, left: int
) -> None:
    """By option, it loses no point after a meeting engagement. The point can be its last."""
    dice = {"attack": str(die), "defense": "1"}
    case = lay(f"2816 I1:6; 2815 i1:{strength}!", dice=dice, me_already_demoralized=option)
    case.attack("I1", "2815", plan=plan)
    assert case.one(events.CombatResolved).on_defender == "1"
    assert case.sp("i1") == [left]
    assert case.demoralized("i1") == [left > 0]
    assert case.standing("i1") == ("on_map" if left else "eliminated")
    assert case.at("i1") != "2815"


@pytest.mark.rule("DM-8.11g", "DM-2.8h", "DM-8.10e")
@pytest.mark.parametrize(("row", "attack", "defense", "points"), [
    (28, 1, 5, ("0h", "1")), (34, 1, 5, ("0", "1")), (28, 3, 4, ("1", "1")),
])  # fmt: skip
def test_a_demoralized_defender_that_wins_or_ties_rallies(
    lay: Lay, row: int, attack: int, defense: int, points: tuple[str, str]
) -> None:
    """In row 34 it has no supply."""
    case = lay(f"{row}16 I1:6; {row}15 i1:6!", dice={"attack": str(attack), "defense": str(defense)})
    case.attack("I1", f"{row}15")
    decided, rallied = case.one(events.CombatDecided), case.one(events.ForceRallied)
    assert (decided.on_defender, decided.on_attacker, decided.winner) == (*points, "defender")
    assert (rallied.units, rallied.why, case.demoralized("i1")) == (["i1"], "won", [False])


@pytest.mark.rule("R-DM-46", "DM-8.8d", "DM-8.10e", "DM-8.12a")
@pytest.mark.parametrize(("defender", "left", "winner"), [(1, "eliminated", ""), (2, "on_map", "defender")])
def test_the_only_survivor_of_a_tie_wins(lay: Lay, defender: int, left: str, winner: str) -> None:
    """Both roll 6, and each suffers 1. The attacker has 1 point."""
    case = lay(f"2816 I1:1; 2815 i1:{defender}!", forest="2815", dice="attack 6; defense 6").attack("I1", "2815")
    assert [case.standing("I1"), case.standing("i1")] == ["eliminated", left]
    assert case.one(events.CombatDecided).winner == winner
    assert case.never(events.ExploitationBegan, events.ForceRetreated)
    assert case.at("i1") == ("2815" if winner else "-")
    assert case.demoralized("i1") == [False]


# --- major cities ---


def city(lay: Lay, plan: str = "standard", kind: str = "major", **more: Any) -> Case:
    """Let 12 win against 7 and 5 with 4 loss points to 2. i1 keeps 5 and i2 3. The defender has yet to move."""
    case = lay("2816 I1:6 I2:6; 2815 i1:7 i2:5", dice="attack 66; defense 111", **{kind: "2815"}, **more)
    case.march("I1 I2", "2815", ChoosePlan(plan)).to_losses("soviet")
    case.submit(losses("i1:2 i2:2" if plan == "standard" else "i1:2 i2:1"))
    return case.until(lambda case: bool(case.events(events.CombatDecided)))


@pytest.mark.rule("DM-8.11i", "R-DM-18", "R-DM-19")
def test_a_rout_holds_the_city(lay: Lay) -> None:
    case = city(lay).to(Rout)
    assert case.pending.seat == "soviet"
    case.play(Rout(["2815", "2814", "2813"], "i1"))
    assert (case.at("i1 i2"), case.demoralized("i1 i2"), case.sp("i1 i2")) == ("2813 2815", [True, False], [5, 3])
    assert "2815" not in case.at("I1 I2")
    assert case.demoralized("I1 I2") == [True, True]
    assert len(case.last(events.ForceRetreated).path) == 2
    assert case.never(events.ExploitationBegan)


@pytest.mark.rule("DM-8.11i")
def test_a_defender_of_a_major_city_may_retreat_instead(lay: Lay) -> None:
    case = city(lay).to(Rout)
    if not case.accepts(Retreat):
        case.submit(Decline())
    case.to(Retreat).play(retreat("2815 2814 2813"))
    assert case.at("i1 i2") == "2813 2813"
    assert case.at("I1 I2") == "2815 2815"


@pytest.mark.rule("DM-8.11i")
def test_the_strongest_unit_after_losses_routs(lay: Lay) -> None:
    """i1 begins with 6 and takes all three points. Then i2, with 5, is stronger."""
    case = lay("2816 I1:6 I2:6; 2815 i1:6 i2:5", dice="attack 26; defense 111", major="2815")
    case.march("I1 I2", "2815", ChoosePlan("standard")).to_losses("soviet").submit(losses("i1:3"))
    case.play(Rout(["2815", "2814", "2813"], "i2"))
    assert case.at("i1 i2") == "2815 2813"


@pytest.mark.rule("R-DM-18")
def test_a_rout_requires_a_unit_that_stays(lay: Lay) -> None:
    case = lay("2816 I1:6 I2:6; 2815 i1:8", dice="attack 66; defense 11", major="2815")
    case.march("I1 I2", "2815", ChoosePlan("standard")).to(Retreat)
    assert not case.accepts(Rout)


@pytest.mark.rule("R-DM-18")
def test_a_rout_throws_attackers_back_even_in_a_meeting_engagement(lay: Lay) -> None:
    case = city(lay, plan="meeting").play(Rout(["2815", "2814", "2813"], "i1"))
    assert case.demoralized("I1 I2 i1 i2") == [True, True, True, False]


@pytest.mark.rule("R-DM-18")
def test_a_routed_unit_is_eliminated_by_option(lay: Lay) -> None:
    case = city(lay, rout_meaning="unit_eliminated").to(Rout)
    case.play(case.offered(Rout)[0])
    assert (case.standing("i1"), case.at("i2")) == ("eliminated", "2815")
    assert any(event.why == "rout" for event in case.events(events.UnitsEliminated))


@pytest.mark.rule("R-DM-18", "DM-2.5d")
def test_a_unit_that_routs_into_an_enemy_zone_is_eliminated(lay: Lay) -> None:
    german = f"2816 I1:6 I2:6; {RING}"
    dice = {"attack": "66", "defense": "111"}
    case = lay(german=german, soviet="2815 i1:7 i2:5", dice=dice, major="2815")
    case.march("I1 I2", "2815", ChoosePlan("standard")).to_losses("soviet").submit(losses("i1:2 i2:2"))
    case.to(Rout).play(case.offered(Rout)[0])
    assert (case.standing("i1"), case.at("i2")) == ("eliminated", "2815")
    assert case.demoralized("I1 I2 i2") == [True, True, False]


@pytest.mark.rule("DM-8.11i")
def test_a_rout_requires_a_major_city(lay: Lay) -> None:
    case = city(lay, kind="city").to(Retreat)
    assert not case.accepts(Rout)


# --- special cases ---


@pytest.mark.rule("DM-2.3c", "DM-2.3d")
def test_a_retreat_may_overstack_until_the_owners_operations_end(lay: Lay) -> None:
    case = beaten(lay, "2815 i1:6; 2813 i2:2 i3:2 i4:2").play(retreat("2815 2814 2813"))
    case.end()
    assert case.at("i1 i2 i3 i4") == "2813 2813 2813 2813"
    assert case.never(events.UnitsEliminated)


@pytest.mark.rule("R-DM-16", "AGC-1.3a")
def test_a_retreat_does_not_leave_the_map(lay: Lay) -> None:
    """The attack comes from the west at the east edge, where no hexes are behind."""
    case = lay("2602 I1:6; 2601 i1:6", dice=WIN)
    case.march("I1", "2601", ChoosePlan("standard")).to(Retreat)
    assert all(hex_ in case.prepared.board.area for path in paths(case) for hex_ in path)
    case.rest()
    assert case.standing("i1") == "on_map"


@pytest.mark.rule("DM-2.3g")
def test_an_excess_unit_stays_if_the_defense_holds(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:4 i2:3 i3:2 i4:3", dice="attack 1; defense 66")
    case.march("I1", "2815").answer(LeaveOut(["i4"]), ChoosePlan("standard")).rest()
    assert case.at("i4") == "2815"
    assert case.sp("i4") == [3]


@pytest.mark.rule("DM-8.11b", "DM-8.11d", "R-DM-18")
def test_an_attacker_thrown_back_by_a_rout_is_eliminated_in_enemy_zones(lay: Lay) -> None:
    dice = {"attack": "66", "defense": "111"}
    soviet = "2815 i1:7 i2:5; 2714 i6:1; 2914 i7:1; 2717 i8:1; 2917 i9:1"
    case = lay(german="2816 I1:6 I2:6", soviet=soviet, dice=dice, major="2815")
    case.march("I1 I2", "2815", ChoosePlan("standard")).to(Rout)
    case.play(case.offered(Rout)[0])
    assert [case.standing("I1"), case.standing("I2")] == ["eliminated", "eliminated"]


# --- effects of demoralization ---


@pytest.mark.rule("DM-2.8d")
def test_a_demoralized_unit_may_leave_an_enemy_zone(lay: Lay) -> None:
    case = lay("2816 A1:6!; 2815 i1:6").march("A1", "2817 2818")
    assert case.rest().at("A1") == "2818"


@pytest.mark.rule("DM-2.8c", "DM-2.5a", "DM-2.5e", "DM-2.6c")
def test_a_demoralized_unit_has_no_zone(lay: Lay) -> None:
    """A neighbor cuts the railway unless it is demoralized."""
    for mark, supplied in (("", False), ("!", True)):
        case = lay(f"2620 A1:6!; 2722 i1:6{mark}; 2922 i2:6{mark}", movement={"A1": 6})
        case.go(activate("A1"))
        assert case.accepts(Rally) == supplied, mark
        case.rest()


# --- spread of demoralization ---


@pytest.mark.rule("DM-2.8b", "DM-2.6d", "R-DM-06")
@pytest.mark.parametrize(("position", "units"), [("2820 I1:6; 2821 I2:6!~", ["I1"]), ("2820 I1:6!; 2821 I2:6", ["I2"])])
def test_units_that_end_in_one_hex_share_demoralization(lay: Lay, position: str, units: list[str]) -> None:
    case = lay(position).march("I1", "2821", EndActivation()).rest()
    assert case.demoralized("I1 I2") == [True, True]
    spread = case.one(events.ForceDemoralized)
    assert (spread.units, spread.hex, spread.why) == (units, "2821", "stacked")


@pytest.mark.rule("DM-2.8b", "R-DM-06")
@pytest.mark.parametrize("option", ["end_of_activation", "immediate"])
def test_demoralization_does_not_spread_to_a_force_that_passes_through(lay: Lay, option: str) -> None:
    case = lay("2820 I1:6; 2821 I2:6!~", demoralize_by_stacking=option)
    case.march("I1", "2821 2822", EndActivation()).rest()
    assert case.demoralized("I1 I2") == [False, True]


@pytest.mark.rule("R-DM-06", "R-DM-80")
@pytest.mark.parametrize(("option", "at_once"), [("end_of_activation", False), ("immediate", True)])
def test_demoralization_spreads_to_dropped_units_at_once_or_at_the_end(lay: Lay, option: str, at_once: bool) -> None:
    case = lay("2820 A1:6 I1:6; 2821 I2:6!~", demoralize_by_stacking=option)
    case.march("A1 I1", "2821", DropOff(["I1"]))
    assert case.demoralized("I1") == [at_once]
    case.go(Step("2822")).rest()
    assert case.demoralized("A1 I1 I2") == [False, True, True]


@pytest.mark.rule("DM-2.8b", "R-DM-06")
@pytest.mark.parametrize(("friend", "plan"), [("i2:6", "standard"), ("i2:6!", "meeting")])
def test_a_retreat_spreads_demoralization(lay: Lay, friend: str, plan: str) -> None:
    """A demoralized loser infects its friends. Demoralized friends infect the loser of a meeting engagement."""
    case = lay(f"2816 I1:6; 2815 i1:6; 2813 {friend}", dice="attack 6; defense 1")
    case.attack("I1", "2815", retreat("2815 2814 2813"), plan=plan)
    assert case.demoralized("i1 i2") == [True, True]


@pytest.mark.rule("DM-2.6d", "DM-2.8e")
def test_a_defense_with_a_demoralized_unit_is_demoralized(lay: Lay) -> None:
    """Such a stack arises only within an activation. It has no posture."""
    case = lay("2816 I1:6; 2815 i1:3! i2:3!", dice="attack 1; defense 6").attack("I1", "2815")
    assert case.one(events.PlansRevealed).posture == ""
    assert case.demoralized("i1 i2") == [False, False]


# --- rally ---


@pytest.mark.rule("DM-2.8g", "DM-7.0l")
def test_a_rally_costs_two_points(lay: Lay) -> None:
    case = lay("2820 I1:6! I2:3!").march("I1 I2", "2821", Rally())
    rallied = case.one(events.ForceRallied)
    assert (rallied.units, rallied.hex, rallied.left, rallied.why) == (["I1", "I2"], "2821", 2, "rally")
    assert case.demoralized("I1 I2") == [False, False]


@pytest.mark.rule("DM-2.8g")
def test_demoralization_lasts_until_a_rally(lay: Lay) -> None:
    case = lay("2820 I1:6!", dice="rail *").to_turn(4)
    assert case.demoralized("I1") == [True]


@pytest.mark.rule("DM-2.8c", "DM-7.0d")
def test_a_demoralized_armored_force_has_no_zone_of_influence(lay: Lay) -> None:
    case = lay("2820 A1:6!; 2822 I1:6").march("A1", "2821", EndActivation()).rest()
    assert case.allows(Activate(["I1"]))
