"""The proofs that a log's file lacks: key, salts, openings, and what the game has not shown yet."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import private_file
from sandtable.journal.hands.inputs import SignedLine
from sandtable.journal.verification.matching import opened_orders
from sandtable.journal.verification.verdicts import ranges
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.kernel.records import CloseRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.quoting import count, shortened

OPENINGS = "openings"


class Proofs(NamedTuple):
    """Unproven parts of a log: the file should have those in ``missing``; a genuine file lacks those in ``pending``."""

    missing: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()

    def joined(self, missing: Sequence[str], pending: Sequence[str] = ()) -> "Proofs":
        """Return these proofs with further ``missing`` and ``pending`` items."""
        if not missing and not pending:
            return self
        return Proofs((*self.missing, *missing), (*self.pending, *pending))


def proofs_of(log: Log, ruleset: Ruleset, records: Sequence[Any], *, has_key: bool, side: str) -> Proofs:
    """Return the proofs that the file of ``log`` lacks.

    With a ``side`` (or ``public``) the file is judged as the slice of that side: parts that a genuine slice leaves
    closed are pending. Without one it is judged as the file of the game's keeper, which has all openings.
    """
    missing: list[str] = []
    pending: list[str] = []
    is_over = bool(records) and isinstance(records[-1], CloseRecord)
    if not has_key:
        item, is_due = _key_item(log, ruleset, records, is_over=is_over, side=side)
        (missing if is_due else pending).append(item)
    if log.torn:
        pending.append(
            f"the rest of the last line, cut off after {len(log.torn)} bytes (`sandtable log repair` repairs the file)"
        )
    for to, due, expected in _closed_for(log, records, side, has_key=has_key):
        if due:
            missing.append(f"{OPENINGS} for {to} of {_records(due)}")
        if expected:
            pending.append(f"{OPENINGS} for {to} of {_records(expected)}")
    return Proofs(tuple(missing), tuple(pending))


def _records(numbers: Sequence[int]) -> str:
    return f"record{'s' * (len(numbers) > 1)} {ranges(numbers)}"


def _key_item(log: Log, ruleset: Ruleset, records: Sequence[Any], *, is_over: bool, side: str) -> tuple[str, bool]:
    """Return the item that a log without its dice key lacks, and whether its file should have it.

    A slice omits the umpire's opening: with open dice that of the header, otherwise that of the close. The chain must
    have that commitment.
    """
    header = log.header
    what = "the dice key" if header.has_dice_key else "the key of the salts"
    if header.dice == "open":
        parts = f"{what} and the salts" if ruleset.hidden else what
        return f"{parts} (opening of the header for {UMPIRE})", not (side and header.root)
    if not is_over:
        return f"{what}, which the close will show", False
    closing = records[-1].n
    is_closed = ruleset.hidden and bool(log.commitment(closing).root)
    where = f"opening of record {closing} for {UMPIRE}" if ruleset.hidden else f"record {closing}"
    return f"{what} ({where})", not (side and is_closed)


def _closed_for(
    log: Log, records: Sequence[Any], side: str, *, has_key: bool
) -> Iterator[tuple[str, list[int], list[int]]]:
    """Yield each addressee whose openings the file lacks, the records or steps that need one, and the others.

    A genuine slice may lack the others. The umpire comes last, even if none of its openings is lacking. Openings that
    show the key are left out if the key itself is named as missing.
    """
    opened = opened_orders(records) if side else frozenset()
    is_over = bool(records) and isinstance(records[-1], CloseRecord)
    showing_key = {0, log.records if is_over else 0}
    own: list[int] = []
    complete: tuple[list[int], list[int]] = ([], [])
    for number in log.steps():
        if (number, UMPIRE) in log.openings:
            continue
        if side not in ("", PUBLIC) and (number, side) not in log.openings:
            own.append(number)
        if number not in showing_key or (number and has_key):
            complete[bool(side) and number not in opened].append(number)
    if own:
        yield side, own, []
    yield UMPIRE, *complete


def advice(log: Log, proofs: Proofs) -> str:
    """Return where ``missing`` openings may be found, or "" if none are missing."""
    if not any(item.startswith(OPENINGS) for item in proofs.missing):
        return ""
    kept = private_file(log.name).name
    place = "" if log.is_over else f"{kept} must be next to the log until the game is over; "
    return f"{place}--as SIDE judges the file as a slice; `sandtable log join` adds the keeper's file"


def unsigned_items(entries: Sequence[SignedLine]) -> list[str]:
    """Return the item for orders that their seats have not signed yet, without a later record of another seat."""
    found: dict[str, list[int]] = {}
    for entry in entries:
        found.setdefault(entry.by, []).append(entry.n)
    return [f"the signature of {shortened(seat)} for {_records(numbers)}" for seat, numbers in found.items()]


def branch_note(log: Log) -> str:
    """Return a note that names a branch's parent game and its set rolls, or "" for a log that is not a branch."""
    parent = log.header.parent
    if parent is None:
        return ""
    rolls = len(log.header.dice_set)
    dice = f", with {count(rolls, 'roll')} set" if rolls else ""
    return f"a branch of the game {parent.game} from record {parent.record}{dice}: not a game that was played"
