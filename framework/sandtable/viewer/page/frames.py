"""A game as changes of named parts of a picture, so that a page holds one picture and what changed after each record.

A *part* has a key and a value; what the keys mean, the films of the boards and the page's scripts know:

    g:<layer>           markup of a layer of the ground
    f:<id> p:<id>       markup of a piece of the ground, of a place with all that stands in it: [markup, words]
    c:<id>              a counter: [markup, owner, words, caption]
    @<id>               where a counter is: "x y size order place", or "=title" of the tray that it lies in
    m:<id> r:<number>   markup of a marker, of an arrow or line
    h:<hex>             who holds a hex
    a:<number>          an area: [markup with an empty path, words, hexes]
    t:<name>            words: "moment", "notes"

A part that is not there has no value. Keys and values stand in tables, each once.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import json

Part = Any
"""The value of a part: a text, or a list of texts."""

GONE = -1


class Frames:
    """What changed after each record, in the order of the records."""

    def __init__(self) -> None:
        self._keys: dict[str, int] = {}
        self._values: dict[bytes, int] = {}
        self._table: list[Part] = []
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
            frame.append(GONE if value is None else self._number(value))

    def _number(self, value: Part) -> int:
        written = value.encode("utf-8", "replace") if isinstance(value, str) else b"\0" + json.encode(value)
        number = self._values.setdefault(written, len(self._table))
        if number == len(self._table):
            self._table.append(value)
        return number

    @property
    def changes(self) -> int:
        """How many parts changed, over all frames."""
        return sum(len(frame) // 2 for frame in self._frames)

    def as_data(self) -> dict[str, Any]:
        """Return all of it as plain data: a frame is a record's number, then numbers of keys and values in turn."""
        return {"keys": list(self._keys), "values": self._table, "frames": self._frames}
