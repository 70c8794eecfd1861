"""The running hash that ties the lines of a log together (log format, section 3)."""

from binascii import hexlify
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from operator import itemgetter

CLOSE = b'{"kind":"close"'
"""The beginning of the line that closes a game."""
START = bytes(32)
"""The running hash before the header."""

_KINDS = (b"order", b"undo", b"ruling", b"end", b"shares", b"burnt", b"chain", b"hand", b"key", b"standing")
_FROM_OUTSIDE = tuple(b'{"kind":"%b"' % kind for kind in _KINDS)
"""The beginnings of records that do not follow from the rules. A stretch ends before each of them."""
_HEADER = b'{"kind":"header"'
"""The beginning of the header, which is a stretch alone."""
_PREFIX = len(b'{"kind":"key"')
"""Length of the shortest beginning of a line that shows its kind."""
_prefix = itemgetter(slice(_PREFIX))
MARK = b',"hash":"'
"""The beginning of the hash field, after the body of a line."""
TAIL_LENGTH = len(MARK) + 64 + len(b'"}')


def chain(
    bodies: Sequence[bytes], head: bytes, openings: Mapping[int, Sequence[bytes]] | None = None
) -> tuple[bytes, bytes]:
    """Return the finished lines of ``bodies`` and the new running hash.

    A body is a JSON object without its last brace. The last body of each stretch gets the hash. ``openings`` are keyed
    by index in ``bodies``; they are written before the stretch of their body, and no hash covers them.
    """
    parts: list[bytes] = []
    for start, end in stretches(bodies):
        stretch = b"}\n".join(bodies[start:end])
        head = sha256(head + stretch).digest()
        if openings:
            parts += [opening + b"\n" for index in range(start, end) for opening in openings.get(index, ())]
        parts.append(b'%b,"hash":"%b"}\n' % (stretch, hexlify(head)))
    return b"".join(parts), head


def with_openings(lines: Sequence[bytes], openings: Mapping[int, Sequence[bytes]]) -> list[bytes]:
    """Return the finished ``lines``, the header first, with ``openings`` where ``chain`` writes them.

    ``openings`` are keyed by index in ``lines``. Openings of the header follow it.
    """
    found: list[bytes] = []
    for start, end in stretches(lines):
        after = [each for index in range(start, end) for each in openings.get(index, ())]
        found += [*lines[start:end], *after] if start == 0 else [*after, *lines[start:end]]
    return found


def stretches(bodies: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Yield the first index of each stretch of bodies, or of finished lines, and the index after its last.

    The running hash is stored in the last line of each stretch, and in no other.
    """
    start = 0
    if bodies and bodies[0].startswith(_HEADER):
        yield 0, 1
        start = 1
    for index in range(start + 1, len(bodies)):
        if bodies[index].startswith(_FROM_OUTSIDE):
            yield start, index
            start = index
    if start < len(bodies):
        yield start, len(bodies)


class Kinds(frozenset[bytes]):
    """The kinds of the lines of a log, without its close: one look at each line instead of a search for each kind."""

    @classmethod
    def of(cls, lines: Sequence[bytes]) -> "Kinds":
        """Return the kinds of ``lines``."""
        inner = lines[:-1] if lines and lines[-1].startswith(CLOSE) else lines
        return cls(map(_prefix, inner))

    def may_have(self, kind: bytes) -> bool:
        """Return whether a line may begin with ``kind``; only the first letters are compared. False is certain."""
        return kind[:_PREFIX] in self


def bodies_of(lines: bytes) -> list[bytes]:
    """Return the bodies of encoded lines: each without its last brace and line end.

    No JSON string contains a raw line end, so every split is at the end of a line.
    """
    return lines.split(b"}\n")[:-1]


def parted(line: bytes) -> tuple[bytes, bytes]:
    """Return the body of a line given without line end, and its hash (64 hex digits), or b"" without one."""
    if line[-TAIL_LENGTH:-66] == MARK and line[-2:] == b'"}':
        return line[:-TAIL_LENGTH], line[-66:-2]
    return line[:-1], b""
