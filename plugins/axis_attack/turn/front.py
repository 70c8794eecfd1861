"""The move of the front, which may win the campaign (AOA-7.01, AOA-12.01), and the end of a turn (AOA-12.02)."""

from axis_attack.mission.front import (
    BREAKTHROUGH,
    RULES,
    conquered,
    distance_calculations,
    front_calculations,
    may_move_two,
    near_enemy_home,
    result_code,
)
from axis_attack.model.cards import SIDES, Board
from axis_attack.model.events import FrontMoved, GroundChanged, MobilityAssessed, TurnClosed
from axis_attack.model.orders import ChooseBreakthrough
from axis_attack.model.state import AxisState
from axis_attack.model.tables import mud_steps
from axis_attack.recovery.mobility import assess
from sandtable import UNSET, Calculation, Decision, Form, GameEnded, OneOf, Procedure


def move_front(state: AxisState) -> Procedure:
    """Move the front. After a breakthrough of two sectors, assess the winner's platoons that fought (AOA-10.15)."""
    code, was = result_code(state), state.sector
    won = conquered(state, was)
    sectors = 1
    if code == BREAKTHROUGH and not won and may_move_two(state):
        sectors = yield from _ask(state)
    rule = "AOA-R31" if state.winner == "draw" else RULES.get(state.mission, "AOA-7.01")
    calculations = front_calculations(state, code, sectors)
    yield FrontMoved(code, state.winner, calculations[1].total, was, rule, calculations)
    if won:
        home = Calculation("home", ((f"sector of the battle, {state.winner} attack won", was, "AOA-12.01"),))
        yield TurnClosed(calculations=(home,))
        yield GameEnded(state.winner, "home_sector", "AOA-12.01")
    elif state.moved_two:
        roster = state.rosters[state.winner]
        yield from assess(state, state.winner, [each for each, platoon in roster.items() if platoon.fought])


def _ask(state: AxisState) -> Procedure:
    space = Form(ChooseBreakthrough, {"sectors": OneOf((1, 2), "AOA-7.04")})
    prompt, purpose = "choose a breakthrough of one sector or two", f"break_through.{state.sector}.{state.winner}"
    order: ChooseBreakthrough = yield Decision(state.winner, prompt, space, "AOA-7.04", purpose=purpose)
    return order.sectors


def close(state: AxisState) -> Procedure:
    """Close the turn, with the change of mud if an option delays it (AOA-R18). The last turn ends the campaign."""
    board: Board = state.board
    for side in SIDES:
        yield from _recover(state, side)
    rolled = not state.conceded or state.options["weather_if_conceded"] != "skipped"
    if rolled and state.options["mud_timing"] == "end_of_turn":
        mud = Calculation("mud", mud_steps(state.mud, state.weather))
        yield GroundChanged(mud.total, calculations=(mud,))
    is_last = state.turn >= board.turns
    yield TurnClosed(calculations=distance_calculations(state) if is_last else UNSET)
    if is_last:
        near = near_enemy_home(state)
        if len(near) == 1:
            yield GameEnded(near[0], "front", "AOA-12.03")
        else:
            yield GameEnded("draw", "stalemate", "AOA-12.04")


def _recover(state: AxisState, side: str) -> Procedure:
    """Make immobile platoons mobile that did not fight, or all if the front did not move two sectors (AOA-R52)."""
    immobile = [each for each, platoon in state.rosters[side].items() if platoon.immobile]
    rested = [each for each in immobile if not state.rosters[side][each].fought]
    others = [each for each in immobile if state.rosters[side][each].fought and not state.moved_two]
    if rested:
        yield MobilityAssessed(side, [], rested, "AOA-11.19")
    if others:
        yield MobilityAssessed(side, [], others, "AOA-11.20")
