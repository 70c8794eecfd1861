"""The march of a force, order by order, until it stops or has fought (DM-7.0b, D-DM-11)."""

from collections.abc import Callable
from typing import Any

from damos.combat.battle import Outcome
from damos.combat.plans import choose_plan
from damos.combat.procedure import fight
from damos.map.zones import is_zone_capable
from damos.model.events import ForceDemoralized, ForceMoved, ForceRallied, UnitsDropped, UnitsPickedUp
from damos.model.forces import enemy_of, stacks
from damos.model.orders import DropOff, EndActivation, PickUp, Rally, Step
from damos.model.state import DamosState
from damos.model.tables import ATTACK_PLANS, MEETING, RALLY_HALVES
from damos.movement.march import March
from damos.movement.reaction import avoid_combat, reactions_into
from damos.movement.steps import cost_of, next_decision, pick_up_halves
from sandtable.kernel.sequence import Procedure


def march_on(state: DamosState, march: March) -> Procedure:
    """Let the force do one thing after the other; return the Outcome of the combat that ends it, None without one.

    A grand assault returns None where it stands next to its target and goes in: that is for ``concerted``.
    """
    while march.units:
        decision = next_decision(state, march)
        if decision is None:
            if (yield from _leave_slow_ones(march)):
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


def _leave_slow_ones(march: March) -> Procedure:
    """Leave behind who can go no further where each exploits at its own pace; tell whether any did (R-DM-28)."""
    slowest = min(map(march.rate, march.units))
    slow = [each for each in march.units if march.rate(each) == slowest]
    if not march.exploiting or march.ceiling is not None or len(slow) == len(march.units):
        return False
    march.drop(slow)
    yield UnitsDropped(slow, march.hex, "R-DM-28")
    return True


# --- entering hexes ---


def _step(state: DamosState, march: March, order: Step) -> Procedure:
    """Enter the next hex, which may bring about reactions, or a combat (DM-7.0j, DM-7.0k)."""
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
    march.go(hex_, halves)
    rule = "DM-8.12b" if march.exploiting else "DM-7.0j"
    yield ForceMoved(list(march.units), start, hex_, halves, march.left, march.exploiting, rule)


def meet(state: DamosState, march: March, cause: str) -> Procedure:
    """Offer reactions into the hex where the force is; who comes is met there (DM-2.6.1p, R-DM-41).

    Returns the Outcome, None if nobody came.
    """
    came = yield from offer_reactions(state, march, cause)
    if not came or march.hex not in stacks(state, enemy_of(march.side)):
        return None
    outcome: Outcome = yield from fight(state, march.hex, list(march.units), march.entry, MEETING)
    march.look(state)
    return outcome


def attack(state: DamosState, march: March) -> Procedure:
    """Attack the enemy in the hex that the force has entered: meeting engagement or standard attack (DM-8.0b).

    Before that he may get out of the way, and be helped (R-DM-11); in an exploitation he may not (DM-8.12d). Returns
    the Outcome, None if the hex is empty after that: then the march goes on (R-DM-09).
    """
    plan = ""
    if not march.exploiting:
        if state.options["entry_order"] == "ap_before_react":
            plan = yield from choose_plan(state, march.hex, march.units, march.left)
        if (yield from avoid_combat(state, march.hex, list(march.units))):
            plan = MEETING  # whoever comes now comes into an empty hex (DM-2.6.1p, R-DM-41)
        yield from offer_reactions(state, march, "attack")
        if march.hex not in stacks(state, enemy_of(march.side)):
            return None
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
    """Offer reactions into the hex where the force is, and return who came (DM-2.6.1c)."""
    march.unseen = False
    came: list[str] = yield from reactions_into(state, march.hex, list(march.units), cause)
    march.look(state)
    return came


# --- the rest ---


def _pick_up(state: DamosState, march: March, order: PickUp) -> Procedure:
    """Take units along (DM-7.0n)."""
    units = sorted(order.units)
    march.join(units, pick_up_halves(march))
    zone = CHANGES_CLASS[state.options["class_after_pickup"]](state, units)
    yield UnitsPickedUp(units, march.hex, march.left, zone)
    yield from STACKED[state.options["demoralize_by_stacking"]](state, march)
    return None


CHANGES_CLASS: dict[str, Callable[[DamosState, list[str]], bool]] = {
    "set_at_activation": lambda _state, _units: False,
    "current": is_zone_capable,
}
"""Whether it counts for the order of activation whom a force has picked up (R-DM-32)."""


def _drop_off(state: DamosState, march: March, order: DropOff) -> Procedure:
    """Leave units where the force is; they do nothing more (DM-7.0p, DM-7.0q)."""
    units = sorted(order.units)
    march.drop(units)
    yield UnitsDropped(units, march.hex)
    yield from STACKED[state.options["demoralize_by_stacking"]](state, march)
    return None


def _later(_state: DamosState, _march: March) -> Procedure:
    yield from ()


def _at_once(state: DamosState, march: March) -> Procedure:
    """Let it spread within the force, and among those who stay; the force itself may be only passing through."""
    staying = [each for each in stacks(state, march.side).get(march.hex, ()) if each not in march.units]
    for units in (march.units, staying):
        firm = [each for each in units if not state.units[each].demoralized]
        if firm and len(firm) < len(units):
            yield ForceDemoralized(list(firm), march.hex, "stacked", "R-DM-06")


STACKED: dict[str, Callable[[DamosState, March], Procedure]] = {"end_of_activation": _later, "immediate": _at_once}
"""When demoralised units demoralise those with whom they stand, where units are taken along or left (R-DM-06)."""


def _rally(state: DamosState, march: March, _order: Rally) -> Procedure:
    """End the force's demoralisation, which the enemy may see and come (DM-2.8g, DM-7.0m)."""
    down = [each for each in march.units if state.units[each].demoralized]
    march.spent += RALLY_HALVES
    yield ForceRallied(down, march.hex, march.left)
    return None if march.exploiting else (yield from meet(state, march, "rally"))


ACTIONS: dict[type[Any], Callable[[DamosState, March, Any], Procedure]] = {
    Step: _step,
    PickUp: _pick_up,
    DropOff: _drop_off,
    Rally: _rally,
}
"""What is done on each order."""
