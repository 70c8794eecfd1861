"""A drawing that a ruleset gives only as SVG, as a film of its elements."""

import re
from collections.abc import Iterator
from typing import Any

from sandtable.viewer.film.frames import Part
from sandtable.viewer.style import PAPER
from sandtable.viewer.svg import Svg

_FRAME = re.compile(r"<svg([^>]*)>")
_BOX = re.compile(r'viewBox="(-?\d+) (-?\d+) (\d+) (\d+)"')
_PIECE = re.compile(r"<(/?)([a-z]+)((?:\"[^\"]*\"|[^\">])*?)(/?)>")


class DrawnFilm:
    """The film of a drawing that a ruleset gives only as SVG; its parts are the top-level elements."""

    kind = "drawn"

    def __init__(self, first: str) -> None:
        self._box = _box_of(first)
        frame = _FRAME.search(first)
        family = re.search(r'font-family="([^"]*)"', frame[1]) if frame else None
        self._family = family[1] if family else ""
        self._last: dict[str, str] = {}
        self._drawing = ""

    def changes(self, drawing: str) -> dict[str, Part | None]:
        """Return the elements of ``drawing`` that differ from the previous drawing."""
        if drawing == self._drawing:
            return {}
        self._drawing = drawing
        box = _box_of(drawing)
        self._box[2:] = [max(pair) for pair in zip(self._box[2:], box[2:], strict=True)]
        now: dict[str, str] = {f"d:{number:04d}": piece for number, piece in enumerate(pieces(drawing))}
        found: dict[str, Part | None] = {key: value for key, value in now.items() if self._last.get(key) != value}
        found.update(dict.fromkeys(key for key in self._last if key not in now))
        self._last = now
        return found

    def facts(self) -> dict[str, Any]:
        """Return the facts about the board for the page's scripts."""
        return {
            "kind": self.kind, "box": self._box, "ground": [], "live": ["drawing"], "prefixes": {"d": "drawing"},
            "places": {}, "names": {}, "powers": [], "paper": PAPER, "family": self._family.replace("&#39;", "'"),
        }  # fmt: skip

    def legend(self) -> Svg:
        """Return an empty legend: it is part of the drawing."""
        return Svg("")

    def strength(self) -> dict[str, int]:
        """Return no counts: a drawing cannot be counted."""
        return {}

    def territory(self) -> dict[str, int]:
        """Return no counts: a drawing cannot be counted."""
        return {}


def _box_of(drawing: str) -> list[int]:
    found = _BOX.search(drawing)
    return [int(each) for each in found.groups()] if found else [0, 0, 1000, 1000]


def pieces(drawing: str) -> Iterator[Svg]:
    """Yield the top-level elements of an SVG, each complete."""
    start = _FRAME.search(drawing)
    if start is None:
        return
    depth, begun = 0, 0
    for found in _PIECE.finditer(drawing, start.end()):
        closing, empty = bool(found[1]), bool(found[4])
        if depth == 0 and not closing:
            begun = found.start()
        if closing:
            depth -= 1
        elif not empty:
            depth += 1
        if depth < 0:
            return
        if depth == 0:
            yield Svg(drawing[begun : found.end()])
