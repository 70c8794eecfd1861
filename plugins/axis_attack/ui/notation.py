"""How orders are written: parts with ; or lines between them, # for remarks; ids whole or as far as they are plain."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from axis_attack.model.cards import Board
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Order
from sandtable.kernel.options.choices import listing, shown

MOST_PARTS = 200
NOTHING = {"none", "nothing", "leave", "keep", "no", "stay", "-"}


class Part(NamedTuple):
    """A part of an order: where it stands ("line 3: ", "" in a text of one line), and its words."""

    where: str
    words: list[str]

    @property
    def text(self) -> str:
        """The words as they were typed."""
        return " ".join(self.words)


def parts_of(text: str, rule: str) -> list[Part]:
    """Return the parts of a text. Raises IllegalOrder for too many."""
    rows = text.splitlines()
    found = [
        Part(f"line {number}: " if len(rows) > 1 else "", part.split())
        for number, row in enumerate(rows, 1)
        for part in row.partition("#")[0].split(";")
        if part.strip()
    ]
    if len(found) > MOST_PARTS:
        raise IllegalOrder(rule, f"{len(found)} parts are more than any order has")
    return found


def flat(text: str) -> str:
    """Return a name as an id: "Night attack" as "night_attack"."""
    return "_".join(text.lower().replace("-", "_").split())


def named(text: str, known: Iterable[str]) -> str:
    """Return the id that a text names: an id, or the only one that begins so; "" for none."""
    ids, typed = list(known), flat(text)
    for each in ids:
        if each in (text, typed):
            return each
    near = [each for each in ids if typed and flat(each).startswith(typed)]
    return near[0] if len(near) == 1 else ""


def chosen(part: Part, text: str, known: Iterable[str], what: str, rule: str) -> str:
    """Return the id that a text names. Raises IllegalOrder for none."""
    ids = list(known)
    found = named(text, ids)
    if not found:
        raise IllegalOrder(
            rule, f"{part.where}{shown(part.text)}: {shown(text)} is no {what}: choose {listing(ids, 14)}"
        )
    return found


def number_in(part: Part, text: str, what: str, rule: str) -> int:
    """Return a whole number. Raises IllegalOrder for what is none."""
    if not is_number(text):
        raise IllegalOrder(rule, f"{part.where}{shown(part.text)}: {shown(text)} is no number of {what}")
    return int(text)


def is_number(text: str) -> bool:
    """Return whether a text is a whole number of few digits."""
    return text.isascii() and text.isdigit() and len(text) < 5


def upgrade_in(part: Part, text: str, known: Iterable[str], rule: str) -> tuple[str, int]:
    """Return an upgrade and its number, 0 for none, of "light_mortar" or "cupola=3"; one not known stays as it is."""
    name, sign, number = text.partition("=")
    found = named(name, known) or flat(name)
    return found, number_in(part, number, name, rule) if sign else 0


def put_upgrade(part: Part, upgrades: dict[str, int], name: str, number: int) -> None:
    """Write down an upgrade. Raises IllegalOrder for one that was named already."""
    if name in upgrades:
        raise IllegalOrder("AOA-1.02", f"{part.where}{shown(part.text)}: {name} is named twice")
    upgrades[name] = number


class Asked(NamedTuple):
    """What is asked: the space of the answers, the rule that asks, who is asked, and what ends the question."""

    space: Any
    rule: str
    side: str
    done: Order | None
    board: Board

    def refuse(self, part: Part, reason: str, rule: str = "") -> IllegalOrder:
        """Return a refusal with its place."""
        return IllegalOrder(rule or self.rule, f"{part.where}{shown(part.text)}: {reason}")
