"""Menu lines in words: the cost of a choice, its platoons and its effect."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from axis_attack.battle.briefs import CONCEDED
from axis_attack.fog.views import PlatoonSeen, SideView
from axis_attack.mission.front import BREAKTHROUGH, both_attack, conquered, moved, result_code
from axis_attack.model import orders
from axis_attack.model.cards import ENEMY, SIDES, Board
from axis_attack.model.state import AirSupport, AxisState, Purchase
from axis_attack.model.tables import CHANGE_PRICE, LADDER_ROWS
from axis_attack.recovery.mobility import ARROW
from axis_attack.recovery.reinforcement import needed
from axis_attack.ui.terms import (
    PlatoonNames,
    air_words,
    corner_words,
    fielded_words,
    level_words,
    mission_words,
    names_in,
    plane_words,
    purchase_words,
    roles_words,
    sector_words,
    side_words,
)
from sandtable.pictures import capital, counted, in_words, listed


def words(value: Any, view: SideView, board: Board) -> str | None:
    """Return an order, or the name of an id, in words, or None to use the framework's words."""
    if isinstance(value, str):
        return _platoon(value, view, board) or _name(value, view, board)
    in_words_ = IN_WORDS.get(type(value))
    return in_words_(value, view, board) if in_words_ else None


def _platoon(platoon_id: str, view: SideView, board: Board) -> str | None:
    """Return a platoon of the side with its level and the die that raises it, or None if it is not in the view."""
    seen: PlatoonSeen | None = view.rosters.get(view.side, {}).get(platoon_id)
    if seen is None:
        return None
    kind = board.type_of(view.side, seen.type)
    parts = [level_words(seen.level)]
    if seen.level < seen.bought:
        parts.append(f"a die of {needed(kind)[0]} or more raises it")
    return f"{_called(platoon_id, view, board)} ({', '.join(parts)})"


def _called(platoon_id: str, view: SideView, board: Board) -> str:
    """Return the name of a platoon of the side, such as "2nd Panzergrenadier platoon"."""
    return names_in(view, board).of(view.side, platoon_id).removeprefix("the ")


def _name(text: str, view: SideView, board: Board) -> str | None:
    """Return the name of a side, a mission, a type of platoon or an aircraft, or None for other texts."""
    if text in board.sides:
        return board.sides[text]
    company = board.lists.get(view.side)
    if company is not None and text in company.types:
        return company.types[text].title
    if company is not None and text in company.aircraft:
        return plane_words(text)
    return board.missions[text].title if text in board.missions else None


def after_win(view: SideView, board: Board, winner: str, mission: str = "", sectors: int = 1) -> str:
    """Return the effect of a side's win, such as "the front moves to sector 5 (Soviet forward)"."""
    state = AxisState(sector=view.sector, mission=mission or view.mission, attacker=view.attacker, winner=winner)
    state.place_board(board)
    state.attacker = state.attacker or winner
    state.defender = ENEMY[state.attacker]
    if conquered(state, state.sector):
        return "the campaign ends"
    there = moved(state, result_code(state), sectors)
    if there == view.sector:
        return "the front stays"
    far = " or one sector further" if result_code(state) == BREAKTHROUGH and sectors == 1 else ""
    return f"the front moves to {sector_words(there, board)}{far}"


def _concede(order: orders.Concede, view: SideView, board: Board) -> str:
    game = f"{mission_words(view.mission, board)} in {sector_words(view.sector, board)}"
    if not order.concede:
        return f"play: {game}, {roles_words(view.mission, view.attacker, board)}"
    enemy = ENEMY[view.side]
    won, lost = CONCEDED
    end = after_win(view, board, enemy)
    return f"concede: {side_words(enemy, board)} score {won} and you {lost}, you lose no platoon, {end}"


def _change(order: orders.ChangeMission, view: SideView, board: Board) -> str:
    mission = order.mission or view.mission
    price = f"for {CHANGE_PRICE} of your {view.balance[view.side]} victory points" if order.mission else "unchanged"
    both = both_attack(board.missions[mission])
    attacker = "" if both else view.attacker
    roles = roles_words(mission, attacker, board)
    ends = [f"if {side_words(side, board)} win, {after_win(view, board, side, mission)}" for side in SIDES]
    effects = "" if not (attacker or both) else f"; {'; '.join(ends)}"
    return f"{mission_words(mission, board)}, {price}: {roles}{effects}"


def _adjust(order: orders.AdjustTotal, view: SideView, board: Board) -> str:
    if not order.side:
        rows = ", ".join(f"{row} {mission_words(mission, board)}" for mission, (row, _rule) in LADDER_ROWS.items())
        return f"leave both totals; the higher decides the mission: {rows}" if view.phase == "selection" else LEAVE_BOTH
    return f"the total of {side_words(order.side, board)} {'up' if order.by > 0 else 'down'} by one"


def _shift(order: orders.ShiftTable, view: SideView, _: Board) -> str:
    if order == orders.ShiftTable():
        return "leave the table"
    directions = ((order.east, "east", "west"), (order.south, "south", "north"))
    parts = [f"{abs(by)} {more if by > 0 else less}" for by, more, less in directions if by]
    cost = abs(order.east) + abs(order.south)
    return f"{listed(parts)}, for {cost} of your {view.balance[view.side]} victory points"


