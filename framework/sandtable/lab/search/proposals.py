"""Orders to try in addition to the advice, the most promising first."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.lab.search.listing import few


class Proposals:
    """Candidates to replace ``advice``: first ``plans``, then all other orders if they are few, otherwise variations.

    If there are many orders, the ``done`` order comes next. After it follow variations of the best order without end:
    with a part of one of the plans, with a few parts drawn at random, or a random order. With ``is_sole`` only the
    plans are proposed.
    """

    def __init__(
        self, decision: Decision, advice: Order, plans: Sequence[Order], stream: Stream, *, is_sole: bool = False
    ) -> None:
        self.advice = advice
        self._decision = decision
        self._stream = stream
        self._mixes = [each for each in (advice, *plans) if mixable(each)]
        self._count = 0
        self._queue: list[Order] = list(plans)
        listed = None if is_sole else few(decision.options)
        self._ends = is_sole or listed is not None
        if listed is not None:
            self._queue += listed
        elif decision.done is not None and not is_sole:
            self._queue.append(decision.done)

    def another(self, best: Order) -> Order | None:
        """Return the next order to try, given the ``best`` so far, or None if there are no more."""
        if self._queue:
            return self._queue.pop(0)
        if self._ends:
            return None
        self._count += 1
        found: Order | None = None
        if len(self._mixes) > 1 and self._count % 3:
            found = self._with_lines_of_plan(best)
        return found or self._variation(best)

    def _variation(self, best: Order) -> Order:
        options = self._decision.options
        try:
            order: Order = options.near(best, self._stream) if self._count % 4 else options.sample(self._stream)
        except ValueError:  # a form whose fields rarely fit together
            return best
        return order

    def _with_lines_of_plan(self, best: Order) -> Order | None:
        """Return ``best`` with some lines taken from one of the plans, or None if that order is illegal."""
        other = self._stream.pick(self._mixes)
        name = mixable(other)
        if type(other) is not type(best) or not name:
            return None
        mine, theirs = getattr(best, name), getattr(other, name)
        keys = [key for key in dict.fromkeys([*mine, *theirs]) if mine.get(key) != theirs.get(key)]
        if len(keys) < 2:
            return None
        taken = set(self._stream.sample(keys, 1 + self._stream.below(min(4, len(keys) - 1))))
        lines = {key: (theirs if key in taken else mine).get(key) for key in dict.fromkeys([*mine, *theirs])}
        order: Order = replace(best, **{name: {key: line for key, line in lines.items() if line is not None}})
        return order if self._decision.why_not(order) is None else None


def mixable(order: Order) -> str:
    """Return the name of the first field of ``order`` that is a non-empty dict of lines by key, or ""."""
    fields: tuple[str, ...] = getattr(order, "__struct_fields__", ())
    for name in fields:
        value: Any = getattr(order, name)
        if isinstance(value, dict) and value:
            return name
    return ""
