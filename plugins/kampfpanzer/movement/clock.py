"""The clock of phase E: only those half points are looked at on which a step is due (KP-6.0f, R-KP-06, R-KP-07)."""

from collections.abc import Mapping

from kampfpanzer.model.events import UnitsExited, UnitsMoved
from kampfpanzer.movement.march import March, Moved
from kampfpanzer.movement.mover import Mover
from kampfpanzer.movement.opportunity_fire import Watch, fire_on_entry
from kampfpanzer.movement.overruns import begin_overrun, resolve_overruns, turn_back
from kampfpanzer.movement.stacking_contests import settle
from kampfpanzer.movement.stops import stop_in_zones
from sandtable.kernel.sequence import Procedure


def run_clock(march: March) -> Procedure:
    """Carry out all plots of movement, tick by tick, until nobody is left who moves."""
    watch = Watch(march)
    due: dict[int, list[Mover]] = {}
    for mover in march.movers.values():
        due.setdefault(mover.next.tick, []).append(mover)
    while due:
        march.tick = min(due)
        movers = sorted((mover for mover in due.pop(march.tick) if not mover.stopped), key=_number)
        if movers:
            yield from _play_tick(march, watch, movers)
        for mover in movers:
            if mover.is_moving:
                due.setdefault(mover.next.tick, []).append(mover)
    yield from resolve_overruns(march)


def _number(mover: Mover) -> int:
    return mover.number


def _play_tick(march: March, watch: Watch, movers: list[Mover]) -> Procedure:
    if march.is_lazy:
        for mover in movers:
            yield from march.show(mover.unit_id)
    going = yield from settle(march, movers)
    moved = yield from _place(march, going)
    backed = [Moved(halt.mover, halt.mover.hex) for halt in march.barred]
    for halt in march.barred:
        yield from turn_back(march, halt)
    march.barred.clear()
    yield from fire_on_entry(march, watch, moved)
    for mover, _ in moved:
        if mover.is_inside and not mover.stopped:
            yield from begin_overrun(march, mover)
    if march.attacks:
        yield from resolve_overruns(march)
    yield from stop_in_zones(march, moved + backed)
    if march.attacks:
        yield from resolve_overruns(march)


def _place(march: March, going: Mapping[str, Mover]) -> Procedure:
    """Do these steps, all at once (R-KP-07, step 5); return who entered a hex, a list of ``Moved``."""
    hexes: dict[str, str] = {}
    edges: dict[str, str] = {}
    moved = []
    for unit_id, mover in going.items():
        if mover.next.hex:
            hexes[unit_id] = mover.next.hex
            moved.append(Moved(mover, mover.hex))
        else:
            edges[unit_id] = mover.hex
    if hexes:
        yield UnitsMoved(march.tick, hexes)
    if edges:
        yield UnitsExited(march.tick, edges)
    for unit_id, mover in going.items():
        mover.go(march.tick)
        if mover.hex:
            march.positions.put(unit_id, mover.hex)
        else:
            march.positions.remove(unit_id)
    return moved
