"""Whether a unit may fire as plotted: weapon, range, arc, line of sight, targets (KP-9.1, 9.2, 9.3, 9.5)."""

from kampfpanzer.plotting.notation import Plot
from kampfpanzer.plotting.situation import Survey
from sandtable.kernel.options import Refusal
from sandtable.kernel.options.choices import listing

HIGH_EXPLOSIVE, SMALL_ARMS = "H", "R"
SHELLS = ("tight", "loose")


def why_no_fire(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse fire that the firer may not plot; whether it is strong enough is seen when it falls (KP-9.7b)."""
    return (
        _why_wrong_weapon(survey, unit_id, plot)
        or _why_out_of_reach(survey, unit_id, plot.hex)
        or (_why_no_target(survey, unit_id, plot) if plot.kind == "direct" else None)
        or (_why_not_empty(survey, unit_id, plot) if plot.kind == "opportunity" else None)
    )


def _why_wrong_weapon(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    kind, name = survey.kind(unit_id), survey.name(unit_id)
    if kind.is_vehicle:
        return Refusal("KP-12.31a", f"{name} is a vehicle and never fires")
    if kind.weapon == HIGH_EXPLOSIVE:
        if plot.kind == "opportunity":
            return Refusal("KP-9.0h", f"{name} fires high explosive, so it has no opportunity fire: write T or L")
        if plot.kind == "direct":
            return Refusal("KP-5.21c", f"{name} fires high explosive: write T or L and the hex")
    elif plot.kind in SHELLS:
        return Refusal("KP-5.21c", f"{name} fires no high explosive, its weapon is {kind.weapon}: write N or P")
    return None


def _why_out_of_reach(survey: Survey, unit_id: str, target: str) -> Refusal | None:
    """Refuse a hex out of range, out of the arc of a gun, or out of sight."""
    kind, name, unit = survey.kind(unit_id), survey.name(unit_id), survey.units[unit_id]
    if not survey.ground.holds(target):
        return Refusal("KP-3.1a", f"{target} is no hex of this map")
    if target == unit.hex:
        return Refusal("KP-9.17a", f"{name} stands in {target} itself: choose another hex")
    distance = survey.ground.range_hexes(unit.hex, target)
    if distance > kind.range_hexes:
        return Refusal("KP-9.13b", f"{target} is {distance} hexes away and {name} reaches {kind.range_hexes}")
    if kind.is_gun and not survey.ground.in_arc(unit.hex, unit.facing, target):
        return Refusal("KP-9.4c", f"{target} is outside the arc of {name}, which faces {unit.facing}: turn it first")
    return survey.ground.why_unseen(unit.hex, target, kind.weapon == HIGH_EXPLOSIVE)


def _why_no_target(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse a target that is not there, or that the weapon cannot hurt (KP-5.21d, R-KP-26, KP-9.51b)."""
    there = survey.targets_at(plot.hex)
    if plot.target and plot.target not in there:
        return _why_no_such_target(survey, plot, there)
    if not there:
        wasted = survey.options["fire_at_empty_hex"] == "wasted"
        return None if wasted else Refusal("R-KP-26", f"there is no enemy in {plot.hex} to be fired at")
    aims = [plot.target] if plot.target else there
    if survey.kind(unit_id).weapon != SMALL_ARMS:
        return None
    hard = [each for each in aims if survey.kind(each).hard]
    if hard and len(hard) < len(aims):
        soft = listing([f"N {plot.hex}/{each}" for each in aims if each not in hard])
        return Refusal(
            "R-KP-28", f"small arms may not join in fire at {survey.name(hard[0])}, a hard target: write {soft}"
        )
    if hard:
        shooter = survey.name(unit_id)
        return Refusal("KP-9.51b", f"{survey.name(hard[0])} is hard, and {shooter} has small arms only")
    return None


def _why_no_such_target(survey: Survey, plot: Plot, there: list[str]) -> Refusal:
    unit = survey.units.get(plot.target)
    if unit is not None and unit.side != survey.side and unit.carrier in there:
        carrier = survey.name(unit.carrier)
        return Refusal("KP-12.32a", f"{survey.name(plot.target)} is inside {carrier}: fire at that")
    who = listing(there) if there else "nobody"
    return Refusal("KP-5.21d", f"unit {plot.target} is no enemy in {plot.hex}: {who} can be fired at there")


def _why_not_empty(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse opportunity fire into or through a hex with an enemy (KP-9.25a)."""
    for hex_ in survey.ground.fire_path(survey.units[unit_id].hex, plot.hex).hexes:
        if hex_ in survey.enemies_at:
            enemy = survey.name(survey.enemies_at[hex_][0])
            return Refusal(
                "KP-9.25a", f"{enemy} is in {hex_} already, on the line to {plot.hex}: fire at it, or elsewhere"
            )
    return None
