"""A small network that learns to beat random play in desert_aa's Frontier, by policy gradients, in minutes on one core.

    pip install 'sandtable[rl]' torch
    python docs/research/desert_torch.py --games 4000 --save frontier.pt
    python docs/research/desert_torch.py --load frontier.pt --games 0 --matches 400

One network plays both sides against the bot ``random``. It sees the view of its side in hashed columns, and each open
action as the words that describe it. The number of an action has a different meaning in each decision, so the network
scores actions by their words. Its reward is the change of the ruleset's own evaluation (``shaping``) and the outcome.
It learns by clipped policy gradients (Schulman et al. 2017), with advantages over a learned value (Schulman et al.
2016). At the end the network, the untrained network and uniformly random choices play the same games, and the gain
from learning is printed with its interval.
"""

import argparse
import copy
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

import sandtable as st

SIDES = ("axis", "allies")
WORDS, WIDTH, HIDDEN = 48, 48, 64
BATCH = 40
"""Games between two rounds of learning."""

EPOCHS, PIECE = 4, 1_000
"""Number of passes over each step, and number of steps per batch."""

LATER, TRACE = 0.99, 0.95
"""Discount of a reward per choice; weight of the actual course against the learned value (lambda)."""

CLIP, RATE, UNSURE = 0.2, 1e-3, 0.01

Array = np.ndarray[Any, np.dtype[np.float32]]
Chooser = Callable[[Array, Array, Any], int]
"""A function from (observation, words of the open actions, random generator) to an action."""


class Step(NamedTuple):
    """A choice: the observation, the words of the open actions, the chosen action, and its immediate reward."""

    seen: Array
    words: Array
    action: int
    reward: float


class Network(nn.Module):
    """Scores open actions, and estimates the value of a position."""

    def __init__(self, columns: int) -> None:
        super().__init__()
        self.view = nn.Sequential(nn.Linear(columns + 1, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, HIDDEN), nn.Tanh())
        self.score = nn.Sequential(nn.Linear(HIDDEN + WORDS, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 1))
        self.worth = nn.Linear(HIDDEN, 1)

    def forward(self, seen: Tensor, words: Tensor, whose: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logarithm of the probability of each action, and the value of each step.

        ``words`` are the words of all actions of all steps, ``whose`` the index of the step of each action.
        """
        view = self.view(seen)
        scores = self.score(torch.cat([view[whose], words], dim=1)).squeeze(1)
        most = torch.full((len(seen),), -1e9).scatter_reduce(0, whose, scores.detach(), "amax")
        shifted = scores - most[whose]
        sums = torch.zeros(len(seen)).index_add(0, whose, shifted.exp())
        return shifted - sums.log()[whose], self.worth(view).squeeze(1)


def chooser(network: Network, *, best: bool = False) -> Chooser:
    """Return a chooser that samples the policy of the network, or always takes the ``best`` action.

    It uses NumPy, which is faster for one step at a time.
    """
    parts = [network.view[0], network.view[2], network.score[0], network.score[2]]
    (one, at_one), (two, at_two), (three, at_three), (four, _) = (
        (part.weight.detach().numpy(), part.bias.detach().numpy()) for part in parts
    )

    def choose(seen: Array, words: Array, chance: Any) -> int:
        view = np.tanh(two @ np.tanh(one @ seen + at_one) + at_two)
        hidden = np.tanh(words @ three[:, HIDDEN:].T + (three[:, :HIDDEN] @ view + at_three))
        scores = (hidden @ four[0]).astype(np.float64)
        if best:
            return int(scores.argmax())
        shares = np.exp(scores - scores.max())
        return int(chance.choice(len(shares), p=shares / shares.sum()))

    return choose


def evenly(seen: Array, words: Array, chance: Any) -> int:  # noqa: ARG001 - the shape of a chooser
    """Return a uniformly random action."""
    return int(chance.integers(len(words)))


def made(side: str, *, shaping: float) -> Any:
    """Return an environment in which the bot ``random`` plays the other side."""
    other = SIDES[1 - SIDES.index(side)]
    bots = {other: "random"}
    return st.make("desert_aa", "frontier", bots=bots, labels=WORDS, width=WIDTH, shaping=shaping).unwrapped


def seen_by(side: str, observation: Array) -> Array:
    """Return the input of the network: the observation with large numbers compressed, and its side."""
    small = np.sign(observation) * np.log1p(np.abs(observation))
    return np.append(small, np.float32(SIDES.index(side))).astype(np.float32)


def play(env: Any, side: str, choose: Chooser, seed: int) -> tuple[list[Step], float]:
    """Play a game; return its steps, and the score from 0 to 1."""
    env.reset(seed=seed)
    agent, chance = env.agents[0], np.random.default_rng(seed)
    steps = []
    while not (env.terminations[agent] or env.truncations[agent]):
        told = env.observe(agent)
        seen, words = seen_by(side, told["observation"]), told["choices"][: int(told["action_mask"].sum())]
        action = choose(seen, words, chance)
        env.step(action)
        steps.append(Step(seen, words, action, float(env.rewards[agent])))
    return steps, (env.season.episode.score()[agent] + 1) / 2


def advantages(steps: list[Step], worths: Array) -> Array:
    """Return the advantage of each step: its gain over the estimated value of the position before it."""
    found, after, worth_after = np.zeros(len(steps), np.float32), 0.0, 0.0
    for place in range(len(steps) - 1, -1, -1):
        surprise = steps[place].reward + LATER * worth_after - worths[place]
        found[place] = after = surprise + LATER * TRACE * after
        worth_after = float(worths[place])
    return found


def arrays(steps: list[Step]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return observations, all words, the step of each, and the index of the chosen action of each step."""
    counts = np.array([len(step.words) for step in steps])
    firsts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    taken = torch.from_numpy(firsts + np.array([step.action for step in steps]))
    whose = torch.from_numpy(np.repeat(np.arange(len(steps)), counts))
    seen, words = np.stack([step.seen for step in steps]), np.concatenate([step.words for step in steps])
    return torch.from_numpy(seen), torch.from_numpy(words), whose, taken


def learn(network: Network, games: list[list[Step]], optimiser: Any) -> None:
    """Learn from some games."""
    steps = [step for game in games for step in game]
    seen, words, whose, taken = arrays(steps)
    with torch.no_grad():
        logs, worths = network(seen, words, whose)
    before, known = logs[taken], worths.numpy()
    ends = np.cumsum([len(game) for game in games])
    gains = [advantages(game, known[end - len(game) : end]) for game, end in zip(games, ends, strict=True)]
    gain = torch.from_numpy(np.concatenate(gains))
    wanted = worths + gain
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)
    for _ in range(EPOCHS):
        for at in torch.randperm(len(steps)).split(PIECE):
            logs, worth, chosen = _again(network, [steps[place] for place in at])
            ratio = (chosen - before[at]).exp()
            better = torch.minimum(ratio * gain[at], ratio.clamp(1 - CLIP, 1 + CLIP) * gain[at]).mean()
            unsure = -(logs.exp() * logs).sum() / len(at)
            loss = 0.5 * (wanted[at] - worth).square().mean() - better - UNSURE * unsure
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()


