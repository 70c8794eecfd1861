"""The march of a force, order by order (DM-7.0b), and the exploitation of a victory (DM-8.12)."""

from collections.abc import Callable
from typing import Any

from damos.combat.battle import Outcome
from damos.combat.plans import choose_plan, state_plan
from damos.combat.procedure import fight
from damos.map.calculations import step_steps
from damos.map.terrain import hex_halves
from damos.map.zones import is_zone_capable
from damos.model.calculations import Steps, held, spending
from damos.model.events import (
    ExploitationBegan,
    ForceDemoralized,
    ForceMoved,
    ForceRallied,
    UnitsDropped,
    UnitsPickedUp,
)
from damos.model.forces import enemy_of, stacks
from damos.model.orders import Decline, DropOff, EndActivation, Exploit, PickUp, Rally, Step
from damos.model.state import ON_MAP, DamosState
from damos.model.tables import ATTACK_PLANS, MEETING, RALLY_HALVES
from damos.movement.march import March, SomeUnits
from damos.movement.pause import hexes_allowed
from damos.movement.reaction import avoid_combat, reactions_into
from damos.movement.steps import cost_of, next_decision, pick_up_halves
from sandtable import AnyOf, Calculation, Decision, Form, OneOf, Procedure


def march_on(state: DamosState, march: March) -> Procedure:
    """Carry out the force's orders. Return the Outcome of the combat that ends the march, or None without one.

    A grand assault also returns None when it has entered its target, where ``concerted`` continues with the combat.
    """
    while march.units:
        decision = next_decision(state, march)
        if decision is None:
            if (yield from _leave_slowest(march)):
                continue
            break
        order = yield decision
        if type(order) is EndActivation:
            break
        outcome: Outcome | None = yield from ACTIONS[type(order)](state, march, order)
        if outcome is not None or march.hex == march.goal:
            return outcome
    if march.unseen and march.units and not march.exploiting:
        return (yield from meet(state, march, "move"))
    return None


def _leave_slowest(march: March) -> Procedure:
    """Leave the slowest units behind if each exploits at its own pace (R-DM-28). Return whether any were left."""
    slowest = min(map(march.rate, march.units))
    slow = [each for each in march.units if march.rate(each) == slowest]
    if not march.exploiting or march.ceiling is not None or len(slow) == len(march.units):
        return False
    march.drop(slow)
    yield UnitsDropped(slow, march.hex, "R-DM-28")
    return True


# --- entering hexes ---


def _step(state: DamosState, march: March, order: Step) -> Procedure:
    """Enter the next hex, which may cause reactions or a combat (DM-7.0j, DM-7.0k)."""
    yield from enter(state, march, order.hex)
    if order.hex == march.goal:
        return None
    if order.hex in stacks(state, enemy_of(march.side)):
        return (yield from attack(state, march))
    if march.exploiting or state.options["reaction_trigger_order"] == "end_of_move":
        return None
    return (yield from meet(state, march, "move"))


def enter(state: DamosState, march: March, hex_: str) -> Procedure:
    """Move the force into an adjacent hex."""
    start, halves = march.hex, cost_of(state, march, hex_) or 0
    why = march.calculated("left", *spending(step_steps(state, march.units, start, hex_)))
    march.go(hex_, halves)
    rule = "DM-8.12b" if march.exploiting else "DM-7.0j"
    yield ForceMoved(list(march.units), start, hex_, halves, march.left, march.exploiting, rule, why)


def meet(state: DamosState, march: March, cause: str) -> Procedure:
    """Offer reactions into the force's hex and fight the units that come (DM-2.6.1p, R-DM-41).

    Returns the Outcome, or None if no unit came.
    """
    came = yield from offer_reactions(state, march, cause)
    if not came or march.hex not in stacks(state, enemy_of(march.side)):
        return None
    outcome: Outcome = yield from fight(state, march.hex, list(march.units), march.entry, MEETING)
    march.look(state)
    return outcome


def attack(state: DamosState, march: March) -> Procedure:
    """Attack the enemy in the hex that the force has entered: meeting engagement or standard attack (DM-8.0b).

    Before that the enemy may retreat, and other enemies may react into the hex (R-DM-11), but not in an exploitation
    (DM-8.12d). Returns the Outcome, or None if the hex is empty afterwards: then the march continues (R-DM-09).
    """
    plan = ""
    if not march.exploiting:
        if state.options["entry_order"] == "ap_before_react":
            plan = yield from choose_plan(state, march.hex, march.units, march.left)
        left: bool = yield from avoid_combat(state, march.hex, list(march.units))
        yield from offer_reactions(state, march, "attack")
        if march.hex not in stacks(state, enemy_of(march.side)):
            return None
        if left:
            plan = MEETING  # units that come now enter an empty hex (DM-2.6.1p, R-DM-41)
        elif plan:
            plan = yield from state_plan(state, march.hex, plan)
    outcome: Outcome = yield from fight(
        state,
        march.hex,
        list(march.units),
        march.entry,
        plan,
        left_halves=march.left,
        exploiting=march.exploiting,
        supplied=march.supplied if march.exploiting else None,
    )
    march.spent += ATTACK_PLANS[outcome.plan].halves or 0
    march.look(state)
    return outcome


