"""Observations: a side's view as named arrays of fixed shape.

A view is nested data of the ruleset: units come and go, and names are text. Each of its top-level fields gets a block
of columns. Everything inside goes into a column of that block by the hash of its path (feature hashing: Weinberger et
al., "Feature Hashing for Large Scale Multitask Learning", 2009). The same path always has the same column, in any
process and on any platform. A number is stored at its path, a boolean as 1 or 0, a text as 1 at "path=text". A text in
a list is stored as 1 at "path has text", and as 1 at its index counted from the column of "path=text", so equal texts
of one list never share a column. If two paths share a column their values are added; wider blocks make that rare.
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
"""Largest number stored, which a 32-bit float holds exactly. Larger numbers are clipped to it."""
SURE = MOST >> 12
"""Largest number of which thousands can share one column and still stay within MOST."""
SCALAR = 1
TEXT = 32
SMALL, MAX_KEPT = 256, 8192
"""Maximum bytes of a field whose columns are cached, and maximum number of cached fields."""

PLAIN = frozenset({str, int, bool})
UNSEEN = object()


class ColumnBlock(NamedTuple):
    """The columns of one field: ``width`` of them, from ``start``."""

    start: int
    width: int


def fields_of(view: Any) -> dict[str, Any]:
    """Return the top-level fields of a view. A view without fields becomes one field, "view"."""
    if isinstance(view, msgspec.Struct):
        return dict(zip(view.__struct_fields__, astuple(view), strict=True))
    return view if isinstance(view, dict) else {"view": view}


_bytes = msgspec.msgpack.Encoder().encode


class Columns:
    """The layout of a view's fields in an array, determined by a first view and constant afterwards.

    ``width`` is the number of columns of a composite field; a number has 1, a text TEXT. ``spare`` columns follow them.
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
        """Columns of fields that the first view did not have."""
        self.size = start + TEXT
        self._numbers: dict[str, int] = {}
        self._texts: dict[str, dict[str, int]] = {}
        self._lists: dict[str, dict[str, tuple[int, int, int, int]]] = {}
        """Known columns, by path and by the text at its end. For lists see ``_listed``."""
        self._kept: dict[tuple[str, Any], Array] = {}
        """Cached columns of small fields, by name and value."""
        self._begin()

    def _begin(self) -> None:
        self.whole = np.zeros(self.size + self._spare, np.float32)
        """The array of the last view, with the spare columns."""
        self._flat = self.whole[: self.size]
        self._kind: Any = None
        self._plan: list[tuple[str, ColumnBlock | None]] = []
        self._last: list[Any] = []
        """The fields of the last view. Few of them change from view to view."""

    def for_another(self) -> "Columns":
        """Return a layout for another observer with its own views. Known columns are shared."""
        twin = copy.copy(self)
        twin._begin()  # noqa: SLF001 - its own kind
        return twin

    def names(self) -> list[str]:
        """Return the name of each column: the field, and the column's index in it."""
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
        """Return the content of ``view`` as one array of ``size`` columns, which is reused."""
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
        """Start again with a view of a different type from the last one, or a view without a type."""
        self._kind = view.__class__ if isinstance(view, msgspec.Struct) else None
        names = list(fields_of(view))
        if [name for name, _ in self._plan] != names:
            self._plan = [(name, self.blocks.get(name)) for name in names]
            self._last = [UNSEEN] * len(names)
            self._flat[:] = 0

    def _put(self, name: str, block: ColumnBlock, value: Any, known: Any) -> None:
        """Store a composite field in its columns. Small fields come from the cache."""
        start, width = block
        kept = self._kept
        key = (name, known)
        found = kept.get(key)
        if found is not None:
            self._flat[start : start + width] = found
            return
        self._fill(block, {name: value})
        if known.__class__ is int or len(known) <= SMALL:
            if len(kept) >= MAX_KEPT:
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
        """Return the blocks of ``flat`` by field name."""
        blocks: Mapping[str, ColumnBlock] = {**self.blocks, "others": self.rest}
        return {name: flat[block.start : block.start + block.width] for name, block in blocks.items()}

    def _add(self, found: Array, path: str, value: Any) -> int:
        """Add the content of ``value`` to ``found``. Return the largest number in it."""
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
        """Return the columns of a text in a list.

        They are its own column, the block of ``path``, and its column in the block at index 0.
        """
        start, width = self._block(path)
        found = self.place(f"{path} has {text}"), start, self.place(f"{path}={text}") - start, width
        known[text] = found
        return found

    def _learnt(self, known: dict[str, int], path: str, sign: str, text: str, key: str = "") -> int:
        place = known[key or text] = self.place(path + sign + text)
        return place


def hashed(words: str, width: int) -> Array:
    """Return the words of a text as a read-only array: the number of words at each column."""
    return in_order((words,), width)


@lru_cache(maxsize=4096)
def in_order(texts: tuple[str, ...], width: int) -> Array:
    """Return the words of several texts as a read-only array. Each text shifts the columns of its words."""
    found = np.zeros(width, np.float32)
    for place, text in enumerate(texts):
        for word in text.replace(":", " ").replace(",", " ").split():
            found[(crc32(word.encode()) + place) % width] += 1
    return found
