"""The terminal: lines that are shown and typed, and the interface of every prompt for an order."""

import contextlib
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from sandtable.errors import IllegalOrder, PlayError, SandtableError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import SideEliminated
from sandtable.kernel.options import Refusal, Space
from sandtable.kernel.play.endings import agreed_draw, check_ending, equal_shares, resignation
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EndRecord, OrderRecord, StandingRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.quoting import MAX_LINE, plain, shortened, wrapped
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.wording import described

if TYPE_CHECKING:
    from rich.console import Console as Screen

UNDO, BACK = "undo", "back"
LEAVING = ("quit", "exit", "q")
RESIGN, DRAW = "resign", "draw"
LONGEST_LINE = 1 << 16
CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""The sequence that clears the screen and the scrollback."""
AWAY = "-"
"""A value that is not a side: used when the people at the terminal return from an interruption."""


class UndoRequested(Exception):
    """The person in ``seat`` asked to undo the last order."""

    def __init__(self, seat: str) -> None:
        super().__init__(seat)
        self.seat = seat


class StandingRequested(Exception):
    """A person gave the standing order ``record``, which is not numbered yet, or took one back with it."""

    def __init__(self, record: StandingRecord[Order]) -> None:
        super().__init__(record.by)
        self.record = record


class Instead(Exception):
    """A legal ``order`` was typed instead of the requested part, or None to begin the order again."""

    def __init__(self, order: Order | None) -> None:
        super().__init__()
        self.order = order


class EndRequested(Exception):
    """A person resigned, or all sides agreed on a draw: ``record``, not numbered yet, ends the game."""

    def __init__(self, record: EndRecord) -> None:
        super().__init__(record.how)
        self.record = record


class PlayerLeft(Exception):
    """The person left, or there are no more lines to read."""


class Prompter(Protocol):
    """The person to prompt.

    ``asked`` counts the lines that were typed. ``written`` is the unfinished order: each part by its name, with its
    space if that is known. A refusal does not change it, and a person who leaves finds its sheets in a file.
    """

    written: dict[str, tuple[Space | None, Any]]
    words_of_sheets: str
    """Help for the open sheet, which ``help`` shows, or "" if no sheet is open."""
    leaves_rest: bool
    """Whether the remaining parts of the order stay blank, if that is legal."""
    left: list[str]
    """Files with an order that was left unfinished, the newest last."""

    @property
    def asked(self) -> int:
        """The number of lines typed so far."""

    @property
    def turn(self) -> int:
        """The turn of the game, 0 before the first."""

    def ask(
        self,
        prompt: str,
        *,
        again: Callable[[], None] | None = None,
        own_words: bool = False,
        undo: bool = False,
        keeps: bool = False,
        choices: Sequence[str] = (),
    ) -> str:
        """Return the line that was typed.

        An empty line shows the menu, or calls ``again``, which shows this part again. With ``keeps`` an empty line is
        returned: it keeps the current value. With ``own_words`` the line is not parsed as an order in the game's
        notation. With ``undo`` there is a line to undo, and UNDO and BACK are returned. A line that begins one of the
        ``choices`` is not RESIGN or DRAW.
        """

    def say(self, text: str) -> None:
        """Show a line. Its content stays on one line and cannot control the terminal."""

    def read_order(self, text: str) -> Any:
        """Return the order that ``text`` means in the game's notation, or None. May raise IllegalOrder."""

    def refuse(self, refusal: Refusal) -> None:
        """Show why a typed line is refused."""

    def is_new(self, text: str) -> bool:
        """Return whether the person's side has not been shown ``text`` before, and remember it."""

    def draft(self, name: str) -> dict[str, Any] | None:
        """Return the part ``name`` of the order that the ruleset's best bot would give, or None."""

    def submit_whole(self, order: Any) -> None:
        """Give a complete order instead of the requested part; return if it is refused."""

    def words(self, value: Any) -> str:
        """Return an order, or a part of one, as a menu line shows it."""
        return described(value)


