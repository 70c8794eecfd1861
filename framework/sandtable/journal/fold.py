"""Rebuilding a state from the events of a log, without running the rules."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from sandtable.errors import DataError, LogClosed, LogDamaged, LogError, RulesetMissing, SandtableError
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.file.reading import private_file
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.header import NO_KEEPER
from sandtable.journal.format.openings import CLOSED, ROOT
from sandtable.kernel.records import WITH_EVENT, RulingRecord, UndoRecord, first_undone
from sandtable.kernel.ruleset import Ruleset, Upcast
from sandtable.kernel.state import State
from sandtable.plugin.importing import VERSION, one_line
from sandtable.plugin.manager import AND, Installed, Prepared, Rulesets
from sandtable.plugin.scenarios import Scenario
from sandtable.quoting import shortened

_EVENT = b'{"kind":"event"'
_BREAKS = (b'{"kind":"undo"', b'{"kind":"ruling"')
_FOLDED = (_EVENT, *_BREAKS)
MERGE = "`sandtable log join` joins the files of one game"


def prepare_for(log: Log, rulesets: Rulesets, *, any_version: bool = False) -> Prepared:
    """Return the ruleset of ``log`` prepared as its header states; with ``any_version`` any version of it is accepted.

    The version that was played is preferred if it is installed next to another one (``hexwar@1``). Raises
    RulesetMissing if the ruleset, that version of it, or the scenario that was played is not installed, LogError if the
    header names options or a scenario that the ruleset does not accept.
    """
    header = log.header
    named = AND.join([header.ruleset, *(each.partition(" ")[0] for each in header.variants)])
    installed = rulesets.load_version(named, header.ruleset_version, header.ruleset_hash)
    here = installed.manifest.version
    if here != header.ruleset_version and not any_version:
        beside = f"{header.ruleset}{VERSION}{header.ruleset_version}"
        raise RulesetMissing(
            f"{log.name}: was played with {header.ruleset} {header.ruleset_version}; installed is {here}: "
            f"install version {header.ruleset_version} to rerun it, or add it next to the other as {shortened(beside)}"
        )
    return prepare_with(log, installed)


def prepare_with(log: Log, installed: Installed) -> Prepared:
    """Return ``installed``, of any version, prepared as the header of ``log`` states.

    Raises RulesetMissing if its variants differ or the scenario that was played is not installed, LogError if its
    header names options or a scenario that the ruleset does not accept.
    """
    try:
        return _prepare_with(log, installed)
    except DataError as error:
        raise LogError(f"{log.name}: its header does not fit {installed.manifest.id}: {error}") from error


def _prepare_with(log: Log, installed: Installed) -> Prepared:
    header = log.header
    if installed.manifest.id != header.ruleset:
        raise RulesetMissing(f"{log.name}: no ruleset has the id {shortened(header.ruleset)!r}")
    if installed.variants != header.variants:
        raise RulesetMissing(
            f"{log.name}: was played with {', '.join(header.variants)}; installed is {', '.join(installed.variants)}"
        )
    scenario: Scenario | None
    if header.scenario_data is not None:
        scenario = installed.scenario_from(header.scenario_data)
    else:
        scenario = installed.edition(header.scenario, header.scenario_hash)
    if scenario is None and header.scenario not in installed.scenario_ids():
        raise RulesetMissing(f"{log.name}: its scenario {header.scenario!r} is not part of the installed ruleset")
    if scenario is None or scenario.digest != header.scenario_hash:
        raise RulesetMissing(
            f"{log.name}: the scenario {header.scenario!r} has changed since: install the {header.ruleset} "
            "that it was played with"
        )
    options = header.options
    if installed.manifest.version != header.ruleset_version:
        known = {option.name: option for option in installed.manifest.options}
        options = {name: value for name, value in options.items() if name in known and known[name].allows(value)}
    prepared = installed.prepare(scenario, options)
    return prepared.apart(prepared.ruleset.viewers) if header.keeper == NO_KEEPER else prepared


def other_version(log: Log, ruleset: Ruleset) -> str:
    """Return a sentence if ``log`` was played with a different version than that of ``ruleset``, otherwise ""."""
    there = log.header.ruleset_version
    if there == ruleset.version:
        return ""
    return f"{log.name}: was played with {ruleset.id} {there}; version {ruleset.version} reads it here"


def steps_from(version: str, ruleset: Ruleset) -> list[Upcast]:
    """Return the upcasts that lead from ``version`` to the version of ``ruleset``, or [] if they do not lead there."""
    steps: list[Upcast] = []
    while version != ruleset.version:
        step = ruleset.upcasts.get(version)
        if step is None or step in steps:
            return []
        steps.append(step)
        version = step.to
    return steps


def reader_of(log: Log, ruleset: Ruleset) -> Callable[[int], bytes]:
    """Return a function that gives a record of ``log``, by its number, as complete JSON that ``ruleset`` can decode."""
    steps = steps_from(log.header.ruleset_version, ruleset)
    if not steps:
        return log.whole
    return lambda number: upcast_line(log.whole(number), steps, log.where(number))


def upcast_line(line: bytes, steps: Sequence[Upcast], where: str) -> bytes:
    """Return a record of an earlier version, upcast by ``steps``; raise RulesetMissing if a step fails."""
    record = msgspec.json.decode(line, type=dict[str, Any])
    kind, number = record.get("kind"), record.get("n")
    for step in steps:
        try:
            record = step.record(record)
            record = {"kind": record.pop("kind"), **record}
        except Exception as error:
            raise RulesetMissing(f"{where}: the upcast to version {step.to} fails: {one_line(error)}") from error
        if (record["kind"], record.get("n")) != (kind, number):
            raise RulesetMissing(f"{where}: the upcast to version {step.to} changes its kind or number")
    return msgspec.json.encode(record)


def bad_record(log: Log, number: int, ruleset: Ruleset, error: Exception) -> SandtableError:
    """Return the error for line ``number``, which is not a record of ``ruleset``; it may be one of another version."""
    if other_version(log, ruleset):
        return RulesetMissing(
            f"{log.where(number)}: is not a record of {ruleset.id} {ruleset.version}, but the log was played with "
            f"{log.header.ruleset_version}: install that, or give the ruleset an upcast: {error}"
        )
    return LogDamaged(f"{log.where(number)}: is not a record of {ruleset.id}: {error}")


def _why_closed(log: Log) -> str:
    """Return why a record may be closed in the file of ``log``, and what to do."""
    kept = private_file(log.name)
    missing = (
        ""
        if log.is_over or kept.exists()
        else f", or {kept.name}, which must be next to it until the game is over, is missing"
    )
    return f"this file holds what one side may see{missing}; {MERGE}"


def read_records(
    log: Log, ruleset: Ruleset, upto: int | None = None, *, closed: Callable[[int], Any] | None = None
) -> list[Any]:
    """Return the first ``upto`` records of ``log``, or all, complete.

    ``closed`` returns what represents a record, by its number, that is not open in this file. Raises LogDamaged, naming
    the line, for an invalid record (RulesetMissing if the log is of another version), and without ``closed`` LogClosed.
    """
    decode = RecordCodec.of(ruleset).any.decode
    whole = reader_of(log, ruleset)
    records = []
    for number in range(1, len(log.lines[: None if upto is None else upto + 1])):
        try:
            try:
                record = decode(whole(number))
            except LogClosed as error:
                if closed is None:
                    raise LogClosed(f"{log.where(number)}: {error}: {_why_closed(log)}") from error
                record = closed(number)
        except UNREADABLE as error:
            raise bad_record(log, number, ruleset, error) from error
        if record.n != number:
            raise LogDamaged(f"{log.where(number)}: is record {record.n}, expected record {number}")
        records.append(record)
    return records


def effective(records: Sequence[Any]) -> list[Any]:
    """Return ``records`` without those that an undo or a ruling took back, and without the undo records."""
    kept: list[Any] = []
    for record in records:
        kind = record.__class__
        if kind is UndoRecord or kind is RulingRecord:
            back = first_undone(record)
            while back and kept and kept[-1].n >= back:
                kept.pop()
            if kind is UndoRecord:
                continue
        kept.append(record)
    return kept


def fold_log(log: Log, prepared: Prepared, upto: int | None = None) -> State:
    """Return the state after record ``upto`` of ``log`` (None: the last), from its events alone.

    Raises LogClosed if an event is not opened in the log, LogDamaged if one does not fit, and RulesetMissing if it does
    not fit another version of the ruleset.
    """
    whole = reader_of(log, prepared.ruleset)
    lines = log.lines[1 : None if upto is None else upto + 1]
    is_plain = log.header.ruleset_version == prepared.ruleset.version
    try:
        if is_plain and ROOT not in log.data:
            chosen = [line for line in lines if line.startswith(_FOLDED)]
        else:
            may_hold = (*_FOLDED, CLOSED)
            found = (whole(number) for number, line in enumerate(lines, start=1) if line.startswith(may_hold))
            chosen = [line for line in found if line.startswith(_FOLDED)]
    except LogClosed as error:
        raise LogClosed(f"{log.name}: {error}: {_why_closed(log)}") from error
    except UNREADABLE as error:
        raise LogDamaged(f"{log.name}: a record does not belong to {prepared.ruleset.id}: {error}") from error
    try:
        return fold_lines(chosen, prepared, log.name)
    except LogDamaged as error:
        note = other_version(log, prepared.ruleset)
        if note:
            raise RulesetMissing(f"{error}: {note}: install that version, or give the ruleset an upcast") from error
        raise


def fold_lines(lines: Sequence[bytes], prepared: Prepared, name: str = "the log") -> State:
    """Return the state that results from the events in ``lines``, each complete.

    Raises LogDamaged if an event is unreadable or does not fit the state.
    """
    ruleset = prepared.ruleset
    state: State = ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    codec = RecordCodec.of(ruleset)
    events: Sequence[Any]
    try:
        if any(line.startswith(_BREAKS) for line in lines):
            records = effective([codec.any.decode(line) for line in lines])
            events = [record for record in records if _happened(record)]
        else:
            events = codec.events.decode(b"[%b]" % b",".join([line for line in lines if line.startswith(_EVENT)]))
    except UNREADABLE as error:
        raise LogDamaged(f"{name}: a record does not belong to {ruleset.id}: {error}") from error
    table = ruleset.table
    record: Any = None
    try:
        for record in events:
            event = record.event
            table[event.__class__].handler(state, event)
    except Exception as error:
        raise _unfit(name, record, error) from error
    return state


class EventUnfit(LogDamaged):
    """An ``event`` in ``record`` does not fit the state before it: the log was altered, or a slice shows too little."""

    def __init__(self, message: str, record: int, event: str) -> None:
        super().__init__(message)
        self.record, self.event = record, event


def fold_steps(records: Sequence[Any], prepared: Prepared, name: str = "the log") -> Iterator[tuple[Any, State]]:
    """Yield each record that was not undone with the state after it; the same state object is updated each time.

    Raises LogDamaged if an event does not fit the state.
    """
    state: State = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    for record in effective(records):
        fold_onto(state, (record,), prepared, name)
        yield record, state


def fold_onto(state: State, records: Iterable[Any], prepared: Prepared, name: str) -> None:
    """Apply the events of ``records``, which all count, to ``state``; raise LogDamaged if one does not fit."""
    table = prepared.ruleset.table
    for record in records:
        if _happened(record):
            try:
                table[record.event.__class__].handler(state, record.event)
            except Exception as error:
                raise _unfit(name, record, error) from error


def _happened(record: Any) -> bool:
    """Return whether ``record`` has an event that happened, by the rules or by a ruling."""
    return isinstance(record, WITH_EVENT) and record.event is not None


def _unfit(name: str, record: Any, error: Exception) -> EventUnfit:
    """Return the error for a failed handler: handlers fit what rules make, but a log may hold anything."""
    event = type(record.event).__name__
    message = f"{name}: record {record.n} does not fit the state before it: {event}: {one_line(error)}"
    return EventUnfit(message, record.n, event)


@contextmanager
def fitting(name: str, what: str) -> Iterator[None]:
    """Raise LogDamaged if a ruleset's own code fails with a state or record of the log ``name``.

    ``what`` describes the failure: "the state after record 7 cannot be drawn".
    """
    try:
        yield
    except SandtableError:
        raise
    except Exception as error:
        hint = "`sandtable verify` shows whether log or ruleset is at fault"
        raise LogDamaged(f"{name}: {what}: {one_line(error)}: {hint}") from error


def plain(state: State) -> Any:
    """Return ``state`` as tables, lists and plain values, for comparison and display."""
    return msgspec.to_builtins(state)
