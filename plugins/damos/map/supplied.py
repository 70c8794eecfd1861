"""Fast check whether a hex is in supply: a search outward from the hex, up to the maximum length of a line.

Most forces are near a usable railway, so such a search ends soon. ``supply.py`` returns the line itself and what blocks
one; both give the same answers. Results are cached with the position and everything else that they depend on.
"""

from collections.abc import Callable, Collection, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from damos.map.rails import rail_sources, supply_ground, supply_length, supply_sources, usable_rails
from damos.map.terrain import is_passable
from damos.map.zones import around_at, exerting, has_zones, hexes_around
from damos.model.forces import enemy_of, position, stacks
from damos.model.state import DamosState
from damos.model.tables import GERMAN

if TYPE_CHECKING:
    from damos.model.board import Board

BY_RAIL, BY_RAIL_UNLIMITED, ACROSS, TO_EDGE = "rail", "rail.unlimited", "across", "across.edge"
"""Kinds of line: to a railway and along it, the same at any length, across country alone, the same to a map edge."""


class Lines:
    """The lines of one kind and side in one position. ``reaches`` returns whether a hex has one.

    A force in one of ``homes`` needs no line. ``ends`` are the hexes to which a line across country must lead. It has
    at most ``limit`` hexes (None: any number) and passes through none that are ``blocked``.
    """

    __slots__ = ("blocked", "ends", "homes", "joined", "known", "land", "limit", "rails")

    def __init__(self, state: DamosState, side: str, kind: str, ignoring: Collection[str], held: "Held") -> None:
        board: Board = state.board
        self.blocked = blocked_hexes(state, side, ignoring)
        self.homes = frozenset[str]() if kind == TO_EDGE else held.homes
        self.land, self.rails = land(board), railways(board) if kind in {BY_RAIL, BY_RAIL_UNLIMITED} else {}
        self.limit = supply_length(state, side) if kind == BY_RAIL else None
        self.known: dict[str, bool] = {}
        if self.rails:
            self.ends = self._live_rails(held)
        elif kind == ACROSS:
            self.ends = set(self.homes - self.blocked)
        else:
            self.ends = set(board.edges[board.victory.edge]) - self.blocked
        self.joined = set(self.ends)

    def _live_rails(self, held: "Held") -> set[str]:
        """Return the usable rail hexes that are connected to a source by usable rail."""
        open_, rails = held.rails - self.blocked, self.rails
        found = edge = set(held.rail_sources - self.blocked)
        while edge:
            edge = set().union(*[rails[hex_] for hex_ in edge if hex_ in rails])
            edge &= open_
            edge -= found
            found = found | edge
        return found

    def reaches(self, hex_: str) -> bool:
        """Return whether a force in a hex has a supply line."""
        if hex_ in self.homes or hex_ in self.ends:
            return True
        found = self.known.get(hex_)
        if found is None:
            by_rail = not self.ends.isdisjoint(
                self.rails.get(hex_, ())
            )  # the first step may follow a railway that the side cannot use
            found = self.known[hex_] = by_rail or self._reaches_across(hex_)
        return found

    def _reaches_across(self, hex_: str) -> bool:
        """Return whether a line across country exists. The first hex is not checked, because the line begins there."""
        seen, edge, left = {hex_}, {hex_}, -1 if self.limit is None else self.limit
        while edge and left:
            edge = set().union(*[self.land[here] for here in edge if here in self.land]) - seen - self.blocked
            seen |= edge
            left -= 1
            if not self.joined.isdisjoint(edge):
                if self.limit is None and hex_ not in self.blocked:
                    self.joined |= seen  # a later search that reaches one of these can stop
                return True
        return False


class Held(NamedTuple):
    """The hexes that a side can use: sources of all kinds, ends of supply lines by rail, and usable railways."""

    homes: frozenset[str]
    rail_sources: frozenset[str]
    rails: frozenset[str]


