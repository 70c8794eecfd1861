"""Attrition from an engagement: losses of platoons, averages, recovery (KH-21, KH-22.01 to KH-22.04)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct

from khamsin.engagement.mission import label, withdraws
from khamsin.engagement.outcome import in_control_after
from khamsin.model.battle_events import ActionCounted, AttritionTaken, VehiclesRecovered
from khamsin.model.cards import SIDES
from khamsin.model.state import EVEN, LINKED, Engagement, KhamsinState
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
from sandtable import UNSET, Calculation, Calculations, Procedure, Roll
from sandtable.tabletop import Attrition, Brief, Platoon, PlatoonLosses, Result

Item = tuple[str, int, int]
"""Cause of attrition (a key of ``ITEM_RULES``), armor points, general points. "short" is a reported total."""

ARMORED = ("afv", "light_afv")

ITEM_RULES = {
    "afv": "KH-21.04",
    "afv_platoons": "KH-21.05",
    "light_platoons": "KH-21.06",
    "light_afv": "KH-R76",
    "below_half": "KH-21.07",
    "platoons": "KH-21.08",
    "independents": "KH-21.09",
    "short": "KH-21.01",
}
"""Rules by which items cause attrition."""

Step = tuple[str, int, str]


class Losses(NamedTuple):
    """The losses of a formation in an action: attrition by cause, and lost armored vehicles that may be recovered.

    ``by_platoon`` has the items of each platoon. ``wrecks`` has the platoon of each of the vehicles.
    """

    items: list[Item]
    vehicles: int = 0
    by_platoon: tuple[tuple[str, Item], ...] = ()
    wrecks: tuple[str, ...] = ()

    @property
    def armor(self) -> int:
        """The armor attrition before recovery."""
        return sum(armor for _, armor, _ in self.items)

    @property
    def general(self) -> int:
        """The general attrition."""
        return sum(general for _, _, general in self.items)

    def steps(self, *, armor: bool) -> list[Step]:
        """Return the items that caused the points of a ledger, platoon by platoon."""
        found: list[Step] = []
        for platoon, (name, in_armor, in_general) in self.by_platoon or [("", item) for item in self.items]:
            points = in_armor if armor else in_general
            found += [(f"{platoon} {name}".lstrip(), points, ITEM_RULES[name])] if points else []
        return found


def losses_of(platoons: Iterable[Platoon], losses: Mapping[str, PlatoonLosses], options: Mapping[str, str]) -> Losses:
    """Return the losses of a formation's platoons, as interpreted by KH-R75 to KH-R79."""
    items: dict[str, tuple[int, int]] = {}
    by_platoon: list[tuple[str, Item]] = []
    wrecks: list[str] = []
    for platoon in platoons:
        each = losses.get(platoon.id)
        if each is None:
            continue
        wrecks += [platoon.id] * _vehicles(platoon, each, options)
        for item in _of_platoon(platoon, each, options):
            name, armor, general = item
            before = items.get(name, (0, 0))
            items[name] = (before[0] + armor, before[1] + general)
            by_platoon.append((platoon.id, item))
    found: list[Item] = [(name, *points) for name, points in items.items() if any(points)]
    return Losses(found, len(wrecks), tuple(by_platoon), tuple(wrecks))


def _vehicles(platoon: Platoon, each: PlatoonLosses, options: Mapping[str, str]) -> int:
    """Return the number of armored vehicles lost (KH-22.01).

    A platoon that counts as lost loses all the vehicles that it fielded, unless only destroyed ones count (KH-R75).
    """
    if platoon.kind not in ARMORED:
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
    """Return the items of independent teams, which count one by one. Tanks among them count as AFVs, too (KH-R79)."""
    found: list[Item] = [("independents", 0, INDEPENDENT_LOST * each.destroyed)]
    if platoon.kind == "afv":
        found.append(("afv", AFV_LOST * each.destroyed, 0))
    elif platoon.kind == "light_afv":
        found.append(("light_afv", _single_lights(each, options), 0))
    return found


def _single_lights(each: PlatoonLosses, options: Mapping[str, str]) -> int:
    """Return the armor attrition of light vehicles whose platoon does not count as lost (KH-R76)."""
    return AFV_LOST * each.destroyed if options["light_single"] == "one_armor_each" else 0


def halved(points: int) -> int:
    """Return half of a ledger's points, rounded up (KH-R60)."""
    return (points + 1) // 2


