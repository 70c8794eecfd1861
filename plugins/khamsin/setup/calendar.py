"""Reading of scheduled data: calendar in days, weather, air forces, replacements, changes of the situation."""

import re
from typing import NamedTuple

from khamsin.model.cards import AIR_LEVELS, AIR_RULES, EVENT_KINDS, SIDES, AirCard, Change, Pool, Weather, WeatherCard
from khamsin.setup.forces import MAX_TURNS
from sandtable.data import (
    TomlTable,
    choice_of,
    flag_of,
    id_of,
    ids_of,
    inner,
    listed_rows,
    number_of,
    quoted,
    rows_of,
    text_of,
    texts_of,
)

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", re.ASCII)
_FEBRUARY = 2

Day = tuple[int, int, int]
"""Year, month and day."""


def day_of(text: str) -> Day | None:
    """Return the day written as "1941-11-18", or None if no such day exists."""
    found = _DAY.fullmatch(text)
    if found is None:
        return None
    year, month, day = (int(part) for part in found.groups())
    is_one = year > 0 and 0 < month <= len(MONTHS) and 0 < day <= month_days(year, month)
    return (year, month, day) if is_one else None


def month_days(year: int, month: int) -> int:
    """Return the number of days of a month."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _LENGTHS[month - 1] + (1 if leap and month == _FEBRUARY else 0)


def days_on(day: Day, days: int) -> Day:
    """Return the day that is ``days`` later."""
    year, month, number = day
    number += days
    while number > month_days(year, month):
        number -= month_days(year, month)
        year, month = (year, month + 1) if month < len(MONTHS) else (year + 1, 1)
    return year, month, number


def day_words(day: Day) -> str:
    """Return a day in words, such as "18 November 1941"."""
    year, month, number = day
    return f"{number} {MONTHS[month - 1]} {year}"


CALENDAR_KEYS = ("turns", "first_day", "days", "labels")
WEATHER_KEYS = ("first", "table", "kinds")
KIND_KEYS = ("title", "extra", "air", "interdiction", "composition", "effects", "mud")
AIR_KEYS = ("level", "engagements", "interdictions", "needs")
POOL_KEYS = ("side", "nations", "armor", "general", "first", "last")
EVENT_KEYS = ("turn", "kind", "text", "side", "area", "level", "weather", "nations", "armor", "general")
TABLE_ROWS = 6
MAX_POINTS, MAX_FLIGHTS, MAX_EXTRA, MAX_MUD, MAX_DAYS = 500, 50, 20, 4, 31

USES = {
    "supply_on": ("side", "area"),
    "supply_off": ("side", "area"),
    "control": ("side", "area"),
    "air": ("side", "level"),
    "weather": ("weather",),
    "replacements": ("side",),
    "note": (),
}
"""Required keys of each kind of change."""


class Calendar(NamedTuple):
    """The number of turns, and the name of each."""

    turns: int
    labels: tuple[str, ...]


def read_calendar(document: TomlTable) -> Calendar:
    """Return the calendar: with given labels, with days counted from a first day, or with numbers."""
    table = inner(document, "calendar", CALENDAR_KEYS)
    turns = number_of(table, "turns", 1, MAX_TURNS)
    labels = texts_of(table, "labels")
    if labels and len(labels) != turns:
        table.refuse("labels", f"has {len(labels)} labels; give one for each of {turns} turns, or none")
    if "first_day" in table.values and not labels:
        labels = _days(table, turns)
    return Calendar(turns, labels or tuple(f"turn {turn}" for turn in range(1, turns + 1)))


def _days(table: TomlTable, turns: int) -> tuple[str, ...]:
    text, step = text_of(table, "first_day"), number_of(table, "days", 1, MAX_DAYS, 1)
    first = day_of(text)
    if first is None:
        table.refuse("first_day", f'is {quoted(text)}; write a day such as "1941-11-18"')
        return ()
    return tuple(day_words(days_on(first, step * turn)) for turn in range(turns))


def read_weather(document: TomlTable) -> Weather:
    """Return the weather (KH-4.02); a module without a weather table has clear skies."""
    if "weather" not in document.values:
        return Weather("", ("clear",) * TABLE_ROWS, {"clear": WeatherCard("clear", "Clear")})
    table = inner(document, "weather", WEATHER_KEYS)
    rows: list[object] = table.get(list, "table")
    cards = {key: _read_kind(key, row) for key, row in rows_of(table, "kinds", KIND_KEYS).items()}
    found = tuple(row for row in rows if isinstance(row, str))
    if len(rows) != TABLE_ROWS and isinstance(table.values.get("table"), list):
        table.refuse("table", f"has {len(rows)} rows; write six, one for each result of a die (KH-4.02)")
    for row in rows:
        if not isinstance(row, str) or row not in cards:
            table.refuse("table", f"has {quoted(row)}; choose {', '.join(cards)}")
    first = id_of(table, "first", "")
    if first and first not in cards:
        table.refuse("first", f"is {quoted(first)}; choose {', '.join(cards)}")
    return Weather(first, found, cards)


def _read_kind(key: str, table: TomlTable) -> WeatherCard:
    extra = inner(table, "extra", must=False)
    rule = choice_of(table, "air", AIR_RULES, "full")
    return WeatherCard(
        id=key,
        title=text_of(table, "title", None),
        extra={kind: number_of(extra, kind, 0, MAX_EXTRA) for kind in sorted(extra.values)},
        air=next((each for each in AIR_RULES if each == rule), "full"),
        interdiction=flag_of(table, "interdiction", default=True),
        composition=flag_of(table, "composition", default=True),
        effects=texts_of(table, "effects"),
        mud=number_of(table, "mud", 0, MAX_MUD, 0),
    )


def read_air(document: TomlTable) -> dict[str, AirCard]:
    """Return the air force of each side; a side that the module does not name has no air force."""
    if "air" not in document.values:
        return {side: AirCard(side) for side in SIDES}
    table = inner(document, "air", SIDES)
    return {
        side: _read_air(side, inner(table, side, AIR_KEYS)) if side in table.values else AirCard(side) for side in SIDES
    }


def _read_air(side: str, table: TomlTable) -> AirCard:
    return AirCard(
        side=side,
        level=choice_of(table, "level", AIR_LEVELS, "none"),
        engagements=number_of(table, "engagements", 0, MAX_FLIGHTS, 0),
        interdictions=number_of(table, "interdictions", 0, MAX_FLIGHTS, 0),
        needs=number_of(table, "needs", 1, 6, 1),
    )


def read_pools(document: TomlTable, turns: int) -> tuple[Pool, ...]:
    """Return the replacement points of each turn (KH-5.01)."""
    return tuple(
        Pool(
            id=key,
            side=choice_of(row, "side", SIDES),
            nations=ids_of(row, "nations"),
            armor=number_of(row, "armor", 0, MAX_POINTS, 0),
            general=number_of(row, "general", 0, MAX_POINTS, 0),
            first=number_of(row, "first", 1, turns, 1),
            last=number_of(row, "last", 1, turns, turns),
        )
        for key, row in rows_of(document, "replacements", POOL_KEYS).items()
    )


def read_events(document: TomlTable, turns: int) -> tuple[Change, ...]:
    """Return the changes of the situation (KH-2.04), in the order of the file."""
    return tuple(_read_event(row, turns) for row in listed_rows(document, "events", EVENT_KEYS))


def _read_event(row: TomlTable, turns: int) -> Change:
    kind = choice_of(row, "kind", EVENT_KINDS)
    for name in USES.get(kind, ()):
        if name not in row.values:
            row.refuse(name, f"is missing; an event of kind {kind} needs it (KH-2.04)")
    side = choice_of(row, "side", SIDES) if "side" in row.values else ""
    return Change(
        turn=number_of(row, "turn", 1, turns),
        kind=kind,
        text=text_of(row, "text", None),
        side=side,
        area=id_of(row, "area", ""),
        level=choice_of(row, "level", AIR_LEVELS, ""),
        weather=id_of(row, "weather", ""),
        nations=ids_of(row, "nations"),
        armor=number_of(row, "armor", 0, MAX_POINTS, 0),
        general=number_of(row, "general", 0, MAX_POINTS, 0),
    )
