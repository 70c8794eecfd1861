"""The units named at the beginning of a typed line, such as "94 D5", "PzII 94: D5", "94, 95: D5" or "94-99 D5"."""

import re
from collections.abc import Collection, Sequence

from sandtable import Refusal

RUN = r"\d+(?:\s*-\s*\d+)?"
HEAD = re.compile(rf"\s*(?P<keys>{RUN}(?:\s*[,+]\s*{RUN})*)\s*(?P<colon>:?)(?P<order>.*)", re.ASCII | re.DOTALL)
MOST = 200
"""Maximum number of units in one line."""
NO_NUMBER = Refusal("KP-3.2b", "a line begins with the number of a unit, such as 94 D5; show lists them")


def lines_of(keys: Collection[str], types: Collection[str], text: str) -> Sequence[str]:
    """Return one "KEY: ORDER" line for each unit of a typed line, or the line itself if it names one unit or none.

    A run such as 94-99 means the units in it that have a line. If there are none, its first number is used, so that the
    refusal is about that unit. A type before a number, as in "PzII 94", is ignored.
    """
    word, _, rest = text.strip().partition(" ")
    if word.lower() in {each.lower() for each in types} and rest.lstrip()[:1].isdigit():
        text = rest
    found = HEAD.fullmatch(text)
    if found is None:
        return [text]
    named = [key for run in re.split(r"[,+]", found["keys"]) for key in _run(keys, run)]
    if len(named) == 1 and "-" not in found["keys"]:
        return [text]
    return [f"{key}: {found['order'].strip()}" for key in dict.fromkeys(named[:MOST])]


def _run(keys: Collection[str], run: str) -> list[str]:
    first, _, last = (part.strip() for part in run.partition("-"))
    if not last:
        return [first]
    return [key for key in keys if int(first) <= int(key) <= int(last)] or [first]
