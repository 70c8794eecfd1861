"""Retreat paths over numbered spaces: away from a combat, a given number of spaces, toward the supply of the side.

A retreat does not enter a forbidden space, and enters no space twice. A step away from the nearest source is taken only
if no other step lets the retreat be long enough (R-DM-16, R-DM-17).
"""

from collections.abc import Callable, Iterator, Sequence

from sandtable.board.graph.paths import Adjacency, SpaceTest, as_test
from sandtable.errors import RulesetError

Extension = Callable[[tuple[int, ...]], list[int]]


def retreat_paths(
    neighbors: Adjacency,
    start: int,
    lengths: tuple[int, int],
    forbidden: SpaceTest | None = None,
    distances: Sequence[int] | None = None,
    *,
    refuge: SpaceTest | None = None,
) -> Iterator[tuple[int, ...]]:
    """Yield every retreat path from ``start``, lazily: the entered spaces, in order.

    ``lengths`` are the minimum and the maximum number of spaces to enter. A path may end earlier in a ``refuge``.
    ``distances`` gives the distance of the nearest source from each space, like ``IncrementalReach.distances``; None
    makes all equal. A path comes before its extensions, and of equal beginnings the lower number comes first. Raises
    RulesetError for a start that is not on the map, and for invalid lengths.
    """
    least, most = lengths
    if not 0 <= start < len(neighbors):
        raise RulesetError(f"space {start} is not on the map; its spaces are numbered 0 to {len(neighbors) - 1}")
    if not 1 <= least <= most:
        raise RulesetError(f"a retreat of {least} to {most} spaces is not possible; give 1 or more, the minimum first")
    may_end = as_test(refuge)
    extensions = _extensions(neighbors, start, as_test(forbidden))

    def is_done(path: tuple[int, ...]) -> bool:
        return len(path) >= least or (bool(path) and may_end(path[-1]))

    def leads_on(path: tuple[int, ...]) -> bool:
        return is_done(path) or any(leads_on((*path, space)) for space in extensions(path))

    def walk(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if is_done(path):
            yield path
        if len(path) == most:
            return
        onward = [space for space in extensions(path) if leads_on((*path, space))]
        if distances is not None:
            left = distances[path[-1] if path else start]
            onward = [space for space in onward if distances[space] <= left] or onward
        for space in onward:
            yield from walk((*path, space))

    return walk(())


def _extensions(neighbors: Adjacency, start: int, closed: Callable[[int], bool]) -> Extension:
    """Return a function that gives the spaces a path may enter next, in ascending order."""

    def extensions(path: tuple[int, ...]) -> list[int]:
        near = neighbors[path[-1] if path else start]
        return [space for space in near if space != start and space not in path and not closed(space)]

    return extensions
