"""The terminal: lines that are shown and typed, and what every prompt of an order must do."""

import contextlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Refusal, Space
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.quoting import MOST_LINE, plain, shortened, wrapped
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.wording import described

if TYPE_CHECKING:
    from rich.console import Console as Screen

UNDO, BACK = "undo", "back"
LEAVING = ("quit", "exit", "q")
LONGEST_LINE = 1 << 16
CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Clears the screen, and what was scrolled off it."""
AWAY = "-"
"""Is nobody's side: those at the table have been away."""


class UndoAsked(Exception):
    """The person in ``seat`` wants the last order back."""

    def __init__(self, seat: str) -> None:
        super().__init__(seat)
        self.seat = seat


class Instead(Exception):
    """A legal ``order`` was typed in place of the part that is asked for; None begins the order again."""

    def __init__(self, order: Order | None) -> None:
        super().__init__()
        self.order = order


class LeftTheTable(Exception):
    """The person left, or there are no more lines to read."""


class Prompter(Protocol):
    """Who is asked.

    ``asked`` counts the lines that were typed. ``written`` is what stands of the order that is begun, each part by its
    name, with its space where that is known: no refusal changes it, and who leaves finds its sheets in a file.
    """

    written: dict[str, tuple[Space | None, Any]]
    words_of_sheets: str
    """What can be typed at the sheet that is open, "" at none: ``help`` tells it."""
    leaves_rest: bool
    """Whether what follows in the order that is written shall stay blank, where that may be."""
    left: list[str]
    """Files with an order that was left unfinished here, the newest last."""

    @property
    def asked(self) -> int:
        """The number of lines that were typed."""

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
    ) -> str:
        """Return the line that was typed.

        An empty line chooses nothing: it shows the menu, or calls ``again``, which shows what this part can be. Only
        with ``keeps`` it is returned, because it keeps what is written.
        With ``own_words`` it is not taken for an order in the game's notation; with ``undo`` there is a line to take
        back, and UNDO and BACK are returned.
        """

    def say(self, text: str) -> None:
        """Show a line; whatever it holds, it stays one line and commands no terminal."""

    def read_order(self, text: str) -> Any:
        """Return the order that ``text`` means in the game's notation, None if it is none; may raise IllegalOrder."""

    def refuse(self, refusal: Refusal) -> None:
        """Tell why what was typed may not be."""

    def is_new(self, text: str) -> bool:
        """Tell whether ``text`` was never told to who is asked: from the second time on it is no news."""

    def draft(self, name: str) -> dict[str, Any] | None:
        """Return the part ``name`` of the order that the ruleset's best bot would give; None where there is none."""

    def hand_in(self, order: Any) -> None:
        """Give a whole order in place of the part that is asked for; where it is refused, come back."""

    def words(self, value: Any) -> str:
        """Return an order, or a part of one, as a line of a menu tells it."""
        return described(value)


class Terminal:
    """The lines that people read and type. ``rules`` are the texts of rules by id; ``lines`` counts typed lines."""

    def __init__(self, read: Callable[[str], str | None], screen: "Screen", rules: Mapping[str, str]) -> None:
        self.screen = screen
        self.rules = rules
        self.lines = 0
        self.refusal: Refusal | None = None
        self._read = read
        self._cited = (0, "")
        self._known: set[tuple[str, str]] = set()

    def read(self, prompt: str) -> str:
        """Return the line that was typed, without blanks at its ends. Raises LeftTheTable after the last line."""
        line = self._read(f"{plain(prompt)}: " if prompt else "")
        if line is None:
            raise LeftTheTable
        self.lines += 1
        return line.strip()

    def say(self, text: str, style: str = "") -> None:
        """Show a line; it commands no terminal, and is broken at blanks where it is too long for one."""
        told = plain(shortened(text, MOST_LINE))
        for line in wrapped(told, self.screen.width) if self.screen.is_terminal else [told]:
            self.screen.print(line, style=style or None, emoji=False)

    def refuse(self, refusal: Refusal) -> None:
        """Show the reason, the rule id and, once for each typed line, the text of the rule."""
        self.refusal = refusal
        cited = f" ({refusal.rule})" if refusal.rule else ""
        self.say(f"  refused: {refusal.reason}{cited}", "red")
        is_told, self._cited = self._cited == (self.lines, refusal.rule), (self.lines, refusal.rule)
        if refusal.rule in self.rules and not is_told:
            self.say(f"  {refusal.rule}: {self.rules[refusal.rule]}", "dim")

    def ask_back(self, told: Refusal | str) -> None:
        """Show what the ruleset answers to an order before it is given; ``why`` explains its rule."""
        if isinstance(told, Refusal):
            self.refusal = told
        self.say(f"  {told if isinstance(told, str) else told.reason}")

    def is_new(self, side: str, text: str) -> bool:
        """Return whether ``side`` has not seen ``text`` yet, and remember it."""
        is_new = (side, text) not in self._known
        self._known.add((side, text))
        return is_new

    def why(self, decision: Decision) -> list[str]:
        """Return the last refusal or warning at this question, if any, and the text of its rule or the question's."""
        refusal = self.refusal
        rule = refusal.rule if refusal else decision.rule
        told = [f"  the last refusal: {refusal.reason}"] if refusal else []
        if rule:
            return [*told, f"  {rule}: {self.rules.get(rule, 'is not in the rule index')}"]
        return told or ["  no rule is cited for this question"]


