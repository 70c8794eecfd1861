"""A person at the terminal: reads what happened, types an order, and reads why it was refused.

Prose goes to stderr, so that stdout stays free for data. Lines come from stdin, typed or piped. An order is a number of
the menu, a line in the ruleset's own notation, or JSON as stored in a log.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sandtable.errors import IllegalOrder, NothingToUndo, PlayError, SandtableError
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.options import Refusal, Space
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Course
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.wording import described
from sandtable.terminal.drafts import DraftFile, put_aside
from sandtable.terminal.form_filling import fill
from sandtable.terminal.menu import ODDS, Menu, has_notation, order_of_json
from sandtable.terminal.prompt import (
    BACK,
    DRAW,
    LEAVING,
    RESIGN,
    UNDO,
    EndRequested,
    HotSeat,
    Instead,
    PlayerLeft,
    Terminal,
    UndoRequested,
    eliminated,
    partner_before,
    read_line,
    refusals_in,
    refuse_all,
    refuse_error,
    rule_lines,
    say_lines,
)
from sandtable.terminal.prose import answer_lines, examples_of, headline, help_on, sheet_of
from sandtable.terminal.staff import STAFF_PHASE, STANDING, Staff, advice, is_kept, standing
from sandtable.viewer.style import paper

if TYPE_CHECKING:
    from rich.console import Console as Screen

ODDS_HELP = "odds ORDER   the possible results of the dice that an order causes"


class Chosen(NamedTuple):
    """A legal ``order``, the ``course`` that it begins (or None), and the words that leave the phase to the staff."""

    order: Order
    course: Course | None
    left: list[str]


class Console:
    """The terminal that one or several people share. ``game`` is the game they play, once it is known.

    The sheets of an unfinished order are kept in the file ``unfinished``, or in a file with a similar name. ``left``
    lists such files of an earlier session. ``staff`` returns a bot for a seat, which drafts orders.
    """

    def __init__(
        self,
        prepared: Prepared,
        read: Callable[[str], str | None] = read_line,
        screen: "Screen | None" = None,
        unfinished: Path | None = None,
        staff: Staff | None = None,
    ) -> None:
        from rich.console import Console as Screen  # noqa: PLC0415 - only where a person plays

        screen = screen or Screen(stderr=True, highlight=False, markup=False, soft_wrap=True)
        rules = {row.id: row.text for row in prepared.installed.hook.ruleset_index() or ()}
        self.prepared = prepared
        self.game: Game | None = None
        self.terminal = Terminal(read, screen, rules)
        self.hotseat = HotSeat()
        self.staff = staff
        self.left: list[str] = []
        self._drafts = DraftFile(unfinished)

    def choose(self, decision: Decision, view: View) -> Chosen:
        """Return a legal order that the person typed. Raises PlayerLeft, and the requests of ``prompt``."""
        self.terminal.refusal = None
        self.terminal.say("")
        self.terminal.say(headline(decision, self.game.state if self.game else None), "bold")
        question = ConsolePrompt(self, Menu(self.prepared, decision, view), self._drafts)
        question.show_menu()
        while True:
            try:
                order = question.order()
            except Instead as typed:
                if typed.order is None:
                    question.begin_again()
                    continue
                order = typed.order
            except EndRequested:
                self._drafts.drop()
                raise
            except (PlayerLeft, KeyboardInterrupt):
                put_aside(question, self._drafts)
                raise
            self._drafts.drop()
            return Chosen(order, question.course, question.left_phase)


class ConsolePrompt:
    """A Prompter for one decision of a person, from its menu to a legal order.

    ``course`` is the last typed line if it meant several orders. ``left_phase`` holds the words that leave the phase to
    the staff.
    """

    def __init__(self, console: Console, menu: Menu, drafts: DraftFile) -> None:
        self.written: dict[str, tuple[Space | None, Any]] = {}
        self.leaves_rest, self.words_of_sheets = False, ""
        self.left = console.left
        self.course: Course | None = None
        self.left_phase: list[str] = []
        self._terminal, self._game, self._staff = console.terminal, console.game, console.staff
        self._hotseat = console.hotseat
        self._prepared = console.prepared
        self._menu = menu
        self._decision = menu.decision
        self.say, self.refuse, self.words = console.terminal.say, console.terminal.refuse, menu.words
        self._drafts = drafts

    # ------------------------------------------------------------------ the prompter

    @property
    def asked(self) -> int:
        """The number of lines typed so far."""
        return self._terminal.lines

    @property
    def turn(self) -> int:
        """The turn of the game, 0 before the first."""
        return self._game.state.turn if self._game else 0

    def is_new(self, text: str) -> bool:
        """Return whether this side has not seen ``text`` yet, and remember it."""
        return self._terminal.is_new(self._prepared.ruleset.side_of(self._decision.seat), text)

    def read_order(self, text: str) -> Order | None:
        """Return the order that ``text`` means in the ruleset's notation, or None. May raise IllegalOrder."""
        order = self._menu.read(text)
        return order if isinstance(order, Order) else None

    def draft(self, name: str) -> dict[str, Any] | None:
        """Return the part ``name`` of the order that the staff would give, or None if there is none."""
        order = advice(self._staff, self._decision, self._menu.view)
        return sheet_of(order, name) if order is not None else None

    def submit_whole(self, order: Order) -> None:
        """Give a complete order instead of the requested part; return if it is refused."""
        wrong = self._decision.all_wrong(order)
        if not wrong:
            raise Instead(order)
        refuse_all(self, wrong)

    def ask(
        self,
        prompt: str,
        *,
        again: Callable[[], None] | None = None,
        own_words: bool = False,
        undo: bool = False,
        keeps: bool = False,
        choices: Sequence[str] = (),
        numbers: bool = True,
    ) -> str:
        """Return a typed line that is not a command. A complete order typed instead goes straight to the game.

        An empty line shows the menu and calls ``again`` for this part, unless it ``keeps`` the current value. A refused
        line is requested again, and earlier parts stay. Without ``numbers`` only a complete order is expected, so that
        a number may also be an order in the ruleset's own notation.
        """
        while True:
            self._drafts.keep(self.written, self.turn)
            text = self._terminal.read(prompt)
            if undo and text.lower() in {UNDO, BACK}:
                return text.lower()
            if not text and not keeps:
                self._show_again(again)
                continue
            if self._command(text, choices):
                continue
            try:
                order = self._order_typed(text, own_words=own_words, numbers=numbers)
            except IllegalOrder as error:
                refuse_all(self, refusals_in(error))
                continue
            if order is None:
                return text
            self.course = order if isinstance(order, Course) else None
            if isinstance(order, Course):
                if order.said:
                    self.say(f"  {order.said}")
                order = order.orders[0]
            if isinstance(order, Refusal | str):
                self._terminal.ask_back(order)
            else:
                self.submit_whole(order)

    def _show_again(self, part: Callable[[], None] | None) -> None:
        """Show the menu and the requested part; only the part if the menu consists of one form."""
        if part is None or self._menu.form is not None:
            self.show_menu()
        if part is not None:
            part()

    def _order_typed(self, text: str, *, own_words: bool, numbers: bool) -> Order | Course | Refusal | str | None:
        """Return the complete order in a line, the ruleset's answer to it, or None. May raise IllegalOrder."""
        if text.startswith("{"):
            return order_of_json(self._prepared, text)
        if own_words or not (numbers or has_notation(self._prepared)):
            return None
        return self._menu.read(text) if any(map(str.isalpha, text)) or not numbers else None

    # ------------------------------------------------------------------ the order

    def show_menu(self) -> None:
        """Show the menu."""
        for line in self._menu_lines():
            self.say(line)

    def _menu_lines(self) -> list[str]:
        return self._menu.shown(self._terminal.screen.width)

    def begin_again(self) -> None:
        """Discard what is written of the order, and show the menu."""
        self.written, self.leaves_rest = {}, False
        self.show_menu()

    def order(self) -> Order:
        """Return a legal order of the menu. Raises Instead for one that is typed in full."""
        while True:
            order: Order = self._order()
            wrong = self._decision.all_wrong(order)
            if not wrong:
                return order
            refuse_all(self, wrong)
            self.written, self.leaves_rest = {}, False

    def _order(self) -> Any:
        seat, menu = self._decision.seat, self._menu
        if menu.form is not None:
            before, order = self.asked, fill(menu.form, name_words(seat), self)
            if self.asked == before:
                self.say(f"  no other order is possible: {self.words(order)}")
            return order
        while True:
            text = self.ask(seat, numbers=False)
            chosen = menu.meant(text)
            if isinstance(chosen, Space):
                return fill(chosen, name_words(seat), self)
            if chosen is not None:
                if chosen != self._decision.done or not (warning := menu.warning()):
                    return chosen
                self._terminal.ask_back(warning)
                continue
            try:
                order = None if has_notation(self._prepared) else menu.read(text)
            except IllegalOrder as error:
                refuse_all(self, refusals_in(error))
                continue
            if isinstance(order, Order):
                return order
            numbers = f"a number from {min(menu.numbers)} to {max(menu.numbers)}, " if menu.lines else ""
            self.refuse(Refusal("", f"{text!r} is not an order: type {numbers}an order, or help"))

    # ------------------------------------------------------------------ commands

    def _command(self, line: str, choices: Sequence[str]) -> bool:
        """Execute ``line`` if it is a command; return whether it was one."""
        text, (word, _, rest) = line.lower(), line.lower().partition(" ")
        if text in {"?", "h"} or word == "help":
            hint = self._menu.hint or ""
            say_lines(self, help_on(rest.strip(), self._menu.questions, self.words_of_sheets, hint))
            for each in () if examples_of(rest.strip(), hint) else self._menu.hint_lines():
                self.say(each)
        elif word == "view":
            self._draw(rest.strip())
        elif word in {*self._menu.questions, ODDS}:
            self._answer(line)
        elif text in {"options", "o", "why"}:
            self.left_phase = []
            for each in self._terminal.why(self._decision) if text == "why" else self._menu_lines():
                self.say(each)
        elif text == "staff" or text.startswith(STAFF_PHASE):
            self.left_phase = text.split()[1:]
            self._take_advice(self.left_phase)
        elif text in {UNDO, BACK}:
            self._go_back(text)
        elif text in LEAVING:
            raise PlayerLeft
        else:
            return self._own_word(line, choices)
        return True

    def _own_word(self, line: str, choices: Sequence[str]) -> bool:
        """Execute a word that a game may use itself, unless it begins an order or a choice; return whether it did."""
        text, word = line.lower(), line.lower().partition(" ")[0]
        is_known = text in {RESIGN, DRAW} or word == STANDING
        if not is_known or self._decision.side == UMPIRE or self._menu.names(word, choices):
            return False
        if word == STANDING:
            self._stand(line[len(STANDING) :].strip())
        else:
            gone = eliminated(self._game) if self._game else ()
            self._hotseat.end(text, self._prepared.ruleset, self._decision.seat, self._terminal, gone)
        return True

    def _stand(self, words: str) -> None:
        """Show the standing orders, or give or take back the one that ``words`` describe."""
        if words and self._is_written():
            self.refuse(Refusal("", "part of this order is written: type back to discard it first"))
            return
        desk = self._game.standing if self._game else None
        try:
            for each in standing(words, self._decision, desk, self._menu):
                self.say(each)
        except SandtableError as error:
            refuse_error(self, error)

    def _is_written(self) -> bool:
        return any(value != {} for _, value in self.written.values())

    def _draw(self, focus: str) -> None:
        screen = self._terminal.screen
        try:
            with paper(screen.width if screen.is_terminal else 0):
                say_lines(self, self._menu.board(focus))
        except PlayError as error:
            self.refuse(Refusal("", str(error)))

    def _take_advice(self, left: Sequence[str]) -> None:
        """Give the staff's order, or only show it if the person keeps such orders."""
        order = advice(self._staff, self._decision, self._menu.view)
        if order is None:
            self.refuse(Refusal("", "there is no staff to answer this for you"))
            return
        answer = self.words(order) or described(order)
        if is_kept(order, self._decision, left, self._decision):
            self.say(f"  the staff would order: {answer}")
        else:
            self.say(f"  the staff orders: {answer}")
            self.submit_whole(order)

    def _go_back(self, text: str) -> None:
        """Begin this order again, or undo the last one if nothing written is lost; otherwise show why not."""
        if text == BACK:
            raise Instead(None)
        if self._is_written():
            self.refuse(Refusal("", "part of this order is written: type back to discard it, then undo"))
            return
        seat = self._decision.seat
        try:
            if self._game is not None:
                seat = partner_before(self._game, seat, self._hotseat.seats)
                self._game.check_undo(seat)
        except NothingToUndo as error:
            self.refuse(Refusal("", str(error)))
            return
        raise UndoRequested(seat)

    # ------------------------------------------------------------------ questions to the rules

    def _answer(self, line: str) -> None:
        """Show the answer of the rules to a query about this side's view, or the odds of an order."""
        answer, problem = None, ""
        try:
            answer = self._menu.said(line.lower())
        except PlayError as error:
            problem = str(error)
        if answer is not None:
            for each in answer_lines(answer):
                self.say(each)
            for row in rule_lines(answer.rules, self._terminal.rules, self.is_new):
                self._terminal.say(row, "dim")
            return
        word, _, order = line.partition(" ")
        if word.lower() != ODDS or not order.strip():
            self.refuse(Refusal("", problem or f"try: {self._menu.questions.get(word.lower(), ODDS_HELP)}"))
            return
        try:
            say_lines(self, "\n".join(self._menu.odds(order.strip(), problem)))
        except SandtableError as error:
            refuse_error(self, error)
