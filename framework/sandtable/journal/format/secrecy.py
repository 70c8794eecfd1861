"""Splitting records into a public part and what only some viewers may see, which is behind commitments."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from sandtable.kernel.records import NOTES, CloseRecord, EventRecord, OrderRecord, RollRecord, UndoRecord
from sandtable.kernel.ruleset import Ruleset

PUBLIC_OF_ORDER = ("by", "missing", "secret", "own")
PUBLIC_OF_CLOSE = ("outcome", "ending", "digest", "shares")


class Split(NamedTuple):
    """A record that not all may see.

    ``public`` are the fields of its line, or None if the record is closed: then not even its kind is shown. ``hidden``
    are the fields that complete the public ones or, for an event, replace them. ``seen`` are, by viewer, the fields
    that it sees in the same way; a viewer that sees only the public part, or nothing, is not in it.
    """

    public: dict[str, Any] | None
    hidden: dict[str, Any]
    seen: dict[str, dict[str, Any]]


def split(record: Any, ruleset: Ruleset) -> Split | None:
    """Return the parts of a ``record`` that is at least partly secret, or None if it is public."""
    kind = record.__class__
    if kind is EventRecord:
        return _of_event(record, ruleset) if isinstance(record.event, ruleset.secret_events) else None
    if kind is OrderRecord:
        hides = record.missing or record.secret
        return _parted(record, PUBLIC_OF_ORDER, ruleset.side_of(record.by)) if hides else None
    if kind is RollRecord:
        if not record.side:
            return None
        fields = _fields(record)
        return Split(None, fields, {record.side: fields} if record.side in ruleset.viewers else {})
    if kind is CloseRecord and record.key and ruleset.hidden:
        return _parted(record, PUBLIC_OF_CLOSE, "")
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
        if isinstance(record, (UndoRecord, *NOTES)):
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


def _fields(record: Any) -> dict[str, Any]:
    """Return the fields of ``record`` without kind and number."""
    fields: dict[str, Any] = msgspec.to_builtins(record)
    del fields["kind"], fields["n"]
    return fields


def _parted(record: Any, public: tuple[str, ...], to: str) -> Split:
    """Return the parts of a record whose ``public`` fields all may know, and whose other fields ``to`` may know."""
    fields = _fields(record)
    hidden = {name: value for name, value in fields.items() if name not in public}
    return Split({name: fields[name] for name in public if name in fields}, hidden, {to: hidden} if to else {})


def _of_event(record: EventRecord[Any], ruleset: Ruleset) -> Split | None:
    whole = record.event
    hidden = {"event": whole}
    seen: dict[str, dict[str, Any]] = {}
    less: list[tuple[str, Any]] = []
    for side in ruleset.viewers:
        event = ruleset.visible(whole, side)
        if event is whole or event == whole:
            seen[side] = hidden
        else:
            less.append((side, event))
    if not less:
        return None
    _, first = less[0]
    if first is not None and all(event == first for _, event in less):
        return Split({"event": first}, hidden, seen)
    seen |= {side: {"event": event} for side, event in less if event is not None}
    return Split(None, hidden, seen)
