"""A game as changes of named parts of a picture, so that a page holds one picture and what changed after each record.

A *part* has a key and a value; what the keys mean, the films of the boards and the page's scripts know:

    g:<layer>           markup of a layer of the ground
    f:<id> p:<id>       markup of a piece of the ground, of a place with all that stands in it: [markup, words]
    c:<id>              a counter: [markup, owner, words, caption]
    @<id>               where a counter is: "x y size order place", or "=title" of the tray that it lies in
    m:<hex>.<number>    a marker: [markup, words]; i: the same of an impact
    r:<number>          markup of an arrow or line
    h:<hex>             who holds a hex
    a:<number>          an area: [markup with an empty path, words, hexes]
    t:<name>            words: "moment", "notes"

A part that is not there has no value. Keys and values stand in tables, each once: values once for all views of a page.
"""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from msgspec import json

from sandtable.viewer.svg import Svg, joined

Part = Any
"""The value of a part: a text, or a list of texts."""

GONE = -1


class CounterFaces(Protocol):
    """The faces of counters: each defined once in a document, then used by name."""

    def defined(self, only: Collection[str] | None = None) -> Svg:
        """Return the definitions, of those named in ``only`` alone if it is given."""


class SharedParts:
    """What all views of a page have in common, each of it once: values of parts, grounds, faces, definitions.

    ``ident`` begins the names that are defined in it. ``kept`` is for what a kind of board remembers.
    """

    def __init__(self, ident: str = "v") -> None:
        self.ident = ident
        self.values: list[Part] = []
        self.faces: CounterFaces | None = None
        self.fixed: Svg | None = None
        self.kept: dict[Any, Any] = {}
        self._numbers: dict[bytes, int] = {}

    def number(self, value: Part) -> int:
        """Return the place of a value in ``values``."""
        written = value.encode("utf-8", "replace") if isinstance(value, str) else b"\0" + json.encode(value)
        number = self._numbers.setdefault(written, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number

    def defined(self, only: Collection[str] | None = None) -> Svg:
        """Return what the parts use; of faces those in ``only`` alone, if it is given. Ask when all parts were made."""
        parts = [self.fixed, self.faces.defined(only) if self.faces else None]
        return joined([each for each in parts if each])


class Frames:
    """What changed after each record, in the order of the records."""

    def __init__(self, stock: SharedParts) -> None:
        self._stock = stock
        self._keys: dict[str, int] = {}
        self._frames: list[list[int]] = []

    def add(self, number: int, changes: Mapping[str, Part | None]) -> None:
        """Note the parts that are others after record ``number``; None stands for one that is gone."""
        if not changes:
            return
        if self._frames and self._frames[-1][0] == number:
            frame = self._frames[-1]
        else:
            frame = [number]
            self._frames.append(frame)
        for key, value in changes.items():
            frame.append(self._keys.setdefault(key, len(self._keys)))
            frame.append(GONE if value is None else self._stock.number(value))

    def first(self) -> dict[str, Part]:
        """Return the parts before the first record."""
        if not self._frames or self._frames[0][0]:
            return {}
        keys, first = list(self._keys), self._frames[0]
        return {keys[first[at]]: self._stock.values[first[at + 1]] for at in range(1, len(first), 2)}

    def as_data(self) -> dict[str, Any]:
        """Return all of it as plain data: a frame is a record's number, then numbers of keys and values in turn."""
        return {"keys": list(self._keys), "frames": self._frames}
