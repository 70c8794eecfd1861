"""What is checked of foreign bytes before anything decodes them (log format, section 7)."""

import re
from collections.abc import Iterator

from sandtable.errors import LogDamaged, LogError

MOST_FILE = 64 << 20
MOST_LINES = 1_000_000
MOST_LINE = 1 << 20
MOST_DEPTH = 32
MOST_DIGITS = 19

_LONG_NUMBER = re.compile(rb"(?<=[:,\[\-])[0-9]{%d}" % (MOST_DIGITS + 1))
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""A string of JSON. One that is never closed ends with the line: a search from each of its marks would be quadratic."""
_ANY_DIGIT = bytes(0x30 if 0x30 <= each <= 0x39 else each for each in range(256))
_DIGITS_IN_A_ROW = b"0" * (MOST_DIGITS + 1)
_BRACKET = re.compile(rb"[\[\]{}]")


def check_size(data: bytes, name: str) -> None:
    """Raise LogError when ``data`` has more bytes, or more lines, than a log.

    Lines are counted before anything splits them: each becomes an object of its own, and a file of line ends a million
    times its size.
    """
    if len(data) > MOST_FILE:
        raise LogError(f"{name}: the file is larger than {MOST_FILE >> 20} MiB: no log is")
    if data.count(b"\n") > MOST_LINES:
        raise LogError(f"{name}: the file has more than {MOST_LINES:,} lines: no log has")


def check_file(data: bytes, name: str) -> None:
    """Raise LogError when ``data`` cannot be a log as a whole: empty, too large, or changed by a mail program."""
    if not data:
        raise LogError(f"{name}: the file is empty: it holds no game")
    check_size(data, name)
    if data.startswith(b"\xef\xbb\xbf"):
        raise LogDamaged(f"{name}: line 1: begins with a byte order mark: save it as plain UTF-8, or get it sent again")
    if b"\r" in data:
        line = data.count(b"\n", 0, data.index(b"\r")) + 1
        raise LogDamaged(f"{name}: line {line}: line ends were changed to CRLF: get the file sent again, zipped")


def check_lines(data: bytes, name: str) -> None:
    """Raise LogError when a line of ``data`` is too long, too deep, or holds too long a number."""
    numbers = has_long_number(data)
    for number, line in enumerate(_lines(data), start=1):
        if numbers or len(line) > MOST_LINE or line.count(b"[") + line.count(b"{") > MOST_DEPTH:
            check_line(line, number, name)


def _lines(data: bytes) -> Iterator[bytes]:
    """Yield the lines of ``data`` one by one: all of them at once take as much room again."""
    start = 0
    while (end := data.find(b"\n", start)) >= 0:
        yield data[start:end]
        start = end + 1
    yield data[start:]


def has_long_number(data: bytes) -> bool:
    """Tell whether so many digits stand in a row in ``data``: a tenth of what the pattern costs."""
    return _DIGITS_IN_A_ROW in data.translate(_ANY_DIGIT)


def check_line(line: bytes, number: int, name: str) -> None:
    """Raise LogError when line ``number`` is too long, too deep, or holds too long a number."""
    check_shape(line, number, name)
    if has_long_number(line) and _LONG_NUMBER.search(line) and _LONG_NUMBER.search(_STRING.sub(b'""', line)):
        raise LogError(
            f"{name}: line {number}: holds a number of more than {MOST_DIGITS} digits: no line of a log does"
        )


def check_shape(line: bytes, number: int, name: str) -> None:
    """Raise LogError when line ``number`` is too long or too deep to be decoded."""
    if len(line) > MOST_LINE:
        raise LogError(f"{name}: line {number}: is longer than {MOST_LINE >> 10} KiB: no line of a log is")
    if line.count(b"[") + line.count(b"{") > MOST_DEPTH and _depth(line) > MOST_DEPTH:
        raise LogError(f"{name}: line {number}: is nested more than {MOST_DEPTH} deep: no line of a log is")


_BUT_BRACKETS = bytes(each for each in range(256) if each not in b"[]{}")


def _is_flat(line: bytes) -> bool:
    """Tell whether the brackets of ``line``, taken off pair by pair, are soon gone; False says nothing.

    Without a backslash each second part between quotation marks stands outside all strings.
    """
    if b"\\" in line:
        return False
    brackets = b"".join(line.split(b'"')[::2]).translate(None, _BUT_BRACKETS)
    for _ in range(MOST_DEPTH // 2):  # each time one level of either kind
        if not brackets:
            return True
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    return not brackets


def _depth(line: bytes) -> int:
    if _is_flat(line):
        return 0
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub(b'""', line)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
