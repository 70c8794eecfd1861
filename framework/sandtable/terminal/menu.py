"""The menu of one question: its lines, their numbers and words, and the orders that a typed text can mean."""

import contextlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import msgspec

from sandtable.errors import IllegalOrder
from sandtable.journal.format.codec import RecordCodec
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Refusal, Space
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Course
from sandtable.rules.notation.usual import usual
from sandtable.rules.notation.wording import described
from sandtable.terminal.form_filling import entries, has_strange, hides_sheet, how_filled, is_few, wants_notation
from sandtable.terminal.prose import examples_as_json, line_meant, numbered, numbers_of

ODDS, WHOLE = "odds", "whole"
LONGEST_LABEL = 200
"""Maximum characters of a menu line; beyond it, the line names only the fields of the order."""


class Menu:
    """What can be chosen at ``decision``. Everything that the ruleset computes for it is computed once."""

    def __init__(self, prepared: Prepared, decision: Decision, view: View) -> None:
        self.decision = decision
        self.view = view
        self._prepared = prepared
        self._labels: dict[tuple[int, bytes], str] = {}

    @cached_property
    def seen(self) -> Any:
        """What the side sees."""
        return self.view()

    @cached_property
    def hint(self) -> str | None:
        """How the orders are typed now, if the ruleset describes it."""
        hint = self.read("?")
        return hint if isinstance(hint, str) else None

    def hint_lines(self) -> list[str]:
        """Return the hint as lines of text, none if there is no hint."""
        return [] if self.hint is None else f"  type for example: {self.hint}".rstrip("\n").split("\n")

    @cached_property
    def _entries(self) -> list[tuple[str, Any]]:
        return entries(self.decision.options, self.words)

    @cached_property
    def lines(self) -> list[tuple[str, Any]]:
        """The lines; if the options cannot be listed, only the order that ends the question."""
        done = self.decision.done
        if self._wants_notation:
            return [(self.words(done), done)] if done is not None else []
        typed = [line for line in self._entries if isinstance(line[1], Space) and has_strange(line[1])]
        return [line for line in self._entries if line not in typed] if typed and self._is_typed() else self._entries

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers of the lines."""
        return numbers_of(self.lines, self.read if has_notation(self._prepared) else None)

    @property
    def form(self) -> Space | None:
        """The space that is filled in, if it is the only line."""
        lines = self.lines
        return lines[0][1] if len(lines) == 1 and isinstance(lines[0][1], Space) else None

    @property
    def _wants_notation(self) -> bool:
        return wants_notation(self.decision.options, self._is_typed)

    def _is_typed(self) -> bool:
        return has_notation(self._prepared) and self.hint is not None

    def read(self, text: str) -> Order | Course | Refusal | str | None:
        """Return the order that ``text`` means in the ruleset's notation, or what the ruleset says to "?"."""
        return from_notation(self._prepared, self.decision, text)

    def words(self, value: Any) -> str:
        """Return an order, or a part of one, as the ruleset says it, otherwise by its fields."""
        most = LONGEST_LABEL if value is self.decision.done else 0
        try:
            key = most, msgspec.json.encode(value)
        except (TypeError, ValueError, OverflowError):  # a value that no log holds: its words are not kept
            return self._words(value, most)
        if key not in self._labels:
            self._labels[key] = self._words(value, most)
        return self._labels[key]

    def _words(self, value: Any, most: int) -> str:
        words, told = self._prepared.installed.ui.words, None
        if words:
            told = words(value, self.seen, self._prepared.board)
        return described(value, most) if told is None else str(told)

    def shown(self, width: int) -> list[str]:
        """Return the menu as lines of text."""
        space = self.decision.options
        if self.form is not None:
            return [f"  {self.lines[0][0].rstrip(' …')}: {how_filled(self.form)}", *self.hint_lines()]
        shown = numbered([label for label, _ in self.lines], width, self.numbers)
        if self._wants_notation:
            return [*shown, *(self.hint_lines() or examples_as_json(self.decision).split("\n"))]
        is_short = len(self.lines) < len(self._entries) or hides_sheet(space)
        is_short = is_short or ("" in self._labels.values() and is_few(space))  # a value without words has no line
        return [*shown, *self.hint_lines()] if is_short else shown

    def meant(self, text: str, *, within: bool = True) -> Any:
        """Return what the line that ``text`` names gives, an order or a space; None if it names no line."""
        ends = [place for place, line in enumerate(self.lines) if line[1] == self.decision.done] if within else ()
        place = line_meant(text, [label for label, _ in self.lines], self.numbers, within=within, whole=ends)
        return None if place is None else self.lines[place][1]

    def warning(self) -> Refusal | str:
        """Return the ruleset's answer to the word "end", "" if that is an order."""
        with contextlib.suppress(IllegalOrder):
            told = self.read("end")
            return told if isinstance(told, Refusal | str) else ""
        return ""

    def legal_orders(self, text: str, problem: str = "") -> Sequence[Order]:
        """Return the legal order that ``text`` means, a line of the menu, JSON or the notation, and its course.

        Raises IllegalOrder; for a text that is no order it gives the ``problem``, if there is one.
        """
        read: Any = None
        if text.startswith("{"):
            read = order_of_json(self._prepared, text)
        elif text.isdigit() and has_notation(self._prepared):  # a number never beats the ruleset's own notation
            read = self.read(text)
        if read is None:
            chosen = self.meant(text, within=False)
            read = chosen if isinstance(chosen, Order) else self.read(text)
        orders = read.orders if isinstance(read, Course) and read.orders else (read,)
        order = orders[0]
        if not isinstance(order, Order):
            if isinstance(order, Refusal):
                raise IllegalOrder(order.rule, order.reason)
            is_none = problem or f"{text!r} is no order: ask so: {ODDS} ORDER"
            raise IllegalOrder("", order if isinstance(order, str) else is_none)
        self.decision.check(order)
        return orders

    def board(self, focus: str) -> str:
        """Return the board, drawn in text or else as JSON; raises PlayError for a ``focus`` on nothing.

        The focus "whole" is all of a map that is large.
        """
        draw, board, whole = self._prepared.installed.draw, self._prepared.board, focus.lower() == WHOLE
        drawing = draw(self.seen, board, "text_whole", "") if whole else None
        drawing = drawing or draw(self.seen, board, "text", "" if whole else focus)
        if drawing is not None:
            return drawing
        return msgspec.json.format(msgspec.json.encode(self.seen), indent=2).decode()


