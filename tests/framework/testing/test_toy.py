"""The toy: short enough to read, complete enough to copy, and its rules do what its index says."""

import ast
from pathlib import Path
from typing import Any

import pytest

from sandtable.errors import DataError
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord
from sandtable.plugin.groups import nothing
from sandtable.plugin.hookspecs import hookspec
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.scenarios import scenario_of
from sandtable.testing import LoadedDice, fuzz_game
from sandtable.testing import toy as module
from sandtable.testing.toy import Commit, Ford, LayAmbush

SOURCE = Path(module.__file__).read_text(encoding="utf-8")
MAX_LINES = 147
"""Lines of code; blank lines, comments and docstrings aside."""


def code_lines(source: str) -> int:
    told: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            told.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate(source.splitlines(), start=1)
    return sum(bool(line.strip()) and not line.strip().startswith("#") and n not in told for n, line in lines)


def begun(prepared: Prepared, *rolls: Any, north: int = 2, south: int = 4) -> Game:
    """Return a game with loaded dice, the ambushes laid."""
    game = prepared.new_game(LoadedDice(*rolls))
    game.start()
    game.submit(LayAmbush(north), "north")
    game.submit(LayAmbush(south), "south")
    return game


def fight(game: Game, north: int, south: int) -> Ford:
    game.submit(Commit(north), "north")
    game.submit(Commit(south), "south")
    assert isinstance(game.state, Ford)
    return game.state


def test_toy_ruleset_is_short() -> None:
    assert code_lines(SOURCE) <= MAX_LINES


def test_toy_imports_only_names_that_authors_can_use() -> None:
    imported = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.ImportFrom | ast.Import)]
    names = {getattr(node, "module", "") or node.names[0].name for node in imported}
    assert names == {"collections.abc", "functools", "pathlib", "typing", "sandtable"}
    assert hookspec


@pytest.mark.rule("TOY-1")
def test_ambush_is_sprung_once_and_costs_a_troop_on_3_or_less(ford: Prepared) -> None:
    game = begun(ford, (1,), (6,), (3,), (5,), (2,), (1,), (6,), (1,), (6,), south=4)
    state = fight(game, 1, 1)
    assert (state.front, state.troops, state.ambush) == (4, {"north": 10, "south": 11}, {"north": 2})
    fight(game, 1, 1)
    state = fight(game, 1, 1)
    assert state.front == 4
    assert state.ambush == {"north": 2}


@pytest.mark.rule("TOY-1")
def test_an_ambush_that_misses_costs_nothing(ford: Prepared) -> None:
    state = fight(begun(ford, (1,), (6,), (4,)), 1, 1)
    assert state.troops == {"north": 11, "south": 11}


@pytest.mark.rule("TOY-2")
def test_committed_troops_are_spent_and_limited_to_three(ford: Prepared) -> None:
    game = begun(ford, (6, 6, 6), ())
    assert game.waiting()[0].options.count() == 4
    assert fight(game, 3, 0).troops == {"north": 9, "south": 12}


@pytest.mark.rule("TOY-3")
@pytest.mark.parametrize(("north", "south", "front"), [((3, 3), (4, 4), 4), ((4,), (3,), 2), ((1, 2), (3, 6), 4)])
def test_more_hits_move_the_front(ford: Prepared, north: Any, south: Any, front: int) -> None:
    game = begun(ford, north, south, north=5, south=1)
    assert fight(game, len(north), len(south)).front == front


@pytest.mark.rule("TOY-3a")
@pytest.mark.parametrize(("tie", "front"), [("stay", 4), ("fall_back", 3)])
def test_tie_is_resolved_by_option(toy: Installed, tie: str, front: int) -> None:
    game = begun(toy.prepare(options={"tie": tie}), (1,), (6,), (6,), (6,), south=1)
    fight(game, 1, 1)
    assert fight(game, 1, 1).front == front


@pytest.mark.rule("TOY-4")
def test_pushing_the_front_off_the_road_wins_at_once(ford: Prepared) -> None:
    game = begun(ford, *[(1,), (6,)] * 3, south=1)
    for _ in range(3):
        fight(game, 1, 1)
    assert (game.state.outcome, game.state.ending) == ("north", "breakthrough")
    assert isinstance(game.records[-1], CloseRecord)


@pytest.mark.rule("TOY-5")
@pytest.mark.parametrize(
    ("first", "outcome"), [(((1,), (6,)), "north"), (((6,), (1,)), "south"), (((6,), (6,)), "draw")]
)
def test_advance_into_enemy_ground_decides_at_nightfall(ford: Prepared, first: Any, outcome: str) -> None:
    game = begun(ford, *first, *[()] * 14, north=5, south=1)
    fight(game, 1, 1)
    for _ in range(7):
        fight(game, 0, 0)
    assert (game.state.outcome, game.state.ending) == (outcome, "nightfall")


def test_random_games_reach_every_ending_of_the_manifest(ford: Prepared, toy: Installed) -> None:
    endings = {fuzz_game(ford, f"ways/{number}").game.state.ending for number in range(60)}
    assert endings == set(toy.manifest.endings)


def test_a_side_sees_its_own_ambush_only(ford: Prepared) -> None:
    game = begun(ford, north=2, south=4)
    assert game.view("north") == {"front": 3, "troops": {"north": 12, "south": 12}, "ambush": 2}
    assert game.view("south")["ambush"] == 4


@pytest.mark.parametrize("key", ["turns", "troops"])
@pytest.mark.parametrize("value", [0, -1, "6", 1.5, None, True])
def test_invalid_data_is_refused_with_file_and_key(toy: Installed, key: str, value: object) -> None:
    table: dict[str, object] = {"id": "mine", "title": "Mine", "turns": 3, "troops": 4, key: value}
    scenario = scenario_of(
        {"scenario": {name: each for name, each in table.items() if each is not None}}, "f", own=True
    )
    with pytest.raises(DataError, match=f"f: scenario.{key}: must be an integer"):
        toy.prepare(scenario)


def test_toy_is_narrated_and_drawn(toy: Installed, ford: Prepared) -> None:
    game = begun(ford, (1,), (6,), (4,))
    fight(game, 1, 1)
    told = [(toy.ui.narrate or nothing)(record, ford.board) for record in game.records]
    assert [each for each in told if each] == ["The front moves to space 4."]
    assert toy.draw(game.view("north"), ford.board, "text") == "---X-"
    assert toy.draw(game.view("north"), ford.board, "svg") is None
