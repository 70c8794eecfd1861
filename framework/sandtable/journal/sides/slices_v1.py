"""Slices of logs of format 1: another kind of file, with the same chain (log format, section 12)."""

import hashlib
from binascii import hexlify, unhexlify
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from sandtable.errors import LogDamaged, LogError
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.fold import fitting, prepare_for
from sandtable.journal.format.chain import START, link, parted
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.header import Header
from sandtable.journal.format.limits import check_file, check_line
from sandtable.journal.format.version1 import form_of, salt_in
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord
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


def is_slice_v1(data: bytes) -> bool:
    """Return whether ``data`` begins as a slice does."""
    return data.startswith(_SLICE)


def slice_v1(log: Log, records: Sequence[Any], prepared: Prepared, side: str) -> bytes:
    """Return ``log``, which has these ``records``, as ``side`` may see it, as the bytes of a slice file."""
    opened = _opened(records)
    lines = [_header_line(log.header, log.lines[0], side)]
    for record, line in zip(records, log.lines[1:], strict=True):
        with fitting(log.name, f"what {side} sees of record {record.n} cannot be told"):
            seen = _seen(record, prepared, side, opened, is_salted=bool(salt_in(line)))
        if seen is record:
            lines.append(line)
        else:
            lines.append(_stand_in(record.n, seen, line))
    data = b"\n".join([*lines, b""])
    return data + msgspec.json.encode(SliceEnd(hashlib.sha256(data).hexdigest())) + b"\n"


def _opened(records: Sequence[Any]) -> int:
    """Return the number of the last record up to which sealed orders are open."""
    return max((record.n for record in records if isinstance(record, OrderRecord) and record.missing == 1), default=0)


def _seen(record: Any, prepared: Prepared, side: str, opened: int, *, is_salted: bool) -> Any:
    """Return what ``side`` sees of ``record``: itself, a record with less in it, or None."""
    ruleset = prepared.ruleset
    if isinstance(record, OrderRecord):
        own = ruleset.side_of(record.by) == side
        closed = record.secret or (record.missing and record.n > opened)
        return record if own or not closed else None
    if isinstance(record, EventRecord) and is_salted:
        event = ruleset.visible(record.event, side)
        if event is None or event == record.event:
            return None if event is None else record
        return structs.replace(record, event=event)
    if isinstance(record, CloseRecord) and (record.key or ruleset.hidden):
        return structs.replace(record, key="", digest="")
    if isinstance(record, RollRecord) and is_salted:
        return record if record.side == side else None
    return None if is_salted and not isinstance(record, OrderRecord) else record


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


def verify_slice_v1(data: bytes, name: str) -> int:
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


def read_slice_v1(data: bytes, name: str, rulesets: Rulesets) -> tuple[SliceHeader, Prepared, list[Any]]:
    """Return the header of a slice, its ruleset, and the records that its side saw, whole or in part."""
    verify_slice_v1(data, name)
    lines = data.split(b"\n")[:-2]
    try:
        head: SliceHeader = _LINE.decode(lines[0])
        header = msgspec.convert(head.header, Header)
        prepared = prepare_for(Log(name, data, header, lines), rulesets)
        codec = RecordCodec.of(prepared.ruleset)
        whole = form_of(1, prepared.ruleset).whole
        records = []
        for line in lines[1:]:
            if line.startswith(b'{"kind":"redacted"'):
                part = _LINE.decode(line)
                record = {name: value for name, value in part.record.items() if name != "salt"}
                records.append(codec.any.decode(msgspec.json.encode({**record, "n": part.n})))
            elif not line.startswith(b'{"kind":"hidden"'):
                records.append(codec.any.decode(whole(0, line, {})))
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
