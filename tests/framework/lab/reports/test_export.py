"""Reports as JSON and CSV: unrounded figures, and cells without commands."""

import csv
import io
from dataclasses import replace

import msgspec
import pytest

from sandtable.lab.ratings.findings import Findings
from sandtable.lab.reports.export import as_csv, as_json, encounters_as_csv


def test_json_report_uses_null_for_missing_values(found: Findings) -> None:
    document = msgspec.json.decode(as_json(found))
    assert document["games"] == 600
    assert document["standings"][-1]["elo"] is None
    assert document["encounters"][0]["test"]["upper"] == pytest.approx(2.944, abs=5e-4)
    assert msgspec.convert(document, Findings) == found


def test_csv_report_has_unrounded_figures(found: Findings) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(found))))
    pooled = [row for row in rows if row["played"] == "all games, pooled"]
    assert pooled == rows[-len(pooled) :]
    assert [row["player"] for row in pooled] == [each.name for each in found.standings]
    assert float(pooled[0]["score"]) == found.standings[0].score
    assert rows[-1]["elo"] == ""
    met = list(csv.DictReader(io.StringIO(encounters_as_csv(found))))
    assert (
        len(met) == 2 * len(found.encounters) == 12
    )  # each pair meets in one of the two contests and in the pooled table


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+1+1", "'+1+1"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\t=1+1", "\\t=1+1"),
        ("\r=1+1", "\\r=1+1"),
        ("two\nlines", "two\\nlines"),
        ("\x1b[2J", "\\x1b[2J"),
        ("-5", "-5"),
        ("+12.5", "+12.5"),
        ('say "hi", you', 'say "hi", you'),
    ],
)
def test_csv_cells_are_neither_formulas_nor_terminal_codes(found: Findings, name: str, cell: str) -> None:
    one, *others = found.standings
    alone = replace(found, contests=found.contests[:1])
    rows = list(csv.DictReader(io.StringIO(as_csv(replace(alone, standings=(replace(one, name=name), *others))))))
    assert rows[0]["player"] == cell
    first, *more = found.encounters
    met = replace(alone, encounters=(replace(first, second=name, elo=-12.5), *more))
    row = next(csv.DictReader(io.StringIO(encounters_as_csv(met))))
    assert (row["against"], row["elo"]) == (cell, "-12.5")


def test_json_report_escapes_terminal_codes(found: Findings) -> None:
    text = as_json(replace(found, title="\x9b7m\u202e\x7f"))
    assert text.replace("\n", "").isprintable()
    assert msgspec.json.decode(text)["title"] == "\x9b7m\u202e\x7f"
