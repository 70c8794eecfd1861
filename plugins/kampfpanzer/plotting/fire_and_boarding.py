"""The legality of plots of fire (KP-9.13a to KP-9.51e), of embarking (KP-12.0f) and of debarking (KP-12.0g)."""

from kampfpanzer.plotting.notation import Plot
from kampfpanzer.plotting.situation import Situation
from sandtable import Refusal, listing

HIGH_EXPLOSIVE, SMALL_ARMS = "H", "R"
SHELLS = ("tight", "loose")


def why_no_fire(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse fire that the firer may not plot; its strength is checked only when it is resolved (KP-9.7b)."""
    return (
        _why_wrong_weapon(situation, unit_id, plot)
        or _why_out_of_reach(situation, unit_id, plot.hex)
        or (_why_no_target(situation, unit_id, plot) if plot.kind == "direct" else None)
        or (_why_not_empty(situation, unit_id, plot) if plot.kind == "opportunity" else None)
    )


def _why_wrong_weapon(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    kind, name = situation.kind(unit_id), situation.name(unit_id)
    if kind.is_vehicle:
        return Refusal("KP-12.31a", f"{name} is a vehicle and never fires")
    if kind.weapon == HIGH_EXPLOSIVE:
        if plot.kind == "opportunity":
            return Refusal("KP-9.0h", f"{name} fires high explosive, so it has no opportunity fire: write T or L")
        if plot.kind == "direct":
            return Refusal("KP-5.21c", f"{name} fires high explosive: write T or L and the hex")
    elif plot.kind in SHELLS:
        return Refusal("KP-5.21c", f"{name} fires no high explosive (its weapon is {kind.weapon}): write N or P")
    return None


def _why_out_of_reach(situation: Situation, unit_id: str, target: str) -> Refusal | None:
    """Refuse a hex out of range, outside the arc of a gun, or out of sight."""
    kind, name, unit = situation.kind(unit_id), situation.name(unit_id), situation.units[unit_id]
    if not situation.ground.holds(target):
        return Refusal("KP-3.1a", f"{target} is not a hex of this map")
    if target == unit.hex:
        return Refusal("KP-9.17a", f"{name} is in {target} itself: choose another hex")
    distance = situation.ground.range_hexes(unit.hex, target)
    if distance > kind.range_hexes:
        return Refusal("KP-9.13b", f"{target} is {distance} hexes away, but {name} has a range of {kind.range_hexes}")
    if kind.is_gun and not situation.ground.in_arc(unit.hex, unit.facing, target):
        return Refusal("KP-9.4c", f"{target} is outside the arc of {name}, which faces {unit.facing}: turn it first")
    return situation.ground.why_unseen(unit.hex, target, kind.weapon == HIGH_EXPLOSIVE)


def _why_no_target(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse a target that is not there, or that the weapon cannot affect (KP-5.21d, R-KP-26, KP-9.51b)."""
    there = situation.targets_at(plot.hex)
    if plot.target and plot.target not in there:
        return _why_no_such_target(situation, plot, there)
    if not there:
        wasted = situation.options["fire_at_empty_hex"] == "wasted"
        return None if wasted else Refusal("R-KP-26", f"no enemy is in {plot.hex}: choose another hex")
    aims = [plot.target] if plot.target else there
    if situation.kind(unit_id).weapon != SMALL_ARMS:
        return None
    hard = [each for each in aims if situation.kind(each).hard]
    if hard and len(hard) < len(aims):
        soft = listing([f"N {plot.hex}/{each}" for each in aims if each not in hard])
        return Refusal(
            "R-KP-28", f"small arms may not join in fire at {situation.name(hard[0])}, a hard target: write {soft}"
        )
    if hard:
        shooter = situation.name(unit_id)
        return Refusal("KP-9.51b", f"{situation.name(hard[0])} is hard, and {shooter} has small arms only")
    return None


def _why_no_such_target(situation: Situation, plot: Plot, there: list[str]) -> Refusal:
    unit = situation.units.get(plot.target)
    if unit is not None and unit.side != situation.side and unit.carrier in there:
        carrier = situation.name(unit.carrier)
        return Refusal("KP-12.32a", f"{situation.name(plot.target)} is inside {carrier}: fire at {carrier}")
    who = listing(there) if there else "none"
    return Refusal("KP-5.21d", f"unit {plot.target} is not an enemy in {plot.hex}: possible targets there: {who}")


def _why_not_empty(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse opportunity fire into or through a hex with an enemy (KP-9.25a)."""
    for hex_ in situation.ground.fire_path(situation.units[unit_id].hex, plot.hex).hexes:
        if hex_ in situation.enemies_at:
            enemy = situation.name(situation.enemies_at[hex_][0])
            return Refusal(
                "KP-9.25a",
                f"{enemy} is already in {hex_}, on the line to {plot.hex}: fire at it, or choose another hex",
            )
    return None


def why_no_embark(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse M if a unit can neither be picked up nor pick a unit up in the written hex (KP-5.31a, KP-12.0f)."""
    if situation.kind(unit_id).is_foot:
        return _why_not_picked_up(situation, unit_id, plot)
    return _why_no_pick_up(situation, unit_id, plot)


def _why_not_picked_up(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    name, here = situation.name(unit_id), situation.units[unit_id].hex
    if plot.hex:
        return Refusal("KP-5.31b", f"{name} embarks in its own hex: write M alone, and M {here} for the vehicle")
    refusal = why_no_passenger(situation, unit_id)
    if refusal is None and not vehicles_for(situation, unit_id):
        return Refusal("KP-12.0f", f"no empty vehicle that can carry {name} is adjacent to {here}")
    return refusal


def why_no_passenger(situation: Situation, unit_id: str) -> Refusal | None:
    """Refuse a foot unit that cannot be picked up in its hex (KP-12.14a, R-KP-64, KP-12.12a)."""
    name, unit = situation.name(unit_id), situation.units[unit_id]
    if unit.disruption:
        return Refusal("KP-12.12a", f"{name} is disrupted and cannot embark")
    others = [each for each in situation.own_at[unit.hex] if each != unit_id]
    if others:
        return Refusal(
            "KP-12.14a", f"{name} shares {unit.hex} with {situation.name(others[0])}: a unit must be alone to embark"
        )
    if situation.is_entrenched(unit.hex) and situation.options["embark_entrenched"] == "forbidden":
        return Refusal("R-KP-64", f"{unit.hex} is entrenched, and no vehicle may end there: move {name} out first")
    return None


def vehicles_for(situation: Situation, unit_id: str) -> list[str]:
    """Return the vehicles adjacent to a foot unit that may pick it up."""
    around = situation.ground.around(situation.units[unit_id].hex)
    near = [each for hex_ in around if hex_ for each in situation.own_at.get(hex_, ())]
    return [
        each
        for each in near
        if situation.may_carry(each, unit_id)
        and each not in situation.passengers
        and not situation.units[each].disruption
    ]


def _why_no_pick_up(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    name, here = situation.name(unit_id), situation.units[unit_id].hex
    if not situation.kind(unit_id).is_vehicle and not situation.board.riders:
        return Refusal("KP-12.0a", f"{name} is not a vehicle and carries no unit")
    if unit_id in situation.passengers:
        return Refusal(
            "R-KP-63", f"{name} already carries {situation.name(situation.passengers[unit_id])}: the maximum is one"
        )
    if not plot.hex:
        return Refusal("KP-5.31c", f"write the hex where {name} picks up its passenger, such as M 0506")
    if plot.hex not in situation.ground.around(here):
        return Refusal("KP-12.0f", f"{plot.hex} is not adjacent to {here}, the hex of {name}")
    there = [each for each in situation.own_at.get(plot.hex, ()) if situation.may_carry(unit_id, each)]
    if not there:
        return Refusal("KP-12.0f", f"no unit that {name} can carry is in {plot.hex}")
    return why_no_passenger(situation, there[0])


def why_no_debark(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse Q for a vehicle without a passenger, or if it cannot move to the written hex (KP-5.32a, KP-12.0g).

    A passenger's Q is refused if it names a hex, or a facing of a unit that is not a gun (KP-9.4a).
    """
    if situation.units[unit_id].carrier:
        return _why_not_off(situation, unit_id, plot)
    name, here = situation.name(unit_id), situation.units[unit_id].hex
    if unit_id not in situation.passengers:
        carried = "is not aboard a vehicle" if situation.kind(unit_id).is_foot else "carries no unit"
        return Refusal("KP-12.0g", f"{name} {carried}: there is nothing to debark")
    if plot.facing:
        return Refusal(
            "KP-5.32b", f"write the hex that {name} moves to, such as Q 0506; only its passenger has a facing"
        )
    if not plot.hex:
        near = listing([each for each in situation.ground.around(here) if each])
        return Refusal("KP-5.32b", f"write the hex that {name} moves to, {near}")
    if plot.hex not in situation.ground.around(here):
        return Refusal("KP-12.0g", f"{plot.hex} is not adjacent to {here}, the hex of {name}")
    if situation.is_entrenched(plot.hex):
        return Refusal("R-KP-65", f"{name} may not end in {plot.hex}, which is entrenched: choose another hex")
    return None


def _why_not_off(situation: Situation, unit_id: str, plot: Plot) -> Refusal | None:
    name = situation.name(unit_id)
    if plot.hex:
        stays = f"{name} stays in its hex and {situation.name(situation.units[unit_id].carrier)} moves to {plot.hex}"
        return Refusal("KP-5.32a", f"{stays}: write Q alone here")
    if plot.facing and not situation.kind(unit_id).is_gun:
        return Refusal("KP-9.4a", f"{name} is not a gun and has no facing: write Q alone")
    return None
