"""People at the console, in the seats of a game."""

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.journal.fold import effective
from sandtable.journal.sides.slices import seen_records
from sandtable.journal.standing.answers import StandingOrders, is_answered
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import TurnBegan
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.play.views import View
from sandtable.kernel.records import CloseRecord, OrderRecord, StandingRecord, UndoRecord
from sandtable.players.courses import CourseFollower, only_empty_order
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.wording import described
from sandtable.terminal.console import Console
from sandtable.terminal.prompt import StandingRequested, Terminal, UndoRequested
from sandtable.terminal.staff import LeftPhase, phase_of
from sandtable.viewer.narrate import sentence


class ConsolePlayer:
    """The person in one seat."""

    def __init__(self, console: Console, seat: str) -> None:
        self._console = console
        self._seat = seat
        console.hotseat.seats.append(seat)
        self._course = CourseFollower()
        self._left: LeftPhase | None = None

    def choose(self, decision: Decision, view: View) -> Order:
        """Continue the typed course in silence; without one, narrate what happened since and let the person choose."""
        console, game = self._console, self._console.game
        order, halt = self._course.next(decision, game)
        order = order or only_empty_order(decision)
        if order is not None:
            return order
        is_sealed = game is not None and len(game.waiting()) > 1
        console.hotseat.pass_on(console.prepared.ruleset, decision, console.terminal, is_sealed=is_sealed)
        self.hear()
        if halt:
            console.terminal.say(f"  the rest of that line was not carried out: {halt}")
        if (
            game is not None
            and isinstance(game.standing, StandingOrders)
            and (why := game.standing.why_asked(decision))
        ):
            console.terminal.say(f"  {why}")
        order = self._left.order(console.staff, game, decision, view) if self._left else None
        if order is None:
            order, course, left = console.choose(decision, view)
            self._left = LeftPhase(left, phase_of(game), decision) if left else None
            self._course.begin(course, order, game.number if game else 0)
        return order

    def hear(self) -> None:
        """Narrate what happened since this side was last informed, in any of its seats, as far as it may see it."""
        console = self._console
        told, side = console.hotseat.told, console.prepared.ruleset.side_of(self._seat)
        if console.game is not None:
            told[side] = narrate_since(console.terminal, console.prepared, console.game, self._seat, told.get(side, 0))

    def forget(self) -> None:
        """Drop the rest of a typed line and a phase left to the staff, which would repeat an order after an undo."""
        self._course.forget()
        self._left = None

    def catch_up(self, number: int) -> None:
        """Count everything up to record ``number`` as known."""
        self._console.hotseat.told[self._console.prepared.ruleset.side_of(self._seat)] = number


def last_known_record(game: Game, side_of: Callable[[str], str], seat: str, known: int) -> int:
    """Return the record up to which the side of ``seat`` is informed when a game is resumed: its own last order.

    Later records of others have not been narrated to it. The value is 0 if only others gave orders, and ``known`` in a
    game without orders.
    """
    orders = [each for each in game.records if isinstance(each, OrderRecord)]
    own = (each.n for each in orders if side_of(each.by) == side_of(seat))
    return max(own, default=0 if orders else known)


def narrate_since(terminal: Terminal, prepared: Prepared, game: Game, seat: str, since: int) -> int:
    """Narrate what happened after record ``since``, as ``seat`` saw it; return the number of the newest record.

    Events that the ruleset groups, such as a movement phase, are narrated in brief; ``sandtable replay --full`` shows
    all.
    """
    ui = prepared.installed.ui
    records = seen_records(game.records, prepared, prepared.ruleset.side_of(seat))
    undone = [(each.to, each.n) for each in records if isinstance(each, UndoRecord)]
    brief = (ui.digest or nothing)(effective(records), prepared.board) or {}
    for record in records:
        if record.n <= since or any(first <= record.n < last for first, last in undone):
            continue
        told = brief.get(record.n)
        if isinstance(record, StandingRecord) or is_answered(record):
            told = sentence(record, None)
        elif told is None:
            told = (ui.narrate or nothing)(record, prepared.board)
        if isinstance(record, UndoRecord):
            if record.to <= since:
                terminal.say(f"  {name_words(record.by)}: the last order is undone")
        elif told:
            for line in told.splitlines():
                terminal.say(f"  {line}")
        else:
            _narrate_plainly(terminal, record, "" if ui.narrate else seat)
    return game.number


def _narrate_plainly(terminal: Terminal, record: Any, seat: str) -> None:
    """Narrate a record for which the ruleset has no sentence: a new turn and, with ``seat``, the orders of others.

    ``seat`` is given if the ruleset has no sentences at all; then events are narrated as in ``replay``.
    """
    event = getattr(record, "event", None)
    if isinstance(event, TurnBegan):
        terminal.say(f"Turn {event.turn}", "bold")
    elif isinstance(record, OrderRecord) and seat and record.by != seat:
        terminal.say(f"  {record.by}: {described(record.order)}", "dim")
    elif seat and not isinstance(record, CloseRecord | OrderRecord) and (told := sentence(record, None)):
        terminal.say(f"  {told}")


def play_with_people(
    game: Game, players: Mapping[str, Player], console: Console, after: Callable[[], None] | None = None
) -> None:
    """Play ``game`` to its end with people at ``console``; ``after`` is as for ``Game.play``.

    Raises PlayerLeft if they leave; the game then stays as they left it.
    """
    console.game = game
    while True:
        try:
            game.play(players, after=after or _nothing)
        except StandingRequested as given:
            assert isinstance(game.standing, StandingOrders)  # noqa: S101 - it checked the record
            game.standing.give(given.record)
        except UndoRequested as undo:
            game.undo(by=undo.seat)
            if is_answered(taken := game.records[game.records[-1].to - 1]):
                console.terminal.say(f"  standing order {taken.standing} is no longer in force")
            for each in players.values():
                if isinstance(each, ConsolePlayer):
                    each.forget()
        else:
            person = next((each for each in players.values() if isinstance(each, ConsolePlayer)), None)
            if person is not None:
                person.hear()
            return


def _nothing() -> None:
    """Do nothing between two decisions; the game still stops at each."""
