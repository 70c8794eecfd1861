"""Strategic movement of units so far behind that it brings them further than a march."""

from damos.bots.company import groups_of
from damos.bots.paths import Legs, cached, reach
from damos.bots.position import StaffPosition, field_of
from damos.map.terrain import is_rail_step
from damos.model.orders import EndPhase, MoveStrategically
from damos.model.tables import STRATEGIC_FACTOR
from damos.movement.strategic import Movers
from sandtable import Decision, Order


def move_up(position: StaffPosition, decision: Decision, tried: dict[str, int]) -> Order:
    """Return a strategic move that gains more than a march, or the end of the phase.

    ``tried`` stores the turn in which a force was last checked.
    """
    movers = field_of(decision, MoveStrategically, "units")
    if not isinstance(movers, Movers):
        return EndPhase()
    steps = _steps(position, movers)
    for hex_ in sorted(movers.by_hex, key=lambda hex_: (position.far(hex_), hex_)):
        for units in groups_of(position, movers.by_hex[hex_]):
            key = f"{hex_} {units[0]}"
            if tried.get(key) == position.view.turn or (position.is_paused() and position.is_mobile(units[0])):
                continue
            tried[key] = position.view.turn
            order = _move_of(position, movers, steps, list(units))
            if order is not None and decision.options.why_not(order) is None:
                return order
    return EndPhase()


def _steps(position: StaffPosition, movers: Movers) -> Legs:
    """Return the steps that are open to strategic movement, cheaper along the own railway (DM-6.0c to DM-6.0e)."""
    held = frozenset(hex_ for hex_, side in position.view.control.items() if side == position.side)
    key = (held, movers.closed, position.own_rails, position.is_dry)
    return cached(position.board, "strategic", key, lambda: _open_steps(position, held, movers.closed))


def _open_steps(position: StaffPosition, held: frozenset[str], closed: frozenset[str]) -> Legs:
    board, rails = position.board, position.own_rails

    def halves_of(start: str, near: str, halves: int) -> int:
        by_rail = start in rails and near in rails and is_rail_step(board, start, near)
        return int(board.aid.rail_halves) if by_rail else halves

    return {
        start: tuple(
            (near, halves_of(start, near, halves)) for near, halves in steps if near not in closed and near in held
        )
        for start, steps in position.steps.items()
        if start in held
    }


def _move_of(position: StaffPosition, movers: Movers, steps: Legs, units: list[str]) -> MoveStrategically | None:
    """Return the move that brings a force furthest, or None if marching does as well."""
    start = position.units[units[0]].hex
    allowance = movers.allowance(units)
    left = position.distance_left(units, start)
    if left <= allowance // STRATEGIC_FACTOR:
        return None
    routes = reach(steps, dict(steps.get(start, ())), allowance, (start,))
    for far, end in sorted((position.distance_left(units, hex_), hex_) for hex_ in routes):
        if left - far <= allowance // STRATEGIC_FACTOR:
            break
        if end in position.supply and position.room_for(units, end):
            return MoveStrategically(units, [start, *routes[end].path])
    return None
