"""Ratings of games with more than two sides by openskill (extra ``[ratings]``). The winner ranks above the others."""

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sandtable.errors import PlayError

MAX_GAMES = 20_000
"""Maximum number of games to rate, counted from the latest. A rating has converged by then."""

MISSING = "openskill is not installed: no ratings of games for more than two sides (pip install 'sandtable[ratings]')"


@dataclass(frozen=True)
class Skill:
    """A player's openskill rating: ``mu``, its uncertainty ``sigma``, and ``ordinal`` for ranking."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """The lower bound of the skill: ``mu`` minus three ``sigma``."""
        return self.mu - 3 * self.sigma


def skills(games: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]) -> dict[str, Skill]:
    """Return the skills after ``games``, in order: the players of each, and those that came first (several in a draw).

    The model is Plackett-Luce with openskill's default settings. Raises PlayError if openskill is missing.
    """
    try:
        models: Any = importlib.import_module("openskill.models")
    except ImportError as error:
        raise PlayError(MISSING) from error
    model = models.PlackettLuce()
    known: dict[str, Any] = {}
    for players, first in games:
        field = [known.get(name) or model.rating(name=name) for name in dict.fromkeys(players)]
        if len(field) < 2:
            continue
        ranks = [1 if rating.name in first else 2 for rating in field]
        for (rating,) in model.rate([[rating] for rating in field], ranks=ranks):
            known[rating.name] = rating
    return {name: Skill(rating.mu, rating.sigma) for name, rating in known.items()}
