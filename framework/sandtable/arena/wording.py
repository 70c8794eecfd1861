"""Orders and values as a person reads them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def plain(text: object) -> str:
    """Return ``text`` on one line with control characters escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))


def words(name: str) -> str:
    """Return "BuyUnits" as "buy units", "buy_units" too."""
    return _HUMP.sub(" ", name).replace("_", " ").lower()


def described(value: Any) -> str:
    """Return ``value`` (an order, or a part of one) in words: "march: path mill, ford; speed 1", "buy: guns 2"."""
    if isinstance(value, Struct):
        fields = structs.asdict(value)
        if len(fields) == 1 and not isinstance(only := next(iter(fields.values())), bool | int):
            return f"{words(type(value).__name__)}: {described(only)}"
        told = "; ".join(f"{words(name)} {described(each)}" for name, each in fields.items())
        return f"{words(type(value).__name__)}: {told}" if told else words(type(value).__name__)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{plain(name)} {described(each)}" for name, each in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(map(described, value)) or "nothing"
    return plain(value) if value != "" else "nothing"


def numbered(labels: Sequence[str], width: int = 100) -> list[str]:
    """Return ``labels`` as lines with numbers from 1, in columns (read downwards) where they are short and many."""
    cells = [f"{number:>4}  {label}" for number, label in enumerate(labels, start=1)]
    widest = max(map(len, cells), default=0) + 2
    columns = max(1, min(4, width // widest)) if len(cells) > 10 else 1
    rows = -(-len(cells) // columns)
    return ["".join(cell.ljust(widest) for cell in cells[row::rows]).rstrip() for row in range(rows)]
