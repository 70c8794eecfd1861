"""Races for a hex: opposing units that would enter it at the same moment (KP-6.4)."""

from collections.abc import Callable, Iterable, Mapping

from kampfpanzer.model.events import ContestDecided
from kampfpanzer.movement.march import Halt, March
from kampfpanzer.movement.mover import Mover
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure

COUNTS: dict[str, Callable[[Mover], int]] = {
    "hexes_plus_stop_points": lambda mover: mover.place + mover.next.waited,
    "hexes_only": lambda mover: mover.place,
}
"""What counts as hexes moved through (KP-6.4c, R-KP-13)."""


def contests(march: March, going: Mapping[str, Mover]) -> Procedure:
    """Decide every race of this tick and return who loses one, a list of ``Halt``; winners are noted in the march."""
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
    ranks = {
        side: min(_rank(mover, count(mover)) for mover in movers if mover.side == side) for side in (first, second)
    }
    by = _decided_by(ranks[first], ranks[second])
    winner = min((first, second), key=ranks.__getitem__) if by != "dice" else (yield from roll_off(march, hex_))
    winners = [mover for mover in movers if mover.side == winner]
    losers = [mover for mover in movers if mover.side != winner]
    yield ContestDecided(march.tick, hex_, _ids(winners), _ids(losers), by, CONTEST_RULES[by])
    march.won += [Halt(mover, "contest_won", losers[0].unit_id) for mover in winners]
    return [Halt(mover, "contest", winners[0].unit_id) for mover in losers]


CONTEST_RULES = {"hexes": "KP-6.4c", "allowance": "KP-6.4d", "dice": "KP-6.4e"}

Rank = tuple[int, bool, int]


def _rank(mover: Mover, hexes: int) -> Rank:
    """Return how well a unit is placed, the lowest best: fewer hexes, then the higher movement allowance.

    A panicked one has the lower allowance against any that is not (KP-11.23b), the printed one against another that is
    panicked (R-KP-14).
    """
    return hexes, mover.panicked, -mover.allowance


def _decided_by(first: Rank, second: Rank) -> str:
    if first[0] != second[0]:
        return "hexes"
    return "allowance" if first != second else "dice"


def roll_off(march: March, hex_: str) -> Procedure:
    """Return the side that rolls higher; equal dice are rolled again (KP-6.4e)."""
    first, second = march.board.sides
    while True:
        (one,) = yield Roll(1, 6, f"contest:{hex_}:{first}", "KP-6.4e", favours=first)
        (other,) = yield Roll(1, 6, f"contest:{hex_}:{second}", "KP-6.4e", favours=second)
        if one != other:
            return first if one > other else second


def _ids(movers: Iterable[Mover]) -> list[str]:
    return [mover.unit_id for mover in movers]
