"""The space of grant orders: what a side buys with its opening grant, and where it stands (DAA-2)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import comb
from typing import Any

from desert_aa.economy.purchase import PLENTY, Purchase, compositions, count_placements
from desert_aa.model.orders import PlaceBonus
from desert_aa.model.tables import FLAK, KINDS, MINEFIELD, MINEFIELD_COST, POWER_NAMES, PRICES
from sandtable import Refusal, ShareOut, Space, Stream

Item = tuple[str, str]
"""A power and a kind of unit, or minefields."""
Stacks = dict[str, dict[str, dict[str, int]]]
"""By power and space, how many of each kind."""


def price_of(power: str, kind: str) -> int:
    """Return what ``power`` pays for one of ``kind``."""
    return MINEFIELD_COST if kind == MINEFIELD else PRICES[power][kind]


class GrantSpace(Space):
    """PlaceBonus: by power and space of the side, how many of each kind, within each purse's part of the grant.

    ``purse_of`` names the purse of each power of the side, ``grant`` what is in it; ``spaces`` are those the side
    holds, ``room`` how many flak guns each can take (DAA-2.03, DAA-R07, DAA-R50). ``mines`` is how many minefields each
    power could lay, ``all_mines`` how many all together.
    """

    purse_of: Mapping[str, str]
    grant: Mapping[str, int]
    spaces: Sequence[str]
    room: Mapping[str, int]
    mines: Mapping[str, int]
    all_mines: int

    def items(self, purse: str) -> list[Item]:
        """Return what can be bought from ``purse``."""
        powers = [power for power, of in self.purse_of.items() if of == purse]
        units = [(power, kind) for power in powers for kind in KINDS]
        return units + [(power, MINEFIELD) for power in powers if self.mines[power]]

    def purses(self) -> list[str]:
        """Return the purses, each once."""
        return list(dict.fromkeys(self.purse_of.values()))

    def shop(self, purse: str) -> ShareOut:
        """Return the space of purchases from ``purse``."""
        prices = {f"{power}.{kind}": price_of(power, kind) for power, kind in self.items(purse)}
        caps = {f"{power}.{MINEFIELD}": min(number, self.all_mines) for power, number in self.mines.items()}
        return Purchase(self.grant[purse], prices, caps, rule="DAA-2.01", what="IPC of the grant")

    # --- judging ---

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a stranger's units, ground that the side does not hold, and more than the grant pays for."""
        if type(value) is not PlaceBonus or not isinstance(value.units, dict):
            return Refusal("DAA-2.01", "PlaceBonus is wanted: by power and space, how many of each kind")
        bought: dict[str, dict[str, int]] = {}
        flak: dict[str, int] = {}
        for power, stacks in value.units.items():
            if power not in self.purse_of or not isinstance(stacks, dict):
                powers = " or ".join(self.purse_of)
                return Refusal("DAA-R07", f"{str(power)[:40]} buys nothing here: units are for {powers}")
            if not stacks:
                return Refusal("DAA-2.03", f"{power}: say how many of each kind, by space, or leave the power out")
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
        refusal = self._why_no_mines(value.minefields, bought)
        refusals = (self.shop(purse).why_not(counts) for purse, counts in bought.items())
        return refusal or next((refusal for refusal in refusals if refusal is not None), None)

    def _why_no_mines(self, minefields: Any, bought: dict[str, dict[str, int]]) -> Refusal | None:
        """Refuse more minefields than can be laid; note the others in ``bought``."""
        if not isinstance(minefields, dict):
            return Refusal("DAA-8.01", "minefields: say how many by power")
        for power, number in minefields.items():
            if power not in self.purse_of or type(number) is not int or number < 1:
                return Refusal("DAA-8.01", f"minefields: {str(power)[:40]} cannot buy {str(number)[:20]}")
            if not self.mines[power]:
                return Refusal("DAA-8.01", f"minefields: {POWER_NAMES[power]} can buy none openly, or lay none")
            bought.setdefault(self.purse_of[power], {})[f"{power}.{MINEFIELD}"] = number
        if sum(minefields.values()) > self.all_mines:
            return Refusal("DAA-8.05", f"minefields: the side can lay {self.all_mines} at most")
        return None

    def _why_no_stack(self, power: str, space: str, stack: Any) -> Refusal | None:
        if space not in self.spaces:
            reason = f"{str(space)[:40]} is no space that the side of {POWER_NAMES[power]} holds"
            return Refusal("DAA-2.03", f"{reason}: grant units start on own ground")
        if not isinstance(stack, dict) or not stack:
            return Refusal("DAA-2.03", f"{space}: say how many of each kind")
        for kind, number in stack.items():
            if kind not in KINDS or type(number) is not int or number < 1:
                return Refusal("DAA-2.03", f"{space}: {str(number)[:20]} {str(kind)[:40]} cannot be bought here")
        return None

    # --- drawing and listing ---

    def sample(self, stream: Stream) -> PlaceBonus:
        """Return one order, each unit's space drawn by itself."""
        units: Stacks = {}
        minefields: dict[str, int] = {}
        room = dict(self.room)
        for purse in self.purses():
            for name, number in self.shop(purse).sample(stream).items():
                power, kind = name.split(".")
                if kind == MINEFIELD:
                    most = min(number, self.all_mines - sum(minefields.values()))
                    minefields |= {power: most} if most else {}
                    continue
                for _ in range(number):
                    free = [space for space in self.spaces if kind != FLAK or room[space]]
                    if not free:
                        break
                    space = stream.pick(free)
                    room[space] -= kind == FLAK
                    stack = units.setdefault(power, {}).setdefault(space, {})
                    stack[kind] = stack.get(kind, 0) + 1
        return PlaceBonus(units, minefields)

    def values(self) -> Iterator[PlaceBonus]:
        """Yield every order, small purchases first."""
        for purchases in product(*(list(self.shop(purse).values()) for purse in self.purses())):
            bought = [(name, number) for purchase in purchases for name, number in purchase.items()]
            mines = {name.split(".")[0]: number for name, number in bought if name.endswith(MINEFIELD)}
            if sum(mines.values()) <= self.all_mines:
                bought = [each for each in bought if not each[0].endswith(MINEFIELD)]
                for units in self._placed(bought, {}, dict(self.room)):
                    yield PlaceBonus(units, dict(mines))

    def _placed(self, bought: list[tuple[str, int]], units: Stacks, room: dict[str, int]) -> Iterator[Stacks]:
        if not bought:
            yield units
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
        def ways(place: int, left: tuple[int, ...], guns: int, mines: int) -> int:
            """Count from the item at ``place`` on, ``left`` being in the purses, ``guns`` and ``mines`` bought."""
            if place == len(items):
                return 1
            purse, power, kind = items[place]
            which, price, total = purses.index(purse), price_of(power, kind), 0
            for number in range(left[which] // price + 1):
                rest = (*left[:which], left[which] - number * price, *left[which + 1 :])
                limited = tight and kind == FLAK
                if kind == MINEFIELD:
                    here = int(number <= self.mines[power] and mines + number <= self.all_mines)
                else:
                    here = comb(free - guns, number) if limited else count_placements(number, len(self.spaces))
                if here:
                    laid = mines + number * (kind == MINEFIELD)
                    total += here * ways(place + 1, rest, guns + number * limited, laid)
                if total >= limit:
                    return limit
            return total

        return min(limit, ways(0, tuple(self.grant[purse] for purse in purses), 0, 0))
