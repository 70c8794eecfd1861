"""Options as a bot receives them: a short list of orders, or a description of the space."""

from itertools import islice
from typing import Any

from sandtable.kernel.options import (
    AnyOf,
    Form,
    Groups,
    ListOf,
    OneForEach,
    OneOf,
    Path,
    Range,
    ShareOut,
    Sheet,
    SomeOf,
    Space,
    Words,
)

LISTED = 64
"""Maximum number of orders that are listed in full."""

MAX_NAMED = 1_000
"""Maximum number of values of a choice that are named."""

_ENDLESS = Sheet | Groups | Words


def describe(space: Space) -> dict[str, Any]:
    """Return the description of a decision's options, as plain data and orders.

    ``{"kind": "list", "orders": [...]}`` holds all of them. Any other kind is a description, from which a bot may build
    an order. It may also request samples, a part of the list, or whether an order is legal.
    """
    orders = few(space)
    return {"kind": "list", "orders": orders} if orders is not None else structure(space)


def few(space: Space) -> list[Any] | None:
    """Return all values if they are few and quick to list, or None."""
    if not can_be_listed(space):
        return None
    values = list(islice(space.values(), LISTED + 1))
    return values if len(values) <= LISTED else None


def can_be_listed(space: Space) -> bool:
    """Return whether values of ``space`` can be listed quickly. Sheets may hold thousands of illegal ones."""
    if isinstance(space, AnyOf):
        return all(map(can_be_listed, space.spaces))
    if isinstance(space, Form):
        return not any(isinstance(field, _ENDLESS) for field in space.fields.values())
    return not isinstance(space, _ENDLESS)


def structure(space: Space) -> dict[str, Any]:
    """Return the structure of ``space``.

    Parts that depend on earlier choices or only on the rules have a kind and no content.
    """
    for kind, name in _NAMES.items():
        if isinstance(space, kind):
            return {"kind": name, **_PARTS[kind](space)}
    return {"kind": "other"}


def _choice(space: Any) -> dict[str, Any]:
    of = list(space.of)
    return {"of": of[:MAX_NAMED], "more": max(0, len(of) - MAX_NAMED)}


def _field(field: Any) -> dict[str, Any]:
    return structure(field) if isinstance(field, Space) else {"kind": "depends"}


_NAMES: dict[type[Space], str] = {
    OneOf: "one_of",
    Range: "range",
    SomeOf: "some_of",
    ListOf: "list_of",
    ShareOut: "share_out",
    Form: "form",
    AnyOf: "any_of",
    OneForEach: "one_for_each",
    Path: "path",
    Sheet: "sheet",
    Groups: "groups",
    Words: "words",
}
_PARTS: dict[type[Space], Any] = {
    OneOf: _choice,
    Range: lambda space: {"least": space.least, "most": space.most},
    SomeOf: lambda space: {**_choice(space), "least": space.least, "most": space.most},
    ListOf: lambda space: {"each": structure(space.each), "length": space.length},
    ShareOut: lambda space: {
        "amount": space.amount,
        "prices": dict(space.prices),
        "caps": dict(space.caps),
        "exactly": space.exactly,
    },
    Form: lambda space: {
        "order": space.order.__name__,
        "fields": {name: _field(field) for name, field in space.fields.items()},
    },
    AnyOf: lambda space: {"spaces": [structure(each) for each in space.spaces]},
    OneForEach: lambda space: {"spaces": {key: structure(each) for key, each in space.spaces.items()}},
    Path: lambda space: {"start": space.start, "longest": space.longest},
    Sheet: lambda space: {
        "lines": {key: structure(each) for key, each in space.lines.items()},
        "required": list(space.required),
    },
    Groups: lambda space: {"of": list(space.of)},
    Words: lambda space: {"longest": space.longest},
}
