"""Reading a company list: the platoon types of a side, and the list's own starting force.

title = "Panzergrenadierkompanie"
side = "german"
company = "mechanized"              # tank, mechanized or infantry
hq_points = 50
combat = { least = 2, most = 3 }
weapons = 3                         # maximum number
supports = 8                        # maximum number
[air]
types = ["ju_87d"]
bombers = ["ju_87d"]                # types that choose a load
points = { sporadic = 110, limited = 145, priority = 185 }
[types.pak40]
title = "PaK40 platoon"
slot = "support"                    # hq, combat, weapons or support
kind = "gun"
transport = "motor"                 # foot, motor (then vehicle, and transports for each size) or organic
vehicle = "tow_vehicle"
towed = true
sizes = [{ teams = 3, points = 265, transports = 4 }, { teams = 4, points = 345, transports = 5 }]
upgrades.observer = { title = "Observer team", points = 15, most = 1 }
[start]
air = { ju_87d = "limited" }
[start.platoons]
pak1 = { type = "pak40", teams = 4, upgrades = { observer = 1 } }
"""

from axis_attack.model.cards import (
    AIR_LEVELS,
    FOOT,
    KINDS,
    MOTOR,
    ORGANIC,
    SIDES,
    SLOTS,
    Bought,
    CompanyList,
    PlatoonType,
    Size,
    Upgrade,
)
from sandtable.data import (
    TomlTable,
    choice_of,
    flag_of,
    id_of,
    ids_of,
    inner,
    listed_rows,
    noted,
    number_of,
    rows_of,
    text_of,
)

LIST_KEYS = (
    *("title", "side", "company", "skill", "motivation", "hq_points", "points", "combat", "weapons"),
    *("supports", "air", "types", "start"),
)
TYPE_KEYS = (
    *("title", "slot", "kind", "transport", "vehicle", "all_tanks", "recon", "towed", "carries", "bombards", "smoke"),
    *("staff", "most", "sizes", "upgrades"),
)
COMPANIES = ("tank", "mechanized", "infantry")
SKILLS = ("conscript", "trained", "veteran")
MOTIVATIONS = ("reluctant", "confident", "fearless")
MAX_POINTS, MAX_TEAMS, MAX_PLATOONS, MAX_SIZES, MAX_UPGRADES = 10_000, 99, 20, 40, 99


def read_list(table: TomlTable, ident: str) -> CompanyList:
    """Return a list from its table. Errors in single values are recorded in the table's problems."""
    noted(table, LIST_KEYS)
    combat = inner(table, "combat", ("least", "most")) if "combat" in table.values else None
    air = inner(table, "air", ("types", "bombers", "points")) if "air" in table.values else None
    start = inner(table, "start", ("air", "platoons"))
    points = inner(air, "points", AIR_LEVELS) if air and air.values.get("types") else None
    types = {key: _read_type(key, row) for key, row in rows_of(table, "types", TYPE_KEYS).items()}
    return CompanyList(
        id=ident,
        title=text_of(table, "title", None),
        side=choice_of(table, "side", SIDES),
        company=choice_of(table, "company", COMPANIES),
        hq_points=number_of(table, "hq_points", 0, MAX_POINTS),
        points=number_of(table, "points", 1, MAX_POINTS, 0),
        types=types,
        start=_read_start(start, types),
        skill=choice_of(table, "skill", SKILLS, "trained"),
        motivation=choice_of(table, "motivation", MOTIVATIONS, "confident"),
        least=number_of(combat, "least", 2, MAX_PLATOONS) if combat else 2,
        most=number_of(combat, "most", 2, MAX_PLATOONS) if combat else 3,
        weapons=number_of(table, "weapons", 0, MAX_PLATOONS, 9),
        supports=number_of(table, "supports", 0, MAX_PLATOONS, 9),
        air=_read_levels(start),
        air_points={level: number_of(points, level, 0, MAX_POINTS) for level in AIR_LEVELS} if points else {},
        aircraft=ids_of(air, "types") if air else (),
        bombers=ids_of(air, "bombers") if air else (),
    )


def _read_start(table: TomlTable, types: dict[str, PlatoonType]) -> tuple[Bought, ...]:
    """Return the platoons of the starting force in the order of slots: HQ, combat, weapons, support."""
    rows = rows_of(table, "platoons", ("type", "teams", "upgrades"))
    places = {key: SLOTS.index(kind.slot) for key, kind in types.items() if kind.slot in SLOTS}
    bought = [_read_bought(key, row) for key, row in rows.items()]
    return tuple(sorted(bought, key=lambda it: places.get(it.type, len(SLOTS))))


def _read_levels(start: TomlTable) -> dict[str, str]:
    """Return the bought level of each type of aircraft (AOA-1.12 to AOA-1.14)."""
    if "air" not in start.values:
        return {}
    table = inner(start, "air")
    return {each: choice_of(table, each, AIR_LEVELS) for each in table.values}


def _read_type(key: str, table: TomlTable) -> PlatoonType:
    return PlatoonType(
        id=key,
        title=text_of(table, "title", None),
        slot=choice_of(table, "slot", SLOTS),
        kind=choice_of(table, "kind", KINDS),
        sizes=tuple(
            Size(
                number_of(row, "teams", 1, MAX_TEAMS),
                number_of(row, "points", 0, MAX_POINTS),
                number_of(row, "transports", 0, MAX_TEAMS, 0),
            )
            for row in listed_rows(table, "sizes", ("teams", "points", "transports"), must=True)[:MAX_SIZES]
        ),
        transport=choice_of(table, "transport", (FOOT, MOTOR, ORGANIC), FOOT),
        vehicle=id_of(table, "vehicle", ""),
        all_tanks=flag_of(table, "all_tanks"),
        recon=flag_of(table, "recon"),
        towed=flag_of(table, "towed"),
        carries=number_of(table, "carries", 0, MAX_TEAMS, 0),
        bombards=flag_of(table, "bombards"),
        smoke=flag_of(table, "smoke"),
        staff=flag_of(table, "staff"),
        upgrades=tuple(
            Upgrade(
                each,
                text_of(row, "title", None),
                number_of(row, "points", 0, MAX_POINTS),
                number_of(row, "most", 1, MAX_TEAMS, 1),
            )
            for each, row in rows_of(table, "upgrades", ("title", "points", "most")).items()
        ),
        most=number_of(table, "most", 1, MAX_PLATOONS, 1),
    )


def _read_bought(key: str, table: TomlTable) -> Bought:
    upgrades = inner(table, "upgrades") if "upgrades" in table.values else None
    bought = {each: number_of(upgrades, each, 1, MAX_UPGRADES) for each in upgrades.values} if upgrades else {}
    return Bought(key, id_of(table, "type"), number_of(table, "teams", 1, MAX_TEAMS), bought)
