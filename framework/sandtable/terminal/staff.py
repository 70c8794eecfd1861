"""The staff: the ruleset's best bot, which drafts orders and plays a phase that a person leaves to it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from sandtable.journal.branching.causes import names_in
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.play.views import View

STAFF_PHASE = "staff phase"
"""The words that let the staff decide until the phase is over; "but UNIT .." after them excludes units."""
KEPT = 2
"""The number of words, "phase but", before the units."""
Staff = Callable[[str], Player]
"""A function that returns the bot that advises a seat."""


def advice(staff: Staff | None, decision: Decision, view: View) -> Order | None:
    """Return the order that the staff would give, or None if there is no staff."""
    return staff(decision.seat).choose(decision, view) if staff is not None else None


class LeftPhase(NamedTuple):
    """A phase left to the staff at the decision ``since``, with the ``words`` that the person typed."""

    words: Sequence[str]
    phase: str
    since: Decision

    def order(self, staff: Staff | None, game: Game | None, decision: Decision, view: View) -> Order | None:
        """Return the staff's order, or None in another phase, for an illegal order, or for one the person keeps."""
        if staff is None or phase_of(game) != self.phase:
            return None
        order = staff(decision.seat).choose(decision, view)
        return None if decision.why_not(order) or is_kept(order, decision, self.words, self.since) else order


def phase_of(game: Game | None) -> str:
    """Return an identifier of the turn and phase of a game, or "" between phases or without a game."""
    return f"{game.state.turn}/{game.state.phase}" if game and game.state.phase else ""


def is_kept(order: Order, decision: Decision, left: Sequence[str], since: Decision) -> bool:
    """Return whether a person who ``left`` the phase to the staff keeps this order to themselves.

    It is kept if it names a unit that was named after "phase but" ("3pz" also means "g-3pz"), or if it ends a decision
    of the same kind as ``since``, which the staff would continue.
    """
    kept = left[KEPT:]
    names = {part for name in names_in(msgspec.to_builtins(order)) for part in (name, name.partition("-")[2])}
    is_last = order == decision.done and _kind(decision) == _kind(since)
    return bool(kept) and (is_last or not names.isdisjoint(kept))


def _kind(decision: Decision) -> str:
    return decision.purpose.partition(".")[0]