def _again(network: Network, steps: list[Step]) -> tuple[Tensor, Tensor, Tensor]:
    """Return the network's current logarithms and values for some steps, and the logarithms of the chosen actions."""
    seen, words, whose, taken = arrays(steps)
    logs, worth = network(seen, words, whose)
    return logs, worth, logs[taken]


def trained(network: Network, games: int, shaping: float) -> None:
    """Let the network play ``games`` games, and learn from them."""
    envs = {side: made(side, shaping=shaping) for side in SIDES}
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE)
    scores = []
    for first in range(0, games, BATCH):
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 - first / games)
        batch = []
        choose = chooser(network)
        for seed in range(first, first + BATCH):
            side = SIDES[seed % 2]
            steps, score = play(envs[side], side, choose, 1_000_000 + seed // 2)
            batch.append(steps)
            scores.append(score)
        learn(network, batch, optimiser)
        if first // BATCH % 10 == 9:
            late = np.mean(scores[-10 * BATCH :])
            told(f"{first + BATCH} games, {time.process_time():.0f} s of processor: {late:.1%} of the last 400")


def scores_of(choose: Chooser, pairs: int) -> Array:
    """Return scores against ``random``, in pairs of games with the same seed, each side once."""
    envs = {side: made(side, shaping=0.0) for side in SIDES}
    return np.array([[play(envs[side], side, choose, seed)[1] for side in SIDES] for seed in range(pairs)])


def interval(of: Array) -> str:
    """Return a mean and its 95 % interval."""
    mean, reach = of.mean(), 1.96 * of.std(ddof=1) / np.sqrt(len(of))
    return f"{mean:.1%}, {mean - reach:.1%} to {mean + reach:.1%}"


def compared(players: dict[str, Chooser], pairs: int) -> Iterator[str]:
    """Yield the score of each player against ``random``, and the lead of the first over each of the others."""
    scores = {name: scores_of(choose, pairs) for name, choose in players.items()}
    first, *others = players
    for name, own in scores.items():
        sides = ", ".join(f"as {side} {own[:, at].mean():.1%}" for at, side in enumerate(SIDES))
        yield f"{name}: {interval(own.mean(axis=1))} of {2 * pairs} games against random; {sides}"
    for name in others:
        yield f"{first} less {name}: {interval((scores[first] - scores[name]).mean(axis=1))}"


def told(line: str) -> None:
    """Print a line."""
    print(line, flush=True)


def main() -> None:
    """Train, measure, save."""
    options = argparse.ArgumentParser(description="A small network against chance in desert_aa's Frontier.")
    options.add_argument("--games", type=int, default=4000)
    options.add_argument("--matches", type=int, default=200, help="pairs of games to measure by")
    options.add_argument("--shaping", type=float, default=1.0)
    options.add_argument("--save")
    options.add_argument("--load")
    chosen = options.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = Network(len(made(SIDES[0], shaping=0.0).season.observer.names()))
    untrained = chooser(copy.deepcopy(network))
    if chosen.load:
        network.load_state_dict(torch.load(chosen.load, weights_only=True))
    trained(network, chosen.games, chosen.shaping)
    if chosen.save:
        torch.save(network.state_dict(), chosen.save)
    players = {"the network, drawing by its shares": chooser(network), "its best action": chooser(network, best=True)}
    for line in compared(players | {"the network untrained": untrained, "even drawing": evenly}, chosen.matches):
        told(line)


if __name__ == "__main__":
    main()
