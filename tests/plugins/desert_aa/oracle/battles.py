"""Exact odds of battles from the printed values alone."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise, product

# By power: kind -> (attack, defense, price), from the tables of the inventory.
STANDARD = {
    "infantry": (1, 2, 3),
    "artillery": (2, 2, 4),
    "armor": (3, 2, 5),
    "fighter": (3, 4, 12),
    "bomber": (4, 1, 15),
}
ITALIAN = STANDARD | {"infantry": (1, 1, 2), "artillery": (2, 1, 3), "armor": (2, 2, 4), "fighter": (2, 3, 10)}
TABLE = {"uk": STANDARD, "de": STANDARD, "it": ITALIAN}
PLANES = ("fighter", "bomber")
Unit = tuple[str, str]
Force = tuple[Unit, ...]
Chances = tuple[Fraction, Fraction, Fraction]


def force(text: str) -> Force:
    """Return the units of "uk: infantry=2, armor=1", most expensive first; losses are taken from the end."""
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
    """Return the probability of each number of hits."""
    chances = [Fraction(1)]
    for need in needs:
        hit = Fraction(need, 6)
        padded = [Fraction(0), *chances, Fraction(0)]
        chances = [more * (1 - hit) + fewer * hit for fewer, more in pairwise(padded)]
    return chances


@cache
def fight(attack: Force, defense: Force) -> Chances:
    """Return the probabilities that the attack wins, that the defense wins, and that no unit is left."""
    if not attack or not defense:
        return Fraction(bool(attack)), Fraction(bool(defense)), Fraction(not attack and not defense)
    by_attack, by_defense = hits(attack_needs(attack)), hits([TABLE[power][kind][1] for power, kind in defense])
    sums = [Fraction(0)] * 3
    for (scored, one), (suffered, other) in product(enumerate(by_attack), enumerate(by_defense)):
        if scored or suffered:
            rest = fight(attack[: max(0, len(attack) - suffered)], defense[: max(0, len(defense) - scored)])
            sums = [total + one * other * part for total, part in zip(sums, rest, strict=True)]
    moved = 1 - by_attack[0] * by_defense[0]
    return sums[0] / moved, sums[1] / moved, sums[2] / moved


def after_flak(attack: Force, defense: Force) -> Chances:
    """Return the same if flak first shoots down each plane on a 1."""
    planes = [unit for unit in attack if unit[1] in PLANES]
    sums = [Fraction(0)] * 3
    for fates in product((False, True), repeat=len(planes)):
        chance = Fraction(1)
        left = [unit for unit in attack if unit[1] not in PLANES]
        for unit, lost in zip(planes, fates, strict=True):
            chance *= Fraction(1, 6) if lost else Fraction(5, 6)
            left += [] if lost else [unit]
        ordered = tuple(sorted(left, key=lambda unit: -TABLE[unit[0]][unit[1]][2]))
        sums = [total + chance * part for total, part in zip(sums, fight(ordered, defense), strict=True)]
    return sums[0], sums[1], sums[2]
