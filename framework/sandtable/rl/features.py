"""Observations: what a side sees, as named arrays of fixed shape.

A view is nested data of a ruleset's own: units come and go, names are text. Each of its top fields gets a block of
columns, and all inside it falls into a column of that block by the hash of its path (feature hashing: Weinberger et
al., "Feature Hashing for Large Scale Multitask Learning", 2009): the same path always has the same column, whatever the
process or platform. A number stands at its path, a truth value as 1 or 0, a text as 1 at the path "path=text", a list
of texts as 1 at each "path has text". Where two paths meet in a column their values are added; wider blocks make that
rare.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
MOST = 1 << 24
"""Numbers beyond this, which a 32-bit float still holds exactly, are cut to it."""
SCALAR = 1
TEXT = 32


class ColumnBlock(NamedTuple):
    """The columns of one field: ``width`` of them from ``start`` on."""

    start: int
    width: int


def fields_of(view: Any) -> dict[str, Any]:
    """Return the top fields of a view; what has none is one field, "view"."""
    if isinstance(view, msgspec.Struct):
        return {name: getattr(view, name) for name in view.__struct_fields__}
    return view if isinstance(view, dict) else {"view": view}


_bytes = msgspec.msgpack.Encoder().encode


class Columns:
    """Where the fields of a view stand in an array; laid out by a first view, and the same ever after.

    ``width`` is how many columns a field with parts has; a number has 1, a text TEXT.
    """

    def __init__(self, first: Any, width: int) -> None:
        self.blocks: dict[str, ColumnBlock] = {}
        start = 0
        for name, value in fields_of(first).items():
            size = SCALAR if isinstance(value, bool | int) else TEXT if isinstance(value, str) else width
            self.blocks[name] = ColumnBlock(start, size)
            start += size
        self.rest = ColumnBlock(start, TEXT)
        """For fields that the first view did not have."""
        self.size = start + TEXT
        self._leaves: dict[tuple[str, str], int] = {}
        self._last: dict[str, Any] = {}
        self._flat = np.zeros(self.size, np.float32)
        """The last view, and its fields: from view to view few of them change."""

    def names(self) -> list[str]:
        """Return the name of each column: the field, and which of its columns."""
        blocks = [*self.blocks.items(), ("others", self.rest)]
        return list(
            chain.from_iterable(
                [name] if block.width == SCALAR else [f"{name}[{place}]" for place in range(block.width)]
                for name, block in blocks
            )
        )

    def place(self, path: str) -> int:
        """Return the column of ``path``: field and keys with dots between, "=" or " has " before a text."""
        field = path.split(".", 1)[0].split("=", 1)[0].split(" has ", 1)[0]
        block = self.blocks.get(field, self.rest)
        return block.start + (crc32(path.encode()) % block.width if block.width > SCALAR else 0)

    def flat(self, view: Any) -> Array:
        """Return what ``view`` holds as one array of ``size`` columns: the same array again and again."""
        last, fields = self._last, fields_of(view)
        if last.keys() - fields.keys():  # a view without some of its fields: begin anew
            last.clear()
            self._flat[:] = 0
        for name, value in fields.items():
            known = value if isinstance(value, int | str) else _bytes(value)
            if name in last and last[name] == known:
                continue
            last[name] = known
            block = self.blocks.get(name)
            if block is None:
                self._fill(self.rest, {each: fields[each] for each in fields if each not in self.blocks})
            else:
                self._fill(block, {name: value})
        return self._flat

    def _fill(self, block: ColumnBlock, values: Mapping[str, Any]) -> None:
        part = self._flat[block.start : block.start + block.width]
        part[:] = 0
        for name, value in values.items():
            self._add(self._flat, name, msgspec.to_builtins(value))
        if abs(part).max() > MOST:
            np.clip(part, -MOST, MOST, out=part)

    def parted(self, flat: Array) -> dict[str, Array]:
        """Return the blocks of ``flat`` by the names of their fields."""
        blocks: Mapping[str, ColumnBlock] = {**self.blocks, "others": self.rest}
        return {name: flat[block.start : block.start + block.width] for name, block in blocks.items()}

    def _add(self, found: Array, path: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, each in value.items():
                self._add(found, f"{path}.{key}", each)
        elif isinstance(value, list | tuple):
            for place, each in enumerate(value):
                if isinstance(each, str):
                    found[self._leaf(path, f" has {each}")] += 1
                else:
                    self._add(found, f"{path}.{place}", each)
        elif isinstance(value, str):
            if value:
                found[self._leaf(path, f"={value}")] += 1
        elif value:
            found[self._leaf(path, "")] += value

    def _leaf(self, path: str, end: str) -> int:
        key = (path, end)
        place = self._leaves.get(key)
        if place is None:
            place = self._leaves[key] = self.place(path + end)
        return place


@lru_cache(maxsize=4096)
def hashed(words: str, width: int) -> Array:
    """Return the words of a text as an array, not to be changed: 1 at the column of each word."""
    found = np.zeros(width, np.float32)
    for word in words.replace(":", " ").replace(",", " ").split():
        found[crc32(word.encode()) % width] += 1
    return found
