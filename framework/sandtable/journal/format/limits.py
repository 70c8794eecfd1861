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
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
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
    numbers = _LONG_NUMBER.search(data) is not None
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


def check_line(line: bytes, number: int, name: str) -> None:
    """Raise LogError when line ``number`` is too long, too deep, or holds too long a number."""
    check_shape(line, number, name)
    if _LONG_NUMBER.search(line) and _LONG_NUMBER.search(_STRING.sub(b'""', line)):
        raise LogError(
            f"{name}: line {number}: holds a number of more than {MOST_DIGITS} digits: no line of a log does"
        )


def check_shape(line: bytes, number: int, name: str) -> None:
    """Raise LogError when line ``number`` is too long or too deep to be decoded."""
    if len(line) > MOST_LINE:
        raise LogError(f"{name}: line {number}: is longer than {MOST_LINE >> 10} KiB: no line of a log is")
    if line.count(b"[") + line.count(b"{") > MOST_DEPTH and _depth(line) > MOST_DEPTH:
        raise LogError(f"{name}: line {number}: is nested more than {MOST_DEPTH} deep: no line of a log is")


def _depth(line: bytes) -> int:
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub(b'""', line)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