class HotSeat:
    """Who sits at the terminal: the ``seats`` of people, and the record up to which each side was ``told``.

    ``side`` was asked last; ``has_secrets`` is whether secrets of its were shown or typed.
    """

    def __init__(self) -> None:
        self.seats: list[str] = []
        self.told: dict[str, int] = {}
        self.side, self.has_secrets = "", False

    def pass_on(self, ruleset: Ruleset, decision: Decision, terminal: Terminal, *, is_sealed: bool) -> None:
        """Draw a curtain if a person of another side was asked last, and has seen or typed secrets.

        The screen is cleared, and shows nothing before Enter is pressed. Only a terminal is: what is piped hides
        nothing. Raises LeftTheTable.
        """
        side = ruleset.side_of(decision.seat)
        changes, had_secrets = self.side not in {"", side}, self.has_secrets
        self.side = side
        self.has_secrets = ruleset.hidden or decision.secret or is_sealed or (had_secrets and not changes)
        if not (changes and had_secrets and terminal.screen.is_terminal):
            return
        terminal.screen.file.write(CLEAR)
        terminal.say(f"What follows is for {name_words(decision.seat)} alone: pass the keyboard on, then press Enter.")
        if terminal.read("").lower() in LEAVING:
            raise LeftTheTable
        terminal.screen.file.write(CLEAR)

    def sit_again(self, game: Game) -> None:
        """Let a curtain fall before the first question if people of several sides resume a game that has secrets.

        Nobody knows who of them has come back first.
        """
        ruleset = game.ruleset
        sides = {ruleset.side_of(seat) for seat in self.seats}
        if ruleset.hidden and len(sides) > 1 and any(isinstance(each, OrderRecord) for each in game.records):
            self.side, self.has_secrets = AWAY, True


def refusals_in(error: IllegalOrder) -> list[Refusal]:
    """Return all that an error refuses."""
    return [Refusal(each.rule, each.reason) for each in (error, *error.also)]


def refuse_all(asker: Prompter, wrong: Iterable[Refusal]) -> None:
    """Tell all that is wrong with what was typed."""
    for refusal in wrong:
        asker.refuse(refusal)


def rule_lines(rules: Sequence[str], texts: Mapping[str, str], is_new: Callable[[str], bool]) -> list[str]:
    """Return the rules behind an answer: each in full when it is first told, later all that are known by their ids."""
    news = [rule for rule in rules if is_new(f"rule {rule}")]
    known = [rule for rule in rules if rule not in news]
    told = [f"  {rule}: {texts.get(rule, 'is not in the rule index')}" for rule in news]
    return [*told, f"  by {', '.join(known)}"] if known else told


def say_lines(asker: Prompter | Terminal, text: str) -> None:
    """Show a text that has several lines of its own: a list of commands, a board, a brief."""
    for line in text.rstrip("\n").split("\n"):
        asker.say(line)


def as_typed(text: str) -> Any:
    """Return a typed number as such, anything else as it is."""
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 19 else text


def read_line(prompt: str) -> str | None:
    """Return a line from stdin, None at its end; the prompt goes to stderr, or through readline at a terminal."""
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
