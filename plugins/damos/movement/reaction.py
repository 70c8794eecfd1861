"""Reactions: fresh forces of the other side move into a hex, or retreat before combat (DM-2.6.1).

The activation decides when they are offered. This module has the decisions, rolls and effects; ``reactors.py`` has the
units that may try and their paths. All attempts are announced first, then rolled for in that order (R-DM-03).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from damos.combat.exchange import reaction_modifiers
from damos.combat.losses import propagate_demoralization
from damos.combat.procedure import take_control
from damos.map.retreat import PathsOf
from damos.map.stacking import may_join
from damos.map.terrain import reaction_modifier
from damos.model.calculations import REACTION, rolled
from damos.model.events import ForceReacted, ForceRetreated, ReactionRolled
from damos.model.forces import enemy_of, mobile_strength, mobile_units, stated_strength, units_in
from damos.model.orders import AvoidCombat, Decline, React
from damos.model.state import DamosState
from damos.model.tables import FAR_REACTION, REACTION_CERTAIN, REACTION_TARGET
from damos.movement.reactors import (
    Responders,
    Trigger,
    avoiding_retreats,
    groups,
    near_enough,
    reaction_paths,
    why_not_away,
    why_not_in,
)
from sandtable import AnyOf, Calculation, Decision, Form, OneOf, Procedure, Roll, Space, listing

DECLINE = Decline()
MOVE, RALLY, ATTACK, ANNOUNCED = "move", "rally", "attack", "announced"
"""Causes: a force entered the hex, rallied in it, entered it with a defender in it, or was announced.

Only the target of an announced concerted attack is known (DM-2.6.1c, DM-2.6.1d, DM-8.1d).
"""

RULES = {MOVE: "DM-2.6.1c", RALLY: "DM-2.6.1d", ATTACK: "DM-2.6.1c", ANNOUNCED: "DM-8.1d"}


def reactions_into(state: DamosState, hex_: str, phasing: Sequence[str], cause: str) -> Procedure:
    """Let the other side react into ``hex_``, and return the units that came, a sorted list.

    ``phasing`` is the force that is reacted to, ``cause`` one of those above. The force of an ANNOUNCED attack is
    unknown. It counts only with ``reaction_mech_compare`` "always" (R-DM-04). When a force moves, other forces that it
    comes near may retreat instead (DM-2.6.1g).
    """
    trigger = Trigger(state, hex_, tuple(phasing), cause, enemy_of(state.phasing_side))
    came: list[str] = []
    announced = yield from _announce(trigger)
    for order in announced:
        units = sorted(order.units)
        if isinstance(order, AvoidCombat):
            yield from _retreat(trigger, units, list(order.path))
        elif may_join(state, units, hex_):  # DM-2.6.1r: units for which there is no space left stay fresh
            came += yield from _react(trigger, units, list(order.path))
    return sorted(came)


def avoid_combat(state: DamosState, hex_: str, phasing: Sequence[str]) -> Procedure:
    """Let a force whose hex the enemy has entered retreat before combat; return whether the hex is empty.

    The offer precedes reactions into the hex, and does not exist against a concerted attack (R-DM-11, DM-2.6.1g,
    DM-2.6.1h).
    """
    trigger = Trigger(state, hex_, tuple(phasing), ATTACK, enemy_of(state.phasing_side))
    there = groups(trigger, [hex_], why_not_away)
    if there:
        space = AnyOf((OneOf((DECLINE,), "DM-2.6.1g"), _retreat_form(trigger, there)))
        prompt = f"retreat from {hex_} before combat, or stay"
        order = yield Decision(trigger.side, prompt, space, "DM-2.6.1g", done=DECLINE, purpose=f"avoid.{hex_}")
        if isinstance(order, AvoidCombat):
            yield from _retreat(trigger, sorted(order.units), list(order.path))
            yield from take_control(state, hex_)
    return not units_in(state, hex_, trigger.side)


def spent_by_reaction(state: DamosState) -> list[str]:
    """Return the units that are spent at the end of the activation because they reacted (DM-2.6.1s, R-DM-05).

    With ``failed_reaction_spent`` "no", failed reactions do not count.
    """
    return list(state.responded if state.options["failed_reaction_spent"] == "no" else state.reacted)


# --- announcing ---


def _announce(trigger: Trigger) -> Procedure:
    """Return the orders of all attempts, decided one hex after the other.

    The range of a zone reveals the strength of a force. The decision is therefore made whenever units could react at
    their printed strengths, and as often, even if the only legal answer is to decline (DM-2.4c).
    """
    orders: list[React | AvoidCombat] = []
    rule = RULES[trigger.cause]
    expected = _able(replace(trigger, printed=True))
    coming, going = _able(trigger) if any(expected) else ({}, {})
    while any(expected):
        spaces: list[Space] = [OneOf((DECLINE,), rule)]
        if coming:
            responders = Responders(trigger, coming, why_not_in)
            spaces.append(Form(React, {"units": responders, "path": lambda units: _path_space(trigger, units)}))
        if going:
            spaces.append(_retreat_form(trigger, going))
        prompt = f"react to the enemy in {trigger.hex}, or decline"
        purpose = f"react.{trigger.hex}.{trigger.cause}"
        order = yield Decision(trigger.side, prompt, AnyOf(spaces), rule, done=DECLINE, purpose=purpose)
        if isinstance(order, Decline):
            break
        orders.append(order)
        start = trigger.state.units[order.units[0]].hex
        for groups_ in (coming, going, *expected):
            groups_.pop(start, None)  # DM-2.6.1f
    return orders


def _able(trigger: Trigger) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the units in each hex that can react, and the units that can retreat."""
    starts = near_enough(trigger)
    going = groups(trigger, starts, why_not_away) if trigger.cause in (MOVE, ATTACK) else {}
    return groups(trigger, starts, why_not_in), going


