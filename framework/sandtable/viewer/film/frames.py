"""A game as changes of named parts of a picture: a page holds one picture, and what changed after each record.

A *part* has a key and a value. The films of the boards and the page's scripts know what the keys mean:

    g:<layer>           markup of a layer of the ground
    f:<id> p:<id>       markup of a piece of the ground, of a place with all that stands in it: [markup, words]
    c:<id>              a counter: [markup, owner, words, caption]
    @<id>               where a counter is: "x y size order place", or "=title" of the tray that it lies in
    m:<hex>.<number>    a marker: [markup, words]; i: the same of an impact
    r:<number>          markup of an arrow or line
    h:<hex>             who holds a hex
    a:<number>          an area: [markup with an empty path, words, hexes]
    t:<name>            words: "moment", "notes"

A part that is not there has no value. Keys and values are stored in tables, each once: values once for all views of a
page.
"""

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import json

from sandtable.viewer.faces import CounterFaces
from sandtable.viewer.svg import Svg, joined

Part = Any
"""The value of a part: a text, or a list of texts."""

GONE = -1


class SharedParts:
    """What several views share, each of it once: values of parts, grounds, faces, definitions.

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
        """Return what the parts use, of faces those in ``only`` alone if it is given. Ask when all parts were made."""
        parts = [self.fixed, self.faces.defined(only) if self.faces else None]
        return joined([each for each in parts if each])


class Frames:
    """What changed after each record: ``frames`` are lists of a record's number, then numbers of keys and values."""

    def __init__(self, stock: SharedParts) -> None:
        self._stock = stock
        self._numbers: dict[str, int] = {}
        self.keys: list[str] = []
        self.frames: list[list[int]] = []

    def add(self, number: int, changes: Mapping[str, Part | None]) -> None:
        """Note the parts that changed with record ``number``; None is for one that is gone."""
        if not changes:
            return
        frame = [number]
        for key, value in changes.items():
            if key not in self._numbers:
                self._numbers[key] = len(self.keys)
                self.keys.append(key)
            frame += self._numbers[key], GONE if value is None else self._stock.number(value)
        self.frames.append(frame)

    def first(self) -> dict[str, Part]:
        """Return the parts before the first record."""
        if not self.frames or self.frames[0][0]:
            return {}
        first = self.frames[0]
        return {self.keys[first[at]]: self._stock.values[first[at + 1]] for at in range(1, len(first), 2)}

    def as_data(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return {"keys": self.keys, "frames": self.frames}
