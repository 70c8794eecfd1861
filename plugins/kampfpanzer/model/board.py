"""The fixed data of a scenario: map, units and their groups, victory condition."""

from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from kampfpanzer.model.forces import Group, Kind
from sandtable.hexes import HexMap


class Victory(Struct, frozen=True):
    """A victory condition (KP-14.1.7 to KP-14.9.4); ``kind`` names its judge in ``victory.py``.

    majority       the side with more undisrupted combat units in ``hexes`` at the end
    multiple       ``side``, with ``needed`` times the enemy's undisrupted combat units in ``hexes`` at the end
    clear          ``side``, if fewer than ``needed`` undisrupted enemy combat units are in ``hexes`` at the end
    reach          ``side``, with an undisrupted combat unit in ``hexes`` as turn ``from_turn`` or later ends
    exit           ``side``, when ``needed`` of its combat units have left the map; with a ``loss_limit``
                   the game is drawn if the enemy prevented this but lost at least that many combat units
    destroy        ``side``, when ``losses_needed`` enemy combat units are destroyed
    break_through  ``side``, if ``needed`` have left, ``losses_needed`` of the enemy are destroyed, and fewer than
                   ``loss_limit`` of its own are

    If the condition is not met, the other side wins. ``place`` is the name of the hexes, or "". ``bid`` is the handicap
    in units in favor of ``side``, or of the first side if both sides have the same goal (R-KP-93, R-KP-94). For
    ``reach``, a positive bid makes ``from_turn`` earlier by that number of turns. For ``clear`` and the last three
    kinds, ``needed`` and ``losses_needed`` already include it.
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
    """The map and all other data that no game changes. Read-only, except for ``caches``.

    ``kinds`` are all types of counter by name. ``units`` maps the identity number of each unit of this game to the name
    of its type; ``side_of`` and ``group_of`` give its side and group. ``sides`` are the two sides in the order in which
    they set up (KP-14.0a), ``titles`` their names, ``panic`` their panic levels (KP-11.11a). ``groups`` are in the
    order of the scenario, but those of the first side come first. ``exits`` are the hexes by which a side may leave the
    map (KP-14.0i), ``no_move`` the turn in which a side may not move (KP-14.7.2); sides without such hexes or turns
    have no entry. ``riders`` is true if tanks may carry infantry (KP-14.5.3). ``scatter`` is the letter of each face of
    the die (R-KP-03).

    ``caches`` holds values that other packages derive from the board alone, each under its own key.
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
