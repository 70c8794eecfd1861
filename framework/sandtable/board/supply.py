"""Supply lines: is a space in supply, by which line, and if not, what stands in the way.

A supply line runs from a unit to a source over neighbouring spaces that are not blocked. It may have several *legs*,
each over an adjacency of its own and of limited length: up to three spaces across country, then any number by rail.

The space of the unit itself is never tested, it is where the line begins; all others are, handovers and the source too.
What blocks is the game's affair. Where a unit cancels enemy zones of control in its own space, for instance, it says
``lambda space: enemy[space] or (enemy_zone[space] and not friendly[space])``.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from sandtable.board.paths import Adjacency, SpaceTest, as_test
from sandtable.errors import RulesetError


class SupplyLeg(msgspec.Struct, frozen=True):
    """One leg of a supply line: where it runs, how many steps at most (None: any), what blocks it.

    ``neighbours`` must be symmetric. ``blocked`` is for this leg only; None takes what blocks the line as a whole.
    """

    neighbours: Adjacency
    max_length: int | None = None
    blocked: SpaceTest | None = None


class SupplyTrace(msgspec.Struct, frozen=True):
    """The supply line of one space, or what blocks it.

    ``parts`` holds for each leg its spaces from the unit's side to the source's; a handover space ends one part and
    begins the next, so a leg of no length is a single space. Without supply ``parts`` is empty, and ``frontier`` holds
    in rising order the blocked spaces that the line ran into: every line of legal length meets one of them. An empty
    frontier says that nothing blocks, and no source is near enough.
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
        """The whole line from the space to the source, both included; empty without supply."""
        onward = (space for part in self.parts for space in part[1:])  # a part begins where the one before it ends
        return (self.space, *onward) if self.parts else ()


class _Spread(msgspec.Struct, frozen=True):
    """How far a leg reaches: for each space the next one on the way back; a seed points at itself."""

    through: dict[int, int]
    ends: dict[int, int]  # blocked spaces that were touched: a unit there is served, nothing passes through


class SupplyNet(msgspec.Struct, frozen=True):
    """The supply of a whole map, as ``supplied`` found it in one sweep; ask it about any space."""

    legs: tuple[SupplyLeg, ...]
    sources: tuple[int, ...]
    spreads: tuple[_Spread, ...]

    def is_supplied(self, space: int) -> bool:
        """Whether a unit in ``space`` is in supply."""
        return bool(self._begins(space))

    def spaces(self) -> tuple[int, ...]:
        """Return every space in which a unit would be in supply, in rising order."""
        served = dict.fromkeys(self.spreads[0].through)
        for spread in self.spreads:
            served.update(dict.fromkeys(spread.ends))
        return tuple(sorted(served))

    def trace(self, space: int) -> SupplyTrace:
        """Return the supply line of ``space``, or the frontier that blocks it. Raises RulesetError if off the map."""
        _check_spaces(self.legs, (space,))
        lines = [self._parts(space, leg, step) for leg, step in self._begins(space)]
        if lines:
            return SupplyTrace(space, min(lines, key=lambda parts: [len(part) for part in parts]))
        return SupplyTrace(space, frontier=self._frontier(space))

    def _begins(self, space: int) -> list[tuple[int, int]]:
        """Return where a line of ``space`` may begin: ``(leg, next space)``, the legs before it having no length."""
        through = self.spreads[0].through
        begins = [(0, through[space])] if space in through else []
        return begins + [(leg, spread.ends[space]) for leg, spread in enumerate(self.spreads) if space in spread.ends]

    def _parts(self, space: int, first_leg: int, step: int) -> tuple[tuple[int, ...], ...]:
        """Follow the line home; the legs before ``first_leg`` have no length."""
        parts: list[tuple[int, ...]] = [(space,)] * first_leg
        here = space
        for spread in self.spreads[first_leg:]:
            part = [here]
            while step != here:
                part.append(step)
                here, step = step, spread.through[step]
            parts.append(tuple(part))
            step = self.spreads[len(parts)].through[here] if len(parts) < len(self.spreads) else here
        return tuple(parts)

    def _frontier(self, space: int) -> tuple[int, ...]:
        """Flood outward from the unit, leg by leg, and collect the blocked spaces that the flood touches."""
        blocking: dict[int, None] = {}
        region = [space]
        for number, leg in enumerate(self.legs):
            flood = _spread(leg, region, _except(space, as_test(leg.blocked)))
            for end, came_from in flood.ends.items():
                leads_on = end in self.sources or any(later.neighbours[end] for later in self.legs[number:])
                if came_from != end or leads_on:  # a handover blocks only where the line could go on
                    blocking[end] = None
            region = sorted(flood.through)
        return tuple(sorted(blocking))


