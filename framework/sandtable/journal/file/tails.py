"""The unfinished end of a log: what a power cut leaves of the last write (log format, section 1).

An order is acknowledged once it and all its consequences are on disk. A disk can therefore lose or garble only one
write: at most one order, undo, ruling, ending or record of shared dice, and the records after it. A ruling that
replaces an order is written together with the new order.
"""

import re
from binascii import hexlify
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from sandtable.journal.file.annexes import ANNEX, annex_fits
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.file.reading import is_object, parse_log
from sandtable.journal.format.chain import START, parted
from sandtable.journal.format.openings import OPENING, Commitment, commitment_in, key_of, root_of

_GIVEN = re.compile(
    rb'^\{"kind":"(?:order|undo|ruling|end|shares|burnt|chain|standing)","n":([0-9]{1,9}),', re.MULTILINE
)
_RULING = re.compile(rb'^\{"kind":"ruling"|"amends":[1-9]', re.MULTILINE)
"""The remains of the line of a ruling that replaces an order."""


class _Whole(NamedTuple):
    """The intact part of a log.

    ``end`` is the number of bytes up to the end of the last intact record or annex. ``records`` is the number of the
    record after it, because the header counts as record 0. ``wrong`` is the end of the first line that does not fit, or
    equals ``end`` if every line fits.
    """

    end: int
    records: int
    wrong: int


def log_without_tail(data: bytes, name: str, beside: bytes = b"") -> Log:
    """Return the log whose bytes are ``data``, with the remains of an unfinished last write as its ``torn`` tail.

    Damage before that write, and alterations, are noted or raised as in ``parse_log``.
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
    record, that record had already been on disk, unless its remains show that it is the ruling that replaced an order
    and was written together with the new one.
    """
    if whole.wrong == whole.end:
        return True
    if all(map(is_object, data[whole.end : whole.wrong].splitlines())):
        return False
    later = [each for each in _GIVEN.finditer(data, whole.end) if int(each[1]) != whole.records]
    if not later:
        return True
    is_next = len(later) == 1 and later[0][0] == b'{"kind":"order","n":%d,' % (whole.records + 1)
    return is_next and _RULING.search(data, whole.end, later[0].start()) is not None


def _whole(data: bytes) -> _Whole:
    """Return the intact part of a log; raise ValueError for a commitment under a valid hash that cannot be read."""
    whole = _Whole(0, 0, 0)
    at, number = 0, 0
    stretch, is_open = sha256(START), False
    roots: dict[int, str] = {}
    waiting: list[bytes] = []
    unreadable = False
    while (stop := data.find(b"\n", at)) >= 0:
        line, at = data[at:stop], stop + 1
        if line.startswith(OPENING):
            waiting.append(line)
            if whole.records == 1 and not is_open and roots.get(0) == root_of(line):
                whole = _Whole(at, 1, at)  # the opening of the header follows the header
            continue
        if line.startswith(ANNEX):
            if not annex_fits(line):
                return whole._replace(wrong=at)
            if not is_open:
                whole = _Whole(at, whole.records, at)
            continue
        found = _commitment(line)
        unreadable = unreadable or found is None
        roots[number] = found.root if found else ""
        number = max(number, found.last if found else 0) + 1
        body, stored = parted(line)
        stretch.update(body)
        is_open = not stored
        if is_open:
            stretch.update(line[-1:] + b"\n")
            continue
        if hexlify(head := stretch.digest()) != stored or not all(_fits(each, roots) for each in waiting):
            return whole._replace(wrong=at)
        if unreadable:
            raise ValueError("a commitment under a valid hash cannot be read")
        stretch, waiting = sha256(head), []
        whole = _Whole(at, number, at)
    return whole


def _commitment(line: bytes) -> Commitment | None:
    """Return the commitment in a line, or None if it cannot be read."""
    try:
        return commitment_in(line)
    except UNREADABLE:
        return None


def _fits(opening: bytes, roots: Mapping[int, str]) -> bool:
    key = key_of(opening)
    return key is not None and roots.get(key[0], "") == root_of(opening) != ""
