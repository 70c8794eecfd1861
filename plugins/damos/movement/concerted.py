"""Concerted attacks: announce the target, plan in secret, reactions and posture, execution (DM-8.1)."""

from collections.abc import Callable
from functools import partial
from typing import Any

from damos.combat.battle import Outcome
from damos.combat.plans import choose_posture
from damos.combat.procedure import fight
from damos.map.calculations import step_steps
from damos.model.calculations import spending
from damos.model.events import AttackDeclared, AttackDropped, AttackLaunched, AttackPlanned, ForceActivated, ForceMoved
from damos.model.forces import enemy_of, stacks, units_in
from damos.model.orders import Activate, Decline, PlanAttack
from damos.model.state import DamosState
from damos.model.tables import ATTACK_PLANS, GRAND, PENETRATION
from damos.movement.march import March, printed_rate, why_no_force
from damos.movement.moving import exploit, march_on, offer_reactions
from damos.movement.planning import Plans, why_no_attack
from damos.movement.reaction import reactions_into
from damos.movement.steps import cost_of
from sandtable import Calculation, Claim, Decision, OneOf, Procedure, Refusal, Space


def concerted_attack(state: DamosState, target: str) -> Procedure:
    """Announce an attack on ``target`` and plan it, let the enemy react and choose a posture, then attack.

    Returns the March of the force, or None if the attack was abandoned.
    """
    side = state.phasing_side
    yield AttackDeclared(side, target)
    prompt = f"plan the concerted attack on {target}: choose plan and force"
    plans = Plans(state, side, target)
    purpose = f"plan_attack.{target}"
    order: PlanAttack = yield Decision(side, prompt, plans, "DM-8.1b", secret=True, purpose=purpose, stand_in=UNKNOWN)
    units = sorted(order.units)
    yield AttackPlanned(side, order.plan, units)
    yield from reactions_into(state, target, units, "announced")  # DM-8.1d
    posture: str = yield from choose_posture(state, target, units_in(state, target, enemy_of(side)))  # DM-8.1f
    why: str = yield from _why_dropped(state, target, order)
    if why:
        yield AttackDropped(target, why)
        return None
    launched = yield Claim(side, f"launch.{target}", Launches(state, side, target), partial(list, (order.plan, units)))
    plan, units = launched
    march = March(state, units, printed_rate(state))
    yield AttackLaunched(side, target, list(march.units))
    yield ForceActivated(
        list(march.units), march.hex, zone=True, halves=march.left, calculations=march.calculated("halves")
    )
    yield from CARRY_OUT[plan](state, march, target, posture)
    return march


UNKNOWN = PlanAttack("", [])
"""The placeholder for a plan in the enemy's program."""


class Launches(Space):
    """Plan and units, as a list of two, of a concerted attack that the force can carry out (DM-8.1g)."""

    state: DamosState
    side: str
    target: str

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse an invalid plan, units that are not a force of the side, and an attack that cannot be carried out."""
        if not isinstance(value, list) or len(value) != 2 or value[0] not in CARRY_OUT:
            return Refusal("DM-8.1b", "state the plan and the units of the attack")
        plan, units = value
        refusal = why_no_force(self.state, self.side, units, "DM-7.0a")
        return refusal or why_no_attack(self.state, self.side, self.target, plan, sorted(units))


def _why_dropped(state: DamosState, target: str, order: PlanAttack) -> Procedure:
    """Return why the planned attack is not carried out, or "". Its side states it (DM-8.1f, R-DM-27)."""
    side, units, purpose = state.phasing_side, sorted(order.units), f"drop.{target}"
    fails = lambda: why_no_attack(state, side, target, order.plan, units) is not None  # noqa: E731 - a claim's value
    if (yield Claim(side, purpose, OneOf((False, True)), fails, "DM-8.1g")):
        return "it cannot be carried out"
    return (yield from CANCELLATION[state.options["concerted_must_execute"]](state, units))


def _must(_state: DamosState, _units: list[str]) -> Procedure:
    return ""
    yield


def _may_cancel(state: DamosState, units: list[str]) -> Procedure:
    """Let the attacker reconsider with reactions and posture known. Return the reason to call it off, or ""."""
    space = OneOf([Activate(units), Decline()], "R-DM-27")
    target = state.attack_target
    prompt = f"continue the attack on {target}, or call it off"
    side, purpose = state.phasing_side, f"go_on.{target}"
    order = yield Decision(side, prompt, space, "R-DM-27", secret=True, purpose=purpose, stand_in=Decline())
    declines = partial(isinstance, order, Decline)
    return "the attacker called it off" if (yield Claim(side, purpose, OneOf((False, True)), declines)) else ""


CANCELLATION: dict[str, Callable[[DamosState, list[str]], Procedure]] = {"yes": _must, "may_cancel": _may_cancel}
"""Functions that return why the attacker calls it off, by option: whether that is allowed (R-DM-27)."""


# --- carrying it out ---


def _penetrate(state: DamosState, march: March, target: str, posture: str) -> Procedure:
    """Move into the target with all movement points. One more reaction is possible (DM-8.1g, DM-8.3e)."""
    start, halves = march.hex, cost_of(state, march, target) or 0
    spent = _all_spent(state, march, target)
    march.go(target, halves)
    march.spent += march.left
    yield ForceMoved(list(march.units), start, target, halves, 0, rule="DM-8.1g", calculations=spent)
    yield from _strike(state, march, PENETRATION, posture)


def _all_spent(state: DamosState, march: March, target: str) -> tuple[Calculation, ...]:
    """Return the calculation of the points left after the step; the penetration takes them all (DM-8.3e, DM-8.3a)."""
    left = march.steps(*spending(step_steps(state, march.units, march.hex, target)))
    rest = sum(amount for _, amount, _ in left)
    return (Calculation("left", (*left, ("penetration spends the rest", -rest, "DM-8.3a"))),)


def _assault(state: DamosState, march: March, target: str, posture: str) -> Procedure:
    """Move to and into the target, possibly picking up units; enemies met on the path come first (DM-8.1h, R-DM-26)."""
    march.goal, march.goal_halves = target, ATTACK_PLANS[GRAND].halves or 0
    while True:
        outcome: Outcome | None = yield from march_on(state, march)
        if outcome is None:
            break
        exploited = yield from exploit(state, march, outcome)
        if exploited or not INTERRUPTED[state.options["grand_assault_interrupted"]](outcome) or not march.units:
            break
        if target not in stacks(state, enemy_of(march.side)):
            break
    if march.units and march.hex == target and target in stacks(state, enemy_of(march.side)):
        march.spent += march.goal_halves
        yield from _strike(state, march, GRAND, posture)
        return
    yield AttackDropped(target, "the force did not reach the hex")


INTERRUPTED: dict[str, Callable[[Outcome], bool]] = {
    "resolve_then_continue": lambda outcome: outcome.winner == "attacker",
    "ends": lambda _: False,
}
"""Functions that return whether a grand assault continues after a combat on its path (R-DM-26)."""


def _strike(state: DamosState, march: March, plan: str, posture: str) -> Procedure:
    """Fight in the target hex, and exploit."""
    yield from offer_reactions(state, march, "attack")  # DM-8.1i
    outcome: Outcome = yield from fight(state, march.hex, list(march.units), march.entry, plan, posture)
    march.look(state)
    yield from exploit(state, march, outcome)


CARRY_OUT: dict[str, Callable[[DamosState, March, str, str], Procedure]] = {GRAND: _assault, PENETRATION: _penetrate}
