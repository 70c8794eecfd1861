"""A game as changes of named parts of a picture: a page has one picture, and the changes after each record.

A *part* has a key and a value. The films of the boards and the page's scripts know what the keys mean:

    g:<layer>           markup of a layer of the ground
    f:<id> p:<id>       markup of a piece of the ground, of a place and its contents: [markup, words]
    c:<id>              a counter: [markup, owner, words, caption]
    @<id>               where a counter is: "x y size order place", or "=title" of its tray
    m:<hex>.<number>    a marker: [markup, words]; i: the same of an impact
    r:<number>          markup of an arrow or line
    h:<hex>             the holder of a hex
    a:<number>          an area: [markup with an empty path, words, hexes]
    t:<name>            words: "moment", "notes"

A missing part has no value. Keys and values are stored in tables, each once: values once for all views of a
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
    """Data that several views share, each stored once: values of parts, grounds, faces, definitions.

    ``ident`` begins the names that are defined in it. ``kept`` is a cache for the kind of board.
    """

    def __init__(self, ident: str = "v") -> None:
        self.ident = ident
        self.values: list[Part] = []
        self.faces: CounterFaces | None = None
        self.fixed: Svg | None = None
        self.kept: dict[Any, Any] = {}
        self._numbers: dict[bytes, int] = {}

    def number(self, value: Part) -> int:
        """Return the index of a value in ``values``."""
        written = value.encode("utf-8", "replace") if isinstance(value, str) else b"\0" + json.encode(value)
        number = self._numbers.setdefault(written, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number

    def defined(self, only: Collection[str] | None = None) -> Svg:
        """Return the definitions that the parts use, with only the faces in ``only`` if given.

        Call it after all parts are made.
        """
        parts = [self.fixed, self.faces.defined(only) if self.faces else None]
        return joined([each for each in parts if each])


class Frames:
    """The changes after each record. A frame is a list of a record's number, then indexes of keys and values."""

    def __init__(self, stock: SharedParts) -> None:
        self._stock = stock
        self._numbers: dict[str, int] = {}
        self.keys: list[str] = []
        self.frames: list[list[int]] = []

    def add(self, number: int, changes: Mapping[str, Part | None]) -> None:
        """Store the parts that changed with record ``number``; the value None means that a part is gone."""
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
        """Return the frames as plain data."""
        return {"keys": self.keys, "frames": self.frames}
