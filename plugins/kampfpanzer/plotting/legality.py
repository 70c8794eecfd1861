"""Whether a unit may be given a plot, by what is known as plots are written (R-KP-16).

Each refusal names a rule, what is wrong with figures, and what would do. What several plots of a side must keep to
among themselves is judged in ``together``.
"""

from collections.abc import Callable
from typing import Any

from kampfpanzer.model.state import WAITING
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.plotting.fire_and_boarding import why_no_debark, why_no_embark, why_no_fire
from kampfpanzer.plotting.notation import Plot, parse_plot
from kampfpanzer.plotting.situation import Survey, Walk, follow, points
from sandtable.errors import IllegalOrder
from sandtable.kernel.options import Refusal
from sandtable.kernel.options.choices import listing, shown

REJECT, VOID = "reject_at_entry", "void_plot"
"""What becomes of an impossible plot (R-KP-16): it cannot be handed in, or it is, and the unit does nothing."""


def why_not_line(survey: Survey, unit_id: str, text: Any) -> Refusal | None:
    """Refuse a plot of a unit that may be given one, on what is known in phase A; None if it may have this one.

    With option plot_validation = void_plot only what cannot be read is refused.
    """
    plot = read_plot(text)
    if isinstance(plot, Refusal):
        return plot
    return None if survey.options["plot_validation"] == VOID else why_impossible(survey, unit_id, plot)


def read_plot(text: Any) -> Plot | Refusal:
    """Return the plot that a text says, or why it cannot be read."""
    if not isinstance(text, str):
        return Refusal("KP-5.0h", f"a plot is a text such as D5 VD, not {shown(text)}")
    try:
        return parse_plot(text)
    except IllegalOrder as error:
        return Refusal(error.rule, error.reason)


