"""Start phase, third step: the weather of the turn (KH-3.04, KH-4.01)."""

from khamsin.model.board import Board
from khamsin.model.events import WeatherSet
from khamsin.model.state import KhamsinState
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure


def weather(state: KhamsinState) -> Procedure:
    """Set it by the schedule, for the first turn as the module says, otherwise by a die (KH-4.02)."""
    board: Board = state.board
    scheduled = [each.weather for each in board.events.get(state.turn, ()) if each.kind == "weather"]
    if scheduled:
        yield WeatherSet(scheduled[-1], rule="KH-2.04")
    elif state.turn == 1 and board.weather.first:
        yield WeatherSet(board.weather.first)
    elif board.weather.table:
        (die,) = yield Roll(1, 6, "weather", "KH-4.01")
        yield WeatherSet(board.weather.table[die - 1], die)
