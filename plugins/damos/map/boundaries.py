"""The boundaries of the theater (AGC-1.3) for both sides, and the marsh, which the Germans pass to the north."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from damos.model.forces import stacks
from damos.model.state import DamosState
from damos.model.tables import GERMAN
from sandtable import Refusal
from sandtable.graphs import flags_at, flood

if TYPE_CHECKING:
    from damos.model.board import Board


def is_past_marsh(state: DamosState) -> bool:
    """Return whether the Germans have a unit in a hex beyond the marsh, or control one (R-DM-55)."""
    beyond: Collection[str] = state.board.beyond_marsh
    if any(hex_ in beyond for hex_ in stacks(state, GERMAN)):
        return True
    return any(state.control.get(hex_) == GERMAN for hex_ in beyond)


def is_open(state: DamosState, side: str, hex_: str) -> bool:
    """Return whether a side may be in a hex: it must be in the area and not closed (AGC-1.3a, AGC-1.3f, AGC-1.3g).

    The marsh and the southern extension are closed until the Germans have passed the marsh (AGC-1.3b, AGC-1.3d).
    They are closed to the Germans, and to the Soviets with ``soviet_boundaries`` "as_germans" (R-DM-91).
    """
    board = state.board
    if hex_ not in board.area:
        return False
    if hex_ not in _closed(board) or (side != GERMAN and not _binds_soviets(state)):
        return True
    return is_past_marsh(state)


def _binds_soviets(state: DamosState) -> bool:
    """Return whether marsh and extension are closed to the Soviets as to the Germans (R-DM-91)."""
    return state.options["soviet_boundaries"] == "as_germans"


def why_no_move(state: DamosState, side: str, start: str, hex_: str) -> Refusal | None:
    """Return the refusal if a boundary forbids a side to move from a hex into another, or None.

    A force that was driven out of bounds may move nearer to the open hexes (AGC-1.3c).
    """
    if is_open(state, side, hex_):
        return None
    distances = _exit_distances(state.board, side if side == GERMAN or not _binds_soviets(state) else GERMAN)
    index = state.board.hexmap.index
    is_out = not is_open(state, side, start)
    if is_out and distances[index[hex_]] < distances[index[start]]:
        return None
    if hex_ not in state.board.area:
        return Refusal("AGC-1.3a", f"{hex_} is outside the boundaries of the game")
    if is_out:
        return Refusal("AGC-1.3c", f"{hex_} is not on the shortest path out of the marsh")
    rule = "AGC-1.3b" if hex_ in state.board.marsh else "AGC-1.3d"
    sides = "the Germans" if side == GERMAN else "both sides"
    return Refusal(rule, f"{hex_} is closed to {sides} until the Germans have advanced beyond the marsh")


def must_leave(state: DamosState, side: str) -> list[str]:
    """Return the hexes, sorted, that forces of a side must leave by the shortest path, if any (AGC-1.3c, R-DM-88)."""
    if side != GERMAN or state.options["marsh_exit"] != "must_go":
        return []
    return sorted(hex_ for hex_ in stacks(state, side) if not is_open(state, side, hex_))


def may_retreat(state: DamosState, side: str, hex_: str, *, forced: bool) -> bool:
    """Return whether the boundaries allow a side to retreat into a hex (R-DM-71).

    If ``forced``, Germans without another path may enter the marsh (AGC-1.3c).
    """
    board = state.board
    if state.options["boundaries_retreat"] == "ignore":
        return hex_ in board.retreat_area
    return is_open(state, side, hex_) or (forced and side == GERMAN and hex_ in board.area and hex_ in board.marsh)


def _closed(board: "Board") -> frozenset[str]:
    if "agc.closed" not in board.caches:
        board.caches["agc.closed"] = board.marsh | board.extension
    closed: frozenset[str] = board.caches["agc.closed"]
    return closed


def _exit_distances(board: "Board", side: str) -> list[int]:
    """Return, for each hex, the distance to the nearest hex that is open to a side before the marsh is passed."""
    key = ("agc.exit_distances", side)
    if key not in board.caches:
        hexmap = board.hexmap
        open_ = board.area - _closed(board) if side == GERMAN else board.area
        size = len(hexmap.numbers)
        seeds = flags_at([hexmap.index[hex_] for hex_ in open_], size)
        board.caches[key] = list(flood(hexmap.adjacency, seeds, bytes(size)).distances)
    distances: list[int] = board.caches[key]
    return distances
