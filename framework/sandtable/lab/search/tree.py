"""The search tree: which orders were tried at each node, how often, and with what results.

A node stands for the events so far, as the searching side sees them: all secret enemy orders lead to one node, as do
all secret rolls. If several seats answer at once, each chooses independently, and one order of each leads to the next
node. A roll has a branch for each outcome.
"""

from collections.abc import Hashable
from math import log, sqrt

from msgspec.json import Encoder

from sandtable.kernel.decisions import Order

EXPLORE = 1.4
"""Bonus of a rarely tried order, in standard deviations of what orders pay."""

TRUST = 1.0
"""Initial bonus of the guide's own advice, in the same unit. After n visits, 1/(n+1) of it remains."""

DOUBT = 0.1
"""Square of the deviation that one more game may show. It is used as the spread while there are few games."""

order_key = Encoder(order="deterministic").encode


class Arm:
    """An order that may be given at a node, with its ``visits`` and the sum of its pay to the side that gives it.

    ``squares`` is the sum of the squared pay. ``trust`` is the initial bonus, above 0 for the guide's advice.
    """

    __slots__ = ("order", "paid", "squares", "trust", "visits")

    def __init__(self, order: Order, trust: float = 0.0) -> None:
        self.order = order
        self.trust = trust
        self.visits = 0
        self.paid = self.squares = 0.0

    def pay(self, paid: float) -> None:
        """Record a visit with the result ``paid``, from 0 to 1."""
        self.visits += 1
        self.paid += paid
        self.squares += paid * paid

    @property
    def mean(self) -> float:
        """Average result of the visits, or 0 without visits."""
        return self.paid / self.visits if self.visits else 0.0


class Node:
    """A node of the tree: its visits, its arms by seat and order, and its children.

    ``falls`` are the dice rolled so far at a roll with too many outcomes to try each.
    """

    __slots__ = ("arms", "children", "falls", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.arms: dict[str, dict[bytes, Arm]] = {}
        self.children: dict[Hashable, Node] = {}
        self.falls: list[tuple[int, ...]] = []

    def child(self, key: Hashable) -> "Node":
        """Return the child for ``key``, which is created if it does not exist."""
        found = self.children.get(key)
        if found is None:
            found = self.children[key] = Node()
        return found


def standard_deviation(arms: list[Arm]) -> float:
    """Return the standard deviation of the pay of a visit, with a cautious guess if there were few visits."""
    visits = sum(arm.visits for arm in arms)
    off_means = sum(arm.squares - arm.paid * arm.mean for arm in arms)
    return sqrt((max(off_means, 0.0) + DOUBT) / (visits + 1))


def most_promising(arms: list[Arm]) -> Arm:
    """Return the arm to try next: one without visits, or else the one with the highest upper bound."""
    log_visits = log(sum(arm.visits for arm in arms) + 1)
    unit = standard_deviation(arms)
    best, bound = arms[0], -1.0
    for arm in arms:
        if not arm.visits:
            return arm
        upper = arm.paid / arm.visits + unit * (EXPLORE * sqrt(log_visits / arm.visits) + arm.trust / (arm.visits + 1))
        if upper > bound:
            best, bound = arm, upper
    return best


def surest(arms: list[Arm]) -> Arm:
    """Return the arm with the highest lower bound, and the first of several.

    The guide's advice counts with its mean. The other arms must be better by a standard error, so a few visits are not
    enough to replace the advice.
    """
    unit = standard_deviation(arms)
    return max(arms, key=lambda arm: arm.mean - (0.0 if arm.trust else unit / sqrt(arm.visits)))
