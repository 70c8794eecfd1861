"""The clock of phase E: the half points with a step due (KP-6.0f, R-KP-06, R-KP-07), and stops (KP-6.3a, KP-8.0b)."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from kampfpanzer.model.events import UnitsExited, UnitsMoved
from kampfpanzer.movement.costs import spent
from kampfpanzer.movement.march import Halt, March, Moved, Mover
from kampfpanzer.movement.opportunity_fire import Watch, fire_on_entry
from kampfpanzer.movement.overruns import begin_overrun, resolve_overruns, turn_back
from kampfpanzer.movement.stacking_contests import settle
from sandtable import Procedure

COUNTS_AS_MOVING: dict[str, Callable[[Mover], bool]] = {
    "all_unfinished": lambda mover: mover.is_moving,
    "only_started": lambda mover: mover.is_moving and mover.place > 0,
}
"""By value of the option zoc_both_cease, whether a unit counts as moving and so stops next to an enemy (R-KP-08)."""


def stop_in_zones(march: March, moved: Iterable[Moved]) -> Procedure:
    """Stop units after these have moved (R-KP-07, step 8).

    A unit that moved stops in an enemy zone (KP-6.3a). Any other unit that is still to move stops when an enemy with a
    zone moves next to it that was not adjacent before (KP-6.3b, R-KP-08, KP-8.0d). The winners of a contest stop next
    to the losers (KP-6.4f). A zone that a unit ignores for its overrun does not stop it (KP-8.1a).
    """
    halts = {halt.mover.unit_id: halt for halt in march.won if halt.mover.is_moving and not halt.mover.is_inside}
    march.won.clear()
    moved = list(moved)
    arrived = [each.mover.unit_id for each in moved]
    at, around, sides = march.positions.at, march.positions.around, march.positions.side
    for each in moved:
        mover, here = each.mover, each.mover.hex
        if march.positions.where.get(mover.unit_id) != here:
            continue  # it is off the map
        for near in around[here]:
            if near in at:
                for other_id in at[near]:
                    if sides[other_id] != mover.side:
                        _meet(march, each, other_id, arrived, halts)
    for halt in sorted(halts.values(), key=_order_of):
        yield from march.stop(*halt)


def _meet(march: March, moved: Moved, other_id: str, arrived: Sequence[str], halts: dict[str, Halt]) -> None:
    """Record whether a unit that moved and an adjacent enemy stop each other."""
    mover, before = moved
    positions = march.positions
    zone, near = positions.zone, positions.where[other_id]
    if zone[other_id] and mover.is_moving and not mover.ignores(near):
        halts.setdefault(mover.unit_id, Halt(mover, "zone", other_id))
    other = march.movers.get(other_id)
    if other is None or other_id in arrived or not zone[mover.unit_id] or other.ignores(mover.hex):
        return
    was_beside = before != "" and near in positions.around[before]
    if not was_beside and COUNTS_AS_MOVING[march.state.options["zoc_both_cease"]](other):
        halts.setdefault(other_id, Halt(other, "met", mover.unit_id))


def _order_of(halt: Halt) -> tuple[str, int]:
    return halt.mover.hex, halt.mover.number


def run_clock(march: March) -> Procedure:
    """Carry out all movement plots, tick by tick, until no unit is left to move."""
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
    """Carry out these steps, all at once (R-KP-07, step 5); return the units that entered a hex as ``Moved``."""
    hexes: dict[str, str] = {}
    edges: dict[str, str] = {}
    moved = []
    for unit_id, mover in going.items():
        if mover.next.hex:
            hexes[unit_id] = mover.next.hex
            moved.append(Moved(mover, mover.hex))
        else:
            edges[unit_id] = mover.hex
    entries = spent(march, [each.mover for each in moved])
    exits = spent(march, [going[unit_id] for unit_id in edges])
    if hexes:
        yield UnitsMoved(march.tick, hexes, calculations=entries)
    if edges:
        yield UnitsExited(march.tick, edges, calculations=exits)
    for unit_id, mover in going.items():
        mover.go(march.tick)
        if mover.hex:
            march.positions.put(unit_id, mover.hex)
        else:
            march.positions.remove(unit_id)
    return moved
