"""Gymnasium environments: one side plays by actions, bots play the others."""

from typing import Any

import gymnasium

from sandtable.lab.rl.episode import IllegalAction
from sandtable.lab.rl.observing import Mask
from sandtable.lab.rl.season import RENDER_MODES, Season, Settings
from sandtable.plugin.manager import Prepared


class OneSide(gymnasium.Env[Any, int]):
    """A ruleset as a Gymnasium environment for the one side that no bot plays.

    The observation is the field ``observation`` of the PettingZoo observation. The mask is in ``info["action_mask"]``
    and in ``action_masks()``, where maskable learners expect it. An action against the mask loses immediately (-1).
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES)}

    def __init__(self, prepared: Prepared, settings: Settings) -> None:
        self.season = Season(prepared, settings)
        self.agent = self.season.agents[0]
        self.render_mode = settings.render_mode
        self.observation_space = self.season.observer.space["observation"]
        self.action_space = self.season.action_space()  # type: ignore[assignment]  # a Discrete yields numpy integers

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin the first game of ``seed``, or the next one."""
        super().reset(seed=seed, options=options)
        self.season.reset(seed)
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Perform an action. Return observation, reward, terminated, truncated and info."""
        episode = self.season.episode
        try:
            reward = self.season.act(int(action), self.agent)[self.agent]
        except IllegalAction:
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        return self._observation(), reward, episode.is_over, episode.is_cut, self._info()

    def action_masks(self) -> Mask:
        """Return the mask of the open choice."""
        return self.season.observer.mask(self.season.episode.open.get(self.agent))

    def choices(self) -> list[str]:
        """Return a description of each open action."""
        return self.season.choices()

    def _observation(self) -> Any:
        return self.season.observe(self.agent)["observation"]

    def _info(self) -> dict[str, Any]:
        return {**self.season.info(self.agent), "action_mask": self.action_masks()}

    def render(self) -> str:
        """Return the board as the side sees it, as text or SVG."""
        return self.season.render(self.agent)
