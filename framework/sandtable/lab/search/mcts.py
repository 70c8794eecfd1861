"""Growing the tree: a deal at a time, down the tree to a new node, then played out and counted."""

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
"""Where orders are few, another one is tried after each so many visits, until all are."""

WIDTH = 1.0
"""Where they are too many to try all, a node visited n times has WIDTH times the root of n of them."""

DRAWS = 4.0
"""As WIDTH, for the dice of a roll with more outcomes than MANY."""

MANY = 40
TRIES = 4
"""How often an order is drawn in the hope of a new one."""


class TreeSearch:
    """One search, for the decision of ``simulator``; ``nodes`` it has. All chance in it comes from ``stream``.

    ``advice`` is what the guide orders here. The nth visit of each order of the root has the same deal and dice as the
    nth of any other: what they pay differs by what they are, and less by luck.
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
        self._missed = 0
        self._simulator = simulator
        self._stream = stream
        self._luck = stream
        self._fallen: Counter[str] = Counter()
        self._guide = guide
        self._deal = deal
        self._play = play
        self._work = work
        self._side = simulator.side

    def grow(self, nodes: int) -> None:
        """Add ``nodes`` nodes to the tree, fewer when the work is done; raises NoDeal when no game can be dealt.

        A deal that the rules cannot play on, or in which the order to be tried is not allowed, could not have been: it
        counts, and teaches nothing. One in which the rules run on for ever ends the growth: another costs as long.
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
                self._missed += 1

    def best(self) -> Order:
        """Return the order that proved best; the advice where nothing was tried."""
        arms = list(self.root.arms[self._simulator.decision.seat].values())
        return surest([arm for arm in arms if arm.visits] or arms[:1]).order

    def _grow_by_one(self) -> None:
        asked, node = self._simulator.decision, self.root
        node.visits += 1
        first = self._arm(node, asked)
        again = f"/{self._missed}" if self._missed else ""
        self._luck = self._stream.branch(f"{first.visits}{again}")
        self._fallen.clear()
        game: Simulated = self._simulator.deal(self._luck, self._deal)
        steps: list[tuple[Arm, str]] = []
        while not game.is_over:
            if isinstance(game.pending, Roll):
                node = node.child(self._fall(node, game, game.pending))
                node.visits += 1
                continue
            if not node.visits - 1 and node is not self.root:
                break
            chosen = [
                (each, first if node is self.root and each.seat == asked.seat else self._arm(node, each, game))
                for each in game.waiting()
            ]
            steps += [(arm, decision.side) for decision, arm in chosen]
            for decision, arm in chosen:
                game.submit(arm.order, decision.seat)
            node = node.child(tuple(self._told(decision, arm) for decision, arm in chosen))
            node.visits += 1
        seats = game.ruleset.seats
        paid = self._play(game, {seat: self._guide(seat, self._luck.branch(seat)) for seat in seats})
        for arm, side in steps:
            arm.pay(paid.get(side, 0.0))

    def _told(self, decision: Decision, arm: Arm) -> Hashable:
        """Return what the searching side gets to know of an order."""
        own = decision.side == self._side
        return (decision.seat, order_key(arm.order) if own or not decision.secret else b"")

    # --- orders ---

    def _arm(self, node: Node, decision: Decision, game: Simulated | None = None) -> Arm:
        """Return the order to try for ``decision``, a new one where the node has few for its visits.

        Without ``game`` it is that of the root: its options are those of the game itself, and it has had advice.
        """
        arms = node.arms.setdefault(decision.seat, {})
        options = decision.options
        if decision.side == UMPIRE and game is not None:
            said = self._advice(decision, game)
            return arms.setdefault(order_key(said), Arm(said))
        legal = [arm for arm in arms.values() if not self._simulator.hidden or decision.why_not(arm.order) is None]
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
        self, arms: dict[bytes, Arm], decision: Decision, game: Simulated | None, every: list[Order] | None
    ) -> Order | None:
        """Return an order that is not among ``arms``: the guide's, the end of the question, one like the first, any."""
        if not arms:
            return self._advice(decision, game)
        if every is not None:
            fresh = [order for order in every if order_key(order) not in arms]
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
            except ValueError:  # a form whose fields seldom fit together
                continue
            if order_key(order) not in arms:
                return order
        return None

    def _advice(self, decision: Decision, game: Simulated | None) -> Order:
        """Return what the guide would do; where it is at a loss, anything."""
        if game is not None:
            with suppress(SandtableError):
                guide = self._guide(decision.seat, self._luck.branch(decision.seat))
                order = guide.choose(decision, View(decision.side, game.view))
                decision.check(order)
                return order
        anything: Order = decision.options.sample(self._stream)
        return anything

    # --- chance ---

    def _fall(self, node: Node, game: Simulated, roll: Roll) -> Hashable:
        """Let dice fall, each outcome as often as it comes up; return what the searching side can tell them by."""
        faces = self._faces(node, roll)
        game.fall(faces)
        return (roll.dice, roll.sides, faces if roll.side in {"", self._side} else ())

    def _faces(self, node: Node, roll: Roll) -> tuple[int, ...]:
        self._fallen[roll.purpose] += 1
        luck = self._luck.branch(f"{roll.purpose}/{self._fallen[roll.purpose]}")
        try:
            ways = outcomes(roll)
        except TooLarge:
            ways = ()
        if 0 < len(ways) <= MANY or (ways and self._simulator.hidden):
            draw = luck.below(total(roll))
            for weight, faces in ways:
                draw -= weight
                if draw < 0:
                    return faces
        if not self._simulator.hidden and len(node.falls) >= DRAWS * sqrt(node.visits):
            return luck.pick(node.falls)
        faces = tuple(luck.below(roll.sides) + 1 for _ in range(roll.dice))
        node.falls.append(faces)
        return faces
