"""PettingZoo's agent environment cycle (AEC): agents act in turn, one choice at a time."""

import copy
from collections.abc import Iterator
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from sandtable.lab.rl.episode import IllegalAction
from sandtable.lab.rl.observing import Observation
from sandtable.lab.rl.season import RENDER_MODES, Season, Settings
from sandtable.plugin.manager import Prepared

OUT_OF_BOUNDS = "action is not in action space"


class AgentCycle(AECEnv[str, Observation, int]):
    """A ruleset as an AEC environment. An action outside the mask raises IllegalAction.

    ``choices()`` describes the open actions, and ``clone()`` returns an independent copy.
    """

    def __init__(self, prepared: Prepared, settings: Settings) -> None:
        super().__init__()
        self.season = Season(prepared, settings)
        self.metadata = {"name": self.season.name, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.render_mode = settings.render_mode
        self.possible_agents = list(self.season.agents)
        self._spaces = dict.fromkeys(self.possible_agents, self.season.observer.space)
        self._actions = {agent: self.season.action_space() for agent in self.possible_agents}
        self._moved = False

    def observation_space(self, agent: str) -> Any:
        """Return the space of the agent's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of the agent's actions."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo's signature
        """Begin the first game of ``seed``, or the next one."""
        self.season.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._moved = True
        selected = self.season.episode.asked
        if selected:
            self.agent_selection = selected
            self.infos[selected] = self.season.info(selected)
        else:
            self._end()

    def step(self, action: int | None) -> None:
        """Perform the selected agent's action, which is None if its game is over."""
        agent = self.agent_selection
        self._moved = True
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        season = self.season
        self.rewards = earned = season.act(-1 if action is None else action, agent)
        episode = season.episode
        if episode.open and not episode.is_cut:
            self.agent_selection = selected = episode.asked
            self.infos[selected] = season.info(selected)
        else:
            self._end()
        if season.pays:
            for each, reward in earned.items():
                self._cumulative_rewards[each] += reward

    def _end(self) -> None:
        episode = self.season.episode
        self.terminations = dict.fromkeys(self.agents, episode.is_over)
        self.truncations = dict.fromkeys(self.agents, episode.is_cut)

    def observe(self, agent: str) -> Observation:
        """Return the current observation of ``agent``. The mask is all 0 unless ``agent`` is selected."""
        season = self.season
        return season.observer.observe(season.episode, agent, asked=agent == self.agent_selection)

    def choices(self) -> list[str]:
        """Return a description of each open action."""
        return self.season.choices(self.agent_selection)

    def clone(self) -> "AgentCycle":
        """Return an independent copy with the same state and the same future dice."""
        return copied(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> "AgentCycle":
        """Copy as ``clone`` does."""
        return copied(self)

    def render(self) -> str:
        """Return the board as the selected agent sees it, as text or SVG."""
        return self.season.render(self.agent_selection)

    def close(self) -> None:
        """Do nothing: no resource is open."""


def copied(env: AgentCycle) -> AgentCycle:
    """Return an independent copy of ``env``."""
    twin = copy.copy(env)
    twin.season = env.season.clone()
    for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
        if hasattr(env, name):
            setattr(twin, name, copy.copy(getattr(env, name)))
    return twin


class GuardedCycle(AgentCycle):
    """An AgentCycle with the behavior of PettingZoo's default wrappers, in one class for speed.

    An agent that acts against the mask loses immediately (-1) and the game is over (TerminateIllegalWrapper). Actions
    out of bounds (AssertOutOfBoundsWrapper) and calls out of order (OrderEnforcingWrapper) are refused.
    """

    @property
    def unwrapped(self) -> AgentCycle:
        """The same environment without the guards: an action against the mask raises IllegalAction."""
        raw = AgentCycle.__new__(AgentCycle)
        raw.__dict__ = self.__dict__
        return raw

    def step(self, action: int | None) -> None:
        """Perform the selected agent's action, which is None if its game is over."""
        try:
            super().step(action)
        except IllegalAction:
            agent = self.agent_selection
            assert self._actions[agent].contains(action), OUT_OF_BOUNDS  # noqa: S101 - as the wrapper does
            self._break_off(agent)
        except AttributeError:
            if self._begun:
                raise
            EnvLogger.error_step_before_reset()
        except KeyError:
            if self.agents:
                raise
            EnvLogger.warn_step_after_terminated_truncated()

    def _break_off(self, loser: str) -> None:
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[loser] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0) | {loser: -1.0}
        self._accumulate_rewards()
        self._deads_step_first()

    @property
    def _begun(self) -> bool:
        return hasattr(self, "agents")

    def observe(self, agent: str) -> Observation:
        """Return the current observation of ``agent``. The mask is all 0 unless ``agent`` is selected."""
        try:
            return super().observe(agent)
        except AttributeError:
            if self._begun:
                raise
            EnvLogger.error_observe_before_reset()
            raise

    def render(self) -> str:
        """Return the board as the selected agent sees it, as text or SVG."""
        if not self._begun:
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yield the selected agent repeatedly. A step must follow each time."""
        if not self._begun:
            EnvLogger.error_agent_iter_before_reset()
        return self._turns(max_iter)

    def _turns(self, most: int) -> Iterator[str]:
        while self.agents and most > 0:
            assert self._moved, "need to call step() or reset() in a loop over `agent_iter`"  # noqa: S101 - as the wrapper does
            self._moved = False
            most -= 1
            yield self.agent_selection
