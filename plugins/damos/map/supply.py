"""Supply lines across country to a railway and along it to a source (DM-2.10a, AGC-4.3), and surrender (DM-10.0b).

The exclusive rules define the maximum length of a line, what it runs along and where it ends (R-DM-74). Both parts are
blocked alike (R-DM-75): by enemy units, and by their zones of control except where a friendly force is (DM-2.10b).
``supplied.py`` decides whether a line exists. The line that is shown, and what blocks one, come from the library's
nets.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from damos.map.rails import is_supply_source, rail_sources, supply_length, usable_rails
from damos.map.supplied import ACROSS, BY_RAIL, BY_RAIL_UNLIMITED, TO_EDGE, blocked_hexes, land, lines, railways
from damos.model.forces import enemy_of, stacks
from damos.model.state import DamosState
from sandtable.graphs import Adjacency, Flags, SupplyLeg, SupplyLines, SupplyNet, flags_at, joined_flags

if TYPE_CHECKING:
    from damos.model.board import Board

ENEMY, ZONE, RAIL = "enemy", "zone", "rail"
"""Reasons why a hex blocks a line: it has an enemy, is in an enemy zone, or has no usable railway."""


class SupplyLine(NamedTuple):
    """The supply line of a hex, or what blocks it.

    ``path`` leads from the hex to the railway, ``rail_path`` from there to the source; both contain the hex where they
    meet. A unit on its source needs no railway. If there is no line, ``blocked`` holds the hexes that block it with
    their reasons, sorted; it is empty if no source is near enough.
    """

    supplied: bool
    path: tuple[str, ...] = ()
    rail_path: tuple[str, ...] = ()
    blocked: tuple[tuple[str, str], ...] = ()


# --- queries ---


def has_supply_line(state: DamosState, side: str, hex_: str, ignoring: Collection[str] = ()) -> bool:
    """Return whether a force of a side in a hex has a supply line; forces in hexes ``ignoring`` do not count."""
    return lines(state, side, BY_RAIL, ignoring).reaches(hex_)


def supply_line(state: DamosState, side: str, hex_: str, ignoring: Collection[str] = ()) -> SupplyLine:
    """Return the supply line of a force of a side in a hex, or what blocks it.

    Forces in hexes ``ignoring`` neither block nor have zones: those in the combat hex (R-DM-37).
    """
    if is_supply_source(state, side, hex_):
        return SupplyLine(supplied=True, path=(hex_,), rail_path=(hex_,))
    blocked = _flags(state.board, blocked_hexes(state, side, ignoring))
    net = _railway_net(state, side, blocked)
    numbers, space = state.board.hexmap.numbers, state.board.hexmap.index[hex_]
    trace = net.trace(space)
    if not trace.is_supplied:
        return SupplyLine(supplied=False, blocked=_reasons(state, side, net, space, ignoring))
    path, rail_path = ([numbers[each] for each in part] for part in trace.parts)
    if (
        len(rail_path) > 1 and net.floods[1].closed[space] and path == [hex_]
    ):  # the hex itself has no usable railway, so the first step is across country
        path, rail_path = rail_path[:2], rail_path[1:]
    return SupplyLine(supplied=True, path=tuple(path), rail_path=tuple(rail_path))


def reaches_source(state: DamosState, side: str, hex_: str) -> bool:
    """Return whether a force in a hex can trace a path of any length to a source; if not, it may surrender (DM-10.0b).

    With ``surrender_sources`` "rail_needed", the path must be a supply line of any length (R-DM-23).
    """
    kind = ACROSS if state.options["surrender_sources"] == "exclusive_sources_any_length" else BY_RAIL_UNLIMITED
    return lines(state, side, kind).reaches(hex_)


def is_isolated(state: DamosState, side: str) -> bool:
    """Return whether the objective has no path to its edge, traced as for ``side`` (AGC-5.0b, R-DM-76)."""
    return not lines(state, side, TO_EDGE).reaches(state.board.victory.objective)


def _reasons(
    state: DamosState, side: str, net: SupplyNet, space: int, ignoring: Collection[str]
) -> tuple[tuple[str, str], ...]:
    numbers, enemies = state.board.hexmap.numbers, stacks(state, enemy_of(side))
    blocked = blocked_hexes(state, side, ignoring)
    reasons: dict[str, str] = {}
    for end in sorted({end for ends in net.frontiers(space) for end in ends}):
        hex_ = numbers[end]
        if hex_ in enemies and hex_ not in ignoring:
            reasons[hex_] = ENEMY
        else:
            reasons[hex_] = ZONE if hex_ in blocked else RAIL
    return tuple(reasons.items())


# --- the net ---


def _railway_net(state: DamosState, side: str, blocked: Flags) -> SupplyNet:
    board, length = state.board, supply_length(state, side)
    sources = rail_sources(state, side)
    open_ = _flags(board, [*usable_rails(state, side), *sources])
    closed = joined_flags(blocked, bytes(1 - each for each in open_))
    index = board.hexmap.index
    return _lines(board, length).net([index[hex_] for hex_ in sources if not closed[index[hex_]]], blocked, closed)


# --- the map in the library's form ---


def _flags(board: "Board", hexes: Iterable[str]) -> Flags:
    index = board.hexmap.index
    return flags_at([index[hex_] for hex_ in hexes], len(index))


def _lines(board: "Board", length: int) -> SupplyLines:
    """Return the lines by rail with a part across country of up to ``length`` hexes."""
    known: dict[int, SupplyLines] = board.caches.setdefault("supply_lines", {})
    if length not in known:
        across, by_rail = _adjacency(board, land(board)), _adjacency(board, railways(board))
        known[length] = SupplyLines(SupplyLeg(across, length), SupplyLeg(by_rail))
    return known[length]


def _adjacency(board: "Board", neighbors: Mapping[str, tuple[str, ...]]) -> Adjacency:
    index = board.hexmap.index
    return tuple(tuple(sorted(index[near] for near in neighbors.get(number, ()))) for number in board.hexmap.numbers)
