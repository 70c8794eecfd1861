"""The interface of a space of options."""

from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from msgspec import Struct

from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import Stream


class Refusal(NamedTuple):
    """A reason why a value may not be chosen: the rule id and a sentence."""

    rule: str
    reason: str


class Space(Struct, eq=False):
    """A set of values, described rather than listed.

    ``why_not`` is the one place where a value is judged; ``check`` and ``is_legal`` call it. Values are plain data:
    str, int, lists, dicts with str keys, and frozen structs. The class is a Struct because one is made for every
    decision. The garbage collector tracks it, because a space may hold a search that refers back to the space.
    """

    lists_all: ClassVar[bool] = True
    """Whether ``values`` yields every allowed value, and not just the common ones of a very large set."""

    def why_not(self, value: Any) -> Refusal | None:
        """Return the rule and the reason why ``value`` may not be chosen, or None if it may."""
        raise NotImplementedError

    def all_wrong(self, value: Any) -> list[Refusal]:
        """Return all refusals of ``value``, part by part, for display, or [] if the value is allowed."""
        refusal = self.why_not(value)
        if refusal is None:
            return []
        parts = self.wrong_parts(value)
        return parts if refusal in parts else [refusal, *parts]

    def wrong_parts(self, value: Any) -> list[Refusal]:  # noqa: ARG002 - for spaces whose values have parts
        """Return the refusals of the parts of an invalid ``value``, if this space has parts."""
        return []

    def wrong_alone(self, value: Any) -> list[Refusal]:
        """Return the refusals of the parts of an unfinished ``value``, ignoring the parts that are still missing."""
        return self.all_wrong(value)

    def check(self, value: Any) -> None:
        """Raise IllegalOrder(rule, reason) when ``value`` may not be chosen."""
        refusal = self.why_not(value)
        if refusal is not None:
            raise IllegalOrder(*refusal)

    def is_legal(self, value: Any) -> bool:
        """Return whether ``value`` may be chosen."""
        return self.why_not(value) is None

    def outline(self) -> Any:
        """Return plain data that identifies the space in the log, the same at every call; the log stores its digest.

        It contains types, ids, numbers and the values that orders carry. It contains no prose, because that may be
        reworded. A space that judges by the changing state returns only its name.
        """
        return type(self).__name__

    def sample(self, stream: Stream) -> Any:
        """Return one value; every value may come up. Raises ValueError if none is found, as in an empty space."""
        raise NotImplementedError

    def near(self, value: Any, stream: Stream) -> Any:  # noqa: ARG002 - for spaces whose values have parts
        """Return a value that shares most of its parts with ``value``, which is in the space; may raise ValueError."""
        return self.sample(stream)

    def in_parts(self) -> "Asking | None":
        """Return a generator that builds a value from small choices, or None for the standard steps of the space.

        Every sequence of choices leads to a value. A part is a list or another space: the units that go along as a
        SomeOf, a route as a Path. It is for players that choose step by step (``rules.steps``), if a ruleset's own
        space has very many values. The browser table lights the places and counters whose ids are options: yield the
        next hexes of a move, and perhaps farther ones, so that people click the path or its end. A text that is not an
        id, such as "no more", is shown unchanged.
        """
        return None

    def values(self) -> Iterator[Any]:
        """Yield every value once, in a fixed order, lazily.

        A list whose order has no effect is yielded in one order only.
        """
        raise NotImplementedError

    def count(self, limit: int = 1_000_000) -> int:
        """Return the number of values, or ``limit`` if there are more; counting stops there."""
        return sum(1 for _ in islice(self.values(), limit))

    def is_empty(self) -> bool:
        """Return whether the space is empty."""
        return next(iter(self.values()), self) is self


Asking = Generator[tuple[str, Sequence[Any] | Space], Any, Any]
"""Builds a value part by part: yields (purpose, options or space), receives the value, returns the whole."""
