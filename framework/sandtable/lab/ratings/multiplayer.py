"""Ratings from games for more than two sides, by openskill (the extra ``[ratings]``): who won ranks before others."""

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sandtable.errors import PlayError

MOST_GAMES = 20_000
"""The latest so many games are rated: by then a rating has long settled."""

MISSING = "openskill is not installed: no ratings of games for more than two sides (pip install 'sandtable[ratings]')"


@dataclass(frozen=True)
class Skill:
    """What openskill makes of a player: ``mu``, how unsure that is, and ``mu`` less three times that to rank by."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """The skill that a player has in all likelihood at least."""
        return self.mu - 3 * self.sigma


def skills(games: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]) -> dict[str, Skill]:
    """Return the skill of everyone in ``games``, in their order: who took part, and who came first: several, in a draw.

    The model is Plackett and Luce's with openskill's usual settings. Raises PlayError where openskill is missing.
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
