"""Capture of ground: its new owner, captured flak and victory (DAA-1.04, DAA-10.07, DAA-18.04)."""

from collections.abc import Callable

from desert_aa.economy.calculations import richer
from desert_aa.model.events import SpaceCaptured
from desert_aa.model.state import DesertState
from desert_aa.model.tables import ALLIES, AXIS, ENEMY, FLAK, POWERS, POWERS_OF, SIDE_OF
from sandtable import Calculation, GameEnded, Procedure


def enemy_units(state: DesertState, space: str) -> list[str]:
    """Return the enemy units in ``space`` that fight, without flak, sorted by kind and id."""
    side, units = state.phasing_side, state.units
    found = [each for each, unit in units.items() if unit.space == space and SIDE_OF[unit.power] != side]
    return sorted((each for each in found if units[each].kind != FLAK), key=lambda each: (units[each].kind, each))


def enemy_flak(state: DesertState, space: str) -> list[str]:
    """Return the enemy flak in ``space``, sorted by id."""
    side = state.phasing_side
    return sorted(
        each
        for each, unit in state.units.items()
        if unit.kind == FLAK and unit.space == space and SIDE_OF[unit.power] != side
    )


def is_enemy_mined(state: DesertState, space: str) -> bool:
    """Return whether an enemy minefield that both sides know is in ``space``; entering reveals a hidden one first."""
    mine = state.minefields.get(space)
    return mine is not None and mine.known and SIDE_OF[mine.power] != state.phasing_side


def is_enemy_held(state: DesertState, space: str) -> bool:
    """Return whether the enemy holds ``space``."""
    return SIDE_OF[state.control[space]] != state.phasing_side


def capture(state: DesertState, space: str, rule: str) -> SpaceCaptured:
    """Return the event in which the phasing power takes ``space``; a partner's original space returns to it."""
    power, first = state.phasing_power, state.board.owner[space]
    owner = first if SIDE_OF[first] == state.phasing_side else power
    rule = rule if owner == power else "DAA-18.04"
    return SpaceCaptured(space, power, owner, state.control[space], enemy_flak(state, space), rule)


# --- winning ---


def wins_at_once(state: DesertState) -> bool:
    """Return whether the phasing side now holds the enemy capital (DAA-R61)."""
    return not is_enemy_held(state, state.board.capitals[ENEMY[state.phasing_side]])


def wins_by_holding(state: DesertState) -> bool:
    """Return whether this power took the enemy capital in an earlier round and its side still holds it (DAA-R61)."""
    taken = state.capital_taken.get(state.phasing_side)
    return taken is not None and taken.power == state.phasing_power and taken.round < state.turn


VICTORY: dict[str, Callable[[DesertState], bool]] = {
    "at_once": wins_at_once,
    "hold_one_round": wins_by_holding,
}


def check_capitals(state: DesertState) -> Procedure:
    """End the game if the phasing side wins by the enemy capital. Called when combat is over (DAA-1.04, DAA-R61)."""
    if VICTORY[state.options["victory_time"]](state):
        yield GameEnded(state.phasing_side, "capital_captured", "DAA-1.04")


def income_of(state: DesertState, side: str) -> int:
    """Return the total income of the powers of ``side`` from the spaces that they hold."""
    return sum(state.board.worth(state.control, power) for power in POWERS_OF[side])


def final_margin(state: DesertState) -> tuple[Calculation, ...]:
    """Return the margin of the Axis income in the last power's turn of the last round, otherwise () (DAA-R63)."""
    limit = state.board.round_limit
    if not limit or state.turn < limit or state.phasing_power != POWERS[-1]:
        return ()
    return (richer(income_of(state, AXIS), income_of(state, ALLIES)),)


def check_round_limit(state: DesertState) -> Procedure:
    """End the game after its last round. The side with the higher income wins; equal incomes are a draw (DAA-R63)."""
    for margin in final_margin(state):
        outcome = "draw" if margin.total == 0 else AXIS if margin.total > 0 else ALLIES
        yield GameEnded(outcome, "round_limit", "DAA-R63")
