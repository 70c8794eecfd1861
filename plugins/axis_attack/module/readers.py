"""Reading the tables of a scenario by key: values within bounds, what is wrong noted."""

import re
from collections.abc import Iterable

from sandtable.board.tomlfile import Table
from sandtable.board.wording import shown

ID = re.compile(r"[a-z0-9][a-z0-9_]{0,31}", re.ASCII)
ID_RULE = "use 1 to 32 of the characters a-z 0-9 _, a letter or number first"

ABOUT = ("provenance", "reason", "note")
"""Keys of any record that are for readers: where it comes from (seed, found or reconstructed), and why it is so."""


def noted(table: Table, keys: Iterable[str]) -> Table:
    """Note keys of a table that are neither of these nor for readers, and whatever is for readers and is no text."""
    table.refuse_unknown((*keys, *ABOUT))
    for name in ABOUT:
        if name in table.values:
            table.text(name, also="\n\t")
    return table


def inner(table: Table, name: str, keys: Iterable[str] = ()) -> Table:
    """Return the table ``name`` within a table, an empty one if it is missing; keys other than these are noted."""
    found = Table(table.problems, table.key_of(name), table.get(dict, name))
    return noted(found, keys) if keys else found


def rows_of(table: Table, name: str, keys: Iterable[str]) -> dict[str, Table]:
    """Return the tables within the table ``name`` by id, in their order; an id or a key that cannot be is noted."""
    rows = inner(table, name) if name in table.values else Table(table.problems, table.key_of(name), {})
    found = {}
    for key, row in rows.values.items():
        if not ID.fullmatch(key):
            rows.refuse(key, f"cannot be an id; {ID_RULE}")
        elif table.problems.is_a(dict, rows.key_of(key), row):
            found[key] = inner(rows, key, keys)
    return found


def listed_rows(table: Table, name: str, keys: Iterable[str]) -> list[Table]:
    """Return the tables of the list ``name`` in their order."""
    found = []
    for place, row in enumerate(table.get(list, name)):
        key = f"{table.key_of(name)}[{place}]"
        if table.problems.is_a(dict, key, row):
            found.append(noted(Table(table.problems, key, row), keys))
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


def flag_of(table: Table, name: str) -> bool:
    """Return whether a flag is set; it is not where it is missing."""
    return bool(table.get(bool, name)) if name in table.values else False


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


def ids_of(table: Table, name: str) -> tuple[str, ...]:
    """Return a list of ids in its order, none twice; an empty one where it is missing."""
    ids: list[str] = []
    for word in table.get(list, name) if name in table.values else []:
        if not isinstance(word, str) or not ID.fullmatch(word):
            table.refuse(name, f"has {shown(word)}, which is no id; {ID_RULE}")
        elif word in ids:
            table.refuse(name, f"has {shown(word)} twice; take one out")
        else:
            ids.append(word)
    return tuple(ids)
