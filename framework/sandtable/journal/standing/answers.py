"""The answers of standing orders, in a game that is played or run again from its log (log format, section 4)."""

from hashlib import sha256
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.errors import PlayError
from sandtable.journal.format.codec import ENCODER
from sandtable.journal.format.limits import MAX_STANDING
from sandtable.journal.standing.force import FAILED, ILLEGAL, MAX_ROW, REASONS, REPEATS, SECRET, InForce
from sandtable.kernel.decisions import PUBLIC, UMPIRE, Decision, Order, Sealed
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.kernel.questions import label_of
from sandtable.kernel.records import OrderRecord, StandingRecord
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.manifest import may_sit
from sandtable.quoting import shortened


class _Outcome(NamedTuple):
    """The standing order that names a question, and its ``answer``, or why it ``refused`` to give one."""

    named: StandingRecord[Any] | None = None
    answer: Order | None = None
    refused: str = ""


class StandingOrders:
    """The standing orders of ``game``, whose records hold them; they answer its open questions.

    They are public, and so are their answers: all holders of the records can compute them. A bot is made for a single
    answer, sees what a spectator sees, and draws from a stream that follows from the label of the question.
    """

    def __init__(self, prepared: Prepared, game: Game) -> None:
        self._installed, self._game = prepared.installed, game
        self._force = in_force(prepared)
        self._seen = self._count = 0
        self._last: tuple[int, Decision | None, _Outcome] = (-1, None, _Outcome())
        game.standing = self

    def answer(self, decision: Decision) -> Order | None:
        """Return the answer to the pending ``decision`` that a standing order gives, or None."""
        return self._outcome(decision).answer

    def mark(self, decision: Decision, order: Order) -> tuple[int, str]:
        """Return the number of the standing order that names ``decision``, or 0, and why it does not answer, or "".

        Raises PlayError if its answer differs from ``order``.
        """
        named, answer, refused = self._outcome(decision)
        if answer is not None and ENCODER.encode(answer) != ENCODER.encode(order):
            assert named is not None  # noqa: S101 - it gave the answer
            raise PlayError(
                f"standing order {named.n} of {named.by} gives another answer to this question: take it back first"
            )
        return (0, "") if named is None else (named.n, refused)

    def named(self, decision: Decision) -> StandingRecord[Any] | None:
        """Return the standing order that names the pending ``decision``, or None."""
        return self._outcome(decision).named

    def why_asked(self, decision: Decision) -> str:
        """Return in words why the standing order that names ``decision`` does not answer, "" without one."""
        named, _, refused = self._outcome(decision)
        return f"standing order {named.n} does not answer: {REASONS[refused]}" if named and refused else ""

    def of(self, seat: str) -> list[StandingRecord[Any]]:
        """Return the standing orders of ``seat`` in force, the oldest first."""
        self._catch_up()
        return self._force.of(seat)

    def is_open(self, decision: Decision) -> bool:
        """Return whether the pending ``decision`` is neither sealed nor secret, so that standing orders may answer."""
        return not decision.secret and not isinstance(self._game.pending, Sealed)

    def policies(self, seat: str) -> list[str]:
        """Return the bots of the ruleset that may answer for ``seat``, the best first."""
        return _policies(self._installed, seat)

    def check(self, record: StandingRecord[Any]) -> None:
        """Raise PlayError if ``record`` cannot be given at the pending question; its number does not matter."""
        self._catch_up()
        if why := why_not_now(self._game, record):
            raise PlayError(why)
        if self._count >= MAX_STANDING:
            raise PlayError(f"{self._count:,} standing orders were given in this game, which is the maximum of a log")
        if why := self._force.why_not(record):
            raise PlayError(why)

    def give(self, record: StandingRecord[Any]) -> None:
        """Append ``record``, which gets the next number; raises PlayError as ``check`` does."""
        self.check(record)
        self._game.note(replace(record, n=self._game.number + 1))

    def _catch_up(self) -> None:
        """Take the new records of the game."""
        records = self._game.records
        for record in records[self._seen :]:
            self._force.take(record)
            self._count += isinstance(record, StandingRecord)
        self._seen = len(records)

    def _outcome(self, decision: Decision) -> _Outcome:
        """Return the result of the standing orders for ``decision``, which is computed once."""
        number, known, outcome = self._last
        if number != self._game.number or known is not decision:
            self._catch_up()
            outcome = self._computed(decision)
            self._last = self._game.number, decision, outcome
        return outcome

    def _computed(self, decision: Decision) -> _Outcome:
        if not self.is_open(decision):
            return _Outcome()
        question = self._game.question_of(decision)
        named = self._force.naming(decision.seat, question)
        if named is None:
            return _Outcome()
        if decision.outside is not None:
            return _Outcome(named, None, SECRET)
        if self._force.row >= MAX_ROW:
            return _Outcome(named, None, REPEATS)
        if named.answer is not None:
            answer: Order = named.answer
            return _Outcome(named, None, ILLEGAL) if decision.all_wrong(answer) else _Outcome(named, answer)
        try:
            answer = self._chosen(named.policy, decision, label_of(question))
            is_legal = not decision.all_wrong(answer)
        except Exception:  # noqa: BLE001 - a bot may fail, above all without its side's secrets: its person is asked
            return _Outcome(named, None, FAILED)
        return _Outcome(named, answer) if is_legal else _Outcome(named, None, ILLEGAL)

    def _chosen(self, policy: str, decision: Decision, label: str) -> Order:
        """Return the choice of the bot ``policy``, which is made for this question alone and sees no secrets."""
        game = self._game
        stream = Stream.for_player(sha256(b"sandtable standing\n" + label.encode()).digest(), decision.seat)
        player = self._installed.bots.players[policy](decision.seat, stream, game.state.board)
        order: Order = player.choose(decision, View(PUBLIC, game.view))
        return order


def why_not_now(game: Game, record: StandingRecord[Any]) -> str:
    """Return why the seat of ``record`` cannot give or withdraw a standing order now (it has no question), or ""."""
    if any(each.seat == record.by for each in game.waiting()):
        return ""
    return f"{shortened(record.by)} can give and withdraw standing orders only when it must decide"


def in_force(prepared: Prepared) -> InForce:
    """Return the standing orders of a game before its first record, which are empty."""
    installed, ruleset = prepared.installed, prepared.ruleset

    def why_no_policy(policy: str, seat: str) -> str:
        known = _policies(installed, seat)
        if policy in known:
            return ""
        named = f"{ruleset.id} has no bot {shortened(policy)!r} for {shortened(seat)}"
        return f"{named}: choose {', '.join(known) or 'an order'}"

    return InForce({*ruleset.seats, *ruleset.seats.values()} - {UMPIRE}, why_no_policy)


def _policies(installed: Installed, seat: str) -> list[str]:
    return [name for name in installed.bots.players if may_sit(installed.manifest, name, seat)]


def is_answered(record: Any) -> bool:
    """Return whether a standing order gave the order in ``record``."""
    return isinstance(record, OrderRecord) and bool(record.standing) and not record.refused
