"""Names as people type them: an id, a title, or the beginning of either if it is unambiguous."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct, structs

NOTHING = ("none", "nothing", "no", "-")
"""Words that mean "nothing"."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
LISTED = 14
"""Maximum number of names listed in the refusal of an unknown name."""


def name_words(name: str) -> str:
    """Return "BuyUnits" or "buy_units" as "buy units"."""
    return _HUMP.sub(" ", name).replace("_", " ").lower()


def flat(text: str) -> str:
    """Return a name in the form of an id: "Night attack" as "night_attack"."""
    return "_".join(text.lower().replace("-", "_").split())


def named(text: str, known: Iterable[str] | Mapping[str, Any]) -> str:
    """Return the id that a text names, or "": an id or, if ``known`` maps ids to titles, a title.

    The beginning is enough if only one name has it.
    """
    typed_, of = flat(text), known if isinstance(known, Mapping) else {}
    calls = {key: [flat(each) for each in (key, of.get(key)) if isinstance(each, str)] for key in known}
    exact = [each for each in (text, typed_) if each in calls]
    exact = exact or [key for key, names in calls.items() if typed_ and typed_ in names]
    near = exact[:1] or [key for key, names in calls.items() if typed_ and any(it.startswith(typed_) for it in names)]
    return near[0] if len(near) == 1 else ""


def number_of(text: str) -> int | None:
    """Return the value of a text of one to four digits, or None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else None


def spellings(titles: Mapping[str, str]) -> Mapping[str, str]:
    """Return ids by all their names in lower case: the id, the title, or a part of the title that no other has.

    The parts of "Bardia-Sollum" are "bardia" and "sollum".
    """
    return _spellings(tuple(titles.items()))


@lru_cache(maxsize=16)
def _spellings(titles: tuple[tuple[str, str], ...]) -> dict[str, str]:
    parts: dict[str, list[str]] = {}
    for key, title in titles:
        plain = title.lower().replace("(", "").replace(")", "")
        for part in dict.fromkeys((plain, *plain.split("-"))):
            parts.setdefault(part, []).append(key)
    known = {part: keys[0] for part, keys in parts.items() if len(keys) == 1 and part}
    return known | {key.lower(): key for key, _ in titles}


def typed(value: Any) -> str:
    """Return a value as it can be typed: "b1 0804", "2 infantry 1 guns", "b1: 0804; b2: 0805"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Struct):
        return " ".join(filter(None, map(typed, structs.astuple(value))))
    if isinstance(value, Mapping):
        if all(type(each) is int for each in value.values()):
            return " ".join(f"{number} {key}" for key, number in value.items()) or NOTHING[0]
        return "; ".join(f"{key}: {typed(each)}" for key, each in value.items()) or NOTHING[0]
    if isinstance(value, list | tuple):
        between = " / " if any(isinstance(each, list | tuple) for each in value) else " "
        return between.join(map(typed, value)) or NOTHING[0]
    return str(value)
