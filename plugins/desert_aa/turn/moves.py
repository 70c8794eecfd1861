"""The combat moves (DAA-16.01, DAA-R38) and the non-combat moves (DAA-18.01, DAA-12.01) of a power's turn."""

from msgspec.structs import replace

from desert_aa.combat.control import capture, enemy_units, is_enemy_held, is_enemy_mined
from desert_aa.combat.flak import fly_over
from desert_aa.combat.minefields import REVEAL, Reveal, strike, sweep
from desert_aa.model.events import CombatsDeclared, MovePlanned, UnitsLost, UnitsMoved
from desert_aa.model.orders import EndMoves, MoveUnits
from desert_aa.model.state import ADVANCED, EXTENDED, DesertState
from desert_aa.model.tables import FLAK, PLANES
from desert_aa.movement.calculations import flight
from desert_aa.movement.calculations import fuel as fuel_used
from desert_aa.movement.ground import Ground, landing_spaces
from desert_aa.movement.options import END, CombatMoves, NonCombatMoves
from desert_aa.movement.supply import fuel_after, relieve, stand_up
from sandtable import Decision, Procedure

Walk = tuple[list[str], list[str]]
"""Land units and the path that they actually took."""


def combat_move(state: DesertState) -> Procedure:
    """Ask for combat moves until the player ends them or no unit can move, then make them (DAA-16.01)."""
    reveal = REVEAL[state.options["mine_reveal"]]
    ground = Ground(state)
    entered: dict[str, str] = {}
    options = CombatMoves.on(ground)
    while options.leaders:
        prompt = "order a combat move, or end combat moves"
        order = yield Decision(
            state.phasing_side, prompt, options, "DAA-16.01", state.phasing_power, END, purpose="attack_with"
        )
        if type(order) is EndMoves:
            break
        yield MovePlanned(state.phasing_power, order.units, order.path, order.raid)
        ground.take(order.units)
        options = options.without(order.units)
        if _walkers(state, order.units):
            yield from reveal.ordered(state, order.path, entered)
    if state.plans:
        yield from commit(state, reveal, entered)


def _walkers(state: DesertState, units: list[str]) -> list[str]:
    return [each for each in units if state.units[each].kind not in PLANES]


def commit(state: DesertState, reveal: Reveal, entered: dict[str, str]) -> Procedure:
    """Make all ordered moves: reveal mines, move units, take ground, roll for mines, list battles (DAA-9.01).

    ``entered`` is as in ``Reveal``.
    """
    walks: list[Walk] = []
    for plan in state.plans:
        walkers = _walkers(state, plan.units)
        if walkers:
            path: list[str] = yield from reveal.made(state, plan.path, entered)
            walks.append((walkers, path))
            yield _moved(state, walkers, path, plan.path)
        fliers = [each for each in plan.units if each not in walkers]
        if fliers:
            why = flight(state, state.phasing_power, fliers, plan.path)
            yield UnitsMoved(state.phasing_power, fliers, plan.path, rule="DAA-16.07", calculations=why)
            yield from fly_over(state, fliers, plan.path)
    yield from _take_ground(state, walks)
    yield from _enter_mines(state, walks)
    yield _declared(state)


def _moved(state: DesertState, units: list[str], path: list[str], planned: list[str]) -> UnitsMoved:
    """Return the event of an attack by land units; by option the planned path decides their fuel (DAA-R11, DAA-R48)."""
    judged = planned if state.options["penalty_by"] == "declared" else path
    return moved(state, units, path, judged)


def moved(state: DesertState, units: list[str], path: list[str], judged: list[str]) -> UnitsMoved:
    """Return the event of land units that move along ``path``; ``judged`` decides their fuel (DAA-4.03, DAA-6.02)."""
    power = state.phasing_power
    fuel = {each: fuel_after(state, power, state.units[each].kind, judged) for each in units}
    extended = [each for each in units if fuel[each] == EXTENDED]
    advanced = [each for each in units if fuel[each] == ADVANCED]
    rule = "DAA-4.03" if extended else "DAA-6.02" if advanced else "DAA-16.02"
    stands_up = state.turn + 1 if extended else 0
    why = fuel_used(state, power, units, judged, stands_up)
    return UnitsMoved(power, units, path, extended, advanced, stands_up, rule, why)


