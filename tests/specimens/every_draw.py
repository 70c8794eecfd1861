"""What a draw may come to, with its chance: all that a stream of random numbers can say is tried, way by way."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

from sandtable.kernel.dice import Stream

T = TypeVar("T")
PATIENCE = 40_000
"""Ways of falling after which a case is too large to be tried whole."""


class ToldStream(Stream):
    """A stream that says what it is told, then nought, and notes of how many numbers each was one."""

    __slots__ = ("bounds", "path")

    def __init__(self, path: list[int]) -> None:
        super().__init__(b"")
        self.path, self.bounds = path, list[int]()

    def below(self, bound: int) -> int:
        """Return the next number that was told."""
        assert bound >= 1
        self.bounds.append(bound)
        if len(self.bounds) > len(self.path):
            self.path.append(0)
        return self.path[len(self.bounds) - 1]


def chances_of(draw: Callable[[Stream], T], name: Callable[[T], Hashable] = repr) -> dict[Any, Fraction]:
    """Return the chance of each thing that ``draw`` may return, by its name: exact, over all ways in which it falls."""
    found: dict[Any, Fraction] = {}
    path: list[int] = []
    for _ in range(PATIENCE):
        stream = ToldStream(path)
        drawn, chance = name(draw(stream)), Fraction(1)
        for bound in stream.bounds:
            chance /= bound
        found[drawn] = found.get(drawn, Fraction(0)) + chance
        path = stream.path[: len(stream.bounds)]
        while path and path[-1] + 1 == stream.bounds[len(path) - 1]:
            path.pop()
        if not path:
            return found
        path[-1] += 1
    raise AssertionError(f"more than {PATIENCE} ways to fall")


def even(values: Iterable[Hashable], share: Fraction | int = 1) -> dict[Any, Fraction]:
    """Share a chance evenly."""
    listed = list(values)
    return dict.fromkeys(listed, Fraction(share) / len(listed))
