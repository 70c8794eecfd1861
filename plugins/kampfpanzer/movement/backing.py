"""Units that may not end the phase in their hex back up along their path (R-KP-15, R-KP-70, R-KP-74)."""

from collections.abc import Callable

from kampfpanzer.fire.damage import eliminate
from kampfpanzer.model.events import UnitBackedUp
from kampfpanzer.model.orders import BackUp
from kampfpanzer.movement.march import March
from kampfpanzer.terrain.zones import kind_of
from sandtable import Decision, OneOf, Procedure

OVERSTACK_RULES = {"stack": "R-KP-15", "entrenchment": "R-KP-74"}


def back_up(march: March) -> Procedure:
    """Resolve overstacked hexes (KP-7.0a) and vehicles in entrenchments (KP-13.0c) as movement ends.

    A unit that backs up may overstack another hex. Each unit backs up only along its own path, so the loop ends.
    """
    while True:
        illegal = _find_illegal(march)
        if not illegal:
            return
        hex_, why = illegal
        units = march.positions.at[hex_]
        yield from (_leave_entrenchment(march, units) if why == "entrenchment" else _part(march, list(units)))


def _find_illegal(march: March) -> tuple[str, str] | None:
    """Return the first hex where units may not remain, with the reason, or None if all positions are legal."""
    at, entrenchments = march.positions.at, march.state.entrenchments
    moved = {mover.hex for mover in march.movers.values() if len(mover.path) > 1}
    for hex_ in sorted(each for each in at if each in moved):
        if hex_ in entrenchments and _arrived_vehicles(march, at[hex_]):
            return hex_, "entrenchment"
        if len(at[hex_]) > 1 and not march.positions.may_share(at[hex_]):
            return hex_, "stack"
    return None


def _arrived_vehicles(march: March, units: list[str]) -> list[str]:
    """Return the vehicles and tanks that moved here; one that embarked a unit here may stay (R-KP-64)."""
    return [each for each in units if not kind_of(march.state, each).is_foot and _arrival(march, each) >= 0]


def _leave_entrenchment(march: March, units: list[str]) -> Procedure:
    yield from _go_back(march, min(_arrived_vehicles(march, units), key=int), "entrenchment")


def _part(march: March, units: list[str]) -> Procedure:
    yield from OVERSTACKS[march.state.options["end_overstack"]](march, units)


def _in_excess(march: March, units: list[str]) -> list[str]:
    """Return the units that must go: later arrivals, and of simultaneous arrivals the higher number.

    A unit that started the phase in the hex is never in excess.
    """
    staying: list[str] = []
    excess = []
    for _, number in sorted((_arrival(march, each), int(each)) for each in units):
        unit_id = str(number)
        if march.positions.may_share([*staying, unit_id]):
            staying.append(unit_id)
        elif _arrival(march, unit_id) >= 0:
            excess.append(unit_id)
    return excess


def _arrival(march: March, unit_id: str) -> int:
    """Return the half point at which a unit came to its current hex, or -1 if it started there."""
    mover = march.movers.get(unit_id)
    return mover.path[-1][1] if mover is not None and len(mover.path) > 1 else -1


def _later_backs_up(march: March, units: list[str]) -> Procedure:
    yield from _go_back(march, _in_excess(march, units)[0], "stack")


def _later_is_eliminated(march: March, units: list[str]) -> Procedure:
    unit_id = _in_excess(march, units)[0]
    yield from eliminate(march.state, unit_id, "R-KP-15")
    march.note_losses((unit_id,))


def _owner_chooses(march: March, units: list[str]) -> Procedure:
    """Request the unit that backs up, among those that moved; without a choice it is the later arrival."""
    able = [each for each in sorted(units, key=int) if _arrival(march, each) >= 0]
    if len(able) < 2:
        yield from _later_backs_up(march, units)
        return
    hex_ = march.positions.where[able[0]]
    space = OneOf([BackUp(each) for each in able], "R-KP-15")
    prompt, side = f"choose the unit that backs up from {hex_}", march.positions.side[able[0]]
    order = yield Decision(side, prompt, space, "R-KP-15", purpose=f"back_up.{hex_}.{'.'.join(able)}")
    yield from _go_back(march, order.unit, "stack")


OVERSTACKS: dict[str, Callable[[March, list[str]], Procedure]] = {
    "back_up": _later_backs_up,
    "later_unit_eliminated": _later_is_eliminated,
    "owner_chooses": _owner_chooses,
}
"""By value of the option end_overstack, the procedure for an overstacked hex (R-KP-15)."""


def _go_back(march: March, unit_id: str, why: str) -> Procedure:
    """Move a unit back to the last hex on its path that is legal for it; no fire is triggered (R-KP-39).

    If no hex is legal, the unit returns to its start, and a unit that has moved there in the meantime must back up
    next. If an enemy is there, it goes to any legal adjacent hex, and is eliminated if none exists.
    """
    mover, rule = march.movers[unit_id], OVERSTACK_RULES[why]
    start, path = mover.hex, mover.path
    place = next((each for each in range(len(path) - 2, -1, -1) if _is_legal(march, unit_id, path[each][0])), 0)
    del path[place + 1 :]
    if march.positions.enemies(mover.side, path[0][0]) and place == 0:
        beside = (each for each in march.positions.around[start] if each and march.positions.may_end_in(unit_id, each))
        path[0] = (next(beside, ""), march.tick)
        if not path[0][0]:
            yield from eliminate(march.state, unit_id, rule)
            march.note_losses((unit_id,))
            return
    mover.hex = path[place][0]
    yield UnitBackedUp(unit_id, start, mover.hex, why, rule)
    march.positions.remove(unit_id)
    if mover.hex:
        march.positions.put(unit_id, mover.hex)
    else:
        march.kept_off.append(unit_id)


def _is_legal(march: March, unit_id: str, hex_: str) -> bool:
    """Return whether a unit may back up to a hex of its path; "" is off the map, from where it has just come."""
    return not hex_ or march.positions.may_end_in(unit_id, hex_)
