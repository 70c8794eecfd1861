"""Paths over the map: cost of each step, distances to the objective, hexes that a force can reach."""

from collections.abc import Callable, Collection, Iterable, Mapping
from heapq import heappop, heappush
from typing import Any, TypeVar

from msgspec import Struct

from damos.map.terrain import ground_of, is_passable
from damos.model.board import Board
from damos.model.terrain_chart import RIVER

T = TypeVar("T")
Legs = Mapping[str, tuple[tuple[str, int], ...]]
"""By hex, the hexes that can be entered from it, each with its cost in halves."""


class Route(Struct, frozen=True, gc=False):
    """The path of a force to a hex: its cost in half movement points, and its hexes without the start."""

    halves: int
    path: tuple[str, ...]


def legs(board: Board, *, dry: bool = False) -> Legs:
    """Return the steps of the area without the marsh; if ``dry``, without the cost of rivers (AGC-4.6.5a)."""
    key = ("staff legs", dry)
    if key not in board.caches:
        board.caches[key] = {hex_: _legs_from(board, hex_, dry=dry) for hex_ in sorted(board.area)}
    found: Legs = board.caches[key]
    return found


def _legs_from(board: Board, start: str, *, dry: bool) -> tuple[tuple[str, int], ...]:
    water = 0 if dry else board.aid.hexsides[RIVER].halves
    sides = board.hexmap.sides
    return tuple(
        (near, ground_of(board, near).halves + water * (RIVER in sides.get((start, near), ())))
        for near in board.around[start]
        if near in board.area and near not in board.marsh and is_passable(board, start, near)
    )


def distances(board: Board) -> Mapping[str, int]:
    """Return the cost in halves of a march from each hex of the area to the objective."""
    return distances_to(board, board.victory.objective)


def distances_to(board: Board, goal: str) -> Mapping[str, int]:
    """Return the cost in halves of a march from each hex of the area to ``goal``."""
    known: dict[str, dict[str, int]] = board.caches.setdefault("staff distances", {})
    if goal not in known:
        if "staff legs back" not in board.caches:
            back: dict[str, list[tuple[str, int]]] = {}
            for start, steps in legs(board).items():
                for near, halves in steps:
                    back.setdefault(near, []).append((start, halves))
            board.caches["staff legs back"] = back
        known[goal] = spread(board.caches["staff legs back"], {goal: 0})
    return known[goal]


def spread(steps: Mapping[str, Collection[tuple[str, int]]], begun: Mapping[str, int]) -> dict[str, int]:
    """Return the minimum cost in halves of each hex from the hexes ``begun``, which have initial costs."""
    found: dict[str, int] = {}
    queue = sorted((far, hex_) for hex_, far in begun.items())
    while queue:
        far, hex_ = heappop(queue)
        if hex_ not in found:
            found[hex_] = far
            for near, halves in steps.get(hex_, ()):
                if near not in found:
                    heappush(queue, (far + halves, near))
    return found


def rail_distances(board: Board) -> Mapping[str, int]:
    """Return the length in hexes of the railway from each rail hex of the area to the objective."""
    known: dict[str, int] | None = board.caches.get("staff rail distances")
    if known is None:
        rails = {
            hex_: [(near, 1) for near in around if near in board.area]
            for hex_, around in board.rail_around.items()
            if hex_ in board.area
        }
        known = board.caches["staff rail distances"] = spread(rails, {board.victory.objective: 0})
    return known


def reach(
    steps: Legs, first: Mapping[str, int], limit: int, closed: Collection[str], liked: Collection[str] = ()
) -> dict[str, Route]:
    """Return the hexes that a force can reach with ``limit`` halves, outside ``closed``, each by a cheapest path.

    ``first`` are the adjacent hexes with their cost. Of equal paths, the one with the most ``liked`` hexes is taken.
    """
    begun = [(hex_, halves) for hex_, halves in first.items() if halves <= limit and hex_ not in closed]
    queue: list[tuple[int, int, tuple[str, ...]]] = sorted(
        (halves, -(hex_ in liked), (hex_,)) for hex_, halves in begun
    )
    found: dict[str, Route] = {}
    least = dict.fromkeys(closed, -1)  # by hex, the minimum cost found so far; a closed hex is never reached
    least_of = least.get
    while queue:
        halves, minus_liked, path = heappop(queue)
        here = path[-1]
        if here in found:
            continue
        found[here] = Route(halves, path)
        for near, more in steps.get(here, ()):
            total = halves + more
            if total <= least_of(near, limit):
                least[near] = total
                heappush(queue, (total, minus_liked - (near in liked), (*path, near)))
    return found


def next_hexes(neighbors: Mapping[str, Iterable[str]], hexes: Iterable[str]) -> set[str]:
    """Return the hexes one step from some hexes, by the adjacency in ``neighbors``."""
    return set[str]().union(*[neighbors.get(hex_, ()) for hex_ in hexes])


MAX_CACHED = 16
"""Maximum number of cached results of a kind."""


def cached(board: Board, kind: str, key: tuple[Any, ...], make: Callable[[], T]) -> T:
    """Return the result of ``make``, cached under ``key``, which contains everything it depends on.

    Many results that are needed at each step of a march depend on little that the step has changed.
    """
    known: dict[tuple[Any, ...], T] = board.caches.setdefault(("staff", kind), {})
    found = known.get(key)
    if found is None:
        if len(known) >= MAX_CACHED:
            del known[next(iter(known))]
        found = known[key] = make()
    return found
