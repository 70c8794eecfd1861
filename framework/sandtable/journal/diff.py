"""Where two logs part, and what of the state differs after that."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct, json, to_builtins

from sandtable.errors import SandtableError
from sandtable.journal.branching.compare import Section, sections
from sandtable.journal.file.log import Log
from sandtable.journal.fold import fitting, fold_log, other_version, plain, prepare_for, read_records
from sandtable.journal.format.chain import parted
from sandtable.journal.sides.comparing import OpenPart, shown_in, told_of, when
from sandtable.journal.verification.rerun import differences
from sandtable.kernel.records import CloseRecord, OrderRecord
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.quoting import shortened

MOST_FIELDS = 200
CLOSED = "closed in this file, or missing"
MOST_SENTENCE = 200
"""Letters of a record that the ruleset has no words for."""


class FieldDifference(Struct, frozen=True):
    """One place in which two things differ; the values as JSON text."""

    field: str
    a: str
    b: str


class LogDifference(Struct, frozen=True):
    """How two logs differ.

    ``record`` is the first that differs (0: the header; None: none). ``in_record`` are the fields of that record,
    ``state`` those of the state after it, as far as the rulesets are installed (``note`` tells when not). ``turn`` and
    ``phase`` are those in which they part, ``told`` the two records in words, ``sections`` the phases that differ, and
    ``outcomes`` who won each, "" where it is not over.
    """

    a: str
    b: str
    record: int | None
    in_record: tuple[FieldDifference, ...] = ()
    state: tuple[FieldDifference, ...] = ()
    header: tuple[FieldDifference, ...] = ()
    note: str = ""
    turn: int = 0
    phase: str = ""
    told: tuple[str, str] = ("", "")
    sections: tuple[Section, ...] = ()
    outcomes: tuple[str, str] = ("", "")


def diff_logs(a: Log, b: Log, rulesets: Rulesets) -> LogDifference:
    """Return where the records of ``a`` and ``b`` part; hashes do not count, headers are compared apart."""
    header = _fields(to_builtins(a.header), to_builtins(b.header))
    place = _first(a, b)
    slices = _of_slices(a, b, place, rulesets, header)
    if slices is not None:
        return slices
    if place is None:
        return LogDifference(a.name, b.name, None, header=header)
    note = ""
    in_record: tuple[FieldDifference, ...] = ()
    state: tuple[FieldDifference, ...] = ()
    try:
        left, right = (prepare_for(each, rulesets, any_version=True) for each in (a, b))
        note = _read_by_others((a, left), (b, right))
        if place <= a.records and place <= b.records:
            one = to_builtins(read_records(a, left.ruleset, place)[-1])
            other = to_builtins(read_records(b, right.ruleset, place)[-1])
            in_record = _fields(one, other)
        else:
            shorter = a if a.records < b.records else b
            note = _joined(f"{shorter.name} ends after record {shorter.records}", note)
        at = fold_log(a, left, min(place, a.records))
        state = _fields(plain(at), plain(fold_log(b, right, place)))
        games = read_records(a, left.ruleset), read_records(b, right.ruleset)
        differing = tuple(each for each in sections(*games) if not each.is_same)
        told = _sentence(left, games[0], place), _sentence(right, games[1], place)
        outcomes = _outcome(games[0]), _outcome(games[1])
        return LogDifference(
            a.name, b.name, place, in_record, state, header, note, at.turn, at.phase, told, differing, outcomes
        )
    except SandtableError as error:
        note = _joined(note, f"the states cannot be compared: {error}")
    return LogDifference(a.name, b.name, place, in_record, state, header, note)


def _of_slices(
    a: Log, b: Log, place: int | None, rulesets: Rulesets, header: tuple[FieldDifference, ...]
) -> LogDifference | None:
    """Return how two files differ of which one is not whole, by what they show; None where both are whole.

    The chains tell where they part. States are not compared: no file holds all of one.
    """
    try:
        ours, theirs = shown_in(a, rulesets), shown_in(b, rulesets)
        if ours is None and theirs is None:
            return None
        note = told_of(a, b, ours, theirs)
        if place is None:
            return LogDifference(a.name, b.name, None, header=header, note=note)
        whole = [each or _whole(log, rulesets) for each, log in ((ours, a), (theirs, b))]
        note = _joined(note, _read_by_others((a, whole[0].prepared), (b, whole[1].prepared)))
    except SandtableError as error:
        return LogDifference(a.name, b.name, place, header=header, note=f"what they show cannot be compared: {error}")
    one, other = (each.record(place) for each in whole)
    turn, phase = when(whole[0].records, place)
    told = tuple(
        _told(each.prepared, each.record(place))
        if each.record(place) is not None
        else "closed in this file, or missing"
        for each in whole
    )
    in_record = _fields(to_builtins(one), to_builtins(other)) if one is not None and other is not None else ()
    differing = tuple(each for each in sections(whole[0].records, whole[1].records) if not each.is_same)
    outcomes = _outcome(whole[0].records), _outcome(whole[1].records)
    return LogDifference(
        a.name, b.name, place, in_record, (), header, note, turn, phase, (told[0], told[1]), differing, outcomes
    )


def _whole(log: Log, rulesets: Rulesets) -> OpenPart:
    prepared = prepare_for(log, rulesets, any_version=True)
    return OpenPart(prepared, read_records(log, prepared.ruleset), "", 0)


def _read_by_others(*read: tuple[Log, Prepared]) -> str:
    """Return which of the logs are read by another version of their rules; "" where none is."""
    return _joined(*dict.fromkeys(other_version(log, prepared.ruleset) for log, prepared in read))


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _first(a: Log, b: Log) -> int | None:
    for number, (left, right) in enumerate(zip(a.lines[1:], b.lines[1:], strict=False), start=1):
        if (parted(left) or (left,))[0] != (parted(right) or (right,))[0]:
            return number
    return None if a.records == b.records else min(a.records, b.records) + 1


def _fields(a: object, b: object) -> tuple[FieldDifference, ...]:
    found = []
    for where, left, right in differences(a, b):
        found.append(FieldDifference(where, left, right))
        if len(found) == MOST_FIELDS:
            break
    return tuple(found)


def _sentence(prepared: Prepared, records: Sequence[Any], number: int) -> str:
    """Return record ``number`` in words, as the ruleset tells it; by kind and name where it has no words for it."""
    if number > len(records):
        return "nothing: it ends before"
    return _told(prepared, records[number - 1])


def _told(prepared: Prepared, record: Any) -> str:
    told: str | None = None
    with suppress(SandtableError), fitting("", ""):  # a record that does not fit the game is told by its name
        told = (prepared.installed.ui.narrate or nothing)(record, prepared.board)
    content = getattr(record, "event", None) or getattr(record, "order", None)
    by = f"{record.by}: " if isinstance(record, OrderRecord) else ""
    plain = shortened(json.encode(content).decode(), MOST_SENTENCE) if content is not None else type(record).__name__
    return told or f"{by}{plain}"


def _outcome(records: Sequence[Any]) -> str:
    return records[-1].outcome if records and isinstance(records[-1], CloseRecord) else ""
