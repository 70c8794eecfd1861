"""Observations at a choice: the view, the question and the mask as arrays, and their spaces."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sandtable.lab.rl.episode import Episode, Picking
from sandtable.lab.rl.features import MOST, Array, Columns, hashed, in_order

QUESTION = 64
"""Number of columns for the open question: phase, purpose and part, and the choices so far."""

HALF = QUESTION // 2
NOTHING = np.zeros(QUESTION, np.float32)
"""The question columns of an agent without an open question."""

Observation = dict[str, Any]
Mask = NDArray[np.int8]


class Observer:
    """A maker of observations of one ruleset and scenario, all in ``space``.

    ``observation`` holds the view (see ``features``) and the open question: one flat array, or with ``nested`` a dict
    of named ones. ``action_mask`` is 1 for each legal action, and all 0 for an agent without a question. With
    ``labels`` columns, ``choices`` holds the hashed description of each open action, because the meaning of the numbers
    differs from question to question.
    """

    def __init__(self, first: Episode, width: int, labels: int, *, nested: bool) -> None:
        self.columns = Columns(first.view(first.agents[0]), width, QUESTION)
        self.actions = first.actions
        self.labels = labels
        self.nested = nested
        self._own: dict[str, Columns] = {}
        self._questions: dict[tuple[str, str, str], Array] = {}
        self._masks: dict[int, Mask] = {}
        self._episode: Episode | None = None
        self._numbers: dict[str, int] = {}
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
        """Return the current observation of ``agent``. The mask is all 0 unless it is ``asked``."""
        picking = episode.open.get(agent) if asked else None
        own = self._view_columns(episode, agent)
        columns = own.whole
        columns[own.size :] = NOTHING if picking is None else self._question(episode, picking)
        flat = columns.copy()
        found: Observation = {
            "observation": self.parted(flat) if self.nested else flat,
            "action_mask": self.mask(picking),
        }
        if self.labels:
            found["choices"] = self._choices(picking)
        return found

    def mask(self, picking: Picking | None) -> Mask:
        """Return the mask of an open question, all 0 for None."""
        count = 0 if picking is None else picking.count
        mask = self._masks.get(count)
        if mask is None:
            mask = self._masks[count] = (np.arange(self.actions) < count).astype(np.int8)
        return mask.copy()

    def parted(self, flat: Array) -> dict[str, Array]:
        """Return a flat observation by field name."""
        return {**self.columns.parted(flat), "question": flat[self.columns.size :]}

    def _view_columns(self, episode: Episode, agent: str) -> Columns:
        """Return the view of the agent's side in columns. It is cached while the choices of one question are made."""
        if episode is not self._episode:
            self._episode = episode
            self._numbers.clear()
        ruleset, game = episode.prepared.ruleset, episode.game
        viewer = "" if ruleset.shows_all else agent
        own = self._own.get(viewer)
        if own is None:
            own = self._own[viewer] = self.columns.for_another()
        number = game.number
        if self._numbers.get(viewer) != number:
            self._numbers[viewer] = number
            own.flat(game.state if ruleset.shows_all else episode.view(agent))
        return own

    def _question(self, episode: Episode, picking: Picking) -> Array:
        """Return the columns of the open question.

        The first half holds phase, purpose and part, the second half the choices so far.
        """
        key = (episode.game.state.phase, picking.decision.purpose, picking.part)
        asked = self._questions.get(key)
        if asked is None:
            phase, purpose, part = key
            words = hashed(f"phase={phase} purpose={purpose} part={part}", HALF)
            asked = self._questions[key] = np.concatenate([words, np.zeros(HALF, np.float32)])
        if not picking.is_begun:
            return asked
        return np.concatenate([asked[:HALF], in_order(tuple(picking.made()), HALF)])

    def _choices(self, picking: Picking | None) -> Array:
        found = np.zeros((self.actions, self.labels), np.float32)
        for place, label in enumerate(picking.labels() if picking else ()):
            found[place] = hashed(label, self.labels)
        return found


def _box(*shape: int) -> spaces.Box:
    return spaces.Box(-MOST, MOST, shape, np.float32)
