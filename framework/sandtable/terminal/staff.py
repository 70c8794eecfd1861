"""The staff: the ruleset's best bot, which drafts orders and plays a phase that a person leaves to it.

Standing orders of a person are typed and listed here as well: the staff or a fixed order then answers for them.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from sandtable.errors import PlayError
from sandtable.journal.branching.causes import names_in
from sandtable.journal.standing.answers import StandingOrders
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.play.engine import StandingAnswers
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.play.views import View
from sandtable.kernel.records import StandingRecord
from sandtable.terminal.menu import Menu
from sandtable.terminal.prompt import StandingRequested

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


STANDING, STAFF = "standing", "staff"
_GIVEN = re.compile(r"(?:for (?P<kinds>.+?) )?(?:until (?P<until>[0-9]{1,6}) )?(?P<how>by|answer) (?P<what>.+)", re.I)
_OFF = re.compile(r"off(?: (?P<number>[0-9]{1,9}))?", re.I)
_FORMS = "standing by BOT, standing answer ORDER or standing off; for KIND and until TURN may precede by and answer"


def standing(words: str, decision: Decision, desk: StandingAnswers | None, menu: Menu) -> list[str]:
    """Return the standing orders of the seat of ``decision`` as lines, or raise StandingRequested for another one.

    ``words`` describe that one or take one back. Without the name of a kind, it is for questions of the kind of
    ``decision``. Raises PlayError if it cannot be given, and IllegalOrder for an order that is not legal here.
    """
    if not isinstance(desk, StandingOrders):
        raise PlayError("this game has no standing orders")
    if not words:
        return _standing_lines(decision, desk, menu)
    record = _taken_back(words, decision, desk) or _given(words, decision, desk, menu)
    desk.check(record)
    raise StandingRequested(record)


def _taken_back(words: str, decision: Decision, desk: StandingOrders) -> StandingRecord[Order] | None:
    off = _OFF.fullmatch(words)
    if off is None:
        return None
    known = [each.n for each in desk.of(decision.seat)]
    if off["number"] is None and len(known) != 1:
        raise PlayError(f"name the standing order to take back: {', '.join(map(str, known)) or 'there is none'}")
    return StandingRecord(0, decision.seat, withdraws=int(off["number"] or known[0]))


def _given(words: str, decision: Decision, desk: StandingOrders, menu: Menu) -> StandingRecord[Order]:
    given = _GIVEN.fullmatch(words)
    if given is None:
        raise PlayError(f"type {_FORMS}")
    what, is_bot = given["what"], given["how"].lower() == "by"
    kinds = tuple((given["kinds"] or _kind_asked(decision, desk)).replace(",", " ").split())
    bots = desk.policies(decision.seat)
    policy = (bots[0] if bots and what.lower() == STAFF else what) if is_bot else ""
    is_elsewhere = bool(given["kinds"]) and what.startswith("{")
    answer = None if is_bot else menu.from_json(what) if is_elsewhere else menu.legal_orders(what)[0]
    return StandingRecord(0, decision.seat, kinds, policy, answer, int(given["until"] or 0))


def _kind_asked(decision: Decision, desk: StandingOrders) -> str:
    """Return the kind of the pending ``decision``; raise PlayError if no standing order can name its question."""
    if not desk.is_open(decision):
        raise PlayError("standing orders are public: they answer no sealed or secret question; name a kind (for KIND)")
    if not decision.purpose:
        raise PlayError("this question has no kind that a standing order could name; name another one (for KIND)")
    return _kind(decision)


def _standing_lines(decision: Decision, desk: StandingOrders, menu: Menu) -> list[str]:
    """Return the standing orders of the seat of ``decision``, and what can be typed, as lines."""
    lines = []
    for each in desk.of(decision.seat):
        how = f"by {each.policy}" if each.answer is None else f"answer {menu.words(each.answer)}"
        until = f" until turn {each.until}" if each.until else ""
        lines.append(f"  {each.n}: for {', '.join(each.purposes)}{until} {how}")
    is_open = desk.is_open(decision) and decision.purpose
    kind = f"this question is of the kind {_kind(decision)}" if is_open else "no standing order can name this question"
    bots = ", ".join(desk.policies(decision.seat)) or "none"
    return [*(lines or ["  you have no standing orders"]), f"  {kind}; bots: {bots}", f"  type {_FORMS}"]
