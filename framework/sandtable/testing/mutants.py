"""Wrong orders that a careless or hostile player might send instead of a legal one."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from sandtable.kernel.decisions import Order

STRANGE_NUMBERS = (-1, 0, 1 << 40, -(1 << 40), 10**30)
STRANGE_TEXTS = ("", "nowhere", "ÅÄÖ\u202e", "x" * 400)
NO_ORDERS: tuple[Any, ...] = (None, "pass", 7, [], {}, True)


class Mutant(NamedTuple):
    """A value made from a legal order: ``how`` it was made, and whether it still has the ``shape`` of such an order.

    A mutant with the shape is judged by the rules, and its refusal names a rule. A refusal of other shapes may name
    none.
    """

    value: Any
    how: str
    shape: bool


def mutants_of(order: Order) -> Iterator[Mutant]:
    """Yield ``order`` with one field changed, for each field and in many variants; some of them may be legal."""
    for name in order.__struct_fields__:
        for value, how, shape in _changed(getattr(order, name)):
            try:
                mutant = msgspec.structs.replace(order, **{name: value})
            except (TypeError, ValueError):  # a struct that validates itself on construction
                continue
            yield Mutant(mutant, f"{name} {how}", shape)


def foreign_values(order: Order, others: list[Order]) -> Iterator[Mutant]:
    """Yield values that are not orders of this kind: those of ``others`` with another type, and plain values."""
    for other in others:
        if type(other) is not type(order):
            yield Mutant(other, f"a {type(other).__name__}", shape=False)
    for value in NO_ORDERS:
        yield Mutant(value, f"the value {value!r}", shape=False)


def _changed(value: Any) -> Iterator[Mutant]:
    """Yield ``value`` changed: first to others of its type, then to other types."""
    if isinstance(value, list | tuple):
        yield from _changed_row(value)
    elif isinstance(value, dict):
        yield from _changed_table(value)
    else:
        for other in _others(value):
            if other != value:
                yield Mutant(other, f"= {other!r:.24}", shape=True)
    for wrong in (None, "1", -1, 0.5, [None], {"x": None}):
        if type(wrong) is not type(value):
            yield Mutant(wrong, f"= {wrong!r}", shape=False)


def _others(value: Any) -> tuple[Any, ...]:
    """Return unusual values of the type of ``value``."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value - 1, value + 1, *STRANGE_NUMBERS)
    if isinstance(value, str):
        return (f"{value}x", value[:-1], value.upper(), *STRANGE_TEXTS)
    return ()


def _changed_row(value: list[Any] | tuple[Any, ...]) -> Iterator[Mutant]:
    """Yield a list or tuple with members dropped, doubled or changed; only changed ones are sure to keep the shape."""
    make = type(value)
    for place in range(min(len(value), 3)):
        yield Mutant(make([*value[:place], *value[place + 1 :]]), f"without [{place}]", shape=False)
        yield Mutant(make([*value[: place + 1], *value[place:]]), f"with [{place}] twice", shape=False)
        for inner in _changed(value[place]):
            changed = make([*value[:place], inner.value, *value[place + 1 :]])
            yield Mutant(changed, f"[{place}] {inner.how}", inner.shape)
    yield Mutant(make([]), "emptied", shape=False)
    yield Mutant(make([*value] * 50), "fifty times over", shape=False)


def _changed_table(value: dict[str, Any]) -> Iterator[Mutant]:
    """Yield a dict with an entry dropped, added or changed. A dropped entry may leave nothing to judge."""
    for key in list(value)[:3]:
        rest = {name: each for name, each in value.items() if name != key}
        yield Mutant(rest, f"without {key!r}", shape=False)
        yield Mutant(rest | {f"{key}x": value[key]}, f"{key!r} misspelled", shape=True)
        for inner in _changed(value[key]):
            yield Mutant(value | {key: inner.value}, f"[{key!r}] {inner.how}", inner.shape)
    example = next(iter(value.values()), 1)
    yield Mutant(value | {"nobody": example}, "with a stranger", shape=True)
    yield Mutant({}, "emptied", shape=False)
