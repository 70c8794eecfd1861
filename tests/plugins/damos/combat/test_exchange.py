"""Strengths, columns and dice of the exchange, and counterattacks (DM-8.2, DM-8.5, DM-8.6, DM-8.9)."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case, losses, names, react, total
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import ChoosePlan, ChoosePosture, Exploit, Retreat, Rout
from damos.model.tables import combat_result


def resolved(case: Case) -> events.CombatResolved:
    return case.one(events.CombatResolved)


LOST = {"attack": "4", "defense": "1"}
"""6 against 6: 1 loss point on the defender, and 0 on the attacker."""


def lost_exchange(lay: Lay, die: str = "1", german: str = "2816 A1:6", soviet: str = "2815 a1:6", **more: Any) -> Case:
    """Let Soviet armor, which must counterattack, lose the first exchange."""
    return lay(german=german, soviet=soviet, dice=LOST | {"counter": die}, **more)


# --- when ---


@pytest.mark.rule("R-DM-47", "DM-8.2h", "DM-8.9a", "DM-8.9b", "DM-8.9g", "DM-8.10d")
@pytest.mark.parametrize(("attack", "defense", "strikes"), [
    ("4", "1", True), ("1", "5", False), ("1", "1", False), ("4", "4", False), ("3", "3", False), ("6", "4", False),
    ("6", "3", True), ("2", "1", False), ("3", "1", True),
])  # fmt: skip
def test_a_defender_that_lost_the_exchange_counterattacks(lay: Lay, attack: str, defense: str, strikes: bool) -> None:
    """The attacker's points are one step up: for example 1h against 1h, 1h against 1, 0h against 0h, 0d against 0h."""
    dice = {"attack": attack, "defense": defense} | ({"counter": "1"} if strikes else {})
    case = lay("2816 A1:6; 2815 a1:6", dice=dice).attack("A1", "2815")
    assert [strike.die for strike in case.events(events.CounterattackResolved)] == [1] * strikes
    assert strikes or case.one(events.CombatDecided).winner == "defender"


