"""The figures of a campaign: how often each promise was tried, and what broke it."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import Any, NamedTuple

MAX_LISTED = 10
"""Maximum number of failures that are listed."""


class Figure(NamedTuple):
    """A line of the table: ``what`` was tried ``tried`` times, for ``promise``."""

    promise: str
    what: str
    tried: int
    failed: int


class Share:
    """The share of a campaign to run, and its seed. It collects the figures of one test."""

    def __init__(self, share: float, seed: str, facts: list[tuple[str, object]]) -> None:
        self.share = share
        self.seed = seed
        self._noted = facts

    def of(self, whole: int) -> int:
        """Return the share of ``whole`` tries, at least one."""
        return max(1, round(whole * self.share))

    def rng(self, *names: object) -> Random:
        """Return the random generator of one part of the campaign, different for each of ``names`` and each seed."""
        return Random("/".join(map(str, (self.seed, *names))))  # noqa: S311 - a campaign can be repeated

    def in_parts(
        self,
        play: Callable[[str, int, int, str], list[str]],
        name: str,
        total: int,
        size: int,
        start: str | None = None,
    ) -> list[str]:
        """Let two processes run ``play(name, first, count, seed)`` for parts of ``total`` tries. Return the failures.

        A ``start`` by "forkserver" measures their memory apart from that of this process, unlike a fork.
        """
        tasks = [(first, min(size, total - first)) for first in range(0, total, size)]
        with ProcessPoolExecutor(max_workers=2, mp_context=get_context(start)) as pool:
            parts = pool.map(play, [name] * len(tasks), *zip(*tasks, strict=True), [self.seed] * len(tasks))
            return [each for part in parts for each in part]

    def tried(self, promise: str, what: str, tried: int, failures: Sequence[object] = (), *, allowed: int = 0) -> None:
        """Record ``tried`` tries of ``what``, and fail if there are more ``failures`` than ``allowed``."""
        self._noted.append(("figure", [promise, what, tried, len(failures)]))
        self._noted += [("failure", f"{what}: {each}") for each in failures]
        listed = "\n".join(map(str, failures[:MAX_LISTED]))
        assert len(failures) <= allowed, f"{promise}: {len(failures)} of {tried} {what}:\n{listed}"


def summed(facts: Iterable[Sequence[Any]]) -> list[Figure]:
    """Return the figures of many tests, with equal ones added up, in alphabetical order."""
    sums: dict[tuple[str, str], list[int]] = {}
    for promise, what, tried, failed in facts:
        both = sums.setdefault((promise, what), [0, 0])
        both[0] += tried
        both[1] += failed
    return [Figure(*name, *both) for name, both in sorted(sums.items())]


def as_table(figures: Sequence[Figure]) -> str:
    """Return figures as a table in Markdown."""
    rows = [f"| {each.promise} | {each.what} | {each.tried:,} | {each.failed:,} |" for each in figures]
    return "\n".join(["| promise | what was tried | times | broken |", "|---|---|---:|---:|", *rows])
