"""Writing down what an engagement has cost: recovery, each action, averages (KH-21, KH-22.01 to KH-22.04)."""

from msgspec import Struct

from khamsin.engagement.losses import Losses, average, halved, losses_of
from khamsin.engagement.mission import label, withdraws
from khamsin.engagement.outcome import in_control_after
from khamsin.model.battle_events import ActionCounted, AttritionTaken, VehiclesRecovered
from khamsin.model.cards import SIDES
from khamsin.model.figures import RECOVERS, RECOVERS_IN_CONTROL
from khamsin.model.state import LINKED, Engagement, KhamsinState
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure
from sandtable.rules.tabletop.brief import Brief
from sandtable.rules.tabletop.result import Attrition, Result

Fought = list[tuple[Brief, Result]]


class Toll(Struct, frozen=True):
    """What an action cost a formation, and what it would have cost without recovery."""

    formation: str
    side: str
    taken: Attrition
    armor_unrecovered: int


def count_losses(state: KhamsinState, engagement: Engagement, fought: Fought) -> Procedure:
    """Count every action of a decided engagement, with recovery, and write the averages into the ledgers."""
    tolls: list[Toll] = []
    holder = in_control_after(state, engagement)
    for brief, result in fought:
        for side in SIDES:
            tolls += yield from _count_side(state, engagement, brief, result, side, holder)
    for side in SIDES:
        yield from _write(state, engagement, side, [each for each in tolls if each.side == side], len(fought))


def _count_side(
    state: KhamsinState, engagement: Engagement, brief: Brief, result: Result, side: str, holder: str
) -> Procedure:
    """Count an action for each formation of a side that fielded a company in it; return what it cost them.

    Losses entered in short are after recovery already.
    """
    tolls: list[Toll] = []
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
        tolls.append(Toll(parent, side, Attrition(armor, general), before))
    return tolls


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


def _write(state: KhamsinState, engagement: Engagement, side: str, tolls: list[Toll], tables: int) -> Procedure:
    """Give each formation that fought the average of its actions, on linked tables its side's (KH-15.20, KH-R39)."""
    fought = sorted({each.formation for each in tolls})
    shares = engagement.mode == LINKED and state.options["linked_attrition"] == "side_average"
    given: list[Attrition] = []
    for formation_id in fought:
        own = tolls if shares else [each for each in tolls if each.formation == formation_id]
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
