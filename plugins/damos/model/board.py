"""What a scenario fixes for good: map, railways, units as printed, player aid, and what wins."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import Struct

from damos.model.tables import Period, period_of, turn_of
from damos.model.terrain_chart import PlayerAid
from sandtable.hexes import HexMap


class Counter(Struct, frozen=True, gc=False):
    """A unit as printed (DM-2.2a): open to everybody.

    ``sp`` is its full strength, ``ma`` its movement allowance in points. ``zoi`` tells that it projects a zone of
    influence (DM-2.6a), ``rating`` is its exploit rating in points (DM-8.12.1c), ``foot`` that it moves on foot.
    ``arrives`` is its turn, 0 for the start; ``posts`` are where it may have stood then, which binds nobody.
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
    def ma_halves(self) -> int:
        """The movement allowance in halves."""
        return 2 * self.ma


class Victory(Struct, frozen=True):
    """What the game is about (AGC-5.0): ``objective`` is a hex, isolated without a way to ``edge``.

    ``adjacent`` is how many hexes beside it make a minor victory.
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
    """The map and all else that no game changes. Read-only, but for ``caches``.

    ``counters`` are the units by id. ``area`` are the hexes in play, ``extension`` those of them that open to the
    Germans once a unit of theirs is in ``beyond_marsh`` (AGC-1.3b, R-DM-55), which is all that lies east of ``marsh``;
    ``retreat_area`` is where retreats may go (R-DM-71). By hex of the whole map: ``home``, whose it is before the first
    move, ``around``, its neighbours clockwise from the north-east, none off the map. ``rail_around`` has for each rail
    hex those that rail leads to, ``names`` the name of each settlement.

    ``rails`` are the lines as drawn, ``junctions`` the hexes where three or more ways by rail meet, ``converted`` those
    rail hexes that the Germans can use at the start, ``railheads`` those of them with other rail ahead. ``sources`` are
    the hexes to which a side's rail path must lead (AGC-4.3.1a, AGC-4.3.2b; Soviet cities among them must be friendly
    still), ``entries`` where its reinforcements come in (AGC-4.9a). ``edges`` are the hexes of the area on the west and
    east edge of the map. ``towns``, ``cities`` and ``major_cities`` are those of the area. ``frontier`` is what the
    Soviets must fill (AGC-6.0b), ``set_up`` where the Germans may stand at first (AGC-6.0d).

    ``replacements`` are the points by turn (AGC-4.5a, AGC-4.5b), ``stack_limits`` the units a hex holds by nation
    (AGC-4.1a, AGC-4.1b), ``pause_city`` the hex that sets off AGC-4.7 ("" without). ``caches``
    holds what other rooms work out from the board alone, each under a key of its own.
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
        """Return the turn of a half month; it may be beyond the last turn."""
        return turn_of(Period(month, half), self.calendar)
