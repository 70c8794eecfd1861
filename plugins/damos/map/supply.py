"""Supply lines: across country to a railway, and along it to a source (DM-2.10a, AGC-4.3); and the way out (DM-10.0b).

How long a line may be, what it runs along and where it ends, the exclusive rules tell (R-DM-74); what stops it is the
same for both parts (R-DM-75): enemy units, and their zones of control but where a friendly force is (DM-2.10b). The
search is the library's. Nets are kept with the position and with all else that they follow from.
"""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from damos.map.rails import is_supply_source, rail_sources, supply_ground, supply_length, supply_sources, usable_rails
from damos.map.terrain import is_passable
from damos.map.zones import exerting, has_zones
from damos.model.forces import enemy_of, position, stacks
from damos.model.state import DamosState
from sandtable.board.graph.masks import Flags, flags_at, joined_flags, places_of
from sandtable.board.graph.paths import Adjacency
from sandtable.board.graph.supply import SupplyLeg, SupplyLines, SupplyNet
from sandtable.board.graph.zones import Zones

if TYPE_CHECKING:
    from damos.model.board import Board

BY_RAIL, ACROSS = "rail", "across"
ENEMY, ZONE, RAIL = "enemy", "zone", "rail"
"""Why a hex blocks a line: an enemy is there, it is in an enemy zone, its railway cannot be used."""


class SupplyLine(NamedTuple):
    """The supply line of a hex, or what blocks it.

    ``path`` leads from the hex to the railway, ``rail_path`` from there to the source; both have the hex where they
    meet. A unit on its source needs no railway. ``blocked`` holds what a line that is not there runs into, hexes and
    reasons, sorted; empty if no source is near enough.
    """

    supplied: bool
    path: tuple[str, ...] = ()
    rail_path: tuple[str, ...] = ()
    blocked: tuple[tuple[str, str], ...] = ()


# --- questions ---


def has_supply_line(state: DamosState, side: str, hex_: str, ignoring: Collection[str] = ()) -> bool:
    """Tell whether a force of a side in a hex has a supply line; forces in hexes ``ignoring`` count for nothing."""
    if is_supply_source(state, side, hex_):  # R-DM-36
        return True
    return _net(state, side, BY_RAIL, ignoring).is_supplied(state.board.hexmap.index[hex_])


def supply_line(state: DamosState, side: str, hex_: str, ignoring: Collection[str] = ()) -> SupplyLine:
    """Return the supply line of a force of a side in a hex, or what blocks it.

    Forces in hexes ``ignoring`` neither block nor have zones: those in the combat hex (R-DM-37).
    """
    if is_supply_source(state, side, hex_):
        return SupplyLine(supplied=True, path=(hex_,), rail_path=(hex_,))
    net = _net(state, side, BY_RAIL, ignoring)
    numbers, space = state.board.hexmap.numbers, state.board.hexmap.index[hex_]
    trace = net.trace(space)
    if not trace.is_supplied:
        return SupplyLine(supplied=False, blocked=_reasons(state, side, net, space, ignoring))
    path, rail_path = ([numbers[each] for each in part] for part in trace.parts)
    if len(rail_path) > 1 and net.floods[1].closed[space] and path == [hex_]:  # the first step is no step by rail
        path, rail_path = rail_path[:2], rail_path[1:]
    return SupplyLine(supplied=True, path=tuple(path), rail_path=tuple(rail_path))


def reaches_source(state: DamosState, side: str, hex_: str) -> bool:
    """Tell whether a force in a hex can trace a way of any length to a source: else it may surrender (DM-10.0b).

    With ``surrender_sources`` "rail_needed" the way must be a supply line but for its length (R-DM-23).
    """
    if is_supply_source(state, side, hex_):
        return True
    kind = ACROSS if state.options["surrender_sources"] == "exclusive_sources_any_length" else f"{BY_RAIL}.unlimited"
    return _net(state, side, kind, ()).is_supplied(state.board.hexmap.index[hex_])


def is_isolated(state: DamosState, side: str) -> bool:
    """Tell whether the objective has no way, as forces of ``side`` trace it, to its edge (AGC-5.0b, R-DM-76)."""
    board: Board = state.board
    return not _net(state, side, f"{ACROSS}.edge", ()).is_supplied(board.hexmap.index[board.victory.objective])


# --- what stops a line ---


