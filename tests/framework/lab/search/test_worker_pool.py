"""Several processes for one search: the result is the same, whichever process played its games or died."""

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sandtable.cli.main import cli
from sandtable.errors import PlayError
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.lab.search.player import SearchPlayer
from sandtable.lab.search.playout import Work
from sandtable.lab.search.worker_pool import Foreseen, SearchPool
from sandtable.players.players import RandomPlayer
from sandtable.plugin.manager import Installed
from sandtable.testing import tictactoe
from sandtable.testing.tictactoe import Mark


@pytest.fixture
def _unthreaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process fork although the test runner may have threads."""
    monkeypatch.setattr("sandtable.lab.search.worker_pool.threading.active_count", lambda: 1)


forking = pytest.mark.skipif(not hasattr(os, "fork"), reason="where nothing forks all is played here")


def counted(work: Work, played: list[int]) -> Callable[[Order, int], float]:
    """Return a function that pays a tenth of cell plus number after five decisions.

    It records the games of this process.
    """

    def play(order: Order, number: int) -> float:
        assert isinstance(order, Mark)
        played.append(number)
        work.made += 5
        if order == Mark(8):
            raise PlayError("no such game")
        return float(order.cell + number) / 10

    return play


@pytest.mark.usefixtures("_unthreaded")
@forking
def test_foreseen_games_count_only_when_needed() -> None:
    work, here = Work(), list[int]()
    pool = SearchPool(3, counted(work, here), work)
    games = [(Mark(1), number) for number in range(6)]
    pool.foresee(games)
    pool.foresee(games)
    assert work.made == 0
    assert here == [0, 3], "its own share of the first time"
    assert [pool.play(*game) for game in games] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    assert (work.made, len(here)) == (30, 2)
    pool.close()


@pytest.mark.usefixtures("_unthreaded")
@forking
def test_foreseen_failure_is_raised_only_when_needed() -> None:
    work = Work()
    pool = SearchPool(2, counted(work, []), work)
    pool.foresee([(Mark(8), 0), (Mark(8), 1), (Mark(2), 0)])
    assert pool.play(Mark(2), 0) == 0.2
    for number in (0, 1):
        with pytest.raises(PlayError, match="no such game"):
            pool.play(Mark(8), number)
    pool.close()


@pytest.mark.usefixtures("_unthreaded")
@forking
def test_killed_search_worker_changes_nothing() -> None:
    work, here = Work(), list[int]()
    pool = SearchPool(2, counted(work, here), work)
    pool.foresee([(Mark(1), 0), (Mark(1), 1)])
    _, process = pool._forked[0]
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()
    pool.foresee([(Mark(2), number) for number in range(4)])
    assert [pool.play(Mark(2), number) for number in range(4)] == [0.2, 0.3, 0.4, 0.5]
    pool.close()
    assert not process.is_alive()


def test_search_pool_does_not_fork_beside_threads() -> None:
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()
    pool = SearchPool(4, lambda _order, _number: 0.0, Work())
    ended.set()
    other.join()
    assert pool.workers == 1


def game_between_searchers(workers: int) -> tuple[list[Any], list[int]]:
    prepared = Installed("tictactoe", tictactoe, "").prepare()
    players = {}
    for seat in ("x", "o"):
        stream = Stream(b"pool" + seat.encode())
        made = SearchPlayer(seat, stream, prepared.board, lambda _, luck, __: RandomPlayer(luck), None, tree=False)
        made.configure({"nodes": 50, "work": 200})
        made.workers = workers
        players[seat] = made
    game = prepared.new_game(KeyedDice(key_from_seed("pool")))
    game.play(players)
    return [record.hash for record in game.records], [each.nodes_spent for each in players.values()]


@pytest.mark.full
@pytest.mark.usefixtures("_unthreaded")
def test_game_is_the_same_with_one_and_three_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = game_between_searchers(1)
    foreseen: list[Foreseen | None] = []
    note = SearchPool._note

    def noted(pool: SearchPool, games: Any, found: Any) -> None:
        foreseen.extend(found)
        note(pool, games, found)

    monkeypatch.setattr(SearchPool, "_note", noted)
    assert game_between_searchers(3) == alone
    assert foreseen or not hasattr(os, "fork")


@pytest.mark.full
@pytest.mark.usefixtures("_unthreaded")
def test_log_is_identical_with_one_and_two_workers(tmp_path: Path) -> None:
    logs = []
    for workers in ("1", "2"):
        log = tmp_path / f"{workers}.jsonl"
        words = ["play", "desert_aa", "--scenario", "frontier", "--seed", "w", "--player", "axis=search"]
        result = CliRunner().invoke(cli, [*words, "--max-records", "24", "--workers", workers, "--out", str(log)])
        assert "--max-records" in result.output
        logs.append([line for line in log.read_bytes().splitlines() if b'"annex"' not in line])
    assert logs[0] == logs[1]
    assert len(logs[0]) > 24
