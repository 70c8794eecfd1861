"""Steps per second of Sandtable's environments and of PettingZoo's tic-tac-toe, alternately in one process.

    python docs/research/rl_speed.py                  # tic-tac-toe against PettingZoo's, then all games
    python docs/research/rl_speed.py tictactoe        # one of them

Legal actions are random, and every observation is taken. The figure is processor time, the best of several runs of one
second. PettingZoo's game requires pygame for drawing; if it is missing, an empty module replaces it, because nothing
is drawn.
"""

import random
import sys
import time
import types
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import sandtable as st

GAMES = {
    "tictactoe": "",
    "toy": "",
    "desert_aa": "frontier",
    "kampfpanzer": "abbeville",
    "khamsin": "teaching",
    "axis_attack": "",
    "damos": "smolensk",
}
TURNS = 4


def theirs() -> Any:
    """Return PettingZoo's own tic-tac-toe."""
    try:
        import pygame  # noqa: F401, PLC0415 - only if it is installed
    except ImportError:
        sys.modules["pygame"] = types.ModuleType("pygame")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import tictactoe_v3  # noqa: PLC0415 - after the stub of pygame

        return tictactoe_v3.env()


def steps_a_second(env: Any, seconds: float = 1.0) -> float:
    """Return how many steps were made, by the time of the processor."""
    chance, steps, seed, began = random.Random(1), 0, 0, time.process_time()  # noqa: S311 - no secret
    while time.process_time() - began < seconds:
        seed += 1
        env.reset(seed=seed)
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
            else:
                steps += 1
                env.step(chance.choice(np.flatnonzero(seen["action_mask"]).tolist()))
    return steps / (time.process_time() - began)


def best(makers: list[Callable[[], Any]]) -> list[float]:
    """Return the best figure of each environment, measured in turn."""
    envs = [make() for make in makers]
    rounds = [[steps_a_second(env) for env in envs] for _ in range(TURNS)]
    return [max(each) for each in zip(*rounds, strict=True)]


def main(names: list[str]) -> None:
    """Measure, and print a line each."""
    if "tictactoe" in names:
        own, other = best([lambda: st.make("tictactoe"), theirs])
        print(f"tictactoe {own:,.0f} steps/s, PettingZoo's own {other:,.0f}: {own / other:.2f} times")
    for name in names:
        if name != "tictactoe":
            (own,) = best([partial(st.make, name, GAMES[name], most=20_000)])
            print(f"{name} {own:,.0f} steps/s")


if __name__ == "__main__":
    main(sys.argv[1:] or list(GAMES))
