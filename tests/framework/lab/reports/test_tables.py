"""Tables of a report: complete texts, sums, and widths."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from transcripts import Transcript

from sandtable.journal.luck.tables import TableSheet
from sandtable.lab.ratings.findings import Findings
from sandtable.lab.reports import tables


def test_tables_have_as_many_cells_as_headings(found: Findings) -> None:
    for sheet in tables.sheets(found):
        assert sheet.rows
        assert {len(row) for row in sheet.rows} == {len(sheet.headings)}
        assert all(index < len(sheet.headings) for index in sheet.right)


def shown(sheets: Iterable[TableSheet]) -> str:
    """Return tables as text, one row per line."""
    lines = []
    for sheet in sheets:
        lines += ["", f"{sheet.title}:", *(" | ".join(row) for row in (sheet.headings, *sheet.rows))]
    return "\n".join(lines)


def test_all_tables_are_complete(found: Findings, transcript: Transcript) -> None:
    transcript(shown(tables.sheets(found)))


def test_tables_without_games_are_printed(nothing: Findings, transcript: Transcript) -> None:
    transcript(shown([tables.standings(tables.scored(nothing)[-1]), tables.origin(nothing)]))


def test_equal_scores_share_a_rank(found: Findings) -> None:
    one, two, *rest = found.standings
    assert tables.places((one, replace(two, score=one.score), *rest)) == [1, 1, 3, 4]


def test_pooled_games_are_the_sum_of_the_contests(found: Findings) -> None:
    for name in {each.name for each in found.standings}:
        games = sum(own.games for each in found.contests for own in each.standings if own.name == name)
        assert games == next(each.games for each in found.standings if each.name == name)
    assert all(each.test is None for contest in found.contests for each in contest.encounters)
    assert all(each.test for each in found.encounters)


def test_single_contest_is_not_pooled(found: Findings) -> None:
    alone = replace(found, contests=found.contests[:1])
    assert [each.title for each in tables.scored(alone)] == ["desert_aa frontier"]
    assert tables.scored(alone)[0].encounters == found.encounters  # including the test


def test_endings_add_up_to_the_games(found: Findings) -> None:
    for contest in found.contests:
        sheet = tables.endings(contest)
        assert sum(int(row[1]) for row in sheet.rows) == contest.games
        assert all(int(row[1]) == sum(map(int, row[3:])) for row in sheet.rows)


@pytest.mark.parametrize("width", [40, 80, 120, 1_000])
def test_wide_table_is_split_into_parts_with_row_names(found: Findings, width: int) -> None:
    for sheet in tables.sheets(found):
        parts = tables.fitted(sheet, width)
        names = [row[: sheet.keys] for row in sheet.rows]
        assert all([row[: sheet.keys] for row in part.rows] == names for part in parts)
        headings = [heading for part in parts for heading in part.headings[sheet.keys :]]
        assert headings == list(sheet.headings[sheet.keys :])
        right = [part.headings[index] for part in parts for index in part.right if index >= sheet.keys]
        assert right == [sheet.headings[index] for index in sheet.right if index >= sheet.keys]
        for part in parts:
            cells = zip(part.headings, *part.rows, strict=True)
            wide = sum(max(map(len, column)) + tables.GAP for column in cells) - tables.GAP
            assert wide <= width or len(part.headings) == sheet.keys + 1


def test_efforts_without_entries_have_no_rows(found: Findings) -> None:
    idle = tuple(replace(each, efforts=()) for each in found.contests)
    assert tables.efforts(replace(found, contests=idle)).rows == ()
