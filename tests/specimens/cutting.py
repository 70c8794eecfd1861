"""Parts of logs: the chain, the openings beside it, and the content of the file after a given record."""

from pathlib import Path

from sandtable.journal.format.openings import OPENING, key_of

_ASIDE = (b'{"kind":"annex"', OPENING)


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


def cut_after(data: bytes, records: int) -> bytes:
    """Return the log after ``records`` records: with their openings, each before its record, and without annexes."""
    first, *lines = chain_in(data)
    opened: dict[int, list[bytes]] = {}
    for line in openings_in(data):
        key = key_of(line)
        assert key is not None
        opened.setdefault(key[0], []).append(line)
    kept = [first, *opened.get(0, [])]
    for number, line in enumerate(lines[:records], start=1):
        kept += [*opened.get(number, []), line]
    return b"".join(kept)
