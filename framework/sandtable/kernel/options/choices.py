"""Spaces that choose from a list: one value, several, an integer, or a fixed number in a row."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import comb
from typing import Any

from msgspec import Struct, structs
from msgspec.json import Encoder

from sandtable.kernel.dice import Stream
from sandtable.kernel.options.space import Refusal, Space

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def shown(value: object, most: int = 60) -> str:
    """Return ``value`` as text for a refusal, cut to ``most`` characters, with control characters escaped.

    A struct such as an order becomes its name in words, then its field values: "retreat RAS", "press on".
    """
    try:
        if isinstance(value, Struct):
            fields = [each for each in structs.astuple(value) if each not in ("", None, [], {}, ())]
            text = " ".join([_HUMP.sub(" ", type(value).__name__).lower(), *map(shown, fields)])
        else:
            text = value if isinstance(value, str) and value.isprintable() else ascii(value)
    except ValueError:  # Python does not print very long numbers
        return "a number with very many digits"
    return text if len(text) <= most else text[: most - 1] + "…"


def listing(values: Sequence[object], most: int = 8) -> str:
    """Return the first ``most`` values as a phrase: "a, b or c"."""
    names = [shown(value) for value in values[:most]]
    if len(values) > most:
        return ", ".join(names) + f" or {len(values) - most} more"
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names) or "nothing"


def same(a: object, b: object) -> bool:
    """Return whether two values are the same data: 1 is neither True nor 1.0, at any depth."""
    if a is b:
        return True
    if type(a) is not type(b) or a != b:
        return False
    return isinstance(a, int | str) or _encode(a) == _encode(b)


_encode = Encoder(order="deterministic").encode


def is_among(value: object, values: Sequence[object]) -> bool:
    """Return whether ``values`` contains the same data as ``value``."""
    try:
        first = values[values.index(value)]
    except ValueError:
        return False
    return same(value, first) or any(same(value, each) for each in values)


class OneOf(Space, gc=False):
    """One value of ``of``; a sample is uniform. ``why`` replaces the standard reason of a refusal."""

    of: Sequence[Any]
    rule: str = ""
    why: str = ""
    drawn: Any = None

    def check(self, value: Any) -> None:
        """Raise IllegalOrder if ``value`` is not on the list; a value just drawn from it is not checked again."""
        if value is self.drawn and value is not None:
            return
        try:  # the fast path, because this is in the hot loop
            first = self.of[self.of.index(value)]
            if first is value or (type(first) is type(value) and _encode(first) == _encode(value)):
                return
        except (ValueError, TypeError):
            pass
        super().check(value)

    def outline(self) -> Any:
        """Return the list."""
        return self.of

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a value that is not on the list."""
        if is_among(value, self.of):
            return None
        return Refusal(self.rule, self.why or f"{shown(value)} cannot be chosen here: choose {listing(self.of)}")

    def sample(self, stream: Stream) -> Any:
        """Return one value, uniformly at random."""
        of = self.of
        if not of:
            raise ValueError("nothing can be chosen")
        self.drawn = drawn = of[stream.below(len(of))]
        return drawn

    def values(self) -> Iterator[Any]:
        """Yield the list."""
        return iter(self.of)

    def count(self, limit: int = 1_000_000) -> int:
        """Return the length of the list."""
        return min(len(self.of), limit)


