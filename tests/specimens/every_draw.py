"""Exact probabilities of random draws: every sequence of numbers that a stream can give is tried."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

from sandtable.kernel.dice import Stream

T = TypeVar("T")
PATIENCE = 40_000
"""Maximum number of sequences. A case with more is too large to be enumerated."""


class ScriptedStream(Stream):
    """A stream that returns the given numbers and then zeros, and records the bound of each."""

    __slots__ = ("bounds", "path")

    def __init__(self, path: list[int]) -> None:
        super().__init__(b"")
        self.path, self.bounds = path, list[int]()

    def below(self, bound: int) -> int:
        """Return the next given number."""
        assert bound >= 1
        self.bounds.append(bound)
        if len(self.bounds) > len(self.path):
            self.path.append(0)
        return self.path[len(self.bounds) - 1]


def chances_of(draw: Callable[[Stream], T], name: Callable[[T], Hashable] = repr) -> dict[Any, Fraction]:
    """Return the exact probability of each result of ``draw``, by its name, over all sequences."""
    found: dict[Any, Fraction] = {}
    path: list[int] = []
    for _ in range(PATIENCE):
        stream = ScriptedStream(path)
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
    """Return equal probabilities of ``values`` that sum to ``share``."""
    listed = list(values)
    return dict.fromkeys(listed, Fraction(share) / len(listed))
