"""The placement phase: purchases enter the map (DAA-3.09 to DAA-3.12, DAA-8.05 to DAA-8.07, DAA-14.05)."""

from collections.abc import Callable
from functools import partial

from desert_aa.economy.purchase import Arrivals, MinePlaces, flak_room, own_minefields
from desert_aa.model.events import MinefieldsPlaced, UnitsArrived
from desert_aa.model.orders import PlaceMinefields, PlaceUnits
from desert_aa.model.state import DesertState
from desert_aa.model.tables import POWER_NAMES, PREFIX, SHORT, SIDE_OF
from sandtable import Claim, Decision, OneOf, Procedure, Range, Refusal, Secret


def placement(state: DesertState) -> Procedure:
    """Place units in the zones, then lay minefields."""
    yield from place_units(state)
    yield from place_minefields(state, state.phasing_power)


# --- units ---


ZONE_SCOPE: dict[str, Callable[[str, str], bool]] = {
    "per_side": lambda holder, power: SIDE_OF[holder] == SIDE_OF[power],
    "per_nation": lambda holder, power: holder == power,
}
"""Functions that return whether a power may use a zone, given its holder (DAA-R04)."""


def why_no_zone(state: DesertState, power: str, space: str) -> Refusal | None:
    """Refuse a space that cannot receive new units of ``power`` (DAA-3.09, DAA-3.11, DAA-14.06, DAA-R05)."""
    name = state.board.names.get(space, space[:40])
    if space not in state.board.zones:
        return Refusal("DAA-3.09", f"{name} is not a reinforcement zone: new units enter only there")
    if not ZONE_SCOPE[state.options["rz_scope"]](state.control[space], power):
        return Refusal("DAA-3.11", f"no new units can enter {name}: {POWER_NAMES[state.control[space]]} holds it")
    if space in state.captured and state.options["rz_new"] == "next_turn":
        return Refusal("DAA-14.06", f"no new units can enter {name} before the next turn: it was taken this turn")
    return None


def place_units(state: DesertState) -> Procedure:
    """Ask for the zones of new units; units without a zone wait off the map (DAA-R06)."""
    power = state.phasing_power
    if not state.waiting[power]:
        return
    why_not = partial(why_no_zone, state, power)
    zones = [zone for zone in state.board.zones if why_not(zone) is None]
    options = Arrivals(zones, dict(state.waiting[power]), flak_room(state, zones), why_not)
    if options.due():
        order = options.single()
        if order is None:
            prompt = "place new units in your reinforcement zones"
            side = state.phasing_side
            order = yield Decision(side, prompt, options, "DAA-3.02", power, purpose=f"place.{power}")
        yield from arrive(state, power, order, "DAA-3.02")


def arrive(state: DesertState, power: str, order: PlaceUnits, rule: str) -> Procedure:
    """Place the units of ``order``, with new ids."""
    for space in sorted(order.units):
        for kind in sorted(order.units[space]):
            name = f"{PREFIX[power]}-{SHORT[kind]}"
            first = state.made.get(name, 0) + 1
            units = [f"{name}-{number}" for number in range(first, first + order.units[space][kind])]
            yield UnitsArrived(power, space, kind, units, rule)


# --- minefields ---


def why_no_mine(state: DesertState, power: str, space: str) -> Refusal | None:
    """Refuse a space that ``power`` may not mine according to public facts (DAA-8.06, DAA-8.07, DAA-R35, DAA-R36)."""
    board = state.board
    name = board.names.get(space, space[:40])
    if space not in board.value:
        return Refusal("DAA-8.06", f"{name} cannot be mined: it is not an open space of the map")
    holder = state.control[space]
    if SIDE_OF[holder] != SIDE_OF[power]:
        return Refusal("DAA-8.06", f"{name} cannot be mined: {POWER_NAMES[holder]} holds it")
    if space not in board.mineable:
        what = "a city" if space in board.cities else "on the road"
        return Refusal("DAA-8.07", f"{name} cannot be mined: it is {what}")
    if holder != power and state.options["mine_allied_space"] == "refused":
        return Refusal("DAA-R36", f"{POWER_NAMES[power]} cannot mine {name}: {POWER_NAMES[holder]} holds it")
    return why_no_zone(state, power, space) if state.options["mine_place"] == "rz_only" else None  # DAA-R35


def mine_places(state: DesertState, power: str) -> list[str]:
    """Return the spaces that ``power`` may mine according to public facts."""
    return [space for space in state.board.mineable if why_no_mine(state, power, space) is None]


def place_minefields(state: DesertState, power: str) -> Procedure:
    """Request in secret the spaces of the waiting minefields of ``power``, if a space can be mined (DAA-8.03).

    If numbers are secret too, a power without minefields gets the decision as well, so that it reveals nothing
    (DAA-R37).
    """
    number, numbers_open = state.mines_waiting[power], state.options["mine_secrecy"] == "spaces_secret"
    places = mine_places(state, power) if number or not numbers_open else []
    if not places:
        return
    side = SIDE_OF[power]
    options = MinePlaces(places, number, own_minefields(state, side), partial(why_no_mine, state, power))
    purpose, due, forced = f"lay_mines.{power}", number, False
    if numbers_open and not _has_room(state, side, places, number):
        due = yield Claim(side, purpose, Range(0, number), options.due, "DAA-8.01")
        forced = yield Claim(side, purpose, OneOf((False, True)), lambda: options.count(2) == 1, "DAA-8.03")
    unseen = PlaceMinefields([f"unseen {state.turn} {power} {place}" for place in range(due)])
    if forced:
        order: PlaceMinefields = yield Secret(side, lambda: next(options.values()), unseen)
    else:
        prompt = f"lay {options.due()} minefield{'s' * (options.due() != 1)} in secret"
        order = yield Decision(side, prompt, options, "DAA-8.03", power, secret=True, purpose=purpose, stand_in=unseen)
    if order.spaces or not numbers_open:
        yield MinefieldsPlaced(power, len(order.spaces), sorted(order.spaces))


def _has_room(state: DesertState, side: str, places: list[str], number: int) -> bool:
    """Return whether, by public facts, all ``number`` minefields have a choice of ``places``, wherever others are."""
    fields = [mine for mine in state.minefields.values() if SIDE_OF[mine.power] == side]
    return len(places) - len(fields) > number
