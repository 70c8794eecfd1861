"""The opening grant: each side buys, and places at once, ahead of the first turn (DAA-2)."""

from collections.abc import Callable
from functools import partial

from desert_aa.events import GrantReceived, MinefieldsBought, MinefieldsPlaced, UnitsBought
from desert_aa.grant import GrantSpace
from desert_aa.orders import PlaceBonus, PlaceMinefields, PlaceUnits
from desert_aa.phases.placement import arrive, why_no_mine
from desert_aa.spaces import MinePlaces, flak_room, own_minefields
from desert_aa.state import DesertState
from desert_aa.tables import ALLIES, AXIS, MINEFIELD_COST, POWERS_OF, PRICES, SIDE_OF, SIDES
from sandtable.kernel.decisions import Decision, Sealed
from sandtable.kernel.sequence import Procedure


def bonus(state: DesertState) -> Procedure:
    """Pay the grant to both sides, once, and let them spend it (DAA-2.01, DAA-2.04, DAA-2.05, DAA-R09)."""
    if not any(state.board.grant.values()):
        return
    for purse, amount in state.board.grant.items():
        if amount:
            yield GrantReceived(purse, amount)
    spent = yield from ORDER[state.options["bonus_order"]](state)
    for side in SIDES:
        yield from _mine(state, side, spent[side])


def sealed(state: DesertState) -> Procedure:
    """Let both sides place unseen, then show everything (DAA-R08)."""
    asked = {side: _question(state, side) for side in SIDES}
    orders: dict[str, PlaceBonus] = yield Sealed(tuple(asked.values()))
    spent = {}
    for side in SIDES:
        spent[side] = yield from _carry_out(state, orders[asked[side].seat])
    return spent


def axis_first(state: DesertState) -> Procedure:
    """Let the Axis place openly, then the Allies (DAA-R08)."""
    return (yield from _in_turn(state, (AXIS, ALLIES)))


def allies_first(state: DesertState) -> Procedure:
    """Let the Allies place openly, then the Axis (DAA-R08)."""
    return (yield from _in_turn(state, (ALLIES, AXIS)))


ORDER: dict[str, Callable[[DesertState], Procedure]] = {
    "sealed": sealed,
    "axis_first": axis_first,
    "allies_first": allies_first,
}


def _in_turn(state: DesertState, sides: tuple[str, ...]) -> Procedure:
    spent = {}
    for side in sides:
        order: PlaceBonus = yield _question(state, side)
        spent[side] = yield from _carry_out(state, order)
    return spent


def _question(state: DesertState, side: str) -> Decision:
    """Return the question to ``side``; the first of its powers answers for it."""
    powers = POWERS_OF[side]
    purse_of = {power: state.board.purse_of[power] for power in powers}
    held = [space for space in state.board.spaces if SIDE_OF[state.control[space]] == side]
    options = GrantSpace(purse_of, state.board.grant, held, flak_room(state, held))
    grant = sum(state.board.grant[purse] for purse in dict.fromkeys(purse_of.values()))
    return Decision(side, f"spend the grant of {grant} IPC, or save it", options, "DAA-2.01", powers[0])


def _carry_out(state: DesertState, order: PlaceBonus) -> Procedure:
    """Pay for the units and set them up; return what each purse spent (DAA-2.02, DAA-2.03)."""
    spent: dict[str, int] = {}
    for power in sorted(order.units):
        bought: dict[str, int] = {}
        for stack in order.units[power].values():
            for kind, number in stack.items():
                bought[kind] = bought.get(kind, 0) + number
        if not bought:
            continue
        purse = state.board.purse_of[power]
        cost = sum(number * PRICES[power][kind] for kind, number in bought.items())
        spent[purse] = spent.get(purse, 0) + cost
        yield UnitsBought(power, purse, dict(sorted(bought.items())), cost, "DAA-2.01")
        yield from arrive(state, power, PlaceUnits(order.units[power]), "DAA-2.03")
    return spent


def _mine(state: DesertState, side: str, spent: dict[str, int]) -> Procedure:
    """Ask each power of ``side`` in secret for minefields out of what is left of the grant (DAA-8.01, DAA-8.03).

    Who is asked follows from what everyone knows: what was spent openly, and where mines could lie.
    """
    left = {purse: amount - spent.get(purse, 0) for purse, amount in state.board.grant.items()}
    open_left = dict(left)
    for power in POWERS_OF[side]:
        purse = state.board.purse_of[power]
        why_not = partial(why_no_mine, state, power)
        places = [space for space in state.board.mineable if why_not(space) is None]
        number = left[purse] // MINEFIELD_COST
        asks = number if state.options["mine_secrecy"] == "spaces_secret" else open_left[purse] // MINEFIELD_COST
        if not asks or not places:
            continue
        options = MinePlaces(places, number, own_minefields(state, side), why_not)
        prompt = f"lay up to {number} minefields from the rest of the grant, unseen"
        order: PlaceMinefields = yield Decision(side, prompt, options, "DAA-8.03", power, secret=True)
        cost = len(order.spaces) * MINEFIELD_COST
        left[purse] -= cost
        yield MinefieldsBought(power, purse, len(order.spaces), cost)
        yield MinefieldsPlaced(power, len(order.spaces), sorted(order.spaces))
