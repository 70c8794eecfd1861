"""People at the console, in their seats at a game."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import structs

from sandtable.journal.fold import effective
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import TurnBegan
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.play.views import View
from sandtable.kernel.records import CloseRecord, OrderRecord, UndoRecord
from sandtable.plugin.manifest import Course
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.wording import described
from sandtable.terminal.console import LEAVING, Console
from sandtable.terminal.prompt import LeftTheTable, UndoAsked, is_kept, phase_of
from sandtable.viewer.narrate import sentence

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Clears the screen, and what was scrolled off it."""
AWAY = "-"
"""Is nobody's side: those at the table have been away."""


class ConsolePlayer:
    """The person in one seat."""

    def __init__(self, console: Console, seat: str) -> None:
        self._console = console
        self._seat = seat
        console.seats.append(seat)
        self._course: Course | None = None
        self._since = 0
        self._left: list[str] = []
        """The words by which the phase was left to the staff."""
        self._phase = ""
        self._asked: Decision | None = None

    def choose(self, decision: Decision, view: View) -> Order:
        """Go on with the course that was typed, in silence; else tell what happened since, and ask."""
        order, halt = self._onward(decision)
        if order is not None:
            return order
        pass_on(self._console, decision)
        self.hear()
        if halt:
            self._console.say(f"  it goes no further: {halt}")
        order = self._staffed(decision, view)
        if order is None:
            self._console.staffed = []
            order = self._console.choose(decision, view)
            self._left, self._phase, self._asked = self._console.staffed, phase_of(self._console.game), decision
            typed = self._console.course
            self._course = structs.replace(typed, orders=typed.orders[1:]) if typed and order in typed.orders else None
            self._since = self._console.game.number if self._console.game else 0
        return order

    def _staffed(self, decision: Decision, view: View) -> Order | None:
        """Return what the staff orders in the phase that was left to it; None in another, or where it does not know."""
        staff, game = self._console.staff, self._console.game
        if not self._left or self._asked is None or staff is None or phase_of(game) != self._phase:
            return None
        order = staff(decision.seat).choose(decision, view)
        return None if decision.why_not(order) or is_kept(order, decision, self._left, self._asked) else order

    def _onward(self, decision: Decision) -> tuple[Order | None, str]:
        """Return the next order of the course; None, and why, where something has happened or it is not allowed."""
        course, game = self._course, self._console.game
        if course is None or not course.orders or game is None:
            return None, ""
        events = [getattr(each, "event", None) for each in game.records if each.n > self._since]
        stirred = any(each is not None and not isinstance(each, course.quiet) for each in events)
        order = course.orders[0]
        refusal = decision.why_not(order)
        if stirred or refusal is not None:
            self._course = None
            if course.closing and len(course.orders) == 1 and refusal is not None:
                return None, ""
            return None, "something has happened" if stirred or refusal is None else refusal.reason
        self._course = structs.replace(course, orders=course.orders[1:])
        return order, ""

    def hear(self) -> None:
        """Tell what happened since this side was told last, at whichever of its seats, as far as it saw it."""
        side = self._console.prepared.ruleset.side_of(self._seat)
        told = self._console.told
        told[side] = news(self._console, self._seat, told.get(side, 0))

    def catch_up(self, number: int) -> None:
        """Take what happened up to record ``number`` as known."""
        self._console.told[self._console.prepared.ruleset.side_of(self._seat)] = number


def heard(game: Game, side_of: Callable[[str], str], seat: str, known: int) -> int:
    """Return the record up to which the side of ``seat`` was told in a game that is taken up: its own last order.

    What others did since, nobody has told it; in a game that begins it is ``known``.
    """
    orders = [each for each in game.records if isinstance(each, OrderRecord)]
    own = (each.n for each in orders if side_of(each.by) == side_of(seat))
    return max(own, default=0 if orders else known)


