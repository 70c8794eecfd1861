"""A person at the terminal: sees what happened, is asked, types an order, is told why not.

Prose goes to stderr, so that stdout stays free for data; lines come from stdin, typed or piped. An order is a number of
the menu, the ruleset's own notation, or JSON as it stands in a log.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.errors import IllegalOrder, NothingToUndo, PlayError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Refusal, Space
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Answer, Course
from sandtable.quoting import MOST_LINE, plain, shortened, wrapped
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.wording import described
from sandtable.terminal.drafts_on_disk import DraftFile, put_aside
from sandtable.terminal.form_filling import entries, fill, how_filled, leaves_out, menu_of, wants_notation
from sandtable.terminal.prompt import (
    BACK,
    ODDS,
    ODDS_HELP,
    STAFF_PHASE,
    UNDO,
    BackAsked,
    LeftTheTable,
    Prompter,
    UndoAsked,
    board_text,
    from_notation,
    has_notation,
    numbers_in_menu,
    order_of_json,
    partner_before,
    read_line,
    refusals_in,
    refuse_all,
    rule_lines,
    say_lines,
    take_advice,
    tell_odds,
    warning_of,
)
from sandtable.terminal.prose import (
    answer_lines,
    examples_as_json,
    headline,
    help_on,
    line_meant,
    numbered,
    sheet_of,
    why_lines,
)
from sandtable.viewer.style import paper

if TYPE_CHECKING:
    from rich.console import Console as Screen

LEAVING = ("quit", "exit", "q")
LONGEST_LABEL = 200
"""Characters of a line of the menu, beyond which it names only what an order is made of."""


class _Typed(Exception):
    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order


class Console(Prompter):
    """The terminal at which one or several people sit; ``game`` is what they play, once it is known.

    Sheets of an order that is half written are kept in the file ``unfinished``, or in one of a like name. ``sitting``
    is the side of who was asked last, and whether secrets of its were shown or typed; ``told`` the record up to which
    each side was told; ``seats`` those in which people sit; ``course`` is what was typed last, if it was several
    orders. ``staff`` returns a bot for a seat, who drafts sheets; ``staffed`` are the words by which it was left more.
    """

    def __init__(
        self,
        prepared: Prepared,
        read: Callable[[str], str | None] = read_line,
        screen: "Screen | None" = None,
        unfinished: Path | None = None,
        staff: Callable[[str], Player] | None = None,
    ) -> None:
        from rich.console import Console as Screen  # noqa: PLC0415 - only where a person plays

        self.prepared = prepared
        self.game: Game | None = None
        self.asked = 0
        self.sitting = "", False
        self.told: dict[str, int] = {}
        self.seats: list[str] = []
        self.words_of_sheets, self.leaves_rest, self.staff = "", False, staff
        self.staffed: list[str] = []
        self.left: list[str] = []
        self._known: set[str] = set()
        self.written: dict[str, tuple[Space | None, Any]] = {}
        self._draft = DraftFile(unfinished)
        self.read = read
        self.screen = screen or Screen(stderr=True, highlight=False, markup=False, soft_wrap=True)
        self._rules = {row.id: row.text for row in prepared.installed.hook.ruleset_index() or ()}
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
        """Show a line; it commands no terminal, and is broken at blanks where it is too long for one."""
        told = plain(shortened(text, MOST_LINE))
        for line in wrapped(told, self.screen.width) if self.screen.is_terminal else [told]:
            self.screen.print(line, style=style or None, emoji=False)

    def refuse(self, refusal: Refusal) -> None:
        """Tell why not: the sentence, the rule id and, once for a line that was typed, what the rule says."""
        self._refusal = refusal
        cited = f" ({refusal.rule})" if refusal.rule else ""
        self.say(f"  refused: {refusal.reason}{cited}", "red")
        is_told, self._cited = self._cited == (self.asked, refusal.rule), (self.asked, refusal.rule)
        if refusal.rule in self._rules and not is_told:
            self.say(f"  {refusal.rule}: {self._rules[refusal.rule]}", "dim")

    def is_new(self, text: str) -> bool:
        """Tell whether ``text`` was never told to this side: from the second time on it is no news."""
        key = f"{self.sitting[0]}: {text}"
        is_new = key not in self._known
        self._known.add(key)
        return is_new

    def draft(self, name: str) -> dict[str, Any] | None:
        """Return the part ``name`` of the order that the ruleset's best bot would give; None where there is none."""
        order = self._advice()
        return sheet_of(order, name) if order is not None else None

    def _advice(self) -> Order | None:
        """Return the order that the ruleset's best bot would give."""
        if self.staff is None or self._decision is None or self._view is None:
            return None
        return self.staff(self._decision.seat).choose(self._decision, self._view)

    def _take_advice(self) -> None:
        take_advice(self, self._advice(), self._decision, self.staffed)

    def hand_in(self, order: Order) -> None:
        """Give a whole order in place of the part that is asked for; where it is refused, come back."""
        if self._is_allowed(order):
            raise _Typed(order)

    def ask(self, prompt: str, *, own_words: bool = False, undo: bool = False, numbers: bool = True) -> str:
        """Return a typed line that is no command; a whole order that is typed instead goes straight to the game.

        What is refused is asked for again, and what was written before stays. Without ``numbers`` nothing but a whole
        order is asked for, so that a number, too, may be one in the ruleset's own notation.
        """
        while True:
            self._draft.keep(self.written, self.turn)
            line = self.read(f"{plain(prompt)}: ")
            if line is None:
                raise LeftTheTable
            self.asked += 1
            text = line.strip()
            if undo and text.lower() in {UNDO, BACK}:
                return text.lower()
            if self._command(text):
                continue
            try:
                order = self._order_typed(text, own_words=own_words, numbers=numbers)
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

    def _order_typed(self, text: str, *, own_words: bool, numbers: bool) -> Order | Course | str | None:
        """Return the whole order that a line is, what the ruleset says to it, or None; may raise IllegalOrder."""
        if text.startswith("{"):
            return order_of_json(self.prepared, text)
        if own_words or not (numbers or has_notation(self.prepared)):
            return None
        return self._from_notation(text) if any(map(str.isalpha, text)) or (text and not numbers) else None

    def _is_allowed(self, order: Order) -> bool:
        """Tell whether an order is one of the options; all that is wrong with it is told."""
        wrong = self._decision.all_wrong(order) if self._decision else []
        refuse_all(self, wrong)
        return not wrong

    def _command(self, line: str) -> bool:
        """Do what ``line`` commands; tell whether it was a command."""
        text = line.lower()
        if text in {"?", "h"} or text.partition(" ")[0] == "help":
            say_lines(self, help_on(text.partition(" ")[2], self._questions(), self.words_of_sheets))
            self._hint()
        elif text.partition(" ")[0] == "view":
            self._draw(text.partition(" ")[2].strip())
        elif text.partition(" ")[0] in {*self._questions(), ODDS}:
            self._answer(line)
        elif text in {"options", "o", "why", "staff"} or text.startswith(STAFF_PHASE):
            self.staffed = text.split()[1:]
            (self._why if text == "why" else self._menu if text.startswith("o") else self._take_advice)()
        elif text == UNDO:
            self._undo(self._decision.seat if self._decision else "")
        elif text == BACK:
            raise BackAsked
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
                seat = partner_before(self.game, seat, self.seats)
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
        return from_notation(self.prepared, self._decision, text) if self._decision else None

    def words(self, value: Any) -> str:
        """Return an order, or a part of one, as the ruleset says it, otherwise by its fields."""
        hook, told = self.prepared.installed.hook.ruleset_words, None
        if self._view and hook.get_hookimpls():
            told = hook(value=value, view=self._view(), board=self.prepared.board)
        most = LONGEST_LABEL if self._decision and value is self._decision.done else 0
        return described(value, most) if told is None else str(told)

    def _draw(self, focus: str) -> None:
        try:
            with paper(self.screen.width if self.screen.is_terminal else 0):
                say_lines(self, board_text(self.prepared, self._view() if self._view else None, focus))
        except PlayError as error:
            self.refuse(Refusal("", str(error)))

    def _questions(self) -> dict[str, str]:
        """Return the questions that the ruleset answers, by their first word, as it shows them."""
        if self._asks is None:
            told = self._said("?")
            self._asks = {line.split(" ")[0]: line for line in told.lines} if told is not None else {}
        return self._asks

    def _said(self, text: str) -> Answer | None:
        return self.prepared.installed.answer(self._view() if self._view else None, self.prepared.board, text)

    def _answer(self, line: str) -> None:
        """Tell what the rules say to a question about what this side sees, or the odds of an order."""
        told, problem = None, ""
        try:
            told = self._said(line.lower())
        except PlayError as error:
            problem = str(error)
        if told is None:
            if not self._odds(line, problem):
                usual = self._questions().get(line.partition(" ")[0].lower(), ODDS_HELP)
                self.refuse(Refusal("", problem or f"ask so: {usual}"))
            return
        for each in answer_lines(told):
            self.say(each)
        for row in rule_lines(told.rules, self._rules, self.is_new):
            self.say(row, "dim")

    def _odds(self, line: str, problem: str) -> bool:
        """Tell what the dice of an order may come to, or the ``problem``, if that is asked; tell whether it was."""
        word, _, text = line.partition(" ")
        if word.lower() != ODDS or not text.strip() or self._decision is None or self._view is None:
            return False
        typed = self._lines(self._decision), text.strip()
        tell_odds(self, self.prepared, self._decision, self._view, typed, problem)
        return True

    def _menu(self) -> None:
        if self._decision is None:
            return
        lines = self._lines(self._decision)
        if len(lines) == 1 and isinstance(lines[0][1], Space):
            self.say(f"  {lines[0][0].rstrip(' …')}: {how_filled(lines[0][1])}")
            self._hint()
            return
        counted = numbers_in_menu(self.prepared, self._decision, lines)
        for line in numbered([label for label, _ in lines], self.screen.width, counted):
            self.say(line)
        if wants_notation(self._decision.options, self._is_typed):
            if not self._hint():
                say_lines(self, examples_as_json(self._decision))
        elif len(lines) < len(entries(space := self._decision.options, self.words)) or leaves_out(space, self.words):
            self._hint()

    def _lines(self, decision: Decision) -> list[tuple[str, Any]]:
        """Return the lines of the menu."""
        return menu_of(decision, self.words, self._is_typed)

    def _is_typed(self) -> bool:
        """Tell whether the ruleset itself says how its orders are typed now."""
        return has_notation(self.prepared) and isinstance(self._from_notation("?"), str)

    def _hint(self) -> bool:
        """Show how the orders that are asked for now can be typed, if the ruleset says so; tell whether it does."""
        hint = self._from_notation("?") if self._decision else None
        if isinstance(hint, str):
            say_lines(self, f"  type for example: {hint}")
        return isinstance(hint, str)

    def _why(self) -> None:
        for line in why_lines(self._refusal, self._decision, self._rules):
            self.say(line)

    def choose(self, decision: Decision, view: View) -> Order:
        """Return a legal order that the person typed. Raises UndoAsked and LeftTheTable."""
        self._decision, self._view, self._refusal, self.course, self._asks = decision, view, None, None, None
        self.say("")
        self.say(headline(decision, self.game.state if self.game else None), "bold")
        self._menu()
        while True:
            self.written, self.leaves_rest = {}, False
            try:
                order: Order = self._order(decision)
            except BackAsked:
                self._menu()
                continue
            except _Typed as typed:
                order = typed.order
            except (LeftTheTable, KeyboardInterrupt):
                put_aside(self, self._draft)
                raise
            if self._is_allowed(order):
                self._draft.drop()
                return order

    def _order(self, decision: Decision) -> Any:
        lines = self._lines(decision)
        if len(lines) == 1 and isinstance(lines[0][1], Space):
            before, order = self.asked, fill(lines[0][1], name_words(decision.seat), self)
            if self.asked == before:
                self.say(f"  that is all that can be ordered: {self.words(order)}")
            return order
        counted = numbers_in_menu(self.prepared, decision, lines)
        ends = [place for place, line in enumerate(lines) if line[1] == decision.done]
        while True:
            text = self.ask(decision.seat, numbers=False)
            if not text:
                self._menu()
                continue
            place = line_meant(text, [label for label, _ in lines], counted, whole=ends)
            if place is not None:
                chosen = lines[place][1]
                if isinstance(chosen, Space):
                    return fill(chosen, name_words(decision.seat), self)
                if chosen != decision.done or not (warning := warning_of(self._from_notation)):
                    return chosen
                self.say(f"  {warning}")
                continue
            try:
                order = None if has_notation(self.prepared) else self._from_notation(text)
            except IllegalOrder as error:
                refuse_all(self, refusals_in(error))
                continue
            if isinstance(order, Order):
                return order
            numbers = f"a number from {min(counted)} to {max(counted)}, " if lines else ""
            self.refuse(Refusal("", f"{text!r} is no order: type {numbers}an order, or help"))
