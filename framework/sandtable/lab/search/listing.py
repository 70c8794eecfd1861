"""List the orders to try: all of them if they are few."""

from itertools import product
from typing import Any

from sandtable.kernel.options import AnyOf, Form, OneOf, Range, Space

FEW = 24


def few(space: Space, most: int = FEW) -> list[Any] | None:
    """Return every value of ``space``, or None if there are more than ``most`` or they cannot be listed cheaply.

    No rule is evaluated and no long list is made: a space that validates its values one by one is never listed.
    """
    if isinstance(space, OneOf):
        return list(space.of) if len(space.of) <= most else None
    if isinstance(space, Range):
        return list(space.values()) if space.most - space.least < most else None
    if isinstance(space, AnyOf):
        parts = [few(each, most) for each in space.spaces]
        found = [value for part in parts if part is not None for value in part]
        return None if None in parts or len(found) > most else found
    if type(space) is Form and space.also is None:
        return _forms(space, most)
    return None


def _forms(form: Form, most: int) -> list[Any] | None:
    columns: list[list[Any]] = []
    size = 1
    for field in form.fields.values():
        column = few(field, most) if isinstance(field, Space) else None
        if column is None or size * len(column) > most:
            return None
        size *= len(column)
        columns.append(column)
    return [form.order(**dict(zip(form.fields, row, strict=True))) for row in product(*columns)]
