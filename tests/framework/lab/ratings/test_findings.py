from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from sandtable.kernel.dice import Stream
from sandtable.lab.plan import Contest, Entrant, GamePlan, Row, StopRule, Tournament
from sandtable.lab.ratings.findings import Effort, Findings, contest_title, findings
from sandtable.lab.ratings.results import COLUMNS, Tally, tally
from sandtable.lab.statistics import strength
from sandtable.players.processes.supervised import result_of_forfeit
from sandtable.rules.chance.outcomes import wilson

Make = Callable[..., Any]


def found(event: Any) -> Findings:
    return findings(tally(*event))


def test_findings_of_a_small_match_are_correct(two_sided: Make) -> None:
    result = found(two_sided(["a", "a", "a", "b", "", "", "", "a"]))
    first, second = result.standings
    assert (first.name, first.games, first.wins, first.draws, first.losses, first.points) == ("a", 8, 4, 3, 1, 5.5)
    assert (second.name, second.points) == ("b", 2.5)
    assert (first.low, first.high) == wilson(5.5, 8)
    (met,) = result.encounters
    assert met.pairs == (0, 0, 2, 1, 1)
    known = strength(met.pairs)
    assert known is not None
    assert (met.elo, met.superiority) == (known.elo, known.superiority)
    (contest,) = result.contests
    assert contest.title == "toy road"
    assert [(side.side, side.wins, side.draws, side.games) for side in contest.sides] == [
        ("north", 3, 3, 8),
        ("south", 2, 3, 8),
    ]
    assert contest.endings == {"road_cut": {"north": 3, "south": 2}, "time_up": {"draw": 3}}
    assert contest.turns == 7.5


def test_tally_is_independent_of_row_order(two_sided: Make) -> None:
    tournament, plans, rows = two_sided(["a", "b", "", "a", "b", "b", "a", "a"])
    complete = tally(tournament, plans, rows)
    in_parts = tally(tournament, plans, rows[::-1][:3])
    for row in rows[::-1][3:]:
        in_parts.add(plans[row.number], row)
    assert findings(complete) == findings(in_parts)


def test_findings_are_the_same_for_stored_games_and_rows(two_sided: Make) -> None:
    tournament, plans, rows = two_sided(["a", "b", "", "a", "b", "b", "a", "a"])
    rows = [replace(row, decisions={"a": row.number % 3, "b": 7}) for row in rows]
    rows[1] = replace(rows[1], verdicts={"a": "time", "b": "ok"}, luck_milli={"a": 300, "b": -200})
    rows[2] = replace(rows[2], luck_milli={"a": 100, "b": 0}, nodes={"a": 40}, decisions={})
    rows[3] = replace(rows[3], outcome="south", shares={"north": 300, "south": 700})
    stored = []
    for plan, row in zip(plans, rows, strict=True):
        tables = (row.verdicts, row.luck_milli, row.decisions, row.nodes)
        verdicts, luck, decisions, nodes = (msgspec.json.encode(each).decode() if each else "" for each in tables)
        shares = msgspec.json.encode(row.shares).decode() if row.shares else ""
        texts = (verdicts, luck, f"{decisions}\n{nodes}", shares)
        what = (row.outcome, row.winner, row.ending, row.turns, row.records, *texts)
        stored.append((row.number, plan.pair, plan.contest, msgspec.json.encode(plan.lineup).decode(), *what))
    counts = Tally(tournament)
    counts.add_stored(stored)
    assert counts == tally(tournament, plans, rows)
    assert len(COLUMNS.split(", ")) == len(stored[0])


def test_efforts_are_means_of_games_without_forfeit(two_sided: Make) -> None:
    tournament, plans, rows = two_sided(["a", "b", "", "a"])
    for number, row in enumerate(rows):
        rows[number] = replace(row, decisions={"a": 10 + number, "b": 4}, nodes={"b": 100 * number})
    rows[3] = replace(rows[3], ending="forfeit", verdicts={"b": "time"}, nodes={"b": 9_999})
    (contest,) = found((tournament, plans, rows)).contests
    assert contest.efforts == (Effort("a", 3, 11.0, None), Effort("b", 3, 4.0, 100.0))


def test_findings_without_games_are_empty(two_sided: Make) -> None:
    result = found(two_sided([]))
    assert [(each.score, each.low, each.elo) for each in result.standings] == [(None, None, None)] * 2
    assert result.encounters == ()
    assert result.contests[0].endings == {}
    assert result.contests[0].turns is None


