"""Orders to try: all of them where they are few, otherwise drawn one by one."""

from itertools import product
from typing import Any

from sandtable.kernel.options import AnyOf, Form, OneOf, Range, Space

FEW = 24


def few(space: Space, most: int = FEW) -> list[Any] | None:
    """Return every value of ``space`` where there are at most ``most``, and it is plain to see; None otherwise.

    No rule is asked and nothing long is listed: a space that judges its values as it goes is never listed.
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
