"""Default wording of orders, events and other values, for a ruleset without its own."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, structs

from sandtable.kernel.decisions import Order
from sandtable.quoting import plain
from sandtable.rules.notation.names import name_words

Told = Callable[[Any], str | None]
"""A function that returns a part of a value in words, such as the name of a unit for its id, or None."""


def described(value: Any, longest: int = 0, told: Told = lambda _: None) -> str:
    """Return ``value`` (an order, or a part of one) in words: "march: path mill, ford; speed 1", "buy: guns 2".

    If that is longer than ``longest`` characters, parts with details are only named; 0 means no limit. Texts and
    structs within ``value`` are described by ``told`` if it knows words for them.
    """
    text = _described(value, told, details=True)
    return text if len(text) <= longest or not longest else _described(value, told, details=False)


def _described(value: Any, told: Told, *, details: bool) -> str:
    if isinstance(value, Order) and (words := value.in_words()):
        return plain(words)
    if isinstance(value, Struct):
        return _struct(value, told, details=details)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        if not details and any(isinstance(each, Struct | Mapping) for each in value.values()):
            return ", ".join(_part(each, told, details=details) for each in value)
        pairs = (" ".join(_part(each, told, details=details) for each in pair) for pair in value.items())
        return ", ".join(pairs) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(_part(each, told, details=details) for each in value) or "nothing"
    return plain(value) if value not in {"", None} else "nothing"


def _part(value: Any, told: Told, *, details: bool) -> str:
    words = told(value) if value and isinstance(value, str | Struct) else None
    return words or _described(value, told, details=details)


def _struct(value: Struct, told: Told, *, details: bool) -> str:
    name, fields = name_words(type(value).__name__), structs.asdict(value)
    first, only = next(iter(fields.items()), ("", None))
    if len(fields) == 1 and (name_words(first) == name or not isinstance(only, bool | int)):
        return f"{name}: {_part(only, told, details=details)}"
    text = "; ".join(f"{name_words(each)} {_part(inner, told, details=details)}" for each, inner in fields.items())
    return f"{name}: {text}" if text else name