def _take_ground(state: DesertState, walks: list[Walk]) -> Procedure:
    """Take enemy ground without defenders or mines that units crossed or entered (DAA-16.04, DAA-17.13, DAA-R53)."""
    for _, path in walks:
        for space in path[1:]:
            if is_enemy_held(state, space) and not is_enemy_mined(state, space) and not enemy_units(state, space):
                yield capture(state, space, "DAA-16.04" if space != path[-1] else "DAA-17.13")


def _enter_mines(state: DesertState, walks: list[Walk]) -> Procedure:
    """Roll once for each minefield against all units that entered it, then sweep it if undefended (DAA-R41)."""
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
    """Return the event that lists the battles and raids of the turn (DAA-17.01, DAA-R56)."""
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


def noncombat_move(state: DesertState) -> Procedure:
    """Ask for non-combat moves until the player ends them, then land planes (DAA-18.01 to DAA-18.03).

    Units with a free road behind them are ready before the moves (DAA-6.07); units that have waited, after them
    (DAA-4.10).
    """
    yield from relieve(state)
    ground = Ground(state)
    options = NonCombatMoves.on(ground)
    few_guns = state.options["aa_limit"] == "one_per_space"
    while options.leaders:
        prompt = "order a non-combat move or land a plane, or end moves"
        order = yield Decision(
            state.phasing_side, prompt, options, "DAA-18.01", state.phasing_power, END, purpose="move"
        )
        if type(order) is EndMoves:
            break
        ground.take(order.units)
        ground.note_flak(order.units, order.path)
        yield from make_move(state, order)
        options = NonCombatMoves.on(ground) if few_guns else options.without(order.units)
    yield from land_planes(state)
    yield from stand_up(state)


def make_move(state: DesertState, order: MoveUnits) -> Procedure:
    """Make a move at once, because nothing on friendly ground is hidden from the side that moves."""
    walkers = [each for each in order.units if state.units[each].kind not in PLANES]
    if walkers:
        only_flak = all(state.units[each].kind == FLAK for each in walkers)
        event = moved(state, walkers, order.path, order.path)
        rule = "DAA-10.01" if only_flak and event.extended else event.rule
        yield replace(event, rule=rule)
    fliers = [each for each in order.units if each not in walkers]
    if fliers:
        why = flight(state, state.phasing_power, fliers, order.path)
        yield UnitsMoved(state.phasing_power, fliers, order.path, rule="DAA-12.01", calculations=why)
        yield from fly_over(state, fliers, order.path)


def land_planes(state: DesertState) -> Procedure:
    """Land the planes that flew to combat and are still in the air; planes that cannot land are lost (DAA-18.03).

    Their power chooses a landing only if there is more than one.
    """
    for unit_id in _aloft(state):
        options = NonCombatMoves.on(Ground(state), only=unit_id)
        if not options.leaders:
            yield UnitsLost(state.units[unit_id].space, [unit_id], "no_landing", "DAA-18.03")
            continue
        ends = options.destinations(unit_id)
        order = MoveUnits([unit_id], next(iter(ends.values())))
        if len(ends) > 1:
            unit = state.units[unit_id]
            prompt = f"choose where the {unit.kind} over {state.board.names[unit.space]} lands"
            side, power = state.phasing_side, state.phasing_power
            order = yield Decision(side, prompt, options, "DAA-18.03", power, purpose=f"land.{unit_id}")
        yield from make_move(state, order)


def _aloft(state: DesertState) -> list[str]:
    """Return the planes of the phasing power that flew this turn and are not where they may land, sorted by id."""
    power = state.phasing_power
    flew = [each for each, unit in state.units.items() if unit.moved and unit.power == power and unit.kind in PLANES]
    landable = landing_spaces(state, power) if flew else ()
    return sorted(each for each in flew if state.units[each].space not in landable)