def _path_space(trigger: Trigger, units: Sequence[str]) -> Space:
    start = trigger.state.units[units[0]].hex
    paths = reaction_paths(trigger, start, units)
    return OneOf(paths, "R-DM-10", f"possible paths: {listing([' '.join(each) for each in paths])}")


def _retreat_form(trigger: Trigger, there: dict[str, list[str]]) -> Space:
    def paths(units: Sequence[str]) -> Space:
        return PathsOf(avoiding_retreats(trigger, trigger.state.units[units[0]].hex, units))

    return Form(AvoidCombat, {"units": Responders(trigger, there, why_not_away), "path": paths})


# --- trying ---


def _react(trigger: Trigger, units: list[str], path: list[str]) -> Procedure:
    """Roll for a reaction into the hex and return the units that came.

    They become demoralized at once if friends in the hex are (R-DM-81).
    """
    state = trigger.state
    far, modifier = FAR_REACTION
    is_far = state.board.hexmap.range_hexes(path[0], trigger.hex) >= far
    against: Against = yield from _against(trigger, units)
    modifiers = [
        *reaction_modifier(state, path, trigger.side),
        *against.modifiers,
        *([("range", modifier)] if is_far else []),
    ]
    if not (yield from _roll(trigger, units, path[0], against._replace(modifiers=modifiers))):
        return []
    yield ForceReacted(units, path, state.options["reaction_control"] == "changes")  # R-DM-35
    yield from propagate_demoralization(state, trigger.side, trigger.hex)
    return units


def _retreat(trigger: Trigger, units: list[str], path: list[str]) -> Procedure:
    """Roll for a retreat before combat, which demoralizes no unit (DM-2.6.1i, R-DM-24)."""
    state, success = trigger.state, True
    if state.options["reaction_retreat"] == "no_roll":
        yield ReactionRolled(units, path[0], trigger.hex, [], [], 0, success=True, retreat=True, rule="R-DM-24")
    else:
        against = yield from _against(trigger, units)
        success = yield from _roll(trigger, units, path[0], against, retreat=True)
    if success:
        yield ForceRetreated(units, path, "reaction", "DM-2.6.1i")
        yield from propagate_demoralization(state, trigger.side, path[-1])


class Against(NamedTuple):
    """The modifiers of a roll, and the calculation with both mobile strengths if both sides show them (R-DM-04)."""

    modifiers: list[tuple[str, int]]
    shown: tuple[Calculation, ...] = ()


def _roll(trigger: Trigger, units: list[str], start: str, against: Against, *, retreat: bool = False) -> Procedure:
    """Roll two dice, once for all units of the hex. Return whether they succeed (DM-2.6.1f, DM-2.6.1k)."""
    dice = yield Roll(2, 6, f"reaction:{trigger.hex}", "DM-2.6.1k", favors=trigger.side)
    modifiers = against.modifiers
    summed = rolled("total", dice, "DM-2.6.1k", modifiers, REACTION)
    total = summed.total
    success = total >= REACTION_TARGET or sum(dice) == REACTION_CERTAIN  # DM-2.6.1l
    why = (summed, *against.shown)
    yield ReactionRolled(units, start, trigger.hex, list(dice), modifiers, total, success, retreat, calculations=why)
    return success


def _against(trigger: Trigger, units: list[str]) -> Procedure:
    """Return the modifiers for the phasing force: its weaker mobile units, and the exclusive ones (DM-2.6.1n).

    A force that was only announced counts if ``reaction_mech_compare`` is "always". With "shown", both sides state the
    strengths that are compared (R-DM-04).
    """
    state, compare = trigger.state, trigger.state.options["reaction_mech_compare"]
    phasing = trigger.phasing
    if trigger.cause == ANNOUNCED and compare != "always":
        phasing = ()
    if not phasing and compare != "always":
        return Against([])
    ours, theirs = mobile_strength(state, units), mobile_strength(state, phasing)
    shown: tuple[Calculation, ...] = ()
    if compare == "shown":
        ours = yield from _stated(trigger, units, "reacting")
        theirs = yield from _stated(trigger, phasing, "phasing")
        shown = (Calculation("mobile", (("reacting force", ours, "R-DM-04"), ("phasing force", -theirs, "R-DM-04"))),)
    found = [("mobile", 1)] if ours > theirs else []
    return Against(found + (reaction_modifiers(state, phasing) if phasing else []), shown)


def _stated(trigger: Trigger, units: Sequence[str], role: str) -> Procedure:
    """Return the strength of the mobile units among ``units``, which their side states (R-DM-04)."""
    mobile = mobile_units(trigger.state, units)
    return (yield from stated_strength(trigger.state, mobile, f"mobile.{trigger.hex}.{role}", "DM-2.6.1n"))