def test_one_sided_match_has_no_elo_and_a_note(two_sided: Make) -> None:
    result = found(two_sided(["a"] * 40))
    assert result.standings[0].score == 1
    assert [each.elo for each in result.standings] == [None, None]
    assert result.encounters[0].elo is None
    assert (result.encounters[0].elo_low, result.encounters[0].elo_high) == (None, None)
    assert any("n/a" in note for note in result.notes)


def test_infinite_elo_margin_is_none(two_sided: Make) -> None:
    (met,) = found(two_sided(["a", "", "a", "a"])).encounters
    assert met.elo is not None
    assert met.elo_high is None
    assert met.elo_low is not None


def test_incomplete_pair_counts_for_the_score_only(two_sided: Make) -> None:
    result = found(two_sided(["a", "b", "a"]))
    assert result.encounters[0].games == 3
    assert sum(result.encounters[0].pairs) == 1
    assert any("incomplete" in note for note in result.notes)


def test_forfeits_count_for_score_but_not_side_balance(two_sided: Make) -> None:
    tournament, plans, rows = two_sided(["a", "b"] * 10)
    rows[4] = replace(rows[4], ending="forfeit", verdicts={"a": "ok", "b": "time"})
    rows[6] = replace(rows[6], ending="forfeit", verdicts={"a": "ok", "b": "crash"})
    result = found((tournament, plans, rows))
    assert {each.name: each.verdicts for each in result.standings} == {"a": {}, "b": {"crash": 1, "time": 1}}
    assert result.standings[0].games == 20
    (contest,) = result.contests
    assert contest.forfeits == 2
    assert [side.games for side in contest.sides] == [18, 18]
    assert [(each.game, each.why) for each in result.examples if "forfeit" in each.why] == [
        (4, "forfeit of b"),
        (6, "forfeit of b"),
    ]


def test_stop_rule_is_tested_for_each_pairing(two_sided: Make) -> None:
    result = found(two_sided(["a", "a", "a", ""] * 30, stop=StopRule(0, 50)))
    test = result.encounters[0].test
    assert test is not None
    assert test.accepted == "elo1"


def test_player_against_itself_counts_for_balance_only() -> None:
    tournament = Tournament("Cup", "s", (Entrant("a"),), (Contest("toy"),))
    plans = [GamePlan(number, 0, number, 0, "s", {"north": "a", "south": "a"}) for number in range(10)]
    rows = [Row(number, "north", "a", "road_cut", 3, 10, "") for number in range(10)]
    result = found((tournament, plans, rows))
    assert result.standings[0].games == 0
    assert [side.wins for side in result.contests[0].sides] == [10, 0]


SIDES = ("red", "green", "blue")


