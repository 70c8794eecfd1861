"""A look at a thing on the board: reach, zone, sight and supply of a counter, as the ruleset answers its queries.

The queries are those of the command ``ask``, found by name. They are answered from the viewer's view alone, so a look
reveals no secrets. A ruleset without a query of such a name gives a shorter look.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from sandtable.errors import SandtableError
from sandtable.plugin.manager import Prepared
from sandtable.web.asking.places import Whereabouts

OF_UNITS = ("reach", "zone", "sight", "supply", "companies")
OF_PLACES = ("stack", "sight", "supply")
BETWEEN = "sees"
MAX_UNITS = 6
"""Maximum number of units of a place that are looked at."""
MAX_LINES = 60
LONGEST = 2_000


class Looked(Struct, omit_defaults=True):
    """The answer to one query: its name, its lines, each with the places that it mentions, and the rules."""

    name: str
    lines: list[tuple[str, list[str]]]
    yes: bool | None = None
    rules: Sequence[str] = ()


class Look:
    """A look at the board of ``prepared`` through ``view``; ``where`` finds the places in it."""

    def __init__(self, prepared: Prepared, view: Any, where: Whereabouts) -> None:
        self._prepared, self._view, self._where = prepared, view, where
        self.names = [line.split(maxsplit=1)[0] for line in self._lines("?") if line.strip()]

    def at(self, what: str, other: str = "") -> list[Looked]:
        """Return the answers about a counter or place; with ``other``, whether one sees the other.

        There are none about a thing that is not on the viewer's board.
        """
        if what not in self._where or (other and other not in self._where):
            return []
        if other:
            queries = [(BETWEEN, f"{BETWEEN} {what} {other}")]
        else:
            units = self._where.units_at(what)[:MAX_UNITS]
            queries = [(name, f"{name} {what}") for name in (OF_PLACES if units else OF_UNITS)]
            queries += [(name, f"{name} {unit}") for unit in units for name in OF_UNITS if name != "supply"]
        found: dict[tuple[str, tuple[str, ...]], Looked] = {}
        for name, text in queries:
            for looked in self._looked(name, text) if name in self.names else ():
                found.setdefault((name, tuple(line for line, _ in looked.lines[1:])), looked)
        return list(found.values())

    def _looked(self, name: str, text: str) -> Iterator[Looked]:
        answer = self._answer(text)
        if answer is not None and answer.lines:
            lines = [each.strip()[:LONGEST] for each in answer.lines[:MAX_LINES]]
            yield Looked(name, [(each, self._where.of(each)) for each in lines], answer.yes, answer.rules)

    def _lines(self, text: str) -> Sequence[str]:
        answer = self._answer(text)
        return answer.lines if answer is not None else ()

    def _answer(self, text: str) -> Any:
        """Return the ruleset's answer, or None without an answer, for example about an unknown thing."""
        try:
            return self._prepared.installed.answer(self._view, self._prepared.board, text)
        except SandtableError:
            return None
