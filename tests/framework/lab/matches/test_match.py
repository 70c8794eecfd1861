import hashlib
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from math import log10
from pathlib import Path
from typing import Any

import pytest
from tournaments import RULESETS

from sandtable.errors import LogExists, PlayError
from sandtable.journal.verification.verify import verify_log
from sandtable.lab.matches import games
from sandtable.lab.matches.games import GameResult, MatchPlan, play_one
from sandtable.lab.matches.match import MatchResult, MatchRun, run_match
from sandtable.lab.seating import seats_of
from sandtable.plugin.manager import Rulesets
from sandtable.workers import tasks
from sandtable.workers.executors import Pool, _begin_work

PLAN = MatchPlan(
    "skirmish", ("brave", "random"), 40, "m", plugins_dir=str(Path(__file__).parents[2] / "rulesets"), dice="open"
)


@pytest.fixture(scope="module")
def played(rulesets: Rulesets) -> MatchResult:
    return run_match(PLAN, rulesets)


def test_games_are_played_in_pairs_with_the_same_dice_and_sides_swapped(played: MatchResult) -> None:
    assert [result.first for result in played.results[:4]] == ["red", "blue", "red", "blue"]
    assert [PLAN.seed_of(game) for game in range(4)] == ["m/1", "m/1", "m/2", "m/2"]


def test_player_against_itself_gets_new_dice_each_game() -> None:
    alike = replace(PLAN, players=("random", "random"))
    assert [alike.seed_of(game) for game in range(3)] == ["m/1", "m/2", "m/3"]


def test_scores_and_endings_add_up(played: MatchResult) -> None:
    first, second = played.scores
    assert first.points + second.points == first.games == second.games == 40
    assert first.interval[0] < first.score < first.interval[1]
    assert sum(played.endings.values()) == sum(played.won_by_side.values()) == 40
    assert played.strength is not None


@pytest.mark.full
def test_match_is_the_same_for_any_workers(
    played: MatchResult, rulesets: Rulesets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "SHORT_SECONDS", 0.0)
    counts: list[int] = []
    assert run_match(PLAN, rulesets, workers=2, seen=counts.append) == played
    assert counts[0] == 1
    assert counts[-1] == 40


def test_match_game_depends_on_its_number_alone(played: MatchResult, rulesets: Rulesets) -> None:
    prepared = rulesets.load("skirmish").prepare()
    assert play_one(prepared, PLAN, 17) == played.results[17]


def test_match_logs_are_complete_and_verify(rulesets: Rulesets, tmp_path: Path) -> None:
    plan = replace(PLAN, games=3, out=str(tmp_path / "logs"))
    result = run_match(plan, rulesets)
    files = sorted((tmp_path / "logs").iterdir())
    assert [file.name for file in files] == ["0001.jsonl", "0002.jsonl", "0003.jsonl"]
    assert [verify_log(file, rulesets).verdict for file in files] == ["verified"] * 3
    heads = [file.read_bytes()[-67:-3].decode() for file in files]
    assert heads == [each.head for each in result.results]
    with pytest.raises(LogExists, match="not empty"):
        run_match(plan, rulesets)


@pytest.mark.full
def test_workers_write_the_same_logs(rulesets: Rulesets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "SHORT_SECONDS", 0.0)
    sums = []
    for processes in (1, 2):
        folder = tmp_path / str(processes)
        run_match(replace(PLAN, games=10, out=str(folder)), rulesets, workers=processes)
        sums.append([hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())])
    assert sums[0] == sums[1]
    assert len(sums[0]) == 10


@pytest.mark.full
def test_killed_worker_is_replaced(
    played: MatchResult, rulesets: Rulesets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "SHORT_SECONDS", 0.0)
    pids: list[int] = []

    def kill(pool: Pool, task: Callable[[], object]) -> None:
        pids.append(pool.executor.submit(os.getpid).result())
        pool.executor.submit(os.kill, pids[0], signal.SIGKILL)

    monkeypatch.setattr(Pool, "load", kill)
    plan = replace(PLAN, out=str(tmp_path / "logs"))
    assert run_match(plan, rulesets, workers=2).results == played.results
    assert pids
    assert len(list((tmp_path / "logs").iterdir())) == 40


