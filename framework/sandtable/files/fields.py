"""Readers for the fields of a ``TomlTable``: bounded values, ids, flags, rows. Problems are noted.

A missing or invalid value is read as its default or its minimum, so that reading continues. Rows are sorted by id: a
log stores a user's scenario with sorted keys, and a game that is re-run from it must get the same rows.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from sandtable.files.document import TomlTable
from sandtable.files.words import WORD, WORD_RULE, quoted


class Spelling(NamedTuple):
    """A format of ids: the pattern of the whole id, and the rule in words."""

    pattern: re.Pattern[str]
    rule: str

    def fits(self, word: str) -> bool:
        """Return whether a word matches the format."""
        return bool(self.pattern.fullmatch(word))


ID = Spelling(
    re.compile(r"[a-z0-9][a-z0-9_]{0,31}", re.ASCII),
    "use 1 to 32 of the characters a-z 0-9 _, beginning with a letter or digit",
)
"""The format of ids, such as that of an area or a unit."""
NAME = Spelling(WORD, WORD_RULE)
"""The format of names of kinds, such as a terrain."""

ABOUT = ("provenance", "reason", "note")
"""Keys of any table that are for readers: the origin (seed, found or reconstructed), and the reason for it."""


# --- tables within a table ---


def noted(table: TomlTable, keys: Iterable[str]) -> TomlTable:
    """Return the table; unknown keys are noted, and keys for readers that are not text."""
    table.refuse_unknown((*keys, *ABOUT))
    for name in ABOUT:
        if name in table.values:
            table.text(name, also="\n\t")
    return table


def inner(table: TomlTable, name: str, keys: Iterable[str] = (), *, must: bool = True) -> TomlTable:
    """Return the table ``name`` within a table, or an empty one; keys other than ``keys`` are noted.

    A missing table is noted if it ``must`` exist. Without ``keys`` any key is accepted.
    """
    values = table.get(dict, name) if must or name in table.values else {}
    found = TomlTable(table.problems, table.key_of(name), values)
    return noted(found, keys) if keys else found


def rows_of(
    table: TomlTable, name: str, keys: Iterable[str] = (), *, must: bool = False, spelling: Spelling = ID
) -> dict[str, TomlTable]:
    """Return the tables within the table ``name`` by id, sorted; invalid ids are noted and left out."""
    rows = inner(table, name, must=must)
    found = {}
    for key, row in sorted(rows.values.items()):
        if not spelling.fits(key):
            rows.refuse(key, f"cannot be an id; {spelling.rule}")
        elif table.problems.is_a(dict, rows.key_of(key), row):
            found[key] = inner(rows, key, keys)
    return found


def listed_rows(table: TomlTable, name: str, keys: Iterable[str], *, must: bool = False) -> list[TomlTable]:
    """Return the tables of the list ``name`` in their order."""
    found = []
    for place, row in enumerate(_list(table, name, must=must)):
        key = f"{table.key_of(name)}[{place}]"
        if table.problems.is_a(dict, key, row):
            found.append(noted(TomlTable(table.problems, key, row), keys))
    return found


# --- single values, which are required unless there is a ``default`` ---


def number_of(table: TomlTable, name: str, least: int, most: int, default: int | None = None) -> int:
    """Return a whole number within bounds, or ``least`` for one that is out of bounds."""
    if name not in table.values and default is not None:
        return default
    number: int = table.get(int, name)
    if not least <= number <= most and type(table.values.get(name)) is int:
        table.refuse(name, f"is {quoted(number)}; use {least} to {most}")
        return least
    return number


def choice_of(table: TomlTable, name: str, known: Iterable[str], default: str | None = None) -> str:
    """Return one of the ``known`` words; an unknown word is noted and returned unchanged."""
    if name not in table.values and default is not None:
        return default
    word: str = table.get(str, name)
    if word not in known and isinstance(table.values.get(name), str):
        table.refuse(name, f"is {quoted(word)}; choose {_listed(known)}")
    return word


def flag_of(table: TomlTable, name: str, *, default: bool = False) -> bool:
    """Return whether a flag is set; a missing flag has the ``default``."""
    return bool(table.get(bool, name)) if name in table.values else default


def text_of(table: TomlTable, name: str, default: str | None = "") -> str:
    """Return a printable text; with ``default`` None it is required."""
    return default if name not in table.values and default is not None else table.text(name)


def id_of(table: TomlTable, name: str, default: str | None = None) -> str:
    """Return an id; an invalid one is noted and returned unchanged."""
    if name not in table.values and default is not None:
        return default
    word: str = table.get(str, name)
    if not ID.fits(word) and isinstance(table.values.get(name), str):
        table.refuse(name, f"is {quoted(word)}, which is not an id; {ID.rule}")
    return word


# --- lists, in their order; a missing one is empty, and invalid entries are noted and left out ---


def texts_of(table: TomlTable, name: str) -> tuple[str, ...]:
    """Return a list of printable texts without duplicates."""
    return _words(table, name, lambda text: bool(text.strip()) and text.isprintable(), "; write printable texts")


def ids_of(table: TomlTable, name: str, left_out: Iterable[str] = ()) -> tuple[str, ...]:
    """Return a list of ids without duplicates and without those in ``left_out``."""
    ids = _words(table, name, ID.fits, f", which is not an id; {ID.rule}")
    return tuple(word for word in ids if word not in left_out)


def words_of(table: TomlTable, name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return a list of ``known`` words without duplicates."""
    return _words(table, name, lambda word: word in known, f"; choose {_listed(known)}")


def _words(table: TomlTable, name: str, fits: Callable[[str], bool], advice: str) -> tuple[str, ...]:
    words: dict[str, None] = {}
    for word in _list(table, name):
        if not isinstance(word, str) or not fits(word):
            table.refuse(name, f"has {quoted(word)}{advice}")
        elif word in words:
            table.refuse(name, f"has {quoted(word)} twice; remove one")
        else:
            words[word] = None
    return tuple(words)


def _list(table: TomlTable, name: str, *, must: bool = False) -> list[Any]:
    values: list[Any] = table.get(list, name) if must or name in table.values else []
    return values


def _listed(words: Iterable[str]) -> str:
    return ", ".join(word or "''" for word in words)
