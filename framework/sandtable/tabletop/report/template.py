"""The file to fill in after a battle: TOML with every fielded platoon, which ``read_result`` reads."""

import re
from collections.abc import Iterator

from msgspec.json import encode

from sandtable.tabletop.brief import Brief, Platoon, digest_of
from sandtable.tabletop.scoring import DRAW
from sandtable.tabletop.terms import ARMOR, companies_by_parent


def template(brief: Brief, *, attrition: bool = True) -> str:
    """Return the file to fill in for ``brief``. It can be read after a winner and points are added.

    Without ``attrition``, it leaves out the fields of campaigns that count attrition.
    """
    counted = _attrition(brief) if attrition else ()
    return "\n".join([*_lines(brief, attrition=attrition), *counted, *_casualties(brief)]) + "\n"


def _lines(brief: Brief, *, attrition: bool) -> Iterator[str]:
    first, second = brief.sides
    yield f"# {_plain(brief.place_title)}, turn {brief.turn}, action {brief.action} of {brief.actions}"
    yield f"# {_plain(brief.mission)}: fill in the numbers, and leave zeros unchanged."
    yield f"brief = {_text(brief.id)}"
    yield f"digest = {_text(digest_of(brief))}   # of this brief: the file does not report any other"
    yield f'winner = ""     # "{_plain(first)}", "{_plain(second)}" or "{DRAW}"'
    yield 'points = ""     # winner\'s first: "6-1", "5-2" or "4-3"; a draw in the order of the sides above'
    yield "turns = 0       # table turns played, 0 if not counted"
    yield 'note = ""'
    players = [_text(each.player) for each in brief.parties.values() if each.player]
    if players and attrition:
        yield f"heroic = []     # players, once for each act: {', '.join(players)}"
        yield "unchivalrous = []"
    yield "recon_ahead = []   # recon platoons of the winner in the enemy's half at the end"
    yield ""
    yield "# Teams of each platoon: destroyed, routed (left the table by morale), bailed (bailed out or bogged down at"
    yield "# the end). lost = true: the platoon counts as lost; its remaining teams count as routed."
    for side in brief.sides:
        yield from _side(brief, side)


def _attrition(brief: Brief) -> Iterator[str]:
    yield ""
    yield "# Recovery dice rolled at the table, one for each armored vehicle lost. Without them the campaign rolls."
    yield "# [recovery]"
    yield from (f"# {_key(side)} = [1, 6]" for side in brief.sides)
    yield ""
    yield "# Instead of platoons, in short: armor and general attrition after recovery. Then remove [platoons]."
    for side in brief.sides:
        yield f"# [short.{_key(side)}]"
        yield from (f'# {_key(parent)} = "0/0"' for parent in companies_by_parent(brief, side))


def _casualties(brief: Brief) -> Iterator[str]:
    named = {side: brief.parties[side].characters for side in brief.sides if brief.parties[side].characters}
    if named:
        yield ""
        yield "[casualties]   # characters that were hit"
        for side, characters in named.items():
            yield f"{_key(side)} = []   # {', '.join(map(_text, characters))}"


def _side(brief: Brief, side: str) -> Iterator[str]:
    yield ""
    yield f"[platoons.{_key(side)}]   # {_plain(brief.parties[side].title)}"
    rows = [(_key(each.id), each) for each in brief.platoons(side).values()]
    width = max((len(key) for key, _ in rows), default=0)
    for key, each in rows:
        yield f"{key:<{width}} = {{ {', '.join(_fields(each))} }}   # {_plain(each.title)}, {_size(each)}"


def _fields(platoon: Platoon) -> Iterator[str]:
    yield "destroyed = 0"
    if not platoon.independent:
        yield "routed = 0"
    if platoon.kind in ARMOR:
        yield "bailed = 0"
    if platoon.transports:
        yield "transports = 0"
    if platoon.upgrades:
        yield "upgrades = 0"
    if not platoon.independent:
        yield "lost = false"


def _size(platoon: Platoon) -> str:
    what = "vehicles" if platoon.kind in ARMOR else "teams"
    carried = f", {platoon.transports} transports" if platoon.transports else ""
    return f"{platoon.fielded} {what}{carried}"


def _key(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else _text(name)


def _text(text: str) -> str:
    """Return TOML text; JSON writes it the same way, except for a delete character."""
    return encode(text).decode().replace("\x7f", "\\u007f")


def _plain(text: str) -> str:
    """Return text for a comment: on one line, printable."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
