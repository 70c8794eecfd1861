from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

from sandtable.cli.ruleset import timing
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.codec import encode_bodies
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.plugin.manager import Installed
from sandtable.testing import tictactoe
from sandtable.testing.bare import play_bare

Run = Callable[..., Result]
RunJson = Callable[..., Any]


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.plugin.manager.entry_points", lambda group: [])
    monkeypatch.setattr(timing, "ROUNDS", 1)
    monkeypatch.setattr(timing.time_toy, "__defaults__", (5,))
    monkeypatch.setattr(timing.time_ruleset, "__defaults__", (0.01,))


def test_json_has_the_keys_that_scripts_depend_on(run_json: RunJson) -> None:
    told = run_json("bench")
    assert list(told) == ["toy", "board", "skirmish"]
    assert list(told["board"]) == ["reach_us", "line_of_sight_us", "supply_after_a_move_us"]
    assert {"records_s", "ratio_to_bare_loop", "fold_to_play", "verify_to_play"} <= set(told["toy"])
    assert {"records_s", "games_s", "game_ms", "fold_to_play", "verify_to_play"} <= set(told["skirmish"])
    assert all(figure > 0 for figures in told.values() for figure in figures.values())


def test_one_ruleset_in_words(run: Run) -> None:
    result = run("bench", "skirmish")
    assert result.exit_code == 0
    first, second = result.stdout.split("\n\n")
    assert [line.split()[0] for line in first.splitlines()[2:]] == ["toy", "skirmish"]
    assert [line.split()[:2] for line in second.splitlines()[2:4]] == [["board", "reach"], ["board", "line"]]


def test_an_unknown_ruleset_exits_4(run: Run) -> None:
    assert run("bench", "chess").exit_code == 4


def test_the_bare_loop_makes_the_same_log_as_the_kernel() -> None:
    prepared = Installed("tictactoe", tictactoe, "part of the framework").prepare()
    for number in range(20):
        key = key_from_seed(f"bare/{number}")
        game = prepared.new_game(KeyedDice(key))
        game.play({side: timing._Drawing(Stream.for_player(key, side)) for side in ("x", "o")})
        bare, state = play_bare({side: Stream.for_player(key, side) for side in ("x", "o")}, START)
        assert chain(encode_bodies(game.records), START)[0] == bare
        assert state == game.state


def test_ways_are_timed_in_turn() -> None:
    order: list[str] = []
    ways = {name: (lambda name=name: order.append(name)) for name in "ab"}
    times = timing.in_turn(ways, rounds=3)
    assert order == ["a", "b"] * 3
    assert {name: len(each) for name, each in times.items()} == {"a": 3, "b": 3}
    assert timing.ratio([2.0, 9.0, 4.0], [1.0, 1.0, 1.0]) == 4.0
