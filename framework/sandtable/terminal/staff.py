"""The staff: the ruleset's best bot, which drafts orders and answers a phase that a person leaves to it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from sandtable.journal.branching.causes import names_in
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.play.views import View

STAFF_PHASE = "staff phase"
"""Lets the staff answer all questions until the phase is over; with "but UNIT .." it leaves those units alone."""
KEPT = 2
"""So many of those words, "phase but", stand before the units."""
Staff = Callable[[str], Player]
"""Returns the bot that advises a seat."""


def advice(staff: Staff | None, decision: Decision, view: View) -> Order | None:
    """Return the order that the staff would give, or None if there is no staff."""
    return staff(decision.seat).choose(decision, view) if staff is not None else None


class LeftPhase(NamedTuple):
    """A phase that a person left to the staff at the question ``since``, with the ``words`` that said so."""

    words: Sequence[str]
    phase: str
    since: Decision

    def order(self, staff: Staff | None, game: Game | None, decision: Decision, view: View) -> Order | None:
        """Return the staff's order; None in another phase, or for an illegal order or one that the person keeps."""
        if staff is None or phase_of(game) != self.phase:
            return None
        order = staff(decision.seat).choose(decision, view)
        return None if decision.why_not(order) or is_kept(order, decision, self.words, self.since) else order


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
