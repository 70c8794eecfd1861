"""Settings, seeds, rewards and rendering, which all environments share."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from gymnasium import spaces

from sandtable.errors import PlayError
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.endings import WHOLE
from sandtable.lab.rl.episode import Cast, Episode, reward
from sandtable.lab.rl.observing import Observation, Observer
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared

RENDER_MODES = ("ansi", "svg")
STYLES = {"ansi": "text", "svg": "svg"}


@dataclass(frozen=True)
class Settings:
    """The settings of an environment.

    - ``seed``: seed of the first game if ``reset`` names none

    - ``actions``: number of actions
    - ``width``: maximum number of columns of a field of the view
    - ``labels``: number of columns of an action's description (0: none)
    - ``nested``: whether an observation is a dict by field
    - ``bots``: players of the sides that are not agents
    - ``shaping``: share of each change of the evaluation that is paid as reward
    - ``margin``: whether the final reward is the margin instead of that of the share
    - ``most``: number of actions after which a game is cut off (0: never)
    """

    seed: int = 0
    actions: int = 64
    width: int = 256
    labels: int = 0
    nested: bool = False
    bots: Mapping[str, str] = field(default_factory=dict)
    shaping: float = 0.0
    margin: bool = False
    most: int = 0
    render_mode: str | None = None


class Season:
    """One ruleset at one scenario, game after game, as an environment steps it.

    The game of ``reset(seed)`` is always the same. ``reset()`` starts the next game after it.
    """

    def __init__(self, prepared: Prepared, settings: Settings) -> None:
        if settings.render_mode not in {None, *RENDER_MODES}:
            raise PlayError(f"render_mode {settings.render_mode!r} does not exist: choose {', '.join(RENDER_MODES)}")
        self._judge: Callable[..., Any] = prepared.installed.bots.evaluate or nothing
        if settings.shaping and prepared.installed.bots.evaluate is None:
            raise PlayError(f"{prepared.ruleset.id} has no evaluate in its ruleset_bots: it cannot shape rewards")
        self.prepared = prepared
        self.settings = settings
        self._seed = settings.seed
        self._cast = Cast.of(prepared, settings.bots)
        self._count = 0
        self.episode = self._begin()
        self._count = 0
        self.observer = Observer(self.episode, settings.width, settings.labels, nested=settings.nested)
        self.agents = list(self.episode.agents)
        self.pays = False
        """Whether the last action may have brought rewards other than 0."""
        self.name = f"{prepared.ruleset.id}_v{prepared.ruleset.version}"
        self._worth = self._evaluated()

    def clone(self) -> "Season":
        """Return an independent copy with the same state."""
        twin = copy.copy(self)
        twin.episode = self.episode.clone()
        return twin

    def action_space(self) -> spaces.Discrete:
        """Return a new space of actions."""
        return spaces.Discrete(self.settings.actions)

    def reset(self, seed: int | None) -> None:
        """Begin the first game of ``seed``, or the next one."""
        if seed is not None:
            self._seed, self._count = seed, 0
        self.episode = self._begin()
        self._worth = self._evaluated()

    def _begin(self) -> Episode:
        settings = self.settings
        key = key_from_seed(f"{self._seed}/{self._count}")
        self._count += 1
        return Episode(
            self.prepared, key, KeyedDice(key), settings.actions, settings.bots, most=settings.most, cast=self._cast
        )

    def act(self, action: int, agent: str) -> dict[str, float]:
        """Perform the action of ``agent``. Return each agent's reward. Raises IllegalAction."""
        episode = self.episode
        episode.act(action, agent)
        earned = dict.fromkeys(episode.agents, 0.0)
        self.pays = bool(self.settings.shaping)
        if not episode.open and episode.is_over:
            self.pays = True
            final = episode.margins() if self.settings.margin else episode.score()
            earned = dict(final)
        if self.settings.shaping:
            before, self._worth = self._worth, self._evaluated()
            for each, worth in self._worth.items():
                earned[each] += self.settings.shaping * (worth - before[each])
        return earned

    def _evaluated(self) -> dict[str, float]:
        """Return the evaluation of each agent, as a reward: the potential of shaped rewards (Ng et al., 1999)."""
        episode = self.episode
        if not self.settings.shaping or episode.is_over:
            return dict.fromkeys(episode.agents, 0.0)
        chances = self._judge(episode.game.state, self.prepared.board)
        sides = len(self.prepared.ruleset.viewers)
        return {agent: reward(Fraction(chances[side], WHOLE), sides) for agent, side in episode.side_of.items()}

    def observe(self, agent: str, *, asked: bool = True) -> Observation:
        """Return the current observation of ``agent``."""
        return self.observer.observe(self.episode, agent, asked=asked)

    def info(self, agent: str) -> dict[str, Any]:
        """Return the prompt, purpose, part and rule of the agent's open question, or {} if no question is open."""
        picking = self.episode.open.get(agent)
        if picking is None:
            return {}
        decision = picking.decision
        return {"prompt": decision.prompt, "purpose": decision.purpose, "part": picking.part, "rule": decision.rule}

    def choices(self, agent: str = "") -> list[str]:
        """Return a description of each open action of ``agent``, or of the first agent with a question."""
        picking = self.episode.open.get(agent or self.episode.asked)
        return picking.labels() if picking else []

    def render(self, agent: str = "") -> str:
        """Return the board as ``agent``, or the first agent with a question, sees it.

        It is text or SVG, depending on the render mode. Raises PlayError if the ruleset does not draw that.
        """
        episode = self.episode
        shown = episode.view(agent or episode.asked or episode.agents[0])
        style = STYLES[self.settings.render_mode or "ansi"]
        drawn = self.prepared.installed.draw(shown, self.prepared.board, style)
        if drawn is None:
            raise PlayError(f"{self.prepared.ruleset.id} draws no {style}")
        return drawn
