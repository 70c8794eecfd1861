"""A person at the terminal: sees what happened, is asked, types an order, is told why not.

Prose goes to stderr, so that stdout stays free for data; lines come from stdin, typed or piped. An order is a number of
the menu, the ruleset's own notation, or JSON as it stands in a log.
"""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.errors import IllegalOrder, NothingToUndo, PlayError
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import TurnBegan
from sandtable.kernel.options import Refusal, Space
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Answer, Course
from sandtable.quoting import MOST_LINE, plain, shortened, wrapped
from sandtable.table.asking import (
    UNDO,
    Asker,
    LeftTheTable,
    UndoAsked,
    order_of_json,
    read_line,
    refusals_in,
    refuse_all,
    say_lines,
)
from sandtable.table.form_filling import entries, fill, has_strange, how_filled, is_strange
from sandtable.table.order_files import DraftFile, unfinished_orders
from sandtable.table.prose import HELP, described, line_meant, name_words, numbered

if TYPE_CHECKING:
    from rich.console import Console as Screen

LEAVING = ("quit", "exit", "q")
LONGEST_LABEL = 200
"""Characters of a line of the menu, beyond which it names only what an order is made of."""


class _Back(Exception):
    pass


class _Typed(Exception):
    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order


class Console(Asker):
    """The terminal at which one or several people sit; ``game`` is what they play, once it is known.

    Sheets of an order that is half written are kept in the file ``unfinished``, or in one of a like name. ``sitting``
    is the side of who was asked last, and whether secrets of its were shown or typed; ``course`` is what was
    typed last, if it was several orders.
    """

    def __init__(
        self,
        prepared: Prepared,
        read: Callable[[str], str | None] = read_line,
        screen: "Screen | None" = None,
        unfinished: Path | None = None,
    ) -> None:
        from rich.console import Console as Screen  # noqa: PLC0415 - only where a person plays

        self.prepared = prepared
        self.game: Game | None = None
        self.asked = 0
        self.sitting = "", False
        self.written: dict[str, tuple[Space | None, Any]] = {}
        self._draft = DraftFile(unfinished)
        self.read = read
        self.screen = screen or Screen(stderr=True, highlight=False, markup=False, soft_wrap=True)
        self._rules = {row.id: row.text for row in prepared.installed.hook.ruleset_index() or ()}
        self._narrates = bool(prepared.installed.hook.ruleset_narrate.get_hookimpls())
        self.course: Course | None = None
        self._decision: Decision | None = None
        self._view: View | None = None
        self._asks: dict[str, str] | None = None
        self._refusal: Refusal | None = None
        self._cited = (0, "")

    @property
    def turn(self) -> int:
        """The turn of the game, 0 before the first."""
        return self.game.state.turn if self.game else 0

    def say(self, text: str, style: str = "") -> None:
        """Show a line; whatever it holds, it stays one line and commands no terminal."""
        self.screen.print(plain(shortened(text, MOST_LINE)), style=style or None, emoji=False)

    def tell(self, text: str, style: str = "") -> None:
        """Show a sentence: at a terminal it is broken at blanks, where it is too long for a line."""
        for line in wrapped(text, self.screen.width) if self.screen.is_terminal else [text]:
            self.say(line, style)

    def refuse(self, refusal: Refusal) -> None:
        """Tell why not: the sentence, the rule id and, once for a line that was typed, what the rule says."""
        self._refusal = refusal
        cited = f" ({refusal.rule})" if refusal.rule else ""
        self.tell(f"  refused: {refusal.reason}{cited}", "red")
        is_told, self._cited = self._cited == (self.asked, refusal.rule), (self.asked, refusal.rule)
        if refusal.rule in self._rules and not is_told:
            self.tell(f"  {refusal.rule}: {self._rules[refusal.rule]}", "dim")

    # ------------------------------------------------------------------ reading lines

    def ask(self, prompt: str, *, own_words: bool = False, undo: bool = False) -> str:
        """Return a typed line that is no command; a whole order that is typed instead goes straight to the game.

        What is refused is asked for again, and what was written before stays.
        """
        while True:
            self._draft.keep(self.written, self.turn)
            line = self.read(f"{plain(prompt)}: ")
            if line is None:
                raise LeftTheTable
            self.asked += 1
            text = line.strip()
            if undo and text.lower() == UNDO:
                return UNDO
            if self._command(text.lower()):
                continue
            try:
                order = self._order_typed(text, own_words=own_words)
            except IllegalOrder as error:
                refuse_all(self, refusals_in(error))
                continue
            if order is None:
                return text
            order = self._begun(order)
            if isinstance(order, str):
                self.say(f"  {order}")
            elif self._is_allowed(order):
                raise _Typed(order)

    def _begun(self, order: Order | Course | str) -> Order | str:
        """Return an order; of a course that was typed the first, and keep the course."""
        self.course = order if isinstance(order, Course) else None
        if not isinstance(order, Course):
            return order
        if order.said:
            self.say(f"  {order.said}")
        return order.orders[0]

    def _order_typed(self, text: str, *, own_words: bool) -> Order | Course | str | None:
        """Return the whole order that a line is, what the ruleset says to it, or None; may raise IllegalOrder."""
        if text.startswith("{"):
            return order_of_json(self.prepared, text)
        return self._from_notation(text) if any(map(str.isalpha, text)) and not own_words else None

    def _is_allowed(self, order: Order) -> bool:
        """Tell whether an order is one of the options; all that is wrong with it is told."""
        wrong = self._decision.options.all_wrong(order) if self._decision else []
        refuse_all(self, wrong)
        return not wrong

    def _command(self, text: str) -> bool:
        """Do what ``text`` commands; tell whether it was a command."""
        if text in {"help", "?", "h"}:
            say_lines(self, HELP)
            for line in self._questions().values():
                self.say(f"  {line}")
            self._hint()
        elif text.partition(" ")[0] == "view":
            self._draw(text.partition(" ")[2].strip())
        elif text.partition(" ")[0] in self._questions():
            self._answer(text)
        elif text in {"options", "o"}:
            self._menu()
        elif text == "why":
            self._why()
        elif text == UNDO:
            self._undo(self._decision.seat if self._decision else "")
        elif text == "back":
            raise _Back
        elif text in LEAVING:
            raise LeftTheTable
        else:
            return False
        return True

    def _undo(self, seat: str) -> None:
        """Take the last order back, where that may be and nothing written would be lost; else tell why not."""
        if any(value != {} for _, value in self.written.values()):
            self.refuse(Refusal("", "part of this order is written: type back to begin it again, then undo"))
            return
        try:
            if self.game is not None:
                self.game.check_undo(seat)
        except NothingToUndo as error:
            self.refuse(Refusal("", str(error)))
            return
        raise UndoAsked(seat)

    def read_order(self, text: str) -> Order | None:
        """Return the order that ``text`` means in the ruleset's notation, None if none; may raise IllegalOrder."""
        order = self._from_notation(text)
        return order if isinstance(order, Order) else None

    def _from_notation(self, text: str) -> Order | Course | str | None:
        """Return the order that ``text`` means in the ruleset's notation, or what the ruleset says to "?"."""
        hook = self.prepared.installed.hook.ruleset_read_order
        read: Order | Course | str | None = hook(decision=self._decision, text=text, board=self.prepared.board)
        return read

    # ------------------------------------------------------------------ showing

    def words(self, value: Any) -> str:
        """Return an order, or a part of one, as the ruleset says it, otherwise by its fields."""
        hook, told = self.prepared.installed.hook.ruleset_words, None
        if self._view and hook.get_hookimpls():
            told = hook(value=value, view=self._view(), board=self.prepared.board)
        return told or described(value, LONGEST_LABEL if self._decision and value is self._decision.done else 0)

    def _draw(self, focus: str) -> None:
        seen = self._view() if self._view else None
        try:
            drawing = self.prepared.installed.draw(seen, self.prepared.board, "text", focus)
        except PlayError as error:
            self.refuse(Refusal("", str(error)))
            return
        if drawing is None:
            drawing = msgspec.json.format(msgspec.json.encode(seen), indent=2).decode()
        say_lines(self, drawing)

    def _questions(self) -> dict[str, str]:
        """Return the questions that the ruleset answers, by their first word, as it shows them."""
        if self._asks is None:
            told = self._said("?")
            self._asks = {line.split(" ")[0]: line for line in told.lines} if told is not None else {}
        return self._asks

    def _said(self, text: str) -> Answer | None:
        return self.prepared.installed.answer(self._view() if self._view else None, self.prepared.board, text)

    def _answer(self, text: str) -> None:
        """Tell what the rules say to a question about what this side sees."""
        try:
            told = self._said(text)
        except PlayError as error:
            self.refuse(Refusal("", str(error)))
            return
        if told is None:
            self.refuse(Refusal("", f"ask so: {self._questions()[text.split(' ', maxsplit=1)[0]]}"))
            return
        verdict = {True: "yes: ", False: "no: ", None: ""}[told.yes]
        for place, line in enumerate(told.lines):
            self.tell(f"  {verdict if place == 0 else ''}{line}")
        for rule in told.rules:
            self.tell(f"  {rule}: {self._rules.get(rule, 'is not in the rule index')}", "dim")

    def _menu(self) -> None:
        if self._decision is None:
            return
        lines = self._lines(self._decision)
        if len(lines) == 1 and isinstance(lines[0][1], Space):
            self.say(f"  {lines[0][0].rstrip(' …')}: {how_filled(lines[0][1])}")
            self._hint()
            return
        for line in numbered([label for label, _ in lines], self.screen.width):
            self.say(line)
        if self._wants_notation(self._decision):
            self._examples(self._decision)

    def _lines(self, decision: Decision) -> list[tuple[str, Any]]:
        """Return the lines of the menu; where the options cannot be listed, only what ends the question."""
        if self._wants_notation(decision):
            return [(self.words(decision.done), decision.done)] if decision.done is not None else []
        return entries(decision.options, self.words)

    def _wants_notation(self, decision: Decision) -> bool:
        """Tell whether a whole order is to be typed: it cannot be filled in step by step, or only as JSON."""
        if is_strange(decision.options):
            return True
        return has_strange(decision.options) and isinstance(self._from_notation("?"), str)

    def _examples(self, decision: Decision) -> None:
        """Show how orders can be typed: as the ruleset says, otherwise two legal ones as JSON."""
        if self._hint():
            return
        stream = Stream.for_player(b"examples", decision.seat)
        shown: list[Any] = [decision.done]
        self.say("  type an order; for example")
        with contextlib.suppress(ValueError):
            for _ in range(8):
                order = decision.options.sample(stream)
                if order not in shown and len(shown) < 3:
                    shown.append(order)
                    self.say(f"      {msgspec.json.encode(order).decode()}")

    def _hint(self) -> bool:
        """Show how the orders that are asked for now can be typed, if the ruleset says so; tell whether it does."""
        return self._decision is not None and self._tells("?", "type for example: ")

    def _tells(self, text: str, lead: str = "") -> bool:
        """Show what the ruleset says to a text, as if it were typed; tell whether it says anything."""
        told: Order | Course | str | None = None
        with contextlib.suppress(IllegalOrder):
            told = self._from_notation(text)
        if isinstance(told, str):
            say_lines(self, f"  {lead}{told}")
        return isinstance(told, str)

    def _why(self) -> None:
        rule = self._refusal.rule if self._refusal else self._decision.rule if self._decision else ""
        if self._refusal:
            self.say(f"  the last refusal: {self._refusal.reason}")
        if rule:
            self.say(f"  {rule}: {self._rules.get(rule, 'is not in the rule index')}")
        elif not self._refusal:
            self.say("  no rule is cited for this question")

    def news(self, seat: str, since: int) -> int:
        """Tell what happened after record ``since``, as ``seat`` saw it; return the number of the newest record."""
        game = self.game
        if game is None:
            return since
        for record in seen_records(game.records, self.prepared, self.prepared.ruleset.side_of(seat)):
            if record.n <= since:
                continue
            event = getattr(record, "event", None)
            told = self.prepared.installed.hook.ruleset_narrate(record=record, board=self.prepared.board)
            if told:
                self.tell(f"  {told}")
            elif isinstance(event, TurnBegan):
                self.say(f"Turn {event.turn}", "bold")
            elif isinstance(record, OrderRecord) and record.by != seat and not self._narrates:
                self.say(f"  {record.by}: {described(record.order)}", "dim")
        return game.number

    # ------------------------------------------------------------------ choosing

    def choose(self, decision: Decision, view: View) -> Order:
        """Return a legal order that the person typed. Raises UndoAsked and LeftTheTable."""
        self._decision, self._view, self._refusal, self.course = decision, view, None, None
        self._head(decision)
        self._menu()
        while True:
            self.written = {}
            try:
                order = self._order(decision)
            except _Back:
                self._menu()
                continue
            except _Typed as typed:
                order = typed.order
            except (LeftTheTable, KeyboardInterrupt):
                self._put_aside()
                raise
            if self._is_allowed(order):
                self._draft.drop()
                return order

    def _put_aside(self) -> None:
        """Say where the sheets of an unfinished order are kept; where they are not, show them."""
        text = unfinished_orders(self.written, self.turn)
        if not text:
            return
        self.say("")
        file = self._draft.keep(self.written, self.turn)
        if file is not None:
            self.say(f"the unfinished order is kept in {file}: @ and that name at its sheet takes it back")
        else:
            say_lines(self, f"the unfinished order:\n{text}")

    def _head(self, decision: Decision) -> None:
        state = self.game.state if self.game else None
        turn = f"turn {state.turn}" if state and state.turn else "set-up"
        when = f"{turn}, {name_words(state.phase)}, " if state and state.phase else ""
        cited = f" ({decision.rule})" if decision.rule else ""
        self.say("")
        self.tell(f"{when}{decision.seat}: {decision.prompt}{cited}", "bold")

    def _order(self, decision: Decision) -> Order:
        lines = self._lines(decision)
        if len(lines) == 1 and isinstance(lines[0][1], Space):
            order: Order = fill(lines[0][1], name_words(decision.seat), self)
            return order
        while True:
            text = self.ask(decision.seat)
            place = line_meant(text, [label for label, _ in lines])
            if place is not None:
                value = lines[place][1]
                if value == decision.done and self._tells(lines[place][0]):
                    continue  # it asks back
                chosen: Order = fill(value, name_words(decision.seat), self) if isinstance(value, Space) else value
                return chosen
            numbers = f"a number from 1 to {len(lines)}, " if lines else ""
            self.refuse(Refusal("", f"{text!r} is no order: type {numbers}an order, or help"))
