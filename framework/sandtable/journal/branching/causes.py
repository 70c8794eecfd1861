"""From what a record follows: orders and rolls.

Orders: that of the question before it, a sealed group, or those that name what it names. Rolls: those since the last
order, of them those that name what it names.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from sandtable.kernel.records import OrderRecord, RollRecord, SealRecord

RULE_ID = re.compile(r"\b(?:[RC]-)?[A-Z][A-Z0-9]{0,4}-[A-Z]?\d+(?:\.\d+)*[a-z]?\b")
"""The id of a rule, as it stands in a text."""

_PARTS = re.compile(r"[/.:]")
MOST_BEHIND = 6
"""So many orders, or rolls, are named for one record: those that share most with it."""
MOST_NAMES = 8
"""A record that names more than this, such as all that somebody owns, follows from no order of another phase."""
_ASIDE = ("rule", "type", "phase", "calculations", "asked", "label", "hash", "digest", "outcome", "ending", "kind")
"""Fields whose texts name no unit and no place."""
BOOKKEEPING = ("TurnBegan", "PhaseBegan", "PhaseEnded")
"""Events that follow from the sequence of play, whatever was ordered."""

Where = Mapping[int, tuple[int, str]]
"""Turn and phase by record."""


def orders_behind(known: Sequence[Any], phases: Where, common: frozenset[str]) -> list[Any]:
    """Return the orders from which the last of the ``known`` records follows: itself, the last one, a sealed group.

    A record about more than ``MOST_NAMES`` names follows from a sealed group with lines for most, such as plots.
    Where the last order of the phase names nothing that the record names, those of the phase that do are added: it may
    only have ended what they began. Where none does, or none was given in its phase, it is those of the turn that name
    something which the record does: a plot, for one. ``common`` are names that tell nothing, such as those of sides.
    Where there are none, it follows from the sequence of play.
    """
    last = known[-1]
    if isinstance(last, OrderRecord):
        return [last]
    orders = [each for each in known if isinstance(each, OrderRecord)]
    if isinstance(last, SealRecord) or type(getattr(last, "event", None)).__name__ in BOOKKEEPING or not orders:
        return []
    named = names_of(last) - common
    now = phases.get(last.n, (0, ""))
    behind = _group(orders) if phases.get(orders[-1].n) == now else []
    if any(named & names_in(to_builtins(each.order)) for each in behind):
        return behind
    known_already = {each.n for each in behind}
    pool = [each for each in orders if phases.get(each.n) == now and each.n not in known_already]
    earlier = _nearest(pool, named)
    if earlier:
        return sorted([*earlier, *behind], key=lambda each: int(each.n))
    turn = [each for each in orders if phases.get(each.n, (-1, ""))[0] == now[0] and each.n not in known_already]
    found = _nearest(_own(turn, last), named) if len(named) <= MOST_NAMES else _written_for(turn, last)
    return found or behind or _nearest(turn, _names_since_roll(known) - common)


def _written_for(orders: Sequence[Any], record: Any) -> list[Any]:
    """Return those orders of a sealed group that together have a line for half or more of what ``record`` is about.

    The movement of many units follows from the plots that were written for them, though panic may move some of them.
    The last such group counts; none is returned if there is no such group.
    """
    subjects = _keys_in(to_builtins(getattr(record, "event", None)))
    for end in range(len(orders), 0, -1):
        group = _group(orders[:end]) if orders[end - 1].missing else []
        lines = {each.n: subjects & _keys_in(to_builtins(each.order)) for each in group}
        if subjects and 2 * len(set().union(*lines.values())) >= len(subjects):
            return [each for each in group if lines[each.n]]
    return []


def _keys_in(value: Any) -> set[str]:
    """Return the keys of the tables in the fields of an order or event, as plain data."""
    tables = [inner for key, inner in (value or {}).items() if key not in _ASIDE and isinstance(inner, dict)]
    return {key for table in tables for key in table}


def _own(orders: Sequence[Any], record: Any) -> list[Any]:
    """Return the orders of the seat whose doing an event says it is, if that gave any; otherwise all."""
    event = getattr(record, "event", None)
    seat = getattr(event, "power", "") or getattr(event, "side", "")
    return [each for each in orders if each.by == seat] or list(orders)


def _names_since_roll(known: Sequence[Any]) -> set[str]:
    """Return what is named from the last roll to the last record, where nothing else is between; else nothing."""
    found: set[str] = set()
    for record in reversed(known):
        if isinstance(record, OrderRecord | SealRecord):
            return set()
        found |= names_of(record)
        if isinstance(record, RollRecord):
            return found
    return set()


def rolls_behind(known: Sequence[Any], common: frozenset[str]) -> list[RollRecord]:
    """Return the rolls from which the last of the ``known`` records follows.

    They are those since the last order that name something which the record does; where none does, the last ones before
    it with nothing but rolls between. Of an event that tells its die, it is the last roll that fell so.
    """
    last = known[-1]
    if isinstance(last, RollRecord):
        return [last]
    if isinstance(last, OrderRecord | SealRecord) or type(getattr(last, "event", None)).__name__ in BOOKKEEPING:
        return []
    since: list[Any] = []
    for record in reversed(known[:-1]):
        if isinstance(record, OrderRecord | SealRecord):
            break
        since.append(record)
    since.reverse()
    named = names_of(last) - common
    naming = [each for each in since if isinstance(each, RollRecord) and named & names_of(each)]
    if naming:
        return naming[-MOST_BEHIND:]
    end = max((place for place, each in enumerate(since) if isinstance(each, RollRecord)), default=-1)
    start = end
    while start > 0 and isinstance(since[start - 1], RollRecord):
        start -= 1
    return since[start : end + 1] if end >= 0 else _told_die(known)


def _told_die(known: Sequence[Any]) -> list[RollRecord]:
    """Return the roll before the last order whose die the last record tells; orders may stand between."""
    die = getattr(getattr(known[-1], "event", None), "die", 0)
    for record in reversed(known[:-1]) if die else ():
        if isinstance(record, SealRecord):
            break
        if isinstance(record, RollRecord):
            return [record] if record.dice == (die,) else []
    return []


def _group(orders: Sequence[Any]) -> list[Any]:
    """Return the last order, or all of the sealed group that it completed."""
    count = 1
    if orders[-1].missing == 1:
        while count < len(orders) and orders[-1 - count].missing == count + 1:
            count += 1
    return list(orders[-count:])


def _nearest(orders: Sequence[Any], named: set[str]) -> list[Any]:
    """Return the orders that share most names with ``named``, in their order; none that shares less than half of it."""
    shared = {each.n: len(named & names_in(to_builtins(each.order))) for each in orders}
    most = max(shared.values(), default=0)
    near = [each for each in orders if shared[each.n] and 2 * shared[each.n] >= most]
    ranked = sorted(near, key=lambda each: (-shared[each.n], -each.n))
    return sorted(ranked[:MOST_BEHIND], key=lambda each: int(each.n))


def names_of(record: Any) -> set[str]:
    """Return the names in a record; of a roll those of its purpose, and the units behind its dice."""
    if isinstance(record, RollRecord):
        return {*record.units, *_PARTS.split(record.label)}
    return names_in(to_builtins(record))


def names_in(value: Any, *, top: bool = True) -> set[str]:
    """Return the texts in plain data that may name a unit or a place.

    The keys of the outermost table, and of an event in its record, are fields; deeper ones may be names.
    """
    if isinstance(value, dict):
        found: set[str] = set()
        is_event = top and "event" in value
        for key, inner in value.items():
            if key not in _ASIDE:
                found |= names_in(inner, top=is_event)
                found |= set() if top else names_in(key)
        return found
    if isinstance(value, list | tuple):
        return {each for inner in value for each in names_in(inner, top=False)}
    return {value} if isinstance(value, str) and len(value) > 1 and not RULE_ID.search(value) else set()


def about(value: Any, names: set[str]) -> Any:
    """Return an order as plain data, its long tables cut down to the lines that name one of ``names``."""
    if not isinstance(value, dict):
        return value
    kept = {key: inner for key, inner in value.items() if {key} & names}
    return kept if kept else {key: about(inner, names) for key, inner in value.items()}
