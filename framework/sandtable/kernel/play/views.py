"""What a side may see: the lazy view that a player is given."""

from collections.abc import Callable
from typing import Any, Protocol

from sandtable.errors import PlayError
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Stream


class Simulation(Protocol):
    """What deals games that could stand at ``decision``, as far as ``side`` may know; ``hidden``: it has secrets."""

    decision: Decision
    side: str
    turn: int
    hidden: bool

    def deal(self, stream: Stream, deal: Any = None) -> Any:
        """Return an imagined game (``simulator.Simulated``) that waits for the decision."""


class View:
    """The state as ``side`` may see it; computed only when it is looked at.

    Call it for what the ruleset's ``view`` gives: plain data built from what is allowed to that side, never the state
    itself. ``simulator`` is for players who try things out.
    """

    __slots__ = ("_look", "_simulate", "side")

    def __init__(
        self, side: str, look: Callable[[str], Any], simulate: Callable[[Decision], Simulation] | None = None
    ) -> None:
        self.side = side
        self._look = look
        self._simulate = simulate

    def __call__(self) -> Any:
        """Return what the side sees now."""
        return self._look(self.side)

    def simulator(self, decision: Decision) -> Simulation:
        """Return what deals games that could stand at ``decision``, as far as its side may know.

        Raises PlayError where no game is at hand, as for a bot that is only asked again.
        """
        if self._simulate is None:
            raise PlayError(f"{self.side}: there is no game here to try things out in")
        return self._simulate(decision)
