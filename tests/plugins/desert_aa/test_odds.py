"""The odds of battles, as the live rules give them, against a calculation from the printed values alone.

It has exact fractions and a state for every number of units left. Losses are the cheapest first, nobody retreats, no
gun is told off against tanks. A round in which nobody is hit leads back to its own state and is divided out.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import pytest

from sandtable.plugin.groups import nothing
from sandtable.rules.chance.battles import battle_odds

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Prepare

# By power: kind -> (attack, defence, price), from the tables of the inventory.
STANDARD = {
    "infantry": (1, 2, 3),
    "artillery": (2, 2, 4),
    "armour": (3, 2, 5),
    "fighter": (3, 4, 12),
    "bomber": (4, 1, 15),
}
ITALIAN = STANDARD | {"infantry": (1, 1, 2), "artillery": (2, 1, 3), "armour": (2, 2, 4), "fighter": (2, 3, 10)}
TABLE = {"uk": STANDARD, "de": STANDARD, "it": ITALIAN}
PLANES = ("fighter", "bomber")

Unit = tuple[str, str]
Force = tuple[Unit, ...]
Chances = tuple[Fraction, Fraction, Fraction]


def force(text: str) -> Force:
    """Read "uk: infantry=2, armour=1", the dearest first: losses are taken from the end."""
    power, _, stacks = text.partition(":")
    units = []
    for stack in stacks.split(","):
        kind, _, number = stack.strip().partition("=")
        units += [(power.strip(), kind)] * (int(number) if kind != "aa_gun" else 0)
    return tuple(sorted(units, key=lambda unit: -TABLE[unit[0]][unit[1]][2]))


def attack_needs(units: Force) -> list[int]:
    guns = sum(kind == "artillery" for _, kind in units)
    needs = []
    for power, kind in units:
        lifted = kind == "infantry" and guns > 0
        guns -= lifted
        needs.append(2 if lifted else TABLE[power][kind][0])
    return needs


def hits(needs: list[int]) -> list[Fraction]:
    """Return the chance of each number of hits."""
    chances = [Fraction(1)]
    for need in needs:
        hit = Fraction(need, 6)
        padded = [Fraction(0), *chances, Fraction(0)]
        chances = [more * (1 - hit) + fewer * hit for fewer, more in pairwise(padded)]
    return chances


@cache
def fight(attack: Force, defence: Force) -> Chances:
    """Return the chances that the attack wins, the defence wins, nobody is left."""
    if not attack or not defence:
        return Fraction(bool(attack)), Fraction(bool(defence)), Fraction(not attack and not defence)
    by_attack, by_defence = hits(attack_needs(attack)), hits([TABLE[power][kind][1] for power, kind in defence])
    sums = [Fraction(0)] * 3
    for (scored, one), (suffered, other) in product(enumerate(by_attack), enumerate(by_defence)):
        if scored or suffered:
            rest = fight(attack[: max(0, len(attack) - suffered)], defence[: max(0, len(defence) - scored)])
            sums = [total + one * other * part for total, part in zip(sums, rest, strict=True)]
    moved = 1 - by_attack[0] * by_defence[0]
    return sums[0] / moved, sums[1] / moved, sums[2] / moved


def after_flak(attack: Force, defence: Force) -> Chances:
    """Each plane is shot down on a 1 before the battle."""
    planes = [unit for unit in attack if unit[1] in PLANES]
    sums = [Fraction(0)] * 3
    for fates in product((False, True), repeat=len(planes)):
        chance = Fraction(1)
        left = [unit for unit in attack if unit[1] not in PLANES]
        for unit, lost in zip(planes, fates, strict=True):
            chance *= Fraction(1, 6) if lost else Fraction(5, 6)
            left += [] if lost else [unit]
        ordered = tuple(sorted(left, key=lambda unit: -TABLE[unit[0]][unit[1]][2]))
        sums = [total + chance * part for total, part in zip(sums, fight(ordered, defence), strict=True)]
    return sums[0], sums[1], sums[2]


def test_the_reckoning_itself() -> None:
    # One infantry against one: 1/6 against 1/3. Of 36: both 2, attack alone 4, defence alone 10, nobody 20.
    one = fight(force("uk: infantry=1"), force("de: infantry=1"))
    assert one == (Fraction(4, 16), Fraction(10, 16), Fraction(2, 16))


@pytest.mark.full
@pytest.mark.rule("DAA-17.04", "DAA-17.05", "DAA-17.07", "DAA-17.08", "DAA-15.07", "DAA-3.01")
@pytest.mark.parametrize(
    ("attack", "defence"),
    [
        ("uk: infantry=1", "de: infantry=1"),
        ("uk: infantry=3, artillery=1", "de: infantry=2"),
        ("de: infantry=2, artillery=2, armour=1", "uk: infantry=2, artillery=1"),
        ("de: armour=3", "uk: infantry=3, armour=1"),
        ("it: infantry=3, artillery=1, armour=1", "uk: infantry=2, fighter=1"),
        ("uk: infantry=2, armour=1", "it: infantry=3, artillery=1, fighter=1"),
        ("uk: fighter=1, bomber=1", "it: infantry=2, bomber=1"),
        ("de: infantry=4, armour=2, fighter=1", "uk: infantry=4, artillery=1, armour=1"),
    ],
)
def test_the_odds_are_those_of_the_printed_values(prepare: Prepare, attack: str, defence: str) -> None:
    prepared = prepare("western_desert")
    battle: Any = (prepared.installed.battles.odds or nothing)(attack, defence, prepared.options)
    odds = battle_odds(battle, prepared.ruleset)
    assert odds.method == "exact"
    expected = fight(force(attack), force(defence))
    assert (odds.attacker, odds.defender, odds.draw) == pytest.approx([float(part) for part in expected], abs=1e-9)


@pytest.mark.rule("DAA-10.03", "DAA-17.03")
@pytest.mark.parametrize("guns", [1, 3])
def test_flak_fires_one_die_a_plane_into_the_odds(prepare: Prepare, guns: int) -> None:
    prepared = prepare("western_desert")
    attack, defence = "uk: infantry=1, fighter=1, bomber=1", f"de: infantry=3, aa_gun={guns}"
    battle: Any = (prepared.installed.battles.odds or nothing)(attack, defence, prepared.options)
    odds = battle_odds(battle, prepared.ruleset)
    expected = after_flak(force(attack), force(defence))
    assert (odds.attacker, odds.defender, odds.draw) == pytest.approx([float(part) for part in expected], abs=1e-9)
