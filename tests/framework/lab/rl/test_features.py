"""Observations as arrays: different views of a side give different arrays."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

import sandtable as st
from sandtable.lab.rl.features import Columns, in_order
from sandtable.testing.tictactoe import LINES, OTHER


def boards(plies: int) -> list[dict[str, Any]]:
    """Return every tic-tac-toe position with up to ``plies`` marks."""
    found: dict[tuple[str, ...], str] = {("",) * 9: "x"}
    newest = dict(found)
    for _ in range(plies):
        newest = {
            (*cells[:cell], side, *cells[cell + 1 :]): OTHER[side]
            for cells, side in newest.items()
            if not any(cells[a] == cells[b] == cells[c] != "" for a, b, c in LINES)
            for cell in range(9)
            if not cells[cell]
        }
        found |= newest
    return [{"turn": 1, "cells": list(cells), "to_move": side} for cells, side in found.items()]


def different(views: list[Any], width: int = 256) -> int:
    """Return the number of different arrays of the views."""
    columns = Columns(views[0], width)
    return len({columns.flat(view).tobytes() for view in views})


def test_first_marks_give_different_observations() -> None:
    env = st.make("tictactoe", seed=1)
    seen = set()
    for cell in range(9):
        env.reset(seed=1)
        env.step(cell)
        seen.add(env.observe("o_1")["observation"].tobytes())
    assert len(seen) == 9


def test_boards_of_up_to_six_marks_are_all_different() -> None:
    views = boards(6)
    assert len(views) == 1 + 9 + 72 + 252 + 756 + 1260 + 1520, "by the number of marks; 3602 of them are not over"
    assert different(views) == len(views)


@pytest.mark.parametrize("width", [64, 256, 2048])
def test_lists_of_lists_keep_the_order_of_both(width: int) -> None:
    columns = [["red", "yellow"], ["red"], ["yellow", "red", "red"], ["yellow"]]
    views = [{"columns": [list(each) for each in order]} for order in permutations(columns)]
    views += [{"columns": [columns[0][::-1], *columns[1:]]}]
    assert different(views, width) == 25


def test_paths_in_units_in_lists_keep_their_order() -> None:
    paths = list(permutations(["Tobruk", "Gazala", "Bardia", "Sollum"]))
    views: list[Any] = [{"units": {"a": {"path": list(path), "moved": True}}} for path in paths]
    views += [{"plans": [{"path": ["x"]}, {"path": list(path)}], "units": {}} for path in paths]
    assert different(views) == 48


def test_equal_texts_of_a_list_never_share_a_column() -> None:
    columns = Columns({"cells": [""] * 64}, 64)
    marks = [{"cells": [""] * place + ["x"] + [""] * (63 - place)} for place in range(64)]
    assert len({columns.flat(each).tobytes() for each in marks}) == 64


def test_choices_so_far_keep_their_order() -> None:
    seen = {in_order(path, 32).tobytes() for path in permutations(["hex=2817", "hex=2816", "hex=2815"])}
    assert len(seen) == 6
    assert np.array_equal(in_order(("hex=2817",), 32), in_order(("hex=2817",), 32))
