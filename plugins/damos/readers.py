"""Reading the tables of a scenario by key: values within bounds, what is wrong noted."""

from collections.abc import Iterable

from sandtable.board.tomlfile import Table
from sandtable.board.wording import WORD, WORD_RULE, shown

MOST_POINTS = 20


def inner(table: Table, name: str) -> Table:
    """Return the table ``name`` within a table, an empty one if it is missing or none."""
    return Table(table.problems, table.key_of(name), table.get(dict, name))


def rows_of(table: Table, name: str) -> list[tuple[str, Table]]:
    """Return the tables within the table ``name``, by name; whatever is none is noted."""
    rows = inner(table, name)
    found = []
    for key, row in rows.values.items():
        if not WORD.fullmatch(key):
            rows.refuse(key, f"cannot be a name; {WORD_RULE}")
        elif table.problems.is_a(dict, rows.key_of(key), row):
            found.append((key, Table(table.problems, rows.key_of(key), row)))
    return found


def halves_of(table: Table, name: str) -> int | None:
    """Return movement points in halves, None where there are none; in the file they are whole, or "1/2"."""
    value = table.values.get(name)
    if value is None:
        return None
    if value == "1/2":
        return 1
    return 2 * number_of(table, name, 0, MOST_POINTS)


def number_of(table: Table, name: str, least: int, most: int, default: int | None = None) -> int:
    """Return a whole number within bounds; without a ``default`` it must be there."""
    if name not in table.values and default is not None:
        return default
    number: int = table.get(int, name)
    if not least <= number <= most and type(table.values.get(name)) is int:
        table.refuse(name, f"is {shown(number)}; use {least} to {most}")
        return least
    return number


def words_of(table: Table, name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return a list of known words, none twice; an empty one where it is missing."""
    words = table.get(list, name) if name in table.values else []
    for word in words:
        if word not in known:
            table.refuse(name, f"has {shown(word)}; choose of: {', '.join(known)}")
        elif words.count(word) > 1:
            table.refuse(name, f"has {word} twice; take one out")
    return tuple(word for word in words if word in known)


def flag_of(table: Table, name: str) -> bool:
    """Return whether a flag is set; it is not where it is missing."""
    return bool(table.get(bool, name)) if name in table.values else False


def text_of(table: Table, name: str) -> str:
    """Return a printable text, "" where it is missing."""
    return table.text(name) if name in table.values else ""
