"""The space of shares of an amount: money on purchases, losses on units, points on tasks."""

from collections.abc import Iterator, Mapping
from typing import Any

from sandtable.kernel.dice import Stream
from sandtable.kernel.options.choices import listing, shown
from sandtable.kernel.options.space import Refusal, Space


class ShareOut(Space):
    """A dict of counts by name whose total cost is at most ``amount``, or exactly ``amount`` if ``exactly`` is set.

    ``prices`` gives the cost of one of each (at least 1). ``caps`` gives the maximum count of each, if there is one.
    Zero counts are left out. A sample is uniform over all shares.
    """

    amount: int
    prices: Mapping[str, int]
    caps: Mapping[str, int] = {}
    exactly: bool = False
    rule: str = ""
    what: str = "points"

    def outline(self) -> Any:
        """Return the amount, the prices and the caps."""
        return ["ShareOut", self.amount, dict(self.prices), dict(self.caps), self.exactly]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse unknown names, counts below one or above the cap, and a total that is too high (or not exact)."""
        return next(self._wrong(value), None)

    def wrong_parts(self, value: Any) -> list[Refusal]:
        """Return the refusals of every entry; the total is checked only if there are none."""
        return list(self._wrong(value))

    def _wrong(self, value: Any) -> Iterator[Refusal]:
        if not isinstance(value, dict):
            yield Refusal(self.rule, f"expected a table of names and numbers, not {shown(value)}")
            return
        total = 0
        is_sound = True
        for name, number in value.items():
            refusal = self._why_no_entry(name, number)
            if refusal is not None:
                is_sound = False
                yield refusal
            elif is_sound:
                total += number * self.prices[name]
        if is_sound and (total > self.amount or (self.exactly and total != self.amount)):
            must = "exactly" if self.exactly else "at most"
            yield Refusal(self.rule, f"that makes {shown(total)} {self.what}; it must be {must} {self.amount}")

    def _why_no_entry(self, name: Any, number: Any) -> Refusal | None:
        if name not in self.prices:
            return Refusal(self.rule, f"{shown(name)} cannot be chosen here: choose {listing(list(self.prices))}")
        if type(number) is not int or number < 1:
            return Refusal(self.rule, f"{shown(name)}: {shown(number)} is not a positive whole number")
        if number > self.caps.get(name, number):
            return Refusal(self.rule, f"{name}: {shown(number)} is more than the maximum of {self.caps[name]}")
        return None

    def _most(self, name: str, amount: int) -> int:
        return min(amount // self.prices[name], self.caps.get(name, amount))

    def _ways(self) -> list[list[int]]:
        """Return ways[i][a], the number of shares of amount ``a`` among the names from index i on."""
        last = [1 if left == 0 or not self.exactly else 0 for left in range(self.amount + 1)]
        table = [last]
        for name in reversed(list(self.prices)):
            price, below = self.prices[name], table[0]
            row = [
                sum(below[left - number * price] for number in range(self._most(name, left) + 1))
                for left in range(self.amount + 1)
            ]
            table.insert(0, row)
        return table

    def sample(self, stream: Stream) -> dict[str, int]:
        """Return one share, uniformly at random."""
        ways = self._ways() if self.amount >= 0 else []
        if not ways or not ways[0][self.amount]:
            raise ValueError("nothing can be chosen")
        share: dict[str, int] = {}
        left = self.amount
        for place, name in enumerate(self.prices, start=1):
            draw = stream.below(ways[place - 1][left])
            number = 0
            while draw >= (way := ways[place][left - number * self.prices[name]]):
                draw -= way
                number += 1
            if number:
                share[name] = number
                left -= number * self.prices[name]
        return share

    def values(self) -> Iterator[dict[str, int]]:
        """Yield every share, in the order of the names, with small counts first."""
        names = list(self.prices)

        def rest(place: int, left: int) -> Iterator[dict[str, int]]:
            if place == len(names):
                if left == 0 or not self.exactly:
                    yield {}
                return
            name = names[place]
            for number in range(self._most(name, left) + 1):
                for more in rest(place + 1, left - number * self.prices[name]):
                    yield ({name: number} | more) if number else more

        return rest(0, self.amount) if self.amount >= 0 else iter(())

    def count(self, limit: int = 1_000_000) -> int:
        """Return the number of shares, exactly up to ``limit``."""
        return min(limit, self._ways()[0][self.amount]) if self.amount >= 0 else 0
