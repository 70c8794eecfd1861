"""Splitting records into a public part and private parts, which are behind commitments."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord, UndoRecord
from sandtable.kernel.ruleset import Ruleset

HEAD = ("kind", "n")
PUBLIC_OF_ORDER = ("by", "missing", "secret")
Part = Mapping[str, Any]


class SplitRecord(NamedTuple):
    """A split record: the public fields, and by side (or umpire) the fields that this side may know."""

    public: dict[str, Any]
    private: dict[str, Part]


def parts_of(record: Any, ruleset: Ruleset) -> SplitRecord | None:
    """Return the parts of a ``record`` that is at least partly secret, or None if it is public.

    If the umpire is in ``private``, the umpire's part is the complete record. Otherwise every part in ``private`` is.
    """
    if isinstance(record, EventRecord):
        return _of_event(record, ruleset) if isinstance(record.event, ruleset.secret_events) else None
    if isinstance(record, OrderRecord):
        if not (record.missing or record.secret):
            return None
        return _parted(record, PUBLIC_OF_ORDER, ruleset.side_of(record.by))
    if isinstance(record, RollRecord):
        return _parted(record, (), record.side) if record.side else None
    if isinstance(record, CloseRecord) and record.key and ruleset.hidden:
        return _parted(record, ("outcome", "ending", "digest", "shares"), UMPIRE)
    return None


def opened_with(records: Sequence[Any], place: int) -> list[int]:
    """Return the numbers of the sealed orders that the record at index ``place`` opens, as the last of its group.

    Orders that stay secret are not included.
    """
    last = records[place]
    if not isinstance(last, OrderRecord) or last.missing != 1:
        return []
    found: list[int] = []
    expected = 1
    for at in range(place, -1, -1):
        record = records[at]
        if isinstance(record, UndoRecord):
            continue
        if not isinstance(record, OrderRecord) or not record.missing or (record.missing == 1 and at < place):
            break  # an order with 1 ended the previous group
        if record.missing == expected:
            expected += 1
            if not record.secret:
                found.append(record.n)
    return found


def opened_in(records: Sequence[Any]) -> frozenset[int]:
    """Return the numbers of all sealed orders among ``records`` that were opened."""
    return frozenset(number for place in range(len(records)) for number in opened_with(records, place))


def _parted(record: Any, public: tuple[str, ...], to: str) -> SplitRecord:
    """Return the parts of a record whose ``public`` fields all may know and whose other fields only ``to`` may know."""
    fields: dict[str, Any] = msgspec.to_builtins(record)
    shown = {name: value for name, value in fields.items() if name in HEAD or name in public}
    return SplitRecord(shown, {to: {name: value for name, value in fields.items() if name not in shown}})


def _of_event(record: EventRecord[Any], ruleset: Ruleset) -> SplitRecord | None:
    whole = record.event
    seen = {side: ruleset.visible(whole, side) for side in ruleset.viewers}
    knowing = [side for side, event in seen.items() if event == whole]
    less = [event for event in seen.values() if event != whole]
    if not less:
        return None
    public: dict[str, Any] = {"kind": "event", "n": record.n}
    if all(event == less[0] for event in less):
        if less[0] is not None:
            public["event"] = less[0]
        return SplitRecord(public, {side: {"event": whole} for side in knowing or [UMPIRE]})
    private = {side: {"event": event} for side, event in seen.items() if event is not None}
    return SplitRecord(public, {**private, UMPIRE: {"event": whole}})
