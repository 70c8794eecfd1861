"""The part of a game that one side may see: its records, and the file of its log with the openings for that side.

A slice is the public chain with the openings that one side may see (log format, section 8).
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.errors import LogClosed, LogDamaged, PlayError
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.keys import kept_key, key_file
from sandtable.journal.file.log import UNREADABLE, Log, misfit_text
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import MERGE, bad_record, prepare_for, read_records, steps_from, upcast_line
from sandtable.journal.format.chain import with_openings
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.header import Header, header_commitment, key_bytes, person_plays
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.salts import KeyedSalts
from sandtable.journal.format.secrecy import opened_in, split
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.kernel.questions import MARK, AnsweredQuestion, label_of, text_of
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, SealRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.manager import Prepared, Rulesets

_SLICE = b'{"kind":"annex","slice":"'


def slice_log(log: Log, prepared: Prepared, side: str) -> bytes:
    """Return the bytes of ``log`` as ``side`` (PUBLIC: a spectator) may see it.

    Raises PlayError if the side does not exist or the source of the salts is not known, LogError if the log is damaged
    or incomplete, and DataError for an invalid key file.
    """
    ruleset = prepared.ruleset
    if side not in (*ruleset.viewers, PUBLIC):
        raise PlayError(f"{ruleset.id} has no side {side!r}: choose {' or '.join(ruleset.viewers)}")
    if log.broken is not None:
        raise LogDamaged(f"{log.where(log.broken)}: was altered: only an intact log can be sliced")
    if log.misfit is not None:
        raise LogDamaged(f"{log.name}: {misfit_text(log)}: only an intact log can be sliced")
    openings = _openings_of(log, read_records(log, ruleset), prepared, side)
    openings[0] = [*openings.get(0, ()), annex_line({"slice": side})[:-1]]
    return b"".join(line + b"\n" for line in with_openings(log.chain, openings))


def _openings_of(log: Log, records: Sequence[Any], prepared: Prepared, side: str) -> dict[int, list[bytes]]:
    """Return the openings that ``side`` may see, by index in the chain: its own, and those of opened sealed orders.

    Those of a side are made with the salts of the game, so PlayError is raised if their source is not known.
    """
    found: dict[int, list[bytes]] = {}
    if side != PUBLIC:
        own = form_of(log, records, prepared.ruleset).encode(records, side).openings
        found = {place + 1: [line] for place, line in own.items()}
        _, of_header = header_commitment(log.header, prepared.ruleset.viewers, side)
        found |= {0: [of_header]} if of_header else {}
    for number in opened_in(records):
        opening = log.openings.get((number, UMPIRE))
        if opening is None:
            raise LogClosed(f"{log.where(number)}: the opening of record {number} for {UMPIRE} is missing: {MERGE}")
        found.setdefault(log.places[number], []).append(opening)
    return found


def form_of(log: Log, records: Sequence[Any], ruleset: Ruleset) -> LineForm:
    """Return the form in which ``log`` was written; raise PlayError if the source of its salts is not known here."""
    source = salt_source(log, records)
    if source is None:
        raise PlayError(
            f"{log.name}: a slice needs the key of the game: put {key_file(log.name)} next to the log, "
            "or slice it after the game"
        )
    return LineForm(ruleset, KeyedSalts(source))


def salt_source(log: Log, records: Sequence[Any]) -> bytes | None:
    """Return the source of the salts of ``log``, or None if neither the log nor its key file shows it.

    Raises LogDamaged for an invalid key in the log, DataError for an invalid key file.
    """
    closing = records[-1] if records else None
    shown = closing.key if isinstance(closing, CloseRecord) else ""
    return log.header.salt_source() or (key_bytes(shown, log.name) if shown else kept_key(log.name, log.header))


def check_slice(data: bytes, name: str) -> int:
    """Return the number of records of a slice; raise LogDamaged if its chain, its end or an opening does not fit."""
    log = parse_log(data, name)
    if log.broken is not None:
        raise LogDamaged(f"{log.where(log.broken)}: was altered: its hash does not match its text")
    if log.misfit is not None:
        raise LogDamaged(f"{name}: {misfit_text(log)}")
    if log.torn:
        raise LogDamaged(f"{name}: ends after record {log.records} with {len(log.torn)} bytes of an unfinished line")
    return log.records


def sliced_for(log: Log) -> str:
    """Return the side that the file of ``log`` is a slice for, as its annex states, or ""."""
    annex = next((line for line in log.annexes() if line.startswith(_SLICE)), b"")
    side = annex[len(_SLICE) :].partition(b'"')[0]
    return side.decode("utf-8", "replace")


def count_closed(log: Log, ruleset: Ruleset) -> int:
    """Return the number of records of ``log`` that are incomplete in this file; raise LogError if one is invalid."""
    closed = 0
    for number in range(1, len(log.lines)):
        try:
            log.whole(number)
        except LogClosed:
            closed += 1
        except UNREADABLE as error:
            raise LogDamaged(f"{log.where(number)}: is not a record of {ruleset.id}: {error}") from error
    return closed


def may_be_guessed(header: Header, ruleset: Ruleset) -> bool:
    """Return whether salts may follow from a seed, so that guessing the seed reveals what a slice of the log hides.

    If a person plays, salts are random: by the key with hidden dice, by ``salts`` with open dice.
    """
    random = header.salts if header.dice == "open" else person_plays(ruleset, header.players)
    return ruleset.hidden and not random


def read_slice(log: Log, rulesets: Rulesets) -> tuple[Prepared, list[Any]]:
    """Return the ruleset of an incomplete ``log`` and the records that it shows, completely or in part."""
    prepared = prepare_for(log, rulesets)
    return prepared, shown_records(log, prepared)


def shown_records(log: Log, prepared: Prepared) -> list[Any]:
    """Return the records that an incomplete ``log`` shows, completely or in part.

    Raises LogDamaged for a line that is not a record of the ruleset, or RulesetMissing if its version differs.
    """
    steps = steps_from(log.header.ruleset_version, prepared.ruleset)
    decode = RecordCodec.of(prepared.ruleset).any.decode
    side = sliced_for(log)
    records = []
    for number in range(1, len(log.lines)):
        try:
            shown = log.shown(number, side)
            records.append(decode(upcast_line(shown, steps, log.where(number)) if steps else shown))
        except LogClosed:
            continue
        except UNREADABLE as error:
            raise bad_record(log, number, prepared.ruleset, error) from error
    return records


def seen_records(records: Sequence[Any], prepared: Prepared, side: str) -> list[Any]:
    """Return ``records`` as ``side`` sees them, completely or in part, without hidden ones."""
    opened = opened_in(records)
    seen = (seen_record(record, prepared.ruleset, side, opened) for record in records)
    return [record for record in seen if record is not None]


def seen_record(record: Any, ruleset: Ruleset, side: str, opened: frozenset[int] = frozenset()) -> Any | None:
    """Return ``record`` as ``side`` sees it, completely or in part, or None if it is hidden.

    ``opened`` are the numbers of sealed orders that were opened.
    """
    if isinstance(record, OrderRecord):
        own = ruleset.side_of(record.by) == side
        is_open = own or record.n in opened or not (record.missing or record.secret)
        return replace(record, asked=_asked(record.asked, own=own)) if is_open else None
    if isinstance(record, SealRecord | CloseRecord):
        if not ruleset.hidden:
            return record
        return replace(record, key="", digest="") if isinstance(record, CloseRecord) else None
    parts = split(record, ruleset)
    if parts is None:
        return record
    part = parts.seen.get(side, parts.public)
    if isinstance(record, EventRecord) and part:
        return replace(record, event=part["event"])
    return record if side in parts.seen else None


def _asked(asked: Any, *, own: bool) -> str:
    """Return the part of a question that a side may know: its label, and for its own questions also the digest."""
    if asked.__class__ is AnsweredQuestion:
        return text_of(asked) if own else label_of(asked)
    return str(asked) if own else str(asked).partition(MARK)[0]
