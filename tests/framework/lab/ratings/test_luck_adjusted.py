"""Luck-adjusted scores: closer to the true strength, and absent without enough games or luck."""

from dataclasses import replace

import pytest

from sandtable.journal.luck.ledger import by_entrant
from sandtable.kernel.dice import Stream
from sandtable.lab.plan import Contest, Entrant, GamePlan, Row, Tournament
from sandtable.lab.ratings.luck_adjusted import ENOUGH, adjusted
from sandtable.lab.ratings.results import tally


def lucky_event(games: int, seed: bytes, worth: int = 24) -> tuple[Tournament, list[GamePlan], list[Row]]:
    """Return games between equals that luck largely decides: the side with more surplus hits wins more often."""
    tournament = Tournament("Luck", "s", (Entrant("a"), Entrant("b")), (Contest("toy"),))
    stream, plans, rows = Stream(seed), [], []
    for number in range(games):
        lineup = {"north": "a", "south": "b"} if number % 2 == 0 else {"north": "b", "south": "a"}
        luck = sum(stream.below(2) for _ in range(16)) - 8
        side = "north" if stream.below(100) < 50 + worth * luck / 2 else "south"
        luck_by_entrant = by_entrant({"north": 500 * luck, "south": -500 * luck}, lineup)
        plans.append(GamePlan(number, 0, number // 2, 0, "s", lineup))
        rows.append(Row(number, side, lineup[side], "x", 1, 1, "", {}, {}, luck_by_entrant))
    return tournament, plans, rows


@pytest.mark.full
def test_luck_adjusted_score_is_more_accurate() -> None:
    raw = better = 0.0
    inside, events = 0, 400
    for number in range(events):
        counts = tally(*lucky_event(200, b"%d" % number))
        found = adjusted(counts.cells.values())["a"]
        wins = sum(cell.games for cell in counts.cells.values() if cell.winner == "a")
        raw += (wins / 200 - 0.5) ** 2
        better += (found.score - 0.5) ** 2
        inside += abs(found.score - 0.5) <= found.margin
        assert found.games == 200
        assert 0.05 < found.explained < 0.6
    assert better < 0.92 * raw
    assert abs(inside / events - 0.95) < 0.04


def test_all_losses_have_no_adjusted_score() -> None:
    tournament, plans, rows = lucky_event(100, b"lost")
    lost = [replace(row, outcome=_seat(plan, "b"), winner="b") for plan, row in zip(plans, rows, strict=True)]
    assert adjusted(tally(tournament, plans, lost).cells.values()) == {}


def _seat(plan: GamePlan, name: str) -> str:
    return next(side for side, who in plan.lineup.items() if who == name)


def test_adjusted_scores_of_two_sum_to_one() -> None:
    found = adjusted(tally(*lucky_event(100, b"x")).cells.values())
    assert found["a"].score + found["b"].score == pytest.approx(1)


def test_nothing_is_adjusted_without_enough_games_or_luck() -> None:
    assert adjusted(tally(*lucky_event(ENOUGH - 2, b"few")).cells.values()) == {}
    tournament, plans, rows = lucky_event(100, b"none")
    bare = [Row(row.number, row.outcome, row.winner, "x", 1, 1, "") for row in rows]
    assert adjusted(tally(tournament, plans, bare).cells.values()) == {}
    constant = [
        Row(row.number, "north", plans[row.number].lineup["north"], "x", 1, 1, "", {}, {}, row.luck_milli)
        for row in rows
    ]
    assert adjusted(tally(tournament, plans, constant).cells.values()) == {}
