"""The board and the state before set-up, read from a scenario, checked and compiled."""

from collections.abc import Mapping

from msgspec.structs import replace

from damos.model.board import Board, Counter, Victory
from damos.model.state import DamosState, Unit
from damos.model.tables import GERMAN, SOVIET, exploit_rating
from damos.model.terrain_chart import CITY, MAJOR_CITY, RAIL, SETTLEMENTS, TOWN
from damos.setup.map import EDGES
from damos.setup.reading import Sheet, UnitSheet, read_sheet
from damos.setup.validation import check_sheet
from sandtable import Scenario
from sandtable.hexes import HexMap

FIRST_PLAYERS = {"german": GERMAN, "russian": SOVIET}
"""The first player by option value (R-DM-01)."""

BIDS = {GERMAN: "german_bid", SOVIET: "soviet_bid"}
"""The bid option of each side (R-DM-94, R-DM-95)."""


def read_board(scenario: Scenario, options: Mapping[str, str]) -> Board:
    """Return the board of ``scenario``. Raises DataError, with file and key, if its data is invalid."""
    sheet = read_sheet(scenario, options)
    check_sheet(sheet, scenario)
    return build_board(scenario.id, scenario.title, sheet, options)


def build_board(ident: str, title: str, sheet: Sheet, options: Mapping[str, str]) -> Board:
    """Return the board of a valid sheet."""
    hexmap, regions = sheet.map_sheet.hexmap, sheet.map_sheet.regions
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
        rails=sheet.map_sheet.rails,
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
    """Return the hexes of the area that have no neighbor on the map in one direction."""
    return tuple(number for number in sorted(area) if not hexmap.around[number][place])


def _rail_around(hexmap: HexMap) -> dict[str, tuple[str, ...]]:
    """Return, for each rail hex, the hexes that it is connected to by rail, sorted."""
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
    """Return the units by id, without those that would arrive after the last turn."""
    early = {ident: unit for ident, unit in sheet.units.items() if unit.arrives <= sheet.turns}
    found = {ident: _counter(ident, unit, sheet, options) for ident, unit in early.items()}
    for side, option in BIDS.items():
        bid = options[option]
        if bid != "none":
            found |= _strengthened([each for each in found.values() if each.side == side], int(bid))
    return found


def _strengthened(counters: list[Counter], points: int) -> dict[str, Counter]:
    """Return a side's units with ``points`` added one by one to each in turn, the strongest first (R-DM-94)."""
    each, rest = divmod(points, max(1, len(counters)))
    ranked = sorted(counters, key=lambda counter: (-counter.sp, counter.id))
    return {counter.id: replace(counter, sp=counter.sp + each + (place < rest)) for place, counter in enumerate(ranked)}


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
