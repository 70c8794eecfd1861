import csv
import io
from collections.abc import Iterable
from dataclasses import replace

import msgspec
import pytest
from transcripts import Transcript

from sandtable.journal.luck.tables import TableSheet
from sandtable.lab.ratings.findings import Findings
from sandtable.lab.reports import figures, tables
from sandtable.lab.reports.export import as_csv, as_json, encounters_as_csv


def test_all_tables_have_as_many_cells_as_headings(found: Findings) -> None:
    for sheet in tables.sheets(found):
        assert sheet.rows
        assert {len(row) for row in sheet.rows} == {len(sheet.headings)}
        assert all(place < len(sheet.headings) for place in sheet.right)


def shown(sheets: Iterable[TableSheet]) -> str:
    """Return tables as text, one cell after the other."""
    lines = []
    for sheet in sheets:
        lines += ["", f"{sheet.title}:", *(" | ".join(row) for row in (sheet.headings, *sheet.rows))]
    return "\n".join(lines)


def test_all_tables(found: Findings, transcript: Transcript) -> None:
    transcript(shown(tables.sheets(found)))


def test_tables_of_no_games(nothing: Findings, transcript: Transcript) -> None:
    transcript(shown([tables.standings(tables.scored(nothing)[-1]), tables.origin(nothing)]))


def test_the_same_score_is_the_same_place(found: Findings) -> None:
    one, two, *rest = found.standings
    assert tables.places((one, replace(two, score=one.score), *rest)) == [1, 1, 3, 4]


def test_pooled_games_are_those_of_the_contests(found: Findings) -> None:
    for name in {each.name for each in found.standings}:
        games = sum(own.games for each in found.contests for own in each.standings if own.name == name)
        assert games == next(each.games for each in found.standings if each.name == name)
    assert all(each.test is None for contest in found.contests for each in contest.encounters)
    assert all(each.test for each in found.encounters)


def test_one_contest_alone_is_not_pooled(found: Findings) -> None:
    alone = replace(found, contests=found.contests[:1])
    assert [each.title for each in tables.scored(alone)] == ["desert_aa frontier"]
    assert tables.scored(alone)[0].encounters == found.encounters  # with the test


def test_endings_add_up(found: Findings) -> None:
    for contest in found.contests:
        sheet = tables.endings(contest)
        assert sum(int(row[1]) for row in sheet.rows) == contest.games
        assert all(int(row[1]) == sum(map(int, row[3:])) for row in sheet.rows)


@pytest.mark.parametrize("width", [40, 80, 120, 1_000])
def test_a_table_that_is_too_wide_comes_in_parts_that_each_name_their_rows(found: Findings, width: int) -> None:
    for sheet in tables.sheets(found):
        parts = tables.fitted(sheet, width)
        names = [row[: sheet.keys] for row in sheet.rows]
        assert all([row[: sheet.keys] for row in part.rows] == names for part in parts)
        told = [heading for part in parts for heading in part.headings[sheet.keys :]]
        assert told == list(sheet.headings[sheet.keys :])
        right = [part.headings[place] for part in parts for place in part.right if place >= sheet.keys]
        assert right == [sheet.headings[place] for place in sheet.right if place >= sheet.keys]
        for part in parts:
            cells = zip(part.headings, *part.rows, strict=True)
            wide = sum(max(map(len, column)) + tables.GAP for column in cells) - tables.GAP
            assert wide <= width or len(part.headings) == sheet.keys + 1


def test_efforts_of_nobody_have_no_rows(found: Findings) -> None:
    idle = tuple(replace(each, efforts=()) for each in found.contests)
    assert tables.efforts(replace(found, contests=idle)).rows == ()


def test_json_is_one_document_with_null_for_what_cannot_be_told(found: Findings) -> None:
    document = msgspec.json.decode(as_json(found))
    assert document["games"] == 600
    assert document["standings"][-1]["elo"] is None
    assert document["encounters"][0]["test"]["upper"] == pytest.approx(2.944, abs=5e-4)
    assert msgspec.convert(document, Findings) == found


def test_csv_has_full_figures(found: Findings) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(found))))
    pooled = [row for row in rows if row["played"] == "all games, pooled"]
    assert pooled == rows[-len(pooled) :]
    assert [row["player"] for row in pooled] == [each.name for each in found.standings]
    assert float(pooled[0]["score"]) == found.standings[0].score
    assert rows[-1]["elo"] == ""
    met = list(csv.DictReader(io.StringIO(encounters_as_csv(found))))
    assert len(met) == 2 * len(found.encounters) == 12  # half of them met in one contest, half in the other


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
def test_no_cell_of_csv_is_a_formula_or_commands_a_terminal(found: Findings, name: str, cell: str) -> None:
    one, *others = found.standings
    alone = replace(found, contests=found.contests[:1])
    rows = list(csv.DictReader(io.StringIO(as_csv(replace(alone, standings=(replace(one, name=name), *others))))))
    assert rows[0]["player"] == cell
    first, *more = found.encounters
    met = replace(alone, encounters=(replace(first, second=name, elo=-12.5), *more))
    row = next(csv.DictReader(io.StringIO(encounters_as_csv(met))))
    assert (row["against"], row["elo"]) == (cell, "-12.5")


def test_json_escapes_what_commands_a_terminal(found: Findings) -> None:
    text = as_json(replace(found, title="\x9b7m\u202e\x7f"))
    assert text.replace("\n", "").isprintable()
    assert msgspec.json.decode(text)["title"] == "\x9b7m\u202e\x7f"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (figures.percent(0.12345), "12.3 %"),
        (figures.percent(None), "n/a"),
        (figures.percent(-0.02), "\N{MINUS SIGN}2.0 %"),
        (figures.percent(0.0001), "< 0.1 %"),
        (figures.percent(0.0), "0.0 %"),
        (figures.interval(None, 1.0), "n/a"),
        (figures.interval(0.25, 1.0), "25.0 to 100.0 %"),
        (figures.signed(87.4), "+87"),
        (figures.signed(-0.4), "0"),
        (figures.span(344.2, 528.4), "+344 to +528"),
        (figures.span(None, -53.0), "\N{MINUS SIGN}\N{INFINITY} to \N{MINUS SIGN}53"),
        (figures.span(5.0, None), "+5 to \N{INFINITY}"),
        (figures.span(None, None), "n/a"),
        (figures.took(0.0000084), "8 \N{MICRO SIGN}s"),
        (figures.took(0.00125), "1.25 ms"),
        (figures.took(0.34), "340 ms"),
        (figures.took(12.5), "12.5 s"),
        (figures.signed(-11.6), "\N{MINUS SIGN}12"),
        (figures.likelihood(1.0), "> 99.9 %"),
        (figures.likelihood(0.00001), "< 0.1 %"),
        (figures.likelihood(0.975), "97.5 %"),
        (figures.points(1234.5), "1,234.5"),
        (figures.points(100.0), "100"),
        (figures.points(0.0), "0"),
        (figures.duration(45.2), "45 s"),
        (figures.duration(200), "3 min 20 s"),
        (figures.duration(7500), "2 h 05 min"),
    ],
)
def test_figures(text: str, wanted: str) -> None:
    assert text == wanted
