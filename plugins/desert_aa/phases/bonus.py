"""The opening grant: each side buys, and places at once, ahead of the first turn (DAA-2)."""

from collections.abc import Callable

from desert_aa.events import GrantReceived, MinefieldsBought, MinefieldsPlaced, UnitsBought
from desert_aa.grant import GrantSpace
from desert_aa.orders import PlaceBonus, PlaceMinefields, PlaceUnits
from desert_aa.phases.placement import arrive
from desert_aa.spaces import flak_room
from desert_aa.state import DesertState
from desert_aa.tables import ALLIES, AXIS, MINEFIELD_COST, POWERS_OF, PRICES, SIDE_OF, SIDES
from sandtable.kernel.decisions import Decision, Sealed
from sandtable.kernel.options import Form, Refusal, SomeOf
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
    """Ask in secret for minefields out of what is left of the grant; each belongs to the power whose ground it is on.

    Asked by what everyone knows: what the side spent openly, and where it could lay them (DAA-8.01, DAA-8.03).
    """
    board = state.board
    powers = POWERS_OF[side]
    purses = dict.fromkeys(board.purse_of[power] for power in powers)
    affordable = {purse: (board.grant[purse] - spent.get(purse, 0)) // MINEFIELD_COST for purse in purses}
    payer = {space: board.purse_of[state.control[space]] for space in board.mineable if SIDE_OF[state.control[space]] == side}
    places = [space for space, purse in payer.items() if affordable[purse]]
    if not places:
        return

    def too_dear(order: PlaceMinefields) -> Refusal | None:
        for purse, most in affordable.items():
            wanted = sum(payer[space] == purse for space in order.spaces)
            if wanted > most:
                return Refusal("DAA-8.02", f"{wanted} minefields for {MINEFIELD_COST} IPC each: the grant pays {most}")
        return None

    options = Form(PlaceMinefields, {"spaces": SomeOf(places, 0, sum(affordable.values()), "DAA-8.05")}, too_dear)
    prompt = "lay minefields from the rest of the grant, unseen"
    order: PlaceMinefields = yield Decision(side, prompt, options, "DAA-8.03", powers[0], secret=True)
    for power in powers:
        spaces = sorted(space for space in order.spaces if state.control[space] == power)
        yield MinefieldsBought(power, board.purse_of[power], len(spaces), len(spaces) * MINEFIELD_COST)
        yield MinefieldsPlaced(power, len(spaces), spaces)
