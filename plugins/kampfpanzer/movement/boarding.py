"""Steps at the end of movement: new facings, embarking, debarking (KP-9.4e, KP-12.0f, KP-12.0g)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kampfpanzer.model.events import ContestDecided, FacingChanged, OperationFailed, UnitDebarked, UnitEmbarked
from kampfpanzer.model.orders import ChooseFacing
from kampfpanzer.model.state import ON_MAP
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.movement.march import March
from kampfpanzer.movement.stacking_contests import CONTEST_RULES, roll_off
from kampfpanzer.terrain.zones import kind_of, passengers
from sandtable import Calculation, Decision, OneOf, Procedure, Refusal


class Pair(NamedTuple):
    """A vehicle, or a tank that takes riders, and the unit that goes aboard or leaves it, or ""."""

    vehicle: str
    unit: str


def change_facings(march: March) -> Procedure:
    """Turn the guns that plotted a new facing (KP-9.4e)."""
    for unit_id in _plotted(march, "facing"):
        why = _why_unfit(march, unit_id)
        if why:
            yield from _fail(march, [unit_id], "facing", why)
        else:
            yield from march.show(unit_id)
            yield FacingChanged(unit_id, march.plots[unit_id].facing)


def embark(march: March) -> Procedure:
    """Carry out the embarkations, by the number of the vehicle (KP-12.0f, KP-12.11a)."""
    waiting = [each for each in _plotted(march, "embark") if not march.plots[each].hex]
    for vehicle in (each for each in _plotted(march, "embark") if march.plots[each].hex):
        pick_up, side = march.plots[vehicle].hex, march.state.units[vehicle].side
        there = [each for each in march.positions.friends(side, pick_up) if each in waiting]
        pair = Pair(vehicle, there[0] if there else "")
        why = _why_no_embarking(march, pair)
        if pair.unit:
            waiting.remove(pair.unit)
        if why:
            yield from _fail(march, pair, "embark", why)
            continue
        for each in pair:
            yield from march.show(each)
        yield UnitEmbarked(pair.unit, vehicle, pick_up)
        march.positions.remove(pair.unit)
        march.positions.put(vehicle, pick_up)
    for unit_id in waiting:
        yield from _fail(march, [unit_id], "embark", Refusal("KP-12.11a", "no vehicle came for it"))


def _why_no_embarking(march: March, pair: Pair) -> Refusal | None:
    hex_ = march.plots[pair.vehicle].hex
    if not pair.unit:
        return Refusal("KP-12.11a", f"no unit waits for it in {hex_}")
    if len(march.positions.at[hex_]) > 1:
        return Refusal("KP-12.14a", f"{pair.unit} is not alone in {hex_}")
    return _why_unfit(march, pair.unit) or _why_unfit(march, pair.vehicle)


def debark(march: March) -> Procedure:
    """Carry out the debarkations last (KP-12.0g, KP-12.15a); each vehicle needs a vacant hex."""
    aboard = passengers(march.state)
    vehicles = [each for each in _plotted(march, "debark") if march.plots[each].hex]
    claims: dict[str, list[Pair]] = {}
    for pair in (Pair(each, aboard.get(each, "")) for each in vehicles):
        why = _why_no_debarking(march, pair)
        if why:
            yield from _fail(march, pair, "debark", why)
        else:
            claims.setdefault(march.plots[pair.vehicle].hex, []).append(pair)
    for hex_ in sorted(claims):
        winner = yield from _claim(march, hex_, claims[hex_])
        for pair in claims[hex_]:
            if pair is winner:
                yield from _debark(march, pair)
            else:
                why = Refusal("R-KP-65", f"{winner.vehicle} has taken {hex_}")
                yield from _fail(march, pair, "debark", why)
    for unit_id in _plotted(march, "debark"):
        carrier = march.state.units[unit_id].carrier
        if carrier and carrier not in vehicles:
            yield from _fail(march, [unit_id], "debark", Refusal("KP-12.11a", f"{carrier} did not plot to debark"))


def _why_no_debarking(march: March, pair: Pair) -> Refusal | None:
    hex_, side = march.plots[pair.vehicle].hex, march.state.units[pair.vehicle].side
    plot = march.plots.get(pair.unit)
    if plot is None or plot.kind != "debark":
        return Refusal("KP-12.11a", f"{pair.unit} did not plot to debark" if pair.unit else "it carries no unit")
    if hex_ in march.positions.at:
        return Refusal("KP-12.14b", f"{hex_} is not vacant")
    if hex_ in march.state.entrenchments:
        return Refusal("R-KP-65", f"{hex_} is entrenched")
    if not DEBARKS_IN_ZONE[march.state.options["debark_hex"]] and march.positions.controller(side, hex_):
        return Refusal("R-KP-65", f"{hex_} is in the zone of control of an enemy")
    return _why_unfit(march, pair.unit) or _why_unfit(march, pair.vehicle)


DEBARKS_IN_ZONE = {"any_vacant_adjacent": True, "zoc_restricted": False}
"""By value of the option debark_hex, whether a vehicle may enter an enemy zone when its passenger debarks (R-KP-65)."""


def _claim(march: March, hex_: str, pairs: list[Pair]) -> Procedure:
    """Return the pair whose vehicle gets the hex (R-KP-65).

    Within a side, the lowest number has priority. Between two sides, the movement allowance decides, then dice.
    """
    first_of: dict[str, Pair] = {}
    for pair in pairs:
        first_of.setdefault(march.state.units[pair.vehicle].side, pair)
    if len(first_of) == 1:
        return pairs[0]
    one, other = (first_of[side] for side in march.board.sides)
    points = [kind_of(march.state, pair.vehicle).movement for pair in (one, other)]
    by = "allowance" if points[0] != points[1] else "dice"
    if by == "allowance":
        winner = one if points[0] > points[1] else other
    else:
        winner = first_of[(yield from roll_off(march, hex_))]
    loser = other if winner is one else one
    calculations = tuple(
        Calculation(f"allowance.{pair.vehicle}", (("movement allowance", each, "KP-6.4d"),))
        for pair, each in zip((one, other), points, strict=True)
    )
    yield ContestDecided(march.tick, hex_, [winner.vehicle], [loser.vehicle], by, CONTEST_RULES[by], calculations)
    return winner


def _debark(march: March, pair: Pair) -> Procedure:
    for each in pair:
        yield from march.show(each)
    hex_, here = march.plots[pair.vehicle].hex, march.state.units[pair.vehicle].hex
    facing = ""
    if kind_of(march.state, pair.unit).is_gun:
        facing = yield from FACINGS[march.state.options["debark_facing"]](march, pair, here, hex_)
    yield UnitDebarked(pair.unit, pair.vehicle, hex_, facing)
    march.positions.put(pair.vehicle, hex_)
    march.positions.put(pair.unit, here)


def _plotted_facing(march: March, pair: Pair, here: str, hex_: str) -> Procedure:
    """Return the plotted letter, or the direction away from the vehicle if none was plotted."""
    yield from ()
    letter = march.plots[pair.unit].facing
    return letter or LETTERS[(march.positions.around[here].index(hex_) + 3) % 6]


def _chosen_facing(march: March, pair: Pair, here: str, hex_: str) -> Procedure:  # noqa: ARG001 - same signature as the others
    space = OneOf([ChooseFacing(letter) for letter in LETTERS], "R-KP-34")
    side = march.state.units[pair.unit].side
    prompt = f"choose the facing of {pair.unit} in {here}"
    order = yield Decision(side, prompt, space, "R-KP-34", purpose=f"facing.{pair.unit}")
    return order.facing


FACINGS: dict[str, Callable[[March, Pair, str, str], Procedure]] = {
    "plotted_letter": _plotted_facing,
    "chosen_on_execution": _chosen_facing,
}
"""By value of the option debark_facing, the procedure that returns the facing of a gun that debarks (R-KP-34)."""


def _plotted(march: March, kind: str) -> list[str]:
    """Return the units that plotted an operation and are still on the map, by number."""
    units, plots = march.state.units, march.plots
    found = [each for each, plot in plots.items() if plot.kind == kind and units[each].standing == ON_MAP]
    return sorted(found, key=int)


def _why_unfit(march: March, unit_id: str) -> Refusal | None:
    """Refuse a unit that can only fire: disrupted, pinned, panicked or the target of a plotted overrun (R-KP-66).

    A passenger is also unfit if its carrier is such a target.
    """
    unit, frozen = march.state.units[unit_id], march.state.frozen
    disrupted, pinned, panicked, overrun = UNFIT_RULES[march.plots[unit_id].kind]
    if unit.disruption:
        return Refusal(disrupted, f"{unit_id} is disrupted")
    if unit.pinned:
        return Refusal(pinned, f"{unit_id} is pinned")
    if unit.panicked:
        return Refusal(panicked, f"{unit_id} is panicked")
    if unit_id in frozen or (unit.carrier and unit.carrier in frozen):
        return Refusal(overrun, f"{unit_id} is the target of an overrun")
    return None


UNFIT_RULES = {
    "facing": ("KP-9.71c", "KP-9.71a", "KP-11.0c", "KP-9.4f"),
    "embark": ("KP-12.12a", "KP-12.12a", "KP-12.13b", "KP-9.67a"),
    "debark": ("KP-12.12a", "KP-12.12a", "KP-12.13c", "KP-9.67a"),
}
"""By operation, the rules against units that are disrupted, pinned, panicked, or targets of plotted overruns."""


def _fail(march: March, unit_ids: Sequence[str], operation: str, why: Refusal) -> Procedure:
    """Report why the operation failed, for those of these units that plotted it."""
    for unit_id in unit_ids:
        if unit_id in march.plots and march.plots[unit_id].kind == operation:
            yield from march.show(unit_id)
            yield OperationFailed(unit_id, operation, why.reason, why.rule)