def _break_through(order: orders.ChooseBreakthrough, view: SideView, board: Board) -> str:
    goal = after_win(view, board, view.side, sectors=order.sectors)
    if order.sectors == 1:
        return goal.removesuffix(" or one sector further")
    return f"{goal}; platoons without their transports become immobile, and can fight in the next game only if carried"


def _keep(order: orders.KeepMobile, view: SideView, board: Board) -> str:
    if order == orders.KeepMobile():
        return "leave it: platoons that lack transports are immobile"
    lowered = [
        f"{_called(each, view, board)} is lowered to {level_words(level)}"
        for each, level in sorted(order.lowered.items())
    ]
    taken = []
    for key, number in sorted(order.taken.items()):
        donor, _arrow, receiver = key.partition(ARROW)
        names = [_called(each, view, board) for each in (receiver, donor)]
        taken.append(f"{names[0]} takes {number} of the vehicles of {names[1]}")
    return capital(listed([*lowered, *taken]))


def _raise(order: orders.RaisePlatoons, view: SideView, board: Board) -> str:
    if not order.platoons:
        return "raise none"
    return f"raise to depleted: {listed([_platoon(each, view, board) or each for each in order.platoons])}"


def _build(order: orders.BuildCompany, view: SideView, board: Board) -> str:
    """Return a starting company: its platoons with types and teams, and its aircraft."""
    names = PlatoonNames(board, {view.side: {each: it.type for each, it in order.platoons.items()}})
    made = [
        f"{names.of(view.side, each).removeprefix('the ')} ({counted(it.teams, 'team')})"
        for each, it in order.platoons.items()
    ]
    planes = [f"{plane_words(aircraft)} {level}" for aircraft, level in sorted(order.aircraft.items())]
    return f"start: {listed([*made, *planes])}"


def _place(order: orders.PlaceTable, _: SideView, __: Board) -> str:
    return f"north-west corner at {corner_words(order.column, order.row)}"


def _choose(order: orders.ChooseForce, view: SideView, board: Board) -> str:
    def called(platoon_id: str) -> str:
        return _called(platoon_id, view, board)

    parts = [fielded_words(each, called) for each in order.platoons]
    parts += [f"{counted(order.extra, 'victory point')} for a higher limit"] if order.extra else []
    parts += [each for each in (purchase_words(order.purchase, called), air_words(order.air)) if each]
    return f"field {'; '.join(parts)}"


def _claim(order: orders.ClaimRecon, view: SideView, board: Board) -> str:
    titles = [_called(each, view, board) for each in order.platoons]
    return f"claim {listed(titles)}" if titles else "claim none"


def _assign(order: orders.AssignDice, view: SideView, board: Board) -> str:
    dice = [f"{number} to {_needs(each, view, board)}" for each, number in sorted(order.dice.items())]
    bought = f"buy {counted(order.bought, 'die', 'dice')} for one victory point each; " if order.bought else ""
    return f"{bought}{listed(dice)}" if dice else f"{bought}no dice"


def _needs(platoon_id: str, view: SideView, board: Board) -> str:
    """Return a platoon with the die that raises it, briefly because the menu has many lines."""
    seen = view.rosters.get(view.side, {}).get(platoon_id)
    called = _called(platoon_id, view, board)
    return f"{called} ({needed(board.type_of(view.side, seen.type))[0]} or more)" if seen else called


def _exchange(order: orders.ExchangePlatoon, view: SideView, board: Board) -> str:
    if order.wanted is None:
        return "exchange none"
    return f"exchange {_platoon(order.platoon, view, board) or order.platoon} for {_wanted(order.wanted, view, board)}"


def _wanted(wanted: orders.Wanted, view: SideView, board: Board) -> str:
    """Return a new platoon in words, such as "PaK40 platoon, four teams, with truck"."""
    extras = [f"{in_words(name)}{f' ({number})' if number > 1 else ''}" for name, number in wanted.upgrades.items()]
    with_ = f", with {listed(extras)}" if extras else ""
    return f"{board.type_of(view.side, wanted.type).title}, {counted(wanted.teams, 'team')}{with_}"


LEAVE_BOTH = "leave both totals"

IN_WORDS: dict[type[Struct], Callable[[Any, SideView, Board], str]] = {
    orders.BuildCompany: _build,
    orders.PlaceTable: _place,
    orders.Concede: _concede,
    orders.ChooseForce: _choose,
    orders.ClaimRecon: _claim,
    orders.AssignDice: _assign,
    orders.ExchangePlatoon: _exchange,
    orders.Wanted: _wanted,
    AirSupport: lambda air, *_: air_words(air) or "no air support",
    Purchase: lambda bought, view, board: (
        purchase_words(bought, lambda each: _called(each, view, board)) or "no special rule"
    ),
    orders.ChangeMission: _change,
    orders.AdjustTotal: _adjust,
    orders.ShiftTable: _shift,
    orders.ChooseBreakthrough: _break_through,
    orders.KeepMobile: _keep,
    orders.RaisePlatoons: _raise,
}
"""Functions that return an order, or a part of one, in words, by its type."""
