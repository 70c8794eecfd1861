"""The menu of one decision: its lines, their numbers and words, and the orders that a typed text can mean."""

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
from sandtable.players.odds import odds_lines, odds_of_order
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Answer, Course
from sandtable.rules.notation.usual import usual
from sandtable.rules.notation.wording import described
from sandtable.terminal.form_filling import entries, has_strange, hides_sheet, how_filled, is_few, wants_notation
from sandtable.terminal.prose import examples_as_json, examples_of, line_meant, numbered, numbers_of

ODDS, WHOLE = "odds", "whole"
LONGEST_LABEL = 200
"""Maximum number of characters of a menu line; a longer one names only the fields of the order."""


class Menu:
    """The choices at ``decision``. Whatever the ruleset computes for them is computed once."""

    def __init__(self, prepared: Prepared, decision: Decision, view: View) -> None:
        self.decision = decision
        self.view = view
        self._prepared = prepared
        self._labels: dict[tuple[int, bytes], str] = {}

    @cached_property
    def seen(self) -> Any:
        """The side's view."""
        return self.view()

    @cached_property
    def hint(self) -> str | None:
        """The ruleset's description of the orders that can be typed now, if there is one."""
        hint = self.read("?")
        return hint if isinstance(hint, str) else None

    def hint_lines(self) -> list[str]:
        """Return the hint as lines of text, or no lines if there is no hint."""
        return [] if self.hint is None else f"  type for example: {self.hint}".rstrip("\n").split("\n")

    @cached_property
    def _entries(self) -> list[tuple[str, Any]]:
        return entries(self.decision.options, self.words)

    @cached_property
    def lines(self) -> list[tuple[str, Any]]:
        """The lines; if the options cannot be listed, only the order that ends the decision."""
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
        """Return what ``text`` means in the ruleset's notation, as ``read_order`` does (see ``groups.py``), or None."""
        return from_notation(self._prepared, self.decision, text)

    def words(self, value: Any) -> str:
        """Return an order, or a part of one, in the ruleset's words or, if it has none, by its fields."""
        most = LONGEST_LABEL if value is self.decision.done else 0
        try:
            key = most, msgspec.json.encode(value)
        except (TypeError, ValueError, OverflowError):  # such a value cannot be encoded, so its words are not cached
            return self._words(value, most)
        if key not in self._labels:
            self._labels[key] = self._words(value, most)
        return self._labels[key]

    def _words(self, value: Any, most: int) -> str:
        told = self.own_words(value)
        return described(value, most, self.own_words) if told is None else told

    def own_words(self, value: Any) -> str | None:
        """Return an order, or a part of one, in the ruleset's words, or None if it has none."""
        words = self._prepared.installed.ui.words
        told = words(value, self.seen, self._prepared.board) if words else None
        return None if told is None else str(told)

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
        """Return the order or space of the line that ``text`` names, or None if it names no line."""
        whole = [index for index, line in enumerate(self.lines) if line[1] == self.decision.done] if within else ()
        index = line_meant(text, [label for label, _ in self.lines], self.numbers, within=within, whole=whole)
        return None if index is None else self.lines[index][1]

    def names(self, word: str, choices: Sequence[str] = ()) -> bool:
        """Return whether ``word`` is in a line of the menu or in one of ``choices``, or begins an order or a line."""
        lines = [label.lower() for label in (*choices, *(label for label, _ in self.lines))]
        if any(line.startswith(word) or word in line.split() for line in lines) or examples_of(word, self.hint or ""):
            return True
        with contextlib.suppress(IllegalOrder):
            return isinstance(self.read(word), Order | Course)
        return False

    def doubt(self, order: Order) -> Refusal | str:
        """Return the ruleset's question before ``order`` is given, or "" if it has none."""
        doubt = self._prepared.installed.ui.doubt
        if doubt is not None:
            return doubt(order, self.decision, self._prepared.board) or ""
        return self.warning() if order == self.decision.done else ""

    def warning(self) -> Refusal | str:
        """Return the ruleset's answer to the word "end", or "" if that is an order."""
        with contextlib.suppress(IllegalOrder):
            told = self.read("end")
            return told if isinstance(told, Refusal | str) else ""
        return ""

    def from_json(self, text: str) -> Order:
        """Return the order that ``text`` encodes as JSON, legal here or not. Raises IllegalOrder for other text."""
        return order_of_json(self._prepared, text)

    def legal_orders(self, text: str, problem: str = "") -> Sequence[Order]:
        """Return the legal order that ``text`` means as a menu line, JSON or notation, followed by its course.

        Raises IllegalOrder. For a text that is not an order the reason is ``problem``, if that is given.
        """
        read: Any = None
        if text.startswith("{"):
            read = order_of_json(self._prepared, text)
        elif text.isdigit() and has_notation(
            self._prepared
        ):  # the ruleset's own notation has priority over menu numbers
            read = self.read(text)
        if read is None:
            chosen = self.meant(text, within=False)
            read = chosen if isinstance(chosen, Order) else self.read(text)
        orders = read.orders if isinstance(read, Course) and read.orders else (read,)
        order = orders[0]
        if not isinstance(order, Order):
            if isinstance(order, Refusal):
                raise IllegalOrder(order.rule, order.reason)
            not_an_order = problem or f"{text!r} is not an order: try {ODDS} ORDER"
            raise IllegalOrder("", order if isinstance(order, str) else not_an_order)
        self.decision.check(order)
        return orders

    @cached_property
    def questions(self) -> dict[str, str]:
        """The queries that the ruleset answers, as it displays them, by their first word."""
        answer = self.said("?")
        return {line.split(" ")[0]: line for line in answer.lines} if answer is not None else {}

    def said(self, query: str) -> Answer | None:
        """Return the ruleset's answer to a query about the side's view, or None. May raise PlayError."""
        return self._prepared.installed.answer(self.seen, self._prepared.board, query)

    def odds(self, text: str, problem: str) -> list[str]:
        """Return the odds of a typed order, computed from what its side may know, as lines.

        Raises IllegalOrder as ``legal_orders`` does, and other errors if the odds cannot be computed.
        """
        orders = self.legal_orders(text, problem)
        found = odds_of_order(self._prepared, self.view, self.decision, *orders)
        return [f"  {line}" for line in odds_lines(self._prepared, found)]

    def board(self, focus: str) -> str:
        """Return the board as text, or as JSON if the ruleset draws none. Raises PlayError if ``focus`` names nothing.

        The focus "whole" shows all of a large map.
        """
        draw, board, whole = self._prepared.installed.draw, self._prepared.board, focus.lower() == WHOLE
        drawing = draw(self.seen, board, "text_whole", "") if whole else None
        drawing = drawing or draw(self.seen, board, "text", "" if whole else focus)
        if drawing is not None:
            return drawing
        return msgspec.json.format(msgspec.json.encode(self.seen), indent=2).decode()


