"""Ways of retreat over numbered spaces: away from a combat, some spaces far, towards what supplies the side.

A retreat enters no forbidden space and no space twice. A step that gets farther from the nearest source is taken only
where no other step is left by which the retreat can still be long enough (R-DM-16, R-DM-17).
"""

from collections.abc import Callable, Iterator, Sequence

from sandtable.board.graph.paths import Adjacency, SpaceTest, as_test
from sandtable.errors import RulesetError

Extension = Callable[[tuple[int, ...]], list[int]]


def retreat_paths(
    neighbours: Adjacency,
    start: int,
    lengths: tuple[int, int],
    forbidden: SpaceTest | None = None,
    distances: Sequence[int] | None = None,
    *,
    refuge: SpaceTest | None = None,
) -> Iterator[tuple[int, ...]]:
    """Yield every way of retreat from ``start``, lazily: the spaces entered, in order; nothing if there is none.

    ``lengths`` are the least and the most spaces to enter. A path may end sooner in a ``refuge``. ``distances`` says
    for each space how far the nearest source is, as ``IncrementalReach.distances`` do; None: all are equal. A path
    comes before those that go on from its end, of equal beginnings the lower number first. Raises RulesetError for a
    start off the map, and for lengths that are none.
    """
    least, most = lengths
    if not 0 <= start < len(neighbours):
        raise RulesetError(f"space {start} is not on the map; its spaces are numbered 0 to {len(neighbours) - 1}")
    if not 1 <= least <= most:
        raise RulesetError(f"a retreat of {least} to {most} spaces does not exist; give 1 or more, the least first")
    may_end = as_test(refuge)
    extensions = _extensions(neighbours, start, as_test(forbidden))

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


def _extensions(neighbours: Adjacency, start: int, closed: Callable[[int], bool]) -> Extension:
    """Return what tells the spaces that a path may enter next, in rising order."""

    def extensions(path: tuple[int, ...]) -> list[int]:
        near = neighbours[path[-1] if path else start]
        return [space for space in near if space != start and space not in path and not closed(space)]

    return extensions
