"""Where two logs part, and what of the state differs after that."""

from msgspec import Struct, to_builtins

from sandtable.errors import SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import fold_log, plain, prepare_for, read_records
from sandtable.journal.format.chain import parted
from sandtable.journal.verification.rerun import differences
from sandtable.plugin.manager import Rulesets

MOST_FIELDS = 200


class FieldDifference(Struct, frozen=True):
    """One place in which two things differ; the values as JSON text."""

    field: str
    a: str
    b: str


class LogDifference(Struct, frozen=True):
    """How two logs differ.

    ``record`` is the first that differs (0: the header; None: none). ``in_record`` are the fields of that record,
    ``state`` those of the state after it, as far as the rulesets are installed (``note`` tells when not).
    """

    a: str
    b: str
    record: int | None
    in_record: tuple[FieldDifference, ...] = ()
    state: tuple[FieldDifference, ...] = ()
    header: tuple[FieldDifference, ...] = ()
    note: str = ""


def diff_logs(a: Log, b: Log, rulesets: Rulesets) -> LogDifference:
    """Return where the records of ``a`` and ``b`` part; hashes do not count, headers are compared apart."""
    header = _fields(to_builtins(a.header), to_builtins(b.header))
    place = _first(a, b)
    if place is None:
        return LogDifference(a.name, b.name, None, header=header)
    note = ""
    in_record: tuple[FieldDifference, ...] = ()
    state: tuple[FieldDifference, ...] = ()
    try:
        left, right = prepare_for(a, rulesets), prepare_for(b, rulesets)
        if place <= a.records and place <= b.records:
            one = to_builtins(read_records(a, left.ruleset, place)[-1])
            other = to_builtins(read_records(b, right.ruleset, place)[-1])
            in_record = _fields(one, other)
        else:
            shorter = a if a.records < b.records else b
            note = f"{shorter.name} ends after record {shorter.records}"
        state = _fields(plain(fold_log(a, left, place)), plain(fold_log(b, right, place)))
    except SandtableError as error:
        note = f"the states cannot be compared: {error}"
    return LogDifference(a.name, b.name, place, in_record, state, header, note)


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
