"""Attrition of an action, from the losses of platoons, and its average over several actions (KH-21)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from khamsin.model.figures import (
    AFV_LOST,
    AFV_PLATOON,
    BELOW_HALF,
    INDEPENDENT_LOST,
    LIGHT_PLATOON_ARMOR,
    LIGHT_PLATOON_GENERAL,
    PLATOON_LOST,
)
from sandtable.rules.tabletop.brief import Platoon
from sandtable.rules.tabletop.result import Attrition, PlatoonLosses

Item = tuple[str, int, int]
"""What brings attrition, armor points, general points. The former: afv, below_half and so on, and "short" for all."""

ARMOUR = ("afv", "light_afv")


class Losses(NamedTuple):
    """What a formation lost in an action: attrition by what brought it, and armoured vehicles that may be recovered."""

    items: list[Item]
    vehicles: int = 0

    @property
    def armor(self) -> int:
        """The armor attrition, before recovery."""
        return sum(armor for _, armor, _ in self.items)

    @property
    def general(self) -> int:
        """The general attrition."""
        return sum(general for _, _, general in self.items)


def losses_of(platoons: Iterable[Platoon], losses: Mapping[str, PlatoonLosses], options: Mapping[str, str]) -> Losses:
    """Return what the platoons of a formation lost; the readings are KH-R75 to KH-R79."""
    items: dict[str, tuple[int, int]] = {}
    vehicles = 0
    for platoon in platoons:
        each = losses.get(platoon.id)
        if each is None:
            continue
        vehicles += _vehicles(platoon, each, options)
        for name, armor, general in _of_platoon(platoon, each, options):
            before = items.get(name, (0, 0))
            items[name] = (before[0] + armor, before[1] + general)
    return Losses([(name, *points) for name, points in items.items() if any(points)], vehicles)


def _vehicles(platoon: Platoon, each: PlatoonLosses, options: Mapping[str, str]) -> int:
    """Return the armoured vehicles lost: of a platoon that counts as lost all that it fielded (KH-R75, KH-22.01)."""
    if platoon.kind not in ARMOUR:
        return 0
    return platoon.fielded if each.lost and options["afv_count"] == "whole_platoon" else each.destroyed


def _of_platoon(platoon: Platoon, each: PlatoonLosses, options: Mapping[str, str]) -> list[Item]:
    if platoon.independent:
        return _of_independents(platoon, each, options)
    if platoon.kind == "afv":
        found = [("afv", AFV_LOST * _vehicles(platoon, each, options), 0)]
        return [*found, ("afv_platoons", AFV_PLATOON, 0)] if each.lost else found
    if platoon.kind == "light_afv":
        if each.lost:
            return [("light_platoons", LIGHT_PLATOON_ARMOR, LIGHT_PLATOON_GENERAL)]
        return [("light_afv", _single_lights(each, options), 0)]
    is_below = 2 * (platoon.fielded - each.destroyed - each.routed) < platoon.teams  # KH-R78
    counts_below = is_below and (not each.lost or options["half_and_lost"] == "cumulative")  # KH-R77
    below: list[Item] = [("below_half", 0, BELOW_HALF)] if counts_below else []
    return [*below, ("platoons", 0, PLATOON_LOST)] if each.lost else below


def _of_independents(platoon: Platoon, each: PlatoonLosses, options: Mapping[str, str]) -> list[Item]:
    """Return what independent teams bring, one by one; a tank among them is an AFV as well (KH-R79)."""
    found: list[Item] = [("independents", 0, INDEPENDENT_LOST * each.destroyed)]
    if platoon.kind == "afv":
        found.append(("afv", AFV_LOST * each.destroyed, 0))
    elif platoon.kind == "light_afv":
        found.append(("light_afv", _single_lights(each, options), 0))
    return found


def _single_lights(each: PlatoonLosses, options: Mapping[str, str]) -> int:
    """Return the armor attrition of light vehicles that did not count as a platoon (KH-R76)."""
    return AFV_LOST * each.destroyed if options["light_single"] == "one_armor_each" else 0


def halved(points: int) -> int:
    """Return half of a ledger's points, rounded up (KH-R60)."""
    return (points + 1) // 2


def averaged(points: int, number: int, rounding: str) -> int:
    """Return ``points`` divided by ``number``, rounded by ceil, nearest (a half up) or floor (KH-21.03, KH-R02)."""
    if rounding == "floor":
        return points // number
    if rounding == "nearest":
        return (2 * points + number) // (2 * number)
    return -(-points // number)


def average(taken: list[Attrition], options: Mapping[str, str], number: int = 0) -> Attrition:
    """Return the average of the attrition of actions, over ``number`` of them if it is given (KH-21.02, KH-R03).

    Each ledger is rounded by itself; or their sum, of which the armor part is rounded, the general one the rest.
    """
    count, rounding = number or len(taken), options["avg_round"]
    armor, general = sum(each.armor for each in taken), sum(each.general for each in taken)
    mean = averaged(armor, count, rounding)
    if options["avg_round_scope"] == "total":
        return Attrition(mean, averaged(armor + general, count, rounding) - mean)
    return Attrition(mean, averaged(general, count, rounding))
