"""Notation of orders: lines such as "15_pz_div: gambut sidi_rezegh", one for each formation.

Lines are separated by newlines or semicolons; # starts a comment. A formation or an area is named by its id, its title,
or an unambiguous beginning of either.
"""

import re
from collections.abc import Callable, Mapping

from khamsin.model.orders import Share
from sandtable import IllegalOrder, RefusalCollector, listing, shown
from sandtable.notation import flat, named, pieces_of, words_in

LONGEST_PATH = 20
NOTHING = {"", "-", "none", "hold", "holds"}
APART = {"plan", "air"}
"""Keys of lines that name no formation."""
MARKS = re.compile(r"[,>]|\s-+\s")
SHARE = re.compile(r"(\d{1,3})\s*/\s*(\d{1,3})(\s+mov\w*)?")


def key_of(titles: Mapping[str, str]) -> Callable[[str], str]:
    """Return a function that finds the formation named at the beginning of a line, or returns "" if none is named."""
    return lambda text: "" if text.lower() in APART else named(text, titles)


def area_named(text: str, names: Mapping[str, str], rule: str, where: str = "") -> str:
    """Return the area that a text names.

    Raises IllegalOrder if the text names no area. The refusal lists areas with similar names.
    """
    area = named(text, names)
    if not area:
        near = [key for key in names if text and key.startswith(flat(text)[:3])] or list(names)
        raise IllegalOrder(rule, f"{where}{shown(text)} is not an area: choose {listing(near)}")
    return area


def areas_in(text: str, names: Mapping[str, str], rule: str, where: str = "") -> list[str]:
    """Return the areas that a text names in order, separated by spaces, commas, > or -.

    Raises IllegalOrder with every word that names no area.
    """
    cuts = [(mark.start(), mark.end()) for mark in MARKS.finditer(text.strip())]
    found = list(pieces_of(text, cuts)) if cuts else _titles_in(text, names)
    if len(found) > LONGEST_PATH:
        raise IllegalOrder(rule, f"{where}{len(found)} areas are too many: name up to {LONGEST_PATH}")
    areas, wrong = list[str](), RefusalCollector()
    for at, word in found:
        with wrong.part():
            areas.append(area_named(word, names, rule, where + (at if len(found) > 1 else "")))
    wrong.refuse()
    return areas


def _titles_in(text: str, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the words of a text with their positions. Words that form one title are joined: "Sidi Rezegh Gambut"."""
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


def path_in(text: str, start: str, names: Mapping[str, str], rule: str, where: str = "") -> list[str]:
    """Return the path that a text names. ``start`` may be omitted, and "hold" means to stay there."""
    if text.strip().lower() in NOTHING:
        return [start]
    areas = areas_in(text, names, rule, where)
    return areas if areas[:1] == [start] else [start, *areas]


def share_in(text: str, rule: str, where: str = "") -> Share:
    """Return the share of replacements in a text such as "2/1 moving" (armor, general).

    Raises IllegalOrder if the text is not a share.
    """
    found = SHARE.fullmatch(text.strip())
    if found is None:
        raise IllegalOrder(rule, f"{where}{shown(text)}: write armor/general, such as 2/1, or 1/0 moving")
    return Share(int(found[1]), int(found[2]), moving=bool(found[3]))
