"""A million rows are reported in under five seconds, from memory or as they are stored."""

from pathlib import Path
from time import process_time

import pytest

from sandtable.arena.ratings.findings import findings
from sandtable.arena.ratings.tally import COLUMNS, Tally, tally
from sandtable.arena.standings.export import as_csv, as_json
from sandtable.arena.standings.page import as_html
from sandtable.arena.tournament.manifest import Manifest, parse_manifest
from sandtable.arena.tournament.plan import Contest, Entrant, GamePlan, Row, Tournament, Verdict
from sandtable.arena.tournament.store import Store

GAMES = 1_000_000
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


@pytest.mark.slow
def test_a_million_rows_in_under_five_seconds() -> None:
    tournament, plans, rows = big_event()
    began = process_time()
    found = findings(tally(tournament, plans, rows))
    texts = (as_html(found), as_json(found), as_csv(found))
    taken = process_time() - began
    assert all(texts)
    assert found.games == GAMES
    assert taken < 5


@pytest.mark.slow
def test_a_million_stored_rows_in_under_five_seconds(tmp_path: Path) -> None:
    tournament, plans, rows = big_event()
    wanted = findings(tally(tournament, plans, rows))
    with Store.create(tmp_path / "big", Manifest(TEXT, str(tmp_path), parse_manifest(TEXT, "big"))) as store:
        store.put((plan, row, 0, b"") for plan, row in zip(plans, rows, strict=True))
        plans.clear()
        rows.clear()
        began = process_time()
        counts = Tally(tournament)
        counts.add_stored(store.results(COLUMNS))
        found = findings(counts)
        assert as_html(found)
        taken = process_time() - began
    assert found == wanted
    assert taken < 5


def big_event() -> tuple[Tournament, list[GamePlan], list[Row]]:
    tournament = Tournament("Big", "s", tuple(map(Entrant, NAMES)), (Contest("desert_aa"), Contest("toy")))
    sides = (("axis", "allies"), ("north", "south"))
    meetings = [(one, other) for one in NAMES for other in NAMES if one < other]
    plans, rows = [], []
    for number in range(GAMES):
        pair = number // 2
        one, other = meetings[pair % 6]
        contest = pair // 6 % 2
        seats = (one, other) if number % 2 == 0 else (other, one)
        lineup = dict(zip(sides[contest], seats, strict=True))
        mixed = number * 2_654_435_761 >> 7
        place = mixed % 5 % 3
        outcome = (*sides[contest], "draw")[place]
        verdicts: dict[str, Verdict] = dict.fromkeys(seats, "ok")
        told = {one: mixed % 4001 - 2000, other: 2000 - mixed % 4001}
        plans.append(GamePlan(number, 0, pair, contest, "s", lineup))
        ending = ("captured", "limit", "time")[mixed % 3]
        what = (number, outcome, lineup.get(outcome, ""), ending, mixed % 12, 300, "")
        rows.append(Row(*what, verdicts, dict.fromkeys(seats, 40), told, {seats[0]: 4_000}))
    return tournament, plans, rows
