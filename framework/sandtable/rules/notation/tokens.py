"""A text of several parts, on separate lines or separated by ;, with # for comments; "KEY: ORDER" on a sheet."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sandtable.errors import IllegalOrder, RefusalCollector
from sandtable.kernel.options.choices import listing, shown
from sandtable.rules.notation.names import LISTED, named, number_of

MAX_PARTS = 200


class TypedPart(NamedTuple):
    """A part of a text: its position ("line 3: ", or "" in a text of one line), and its text."""

    where: str
    text: str

    @property
    def words(self) -> list[str]:
        """The words of the text."""
        return self.text.split()

    @property
    def headed(self) -> tuple[str, str]:
        """The key and the rest of the text, separated by a colon or by the first blank."""
        head, _, rest = self.text.partition(":" if ":" in self.text else " ")
        return head.strip(), rest.strip()

    def refuse(self, reason: str, rule: str) -> IllegalOrder:
        """Return a refusal with the position."""
        return IllegalOrder(rule, f"{self.where}{shown(' '.join(self.words))}: {reason}")

    def chosen(self, text: str, known: Iterable[str] | Mapping[str, str], what: str, rule: str) -> str:
        """Return the id that a word of this part names. Raises IllegalOrder if it names none."""
        found = named(text, known)
        if not found:
            raise self.refuse(f"{shown(text)} is not a {what}: choose {listing(list(known), LISTED)}", rule)
        return found

    def number(self, text: str, what: str, rule: str) -> int:
        """Return a word of this part as a whole number. Raises IllegalOrder if it is not one."""
        number = number_of(text)
        if number is None:
            raise self.refuse(f"{shown(text)} is not a number of {what}", rule)
        return number


def parts_of(text: str, rule: str, most: int = MAX_PARTS, what: str = "parts", whole: str = "") -> list[TypedPart]:
    """Return the parts of a text; a part that begins with the word ``whole`` extends to the end of its line.

    Raises IllegalOrder if there are more than ``most``: "501 lines are more than ...", where ``what`` is "lines".
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
    """Yield the words of a text, each after its position as used in a refusal: "character 8 of gambut atlantis: "."""
    yield from pieces_of(text, [(place, place + 1) for place, mark in enumerate(text.strip()) if mark.isspace()])


def pieces_of(text: str, cuts: list[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a text between ``cuts``, without surrounding blanks, each after its position."""
    begin, whole = 0, text.strip()
    for end, after in [*cuts, (len(whole), 0)]:
        piece = whole[begin:end]
        if piece.strip():
            yield f"character {end - len(piece.lstrip()) + 1} of {shown(whole)}: ", piece.strip()
        begin = after


SURE = "as said"
"""Suffix of a line, after a semicolon, that confirms a doubted line."""


def split_sure(text: str) -> tuple[str, bool]:
    """Return a text without "; as said" at its end, and whether it ended with that."""
    head, semicolon, last = text.rpartition(";")
    is_sure = bool(semicolon) and " ".join(last.lower().split()) == SURE
    return (head if is_sure else text), is_sure


class Once:
    """Values collected by key; a second value for the same key is refused with ``rule``."""

    def __init__(self, rule: str) -> None:
        self.found: dict[str, Any] = {}
        self._rule = rule

    def put(self, key: str, value: Any, where: str = "", why: str = "written twice: each has one line") -> None:
        """Store ``value``. Raises IllegalOrder if ``key`` already has a value."""
        if key in self.found:
            raise IllegalOrder(self._rule, f"{where}{key} is {why}")
        self.found[key] = value


def read_parts(
    parts: Iterable[TypedPart], read: Callable[[TypedPart], None], wrong: RefusalCollector | None = None
) -> None:
    """Call ``read`` for each part; raises IllegalOrder with the errors of all parts."""
    wrong = wrong or RefusalCollector()
    for part in parts:
        with wrong.part():
            read(part)
    wrong.refuse()


def read_sheet(
    parts: Iterable[TypedPart], key: Callable[[TypedPart], str], read: Callable[[str, str], Any], rule: str
) -> dict[str, Any]:
    """Return a sheet of lines "KEY: ORDER" or "KEY ORDER": the values of ``read(key, text)`` by key.

    A line without an order, or for which ``read`` returns None, is left out. Raises IllegalOrder with all errors.
    """
    lines, found = Once(rule), dict[str, Any]()

    def take(part: TypedPart) -> None:
        name, text = key(part), part.headed[1]
        lines.put(name, text, part.where)
        if text and (value := read(name, text)) is not None:
            found[name] = value

    read_parts(parts, take)
    return found
