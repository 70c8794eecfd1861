"""The commander's recovery: dice, raised platoons, and vehicles shared after a breakthrough."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from axis_attack.bots.situation import Situation
from axis_attack.model.cards import COMBAT, DEPLETED, MOTOR
from axis_attack.model.orders import AssignDice, KeepMobile
from axis_attack.model.strength import next_level
from axis_attack.recovery.mobility import enough
from axis_attack.recovery.reinforcement import needed
from sandtable import Decision, Order

FACES = 6

DIE_WORTH = 40
"""Minimum gain of a bought die, in points of troops. A victory point adds more to a game's limit, but only once."""

BELOW = 2
"""The divisor of the gain if the platoon stays below depleted, because it needs another die."""

COMPANY = 60
"""The additional value of a combat platoon that becomes available; a company needs two."""

STAYS = 2
"""The divisor of the points of an immobile platoon."""

MAX_ORDERS = 64
"""Maximum number of orders that are compared."""


def dice(situation: Situation, decision: Decision) -> Order:
    """Return an order that gives each die to the platoon that gains most, and buys dice while they gain enough."""
    form: Any = decision.options
    least, most = form.fields["bought"].least, form.fields["bought"].most
    last = most if situation.games > 1 else least
    given = [form.fields["dice"](bought) for bought in (least, last)]
    line = _falling(situation, given[0].prices, given[1].amount)
    number, bought = given[0].amount, least
    while bought < last and line[number][0] >= DIE_WORTH:
        number, bought = number + 1, bought + 1
    shares: dict[str, int] = {}
    for _, each in line[:number]:
        shares[each] = shares.get(each, 0) + 1
    return AssignDice(bought, shares)


def _falling(situation: Situation, able: Iterable[str], number: int) -> list[tuple[int, str]]:
    """Return the gain in points and the platoon of each of ``number`` dice, the best first."""
    gains = {each: _gain(situation, each) for each in able}
    misses = {each: FACES - (FACES + 1 - min(FACES, _need(situation, each))) for each in gains}
    line = []
    for _ in range(number):
        best = max(gains, key=lambda each: (gains[each], each))
        line.append((gains[best], best))
        gains[best] = gains[best] * misses[best] // FACES
    return line


def _need(situation: Situation, platoon_id: str) -> int:
    return needed(situation.board.type_of(situation.side, situation.roster[platoon_id].type))[0]


def _gain(situation: Situation, platoon_id: str) -> int:
    """Return the points that a platoon gains on average from a first die."""
    platoon = situation.roster[platoon_id]
    kind = situation.board.type_of(situation.side, platoon.type)
    level = next_level(kind, platoon.level)
    own, raised = (situation.worth(situation.side, platoon.type, each) for each in (platoon.level, level))
    gain = raised - own
    if level < DEPLETED:
        gain = situation.worth(situation.side, platoon.type, next_level(kind, level)) // BELOW
    if kind.slot == COMBAT and platoon.level < DEPLETED <= level:
        gain += COMPANY
    return gain * (FACES + 1 - min(FACES, _need(situation, platoon_id))) // FACES


def raise_most(_situation: Situation, decision: Decision) -> Order | None:
    """Return the order that raises most platoons, because a company needs two combat platoons, or None."""
    form: Any = decision.options
    listed = list(form.values())
    most: Order | None = max(listed, key=lambda order: len(order.platoons), default=None)
    return most


def keep_mobile(situation: Situation, decision: Decision) -> Order:
    """Return the order after which most points can move, out of the first ``MAX_ORDERS`` legal orders."""
    listed: list[KeepMobile] = list(islice(decision.options.values(), MAX_ORDERS))
    return max(listed, key=lambda order: _moving(situation, order))


def _moving(situation: Situation, order: KeepMobile) -> int:
    """Return the points of all platoons after an order; platoons without enough transports count half."""
    given: dict[str, int] = {}
    for key, number in order.taken.items():
        donor, _, receiver = key.partition(">")
        given[donor] = given.get(donor, 0) - number
        given[receiver] = given.get(receiver, 0) + number
    total = 0
    for name, platoon in situation.roster.items():
        kind = situation.board.type_of(situation.side, platoon.type)
        level = order.lowered.get(name, platoon.level)
        points = situation.worth(situation.side, platoon.type, level)
        stands = kind.transport == MOTOR and platoon.transports + given.get(name, 0) < enough(kind, level)
        total += points // STAYS if stands else points
    return total
