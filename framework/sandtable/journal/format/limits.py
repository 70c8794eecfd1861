"""Limits that are checked before foreign bytes are decoded (log format, section 7)."""

import re
from collections.abc import Iterator, Sequence

from sandtable.errors import LogDamaged, LogError
from sandtable.journal.format.chain import Kinds
from sandtable.kernel.play.rewind import MAX_SETTINGS, MAX_UNDOS

MAX_FILE = 64 << 20
MAX_LINES = 1_000_000
MAX_LINE = 1 << 20
MAX_DEPTH = 32
MAX_DIGITS = 19
MAX_STANDING = 1_000

_SETTING = b'"event":{"type":"OptionSet"'
_UNDO = b'{"kind":"undo"'
_OTHERS = Kinds.of(
    [
        b'{"kind":"%b"' % kind
        for kind in b"header order event roll claim seal end shares burnt chain hand key closed opening annex".split()
    ]
)
"""Kinds of lines that neither take back orders nor set options, and are not standing orders."""
_STANDING = b'{"kind":"standing"'
_LONG_NUMBER = re.compile(rb"(?<=[:,\[\-])[0-9]{%d}" % (MAX_DIGITS + 1))
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""A JSON string. If it is never closed it ends with the line: a search from each quote would be quadratic."""
_ANY_DIGIT = bytes(0x30 if 0x30 <= each <= 0x39 else each for each in range(256))
_DIGITS_IN_A_ROW = b"0" * (MAX_DIGITS + 1)
_BRACKET = re.compile(rb"[\[\]{}]")


def check_size(data: bytes, name: str) -> None:
    """Raise LogError if ``data`` has more bytes or lines than a log may have.

    Lines are counted before they are split: each becomes a separate object, so a file of line ends would take many
    times its size in memory.
    """
    if len(data) > MAX_FILE:
        raise LogError(f"{name}: the file is larger than {MAX_FILE >> 20} MiB, the limit for a log")
    if len(data) > MAX_LINES and data.count(b"\n") > MAX_LINES:
        raise LogError(f"{name}: the file has more than {MAX_LINES:,} lines, the limit for a log")


def check_file(data: bytes, name: str) -> None:
    """Raise LogError if ``data`` as a whole cannot be a log: empty, too large, or with altered line ends.

    A byte order mark and CRLF, which raise LogDamaged, come from a mail program or an editor.
    """
    if not data:
        raise LogError(f"{name}: the file is empty: it holds no game")
    check_size(data, name)
    if data.startswith(b"\xef\xbb\xbf"):
        raise LogDamaged(f"{name}: line 1: starts with a byte order mark: save it as plain UTF-8, or get it again")
    if (end := data.find(b"\r")) >= 0:
        line = data.count(b"\n", 0, end) + 1
        raise LogDamaged(f"{name}: line {line}: line ends were changed to CRLF: get the file again, zipped")


def check_rewinds(lines: Sequence[bytes], kinds: Kinds, name: str) -> None:
    """Raise LogError if ``lines``, of these ``kinds``, have too many undos, set options or standing orders.

    Each of them makes a reader do more work.
    """
    if kinds <= _OTHERS:
        return
    if sum(line.startswith(_UNDO) for line in lines) > MAX_UNDOS:
        raise LogError(f"{name}: the file has more than {MAX_UNDOS:,} undo records, the limit for a log")
    if sum(line.count(_SETTING) for line in lines) > MAX_SETTINGS:
        raise LogError(f"{name}: the file has more than {MAX_SETTINGS} rulings that set an option, the limit for a log")
    if sum(line.startswith(_STANDING) for line in lines) > MAX_STANDING:
        raise LogError(f"{name}: the file has more than {MAX_STANDING:,} standing orders, the limit for a log")


def check_lines(data: bytes, name: str) -> None:
    """Raise LogError if a line of ``data`` is too long, too deeply nested, or holds a number with too many digits."""
    numbers = has_long_number(data)
    for number, line in enumerate(_lines(data), start=1):
        if numbers or len(line) > MAX_LINE or line.count(b"[") + line.count(b"{") > MAX_DEPTH:
            check_line(line, number, name)


def _lines(data: bytes) -> Iterator[bytes]:
    """Yield the lines of ``data`` one at a time; splitting all at once would double the memory."""
    start = 0
    while (end := data.find(b"\n", start)) >= 0:
        yield data[start:end]
        start = end + 1
    yield data[start:]


def has_long_number(data: bytes) -> bool:
    """Return whether ``data`` contains more than MAX_DIGITS digits in a row; a tenth of the cost of the pattern."""
    return _DIGITS_IN_A_ROW in data.translate(_ANY_DIGIT)


def check_line(line: bytes, number: int, name: str) -> None:
    """Raise LogError if line ``number`` is too long, too deeply nested, or holds a number with too many digits."""
    check_shape(line, number, name)
    if has_long_number(line) and _LONG_NUMBER.search(line) and _LONG_NUMBER.search(_STRING.sub(b'""', line)):
        raise LogError(f"{name}: line {number}: holds a number of more than {MAX_DIGITS} digits, the limit for a log")


def check_shape(line: bytes, number: int, name: str) -> None:
    """Raise LogError if line ``number`` is too long or too deeply nested to be decoded."""
    if len(line) > MAX_LINE:
        raise LogError(f"{name}: line {number}: is longer than {MAX_LINE >> 10} KiB, the limit for a line of a log")
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH and _depth(line) > MAX_DEPTH:
        raise LogError(f"{name}: line {number}: is nested more than {MAX_DEPTH} deep, the limit for a line of a log")


_BUT_BRACKETS_AND_QUOTES = bytes(each for each in range(256) if each not in b'[]{}"')


def _is_flat(line: bytes) -> bool:
    """Return whether removing pairs of brackets shows that ``line`` is not too deep; False proves nothing.

    Without a backslash, a bracket is in a string if the number of quotation marks before it is odd. Then not all runs
    of quotation marks between brackets have an even length.
    """
    brackets = line.translate(None, _BUT_BRACKETS_AND_QUOTES)
    if b"\\" in line or brackets.count(b'"') != 2 * brackets.count(b'""'):
        return False
    brackets = brackets.translate(None, b'"')
    for left in range(MAX_DEPTH - 2, -1, -2):  # each pass removes at most one level of either kind
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
        if brackets.count(b"[") + brackets.count(b"{") <= left:
            return True
    return False


def _depth(line: bytes) -> int:
    if _is_flat(line):
        return 0
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub(b'""', line)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
