"""Calculations of costs and income, step by step, for the log (DAA-8.02, DAA-14.02, DAA-14.04)."""

from collections.abc import Mapping

from desert_aa.model.board import Board
from desert_aa.model.tables import ALLIES, AXIS, MINEFIELD_COST, PRICES, VALUE_RULES
from sandtable import Calculation


def cost_of_units(power: str, bought: Mapping[str, int]) -> Calculation:
    """Return the calculation of what ``power`` pays for units, by kind."""
    prices, rules = PRICES[power], VALUE_RULES[power]
    paid = ((kind, number, prices[kind]) for kind, number in bought.items())
    steps = ((f"{kind} x{number} at {price}", number * price, rules[kind]) for kind, number, price in paid)
    return Calculation("cost", tuple(steps))


def cost_of_minefields(number: int) -> Calculation:
    """Return the calculation of the cost of ``number`` minefields (DAA-8.02)."""
    return Calculation("cost", ((f"minefield x{number} at {MINEFIELD_COST}", number * MINEFIELD_COST, "DAA-8.02"),))


def income(board: Board, control: Mapping[str, str], power: str) -> Calculation:
    """Return the calculation of the income of ``power``: a step for each space with a value (DAA-14.04)."""
    value = board.value
    held = ((space, value[space], "DAA-14.04") for space, holder in control.items() if holder == power and value[space])
    return Calculation("amount", tuple(held))


def richer(axis: int, allies: int) -> Calculation:
    """Return the calculation of the income of the Axis minus that of the Allies (DAA-R63)."""
    return Calculation("margin", ((AXIS, axis, "DAA-R63"), (ALLIES, -allies, "DAA-R63")))
