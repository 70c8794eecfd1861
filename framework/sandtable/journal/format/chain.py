"""The running hash that ties the lines of a log together (log format, section 3)."""

from binascii import hexlify
from collections.abc import Mapping
from hashlib import sha256

CLOSE = b'{"kind":"close"'
"""The beginning of the line that closes a game."""
START = bytes(32)
"""The running hash before the header."""

_MARK = b',"hash":"'
TAIL_LENGTH = len(_MARK) + 64 + len(b'"}')


def link(head: bytes, digest: bytes) -> bytes:
    """Return the running hash after a line with the digest ``digest``: SHA-256(head, digest)."""
    return sha256(head + digest).digest()


def chain(bodies: list[bytes], head: bytes) -> tuple[bytes, bytes]:
    """Return the finished lines of ``bodies`` and the new running hash.

    A body is a JSON object without its last brace; the hash field replaces the brace.
    """
    parts: list[bytes] = []
    add = parts.append
    for body in bodies:
        head = sha256(head + sha256(body).digest()).digest()
        add(b'%b,"hash":"%b"}\n' % (body, hexlify(head)))
    return b"".join(parts), head


def chain_opened(bodies: list[bytes], openings: Mapping[int, Mapping[str, bytes]], head: bytes) -> tuple[bytes, bytes]:
    """Do the same as ``chain``, with openings before the lines of their bodies.

    ``openings`` are keyed by index in ``bodies``. No hash covers them.
    """
    if not openings:
        return chain(bodies, head)
    parts: list[bytes] = []
    for index, body in enumerate(bodies):
        line, head = chain([body], head)
        parts += [opening + b"\n" for opening in openings.get(index, {}).values()]
        parts.append(line)
    return b"".join(parts), head


def bodies_of(lines: bytes) -> list[bytes]:
    """Return the bodies of encoded lines: each without its last brace and line end.

    No JSON string contains a raw line end, so every split is at the end of a line.
    """
    return lines.split(b"}\n")[:-1]


def parted(line: bytes) -> tuple[bytes, bytes] | None:
    """Return the body and hash (64 hex digits) of a line given without line end, or None without a hash field."""
    if line[-TAIL_LENGTH:-66] != _MARK or line[-2:] != b'"}':
        return None
    return line[:-TAIL_LENGTH], line[-66:-2]