def offer_reactions(state: DamosState, march: March, cause: str) -> Procedure:
    """Offer reactions into the force's hex, and return the units that came (DM-2.6.1c)."""
    march.unseen = False
    came: list[str] = yield from reactions_into(state, march.hex, list(march.units), cause)
    march.look(state)
    return came


# --- other orders ---


def _pick_up(state: DamosState, march: March, order: PickUp) -> Procedure:
    """Add units to the force (DM-7.0n)."""
    units = sorted(order.units)
    price = pick_up_halves(march)
    march.join(units, 0)
    why = march.calculated("left", ("picking up", -price, "DM-7.0n"))
    march.spent += price
    zone = CHANGES_CLASS[state.options["class_after_pickup"]](state, units)
    yield UnitsPickedUp(units, march.hex, march.left, zone, calculations=why)
    yield from SPREADING[state.options["demoralize_by_stacking"]](state, march)
    return None


CHANGES_CLASS: dict[str, Callable[[DamosState, list[str]], bool]] = {
    "set_at_activation": lambda _state, _units: False,
    "current": is_zone_capable,
}
"""Functions that return whether units that were picked up change the order of activation (R-DM-32)."""


def _drop_off(state: DamosState, march: March, order: DropOff) -> Procedure:
    """Leave units in the force's hex, spent (DM-7.0p, DM-7.0q)."""
    units = sorted(order.units)
    march.drop(units)
    yield UnitsDropped(units, march.hex)
    yield from SPREADING[state.options["demoralize_by_stacking"]](state, march)
    return None


def _later(_state: DamosState, _march: March) -> Procedure:
    yield from ()


def _at_once(state: DamosState, march: March) -> Procedure:
    """Spread demoralization within the force, and among units that stay; the force itself may be passing through."""
    staying = [each for each in stacks(state, march.side).get(march.hex, ()) if each not in march.units]
    for units in (march.units, staying):
        firm = [each for each in units if not state.units[each].demoralized]
        if firm and len(firm) < len(units):
            yield ForceDemoralized(list(firm), march.hex, "stacked", "R-DM-06")


SPREADING: dict[str, Callable[[DamosState, March], Procedure]] = {"end_of_activation": _later, "immediate": _at_once}
"""Functions that spread demoralization after units are picked up or dropped, or do not, by option (R-DM-06)."""


def _rally(state: DamosState, march: March, _order: Rally) -> Procedure:
    """End the force's demoralization, which may cause reactions (DM-2.8g, DM-7.0m)."""
    down = [each for each in march.units if state.units[each].demoralized]
    why = march.calculated("left", ("rallying", -RALLY_HALVES, "DM-2.8g"))
    march.spent += RALLY_HALVES
    yield ForceRallied(down, march.hex, march.left, calculations=why)
    return None if march.exploiting else (yield from meet(state, march, "rally"))


ACTIONS: dict[type[Any], Callable[[DamosState, March, Any], Procedure]] = {
    Step: _step,
    PickUp: _pick_up,
    DropOff: _drop_off,
    Rally: _rally,
}
"""Functions that carry out each kind of order."""


DECLINE = Decline()
OVERWHELMED_HALVES = 2
"""Allowance in halves after an automatic elimination (AGC-4.6.2b, R-DM-82)."""


def exploit(state: DamosState, march: March, outcome: Outcome) -> Procedure:
    """Let the attacker exploit, one sub-force after the other (DM-8.12.2a). Return whether any did."""
    if not outcome.exploits or march.exploiting:
        return False
    hex_, left, any_did = march.hex, list(march.units), False
    while left:
        able = _able(state, march, outcome, hex_, left)
        if not able:
            break
        titles = ", ".join(state.board.counters[each].title for each in able)
        prompt = f"exploit from {hex_} with any of {titles}, or stay"
        space = AnyOf([OneOf([DECLINE], "DM-8.12a"), Form(Exploit, {"units": SomeUnits(able, "DM-8.12a")})])
        purpose = f"exploit_from.{hex_}"
        order: Exploit | Decline = yield Decision(march.side, prompt, space, "DM-8.12a", done=DECLINE, purpose=purpose)
        if isinstance(order, Decline):
            break
        any_did = True
        units = sorted(order.units)
        left = [each for each in left if each not in units]
        yield from _exploit(state, march, outcome, units)
    return any_did


