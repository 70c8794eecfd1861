"""What a scenario fixes for good: the map, who fights with what from where, and what wins."""

from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from kampfpanzer.model.forces import Group, Kind
from sandtable.hexes import HexMap


class Victory(Struct, frozen=True):
    """How the game is won: ``kind`` names the judge in ``victory.py``, the rest is what it looks at.

    majority       whoever has more undisrupted combat units in ``hexes`` at the end (14.1, 14.6)
    multiple       ``side``, with ``needed`` times the enemy's undisrupted combat units in ``hexes`` at the end (14.3)
    clear          ``side``, if fewer than ``needed`` undisrupted enemy combat units are in ``hexes`` at the end (14.9)
    reach          ``side``, with an undisrupted combat unit in ``hexes`` as turn ``from_turn`` or a later ends (14.8)
    exit           ``side``, when ``needed`` of its combat units have left the map (14.2, 14.5); with a ``loss_limit``
                   the game is drawn if the enemy, who kept it from that, lost so many combat units or more
    destroy        ``side``, when ``losses_needed`` enemy combat units are destroyed (14.4)
    break_through  ``side``, if ``needed`` have left, ``losses_needed`` of the enemy are destroyed, and fewer than
                   ``loss_limit`` of its own (14.7)

    Else the other side wins. ``place`` is the name of the hexes, where they have one. ``bid`` is by how many units the
    figures favour ``side`` more than the scenario does, or the first side where both must do the same (R-KP-93,
    R-KP-94): they are in ``needed`` and ``losses_needed`` already.
    """

    kind: str
    side: str = ""
    hexes: tuple[str, ...] = ()
    needed: int = 0
    losses_needed: int = 0
    loss_limit: int = 0
    from_turn: int = 0
    place: str = ""
    bid: int = 0


@dataclass(frozen=True, eq=False, slots=True)
class Board:
    """The map and all else that no game changes. Read-only, but for ``caches``.

    ``kinds`` are all types of counter by name, ``units`` the units of this game by identity number, each with the name
    of its kind; ``side_of`` and ``group_of`` tell more of each. ``sides`` are the two, the one that sets up first in
    front (KP-14.0a), ``titles`` their names, ``panic`` their levels (KP-11.11a). ``groups`` are in the order of the
    scenario, those of the first side in front. ``exits`` are the hexes by which a side may leave the map (KP-14.0i),
    ``no_move`` the turn in which a side may not move (KP-14.7.2); a side without is in neither. ``riders`` tells that
    tanks carry infantry (KP-14.5.3). ``scatter`` is the letter of each face of the die (R-KP-03).

    ``caches`` holds what other rooms work out from the board alone, each under a key of its own.
    """

    scenario: str
    title: str
    hexmap: HexMap
    kinds: dict[str, Kind]
    units: dict[str, str]
    sides: tuple[str, str]
    titles: dict[str, str]
    panic: dict[str, int]
    last_turn: int
    groups: tuple[Group, ...]
    victory: Victory
    exits: dict[str, tuple[str, ...]]
    no_move: dict[str, int]
    riders: bool
    scatter: dict[int, str]
    side_of: dict[str, str]
    group_of: dict[str, Group]
    caches: dict[Any, Any] = field(default_factory=dict, repr=False)

    def kind_of(self, unit_id: str) -> Kind:
        """Return the type of a unit of this game."""
        return self.kinds[self.units[unit_id]]

    def enemy_of(self, side: str) -> str:
        """Return the other side."""
        first, second = self.sides
        return second if side == first else first
