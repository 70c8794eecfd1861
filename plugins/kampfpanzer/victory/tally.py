"""What counts for victory: undisrupted units in a place, units off the map, losses; combat units only (KP-14.0j).

A ``Position`` is a state, or what a side sees of one.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from kampfpanzer.model.board import Board, Kind
from kampfpanzer.model.state import DESTROYED, EXITED, ON_MAP


class Position(Protocol):
    """What must be known to count: the units, and the options of the game."""

    @property
    def units(self) -> Mapping[str, Any]:
        """The units by identity number, each with kind, side, hex, standing and disruption."""

    @property
    def options(self) -> Mapping[str, str]:
        """The value of each option."""


def undisrupted(position: Position, board: Board, side: str, hexes: tuple[str, ...]) -> int:
    """Count the undisrupted combat units of a side in ``hexes``, aboard vehicles or not, pinned or not (R-KP-89)."""
    return sum(
        unit.side == side
        and unit.standing == ON_MAP
        and not unit.disruption
        and unit.hex in hexes
        and not board.kinds[unit.kind].is_vehicle
        for unit in position.units.values()
    )


def exited(position: Position, board: Board, side: str) -> int:
    """Count the combat units of a side that left the map, disrupted riders included (KP-14.5.8)."""
    return sum(
        unit.side == side and unit.standing == EXITED and not board.kinds[unit.kind].is_vehicle
        for unit in position.units.values()
    )


def lost(position: Position, board: Board, side: str) -> int:
    """Count the units of a side that were destroyed, as the option count_losses counts (R-KP-62)."""
    counts = LOSSES[position.options["count_losses"]]
    return sum(
        unit.side == side and unit.standing == DESTROYED and counts(board.kinds[unit.kind])
        for unit in position.units.values()
    )


LOSSES: dict[str, Callable[[Kind], bool]] = {
    "destroyed_combat_units": lambda kind: not kind.is_vehicle,
    "with_vehicles": lambda kind: True,  # noqa: ARG005 - the shape of the other
}
"""Whose destruction is a loss (R-KP-62)."""
