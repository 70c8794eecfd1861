"""The space of grant orders: a side's purchases from its opening grant, and their spaces (DAA-2.01 to DAA-2.03)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import comb
from typing import Any

from desert_aa.economy.purchase import PLENTY, Purchase, compositions, count_placements
from desert_aa.model.orders import PlaceBonus
from desert_aa.model.tables import FLAK, KIND_NAMES, KINDS, MINEFIELD, MINEFIELD_COST, POWER_NAMES, PRICES
from sandtable import Asking, Refusal, ShareOut, Space, Stream

ENOUGH = "no more"
Item = tuple[str, str]
"""A power and a kind of unit, or a power and minefields."""
Stacks = dict[str, dict[str, dict[str, int]]]
"""The number of units by power, space and kind."""


def price_of(power: str, kind: str) -> int:
    """Return the price of a unit of ``kind`` for ``power``."""
    return MINEFIELD_COST if kind == MINEFIELD else PRICES[power][kind]


class GrantSpace(Space):
    """PlaceBonus orders: numbers of units by power, space and kind, within each purse's part of the grant.

    ``purse_of`` names the purse of each power of the side, and ``grant`` is the grant of each purse. ``spaces`` are the
    spaces of the side, and ``room`` is the number of flak guns that each can take (DAA-2.03, DAA-R07, DAA-R50).
    ``mines`` is the maximum number of minefields for each power, and ``all_mines`` that for the side. All are 0 if
    minefields are bought in secret (DAA-R37).
    """

    purse_of: Mapping[str, str]
    grant: Mapping[str, int]
    spaces: Sequence[str]
    room: Mapping[str, int]
    mines: Mapping[str, int]
    all_mines: int

    def items(self, purse: str) -> list[Item]:
        """Return the units and minefields that can be bought from ``purse``."""
        powers = [power for power, of in self.purse_of.items() if of == purse]
        units = [(power, kind) for power in powers for kind in KINDS]
        return units + [(power, MINEFIELD) for power in powers if self.mines[power]]

    def purses(self) -> list[str]:
        """Return the purses without duplicates."""
        return list(dict.fromkeys(self.purse_of.values()))

    def shop(self, purse: str) -> ShareOut:
        """Return the space of purchases from ``purse``."""
        prices = {f"{power}.{kind}": price_of(power, kind) for power, kind in self.items(purse)}
        caps = {f"{power}.{MINEFIELD}": min(number, self.all_mines) for power, number in self.mines.items()}
        return Purchase(self.grant[purse], prices, caps, rule="DAA-2.01", what="IPC of the grant")

    # --- judging ---

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse units of other powers, spaces that the side does not hold, and costs above the grant."""
        if type(value) is not PlaceBonus or not isinstance(value.units, dict):
            return Refusal("DAA-2.01", "spend the grant: name the number of each kind and their space, or type save")
        bought: dict[str, dict[str, int]] = {}
        flak: dict[str, int] = {}
        for power, stacks in value.units.items():
            if power not in self.purse_of or not isinstance(stacks, dict):
                powers = " or ".join(POWER_NAMES[each] for each in self.purse_of)
                return Refusal(
                    "DAA-R07", f"{POWER_NAMES.get(str(power), str(power)[:40])} cannot buy now: buy for {powers}"
                )
            if not stacks:
                return Refusal(
                    "DAA-2.03", f"{POWER_NAMES[power]}: name the number of each kind and their space, or omit the power"
                )
            for space, stack in stacks.items():
                refusal = self._why_no_stack(power, space, stack)
                if refusal is not None:
                    return refusal
                flak[space] = flak.get(space, 0) + stack.get(FLAK, 0)
                if flak[space] > self.room[space]:
                    return Refusal("DAA-8.05", f"{space} can hold only one flak gun")
                counts = bought.setdefault(self.purse_of[power], {})
                for kind, number in stack.items():
                    name = f"{power}.{kind}"
                    counts[name] = counts.get(name, 0) + number
        refusal = self._why_no_mines(value.minefields, bought)
        refusals = (self.shop(purse).why_not(counts) for purse, counts in bought.items())
        return refusal or next((refusal for refusal in refusals if refusal is not None), None)

    def _why_no_mines(self, minefields: Any, bought: dict[str, dict[str, int]]) -> Refusal | None:
        """Refuse invalid or too many minefields. Adds the minefields of each power to ``bought``."""
        if not isinstance(minefields, dict):
            return Refusal("DAA-8.01", "minefields: name the number for each power")
        for power, number in minefields.items():
            if power not in self.purse_of or type(number) is not int or number < 1:
                return Refusal("DAA-8.01", f"minefields: {str(power)[:40]} cannot buy {str(number)[:20]}")
            if not self.mines[power]:
                return Refusal(
                    "DAA-8.01",
                    f"{POWER_NAMES[power]} cannot buy minefields here: they are secret, or no space can be mined",
                )
            bought.setdefault(self.purse_of[power], {})[f"{power}.{MINEFIELD}"] = number
        if sum(minefields.values()) > self.all_mines:
            return Refusal(
                "DAA-8.05", f"the side can lay up to {self.all_mines} minefield{'s' * (self.all_mines != 1)}"
            )
        return None

    def _why_no_stack(self, power: str, space: str, stack: Any) -> Refusal | None:
        if space not in self.spaces:
            reason = f"{POWER_NAMES[power]}'s side does not hold {str(space)[:40]}"
            return Refusal("DAA-2.03", f"{reason}: grant units start in spaces of their side")
        if not isinstance(stack, dict) or not stack:
            return Refusal("DAA-2.03", f"{space}: name the number of each kind")
        for kind, number in stack.items():
            if kind not in KINDS or type(number) is not int or number < 1:
                return Refusal("DAA-2.03", f"{space}: {str(number)[:20]} {str(kind)[:40]} cannot be bought here")
        return None

    def in_parts(self) -> Asking:
        """Ask for one unit or minefield after the other that the rest of the grant pays for, each with its space."""
        units: Stacks = {}
        minefields: dict[str, int] = {}
        left, room = dict(self.grant), dict(self.room)
        items = {item: purse for purse in self.purses() for item in self.items(purse)}
        names = {f"{POWER_NAMES[power]}'s {KIND_NAMES[kind]}, {price_of(power, kind)} IPC": (power, kind)
                 for power, kind in items}  # fmt: skip
        while True:
            able = [
                name
                for name, item in names.items()
                if price_of(*item) <= left[items[item]] and self._has_place(item, room, minefields)
            ]
            picked = yield "buy", [ENOUGH, *able]
            if picked == ENOUGH:
                return PlaceBonus(units, minefields)
            power, kind = names[picked]
            left[items[power, kind]] -= price_of(power, kind)
            if kind == MINEFIELD:
                minefields[power] = minefields.get(power, 0) + 1
                continue
            space = yield "in", [each for each in self.spaces if kind != FLAK or room[each]]
            room[space] -= kind == FLAK
            stack = units.setdefault(power, {}).setdefault(space, {})
            stack[kind] = stack.get(kind, 0) + 1

    def _has_place(self, item: Item, room: Mapping[str, int], minefields: Mapping[str, int]) -> bool:
        """Return whether one more of an item has a place, with this ``room`` for flak and these ``minefields``."""
        power, kind = item
        if kind == MINEFIELD:
            return minefields.get(power, 0) < self.mines[power] and sum(minefields.values()) < self.all_mines
        return kind != FLAK or any(room[space] for space in self.spaces)

    # --- drawing and listing ---

    def sample(self, stream: Stream) -> PlaceBonus:
        """Draw an order, with a separate draw for the space of each unit."""
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
        """Yield every order, purse by purse and item by item, with small counts first."""
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
        """Return the number of orders, up to ``limit``."""
        purses = self.purses()
        items = [(purse, power, kind) for purse in purses for power, kind in self.items(purse)]
        tight = any(room < PLENTY for room in self.room.values())
        free = sum(self.room[space] > 0 for space in self.spaces)

        @cache
        def number_of(place: int, left: tuple[int, ...], guns: int, mines: int) -> int:
            """Return the number of orders for the items from index ``place`` on, with ``left`` in the purses."""
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
                    total += here * number_of(place + 1, rest, guns + number * limited, laid)
                if total >= limit:
                    return limit
            return total

        return min(limit, number_of(0, tuple(self.grant[purse] for purse in purses), 0, 0))
