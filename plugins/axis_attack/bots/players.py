"""The bots: the commander, and the resolver for the umpire's seat."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from axis_attack.bots.campaign import attackers
from axis_attack.bots.forces import PlatoonValues, Preferences, best_force
from axis_attack.bots.recovery import dice, keep_mobile, raise_most
from axis_attack.bots.situation import Situation
from axis_attack.model import orders
from axis_attack.model.cards import COMBAT, DEPLETED, FOOT, Board
from sandtable import AnyOf, Decision, Form, Order, Stream, View
from sandtable.tabletop import SR1, ResolverPlayer, table_key

CARE = 200
"""The weight of a point of expected loss against a point on the table, in thousandths, while games remain."""

POINT = 60_000
"""The value of a victory point, in thousandths of points of troops; in a game it adds 75 points to the limit."""

SPENT = 3
"""Number of last games in which ``CARE`` and ``POINT`` fall to zero, because leftovers have no value at the end."""

HOPELESS = 200_000
"""Minimum gain from a concession, in millionths of the share."""

BETTER = 60_000
"""Minimum gain from a different mission, which costs five victory points, in millionths of the share."""


class Orders:
    """The commander's functions by kind of order. For other decisions the order is the one that ends it, or random."""

    def __init__(self, board: Board, side: str) -> None:
        self.values = PlatoonValues(board, side)
        self.by_kind: dict[Any, Callable[[Situation, Decision], Order | None]] = {
            orders.ChooseForce: self.force,
            orders.Concede: concede,
            orders.ChangeMission: change_mission,
            orders.AssignDice: dice,
            orders.RaisePlatoons: raise_most,
            orders.KeepMobile: keep_mobile,
            orders.AdjustTotal: adjust,
            orders.ClaimRecon: claim,
            orders.ChooseBreakthrough: break_through,
            orders.ShiftTable: leave,
            orders.BuildCompany: leave,
            orders.ExchangePlatoon: leave,
        }

    def answer(self, situation: Situation, decision: Decision) -> Order:
        """Return a legal order."""
        make = self.by_kind.get(_kind(decision.options))
        order = make(situation, decision) if make else decision.done
        if order is not None and decision.options.why_not(order) is None:
            return order
        if decision.done is not None:
            return decision.done
        drawn: Order = decision.options.sample(situation.stream)
        return drawn

    def force(self, situation: Situation, decision: Decision) -> Order | None:
        """Return the best force for its risk, or for a breakthrough a mobile force of almost full size, or None."""
        space: Any = decision.options
        mission = situation.board.missions[situation.view.mission]
        preferences, found = preferences_of(situation), None
        if space.pool.carries and mission.attacker == "breakthrough":
            found = best_force(space.pool, situation.roster, self.values, preferences._replace(mobile=True))
        if found is None or space.points(found) * 10 < situation.board.limit * 9:
            found = best_force(space.pool, situation.roster, self.values, preferences) or found
        return found

    def other_forces(self, situation: Situation, space: Any) -> Iterator[Order]:
        """Yield the best force for each of the preferences in ``OTHERS``."""
        preferences = preferences_of(situation)
        for care, price, mobile in OTHERS:
            other = preferences._replace(care=care, price=price, mobile=mobile)
            found = best_force(space.pool, situation.roster, self.values, other)
            if found is not None:
                yield found


OTHERS = (
    (0, POINT, False),
    (1_000, POINT, False),
    (CARE, 5_000, False),
    (CARE, 4 * POINT, False),
    (3_000, 4 * POINT, False),
    (CARE, POINT, True),
)
"""Alternative preferences for forces: care, price of a victory point, and whether all platoons must be mobile."""


def preferences_of(situation: Situation) -> Preferences:
    """Return the commander's preferences for a force. Care and thrift fade in the last games."""
    mission = situation.board.missions[situation.view.mission]
    attacks = situation.view.attacker == situation.side or not mission.defender
    is_assault = table_key(mission.tabletop or mission.title) in SR1.assaults
    later = min(SPENT, situation.games - 1)
    return Preferences(SR1.factors[is_assault, attacks], CARE * later // SPENT, POINT * later // SPENT)


def _kind(space: Any) -> Any:
    if isinstance(space, AnyOf):
        return _kind(space.spaces[0])
    if isinstance(space, Form):
        return space.order
    first = next(iter(space.values()), None) if not hasattr(space, "pool") else orders.ChooseForce([])
    return type(first)


def concede(situation: Situation, _decision: Decision) -> Order:
    """Return the order to concede if this raises the share by more than ``HOPELESS``, otherwise the order to play."""
    return orders.Concede(situation.conceded() > situation.fought() + HOPELESS)


def change_mission(situation: Situation, decision: Decision) -> Order:
    """Return an order for the mission with the best share; a different mission must gain more than ``BETTER``."""
    roles = [situation.view.attacker] if situation.view.attacker else []
    best, most = decision.done, -1
    for order in decision.options.values():
        mission = order.mission or situation.view.mission
        share = situation.of_mission(mission, roles or attackers(situation.board, mission))
        share -= BETTER if order.mission else 0
        if share > most:
            best, most = order, share
    return best or orders.ChangeMission()


def adjust(situation: Situation, decision: Decision) -> Order:
    """Return the order that favors the side's own total, because the side with the higher total attacks."""
    listed: list[orders.AdjustTotal] = list(decision.options.values())
    return max(listed, key=lambda order: order.by * (1 if order.side == situation.side else -1))


def claim(situation: Situation, decision: Decision) -> Order:
    """Return an order that claims all mobile recon platoons."""
    form: Any = decision.options
    able = [each for each in form.fields["platoons"].of if not situation.roster[each].immobile]
    return orders.ClaimRecon(able)


def break_through(situation: Situation, _decision: Decision) -> Order:
    """Return a move of two sectors if more mobile combat platoons than the minimum are left, or one (AOA-7.05)."""
    company = situation.board.lists[situation.side]
    able = [
        each
        for each in situation.roster.values()
        if each.level >= DEPLETED and not each.immobile and company.types[each.type].slot == COMBAT
    ]
    mobile = [each for each in able if company.types[each.type].transport != FOOT]
    return orders.ChooseBreakthrough(2 if len(mobile) > company.least else 1)


def leave(_situation: Situation, decision: Decision) -> Order | None:
    """Return the order that changes nothing, because other companies, shifts and exchanges do not pay."""
    return decision.done


class Commander:
    """A bot that fields the best force for its risk, concedes hopeless games, pays for good ones, and rebuilds."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        self.seat, self.stream, self.board = seat, stream, board
        self.orders = Orders(board, seat)

    def choose(self, decision: Decision, view: View) -> Order:
        """Return a legal order."""
        return self.orders.answer(Situation(view(), self.board, decision.side, self.stream), decision)

    def plans(self, decision: Decision, view: View) -> Sequence[Order]:
        """Return alternative forces for a search bot, or () for decisions that are not about a force."""
        if _kind(decision.options) is not orders.ChooseForce:
            return ()
        situation = Situation(view(), self.board, decision.side, self.stream)
        return list(self.orders.other_forces(situation, decision.options))


PLAYERS = {"commander": Commander, "resolver": ResolverPlayer}
"""The bots of this ruleset, by name."""
