"""The legality of a unit's plot, given what is known when plots are written (R-KP-16).

Each refusal cites a rule, states the problem with figures, and suggests a fix. Rules among several plots of a side are
checked in ``conflicts``.
"""

from collections.abc import Callable
from typing import Any

from kampfpanzer.model.state import WAITING
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.plotting.fire_and_boarding import why_no_debark, why_no_embark, why_no_fire
from kampfpanzer.plotting.notation import Plot, parse_plot
from kampfpanzer.plotting.situation import Route, Situation, follow, points
from sandtable import IllegalOrder, Refusal, listing, shown

REJECT, VOID = "reject_at_entry", "void_plot"
"""Treatment of an impossible plot (R-KP-16): it is refused, or it is accepted and its unit does nothing."""


def why_not_line(situation: Situation, unit_id: str, text: Any) -> Refusal | None:
    """Refuse an illegal plot of a unit that may have one, given what is known in phase A.

    If plot_validation is "void_plot", only text that cannot be parsed is refused.
    """
    plot = plot_or_refusal(text)
    if isinstance(plot, Refusal):
        return plot
    return None if situation.options["plot_validation"] == VOID else why_impossible(situation, unit_id, plot)


def plot_or_refusal(text: Any) -> Plot | Refusal:
    """Return the parsed plot, or the reason why it cannot be parsed."""
    if not isinstance(text, str):
        return Refusal("KP-5.0h", f"a plot is a text such as D5 VD, not {shown(text)}")
    try:
        return parse_plot(text)
    except IllegalOrder as error:
        return Refusal(error.rule, error.reason)


