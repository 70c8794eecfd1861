"""Reading the tables of a module by key: values within bounds, what is wrong noted."""

import re
from collections.abc import Iterable

from sandtable.board.tomlfile import Table
from sandtable.board.wording import shown

ID = re.compile(r"[a-z0-9][a-z0-9_]{0,31}", re.ASCII)
ID_RULE = "use 1 to 32 of the characters a-z 0-9 _, a letter or number first"

ABOUT = ("provenance", "reason", "note")
"""Keys of any record that are for readers: where it comes from (seed, found or reconstructed), and why it is so."""


def inner(table: Table, name: str, keys: Iterable[str] = ()) -> Table:
    """Return the table ``name`` within a table, an empty one if it is missing; keys other than these are noted."""
    found = Table(table.problems, table.key_of(name), table.get(dict, name))
    if keys:
        found.refuse_unknown((*keys, *ABOUT))
        refuse_strange_notes(found)
    return found


def refuse_strange_notes(table: Table) -> None:
    """Note whatever is for readers and is no text."""
    for name in ABOUT:
        if name in table.values:
            table.text(name, also="\n\t")


def rows_of(table: Table, name: str, keys: Iterable[str]) -> dict[str, Table]:
    """Return the tables within the table ``name`` by id, sorted; an id or a key that cannot be is noted."""
    rows = inner(table, name) if name in table.values else Table(table.problems, table.key_of(name), {})
    found = {}
    for key in sorted(rows.values):
        if not ID.fullmatch(key):
            rows.refuse(key, f"cannot be an id; {ID_RULE}")
        elif table.problems.is_a(dict, rows.key_of(key), rows.values[key]):
            found[key] = inner(rows, key, keys)
    return found


def listed_rows(table: Table, name: str, keys: Iterable[str]) -> list[Table]:
    """Return the tables of the list ``name`` in their order, none if it is missing."""
    found = []
    for place, row in enumerate(table.get(list, name) if name in table.values else []):
        key = f"{table.key_of(name)}[{place}]"
        if table.problems.is_a(dict, key, row):
            found.append(Table(table.problems, key, row))
            found[-1].refuse_unknown((*keys, *ABOUT))
            refuse_strange_notes(found[-1])
    return found


def number_of(table: Table, name: str, least: int, most: int, default: int | None = None) -> int:
    """Return a whole number within bounds; without a ``default`` it must be there."""
    if name not in table.values and default is not None:
        return default
    number: int = table.get(int, name)
    if not least <= number <= most and type(table.values.get(name)) is int:
        table.refuse(name, f"is {shown(number)}; use {least} to {most}")
        return least
    return number


def choice_of(table: Table, name: str, known: Iterable[str], default: str | None = None) -> str:
    """Return one of the ``known`` words; without a ``default`` it must be there."""
    if name not in table.values and default is not None:
        return default
    word: str = table.get(str, name)
    if word not in known and isinstance(table.values.get(name), str):
        table.refuse(name, f"is {shown(word)}; choose of: {', '.join(known)}")
    return word


def flag_of(table: Table, name: str, *, default: bool = False) -> bool:
    """Return whether a flag is set; where it is missing, the ``default``."""
    return bool(table.get(bool, name)) if name in table.values else default


def text_of(table: Table, name: str, default: str | None = "") -> str:
    """Return a printable text; without a ``default`` it must be there."""
    return default if name not in table.values and default is not None else table.text(name)


def id_of(table: Table, name: str, default: str | None = None) -> str:
    """Return an id; without a ``default`` it must be there."""
    if name not in table.values and default is not None:
        return default
    word = str(table.get(str, name))
    if not ID.fullmatch(word) and isinstance(table.values.get(name), str):
        table.refuse(name, f"is {shown(word)}, which is no id; {ID_RULE}")
    return word


def texts_of(table: Table, name: str) -> tuple[str, ...]:
    """Return a list of printable texts, none twice; an empty one where it is missing."""
    texts: list[str] = []
    for text in table.get(list, name) if name in table.values else []:
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            table.refuse(name, f"has {shown(text)}; write printable texts")
        elif text in texts:
            table.refuse(name, f"has {shown(text)} twice; take one out")
        else:
            texts.append(text)
    return tuple(texts)


def ids_of(table: Table, name: str, left_out: Iterable[str] = ()) -> tuple[str, ...]:
    """Return a list of ids in its order, but for those ``left_out``; an empty one where it is missing."""
    ids = texts_of(table, name)
    for word in ids:
        if not ID.fullmatch(word):
            table.refuse(name, f"has {shown(word)}, which is no id; {ID_RULE}")
    return tuple(word for word in ids if word not in left_out)
