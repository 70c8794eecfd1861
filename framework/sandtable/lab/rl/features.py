"""Observations: what a side sees, as named arrays of fixed shape.

A view is nested data of a ruleset's own: units come and go, names are text. Each of its top fields gets a block of
columns, and all inside it falls into a column of that block by the hash of its path (feature hashing: Weinberger et
al., "Feature Hashing for Large Scale Multitask Learning", 2009): the same path always has the same column, whatever the
process or platform. A number is at its path, a truth value is 1 or 0, a text is 1 at "path=text". A text in a list is 1
at "path has text", and 1 at its index counted from the column of "path=text": equal texts of one list never share a
column. If two paths share a column their values are added; wider blocks make that rare.
"""

import copy
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np
from msgspec.structs import astuple
from numpy.typing import NDArray

Array = NDArray[np.float32]
MOST = 1 << 24
"""Numbers beyond this, which a 32-bit float still holds exactly, are cut to it."""
SURE = MOST >> 12
"""Numbers up to this, some thousands of them in one column, stay within MOST."""
SCALAR = 1
TEXT = 32
SMALL, MOST_KEPT = 256, 8192
"""Fields of so many bytes are kept as they came out, so many of them."""

PLAIN = frozenset({str, int, bool})
UNSEEN = object()


class ColumnBlock(NamedTuple):
    """The columns of one field: ``width`` of them from ``start`` on."""

    start: int
    width: int


def fields_of(view: Any) -> dict[str, Any]:
    """Return the top fields of a view; what has none is one field, "view"."""
    if isinstance(view, msgspec.Struct):
        return dict(zip(view.__struct_fields__, astuple(view), strict=True))
    return view if isinstance(view, dict) else {"view": view}


_bytes = msgspec.msgpack.Encoder().encode


