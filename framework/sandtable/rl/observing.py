"""What an agent is given at a choice: the view, the question and the mask, as arrays; and the spaces of these."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sandtable.rl.episode import Episode, Picking
from sandtable.rl.features import MOST, Array, Columns, hashed

QUESTION = 64
"""Columns for the open question: phase, purpose and part, and what was chosen so far."""

Observation = dict[str, Any]
Mask = NDArray[np.int8]


class Observer:
    """Makes the observations of one ruleset and scenario; ``space`` is what they are in.

    ``observation`` holds the view (see ``features``) and the open question: one flat array, or with ``nested`` a dict
    of named ones. ``action_mask`` is 1 for each action that may be taken, all 0 for who is not asked. With ``labels``
    columns, ``choices`` holds the words of each open action, hashed: what the numbers mean differs from question to
    question.
    """

    def __init__(self, first: Episode, width: int, labels: int, *, nested: bool) -> None:
        self.columns = Columns(first.view(first.agents[0]), width)
        self.actions = first.actions
        self.labels = labels
        self.nested = nested
        self._kept: dict[str, tuple[int, Array]] = {}
        self._episode: Episode | None = None
        self.space = spaces.Dict(
            {
                "observation": self._space(),
                "action_mask": spaces.Box(0, 1, (self.actions,), np.int8),
                **({"choices": _box(self.actions, labels)} if labels else {}),
            }
        )

    def _space(self) -> spaces.Space[Any]:
        size = self.columns.size + QUESTION
        if not self.nested:
            return _box(size)
        parts = self.parted(np.zeros(size, np.float32))
        return spaces.Dict({name: _box(len(part)) for name, part in parts.items()})

    def names(self) -> list[str]:
        """Return the name of each column of the flat observation."""
        return [*self.columns.names(), *(f"question[{place}]" for place in range(QUESTION))]

    def observe(self, episode: Episode, agent: str, *, asked: bool = True) -> Observation:
        """Return what ``agent`` is given now; the mask is all 0 unless he is ``asked``."""
        picking = episode.open.get(agent) if asked else None
        size = self.columns.size
        flat = np.zeros(size + QUESTION, np.float32)
        flat[:size] = self._view(episode, agent)
        if picking is not None:
            _ask(flat[size:], episode, picking)
        found: Observation = {
            "observation": self.parted(flat) if self.nested else flat,
            "action_mask": self.mask(picking),
        }
        if self.labels:
            found["choices"] = self._choices(picking)
        return found

    def mask(self, picking: Picking | None) -> Mask:
        """Return the mask of an open question; all 0 where there is none."""
        mask = np.zeros(self.actions, np.int8)
        if picking is not None:
            mask[: picking.count] = 1
        return mask

    def parted(self, flat: Array) -> dict[str, Array]:
        """Return a flat observation by the names of its fields."""
        return {**self.columns.parted(flat), "question": flat[self.columns.size :]}

    def _view(self, episode: Episode, agent: str) -> Array:
        """Return the view of the agent's side; while the choices of one question are made it is the same."""
        if episode is not self._episode:
            self._episode, self._kept = episode, {}
        number, flat = self._kept.get(agent, (-1, None))
        if flat is None or number != episode.game.number:
            flat = self.columns.flat(episode.view(agent)).copy()
            self._kept[agent] = (episode.game.number, flat)
        return flat

    def _choices(self, picking: Picking | None) -> Array:
        found = np.zeros((self.actions, self.labels), np.float32)
        for place, label in enumerate(picking.labels() if picking else ()):
            found[place] = hashed(label, self.labels)
        return found


def _ask(columns: Array, episode: Episode, picking: Picking) -> None:
    """Put phase, purpose and part into the first half of ``columns``, what was chosen so far into the other."""
    half = QUESTION // 2
    asked = f"phase={episode.game.state.phase} purpose={picking.decision.purpose} part={picking.part}"
    columns[:half] = hashed(asked, half)
    if made := picking.made():
        columns[half:] = hashed(" ".join(made), half)


def _box(*shape: int) -> spaces.Box:
    return spaces.Box(-MOST, MOST, shape, np.float32)
