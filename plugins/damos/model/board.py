"""The data that a scenario fixes: map, railways, printed units, player aid and victory conditions."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import Struct

from damos.model.tables import ARMOR, CAVALRY, INFANTRY, MECHANIZED, MOTORIZED, Period, period_of, turn_of
from damos.model.terrain_chart import PlayerAid
from sandtable.hexes import HexMap

SUFFIXES = {INFANTRY: "Inf", ARMOR: "Pz", MOTORIZED: "mot", MECHANIZED: "mech", CAVALRY: "Cav"}
"""Suffixes for units whose name is a bare number."""


class Counter(Struct, frozen=True, gc=False):
    """A unit as printed (DM-2.2a), open to both sides.

    ``sp`` is its full strength and ``ma`` its movement allowance in points. ``zoi`` is true if the unit projects a zone
    of influence (DM-2.6a). ``rating`` is its exploit rating in points (DM-8.12.1c), and ``foot`` is true if it moves on
    foot. ``arrives`` is its turn of arrival, 0 for a unit that is present at the start. ``posts`` are the settings of
    its historical position, which bind no player.
    """

    id: str
    name: str
    side: str
    nation: str
    type: str
    size: str
    corps: str
    army: str
    sp: int
    ma: int
    zoi: bool
    rating: int
    foot: bool
    arrives: int
    posts: tuple[str, ...]
    traits: tuple[str, ...]

    @property
    def title(self) -> str:
        """The name for players, such as "3 Pz" or "267 Inf"; never a bare number."""
        return f"{self.name} {SUFFIXES.get(self.type, self.type)}" if self.name.isdigit() else self.name

    @property
    def ma_halves(self) -> int:
        """The movement allowance in half movement points."""
        return 2 * self.ma


class Victory(Struct, frozen=True):
    """The victory conditions (AGC-5.0): the hex ``objective``, which is isolated without a path to ``edge``.

    ``adjacent`` is the number of hexes next to it that the Germans need for a minor victory.
    """

    objective: str
    edge: str
    adjacent: int


class RailLine(NamedTuple):
    """A railway: its name, and its hexes in the order of the line."""

    name: str
    hexes: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Board:
    """The map and everything else that is fixed during a game. Read-only, except for ``caches``.

    ``counters`` are the units by id. ``area`` are the hexes in play. ``extension`` are those of them that open to the
    Germans when a German unit is in ``beyond_marsh`` (AGC-1.3b, R-DM-55), that is, in any hex east of ``marsh``.
    ``retreat_area`` are the hexes that a retreat may enter (R-DM-71). By hex of the whole map: ``home`` is the side
    that controls it before the first move, and ``around`` its neighbors on the map, clockwise from the northeast.
    ``rail_around`` has for each rail hex the hexes that it is connected to by rail, ``names`` the name of each
    settlement.

    ``rails`` are the lines as drawn, ``junctions`` the hexes where three or more rail connections meet. ``converted``
    are the rail hexes that the Germans can use at the start, ``railheads`` those of them that lead to unconverted rail.
    ``sources`` are the hexes to which a side's rail path must lead (AGC-4.3.1a, AGC-4.3.2b); a Soviet city among them
    must still be friendly. ``entries`` are the hexes where a side's reinforcements arrive (AGC-4.9a). ``edges`` are the
    hexes of the area on the west and east edge of the map. ``towns``, ``cities`` and ``major_cities`` are those of the
    area. ``frontier`` are the hexes that the Soviets must occupy (AGC-6.0b), ``set_up`` those where the Germans may set
    up (AGC-6.0d).

    ``replacements`` are the points by turn (AGC-4.5a, AGC-4.5b), ``stack_limits`` the maximum number of units in a hex
    by nation (AGC-4.1a, AGC-4.1b). ``pause_city`` is the hex that triggers AGC-4.7, or "" if there is none. ``caches``
    holds what other packages compute from the board alone, each under its own key.
    """

    scenario: str
    title: str
    titles: dict[str, str]
    hexmap: HexMap
    area: frozenset[str]
    extension: frozenset[str]
    marsh: frozenset[str]
    beyond_marsh: frozenset[str]
    retreat_area: frozenset[str]
    home: dict[str, str]
    around: dict[str, tuple[str, ...]]
    names: dict[str, str]
    towns: tuple[str, ...]
    cities: tuple[str, ...]
    major_cities: tuple[str, ...]
    rails: tuple[RailLine, ...]
    rail_around: dict[str, tuple[str, ...]]
    junctions: frozenset[str]
    converted: tuple[str, ...]
    railheads: tuple[str, ...]
    sources: dict[str, tuple[str, ...]]
    entries: dict[str, tuple[str, ...]]
    edges: dict[str, tuple[str, ...]]
    frontier: tuple[str, ...]
    set_up: tuple[str, ...]
    counters: dict[str, Counter]
    aid: PlayerAid
    sides: tuple[str, str]
    first_player: str
    last_turn: int
    calendar: str
    replacements: dict[str, tuple[int, ...]]
    stack_limits: dict[str, int]
    victory: Victory
    pause_city: str
    caches: dict[Any, Any] = field(default_factory=dict, repr=False)

    def enemy_of(self, side: str) -> str:
        """Return the other side."""
        first, second = self.sides
        return second if side == first else first

    def period(self, turn: int) -> Period:
        """Return the half month of a turn (R-DM-60)."""
        return period_of(turn, self.calendar)

    def turn_of(self, month: int, half: int) -> int:
        """Return the turn of a half month, which may be later than the last turn."""
        return turn_of(Period(month, half), self.calendar)
