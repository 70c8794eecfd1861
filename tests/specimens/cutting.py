"""Parts of logs: the chain, the openings beside it, and the content of the file after a given record."""

from pathlib import Path
from typing import Any

import msgspec

from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.openings import OPENING, key_of, leaf_of, opening_line

_ASIDE = (b'{"kind":"annex"', OPENING)


def opening_of(number: int, to: str, shown: dict[str, Any], salt: str = "0" * 32) -> bytes:
    """Return an opening that shows ``shown`` (``part`` or ``records``): the umpire's, or of the first of two sides.

    All other leaves have the hash 0.
    """
    content = msgspec.json.encode(shown)[1:-1]
    at = None if to == "umpire" else 0
    leaf = leaf_of(number, to, at, salt, b"," + content if content else b"")
    return opening_line(leaf, bytes(32 if at is None else 64))


def chain_in(data: bytes) -> list[bytes]:
    """Return the lines of header and records, with their line ends."""
    return [line for line in data.splitlines(keepends=True) if not line.startswith(_ASIDE)]


def openings_in(data: bytes) -> list[bytes]:
    """Return the openings, sorted, with their line ends."""
    return sorted(line for line in data.splitlines(keepends=True) if line.startswith(OPENING))


def parts_of_file(path: str | Path) -> tuple[list[bytes], list[bytes]]:
    """Return chain and openings of the log in a file."""
    data = Path(path).read_bytes()
    return chain_in(data), openings_in(data)


def writes_in(data: bytes) -> list[bytes]:
    """Return what a writer wrote at once: the header with its opening, then stretches with the openings before them.

    Annexes at the end belong to the last write.
    """
    found: list[bytes] = []
    part: list[bytes] = []
    for line in data.splitlines(keepends=True):
        part.append(line)
        if line.startswith(OPENING) and (key_of(line) or (1, ""))[0] == 0:
            found[-1] += b"".join(part)
            part = []
        elif not line.startswith(_ASIDE) and b',"hash":"' in line:
            found.append(b"".join(part))
            part = []
    rest = b"".join(part)
    return [*found, rest] if chain_in(rest) else [*found[:-1], found[-1] + rest]


def first_writes(data: bytes, count: int) -> bytes:
    """Return what a log held after its first ``count`` writes."""
    return b"".join(writes_in(data)[:count])


def first_half(data: bytes) -> bytes:
    """Return what a log held after half of its writes."""
    return first_writes(data, len(writes_in(data)) // 2)


def within(data: bytes, lines: int) -> bytes:
    """Return the whole writes of a log that are within its first ``lines`` lines; at least the header."""
    found = b""
    for write in writes_in(data):
        if found and (found + write).count(b"\n") > lines:
            break
        found += write
    return found


def questions_in(data: bytes) -> list[int]:
    """Return the numbers of the records (0: the header) after which a log waited for an order, and of the last."""
    lines = [msgspec.json.decode(line) for line in chain_in(data) if b',"hash":"' in line]
    return [line.get("last", line.get("n", 0)) for line in lines]


def asked_by(data: bytes, records: int) -> bytes:
    """Return the log at its last question within its first ``records`` records."""
    return cut_after(data, max(number for number in questions_in(data) if number <= records))


def cut_after(data: bytes, records: int) -> bytes:
    """Return the log after ``records`` records and the closed step that holds the last of them, without annexes.

    Each opening is before its record, and the last line has a running hash, as if the game waited for an order there.
    """
    bodies = [parted(line[:-1])[0] for line in chain_in(data)]
    numbers = [0, *(msgspec.json.decode(body + b"}")["n"] for body in bodies[1:])]
    openings: dict[int, list[bytes]] = {}
    for line in openings_in(data):
        key = key_of(line)
        assert key is not None
        if key[0] <= records:
            openings.setdefault(max(1, numbers.index(key[0])), []).append(line[:-1])
    kept = bodies[: sum(number <= records for number in numbers)]
    lines = chain(kept, START, openings)[0]
    return lines + b"".join(line + b"\n" for line in openings.get(1, ()) if len(kept) == 1)
