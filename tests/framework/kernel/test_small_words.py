"""What the kernel tells in passing: by how much a game was won, where rules went wrong, how far a path is too long."""

from typing import Any

import pytest
from specimens import path_space

from sandtable.kernel.events import GameEnded, margin_in
from sandtable.kernel.play.blame import place_of
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import ask, scratch_game


@pytest.mark.parametrize("margin", [{}, {"red": 3, "blue": -3}])
def test_the_margin_is_that_of_the_end(margin: dict[str, int]) -> None:
    def over(_: Any) -> Procedure:
        yield GameEnded("red", "by points", margin=margin) if margin else GameEnded("red", "by points")

    assert margin_in(scratch_game(over).records) == margin


def test_a_game_that_goes_on_has_no_margin() -> None:
    def waits(_: Any) -> Procedure:
        yield ask("red", "go")

    assert margin_in(scratch_game(waits).records) == {}


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/games/chess/zugzwang.py", "zugzwang.py"),
        ("/games/chess/__init__.py", "chess/__init__.py"),
        ("/games/chess/Attacks.py", "Attacks.py"),
    ],
)
def test_a_fault_of_rules_is_told_by_file_and_line_and_by_the_folder_of_an_init(path: str, told: str) -> None:
    scope: dict[str, Any] = {"__name__": "chess.rules"}
    exec(compile("def walk():\n    return 1 // 0\n", path, "exec"), scope)  # noqa: S102 - a file of a stranger
    with pytest.raises(ZeroDivisionError) as raised:
        scope["walk"]()
    assert place_of(raised.value) == f"{told}:2, in walk"


def test_a_path_that_is_too_long_is_told_its_steps() -> None:
    refusal = path_space(longest=2).why_not(["a", "b", "c", "d"])
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("P-1", "3 steps are more than the 2 allowed")
