"""Reading a scenario's tables: what a file may hold, and what is wrong with it, by file and key."""

from typing import Any, NamedTuple

from desert_aa.soundness import DESERT, OPEN, ROAD, TERRAINS, Facts, fact_problems, ground_problems, income_problems
from desert_aa.tables import ENEMY, KINDS, POWER_NAMES, POWERS, SIDE_OF, SIDES
from sandtable.board.areas import Area, AreaMap, Connector
from sandtable.board.structure import find_structure_problems
from sandtable.board.tomlfile import Problems, Table
from sandtable.board.wording import shown
from sandtable.plugin.scenarios import Scenario

MOST_AREAS = 400
MOST_MONEY = 100_000
MOST_UNITS = 200
MOST_ROUNDS = 1_000

TABLES = ("scenario", "powers", "treasury", "map", "areas", "connectors", "forces")
SCENARIO_KEYS = ("id", "title", "description", "round_limit", "endless")
MAP_KEYS = ("id", "title", "provenance", "reason")
AREA_KEYS = ("name", "terrain", "lon_milli", "lat_milli", "owner", "value", "road", "city", "zone", "capital")


class Sheet(NamedTuple):
    """A scenario as read: sound in itself."""

    map: AreaMap
    facts: dict[str, Facts]
    income: dict[str, int]
    cash: dict[str, int]
    bonus: int
    forces: dict[str, dict[str, dict[str, int]]]
    round_limit: int


def read_sheet(scenario: Scenario) -> Sheet:
    """Return the scenario's data; raises DataError, with file and key, for all that is wrong."""
    problems = Problems(scenario.source)
    document = Table(problems, "", scenario.data)
    document.refuse_unknown(TABLES)
    round_limit = _read_head(document)
    income = _read_powers(document)
    cash, bonus = _read_treasury(document)
    area_map, facts = _read_map(document)
    for key, problem in fact_problems(facts):
        problems.refuse(key, problem)
    forces = _read_forces(document, facts)
    problems.stop()
    for key, problem in [*ground_problems(area_map, facts), *income_problems(facts, income)]:
        problems.refuse(key, problem)
    problems.stop()
    return Sheet(area_map, facts, income, cash, bonus, forces, round_limit)


def _table(document: Table, name: str) -> Table:
    return Table(document.problems, document.key_of(name), document.get(dict, name))


def _whole(table: Table, name: str, most: int, default: int | None = None) -> int:
    """Return a whole number from 0 to ``most``; without a ``default`` it must be there."""
    if name not in table.values and default is not None:
        return default
    number: int = table.get(int, name)
    if not 0 <= number <= most:
        table.refuse(name, f"is {shown(number)}; use 0 to {most}")
        return 0
    return number


def _choice(table: Table, name: str, allowed: tuple[str, ...], default: str | None = None) -> str:
    if name not in table.values and default is not None:
        return default
    word: str = table.get(str, name)
    if word not in allowed and isinstance(table.values.get(name), str):
        table.refuse(name, f"is {shown(word)}; choose {', '.join(repr(each) for each in allowed)}")
    return word


def _flag(table: Table, name: str) -> bool:
    return bool(table.get(bool, name)) if name in table.values else False


def _read_head(document: Table) -> int:
    head = _table(document, "scenario")
    head.refuse_unknown(SCENARIO_KEYS)
    if "description" in head.values:
        head.text("description", also="\n\t")
    return _whole(head, "round_limit", MOST_ROUNDS, default=0)


def _read_powers(document: Table) -> dict[str, int]:
    powers = _table(document, "powers")
    powers.refuse_unknown(POWERS)
    income = {}
    for power in POWERS:
        table = _table(powers, power)
        table.refuse_unknown(("side", "income"))
        _choice(table, "side", (SIDE_OF[power],))
        income[power] = _whole(table, "income", MOST_MONEY)
    return income


def _read_treasury(document: Table) -> tuple[dict[str, int], int]:
    table = _table(document, "treasury")
    table.refuse_unknown((*SIDES, "bonus"))
    return {side: _whole(table, side, MOST_MONEY) for side in SIDES}, _whole(table, "bonus", 1_000)


