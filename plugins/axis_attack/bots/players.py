"""The bots: the commander with his answers, and the resolver for the umpire's seat."""

from collections.abc import Callable
from typing import Any

from axis_attack.model import orders
from axis_attack.model.cards import COMBAT, DEPLETED, FOOT, HQ, SUPPORT, WEAPONS, Board
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import AnyOf, Form
from sandtable.kernel.play.views import View
from sandtable.rules.tabletop.resolver.constants import SR1
from sandtable.rules.tabletop.resolver.resolver import ResolverPlayer

DRAWN = 80
"""So many forces are drawn and weighed."""

POINT = 5
"""Points of the table's lists that a victory point is worth to the commander: little, since games win more of them."""

RESERVE = 0
"""Victory points that are kept back."""

NEXT_GAME = 3
"""Points kept for a greater force in the next game: that does more than dice."""

AIR_WORTH = {"sporadic": 37, "limited": 75, "priority": 112}
"""Points of troops that do as much as air support of a level, by the resolver's figures."""

WEIGHT = {COMBAT: 6, HQ: 3, WEAPONS: 3, SUPPORT: 4}
"""What a level of a platoon is worth by its slot, when dice are given out."""


class Situation:
    """What the commander has before him: the view, the board, his side."""

    def __init__(self, view: Any, board: Board, side: str, stream: Stream) -> None:
        self.view, self.board, self.side, self.stream = view, board, side, stream
        self.roster = view.rosters.get(side, {})
        self.balance = view.balance.get(side, 0)


def answer(situation: Situation, decision: Decision) -> Order:
    """Return an order that is allowed."""
    make = ANSWERS.get(_kind(decision.options))
    order = make(situation, decision) if make else decision.done
    if order is not None and decision.options.why_not(order) is None:
        return order
    if decision.done is not None:
        return decision.done
    drawn: Order = decision.options.sample(situation.stream)
    return drawn


def _kind(space: Any) -> Any:
    if isinstance(space, AnyOf):
        return _kind(space.spaces[0])
    if isinstance(space, Form):
        return space.order
    first = next(iter(space.values()), None) if not hasattr(space, "pool") else orders.ChooseForce([])
    return type(first)


def _force(situation: Situation, decision: Decision) -> Order:
    """Field the heaviest of many forces, with points bought as long as they are worth it."""
    space: Any = decision.options
    drawn: list[orders.ChooseForce] = [space.sample(situation.stream) for _ in range(DRAWN)]
    return max(drawn, key=lambda order: _weight(situation, space, order))


def _weight(situation: Situation, space: Any, order: orders.ChooseForce) -> int:
    """Return the points of a force by what its kinds are worth in the mission, less what is paid for it."""
    mission = situation.board.missions[situation.view.mission]
    attacks = situation.view.attacker in (situation.side, "") or not mission.defender
    factors = SR1.factors[mission.defensive_battle, attacks]
    lines = space.pool.lines
    troops = sum(space.points_of(each) * factors[lines[each.platoon].kind.kind] // 1000 for each in order.platoons)
    price = order.extra + order.purchase.number
    poor = max(0, price - max(0, situation.balance - RESERVE))
    return int(troops + AIR_WORTH.get(order.air.level, 0) - POINT * price - 100 * poor)


def _dice(situation: Situation, decision: Decision) -> Order | None:
    """Give the dice to combat platoons first, the weakest that a level brings back into the fight before all."""
    form: Any = decision.options
    wanted = sorted(
        (each for each in situation.roster if _may_rise(situation, each)),
        key=lambda each: (-_need(situation, each), each),
    )
    if not wanted:
        return None
    for bought in range(max(0, min(3, situation.balance - NEXT_GAME)), -1, -1):
        for dice in range(4 + bought, 0, -1):
            shares = dict.fromkeys(wanted, 0)
            for number in range(dice):
                shares[wanted[number % len(wanted)]] += 1
            order = orders.AssignDice(bought, {each: number for each, number in shares.items() if number})
            if form.why_not(order) is None:
                return order
    return None


def _may_rise(situation: Situation, platoon_id: str) -> bool:
    platoon = situation.roster[platoon_id]
    return bool(platoon.level < platoon.bought and not platoon.raised)


def _need(situation: Situation, platoon_id: str) -> int:
    platoon = situation.roster[platoon_id]
    slot = situation.board.type_of(situation.side, platoon.type).slot
    return WEIGHT[slot] + (5 if platoon.level == DEPLETED - 1 else 0)


def _raise(_situation: Situation, decision: Decision) -> Order | None:
    """Raise as many as the dice allow: without two combat platoons there is no company."""
    form: Any = decision.options
    listed = list(form.values())
    most: Order | None = max(listed, key=lambda order: len(order.platoons), default=None)
    return most


def _adjust(situation: Situation, decision: Decision) -> Order:
    """Make the own total the higher one, or keep it so: who attacks moves the front."""
    listed: list[orders.AdjustTotal] = list(decision.options.values())
    return max(listed, key=lambda order: order.by * (1 if order.side == situation.side else -1))


def _claim(situation: Situation, decision: Decision) -> Order:
    form: Any = decision.options
    able = [each for each in form.fields["platoons"].of if not situation.roster[each].immobile]
    return orders.ClaimRecon(able)


def _break_through(situation: Situation, _decision: Decision) -> Order:
    """Go on by two sectors if a company of mobile platoons is left for the next game (AOA-7.05)."""
    company = situation.board.lists[situation.side]
    able = [
        each
        for each in situation.roster.values()
        if each.level >= DEPLETED and not each.immobile and company.types[each.type].slot == COMBAT
    ]
    mobile = [each for each in able if company.types[each.type].transport != FOOT]
    return orders.ChooseBreakthrough(2 if len(mobile) > company.least else 1)


def _stay(_situation: Situation, decision: Decision) -> Order | None:
    return decision.done


ANSWERS: dict[Any, Callable[[Situation, Decision], Order | None]] = {
    orders.ChooseForce: _force,
    orders.AssignDice: _dice,
    orders.RaisePlatoons: _raise,
    orders.AdjustTotal: _adjust,
    orders.ClaimRecon: _claim,
    orders.ChooseBreakthrough: _break_through,
    orders.Concede: _stay,
    orders.ShiftTable: _stay,
    orders.ChangeMission: _stay,
    orders.BuildCompany: _stay,
    orders.KeepMobile: _stay,
    orders.ExchangePlatoon: _stay,
}
"""By kind of order, how it is made; all else is drawn."""


class Commander:
    """Fields all it may, spends points where they win games, and rebuilds what can fight."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        self.seat, self.stream, self.board = seat, stream, board

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order that is allowed."""
        return answer(Situation(view(), self.board, decision.side, self.stream), decision)


PLAYERS = {"commander": Commander, "resolver": ResolverPlayer}
"""The player names of this ruleset."""
