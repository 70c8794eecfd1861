"""The commander's situation in positions set up by hand."""

from types import SimpleNamespace
from typing import Any

from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.positions import roster

from axis_attack.bots.situation import Situation
from axis_attack.model.cards import GERMAN, SIDES, SOVIET, Board
from axis_attack.model.state import AxisState
from sandtable.kernel.dice import Stream


def campaign_situation(german: str, balance: int = 0, turn: int = 8) -> tuple[AxisState, Situation]:
    """Return a campaign with a German roster, and its commander's situation."""
    state = AxisState(options={"strength_memory": "level_size"}, turn=turn)
    state.place_board(the_board())
    state.rosters = {GERMAN: roster(state.board, GERMAN, german), SOVIET: {}}
    state.balance = {GERMAN: balance, SOVIET: 0}
    view: dict[str, Any] = {"rosters": state.rosters, "balance": state.balance}
    return state, situation(board=state.board, turn=turn, **view)


def decision_for(space: Any, **more: Any) -> Any:
    return SimpleNamespace(options=space, done=None, **more)


def situation(side: str = GERMAN, *, board: Board | None = None, turn: int = 8, **more: Any) -> Situation:
    """Return a situation from a view made by hand: two games left, front in the center, forces unknown."""
    board = board or the_board()
    found = {
        "rosters": {each: roster(board, each, "") for each in SIDES},
        "balance": dict.fromkeys(SIDES, 0),
        "forces": {},
        "sector": 4,
        "mission": "hold_the_line",
        "attacker": GERMAN,
        "turn": turn,
    }
    return Situation(SimpleNamespace(**(found | more)), board, side, Stream(b"situation"))
