"""The walker of chance: games that fall one way or another, roll by roll, by the live rules."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Generic, TypeVar

from sandtable.errors import PlayError
from sandtable.kernel.decisions import Roll
from sandtable.kernel.play.session import AnsweringGame
from sandtable.rules.chance.outcomes import outcomes, total

G = TypeVar("G", bound=AnsweringGame)
Faces = tuple[tuple[int, ...], ...]
"""The dice of one roll after the other."""


class Walker(Generic[G]):
    """Walks from roll to roll. ``again(faces)`` makes a game in which ``faces`` fell; ``fall`` lets more dice fall.

    ``spend`` is called with the number of branches before they are made; it raises TooLarge if they are too many.
    """

    def __init__(
        self,
        again: Callable[[Faces], G],
        fall: Callable[[G, tuple[int, ...]], None],
        spend: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._again, self._fall, self._spend = again, fall, spend

    def branches(self, game: G, faces: Faces) -> Iterator[tuple[Fraction, Faces, G]]:
        """Yield chance, faces and game of each outcome of the roll of ``game``, which itself becomes the last."""
        ways, whole = outcomes(roll_of(game)), total(roll_of(game))
        self._spend(len(ways))
        for place, (weight, fell) in enumerate(ways, start=1):
            branch = game if place == len(ways) else self._again(faces)
            self._fall(branch, fell)
            yield Fraction(weight, whole), (*faces, fell), branch

    def sample(
        self, game: G, draw: Callable[[Roll], tuple[int, ...]], is_there: Callable[[G], bool], most: int
    ) -> Faces:
        """Let ``game`` fall, by the dice of ``draw``, until ``is_there``; raises PlayError after ``most`` rolls."""
        faces: list[tuple[int, ...]] = []
        while not is_there(game):
            if len(faces) == most:
                raise PlayError(f"{most:,} rolls follow each other, and nothing happens")
            faces.append(draw(roll_of(game)))
            self._fall(game, faces[-1])
        return tuple(faces)


def roll_of(game: AnsweringGame) -> Roll:
    """Return the roll at which ``game`` stands."""
    assert isinstance(game.pending, Roll)  # noqa: S101 - a walk stops at rolls
    return game.pending