def three_sided(games: int) -> Any:
    """Return an event between three, in which "a" wins half the decided games."""
    names = ("a", "b", "c")
    tournament = Tournament("Three", "s", tuple(map(Entrant, names)), (Contest("islands"),))
    stream, plans, rows = Stream(b"three"), [], []
    for number in range(games):
        seats = names[number % 3 :] + names[: number % 3]
        lineup = dict(zip(SIDES, seats, strict=True))
        winner = stream.pick(("a", "a", "b", "c", ""))
        side = next((side for side, name in lineup.items() if name == winner), "draw")
        plans.append(GamePlan(number, 0, number // 3, 0, "s", lineup))
        rows.append(Row(number, side, winner, "all", 3, 10, ""))
    return tournament, plans, rows


def test_three_sides_share_a_draw_and_are_rated_from_their_shares() -> None:
    result = found(three_sided(300))
    assert sum(each.points for each in result.standings) == pytest.approx(300)
    best = result.standings[0]
    assert best.name == "a"
    assert result.encounters == ()
    assert [each.kind for each in result.standings] == ["sets"] * 3
    elo = {each.name: each.elo for each in result.standings}
    assert elo["a"] is not None
    assert elo["b"] is not None
    assert elo["a"].low > elo["b"].elo
    assert result.contests[0].fair == pytest.approx(1 / 3)
    tournament, plans, rows = three_sided(300)
    assert result == found((tournament, plans, rows[::-1]))


def test_incomplete_set_counts_for_the_score_only() -> None:
    result = found(three_sided(29))
    assert sum(each.games for each in result.standings) == 87
    assert result.notes == (
        "one set of games is incomplete: they count for scores and Elo, not for the spread of sets",
    )


def survivors(games: int) -> Any:
    """Return an event between three in which the player of "blue" is eliminated and the others draw."""
    tournament, plans, rows = three_sided(games)
    shares = {"red": 500, "green": 500, "blue": 0}
    return tournament, plans, [replace(row, outcome="draw", winner="", shares=shares) for row in rows]


def test_draw_among_survivors_is_shared_by_them_alone() -> None:
    result = found(survivors(30))
    assert {each.name: each.points for each in result.standings} == {"a": 10.0, "b": 10.0, "c": 10.0}
    assert {(each.wins, each.draws, each.losses) for each in result.standings} == {(0, 20, 10)}
    balance = {side.side: (side.wins, side.draws, side.share) for side in result.contests[0].sides}
    assert balance == {"blue": (0, 0, 0.0), "green": (0, 30, 0.5), "red": (0, 30, 0.5)}


def test_points_by_share_count_for_every_side() -> None:
    tournament, plans, rows = three_sided(3)
    shares = {"red": 600, "green": 300, "blue": 100}
    result = found((tournament, plans, [replace(row, outcome="red", winner="x", shares=shares) for row in rows]))
    assert [each.points for each in result.standings] == [1.0, 1.0, 1.0]
    assert {(each.wins, each.losses) for each in result.standings} == {(1, 2)}
    assert {side.side: side.share for side in result.contests[0].sides} == {
        "red": pytest.approx(0.6),
        "green": pytest.approx(0.3),
        "blue": pytest.approx(0.1),
    }


def test_points_of_two_sides_count_for_score_and_elo_but_not_for_pairs(two_sided: Make) -> None:
    tournament, plans, rows = two_sided(["a", "b"] * 20)
    graded = [replace(row, shares={"north": 750, "south": 250}, outcome="north", winner="x") for row in rows]
    graded = [replace(row, winner=plan.lineup["north"]) for row, plan in zip(graded, plans, strict=True)]
    graded[0] = replace(graded[0], shares={"north": 900, "south": 100})
    result = found((tournament, plans, graded))
    (met,) = result.encounters
    assert (met.games, met.wins, met.losses, met.pairs) == (40, 20, 20, (0, 0, 20, 0, 0))
    assert met.score == pytest.approx((0.9 + 0.25 + 19) / 40)
    assert met.kind == "pairs"
    assert met.elo == pytest.approx(strength({1150: 1, 1000: 19}).elo)  # type: ignore[union-attr]  # they differ


def forfeited(games: int, forfeiter: str) -> Any:
    """Return an event between three in which ``forfeiter`` forfeits every game."""
    tournament, plans, rows = three_sided(games)
    verdicts = {name: "crash" if name == forfeiter else "ok" for name in ("a", "b", "c")}
    early = []
    for row, plan in zip(rows, plans, strict=True):
        (failed,) = (side for side, name in plan.lineup.items() if name == forfeiter)
        outcome, ending, shares = result_of_forfeit(SIDES, failed)
        early.append(replace(row, outcome=outcome, winner="", ending=ending, shares=shares, verdicts=verdicts))
    return tournament, plans, early


def test_forfeit_among_three_gives_the_others_half_a_point() -> None:
    result = found(forfeited(30, "b"))
    own = {each.name: each for each in result.standings}
    assert {name: each.points for name, each in own.items()} == {"a": 15.0, "b": 0.0, "c": 15.0}
    assert {name: (each.wins, each.draws, each.losses) for name, each in own.items()} == {
        "a": (0, 30, 0),
        "b": (0, 0, 30),
        "c": (0, 30, 0),
    }
    assert own["b"].verdicts == {"crash": 30}
    assert result.contests[0].forfeits == 30


def test_forfeits_among_three_leave_the_loser_without_a_rating() -> None:
    elo = {each.name: each.elo for each in found(forfeited(60, "b")).standings}
    assert elo["b"] is None
    assert elo["a"] is not None
    assert elo["a"].elo == pytest.approx(0)


def test_contest_title_names_scenario_and_options() -> None:
    contest = Contest("toy+dusk", "road", {"tie": "stay", "night": "yes"})
    assert contest_title(contest) == "toy+dusk road (night=yes, tie=stay)"
