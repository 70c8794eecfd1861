"""The space of grant orders: what a side buys with its opening grant, and where it stands (DAA-2)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import comb
from typing import Any

from desert_aa.orders import PlaceBonus
from desert_aa.spaces import PLENTY, Purchase, compositions, ways_to_place
from desert_aa.tables import FLAK, KINDS, POWER_NAMES, PRICES
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal, ShareOut, Space

Item = tuple[str, str]
"""A power and a kind of unit."""


class GrantSpace(Space):
    """PlaceBonus: by power and space of the side, how many of each kind, within each purse's part of the grant.

    ``purse_of`` names the purse of each power of the side, ``grant`` what is in it; ``spaces`` are those the side
    holds, ``room`` how many flak guns each can take (DAA-2.03, DAA-R07, DAA-R50).
    """

    purse_of: Mapping[str, str]
    grant: Mapping[str, int]
    spaces: Sequence[str]
    room: Mapping[str, int]

    def items(self, purse: str) -> list[Item]:
        """Return what can be bought from ``purse``."""
        return [(power, kind) for power, of in self.purse_of.items() if of == purse for kind in KINDS]

    def purses(self) -> list[str]:
        """Return the purses, each once."""
        return list(dict.fromkeys(self.purse_of.values()))

    def shop(self, purse: str) -> ShareOut:
        """Return the space of purchases from ``purse``."""
        prices = {f"{power}.{kind}": PRICES[power][kind] for power, kind in self.items(purse)}
        return Purchase(self.grant[purse], prices, rule="DAA-2.01", what="IPC of the grant")

    # --- judging ---

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a stranger's units, ground that the side does not hold, and more than the grant pays for."""
        if type(value) is not PlaceBonus or not isinstance(value.units, dict):
            return Refusal("", "PlaceBonus is wanted: by power and space, how many of each kind")
        bought: dict[str, dict[str, int]] = {}
        flak: dict[str, int] = {}
        for power, stacks in value.units.items():
            if power not in self.purse_of or not isinstance(stacks, dict):
                powers = " or ".join(self.purse_of)
                return Refusal("DAA-R07", f"{str(power)[:40]} buys nothing here: units are for {powers}")
            for space, stack in stacks.items():
                refusal = self._why_no_stack(power, space, stack)
                if refusal is not None:
                    return refusal
                flak[space] = flak.get(space, 0) + stack.get(FLAK, 0)
                if flak[space] > self.room[space]:
                    return Refusal("DAA-8.05", f"{space} can hold one flak gun only")
                counts = bought.setdefault(self.purse_of[power], {})
                for kind, number in stack.items():
                    name = f"{power}.{kind}"
                    counts[name] = counts.get(name, 0) + number
        refusals = (self.shop(purse).why_not(counts) for purse, counts in bought.items())
        return next((refusal for refusal in refusals if refusal is not None), None)

    def _why_no_stack(self, power: str, space: str, stack: Any) -> Refusal | None:
        if space not in self.spaces:
            reason = f"{str(space)[:40]} is no space that the side of {POWER_NAMES[power]} holds"
            return Refusal("DAA-2.03", f"{reason}: grant units start on own ground")
        if not isinstance(stack, dict) or not stack:
            return Refusal("", f"{space}: say how many of each kind")
        for kind, number in stack.items():
            if kind not in KINDS or type(number) is not int or number < 1:
                return Refusal("DAA-2.03", f"{space}: {str(number)[:20]} {str(kind)[:40]} cannot be bought here")
        return None

    # --- drawing and listing ---

    def sample(self, stream: Stream) -> PlaceBonus:
        """Return one order, each unit's space drawn by itself."""
        units: dict[str, dict[str, dict[str, int]]] = {}
        room = dict(self.room)
        for purse in self.purses():
            for name, number in self.shop(purse).sample(stream).items():
                power, kind = name.split(".")
                for _ in range(number):
                    free = [space for space in self.spaces if kind != FLAK or room[space]]
                    if not free:
                        break
                    space = stream.pick(free)
                    room[space] -= kind == FLAK
                    stack = units.setdefault(power, {}).setdefault(space, {})
                    stack[kind] = stack.get(kind, 0) + 1
        return PlaceBonus(units)

    def values(self) -> Iterator[PlaceBonus]:
        """Yield every order, small purchases first."""
        for purchases in product(*(list(self.shop(purse).values()) for purse in self.purses())):
            bought = [(name, number) for purchase in purchases for name, number in purchase.items()]
            yield from self._placed(bought, {}, dict(self.room))

    def _placed(
        self, bought: list[tuple[str, int]], units: dict[str, dict[str, dict[str, int]]], room: dict[str, int]
    ) -> Iterator[PlaceBonus]:
        if not bought:
            yield PlaceBonus(units)
            return
        (name, number), *rest = bought
        power, kind = name.split(".")
        for share in compositions(number, len(self.spaces)):
            put = {space: part for space, part in zip(self.spaces, share, strict=True) if part}
            if kind == FLAK and any(part > room[space] for space, part in put.items()):
                continue
            left = {space: room[space] - put.get(space, 0) * (kind == FLAK) for space in room}
            stacks = {space: dict(stack) for space, stack in units.get(power, {}).items()}
            for space, part in put.items():
                stacks.setdefault(space, {})[kind] = part
            yield from self._placed(rest, {**units, power: stacks}, left)

    def count(self, limit: int = 1_000_000) -> int:
        """Return how many orders there are, or ``limit`` when there are more."""
        purses = self.purses()
        items = [(purse, power, kind) for purse in purses for power, kind in self.items(purse)]
        tight = any(room < PLENTY for room in self.room.values())
        free = sum(self.room[space] > 0 for space in self.spaces)

        @cache
        def ways(place: int, left: tuple[int, ...], guns: int) -> int:
            """Count from the item at ``place`` on, with ``left`` in the purses and ``guns`` placed."""
            if place == len(items):
                return 1
            purse, power, kind = items[place]
            which = purses.index(purse)
            price, total = PRICES[power][kind], 0
            for number in range(left[which] // price + 1):
                rest = (*left[:which], left[which] - number * price, *left[which + 1 :])
                limited = tight and kind == FLAK
                here = comb(free - guns, number) if limited else ways_to_place(number, len(self.spaces))
                if here:
                    total += here * ways(place + 1, rest, guns + number * limited)
                if total >= limit:
                    return limit
            return total

        return min(limit, ways(0, tuple(self.grant[purse] for purse in purses), 0))
