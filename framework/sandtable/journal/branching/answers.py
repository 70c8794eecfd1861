"""An order that led to a record, with the question that it answered and other orders that were possible."""

from itertools import islice
from typing import Any

from msgspec import Struct, to_builtins

from sandtable.journal.branching.causes import about, names_in
from sandtable.journal.branching.influence import MAX_LISTED, Led, legal
from sandtable.kernel.decisions import Decision
from sandtable.kernel.options import Form, Sheet

MAX_OTHERS = 8
"""Maximum number of other orders that are shown; those about the same units and locations come first."""


class Decided(Struct, frozen=True):
    """An order that led to a record: its question, its rule, and other orders that were possible.

    ``others`` are some of the other legal orders, ``more`` whether there were further ones. ``only`` means that no
    other order was legal. ``instead`` is another order after which the record would be different, {} if unknown.
    """

    record: int
    by: str
    asked: str
    rule: str
    order: dict[str, Any]
    others: tuple[dict[str, Any], ...] = ()
    more: bool = False
    only: bool = False
    instead: dict[str, Any] = {}


def decided(led: Led, decision: Decision | None, number: int, names: set[str], *, lists: bool = True) -> Decided:
    """Return an order behind record ``number`` with its ``decision`` and, if it ``lists``, other possible orders."""
    record, names = led.order, set(led.lines) or names
    order = to_builtins(record.order)
    if record.n != number:
        order = about(order, names)
    if decision is None:
        return Decided(record.n, record.by, "", "", order)
    if not lists:
        return Decided(record.n, record.by, decision.prompt, decision.rule, order)
    found = _others(decision.options, record.order, names if record.n != number else set())
    others, more = tuple(found[:MAX_OTHERS]), len(found) > MAX_OTHERS
    instead = {} if led.instead is None else about(to_builtins(led.instead), names)
    return Decided(record.n, record.by, decision.prompt, decision.rule, order, others, more, not found, instead)


def _others(options: Any, order: Any, names: set[str]) -> list[dict[str, Any]]:
    """Return other legal orders, up to one more than are shown; random ones if they cannot be listed.

    For a sheet only the other lines for ``names`` are given.
    """
    for name, space in options.fields.items() if isinstance(options, Form) else ():
        written = getattr(order, name)
        if isinstance(space, Sheet) and names & set(written):
            lines = ((key, each) for key in sorted(names & set(written)) for each in legal(space.lines[key]))
            other = ((key, each) for key, each in lines if each != written[key])
            return [{name: {key: to_builtins(each)}} for key, each in islice(other, MAX_OTHERS + 1)]
    found = [to_builtins(each) for each in islice(legal(options), MAX_LISTED) if each != order]
    mine = names_in(to_builtins(order)) | names
    return sorted(found, key=lambda each: not mine & names_in(each))[: MAX_OTHERS + 1]
