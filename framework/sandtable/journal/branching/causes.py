"""The orders and rolls from which a record follows.

The orders are the one that answered the previous question, a sealed group, or orders that share names with the record.
The rolls are those since the last order; rolls that share names with the record take precedence.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from sandtable.kernel.decisions import EnterDice
from sandtable.kernel.records import OrderRecord, RollRecord, SealRecord

RULE_ID = re.compile(r"\b(?:[RC]-)?[A-Z][A-Z0-9]{0,4}-[A-Z]?\d+(?:\.\d+)*[a-z]?\b")
"""A rule id in a text."""

_PARTS = re.compile(r"[/.:]")
MAX_BEHIND = 6
"""Maximum number of orders, or rolls, that are named for one record: those with the most names in common."""
MAX_NAMES = 8
"""Maximum number of names for matching by name; a record with more, such as all units of a side, is matched by plot."""
_ASIDE = ("rule", "type", "phase", "calculations", "asked", "label", "hash", "digest", "outcome", "ending", "kind")
"""Fields whose texts name no unit and no location."""
BOOKKEEPING = ("TurnBegan", "PhaseBegan", "PhaseEnded")
"""Events that follow from the sequence of play, whatever was ordered."""

Where = Mapping[int, tuple[int, str]]
"""Turn and phase by record."""


def orders_behind(known: Sequence[Any], phases: Where, common: frozenset[str]) -> list[Any]:
    """Return the orders from which the last of the ``known`` records follows: itself, the last one, a sealed group.

    A record with more than ``MAX_NAMES`` names follows from a sealed group with lines for most of them, such as plots.
    If the last order of the phase has no name in common with the record, orders of the phase that have are added. The
    last order may only have ended what they began. If none has, or the phase has no order, the orders of the turn with
    a name in common count, such as a plot. ``common`` are names that identify nothing, such as those of sides. Without
    any such order the record follows from the sequence of play.
    """
    last = known[-1]
    if isinstance(last, OrderRecord):
        return [last]
    orders = [each for each in known if is_choice(each)]
    if isinstance(last, SealRecord) or type(getattr(last, "event", None)).__name__ in BOOKKEEPING or not orders:
        return []
    named = names_of(last) - common
    now = phases.get(last.n, (0, ""))
    behind = group_of(orders) if phases.get(orders[-1].n) == now else []
    if any(named & names_in(to_builtins(each.order)) for each in behind):
        return behind
    used = {each.n for each in behind}
    pool = [each for each in orders if phases.get(each.n) == now and each.n not in used]
    earlier = _nearest(pool, named)
    if earlier:
        return sorted([*earlier, *behind], key=lambda each: int(each.n))
    turn = [each for each in orders if phases.get(each.n, (-1, ""))[0] == now[0] and each.n not in used]
    found = _nearest(_own(turn, last), named) if len(named) <= MAX_NAMES else _written_for(turn, last)
    return found or behind or _nearest(turn, _names_since_roll(known) - common)


def _written_for(orders: Sequence[Any], record: Any) -> list[Any]:
    """Return the orders of a sealed group that together have a line for at least half of the subjects of ``record``.

    The movement of many units follows from their plots, even if panic moves some of them. The last such group counts.
    Returns [] if there is no such group.
    """
    subjects = _keys_in(to_builtins(getattr(record, "event", None)))
    for end in range(len(orders), 0, -1):
        group = group_of(orders[:end]) if orders[end - 1].missing else []
        lines = {each.n: subjects & _keys_in(to_builtins(each.order)) for each in group}
        if subjects and 2 * len(set().union(*lines.values())) >= len(subjects):
            return [each for each in group if lines[each.n]]
    return []


def _keys_in(value: Any) -> set[str]:
    """Return the keys of the tables in the fields of an order or event, given as plain data."""
    tables = [inner for key, inner in (value or {}).items() if key not in _ASIDE and isinstance(inner, dict)]
    return {key for table in tables for key in table}


def _own(orders: Sequence[Any], record: Any) -> list[Any]:
    """Return the orders of the seat that an event names as its actor, or all orders if that seat gave none."""
    event = getattr(record, "event", None)
    seat = getattr(event, "power", "") or getattr(event, "side", "")
    return [each for each in orders if each.by == seat] or list(orders)


def _names_since_roll(known: Sequence[Any]) -> set[str]:
    """Return the names from the last roll to the last record, or nothing if an order or seal is between."""
    found: set[str] = set()
    for record in reversed(known):
        if isinstance(record, SealRecord) or is_choice(record):
            return set()
        found |= names_of(record)
        if isinstance(record, RollRecord):
            return found
    return set()


def rolls_behind(known: Sequence[Any], common: frozenset[str]) -> list[RollRecord]:
    """Return the rolls from which the last of the ``known`` records follows.

    They are the rolls since the last order or seal with a name in common, up to ``MAX_BEHIND``. If none has, they are
    the last consecutive rolls since then. Without a roll since then, it is the previous roll if it shows the die that
    the event states. An order, a seal or an event of ``BOOKKEEPING`` follows from no roll.
    """
    last = known[-1]
    if isinstance(last, RollRecord):
        return [last]
    if isinstance(last, OrderRecord | SealRecord) or type(getattr(last, "event", None)).__name__ in BOOKKEEPING:
        return []
    since: list[Any] = []
    for record in reversed(known[:-1]):
        if isinstance(record, SealRecord) or is_choice(record):
            break
        since.append(record)
    since.reverse()
    named = names_of(last) - common
    naming = [each for each in since if isinstance(each, RollRecord) and named & names_of(each)]
    if naming:
        return naming[-MAX_BEHIND:]
    end = max((index for index, each in enumerate(since) if isinstance(each, RollRecord)), default=-1)
    start = end
    while start > 0 and isinstance(since[start - 1], RollRecord):
        start -= 1
    return since[start : end + 1] if end >= 0 else _roll_of_die(known)


def _roll_of_die(known: Sequence[Any]) -> list[RollRecord]:
    """Return the roll before the last order if the last record states its die; orders may be between."""
    die = getattr(getattr(known[-1], "event", None), "die", 0)
    for record in reversed(known[:-1]) if die else ():
        if isinstance(record, SealRecord):
            break
        if isinstance(record, RollRecord):
            return [record] if record.dice == (die,) else []
    return []


def group_of(orders: Sequence[Any]) -> list[Any]:
    """Return the last order, or all of the sealed group that it completed."""
    count = 1
    if orders[-1].missing == 1:
        while count < len(orders) and orders[-1 - count].missing == count + 1:
            count += 1
    return list(orders[-count:])


def is_choice(record: Any) -> bool:
    """Return whether a record is an order that a player chose: not dice that the umpire entered."""
    return isinstance(record, OrderRecord) and not isinstance(record.order, EnterDice)


def _nearest(orders: Sequence[Any], named: set[str]) -> list[Any]:
    """Return the orders with the most names in common with ``named``, in order; at least half of the best match."""
    shared = {each.n: len(named & names_in(to_builtins(each.order))) for each in orders}
    most = max(shared.values(), default=0)
    near = [each for each in orders if shared[each.n] and 2 * shared[each.n] >= most]
    ranked = sorted(near, key=lambda each: (-shared[each.n], -each.n))
    return sorted(ranked[:MAX_BEHIND], key=lambda each: int(each.n))


def names_of(record: Any) -> set[str]:
    """Return the names in a record; for a roll those in its purpose and the units of its dice."""
    if isinstance(record, RollRecord):
        return {*record.units, *_PARTS.split(record.label)}
    return names_in(to_builtins(record))


def names_in(value: Any, *, top: bool = True) -> set[str]:
    """Return the texts in plain data that may name a unit or a location.

    The keys of the outermost table, and of an event in its record, are fields; deeper keys may be names.
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
    """Return an order as plain data, with long tables reduced to the lines that name one of ``names``."""
    if not isinstance(value, dict):
        return value
    kept = {key: inner for key, inner in value.items() if {key} & names}
    return kept if kept else {key: about(inner, names) for key, inner in value.items()}
