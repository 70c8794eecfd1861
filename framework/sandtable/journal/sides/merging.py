"""Merging the files of one game that several sides hold: one chain, and the openings of each side."""

from collections.abc import Sequence

from sandtable.errors import LogDamaged, LogError
from sandtable.journal.file.log import Log, misfit_text
from sandtable.journal.format.chain import parted, with_openings
from sandtable.journal.format.openings import Key
from sandtable.journal.hands.equivocation import equivocation


def merged(logs: Sequence[Log]) -> bytes:
    """Return the file of the longest of ``logs`` with the openings of all, and all annexes that belong to the game.

    Raises LogDamaged, naming file and record, if a chain is broken or an opening does not match its commitment. Raises
    LogError, naming the first record that differs, if two logs are not of one game, and a seat that signed both.
    """
    for log in logs:
        if log.broken is not None:
            raise LogDamaged(
                f"{log.where(log.broken)}: record {log.broken} was altered: its hash does not match its text"
            )
        if log.misfit is not None:
            raise LogDamaged(f"{log.name}: {misfit_text(log)}")
    longest = max(logs, key=lambda log: log.records)
    for log in logs:
        number = parting(log, longest)
        if number is not None:
            what = "the header" if number == 0 else f"record {number}"
            signed = equivocation(log, longest)
            raise LogError(
                f"{log.name} and {longest.name} differ from {what} on: they are different games or continuations"
                f"{f'; {signed}' if signed else ''}"
            )
    openings: dict[Key, bytes] = {}
    for log in logs:
        openings.update(log.openings)
    return _file(longest, openings, _annexes(logs))


def whole_file(log: Log) -> bytes:
    """Return the bytes of ``log`` as one file, with the openings and annexes of its private file and no torn tail."""
    return merged([log]) if log.beside else log.data[: len(log.data) - len(log.torn)]


def parting(a: Log, b: Log) -> int | None:
    """Return the first record (0: the header) in which two logs differ, or None if one continues the other."""
    pairs = zip(a.lines, b.lines, strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if parted(one)[0] != parted(other)[0]), None)


def _annexes(logs: Sequence[Log]) -> list[bytes]:
    """Return the annexes of ``logs``, each once, without those that name the side of a slice."""
    found = dict.fromkeys(line for log in logs for line in log.annexes())
    return [line for line in found if not line.startswith(b'{"kind":"annex","slice":')]


def _file(log: Log, openings: dict[Key, bytes], annexes: Sequence[bytes]) -> bytes:
    by_place: dict[int, list[bytes]] = {}
    for (number, _), line in sorted(openings.items()):
        by_place.setdefault(log.places[number], []).append(line)
    by_place[0] = [*by_place.get(0, ()), *annexes]
    return b"".join(line + b"\n" for line in with_openings(log.chain, by_place))
