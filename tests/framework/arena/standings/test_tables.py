import csv
import io
from dataclasses import replace

import msgspec
import pytest

from sandtable.arena.ratings.findings import Findings
from sandtable.arena.standings import figures, tables
from sandtable.arena.standings.export import as_csv, as_json, encounters_as_csv


def test_all_tables_have_as_many_cells_as_headings(found: Findings) -> None:
    for sheet in tables.sheets(found):
        assert sheet.rows
        assert {len(row) for row in sheet.rows} == {len(sheet.headings)}
        assert all(place < len(sheet.headings) for place in sheet.right)


def test_standings_show_what_there_is(found: Findings, nothing: Findings) -> None:
    shown = tables.standings(found)
    assert {"Elo", "score without luck", "forfeits"} <= set(shown.headings)
    assert "skill" not in shown.headings
    assert [row[shown.headings.index("Elo")] for row in shown.rows][-1] == "n/a"
    bare = tables.standings(nothing)
    assert "Elo" not in bare.headings
    assert all(row[bare.headings.index("score")] == "n/a" for row in bare.rows)


def test_the_same_score_is_the_same_place(found: Findings) -> None:
    one, two, *rest = found.standings
    shared = replace(found, standings=(one, replace(two, score=one.score), *rest))
    assert tables.places(shared) == [1, 1, 3, 4]


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


def test_decisions_are_told_of_all_and_nodes_of_who_searches(found: Findings) -> None:
    sheet = tables.efforts(found)
    assert sheet.headings == ("played", "player", "games", "decisions a game", "nodes a game")
    nodes = {(played, player): told for played, player, _, _, told in sheet.rows}
    assert all(bool(told) == (player == "steady") for (_, player), told in nodes.items())
    assert all(2_000 <= float(told.replace(",", "")) < 2_100 for told in nodes.values() if told)
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
    assert [row["player"] for row in rows] == [each.name for each in found.standings]
    assert float(rows[0]["score"]) == found.standings[0].score
    assert rows[-1]["elo"] == ""
    met = list(csv.DictReader(io.StringIO(encounters_as_csv(found))))
    assert len(met) == len(found.encounters) == 6


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
    rows = list(csv.DictReader(io.StringIO(as_csv(replace(found, standings=(replace(one, name=name), *others))))))
    assert rows[0]["player"] == cell
    first, *more = found.encounters
    met = replace(found, encounters=(replace(first, second=name, elo=-12.5), *more))
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
        (figures.signed(87.4, 12.3), "+87 ± 12"),
        (figures.signed(-0.4, 0.31), "0 ± 0.3"),
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
