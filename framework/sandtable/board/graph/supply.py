"""Supply lines: whether a space is in supply, by which line, and if not, what blocks it.

A supply line runs from a unit to a source over neighboring spaces that are not blocked. It may have several *legs*,
each over a separate adjacency and of limited length: up to three spaces cross-country, then any number by rail. The
space of the unit itself is never tested, because the line begins there. All others are tested, including handovers and
the source. The game decides what blocks. If a unit cancels enemy zones of control in its own space, for instance, it
passes ``lambda space: enemy[space] or (enemy_zone[space] and not friendly[space])``, or uses ``Zones``.

``supplied`` sweeps a whole map once. ``SupplyNet.changed`` repairs the result after a move, and ``SupplyLines`` keeps
the nets of the latest positions. All three give the same results, including the line that is shown.
"""

from collections.abc import Iterable, Sequence

import msgspec

from sandtable.board.graph.incremental_reach import IncrementalReach, flood
from sandtable.board.graph.masks import Flags, flags_at, mask_of, places_of
from sandtable.board.graph.paths import Adjacency, SpaceTest
from sandtable.errors import RulesetError


class SupplyLeg(msgspec.Struct, frozen=True):
    """One leg of a supply line: its adjacency, its maximum number of steps (None: no limit), and what blocks it.

    ``neighbors`` must be symmetric. ``blocked`` applies to this leg only. If it is None, the test of the
    whole line applies.
    """

    neighbors: Adjacency
    max_length: int | None = None
    blocked: SpaceTest | Flags | None = None


class SupplyTrace(msgspec.Struct, frozen=True):
    """The supply line of one space, or what blocks it.

    ``parts`` holds for each leg its spaces from the unit's side to the source's. A handover space ends one part and
    begins the next, so a leg of length zero is a single space. Without supply ``parts`` is empty, and ``frontier``
    holds in ascending order the blocked spaces that the line ran into: every line of legal length meets one of them. An
    empty frontier means that nothing blocks, and that no source is near enough.
    """

    space: int
    parts: tuple[tuple[int, ...], ...] = ()
    frontier: tuple[int, ...] = ()

    @property
    def is_supplied(self) -> bool:
        """Whether there is a supply line."""
        return bool(self.parts)

    @property
    def path(self) -> tuple[int, ...]:
        """The complete line from the space to the source, both included, or () without supply."""
        onward = (space for part in self.parts for space in part[1:])  # a part begins where the previous one ends
        return (self.space, *onward) if self.parts else ()


