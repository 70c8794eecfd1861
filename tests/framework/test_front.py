"""The package ``sandtable``: games, logs and rulesets in a few calls, and modules loaded only when they are used."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable as st
from sandtable import front
from sandtable.kernel.dice import Stream
from sandtable.testing import tictactoe, toy

MODULES = ["areas", "graphs", "hexes", "notation", "pictures"]
FRONT = ["RecordedGame", *MODULES, "load", "new_game", "read_log", "rulesets", "verify"]


def played_on(game: st.RecordedGame) -> st.RecordedGame:
    """Answer at random for the seats without a player, to the end."""
    chance = Stream(b"front")
    while game.pending:
        decision = game.waiting()[0]
        game.submit(decision.options.sample(chance), decision.seat)
    return game


def cells(game: st.Game) -> list[str]:
    assert isinstance(game.state, tictactoe.Board)
    return game.state.cells


@pytest.mark.full
def test_a_program_plays_against_a_bot_and_the_log_verifies(tmp_path: Path) -> None:
    game = st.new_game("desert_aa", scenario="frontier", seed="front", players={"axis": "commander"})
    assert {each.side for each in game.waiting()} == {"allies"}
    assert game.header.players["england"] == "human"
    played_on(game).save(tmp_path / "frontier.jsonl")
    assert game.is_over
    assert st.verify(tmp_path / "frontier.jsonl", deep=True).verdict == "verified"
    assert st.read_log(tmp_path / "frontier.jsonl").records == game.number


def test_the_same_arguments_and_orders_give_the_same_log() -> None:
    first, again, other = (played_on(st.new_game(toy, seed=seed)).log() for seed in ("a", "a", "c"))
    assert first == again != other


def test_games_without_a_seed_have_different_keys() -> None:
    assert st.new_game(tictactoe).header.key != st.new_game(tictactoe).header.key


class Last:
    """Takes the last of the options."""

    def choose(self, decision: st.Decision, view: st.View) -> st.Order:
        order: st.Order = list(decision.options.values())[-1]
        return order


def test_player_may_be_an_object_and_join_later() -> None:
    game = st.new_game(tictactoe, players={"x": Last()})
    assert game.header.players["x"] == "Last"
    assert game.waiting()[0].seat == "o"
    game.play({"o": Last()})
    assert game.is_over


def test_player_of_a_side_plays_all_its_powers(tmp_path: Path) -> None:
    game = st.new_game("desert_aa", scenario="frontier", seed="front", players={"axis": Last(), "allies": "human"})
    assert game.header.players == {"italy": "Last", "germany": "Last", "england": "human", "umpire": "random"}
    game.save(tmp_path / "begun.jsonl")
    assert st.verify(tmp_path / "begun.jsonl").verdict == "verified so far"


def test_player_for_an_unknown_seat_is_refused() -> None:
    with pytest.raises(st.SandtableError, match="has no side or seat 'green'"):
        st.new_game(tictactoe, players={"green": Last()})


def test_order_can_be_undone_and_a_fork_is_independent() -> None:
    game = st.new_game(tictactoe, seed="front")
    twin = game.fork()
    game.submit(tictactoe.Mark(4))
    twin.submit(tictactoe.Mark(0))
    assert (cells(game)[4], cells(twin)[4]) == ("x", "")
    game.undo()
    assert cells(game).count("") == 9


def test_rulesets_are_listed_and_loaded_by_id() -> None:
    assert st.rulesets()["desert_aa"].title == st.load("desert_aa").manifest.title
    with pytest.raises(st.SandtableError, match="is not installed"):
        st.load("chess")


def test_existing_log_is_not_overwritten(tmp_path: Path) -> None:
    game = st.new_game(tictactoe)
    game.save(tmp_path / "a.jsonl")
    with pytest.raises(st.SandtableError, match="exists"):
        game.save(tmp_path / "a.jsonl")
    game.save(tmp_path / "a.jsonl", force=True)


@pytest.mark.full
def test_public_names_exist_and_are_loaded_on_first_use() -> None:
    assert set(FRONT) <= set(st.__all__)
    for name in st.__all__:
        assert getattr(st, name) is not None
    code = "import sys, sandtable; print([name for name in sys.modules if name.startswith('sandtable.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_boards_and_pictures_are_public() -> None:
    assert st.hexes.range_hexes(st.hexes.Hex(0, 0), st.hexes.Hex(2, 1)) == 3
    assert st.areas.AreaMap.__name__ == "AreaMap"
    assert st.graphs.distance_spaces([[1], [0, 2], [1]], 0, 2) == 2
    assert st.pictures.number_word(3) == "three"
    assert st.notation.named("sidi", ["sidi_omar", "tobruk"]) == "sidi_omar"


def test_prepared_scenario_is_reused_until_its_file_changes(tmp_path: Path) -> None:
    scenario = tmp_path / "short.toml"
    text = '[scenario]\nid = "short"\nbase = "toy"\n'
    scenario.write_text(text, encoding="utf-8")

    def board(**chosen: Any) -> Any:
        return st.new_game(toy, scenario=str(scenario), seed="a", **chosen).state.board

    first = board()
    assert board() is first
    assert board(options={"tie": "fall_back"}) is not first
    assert board() is first
    scenario.write_text(f"{text}turns = 2\n", encoding="utf-8")
    assert (first["turns"], board()["turns"]) == (8, 2)
    scenario.unlink()
    with pytest.raises(st.DataError, match=r"short\.toml"):
        board()


def test_prepared_scenarios_are_dropped_oldest_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept: dict[Any, Any] = {}
    monkeypatch.setattr(front, "_prepared", kept)
    monkeypatch.setattr(front, "MAX_PREPARED", 2)
    for options in ({}, {"tie": "stay"}, {"tie": "fall_back"}):
        st.new_game(toy, seed="a", options=options)
    assert [key[2:] for key in kept] == [(("tie", "stay"),), (("tie", "fall_back"),)]


def test_module_is_loaded_again_after_a_hook_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    first = st.load(toy)
    assert st.load(toy) is first
    hook = toy.ruleset_setup

    @st.hookimpl
    def ruleset_setup(scenario: st.Scenario) -> Any:
        return hook(scenario)

    monkeypatch.setattr(toy, "ruleset_setup", ruleset_setup)
    assert st.load(toy) is not first


def plain(value: Any) -> Any:
    """Return the data in ``value`` as nested tuples; other objects, such as caches of a map, as their type's name."""
    if isinstance(value, Mapping):
        return ("mapping", *((plain(key), plain(each)) for key, each in value.items()))
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(plain, value))
    if isinstance(value, set | frozenset):
        return (type(value).__name__, *sorted(map(repr, value)))
    if is_dataclass(value) and not isinstance(value, type):
        names = [each.name for each in fields(value) if each.name != "caches"]
        return (type(value).__name__, *((name, plain(getattr(value, name))) for name in names))
    if isinstance(value, msgspec.Struct):
        return (type(value).__name__, *((each, plain(getattr(value, each))) for each in value.__struct_fields__))
    return value if isinstance(value, str | bytes | int | None) else type(value).__name__


GAMES = [
    pytest.param(name, marks=() if name == "desert_aa" else pytest.mark.full)
    for name in ("axis_attack", "damos", "desert_aa", "kampfpanzer", "khamsin")
]


@pytest.mark.full
@pytest.mark.parametrize("name", GAMES)
def test_board_is_unchanged_by_play(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "_prepared", {})
    game = st.new_game(name, seed="board")
    board = plain(game.state.board)
    assert len(str(board)) > 1_000
    played_on(game)
    again = st.new_game(name, seed="board")
    assert again.state.board is game.state.board
    assert plain(game.state.board) == board
    assert played_on(again).log().splitlines()[-1] == game.log().splitlines()[-1]
