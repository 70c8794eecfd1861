"""The front door: games, logs and rulesets in a few calls, and nothing loaded before it is wanted."""

import subprocess
import sys
from pathlib import Path

import pytest

import sandtable as st
from sandtable.kernel.dice import Stream
from sandtable.testing import tictactoe, toy

MODULES = ["areas", "graphs", "hexes", "notation", "pictures"]
FRONT = ["RecordedGame", *MODULES, "load", "new_game", "read_log", "rulesets", "verify"]


def played_on(game: st.RecordedGame) -> st.RecordedGame:
    """Answer at random for the seats that nobody plays, to the end."""
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


def test_without_a_seed_each_game_has_dice_of_its_own() -> None:
    assert st.new_game(tictactoe).header.key != st.new_game(tictactoe).header.key


class Last:
    """Takes the last of the options."""

    def choose(self, decision: st.Decision, view: st.View) -> st.Order:
        order: st.Order = list(decision.options.values())[-1]
        return order


def test_a_player_may_be_an_object_and_others_may_join_later() -> None:
    game = st.new_game(tictactoe, players={"x": Last()})
    assert game.header.players["x"] == "Last"
    assert game.waiting()[0].seat == "o"
    game.play({"o": Last()})
    assert game.is_over


def test_a_player_of_a_side_sits_for_all_its_powers(tmp_path: Path) -> None:
    game = st.new_game("desert_aa", scenario="frontier", seed="front", players={"axis": Last(), "allies": "human"})
    assert game.header.players == {"italy": "Last", "germany": "Last", "england": "human", "umpire": "random"}
    game.save(tmp_path / "begun.jsonl")
    assert st.verify(tmp_path / "begun.jsonl").verdict == "file ends early"


def test_who_sits_nowhere_is_refused() -> None:
    with pytest.raises(st.SandtableError, match="has no side or seat 'green'"):
        st.new_game(tictactoe, players={"green": Last()})


def test_what_was_ordered_can_be_taken_back_and_tried_in_a_fork() -> None:
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


def test_a_log_is_not_written_over(tmp_path: Path) -> None:
    game = st.new_game(tictactoe)
    game.save(tmp_path / "a.jsonl")
    with pytest.raises(st.SandtableError, match="exists"):
        game.save(tmp_path / "a.jsonl")
    game.save(tmp_path / "a.jsonl", force=True)


@pytest.mark.full
def test_all_public_names_are_there_and_importing_sandtable_loads_none_of_them() -> None:
    assert set(FRONT) <= set(st.__all__)
    for name in st.__all__:
        assert getattr(st, name) is not None
    code = "import sys, sandtable; print([name for name in sys.modules if name.startswith('sandtable.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_boards_and_pictures_come_from_the_front_door() -> None:
    assert st.hexes.range_hexes(st.hexes.Hex(0, 0), st.hexes.Hex(2, 1)) == 3
    assert st.areas.AreaMap.__name__ == "AreaMap"
    assert st.graphs.distance_spaces([[1], [0, 2], [1]], 0, 2) == 2
    assert st.pictures.number_word(3) == "three"
    assert st.notation.named("sidi", ["sidi_omar", "tobruk"]) == "sidi_omar"
