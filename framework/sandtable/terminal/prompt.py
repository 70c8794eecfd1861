"""Who is asked at a terminal, and how what is typed is taken."""

import contextlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from sandtable.errors import IllegalOrder, SandtableError
from sandtable.journal.branching.causes import names_in
from sandtable.journal.format.codec import RecordCodec
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Refusal, Space
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord
from sandtable.players.odds import odds_lines, odds_of_order
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Course
from sandtable.quoting import plain
from sandtable.rules.notation.usual import usual
from sandtable.rules.notation.wording import described
from sandtable.terminal.prose import line_meant, numbers_of

UNDO, BACK, ODDS, WHOLE = "undo", "back", "odds", "whole"
STAFF_PHASE = "staff phase"
"""Lets the staff answer all questions until the phase is over; with "but UNIT .." it leaves those units alone."""
KEPT = 2
"""So many of those words, "phase but", stand before the units."""
ODDS_HELP = "odds ORDER   what the dice that an order brings about may come to"
LONGEST_LINE = 1 << 16
Typed = tuple[list[tuple[str, Any]], str]
"""A menu, its lines each with what it gives, and what was typed at it."""


class UndoAsked(Exception):
    """The person in ``seat`` wants the last order back."""

    def __init__(self, seat: str) -> None:
        super().__init__(seat)
        self.seat = seat


class BackAsked(Exception):
    """The person wants to begin the order again that is half written."""


class LeftTheTable(Exception):
    """The person left, or there are no more lines to read."""


class Prompter(Protocol):
    """Who is asked.

    ``asked`` counts the lines that were typed. ``written`` is what stands of the order that is begun, each part by its
    name, with its space where that is known: no refusal changes it, and who leaves finds its sheets in a file.
    """

    asked: int
    written: dict[str, tuple[Space | None, Any]]
    words_of_sheets: str
    """What can be typed at the sheet that is open, "" at none: ``help`` tells it."""
    leaves_rest: bool
    """Whether what follows in the order that is written shall stay blank, where that may be."""
    left: list[str]
    """Files with an order that was left unfinished here, the newest last."""

    @property
    def turn(self) -> int:
        """The turn of the game, 0 before the first."""

    def ask(self, prompt: str, *, own_words: bool = False, undo: bool = False) -> str:
        """Return the line that was typed.

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


def refusals_in(error: IllegalOrder) -> list[Refusal]:
    """Return all that an error refuses."""
    return [Refusal(each.rule, each.reason) for each in (error, *error.also)]


def refuse_all(asker: Prompter, wrong: Iterable[Refusal]) -> None:
    """Tell all that is wrong with what was typed."""
    for refusal in wrong:
        asker.refuse(refusal)


def partner_before(game: Game, seat: str, people: Iterable[str]) -> str:
    """Return who gave the last order if that is a person on the side of ``seat``: both take it back; else ``seat``."""
    last = next((each.by for each in reversed(game.trail) if isinstance(each, OrderRecord)), seat)
    side_of = game.ruleset.side_of
    return last if last in list(people) and side_of(last) == side_of(seat) else seat


def phase_of(game: Game | None) -> str:
    """Return in which phase of which turn a game is, "" for none."""
    return f"{game.state.turn}/{game.state.phase}" if game and game.state.phase else ""


def is_kept(order: Order, decision: Decision, left: Sequence[str], since: Decision) -> bool:
    """Tell whether a person who ``left`` the phase to the staff keeps this order of it for himself.

    It names a unit that he named after "phase but" ("3pz" stands for "g-3pz", too), or it ends such a question as that
    ``since`` which the staff goes on.
    """
    kept = left[KEPT:]
    names = {part for name in names_in(msgspec.to_builtins(order)) for part in (name, name.partition("-")[2])}
    is_last = order == decision.done and _kind(decision) == _kind(since)
    return bool(kept) and (is_last or not names.isdisjoint(kept))


def _kind(decision: Decision) -> str:
    return decision.purpose.partition(".")[0]


def take_advice(asker: Prompter, order: Order | None, decision: Decision | None, left: Sequence[str]) -> None:
    """Give an ``order`` of the staff; only tell it where the person keeps such an order for himself."""
    if order is None or decision is None:
        asker.refuse(Refusal("", "nobody can answer this for you"))
    elif is_kept(order, decision, left, decision):
        asker.say(f"  the staff would order: {asker.words(order) or described(order)}")
    else:
        asker.say(f"  the staff orders: {asker.words(order) or described(order)}")
        asker.hand_in(order)


def warning_of(read: Callable[[str], Any]) -> str:
    """Return what the ruleset, which reads with ``read``, says to the word "end"; "" where it takes it as an order."""
    with contextlib.suppress(IllegalOrder):
        told = read("end")
        return told if isinstance(told, str) else ""
    return ""


def rule_lines(rules: Sequence[str], texts: Mapping[str, str], is_new: Callable[[str], bool]) -> list[str]:
    """Return the rules behind an answer: each in full when it is first told, later all that are known by their ids."""
    news = [rule for rule in rules if is_new(f"rule {rule}")]
    known = [rule for rule in rules if rule not in news]
    told = [f"  {rule}: {texts.get(rule, 'is not in the rule index')}" for rule in news]
    return [*told, f"  by {', '.join(known)}"] if known else told


def say_lines(asker: Prompter, text: str) -> None:
    """Show a text that has several lines of its own: a list of commands, a board, a brief."""
    for line in text.rstrip("\n").split("\n"):
        asker.say(line)


def as_typed(text: str) -> Any:
    """Return a typed number as such, anything else as it is."""
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 19 else text


def order_of_json(prepared: Prepared, text: str) -> Order:
    """Return the order that ``text`` is as JSON, as it stands in a log; raises IllegalOrder."""
    try:
        order: Order = RecordCodec.of(prepared.ruleset).order.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise IllegalOrder("", f"that JSON is no order of {prepared.ruleset.id}: {error}") from error
    return order


def has_notation(prepared: Prepared) -> bool:
    """Tell whether a ruleset has a notation of its own."""
    return bool(prepared.installed.hook.ruleset_read_order.get_hookimpls())


def from_notation(prepared: Prepared, decision: Decision, text: str) -> Order | Course | str | None:
    """Return the order that ``text`` means in the ruleset's notation, what it says to "?", or None; IllegalOrder.

    A ruleset without a notation has the usual one: each order by its name, then its fields.
    """
    read = prepared.installed.hook.ruleset_read_order if has_notation(prepared) else usual(decision).read_order
    found: Order | Course | str | None = read(decision=decision, text=text, board=prepared.board)
    return found


def numbers_in_menu(prepared: Prepared, decision: Decision, lines: list[tuple[str, Any]]) -> list[int]:
    """Return the numbers of the ``lines`` of a menu."""
    own = (lambda text: from_notation(prepared, decision, text)) if has_notation(prepared) else None
    return numbers_of(lines, own)


def read_typed(prepared: Prepared, decision: Decision, text: str) -> Order:
    """Return the order that ``text`` means, as JSON or in the ruleset's notation; raises IllegalOrder for none."""
    if text.startswith("{"):
        return order_of_json(prepared, text)
    order = from_notation(prepared, decision, text)
    if not isinstance(order, Order):
        raise IllegalOrder("", f"{text!r} is no order of {prepared.ruleset.id}, neither in its notation nor as JSON")
    return order