def supplied(
    neighbours: Adjacency,
    sources: Iterable[int],
    blocked: SpaceTest | None = None,
    max_length: int | None = None,
    *,
    then: Sequence[SupplyLeg] = (),
) -> SupplyNet:
    """Sweep the whole map once, from the sources outward, and return the net to ask about any space.

    ``max_length`` counts steps, None is any number. ``then`` holds further legs, in order from the unit to the source;
    a handover between two legs may be anywhere that both allow. The leg at the unit is as short as can be, each further
    leg as short as can be from where the one before it ends; of equal steps the one to the lower number is taken. A
    blocked source serves only a unit that stands in it: leave it out of ``sources`` where it should not. ``blocked``
    should answer the same for as long as the net is used. Raises RulesetError for a source off the map, or legs over
    maps of different size.
    """
    first = SupplyLeg(neighbours, max_length)
    whole = as_test(blocked)
    legs = tuple(
        SupplyLeg(leg.neighbours, leg.max_length, whole if leg.blocked is None else leg.blocked)
        for leg in (first, *then)
    )
    origin = tuple(sorted(sources))
    _check_spaces(legs, origin)
    spreads: list[_Spread] = []
    seeds: Sequence[int] = origin
    for leg in reversed(legs):
        spread = _spread(leg, seeds, as_test(leg.blocked))
        spreads.append(spread)
        seeds = sorted(spread.through)
    return SupplyNet(legs, origin, tuple(reversed(spreads)))


def trace_supply(
    space: int,
    neighbours: Adjacency,
    sources: Iterable[int],
    blocked: SpaceTest | None = None,
    max_length: int | None = None,
    *,
    then: Sequence[SupplyLeg] = (),
) -> SupplyTrace:
    """Trace the supply line of one space; for many spaces sweep once with ``supplied``, whose arguments these are."""
    return supplied(neighbours, sources, blocked, max_length, then=then).trace(space)


def _spread(leg: SupplyLeg, seeds: Sequence[int], closed: Callable[[int], bool]) -> _Spread:
    """Go outward from all seeds at once, step by step, up to the length of the leg; seeds come in rising order."""
    ends = {seed: seed for seed in seeds if closed(seed)}
    spread = {seed: seed for seed in seeds if seed not in ends}
    level, length = list(spread), 0
    while level and (leg.max_length is None or length < leg.max_length):
        following = []
        for space in level:
            for neighbour in leg.neighbours[space]:
                if neighbour in spread or neighbour in ends:
                    continue
                if closed(neighbour):
                    ends[neighbour] = space
                else:
                    spread[neighbour] = space
                    following.append(neighbour)
        level, length = sorted(following), length + 1
    return _Spread(spread, ends)


def _except(space: int, closed: Callable[[int], bool]) -> Callable[[int], bool]:
    return lambda other: other != space and closed(other)


def _check_spaces(legs: Sequence[SupplyLeg], spaces: Iterable[int]) -> None:
    size = len(legs[0].neighbours)
    if any(len(leg.neighbours) != size for leg in legs):
        raise RulesetError("the legs of a supply line number different spaces; build them all from one map")
    for space in spaces:
        if not 0 <= space < size:
            raise RulesetError(f"space {space} is not on the map; its spaces are numbered 0 to {size - 1}")
