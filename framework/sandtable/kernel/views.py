"""What a side may see: the lazy view that a player is given."""

from collections.abc import Callable
from typing import Any


class View:
    """The state as ``side`` may see it; reckoned only when it is looked at.

    Call it for what the ruleset's ``view`` gives: plain data built from what is allowed to that side, never the state
    itself.
    """

    __slots__ = ("_look", "side")

    def __init__(self, side: str, look: Callable[[str], Any]) -> None:
        self.side = side
        self._look = look

    def __call__(self) -> Any:
        """Return what the side sees now."""
        return self._look(self.side)
