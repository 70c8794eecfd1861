"""The combat move phase: moves are ordered one by one, committed together, then made (DAA-16, DAA-R38)."""

from desert_aa.combat.control import capture, enemy_units, is_enemy_held, is_enemy_mined
from desert_aa.combat.flak import fly_over
from desert_aa.combat.minefields import REVEAL, Reveal, strike, sweep
from desert_aa.model.events import CombatsDeclared, MovePlanned, UnitsMoved
from desert_aa.model.orders import EndMoves
from desert_aa.model.state import ADVANCED, EXTENDED, DesertState
from desert_aa.model.tables import PLANES
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import END, CombatMoves
from desert_aa.movement.supply import fuel_after
from sandtable.kernel.decisions import Decision
from sandtable.kernel.sequence import Procedure

Walk = tuple[list[str], list[str]]
"""Land units and the path that they really went."""


def combat_move(state: DesertState) -> Procedure:
    """Ask for combat moves until they are ended, then make them (DAA-16.01)."""
    reveal = REVEAL[state.options["mine_reveal"]]
    ground = Ground(state)
    options = CombatMoves.on(ground)
    while options.leaders:
        prompt = "move into combat, or end combat moves"
        order = yield Decision(state.phasing_side, prompt, options, "DAA-16.01", state.phasing_power, END)
        if type(order) is EndMoves:
            break
        yield MovePlanned(state.phasing_power, order.units, order.path, order.raid)
        ground.take(order.units)
        options = options.without(order.units)
        if _walkers(state, order.units):
            yield from reveal.ordered(state, order.path)
    if state.plans:
        yield from commit(state, reveal)


def _walkers(state: DesertState, units: list[str]) -> list[str]:
    return [each for each in units if state.units[each].kind not in PLANES]


def commit(state: DesertState, reveal: Reveal) -> Procedure:
    """Make all ordered moves: mines show, units go, ground falls, mines strike, battles are declared (DAA-9.01)."""
    walks: list[Walk] = []
    for plan in state.plans:
        walkers = _walkers(state, plan.units)
        if walkers:
            path: list[str] = yield from reveal.made(state, plan.path)
            walks.append((walkers, path))
            yield _moved(state, walkers, path, plan.path)
        fliers = [each for each in plan.units if each not in walkers]
        if fliers:
            yield UnitsMoved(state.phasing_power, fliers, plan.path, rule="DAA-16.07")
            yield from fly_over(state, fliers, plan.path)
    yield from _take_ground(state, walks)
    yield from _enter_mines(state, walks)
    yield _declared(state)


def _moved(state: DesertState, units: list[str], path: list[str], planned: list[str]) -> UnitsMoved:
    """Return the event of a march, with what it did to the fuel of each unit (DAA-4.03, DAA-R11, DAA-R48)."""
    judged = planned if state.options["penalty_by"] == "declared" else path
    return moved(state, units, path, judged)


def moved(state: DesertState, units: list[str], path: list[str], judged: list[str]) -> UnitsMoved:
    """Return the event that land units went along ``path``; their fuel is judged by ``judged``."""
    power = state.phasing_power
    fuel = {each: fuel_after(state, power, state.units[each].kind, judged) for each in units}
    extended = [each for each in units if fuel[each] == EXTENDED]
    advanced = [each for each in units if fuel[each] == ADVANCED]
    rule = "DAA-4.03" if extended else "DAA-6.02" if advanced else "DAA-16.02"
    return UnitsMoved(power, units, path, extended, advanced, state.turn + 1 if extended else 0, rule)


def _take_ground(state: DesertState, walks: list[Walk]) -> Procedure:
    """Take the undefended enemy ground that was run through or entered (DAA-16.04, DAA-17.13, DAA-R53)."""
    for _, path in walks:
        for space in path[1:]:
            if is_enemy_held(state, space) and not is_enemy_mined(state, space) and not enemy_units(state, space):
                yield capture(state, space, "DAA-16.04" if space != path[-1] else "DAA-17.13")


def _enter_mines(state: DesertState, walks: list[Walk]) -> Procedure:
    """Let each minefield that was entered strike once at all who entered it (DAA-R41); sweep where nobody defends."""
    entered: dict[str, list[str]] = {}
    for units, path in walks:
        if is_enemy_mined(state, path[-1]):
            entered.setdefault(path[-1], []).extend(units)
    for space in sorted(entered):
        yield from strike(state, space, entered[space])
        left = [each for each in entered[space] if each in state.units]
        if left and not enemy_units(state, space):
            yield from sweep(state, space, left)  # DAA-R46


def _declared(state: DesertState) -> CombatsDeclared:
    """Return the event that names the battles and raids to come (DAA-17.01, DAA-R56)."""
    combats: dict[str, list[str]] = {}
    raids: dict[str, list[str]] = {}
    defended: dict[str, bool] = {}
    for plan in state.plans:
        for unit_id in plan.units:
            unit = state.units.get(unit_id)
            if unit is None:
                continue
            space = unit.space
            if space not in defended:
                defended[space] = bool(enemy_units(state, space))
            if defended[space]:
                (raids if plan.raid else combats).setdefault(space, []).append(unit_id)
    return CombatsDeclared(state.phasing_power, combats, raids)
