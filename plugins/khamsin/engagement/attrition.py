"""What an engagement costs: losses of platoons as attrition, averages, recovery (KH-21, KH-22.01 to KH-22.04)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct

from khamsin.engagement.mission import label, withdraws
from khamsin.engagement.outcome import in_control_after
from khamsin.model.battle_events import ActionCounted, AttritionTaken, VehiclesRecovered
from khamsin.model.cards import SIDES
from khamsin.model.state import LINKED, Engagement, KhamsinState
from khamsin.model.tables import (
    AFV_LOST,
    AFV_PLATOON,
    BELOW_HALF,
    INDEPENDENT_LOST,
    LIGHT_PLATOON_ARMOR,
    LIGHT_PLATOON_GENERAL,
    PLATOON_LOST,
    RECOVERS,
    RECOVERS_IN_CONTROL,
)
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure
from sandtable.rules.tabletop.brief import Brief, Platoon
from sandtable.rules.tabletop.result import Attrition, PlatoonLosses, Result

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


Fought = list[tuple[Brief, Result]]


class ActionLosses(Struct, frozen=True):
    """What an action cost a formation, and what it would have cost without recovery."""

    formation: str
    side: str
    taken: Attrition
    armor_unrecovered: int


def count_losses(state: KhamsinState, engagement: Engagement, fought: Fought) -> Procedure:
    """Count every action of a decided engagement, with recovery, and write the averages into the ledgers."""
    counted: list[ActionLosses] = []
    holder = in_control_after(state, engagement)
    for brief, result in fought:
        for side in SIDES:
            counted += yield from _count_side(state, engagement, brief, result, side, holder)
    for side in SIDES:
        yield from _write(state, engagement, side, [each for each in counted if each.side == side], len(fought))


def _count_side(
    state: KhamsinState, engagement: Engagement, brief: Brief, result: Result, side: str, holder: str
) -> Procedure:
    """Count an action for each formation of a side that fielded a company in it; return what it cost them.

    Losses entered in short are after recovery already.
    """
    counted: list[ActionLosses] = []
    given = list(result.recovery.get(side, ()))
    is_holder = side == (result.winner if state.options["recovery_control"] == "won_that_table" else holder)
    parents = list(dict.fromkeys(company.parent for company in brief.parties[side].companies))
    for parent in parents:
        losses = _losses(state, brief, result, side, parent)
        dice, given = given[: losses.vehicles], given[losses.vehicles :]
        back = 0
        if losses.vehicles:
            back = yield from _recover(engagement, brief, parent, side, losses, dice, is_holder=is_holder)
        half = withdrew_and_won(engagement, result, side)
        before = losses.armor
        armor, general = before - back, losses.general
        if half:
            before, armor, general = halved(before), halved(armor), halved(general)
        items = [*losses.items, *([("recovered", -back, 0)] if back else [])]
        yield ActionCounted(engagement.id, brief.action, parent, side, armor, general, items, half)
        counted.append(ActionLosses(parent, side, Attrition(armor, general), before))
    return counted


def withdrew_and_won(engagement: Engagement, result: Result, side: str) -> bool:
    """Return whether a side has its attrition halved: it won the mission of a fighting withdrawal (KH-19.04)."""
    return result.winner == side and any(withdraws(engagement, each) for each in SIDES)


def _losses(state: KhamsinState, brief: Brief, result: Result, side: str, parent: str) -> Losses:
    short = result.short.get(side, {}).get(parent)
    if short is not None:
        return Losses([("short", short.armor, short.general)])
    platoons = [
        each for company in brief.parties[side].companies if company.parent == parent for each in company.platoons
    ]
    return losses_of(platoons, result.platoons.get(side, {}), state.options)


def _recover(
    engagement: Engagement, brief: Brief, parent: str, side: str, losses: Losses, dice: list[int], *, is_holder: bool
) -> Procedure:
    """Roll for lost armoured vehicles, but for dice from the table; return the armor attrition that they take off.

    It is at most that of the action (KH-R82).
    """
    if len(dice) < losses.vehicles:
        purpose = f"recovery:{label(engagement)}:{brief.action}:{parent}"
        dice = list((yield Roll(losses.vehicles, 6, purpose, "KH-22.02", side=side, favours=side)))
    needs = RECOVERS_IN_CONTROL if is_holder else RECOVERS
    back = min(losses.armor, sum(die >= needs for die in dice))
    rule = "KH-22.03" if is_holder else "KH-22.02"
    yield VehiclesRecovered(engagement.id, brief.action, parent, side, dice, needs, back, rule)
    return back


# --- the ledgers ---


def _write(
    state: KhamsinState, engagement: Engagement, side: str, counted: list[ActionLosses], tables: int
) -> Procedure:
    """Give each formation that fought the average of its actions, on linked tables its side's (KH-15.20, KH-R39)."""
    fought = sorted({each.formation for each in counted})
    shares = engagement.mode == LINKED and state.options["linked_attrition"] == "side_average"
    given: list[Attrition] = []
    for formation_id in fought:
        own = counted if shares else [each for each in counted if each.formation == formation_id]
        number = tables if shares else len(own)
        taken = average([each.taken for each in own], state.options, number)
        without = average(
            [Attrition(each.armor_unrecovered, each.taken.general) for each in own], state.options, number
        )
        rule = "KH-15.20" if shares else "KH-21.02"
        back = without.armor - taken.armor
        yield AttritionTaken(engagement.id, formation_id, side, taken.armor, taken.general, back, rule)
        given.append(taken)
    if given and state.options["unfielded_attrition"] == "share_average":  # KH-R30
        taken = average(given, state.options)
        for formation_id in sorted(engagement.forces[side]):
            if formation_id not in fought:
                yield AttritionTaken(engagement.id, formation_id, side, taken.armor, taken.general, 0, "KH-R30")
