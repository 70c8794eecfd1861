"""The strategies: maps that hang together, games that are legal, labels that dice can have."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.board.areas.checks import MapRules, find_map_problems
from sandtable.board.areas.map import AreaMap
from sandtable.kernel.dice import roll_dice
from sandtable.plugin.manager import Installed
from sandtable.testing import area_maps, dice_labels, played_games, tictactoe, toy
from sandtable.testing.checks.facts import check_symmetry

pytestmark = pytest.mark.full

FORD = Installed("toy", toy, "").prepare()
BOARD = Installed("tictactoe", tictactoe, "").prepare()


@given(area_maps(least=1, most=6, kinds=("border", "road")))
def test_maps_are_connected_and_symmetric(area_map: AreaMap) -> None:
    assert 1 <= len(area_map.areas) <= 6
    assert find_map_problems(area_map, MapRules(terrains=("clear", "rough"), kinds=("border", "road"))) == []
    check_symmetry(area_map)


@given(dice_labels())
def test_labels_are_ascii_and_have_four_parts(label: str) -> None:
    turn, phase, purpose, number = label.split("/")
    assert turn.isdigit()
    assert phase
    assert purpose
    assert int(number) > 0
    assert roll_dice(bytes(32), label, 1, 6)[0] in range(1, 7)


@settings(max_examples=40)
@given(st.data())
def test_games_are_played_with_legal_orders(data: st.DataObject) -> None:
    for prepared in (FORD, BOARD):
        game, given_orders = data.draw(played_games(prepared, most=12))
        assert len(given_orders) <= 12
        again = prepared.new_game(game.dice)
        again.start()
        for seat, order, number in given_orders:
            assert again.number + 1 == number
            again.submit(order, seat)
        assert again.records == game.records


def test_hypothesis_is_not_loaded_before_it_is_needed() -> None:
    code = (
        "import sys, sandtable.testing as t; t.area_maps, t.check_ruleset, t.LoadedDice; "
        "print(sorted({'hypothesis', 'pytest', 'networkx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
