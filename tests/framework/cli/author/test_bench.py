from dataclasses import replace
from pathlib import Path

import pytest
from command_line import Refused, Run, RunJson
from msgspec import json

from sandtable.cli.author import comparing, timing, timing_players
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.plugin.manager import Installed
from sandtable.testing import tictactoe
from sandtable.testing.reference_loop import EMPTY, ONE_MOVE_LEFT, play_bare


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.plugin.manager.entry_points", lambda group: [])
    monkeypatch.setattr(timing, "ROUNDS", 1)
    monkeypatch.setattr(timing.time_toy, "__defaults__", (5,))
    monkeypatch.setattr(timing, "YARDSTICK_GAMES", 2)
    monkeypatch.setattr(timing.time_ruleset, "__defaults__", (0.01,))
    monkeypatch.setattr(timing_players.time_games, "__defaults__", (0.01,))
    monkeypatch.setattr(timing_players.time_board, "__defaults__", (3,))


@pytest.mark.full
def test_json_has_the_keys_that_scripts_depend_on(run_json: RunJson) -> None:
    told = run_json("ruleset", "bench")
    assert list(told) == ["toy", "board", "skirmish"]
    board = ["reach", "line_of_sight", "sight_map", "sight_remembered", "supply_after_a_move"]
    assert list(told["board"]) == [f"{each}_us" for each in board] + [f"{each}_cost" for each in board]
    assert {"records_s", "ratio_to_bare_loop", "fold_to_play", "verify_to_play", "kernel_cost"} <= set(told["toy"])
    assert {"records_s", "games_s", "game_ms", "fold_to_play", "verify_to_play", "play_cost"} <= set(told["skirmish"])
    over = {"over_bare_move_us", "over_bare_game_us"}
    assert over <= set(told["toy"])
    assert all(figure > 0 for figures in told.values() for name, figure in figures.items() if name not in over)


@pytest.mark.full
def test_bench_of_one_ruleset_is_printed_as_text(run: Run) -> None:
    result = run("ruleset", "bench", "skirmish", code=0)
    first, second = result.stdout.split("\n\n")
    assert [line.split()[0] for line in first.splitlines()[2:]] == ["toy", "skirmish"]
    rows = [line.split()[:2] for line in second.splitlines()[2:6]]
    assert rows == [["toy", "over"], ["toy", "over"], ["board", "reach"], ["board", "line"]]


@pytest.mark.parametrize("cells", [EMPTY, ONE_MOVE_LEFT])
def test_bare_loop_writes_the_same_log_as_the_kernel(cells: tuple[str, ...]) -> None:
    prepared = Installed("tictactoe", tictactoe, "part of the framework").prepare()
    start = prepared.ruleset.codec.from_bytes(prepared.first_state, None)
    start.cells = list(cells)
    begun = replace(prepared, first_state=prepared.ruleset.codec.to_bytes(start))
    for number in range(20):
        key = key_from_seed(f"bare/{number}")
        game = begun.new_game(KeyedDice(key))
        game.play({side: timing._Drawing(Stream.for_player(key, side)) for side in ("x", "o")})
        bare, state = play_bare({side: Stream.for_player(key, side) for side in ("x", "o")}, START, cells)
        assert chain(LineForm(game.ruleset, KeyedSalts(key)).encode(game.records).bodies, START)[0] == bare
        assert state == game.state


def test_variants_are_timed_in_turn() -> None:
    order: list[str] = []
    ways = {name: (lambda name=name: order.append(name)) for name in "ab"}
    times = timing.in_turn(ways, rounds=3)
    assert order == ["a", "b"] * 3
    assert {name: len(each) for name, each in times.items()} == {"a": 3, "b": 3}
    assert timing.ratio([2.0, 9.0, 4.0], [1.0, 1.0, 1.0]) == 4.0


# --- runs compared ---


def run_of(**costs: float) -> dict[str, dict[str, float]]:
    return {"skirmish": {f"{name}_cost": cost for name, cost in costs.items()} | {"game_ms": 3.0}}


def test_costs_are_relative_to_the_yardstick_of_the_same_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "YARDSTICK_GAMES", 100)
    times = {timing.YARDSTICK: [1.0, 2.0, 4.0], "play": [3.0, 6.0, 16.0]}
    assert timing.costs(times, {"play": 10}) == {"play_cost": 30.0}


def test_run_that_is_5_percent_longer_is_slower() -> None:
    found = list(comparing.changes(run_of(play=10, fold=4, verify=8), run_of(play=10.6, fold=4.1, verify=7, new=1)))
    assert [(each.of, each.what, each.verdict) for each in found] == [
        ("skirmish", "play", "slower"),
        ("skirmish", "fold", ""),
        ("skirmish", "verify", "faster"),
    ]


def test_apparent_slowdown_is_measured_again_and_the_faster_run_counts() -> None:
    asked = []

    def again(name: str) -> dict[str, float]:
        asked.append(name)
        return run_of(play=10, fold=9)["skirmish"]

    then, now = run_of(play=10, fold=4), run_of(play=12, fold=8) | {"toy": {"kernel_cost": 1.0}}
    assert comparing.settled(then, now, again)["skirmish"]["play_cost"] == 10
    assert comparing.settled(then, now, again)["skirmish"]["fold_cost"] == 8
    assert asked == ["skirmish", "skirmish"]


@pytest.mark.full
@pytest.mark.parametrize(("cost", "code", "word"), [(1e-9, 1, "slower than in"), (1e9, 0, "none is slower")])
def test_a_run_is_compared_with_an_earlier_one(run: Run, cost: float, code: int, word: str) -> None:
    Path("bench.json").write_bytes(json.encode(run_of(play=cost)))
    result = run("ruleset", "bench", "skirmish", "--compare", "bench.json", code=code)
    assert word in result.stderr
    assert [line.split()[:2] for line in result.stdout.splitlines()[2:]] == [["skirmish", "play"]]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"{", "is not the output of bench"),
        (b"[]", "is not the output of bench"),
        (b'{"toy": {"games_s": 3}}', "has no costs"),
    ],
)
def test_compare_with_an_invalid_file_is_refused(refused: Refused, data: bytes, why: str) -> None:
    Path("bench.json").write_bytes(data)
    assert why in refused(3, "ruleset", "bench", "--compare", "bench.json")
