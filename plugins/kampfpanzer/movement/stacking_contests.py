"""Which of the steps that are due in a tick can be done: the order of R-KP-07, gone through until nothing changes."""

from collections.abc import Callable, Iterable, Mapping

from kampfpanzer.movement.contests import contests
from kampfpanzer.movement.march import Halt, March
from kampfpanzer.movement.mover import Mover
from kampfpanzer.movement.schedule import ENTER, LEAVE, OVERRUN
from kampfpanzer.terrain.targets import is_hard
from sandtable.kernel.sequence import Procedure

Going = Mapping[str, Mover]
"""The units whose next step is thought to be possible, by id."""


def settle(march: March, due: Iterable[Mover]) -> Procedure:
    """Return the units, by id, whose step can be done; all others have ended their move (R-KP-07, steps 1 to 4).

    A step that falls away may bar others, for its unit stays where it is: so all tests are made again. Those of one
    kind are made together, so that neither side nor number has an advantage.
    """
    going = {mover.unit_id: mover for mover in due}
    while going:
        halts = find_blocked(march, going) or find_zone_to_zone(march, going) or find_kept_off(march, going)
        if not halts:
            halts = yield from contests(march, going)
        if not halts:
            break
        for halt in halts:
            del going[halt.mover.unit_id]
            if halt.mover.is_inside:
                march.barred.append(halt)
            else:
                yield from march.stop(*halt)
    return going


def find_blocked(march: March, going: Going) -> list[Halt]:
    """Return the units whose way an enemy bars by standing in it (KP-6.4a, KP-7.0c, R-KP-11).

    An enemy that leaves in the same tick does not, unless the two would change places (R-KP-10).
    """
    at, found = march.positions.at, []
    for mover in going.values():
        step = mover.next
        halt = _why_blocked(march, going, mover) if step.hex in at else None
        if halt is None and step.kind == OVERRUN:
            halt = _why_no_way_out(march, going, mover)
        if halt is not None:
            found.append(halt)
    return found


def _why_blocked(march: March, going: Going, mover: Mover) -> Halt | None:
    step = mover.next
    for each in march.positions.enemies(mover.side, step.hex):
        other = going.get(each)
        if other is not None:
            if mover.hex and other.next.hex == mover.hex and not SWAPS[march.state.options["head_on_swap"]]:
                return Halt(mover, "swap", each)
        elif step.kind != OVERRUN:
            return Halt(mover, _BARRED.get(step.kind, "enemy") if mover.hex else "entry", each)
        elif is_hard(march.state, each):
            return Halt(mover, "hard", each)
    return None


SWAPS = {"blocked": False, "allowed": True}
"""Whether two enemies may change places in one tick (R-KP-10)."""

_BARRED = {LEAVE: "exit"}


def _why_no_way_out(march: March, going: Going, mover: Mover) -> Halt | None:
    """Stop a unit in front of its target while an enemy stands behind that (R-KP-53)."""
    beyond = mover.steps[mover.place + 1].hex
    staying = [each for each in march.positions.enemies(mover.side, beyond) if each not in going]
    return Halt(mover, "exit", staying[0]) if staying else None


def find_zone_to_zone(march: March, going: Going) -> list[Halt]:
    """Return the units that would go from one enemy zone straight to another (KP-8.0e).

    Overrun steps never do: into and out of the target all zones are ignored, and before it those of the units in it
    (KP-8.1a, KP-8.1b, R-KP-09). Nor does a unit that comes from off the map.
    """
    find, found = ZONE_TO_ZONE[march.state.options["zoc_to_zoc"]], []
    for mover in going.values():
        if mover.hex and mover.next.kind == ENTER:
            by = find(march, going, mover)
            if by:
                found.append(Halt(mover, "zone_to_zone", by))
    return found


def _by_tick(march: March, going: Going, mover: Mover) -> str:
    positions, side = march.positions, mover.side
    if not positions.controller(side, mover.hex, mover.target):
        return ""
    return positions.controller_after(side, mover.next.hex, _hexes_after(going), mover.target)


def _by_start(march: March, _going: Going, mover: Mover) -> str:
    start, side = march.start, mover.side
    return start.controller(side, mover.hex, mover.target) and start.controller(side, mover.next.hex, mover.target)


ZONE_TO_ZONE: dict[str, Callable[[March, Going, Mover], str]] = {
    "evaluate_tick": _by_tick,
    "start_positions": _by_start,
}
"""Which enemy makes a step one from zone to zone, "" for none (R-KP-09).

By the tick: where enemies stood before it for the hex left, where they will stand after it for the hex entered. By the
start: where they stood as the phase began, for both.
"""


def _hexes_after(going: Going) -> dict[str, str]:
    return {unit_id: mover.next.hex for unit_id, mover in going.items()}


def find_kept_off(march: March, going: Going) -> list[Halt]:
    """Return the units that must not come onto the map, for they would end in excess in their entrance (R-KP-20).

    That is so where an enemy zone stops all that enter.
    """
    entering: dict[tuple[str, str], list[Mover]] = {}
    for mover in going.values():
        if not mover.hex:
            entering.setdefault((mover.side, mover.entry), []).append(mover)
    found = []
    for (side, hex_), movers in sorted(entering.items()):
        by = march.positions.controller_after(side, hex_, _hexes_after(going))
        staying = [each for each in march.positions.friends(side, hex_) if each not in going]
        for mover in movers if by else ():
            if march.positions.may_share([*staying, mover.unit_id]):
                staying.append(mover.unit_id)
            else:
                found.append(Halt(mover, "entry", by))
    return found
