"""Secret replacements (KH-3.03, KH-5), the weather (KH-3.04, KH-4.01), secret orders (KH-3.05 to KH-3.07)."""

import re

from khamsin.model.battle_events import records_by_side
from khamsin.model.cards import SIDES, Board
from khamsin.model.events import OrdersWritten, WeatherSet
from khamsin.model.orders import Allocate, WriteOrders
from khamsin.model.state import KhamsinState
from khamsin.movement.orders_sheet import COMMANDER_IN_CHIEF, movers, orders_space
from khamsin.supply.replacements import allocate, allocation_space
from sandtable import Calculation, Decision, HiddenStep, Procedure, Roll, Sealed


def write_orders(state: KhamsinState) -> Procedure:
    """Ask for the orders of both sides together, then hand them in.

    By default the commander in chief writes all orders (KH-3.07). By option each commander writes orders for the
    formations under their command. The commander in chief then goes first, with leaders, air force and the general
    plan.
    """
    written: dict[str, list[WriteOrders]] = {side: [] for side in SIDES}
    authors = {side: _authors(state, side) for side in SIDES}
    for number in range(max(map(len, authors.values()))):
        decisions = [_decision(state, side, authors[side], number) for side in SIDES if number < len(authors[side])]
        answers: dict[str, WriteOrders] = yield Sealed(tuple(decisions))
        for side, order in answers.items():
            written[side].append(order)
    for side in SIDES:
        yield _handed_in(side, written[side])


def _authors(state: KhamsinState, side: str) -> list[str]:
    """Return the players who write orders for a side, the commander in chief first."""
    board: Board = state.board
    if state.options["orders_by"] != "formation_commanders":
        return [COMMANDER_IN_CHIEF]
    names = board.commanders.get(side, ())
    if not names:
        return [COMMANDER_IN_CHIEF]
    known = [*names, *sorted({board.formations[each].commander for each in _cards(state, side)} - {"", *names})]
    return [name for index, name in enumerate(known) if not index or movers(state, side, name)]


def _cards(state: KhamsinState, side: str) -> list[str]:
    board: Board = state.board
    return [each for each, its_card in board.formations.items() if its_card.side == side]


_STRANGE = re.compile(r"[^A-Za-z0-9_-]")


def _as_word(name: str) -> str:
    """Return a player's name as part of the purpose of a decision."""
    return _STRANGE.sub("_", name)


def _decision(state: KhamsinState, side: str, authors: list[str], number: int) -> Decision:
    commander = authors[number]
    prefix = f"{commander}: " if commander else ""
    space = orders_space(state, side, commander, first=number == 0)
    purpose = f"write.{side}.{_as_word(commander)}" if commander else f"write.{side}"
    return Decision(side, f"{prefix}write your orders of the turn", space, "KH-3.06", secret=True, purpose=purpose)


def _handed_in(side: str, orders: list[WriteOrders]) -> OrdersWritten:
    """Return a side's orders as one sheet, by id."""
    moves = {each: list(path) for order in orders for each, path in order.moves.items()}
    leaders = {each: list(path) for order in orders for each, path in order.leaders.items()}
    detach = {each: number for order in orders for each, number in order.detach.items()}
    return OrdersWritten(
        side,
        dict(sorted(moves.items())),
        dict(sorted(leaders.items())),
        sorted(area for order in orders for area in order.interdict),
        dict(sorted(detach.items())),
        "\n".join(order.plan for order in orders if order.plan),
    )


def replacements(state: KhamsinState) -> Procedure:
    """Ask each side that has replacement points for their use; unused points are lost (KH-5.08)."""
    decisions = []
    for side in SIDES:
        space = allocation_space(state, side)
        if space is not None:
            prompt, purpose = "allocate your replacements", f"allocate.{side}"
            decisions.append(Decision(side, prompt, space, "KH-5.02", secret=True, purpose=purpose))
    answers: dict[str, Allocate] = yield Sealed(tuple(decisions))

    def give(work: KhamsinState) -> Procedure:
        for order in answers.values():
            yield from allocate(work, order)

    yield HiddenStep(give, records_by_side)


def weather(state: KhamsinState) -> Procedure:
    """Set the weather by the schedule, by the module for the first turn, or by a die (KH-4.02)."""
    board: Board = state.board
    scheduled = [each.weather for each in board.events.get(state.turn, ()) if each.kind == "weather"]
    if scheduled:
        yield WeatherSet(scheduled[-1], rule="KH-2.04")
    elif state.turn == 1 and board.weather.first:
        yield WeatherSet(board.weather.first)
    elif board.weather.table:
        (die,) = yield Roll(1, 6, "weather", "KH-4.01")
        how = Calculation("weather", table=("weather", str(die), "weather"))
        yield WeatherSet(board.weather.table[die - 1], die, calculations=(how,))
