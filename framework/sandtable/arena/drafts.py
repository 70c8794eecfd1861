"""What has been written of an order while its sheets are filled in: a typed line may be about another field."""

from typing import Any

from sandtable.arena.asking import Asker
from sandtable.arena.wording import described, words
from sandtable.kernel.decisions import Order
from sandtable.kernel.options import Refusal, Sheet, Space


class Draft:
    """The ``fields`` of an order of which something is written, as the ruleset's notation reads it."""

    def __init__(self, order: type[Order], names: list[str], asker: Asker) -> None:
        self.fields: dict[str, Any] = {}
        self._order = order
        self._names = names
        self._asker = asker

    def of(self, field: str) -> "Leaf":
        """Return what a sheet writes on."""
        return Leaf(self, field)

    def take(self, text: str, field: str) -> dict[str, Any] | None:
        """Write down what ``text`` says of other fields than ``field``, and return what it says of that one.

        None stands for a text that is not in the notation, or says nothing. What is about a field before this one has
        been handed in, and is refused. Raises IllegalOrder for a text that is wrong.
        """
        order = self._asker.read_order(text)
        said = {name: getattr(order, name) for name in self._names} if isinstance(order, self._order) else {}
        said = {name: value for name, value in said.items() if value}
        if not said:
            return None
        own: dict[str, Any] = said.pop(field, {})
        for name, value in said.items():
            if self._names.index(name) < self._names.index(field):
                handed_in = f"{words(name)}: handed in already; type back to begin this order again"
                self._asker.refuse(Refusal("", handed_in))
                continue
            old = self.fields.get(name)
            self.fields[name] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
            self._asker.say(f"      {words(name)}: {described(value)}")
        return own

    def may_stand(self, field: str, space: Space) -> bool:
        """Tell whether what is written of a field that is no sheet is allowed; it is forgotten if not."""
        if field not in self.fields or isinstance(space, Sheet):
            return False
        refusal = space.why_not(self.fields[field])
        if refusal is not None:
            self._asker.refuse(Refusal(refusal.rule, f"{words(field)}: {refusal.reason}"))
            del self.fields[field]
        return refusal is None


class Leaf:
    """The part of a draft that is about one sheet: its ``field``."""

    def __init__(self, draft: Draft, field: str) -> None:
        self._draft = draft
        self._field = field

    def written(self) -> dict[str, Any]:
        """Return what was written of this sheet at an earlier one."""
        found: dict[str, Any] = self._draft.fields.get(self._field, {})
        return found

    def take(self, text: str) -> dict[str, Any] | None:
        """Return what ``text`` says of this sheet; the rest goes to the others (see ``Draft.take``)."""
        return self._draft.take(text, self._field)
