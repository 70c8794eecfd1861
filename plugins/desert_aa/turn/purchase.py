"""The purchase phase, the first phase of a power's turn (DAA-3.01, DAA-8.01, DAA-14.02)."""

from desert_aa.economy.calculations import cost_of_minefields, cost_of_units
from desert_aa.economy.purchase import Purchase
from desert_aa.model.events import MinefieldsBought, PowerTurnBegan, UnitsBought
from desert_aa.model.orders import BuyMinefields, BuyUnits
from desert_aa.model.state import CUT, DesertState
from desert_aa.model.tables import MINEFIELD, MINEFIELD_COST, PRICES, SIDE_OF
from desert_aa.movement.supply import blocked_units, cut_at_own_start
from sandtable import Decision, Form, Procedure, Range


def purchase(state: DesertState) -> Procedure:
    """Begin the turn of the phasing power and ask for its purchases (DAA-14.07, DAA-14.02)."""
    power = state.phasing_power
    yield from cut_at_own_start(state)
    yield PowerTurnBegan(power, sorted(blocked_units(state, power, CUT)))
    yield from buy(state)


def buy(state: DesertState) -> Procedure:
    """Request units and minefields together, because only the spaces of minefields are secret (DAA-R37).

    If their numbers are secret too, minefields are bought in a second, secret decision. It is always made, so it
    reveals nothing.
    """
    power = state.phasing_power
    purse = state.board.purse_of[power]
    cash, is_open = state.cash[purse], state.options["mine_secrecy"] == "spaces_secret"
    prices = PRICES[power] | ({MINEFIELD: MINEFIELD_COST} if is_open else {})
    if is_open and cash < min(prices.values()):
        return
    bought = yield from _ask(state, cash, prices)
    mines = bought.pop(MINEFIELD, 0)
    if bought:
        cost = cost_of_units(power, bought)
        yield UnitsBought(power, purse, bought, cost.total, calculations=(cost,))
    if mines:
        cost = cost_of_minefields(mines)
        yield MinefieldsBought(power, purse, mines, cost.total, calculations=(cost,))
    if not is_open:
        yield from buy_minefields(state, power, state.cash[purse])


def buy_minefields(state: DesertState, power: str, money: int) -> Procedure:
    """Ask ``power`` in secret for minefields, paid from ``money`` (DAA-R37)."""
    form = Form(BuyMinefields, {"number": Range(0, money // MINEFIELD_COST, "DAA-8.02")})
    prompt = f"buy minefields in secret: {money} IPC to spend"
    side, purpose = SIDE_OF[power], f"buy_mines.{power}"
    order: BuyMinefields = yield Decision(side, prompt, form, "DAA-8.01", power, secret=True, purpose=purpose)
    cost = cost_of_minefields(order.number)
    yield MinefieldsBought(power, state.board.purse_of[power], order.number, cost.total, calculations=(cost,))


def _ask(state: DesertState, cash: int, prices: dict[str, int]) -> Procedure:
    options = Form(BuyUnits, {"units": Purchase(cash, prices, rule="DAA-14.02", what="IPC")})
    side, power = state.phasing_side, state.phasing_power
    prompt = f"buy units: {cash} IPC to spend"
    order: BuyUnits = yield Decision(side, prompt, options, "DAA-14.02", power, purpose=f"buy.{power}")
    return dict(order.units)
