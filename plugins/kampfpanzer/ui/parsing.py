"""The typed form of orders: lines of a sheet such as "94 D5 VD" or "38: 2138 A entrenched", and a few words.

Lines are separated by line breaks or by ";".
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from kampfpanzer.model import orders
from kampfpanzer.plotting.deployment import parse_place
from kampfpanzer.plotting.notation import LETTERS, parse_plot
from sandtable import IllegalOrder, Order
from sandtable.notation import (
    Notation,
    OrderQuestion,
    TypedLine,
    TypedPart,
    Verb,
    legal_orders,
    parts_of,
    read_sheet,
    typed,
)

MAX_LINES = 500
SHOWN = 3
"""Maximum number of example lines of a sheet, each of a different sort if possible."""


def _sheet(kind: Callable[[dict[str, str]], Order], read: Callable[[str], Any], line: TypedLine) -> Order | None:
    """Return the order with the unit and canonical text of each line; a line without a plot is skipped.

    Returns None if the text does not begin with a number.
    """
    if not line.text.strip()[:1].isdigit():
        return None

    def one(unit: str, text: str) -> str:
        try:
            return str(read(text).text)
        except IllegalOrder as error:
            raise IllegalOrder(error.rule, f"{unit}: {error.reason}") from error

    return kind(read_sheet(parts_of(line.text, "KP-5.0h", MAX_LINES, "lines"), _number, one, "KP-5.0b"))


def _number(part: TypedPart) -> str:
    head = part.words[0].partition(":")[0]
    if not (head.isascii() and head.isdigit() and len(head) < 7):
        raise part.refuse("a line begins with the number of its unit, such as 94 D5 VD", "KP-5.0h")
    return str(int(head))


def _lines(question: OrderQuestion) -> Iterator[str]:
    """Yield example lines of a legal sheet, of different sorts if possible."""
    order: Any = next(legal_orders(question), None)
    drawn = getattr(order, order.__struct_fields__[0]) if order is not None else {}
    sorts: dict[str, str] = {}
    for unit, line in drawn.items():
        shortest = sorts.get(_sort(line))
        if shortest is None or len(line) < len(shortest.partition(" ")[2]):
            sorts[_sort(line)] = f"{unit} {line}"
    others = [f"{unit} {line}" for unit, line in drawn.items() if f"{unit} {line}" not in sorts.values()]
    yield "; ".join([*sorts.values(), *others][:SHOWN])


def _sort(line: str) -> str:
    """Return the kind of a line: the letter of fire, "move", or the kind of set-up (place, gun, dug in, aboard)."""
    head, *rest = line.split()
    if head.isdigit():
        return "dug in" if "entrenched" in rest else "gun" if rest else "place"
    return head[0] if head[0] not in LETTERS else "move"


def _unit(line: TypedLine) -> str:
    if not line.word.isdigit():
        able = "".join(f", such as {typed(each)}" for each in islice(legal_orders(line.asked), 1))
        raise line.wrong(f"type the number of a unit{able}")
    return line.text_word()


def _groups(line: TypedLine) -> list[list[str]]:
    def is_group() -> bool:
        return all(each.isdigit() for each in line.word.split("+"))

    problem = f"type the units that fire together, joined by +, such as {next(_grouped(line.asked))}"
    if not line.word:
        raise line.wrong(problem)
    return line.repeat_to_end(is_group, lambda: line.text_word().split("+"), lambda: problem)


def _grouped(question: OrderQuestion) -> Iterator[str]:
    firers = list(getattr(question.field("groups"), "of", ("94", "95")))
    yield f"fire {' '.join(['+'.join(firers[:2]), *firers[2:]])}"


NOTATION = Notation(
    Verb("", orders.HandInPlots, reads=partial(_sheet, orders.HandInPlots, parse_plot), examples=_lines),
    Verb("", orders.Deploy, reads=partial(_sheet, orders.Deploy, parse_place), examples=_lines),
    Verb("fire", orders.GroupFire, _groups, examples=_grouped),
    Verb("hit", orders.ChooseTarget, _unit),
    Verb("counter", orders.Counterattack, _unit),
    Verb("decline", orders.DeclineCounterattack()),
    Verb("face", orders.ChooseFacing, lambda line: line.one_of({each.lower(): each for each in LETTERS})),
    Verb("withdraw", orders.BackUp, _unit),
)
read_order = NOTATION.read_order
