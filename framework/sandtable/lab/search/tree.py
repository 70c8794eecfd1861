"""The tree: what was tried where, how often, and how it went.

A node stands for what has happened so far, as the searching side can tell: a secret order of the enemy and a secret
roll lead on to one node, whatever they are. Where several seats answer at once each chooses for itself, knowing nothing
of the others; one order of each leads on. A roll has a branch for each outcome.
"""

from collections.abc import Hashable
from math import log, sqrt

from msgspec.json import Encoder

from sandtable.kernel.decisions import Order

EXPLORE = 1.4
"""How much an order that was tried seldom is favoured, in standard deviations of what orders pay."""

TRUST = 1.0
"""How much the guide's own advice is favoured at first, likewise; with n visits a (n+1)th of that is left."""

DOUBT = 0.1
"""The square of what one more game may pay off the mean: what is known of the spread before there are many."""

order_key = Encoder(order="deterministic").encode


class Arm:
    """An order that may be given at a node: ``visits``, and the sum of what they paid the side that gives it.

    ``squares`` is the sum of the squares of that. ``trust`` is what is thought of it beforehand: more than 0 for the
    guide's advice.
    """

    __slots__ = ("order", "paid", "squares", "trust", "visits")

    def __init__(self, order: Order, trust: float = 0.0) -> None:
        self.order = order
        self.trust = trust
        self.visits = 0
        self.paid = self.squares = 0.0

    def pay(self, paid: float) -> None:
        """Count a visit that paid so much, from 0 to 1."""
        self.visits += 1
        self.paid += paid
        self.squares += paid * paid

    @property
    def mean(self) -> float:
        """What it paid on average."""
        return self.paid / self.visits if self.visits else 0.0


class Node:
    """A place in the tree: how often it was come through, its arms by seat and order, what it leads to.

    ``falls`` are the dice drawn so far at a roll that has too many outcomes to take each.
    """

    __slots__ = ("arms", "children", "falls", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.arms: dict[str, dict[bytes, Arm]] = {}
        self.children: dict[Hashable, Node] = {}
        self.falls: list[tuple[int, ...]] = []

    def child(self, key: Hashable) -> "Node":
        """Return the node that ``key`` leads to."""
        found = self.children.get(key)
        if found is None:
            found = self.children[key] = Node()
        return found


def standard_deviation(arms: list[Arm]) -> float:
    """Return the standard deviation of what a visit pays; a cautious guess where there were few."""
    visits = sum(arm.visits for arm in arms)
    off_means = sum(arm.squares - arm.paid * arm.mean for arm in arms)
    return sqrt((max(off_means, 0.0) + DOUBT) / (visits + 1))


def most_promising(arms: list[Arm]) -> Arm:
    """Return the arm to try next: one that was not tried yet, otherwise the one of the highest upper bound."""
    whole = log(sum(arm.visits for arm in arms) + 1)
    unit = standard_deviation(arms)
    best, bound = arms[0], -1.0
    for arm in arms:
        if not arm.visits:
            return arm
        here = arm.paid / arm.visits + unit * (EXPLORE * sqrt(whole / arm.visits) + arm.trust / (arm.visits + 1))
        if here > bound:
            best, bound = arm, here
    return best


def surest(arms: list[Arm]) -> Arm:
    """Return the arm of the highest lower bound; of several, the first.

    The guide's advice stands as it is, others must be better by a standard error: few visits are no reason to leave it.
    """
    unit = standard_deviation(arms)
    return max(arms, key=lambda arm: arm.mean - (0.0 if arm.trust else unit / sqrt(arm.visits)))
