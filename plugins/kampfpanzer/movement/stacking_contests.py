"""The steps due in a tick that can be carried out (R-KP-07), and contests for a hex between enemies (KP-6.4b)."""

from collections.abc import Callable, Iterable, Mapping

from kampfpanzer.model.events import ContestDecided
from kampfpanzer.movement.march import ENTER, LEAVE, OVERRUN, Halt, March, Mover
from kampfpanzer.terrain.zones import is_hard
from sandtable import Calculation, Procedure, Roll

COUNTS: dict[str, Callable[[Mover], int]] = {
    "hexes_plus_stop_points": lambda mover: mover.place + mover.next.waited,
    "hexes_only": lambda mover: mover.place,
}
"""By value of the option contest_hex_count, the hexes moved through that count in a contest (KP-6.4c, R-KP-13)."""


def contests(march: March, going: Mapping[str, Mover]) -> Procedure:
    """Decide every contest of this tick and return the losers, a list of ``Halt``; the march records the winners."""
    wanted: dict[str, list[Mover]] = {}
    for mover in going.values():
        wanted.setdefault(mover.next.hex, []).append(mover)
    halts: list[Halt] = []
    if len(wanted) == len(going):
        return halts
    for hex_ in sorted(wanted):
        movers = wanted[hex_]
        if hex_ and any(mover.side != movers[0].side for mover in movers):
            halts += yield from _contest(march, hex_, movers)
    return halts


def _contest(march: March, hex_: str, movers: list[Mover]) -> Procedure:
    """Let the side of the best-placed unit enter; every unit of the other side loses (R-KP-12)."""
    count = COUNTS[march.state.options["contest_hex_count"]]
    first, second = march.board.sides
    best = {
        side: min((_rank(mover, count(mover)), mover.number, mover) for mover in movers if mover.side == side)
        for side in (first, second)
    }
    ranks = {side: rank for side, (rank, _, _) in best.items()}
    by = _decided_by(ranks[first], ranks[second])
    winner = min((first, second), key=ranks.__getitem__) if by != "dice" else (yield from roll_off(march, hex_))
    winners = [mover for mover in movers if mover.side == winner]
    losers = [mover for mover in movers if mover.side != winner]
    calculations = tuple(each for _, _, mover in best.values() for each in _calculations(mover, count(mover), by))
    yield ContestDecided(march.tick, hex_, _ids(winners), _ids(losers), by, CONTEST_RULES[by], calculations)
    march.won += [Halt(mover, "contest_won", losers[0].unit_id) for mover in winners]
    return [Halt(mover, "contest", winners[0].unit_id) for mover in losers]


CONTEST_RULES = {"hexes": "KP-6.4c", "allowance": "KP-6.4d", "dice": "KP-6.4e"}

Rank = tuple[int, bool, int]


def _rank(mover: Mover, hexes: int) -> Rank:
    """Return the rank of a unit in a contest, lowest best: fewer hexes, then the higher movement allowance.

    A panicked unit has the lower allowance against any unit that is not panicked (KP-11.23b). Against another panicked
    unit its printed allowance counts (R-KP-14).
    """
    return hexes, mover.panicked, -mover.allowance


def _calculations(mover: Mover, hexes: int, by: str) -> list[Calculation]:
    """Return the figures of a contest for the best-placed unit of a side: hexes, then the movement allowance."""
    steps = [("hexes entered", mover.place, "KP-6.4c")]
    if hexes > mover.place:
        steps.append(("points spent at a halt", hexes - mover.place, "R-KP-13"))
    found = [Calculation(f"hexes.{mover.unit_id}", tuple(steps))]
    if by != "hexes":
        points = [("movement allowance", mover.allowance, "KP-6.4d")]
        if mover.panicked:
            points.append(("panicked: ranks below other units", 0, "KP-11.23b"))
        found.append(Calculation(f"allowance.{mover.unit_id}", tuple(points)))
    return found


def _decided_by(first: Rank, second: Rank) -> str:
    if first[0] != second[0]:
        return "hexes"
    return "allowance" if first != second else "dice"


def roll_off(march: March, hex_: str) -> Procedure:
    """Return the side that rolls higher; equal dice are rolled again (KP-6.4e)."""
    first, second = march.board.sides
    while True:
        (one,) = yield Roll(1, 6, f"contest:{hex_}:{first}", "KP-6.4e", favors=first)
        (other,) = yield Roll(1, 6, f"contest:{hex_}:{second}", "KP-6.4e", favors=second)
        if one != other:
            return first if one > other else second


