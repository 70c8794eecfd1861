"""Reading of a module: all its tables, and their errors, by file and key.

A module is a scenario (``sandtable.plugin.scenarios``). Its table ``map`` is a map file, and its table ``forces`` may
be a file as well.

    [scenario]
    id = "crusader"
    title = "Operation Crusader"
    map = "crusader_map.toml"
    files = { forces = "crusader_forces.toml" }
    optional = false                    # true: include areas, formations and leaders that have optional = true
    [sides.axis]                        # and allies
    title = "Axis"
    commanders = ["Rommel"]             # players, the commander in chief first
    closed = ["gabr_saleh"]             # areas where this side may not deploy
    stratagems = []                     # commanders for Total War (KH-14.12)
    [calendar]
    turns = 21
    first_day = "1941-11-18"            # and days = 1; or labels = [..]
    [movement]
    cross_country = "desert"
    [movement.costs]                    # points by kind of connector, for all or by mobility
    road = 1
    desert = { recon = 2, motor = 2, semi_motor = 2, leg = 1 }

``weather``, ``air``, ``replacements`` and ``events`` are read in ``calendar``, ``forces`` and ``victory`` in
``forces``, ``map`` in ``map``. ``guides`` has advice for setting up a table, by terrain; ``coordination`` has nations
that may not share an area.
"""

from typing import NamedTuple

from khamsin.model.cards import MOBILITIES, SIDES, AirCard, Change, Pool, Victory, Weather
from khamsin.setup.calendar import Calendar, read_air, read_calendar, read_events, read_pools, read_weather
from khamsin.setup.forces import Muster, read_muster, read_victory
from khamsin.setup.map import Ground, read_ground
from sandtable import DataError, Scenario, raise_all
from sandtable.areas import AreaMap
from sandtable.data import Problems, TomlTable, flag_of, ids_of, inner, number_of, quoted, text_of, texts_of

TABLES = (
    *("scenario", "sides", "calendar", "movement", "weather", "air", "replacements", "victory", "events", "guides"),
    *("coordination", "map", "forces"),
)
SCENARIO_KEYS = ("id", "title", "description", "endless", "optional", "provenance", "reason", "note")
SIDE_KEYS = ("title", "commanders", "closed", "stratagems")
MOVEMENT_KEYS = ("cross_country", "costs")
MAX_COST = 20


class SideSheet(NamedTuple):
    """A side as read."""

    title: str
    commanders: tuple[str, ...]
    closed: tuple[str, ...]
    stratagems: tuple[str, ...]


class Sheet(NamedTuple):
    """A module as read. Each value is valid by itself, and ``validation`` checks them together."""

    sides: dict[str, SideSheet]
    calendar: Calendar
    cost: dict[str, dict[str, int]]
    cross_country: str
    weather: Weather
    air: dict[str, AirCard]
    pools: tuple[Pool, ...]
    events: tuple[Change, ...]
    victory: Victory
    guides: dict[str, str]
    apart: tuple[tuple[str, str], ...]
    ground: Ground
    muster: Muster


def read_sheet(scenario: Scenario) -> Sheet:
    """Return the module's data. Raises DataError, with file and key, for all errors in single values."""
    problems = Problems(scenario.source)
    document = TomlTable(problems, "", scenario.data)
    document.refuse_unknown(TABLES)
    optional = _read_head(document)
    ground, misplaced = _read_map(scenario, optional=optional)
    muster = read_muster(_forces(document), optional=optional, no_areas=ground.left_out)
    calendar = read_calendar(document)
    movement = inner(document, "movement", MOVEMENT_KEYS)
    sheet = Sheet(
        sides=_read_sides(document, ground.left_out),
        calendar=calendar,
        cost=_read_costs(movement),
        cross_country=movement.word("cross_country"),
        weather=read_weather(document),
        air=read_air(document),
        pools=read_pools(document, calendar.turns),
        events=read_events(document, calendar.turns),
        victory=read_victory(document, muster.left_out),
        guides=_read_guides(document),
        apart=_read_apart(document),
        ground=ground,
        muster=muster,
    )
    raise_all([*misplaced, *(placed(scenario, each.key, each.problem) for each in problems.found)])
    return sheet


def placed(scenario: Scenario, key: str, problem: str) -> DataError:
    """Return a problem at a key of the complete module as an error in the file that contains the key."""
    return DataError(*scenario.place(key), problem)


def _read_head(document: TomlTable) -> bool:
    """Return whether optional areas, formations and leaders take part."""
    head = inner(document, "scenario", SCENARIO_KEYS)
    if "description" in head.values:
        head.text("description", also="\n\t")
    return flag_of(head, "optional")


def _read_map(scenario: Scenario, *, optional: bool) -> tuple[Ground, list[DataError]]:
    """Return the map, empty if it cannot be read, and its errors."""
    nothing = Ground(AreaMap("none", (), ()), frozenset())
    tables = scenario.data.get("map")
    if not isinstance(tables, dict):
        return nothing, [
            DataError(scenario.source, "scenario.map", 'is missing; name a file, such as map = "map.toml"')
        ]
    ground, found = read_ground(tables, scenario.source, optional=optional)
    return ground or nothing, [placed(scenario, f"map.{each.key}", each.problem) for each in found]


def _forces(document: TomlTable) -> TomlTable:
    if "forces" in document.values:
        return inner(document, "forces")
    document.problems.refuse("scenario.files.forces", 'is missing; name a file, such as forces = "forces.toml"')
    return TomlTable(document.problems, "forces", {})


def _read_sides(document: TomlTable, no_areas: frozenset[str]) -> dict[str, SideSheet]:
    rows = inner(document, "sides", SIDES)
    found = {}
    for side in SIDES:
        row = inner(rows, side, SIDE_KEYS)
        commanders = texts_of(row, "commanders")
        if not commanders and row.values:
            row.refuse("commanders", "is empty; name the players of this side, the commander in chief first")
        closed = ids_of(row, "closed", no_areas)
        found[side] = SideSheet(text_of(row, "title", None), commanders, closed, texts_of(row, "stratagems"))
    return found


def _read_costs(movement: TomlTable) -> dict[str, dict[str, int]]:
    """Return movement points by kind of connector and mobility (KH-8.09)."""
    costs = inner(movement, "costs")
    found = {}
    for kind, value in sorted(costs.values.items()):
        if isinstance(value, dict):
            row = inner(costs, kind, MOBILITIES)
            found[kind] = {mobility: number_of(row, mobility, 1, MAX_COST) for mobility in MOBILITIES}
        else:
            found[kind] = dict.fromkeys(MOBILITIES, number_of(costs, kind, 1, MAX_COST))
    return found


def _read_guides(document: TomlTable) -> dict[str, str]:
    guides = inner(document, "guides", must=False)
    return {terrain: text_of(guides, terrain) for terrain in sorted(guides.values)}


def _read_apart(document: TomlTable) -> tuple[tuple[str, str], ...]:
    """Return the pairs of nations that may not share an area (KH-7.03)."""
    if "coordination" not in document.values:
        return ()
    table = inner(document, "coordination", ("apart",))
    found = []
    for pair in table.get(list, "apart"):
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) for each in pair):
            found.append((pair[0], pair[1]))
        else:
            table.refuse("apart", f"has {quoted(pair)}; write pairs of nations, such as [['german', 'italian']]")
    return tuple(found)