def order_meant(
    prepared: Prepared, decision: Decision, lines: list[tuple[str, Any]], text: str, problem: str = ""
) -> Order:
    """Return the order that ``text`` means: a line of the menu, JSON, the notation; IllegalOrder for no legal one.

    Of what is none at all it tells the ``problem``, if there is one.
    """
    read: Any = None
    if text.startswith("{"):
        read = order_of_json(prepared, text)
    elif text.isdigit() and has_notation(prepared):  # a number of the menu never beats the ruleset's own notation
        read = from_notation(prepared, decision, text)
    if read is None:
        counted = numbers_in_menu(prepared, decision, lines)
        place = line_meant(text, [label for label, _ in lines], counted, within=False)
        chosen = lines[place][1] if place is not None else None
        read = chosen if isinstance(chosen, Order) else from_notation(prepared, decision, text)
    order = read.orders[0] if isinstance(read, Course) and read.orders else read
    if not isinstance(order, Order):
        is_none = problem or f"{text!r} is no order: ask so: {ODDS} ORDER"
        raise IllegalOrder("", order if isinstance(order, str) else is_none)
    decision.check(order)
    return order


def board_text(prepared: Prepared, seen: Any, focus: str) -> str:
    """Return the board as ``seen``, drawn in text or else as JSON; raises PlayError for a ``focus`` on nothing.

    The focus "whole" is all of a map that is large.
    """
    drawing = prepared.installed.draw(seen, prepared.board, "text_whole", "") if focus.lower() == WHOLE else None
    drawing = drawing or prepared.installed.draw(seen, prepared.board, "text", "" if focus.lower() == WHOLE else focus)
    return drawing if drawing is not None else msgspec.json.format(msgspec.json.encode(seen), indent=2).decode()


def tell_odds(
    asker: Prompter, prepared: Prepared, decision: Decision, view: View, typed: Typed, problem: str = ""
) -> None:
    """Tell what the dice of a typed order may come to, as far as its side may know.

    Of what is no order it tells the ``problem`` that the ruleset has with it as a question, else why it is none.
    """
    try:
        order = order_meant(prepared, decision, *typed, problem)
        found = odds_of_order(prepared, view, decision, order)
    except SandtableError as error:
        refuse_all(asker, refusals_in(error) if isinstance(error, IllegalOrder) else [Refusal("", str(error))])
        return
    say_lines(asker, "\n".join(f"  {told}" for told in odds_lines(prepared, found)))


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
