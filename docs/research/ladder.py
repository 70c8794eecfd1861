"""The strength of search, by number of simulated games per decision, against the anchor players of small games.

    python docs/research/ladder.py tictactoe 100            # pairs of games; 10, 50, 250 and 1000 nodes
    python docs/research/ladder.py connect4 20 10 50        # these nodes only
    python docs/research/ladder.py kuhn 1000

The games of a pair have the same seed, and the sides swapped. The only limit of work is the number of nodes. Intervals
are 95 %, from the pairs, or Wilson's if there are too few pairs or all are alike. If the rules report a margin, such
as the chips of Kuhn poker, its mean is printed, too.
"""

import sys
import time
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import anchors

import sandtable as st
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.events import margin_in
from sandtable.lab.statistics import interval_of, spread_of
from sandtable.players.players import seat_bot

ANCHORS = {"tictactoe": anchors.TicTacToe, "connect4": anchors.ConnectFour, "kuhn": anchors.Kuhn}
EXAMPLES = Path(__file__).parents[1] / "examples"
NODES = (10, 50, 250, 1_000)


def play(prepared: Any, seat: str, nodes: int, seed: str) -> tuple[float, int, float]:
    """Play a game with search in ``seat``; return its score, its margin, and its seconds per decision."""
    key = key_from_seed(seed)
    anchor = ANCHORS[prepared.ruleset.id]
    players: dict[str, Any] = {
        each: anchor(each, Stream.for_player(key, each), prepared.board) for each in prepared.ruleset.viewers
    }
    searcher: Any = seat_bot(prepared, seat, "search", key)
    searcher.configure({"nodes": nodes, "work": 0})
    players[seat] = timed = Timed(searcher)
    game = prepared.new_game(KeyedDice(key))
    game.play(players)
    outcome = game.state.outcome
    score = 1.0 if outcome == seat else 0.0 if outcome in prepared.ruleset.viewers else 0.5
    return score, margin_in(game.records).get(seat, 0), timed.seconds / max(1, timed.asked)


class Timed:
    """A player whose decisions are timed."""

    def __init__(self, player: Any) -> None:
        self.seconds = 0.0
        self.asked = 0
        self._player = player

    def choose(self, decision: Any, view: Any) -> Any:
        """Return the player's order, and measure its time."""
        began = time.process_time()
        order = self._player.choose(decision, view)
        self.seconds += time.process_time() - began
        self.asked += 1
        return order


def rung(prepared: Any, nodes: int, pairs: int) -> str:
    """Play the pairs with a budget of ``nodes``; return a line of results."""
    sides = prepared.ruleset.viewers
    games = [[play(prepared, side, nodes, f"ladder/{pair}") for side in sides] for pair in range(pairs)]
    scores = [sum(score for score, *_ in pair) for pair in games]
    counts = spread_of([scores.count(half / 2) for half in range(5)])
    low, high, _ = interval_of(sum(scores), 2 * pairs, [counts]) or (0, 1, "")
    seats = ", ".join(f"as {side} {mean(pair[at][0] for pair in games):.1%}" for at, side in enumerate(sides))
    took = mean(seconds for pair in games for *_, seconds in pair)
    line = f"{nodes} nodes: {mean(scores) / 2:.1%} ({low:.1%} to {high:.1%}) of {2 * pairs} games; {seats}"
    margins = [mean(margin for _, margin, _ in pair) for pair in games]
    reach = 1.96 * stdev(margins) / pairs**0.5
    told = f"; margin {mean(margins):+.3f} ± {reach:.3f}" if any(margins) else ""
    return f"{line}; {took:.3f} s per decision{told}"


def main(words: list[str]) -> None:
    """Play a ladder, a rung at a time."""
    name, pairs, *nodes = words
    folder = EXAMPLES / name / "src"
    prepared = st.load(name, folder if folder.exists() else None).prepare()
    for each in map(int, nodes or NODES):
        print(rung(prepared, each, int(pairs)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
