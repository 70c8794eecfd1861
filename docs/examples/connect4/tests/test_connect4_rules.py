"""Rules by example, and a count of the lines of play that others have published."""

import connect4
import pytest
from connect4 import Drop

from sandtable.plugin.manager import Installed
from sandtable.testing import LoadedDice, perft


@pytest.mark.rule("C4-1")
def test_there_are_as_many_lines_of_play_as_others_count() -> None:
    prepared = Installed("connect4", connect4, "the package under test").prepare()
    assert [perft(prepared, depth) for depth in (1, 2, 3, 4)] == [7, 49, 343, 2401]


@pytest.mark.rule("C4-2")
@pytest.mark.parametrize(
    "columns",
    [(1, 2, 1, 2, 1, 2, 1), (1, 1, 2, 2, 3, 3, 4), (1, 2, 2, 3, 3, 4, 3, 4, 4, 6, 4)],
    ids=["column", "row", "diagonal"],
)
def test_four_in_a_line_win(columns: tuple[int, ...]) -> None:
    game = Installed("connect4", connect4, "the package under test").prepare().new_game(LoadedDice())
    game.start()
    for column in columns:
        assert game.state.outcome == ""
        (asked,) = game.waiting()
        game.submit(Drop(column), asked.side)
    assert (game.state.outcome, game.state.ending) == ("red", "four")


@pytest.mark.rule("C4-1", "C4-3")
def test_a_full_column_takes_no_disc() -> None:
    game = Installed("connect4", connect4, "the package under test").prepare().new_game(LoadedDice())
    game.start()
    for _ in range(6):
        (asked,) = game.waiting()
        game.submit(Drop(1), asked.side)
    (asked,) = game.waiting()
    assert not asked.options.is_legal(Drop(1))