class SupplyNet(msgspec.Struct, frozen=True):
    """The supply of a whole map in one position, which can be queried for any space.

    ``floods`` holds for each leg the distances from the spaces at which the next leg may begin, and for the last leg
    from the sources. What blocks was evaluated once, when the net was made; it is in ``floods``, and no longer in
    ``legs``.
    """

    legs: tuple[SupplyLeg, ...]
    sources: tuple[int, ...]
    floods: tuple[IncrementalReach, ...]

    def is_supplied(self, space: int) -> bool:
        """Return whether a unit in ``space`` is in supply."""
        if self.floods[0].reached[space]:
            return True
        return bool([each for each in self.floods if each.touches(space)])

    def spaces(self) -> tuple[int, ...]:
        """Return every space in which a unit would be in supply, in ascending order."""
        return tuple(sorted({*places_of(self.floods[0].reached)}.union(*(each.shores() for each in self.floods))))

    def trace(self, space: int) -> SupplyTrace:
        """Return the supply line of ``space``, or the frontier that blocks it.

        Raises RulesetError if the space is not on the map.
        """
        _check_spaces(self.legs, (space,))
        lines = [self._parts(space, leg, step) for leg, step in self._begins(space)]
        if lines:
            return SupplyTrace(space, min(lines, key=lambda parts: [len(part) for part in parts]))
        return SupplyTrace(space, frontier=tuple(sorted({end for ends in self.frontiers(space) for end in ends})))

    def frontiers(self, space: int) -> tuple[tuple[int, ...], ...]:
        """Return, for each leg, in ascending order, the blocked spaces that a line from ``space`` runs into.

        Together they are the frontier of a space without supply; the leg shows which test blocked it.
        """
        found = []
        region = flags_at((space,), len(self.legs[0].neighbors))
        for number, each in enumerate(self.floods):
            closed = bytearray(each.closed)
            closed[space] = 0
            outward = flood(each.neighbors, region, bytes(closed), each.limit)
            # A handover that is closed here blocks only if the line could continue from it.
            idle = (end for end in places_of(region) if closed[end] and not self._leads_on(end, number))
            found.append(tuple(sorted(outward.shores() - set(idle))))
            region = outward.reached
        return tuple(found)

    def changed(self, sources: Iterable[int], *blocked: SpaceTest | Flags) -> "SupplyNet":
        """Return the net of another position, with other sources and other blocking tests, one or one per leg.

        Its time depends on the size of the change, and it equals the net from ``supplied``. Raises RulesetError for a
        source that is not on the map and for any other number of tests.
        """
        size, origin = len(self.legs[0].neighbors), _origin(self.legs, sources)
        if len(blocked) not in (1, len(self.legs)):
            raise RulesetError(f"{len(blocked)} tests for a line of {len(self.legs)} legs; give one, or one for each")
        closed = [mask_of(test, size) for test in blocked] * (len(self.legs) // len(blocked))
        floods: list[IncrementalReach] = []
        seeds = flags_at(origin, size)
        for each, shut in zip(reversed(self.floods), reversed(closed), strict=True):
            floods.append(each.changed(shut, seeds))
            seeds = floods[-1].reached
        return SupplyNet(self.legs, origin, tuple(reversed(floods)))

    def _begins(self, space: int) -> list[tuple[int, int]]:
        """Return the possible beginnings of a line of ``space``, ``(leg, next space)``; earlier legs have length 0."""
        first = self.floods[0]
        found = [(0, first.homeward(space))] if first.reached[space] else []
        return found + [(leg, each.homeward(space)) for leg, each in enumerate(self.floods) if each.touches(space)]

    def _parts(self, space: int, first_leg: int, step: int) -> tuple[tuple[int, ...], ...]:
        """Follow the line to the source; the legs before ``first_leg`` have length zero."""
        parts: list[tuple[int, ...]] = [(space,)] * first_leg
        here = space
        for each in self.floods[first_leg:]:
            part = [here]
            while step != here:
                part.append(step)
                here, step = step, each.homeward(step)
            parts.append(tuple(part))
            step = self.floods[len(parts)].homeward(here) if len(parts) < len(self.floods) else here
        return tuple(parts)

    def _leads_on(self, space: int, leg: int) -> bool:
        return space in self.sources or any(later.neighbors[space] for later in self.legs[leg:])


class SupplyLines:
    """The nets of one map and one kind of line, for successive positions.

    ``legs`` define the course and the length of the line; what blocks is given with each position. A net depends only
    on its arguments; the latest ``kept`` ones are cached for speed. Raises RulesetError for legs over maps of different
    size, or with their own tests.
    """

    def __init__(self, *legs: SupplyLeg, kept: int = 64) -> None:
        if any(leg.blocked is not None for leg in legs):
            raise RulesetError("what blocks a leg may change; give the test to net(), not to the leg")
        self._kept = kept
        self._latest = _net(legs, (), [bytes(len(leg.neighbors)) for leg in legs])
        self._nets: dict[tuple[Iterable[int], ...], SupplyNet] = {}

    def net(self, sources: Iterable[int], *blocked: SpaceTest | Flags) -> SupplyNet:
        """Return the net of a position; arguments and errors are those of ``SupplyNet.changed``."""
        size = len(self._latest.legs[0].neighbors)
        closed = tuple(mask_of(test, size) for test in blocked)
        key = (tuple(sorted(sources)), *closed)
        found = self._nets.pop(key, None) or self._latest.changed(key[0], *closed)
        self._nets[key] = self._latest = found
        if len(self._nets) > self._kept:
            del self._nets[next(iter(self._nets))]
        return found


def supplied(
    neighbors: Adjacency,
    sources: Iterable[int],
    blocked: SpaceTest | Flags | None = None,
    max_length: int | None = None,
    *,
    then: Sequence[SupplyLeg] = (),
) -> SupplyNet:
    """Sweep the whole map once, from the sources outward, and return the net, which can be queried for any space.

    ``max_length`` counts steps. None sets no limit. ``then`` holds further legs, in order from the unit to the source.
    A handover between two legs may be in any space that both allow. The leg at the unit is as short as possible, and
    each further leg is as short as possible from the end of the previous one. Of equal steps the one to the lower
    number is taken. A blocked source supplies only a unit in its own space: leave it out of ``sources`` if it should
    not. Raises RulesetError for a source that is not on the map, or legs over maps of different size.
    """
    legs = (SupplyLeg(neighbors, max_length, blocked), *then)
    whole = mask_of(blocked, len(neighbors))
    closed = [whole if leg.blocked is None else mask_of(leg.blocked, len(neighbors)) for leg in legs]
    return _net(legs, sources, closed)


def trace_supply(
    space: int,
    neighbors: Adjacency,
    sources: Iterable[int],
    blocked: SpaceTest | Flags | None = None,
    max_length: int | None = None,
    *,
    then: Sequence[SupplyLeg] = (),
) -> SupplyTrace:
    """Trace the supply line of one space; the arguments are those of ``supplied``, which is faster for many spaces."""
    return supplied(neighbors, sources, blocked, max_length, then=then).trace(space)


def _net(legs: Sequence[SupplyLeg], sources: Iterable[int], closed: Sequence[Flags]) -> SupplyNet:
    """Sweep a map, leg by leg from the sources to the units."""
    origin = _origin(legs, sources)
    floods: list[IncrementalReach] = []
    seeds = flags_at(origin, len(legs[0].neighbors))
    for leg, shut in zip(reversed(legs), reversed(closed), strict=True):
        floods.append(flood(leg.neighbors, seeds, shut, leg.max_length))
        seeds = floods[-1].reached
    routes = tuple(SupplyLeg(leg.neighbors, leg.max_length) for leg in legs)
    return SupplyNet(routes, origin, tuple(reversed(floods)))


def _origin(legs: Sequence[SupplyLeg], sources: Iterable[int]) -> tuple[int, ...]:
    """Return the sources in order, after checking that all are on the map."""
    origin = tuple(sorted(sources))
    _check_spaces(legs, origin)
    return origin


def _check_spaces(legs: Sequence[SupplyLeg], spaces: Iterable[int]) -> None:
    size = len(legs[0].neighbors)
    if any(len(leg.neighbors) != size for leg in legs):
        raise RulesetError("the legs of a supply line number different spaces; build them all from one map")
    for space in spaces:
        if not 0 <= space < size:
            raise RulesetError(f"space {space} is not on the map; its spaces are numbered 0 to {size - 1}")
