"""How orders are written: lines "15_pz_div: gambut sidi_rezegh", one below the other or with ; between, # for remarks.

A piece or an area is named by its id, by its title, or by the beginning of either, as far as that is plain.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from khamsin.model.orders import Share
from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.options.choices import listing, shown

MOST_LINES = 500
LONGEST_PATH = 20
NOTHING = {"", "-", "none", "hold", "holds"}
APART = {"plan", "air"}
"""Lines of an order that are about nobody."""
MARKS = r"[,>]|\s-+\s"
SHARE = re.compile(r"(\d{1,3})\s*/\s*(\d{1,3})(\s+mov\w*)?")


class Line(NamedTuple):
    """A line: where it stands ("line 3: ", "" in a text of one line), what it is about, and what it says."""

    where: str
    key: str
    text: str


def lines_of(text: str, rule: str, wrong: Wrongs) -> Iterator[Line]:
    """Yield the lines of a text; one without a colon is noted in ``wrong``. Raises IllegalOrder for too many."""
    rows = text.splitlines()
    found = [(number, part.strip()) for number, row in enumerate(rows, 1) for part in _parts(row) if part.strip()]
    if len(found) > MOST_LINES:
        raise IllegalOrder(rule, f"{len(found)} lines are more than any side has pieces")
    for number, part in found:
        where = f"line {number}: " if len(rows) > 1 else ""
        key, colon, value = part.partition(":")
        if not colon or not key.strip():
            wrong.add(IllegalOrder(rule, f"{where}{shown(part)}: a line is NAME: ORDER, such as 15_pz_div: gambut"))
        else:
            yield Line(where, key.strip(), value.strip())


def _parts(row: str) -> list[str]:
    """Return the parts of a row; a plan goes on to its end, whatever is in it."""
    bare = row.partition("#")[0]
    before, plan, words = _plan_in(bare)
    return [*before.split(";"), *([f"plan:{words}"] if plan else [])]


def _plan_in(row: str) -> tuple[str, bool, str]:
    found = re.search(r"(?:^|;)\s*plan\s*:", row, re.IGNORECASE)
    return (row[: found.start()], True, row[found.end() :]) if found else (row, False, "")


def named(text: str, titles: Mapping[str, str]) -> str:
    """Return the id that a text names: an id or a title, or the only ones that begin so; "" for none."""
    typed = _flat(text)
    if typed in titles:
        return typed
    exact = [key for key, title in titles.items() if _flat(title) == typed]
    near = exact or [
        key for key, title in titles.items() if typed and (key.startswith(typed) or _flat(title).startswith(typed))
    ]
    return near[0] if len(near) == 1 else ""


def key_of(titles: Mapping[str, str]) -> Callable[[str], str]:
    """Return what finds who is meant by the name that begins a line, "" where it is about none of ``titles``."""
    return lambda text: "" if text.lower() in APART else named(text, titles)


def _flat(text: str) -> str:
    return "_".join(text.lower().split())


def area_named(text: str, names: Mapping[str, str], rule: str, where: str = "") -> str:
    """Return the area that a text names. Raises IllegalOrder for none."""
    area = named(text, names)
    if not area:
        near = [key for key in names if text and key.startswith(_flat(text)[:3])] or list(names)
        raise IllegalOrder(rule, f"{where}{shown(text)} is no area: choose {listing(near)}")
    return area


def areas_in(text: str, names: Mapping[str, str], rule: str, where: str = "") -> list[str]:
    """Return the areas that a text names one after the other, with spaces, commas, > or - between.

    Raises IllegalOrder with every word that names none.
    """
    found = list(words_in(text, MARKS)) if re.search(MARKS, text) else _titles_in(text, names)
    if len(found) > LONGEST_PATH:
        raise IllegalOrder(rule, f"{where}{len(found)} areas are more than any path has")
    areas, wrong = list[str](), Wrongs()
    for at, word in found:
        with wrong.part():
            areas.append(area_named(word, names, rule, where + (at if len(found) > 1 else "")))
    wrong.refuse()
    return areas


def _titles_in(text: str, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the words of a text with those put together that name an area only as one: "Sidi Rezegh Gambut"."""
    words, found = list(words_in(text)), list[tuple[str, str]]()
    most = max((len(title.split()) for title in names.values()), default=1)
    while words:
        sizes = range(min(most, len(words)), 1, -1)
        joined = {size: " ".join(word for _, word in words[:size]) for size in sizes}
        size = next((size for size in sizes if named(joined[size], names)), 1)
        at, word = words[0]
        found.append((at, joined.get(size, word)))
        words = words[size:]
    return found


def words_in(text: str, between: str = r"\s+") -> Iterator[tuple[str, str]]:
    """Yield the words of a text, each after its place as a refusal tells it: "character 8 of 'gambut atlantis': "."""
    begin, whole = 0, text.strip()
    for end, after in [*((mark.start(), mark.end()) for mark in re.finditer(between, whole)), (len(whole), 0)]:
        word = whole[begin:end]
        if word.strip():
            yield f"character {end - len(word.lstrip()) + 1} of {shown(whole)}: ", word.strip()
        begin = after


def path_in(text: str, start: str, names: Mapping[str, str], rule: str, where: str = "") -> list[str]:
    """Return the path that a text names from ``start``, which may be left out; "hold" is to stay there."""
    if text.strip().lower() in NOTHING:
        return [start]
    areas = areas_in(text, names, rule, where)
    return areas if areas[:1] == [start] else [start, *areas]


def share_in(text: str, rule: str, where: str = "") -> Share:
    """Return the share of replacements that "2/1 moving" means: armor, general."""
    found = SHARE.fullmatch(text.strip())
    if found is None:
        raise IllegalOrder(rule, f"{where}{shown(text)}: write armor/general, such as 2/1, or 1/0 moving")
    return Share(int(found[1]), int(found[2]), moving=bool(found[3]))