def _held(state: DamosState, side: str, now: tuple[Any, ...]) -> Held:
    """Return the hexes that a side can use. ``now`` is everything they depend on, and is stored with them."""
    kept: tuple[Any, Held] | None = state.board.caches.get(("held", side))
    if kept is None or kept[0] != now:
        homes, ends, rails = supply_sources(state, side), rail_sources(state, side), usable_rails(state, side)
        kept = state.board.caches["held", side] = (now, Held(frozenset(homes), frozenset(ends), frozenset(rails)))
    return kept[1]


def lines(state: DamosState, side: str, kind: str, ignoring: Collection[str] = ()) -> Lines:
    """Return the lines of a kind, from the cache if nothing that they depend on has changed.

    Forces in hexes ``ignoring`` neither block nor have zones.
    """
    kept: dict[Any, tuple[Any, Lines]] = position(state).derived.setdefault("lines", {})
    key = (side, kind, *sorted(ignoring))
    held = (_decisive(state.board)(state.control), state.converted[:], state.options["los_core_vs_agc"])
    now = (held, supply_length(state, side), has_zones(state, enemy_of(side)))
    found = kept.get(key)
    if found is None or found[0] != now:
        found = kept[key] = (now, Lines(state, side, kind, ignoring, _held(state, side, held)))
    return found[1]


def is_joined(state: DamosState, hex_: str) -> bool:
    """Return whether a railhead counts for conversion and air range (R-DM-90).

    With ``railhead_cut_off`` "joined_only" it must be connected to a source by usable railways.
    """
    if state.options["railhead_cut_off"] == "counts":
        return True
    return hex_ in lines(state, GERMAN, BY_RAIL).ends


def blocked_hexes(state: DamosState, side: str, ignoring: Collection[str] = ()) -> frozenset[str]:
    """Return the hexes that block a side's lines: enemies, and their zones without friends (DM-2.10a, DM-2.10b)."""
    enemy = enemy_of(side)
    enemies: Collection[str] = stacks(state, enemy)
    if ignoring:
        enemies = [hex_ for hex_ in enemies if hex_ not in ignoring]
        zone = hexes_around(state.board, [hex_ for hex_ in exerting(state, enemy) if hex_ not in ignoring])
    elif has_zones(state, enemy):
        zone = around_at(state.board, position(state).sides[enemy], state.units)
    else:
        zone = frozenset()
    return zone.difference(stacks(state, side)).union(enemies)


# --- the map ---


def land(board: "Board") -> Mapping[str, tuple[str, ...]]:
    """Return the next hexes of a line across country for each hex where supply lines may run (AGC-1.3)."""
    if "supply_neighbors" not in board.caches:
        ground = supply_ground(board)
        board.caches["supply_neighbors"] = {
            hex_: tuple(near for near in board.around[hex_] if near in ground and is_passable(board, hex_, near))
            for hex_ in sorted(ground)
        }
    neighbors: Mapping[str, tuple[str, ...]] = board.caches["supply_neighbors"]
    return neighbors


def railways(board: "Board") -> Mapping[str, tuple[str, ...]]:
    """Return the next hexes by rail for each hex where supply lines may run."""
    if "supply_rails" not in board.caches:
        ground = supply_ground(board)
        board.caches["supply_rails"] = {
            hex_: tuple(near for near in board.rail_around.get(hex_, ()) if near in ground) for hex_ in sorted(ground)
        }
    neighbors: Mapping[str, tuple[str, ...]] = board.caches["supply_rails"]
    return neighbors


def _decisive(board: "Board") -> Callable[[Mapping[str, str]], tuple[str, ...]]:
    """Return a function that picks from ``control`` the hexes that decide where lines run or end."""
    if "supply_decisive" not in board.caches:
        ends = (each for hexes in (*board.sources.values(), *board.entries.values()) for each in hexes)
        hexes = {*board.rail_around, *ends, *board.cities, *board.major_cities}
        board.caches["supply_decisive"] = itemgetter(*sorted(hexes))
    decisive: Callable[[Mapping[str, str]], tuple[str, ...]] = board.caches["supply_decisive"]
    return decisive
