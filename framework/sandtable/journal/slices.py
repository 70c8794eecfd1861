"""A log cut down to what one side may see, with the same chain (log format, section 8)."""

import hashlib
from binascii import hexlify, unhexlify
from typing import Any

import msgspec
from msgspec import Struct, structs

from sandtable.errors import LogDamaged, LogError, PlayError
from sandtable.journal.fold import fitting, prepare_for, read_records
from sandtable.journal.format.chain import START, link, parted
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.file import UNREADABLE, Log
from sandtable.journal.format.header import Header, person_plays
from sandtable.journal.format.limits import check_file, check_line
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.manager import Prepared, Rulesets

_SLICE = b'{"kind":"slice"'


class SliceHeader(Struct, frozen=True, tag="slice", tag_field="kind", omit_defaults=True, forbid_unknown_fields=True):
    """The first line of a slice: the log's header without key and salts, and the digest of the header's own line."""

    side: str
    header: dict[str, Any]
    digest: str
    hash: str = ""


class Hidden(Struct, frozen=True, tag="hidden", tag_field="kind", omit_defaults=True, forbid_unknown_fields=True):
    """A record that the side may not see: only the digest of its line."""

    n: int
    digest: str
    hash: str = ""


class Redacted(Struct, frozen=True, tag="redacted", tag_field="kind", omit_defaults=True, forbid_unknown_fields=True):
    """A record that the side sees in part: ``record`` is that part, the digest that of the whole line."""

    n: int
    record: dict[str, Any]
    digest: str
    hash: str = ""


class SliceEnd(Struct, frozen=True, tag="end", tag_field="kind", forbid_unknown_fields=True):
    """The last line of a slice: the SHA-256 of all bytes before it, for what the chain does not cover."""

    digest: str


_LINE: msgspec.json.Decoder[Any] = msgspec.json.Decoder(SliceHeader | Hidden | Redacted)


def is_slice(data: bytes) -> bool:
    """Return whether ``data`` begins as a slice does."""
    return data.startswith(_SLICE)


def slice_log(log: Log, prepared: Prepared, side: str) -> bytes:
    """Return ``log`` as ``side`` may see it, as the bytes of a slice file.

    Raises PlayError when there is no such side, LogError when the log is damaged.
    """
    ruleset = prepared.ruleset
    if side not in ruleset.viewers:
        raise PlayError(f"{ruleset.id} has no side {side!r}: choose {' or '.join(ruleset.viewers)}")
    if log.broken is not None:
        raise LogDamaged(f"{log.where(log.broken)}: was altered: only a whole log can be cut down")
    records = read_records(log, ruleset)
    opened = _opened(records)
    lines = [_header_line(log.header, log.lines[0], side)]
    for record, line in zip(records, log.lines[1:], strict=True):
        with fitting(log.name, f"what {side} sees of record {record.n} cannot be told"):
            seen = _seen(record, prepared, side, opened)
        if seen is record:
            lines.append(line)
        else:
            lines.append(_stand_in(record.n, seen, line))
    data = b"\n".join([*lines, b""])
    return data + msgspec.json.encode(SliceEnd(hashlib.sha256(data).hexdigest())) + b"\n"


def may_be_guessed(header: Header, ruleset: Ruleset) -> bool:
    """Return whether salts may follow from a seed: who guesses that opens all that a slice of the log hides.

    Where a person plays they are random: by the key with hidden dice, by ``salts`` with open ones.
    """
    random = header.salts if header.dice == "open" else person_plays(ruleset, header.players)
    return ruleset.hidden and not random


def seen_records(records: list[Any], prepared: Prepared, side: str) -> list[Any]:
    """Return ``records`` as ``side`` sees them: hidden ones left out, others whole or in part."""
    opened = _opened(records)
    found = []
    for record in records:
        seen = _seen(record, prepared, side, opened)
        if seen is not None:
            found.append(seen)
    return found


def _opened(records: list[Any]) -> int:
    """Return the number of the last record up to which sealed orders are open."""
    return max((record.n for record in records if isinstance(record, OrderRecord) and record.missing == 1), default=0)


