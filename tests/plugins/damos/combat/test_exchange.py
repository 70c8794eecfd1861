"""Counterattacks, 8.9: when, at what ratio, on what ground, and what they cost."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case, losses
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import ChoosePlan, ChoosePosture, Exploit, Retreat, Rout

ANSWER = {"attack": "4", "defence": "1"}
"""6 against 6: 1 loss point on the defender, and 0 on the attacker."""


def riposte(lay: Lay, die: str = "1", german: str = "2816 A1:6", soviet: str = "2815 a1:6", **more: Any) -> Case:
    """Let Soviet armour, which must counterattack, lose the first exchange."""
    return lay(german=german, soviet=soviet, dice=ANSWER | {"counter": die}, **more)


# --- when ---


@pytest.mark.rule("DM-8.9a", "DM-8.2h", "DM-8.9g")
def test_a_defender_who_lost_the_exchange_counterattacks(lay: Lay) -> None:
    case = riposte(lay).attack("A1", "2815")
    assert case.one(events.CombatResolved).on_defender == "1"
    assert case.one(events.CounterattackResolved).die == 1


@pytest.mark.rule("DM-8.9b", "DM-8.2h")
@pytest.mark.parametrize(("attack", "defence"), [("1", "5"), ("1", "1"), ("4", "4"), ("3", "3")])
def test_one_who_won_it_or_tied_does_not(lay: Lay, attack: str, defence: str) -> None:
    case = lay("2816 A1:6; 2815 a1:6", dice={"attack": attack, "defence": defence})
    case.attack("A1", "2815")
    assert case.never(events.CounterattackResolved)
    assert case.one(events.CombatDecided).winner == "defender"


@pytest.mark.rule("R-DM-47", "DM-8.9a", "DM-8.10d")
@pytest.mark.parametrize(
    ("attack", "defence", "strikes"), [("6", "4", False), ("6", "3", True), ("2", "1", False), ("3", "1", True)]
)
def test_symbols_decide_who_lost_the_exchange(lay: Lay, attack: str, defence: str, strikes: bool) -> None:
    """The attacker's points are one step up: 1h against 1h, 1h against 1, 0h against 0h, 0d against 0h."""
    dice = {"attack": attack, "defence": defence} | ({"counter": "1"} if strikes else {})
    case = lay("2816 A1:6; 2815 a1:6", dice=dice).attack("A1", "2815")
    assert bool(case.events(events.CounterattackResolved)) == strikes