def news(console: Console, seat: str, since: int) -> int:
    """Tell what happened after record ``since``, as ``seat`` saw it; return the number of the newest record.

    What the ruleset tells together, such as a movement phase, is told in brief: ``sandtable replay --full`` has it all.
    """
    game, installed = console.game, console.prepared.installed
    if game is None:
        return since
    narrates = bool(installed.hook.ruleset_narrate.get_hookimpls())
    records = seen_records(game.records, console.prepared, console.prepared.ruleset.side_of(seat))
    undone = [(each.to, each.n) for each in records if isinstance(each, UndoRecord)]
    brief = installed.hook.ruleset_digest(records=effective(records), board=console.prepared.board) or {}
    for record in records:
        if record.n <= since or any(first <= record.n < last for first, last in undone):
            continue
        told = brief.get(record.n)
        if told is None:
            told = installed.hook.ruleset_narrate(record=record, board=console.prepared.board)
        if isinstance(record, UndoRecord):
            if record.to <= since:
                console.say(f"  {name_words(record.by)}: the last order is taken back")
        elif told:
            for line in told.splitlines():
                console.say(f"  {line}")
        else:
            _untold(console, record, "" if narrates else seat)
    return game.number


def _untold(console: Console, record: Any, seat: str) -> None:
    """Tell of a record for which the ruleset has no sentence: a turn, and to ``seat``, if any, what others order.

    ``seat`` is given where the ruleset has no sentences at all: then what happens is told as ``replay`` tells it.
    """
    event = getattr(record, "event", None)
    if isinstance(event, TurnBegan):
        console.say(f"Turn {event.turn}", "bold")
    elif isinstance(record, OrderRecord) and seat and record.by != seat:
        console.say(f"  {record.by}: {described(record.order)}", "dim")
    elif seat and not isinstance(record, CloseRecord) and (told := sentence(record, None)):
        console.say(f"  {told}")


def pass_on(console: Console, decision: Decision) -> None:
    """Draw a curtain before ``decision`` where a person of another side was asked last, and has seen or typed secrets.

    The screen is cleared, and shows nothing before Enter is pressed. Only a terminal is: what is piped hides nothing.
    Raises LeftTheTable.
    """
    ruleset = console.prepared.ruleset
    side = ruleset.side_of(decision.seat)
    last, secrets = console.sitting
    changes = last not in {"", side}
    is_sealed = console.game is not None and len(console.game.waiting()) > 1
    console.sitting = side, ruleset.hidden or decision.secret or is_sealed or (secrets and not changes)
    if not (changes and secrets and console.screen.is_terminal):
        return
    console.screen.file.write(CLEAR)
    console.say(f"What follows is for {name_words(decision.seat)} alone: pass the keyboard on, then press Enter.")
    line = console.read("")
    if line is None or line.strip().lower() in LEAVING:
        raise LeftTheTable
    console.screen.file.write(CLEAR)


def sit_again(console: Console, game: Game) -> None:
    """Let a curtain fall before the first question where people of several sides go on with a game that has secrets.

    Nobody knows who of them has come back first.
    """
    ruleset = console.prepared.ruleset
    sides = {ruleset.side_of(seat) for seat in console.seats}
    if ruleset.hidden and len(sides) > 1 and any(isinstance(each, OrderRecord) for each in game.records):
        console.sitting = AWAY, True


def play_with_people(
    game: Game, players: Mapping[str, Player], console: Console, after: Callable[[], None] | None = None
) -> None:
    """Play ``game`` to its end with people at ``console``; ``after`` is as for ``Game.play``.

    Raises LeftTheTable when they leave: the game stands then where it was left.
    """
    console.game = game
    while True:
        try:
            game.play(players, after=after or _nothing)
        except UndoAsked as wish:
            game.undo(by=wish.seat)
        else:
            person = next((each for each in players.values() if isinstance(each, ConsolePlayer)), None)
            if person is not None:
                person.hear()
            return


def _nothing() -> None:
    """Do nothing between two questions; the game still stops at each."""
