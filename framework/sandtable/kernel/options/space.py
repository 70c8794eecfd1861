"""The contract of a space of options."""

from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from msgspec import Struct

from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import Stream


class Refusal(NamedTuple):
    """Why something may not be chosen: the rule id and the sentence."""

    rule: str
    reason: str


class Space(Struct, eq=False):
    """A set of values, described rather than listed.

    ``why_not`` is the one place where a value is judged; ``check`` and ``is_legal`` ask it. Values are plain data: str,
    int, lists, dicts with str keys, frozen structs. (A Struct, because one is made for every decision. The garbage
    collector sees it: a space may hold a search, and the search the space.)
    """

    lists_all: ClassVar[bool] = True
    """Whether ``values`` yields all that may be chosen, and not only the usual part of very many."""

    def why_not(self, value: Any) -> Refusal | None:
        """Return None when ``value`` may be chosen, otherwise the rule and the reason against it."""
        raise NotImplementedError

    def all_wrong(self, value: Any) -> list[Refusal]:
        """Return all that is wrong with ``value``, part by part, for people; nothing when it may be chosen."""
        refusal = self.why_not(value)
        if refusal is None:
            return []
        parts = self.wrong_parts(value)
        return parts if refusal in parts else [refusal, *parts]

    def wrong_parts(self, value: Any) -> list[Refusal]:  # noqa: ARG002 - for spaces whose values have parts
        """Return what is wrong with the parts of a refused ``value``, as far as a space knows parts."""
        return []

    def wrong_alone(self, value: Any) -> list[Refusal]:
        """Return what is wrong with the parts of an unfinished ``value``, whatever is still to be said of others."""
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
        """Return, as plain data, what a log remembers of the space by its digest: the same whenever it is asked for.

        It holds types, ids, numbers and the values that orders carry. It holds no prose, which may be reworded.
        A space that judges by the state, which goes on, tells only what it is called.
        """
        return type(self).__name__

    def sample(self, stream: Stream) -> Any:
        """Return one value; every value may come up. Raises ValueError when the space is empty."""
        raise NotImplementedError

    def near(self, value: Any, stream: Stream) -> Any:  # noqa: ARG002 - for spaces whose values have parts
        """Return one value that is like ``value``, one of the space, in most of its parts; may raise ValueError."""
        return self.sample(stream)

    def in_parts(self) -> "Asking | None":
        """Return what asks for a value in small choices, all of which lead to one; None: its kind says how.

        A part is a list, or a space of its own: units that go along as a SomeOf, a way as a Path. For players who
        choose step by step (``rules.steps``), where a space of a ruleset's own has very many values.
        """
        return None

    def values(self) -> Iterator[Any]:
        """Yield every value once, in a fixed order, lazily."""
        raise NotImplementedError

    def count(self, limit: int = 1_000_000) -> int:
        """Return how many values there are, or ``limit`` when there are more; listing stops there."""
        return sum(1 for _ in islice(self.values(), limit))

    def is_empty(self) -> bool:
        """Return whether nothing can be chosen."""
        return next(iter(self.values()), self) is self


Asking = Generator[tuple[str, Sequence[Any] | Space], Any, Any]
"""Asks for a value part by part: yields (what for, the options or a space), is sent the value, returns the whole."""
