"""Growing the tree: a deal at a time, down the tree to a new node, then played out and counted."""

from collections.abc import Callable, Hashable, Mapping
from math import sqrt

from sandtable.arena.outcomes import TooLarge, outcomes, total
from sandtable.arena.search.listing import few
from sandtable.arena.search.playout import Guide
from sandtable.arena.search.tree import TRUST, Arm, Node, most_promising, most_tried, order_key
from sandtable.errors import RulesetError, SandtableError
from sandtable.kernel.decisions import UMPIRE, Decision, Order, Roll
from sandtable.kernel.dice import Stream
from sandtable.kernel.simulator import Redeal, Simulated, Simulator
from sandtable.kernel.views import View

VISITS = 2
"""Where orders are few, another one is tried after each so many visits, until all are."""

WIDTH = 1.0
"""Where they are too many to try all, a node visited n times has WIDTH times the root of n of them."""

DRAWS = 4.0
"""As WIDTH, for the dice of a roll with more outcomes than MANY."""

MANY = 40
TRIES = 4
"""How often an order is drawn in the hope of a new one."""


PlayOut = Callable[[Simulated], Mapping[str, float]]
"""Plays an imagined game on, and tells what that pays each side."""


class Walk:
    """One search, for the decision of ``simulator``; ``nodes`` it has. All chance in it comes from ``stream``."""

    def __init__(
        self, simulator: Simulator, stream: Stream, guide: Guide, redeal: Redeal | None, play: PlayOut
    ) -> None:
        self.root = Node()
        self.nodes = 0
        self._simulator = simulator
        self._stream = stream
        self._guide = guide
        self._redeal = redeal
        self._play = play
        self._side = simulator.side

    def grow(self, nodes: int) -> None:
        """Add ``nodes`` nodes to the tree; raises NoDeal when no game can be dealt.

        A deal that the rules cannot play on could not have been: it counts, and teaches nothing.
        """
        for _ in range(nodes):
            self.nodes += 1
            try:
                self._grow_by_one()
            except RulesetError:
                if not self._simulator.hidden:
                    raise

    def best(self) -> Order | None:
        """Return the order that was tried most, None if none was."""
        arms = [arm for arm in self.root.arms.get(self._simulator.decision.seat, {}).values() if arm.visits]
        return most_tried(arms).order if arms else None

    def _grow_by_one(self) -> None:
        game = self._simulator.deal(self._stream, self._redeal)
        node = self.root
        node.visits += 1
        steps: list[tuple[Arm, str]] = []
        while not game.is_over:
            if isinstance(game.pending, Roll):
                node = node.child(self._fall(node, game, game.pending))
                node.visits += 1
                continue
            if not node.visits - 1 and node is not self.root:
                break
            chosen = [(decision, self._arm(node, decision, game)) for decision in game.waiting()]
            steps += [(arm, decision.side) for decision, arm in chosen]
            for decision, arm in chosen:
                game.submit(arm.order, decision.seat)
            node = node.child(tuple(self._told(decision, arm) for decision, arm in chosen))
            node.visits += 1
        paid = self._play(game)
        for arm, side in steps:
            arm.visits += 1
            arm.paid += paid.get(side, 0.0)

    def _told(self, decision: Decision, arm: Arm) -> Hashable:
        """Return what the searching side gets to know of an order."""
        own = decision.side == self._side
        return (decision.seat, order_key(arm.order) if own or not decision.secret else b"")

    # --- orders ---

    def _arm(self, node: Node, decision: Decision, game: Simulated) -> Arm:
        """Return the order to try for ``decision``, a new one where the node has few for its visits."""
        arms = node.arms.setdefault(decision.seat, {})
        options = decision.options
        if decision.side == UMPIRE:
            said = self._advice(decision, game)
            return arms.setdefault(order_key(said), Arm(said))
        legal = [arm for arm in arms.values() if not self._simulator.hidden or options.is_legal(arm.order)]
        every = few(options)
        allowed = node.visits // VISITS + 1 if every is not None else int(WIDTH * sqrt(node.visits))
        if len(legal) < allowed or not legal:
            order = self._another(arms, decision, game, every)
            if order is None and not legal:
                order = self._advice(decision, game)
            if order is not None:
                return arms.setdefault(order_key(order), Arm(order, 0.0 if arms else TRUST))
        return most_promising(legal)

    def _another(
        self, arms: dict[bytes, Arm], decision: Decision, game: Simulated, every: list[Order] | None
    ) -> Order | None:
        """Return an order that is not among ``arms``: the guide's first, then the end of the question, then any."""
        if not arms:
            return self._advice(decision, game)
        if every is not None:
            fresh = [order for order in every if order_key(order) not in arms]
            return self._stream.pick(fresh) if fresh else None
        if decision.done is not None and order_key(decision.done) not in arms:
            return decision.done
        for _ in range(TRIES):
            try:
                order: Order = decision.options.sample(self._stream)
            except ValueError:  # a form whose fields seldom fit together
                continue
            if order_key(order) not in arms:
                return order
        return None

    def _advice(self, decision: Decision, game: Simulated) -> Order:
        """Return what the guide would do; where it is at a loss, anything."""
        try:
            order = self._guide(decision.seat).choose(decision, View(decision.side, game.view))
            decision.options.check(order)
        except SandtableError:
            order = decision.options.sample(self._stream)
        return order

    # --- chance ---

    def _fall(self, node: Node, game: Simulated, roll: Roll) -> Hashable:
        """Let dice fall, each outcome as often as it comes up; return what the searching side can tell them by."""
        faces = self._faces(node, roll)
        game.fall(faces)
        return (roll.dice, roll.sides, faces if roll.side in {"", self._side} else ())

    def _faces(self, node: Node, roll: Roll) -> tuple[int, ...]:
        try:
            ways = outcomes(roll)
        except TooLarge:
            ways = ()
        if 0 < len(ways) <= MANY or (ways and self._simulator.hidden):
            draw = self._stream.below(total(roll))
            for weight, faces in ways:
                draw -= weight
                if draw < 0:
                    return faces
        if not self._simulator.hidden and len(node.falls) >= DRAWS * sqrt(node.visits):
            return self._stream.pick(node.falls)
        faces = tuple(self._stream.below(roll.sides) + 1 for _ in range(roll.dice))
        node.falls.append(faces)
        return faces