def order_of_json(prepared: Prepared, text: str) -> Order:
    """Return the order that ``text`` is as JSON, as it stands in a log; raises IllegalOrder."""
    try:
        order: Order = RecordCodec.of(prepared.ruleset).order.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise IllegalOrder("", f"that JSON is no order of {prepared.ruleset.id}: {error}") from error
    return order


def has_notation(prepared: Prepared) -> bool:
    """Tell whether a ruleset has a notation of its own."""
    return prepared.installed.ui.read_order is not None


def from_notation(prepared: Prepared, decision: Decision, text: str) -> Order | Course | Refusal | str | None:
    """Return the order that ``text`` means in the ruleset's notation, what it says to "?", or None; IllegalOrder.

    A ruleset without a notation has the usual one: each order by its name, then its fields.
    """
    read = prepared.installed.ui.read_order or usual(decision).read_order
    found: Order | Course | Refusal | str | None = read(decision, text, prepared.board)
    return found


def read_typed(prepared: Prepared, decision: Decision, text: str) -> Order:
    """Return the order that ``text`` means, as JSON or in the ruleset's notation; raises IllegalOrder for none."""
    if text.startswith("{"):
        return order_of_json(prepared, text)
    order = from_notation(prepared, decision, text)
    if isinstance(order, Refusal):
        raise IllegalOrder(order.rule, order.reason)
    if not isinstance(order, Order):
        raise IllegalOrder("", f"{text!r} is no order of {prepared.ruleset.id}, neither in its notation nor as JSON")
    return order
