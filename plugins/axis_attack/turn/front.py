"""The front moves by the result of the game; the campaign may be won (AOA-7.01 to AOA-7.12, AOA-12.01)."""

from axis_attack.mission.front import BREAKTHROUGH, RULES, conquered, may_move_two, moved, result_code
from axis_attack.model.events import FrontMoved, TurnClosed
from axis_attack.model.orders import ChooseBreakthrough
from axis_attack.model.state import AxisState
from axis_attack.recovery.mobility import assess
from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import GameEnded
from sandtable.kernel.options import Form, OneOf
from sandtable.kernel.sequence import Procedure


def move_front(state: AxisState) -> Procedure:
    """Move the battle; after two sectors at once the mobility of who broke through is looked at (AOA-10.15)."""
    code, was = result_code(state), state.sector
    won = conquered(state, was)
    sectors = 1
    if code == BREAKTHROUGH and not won and may_move_two(state):
        sectors = yield from _ask(state)
    rule = "AOA-R31" if state.winner == "draw" else RULES.get(state.mission, "AOA-7.01")
    yield FrontMoved(code, state.winner, moved(state, code, sectors), was, rule)
    if won:
        yield TurnClosed()
        yield GameEnded(state.winner, "home_sector", "AOA-12.01")
    elif state.moved_two:
        roster = state.rosters[state.winner]
        yield from assess(state, state.winner, [each for each, platoon in roster.items() if platoon.fought])


def _ask(state: AxisState) -> Procedure:
    space = Form(ChooseBreakthrough, {"sectors": OneOf((1, 2), "AOA-7.04")})
    order: ChooseBreakthrough = yield Decision(state.winner, "break through by one sector or by two", space, "AOA-7.04")
    return order.sectors
