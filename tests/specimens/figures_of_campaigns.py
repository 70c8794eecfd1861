"""The figures of a campaign: how often each promise was tried, and what broke it."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

MOST_TOLD = 10
"""So many failures are told whole; of the rest, how many."""


class Figure(NamedTuple):
    """One line of the table: ``tried`` times ``what``, for ``promise``."""

    promise: str
    what: str
    tried: int
    failed: int


class Share:
    """How much of a campaign is run, and with which seed; it gathers the figures of one test."""

    def __init__(self, share: float, seed: str, noted: list[tuple[str, object]]) -> None:
        self.share = share
        self.seed = seed
        self._noted = noted

    def of(self, whole: int) -> int:
        """Return the share of ``whole`` tries, one at least."""
        return max(1, round(whole * self.share))

    def rng(self, *names: object) -> Random:
        """Return the chance of one part of the campaign: another for each of ``names``, and for each seed."""
        return Random("/".join(map(str, (self.seed, *names))))  # noqa: S311 - a campaign can be repeated

    def tried(self, promise: str, what: str, tried: int, failures: Sequence[object] = ()) -> None:
        """Note that ``what`` was tried so many times, and fail where there are ``failures``."""
        self._noted.append(("figure", [promise, what, tried, len(failures)]))
        told = "\n".join(map(str, failures[:MOST_TOLD]))
        assert not failures, f"{promise}: {len(failures)} of {tried} {what}:\n{told}"


def summed(noted: Iterable[Sequence[Any]]) -> list[Figure]:
    """Return the figures of many tests, those for the same thing added up, in the order of the alphabet."""
    sums: dict[tuple[str, str], list[int]] = {}
    for promise, what, tried, failed in noted:
        both = sums.setdefault((promise, what), [0, 0])
        both[0] += tried
        both[1] += failed
    return [Figure(*name, *both) for name, both in sorted(sums.items())]


def as_table(figures: Sequence[Figure]) -> str:
    """Return figures as a table in Markdown."""
    rows = [f"| {each.promise} | {each.what} | {each.tried:,} | {each.failed:,} |" for each in figures]
    return "\n".join(["| promise | what was tried | times | broken |", "|---|---|---:|---:|", *rows])
