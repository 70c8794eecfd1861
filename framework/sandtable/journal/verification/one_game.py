"""Logs that concern each other: of one game, continued from a copy, or of two games with one chain of shared dice."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from sandtable.errors import SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.hands.equivocation import equivocation
from sandtable.journal.sides.merging import parting
from sandtable.journal.verification.verdicts import Verdict
from sandtable.quoting import shortened


def same_games(paths: Sequence[str], verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield a sentence for each two logs of one game: the record where they diverge, or that one contains the other.

    Also yield one for each two games that use the same chain: the links shown in one give away dice of the other.
    """
    games: dict[str, list[str]] = {}
    for path, verdict in zip(paths, verdicts, strict=True):
        if verdict.game:
            games.setdefault(verdict.game, []).append(path)
    for group in games.values():
        if len(group) > 1:
            for one, other in combinations(_readable(group), 2):
                yield _relation(one, other)
    yield from _same_chains(paths, verdicts)


def _same_chains(paths: Sequence[str], verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield a sentence for each chain that a game uses after another one."""
    users: dict[str, tuple[str, str]] = {}
    for path, verdict in zip(paths, verdicts, strict=True):
        for name, tip in verdict.chains.items():
            game, first = users.setdefault(tip, (verdict.game, path))
            if game != verdict.game:
                yield (
                    f"{first} and {path}: two games use the same chain of {shortened(name)}: the links that are shown "
                    "in one give away dice of the other"
                )


def _readable(paths: Sequence[str]) -> list[Log]:
    found = []
    for path in paths:
        try:
            found.append(read_log(path))
        except SandtableError:
            continue
    return found


def _relation(a: Log, b: Log) -> str:
    number = parting(a, b)
    if number is not None:
        signed = equivocation(a, b)
        return (
            f"{a.name} and {b.name}: the same game up to record {number - 1}: one of them was continued from a copy; "
            f"{f'{signed}; ' if signed else ''}an anchor shows which one is the game"
        )
    if a.records == b.records:
        return f"{a.name} and {b.name}: the same game twice"
    shorter, longer = sorted((a, b), key=lambda log: log.records)
    return f"{shorter.name}: the beginning of {longer.name}, up to record {shorter.records}"
