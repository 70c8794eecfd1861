"""The non-combat move phase: relieved units rise, units move behind the lines, planes land (DAA-18, DAA-12)."""

from desert_aa.combat.flak import fly_over
from desert_aa.model.events import UnitsLost, UnitsMoved
from desert_aa.model.orders import EndMoves, MoveUnits
from desert_aa.model.state import DesertState
from desert_aa.model.tables import FLAK, PLANES
from desert_aa.movement.ground import Ground, landing_spaces
from desert_aa.movement.options import END, NonCombatMoves
from desert_aa.movement.supply import relieve, stand_up
from desert_aa.turn.moves import moved
from sandtable.kernel.decisions import Decision
from sandtable.kernel.sequence import Procedure


def noncombat_move(state: DesertState) -> Procedure:
    """Ask for non-combat moves until they are ended; then planes in the air land (DAA-18.01 to DAA-18.03)."""
    yield from relieve(state)
    ground = Ground(state)
    options = NonCombatMoves.on(ground)
    few_guns = state.options["aa_limit"] == "one_per_space"
    while options.leaders:
        prompt = "move behind the lines and land planes, or end moves"
        order = yield Decision(state.phasing_side, prompt, options, "DAA-18.01", state.phasing_power, END)
        if type(order) is EndMoves:
            break
        ground.take(order.units)
        ground.note_flak(order.units, order.path)
        yield from make_move(state, order)
        options = NonCombatMoves.on(ground) if few_guns else options.without(order.units)
    yield from land_planes(state)
    yield from stand_up(state)


def make_move(state: DesertState, order: MoveUnits) -> Procedure:
    """Move units at once: nothing is hidden behind their own lines."""
    walkers = [each for each in order.units if state.units[each].kind not in PLANES]
    if walkers:
        only_flak = all(state.units[each].kind == FLAK for each in walkers)
        event = moved(state, walkers, order.path, order.path)
        rule = "DAA-10.01" if only_flak and event.extended else event.rule
        yield UnitsMoved(event.power, walkers, event.path, event.extended, event.advanced, event.stands_up, rule)
    fliers = [each for each in order.units if each not in walkers]
    if fliers:
        yield UnitsMoved(state.phasing_power, fliers, order.path, rule="DAA-12.01")
        yield from fly_over(state, fliers, order.path)


def land_planes(state: DesertState) -> Procedure:
    """Land the planes that flew to combat and are still in the air; those that cannot are lost (DAA-18.03).

    Their power is asked only where there is more than one place to land.
    """
    aloft = [each for each in sorted(state.units) if _is_aloft(state, each)]
    for unit_id in aloft:
        options = NonCombatMoves.on(Ground(state), only=unit_id)
        if not options.leaders:
            yield UnitsLost(state.units[unit_id].space, [unit_id], "no_landing", "DAA-18.03")
            continue
        ends = options.destinations(unit_id)
        order = MoveUnits([unit_id], next(iter(ends.values())))
        if len(ends) > 1:
            prompt = f"land {unit_id}"
            order = yield Decision(state.phasing_side, prompt, options, "DAA-18.03", state.phasing_power)
        yield from make_move(state, order)


def _is_aloft(state: DesertState, unit_id: str) -> bool:
    """Tell whether a plane of the power on move flew this turn and is not where it may land."""
    unit = state.units[unit_id]
    if unit.power != state.phasing_power or unit.kind not in PLANES or not unit.moved:
        return False
    return unit.space not in landing_spaces(state, unit.power)
