"""Who stops because an enemy's zone of control has come upon him, or he upon it (KP-6.3, KP-8.0b)."""

from collections.abc import Callable, Iterable, Sequence

from kampfpanzer.movement.march import Halt, March, Moved
from kampfpanzer.movement.mover import Mover
from sandtable.kernel.sequence import Procedure

COUNTS_AS_MOVING: dict[str, Callable[[Mover], bool]] = {
    "all_unfinished": lambda mover: mover.is_moving,
    "only_started": lambda mover: mover.is_moving and mover.place > 0,
}
"""Who of those beside a unit that comes up is moving, and stops, too (R-KP-08)."""


def stop_in_zones(march: March, moved: Iterable[Moved]) -> Procedure:
    """Stop units after these have moved (R-KP-07, step 8).

    A unit that moved stops in a zone (KP-6.3a). Any other that is still to move stops when an enemy with a zone has
    come beside it that was not beside it before (KP-6.3b, R-KP-08, KP-8.0d). Winners of a contest stop beside the
    losers (KP-6.4f). A unit that ignores a zone for its overrun is not stopped by it (KP-8.1).
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
    for halt in sorted(halts.values(), key=_place):
        yield from march.stop(*halt)


def _meet(march: March, moved: Moved, other_id: str, arrived: Sequence[str], halts: dict[str, Halt]) -> None:
    """Note whether a unit that moved, and an enemy beside it now, stop each other."""
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


def _place(halt: Halt) -> tuple[str, int]:
    return halt.mover.hex, halt.mover.number