@pytest.mark.rule("DM-8.9a")
def test_a_steadfast_defender_does_not_counterattack(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 a1:6", side="soviet", dice=LOST)
    case.attack("a1", "2816", ChoosePosture("steadfast"))
    assert case.one(events.CombatDecided).winner == "attacker"
    assert case.never(events.CounterattackResolved)


@pytest.mark.rule("R-DM-45", "DM-8.9a")
def test_an_eliminated_defender_does_not_counterattack(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 a1:1", dice="attack 4; defense 1").attack("A1", "2815")
    assert case.standing("a1") == "eliminated"
    assert case.never(events.CounterattackResolved)


# --- terrain ---


@pytest.mark.rule("DM-8.9d", "DM-8.9e")
@pytest.mark.parametrize(("attacker", "defender", "die", "ground", "counter", "attack"), [
    ("A1:6", "a1:6", "4", {}, 5, 6), ("A1:6", "a1:5", "4", {"forest": "2815"}, 4, 7),
    ("A1:6", "a1:6", "5", {"river": "2816/2815"}, 5, 6), ("A1:6", "a1:6", "5", {"river": "2816/2815 2815/2814"}, 5, 6),
    ("I1:7", "a1:5", "5", {"marsh": "2815"}, 2, 8),
])  # fmt: skip
def test_the_terrain_of_the_hex_favors_the_first_attacker(
    lay: Lay, attacker: str, defender: str, die: str, ground: dict[str, str], counter: int, attack: int
) -> None:
    """In the marsh 7 - 2 = 5 attack 5 + 1. In the counterattack 4 - 2 strike at 7 + 1."""
    dice = {"attack": die, "defense": "1", "counter": "1"}
    case = lay(f"2816 {attacker}; 2815 {defender}", dice=dice, **ground).attack(names(attacker), "2815")
    strike = case.one(events.CounterattackResolved)
    assert (strike.counter_strength, strike.attack_strength) == (counter, attack)
    assert strike.ratio == ("1:4" if counter == 2 else "1:2")


# --- results ---


@pytest.mark.rule("DM-8.2a", "DM-8.2h", "DM-8.9c", "DM-8.9g", "DM-8.9h", "DM-8.9i", "DM-8.10a", "R-DM-47", "R-DM-52")
@pytest.mark.parametrize(("die", "on_defender", "on_attacker", "decided"), [
    ("1", 2, 0, "3 0h attacker"), ("2", 2, 1, "3 1h attacker"), ("3", 2, 1, "3 1h attacker"),
    ("4", 1, 2, "2 2 defender"), ("5", 1, 2, "2 2 defender"), ("6", 1, 3, "2 3 defender"),
])  # fmt: skip
def test_a_counterattack_adds_the_points_of_its_table(
    lay: Lay, die: str, on_defender: int, on_attacker: int, decided: str
) -> None:
    """5 against 6 is 1:2; the combat matrix adds nothing. The totals decide the combat."""
    case = lost_exchange(lay, die).attack("A1", "2815")
    strike, result = case.one(events.CounterattackResolved), case.one(events.CombatDecided)
    assert (strike.ratio, strike.on_defender, strike.on_attacker) == ("1:2", on_defender, on_attacker)
    assert case.sp("A1 a1") == [6 - on_attacker, 5 - on_defender]
    assert f"{result.on_defender} {result.on_attacker} {result.winner}" == decided


@pytest.mark.rule("R-DM-47")
@pytest.mark.parametrize(("option", "on_attacker"), [("keep_if_total_below_2", "0h"), ("drop", "0")])
def test_a_symbol_of_the_exchange_is_kept_or_dropped_by_option(lay: Lay, option: str, on_attacker: str) -> None:
    decided = lost_exchange(lay, "1", lp_sum_symbols=option).attack("A1", "2815").one(events.CombatDecided)
    assert decided.on_attacker == on_attacker


@pytest.mark.rule("DM-8.8e", "DM-8.9c")
def test_losses_of_the_exchange_precede_those_of_the_counterattack(lay: Lay) -> None:
    """A1 has 5 and M1 4. A1 takes 2, so that M1 is the largest when 3 more points come."""
    case = lay("2816 A1:5 M1:4; 2815 a1:7", dice="attack 36; defense 33; counter 6")
    case.march("A1 M1", "2815", ChoosePlan("standard")).to_losses("german").submit(losses("A1:2"))
    case.until(lambda case: bool(case.events(events.CounterattackResolved))).to_losses("german")
    assert case.sp("A1 M1") == [3, 4]
    assert not case.allows(losses("A1:3"))
    assert case.allows(losses("M1:3"))
    assert case.allows(losses("A1:2 M1:1"))


# --- consequences ---


@pytest.mark.rule("DM-8.12i", "DM-8.11b", "DM-8.9h")
def test_a_winning_counterattack_gives_no_exploitation(lay: Lay) -> None:
    case = lost_exchange(lay, "6")
    case.march("A1", "2815", ChoosePlan("standard")).until(lambda case: bool(case.events(events.CombatDecided)))
    case.to(Retreat)
    assert case.pending.seat == "german"
    assert not case.accepts(Exploit)
    case.rest()
    assert not case.had_decision("exploit_from")
    assert (case.demoralized("A1 a1"), case.at("a1")) == ([True, False], "2815")
    assert len(case.one(events.ForceRetreated).path) == 2


@pytest.mark.rule("DM-8.11j")
def test_an_attacker_beaten_by_a_counterattack_cannot_rout(lay: Lay) -> None:
    case = lay(
        "2816 A1:5 M1:4; 2815 a1:5",
        major="2815",
        dice="attack 22; defense 11; counter 6",
        soviet_city_counterattack="counterattack_wins",
    )
    case.march("A1 M1", "2815", ChoosePlan("standard")).until(lambda case: bool(case.events(events.CombatDecided)))
    assert case.one(events.CombatDecided).winner == "defender"
    case.to(Retreat)
    assert case.pending.seat == "german"
    assert not case.accepts(Rout)


@pytest.mark.rule("R-DM-46", "DM-8.8d")
@pytest.mark.parametrize(("option", "winner"), [("survivor_wins", "attacker"), ("lp_only", "defender")])
def test_a_defender_eliminated_by_its_counterattack_loses(lay: Lay, option: str, winner: str) -> None:
    """2 against 6: one point is lost, then 1/2 at 1:4. Both suffer two points, but no defender is left."""
    case = lay("2816 A1:6; 2815 a1:2", dice="attack 4; defense 1; counter 6", eliminated_side_loses=option)
    case.attack("A1", "2815")
    assert case.standing("a1") == "eliminated"
    assert case.one(events.CombatDecided).winner == winner


# --- strengths, columns and dice ---


@pytest.mark.rule("DM-8.2a", "DM-8.6a", "DM-8.2e", "DM-8.6b")
@pytest.mark.parametrize(("strength", "column", "dice"), [
    (1, 1, 1), (2, 2, 1), (4, 3, 1), (6, 4, 1), (7, 5, 2), (8, 6, 2), (10, 7, 2), (12, 8, 2), (13, 9, 3), (18, 10, 3),
    (19, 11, 3), (23, 11, 3), (24, 12, 3), (40, 12, 3),
])  # fmt: skip
def test_strength_gives_the_column_and_the_number_of_dice(lay: Lay, strength: int, column: int, dice: int) -> None:
    faces = {"attack": "1" * dice, "defense": "1"}
    case = lay(f"2816 I1:{strength}; 2815 i1:5", dice=faces).attack("I1", "2815")
    assert (resolved(case).attack_column, len(resolved(case).attack_dice)) == (column, dice)


@pytest.mark.rule("DM-8.2c", "DM-3.0a", "R-DM-50")
@pytest.mark.parametrize(("ground", "attack", "defense"), [
    ({}, 6, 6), ({"forest": "2815"}, 6, 7), ({"town": "2815"}, 6, 6), ({"city": "2815"}, 6, 8),
    ({"major": "2815"}, 6, 10), ({"marsh": "2815"}, 4, 7), ({"river": "2816/2815"}, 5, 6),
    ({"river": "2815/2814"}, 6, 6), ({"river": "2816/2815", "forest": "2815"}, 5, 7), ({"forest": "2816"}, 6, 6),
])  # fmt: skip
def test_terrain_changes_strengths(lay: Lay, ground: dict[str, str], attack: int, defense: int) -> None:
    dice = {"attack": "1", "defense": "6" * (1 if defense <= 6 else 2)}
    case = lay("2816 I1:6; 2815 i1:6", dice=dice, **ground).attack("I1", "2815")
    assert (resolved(case).attack_strength, resolved(case).defense_strength) == (6, 6)
    assert (resolved(case).attack_modified, resolved(case).defense_modified) == (attack, defense)


@pytest.mark.rule("DM-8.2c")
@pytest.mark.parametrize(("strength", "modified"), [(1, 0), (6, 5), (7, 5), (12, 10), (13, 10), (24, 20)])
def test_a_river_costs_one_for_each_six_points_or_part_of_six(lay: Lay, strength: int, modified: int) -> None:
    dice = {"attack": "1" * (1 + (modified > 6) + (modified > 12)), "defense": "6"}
    case = lay(f"2816 I1:{strength}; 2815 i1:5", river="2816/2815", dice=dice).attack("I1", "2815")
    assert resolved(case).attack_strength == strength
    assert max(resolved(case).attack_modified, 0) == modified


@pytest.mark.rule("R-DM-21")
@pytest.mark.parametrize(("option", "dice"), [("column_1", [6]), ("no_roll", [])])
def test_a_force_reduced_to_zero_by_terrain_rolls_by_option(lay: Lay, option: str, dice: list[int]) -> None:
    faces = {"defense": "11"} | ({"attack": "6"} if dice else {})
    case = lay("2816 I1:1; 2815 i1:6", marsh="2815", dice=faces, sp_below_1=option)
    case.attack("I1", "2815")
    assert resolved(case).attack_dice == dice
    assert resolved(case).on_defender == ("0d" if dice else "0")


@pytest.mark.rule("R-DM-87")
def test_a_river_that_reactors_cross_does_not_count(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:2; 2814 a1:6", river="2815/2814", dice="reaction 66; attack 1; defense 66")
    case.attack("I1", "2815", react("a1", "2814 2815"))
    assert (resolved(case).attack_modified, resolved(case).defense_modified) == (6, 8)


@pytest.mark.rule("R-DM-20")
@pytest.mark.parametrize(("column", "total", "last_row", "diagonal"), [
    (1, 9, "1h", "1h"), (1, 10, "1h", "1d"), (2, 10, "1d", "2"), (3, 13, "2", "3"), (8, 19, "4", "5"),
    (12, 23, "7", "7"),
])  # fmt: skip
def test_totals_beyond_the_last_row_follow_the_option(column: int, total: int, last_row: str, diagonal: str) -> None:
    assert combat_result(column, total, "last_row_of_column") == last_row
    assert combat_result(column, total, "extrapolate") == diagonal


# --- supply ---


@pytest.mark.rule("DM-2.10d", "DM-2.10e", "DM-8.2a", "DM-8.5a", "DM-8.5b")
@pytest.mark.parametrize(("row", "strength", "attack", "defense"), [
    (28, 6, 0, 0), (33, 6, -2, 0), (33, 12, -4, 0), (34, 6, -2, -1),
])  # fmt: skip
def test_an_unsupplied_force_has_a_modifier(lay: Lay, row: int, strength: int, attack: int, defense: int) -> None:
    """-2 for each die of an attacker, -1 for a defender. The Soviets trace five hexes, to row 33."""
    dice = {"attack": "3" * (1 + (strength > 6)), "defense": "44"}
    case = lay(f"{row}16 I1:{strength}; {row}15 i1:12", dice=dice).attack("I1", f"{row}15")
    result = resolved(case)
    assert (total(result.attack_modifiers), total(result.defense_modifiers)) == (attack, defense)
    assert result.defense_total == 8 + defense
