"""The figures of the mapping, read from ``bridge.toml``."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sandtable.rules.tabletop.brief import Brief

HOME = Path(__file__).with_name("bridge.toml")
ANY = "any"
_YEAR = re.compile(r"\b(19\d\d)\b", re.ASCII)


@cache
def bridge() -> dict[str, Any]:
    """Return the tables of the mapping."""
    return tomllib.loads(HOME.read_text(encoding="utf-8"))


def by_word(table: Mapping[str, Any], text: str) -> Any:
    """Return the value of the first key of ``table`` that is a word, or part of one, of ``text``; None for none."""
    lower = text.lower()
    return next((value for key, value in table.items() if key in lower), None)


def year_of(brief: Brief) -> int:
    """Return the year that the campaign's title names, 0 for none."""
    found = _YEAR.search(brief.campaign)
    return int(found[1]) if found else 0


def counter(what: str, nation: str, year: int) -> dict[str, Any]:
    """Return the figures of a kind of platoon, "truck" or "air": the nation's of that year, else anybody's."""
    own = by_word({key: table for key, table in bridge()["counters"].items() if key != ANY}, nation) or {}
    later = [table for key, table in own.items() if key.isdigit() and int(key) <= year and what in table]
    chosen: dict[str, Any] = (later[-1] if later else own).get(what) or bridge()["counters"][ANY][what]
    return chosen
