"""What a scenario fixes for good: map, railways, units as printed, player aid, and what wins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from damos.model.state import DamosState, Unit
from damos.model.tables import Period, exploit_rating, period_of, turn_of
from damos.model.terrain_chart import CITY, LAKE, MAJOR_CITY, RAIL, RIVER, SETTLEMENTS, TOWN, Aid
from damos.setup.map import EDGES, RailLine
from damos.setup.reading import GERMAN, NKVD, SIDES, SOVIET, Sheet, UnitSheet, read_sheet, sides_of
from damos.setup.validation import check_sheet
from sandtable.board.hexes.map import HexMap
from sandtable.plugin.scenarios import Scenario

__all__ = [
    "CITY",
    "GERMAN",
    "LAKE",
    "MAJOR_CITY",
    "NKVD",
    "RAIL",
    "RIVER",
    "SIDES",
    "SOVIET",
    "TOWN",
    "Board",
    "Counter",
    "RailLine",
    "Victory",
    "opening_state",
    "read_board",
    "sides_of",
]

FIRST_PLAYERS = {"german": GERMAN, "russian": SOVIET}
"""Who begins, by the token of R-DM-01."""


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
    holds what other rooms reckon from the board alone, each under a key of its own.
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
    aid: Aid
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


def read_board(scenario: Scenario, options: Mapping[str, str]) -> Board:
    """Return the board of ``scenario``; raises DataError, with file and key, when its data are wrong."""
    sheet = read_sheet(scenario, options)
    check_sheet(sheet, scenario)
    return build_board(scenario.id, scenario.title, sheet, options)


def build_board(ident: str, title: str, sheet: Sheet, options: Mapping[str, str]) -> Board:
    """Compile a sound sheet."""
    hexmap, regions = sheet.land.hexmap, sheet.land.regions
    whole = frozenset(hexmap.numbers)
    open_map = options["combined_game"] == "on"  # AGC-1.3h
    marsh_free = open_map or options["marsh_boundary"] == "free"
    area = whole if open_map else frozenset(regions["area"])
    marsh = frozenset() if marsh_free else frozenset(regions["marsh"])
    edges = {name: _edge(hexmap, area, place) for name, place in EDGES.items()}
    settled = {kind: tuple(each for each in hexmap.hexes_with(kind) if each in area) for kind in SETTLEMENTS}
    home = dict.fromkeys(hexmap.numbers, SOVIET) | dict.fromkeys(regions["home"], GERMAN)
    cities = tuple(sorted(each for kind in (CITY, MAJOR_CITY) for each in settled[kind] if home[each] == SOVIET))
    rail_around = _rail_around(hexmap)
    converted = tuple(each for each in sorted(rail_around) if home[each] == GERMAN)
    return Board(
        scenario=ident,
        title=title,
        titles={side: each.title for side, each in sheet.sides.items()},
        hexmap=hexmap,
        area=area,
        extension=frozenset() if marsh_free else frozenset(regions["extension"]),
        marsh=marsh,
        beyond_marsh=_beyond(area, marsh),
        retreat_area=whole if options["boundaries_retreat"] == "ignore" else area,
        home=home,
        around={number: tuple(filter(None, near)) for number, near in hexmap.around.items()},
        names={number: name for name, numbers in hexmap.places.items() for number in numbers},
        towns=settled[TOWN],
        cities=settled[CITY],
        major_cities=settled[MAJOR_CITY],
        rails=sheet.land.rails,
        rail_around=rail_around,
        junctions=frozenset(number for number, near in rail_around.items() if len(near) > 2),
        converted=converted,
        railheads=tuple(each for each in converted if any(near not in converted for near in rail_around[each])),
        sources={
            GERMAN: tuple(each for each in sorted(rail_around) if not hexmap.around[each][EDGES["west"]]),
            SOVIET: tuple(sorted({*cities, *(each for each in edges["east"] if each in rail_around)})),
        },
        entries={GERMAN: edges["west"], SOVIET: tuple(sorted({*cities, *edges["east"]}))},
        edges=edges,
        frontier=tuple(sorted(regions["frontier"])),
        set_up=tuple(sorted(regions["set_up"])),
        counters=_counters(sheet, options),
        aid=sheet.aid,
        sides=(GERMAN, SOVIET),
        first_player=FIRST_PLAYERS[options["first_player"]],
        last_turn=sheet.turns,
        calendar=options["calendar"],
        replacements={side: _by_turn(each.replacements, sheet.turns) for side, each in sheet.sides.items()},
        stack_limits=dict(sheet.stacking),
        victory=Victory(*sheet.victory),
        pause_city=sheet.pause_city,
    )


def _edge(hexmap: HexMap, area: frozenset[str], place: int) -> tuple[str, ...]:
    """Return the hexes of the area behind which the map ends in one direction."""
    return tuple(number for number in sorted(area) if not hexmap.around[number][place])


def _rail_around(hexmap: HexMap) -> dict[str, tuple[str, ...]]:
    """Return for each rail hex the hexes that rail leads to, sorted."""
    found: dict[str, list[str]] = {}
    for (start, end), kinds in sorted(hexmap.sides.items()):
        if RAIL in kinds:
            found.setdefault(start, []).append(end)
    return {number: tuple(near) for number, near in found.items()}


def _beyond(area: frozenset[str], marsh: frozenset[str]) -> frozenset[str]:
    """Return the hexes east of the last column of the marsh region (R-DM-55)."""
    last = min((int(number[2:]) for number in marsh), default=0)
    return frozenset(number for number in area if int(number[2:]) < last)


def _by_turn(steps: tuple[tuple[int, int], ...], turns: int) -> tuple[int, ...]:
    """Return the points of each turn: those of the last step that has begun."""
    late_first = steps[::-1]
    return tuple(next((points for first, points in late_first if first <= turn), 0) for turn in range(1, turns + 1))


def _counters(sheet: Sheet, options: Mapping[str, str]) -> dict[str, Counter]:
    """Return the units by id, without those that would come after the last turn."""
    early = {ident: unit for ident, unit in sheet.units.items() if unit.arrives <= sheet.turns}
    return {ident: _counter(ident, unit, sheet, options) for ident, unit in early.items()}


def _counter(ident: str, unit: UnitSheet, sheet: Sheet, options: Mapping[str, str]) -> Counter:
    return Counter(
        id=ident,
        name=unit.name,
        side=unit.side,
        nation=unit.nation,
        type=unit.type,
        size=unit.size,
        corps=unit.corps,
        army=unit.army,
        sp=unit.sp,
        ma=unit.ma,
        zoi=unit.type in sheet.sides[unit.side].zones,
        rating=exploit_rating(unit.type, options["exploit_rating_motorized"]),
        foot=unit.type in sheet.aid.foot,
        arrives=unit.arrives,
        posts=unit.posts,
        traits=unit.traits,
    )


def opening_state(board: Board, options: Mapping[str, str]) -> DamosState:
    """Return the state before set-up: every unit is off the map, at full strength."""
    return DamosState(
        units={each.id: Unit(each.side, each.sp, arrives=each.arrives) for each in board.counters.values()},
        control=dict(board.home),
        converted=list(board.converted),
        replacements=dict.fromkeys(board.sides, 0),
        options=dict(options),
    )
