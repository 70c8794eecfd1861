"""The player who tries things out before he decides."""

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
"""So many guides are asked afresh, where they differ."""

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
    """Plays one seat of any ruleset by trying orders out in imagined games.

    ``guide`` makes the one who gives the first advice, and the players of imagined games, unless ``quick`` makes those;
    ``evaluate`` judges games that are broken off. With ``tree`` it grows a tree, otherwise it improves on the advice; a
    guide who plays at random has no advice to improve on. What it chooses follows from its stream, the number of the
    decision, what its side may know, and its settings: ``nodes``, imagined games for each decision; ``work``, decisions
    made in them, after which no more games are begun (0: no limit); ``turns``, this one included, after which an
    imagined game is broken off (0: none; usual is the guide's ``lookahead``, where he has one), and ``depth``,
    decisions after which it is; ``game_nodes``, a limit for the whole game (0: none), after which it plays as its
    guide; ``quick``, 0 for guides in imagined games as well. Of orders whose kind is among the guide's ``sole_plans``
    nothing is tried but his plans. ``nodes_spent`` counts over the game.

    ``workers`` is no setting of play: so many processes play the games of a decision, and find the same.
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
        self._asked = 0
        self._adviser = guide(seat, stream.branch("adviser"), board)
        self.turns = 0 if evaluate is None else getattr(self._adviser, "lookahead", TURNS)

    def configure(self, settings: Mapping[str, int]) -> None:
        """Take over the settings above; raises PlayError for what is none of its settings."""
        for name, value in settings.items():
            if name not in LIMITS:
                raise PlayError(f"search has no setting {name!r}: it has {', '.join(LIMITS)}")
            least, most = LIMITS[name]
            if not least <= value <= most:
                raise PlayError(f"search: {name} is {value}: must be {least} to {most:,}")
            setattr(self, name, value)

    def recall(self, decision: Decision, view: View) -> None:
        """Stand as if ``choose`` had been called: the adviser is asked all that he was asked, nothing is tried."""
        self._asked += 1
        if _only(decision) is None:
            advice = self._adviser.choose(decision, view)
            self._plans(decision, view, advice, self._stream.branch(str(self._asked)))

    def choose(self, decision: Decision, view: View) -> Order:
        """Return the order that proved best in the search; the only one there is, without one."""
        self._asked += 1
        only = _only(decision)
        if only is not None:
            return only
        advice = self._adviser.choose(decision, view)
        search = self._search(decision, view, advice, self._stream.branch(str(self._asked)))
        if search is None:
            return advice
        with suppress(NoDeal):
            search.grow(self._budget())
        self.nodes_spent += search.nodes
        return search.best()

    def _search(self, decision: Decision, view: View, advice: Order, stream: Stream) -> TreeSearch | Improvement | None:
        """Return the search for a decision; None where the guide says that his advice is good enough."""
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
        """Return other ideas than the advice; None where the adviser thinks that a search is not worth it.

        They are the adviser's own, where he has such, otherwise those of guides who think it over afresh.
        """
        ideas = getattr(self._adviser, "plans", None)
        if ideas is None:
            return self._opinions(decision, view, advice, stream)
        told: Sequence[Order] | None = ideas(decision, view)
        return None if told is None else [each for each in told if decision.why_not(each) is None]

    def _opinions(self, decision: Decision, view: View, advice: Order, stream: Stream) -> list[Order]:
        """Return what other guides would order; one who agrees with the advice speaks for all."""
        found: list[Order] = []
        for number in range(0 if self.tree else OPINIONS):
            guide = self._guide(self.seat, stream.branch(f"opinion/{number}"), self._board)
            order = guide.choose(decision, view)
            if order == advice:
                break
            found.append(order)
        return found

    def _budget(self) -> int:
        """Return how many nodes this decision may have."""
        return min(self.nodes, self.game_nodes - self.nodes_spent) if self.game_nodes else self.nodes


def _only(decision: Decision) -> Order | None:
    """Return the only order that may be given; None where there are more, or that is not plain to see."""
    every = few(decision.options)
    return every[0] if every is not None and len(every) == 1 else None
