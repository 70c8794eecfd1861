"""The differences between two plain values, field by field."""

from typing import Any

import msgspec


def differences(a: Any, b: Any, where: str = "") -> Any:
    """Yield (path, value in ``a``, value in ``b``) for each difference between plain values; values as JSON text."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(key for key in b if key not in a)]:
            if key == "hash":
                continue
            path = f"{where}.{key}" if where else str(key)
            if key not in a or key not in b:
                yield (
                    path,
                    as_json(a.get(key)) if key in a else "nothing",
                    as_json(b.get(key)) if key in b else "nothing",
                )
            else:
                yield from differences(a[key], b[key], path)
    elif isinstance(a, list | tuple) and isinstance(b, list | tuple) and len(a) == len(b):
        for index, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from differences(left, right, f"{where}[{index}]")
    elif a != b or type(a) is not type(b):
        yield where, as_json(a), as_json(b)


def as_json(value: Any) -> str:
    """Return ``value`` as JSON text."""
    return msgspec.json.encode(value).decode()
