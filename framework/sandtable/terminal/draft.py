"""What has been written of an order while its sheets are filled in: a typed line may be about another field."""

from typing import Any

from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.options import Form, Refusal, Sheet, Space
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.wording import described
from sandtable.terminal.prompt import Prompter


class Draft:
    """The ``fields`` of an order of which something is written, as the ruleset's notation reads it."""

    def __init__(self, form: Form, asker: Prompter) -> None:
        self.fields: dict[str, Any] = {}
        self._form = form
        self._asker = asker

    def of(self, field: str) -> "Leaf":
        """Return what a sheet writes on."""
        return Leaf(self, field)

    def read(self, text: str, field: str, wrong: Wrongs) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Return what ``text`` says of ``field``, and what of the fields behind it.

        None stands for a text that is not in the notation, or says nothing. What cannot be read, is not allowed in
        another field, or is about a field that was handed in, is noted in ``wrong``.
        """
        form, names = self._form, list(self._form.fields)
        try:
            order = self._asker.read_order(text)
        except IllegalOrder as error:
            wrong.add(error)
            return {}, {}
        said = {name: getattr(order, name) for name in names} if isinstance(order, form.order) else {}
        said = {name: value for name, value in said.items() if value}
        if not said:
            return self._whole(order, wrong)
        own: dict[str, Any] = said.pop(field, {})
        for name, value in said.items():
            if names.index(name) < names.index(field):
                handed_in = f"{name_words(name)}: handed in already; type back to begin this order again"
                wrong.add(IllegalOrder("", handed_in))
                continue
            space = form.fields[name]
            for refusal in space.wrong_alone(value) if isinstance(space, Space) else ():  # else it is judged later
                wrong.add(IllegalOrder(refusal.rule, f"{name_words(name)}: {refusal.reason}"))
        return own, said

    def _whole(self, order: Any, wrong: Wrongs) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Hand in an order of which no field says anything, such as "hold", where nothing is written yet."""
        if not isinstance(order, self._form.order):
            return None
        if any(value for _, value in self._asker.written.values()):
            wrong.add(IllegalOrder("", "something is written: done hands that in, back begins the order again"))
        else:
            self._asker.hand_in(order)
        return {}, {}

    def write(self, said: dict[str, Any]) -> None:
        """Write down what was said of other fields."""
        for name, value in said.items():
            old = self.fields.get(name)
            self._put(name, {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value)
            self._asker.say(f"      {name_words(name)}: {described(value)}")

    def restore(self, fields: dict[str, Any]) -> None:
        """Let ``fields`` be all that is written."""
        for name in [each for each in self.fields if each not in fields]:
            self._forget(name)
        for name, value in fields.items():
            if self.fields.get(name) != value:
                self._put(name, value)

    def _put(self, name: str, value: Any) -> None:
        space = self._form.fields[name]
        self.fields[name] = value
        self._asker.written[name_words(name)] = (space if isinstance(space, Space) else None, value)

    def _forget(self, name: str) -> None:
        del self.fields[name]
        del self._asker.written[name_words(name)]

    def may_stand(self, field: str, space: Space) -> bool:
        """Tell whether what is written of a field that is no sheet is allowed; it is told why not, and asked for."""
        if field not in self.fields or isinstance(space, Sheet):
            return False
        value = self.fields[field]
        wrong = space.all_wrong(value)
        for refusal in wrong:
            self._asker.refuse(Refusal(refusal.rule, f"{name_words(field)}: {described(value)}: {refusal.reason}"))
        if wrong:
            self._forget(field)
        return not wrong


class Leaf:
    """The part of a draft that is about one sheet: its ``field``."""

    def __init__(self, draft: Draft, field: str) -> None:
        self._draft = draft
        self._field = field

    def written(self) -> dict[str, Any]:
        """Return what was written of this sheet at an earlier one."""
        found: dict[str, Any] = self._draft.fields.get(self._field, {})
        return found

    def others(self) -> dict[str, Any]:
        """Return what is written of all fields."""
        return dict(self._draft.fields)

    def read(self, text: str, wrong: Wrongs) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Return what ``text`` says of this sheet, and of others (see ``Draft.read``)."""
        return self._draft.read(text, self._field, wrong)

    def write(self, said: dict[str, Any]) -> None:
        """Write down what was said of other sheets."""
        self._draft.write(said)

    def restore(self, others: dict[str, Any]) -> None:
        """Go back to what ``others`` gave."""
        self._draft.restore(others)
