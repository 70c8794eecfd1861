"""How the orders that are asked for now are typed, by examples that are legal for who is asked."""

from collections.abc import Callable, Iterator
from typing import Any

from kampfpanzer.model import orders
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import AnyOf, Form, OneOf, Sheet, Space

MOST_LINES = 3
"""So many lines of a sheet are shown, of as many sorts as there are."""


def asked(space: Space) -> tuple[type[Order], ...]:
    """Return the types of order that a space asks for."""
    if isinstance(space, Form):
        return (space.order,)
    if isinstance(space, OneOf):
        return tuple(type(each) for each in space.of)
    if isinstance(space, AnyOf):
        return tuple(kind for each in space.spaces for kind in asked(each))
    return ()


def hint(decision: Decision) -> str:
    """Return lines that a person may type now, one for each type of order; of a sheet a few lines."""
    kinds = dict.fromkeys(asked(decision.options))
    found = (next(_examples(kind, decision), "") for kind in kinds)
    return ", or: ".join(each for each in found if each)


def _examples(kind: type[Order], decision: Decision) -> Iterator[str]:
    for space in _spaces(decision.options):
        if isinstance(space, Form) and space.order is kind:
            yield from (_field(space.space_of(field, []), decision) for field in list(space.fields)[:1])
        elif isinstance(space, OneOf):
            yield from (WORDS[kind](each) for each in space.of if type(each) is kind)


def _spaces(space: Space) -> Iterator[Space]:
    if isinstance(space, AnyOf):
        for each in space.spaces:
            yield from _spaces(each)
    else:
        yield space


def _field(space: Any, decision: Decision) -> str:
    if isinstance(space, Sheet):
        return "; ".join(_lines(space, decision))
    firers = list(space.of)
    return f"fire {' '.join(['+'.join(firers[:2]), *firers[2:]])}"


def _lines(sheet: Sheet, decision: Decision) -> list[str]:
    """Return lines of a sheet that may be handed in, of different sorts where there are some."""
    try:
        drawn = sheet.sample(Stream.for_player(b"examples", decision.seat))
    except ValueError:
        drawn = {}
    sorts: dict[str, str] = {}
    for unit, line in drawn.items():
        sorts.setdefault(_sort(line), f"{unit} {line}")
    others = [f"{unit} {line}" for unit, line in drawn.items() if f"{unit} {line}" not in sorts.values()]
    return [*sorts.values(), *others][:MOST_LINES]


def _sort(line: str) -> str:
    """Return what sort of line it is: the letter of a fire, a move, a place with or without a facing, a ride."""
    head, *rest = line.split()
    if head.isdigit():
        return "dug in" if "entrenched" in rest else "gun" if rest else "place"
    return head[0] if head[0] not in "ABCDEF" else "move"


WORDS: dict[type[Order], Callable[[Any], str]] = {
    orders.ChooseTarget: lambda order: f"hit {order.unit}",
    orders.Counterattack: lambda order: f"counter {order.target}",
    orders.DeclineCounterattack: lambda _: "decline",
    orders.ChooseFacing: lambda order: f"face {order.facing}",
    orders.BackUp: lambda order: f"withdraw {order.unit}",
}
"""By type of order, how one that may be given is typed."""
