"""A game after a record of its log, with the pending questions."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sandtable.errors import LogError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import prepare_for, read_records
from sandtable.journal.side_view.worlds import Worlds
from sandtable.journal.sides.side_log import SideLog
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import Decision
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Prepared, Rulesets


def game_at(log: Log, number: int, rulesets: Rulesets, *, goes_on: bool = False) -> Game:
    """Return the game of ``log`` after record ``number``, rerun by the rules; for inspection only.

    If it ``goes_on``, it runs to the next question and can be forked. Raises LogError if the record does not exist.
    Raises LogDamaged if the rules do not give the record, or RulesetMissing if they were edited since.
    """
    if not 0 <= number <= log.records:
        raise LogError(f"{log.name}: has records 1 to {log.records}, not {number}")
    prepared = prepare_for(log, rulesets)
    records = read_records(log, prepared.ruleset)
    rerun = Rerun(prepared, log, records[:number], dice_of(log, records), goes_on=goes_on)
    found = rerun.run()
    if found is not None:
        raise refusal(found, log, prepared, f"record {number} cannot be reached: ")
    return rerun.game


class PendingQuestions(NamedTuple):
    """The questions after record ``number``: the ``seats`` that must decide, and their decisions as far as known.

    ``prepared`` has the board of that position. ``view_of`` gives the view of a seat, with a simulator. ``later`` is
    the record after which the next question is pending, or 0.
    """

    prepared: Prepared
    number: int
    seats: tuple[str, ...]
    decisions: tuple[Decision, ...]
    view_of: Callable[[str], View]
    later: int

    def decision_of(self, seat: str) -> Decision | None:
        """Return the pending decision of ``seat``, or None."""
        return next((each for each in self.decisions if each.seat == seat), None)


def of_log(log: Log, number: int, rulesets: Rulesets, *, goes_on: bool = False) -> PendingQuestions:
    """Return the questions of a complete log after record ``number``, or after the next one if it ``goes_on``.

    Raises what ``game_at`` raises.
    """
    game = game_at(log, number, rulesets, goes_on=goes_on)
    side_of, waiting = game.ruleset.side_of, game.waiting()
    later = _next(read_records(log, game.ruleset), number)
    seats = tuple(each.seat for each in waiting)
    prepared = prepare_for(log, rulesets).at(game.state)
    return PendingQuestions(
        prepared, game.number if goes_on else number, seats, waiting, lambda seat: game.seat_view(side_of(seat)), later
    )


def of_slice(own: SideLog, number: int, *, goes_on: bool = False) -> PendingQuestions:
    """Return the questions in a slice after record ``number``, or after the next one if it ``goes_on``.

    Only those of its own side are known. Raises NoDeal if no possible state leads there.
    """
    if goes_on and not own.is_asked(number):
        number = _next(own.known, number) or own.log.records
    there = Worlds(own).position_at(number)
    prepared = own.prepared.at(own.state_at(number))
    return PendingQuestions(prepared, number, there.seats, there.own, lambda _: there.view, _next(own.known, number))


def _next(records: Sequence[Any], number: int) -> int:
    """Return the record after which the next question is pending, from record ``number`` on, or 0."""
    return next((each.n - 1 for each in records if isinstance(each, OrderRecord) and each.n > number), 0)
