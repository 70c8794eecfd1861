"""Reading of a scenario's tables. Problems are reported by file and key."""

from typing import Any, NamedTuple

from desert_aa.model.tables import DESERT, ENEMY, KINDS, OPEN, POWER_NAMES, POWERS, ROAD, SIDE_OF, SIDES, TERRAINS
from desert_aa.setup.validation import Facts, fact_problems, ground_problems, income_problems
from sandtable import Scenario
from sandtable.areas import Area, AreaMap, Connector, find_structure_problems
from sandtable.data import Problems, TomlTable, choice_of, flag_of, inner, number_of

MAX_AREAS = 400
MAX_MONEY = 100_000
MAX_UNITS = 200
MAX_ROUNDS = 1_000

TABLES = ("scenario", "powers", "treasury", "map", "areas", "connectors", "forces")
SCENARIO_KEYS = ("id", "title", "description", "round_limit", "endless")
MAP_KEYS = ("id", "title", "provenance", "reason")
AREA_KEYS = ("name", "terrain", "lon_milli", "lat_milli", "owner", "value", "road", "city", "zone", "capital")


class Sheet(NamedTuple):
    """A valid scenario as read from its file."""

    map: AreaMap
    facts: dict[str, Facts]
    income: dict[str, int]
    cash: dict[str, int]
    bonus: int
    forces: dict[str, dict[str, dict[str, int]]]
    round_limit: int


def read_sheet(scenario: Scenario) -> Sheet:
    """Return the scenario's data. Raises DataError with all problems, by file and key."""
    problems = Problems(scenario.source)
    document = TomlTable(problems, "", scenario.data)
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


def _read_head(document: TomlTable) -> int:
    head = inner(document, "scenario")
    head.refuse_unknown(SCENARIO_KEYS)
    if "description" in head.values:
        head.text("description", also="\n\t")
    return number_of(head, "round_limit", 0, MAX_ROUNDS, default=0)


def _read_powers(document: TomlTable) -> dict[str, int]:
    powers = inner(document, "powers")
    powers.refuse_unknown(POWERS)
    income = {}
    for power in POWERS:
        table = inner(powers, power)
        table.refuse_unknown(("side", "income"))
        choice_of(table, "side", (SIDE_OF[power],))
        income[power] = number_of(table, "income", 0, MAX_MONEY)
    return income


def _read_treasury(document: TomlTable) -> tuple[dict[str, int], int]:
    table = inner(document, "treasury")
    table.refuse_unknown((*SIDES, "bonus"))
    return {side: number_of(table, side, 0, MAX_MONEY) for side in SIDES}, number_of(table, "bonus", 0, 1_000)


def _read_map(document: TomlTable) -> tuple[AreaMap, dict[str, Facts]]:
    """Return the map and the facts of its areas. Raises DataError if the map is not valid."""
    problems = document.problems
    head = inner(document, "map")
    head.refuse_unknown(MAP_KEYS)
    ident, title = head.word("id"), head.text("title")
    provenance, reason = (head.text(name, also="\n\t") for name in ("provenance", "reason"))
    rows: dict[str, Any] = document.get(dict, "areas")
    if len(rows) > MAX_AREAS:
        document.refuse("areas", f"has {len(rows)} areas; use at most {MAX_AREAS}")
        problems.stop()
    areas, facts = [], {}
    tables = inner(document, "areas")
    for area_id in rows:
        table = inner(tables, area_id)
        table.refuse_unknown(AREA_KEYS)
        areas.append(Area(area_id, table.text("name"), choice_of(table, "terrain", TERRAINS), {}, **_place(table)))
        facts[area_id] = _read_facts(table, areas[-1].terrain)
    links, keys = _read_connectors(document)
    for key, problem in find_structure_problems(rows, [(link.a, link.b) for link in links], keys):
        problems.refuse(key, problem)
    problems.stop()
    return AreaMap(ident, tuple(areas), tuple(links), title, provenance, reason), facts


def _place(table: TomlTable) -> dict[str, int | None]:
    place = {"lon_milli": table.whole("lon_milli", 180_000), "lat_milli": table.whole("lat_milli", 90_000)}
    for name, number in place.items():
        if number is None:
            table.refuse(name, "is missing; add a whole number in thousandths of a degree, for drawing")
    return place


def _read_facts(table: TomlTable, terrain: str) -> Facts:
    return Facts(
        terrain,
        choice_of(table, "owner", (*POWERS, "")),
        number_of(table, "value", 0, 1_000, default=0),
        flag_of(table, "road"),
        flag_of(table, "city"),
        flag_of(table, "zone"),
        choice_of(table, "capital", (*SIDES, ""), default=""),
    )


def _read_connectors(document: TomlTable) -> tuple[list[Connector], list[str]]:
    links: list[Connector] = []
    keys: list[str] = []
    for position, entry in enumerate(document.get(list, "connectors")):
        key = f"connectors[{position}]"
        if not document.problems.is_a(dict, key, entry):
            continue
        table = TomlTable(document.problems, key, entry)
        table.refuse_unknown(("between", "kind"))
        kind = choice_of(table, "kind", (ROAD, DESERT))
        ends = table.get(list, "between")
        if len(ends) == 2 and all(isinstance(end, str) for end in ends):
            links.append(Connector(ends[0], ends[1], kind))
            keys.append(table.key_of("between"))
        elif isinstance(entry.get("between"), list):
            table.refuse("between", "must be the ids of two areas")
    return links, keys


def _read_forces(document: TomlTable, facts: dict[str, Facts]) -> dict[str, dict[str, dict[str, int]]]:
    forces = inner(document, "forces")
    forces.refuse_unknown(POWERS)
    return {power: _read_stacks(inner(forces, power), power, facts) for power in POWERS if power in forces.values}


def _read_stacks(table: TomlTable, power: str, facts: dict[str, Facts]) -> dict[str, dict[str, int]]:
    found = {}
    for area_id in sorted(table.values):
        stack = inner(table, area_id)
        fact = facts.get(area_id)
        if fact is None:
            table.refuse(area_id, "is not an area of the map")
            continue
        if fact.terrain != OPEN:
            table.refuse(area_id, "is closed ground: no unit can be there")
        elif SIDE_OF.get(fact.owner) == ENEMY[SIDE_OF[power]]:
            table.refuse(area_id, f"is held by {POWER_NAMES[fact.owner]}: units begin in spaces of their side")
        stack.refuse_unknown(KINDS)
        found[area_id] = {kind: number_of(stack, kind, 0, MAX_UNITS) for kind in KINDS if kind in stack.values}
    return found
