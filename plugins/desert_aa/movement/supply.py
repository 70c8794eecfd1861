"""Fuel and supply: the extra space and its cost, the road, cut supply and recovery (DAA-4.01 to DAA-6.07)."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from desert_aa.model.board import Board
from desert_aa.model.events import UnitsCut, UnitsStoodUp
from desert_aa.model.state import ADVANCED, CUT, EXTENDED, READY, DesertState, Unit
from desert_aa.model.tables import ENEMY, FLAK, GROUND, POWERS, POWERS_OF, REAR_SPACES, SIDE_OF, VALUES
from sandtable import Calculation, Procedure

ON_ROAD: dict[str, Callable[[Board, Sequence[str]], bool]] = {
    "extra_leg": lambda board, path: path[-1] in board.road_next.get(path[-2], ()),
    "whole_move": lambda board, path: all(there in board.road_next.get(here, ()) for here, there in pairwise(path)),
}
"""Functions that return whether a path's extra space is free: its last step, or all steps, are road (DAA-R18)."""


def fuel_after(state: DesertState, power: str, kind: str, path: Sequence[str]) -> str:
    """Return the condition of a land unit that moved along ``path`` (DAA-4.03, DAA-5.02, DAA-6.02, DAA-10.01)."""
    if len(path) - 1 <= VALUES[power][kind].move:
        return READY
    may_be_free = kind != FLAK or state.options["road_flak"] == "yes"
    free = may_be_free and ON_ROAD[state.options["road_rule"]](state.board, path)
    return ADVANCED if free else EXTENDED


def next_turn_of(state: DesertState, power: str) -> int:
    """Return the round of the next turn of ``power`` after the current one (DAA-R13, DAA-R15)."""
    return state.turn + (POWERS.index(power) <= POWERS.index(state.phasing_power))


# --- cut supply ---


def behind_on_own_path(board: Board, unit: Unit) -> tuple[str, ...]:
    """Return the road spaces among the last two that ``unit`` passed on its way, the latest first (DAA-6.03, DAA-R21).

    Returns no spaces if its space is not in its path.
    """
    if unit.space not in unit.path:
        return ()
    came = unit.path[: unit.path.index(unit.space)][::-1][:REAR_SPACES]
    return tuple(space for space in came if space in board.road_next)


REARS: dict[str, Callable[[Board, Unit], tuple[str, ...]]] = {
    "own_capital": lambda board, unit: board.rear[SIDE_OF[unit.power]].get(unit.space, ()),
    "own_path": behind_on_own_path,
}
"""Functions that return the road spaces behind a unit (DAA-R21)."""


def blocked_units(state: DesertState, power: str, condition: str) -> dict[str, str]:
    """Return the units of ``power`` in ``condition`` with an enemy on the road behind them, with its space (6.03)."""
    units = _of(state, power, condition)
    if not units:
        return {}
    enemy = ENEMY[SIDE_OF[power]]
    held = {unit.space for unit in state.units.values() if SIDE_OF[unit.power] == enemy and unit.kind in GROUND}
    rear = REARS[state.options["rear_direction"]]
    found = {}
    for unit_id in units:
        blocks = [space for space in rear(state.board, state.units[unit_id]) if space in held]
        if blocks:
            found[unit_id] = blocks[0]
    return found


def _of(state: DesertState, power: str, condition: str) -> list[str]:
    """Return the ids of the units of ``power`` in ``condition``, sorted."""
    return sorted(each for each, unit in state.units.items() if unit.condition == condition and unit.power == power)


def cut_supply(state: DesertState, powers: Iterable[str], *, from_this_turn: bool = False) -> Procedure:
    """Lay down the advanced units of ``powers`` with an enemy on the road behind them (DAA-6.03 to DAA-6.05)."""
    for power in powers:
        cut = blocked_units(state, power, ADVANCED)
        if cut:
            stands_up = state.turn if from_this_turn else next_turn_of(state, power)
            steps = (("this turn", state.turn, "DAA-6.05"), ("until its own turn", stands_up - state.turn, "DAA-R15"))
            yield UnitsCut(power, cut, stands_up, calculations=(Calculation("stands_up", steps),))


def cut_at_own_start(state: DesertState) -> Procedure:
    """Cut the supply of the power that begins its turn, if the option selects this moment (DAA-R23)."""
    if state.options["cut_test"] == "own_turn_start":
        yield from cut_supply(state, [state.phasing_power], from_this_turn=True)


def cut_at_enemy_end(state: DesertState) -> Procedure:
    """Cut the supply of the other side when a power ends its turn, if the option selects this moment (DAA-R23)."""
    if state.options["cut_test"] == "enemy_turn_end":
        yield from cut_supply(state, POWERS_OF[ENEMY[state.phasing_side]])


# --- recovery ---


def relieve(state: DesertState) -> Procedure:
    """Make cut units ready if the road behind them is free after their power's combat phase (DAA-6.06, DAA-6.07).

    With the option value "controller", only units that had an enemy behind them when the turn began (DAA-R25).
    """
    power = state.phasing_power
    blocked = blocked_units(state, power, CUT)
    able = state.blocked if state.options["cut_relief"] == "controller" else None
    free = [each for each in _of(state, power, CUT) if each not in blocked and (able is None or each in able)]
    if free:
        yield UnitsStoodUp(power, free, "DAA-6.06")


def stand_up(state: DesertState) -> Procedure:
    """Make the units of the power ready that have been laid down long enough (DAA-4.10, DAA-R13, DAA-R26)."""
    power, turn = state.phasing_power, state.turn
    units = state.units.items()
    rested = sorted(each for each, unit in units if unit.power == power and unit.lies and unit.stands_up <= turn)
    if rested:
        yield UnitsStoodUp(power, rested)
