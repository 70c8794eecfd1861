"""PettingZoo's parallel environment: all agents act at once, and actions count only for agents with a question."""

import copy
from typing import Any

from pettingzoo import ParallelEnv

from sandtable.lab.rl.episode import IllegalAction
from sandtable.lab.rl.observing import Observation
from sandtable.lab.rl.season import RENDER_MODES, Season, Settings
from sandtable.plugin.manager import Prepared

Each = dict[str, Any]


class Parallel(ParallelEnv[str, Observation, int]):
    """A ruleset as a parallel environment.

    In each step, only the actions of agents with an open question count: one agent, or all agents whose orders are
    sealed. The mask of the others allows only action 0, which does nothing. An agent that acts against the mask loses
    immediately (-1), the others get 0, and ``infos`` reports it.
    """

    def __init__(self, prepared: Prepared, settings: Settings) -> None:
        self.season = Season(prepared, settings)
        self.metadata = {"name": self.season.name, "render_modes": list(RENDER_MODES)}
        self.render_mode = settings.render_mode
        self.possible_agents = list(self.season.agents)
        self.agents: list[str] = []
        self._spaces = dict.fromkeys(self.possible_agents, self.season.observer.space)
        self._actions = {agent: self.season.action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of the agent's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of the agent's actions."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: Each | None = None) -> tuple[Each, Each]:  # noqa: ARG002 - PettingZoo's signature
        """Begin the first game of ``seed``, or the next one. Return observations and infos."""
        self.season.reset(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(self, actions: dict[str, int]) -> tuple[Each, Each, Each, Each, Each]:
        """Perform all actions.

        Return observations, rewards, terminations, truncations and infos of the acting agents.
        """
        episode = self.season.episode
        rewards = dict.fromkeys(self.agents, 0.0)
        illegal = ""
        for agent in list(episode.open):
            if agent not in self.agents or episode.is_over:
                continue
            try:
                earned = self.season.act(int(actions[agent]), agent)
            except IllegalAction:
                illegal, rewards = agent, {each: -1.0 if each == agent else 0.0 for each in self.agents}
                break
            rewards = {each: rewards[each] + earned[each] for each in self.agents}
        over = bool(illegal) or episode.is_over
        infos = self._infos()
        if illegal:
            infos[illegal] = {"illegal": True}
        ended = dict.fromkeys(self.agents, over)
        cut = dict.fromkeys(self.agents, not over and episode.is_cut)
        seen = self._observations()
        if over or episode.is_cut:
            self.agents = []
        return seen, rewards, ended, cut, infos

    def _observations(self) -> Each:
        found = {}
        for agent in self.agents:
            found[agent] = self.season.observe(agent)
            if agent not in self.season.episode.open:
                found[agent]["action_mask"][0] = 1
        return found

    def _infos(self) -> Each:
        return {agent: self.season.info(agent) for agent in self.agents}

    def clone(self) -> "Parallel":
        """Return an independent copy with the same state and the same future dice."""
        twin = copy.copy(self)
        twin.season, twin.agents = self.season.clone(), list(self.agents)
        return twin

    def render(self) -> str:
        """Return the board as the first agent with a question sees it, as text or SVG."""
        return self.season.render()

    def close(self) -> None:
        """Do nothing: no resource is open."""
