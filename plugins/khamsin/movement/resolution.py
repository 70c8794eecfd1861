"""Steps of the action phase: interdiction, activation, moves of both sides, contact (KH-3.08 to KH-3.10)."""

from collections.abc import Mapping

from khamsin.model.cards import ENEMY, SIDES, Board
from khamsin.model.events import (
    AircraftFlew,
    AreasInterdicted,
    ControlChanged,
    DoctrineInvoked,
    FormationDivided,
    FormationMoved,
)
from khamsin.model.forces import allowance, areas_of, cost, cost_of, occupied_by, on_map, owes_regroup, points_left
from khamsin.model.state import ON_MAP, WAITING, Formation, KhamsinState, Leader
from khamsin.model.tables import DOCTRINE_GENERAL
from khamsin.movement.activation import activate
from khamsin.movement.march import Crossing, March, Piece, Rules, run_march
from khamsin.movement.orders_sheet import may_assault, piece_name
from sandtable import UNSET, Calculation, Calculations, Procedure, Roll

OFF_MAP = ""
"""First element of the path of a formation that enters the map."""

Plan = dict[str, list[str]]
"""Paths by formation. Each begins in the formation's own area and has at least one further area."""


def interdict(state: KhamsinState) -> Procedure:
    """Interdict areas for both sides, each if its die reaches the number in the module (KH-7.06, KH-7.07).

    The enemy learns which areas are interdicted, but not of failed attempts (KH-3.10).
    """
    board: Board = state.board
    for side in SIDES:
        areas = sorted(state.sheets[side].interdict) if side in state.sheets else []
        if not areas:
            continue
        number, dice = board.air[side].needs, {}
        for area in areas:
            die = 0
            if number > 1:
                (die,) = yield Roll(1, 6, f"interdiction:{side}:{area}", "KH-7.06", side=side, favors=side)
            dice[area] = die
        yield AircraftFlew(side, dice, calculations=_over_needs(dice, number))
        stopped = [area for area, die in dice.items() if number <= 1 or die >= number]
        if stopped:
            yield AreasInterdicted(side, stopped)


def _over_needs(dice: dict[str, int], number: int) -> Calculations:
    """Return, for each area, the calculation of die minus required number; below 0 the attempt fails."""
    if number <= 1:
        return UNSET
    needs = ("needs", -number, "KH-7.06")
    return tuple(Calculation(area, (("die", die, "KH-7.06"), needs)) for area, die in dice.items())


# --- activation ---


def ordered_moves(state: KhamsinState) -> Plan:
    """Return the ordered paths of both sides by formation, sorted by id. Formations without orders hold (KH-R116)."""
    plan: Plan = {}
    for sheet in state.sheets.values():
        for each, path in sheet.moves.items():
            formation = state.formations.get(each)
            if formation is None:
                continue
            if formation.standing == WAITING and may_assault(state, each):
                plan[each] = [OFF_MAP, *path]
            elif formation.standing == ON_MAP and len(path) > 1 and path[0] == formation.area:
                plan[each] = list(path)
    return {each: plan[each] for each in sorted(plan)}


def activate_all(state: KhamsinState, plan: Plan, dice: Mapping[str, int]) -> Procedure:
    """Check activation of each formation whose first area is enemy-occupied; return the remaining plan (KH-3.08).

    A formation that fails holds (KH-9.06). One that cannot fight never enters an enemy-occupied area. Enemies on a
    later leg can cancel the order (KH-R11).
    """
    ahead = _enemies_ahead(state, plan)
    for each, area in attacks(state, plan).items():
        yield activate(state, each, area, dice[each])
    return {
        each: path
        for each, path in plan.items()
        if path[1] not in ahead[each] or state.formations[each].activated == path[1]
        if not _is_void(state, path, ahead[each])
    }


def attacks(state: KhamsinState, plan: Plan) -> dict[str, str]:
    """Return the formations that must roll for activation and their target areas (KH-R11).

    Formations that cannot fight do not roll.
    """
    ahead = _enemies_ahead(state, plan)
    return {
        each: path[1]
        for each, path in plan.items()
        if state.formations[each].strength and path[1] in ahead[each] and not _is_void(state, path, ahead[each])
    }


def _enemies_ahead(state: KhamsinState, plan: Plan) -> dict[str, set[str]]:
    """Return, for each formation of the plan, the areas that count as enemy-occupied."""
    occupied = {side: occupied_by(state, side) - _vacated(state, side, plan) for side in SIDES}
    return {each: occupied[ENEMY[state.formations[each].side]] for each in plan}


def _is_void(state: KhamsinState, path: list[str], held: set[str]) -> bool:
    """Return whether enemies on a later leg cancel the whole order (KH-R11)."""
    return state.options["later_leg"] == "cancel_whole_order" and not held.isdisjoint(path[2:])


def _vacated(state: KhamsinState, side: str, plan: Plan) -> set[str]:
    """Return the areas that all fighters of a side are certain to leave, or none unless occupation is live (KH-R09).

    A formation is certain to leave if the first area of its path has no enemies, so that it needs no roll.
    """
    if state.options["occupied_snapshot"] != "live":
        return set()
    held = occupied_by(state, ENEMY[side])
    leaving = {each for each, path in plan.items() if path[1] not in held}
    fighters = [each for each in on_map(state, side) if state.formations[each].strength]
    staying = {state.formations[each].area for each in fighters if each not in leaving}
    return {state.formations[each].area for each in fighters} - staying