class Range(Space, gc=False):
    """An integer from ``least`` to ``most``, both included."""

    least: int
    most: int
    rule: str = ""

    def outline(self) -> Any:
        """Return both ends."""
        return ["Range", self.least, self.most]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a value that is not an integer or is out of range."""
        if type(value) is int and self.least <= value <= self.most:
            return None
        return Refusal(self.rule, f"{shown(value)} is not a whole number from {self.least} to {self.most}")

    def sample(self, stream: Stream) -> int:
        """Return one number, uniformly at random."""
        if self.most < self.least:
            raise ValueError("nothing can be chosen")
        return self.least + stream.below(self.most - self.least + 1)

    def values(self) -> Iterator[int]:
        """Yield the numbers in ascending order."""
        return iter(range(self.least, self.most + 1))

    def count(self, limit: int = 1_000_000) -> int:
        """Return how many numbers there are."""
        return min(max(0, self.most - self.least + 1), limit)


class SomeOf(Space):
    """A list of ``least`` to ``most`` distinct members of ``of``; a sample is uniform over all such sets."""

    of: Sequence[Any]
    least: int = 0
    most: int = -1
    rule: str = ""

    def __post_init__(self) -> None:
        """Allow all members if ``most`` is not given."""
        if not 0 <= self.most <= len(self.of):
            self.most = len(self.of)

    def outline(self) -> Any:
        """Return the limits and the members."""
        return ["SomeOf", self.least, self.most, list(self.of)]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a wrong number of members, an unknown member, or a duplicate."""
        return next(self._wrong(value), None)

    def wrong_parts(self, value: Any) -> list[Refusal]:
        """Return the refusals of a wrong number of members, of each unknown member and of each duplicate."""
        return list(self._wrong(value))

    def _wrong(self, value: Any) -> Iterator[Refusal]:
        if not isinstance(value, list | tuple):
            yield Refusal(self.rule, f"expected a list, not {shown(value)}")
            return
        if not self.least <= len(value) <= self.most:
            wanted = str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
            yield Refusal(self.rule, f"choose {wanted} of {len(self.of)}, not {len(value)}")
        seen: list[Any] = []
        for each in value:
            if not is_among(each, self.of):
                yield Refusal(self.rule, f"{shown(each)} cannot be chosen here: choose from {listing(self.of)}")
            elif each in seen:
                yield Refusal(self.rule, f"{shown(each)} is named twice")
            seen.append(each)

    def sample(self, stream: Stream) -> list[Any]:
        """Return one subset, in the order of the list."""
        sizes = range(self.least, self.most + 1)
        ways = [comb(len(self.of), size) for size in sizes]
        if not sum(ways):
            raise ValueError("nothing can be chosen")
        draw = stream.below(sum(ways))
        for size, way in zip(sizes, ways, strict=True):
            if draw < way:
                return stream.sample(self.of, size)
            draw -= way
        raise ValueError("nothing can be chosen")  # pragma: no cover - below() stays under the sum

    def values(self) -> Iterator[list[Any]]:
        """Yield the subsets, small ones first."""
        for size in range(self.least, self.most + 1):
            yield from (list(each) for each in combinations(self.of, size))

    def count(self, limit: int = 1_000_000) -> int:
        """Return the number of subsets, exactly up to ``limit``."""
        return min(limit, sum(comb(len(self.of), size) for size in range(self.least, self.most + 1)))


class ListOf(Space):
    """Exactly ``length`` values in a row, each from the space ``each``; used for typed dice, for example."""

    each: Space
    length: int

    def outline(self) -> Any:
        """Return the length and the space of each value."""
        return ["ListOf", self.length, self.each.outline()]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a wrong length, or the first member that its space refuses."""
        if not isinstance(value, list | tuple) or len(value) != self.length:
            return Refusal("", f"expected {self.length} values, not {shown(value)}")
        return next((refusal for refusal in map(self.each.why_not, value) if refusal), None)

    def wrong_parts(self, value: Any) -> list[Refusal]:
        """Return the refusals of every member."""
        if not isinstance(value, list | tuple) or len(value) != self.length:
            return []
        return [refusal for each in value for refusal in self.each.all_wrong(each)]

    def sample(self, stream: Stream) -> list[Any]:
        """Return a row whose members are drawn independently."""
        return [self.each.sample(stream) for _ in range(self.length)]

    def values(self) -> Iterator[list[Any]]:
        """Yield every row."""
        return (list(row) for row in product(*[list(self.each.values())] * self.length))

    def count(self, limit: int = 1_000_000) -> int:
        """Return the number of rows, exactly up to ``limit``."""
        total = 1
        each = self.each.count(limit)
        for _ in range(self.length if each != 1 else 0):
            total = min(limit, total * each)
        return total
