"""Spaces composed of other spaces: the fields of an order, one value for each key, or one of several kinds of order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sandtable.kernel.dice import Stream
from sandtable.kernel.options.choices import listing, shown
from sandtable.kernel.options.space import Refusal, Space

Field = Space | Callable[..., Space]


NEAR_TRIES = 4
"""Number of attempts to change another field before any order is accepted."""


class Form(Space):
    """An order of type ``order``, with each field from its own space.

    A field may be a function that takes the fields before it (by position) and returns its space. ``also`` judges the
    finished order as a whole. A sample draws field by field and retries a few times if ``also`` refuses.
    """

    order: type[Any]
    fields: Mapping[str, Field]
    also: Callable[[Any], Refusal | None] | None = None

    def space_of(self, name: str, before: list[Any]) -> Space:
        """Return the space of field ``name``, given the values of the fields before it."""
        field = self.fields[name]
        return field if isinstance(field, Space) else field(*before)

    def outline(self) -> Any:
        """Return the type of order and the space of each field whose space does not depend on another field."""
        return [self.order.__name__, {name: _outline(field) for name, field in self.fields.items()}]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse another type of order, the first field that its space refuses, or an order that ``also`` refuses."""
        if type(value) is not self.order:
            return Refusal("", f"{shown(type(value).__name__)} cannot be ordered here: expected {self.order.__name__}")
        before: list[Any] = []
        for name in self.fields:
            each = getattr(value, name)
            refusal = self.space_of(name, before).why_not(each)
            if refusal is not None:
                return refusal
            before.append(each)
        return self.also(value) if self.also else None

    def wrong_parts(self, value: Any) -> list[Refusal]:
        """Return the refusals of all fields; after an invalid one, fields whose space depends on others are skipped."""
        if type(value) is not self.order:
            return []
        found: list[Refusal] = []
        before: list[Any] = []
        for name, field in self.fields.items():
            each = getattr(value, name)
            if not found or isinstance(field, Space):
                found += self.space_of(name, before).all_wrong(each)
            before.append(each)
        return found

    def wrong_alone(self, value: Any) -> list[Refusal]:
        """Return the refusals of each field by itself; a field whose space depends on other fields is skipped."""
        if type(value) is not self.order:
            return self.all_wrong(value)
        fixed = ((name, field) for name, field in self.fields.items() if isinstance(field, Space))
        return [refusal for name, field in fixed for refusal in field.wrong_alone(getattr(value, name))]

    def sample(self, stream: Stream) -> Any:
        """Return a random legal order. Raises ValueError if fifty attempts find none."""
        for _ in range(50):
            before: list[Any] = []
            try:
                for name in self.fields:
                    before.append(self.space_of(name, before).sample(stream))
            except ValueError:  # these fields have no completion, but other values may have one
                continue
            order = self.order(**dict(zip(self.fields, before, strict=True)))
            if self.also is None or self.also(order) is None:
                return order
        raise ValueError(f"found no legal {self.order.__name__}")

    def near(self, value: Any, stream: Stream) -> Any:
        """Return an order that differs from ``value`` in one field if that is allowed, or any order."""
        if type(value) is not self.order or not self.fields:
            return self.sample(stream)
        names = list(self.fields)
        for _ in range(NEAR_TRIES):
            place = stream.below(len(names))
            given = [getattr(value, name) for name in names]
            try:
                given[place] = self.space_of(names[place], given[:place]).near(given[place], stream)
            except ValueError:  # no value is possible after the fields before it
                continue
            order = self.order(**dict(zip(names, given, strict=True)))
            if self.why_not(order) is None:
                return order
        return self.sample(stream)

    def values(self) -> Iterator[Any]:
        """Yield every order, the last field changing fastest."""
        names = list(self.fields)

        def filled(before: list[Any]) -> Iterator[Any]:
            if len(before) == len(names):
                order = self.order(**dict(zip(names, before, strict=True)))
                if self.also is None or self.also(order) is None:
                    yield order
                return
            for value in self.space_of(names[len(before)], before).values():
                yield from filled([*before, value])

        return filled([])


def _outline(field: Field) -> Any:
    return field.outline() if isinstance(field, Space) else "?"


