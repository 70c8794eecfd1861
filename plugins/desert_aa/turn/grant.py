"""The opening grant: before the first turn, each side buys units and places them at once (DAA-2.01 to DAA-2.05)."""

from collections.abc import Callable
from functools import partial

from desert_aa.economy.calculations import cost_of_minefields, cost_of_units
from desert_aa.economy.grant import GrantSpace
from desert_aa.economy.purchase import flak_room
from desert_aa.model.events import GrantReceived, MinefieldsBought, UnitsBought
from desert_aa.model.orders import PlaceBonus, PlaceUnits
from desert_aa.model.state import DesertState
from desert_aa.model.tables import ALLIES, AXIS, ENEMY, MINEFIELD_COST, POWERS_OF, SIDE_OF, SIDES
from desert_aa.turn.placement import arrive, mine_places, place_minefields
from desert_aa.turn.purchase import buy_minefields
from sandtable import Decision, Procedure, Sealed


def opening_grant(state: DesertState) -> Procedure:
    """Pay the grant to both sides, and ask them to spend it and lay minefields (DAA-2.01 to DAA-2.05, DAA-R09)."""
    if not any(state.board.grant.values()):
        return
    for purse, amount in state.board.grant.items():
        if amount:
            yield GrantReceived(purse, amount)
    spent = yield from ORDER[state.options["bonus_order"]](state)
    for side in SIDES:
        yield from lay_mines(state, side, spent[side])


def sealed(state: DesertState) -> Procedure:
    """Ask both sides in secret, then carry out both orders; return the money spent by side and purse (DAA-R08)."""
    decisions = {side: _question(state, side) for side in SIDES}
    orders: dict[str, PlaceBonus] = yield Sealed(tuple(decisions.values()))
    spent = {}
    for side in SIDES:
        spent[side] = yield from _carry_out(state, orders[decisions[side].seat])
    return spent


def in_turn(state: DesertState, first: str) -> Procedure:
    """Ask side ``first`` openly, then the other side; return the money spent by side and purse (DAA-R08)."""
    spent = {}
    for side in (first, ENEMY[first]):
        order: PlaceBonus = yield _question(state, side)
        spent[side] = yield from _carry_out(state, order)
    return spent


ORDER: dict[str, Callable[[DesertState], Procedure]] = {
    "sealed": sealed,
    "axis_first": partial(in_turn, first=AXIS),
    "allies_first": partial(in_turn, first=ALLIES),
}


def _question(state: DesertState, side: str) -> Decision:
    """Return the grant decision of ``side``, which its first power makes."""
    powers = POWERS_OF[side]
    purse_of = {power: state.board.purse_of[power] for power in powers}
    held = [space for space in state.board.spaces if SIDE_OF[state.control[space]] == side]
    places = {power: mine_places(state, power) for power in powers if state.options["mine_secrecy"] == "spaces_secret"}
    mines = {power: len(places.get(power, ())) for power in powers}
    all_mines = len(dict.fromkeys(space for spaces in places.values() for space in spaces))
    options = GrantSpace(purse_of, state.board.grant, held, flak_room(state, held), mines, all_mines)
    grant = sum(state.board.grant[purse] for purse in dict.fromkeys(purse_of.values()))
    prompt = f"spend the opening grant of {grant} IPC, or save it"
    return Decision(side, prompt, options, "DAA-2.01", powers[0], purpose=f"grant.{side}")


def _carry_out(state: DesertState, order: PlaceBonus) -> Procedure:
    """Pay for the order and place its units; return the money spent on units, by purse (DAA-2.02, DAA-2.03)."""
    spent: dict[str, int] = {}
    for power in sorted(order.units):
        bought: dict[str, int] = {}
        for stack in order.units[power].values():
            for kind, number in stack.items():
                bought[kind] = bought.get(kind, 0) + number
        purse = state.board.purse_of[power]
        bought = dict(sorted(bought.items()))
        cost = cost_of_units(power, bought)
        spent[purse] = spent.get(purse, 0) + cost.total
        yield UnitsBought(power, purse, bought, cost.total, "DAA-2.01", (cost,))
        yield from arrive(state, power, PlaceUnits(order.units[power]), "DAA-2.03")
    for power in sorted(order.minefields):
        number, purse = order.minefields[power], state.board.purse_of[power]
        cost = cost_of_minefields(number)
        yield MinefieldsBought(power, purse, number, cost.total, calculations=(cost,))
    return spent


def lay_mines(state: DesertState, side: str, spent: dict[str, int]) -> Procedure:
    """Ask the powers of ``side`` to lay, in secret, the minefields that they bought openly (DAA-8.01, DAA-8.03).

    With secret numbers they also buy them here, from the rest of the grant (DAA-R37). The powers that decide then
    depend only on public facts: the money spent openly, and the spaces that can be mined.
    """
    if state.options["mine_secrecy"] == "spaces_secret":
        for power in POWERS_OF[side]:
            yield from place_minefields(state, power)
        return
    left = {purse: amount - spent.get(purse, 0) for purse, amount in state.board.grant.items()}
    open_left = dict(left)
    for power in POWERS_OF[side]:
        purse = state.board.purse_of[power]
        if open_left[purse] < MINEFIELD_COST or not mine_places(state, power):
            continue
        before = state.mines_waiting[power]
        yield from buy_minefields(state, power, left[purse])
        left[purse] -= (state.mines_waiting[power] - before) * MINEFIELD_COST
        yield from place_minefields(state, power)
