"""Default wording of orders, events and other values, for a ruleset without its own."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, structs

from sandtable.kernel.decisions import Order
from sandtable.quoting import plain
from sandtable.rules.notation.names import name_words


def described(value: Any, longest: int = 0) -> str:
    """Return ``value`` (an order, or a part of one) in words: "march: path mill, ford; speed 1", "buy: guns 2".

    If that is longer than ``longest`` characters, parts with details are only named; 0 means no limit.
    """
    text = _described(value, details=True)
    return text if len(text) <= longest or not longest else _described(value, details=False)


def _described(value: Any, *, details: bool) -> str:
    if isinstance(value, Order) and (words := value.in_words()):
        return plain(words)
    if isinstance(value, Struct):
        fields = structs.asdict(value)
        name, only = next(iter(fields.items()), ("", None))
        if len(fields) == 1 and (
            name_words(name) == name_words(type(value).__name__) or not isinstance(only, bool | int)
        ):
            return f"{name_words(type(value).__name__)}: {_described(only, details=details)}"
        text = "; ".join(f"{name_words(name)} {_described(each, details=details)}" for name, each in fields.items())
        return f"{name_words(type(value).__name__)}: {text}" if text else name_words(type(value).__name__)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        if not details and any(isinstance(each, Struct | Mapping) for each in value.values()):
            return ", ".join(map(plain, value))
        return (
            ", ".join(f"{plain(name)} {_described(each, details=details)}" for name, each in value.items()) or "nothing"
        )
    if isinstance(value, list | tuple):
        return ", ".join(_described(each, details=details) for each in value) or "nothing"
    return plain(value) if value not in {"", None} else "nothing"
