"""The unfinished end of a log: what a power cut leaves of the last write (log format, section 1).

An order is acknowledged once it and all its consequences are on disk. A disk can therefore lose or garble only one
write: at most one order, undo, ruling or ending, and the records after it.
"""

import re
from binascii import hexlify
from hashlib import sha256
from typing import NamedTuple

from sandtable.journal.file.log import UNREADABLE, Log, annex_fits, is_object, parse_log
from sandtable.journal.format.chain import START, link, parted
from sandtable.journal.format.openings import OPENING, Key, commitment_of, commitments_in, key_of

_ANNEX = b'{"kind":"annex"'
_GIVEN = re.compile(rb'^\{"kind":"(?:order|undo|ruling|end)","n":([0-9]{1,9}),', re.MULTILINE)


class _Whole(NamedTuple):
    """The intact part of a log.

    ``end`` is the number of bytes up to the end of the last intact record or annex, ``records`` the number of records
    in them. ``wrong`` is the end of the first line that does not fit, or equals ``end`` if every line fits.
    """

    end: int
    records: int
    wrong: int


def log_without_tail(data: bytes, name: str, beside: bytes = b"") -> Log:
    """Return the log whose bytes are ``data``, with the remains of an unfinished last write as its ``torn`` tail.

    Damage before that write, and alterations, raise what ``parse_log`` raises.
    """
    try:
        whole = _whole(data)
    except UNREADABLE:  # an unreadable commitment with a valid hash
        return parse_log(data, name, beside)
    if not whole.end or not _is_lost(whole, data):
        return parse_log(data, name, beside)
    log = parse_log(data[: whole.end], name, beside)
    log.data, log.torn = data, data[whole.end :]
    return log


def _is_lost(whole: _Whole, data: bytes) -> bool:
    """Return whether the data after the ``whole`` part is what a disk left of the last write.

    A disk leaves zeros or garbage: if every line can be read, one was altered. If an order follows a different damaged
    record, that record had already been on disk.
    """
    if whole.wrong == whole.end:
        return True
    if all(map(is_object, data[whole.end : whole.wrong].splitlines())):
        return False
    return all(int(number) == whole.records for number in _GIVEN.findall(data, whole.end))


def _whole(data: bytes) -> _Whole:
    """Return the intact part of a log."""
    head, end, at, count = START, 0, 0, 0
    committed: dict[Key, str] = {}
    waiting: list[bytes] = []
    while (stop := data.find(b"\n", at)) >= 0:
        line, at = data[at:stop], stop + 1
        if line.startswith(OPENING):
            waiting.append(line)
            if count == 1 and committed.get(key_of(line) or (1, "")) == commitment_of(line):
                end = at  # the opening of the header follows the header
            continue
        is_record = not line.startswith(_ANNEX)
        if is_record:
            parts = parted(line)
            if parts is None or hexlify(head := link(head, sha256(parts[0]).digest())) != parts[1]:
                return _Whole(end, count, at)
            committed.update({(count, to): digest for to, digest in commitments_in(line).items()})
        if (not is_record and not annex_fits(line)) or any(
            committed.get(key_of(each) or (-1, "")) != commitment_of(each) for each in waiting
        ):
            return _Whole(end, count, at)
        waiting, end, count = [], at, count + is_record
    return _Whole(end, count, end)
