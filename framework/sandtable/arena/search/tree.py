"""The tree: what was tried where, how often, and how it went.

A node stands for what has happened so far, as the searching side can tell: a secret order of the enemy and a secret
roll lead on to one node, whatever they are. Where several seats answer at once each chooses for itself, knowing nothing
of the others; one order of each leads on. A roll has a branch for each outcome.
"""

from collections.abc import Hashable
from math import log, sqrt

from msgspec.json import Encoder

from sandtable.kernel.decisions import Order

EXPLORE = 0.7
"""How much an order that was tried seldom is favoured, payoffs being from 0 to 1."""

TRUST = 0.5
"""How much the guide's own advice is favoured at first; with n visits a (n+1)th of that is left."""

order_key = Encoder(order="deterministic").encode


class Arm:
    """An order that may be given at a node: ``visits``, and the sum of what they paid the side that gives it.

    ``trust`` is what is thought of it beforehand.
    """

    __slots__ = ("order", "paid", "trust", "visits")

    def __init__(self, order: Order, trust: float = 0.0) -> None:
        self.order = order
        self.trust = trust
        self.visits = 0
        self.paid = 0.0

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


def most_promising(arms: list[Arm]) -> Arm:
    """Return the arm to try next: one that was not tried yet, otherwise the one of the highest upper bound."""
    whole = log(sum(arm.visits for arm in arms) + 1)
    best, bound = arms[0], -1.0
    for arm in arms:
        if not arm.visits:
            return arm
        here = arm.paid / arm.visits + EXPLORE * sqrt(whole / arm.visits) + arm.trust / (arm.visits + 1)
        if here > bound:
            best, bound = arm, here
    return best


def most_tried(arms: list[Arm]) -> Arm:
    """Return the arm that was tried most; of several, the one that paid most; of these, the first."""
    return max(arms, key=lambda arm: (arm.visits, arm.mean))