def why_impossible(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse a plot that breaks a rule, whatever the value of the option plot_validation."""
    unit = situation.units[unit_id]
    if unit.carrier and plot.kind != "debark":
        carrier = situation.name(unit.carrier)
        return Refusal(
            "KP-12.2b", f"{situation.name(unit_id)} is aboard {carrier} and moves with it: its only plot is Q"
        )
    if unit.standing == WAITING:
        return _why_no_entry(situation, unit_id, plot) or _why_no_movement(situation, unit_id, plot)
    if plot.entry:
        where = f"{situation.name(unit_id)} is on the map already, in {unit.hex}"
        return Refusal("KP-14.0d", f"{where}: write no entry hex")
    return _why_inactive(situation, unit_id, plot) or _JUDGES[plot.kind](situation, unit_id, plot)


def _why_inactive(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse actions that a side may not take on the turn in which it may not move (KP-14.7.2, R-KP-78)."""
    if situation.may_do_nothing:
        return Refusal("R-KP-78", f"{situation.name(unit_id)} may not act on turn {situation.state.turn}: leave it out")
    if situation.may_not_move and plot.is_movement:
        return Refusal(
            "KP-14.7.2", f"{situation.name(unit_id)} may not move on turn {situation.state.turn}; it may fire"
        )
    return None


# --- movement ---


def _why_no_entry(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse a plot that does not bring a unit onto the map by one of its entry hexes (KP-14.0d, R-KP-20)."""
    group, name = situation.group(unit_id), situation.name(unit_id)
    entries = listing(group.entries)
    if not plot.entry:
        return Refusal("KP-14.0d", f"{name} is off the map: begin with its entry hex, {entries}")
    if plot.entry not in group.entries:
        return Refusal("KP-14.0d", f"{name} cannot enter by {plot.entry}: it enters by {entries}")
    return None


def route_of(situation: Situation, unit_id: str, plot: Plot) -> Route:
    """Return the route of a movement plot, cached in the situation; its entry hex must be on the map."""
    key = (unit_id, plot.text)
    route: Route | None = situation.routes.get(key)
    if route is None:
        mobility, start = situation.kind(unit_id).mobility, situation.units[unit_id].hex
        route = situation.routes[key] = follow(situation.ground, mobility, start, plot, situation.exits)
    return route


def _why_no_movement(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    kind = situation.kind(unit_id)
    if not kind.movement:
        return Refusal("R-KP-17", f"{situation.name(unit_id)} cannot move by itself: it must be carried")
    if plot.overrun:
        refusal = _why_no_overrunner(situation, unit_id)
        if refusal is not None:
            return refusal
    route = route_of(situation, unit_id, plot)
    return (
        _why_not_off(situation, unit_id, plot, route)
        or _why_too_far(situation, unit_id, plot, route)
        or (_why_no_target(situation, unit_id, route) if plot.overrun else None)
        or _why_not_end(situation, unit_id, route)
    )


def _why_not_off(situation: Situation, unit_id: str, plot: Plot, route: Route) -> Refusal | None:
    """Refuse an illegal step off the map (KP-14.0i, R-KP-21, R-KP-53)."""
    name = situation.name(unit_id)
    if route.barred:
        return Refusal(
            "R-KP-53", f"{name} needs a hex on the map to overrun and one behind it: {route.lost} is at the edge"
        )
    if route.lost:
        why = f"it may leave only by {listing(situation.exits)}" if situation.exits else "no unit of its side may"
        return Refusal("KP-14.0i", f"{plot.text} leads off the map from {route.lost}: {why}")
    if route.extra:
        return Refusal("KP-14.0i", f"{name} leaves the map by {route.left}: its plot must end with that step")
    if route.left and not situation.may_leave(unit_id):
        return Refusal("KP-14.0i", f"{name} carries no unit and does not count: it may not leave the map")
    return None


def _why_too_far(situation: Situation, unit_id: str, plot: Plot, route: Route) -> Refusal | None:
    """Refuse a cost, with halts and overrun, above the allowance (KP-6.0c, KP-5.1d, KP-9.61a)."""
    kind = situation.kind(unit_id)
    if route.halves <= 2 * kind.movement:
        return None
    reached = [hex_ for hex_, spent in zip(route.hexes, route.spent, strict=True) if spent <= 2 * kind.movement]
    last = f"its points pay as far as {reached[-1]}" if reached else "its points do not pay for the first hex"
    needs = f"{plot.text} costs {points(route.halves)} points, but {situation.name(unit_id)} has {kind.movement}"
    return Refusal("KP-6.0c", f"{needs}: {last}")


def _why_not_end(situation: Situation, unit_id: str, route: Route) -> Refusal | None:
    """Refuse an end in an entrenchment to all units except foot units (KP-13.0c)."""
    end = route.end(situation.units[unit_id].hex)
    if end and situation.is_entrenched(end) and not situation.kind(unit_id).is_foot:
        return Refusal(
            "KP-13.0c",
            f"{situation.name(unit_id)} may not end in {end}, which is entrenched: move farther or stop short",
        )
    return None


# --- overruns ---


def _why_no_overrunner(situation: Situation, unit_id: str) -> Refusal | None:
    """Refuse an overrun by soft units, and by an APC without infantry aboard (KP-9.6b, KP-12.33a)."""
    if situation.may_overrun(unit_id):
        return None
    if situation.kind(unit_id).hard:
        return Refusal("KP-12.33a", f"{situation.name(unit_id)} may overrun only with infantry aboard")
    return Refusal("KP-9.6b", f"{situation.name(unit_id)} is soft: only hard units may overrun")


def _why_no_target(situation: Situation, unit_id: str, route: Route) -> Refusal | None:
    """Refuse a hex that may not be overrun, and a blocked exit (KP-9.66a, KP-9.6c, R-KP-51, R-KP-53)."""
    target, behind = route.overrun, route.hexes[-1]
    if not situation.ground.is_clear(target):
        return Refusal("KP-9.66a", f"{target} is not clear: only units in clear hexes can be overrun")
    refusal = _why_not_overrun_hex(situation, target)
    if refusal is not None:
        return refusal
    if behind in situation.enemies_at:
        enemy = situation.name(situation.enemies_at[behind][0])
        return Refusal(
            "R-KP-53",
            f"{situation.name(unit_id)} would end in {behind}, which {enemy} holds: overrun from another direction",
        )
    return None


def _why_not_overrun_hex(situation: Situation, target: str) -> Refusal | None:
    """Refuse a hex that does not contain only soft enemies, unless any hex may be overrun (R-KP-51, KP-9.6c)."""
    if situation.options["overrun_target"] == "any_hex":
        return None
    enemies = situation.enemies_at.get(target, ())
    if not enemies:
        return Refusal("R-KP-51", f"no enemy is in {target}: choose another hex to overrun")
    hard = [each for each in enemies if situation.kind(each).hard]
    if hard:
        return Refusal("KP-9.6c", f"{situation.name(hard[0])} in {target} is hard: only soft units can be overrun")
    return None


# --- facing ---


def _why_no_facing(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse a facing to all units except guns on foot, and a gun's current facing (KP-9.4a, KP-9.4e)."""
    name, facing = situation.name(unit_id), situation.units[unit_id].facing
    if not situation.kind(unit_id).is_gun:
        return Refusal(
            "KP-9.4a", f"{name} is not a gun and has no facing: to move, write {plot.facing} and a number of hexes"
        )
    if plot.facing == facing:
        others = listing([letter for letter in LETTERS if letter != facing])
        return Refusal("KP-9.4e", f"{name} already faces {facing}: choose {others}")
    return None


_JUDGES: dict[str, Callable[[Situation, str, Plot], Refusal | None]] = {
    "move": _why_no_movement,
    "overrun": _why_no_movement,
    "direct": why_no_fire,
    "tight": why_no_fire,
    "loose": why_no_fire,
    "opportunity": why_no_fire,
    "embark": why_no_embark,
    "debark": why_no_debark,
    "facing": _why_no_facing,
}