# --- the moves ---


def compute_march(state: KhamsinState, plan: Plan) -> March:
    """Return the completed march of both sides."""
    held = {side: occupied_by(state, side) for side in SIDES}
    rules = Rules.of(state.options)

    def price(formation_id: str, a: str, b: str) -> int:
        return cost(state, formation_id, a, b)

    return run_march(lambda: March(_pieces(state, plan), held, state.control, price, rules))


def _pieces(state: KhamsinState, plan: Plan) -> list[Piece]:
    """Return all pieces on the map or entering it. A part that stays in a fortress is a separate piece."""
    pieces: list[Piece] = []
    for each, formation in state.formations.items():
        if formation.standing != ON_MAP and each not in plan:
            continue
        path = plan.get(each, [formation.area])
        left = _left_behind(state, each) if each in plan else 0
        points = allowance(state, each)
        pieces.append(Piece(each, formation.side, path, points, formation.strength - left, formation.activated))
        if left:
            pieces.append(Piece(piece_name(state, each), formation.side, path[:1], points, left))
    return pieces


def _left_behind(state: KhamsinState, formation_id: str) -> int:
    sheet = state.sheets.get(state.formations[formation_id].side)
    return sheet.detach.get(formation_id, 0) if sheet else 0


def carry_out(state: KhamsinState, march: March) -> Procedure:
    """Yield the events of a march, moment by moment, sorted by id. Control changes when an area is entered."""
    for tick in march.ticks:
        for crossing in tick.crossings:
            yield from _cross(state, crossing)
        for area, side in tick.taken:
            yield ControlChanged(area, side)
    for forces in march.clashes.values():
        for each in sorted(piece for force in forces.values() for piece in force):
            yield from _divide(state, each)


def _cross(state: KhamsinState, crossing: Crossing) -> Procedure:
    formation = state.formations[crossing.id]
    yield from _divide(state, crossing.id)
    if not formation.moved and owes_regroup(state, crossing.id):
        forfeit = formation.recovered if formation.regroup else 0  # KH-R73: once
        rule = "KH-20.10" if formation.doctrine else "KH-20.08"
        how = [Calculation("general", (("moved instead of regrouping", DOCTRINE_GENERAL, rule),))]
        how += [Calculation("armor", (("recovered vehicles forfeited", forfeit, "KH-20.09"),))] if forfeit else []
        yield DoctrineInvoked(crossing.id, formation.side, DOCTRINE_GENERAL, forfeit, rule, tuple(how))
    rule, side, start, end, points = _rule_of(state, crossing), formation.side, *crossing[1:]
    sums = (cost_of(state, crossing.id, start, end), points_left(state, crossing.id, points)) if start else UNSET
    yield FormationMoved(crossing.id, side, start, end, points, rule, sums)


def _rule_of(state: KhamsinState, crossing: Crossing) -> str:
    if crossing.area == state.formations[crossing.id].activated:
        return "KH-8.14" if crossing.start else "KH-4.07"
    if not crossing.start:
        return "KH-R99"
    return "KH-8.11" if crossing.cost > allowance(state, crossing.id) else "KH-8.10"


def _divide(state: KhamsinState, formation_id: str) -> Procedure:
    """Leave a part of a formation in its fortress when the formation departs (KH-7.02, KH-R117)."""
    formation, left = state.formations[formation_id], _left_behind(state, formation_id)
    if left and not formation.moved:
        part = piece_name(state, formation_id)
        yield FormationDivided(formation_id, formation.side, part, left, formation.area)


def goals(state: KhamsinState) -> dict[str, str]:
    """Return the goals of pieces: the current area of a formation, the end of the ordered path of a leader.

    Ordered paths of formations are not included.
    """
    ends = {each: it.area for each, it in state.formations.items()}
    ends |= {each: it.area for each, it in state.leaders.items()}
    for sheet in state.sheets.values():
        ends |= {each: path[-1] for each, path in sheet.leaders.items() if path}
    return ends


def pieces_met(state: KhamsinState, ends: dict[str, str], paths: Plan, plan: Plan) -> dict[str, list[str]]:
    """Return, by side, the pieces that met enemies.

    A piece met enemies if it is in an area with enemies, or is not at its destination by ``ends`` and ``plan``. With
    live occupation (KH-R09), an activation roll also reveals enemies. A piece of ``paths`` that was activated, or is
    not in ``plan``, then counts, too.
    """
    destinations = ends | {each: path[-1] for each, path in plan.items()}
    is_live = state.options["occupied_snapshot"] == "live"
    barred = [each for each in paths if is_live and (each not in plan or state.formations[each].activated)]
    held = {side: areas_of(state, ENEMY[side]) for side in SIDES}
    pieces: dict[str, Formation | Leader] = {**state.formations, **state.leaders}
    met: dict[str, list[str]] = {side: [] for side in SIDES}
    for each, it in pieces.items():
        is_met = it.standing == ON_MAP and it.area in held[it.side]
        if is_met or each in barred or it.area != destinations.get(each, it.area):
            met[it.side].append(each)
    return met