class AnyOf(Space):
    """A value of any of ``spaces``; a sample picks each space with equal probability.

    Refusals come from the space that fits best: the form for the order's own type, or the first space.
    """

    spaces: Sequence[Space]

    def outline(self) -> Any:
        """Return each of the spaces."""
        return ["AnyOf", *(space.outline() for space in self.spaces)]

    def why_not(self, value: Any) -> Refusal | None:
        """Return None if one of the spaces contains the value."""
        first: Refusal | None = None
        for space in self.spaces:
            refusal = space.why_not(value)
            if refusal is None:
                return None
            if first is None or (isinstance(space, Form) and type(value) is space.order):
                first = refusal
        return first or Refusal("", "nothing can be chosen")

    def wrong_parts(self, value: Any) -> list[Refusal]:
        """Return the refusals from the form for the order's own type, if there is one."""
        own = [each for each in self.spaces if isinstance(each, Form) and type(value) is each.order]
        return own[-1].all_wrong(value) if own else []

    def sample(self, stream: Stream) -> Any:
        """Return a value of one of the spaces; empty spaces are skipped. Raises ValueError if all are empty."""
        spaces = list(self.spaces)
        while spaces:
            space = spaces.pop(stream.below(len(spaces)))
            try:
                return space.sample(stream)
            except ValueError:
                continue
        raise ValueError("nothing can be chosen")

    def near(self, value: Any, stream: Stream) -> Any:
        """Return a value similar to ``value`` from the space that contains it."""
        home = next((space for space in self.spaces if space.is_legal(value)), self)
        return self.sample(stream) if home is self else home.near(value, stream)

    def values(self) -> Iterator[Any]:
        """Yield the values of each space in turn."""
        for space in self.spaces:
            yield from space.values()

    def count(self, limit: int = 1_000_000) -> int:
        """Return the sum over the spaces, up to ``limit``."""
        return min(limit, sum(space.count(limit) for space in self.spaces))


class OneForEach(Space):
    """A dict with exactly the keys of ``spaces`` and one value for each."""

    spaces: Mapping[str, Space]
    rule: str = ""

    def outline(self) -> Any:
        """Return the space for each key."""
        return {key: space.outline() for key, space in self.spaces.items()}

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse missing keys, unknown keys, and the first value that its space refuses."""
        if not isinstance(value, dict):
            return Refusal(self.rule, f"expected one choice for each of {listing(list(self.spaces))}")
        outside = self._outside(value)
        if outside:
            return outside[0]
        for key, space in self.spaces.items():
            refusal = space.why_not(value[key])
            if refusal is not None:
                return Refusal(refusal.rule or self.rule, f"{key}: {refusal.reason}")
        return None

    def wrong_parts(self, value: Any) -> list[Refusal]:
        """Return the refusals of unknown keys, missing keys and invalid values."""
        if not isinstance(value, dict):
            return []
        return self._outside(value) + self._inside(value)

    def wrong_alone(self, value: Any) -> list[Refusal]:
        """Return the refusals of unknown keys and invalid values."""
        if not isinstance(value, dict):
            return self.all_wrong(value)
        return self._unknown_keys(value) + self._inside(value)

    def _inside(self, value: Mapping[Any, Any]) -> list[Refusal]:
        return [
            Refusal(refusal.rule or self.rule, f"{key}: {refusal.reason}")
            for key, space in self.spaces.items()
            for refusal in (space.all_wrong(value[key]) if key in value else ())
        ]

    def _unknown_keys(self, value: Mapping[Any, Any]) -> list[Refusal]:
        only = listing(list(self.spaces))
        unknown = (key for key in value if key not in self.spaces)
        return [Refusal(self.rule, f"{shown(key)} cannot be chosen here: choose {only}") for key in unknown]

    def _outside(self, value: Mapping[Any, Any]) -> list[Refusal]:
        """Return the refusals of unknown keys and of missing keys."""
        missing = [key for key in self.spaces if key not in value]
        lacks = [Refusal(self.rule, f"the choice for {listing(missing)} is missing")] if missing else []
        return self._unknown_keys(value) + lacks

    def sample(self, stream: Stream) -> dict[str, Any]:
        """Return one value for each key, drawn independently."""
        return {key: space.sample(stream) for key, space in self.spaces.items()}

    def values(self) -> Iterator[dict[str, Any]]:
        """Yield every combination, the last key changing fastest."""
        keys = list(self.spaces)

        def rest(place: int) -> Iterator[dict[str, Any]]:
            if place == len(keys):
                yield {}
                return
            for value in self.spaces[keys[place]].values():
                for more in rest(place + 1):
                    yield {keys[place]: value} | more

        return rest(0)

    def count(self, limit: int = 1_000_000) -> int:
        """Return the product of the counts, up to ``limit``."""
        total = 1
        for space in self.spaces.values():
            total = min(limit, total * space.count(limit))
        return total
