"""Whom a typed line is about: "94 D5", "PzII 94: D5", "94, 95: D5", "94-99 D5"."""

import re
from collections.abc import Collection, Sequence

from sandtable import Refusal

RUN = r"\d+(?:\s*-\s*\d+)?"
HEAD = re.compile(rf"\s*(?P<keys>{RUN}(?:\s*[,+]\s*{RUN})*)\s*(?P<colon>:?)(?P<order>.*)", re.ASCII | re.DOTALL)
MOST = 200
"""So many keys are named in one line."""
NO_NUMBER = Refusal("KP-3.2b", "a line begins with the number of a unit, such as 94 D5; show lists them")


def lines_of(keys: Collection[str], types: Collection[str], text: str) -> Sequence[str]:
    """Return the lines that a typed one stands for, "KEY: ORDER" each; itself where it names one unit by its number.

    Of a run such as 94-99 those with a line are meant; of one without any it is told about the first. A type in front
    of a number, "PzII 94", adds nothing.
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
