"""Reading a scenario: builds the board from its tables, checks it, and applies the options.

[scenario]
id = "eastern_front"
title = "Eastern Front"
files = { german = "..", soviet = "..", missions = "..", sectors = ".." }  # lists: see lists.py
[campaign]
points = 3000                       # of a starting force
limit = 1500                        # of a game
turns = 9
start_sector = 4                    # default: the middle sector
table = [3, 2]                      # columns and rows of a sector's map
[sides.german]                      # and [sides.soviet]
title = "Germans"
player = "Rommel"
[missions.encounter]                # and the other missions of the ladder
title = "Encounter"
attacker = "advance"                # result if the attacker wins; defender = ".." if the mission has one
fair_fight = true                   # or defensive_battle = true
tabletop = "Encounter"
[sectors.1]                         # from west to east
title = "German home"
columns = 6
rows = 6
terrain = "a railway town"
"""

from collections.abc import Mapping
from dataclasses import replace

from axis_attack.model.cards import GERMAN, MISSIONS, SIDES, SOVIET, Board, Mission, Sector
from axis_attack.model.state import AxisState
from axis_attack.setup.lists import MAX_POINTS, read_list
from axis_attack.setup.settings import first_points, fitted, settings_problems, start_sector_of
from axis_attack.setup.validation import problems_of
from sandtable import DataError, Scenario, raise_all
from sandtable.data import Problems, TomlTable, choice_of, flag_of, inner, noted, number_of, quoted, rows_of, text_of

TABLES = ("scenario", "campaign", "sides", *SIDES, "missions", "sectors")
SCENARIO_KEYS = ("id", "title", "description", "endless")
CAMPAIGN_KEYS = ("points", "limit", "turns", "start_sector", "table")
MISSION_KEYS = ("title", "attacker", "defender", "fair_fight", "defensive_battle", "tabletop")
RESULTS = ("hold", "advance", "breakthrough", "retreat")
MAX_TURNS, MAX_SECTORS, MAX_SQUARES = 99, 15, 40


def read_board(scenario: Scenario, options: Mapping[str, str]) -> Board:
    """Return the board. Raises DataError for all errors in the scenario, with file and key."""
    board = _read(scenario)
    raise_all([_placed(scenario, key, problem) for key, problem in problems_of(board, options)])
    raise_all([DataError("the options", key, problem) for key, problem in settings_problems(board, options)])
    total = options["start_total"]
    return replace(
        board,
        points=int(total) if total.isdigit() else board.points,
        lists=fitted(board.lists, int(total)) if total.isdigit() else board.lists,
        start_sector=start_sector_of(board, options),
        start_points=int(options["vp_start"]),
    )


def opening_state(board: Board, options: Mapping[str, str]) -> AxisState:
    """Return the state before companies are built, with the agreed victory points (AOA-R04, AOA-R07)."""
    return AxisState(
        rosters={side: {} for side in SIDES},
        aircraft={side: {} for side in SIDES},
        balance={side: first_points(board, options, side) for side in SIDES},
        earned=dict.fromkeys(SIDES, 0),
        raw=dict.fromkeys(SIDES, 0),
        ladder={side: {} for side in SIDES},
        sector=board.start_sector,
        options=dict(options),
    )


def _placed(scenario: Scenario, key: str, problem: str) -> DataError:
    """Return the problem of a key as an error in the file that contains the key."""
    return DataError(*scenario.place(key), problem)


def _read(scenario: Scenario) -> Board:
    """Return the board as read. Raises DataError for all values that are wrong by themselves."""
    problems = Problems(scenario.source)
    document = TomlTable(problems, "", scenario.data)
    document.refuse_unknown(TABLES)
    head = inner(document, "scenario", SCENARIO_KEYS)
    if "description" in head.values:
        head.text("description", also="\n\t")
    flag_of(head, "endless")
    campaign = inner(document, "campaign", CAMPAIGN_KEYS)
    sides = inner(document, "sides", SIDES)
    rows = {side: inner(sides, side, ("title", "player")) for side in SIDES}
    sectors = _read_sectors(document)
    board = Board(
        scenario=scenario.id,
        title=scenario.title,
        sides={side: text_of(row, "title", None) for side, row in rows.items()},
        players={side: text_of(row, "player", side) for side, row in rows.items()},
        sectors=sectors,
        home={GERMAN: 1, SOVIET: len(sectors)},
        missions=_read_missions(document),
        lists={side: read_list(_table(document, side), side) for side in SIDES},
        points=number_of(campaign, "points", 1, MAX_POINTS),
        limit=number_of(campaign, "limit", 1, MAX_POINTS),
        turns=number_of(campaign, "turns", 1, MAX_TURNS),
        start_sector=number_of(campaign, "start_sector", 1, MAX_SECTORS, 0),
        table=_read_pair(campaign, "table"),
    )
    raise_all([_placed(scenario, each.key, each.problem) for each in problems.found])
    return board


def _table(document: TomlTable, name: str) -> TomlTable:
    """Return a table, which may be in a separate file. A missing table is recorded as a problem."""
    if name in document.values:
        return inner(document, name)
    document.problems.refuse(f"scenario.files.{name}", f"is missing; name a file, or write the table [{name}]")
    return TomlTable(Problems(""), name, {})


def _read_missions(document: TomlTable) -> dict[str, Mission]:
    """Return the missions by id in the order of the ladder. Unknown and missing ones are recorded as problems."""
    table = _table(document, "missions")
    noted(table, MISSIONS)
    rows = {each: inner(table, each, MISSION_KEYS) for each in MISSIONS}
    return {
        each: Mission(
            id=each,
            title=text_of(row, "title", None),
            attacker=choice_of(row, "attacker", RESULTS),
            defender=choice_of(row, "defender", RESULTS, ""),
            fair_fight=flag_of(row, "fair_fight"),
            defensive_battle=flag_of(row, "defensive_battle"),
            tabletop=text_of(row, "tabletop", str(row.values.get("title", ""))),
        )
        for each, row in rows.items()
    }


def _read_sectors(document: TomlTable) -> tuple[Sector, ...]:
    """Return the sectors by number. A number beyond the count of sectors is recorded as a problem (AOA-2.02)."""
    _table(document, "sectors")
    rows = rows_of(document, "sectors", ("title", "columns", "rows", "terrain"))
    numbers = dict.fromkeys(str(number) for number in range(1, len(rows) + 1))
    for key, row in rows.items():
        if key not in numbers:
            row.problems.refuse(
                row.key, f"is not a number of the track; number the sectors 1 to {len(rows)} (AOA-2.02)"
            )
    return tuple(_read_sector(int(key), rows[key]) for key in numbers if key in rows)


def _read_sector(number: int, row: TomlTable) -> Sector:
    return Sector(
        number=number,
        title=text_of(row, "title", None),
        columns=number_of(row, "columns", 1, MAX_SQUARES),
        rows=number_of(row, "rows", 1, MAX_SQUARES),
        terrain=text_of(row, "terrain"),
    )


def _read_pair(table: TomlTable, name: str) -> tuple[int, int]:
    """Return two whole numbers from 1 to ``MAX_SQUARES``; other values are recorded as a problem."""
    pair = table.get(list, name)
    if len(pair) == 2 and all(type(each) is int and 1 <= each <= MAX_SQUARES for each in pair):
        return pair[0], pair[1]
    if isinstance(table.values.get(name), list):
        table.refuse(name, f"is {quoted(pair)}; write columns and rows, two numbers from 1 to {MAX_SQUARES}")
    return 1, 1
