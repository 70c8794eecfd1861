"""Other ways to plot a turn than the captain's own, for players who try things out (see ``Captain.plans``).

Each is a whole turn by another head: one that marches first, that fires first, that stays, that hunts. What is best in
each may be put together, line by line.
"""

from collections.abc import Iterator
from typing import Any

from kampfpanzer.bots.distances import DistanceFields
from kampfpanzer.bots.fire import volleys
from kampfpanzer.bots.plots import CHANCE, Turn
from kampfpanzer.bots.position import Goal, Position
from kampfpanzer.model.board import Board


class Marching(Turn):
    """March whoever has somewhere to go; fire with the others."""

    def _sure_fire(self) -> dict[str, str]:
        return {}


class Firing(Turn):
    """Fire with whoever has a target; march with the others."""

    def _sure_fire(self) -> dict[str, str]:
        return volleys(self.position, self._shooters(), CHANCE)


class Standing(Firing):
    """Fire, and let nobody march."""

    def _march(self) -> None:
        pass


class Careful(Turn):
    """Overrun nobody: fire, march, and wait."""

    def _shooters(self) -> list[str]:
        return [] if not self.plots else super()._shooters()

    def _sure_fire(self) -> dict[str, str]:
        return volleys(self.position, [each for each in self.free if each not in self.leaving], self.least)


WAYS: tuple[type[Turn], ...] = (Marching, Firing, Standing, Careful)


def other_plots(view: Any, board: Board, side: str, goal: Goal, fields: DistanceFields) -> Iterator[dict[str, str]]:
    """Yield plots of the turn that the captain would not hand in, likely ones first."""
    for way in WAYS:
        yield way(Position(view, board, side), goal, fields).plots_of()
    if goal != Goal():
        for hunter in (Turn, Marching):
            yield hunter(Position(view, board, side), Goal(), fields).plots_of()
    if not goal.hold:
        yield Turn(Position(view, board, side), goal._replace(hold=True), fields).plots_of()
