"""The printed tables, which show the cells around a result."""

from damos.model.board import Board
from damos.model.tables import ATTRITION_ROWS, ATTRITION_TITLES, CRT_TITLES, attrition_losses, combat_result
from sandtable import PrintedTable

LAST_ROW = 20
_LEAST = {"2-3": 2, "4-5": 4, "6-8": 6, "9-11": 9, "12-15": 12, "16-19": 16, "20+": 20}
"""The minimum strength of each column of the attrition table (DM-9.0j)."""


def table(name: str, board: Board) -> PrintedTable | None:
    """Return a table by its name in calculations, or None."""
    if name == "crt":
        return _results()
    if name == "attrition_table":
        return _attrition()
    return _counterattack(board) if name == "counterattack" else None


def _results() -> PrintedTable:
    """Return the results table: loss points by total of the dice and column of strength (DM-8.6b)."""
    columns = range(1, len(CRT_TITLES) + 1)
    rows = {_heading(row): tuple(combat_result(each, row) for each in columns) for row in range(LAST_ROW + 1)}
    return PrintedTable(CRT_TITLES, rows)


def _heading(row: int) -> str:
    return "<=0" if row == 0 else f">={LAST_ROW}" if row == LAST_ROW else str(row)


def _attrition() -> PrintedTable:
    rows = {row: _losses(int(row.split("-")[0])) for row in ATTRITION_ROWS}
    return PrintedTable(("1", *ATTRITION_TITLES), rows)


def _losses(total: int) -> tuple[str, ...]:
    return ("0", *(str(attrition_losses(_LEAST[each], total)) for each in ATTRITION_TITLES))


def _counterattack(board: Board) -> PrintedTable:
    """Return the counterattack table: loss points of the counterattacker, and of the attacker (DM-8.9h)."""
    aid = board.aid.counterattack
    columns = range(len(aid.ratios))
    rows = {str(die): tuple(" / ".join(map(str, aid.result(each, die))) for each in columns) for die in range(1, 7)}
    return PrintedTable(tuple(aid.title(each) for each in columns), rows)