class Terminal:
    """The lines that people read and type. ``rules`` holds rule texts by id; ``lines`` counts typed lines."""

    def __init__(self, read: Callable[[str], str | None], screen: "Screen", rules: Mapping[str, str]) -> None:
        self.screen = screen
        self.rules = rules
        self.lines = 0
        self.refusal: Refusal | None = None
        self._read = read
        self._cited = (0, "")
        self._known: set[tuple[str, str]] = set()

    def read(self, prompt: str) -> str:
        """Return the next typed line without blanks at its ends. Raises PlayerLeft after the last line."""
        line = self._read(f"{plain(prompt)}: " if prompt else "")
        if line is None:
            raise PlayerLeft
        self.lines += 1
        return line.strip()

    def say(self, text: str, style: str = "") -> None:
        """Show a line. It cannot control the terminal, and is wrapped at blanks if it is too long."""
        told = plain(shortened(text, MAX_LINE))
        for line in wrapped(told, self.screen.width) if self.screen.is_terminal else [told]:
            self.screen.print(line, style=style or None, emoji=False)

    def refuse(self, refusal: Refusal) -> None:
        """Show the reason, the rule id and, once for each typed line, the text of the rule."""
        self.refusal = refusal
        cited = f" ({refusal.rule})" if refusal.rule else ""
        self.say(f"  refused: {refusal.reason}{cited}", "red")
        is_shown, self._cited = self._cited == (self.lines, refusal.rule), (self.lines, refusal.rule)
        if refusal.rule in self.rules and not is_shown:
            self.say(f"  {refusal.rule}: {self.rules[refusal.rule]}", "dim")

    def ask_back(self, told: Refusal | str) -> None:
        """Show the ruleset's warning about an order before it is given; ``why`` explains its rule."""
        if isinstance(told, Refusal):
            self.refusal = told
        self.say(f"  {told if isinstance(told, str) else told.reason}")

    def is_new(self, side: str, text: str) -> bool:
        """Return whether ``side`` has not seen ``text`` yet, and remember it."""
        is_new = (side, text) not in self._known
        self._known.add((side, text))
        return is_new

    def why(self, decision: Decision) -> list[str]:
        """Return the last refusal or warning at this decision, if any, and the text of its rule or the decision's."""
        refusal = self.refusal
        rule = refusal.rule if refusal else decision.rule
        told = [f"  the last refusal: {refusal.reason}"] if refusal else []
        if rule:
            return [*told, f"  {rule}: {self.rules.get(rule, 'not in the rule index')}"]
        return told or ["  no rule is cited here"]


class HotSeat:
    """The people at the terminal: their ``seats``, and the record up to which each side was ``told``.

    ``side`` is the side of the last decision. ``has_secrets`` is whether its secrets were shown or typed. ``ends`` is
    whether people may end the game here, so that EndRequested is handled.
    """

    def __init__(self) -> None:
        self.seats: list[str] = []
        self.told: dict[str, int] = {}
        self.side, self.has_secrets = "", False
        self.ends = False

    def pass_on(self, ruleset: Ruleset, decision: Decision, terminal: Terminal, *, is_sealed: bool) -> None:
        """Hide the screen if the last decision belonged to a person of another side who has seen or typed secrets.

        The screen is cleared, and stays empty until Enter is pressed. Only a terminal is cleared: piped output hides
        nothing. Raises PlayerLeft.
        """
        side = ruleset.side_of(decision.seat)
        changes, had_secrets = self.side not in {"", side}, self.has_secrets
        self.side = side
        self.has_secrets = ruleset.hidden or decision.secret or is_sealed or (had_secrets and not changes)
        if not (changes and had_secrets and terminal.screen.is_terminal):
            return
        self._hand_over(decision.seat, terminal)

    def _hand_over(self, seat: str, terminal: Terminal) -> None:
        """Clear the screen, which stays empty until Enter is pressed. Raises PlayerLeft."""
        terminal.screen.file.write(CLEAR)
        terminal.say(f"The next screen is only for {name_words(seat)}: pass the keyboard, then press Enter.")
        if terminal.read("").lower() in LEAVING:
            raise PlayerLeft
        terminal.screen.file.write(CLEAR)

    def end(self, word: str, ruleset: Ruleset, seat: str, terminal: Terminal, gone: Collection[str] = ()) -> None:
        """Raise EndRequested if ``seat`` confirms that it resigns (RESIGN), or all other sides agree on its DRAW.

        Otherwise show why the game continues. Only a side with a person at the terminal can agree. The sides ``gone``
        are out of the game: they need not agree, and have no share of a draw.
        """
        left = [side for side in ruleset.viewers if side not in gone]
        shares = equal_shares(left, ruleset.viewers) if gone else None
        record = resignation(ruleset, 0, seat) if word == RESIGN else agreed_draw(ruleset, 0, seat, shares)
        why = "" if self.ends else "this game cannot be ended at a prompt"
        try:
            check_ending(record, ruleset)
        except PlayError as error:
            why = why or str(error)
        if not why and word == RESIGN:
            why = self._why_not_resigned(ruleset, seat, terminal)
        elif not why:
            why = self._why_no_draw(ruleset, seat, terminal, left)
        if not why:
            raise EndRequested(record)
        terminal.refuse(Refusal("", why))

    def _why_not_resigned(self, ruleset: Ruleset, seat: str, terminal: Terminal) -> str:
        asked = f"{name_words(ruleset.side_of(seat))} resigns and the game ends"
        return "" if _says_yes(terminal, asked) else "you did not resign: the game continues"

    def _why_no_draw(self, ruleset: Ruleset, seat: str, terminal: Terminal, left: Sequence[str]) -> str:
        """Ask a person of every other side ``left`` in the game, in turn, to agree on the draw that ``seat`` offers."""
        side = ruleset.side_of(seat)
        others = [each for each in left if each != side]
        people = set(map(ruleset.side_of, self.seats))
        if absent := next((each for each in others if each not in people), ""):
            return f"no person plays {name_words(absent)} at this terminal, and a bot never agrees to a draw"
        hides = self.has_secrets and terminal.screen.is_terminal
        if hides:
            terminal.screen.file.write(CLEAR)
        offer = f"{name_words(side)} offers a draw"
        refuses = next((each for each in others if not _says_yes(terminal, f"{name_words(each)}: {offer}")), "")
        if refuses and hides:
            self._hand_over(side, terminal)
        return f"{name_words(refuses)} does not agree to a draw: type options to see the menu" if refuses else ""

    def hide_on_resume(self, game: Game) -> None:
        """Hide the screen before the first decision if people of several sides resume a game with secrets.

        It is unknown which of them has come back first.
        """
        ruleset = game.ruleset
        sides = {ruleset.side_of(seat) for seat in self.seats}
        if ruleset.hidden and len(sides) > 1 and any(isinstance(each, OrderRecord) for each in game.records):
            self.side, self.has_secrets = AWAY, True


