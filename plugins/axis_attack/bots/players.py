"""The bots: the commander with his answers, and the resolver for the umpire's seat."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from axis_attack.bots.campaign import attackers
from axis_attack.bots.forces import Wish, Worths, best_force
from axis_attack.bots.recovery import dice, keep_mobile, raise_most
from axis_attack.bots.situation import Situation
from axis_attack.model import orders
from axis_attack.model.cards import COMBAT, DEPLETED, FOOT, Board
from sandtable import AnyOf, Decision, Form, Order, Stream, View
from sandtable.tabletop import SR1, ResolverPlayer, table_key

CARE = 200
"""What a point that may be lost counts against one on the table, in thousandths, while there are games to come."""

POINT = 60_000
"""Thousandths of points of troops for which a victory point is given: in most games one buys 75."""

SPENT = 3
"""Games before the end from which on care and thrift fade: what is left then is worth nothing."""

HOPELESS = 200_000
"""Share of the campaign, in millionths, that giving up must save: what an enemy spends to win is reckoned roughly."""

BETTER = 60_000
"""Share of the campaign for which five points are paid for another mission."""


class Orders:
    """A commander's answers, by kind of order; all else is ended, or drawn."""

    def __init__(self, board: Board, side: str) -> None:
        self.worths = Worths(board, side)
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
        """Return an order that is allowed."""
        make = self.by_kind.get(_kind(decision.options))
        order = make(situation, decision) if make else decision.done
        if order is not None and decision.options.why_not(order) is None:
            return order
        if decision.done is not None:
            return decision.done
        drawn: Order = decision.options.sample(situation.stream)
        return drawn

    def force(self, situation: Situation, decision: Decision) -> Order | None:
        """Field what weighs most for what it is likely to cost; a breakthrough with what can move, if that will do."""
        space: Any = decision.options
        mission = situation.board.missions[situation.view.mission]
        wish, found = wish_of(situation), None
        if space.pool.carries and mission.attacker == "breakthrough":
            found = best_force(space.pool, situation.roster, self.worths, wish._replace(mobile=True))
        if found is None or space.points(found) * 10 < situation.board.limit * 9:
            found = best_force(space.pool, situation.roster, self.worths, wish) or found
        return found

    def other_forces(self, situation: Situation, space: Any) -> Iterator[Order]:
        """Yield forces of who cares more or less about losses and points, and of who wants all to move."""
        wish = wish_of(situation)
        for care, price, mobile in OTHERS:
            other = wish._replace(care=care, price=price, mobile=mobile)
            found = best_force(space.pool, situation.roster, self.worths, other)
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
"""Care, price of a victory point, and whether all must move, as others wish for forces."""


def wish_of(situation: Situation) -> Wish:
    """Return what the commander asks of a force: care and thrift fade towards the end."""
    mission = situation.board.missions[situation.view.mission]
    attacks = situation.view.attacker == situation.side or not mission.defender
    is_assault = table_key(mission.tabletop or mission.title) in SR1.assaults
    later = min(SPENT, situation.games - 1)
    return Wish(SR1.factors[is_assault, attacks], CARE * later // SPENT, POINT * later // SPENT)


def _kind(space: Any) -> Any:
    if isinstance(space, AnyOf):
        return _kind(space.spaces[0])
    if isinstance(space, Form):
        return space.order
    first = next(iter(space.values()), None) if not hasattr(space, "pool") else orders.ChooseForce([])
    return type(first)


def concede(situation: Situation, _decision: Decision) -> Order:
    """Give a game up that would cost more than it can bring: platoons that were not fielded are whole tomorrow."""
    return orders.Concede(situation.conceded() > situation.fought() + HOPELESS)


def change_mission(situation: Situation, decision: Decision) -> Order:
    """Pay for a mission that suits a great deal better."""
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
    """Make the own total the higher one, or keep it so: who attacks moves the front."""
    listed: list[orders.AdjustTotal] = list(decision.options.values())
    return max(listed, key=lambda order: order.by * (1 if order.side == situation.side else -1))


def claim(situation: Situation, decision: Decision) -> Order:
    """Claim all recon platoons that can move."""
    form: Any = decision.options
    able = [each for each in form.fields["platoons"].of if not situation.roster[each].immobile]
    return orders.ClaimRecon(able)


def break_through(situation: Situation, _decision: Decision) -> Order:
    """Go on by two sectors if a company of mobile platoons is left for the next game (AOA-7.05)."""
    company = situation.board.lists[situation.side]
    able = [
        each
        for each in situation.roster.values()
        if each.level >= DEPLETED and not each.immobile and company.types[each.type].slot == COMBAT
    ]
    mobile = [each for each in able if company.types[each.type].transport != FOOT]
    return orders.ChooseBreakthrough(2 if len(mobile) > company.least else 1)


def leave(_situation: Situation, decision: Decision) -> Order | None:
    """Leave it: the list's own force is what its side is known for; squares and exchanges cost more than they bring."""
    return decision.done


class Commander:
    """Fields what weighs most for what it may cost, gives up what is hopeless, pays where games are won, rebuilds."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        self.seat, self.stream, self.board = seat, stream, board
        self.orders = Orders(board, seat)

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order that is allowed."""
        return self.orders.answer(Situation(view(), self.board, decision.side, self.stream), decision)

    def plans(self, decision: Decision, view: View) -> Sequence[Order]:
        """Return other forces that are worth trying, for who tries things out."""
        if _kind(decision.options) is not orders.ChooseForce:
            return ()
        situation = Situation(view(), self.board, decision.side, self.stream)
        return list(self.orders.other_forces(situation, decision.options))


PLAYERS = {"commander": Commander, "resolver": ResolverPlayer}
"""The player names of this ruleset."""
