"""A million rows are reported in under five seconds, from memory or as they are stored."""

import sqlite3
from time import process_time

import msgspec
import pytest

from sandtable.arena.ratings.findings import findings
from sandtable.arena.ratings.tally import COLUMNS, Tally, tally
from sandtable.arena.standings.export import as_csv, as_json
from sandtable.arena.standings.page import as_html
from sandtable.arena.tournament.plan import Contest, Entrant, GamePlan, Row, Tournament, Verdict

GAMES = 1_000_000
NAMES = ("captain", "steady", "search", "random")


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
def test_a_million_stored_rows_in_under_five_seconds() -> None:
    tournament, plans, rows = big_event()
    base = sqlite3.connect(":memory:")
    base.execute(f"create table games ({COLUMNS.replace('number', 'number integer primary key', 1)})")
    base.executemany(
        f"insert into games values ({', '.join('?' * 11)})",  # noqa: S608 - fixed words
        (
            (
                *(row.number, plan.pair, plan.contest, msgspec.json.encode(plan.lineup).decode()),
                *(row.outcome, row.winner, row.ending, row.turns, row.records, ""),
                msgspec.json.encode(row.luck_milli).decode(),
            )
            for plan, row in zip(plans, rows, strict=True)
        ),
    )
    wanted = findings(tally(tournament, plans, rows))
    plans.clear()
    rows.clear()
    began = process_time()
    counts = Tally(tournament)
    counts.add_stored(base.execute(f"select {COLUMNS} from games order by number"))  # noqa: S608
    found = findings(counts)
    assert as_html(found)
    assert process_time() - began < 5
    assert found == wanted
    base.close()


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
        rows.append(Row(number, outcome, lineup.get(outcome, ""), ending, mixed % 12, 300, "", verdicts, {}, told))
    return tournament, plans, rows