def _able(state: DamosState, march: March, outcome: Outcome, hex_: str, left: list[str]) -> list[str]:
    """Return the units that could move: still in the hex, with an allowance, and not held by the pause (AGC-4.7a)."""
    found = []
    for each in left:
        unit = state.units[each]
        limit = hexes_allowed(state, each)
        if each in outcome.left_out or unit.standing != ON_MAP or unit.hex != hex_:
            continue
        if limit is not None and march.entered.get(each, 0) >= limit:
            continue
        if allowance(state, outcome, hex_, [each]) > 0:
            found.append(each)
    return found


def _exploit(state: DamosState, march: March, outcome: Outcome, units: list[str]) -> Procedure:
    """Let a sub-force exploit to its end (DM-8.12.1a)."""
    hex_ = state.units[units[0]].hex
    halves = allowance(state, outcome, hex_, units)
    surplus = _surplus(state, outcome, units)
    inner = March(state, units, lambda unit_id: own_allowance(state, outcome, hex_, unit_id) + 2 * surplus)
    inner.ceiling = CEILINGS[state.options["ema_mixed_force"]](halves)
    inner.exploiting, inner.supplied, inner.entered = True, outcome.supplied, dict(march.entered)
    why = _allowed(state, outcome, hex_, units, surplus)
    yield ExploitationBegan(units, hex_, halves, surplus, calculations=why)
    yield from march_on(state, inner)


def _allowed(state: DamosState, outcome: Outcome, hex_: str, units: list[str], surplus: int) -> tuple[Calculation, ...]:
    """Return the calculation of the allowance: ``own_allowance`` of the lowest unit, and the surplus."""
    lowest = min(units, key=lambda each: own_allowance(state, outcome, hex_, each))
    if outcome.overwhelmed:
        return (Calculation("halves", (("automatic elimination", OVERWHELMED_HALVES, "AGC-4.6.2b"),)),)
    counter = state.board.counters[lowest]
    steps: Steps = ((f"rating of {lowest}", 2 * int(counter.rating), "DM-8.12.1c"),)
    halves = ATTACK_PLANS[outcome.plan].halves
    if halves is not None:
        steps = (*steps, (f"{outcome.plan} attack", halves, "DM-8.12.1a"))
    else:
        cost = hex_halves(state, [lowest], hex_)
        steps = (*steps, (f"allowance of {lowest}", int(counter.ma_halves), "DM-8.12.1d"), (hex_, -cost, "DM-8.12.1d"))
        steps = held("", steps, 0, "DM-8.12.1d").steps
    return (Calculation("halves", (*steps, ("surplus losses", 2 * surplus, "DM-8.12.1b")) if surplus else steps),)


CEILINGS: dict[str, Callable[[int], int | None]] = {"lowest_unit": lambda halves: halves, "per_unit": lambda _: None}
"""Functions that return the maximum of a force that left its slowest units behind, or None, by option (R-DM-28)."""


def allowance(state: DamosState, outcome: Outcome, hex_: str, units: list[str]) -> int:
    """Return the exploitation allowance of a force in halves: that of its lowest unit (DM-8.12.1a, R-DM-28).

    The surplus is added (DM-8.12.1b).
    """
    lowest = min(own_allowance(state, outcome, hex_, each) for each in units)
    return lowest + 2 * _surplus(state, outcome, units)


def _surplus(state: DamosState, outcome: Outcome, units: list[str]) -> int:
    """Return the loss points that the defender could not take, for a force with a zone of influence (DM-8.12.1b)."""
    return 0 if outcome.overwhelmed or not is_zone_capable(state, units) else outcome.surplus


def own_allowance(state: DamosState, outcome: Outcome, hex_: str, unit_id: str) -> int:
    """Return a unit's own allowance in halves: its rating plus the cost of the attack plan (DM-8.12.1a).

    After a penetration it is the rating plus the movement allowance that entering the hex has left (DM-8.12.1d). After
    an automatic elimination it is the same for all units (AGC-4.6.2b).
    """
    if outcome.overwhelmed:
        return OVERWHELMED_HALVES
    counter = state.board.counters[unit_id]
    rating = 2 * int(counter.rating)
    halves = ATTACK_PLANS[outcome.plan].halves
    if halves is not None:
        return rating + halves
    return max(0, rating + int(counter.ma_halves) - hex_halves(state, [unit_id], hex_))  # a penetration