def eliminated(game: Game) -> set[str]:
    """Return the sides that are out of the game."""
    events = (getattr(each, "event", None) for each in game.trail)
    return {event.side for event in events if isinstance(event, SideEliminated)}  # type: ignore[attr-defined]  # its field


def partner_before(game: Game, seat: str, people: Sequence[str]) -> str:
    """Return the seat of the last order if a person of the same side gave it (undo takes back both), or ``seat``."""
    last = next((each.by for each in reversed(game.trail) if isinstance(each, OrderRecord)), seat)
    side_of = game.ruleset.side_of
    return last if last in people and side_of(last) == side_of(seat) else seat


def _says_yes(terminal: Terminal, text: str) -> bool:
    return terminal.read(f"{text}: yes or no").lower() in {"yes", "y"}


def refusals_in(error: IllegalOrder) -> list[Refusal]:
    """Return every refusal in an error."""
    return [Refusal(each.rule, each.reason) for each in (error, *error.also)]


def refuse_error(asker: Prompter, error: SandtableError) -> None:
    """Show why a typed line failed: every refusal of an illegal order, or the message of another ``error``."""
    refuse_all(asker, refusals_in(error) if isinstance(error, IllegalOrder) else [Refusal("", str(error))])


def refuse_all(asker: Prompter, wrong: Iterable[Refusal]) -> None:
    """Show every refusal of a typed line."""
    for refusal in wrong:
        asker.refuse(refusal)


def rule_lines(rules: Sequence[str], texts: Mapping[str, str], is_new: Callable[[str], bool]) -> list[str]:
    """Return the rules behind an answer: in full at their first mention, later only their ids."""
    new = [rule for rule in rules if is_new(f"rule {rule}")]
    known = [rule for rule in rules if rule not in new]
    told = [f"  {rule}: {texts.get(rule, 'not in the rule index')}" for rule in new]
    return [*told, f"  by {', '.join(known)}"] if known else told


def say_lines(asker: Prompter | Terminal, text: str) -> None:
    """Show a text of several lines: a list of commands, a board, a brief."""
    for line in text.rstrip("\n").split("\n"):
        asker.say(line)


def as_typed(text: str) -> Any:
    """Return a typed number as an int, anything else unchanged."""
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 19 else text


def read_line(prompt: str) -> str | None:
    """Return a line from stdin, or None at its end. The prompt goes to stderr, or through readline at a terminal."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401, PLC0415 - editing and history come with the import
        try:
            return input(prompt)
        except EOFError:
            return None
    sys.stderr.write(prompt)
    sys.stderr.flush()
    line = sys.stdin.readline(LONGEST_LINE)
    if line and not sys.stdin.isatty():
        sys.stderr.write(plain(line.rstrip("\n")) + "\n")
    return line or None
