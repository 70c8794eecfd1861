"""Spaces of orders for purchases, arrivals and minefields."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import Any

from desert_aa.model.orders import PlaceMinefields, PlaceUnits
from desert_aa.model.state import DesertState
from desert_aa.model.tables import FLAK, KIND_NAMES, KINDS, SIDE_OF
from sandtable import Refusal, ShareOut, Space, Stream

PLENTY = 1_000_000
Judge = Callable[[str], Refusal | None]


class Purchase(ShareOut):
    """Purchases for an amount of money. A random one is drawn unit by unit, which is faster than a uniform draw."""

    def sample(self, stream: Stream) -> dict[str, int]:
        """Draw a purchase. Every purchase can be drawn; most spend nearly all the money."""
        bought: dict[str, int] = {}
        left = self.amount
        caps = self.caps
        affordable = [kind for kind in self.prices if self.prices[kind] <= left and caps.get(kind, 1)]
        while affordable:
            draw = stream.below(len(affordable) + 1)
            if draw == len(affordable):
                if stream.one_in(2):
                    break
                continue
            kind = affordable[draw]
            bought[kind] = bought.get(kind, 0) + 1
            left -= self.prices[kind]
            affordable = [
                kind
                for kind in affordable
                if self.prices[kind] <= left and bought.get(kind, 0) < caps.get(kind, PLENTY)
            ]
        return {kind: bought[kind] for kind in self.prices if kind in bought}


def flak_room(state: DesertState, spaces: Sequence[str]) -> dict[str, int]:
    """Return the number of additional flak guns that each of ``spaces`` can hold (DAA-R50)."""
    if state.options["aa_limit"] == "one_fires":
        return dict.fromkeys(spaces, PLENTY)
    held = {unit.space for unit in state.units.values() if unit.kind == FLAK}
    return {space: 0 if space in held else 1 for space in spaces}


def compositions(number: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield every distribution of ``number`` identical items over ``parts`` places."""
    if parts == 1:
        yield (number,)
    elif parts:
        for first in range(number + 1):
            for rest in compositions(number - first, parts - 1):
                yield (first, *rest)


@lru_cache(maxsize=256)
def count_placements(number: int, places: int) -> int:
    """Return the number of distributions of ``number`` identical items over ``places``."""
    return comb(number + places - 1, number) if places else int(number == 0)


