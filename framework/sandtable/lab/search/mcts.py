"""Grow the search tree: deal a game, descend to a new node, play the game out, and record the result."""

from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from math import sqrt

from sandtable.errors import IllegalOrder, RulesetError, RulesetLoops, SandtableError
from sandtable.kernel.decisions import UMPIRE, Decision, Order, Roll
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.simulator import Deal, Simulated
from sandtable.kernel.play.views import Simulation, View
from sandtable.lab.search.listing import few
from sandtable.lab.search.playout import Guide, PlayOut, Work
from sandtable.lab.search.tree import TRUST, Arm, Node, most_promising, order_key, surest
from sandtable.rules.chance.outcomes import TooLarge, outcomes, total

VISITS = 2
"""Visits of a node after which another order is tried, if orders are few, until all have been tried."""

WIDTH = 1.0
"""Orders per node if they are too many to try all: WIDTH times the square root of the visits."""

DRAWS = 4.0
"""Factor like WIDTH, for the dice of a roll with more outcomes than MANY."""

MANY = 40
TRIES = 4
"""Maximum number of draws to find an order that is new."""


class TreeSearch:
    """One search for the decision of ``simulator``, with ``nodes`` nodes. All its randomness comes from ``stream``.

    ``advice`` is the guide's order here. The nth visit of each order at the root has the same deal and dice as the nth
    visit of any other, unless a deal failed between the two. Differences in pay therefore come from the orders, and
    less from luck.
    """

    def __init__(
        self,
        simulator: Simulation,
        stream: Stream,
        guide: Guide,
        deal: Deal | None,
        play: PlayOut,
        advice: Order,
        work: Work,
    ) -> None:
        self.root = Node()
        self.root.arms[simulator.decision.seat] = {order_key(advice): Arm(advice, TRUST)}
        self.nodes = 0
        self._failed_deals = 0
        self._simulator = simulator
        self._stream = stream
        self._luck = stream
        self._rolls_made: Counter[str] = Counter()
        self._guide = guide
        self._deal = deal
        self._play = play
        self._work = work
        self._side = simulator.side

    def grow(self, nodes: int) -> None:
        """Add ``nodes`` nodes to the tree, or fewer if the work is done. Raises NoDeal if no game can be dealt.

        A deal is impossible if the rules cannot continue it or forbid the order to be tried. It counts as a node and is
        not evaluated. A deal in which the rules loop ends the growth, because another one would take as long.
        """
        for _ in range(nodes):
            if self._work.done:
                return
            self.nodes += 1
            try:
                self._grow_by_one()
            except RulesetLoops:
                if not self._simulator.hidden:
                    raise
                return
            except (IllegalOrder, RulesetError):
                if not self._simulator.hidden:
                    raise
                self._failed_deals += 1

    def best(self) -> Order:
        """Return the best order, or the advice if no order was tried."""
        arms = list(self.root.arms[self._simulator.decision.seat].values())
        return surest([arm for arm in arms if arm.visits] or arms[:1]).order

    def _grow_by_one(self) -> None:
        decision, node = self._simulator.decision, self.root
        node.visits += 1
        first = self._arm(node, decision)
        again = f"/{self._failed_deals}" if self._failed_deals else ""
        self._luck = self._stream.branch(f"{first.visits}{again}")
        self._rolls_made.clear()
        game: Simulated = self._simulator.deal(self._luck, self._deal)
        steps: list[tuple[Arm, str]] = []
        while not game.is_over:
            if isinstance(game.pending, Roll):
                node = node.child(self._roll(node, game, game.pending))
                node.visits += 1
                continue
            if not node.visits - 1 and node is not self.root:
                break
            chosen = [
                (each, first if node is self.root and each.seat == decision.seat else self._arm(node, each, game))
                for each in game.waiting()
            ]
            steps += [(arm, decision.side) for decision, arm in chosen]
            for decision, arm in chosen:
                game.submit(arm.order, decision.seat)
            node = node.child(tuple(self._visible_key(decision, arm) for decision, arm in chosen))
            node.visits += 1
        seats = game.ruleset.seats
        paid = self._play(game, {seat: self._guide(seat, self._luck.branch(seat)) for seat in seats})
        for arm, side in steps:
            arm.pay(paid.get(side, 0.0))

    def _visible_key(self, decision: Decision, arm: Arm) -> Hashable:
        """Return the part of an order that the searching side learns, as a key."""
        own = decision.side == self._side
        return (decision.seat, order_key(arm.order) if own or not decision.secret else b"")

    # --- orders ---

    def _arm(self, node: Node, decision: Decision, game: Simulated | None = None) -> Arm:
        """Return the order to try for ``decision``: a new one if the node has few orders for its visits.

        Without ``game`` the decision is the one at the root. Its options are those of the real game, and it already has
        advice.
        """
        arms = node.arms.setdefault(decision.seat, {})
        options = decision.options
        if decision.side == UMPIRE and game is not None:
            advised = self._advice(decision, game)
            return arms.setdefault(order_key(advised), Arm(advised))
        legal = [arm for arm in arms.values() if not self._simulator.hidden or decision.why_not(arm.order) is None]
        listed = few(options)
        allowed = node.visits // VISITS + 1 if listed is not None else int(WIDTH * sqrt(node.visits))
        if len(legal) < allowed or not legal:
            order = self._another(arms, decision, game, listed)
            if order is None and not legal:
                order = self._advice(decision, game)
            if order is not None:
                return arms.setdefault(order_key(order), Arm(order, 0.0 if arms else TRUST))
        return most_promising(legal)

    def _another(
        self, arms: dict[bytes, Arm], decision: Decision, game: Simulated | None, listed: list[Order] | None
    ) -> Order | None:
        """Return an order that is not in ``arms``, or None.

        The candidates are the guide's order, the ``done`` order, one near the first order, and a random one.
        """
        if not arms:
            return self._advice(decision, game)
        if listed is not None:
            fresh = [order for order in listed if order_key(order) not in arms]
            return self._stream.pick(fresh) if fresh else None
        if decision.done is not None and order_key(decision.done) not in arms:
            return decision.done
        advice = next(iter(arms.values())).order
        for attempt in range(TRIES):
            try:
                order: Order = (
                    decision.options.sample(self._stream)
                    if (len(arms) + attempt) % 2
                    else decision.options.near(advice, self._stream)
                )
            except ValueError:  # a form whose fields rarely fit together
                continue
            if order_key(order) not in arms:
                return order
        return None

    def _advice(self, decision: Decision, game: Simulated | None) -> Order:
        """Return the guide's order, or a random one if the guide fails."""
        if game is not None:
            with suppress(SandtableError):
                guide = self._guide(decision.seat, self._luck.branch(decision.seat))
                order = guide.choose(decision, View(decision.side, game.view))
                decision.check(order)
                return order
        drawn: Order = decision.options.sample(self._stream)
        return drawn

    # --- chance ---

    def _roll(self, node: Node, game: Simulated, roll: Roll) -> Hashable:
        """Roll dice by their probabilities. Return the part of the result that the searching side can see, as a key."""
        faces = self._faces(node, roll)
        game.resolve_roll(faces)
        return (roll.dice, roll.sides, faces if roll.side in {"", self._side} else ())

    def _faces(self, node: Node, roll: Roll) -> tuple[int, ...]:
        self._rolls_made[roll.purpose] += 1
        luck = self._luck.branch(f"{roll.purpose}/{self._rolls_made[roll.purpose]}")
        try:
            weighted = outcomes(roll)
        except TooLarge:
            weighted = ()
        if 0 < len(weighted) <= MANY or (weighted and self._simulator.hidden):
            draw = luck.below(total(roll))
            for weight, faces in weighted:
                draw -= weight
                if draw < 0:
                    return faces
        if not self._simulator.hidden and len(node.falls) >= DRAWS * sqrt(node.visits):
            return luck.pick(node.falls)
        faces = tuple(luck.below(roll.sides) + 1 for _ in range(roll.dice))
        node.falls.append(faces)
        return faces