def _seen(record: Any, prepared: Prepared, side: str, opened: int) -> Any:
    """Return what ``side`` sees of ``record``: itself, a record with less in it, or None."""
    ruleset = prepared.ruleset
    if isinstance(record, OrderRecord):
        own = ruleset.side_of(record.by) == side
        closed = record.secret or (record.missing and record.n > opened)
        return record if own or not closed else None
    if isinstance(record, EventRecord) and record.salt:
        event = ruleset.visible(record.event, side)
        if event is None or event == record.event:
            return None if event is None else record
        return structs.replace(record, event=event, salt="")
    if isinstance(record, CloseRecord) and (record.key or ruleset.hidden):
        return structs.replace(record, key="", digest="")
    if isinstance(record, RollRecord) and record.salt:
        return record if record.side == side else None
    if getattr(record, "salt", "") and not isinstance(record, EventRecord):
        return None
    return record


def _stand_in(number: int, seen: Any, line: bytes) -> bytes:
    body, told = parted(line) or (line, b"")
    digest = hashlib.sha256(body).hexdigest()
    if seen is None:
        return msgspec.json.encode(Hidden(number, digest, told.decode()))
    record = {key: value for key, value in msgspec.to_builtins(seen).items() if key not in {"n", "hash"}}
    return msgspec.json.encode(Redacted(number, record, digest, told.decode()))


def _header_line(header: Header, line: bytes, side: str) -> bytes:
    body, told = parted(line) or (line, b"")
    facts = msgspec.to_builtins(structs.replace(header, key="", salts="", hash=""))
    return msgspec.json.encode(SliceHeader(side, facts, hashlib.sha256(body).hexdigest(), told.decode()))


def verify_slice(data: bytes, name: str) -> int:
    """Return the number of records of a slice whose chain is whole; raises LogDamaged where it breaks."""
    check_file(data, name)
    *lines, end, torn = [b"", *data.split(b"\n")]
    body = data[: len(data) - len(end) - 1]
    if torn or end != msgspec.json.encode(SliceEnd(hashlib.sha256(body).hexdigest())):
        raise LogDamaged(f"{name}: was altered or cut off: its last line does not fit the text before it")
    lines = lines[1:]
    head = START
    for number, line in enumerate(lines, start=1):
        check_line(line, number, name)
        digest, told = _line_digest(line, number, name)
        head = link(head, digest)
        if hexlify(head) != told:
            raise LogDamaged(f"{name}: line {number}: was altered: its hash does not fit its text")
    return len(lines) - 1


def read_slice(data: bytes, name: str, rulesets: Rulesets) -> tuple[SliceHeader, Prepared, list[Any]]:
    """Return the header of a slice, its ruleset, and the records that its side saw, whole or in part."""
    verify_slice(data, name)
    lines = data.split(b"\n")[:-2]
    try:
        head: SliceHeader = _LINE.decode(lines[0])
        header = msgspec.convert(head.header, Header)
        prepared = prepare_for(Log(name, data, header, lines), rulesets)
        codec = RecordCodec.of(prepared.ruleset)
        records = []
        for line in lines[1:]:
            if line.startswith(b'{"kind":"redacted"'):
                part = _LINE.decode(line)
                records.append(codec.any.decode(msgspec.json.encode({**part.record, "n": part.n})))
            elif not line.startswith(b'{"kind":"hidden"'):
                records.append(codec.any.decode(line))
    except UNREADABLE as error:
        raise LogError(f"{name}: cannot be read as a slice: {error}") from error
    return head, prepared, records


def _line_digest(line: bytes, number: int, name: str) -> tuple[bytes, bytes]:
    parts = parted(line)
    if parts is None:
        raise LogDamaged(f"{name}: line {number}: has no hash")
    if not line.startswith((_SLICE, b'{"kind":"hidden"', b'{"kind":"redacted"')):
        return hashlib.sha256(parts[0]).digest(), parts[1]
    try:
        stand_in = _LINE.decode(line)
        if msgspec.json.encode(stand_in) != line:
            raise LogDamaged(f"{name}: line {number}: is not written as this format writes it")
        return unhexlify(stand_in.digest), parts[1]
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise LogError(f"{name}: line {number}: cannot be read: {error}") from error
