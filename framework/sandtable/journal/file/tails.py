"""The end of a log that was not written whole: what a power cut leaves of the last write (log format, section 1).

An order is acknowledged when it is on the disk, and all that followed from it. So what a disk may yet lose or mix up is
one write: at most one order, undo or ruling, and the records behind it.
"""

import re
from binascii import hexlify
from hashlib import sha256
from typing import NamedTuple

from sandtable.journal.file.log import UNREADABLE, Log, annex_fits, is_object, parse_log
from sandtable.journal.format.chain import START, link, parted
from sandtable.journal.format.openings import OPENING, Key, commitment_of, commitments_in, key_of

_ANNEX = b'{"kind":"annex"'
_GIVEN = re.compile(rb'^\{"kind":"(?:order|undo|ruling)","n":([0-9]{1,9}),', re.MULTILINE)


class _Whole(NamedTuple):
    """How many bytes and records of a log are whole, and how far it is to the end of a line that does not fit.

    The bytes go to the end of the last record or annex before that line; both are the same where every line fits.
    """

    end: int
    records: int
    wrong: int


def log_without_tail(data: bytes, name: str, beside: bytes = b"") -> Log:
    """Return the log whose bytes are ``data``, its ``torn`` tail being all that the last write left unfinished.

    What is damaged further up, or was altered, is for ``parse_log`` to find, and raises what that raises.
    """
    try:
        whole = _whole(data)
    except UNREADABLE:  # a commitment that is none, chained all the same
        return parse_log(data, name, beside)
    if not whole.end or not _is_lost(whole, data):
        return parse_log(data, name, beside)
    log = parse_log(data[: whole.end], name, beside)
    log.data, log.torn = data, data[whole.end :]
    return log


def _is_lost(whole: _Whole, data: bytes) -> bool:
    """Answer whether what follows on the ``whole`` part of ``data`` is what a disk left of the last write.

    It leaves zeros or rubbish: where every line can be read, one was altered. And where an order stands behind another
    record that is not whole, that one had been on the disk.
    """
    if whole.wrong == whole.end:
        return True
    if all(map(is_object, data[whole.end : whole.wrong].splitlines())):
        return False
    return all(int(number) == whole.records for number in _GIVEN.findall(data, whole.end))


def _whole(data: bytes) -> _Whole:
    """Return how much of a log is whole."""
    head, end, at, count = START, 0, 0, 0
    committed: dict[Key, str] = {}
    waiting: list[bytes] = []
    while (stop := data.find(b"\n", at)) >= 0:
        line, at = data[at:stop], stop + 1
        if line.startswith(OPENING):
            waiting.append(line)
            if count == 1 and committed.get(key_of(line) or (1, "")) == commitment_of(line):
                end = at  # that of the header stands behind it
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