def _ids(movers: Iterable[Mover]) -> list[str]:
    return [mover.unit_id for mover in movers]


Going = Mapping[str, Mover]
"""By id, the units whose next step has not been found impossible."""


def settle(march: March, due: Iterable[Mover]) -> Procedure:
    """Return the units whose step can be carried out, by id; all others end their move (R-KP-07, steps 1 to 4).

    A step that fails may block others, because its unit stays in its hex. All tests are therefore repeated after a
    failure. Tests of one kind are made together, so that neither side nor number gives an advantage.
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
    """Return the units whose next hex an enemy blocks by its presence (KP-6.4a, KP-7.0c, R-KP-11).

    An enemy that leaves in the same tick does not block it, unless the two units would exchange hexes and
    ``head_on_swap`` is "blocked" (R-KP-10). An overrun is also blocked by an enemy that stays behind the target
    (R-KP-53).
    """
    at, found = march.positions.at, []
    for mover in going.values():
        step = mover.next
        halt = _why_blocked(march, going, mover) if step.hex in at else None
        if halt is None and step.kind == OVERRUN:
            halt = _why_no_exit(march, going, mover)
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
"""By value of the option head_on_swap, whether two enemies may exchange hexes in one tick (R-KP-10)."""

_BARRED = {LEAVE: "exit"}


def _why_no_exit(march: March, going: Going, mover: Mover) -> Halt | None:
    """Return the halt of a unit in front of its target if an enemy stays behind the target (R-KP-53), or None."""
    beyond = mover.steps[mover.place + 1].hex
    staying = [each for each in march.positions.enemies(mover.side, beyond) if each not in going]
    return Halt(mover, "exit", staying[0]) if staying else None


def find_zone_to_zone(march: March, going: Going) -> list[Halt]:
    """Return the units that would step from one enemy zone directly into another (KP-8.0e).

    Overrun steps never do: all zones are ignored into and out of the target, and before it the zones of the units in it
    (KP-8.1a, KP-8.1b, R-KP-09). Nor does the step by which a unit enters the map.
    """
    tests = ZONE_TO_ZONE[march.state.options["zoc_to_zoc"]]
    movers = [mover for mover in going.values() if mover.hex and mover.next.kind == ENTER]
    for find in tests:
        found = [Halt(mover, "zone_to_zone", by) for mover in movers if (by := find(march, going, mover))]
        if found:
            return found
    return []


def _by_certain_enemy(march: March, going: Going, mover: Mover) -> str:
    """Return an enemy that blocks a step whether or not it takes its own step, or "".

    It is adjacent to the hex to be entered, or in it, and would be adjacent after its own step. If every other enemy
    has an outcome that permits the step, the result is not certain.
    """
    positions, side, there = march.positions, mover.side, mover.next.hex
    if not positions.controller(side, mover.hex, mover.target):
        return ""
    around = positions.around[there]
    for each, other in going.items():
        if other.side != side and positions.zone[each] and other.next.hex in around and other.next.hex != mover.target:
            here = other.hex
            if here and here != mover.target and (here == there or here in around):
                return each
    return ""


def _by_tick(march: March, going: Going, mover: Mover) -> str:
    positions, side = march.positions, mover.side
    if not positions.controller(side, mover.hex, mover.target):
        return ""
    return positions.controller_after(side, mover.next.hex, _hexes_after(going), mover.target)


def _by_start(march: March, _going: Going, mover: Mover) -> str:
    start, side = march.start, mover.side
    return start.controller(side, mover.hex, mover.target) and start.controller(side, mover.next.hex, mover.target)


ZONE_TO_ZONE: dict[str, tuple[Callable[[March, Going, Mover], str], ...]] = {
    "impossible_first": (_by_certain_enemy, _by_tick),
    "evaluate_tick": (_by_tick,),
    "start_positions": (_by_start,),
}
"""By value of the option, the tests that return the enemy that makes a step one from zone to zone, or "" (R-KP-09).

A later test runs only if the earlier ones find nothing. By tick, the positions before it count for the hex that is
left, and those after it for the hex that is entered. By start, the positions at the start of the phase count for both.
"""


def _hexes_after(going: Going) -> dict[str, str]:
    return {unit_id: mover.next.hex for unit_id, mover in going.items()}


def find_kept_off(march: March, going: Going) -> list[Halt]:
    """Return the units that must not enter the map because they would overstack their entry hex (R-KP-20).

    This happens if an enemy zone stops all units that enter.
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
