"""PettingZoo's agent environment cycle: agents act in turn, choice by choice."""

import copy
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from sandtable.plugin.manager import Prepared
from sandtable.rl.observing import Observation
from sandtable.rl.season import RENDER_MODES, Season, Settings


class AgentCycle(AECEnv[str, Observation, int]):
    """A ruleset as an AEC environment; an action that the mask does not allow raises IllegalAction.

    ``choices()`` tells in words what the open actions mean, ``clone()`` gives an independent copy.
    """

    def __init__(self, prepared: Prepared, settings: Settings) -> None:
        super().__init__()
        self.season = Season(prepared, settings)
        self.metadata = {"name": self.season.name, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.render_mode = settings.render_mode
        self.possible_agents = list(self.season.agents)
        self._spaces = dict.fromkeys(self.possible_agents, self.season.observer.space)
        self._actions = {agent: self.season.action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of the agent's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of the agent's actions."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin the first game of ``seed``, or the next one."""
        self.season.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn()

    def _turn(self) -> None:
        episode = self.season.episode
        if episode.is_over or episode.is_cut:
            self.terminations = dict.fromkeys(self.agents, episode.is_over)
            self.truncations = dict.fromkeys(self.agents, episode.is_cut)
            return
        self.agent_selection = episode.asked
        self.infos[self.agent_selection] = self.season.info(self.agent_selection)

    def step(self, action: int | None) -> None:
        """Let the agent selected act; one whose game is over gives None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self.season.act(-1 if action is None else int(action), agent)
        self._turn()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """Return what ``agent`` is given now; the mask is all 0 for who is not selected."""
        return self.season.observe(agent, asked=agent == self.agent_selection)

    def choices(self) -> list[str]:
        """Return in words what each open action means."""
        return self.season.choices(self.agent_selection)

    def clone(self) -> "AgentCycle":
        """Return an independent copy that stands where this one stands, and has the same luck."""
        return copied(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> "AgentCycle":
        """Copy as ``clone`` does."""
        return copied(self)

    def render(self) -> str:
        """Return the board as the agent selected sees it: text or SVG."""
        return self.season.render(self.agent_selection)

    def close(self) -> None:
        """Do nothing: nothing is held open."""


def copied(env: AgentCycle) -> AgentCycle:
    """Return an independent copy of ``env``."""
    twin = copy.copy(env)
    twin.season = env.season.clone()
    for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
        if hasattr(env, name):
            setattr(twin, name, copy.copy(getattr(env, name)))
    return twin


def wrapped(env: AgentCycle) -> AECEnv[str, Observation, int]:
    """Return ``env`` in PettingZoo's usual wrappers: who acts against the mask loses at once, out of order is told."""
    guarded: Any = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    guarded = wrappers.AssertOutOfBoundsWrapper(guarded)
    return wrappers.OrderEnforcingWrapper(guarded)