@pytest.mark.parametrize("processes", [1, 2])
def test_failed_game_is_reported_with_its_replay_command(
    rulesets: Rulesets, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    def fails(*_: Any) -> None:
        raise PlayError("no order left")

    monkeypatch.setattr(games, "play_recorded", fails)
    with pytest.raises(PlayError, match=r"game 1 failed: no order left; .* --player red=brave --player blue=random"):
        run_match(PLAN, rulesets, workers=processes)


def test_worker_leaves_ctrl_c_to_the_leader() -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        _begin_work()
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
        assert [result.game for result in tasks.work(MatchRun(PLAN), (0, 1))[0]] == [0, 1]
    finally:
        signal.signal(signal.SIGINT, before)


def test_unknown_players_are_refused_before_a_game_is_played(rulesets: Rulesets) -> None:
    with pytest.raises(PlayError, match="has no player 'nobody'"):
        run_match(replace(PLAN, players=("brave", "nobody")), rulesets)


THREE = MatchPlan("heap", ("tuned", "random"), 24, "h", plugins_dir=str(RULESETS))


@pytest.fixture(scope="module")
def three_sided() -> MatchResult:
    return run_match(THREE, Rulesets(RULESETS))


def test_two_players_are_alone_on_each_of_three_sides_once(three_sided: MatchResult) -> None:
    seats = [tuple(game.seats.values()) for game in three_sided.results[:6]]
    assert seats == [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert {THREE.seed_of(game, 3) for game in range(6)} == {"h/1"}
    assert THREE.seed_of(6, 3) == "h/2"


def test_scores_for_three_sides_are_points_for_each_side_played(three_sided: MatchResult) -> None:
    first, second = three_sided.scores
    assert first.points + second.points == 24
    assert (first.seats, second.seats) == (36, 36)
    assert first.score == first.points / 36
    assert sum(three_sided.shares.values()) == pytest.approx(1)
    assert first.interval[0] < first.score < first.interval[1]


def test_players_for_each_side_are_rotated_and_equal_names_are_pooled() -> None:
    found = run_match(replace(THREE, players=("tuned", "random", "random"), games=9), Rulesets(RULESETS))
    seats = [tuple(game.seats.values()) for game in found.results]
    assert seats[:3] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert seats[3:6] == [(0, 2, 1), (1, 0, 2), (2, 1, 0)]
    assert [(each.name, each.seats, each.games) for each in found.scores] == [("tuned", 9, 9), ("random", 18, 9)]


def test_wrong_number_of_players_is_refused_with_the_right_ones() -> None:
    with pytest.raises(PlayError, match="4 players cannot play for 3 sides: name 2 players, or 3"):
        run_match(replace(THREE, players=("random",) * 4), Rulesets(RULESETS))


def won(game: int, sides: int, winner: int) -> GameResult:
    """Return a game of two players that the side number ``winner`` wins."""
    seats = {f"s{side}": player for side, player in enumerate(seats_of(game, 2, sides))}
    return GameResult(game, seats, f"s{winner}", "end", 1, 1, "")


def test_strength_on_three_sides_follows_from_the_ratio_of_shares() -> None:
    """In each set the first player wins its three games alone with 1/2, and 4 of 5 of the others: shares of 2 to 1."""
    games = []
    for start in range(0, 60, 6):
        for turn in range(3):
            alone = (turn + start // 6) % 2 == 0 if turn < 2 else start % 12 == 0
            games.append(won(start + turn, 3, turn if alone else (turn + 1) % 3))
        for turn in range(3):
            lost = (start // 6 * 3 + turn) % 5 == 0
            games.append(won(start + 3 + turn, 3, turn if lost else (turn + 1) % 3))
    found = MatchResult(replace(THREE, players=("a", "b"), games=60), ("s0", "s1", "s2"), tuple(games))
    assert [each.points for each in found.scores] == [15 + 24, 15 + 6]
    known = found.strength
    assert known is not None
    assert known.elo == pytest.approx(400 * log10((15 + 24 / 2) / (15 / 2 + 6)))
    assert known.elo_low < known.elo < known.elo_high


@pytest.mark.parametrize("games", [6, 12])
def test_strength_on_three_sides_is_unknown_from_equal_sets(games: int) -> None:
    """In each set the first player wins one of three games alone, and all three of the others."""
    winners = [0, 0, 0, 1, 0, 0]
    results = tuple(won(game, 3, winners[game % 6]) for game in range(games))
    found = MatchResult(replace(THREE, players=("a", "b"), games=games), ("s0", "s1", "s2"), results)
    assert found.strength is None
