"""A confirmation before a grant is spent, because one order spends the whole grant (DAA-2.01)."""

from collections.abc import Callable

from desert_aa.economy.grant import GrantSpace, price_of
from desert_aa.model.orders import PlaceBonus
from desert_aa.model.tables import MINEFIELD
from desert_aa.ui.notation import NOTATION
from sandtable import Decision, Order
from sandtable.notation import SURE, split_sure


def read_order(decision: Decision, text: str, board: object) -> Order | str | None:
    """Return the order that ``text`` means, or None if it is not in this notation.

    If a grant leaves enough money for another unit and does not end in "; as said", a question is returned instead.
    """
    space = decision.options
    if not isinstance(space, GrantSpace):
        return _read(decision, text, board)
    text, is_sure = split_sure(text)
    order = _read(decision, text, board)
    found = doubt(order, decision) if isinstance(order, Order) and not is_sure else None
    return f"{found}: name all units on one line, or end it with ; {SURE}" if found else order


def doubt(order: Order, decision: Decision) -> str | None:
    """Return the question before a grant is spent that leaves enough money for another unit, or None."""
    space = decision.options
    if not isinstance(space, GrantSpace) or not isinstance(order, PlaceBonus):
        return None
    if order == PlaceBonus() or not space.is_legal(order):
        return None
    left = money_left(order, space)
    if all(amount < min(price_of(*item) for item in space.items(purse)) for purse, amount in left.items()):
        return None
    unspent = f"{sum(left.values())} of {sum(space.grant[each] for each in left)} IPC would be left and saved"
    return f"this order is the whole grant, and {unspent}"


_read: Callable[[Decision, str, object], Order | str | None] = NOTATION.read_order


def money_left(order: PlaceBonus, space: GrantSpace) -> dict[str, int]:
    """Return the money of the grant that an order leaves, by purse."""
    left = {purse: space.grant[purse] for purse in space.purses()}
    for power, stacks in order.units.items():
        units = [each for stack in stacks.values() for each in stack.items()]
        left[space.purse_of[power]] -= sum(number * price_of(power, kind) for kind, number in units)
    for power, number in order.minefields.items():
        left[space.purse_of[power]] -= number * price_of(power, MINEFIELD)
    return left
