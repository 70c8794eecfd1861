"""The player that tries orders in simulated games before it decides."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from sandtable.errors import NoDeal, PlayError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.simulator import Deal, Simulated
from sandtable.kernel.play.views import View
from sandtable.lab.search.improvement import Improvement
from sandtable.lab.search.listing import few
from sandtable.lab.search.mcts import TreeSearch
from sandtable.lab.search.playout import Evaluation, Work, play_out
from sandtable.lab.search.proposals import Proposals

NODES, WORK = 60, 1_200
DEPTH = 2_000
TURNS = 2
OPINIONS = 4
"""Maximum number of additional guides that are consulted."""

LIMITS = {
    "nodes": (1, 1_000_000),
    "work": (0, 1_000_000_000),
    "turns": (0, 1_000),
    "depth": (0, 1_000_000),
    "game_nodes": (0, 1_000_000_000),
    "tree": (0, 1),
    "quick": (0, 1),
}

GuideMaker = Callable[[str, Stream, Any], Player]


class SearchPlayer:
    """A player for one seat of any ruleset that tries orders in simulated games.

    ``guide`` makes the adviser and the players of simulated games, unless ``quick`` makes those players. ``evaluate``
    scores games that are cut off. With ``tree`` the player grows a tree; otherwise it improves on the advice. A guide
    that plays at random gives no advice to improve on. A choice depends only on the player's stream, the number of the
    decision, what its side may know, and the settings.

    Settings:

    - ``nodes``: simulated games for each decision
    - ``work``: decisions in simulated games after which no more games begin (0: no limit)
    - ``turns``: number of turns to simulate, including the current one (0: no limit;
      default: the guide's ``lookahead``, if it has one)
    - ``depth``: decisions after which a simulated game is cut off
    - ``game_nodes``: maximum number of nodes in the whole game (0: no limit); beyond that the player follows its guide
    - ``quick``: 0 to use guides in simulated games as well

    If the type of the advice is among the guide's ``sole_plans``, only the guide's plans are tried. ``nodes_spent`` is
    the total of the game. ``workers`` is not a setting of play: this many processes play the games of a decision, with
    the same result.
    """

    def __init__(
        self,
        seat: str,
        stream: Stream,
        board: Any,
        guide: GuideMaker,
        deal: Deal | None,
        evaluate: Evaluation | None = None,
        *,
        tree: bool = True,
        quick: GuideMaker | None = None,
    ) -> None:
        self.seat = seat
        self.nodes, self.work, self.depth, self.game_nodes = NODES, WORK, DEPTH, 0
        self.tree = int(tree)
        self.quick = 1
        self.nodes_spent = 0
        self.workers = 1
        self._stream = stream
        self._board = board
        self._guide = guide
        self._quick = quick or guide
        self._deal = deal
        self._evaluate = evaluate
        self._decisions = 0
        self._adviser = guide(seat, stream.branch("adviser"), board)
        self.turns = 0 if evaluate is None else getattr(self._adviser, "lookahead", TURNS)

    def configure(self, settings: Mapping[str, int]) -> None:
        """Apply the settings listed above. Raises PlayError for an unknown setting or a value out of range."""
        for name, value in settings.items():
            if name not in LIMITS:
                raise PlayError(f"search has no setting {name!r}: it has {', '.join(LIMITS)}")
            least, most = LIMITS[name]
            if not least <= value <= most:
                raise PlayError(f"search: {name} is {value}: must be {least} to {most:,}")
            setattr(self, name, value)

    def recall(self, decision: Decision, view: View) -> None:
        """Advance as if ``choose`` had been called: consult the adviser the same way, but simulate nothing."""
        self._decisions += 1
        if _only_order(decision) is None:
            advice = self._adviser.choose(decision, view)
            self._plans(decision, view, advice, self._stream.branch(str(self._decisions)))

    def choose(self, decision: Decision, view: View) -> Order:
        """Return the best order of the search. If only one order is legal, return it without a search."""
        self._decisions += 1
        only = _only_order(decision)
        if only is not None:
            return only
        advice = self._adviser.choose(decision, view)
        search = self._search(decision, view, advice, self._stream.branch(str(self._decisions)))
        if search is None:
            return advice
        with suppress(NoDeal):
            search.grow(self._budget())
        self.nodes_spent += search.nodes
        return search.best()

    def _search(self, decision: Decision, view: View, advice: Order, stream: Stream) -> TreeSearch | Improvement | None:
        """Return the search for a decision, or None if the guide reports that its advice is good enough."""
        plans = self._plans(decision, view, advice, stream)
        if plans is None:
            return None
        simulator = view.simulator(decision)
        last = simulator.turn + self.turns - 1 if self.turns else 0
        work = Work(self.work)

        def guide(seat: str, luck: Stream) -> Player:
            return (self._quick if self.quick else self._guide)(seat, luck, self._board)

        def play(game: Simulated, players: Mapping[str, Player]) -> Mapping[str, float]:
            return play_out(game, players, self.depth, last, self._evaluate, work)

        if self.tree:
            return TreeSearch(simulator, stream, guide, self._deal, play, advice, work)
        is_sole = type(advice) in getattr(self._adviser, "sole_plans", ())
        proposals = Proposals(decision, advice, plans, stream.branch("proposals"), is_sole=is_sole)
        return Improvement(simulator, stream, guide, self._deal, play, proposals, work, self.workers)

    def _plans(self, decision: Decision, view: View, advice: Order, stream: Stream) -> Sequence[Order] | None:
        """Return alternatives to the advice, or None if the adviser reports that a search is not worthwhile.

        They are the adviser's own plans if it makes any, and otherwise the orders of other guides.
        """
        ideas = getattr(self._adviser, "plans", None)
        if ideas is None:
            return self._opinions(decision, view, advice, stream)
        plans: Sequence[Order] | None = ideas(decision, view)
        return None if plans is None else [each for each in plans if decision.why_not(each) is None]

    def _opinions(self, decision: Decision, view: View, advice: Order, stream: Stream) -> list[Order]:
        """Return the orders of other guides. The first one that agrees with the advice ends the consultation."""
        found: list[Order] = []
        for number in range(0 if self.tree else OPINIONS):
            guide = self._guide(self.seat, stream.branch(f"opinion/{number}"), self._board)
            order = guide.choose(decision, view)
            if order == advice:
                break
            found.append(order)
        return found

    def _budget(self) -> int:
        """Return the number of nodes allowed for this decision."""
        return min(self.nodes, self.game_nodes - self.nodes_spent) if self.game_nodes else self.nodes


def _only_order(decision: Decision) -> Order | None:
    """Return the only legal order, or None if there are several or they cannot be listed cheaply."""
    listed = few(decision.options)
    return listed[0] if listed is not None and len(listed) == 1 else None
