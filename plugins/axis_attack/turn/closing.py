"""The end of a turn: immobile platoons recover, levels are written down, the last turn is judged (AOA-12.02)."""

from axis_attack.mission.front import near_enemy_home
from axis_attack.model.board import Board
from axis_attack.model.cards import SIDES
from axis_attack.model.events import GroundChanged, MobilityAssessed, TurnClosed
from axis_attack.model.state import AxisState
from axis_attack.model.tables import mud_after
from sandtable.kernel.events import GameEnded
from sandtable.kernel.sequence import Procedure


def close(state: AxisState) -> Procedure:
    """Close the turn, with the change of mud if it waits until now (AOA-R18); after the last one the front decides."""
    board: Board = state.board
    for side in SIDES:
        yield from _recover(state, side)
    rolled = not state.conceded or state.options["weather_if_conceded"] != "skipped"
    if rolled and state.options["mud_timing"] == "end_of_turn":
        yield GroundChanged(mud_after(state.mud, state.weather))
    yield TurnClosed()
    if state.turn >= board.turns:
        near = near_enemy_home(state)
        if len(near) == 1:
            yield GameEnded(near[0], "front", "AOA-12.03")
        else:
            yield GameEnded("draw", "stalemate", "AOA-12.04")


def _recover(state: AxisState, side: str) -> Procedure:
    """Make immobile platoons mobile again that did not fight, or all of them if nobody went two sectors (AOA-R52)."""
    immobile = [each for each, platoon in state.rosters[side].items() if platoon.immobile]
    rested = [each for each in immobile if not state.rosters[side][each].fought]
    others = [each for each in immobile if state.rosters[side][each].fought and not state.moved_two]
    if rested:
        yield MobilityAssessed(side, [], rested, "AOA-11.19")
    if others:
        yield MobilityAssessed(side, [], others, "AOA-11.20")
