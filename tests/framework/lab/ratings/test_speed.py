"""A report needs little work per row, from memory or from stored rows, for any number of rows."""

from functools import partial
from pathlib import Path

import pytest
from work import lines_run

from sandtable.lab.plan import Contest, Entrant, GamePlan, Row, Tournament
from sandtable.lab.ratings.findings import findings
from sandtable.lab.ratings.results import COLUMNS, Tally, tally
from sandtable.lab.reports.export import as_csv, as_json
from sandtable.lab.reports.page import as_html
from sandtable.lab.tournament.annexes import Aside
from sandtable.lab.tournament.manifest import TournamentManifest, parse_manifest
from sandtable.lab.tournament.store import Store
from sandtable.players.processes.limits import Verdict

pytestmark = pytest.mark.full

NAMES = ("captain", "steady", "search", "random")
TEXT = """
[tournament]
title = "Big"
seed = "s"
games = 2
[[contest]]
ruleset = "desert_aa"
[[entrant]]
name = "captain"
player = "random"
[[entrant]]
name = "steady"
player = "random"
"""


def report(tournament: Tournament, plans: list[GamePlan], rows: list[Row]) -> None:
    found = findings(tally(tournament, plans, rows))
    assert found.games == len(rows)
    assert all((as_html(found), as_json(found), as_csv(found)))


def report_stored(tournament: Tournament, store: Store) -> None:
    counts = Tally(tournament)
    counts.add_stored(store.results(COLUMNS))
    assert as_html(findings(counts))


def test_report_of_rows_needs_little_work_per_row() -> None:
    few, many = (lines_run(partial(report, *big_event(games))) for games in (2_000, 4_000))
    assert (many - few) / 2_000 < 80  # 25 when it was measured


def test_report_of_stored_rows_needs_little_work_per_row(tmp_path: Path) -> None:
    work = []
    for games in (2_000, 4_000):
        tournament, plans, rows = big_event(games)
        manifest = TournamentManifest(TEXT, str(tmp_path), parse_manifest(TEXT, "big"))
        with Store.create(tmp_path / f"{games}", manifest) as store:
            store.put((plan, row, 0, b"", Aside()) for plan, row in zip(plans, rows, strict=True))
            work.append(lines_run(partial(report_stored, tournament, store)))
            counts = Tally(tournament)
            counts.add_stored(store.results(COLUMNS))
        assert findings(counts) == findings(tally(tournament, plans, rows))
    assert (work[1] - work[0]) / 2_000 < 120  # 38 when it was measured


def big_event(games: int) -> tuple[Tournament, list[GamePlan], list[Row]]:
    tournament = Tournament("Big", "s", tuple(map(Entrant, NAMES)), (Contest("desert_aa"), Contest("toy")))
    sides = (("axis", "allies"), ("north", "south"))
    meetings = [(one, other) for one in NAMES for other in NAMES if one < other]
    plans, rows = [], []
    for number in range(games):
        pair = number // 2
        one, other = meetings[pair % 6]
        contest = pair // 6 % 2
        seats = (one, other) if number % 2 == 0 else (other, one)
        lineup = dict(zip(sides[contest], seats, strict=True))
        mixed = number * 2_654_435_761 >> 7
        place = mixed % 5 % 3
        outcome = (*sides[contest], "draw")[place]
        verdicts: dict[str, Verdict] = dict.fromkeys(seats, "ok")
        luck = {one: mixed % 4001 - 2000, other: 2000 - mixed % 4001}
        plans.append(GamePlan(number, 0, pair, contest, "s", lineup))
        ending = ("captured", "limit", "time")[mixed % 3]
        result = (number, outcome, lineup.get(outcome, ""), ending, mixed % 12, 300, "")
        rows.append(Row(*result, verdicts, dict.fromkeys(seats, 40), luck, {seats[0]: 4_000}))
    return tournament, plans, rows
