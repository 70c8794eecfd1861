"""The counters that a scenario adds in its table ``counters``, with rows as in ``units.toml``.

They are added to those of the counter sheet. The names of the sheet may not be used. No two added types may use the
same identity number.
"""

import re

from kampfpanzer.model.forces import AFV, APC, ARTILLERY, INFANTRY, TRUCK, Counters, Kind
from sandtable import Scenario
from sandtable.data import Problems, TomlTable, choice_of, number_of, quoted

CATEGORIES = (AFV, APC, TRUCK, INFANTRY, ARTILLERY)
WEAPONS = ("A", "M", "R", "H", "")
MAX_KINDS = 400
MAX_ID = 9999
KEYS = ("nation", "category", "attack", "weapon", "range_hexes", "defense", "hard", "movement", "ids")
FAR = {"H": 100}
"""Maximum range in hexes by weapon; for the others it is 20, where the table of direct fire ends (KP-9.18a)."""

_NAME = re.compile(r"[A-Za-z0-9_.+-]{1,40}", re.ASCII)


def with_own(listed: Counters, scenario: Scenario) -> Counters:
    """Return the counters including those of the scenario. Raises DataError, with file and key, for invalid data."""
    if "counters" not in scenario.data:
        return listed
    problems = Problems(scenario.source)
    rows = TomlTable(problems, "", scenario.data).get(dict, "counters")
    if len(rows) > MAX_KINDS:
        problems.refuse("counters", f"has {len(rows)} types; the maximum is {MAX_KINDS}")
    problems.stop()
    kinds, ids = {}, {}
    used: dict[str, str] = {}
    for name, row in rows.items():
        table = TomlTable(problems, f"counters.{name}", row if isinstance(row, dict) else {})
        if name in listed.kinds or not _NAME.fullmatch(name):
            problems.refuse(
                table.key, "is not a valid name: write 1 to 40 letters, digits and _ . + -, but no type that exists"
            )
        elif problems.is_a(dict, table.key, row):
            kinds[name] = _kind(name, table)
            ids[name] = _ids(table, used)
    problems.stop()
    return Counters(listed.kinds | kinds, listed.ids | ids)


def _kind(name: str, table: TomlTable) -> Kind:
    table.refuse_unknown(KEYS)
    weapon = choice_of(table, "weapon", WEAPONS)
    return Kind(
        name=name,
        nation=table.text("nation"),
        category=choice_of(table, "category", CATEGORIES),
        attack=number_of(table, "attack", 0, 12),
        weapon=weapon,
        range_hexes=number_of(table, "range_hexes", 0, FAR.get(weapon, 20)),
        defense=number_of(table, "defense", 0, 12),
        hard=bool(table.get(bool, "hard")),
        movement=number_of(table, "movement", 0, 24),
    )


def _ids(table: TomlTable, used: dict[str, str]) -> tuple[str, ...]:
    """Return the identity numbers of ``ids``, a list of runs; each may be used once among the scenario's counters."""
    found: list[str] = []
    for run in table.get(list, "ids"):
        if not (isinstance(run, list) and len(run) == 2 and all(type(each) is int for each in run)):
            table.refuse("ids", f"has {quoted(run)}; give runs of identity numbers, such as [[1, 4]]")
            return ()
        first, last = run
        if not 1 <= first <= last <= MAX_ID:
            table.refuse("ids", f"has {quoted(run)}; use numbers from 1 to {MAX_ID}, the lower one first")
            return ()
        found += map(str, range(first, last + 1))
    for each in found:
        if each in used:
            table.refuse("ids", f"has {each}, which {used[each]} already has (KP-3.2b)")
        used[each] = table.key
    return tuple(found)
