"""The lazy view of the state that a player gets."""

from collections.abc import Callable
from typing import Any, Protocol

from sandtable.errors import PlayError
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Stream


class Simulation(Protocol):
    """A dealer of games that are possible at ``decision``, as far as ``side`` knows.

    ``hidden`` means that the game has secrets.
    """

    decision: Decision
    side: str
    turn: int
    hidden: bool

    def deal(self, stream: Stream, deal: Any = None) -> Any:
        """Return a simulated game (``simulator.Simulated``) at the pending decision."""


class View:
    """The state as ``side`` may see it, computed only on demand.

    Call it to get the result of the ruleset's ``view``: plain data that contains only what the side may know, and never
    the state itself. ``simulator`` lets a player try out orders in simulated games.
    """

    __slots__ = ("_look", "_simulate", "side")

    def __init__(
        self, side: str, look: Callable[[str], Any], simulate: Callable[[Decision], Simulation] | None = None
    ) -> None:
        self.side = side
        self._look = look
        self._simulate = simulate

    def __call__(self) -> Any:
        """Return the side's current view."""
        return self._look(self.side)

    def simulator(self, decision: Decision) -> Simulation:
        """Return a simulator that deals possible games at ``decision`` from what its side may know.

        Raises PlayError if no game is available, for example while a bot is asked again during a re-run.
        """
        if self._simulate is None:
            raise PlayError(f"{self.side}: no game is available here to simulate")
        return self._simulate(decision)
