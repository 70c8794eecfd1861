"""Export findings for other programs: one JSON document, or CSV."""

import csv
import io
import re
from collections.abc import Iterator

import msgspec

from sandtable.lab.ratings.findings import Findings
from sandtable.lab.reports.tables import scored
from sandtable.quoting import plain, plain_json

Cell = str | int | float | None

_BEGINS_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""Characters that begin a formula in a spreadsheet, including full-width forms."""
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def as_json(found: Findings) -> str:
    """Return all findings as one JSON document. null means n/a."""
    return plain_json(msgspec.json.format(msgspec.json.encode(found), indent=2).decode()) + "\n"


def as_csv(found: Findings) -> str:
    """Return the standings as CSV (RFC 4180), with unrounded numbers and shares from 0 to 1. An empty field means n/a.

    The rows are grouped by contest. If there are several contests, all games pooled come last.
    """
    return _written(_standings(found))


def encounters_as_csv(found: Findings) -> str:
    """Return the encounters as CSV, grouped by contest in the same way."""
    return _written(_encounters(found))


def _standings(found: Findings) -> Iterator[list[Cell]]:
    yield [
        *("played", "player", "games", "won", "drawn", "lost", "points", "score", "score_low", "score_high", "from"),
        *("elo", "elo_low", "elo_high"),
        *("score_without_luck", "score_without_luck_margin", "forfeits"),
    ]
    for own in scored(found):
        for each in own.standings:
            yield [
                *(own.title, each.name, each.games, each.wins, each.draws, each.losses, each.points),
                *(each.score, each.low, each.high, each.kind),
                *((each.elo.elo, each.elo.low, each.elo.high) if each.elo else (None, None, None)),
                *((each.adjusted.score, each.adjusted.margin) if each.adjusted else (None, None)),
                sum(each.verdicts.values()),
            ]


def _encounters(found: Findings) -> Iterator[list[Cell]]:
    yield [
        *("played", "player", "against", "games", "won", "drawn", "lost", "score", "score_low", "score_high", "from"),
        *("elo", "elo_low", "elo_high", "superiority"),
        *("pairs_0", "pairs_1", "pairs_2", "pairs_3", "pairs_4", "llr", "accepted"),
    ]
    for own in scored(found):
        for each in own.encounters:
            yield [
                *(own.title, each.first, each.second, each.games, each.wins, each.draws, each.losses),
                *(each.score, each.low, each.high, each.kind, each.elo, each.elo_low, each.elo_high),
                *(each.superiority, *each.pairs),
                *((each.test.llr, each.test.accepted) if each.test else (None, None)),
            ]


def _written(rows: Iterator[list[Cell]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows(map(guarded, row) for row in rows)
    return out.getvalue()


def guarded(cell: Cell) -> Cell:
    """Return a cell that spreadsheets do not evaluate: a formula gets a leading apostrophe (OWASP, "CSV injection")."""
    if not isinstance(cell, str):
        return cell
    text = plain(cell)
    return f"'{text}" if text.startswith(_BEGINS_FORMULA) and not _NUMBER.fullmatch(text) else text
