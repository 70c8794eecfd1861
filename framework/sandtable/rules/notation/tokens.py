"""A text of several parts: lines one below the other or with ; between, # for remarks; "KEY: ORDER" on a sheet."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.options.choices import listing, shown
from sandtable.rules.notation.names import LISTED, named, number_of

MOST_PARTS = 200


class TypedPart(NamedTuple):
    """A part of a text: where it stands ("line 3: ", "" in a text of one line), and what it says."""

    where: str
    text: str

    @property
    def words(self) -> list[str]:
        """Its words."""
        return self.text.split()

    @property
    def headed(self) -> tuple[str, str]:
        """What it is about, and what it says of that: parted by a colon, else by the first blank."""
        head, _, rest = self.text.partition(":" if ":" in self.text else " ")
        return head.strip(), rest.strip()

    def refuse(self, reason: str, rule: str) -> IllegalOrder:
        """Return a refusal with its place."""
        return IllegalOrder(rule, f"{self.where}{shown(' '.join(self.words))}: {reason}")

    def chosen(self, text: str, known: Iterable[str] | Mapping[str, str], what: str, rule: str) -> str:
        """Return the id that a word of it names. Raises IllegalOrder for none."""
        found = named(text, known)
        if not found:
            raise self.refuse(f"{shown(text)} is no {what}: choose {listing(list(known), LISTED)}", rule)
        return found

    def number(self, text: str, what: str, rule: str) -> int:
        """Return the whole number that a word of it is. Raises IllegalOrder for what is none."""
        number = number_of(text)
        if number is None:
            raise self.refuse(f"{shown(text)} is no number of {what}", rule)
        return number


def parts_of(text: str, rule: str, most: int = MOST_PARTS, what: str = "parts", whole: str = "") -> list[TypedPart]:
    """Return the parts of a text; what begins with the word ``whole`` goes on to the end of its line.

    Raises IllegalOrder for more than ``most``: "501 lines are more than ...", where ``what`` is "lines".
    """
    rows = text.splitlines()
    found = [
        TypedPart(f"line {number}: " if len(rows) > 1 else "", part.strip())
        for number, row in enumerate(rows, 1)
        for part in _split(row.partition("#")[0], whole)
        if part.strip()
    ]
    if len(found) > most:
        raise IllegalOrder(rule, f"{len(found)} {what} are more than any order has")
    return found


def _split(row: str, whole: str) -> list[str]:
    parts = row.split(";")
    for place, part in enumerate(parts) if whole else ():
        if part.partition(":")[0].strip().lower() == whole:
            return [*parts[:place], ";".join(parts[place:])]
    return parts


def words_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a text, each after its place as a refusal tells it: "character 8 of gambut atlantis: "."""
    yield from pieces_of(text, [(place, place + 1) for place, mark in enumerate(text.strip()) if mark.isspace()])


def pieces_of(text: str, cuts: list[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    """Yield what stands between ``cuts`` in a text without the blanks about it, each piece after its place."""
    begin, whole = 0, text.strip()
    for end, after in [*cuts, (len(whole), 0)]:
        piece = whole[begin:end]
        if piece.strip():
            yield f"character {end - len(piece.lstrip()) + 1} of {shown(whole)}: ", piece.strip()
        begin = after


SURE = "as said"
"""Ends a line, after a semicolon, that a person means although it was doubted."""


def split_sure(text: str) -> tuple[str, bool]:
    """Return a text without "; as said" at its end, and whether it ended so."""
    head, semicolon, last = text.rpartition(";")
    is_sure = bool(semicolon) and " ".join(last.lower().split()) == SURE
    return (head if is_sure else text), is_sure


class Once:
    """What is written so far, each under a key of its own; ``rule`` refuses a second time."""

    def __init__(self, rule: str) -> None:
        self.found: dict[str, Any] = {}
        self._rule = rule

    def put(self, key: str, value: Any, where: str = "", why: str = "written twice: each has one line") -> None:
        """Write ``value`` down. Raises IllegalOrder where ``key`` is written already."""
        if key in self.found:
            raise IllegalOrder(self._rule, f"{where}{key} is {why}")
        self.found[key] = value


def read_parts(parts: Iterable[TypedPart], read: Callable[[TypedPart], None], wrong: Wrongs | None = None) -> None:
    """Let ``read`` take part after part; raises IllegalOrder with all that is wrong with any of them."""
    wrong = wrong or Wrongs()
    for part in parts:
        with wrong.part():
            read(part)
    wrong.refuse()


def read_sheet(
    parts: Iterable[TypedPart], key: Callable[[TypedPart], str], read: Callable[[str, str], Any], rule: str
) -> dict[str, Any]:
    """Return a sheet of lines "KEY: ORDER" or "KEY ORDER": what ``read(key, text)`` makes of each.

    A line that says nothing, or of which nothing is made, is left out. Raises IllegalOrder with all that is wrong.
    """
    lines, found = Once(rule), dict[str, Any]()

    def take(part: TypedPart) -> None:
        name, text = key(part), part.headed[1]
        lines.put(name, text, part.where)
        if text and (value := read(name, text)) is not None:
            found[name] = value

    read_parts(parts, take)
    return found