class Columns:
    """Where the fields of a view stand in an array; laid out by a first view, and the same ever after.

    ``width`` is how many columns a field with parts has; a number has 1, a text TEXT. ``spare`` ones stand behind them.
    """

    def __init__(self, first: Any, width: int, spare: int = 0) -> None:
        self._spare = spare
        self.blocks: dict[str, ColumnBlock] = {}
        start = 0
        for name, value in fields_of(first).items():
            size = SCALAR if isinstance(value, bool | int) else TEXT if isinstance(value, str) else width
            self.blocks[name] = ColumnBlock(start, size)
            start += size
        self.rest = ColumnBlock(start, TEXT)
        """For fields that the first view did not have."""
        self.size = start + TEXT
        self._numbers: dict[str, int] = {}
        self._texts: dict[str, dict[str, int]] = {}
        self._lists: dict[str, dict[str, tuple[int, int, int, int]]] = {}
        """The columns that were found, by path, and by the text at its end: for lists see ``_listed``."""
        self._kept: dict[tuple[str, Any], Array] = {}
        """Small fields as they came out, by name and value."""
        self._begin()

    def _begin(self) -> None:
        self.whole = np.zeros(self.size + self._spare, np.float32)
        """The array of the last view, and columns to spare behind it."""
        self._flat = self.whole[: self.size]
        self._kind: Any = None
        self._plan: list[tuple[str, ColumnBlock | None]] = []
        self._last: list[Any] = []
        """The fields of the last view: from view to view few of them change."""

    def for_another(self) -> "Columns":
        """Return the same for somebody else, who sees views of his own: what was found serves both."""
        twin = copy.copy(self)
        twin._begin()  # noqa: SLF001 - its own kind
        return twin

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
        start, width = self._block(path)
        return start + (crc32(path.encode()) % width if width > SCALAR else 0)

    def _block(self, path: str) -> ColumnBlock:
        field = path.split(".", 1)[0].split("=", 1)[0].split(" has ", 1)[0]
        return self.blocks.get(field, self.rest)

    def flat(self, view: Any) -> Array:
        """Return what ``view`` holds as one array of ``size`` columns: the same array again and again."""
        if view.__class__ is not self._kind:
            self._meet(view)
        last, flat, plan = self._last, self._flat, self._plan
        values = astuple(view) if self._kind is not None else tuple(fields_of(view).values())
        for place, value in enumerate(values):
            kind = value.__class__
            known = value if kind is int or kind is str else _bytes(value)
            if last[place] == known:
                continue
            last[place] = known
            name, block = plan[place]
            if block is None:
                self._fill(self.rest, {each: values[at] for at, (each, other) in enumerate(plan) if other is None})
            elif block.width == SCALAR and kind is int and -MOST <= value <= MOST:
                flat[block.start] = value
            else:
                self._put(name, block, value, known)
        return flat

    def _meet(self, view: Any) -> None:
        """Begin anew with a view of another kind than the last one, or of none in particular."""
        self._kind = view.__class__ if isinstance(view, msgspec.Struct) else None
        names = list(fields_of(view))
        if [name for name, _ in self._plan] != names:
            self._plan = [(name, self.blocks.get(name)) for name in names]
            self._last = [UNSEEN] * len(names)
            self._flat[:] = 0

    def _put(self, name: str, block: ColumnBlock, value: Any, known: Any) -> None:
        """Put a field with parts in its place; small ones that were seen before need no looking into."""
        start, width = block
        kept = self._kept
        key = (name, known)
        found = kept.get(key)
        if found is not None:
            self._flat[start : start + width] = found
            return
        self._fill(block, {name: value})
        if known.__class__ is int or len(known) <= SMALL:
            if len(kept) >= MOST_KEPT:
                kept.clear()
            kept[key] = self._flat[start : start + width].copy()

    def _fill(self, block: ColumnBlock, values: Mapping[str, Any]) -> None:
        flat = self._flat
        flat[block.start : block.start + block.width] = 0
        largest = 0
        for name, value in values.items():
            plain = value if value.__class__ in PLAIN else msgspec.to_builtins(value)
            largest = max(largest, self._add(flat, name, plain))
        if largest > SURE:
            part = flat[block.start : block.start + block.width]
            np.clip(part, -MOST, MOST, out=part)

    def parted(self, flat: Array) -> dict[str, Array]:
        """Return the blocks of ``flat`` by the names of their fields."""
        blocks: Mapping[str, ColumnBlock] = {**self.blocks, "others": self.rest}
        return {name: flat[block.start : block.start + block.width] for name, block in blocks.items()}

    def _add(self, found: Array, path: str, value: Any) -> int:
        """Add what ``value`` holds to ``found``; return the largest number in it."""
        largest = 0
        if isinstance(value, dict):
            for key, each in value.items():
                if each:
                    largest = max(largest, self._add(found, f"{path}.{key}", each))
        elif isinstance(value, list | tuple):
            known = self._lists.setdefault(path, {})
            for place, each in enumerate(value):
                if isinstance(each, str):
                    has, start, first, width = known.get(each) or self._listed(known, path, each)
                    found[has] += 1
                    if each:
                        found[start + (first + place) % width] += 1
                elif each:
                    largest = max(largest, self._add(found, f"{path}.{place}", each))
        elif value:
            return self._add_leaf(found, path, value)
        return largest

    def _add_leaf(self, found: Array, path: str, value: Any) -> int:
        if isinstance(value, str):
            known = self._texts.setdefault(path, {})
            found[known.get(value) or self._learnt(known, path, "=", value)] += 1
            return 0
        found[self._numbers.get(path) or self._learnt(self._numbers, path, "", "", path)] += value
        return abs(int(value))

    def _listed(self, known: dict[str, tuple[int, int, int, int]], path: str, text: str) -> tuple[int, int, int, int]:
        """Return for a text in a list its column, the block of ``path``, and its column in the block at index 0."""
        start, width = self._block(path)
        found = self.place(f"{path} has {text}"), start, self.place(f"{path}={text}") - start, width
        known[text] = found
        return found

    def _learnt(self, known: dict[str, int], path: str, sign: str, text: str, key: str = "") -> int:
        place = known[key or text] = self.place(path + sign + text)
        return place


def hashed(words: str, width: int) -> Array:
    """Return the words of a text as an array, not to be changed: 1 at the column of each word."""
    return in_order((words,), width)


@lru_cache(maxsize=4096)
def in_order(texts: tuple[str, ...], width: int) -> Array:
    """Return the words of several texts as an array, not to be changed; a word of another text is in another column."""
    found = np.zeros(width, np.float32)
    for place, text in enumerate(texts):
        for word in text.replace(":", " ").replace(",", " ").split():
            found[(crc32(word.encode()) + place) % width] += 1
    return found
