"""Fuel and supply: the extra space and what it costs, the road, cut supply, standing up again (DAA-4, DAA-5, DAA-6)."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from desert_aa.model.board import Board
from desert_aa.model.events import UnitsCut, UnitsStoodUp
from desert_aa.model.state import ADVANCED, CUT, EXTENDED, READY, DesertState, Unit
from desert_aa.model.tables import ENEMY, FLAK, GROUND, POWERS, POWERS_OF, REAR_SPACES, SIDE_OF, VALUES
from sandtable import Calculation, Procedure


def last_step_on_road(board: Board, path: Sequence[str]) -> bool:
    """Tell whether the last step of ``path`` runs along the road (DAA-R18)."""
    return path[-1] in board.road_next.get(path[-2], ())


def whole_path_on_road(board: Board, path: Sequence[str]) -> bool:
    """Tell whether every step of ``path`` runs along the road (DAA-R18)."""
    return all(there in board.road_next.get(here, ()) for here, there in pairwise(path))


ON_ROAD: dict[str, Callable[[Board, Sequence[str]], bool]] = {
    "extra_leg": last_step_on_road,
    "whole_move": whole_path_on_road,
}


def fuel_after(state: DesertState, power: str, kind: str, path: Sequence[str]) -> str:
    """Return the condition of a land unit that moved along ``path`` (DAA-4.03, DAA-5.02, DAA-6.02, DAA-10.01)."""
    if len(path) - 1 <= VALUES[power][kind].move:
        return READY
    may_be_free = kind != FLAK or state.options["road_flak"] == "yes"
    free = may_be_free and ON_ROAD[state.options["road_rule"]](state.board, path)
    return ADVANCED if free else EXTENDED


def next_turn_of(state: DesertState, power: str) -> int:
    """Return the round of the next turn of ``power``, the turn in hand aside (DAA-R13, DAA-R15)."""
    return state.turn + (POWERS.index(power) <= POWERS.index(state.phasing_power))


# --- cut supply ---


def behind_towards_capital(board: Board, unit: Unit) -> tuple[str, ...]:
    """Return the road spaces behind ``unit``, towards the capital of its side (DAA-R21)."""
    return board.rear[SIDE_OF[unit.power]].get(unit.space, ())


def behind_on_own_path(board: Board, unit: Unit) -> tuple[str, ...]:
    """Return the road spaces through which ``unit`` came to where it is, the last one first (DAA-R21)."""
    if unit.space not in unit.path:
        return ()
    came = unit.path[: unit.path.index(unit.space)][::-1][:REAR_SPACES]
    return tuple(space for space in came if space in board.road_next)


REARS: dict[str, Callable[[Board, Unit], tuple[str, ...]]] = {
    "own_capital": behind_towards_capital,
    "own_path": behind_on_own_path,
}


def blocked_units(state: DesertState, power: str, condition: str) -> dict[str, str]:
    """Return the units of ``power`` in ``condition`` with an enemy behind them on the road, and where (DAA-6.03)."""
    asked = _of(state, power, condition)
    if not asked:
        return {}
    enemy = ENEMY[SIDE_OF[power]]
    held = {unit.space for unit in state.units.values() if SIDE_OF[unit.power] == enemy and unit.kind in GROUND}
    rear = REARS[state.options["rear_direction"]]
    found = {}
    for unit_id in asked:
        blocks = [space for space in rear(state.board, state.units[unit_id]) if space in held]
        if blocks:
            found[unit_id] = blocks[0]
    return found


def _of(state: DesertState, power: str, condition: str) -> list[str]:
    """Return the units of ``power`` in ``condition``, by id."""
    return sorted(each for each, unit in state.units.items() if unit.condition == condition and unit.power == power)


def cut_supply(state: DesertState, powers: Iterable[str], *, from_this_turn: bool = False) -> Procedure:
    """Lay down the advanced units of ``powers`` with an enemy behind them (DAA-6.03, DAA-6.04, DAA-6.05)."""
    for power in powers:
        cut = blocked_units(state, power, ADVANCED)
        if cut:
            stands_up = state.turn if from_this_turn else next_turn_of(state, power)
            steps = (("this turn", state.turn, "DAA-6.05"), ("to its own turn", stands_up - state.turn, "DAA-R15"))
            yield UnitsCut(power, cut, stands_up, calculations=(Calculation("stands_up", steps),))


def cut_at_own_start(state: DesertState) -> Procedure:
    """Look for cuts as the units' own power begins its turn (DAA-R23)."""
    if state.options["cut_test"] == "own_turn_start":
        yield from cut_supply(state, [state.phasing_power], from_this_turn=True)


def cut_at_enemy_end(state: DesertState) -> Procedure:
    """Look for cuts of the other side as the turn of a power closes (DAA-R23)."""
    if state.options["cut_test"] == "enemy_turn_end":
        yield from cut_supply(state, POWERS_OF[ENEMY[state.phasing_side]])


# --- standing up ---


def relieved_by_side(state: DesertState, cut: list[str], blocked: dict[str, str]) -> list[str]:
    """Return the units behind which no enemy is left, whoever removed it (DAA-R25)."""
    del state
    return [unit_id for unit_id in cut if unit_id not in blocked]


def relieved_by_controller(state: DesertState, cut: list[str], blocked: dict[str, str]) -> list[str]:
    """Return the units behind which their own power destroyed the enemy this turn (DAA-R25)."""
    return [unit_id for unit_id in cut if unit_id in state.blocked and unit_id not in blocked]


RELIEF: dict[str, Callable[[DesertState, list[str], dict[str, str]], list[str]]] = {
    "side": relieved_by_side,
    "controller": relieved_by_controller,
}


def relieve(state: DesertState) -> Procedure:
    """Stand up the cut units whose supply line is free after their own combat phase (DAA-6.06, DAA-6.07)."""
    power = state.phasing_power
    cut = _of(state, power, CUT)
    if cut:
        free = RELIEF[state.options["cut_relief"]](state, cut, blocked_units(state, power, CUT))
        if free:
            yield UnitsStoodUp(power, free, "DAA-6.06")


def stand_up(state: DesertState) -> Procedure:
    """Stand up the units whose turn of waiting is over (DAA-4.10, DAA-R13, DAA-R26)."""
    power, turn = state.phasing_power, state.turn
    units = state.units.items()
    rested = sorted(each for each, unit in units if unit.power == power and unit.lies and unit.stands_up <= turn)
    if rested:
        yield UnitsStoodUp(power, rested)
