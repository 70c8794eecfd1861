"""Days of a calendar, counted from a first one: whole numbers only, and no clock."""

import re

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
    """Return the day that is written as "1941-11-18", None if there is no such day."""
    found = _DAY.fullmatch(text)
    if found is None:
        return None
    year, month, day = (int(part) for part in found.groups())
    is_one = year > 0 and 0 < month <= len(MONTHS) and 0 < day <= month_days(year, month)
    return (year, month, day) if is_one else None


def month_days(year: int, month: int) -> int:
    """Return how many days a month has."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _LENGTHS[month - 1] + (1 if leap and month == _FEBRUARY else 0)


def days_on(day: Day, days: int) -> Day:
    """Return the day that is so many ``days`` later."""
    year, month, number = day
    number += days
    while number > month_days(year, month):
        number -= month_days(year, month)
        year, month = (year, month + 1) if month < len(MONTHS) else (year + 1, 1)
    return year, month, number


def said(day: Day) -> str:
    """Return a day in words: "18 November 1941"."""
    year, month, number = day
    return f"{number} {MONTHS[month - 1]} {year}"
