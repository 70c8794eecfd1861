"""The situation report that is mailed to a player."""

import pytest
from tests.plugins.khamsin.games import SIDES, crusader, played
from transcripts import Transcript

from khamsin.fog.views import view
from khamsin.model.cards import ENEMY
from khamsin.model.state import IN_BASE, LOST
from khamsin.ui.draw import draw
from khamsin.ui.report import report


@pytest.mark.rule("KH-3.14", "KH-6.01", "KH-6.02", "KH-6.03", "KH-6.04", "KH-6.05", "KH-25.01")
@pytest.mark.parametrize("side", ["axis", "umpire"])
def test_report_contains_everything_known_to_a_side(side: str, transcript: Transcript) -> None:
    state, board = crusader()
    state.formations["ariete"].standing, state.formations["savona"].standing = IN_BASE, LOST
    state.held["0"] = 2
    transcript(report(view(state, side), board))


@pytest.mark.rule("KH-6.07", "KH-6.08")
@pytest.mark.parametrize("side", SIDES)
def test_report_names_no_enemy_formation_or_leader(side: str) -> None:
    state, board = crusader()
    text = report(view(state, side), board).partition("\nHonor\n")[0]
    strangers = [card.title for card in board.formations.values() if card.side == ENEMY[side]]
    strangers += [key for key, card in board.leaders.items() if card.side == ENEMY[side]]
    assert [each for each in strangers if each in text] == []


@pytest.mark.parametrize("module", ["teaching", "fixture", "crusader"])
@pytest.mark.parametrize("style", ["report", "text"])
def test_report_lines_have_at_most_100_columns(module: str, style: str) -> None:
    prepared, game = played(module)
    for side in (*SIDES, "umpire"):
        drawing = draw(view(game.state, side), prepared.board, style)
        assert drawing is not None
        assert max(map(len, drawing.splitlines())) <= 100
        assert "The game is over" in drawing


def test_report_removes_terminal_escapes() -> None:
    state, board = crusader()
    state.sheets["axis"].plan = "red \x1b[31m"
    assert "\x1b" not in report(view(state, "axis"), board)