class Arrivals(Space):
    """PlaceUnits orders: every waiting unit enters one of ``zones``, flak up to ``room`` of each (DAA-3.02, DAA-3.12).

    ``why_no_zone`` returns why a space is not one of the zones.
    """

    zones: Sequence[str]
    waiting: Mapping[str, int]
    room: Mapping[str, int]
    why_no_zone: Judge

    def due(self) -> dict[str, int]:
        """Return the number of units of each kind that must be placed, or {} without zones."""
        if not self.zones:
            return {}
        room = sum(self.room.values())
        due = {kind: min(number, room) if kind == FLAK else number for kind, number in self.waiting.items()}
        return {kind: due[kind] for kind in KINDS if due.get(kind)}

    def single(self) -> PlaceUnits | None:
        """Return the only possible order, or None if there is a choice."""
        return next(self.values()) if self.count(2) == 1 else None

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse spaces that the buyer cannot use as zones, and numbers that differ from the waiting units."""
        if type(value) is not PlaceUnits or not isinstance(value.units, dict):
            return Refusal("DAA-3.02", "place new units: name the number of each kind, and their zone")
        placed: dict[str, int] = {}
        for zone, stack in value.units.items():
            refusal = self.why_no_zone(str(zone))
            if refusal is not None:
                return refusal
            if not isinstance(stack, dict) or not stack:
                return Refusal("DAA-3.09", f"{zone}: name the number of each kind")
            for kind, number in stack.items():
                if type(number) is not int or number < 1 or kind not in self.waiting:
                    waits = ", ".join(f"{count} {KIND_NAMES[name]}" for name, count in self.waiting.items())
                    name = KIND_NAMES.get(str(kind), str(kind)[:40])
                    return Refusal("DAA-3.09", f"{zone}: cannot place {number} {name}; the waiting units are {waits}")
                if kind == FLAK and number > self.room[zone]:
                    return Refusal("DAA-8.05", f"{zone} can hold only one flak gun")
                placed[kind] = placed.get(kind, 0) + number
        for kind, number in self.due().items():
            if placed.get(kind, 0) != number:
                return Refusal("DAA-14.05", f"place {number} {KIND_NAMES[kind]}, not {placed.get(kind, 0)}")
        return None

    def sample(self, stream: Stream) -> PlaceUnits:
        """Draw an order, with a separate draw for the zone of each unit."""
        placed: dict[str, dict[str, int]] = {}
        for kind, number in self.due().items():
            room = dict(self.room) if kind == FLAK else dict.fromkeys(self.zones, PLENTY)
            for _ in range(number):
                zone = stream.pick([each for each in self.zones if room[each]])
                room[zone] -= 1
                stack = placed.setdefault(zone, {})
                stack[kind] = stack.get(kind, 0) + 1
        return PlaceUnits({zone: placed[zone] for zone in self.zones if zone in placed})

    def values(self) -> Iterator[PlaceUnits]:
        """Yield every order, kind by kind."""
        due = self.due()
        for shares in product(*(list(self._shares(kind, number)) for kind, number in due.items())):
            placed: dict[str, dict[str, int]] = {}
            for kind, share in zip(due, shares, strict=True):
                for zone, number in zip(self.zones, share, strict=True):
                    if number:
                        placed.setdefault(zone, {})[kind] = number
            yield PlaceUnits({zone: placed[zone] for zone in self.zones if zone in placed})

    def _shares(self, kind: str, number: int) -> Iterator[tuple[int, ...]]:
        for share in compositions(number, len(self.zones)):
            room = zip(self.zones, share, strict=True)
            if kind != FLAK or all(part <= self.room[zone] for zone, part in room):
                yield share

    def count(self, limit: int = 1_000_000) -> int:
        """Return the number of orders, up to ``limit``."""
        total = 1
        for kind, number in self.due().items():
            free = sum(1 for zone in self.zones if self.room[zone] == 1)
            tight = kind == FLAK and any(self.room[zone] < PLENTY for zone in self.zones)
            total = min(limit, total * (comb(free, number) if tight else count_placements(number, len(self.zones))))
        return total


class MinePlaces(Space):
    """PlaceMinefields orders: ``number`` minefields in ``places`` that are not ``mined``, or as many as fit.

    All waiting minefields are laid, like units (DAA-8.01), so the number laid reveals only the number bought.
    """

    places: Sequence[str]
    number: int
    mined: Sequence[str]
    why_no_place: Judge

    def free(self) -> list[str]:
        """Return the places in which the side has no minefield."""
        return [place for place in self.places if place not in self.mined]

    def due(self) -> int:
        """Return the number of minefields that must be laid."""
        return min(self.number, len(self.free()))

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse repeated places, mined places, places that cannot be mined, and a wrong number of minefields."""
        if type(value) is not PlaceMinefields or not isinstance(value.spaces, list | tuple):
            return Refusal("DAA-8.03", "lay minefields: name a space for each")
        for place, space in enumerate(value.spaces):
            refusal = self.why_no_place(str(space))
            if refusal is not None:
                return refusal
            if space in self.mined or space in value.spaces[:place]:
                return Refusal("DAA-8.05", f"{space} can hold only one minefield")
        if len(value.spaces) != self.due():
            return Refusal("DAA-8.01", f"lay {self.due()} minefield{'s' * (self.due() != 1)}, not {len(value.spaces)}")
        return None

    def sample(self, stream: Stream) -> PlaceMinefields:
        """Draw an order; every set of places has the same probability."""
        return PlaceMinefields(stream.sample(self.free(), self.due()))

    def values(self) -> Iterator[PlaceMinefields]:
        """Yield every order."""
        return (PlaceMinefields(list(spaces)) for spaces in combinations(self.free(), self.due()))

    def count(self, limit: int = 1_000_000) -> int:
        """Return the number of orders, up to ``limit``."""
        return min(limit, comb(len(self.free()), self.due()))


def own_minefields(state: DesertState, side: str) -> list[str]:
    """Return the spaces with minefields of ``side``, sorted."""
    return [space for space, mine in sorted(state.minefields.items()) if SIDE_OF[mine.power] == side]
