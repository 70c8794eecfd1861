"""Kuhn poker, solved on an ``Episode`` by tabular counterfactual regret minimization, to a thousandth of a chip.

    python docs/research/kuhn_cfr.py

The code contains no rule of poker. An ``Episode`` grows the tree: every roll is a branch, a side knows its view and its
pending decision, and the margin at the end is the payoff. Regrets are stored as in Tammelin's CFR+ (2014).
"""

import sys
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import sandtable as st
from sandtable.kernel.dice import ChanceDice, key_from_seed
from sandtable.lab.rl.episode import Episode
from sandtable.plugin.manager import Prepared

KUHN = Path(__file__).parents[1] / "examples" / "kuhn" / "src"

Strategy = dict[str, list[float]]
"""Probability of each action, by the information of the player."""


@dataclass
class Node:
    """A node of the tree: the acting player ("" for dice or at the end), their information, next nodes, payoff."""

    who: str = ""
    knows: str = ""
    words: list[str] = field(default_factory=list)
    after: list["Node"] = field(default_factory=list)
    paid: dict[str, int] = field(default_factory=dict)


def grown(prepared: Prepared) -> Node:
    """Return the whole tree of a game with few positions."""
    return _grow(Episode(prepared, key_from_seed("tree"), ChanceDice(), 64, {}))


def _grow(episode: Episode) -> Node:
    if episode.is_over:
        return Node(paid=episode.margins())
    roll = episode.roll
    if roll is not None:
        return Node(after=[_after(episode, faces) for faces in product(range(1, roll.sides + 1), repeat=roll.dice)])
    who = episode.asked
    picking = episode.open[who]
    knows = f"{who} {episode.view(who)!r} {picking.made()} {picking.part}"
    return Node(who, knows, picking.labels(), [_after(episode, action) for action in range(picking.count)])


def _after(episode: Episode, what: int | tuple[int, ...]) -> Node:
    twin = episode.clone()
    if isinstance(what, int):
        twin.act(what)
    else:
        twin.resolve_roll(what)
    return _grow(twin)


def solved(root: Node, players: list[str], rounds: int) -> Strategy:
    """Return the average strategy after ``rounds`` rounds of CFR+, with more weight on later rounds."""
    regrets: dict[str, list[float]] = {}
    sums: dict[str, list[float]] = {}
    for number in range(1, rounds + 1):
        for me in players:
            plan = {knows: _shares(own) for knows, own in regrets.items()}
            _walk(root, me, dict.fromkeys(players, 1.0), plan, regrets, sums, number)
            for knows, own in regrets.items():
                regrets[knows] = [max(0.0, each) for each in own]
    return {knows: _shares(own) for knows, own in sums.items()}


def _shares(weights: list[float]) -> list[float]:
    total = sum(max(0.0, each) for each in weights)
    return [max(0.0, each) / total for each in weights] if total > 0 else [1 / len(weights)] * len(weights)


def _walk(node: Node, me: str, reach: Any, plan: Strategy, regrets: Any, sums: Any, number: int) -> float:
    """Return the expected payoff of ``me`` at ``node``, weighted by the reach probabilities of the others and dice."""
    if not node.after:
        return float(node.paid[me])
    if not node.who:
        return sum(_walk(each, me, reach, plan, regrets, sums, number) for each in node.after) / len(node.after)
    strategy = plan.get(node.knows) or [1 / len(node.after)] * len(node.after)
    regret = regrets.setdefault(node.knows, [0.0] * len(node.after))
    others = 1.0
    for name, share in reach.items():
        others *= 1.0 if name == me else share
    values = []
    for share, each in zip(strategy, node.after, strict=True):
        values.append(_walk(each, me, reach | {node.who: reach[node.who] * share}, plan, regrets, sums, number))
    value = sum(share * each for share, each in zip(strategy, values, strict=True))
    if node.who == me:
        own = sums.setdefault(node.knows, [0.0] * len(node.after))
        for place, each in enumerate(values):
            regret[place] += others * (each - value)
            own[place] += number * reach[me] * strategy[place]
    return value


def expected(root: Node, strategy: Strategy, me: str) -> float:
    """Return the expected payoff of ``me`` if all players follow ``strategy``."""
    if not root.after:
        return float(root.paid[me])
    shares = strategy[root.knows] if root.who else [1 / len(root.after)] * len(root.after)
    return sum(share * expected(each, strategy, me) for share, each in zip(shares, root.after, strict=True))


def best_answer(root: Node, strategy: Strategy, me: str) -> float:
    """Return the maximum expected payoff of ``me`` against ``strategy``, by the best action per information set."""
    picks: dict[str, int] = {}

    def value(node: Node) -> float:
        if not node.after:
            return float(node.paid[me])
        if node.who == me:
            return value(node.after[picks[node.knows]])
        shares = strategy[node.knows] if node.who else [1 / len(node.after)] * len(node.after)
        return sum(share * value(each) for share, each in zip(shares, node.after, strict=True) if share)

    places: dict[str, list[tuple[int, float, Node]]] = {}

    def gather(node: Node, depth: int, weight: float) -> None:
        if node.who == me:
            places.setdefault(node.knows, []).append((depth, weight, node))
        even = 1.0 if node.who == me else 1 / max(1, len(node.after))
        shares = None if node.who == me else strategy.get(node.knows)
        for place, each in enumerate(node.after):
            gather(each, depth + 1, weight * (shares[place] if shares else even))

    gather(root, 0, 1.0)
    for knows, here in sorted(places.items(), key=lambda item: -item[1][0][0]):  # the deepest first
        worths = [
            sum(weight * value(node.after[at]) for _, weight, node in here) for at in range(len(here[0][2].after))
        ]
        picks[knows] = worths.index(max(worths))
    return value(root)


def exploitability(root: Node, strategy: Strategy, players: list[str]) -> float:
    """Return the mean gain of a best response to ``strategy`` over the players, in chips per game."""
    return sum(best_answer(root, strategy, me) for me in players) / len(players)


def main(rounds: int) -> None:
    """Solve Kuhn poker, and print the strategy and its exploitability."""
    prepared = st.load("kuhn", KUHN).prepare()
    root, players = grown(prepared), ["first_0", "second_1"]
    strategy = solved(root, players, rounds)
    for knows, shares in sorted(strategy.items()):
        print(f"{knows}: {', '.join(f'{share:.3f}' for share in shares)}")
    value = expected(root, strategy, players[0])
    print(f"first may expect {value:+.5f} chips a game (exactly -1/18 = {-1 / 18:+.5f})")
    print(f"exploitability {exploitability(root, strategy, players):.5f} chips a game after {rounds} rounds")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
