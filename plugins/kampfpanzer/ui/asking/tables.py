"""The printed tables, to show the cells next to the one that was used."""

from collections.abc import Callable
from functools import partial

from kampfpanzer.fire.calculations import COMBAT_TABLE, OVERRUN_TABLE, column_title
from kampfpanzer.fire.indirect import SHELL_TABLES
from kampfpanzer.model.tables import (
    LETTERS,
    MAX_SUPERIORITY,
    MIN_SUPERIORITY,
    PANIC_LEVELS,
    RECOVERS_ON,
    combat_result,
    overrun_superiority,
    panic_digits,
    shell_result,
)
from sandtable import PrintedTable

DICE = range(1, 7)
NONE = "no effect"


def table(name: str, board: object) -> PrintedTable | None:  # noqa: ARG001 - signature of the hook
    """Return a table by the rule that it is printed under, or None."""
    build = TABLES.get(name)
    return build() if build is not None else None


def _combat() -> PrintedTable:
    columns = range(MIN_SUPERIORITY, MAX_SUPERIORITY + 1)
    rows = {str(die): tuple(combat_result(each, die) for each in columns) for die in DICE}
    return PrintedTable(tuple(map(column_title, columns)), rows)


def _shells(column: str) -> PrintedTable:
    return PrintedTable((column,), {str(die): (shell_result(column, die) or NONE,) for die in DICE})


def _overrun() -> PrintedTable:
    rows = {str(units): tuple(column_title(overrun_superiority(units, each)) for each in DICE) for units in range(1, 5)}
    return PrintedTable(tuple(map(str, DICE)), rows)


def _panic() -> PrintedTable:
    rows = {str(die): tuple(" ".join(panic_digits(each, die)) or "none" for each in PANIC_LEVELS) for die in DICE}
    return PrintedTable(tuple(map(str, PANIC_LEVELS)), rows)


def _scatter() -> PrintedTable:
    return PrintedTable(tuple(LETTERS), {str(die): tuple(LETTERS[die - 1] for _ in LETTERS) for die in DICE})


def _recovery() -> PrintedTable:
    columns = tuple(dict.fromkeys(each for top in RECOVERS_ON.values() for each in (f"1-{top}", f"{top + 1}-6")))
    rows = {f"D{level}": tuple(_recovers(top, each) for each in columns) for level, top in RECOVERS_ON.items()}
    return PrintedTable(columns, rows)


def _recovers(top: int, faces: str) -> str:
    first, last = (int(each) for each in faces.split("-"))
    if last <= top:
        return "recovers"
    return "stays disrupted" if first > top else f"recovers on 1-{top}"


TABLES: dict[str, Callable[[], PrintedTable]] = {
    COMBAT_TABLE: _combat,
    OVERRUN_TABLE: _overrun,
    "KP-11.3a": _panic,
    "KP-11.22a": _scatter,
    "KP-9.71b": _recovery,
    **{name: partial(_shells, column) for column, name in SHELL_TABLES.items()},
}
