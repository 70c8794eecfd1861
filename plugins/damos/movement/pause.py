"""Pauses of the mobile Germans: after Smolensk or August (AGC-4.7), and the optional one (AGC-4.3.1h)."""

from collections.abc import Mapping

from damos.model.board import Board
from damos.model.events import PauseBegan, PauseChosen
from damos.model.orders import Pause
from damos.model.state import DamosState
from damos.model.tables import GERMAN
from sandtable import Decision, OneOf, Procedure

PAUSE_TURNS = 2
AUGUST = (8, 2)
"""The half month after which the pause begins at the latest, and which the optional pause checks."""
FIRST_TURNS = {"next_two_turns": 1, "current_and_next": 0}
"""Number of turns from the trigger to the first turn of the pause (R-DM-67)."""


def august_turn(state: DamosState) -> int:
    """Return the turn that is the second half of August (AGC-4.7a)."""
    board: Board = state.board
    return board.turn_of(*AUGUST)


# --- the pause of AGC-4.7 ---


def begin_pause(state: DamosState) -> Procedure:
    """Begin the pause if August has passed without it (AGC-4.7a)."""
    if _may_begin(state) and state.turn == august_turn(state) + 1:
        turn = state.turn - FIRST_TURNS[state.options["bso_first_turns"]]
        yield PauseBegan(turn, "august")


def check_smolensk(state: DamosState) -> Procedure:
    """Begin the pause if the Germans have taken Smolensk (AGC-4.7a)."""
    city = state.board.pause_city
    if _may_begin(state) and city and state.control.get(city) == GERMAN:
        yield PauseBegan(state.turn, "smolensk")


def _may_begin(state: DamosState) -> bool:
    return state.pause_turn == 0 and state.options["combined_game"] == "off"  # AGC-4.7b


def turns_of_pause(trigger: int, options: Mapping[str, str]) -> range:
    """Return the turns of the pause that was triggered in turn ``trigger``, or no turns if that is 0 (R-DM-67)."""
    first = trigger + FIRST_TURNS[options["bso_first_turns"]]
    return range(first, first + PAUSE_TURNS) if trigger else range(0)


def is_paused(state: DamosState) -> bool:
    """Return whether the pause limits mobile Germans this turn (R-DM-67)."""
    return state.turn in turns_of_pause(state.pause_turn, state.options)


# --- the pause of the optional rule ---


def offers_pause(state: DamosState) -> bool:
    """Return whether the Germans may choose to keep still this turn (AGC-4.3.1h, R-DM-70)."""
    return state.options["optional_rules"] == "on_with_pause" and state.turn == august_turn(state)


def choose_pause(state: DamosState) -> Procedure:
    """Let the Germans choose at the beginning of the turn (AGC-4.3.1h)."""
    if offers_pause(state):
        space = OneOf([Pause(keep_still=False), Pause(keep_still=True)], "AGC-4.3.1h")
        prompt = "keep all mobile units in place this turn to extend the railways farther, or do not"
        order: Pause = yield Decision(GERMAN, prompt, space, "AGC-4.3.1h", purpose="pause")
        yield PauseChosen(order.keep_still)


def kept_still(state: DamosState) -> bool:
    """Return whether the Germans kept still in August, and August is over, so that the effects apply (AGC-4.3.1i)."""
    return state.options["optional_rules"] == "on_with_pause" and state.held and state.turn > august_turn(state)


# --- effects on a unit ---


def hexes_allowed(state: DamosState, unit_id: str) -> int | None:
    """Return how many hexes a unit may move this player turn, or None; only mobile Germans have a limit."""
    counter = state.board.counters[unit_id]
    if counter.side != GERMAN or not counter.zoi or state.phasing_side != GERMAN:
        return None
    if offers_pause(state) and state.held:
        return 0
    return 1 if is_paused(state) else None


def may_attack(state: DamosState, unit_id: str) -> bool:
    """Return whether a unit may attack this turn (AGC-4.7a, AGC-4.3.1h)."""
    return hexes_allowed(state, unit_id) is None