def order_of_json(prepared: Prepared, text: str) -> Order:
    """Return the order that ``text`` encodes as JSON, as stored in a log. Raises IllegalOrder."""
    try:
        order: Order = RecordCodec.of(prepared.ruleset).order.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise IllegalOrder("", f"that JSON is not an order of {prepared.ruleset.id}: {error}") from error
    return order


def has_notation(prepared: Prepared) -> bool:
    """Return whether a ruleset has its own notation."""
    return prepared.installed.ui.read_order is not None


def from_notation(prepared: Prepared, decision: Decision, text: str) -> Order | Course | Refusal | str | None:
    """Return the order that ``text`` means in the ruleset's notation, its answer to "?", or None.

    May raise IllegalOrder. A ruleset without a notation has the usual one: each order by its name, then its fields.
    """
    read = prepared.installed.ui.read_order or usual(decision).read_order
    found: Order | Course | Refusal | str | None = read(decision, text, prepared.board)
    return found


def read_typed(prepared: Prepared, decision: Decision, text: str) -> Order:
    """Return the order that ``text`` means as JSON or in the ruleset's notation. Raises IllegalOrder if none."""
    if text.startswith("{"):
        return order_of_json(prepared, text)
    order = from_notation(prepared, decision, text)
    if isinstance(order, Refusal):
        raise IllegalOrder(order.rule, order.reason)
    if not isinstance(order, Order):
        raise IllegalOrder(
            "", f"{text!r} is not an order of {prepared.ruleset.id}, neither in its notation nor as JSON"
        )
    return order
