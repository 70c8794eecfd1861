"""What the README tells of the terminal is what can be typed."""

import re
from pathlib import Path

import damos
from damos.fog.views import view
from damos.model.board import Board
from damos.model.state import DamosState
from damos.ui.draw import draw
from damos.ui.parsing import NOTATION
from sandtable.kernel.dice import KeyedDice
from sandtable.plugin.manager import Installed

README = Path(damos.__file__).with_name("README.md").read_text(encoding="utf-8")
SECTION = README.split("## At the terminal\n")[1].split("\n## ")[0]
EXAMPLES = [each for row in SECTION.splitlines() if row.startswith("| ") for each in re.findall(r"`([^`]+)`", row)]
SHEETS = {"3pz:", "3128:", "historical", "draft", "rest", "done"}
SHORT = {"meeting", "standard", "no"}
"""Second words for what the table has already."""


def test_every_example_begins_with_a_word_of_the_notation() -> None:
    first = {each.split()[0] for each in EXAMPLES}
    assert first - SHEETS == set({name.split()[0] for verb in NOTATION.verbs for name in verb.names}) - SHORT


def test_the_readme_names_units_and_hexes_that_there_are() -> None:
    ready = Installed("damos", damos, "test").prepare("agc")
    board = ready.board
    assert isinstance(board, Board)
    words = {word.strip(":;,") for each in re.findall(r"`([^`]+)`", SECTION) for word in each.split()}
    assert {word for word in words if re.fullmatch("[gs]-[a-z0-9]+", word)} <= set(board.counters)
    assert {word for word in words if re.fullmatch("[0-9]{4}", word)} - {"1500"} <= set(board.hexmap.numbers)


def test_the_picture_is_a_drawing_of_this_game() -> None:
    ready = Installed("damos", damos, "test").prepare("smolensk")
    picture = Path(damos.__file__).with_name("board.svg").read_text(encoding="utf-8")
    state = ready.new_game(KeyedDice(bytes(32))).state
    assert isinstance(state, DamosState)
    fresh = draw(view(state, "german"), ready.board, "svg") or ""
    assert f"<title>{ready.board.title}. Turn 2" in picture
    for sign in ('data-area="zone"', 'data-arrow="supply"', 'data-way="converted_rail"', 'data-hexside="frontier"'):
        assert sign in picture
    assert set(re.findall(r'data-(?:way|hexside|terrain)="\w+"', fresh)) == set(
        re.findall(r'data-(?:way|hexside|terrain)="\w+"', picture)
    )
