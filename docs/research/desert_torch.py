"""A small network that learns to beat chance in desert_aa's Frontier, by policy gradients, in some minutes on one core.

    pip install 'sandtable[rl]' torch
    python docs/research/desert_torch.py --games 3000 --save frontier.pt
    python docs/research/desert_torch.py --load frontier.pt --games 0 --matches 400

One network plays both sides against the bot ``random``. It sees the view of its side in hashed columns, and each open
action as the words that say what it means: what an action's number means differs from question to question, so it
scores actions by their words. It is paid the change of the ruleset's own evaluation on the way (``shaping``) and the
outcome. The gradient is that of the advantage over a value that is learnt besides (Williams 1992; Mnih et al. 2016).
"""

import argparse
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

import sandtable as st

SIDES = ("axis", "allies")
WORDS, WIDTH, HIDDEN = 48, 48, 96
BATCH = 8
"""Games between two steps of the optimiser."""

LATER = 0.9
"""What a reward one choice later counts: shaped rewards come soon after what earned them."""


class Network(nn.Module):
    """Scores each open action, and says what a game is worth."""

    def __init__(self, columns: int) -> None:
        super().__init__()
        self.view = nn.Sequential(nn.Linear(columns + 1, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.score = nn.Sequential(nn.Linear(HIDDEN + WORDS, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))
        self.worth = nn.Linear(HIDDEN, 1)

    def forward(self, seen: Tensor, words: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logarithms of how likely each action is, and the worth; all by rows."""
        view = self.view(seen)
        both = torch.cat([view.unsqueeze(1).expand(-1, words.shape[1], -1), words], dim=2)
        scores = self.score(both).squeeze(2).masked_fill(~mask, -1e9)
        return torch.log_softmax(scores, dim=1), self.worth(view).squeeze(1)


def made(side: str, *, shaping: float) -> Any:
    """Return an environment in which chance plays the other side."""
    other = SIDES[1 - SIDES.index(side)]
    bots = {other: "random"}
    return st.make("desert_aa", "frontier", bots=bots, labels=WORDS, width=WIDTH, shaping=shaping).unwrapped


def seen_by(side: str, observation: np.ndarray) -> np.ndarray:
    """Return what the network is told: large numbers shrunk, and which side it plays."""
    small = np.sign(observation) * np.log1p(np.abs(observation))
    return np.append(small, np.float32(SIDES.index(side))).astype(np.float32)


def play(env: Any, side: str, network: Network | None, seed: int) -> tuple[list[Any], list[float], float]:
    """Play a game; return its steps (what was seen, words, mask, action), rewards, and the score from 0 to 1.

    Without a network actions are drawn at random.
    """
    env.reset(seed=seed)
    agent, chance = env.agents[0], np.random.default_rng(seed)
    steps, rewards = [], []
    while not (env.terminations[agent] or env.truncations[agent]):
        told = env.observe(agent)
        number = int(told["action_mask"].sum())
        seen, words = seen_by(side, told["observation"]), told["choices"][:number]
        if network is None:
            action = int(chance.integers(number))
        else:
            with torch.no_grad():
                everything = torch.ones(1, number, dtype=torch.bool)
                logs, _ = network(torch.from_numpy(seen)[None], torch.from_numpy(words)[None], everything)
            shares = logs[0].exp().double().numpy()
            action = int(chance.choice(number, p=shares / shares.sum()))
        env.step(action)
        steps.append((seen, words, action))
        rewards.append(float(env.rewards[agent]))
    score = env.season.episode.score()[agent]
    return steps, rewards, (score + 1) / 2


def discounted(rewards: list[float]) -> np.ndarray:
    """Return what each step came to: its reward and, for less and less, those after it."""
    found, after = np.zeros(len(rewards), np.float32), 0.0
    for place in range(len(rewards) - 1, -1, -1):
        found[place] = after = rewards[place] + LATER * after
    return found


def learn(network: Network, games: list[tuple[list[Any], list[float]]], optimiser: Any) -> None:
    """Take a step by what came of some games."""
    steps = [step for own, _ in games for step in own]
    returns = np.concatenate([discounted(rewards) for _, rewards in games])
    most = max(len(words) for _, words, _ in steps)
    seen = torch.from_numpy(np.stack([each for each, _, _ in steps]))
    words = torch.zeros(len(steps), most, WORDS)
    mask = torch.zeros(len(steps), most, dtype=torch.bool)
    for place, (_, own, _) in enumerate(steps):
        words[place, : len(own)] = torch.from_numpy(own)
        mask[place, : len(own)] = True
    actions = torch.tensor([action for *_, action in steps])
    logs, worth = network(seen, words, mask)
    wanted = torch.from_numpy(returns)
    gain = wanted - worth.detach()
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)
    chosen = logs.gather(1, actions[:, None]).squeeze(1)
    unsure = -(logs.exp() * logs.masked_fill(~mask, 0.0)).sum(dim=1)
    loss = -(gain * chosen).mean() + 0.5 * (wanted - worth).square().mean() - 0.01 * unsure.mean()
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()


def trained(network: Network, games: int, shaping: float) -> None:
    """Let the network play so many games, and learn from them."""
    envs = {side: made(side, shaping=shaping) for side in SIDES}
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
    began, scores = time.monotonic(), []
    for first in range(0, games, BATCH):
        batch = []
        for seed in range(first, first + BATCH):
            side = SIDES[seed % 2]
            steps, rewards, score = play(envs[side], side, network, 1_000_000 + seed // 2)
            batch.append((steps, rewards))
            scores.append(score)
        learn(network, batch, optimiser)
        if first // BATCH % 10 == 9:
            late = np.mean(scores[-10 * BATCH :])
            print(f"{first + BATCH} games, {time.monotonic() - began:.0f} s: {late:.1%} of the last")  # noqa: T201


def measured(network: Network | None, pairs: int) -> Iterator[str]:
    """Yield scores against chance, in pairs of games with the same seed, each side once; with 95 % intervals."""
    envs = {side: made(side, shaping=0.0) for side in SIDES}
    won = {side: [play(envs[side], side, network, seed)[2] for seed in range(pairs)] for side in SIDES}
    for side in SIDES:
        yield f"as {side}: {np.mean(won[side]):.1%} of {pairs}"
    both = (np.array(won[SIDES[0]]) + np.array(won[SIDES[1]])) / 2
    reach = 1.96 * both.std() / np.sqrt(pairs)
    yield f"in all: {both.mean():.1%} of {2 * pairs} games, {both.mean() - reach:.1%} to {both.mean() + reach:.1%}"


def main() -> None:
    """Train, measure, save."""
    options = argparse.ArgumentParser(description="A small network against chance in desert_aa's Frontier.")
    options.add_argument("--games", type=int, default=3000)
    options.add_argument("--matches", type=int, default=200, help="pairs of games to measure by")
    options.add_argument("--shaping", type=float, default=1.0)
    options.add_argument("--save")
    options.add_argument("--load")
    chosen = options.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = Network(len(made(SIDES[0], shaping=0.0).season.observer.names()))
    if chosen.load:
        network.load_state_dict(torch.load(chosen.load, weights_only=True))
    trained(network, chosen.games, chosen.shaping)
    if chosen.save:
        torch.save(network.state_dict(), chosen.save)
    for who, player in (("chance", None), ("the network", network)):
        for line in measured(player, chosen.matches):
            print(f"{who} {line}")  # noqa: T201


if __name__ == "__main__":
    main()
