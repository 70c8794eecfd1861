"""The winner at the end (AGC-5.0): control of the city, its path to the east, the hexes next to it."""

from collections.abc import Callable
from typing import NamedTuple

from damos.map.supply import is_isolated
from damos.model.forces import stacks
from damos.model.state import DamosState
from damos.model.tables import GERMAN, SOVIET
from sandtable import GameEnded, Procedure

HELD, ISOLATED, GATES, SUBSTANTIAL = "held", "isolated", "gates", "substantial"


class Verdict(NamedTuple):
    """The end of a game: the winner, the ending and the rule."""

    outcome: str
    ending: str
    rule: str


def check_victory(state: DamosState) -> Procedure:
    """End the game if the closing turn is the last."""
    if state.turn >= state.board.last_turn:
        yield GameEnded(*verdict(state))


def verdict(state: DamosState) -> Verdict:
    """Return how the game would end now.

    A major German victory is control of the objective (AGC-5.0a) or its isolation (AGC-5.0b). A minor one is German
    units in enough hexes next to it (AGC-5.0c). Any other result is a Soviet victory (AGC-5.0d). One map of the
    combined game has too few of its four cities (AGC-5.0e, R-DM-49).
    """
    board = state.board
    objective = board.victory.objective
    if state.options["combined_game"] == "on":
        return Verdict(SOVIET, SUBSTANTIAL, "AGC-5.0e")
    name = "moscow" if board.names.get(objective) == "Moscow" else "objective"
    if state.control.get(objective) == GERMAN:
        return Verdict(GERMAN, f"{name}_{HELD}", "AGC-5.0a")
    if is_isolated(state, SOVIET):
        return Verdict(GERMAN, f"{name}_{ISOLATED}", "AGC-5.0b")
    if len(hexes_beside(state)) >= board.victory.adjacent:
        return Verdict(GERMAN, GATES, "AGC-5.0c")
    return Verdict(SOVIET, SUBSTANTIAL, "AGC-5.0d")


def hexes_beside(state: DamosState) -> list[str]:
    """Return the hexes next to the objective that count for a minor German victory now, sorted (R-DM-77)."""
    near = state.board.around[state.board.victory.objective]
    return sorted(hex_ for hex_ in near if _COUNTS[state.options["minor_victory"]](state, hex_))


_COUNTS: dict[str, Callable[[DamosState, str], bool]] = {
    "occupied_by_german_units": lambda state, hex_: hex_ in stacks(state, GERMAN),
    "controlled": lambda state, hex_: state.control.get(hex_) == GERMAN,
}
