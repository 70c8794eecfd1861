"""The odds, compared with exact fractions computed by hand, without the rules."""

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import msgspec
import pytest

from sandtable.errors import RulesetError
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Installed
from sandtable.rules.chance.battles import Enumeration, battle_odds, sampled_odds

CHANCE = {"infantry": Fraction(1, 6), "guns": Fraction(3, 6)}
Force = tuple[int, int]


def hits_of(infantry: int, guns: int) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for a in range(infantry + 1):
        for b in range(guns + 1):
            p, q = CHANCE["infantry"], CHANCE["guns"]
            weight = comb(infantry, a) * p**a * (1 - p) ** (infantry - a)
            weight *= comb(guns, b) * q**b * (1 - q) ** (guns - b)
            found[a + b] = found.get(a + b, Fraction()) + weight
    return found


def after(force: Force, hits: int) -> Force:
    infantry = max(0, force[0] - hits)
    return infantry, max(0, force[1] - max(0, hits - force[0]))


@cache
def by_hand(red: Force, blue: Force) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Attacker, defender, draw, rounds."""
    if not sum(red) or not sum(blue):
        ends = (sum(red) > 0, sum(blue) > 0, not sum(red) and not sum(blue))
        return Fraction(ends[0]), Fraction(ends[1]), Fraction(ends[2]), Fraction(0)
    again = hits_of(*red)[0] * hits_of(*blue)[0]
    sums = [Fraction(0), Fraction(0), Fraction(0), Fraction(1)]
    for made, p in hits_of(*red).items():
        for taken, q in hits_of(*blue).items():
            if made or taken:
                ahead = by_hand(after(red, taken), after(blue, made))
                sums = [so_far + p * q * each for so_far, each in zip(sums, ahead, strict=True)]
    a, b, c, d = (each / (1 - again) for each in sums)
    return a, b, c, d


def battle(skirmish: Installed, red: Force, blue: Force) -> Any:
    forces = [f"side:infantry={infantry},guns={guns}" for infantry, guns in (red, blue)]
    return (skirmish.battles.odds or nothing)(*forces, {})


@pytest.mark.parametrize(
    ("red", "blue"), [((1, 0), (1, 0)), ((0, 1), (1, 0)), ((2, 1), (1, 1)), ((3, 2), (2, 2)), ((4, 0), (0, 2))]
)
def test_walk_matches_fractions_computed_by_hand(skirmish: Installed, red: Force, blue: Force) -> None:
    odds = battle_odds(battle(skirmish, red, blue), skirmish.prepare().ruleset)
    expected = [float(each) for each in by_hand(red, blue)]
    assert [odds.attacker, odds.defender, odds.draw, odds.rounds] == pytest.approx(expected, abs=1e-12)
    assert odds.method == "exact"
    assert odds.attacker + odds.defender + odds.draw == pytest.approx(1, abs=1e-12)


def test_positions_are_computed_once(skirmish: Installed) -> None:
    walk = Enumeration(battle(skirmish, (3, 2), (3, 1)), skirmish.prepare().ruleset)
    walk.odds()
    assert walk.positions == 5 * 4


@pytest.mark.full
def test_too_large_walk_is_sampled_and_reports_it(skirmish: Installed) -> None:
    fight = battle(skirmish, (3, 2), (2, 2))
    odds = battle_odds(fight, skirmish.prepare().ruleset, most_steps=50, samples=500)
    assert odds.method.startswith("sampled 500 battles; with 95 % certainty attacker 0.")
    assert odds.attacker == pytest.approx(float(by_hand((3, 2), (2, 2))[0]), abs=0.08)
    assert odds.rounds == pytest.approx(float(by_hand((3, 2), (2, 2))[3]), abs=0.4)
    assert odds == battle_odds(fight, skirmish.prepare().ruleset, most_steps=50, samples=500)
    assert odds.attacker + odds.defender + odds.draw == pytest.approx(1)


def test_battle_without_attackers_is_won_by_the_defender(skirmish: Installed) -> None:
    odds = battle_odds(battle(skirmish, (0, 0), (1, 0)), skirmish.prepare().ruleset)
    assert (odds.attacker, odds.defender, odds.draw, odds.rounds) == (0, 1, 0, 0)


@pytest.mark.parametrize(
    ("result", "problem"),
    [(None, "the battle is over, but has no result"), ("victory", "a battle's result is 'victory'")],
)
def test_result_must_be_one_of_three(skirmish: Installed, result: str | None, problem: str) -> None:
    wrong = msgspec.structs.replace(battle(skirmish, (1, 0), (1, 0)), result=lambda state: result)
    for compute in (battle_odds, lambda fight, ruleset: sampled_odds(fight, ruleset, 1)):
        with pytest.raises(RulesetError, match=problem):
            compute(wrong, skirmish.prepare().ruleset)


def test_odds_do_not_change_the_battle(skirmish: Installed) -> None:
    fight = battle(skirmish, (2, 1), (1, 1))
    before: Any = msgspec.to_builtins(fight.state)
    battle_odds(fight, skirmish.prepare().ruleset)
    assert msgspec.to_builtins(fight.state) == before