def _read_map(document: Table) -> tuple[AreaMap, dict[str, Facts]]:
    """Return the map and the facts of its areas; raises DataError if the map is not sound in itself."""
    problems = document.problems
    head = _table(document, "map")
    head.refuse_unknown(MAP_KEYS)
    ident, title = head.word("id"), head.text("title")
    provenance, reason = (head.text(name, also="\n\t") for name in ("provenance", "reason"))
    rows: dict[str, Any] = document.get(dict, "areas")
    if len(rows) > MOST_AREAS:
        document.refuse("areas", f"has {len(rows)} areas; use at most {MOST_AREAS}")
        problems.stop()
    areas, facts = [], {}
    tables = _table(document, "areas")
    for area_id in rows:
        table = _table(tables, area_id)
        table.refuse_unknown(AREA_KEYS)
        areas.append(Area(area_id, table.text("name"), _choice(table, "terrain", TERRAINS), {}, **_place(table)))
        facts[area_id] = _read_facts(table, areas[-1].terrain)
    links, keys = _read_connectors(document)
    for key, problem in find_structure_problems(rows, [(link.a, link.b) for link in links], keys):
        problems.refuse(key, problem)
    problems.stop()
    return AreaMap(ident, tuple(areas), tuple(links), title, provenance, reason), facts


def _place(table: Table) -> dict[str, int | None]:
    place = {"lon_milli": table.whole("lon_milli", 180_000), "lat_milli": table.whole("lat_milli", 90_000)}
    for name, number in place.items():
        if number is None:
            table.refuse(name, "is missing; add a whole number, thousandths of a degree, to draw the area by")
    return place


def _read_facts(table: Table, terrain: str) -> Facts:
    return Facts(
        terrain,
        _choice(table, "owner", (*POWERS, "")),
        _whole(table, "value", 1_000, default=0),
        _flag(table, "road"),
        _flag(table, "city"),
        _flag(table, "zone"),
        _choice(table, "capital", (*SIDES, ""), default=""),
    )


def _read_connectors(document: Table) -> tuple[list[Connector], list[str]]:
    links: list[Connector] = []
    keys: list[str] = []
    for position, entry in enumerate(document.get(list, "connectors")):
        key = f"connectors[{position}]"
        if not document.problems.is_a(dict, key, entry):
            continue
        table = Table(document.problems, key, entry)
        table.refuse_unknown(("between", "kind"))
        kind = _choice(table, "kind", (ROAD, DESERT))
        ends = table.get(list, "between")
        if len(ends) == 2 and all(isinstance(end, str) for end in ends):
            links.append(Connector(ends[0], ends[1], kind))
            keys.append(table.key_of("between"))
        elif isinstance(entry.get("between"), list):
            table.refuse("between", "must be the ids of two areas")
    return links, keys


def _read_forces(document: Table, facts: dict[str, Facts]) -> dict[str, dict[str, dict[str, int]]]:
    forces = _table(document, "forces")
    forces.refuse_unknown(POWERS)
    return {power: _read_stacks(_table(forces, power), power, facts) for power in POWERS if power in forces.values}


def _read_stacks(table: Table, power: str, facts: dict[str, Facts]) -> dict[str, dict[str, int]]:
    found = {}
    for area_id in sorted(table.values):
        stack = _table(table, area_id)
        fact = facts.get(area_id)
        if fact is None:
            table.refuse(area_id, "there is no such area")
            continue
        if fact.terrain != OPEN:
            table.refuse(area_id, "is closed ground: no unit can stand there")
        elif SIDE_OF.get(fact.owner) == ENEMY[SIDE_OF[power]]:
            table.refuse(area_id, f"is held by {POWER_NAMES[fact.owner]}: units begin on ground of their own side")
        stack.refuse_unknown(KINDS)
        found[area_id] = {kind: _whole(stack, kind, MOST_UNITS) for kind in KINDS if kind in stack.values}
    return found
