"""Ways out of a hex: retreats after combat, and by reaction."""

from collections.abc import Iterator, Sequence
from typing import Any

from damos.map.retreat import retreat_space
from damos.model.orders import Retreat
from damos.model.state import DamosState
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal, Space


def way_out(state: DamosState, units: Sequence[str], hex_: str, least: int, most: int) -> Space:
    """Return the orders Retreat of a force out of a hex that it shares with the enemy; none is elimination.

    The zones of those who stand in that hex are ignored all the way, or not (R-DM-86).
    """
    ignoring = (hex_,) if state.options["retreat_from_combat_zoc"] == "winner_in_hex_ignored" else ()
    return retreat_space(state, list(units), hex_, least, most, ignoring)


class PathsOf(Space):
    """The paths of the orders in ``retreats``, for orders that have more to them than a path."""

    retreats: Space

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse what the retreat would be refused for."""
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            return Refusal("DM-8.11a", "a path is wanted: the hexes from where the force stands to where it goes")
        return self.retreats.why_not(Retreat(value))

    def values(self) -> Iterator[list[str]]:
        """Yield every path."""
        return (order.path for order in self.retreats.values())

    def sample(self, stream: Stream) -> list[str]:
        """Return one path."""
        path: list[str] = self.retreats.sample(stream).path
        return path
