"""Answers to all decisions besides marches: set-up, arrivals, railways, combat, losses, retreats."""

from collections.abc import Callable
from itertools import islice
from typing import Any

from damos.bots.paths import rail_distances
from damos.bots.position import FAR, StaffPosition
from damos.model import orders
from sandtable import Decision, Order, Stream

MOST = 60
"""Maximum number of orders that are rated; if there are more, a third of that number is drawn at random."""

LOW_DIE = 4
"""A die below this value is worth rolling again."""
SAFE_ODDS = 60
"""Own strength in percent of the enemy's below which a force retreats before combat, or does not react."""


def answer(position: StaffPosition, decision: Decision, stream: Stream) -> Order:
    """Return the best legal order, or the best of a random sample if there are many."""
    if isinstance(decision.done, orders.Decline) and decision.options.why_not(orders.Reroll(1)) is None:
        return _reroll(position, decision)
    listed = list(islice(decision.options.values(), MOST + 1))
    if len(listed) > MOST:
        listed = [decision.options.sample(stream) for _ in range(MOST // 3)]
    best: Order = max(listed, key=lambda order: WORTH.get(type(order), _nothing)(position, order))
    return best


def _nothing(_position: StaffPosition, _order: Any) -> int:
    return 0


def _set_up(position: StaffPosition, order: orders.SetUp) -> int:
    """Return the value of a set-up: units near the objective, mobile units above all."""
    return -sum((2 + position.is_mobile(each)) * min(position.far(hex_), 99) for each, hex_ in order.hexes.items())


def _arrivals(position: StaffPosition, order: orders.PlaceReinforcements) -> int:
    far = sum(min(position.far(hex_), 99) for hex_ in order.hexes.values())
    stacks = [len(position.friends_in(hex_)) + 1 for hex_ in order.hexes.values()]
    return 1000 * len(order.hexes) - far - 20 * sum(each for each in stacks if each > 2 and not position.advances())


def _rail(position: StaffPosition, order: orders.ExtendRail) -> int:
    """Return the value of a conversion: how near its end is to the objective by rail, then its length."""
    far = rail_distances(position.board)
    return 2 * FAR + len(order.hexes) - 2 * far.get(order.hexes[-1], FAR // 2) if order.hexes else 0


def _replace(position: StaffPosition, order: orders.Replace) -> int:
    return sum(points * (3 if position.is_mobile(each) else 2) for each, points in order.points.items())


def _cossacks(position: StaffPosition, order: orders.ChooseHex) -> int:
    return position.strength(position.friends_in(order.hex))


def _plan(_position: StaffPosition, order: orders.ChoosePlan) -> int:
    return int(order.plan == "standard")


def _attack(position: StaffPosition, order: orders.PlanAttack) -> int:
    return 2 * position.strength(order.units) + int(order.plan == "penetration")


def _posture(_position: StaffPosition, order: orders.ChoosePosture) -> int:
    return int(order.posture == "counterattack")


def _react(position: StaffPosition, order: orders.React) -> int:
    """Return the value of a reaction: the strength that defends the hex then, or -1 if it would be too weak."""
    together = position.strength([*order.units, *position.friends_in(order.path[-1])])
    odds = 100 * together // max(1, position.strength(list(position.view.active)))
    return together if odds >= SAFE_ODDS else -1


def _avoid(position: StaffPosition, order: orders.AvoidCombat) -> int:
    odds = 100 * position.strength(order.units) // max(1, position.strength(list(position.view.active)))
    holds = position.board.victory.objective == order.path[0]
    return 1 if odds < SAFE_ODDS and not holds else -1


def _losses(position: StaffPosition, order: orders.TakeLosses) -> int:
    """Return the value of a distribution: replacements first, then infantry, then mobile units, and few lost units."""
    worth = 2 * order.replacements
    for unit_id, points in order.losses.items():
        left = (position.units[unit_id].sp or 0) - points
        worth -= 20 * (left <= 0) + points * (1 + position.is_mobile(unit_id))
    return worth


def _retreat(position: StaffPosition, order: orders.Retreat) -> int:
    """Return the value of a retreat: into a hex with space, and then short and near the objective."""
    beaten = position.friends_in(order.path[0])
    crowded = not position.room_for(beaten, order.path[-1])
    return -10 * len(order.path) - position.far(order.path[-1]) - 1000 * crowded


def _exploit(position: StaffPosition, order: orders.Exploit) -> int:
    return position.strength(order.units)


def _leave_out(position: StaffPosition, order: orders.LeaveOut) -> int:
    return -position.strength(order.units)


def _reroll(position: StaffPosition, decision: Decision) -> Order:
    """Return the order to roll the lowest own die again if it is below average, or Decline; the prompt has the dice.

    If dice of the enemy may be rolled again too, returns Decline.
    """
    faces = [int(each) for each in decision.prompt.partition("(")[2].partition(")")[0].split()]
    own = position.view.options["air_reroll_side"] == "own_die"  # a list without this name has own and enemy dice
    low = min(faces, default=LOW_DIE) if own else LOW_DIE
    return orders.Reroll(faces.index(low) + 1) if low < LOW_DIE else orders.Decline()


def _air(_position: StaffPosition, order: orders.UseAir) -> int:
    return 2 * order.shift + order.reroll


WORTH: dict[type[Order], Callable[[StaffPosition, Any], int]] = {
    orders.SetUp: _set_up,
    orders.PlaceReinforcements: _arrivals,
    orders.ExtendRail: _rail,
    orders.Replace: _replace,
    orders.ChooseHex: _cossacks,
    orders.ChoosePlan: _plan,
    orders.PlanAttack: _attack,
    orders.ChoosePosture: _posture,
    orders.React: _react,
    orders.AvoidCombat: _avoid,
    orders.TakeLosses: _losses,
    orders.Retreat: _retreat,
    orders.Exploit: _exploit,
    orders.LeaveOut: _leave_out,
    orders.UseAir: _air,
    orders.Rout: lambda position, order: 1,  # noqa: ARG005 - the city is worth a unit
}
"""Functions that rate an order, by its type; Decline, and every type not listed, is worth 0."""