def averaged(points: int, number: int, rounding: str) -> int:
    """Return ``points`` divided by ``number``, rounded by ceil, nearest (half up) or floor (KH-21.03, KH-R02)."""
    if rounding == "floor":
        return points // number
    if rounding == "nearest":
        return (2 * points + number) // (2 * number)
    return -(-points // number)


def average(taken: list[Attrition], options: Mapping[str, str], number: int = 0) -> Attrition:
    """Return the average attrition of actions, over ``number`` actions if it is given (KH-21.02, KH-R03).

    Each ledger is rounded separately. By option, armor and the total are rounded, and general attrition is the
    difference.
    """
    count, rounding = number or len(taken), options["avg_round"]
    armor, general = sum(each.armor for each in taken), sum(each.general for each in taken)
    mean = averaged(armor, count, rounding)
    if options["avg_round_scope"] == "total":
        return Attrition(mean, averaged(armor + general, count, rounding) - mean)
    return Attrition(mean, averaged(general, count, rounding))


Fought = list[tuple[Brief, Result]]


class ActionLosses(Struct, frozen=True):
    """Attrition of a formation from an action, and its armor attrition without recovery."""

    action: int
    formation: str
    side: str
    taken: Attrition
    armor_unrecovered: int


def count_losses(state: KhamsinState, engagement: Engagement, fought: Fought) -> Procedure:
    """Count every action of a decided engagement, with recovery, and record the averages in the ledgers."""
    counted: list[ActionLosses] = []
    holder = in_control_after(state, engagement)
    for brief, result in fought:
        for side in SIDES:
            counted += yield from _count_side(state, engagement, brief, result, side, holder)
    for side in SIDES:
        yield from _record_averages(
            state, engagement, side, [each for each in counted if each.side == side], len(fought)
        )


def _count_side(
    state: KhamsinState, engagement: Engagement, brief: Brief, result: Result, side: str, holder: str
) -> Procedure:
    """Count an action for each formation of a side that fielded a company in it, and return their losses.

    Losses reported as a total already include recovery.
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
        half = takes_half(state, engagement, result, side)
        before = halved(losses.armor) if half else losses.armor
        armor, general = _ledgers_of(losses, back, half=half)
        items = [*losses.items, *([("recovered", -back, 0)] if back else [])]
        taken = Attrition(armor.total, general.total)
        yield ActionCounted(
            engagement.id,
            brief.action,
            parent,
            side,
            taken.armor,
            taken.general,
            items,
            half,
            calculations=_with_steps(armor, general),
        )
        counted.append(ActionLosses(brief.action, parent, side, taken, before))
    return counted


def _ledgers_of(losses: Losses, back: int, *, half: bool) -> tuple[Calculation, Calculation]:
    """Return the calculations of an action's armor and general attrition, with ``back`` points removed by recovery."""
    recovered: list[Step] = [("recovered", -back, "KH-22.04")] if back else []
    return _ledger("armor", [*losses.steps(armor=True), *recovered], half=half), _ledger(
        "general", losses.steps(armor=False), half=half
    )


def _ledger(name: str, steps: list[Step], *, half: bool) -> Calculation:
    points = sum(amount for _, amount, _ in steps)
    less = halved(points) - points if half else 0
    return Calculation(
        name, (*steps, ("halved for the winner of a withdrawal", less, "KH-19.04")) if less else tuple(steps)
    )


def _with_steps(*sums: Calculation) -> Calculations:
    """Return the calculations that have steps. Figures of 0 are omitted."""
    return tuple(each for each in sums if each.steps) or UNSET


def takes_half(state: KhamsinState, engagement: Engagement, result: Result, side: str) -> bool:
    """Return whether a side takes half its attrition because it won the action of a fighting withdrawal (KH-19.04).

    By option, no attrition is halved if the points of the whole engagement are even (KH-R61).
    """
    if engagement.scale == EVEN and state.options["fw_even"] == "no_halving":
        return False
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
    """Roll for lost armored vehicles, unless the table reported the dice; return the armor attrition that they remove.

    It is limited to the armor attrition of the action (KH-R82).
    """
    if len(dice) < losses.vehicles:
        purpose = f"recovery:{label(engagement)}:{brief.action}:{parent}"
        roll = Roll(losses.vehicles, 6, purpose, "KH-22.02", side=side, favors=side, units=losses.wrecks)
        dice = list((yield roll))
    control: list[Step] = [("in control of the area", RECOVERS_IN_CONTROL - RECOVERS, "KH-22.03")] if is_holder else []
    needs = Calculation("needs", (("standard", RECOVERS, "KH-22.02"), *control))
    successes = sum(die >= needs.total for die in dice)
    back = min(losses.armor, successes)
    cap: list[Step] = (
        [("limited to the armor attrition of the action", back - successes, "KH-R82")] if back < successes else []
    )
    recovered = Calculation("recovered", (("successful dice", successes, "KH-22.04"), *cap))
    rule = "KH-22.03" if is_holder else "KH-22.02"
    sums = (needs, recovered)
    yield VehiclesRecovered(engagement.id, brief.action, parent, side, dice, needs.total, back, rule, sums)
    return back


# --- the ledgers ---


def _record_averages(
    state: KhamsinState, engagement: Engagement, side: str, counted: list[ActionLosses], tables: int
) -> Procedure:
    """Give each formation that fought the average of its actions, or on linked tables of its side (KH-15.20, KH-R39).

    By option, formations that fielded no company share the average (KH-R30).
    """
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
        named = [(f"{each.formation}, action {each.action}", each.taken) for each in own]
        sums = _mean_of(named, taken, number, rule)
        if back:
            less = (("without recovery", without.armor, "KH-22.04"), ("with recovery", -taken.armor, "KH-22.04"))
            sums = (*sums, Calculation("recovered", less))
        yield AttritionTaken(engagement.id, formation_id, side, taken.armor, taken.general, back, rule, sums or UNSET)
        given.append(taken)
    if given and state.options["unfielded_attrition"] == "share_average":  # KH-R30
        taken = average(given, state.options)
        means = _mean_of(list(zip(fought, given, strict=True)), taken, len(given), "KH-R30") or UNSET
        for formation_id in sorted(engagement.forces[side]):
            if formation_id not in fought:
                yield AttritionTaken(engagement.id, formation_id, side, taken.armor, taken.general, 0, "KH-R30", means)


def _mean_of(parts: list[tuple[str, Attrition]], mean: Attrition, number: int, rule: str) -> tuple[Calculation, ...]:
    """Return the calculations of an average over ``number``, by ledger. Ledgers without points are omitted."""
    found = []
    for name in ("armor", "general"):
        steps = [(what, getattr(each, name), "KH-21.01") for what, each in parts if getattr(each, name)]
        less = getattr(mean, name) - sum(amount for _, amount, _ in steps)
        steps += [(f"average over {number}", less, rule)] if less else []
        found += [Calculation(name, tuple(steps))] if steps else []
    return tuple(found)
