"""Who has won at the end (AGC-5.0): the city, its way to the east, the hexes beside it."""

from collections.abc import Callable
from typing import NamedTuple

from damos.map.supply import is_isolated
from damos.model.forces import stacks
from damos.model.state import DamosState
from damos.model.tables import GERMAN, SOVIET
from sandtable import GameEnded, Procedure

HELD, ISOLATED, GATES, SUBSTANTIAL = "held", "isolated", "gates", "substantial"


class Verdict(NamedTuple):
    """How the game ends: who wins, by which ending, and the rule."""

    outcome: str
    ending: str
    rule: str


def check_victory(state: DamosState) -> Procedure:
    """End the game if the turn that closes is its last."""
    if state.turn >= state.board.last_turn:
        yield GameEnded(*verdict(state))


def verdict(state: DamosState) -> Verdict:
    """Return how the game would end now.

    A major German victory is control of the objective, or its isolation (AGC-5.0a), a minor one to be in two hexes
    beside it (AGC-5.0c); all else is a Soviet one (AGC-5.0d). Of the combined game's four cities one map has too few
    (AGC-5.0e, R-DM-49).
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
    """Return the hexes beside the objective that count for a minor German victory now, sorted (R-DM-77)."""
    near = state.board.around[state.board.victory.objective]
    return sorted(hex_ for hex_ in near if _COUNTS[state.options["minor_victory"]](state, hex_))


_COUNTS: dict[str, Callable[[DamosState, str], bool]] = {
    "occupied_by_german_units": lambda state, hex_: hex_ in stacks(state, GERMAN),
    "controlled": lambda state, hex_: state.control.get(hex_) == GERMAN,
}
