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
from sandtable.players.search.improvement import Improvement
from sandtable.players.search.listing import few
from sandtable.players.search.playout import Evaluation, play_out
from sandtable.players.search.proposals import Proposals
from sandtable.players.search.walk import TreeSearch

NODES = 100
DEPTH = 2_000
TURNS = 2
LIMITS = {"tree": (0, 1), "nodes": (1, 1_000_000), "turns": (0, 1_000), "depth": (0, 1_000_000), "game_nodes": (0, 1_000_000_000)}

GuideMaker = Callable[[str, Stream, Any], Player]


class SearchPlayer:
    """Plays one seat of any ruleset by Monte-Carlo tree search.

    What it chooses follows from its stream, the number of the decision, what its side may know, and its settings:
    ``nodes``, the tree's growth for each decision; ``turns``, this one included, after which an imagined game is broken
    off (0: none), and ``depth``, decisions after which it is; ``game_nodes``, a limit for the whole game (0: none),
    after which it plays as its guide. ``guide`` makes the players of the imagined games, who also give the first
    advice; ``evaluate`` judges those that are broken off. ``nodes_spent`` counts over the game. Each decision starts a
    tree of its own.
    """

    def __init__(
        self,
        seat: str,
        stream: Stream,
        board: Any,
        guide: GuideMaker,
        deal: Deal | None,
        evaluate: Evaluation | None = None,
    ) -> None:
        self.seat = seat
        self.nodes, self.depth, self.game_nodes = NODES, DEPTH, 0
        self.tree = 0
        self.turns = 0 if evaluate is None else TURNS
        self.nodes_spent = 0
        self._stream = stream
        self._board = board
        self._guide = guide
        self._deal = deal
        self._evaluate = evaluate
        self._asked = 0

    def configure(self, settings: Mapping[str, int]) -> None:
        """Take over the settings above; raises PlayError for what is none of its settings."""
        for name, value in settings.items():
            if name not in LIMITS:
                raise PlayError(f"search has no setting {name!r}: it has {', '.join(LIMITS)}")
            least, most = LIMITS[name]
            if not least <= value <= most:
                raise PlayError(f"search: {name} is {value}: must be {least} to {most:,}")
            setattr(self, name, value)

    def recall(self, decision: Decision, view: View) -> None:  # noqa: ARG002 - the shape of choose
        """Stand as if ``choose`` had been called."""
        self._asked += 1

    def choose(self, decision: Decision, view: View) -> Order:
        """Return the order that proved best in the search; the only one there is, without one."""
        self._asked += 1
        every = few(decision.options)
        if every is not None and len(every) == 1:
            only: Order = every[0]
            return only
        stream = self._stream.branch(str(self._asked))
        advice = self._guide(self.seat, stream.branch(self.seat), self._board).choose(decision, view)
        simulator = view.simulator(decision)
        last = simulator.turn + self.turns - 1 if self.turns else 0

        def guide(seat: str, luck: Stream) -> Player:
            return self._guide(seat, luck, self._board)

        def play(game: Simulated, players: Mapping[str, Player]) -> Mapping[str, float]:
            return play_out(game, players, self.depth, last, self._evaluate)

        walk: TreeSearch | Improvement
        if self.tree:
            walk = TreeSearch(simulator, stream, guide, self._deal, play, advice)
        else:
            plans = self._plans(decision, view, stream)
            proposals = Proposals(decision, advice, plans, stream.branch("proposals"))
            walk = Improvement(simulator, stream, guide, self._deal, play, proposals)
        with suppress(NoDeal):
            walk.grow(self._budget())
        self.nodes_spent += walk.nodes
        return walk.best()

    def _plans(self, decision: Decision, view: View, stream: Stream) -> Sequence[Order]:
        """Return the guide's other ideas, where it has such: its method ``plans`` gives them."""
        ideas = getattr(self._guide(self.seat, stream.branch("plans"), self._board), "plans", None)
        return () if ideas is None else [each for each in ideas(decision, view) if decision.options.is_legal(each)]

    def _budget(self) -> int:
        """Return how many nodes this decision may have."""
        return min(self.nodes, self.game_nodes - self.nodes_spent) if self.game_nodes else self.nodes
