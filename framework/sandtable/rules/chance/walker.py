"""The walker, which plays games through the outcomes of each roll by the live rules."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Generic, TypeVar

from sandtable.errors import PlayError
from sandtable.kernel.decisions import Roll
from sandtable.kernel.play.session import AnsweringGame
from sandtable.rules.chance.outcomes import outcomes, total

G = TypeVar("G", bound=AnsweringGame)
Faces = tuple[tuple[int, ...], ...]
"""The dice of each roll, in order."""


class Walker(Generic[G]):
    """A walk from roll to roll. ``again(faces)`` makes a game after ``faces``; ``fall`` enters the next dice.

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
        """Yield the probability, faces and game of each outcome of the pending roll; ``game`` becomes the last one."""
        ways, whole = outcomes(roll_of(game)), total(roll_of(game))
        self._spend(len(ways))
        for place, (weight, fell) in enumerate(ways, start=1):
            branch = game if place == len(ways) else self._again(faces)
            self._fall(branch, fell)
            yield Fraction(weight, whole), (*faces, fell), branch

    def sample(
        self, game: G, draw: Callable[[Roll], tuple[int, ...]], is_there: Callable[[G], bool], most: int
    ) -> Faces:
        """Roll dice of ``draw`` in ``game`` until ``is_there``; raises PlayError after ``most`` rolls."""
        faces: list[tuple[int, ...]] = []
        while not is_there(game):
            if len(faces) == most:
                raise PlayError(f"{most:,} consecutive rolls without an event")
            faces.append(draw(roll_of(game)))
            self._fall(game, faces[-1])
        return tuple(faces)


def roll_of(game: AnsweringGame) -> Roll:
    """Return the pending roll of ``game``."""
    assert isinstance(game.pending, Roll)  # noqa: S101 - a walk stops at rolls
    return game.pending