def why_impossible(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse a plot that breaks a rule, whatever the option plot_validation says."""
    unit = survey.units[unit_id]
    if unit.carrier and plot.kind != "debark":
        carrier = survey.name(unit.carrier)
        return Refusal(
            "KP-12.2b", f"{survey.name(unit_id)} is aboard {carrier} and goes along: only Q is written for it"
        )
    if unit.standing == WAITING:
        return _why_no_entry(survey, unit_id, plot) or _why_no_movement(survey, unit_id, plot)
    if plot.entry:
        where = f"{survey.name(unit_id)} is on the map already, in {unit.hex}"
        return Refusal("KP-14.0d", f"{where}: write no entry hex")
    return _why_idle(survey, unit_id, plot) or _JUDGES[plot.kind](survey, unit_id, plot)


def _why_idle(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse what a side may not do on the turn on which it may not move (KP-14.7.2, R-KP-78)."""
    if survey.may_do_nothing:
        return Refusal("R-KP-78", f"{survey.name(unit_id)} does nothing on turn {survey.state.turn}: leave it out")
    if survey.may_not_move and plot.is_movement:
        return Refusal("KP-14.7.2", f"{survey.name(unit_id)} may not move on turn {survey.state.turn}; it may fire")
    return None


# --- movement ---


def _why_no_entry(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse what does not bring a unit onto the map by one of its entry hexes (KP-14.0d, R-KP-20)."""
    group, name = survey.group(unit_id), survey.name(unit_id)
    ways = listing(group.entries)
    if not plot.entry:
        return Refusal("KP-14.0d", f"{name} is off the map: begin with its entry hex, {ways}")
    if plot.entry not in group.entries:
        return Refusal("KP-14.0d", f"{name} cannot enter by {plot.entry}: it enters by {ways}")
    return None


def walk_of(survey: Survey, unit_id: str, plot: Plot) -> Walk:
    """Return where a movement plot takes a unit; kept for the survey. An entry hex must be on the map."""
    key = (unit_id, plot.text)
    walk: Walk | None = survey.walks.get(key)
    if walk is None:
        mobility, start = survey.kind(unit_id).mobility, survey.units[unit_id].hex
        walk = survey.walks[key] = follow(survey.ground, mobility, start, plot, survey.exits)
    return walk


def _why_no_movement(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    kind = survey.kind(unit_id)
    if not kind.movement:
        return Refusal("R-KP-17", f"{survey.name(unit_id)} cannot move by itself: it must be carried")
    if plot.overrun:
        refusal = _why_no_overrunner(survey, unit_id)
        if refusal is not None:
            return refusal
    walk = walk_of(survey, unit_id, plot)
    return (
        _why_not_off(survey, unit_id, plot, walk)
        or _why_too_far(survey, unit_id, plot, walk)
        or (_why_no_target(survey, unit_id, walk) if plot.overrun else None)
        or _why_not_end(survey, unit_id, walk)
    )


def _why_not_off(survey: Survey, unit_id: str, plot: Plot, walk: Walk) -> Refusal | None:
    """Refuse a way off the map that is none (KP-14.0i, R-KP-21, R-KP-53)."""
    name = survey.name(unit_id)
    if walk.barred:
        return Refusal(
            "R-KP-53", f"{name} needs a hex on the map to overrun, and one behind it: {walk.lost} is the edge"
        )
    if walk.lost:
        why = f"it may leave only by {listing(survey.exits)}" if survey.exits else "no unit of its side may"
        return Refusal("KP-14.0i", f"{plot.text} leads off the map from {walk.lost}: {why}")
    if walk.left and walk.extra:
        return Refusal("KP-14.0i", f"{name} leaves the map by {walk.left}: nothing may follow that step")
    if walk.left and not survey.may_leave(unit_id):
        return Refusal("KP-14.0i", f"{name} carries nobody and does not count: it may not leave the map")
    return None


def _why_too_far(survey: Survey, unit_id: str, plot: Plot, walk: Walk) -> Refusal | None:
    """Refuse more points than the allowance, halts and the two of an overrun included (KP-6.0c, KP-5.1d, KP-9.61a)."""
    kind = survey.kind(unit_id)
    if walk.halves <= 2 * kind.movement:
        return None
    reached = [hex_ for hex_, spent in zip(walk.hexes, walk.spent, strict=True) if spent <= 2 * kind.movement]
    last = f"its points last to {reached[-1]}" if reached else "its points do not last for the first hex"
    needs = f"{plot.text} needs {points(walk.halves)} points and {survey.name(unit_id)} has {kind.movement}"
    return Refusal("KP-6.0c", f"{needs}: {last}")


def _why_not_end(survey: Survey, unit_id: str, walk: Walk) -> Refusal | None:
    """Refuse an end in an entrenchment to all but foot units (KP-13.0c)."""
    end = walk.end(survey.units[unit_id].hex)
    if end and survey.is_entrenched(end) and not survey.kind(unit_id).is_foot:
        return Refusal(
            "KP-13.0c", f"{survey.name(unit_id)} may not end in {end}, which is entrenched: go on or stop short"
        )
    return None


# --- overruns ---


def _why_no_overrunner(survey: Survey, unit_id: str) -> Refusal | None:
    """Refuse an overrun to soft units, and to an APC without infantry aboard (KP-9.6b, KP-12.33a)."""
    if survey.may_overrun(unit_id):
        return None
    if survey.kind(unit_id).hard:
        return Refusal("KP-12.33a", f"{survey.name(unit_id)} may overrun only with infantry aboard")
    return Refusal("KP-9.6b", f"{survey.name(unit_id)} is soft: only hard units overrun")


def _why_no_target(survey: Survey, unit_id: str, walk: Walk) -> Refusal | None:
    """Refuse a hex that may not be overrun, and an exit that is barred (KP-9.66a, KP-9.6c, R-KP-51, R-KP-53)."""
    target, behind = walk.overrun, walk.hexes[-1]
    if not survey.ground.is_clear(target):
        return Refusal("KP-9.66a", f"{target} is not clear: only units in clear hexes are overrun")
    refusal = _why_not_overrun_hex(survey, target)
    if refusal is not None:
        return refusal
    if behind in survey.enemies_at:
        enemy = survey.name(survey.enemies_at[behind][0])
        return Refusal(
            "R-KP-53", f"{survey.name(unit_id)} would end in {behind}, which {enemy} holds: overrun another way"
        )
    return None


def _why_not_overrun_hex(survey: Survey, target: str) -> Refusal | None:
    """Refuse a hex that does not hold soft enemies only, unless any may be overrun (R-KP-51, KP-9.6c)."""
    if survey.options["overrun_target"] == "any_hex":
        return None
    enemies = survey.enemies_at.get(target, ())
    if not enemies:
        return Refusal("R-KP-51", f"there is no enemy in {target} to be overrun")
    hard = [each for each in enemies if survey.kind(each).hard]
    if hard:
        return Refusal("KP-9.6c", f"{survey.name(hard[0])} in {target} is hard: only soft units are overrun")
    return None


# --- facing ---


def _why_no_facing(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse a facing to all but guns on foot, and the one that a gun has (KP-9.4a, KP-9.4e)."""
    name, facing = survey.name(unit_id), survey.units[unit_id].facing
    if not survey.kind(unit_id).is_gun:
        return Refusal(
            "KP-9.4a", f"{name} is no gun and has no facing: to move, write {plot.facing} and a number of hexes"
        )
    if plot.facing == facing:
        others = listing([letter for letter in LETTERS if letter != facing])
        return Refusal("KP-9.4e", f"{name} faces {facing} already: choose {others}")
    return None


_JUDGES: dict[str, Callable[[Survey, str, Plot], Refusal | None]] = {
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
