"""The first difference between two logs, and the differences of the state after it."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct, json, to_builtins

from sandtable.errors import SandtableError
from sandtable.journal.branching.compare import Section, sections
from sandtable.journal.fields import differences
from sandtable.journal.file.log import Log
from sandtable.journal.fold import fitting, fold_log, other_version, plain, prepare_for, read_records
from sandtable.journal.format.chain import parted
from sandtable.journal.sides.comparing import OpenPart, partial_note, shown_in, turn_and_phase
from sandtable.kernel.records import CloseRecord, OrderRecord
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.quoting import shortened

MAX_FIELDS = 200
CLOSED = "closed in this file, or missing"
MAX_SENTENCE = 200
"""Maximum number of characters shown of a record that the ruleset does not narrate."""


class FieldDifference(Struct, frozen=True):
    """A field that differs, with both values as JSON text."""

    field: str
    a: str
    b: str


class LogDifference(Struct, frozen=True):
    """The difference between two logs.

    ``record`` is the first that differs (0: the header; None: none). ``in_record`` are the differing fields of that
    record, ``state`` those of the state after it; ``note`` states how that comparison is limited, or is "". ``turn``
    and ``phase`` are those of the first difference, and ``told`` has the two records in words. ``sections`` are the
    phases that differ. ``outcomes`` are the winners, "" if a game is not over.
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
    """Return the difference between the records of ``a`` and ``b``, without hashes. Headers are compared separately."""
    header = _fields(to_builtins(a.header), to_builtins(b.header))
    number = _first(a, b)
    slices = _of_slices(a, b, number, rulesets, header)
    if slices is not None:
        return slices
    if number is None:
        return LogDifference(a.name, b.name, None, header=header)
    note = ""
    in_record: tuple[FieldDifference, ...] = ()
    state: tuple[FieldDifference, ...] = ()
    try:
        left, right = (prepare_for(each, rulesets, any_version=True) for each in (a, b))
        note = _version_notes((a, left), (b, right))
        if number <= a.records and number <= b.records:
            one = to_builtins(read_records(a, left.ruleset, number)[-1])
            other = to_builtins(read_records(b, right.ruleset, number)[-1])
            in_record = _fields(one, other)
        else:
            shorter = a if a.records < b.records else b
            note = _joined(f"{shorter.name} ends after record {shorter.records}", note)
        at = fold_log(a, left, min(number, a.records))
        state = _fields(plain(at), plain(fold_log(b, right, number)))
        games = read_records(a, left.ruleset), read_records(b, right.ruleset)
        differing = tuple(each for each in sections(*games) if not each.is_same)
        texts = _sentence(left, games[0], number), _sentence(right, games[1], number)
        outcomes = _outcome(games[0]), _outcome(games[1])
        return LogDifference(
            a.name, b.name, number, in_record, state, header, note, at.turn, at.phase, texts, differing, outcomes
        )
    except SandtableError as error:
        note = _joined(note, f"the states cannot be compared: {error}")
    return LogDifference(a.name, b.name, number, in_record, state, header, note)


def _of_slices(
    a: Log, b: Log, number: int | None, rulesets: Rulesets, header: tuple[FieldDifference, ...]
) -> LogDifference | None:
    """Return the difference between the records that two files show if at least one is incomplete, otherwise None.

    The chains give the first difference. States are not compared, because an incomplete file does not give a state.
    """
    try:
        ours, theirs = shown_in(a, rulesets), shown_in(b, rulesets)
        if ours is None and theirs is None:
            return None
        note = partial_note(a, b, ours, theirs)
        if number is None:
            return LogDifference(a.name, b.name, None, header=header, note=note)
        whole = [each or _whole(log, rulesets) for each, log in ((ours, a), (theirs, b))]
        note = _joined(note, _version_notes((a, whole[0].prepared), (b, whole[1].prepared)))
    except SandtableError as error:
        return LogDifference(a.name, b.name, number, header=header, note=f"their records cannot be compared: {error}")
    one, other = (each.record(number) for each in whole)
    turn, phase = turn_and_phase(whole[0].records, number)
    texts = tuple(
        _in_words(each.prepared, each.record(number)) if each.record(number) is not None else CLOSED for each in whole
    )
    in_record = _fields(to_builtins(one), to_builtins(other)) if one is not None and other is not None else ()
    differing = tuple(each for each in sections(whole[0].records, whole[1].records) if not each.is_same)
    outcomes = _outcome(whole[0].records), _outcome(whole[1].records)
    return LogDifference(
        a.name, b.name, number, in_record, (), header, note, turn, phase, (texts[0], texts[1]), differing, outcomes
    )


def _whole(log: Log, rulesets: Rulesets) -> OpenPart:
    prepared = prepare_for(log, rulesets, any_version=True)
    return OpenPart(prepared, read_records(log, prepared.ruleset), "", 0)


def _version_notes(*read: tuple[Log, Prepared]) -> str:
    """Return a note on the logs that are read by another version of their rules, or ""."""
    return _joined(*dict.fromkeys(other_version(log, prepared.ruleset) for log, prepared in read))


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _first(a: Log, b: Log) -> int | None:
    for number in range(1, min(a.records, b.records) + 1):
        if parted(a.lines[number])[0] != parted(b.lines[number])[0] and a.text(number) != b.text(number):
            return number
    return None if a.records == b.records else min(a.records, b.records) + 1


def _fields(a: object, b: object) -> tuple[FieldDifference, ...]:
    found = []
    for where, left, right in differences(a, b):
        found.append(FieldDifference(where, left, right))
        if len(found) == MAX_FIELDS:
            break
    return tuple(found)


def _sentence(prepared: Prepared, records: Sequence[Any], number: int) -> str:
    """Return record ``number`` in words: the ruleset's narration, or without one its type and content."""
    if number > len(records):
        return "nothing: the game ends before"
    return _in_words(prepared, records[number - 1])


def _in_words(prepared: Prepared, record: Any) -> str:
    text: str | None = None
    with suppress(SandtableError), fitting("", ""):  # a record that does not fit the game is named by its type
        text = (prepared.installed.ui.narrate or nothing)(record, prepared.board)
    content = getattr(record, "event", None) or getattr(record, "order", None)
    by = f"{record.by}: " if isinstance(record, OrderRecord) else ""
    plain = shortened(json.encode(content).decode(), MAX_SENTENCE) if content is not None else type(record).__name__
    return text or f"{by}{plain}"


def _outcome(records: Sequence[Any]) -> str:
    return records[-1].outcome if records and isinstance(records[-1], CloseRecord) else ""