def blocked_hexes(state: DamosState, side: str, ignoring: Collection[str] = ()) -> Flags:
    """Return, as flags of the hexes of the map, what stops the lines of a side (DM-2.10a, DM-2.10b)."""
    index, enemy = state.board.hexmap.index, enemy_of(side)
    return _zones(state.board).closed(
        [index[hex_] for hex_ in stacks(state, enemy) if hex_ not in ignoring],
        [index[hex_] for hex_ in exerting(state, enemy) if hex_ not in ignoring],
        [index[hex_] for hex_ in stacks(state, side)],
    )


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
            reasons[hex_] = ZONE if blocked[end] else RAIL
    return tuple(reasons.items())


# --- nets ---


def _net(state: DamosState, side: str, kind: str, ignoring: Collection[str]) -> SupplyNet:
    """Return the net of a kind of line: kept, if nothing that it follows from has changed."""
    held: dict[Any, tuple[Any, SupplyNet]] = position(state).derived.setdefault("supply", {})
    key = (side, kind, *sorted(ignoring))
    now = (
        list(state.control),
        list(state.control.values()),
        state.converted[:],
        supply_length(state, side),
        has_zones(state, enemy_of(side)),
        state.options["los_core_vs_agc"],
    )
    found = held.get(key)
    if found is None or found[0] != now:
        found = held[key] = (now, _NETS[kind](state, side, blocked_hexes(state, side, ignoring)))
    return found[1]


def _by_rail(state: DamosState, side: str, blocked: Flags) -> SupplyNet:
    return _railway_net(state, side, blocked, supply_length(state, side))


def _by_rail_unlimited(state: DamosState, side: str, blocked: Flags) -> SupplyNet:
    return _railway_net(state, side, blocked, None)


def _railway_net(state: DamosState, side: str, blocked: Flags, length: int | None) -> SupplyNet:
    board = state.board
    lines = _lines(board, f"{BY_RAIL} {length}", SupplyLeg(_land(board), length), SupplyLeg(_railways(board)))
    sources = rail_sources(state, side)
    open_ = _flags(board, [*usable_rails(state, side), *sources])
    closed = joined_flags(blocked, bytes(1 - each for each in open_))
    index = board.hexmap.index
    return lines.net([index[hex_] for hex_ in sources if not closed[index[hex_]]], blocked, closed)


def _across(state: DamosState, side: str, blocked: Flags) -> SupplyNet:
    sources = supply_sources(state, side)
    return _across_to(state.board, sources, blocked)


def _across_to_edge(state: DamosState, side: str, blocked: Flags) -> SupplyNet:  # noqa: ARG001 - the shape of the others
    return _across_to(state.board, state.board.edges[state.board.victory.edge], blocked)


def _across_to(board: "Board", sources: Iterable[str], blocked: Flags) -> SupplyNet:
    return _lines(board, ACROSS, SupplyLeg(_land(board))).net(places_of(_flags(board, sources)), blocked)


_NETS = {
    BY_RAIL: _by_rail,
    f"{BY_RAIL}.unlimited": _by_rail_unlimited,
    ACROSS: _across,
    f"{ACROSS}.edge": _across_to_edge,
}


# --- the map as the library wants it ---


def _flags(board: "Board", hexes: Iterable[str]) -> Flags:
    index = board.hexmap.index
    return flags_at([index[hex_] for hex_ in hexes], len(index))


def _lines(board: "Board", name: str, *legs: SupplyLeg) -> SupplyLines:
    known: dict[str, SupplyLines] = board.caches.setdefault("supply_lines", {})
    if name not in known:
        known[name] = SupplyLines(*legs)
    return known[name]


def _zones(board: "Board") -> Zones:
    if "supply_zones" not in board.caches:
        board.caches["supply_zones"] = Zones(board.hexmap.adjacency)
    zones: Zones = board.caches["supply_zones"]
    return zones


def _land(board: "Board") -> Adjacency:
    """Return the ways across country: where anybody can pass, within what the exclusive rules leave open."""
    if "supply_land" not in board.caches:
        ground = supply_ground(board)
        board.caches["supply_land"] = _adjacency(
            board, lambda a, b: a in ground and b in ground and is_passable(board, a, b)
        )
    land: Adjacency = board.caches["supply_land"]
    return land


def _railways(board: "Board") -> Adjacency:
    if "supply_railways" not in board.caches:
        ground = supply_ground(board)
        rails = board.rail_around
        board.caches["supply_railways"] = _adjacency(
            board, lambda a, b: b in rails.get(a, ()) and a in ground and b in ground
        )
    railways: Adjacency = board.caches["supply_railways"]
    return railways


def _adjacency(board: "Board", joined: Any) -> Adjacency:
    index = board.hexmap.index
    return tuple(
        tuple(sorted(index[near] for near in board.around[number] if joined(number, near)))
        for number in board.hexmap.numbers
    )
