"""Every table cell that a golden game names is in its ruleset's printed table."""

from pathlib import Path

import pytest

from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import prepare_for, read_records
from sandtable.plugin.manager import Rulesets

FOLDER = Path(__file__).parents[2] / "replays"
RULESETS = Rulesets()
LOGS = {
    "axis_attack": "german-home_sector-eastern_front",
    "damos": "german-gates-smolensk",
    "kampfpanzer": "germans-held-poland",
    "khamsin": "axis-objective-crusader_full",
}


@pytest.mark.parametrize("ruleset", LOGS)
def test_cited_table_cells_exist_in_printed_tables(ruleset: str) -> None:
    log = read_log(FOLDER / ruleset / f"{LOGS[ruleset]}.jsonl")
    prepared = prepare_for(log, RULESETS)
    named = {
        each.table
        for record in read_records(log, prepared.ruleset)
        for each in getattr(getattr(record, "event", None), "calculations", None) or ()
        if each.table
    }
    assert named
    for table, row, column in sorted(named):
        printed = prepared.installed.table(table, prepared.board)
        assert printed is not None, table
        assert printed.around(row, column) is not None, (table, row, column)
