"""The map of a battle, generated from the brief alone with the figures of ``bridge.toml``."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from kampfpanzer.model.tables import CLEAR, TOWN, WOODS
from sandtable import Stream
from sandtable.data import decode_toml, read_toml
from sandtable.tabletop import Brief, Table

HOME = Path(__file__).with_name("bridge.toml")
ANY = "any"
_YEAR = re.compile(r"\b(19\d\d)\b", re.ASCII)


@cache
def bridge() -> dict[str, Any]:
    """Return the tables of ``bridge.toml``."""
    return decode_toml(read_toml(HOME), str(HOME))


def by_word(table: Mapping[str, Any], text: str) -> Any:
    """Return the value of the first key of ``table`` that occurs in ``text``, or None."""
    lower = text.lower()
    return next((value for key, value in table.items() if key in lower), None)


def year_of(brief: Brief) -> int:
    """Return the year in the campaign's title, or 0 if it names none."""
    found = _YEAR.search(brief.campaign)
    return int(found[1]) if found else 0


def counter(what: str, nation: str, year: int) -> dict[str, Any]:
    """Return the figures of a kind of platoon, of "truck" or of "air" for a nation and year.

    The latest of the nation's tables up to that year that has the kind is used, or else the nation's figures for any
    year, or else the default figures.
    """
    own = by_word({key: table for key, table in bridge()["counters"].items() if key != ANY}, nation) or {}
    later = [table for key, table in own.items() if key.isdigit() and int(key) <= year and what in table]
    chosen: dict[str, Any] = (later[-1] if later else own).get(what) or bridge()["counters"][ANY][what]
    return chosen


MAX_COLUMNS, MAX_ROWS = 60, 40


def size_of(brief: Brief) -> tuple[int, int]:
    """Return the numbers of columns and rows, by the feet of the table, with more columns for more companies."""
    battle = bridge()["battle"]
    companies = max(len(party.companies) for party in brief.parties.values())
    columns = max(brief.table.width * battle["columns_for_a_foot"], 6 * companies)
    return min(MAX_COLUMNS, max(12, columns)), min(MAX_ROWS, max(14, brief.table.depth * battle["rows_for_a_foot"]))


def number(column: int, row: int) -> str:
    """Return the printed number of a hex."""
    return f"{column:02}{row:02}"


def map_tables(brief: Brief, feature: str, stream: Stream) -> dict[str, Any]:
    """Return the tables of the map; ``feature`` is the hex in the middle of the objective."""
    columns, rows = size_of(brief)
    look = _look(brief.table)
    cover: set[str] = set()
    for _ in range(look["patches"]):
        column, row = 2 + stream.below(columns - 2), 3 + stream.below(rows - 5)
        for _ in range(look["size"]):
            cover.add(number(column, row))
            column = min(columns, max(1, column + stream.below(3) - 1))
            row = min(rows - 2, max(3, row + stream.below(3) - 1))
    kinds = {TOWN: [], WOODS: sorted(cover - {feature})}
    kinds[look["feature"]] = sorted({*kinds[look["feature"]], feature})
    tables: dict[str, Any] = {
        "map": {
            "id": "battle",
            "title": brief.place_title,
            "provenance": "reconstructed",
            "reason": "drawn at random for this battle, by the kind of terrain in the brief",
        },
        "grid": {"columns": columns, "rows": rows, "lower_columns": "even", "first_column": 1, "first_row": 1},
        "terrain": {"default": CLEAR} | {kind: [" ".join(hexes)] for kind, hexes in kinds.items() if hexes},
    }
    if brief.table.road:
        column = int(feature[:2])
        tables["ways"] = {"road": [" ".join(number(column, row) for row in range(1, rows + 1))]}
    return tables


def _look(table: Table) -> dict[str, Any]:
    kinds = {key: each for key, each in bridge()["terrain"].items() if key != ANY}
    found: dict[str, Any] | None = by_word(kinds, f"{table.terrain} {table.guide}")
    return found or bridge()["terrain"][ANY]