@pytest.mark.rule("DM-8.9a")
def test_another_posture_gives_no_counterattack(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 a1:6", side="soviet", dice=ANSWER)
    case.attack("a1", "2816", ChoosePosture("steadfast"))
    assert case.one(events.CombatDecided).winner == "attacker"
    assert case.never(events.CounterattackResolved)


@pytest.mark.rule("R-DM-45", "DM-8.9a")
def test_nobody_left_strikes_back(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 a1:1", dice="attack 4; defence 1").attack("A1", "2815")
    assert case.standing("a1") == "eliminated"
    assert case.never(events.CounterattackResolved)


# --- ratio ---


@pytest.mark.rule("DM-8.9f", "R-DM-45")
@pytest.mark.parametrize(("attacker", "defender", "attack", "defence", "strengths", "ratio"), [
    (5, 4, "4", "1", (3, 5), "1:2"), (15, 8, "111", "11", (6, 14), "1:3"), (5, 6, "4", "1", (5, 5), "1:1"),
    (20, 3, "111", "1", (1, 20), "1:4"), (7, 7, "33", "11", (6, 6), "1:1"), (12, 7, "33", "11", (5, 11), "1:3"),
])  # fmt: skip
def test_the_ratio_is_rounded_for_the_first_attacker(
    lay: Lay, attacker: int, defender: int, attack: str, defence: str, strengths: tuple[int, int], ratio: str
) -> None:
    dice = {"attack": attack, "defence": defence, "counter": "1"}
    case = lay(f"2816 A1:{attacker}; 2815 a1:{defender}", dice=dice).attack("A1", "2815")
    blow = case.one(events.CounterattackResolved)
    assert (blow.counter_strength, blow.attack_strength, blow.ratio) == (*strengths, ratio)


# --- ground ---


@pytest.mark.rule("DM-8.9d", "DM-8.9e")
@pytest.mark.parametrize(("ground", "soviet", "counter", "attack"), [
    ({}, "a1:6", 5, 6), ({"forest": "2815"}, "a1:5", 4, 7), ({"river": "2816/2815"}, "a1:6", 5, 6),
    ({"river": "2816/2815 2815/2814"}, "a1:6", 5, 6),
])  # fmt: skip
def test_the_ground_of_the_hex_helps_the_other_one(
    lay: Lay, ground: dict[str, str], soviet: str, counter: int, attack: int
) -> None:
    dice = {"attack": "5" if "river" in ground else "4", "defence": "1", "counter": "1"}
    case = lay(f"2816 A1:6; 2815 {soviet}", dice=dice, **ground).attack("A1", "2815")
    blow = case.one(events.CounterattackResolved)
    assert (blow.counter_strength, blow.attack_strength) == (counter, attack)


@pytest.mark.rule("DM-8.9d", "DM-8.9e")
def test_the_counterattacker_in_a_marsh_fights_as_an_attacker_there(lay: Lay) -> None:
    """Infantry attack: 7 - 2 = 5 against 5 + 1. In the counterattack 4 - 2 against 7 + 1 is 1:4."""
    case = lay("2816 I1:7; 2815 a1:5", marsh="2815", dice="attack 5; defence 1; counter 1").attack("I1", "2815")
    blow = case.one(events.CounterattackResolved)
    assert (blow.counter_strength, blow.attack_strength, blow.ratio) == (2, 8, "1:4")


# --- results ---


@pytest.mark.rule("DM-8.9g", "DM-8.9h", "DM-8.9i", "R-DM-52", "DM-8.2h")
@pytest.mark.parametrize(("die", "on_defender", "on_attacker"), [
    ("1", 2, 0), ("2", 2, 1), ("3", 2, 1), ("4", 1, 2), ("5", 1, 2), ("6", 1, 3),
])  # fmt: skip
def test_its_points_are_those_of_its_own_table(lay: Lay, die: str, on_defender: int, on_attacker: int) -> None:
    """5 against 6 is 1:2; nothing of the combat matrix is added."""
    case = riposte(lay, die).attack("A1", "2815")
    blow = case.one(events.CounterattackResolved)
    assert (blow.ratio, blow.on_defender, blow.on_attacker) == ("1:2", on_defender, on_attacker)
    assert case.sp("A1 a1") == [6 - on_attacker, 5 - on_defender]


@pytest.mark.rule("DM-8.2a", "DM-8.10a", "R-DM-47", "DM-8.9c")
@pytest.mark.parametrize(("die", "on_attacker", "on_defender", "winner"), [
    ("1", "0h", "3", "attacker"), ("4", "2", "2", "defender"), ("6", "3", "2", "defender"),
])  # fmt: skip
def test_winner_and_loser_are_found_after_it(
    lay: Lay, die: str, on_attacker: str, on_defender: str, winner: str
) -> None:
    decided = riposte(lay, die).attack("A1", "2815").one(events.CombatDecided)
    assert (decided.on_attacker, decided.on_defender, decided.winner) == (on_attacker, on_defender, winner)


@pytest.mark.rule("R-DM-47")
@pytest.mark.parametrize(("option", "on_attacker"), [("keep_if_total_below_2", "0h"), ("drop", "0")])
def test_a_symbol_that_nothing_is_added_to(lay: Lay, option: str, on_attacker: str) -> None:
    decided = riposte(lay, "1", lp_sum_symbols=option).attack("A1", "2815").one(events.CombatDecided)
    assert decided.on_attacker == on_attacker


@pytest.mark.rule("DM-8.8e", "DM-8.9c")
def test_first_losses_come_first_and_make_another_largest(lay: Lay) -> None:
    """A1 and M1 are 5 and 4; A1 takes 2, so that M1 is the largest when 3 more come."""
    case = lay("2816 A1:5 M1:4; 2815 a1:7", dice="attack 36; defence 33; counter 6")
    case.march("A1 M1", "2815", ChoosePlan("standard")).to_losses("german").submit(losses("A1:2"))
    case.until(lambda case: bool(case.events(events.CounterattackResolved))).to_losses("german")
    assert case.sp("A1 M1") == [3, 4]
    assert not case.allows(losses("A1:3"))
    assert case.allows(losses("M1:3"))
    assert case.allows(losses("A1:2 M1:1"))
    case.rest()


# --- what follows ---


@pytest.mark.rule("DM-8.12i", "DM-8.11b", "DM-8.9h")
def test_a_counterattack_that_wins_gives_no_exploitation(lay: Lay) -> None:
    case = riposte(lay, "6")
    case.march("A1", "2815", ChoosePlan("standard")).until(lambda case: bool(case.events(events.CombatDecided)))
    case.to(Retreat)
    assert case.asked.seat == "german"
    assert not case.asks(Exploit)
    case.rest()
    assert not case.was_asked("exploit_from")
    assert (case.demoralized("A1 a1"), case.at("a1")) == ([True, False], "2815")
    assert len(case.one(events.ForceRetreated).path) == 2


@pytest.mark.rule("DM-8.11j")
def test_an_attacker_beaten_by_a_counterattack_has_no_major_city_to_hold(lay: Lay) -> None:
    case = lay(
        "2816 A1:5 M1:4; 2815 a1:5",
        major="2815",
        dice="attack 22; defence 11; counter 6",
        soviet_city_counterattack="counterattack_wins",
    )
    case.march("A1 M1", "2815", ChoosePlan("standard")).until(lambda case: bool(case.events(events.CombatDecided)))
    assert case.one(events.CombatDecided).winner == "defender"
    case.to(Retreat)
    assert case.asked.seat == "german"
    assert not case.asks(Rout)
    case.rest()


@pytest.mark.rule("R-DM-46", "DM-8.8d")
@pytest.mark.parametrize(("option", "winner"), [("survivor_wins", "attacker"), ("lp_only", "defender")])
def test_who_dies_in_his_own_counterattack_has_lost(lay: Lay, option: str, winner: str) -> None:
    """2 against 6: one lost, then 1/2 at 1:4. Two points each: but nobody is left to hold the hex."""
    case = lay("2816 A1:6; 2815 a1:2", dice="attack 4; defence 1; counter 6", eliminated_side_loses=option)
    case.attack("A1", "2815")
    assert case.standing("a1") == "eliminated"
    assert case.one(events.CombatDecided).winner == winner
