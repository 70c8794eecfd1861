"""Rerunning the rules from the orders of a log, and finding the first record that differs."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import msgspec

from sandtable.errors import IllegalOrder, NothingToUndo, PlayError, RulesetMissing, SandtableError, SignaturesUnchecked
from sandtable.journal.anchors.endings import why_not_signed
from sandtable.journal.anchors.rulings import why_not_umpires
from sandtable.journal.fields import as_json as _json
from sandtable.journal.file.log import Log
from sandtable.journal.format.lines import LineForm
from sandtable.journal.sides.claims import pass_secret
from sandtable.journal.standing.answers import StandingOrders, why_not_now
from sandtable.journal.verification.matching import STEP, ClosedRecord, Matcher
from sandtable.journal.verification.stored import StoredDice, salts_of
from sandtable.journal.verification.verdicts import Difference
from sandtable.kernel.decisions import Decision, Roll, Sealed
from sandtable.kernel.dice import Dice
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import (
    NOTES,
    BurntRecord,
    ChainRecord,
    EndRecord,
    EventRecord,
    OrderRecord,
    RollRecord,
    RulingRecord,
    SharesRecord,
    StandingRecord,
    UndoRecord,
)
from sandtable.kernel.shared.epochs import EpochDice, WrongShares, last_answer
from sandtable.plugin.importing import one_line
from sandtable.plugin.manager import Prepared
from sandtable.quoting import disambiguated, shortened


class _Enough(SandtableError):
    """Ends a rerun at the record that decides it."""


class _Ledger(list[Any]):
    """The records of a rerun game: ``judge`` is called before each is added, ``seen`` afterwards."""

    def __init__(self, records: Iterable[Any], judge: Callable[[Any], None], seen: Callable[[Any], None]) -> None:
        super().__init__(records)
        self._judge = judge
        self._seen = seen

    def append(self, record: Any) -> None:
        """Add ``record`` unless the judge raises."""
        self._judge(record)
        super().append(record)
        self._seen(record)

    def release(self) -> None:
        """Stop calling ``judge`` and ``seen``."""
        self._judge = self._seen = lambda _: None


class RerunObserver:
    """An observer of a rerun, which a verification also uses: it sees each decision and each record as it is made.

    ``rerun`` is None before the rerun begins, and if a log is judged without one.
    """

    rerun: "Rerun | None" = None

    def ask(self, decision: Decision) -> None:
        """Note a decision before its stored order is submitted."""

    def look(self, record: Any) -> None:
        """Note a new record while its procedures are live."""


class Rerun:
    """A game that is played again from stored records; each new record is compared with the stored one.

    The run ends at the first record that differs or is not stored, so it never makes more records than the log has.
    Only if it ``goes_on`` do the rules make everything that follows from the last order. ``seen`` is called with each
    new record while its procedures are live.

    A ClosedRecord among ``records`` is compared as far as it is shown, or completely if the key gives its salt. The run
    stops at a closed order, and at a closed roll if the key is not known; ``stopped`` is the number of that record.
    """

    def __init__(
        self,
        prepared: Prepared,
        log: Log,
        records: Sequence[Any],
        dice: Dice,
        *,
        goes_on: bool = False,
        seen: Callable[[Any], None] = lambda _: None,
    ) -> None:
        self.log = log
        self.records = records
        self.game: Game = prepared.new_game(dice)
        self._salts = salts_of(log, records, dice)
        form = LineForm(prepared.ruleset, self._salts)
        self._matcher = Matcher(log, prepared, form, has_key=not isinstance(dice, StoredDice))
        self.is_cut = False
        """Whether more records follow from the last order than are stored."""
        self.unchecked: SignaturesUnchecked | None = None
        """The reason why a signed ruling could not be checked, or None."""
        self.stopped = 0
        self.due = ""
        """The epoch of shared dice for which the game waits at the end of the log, or ""."""
        self._goes_on = goes_on
        self._seen = seen
        self._has_stored_salts = isinstance(dice, StoredDice)
        self._found: Difference | None = None
        self.game.records = self.game.trail = _Ledger((), self._judge, seen)
        self._salt = ""
        if any(isinstance(each, StandingRecord) for each in records):
            StandingOrders(prepared, self.game)
        if any(isinstance(each, NOTES) or getattr(each, "own_salt", "") for each in records):
            self.game.trail = []
            self.game.closing = self._note
            self.game.salt_for = lambda _: self._salt

    @property
    def found(self) -> Difference | None:
        """The first difference that ``run`` has found, or None."""
        return self._found

    def run(self, *before: Callable[[Decision], None]) -> Difference | None:
        """Run through all stored records; return the first difference, or None. Raises RulesetMissing.

        Each of ``before`` is called with each decision before its stored order is submitted.
        """
        try:
            self._run(before)
        except _Enough:
            pass
        except RulesetMissing:
            raise
        except SandtableError as error:
            self._found = self._diverges(len(self.game.records) + 1, str(error))
        finally:
            self.game.closing = self.game.salt_for = None
            if not self._goes_on:
                self._release()
        return self._found

    def _release(self) -> None:
        """Stop watching the game: the log would be held by a cycle until the next full garbage collection."""
        self._seen = lambda _: None
        for each in (self.game.records, self.game.trail):
            if isinstance(each, _Ledger):
                each.release()

    def _run(self, before: Sequence[Callable[[Decision], None]]) -> None:
        game = self.game
        game.start()
        while (index := len(game.records)) < len(self.records):
            if pass_secret(game, record := self.records[index]):
                continue
            if isinstance(record, ClosedRecord):
                self._end(self._stopped_at(record))
            follows = self._waits_for_shares() and isinstance(record, (SharesRecord, EndRecord, *NOTES))
            if isinstance(game.pending, Roll) and not follows:
                self._end(self._unrolled(game.pending, record))
            if isinstance(record, NOTES):
                self._note()
            else:
                self._give(record, before)
        while self._goes_on and self._waits_for_shares():  # a later part of the log may have the links
            if game.share():
                break
        if isinstance(game.pending, Roll):
            self.is_cut = self.is_cut or not isinstance(game.dice, EpochDice)
            self.due = "" if self.is_cut else self._epoch_due(game.pending)

    def _waits_for_shares(self) -> bool:
        return isinstance(self.game.pending, Roll) and isinstance(self.game.dice, EpochDice)

    def _epoch_due(self, roll: Roll) -> str:
        """Return the epoch for which ``roll`` waits, with the record to which it is bound."""
        dice = self.game.dice
        assert isinstance(dice, EpochDice)  # noqa: S101 - only they wait for shares
        at = last_answer(self.game.records)
        return f"the shares of epoch {dice.epochs.number + 1} (for {shortened(roll.purpose)}, after record {at})"

    def _note(self) -> None:
        """Append the stored notes that are next; ``hands`` judges them."""
        for record in self.records[len(self.game.records) :]:
            if not isinstance(record, NOTES):
                break
            if isinstance(record, StandingRecord) and (why := why_not_now(self.game, record)):
                self._end(Difference("standing", record.n, f"record {record.n}: {why}", "by"))
            self.game.note(msgspec.structs.replace(record, hash=""))

    def _end(self, found: Difference | None) -> NoReturn:
        self._found = found
        raise _Enough

    def _judge(self, record: Any) -> None:
        """End the rerun if ``record``, which the rules are about to make, is not the stored one."""
        index = record.n - 1
        if index < len(self.records):
            if not self._matcher.fits(record):
                self._end(self._differs(self.records[index], record))
        elif not self._goes_on:
            self.is_cut = True
            self._end(None)

    def _stopped_at(self, record: ClosedRecord) -> Difference | None:
        """Return how a closed ``record`` contradicts what the rules expect, or None if the run merely stops here."""
        game = self.game
        asked = next((each for each in game.waiting() if each.seat == record.by), None)
        if record.kind == "order" and asked is not None:
            group = len(game.waiting()) if isinstance(game.pending, Sealed) else 0
            if (record.missing, record.secret) == (group, asked.secret):
                self.stopped = record.n
                return None
        if record.kind == STEP and isinstance(game.pending, Roll) and self._has_stored_salts:
            self.stopped = record.n
            return None
        waiting = "a roll" if isinstance(game.pending, Roll) else " and ".join(each.seat for each in game.waiting())
        return self._diverges(record.n, f"the rules wait for {waiting or 'no order'} here; the log has {named(record)}")

    def _give(self, record: Any, before: Sequence[Callable[[Decision], None]]) -> None:
        """Submit the outside input of the stored ``record``: an order, undo, ruling, or ending made by people."""
        game = self.game
        try:
            if isinstance(record, OrderRecord):
                for decision in [each for each in game.waiting() if each.seat == record.by][:1] if before else ():
                    for note in before:
                        note(decision)
                self._submit(record)
            elif isinstance(record, UndoRecord):
                game.undo(record.by)
            elif isinstance(record, SharesRecord | BurntRecord | ChainRecord):
                self._give_links(msgspec.structs.replace(record, hash=""))
            elif isinstance(record, RulingRecord):
                self._check_signature(record)
                self._rule(record)
            elif isinstance(record, EndRecord):
                self._check_signature(record)
                self._end_game(record)
            else:
                waiting = " and ".join(each.seat for each in game.waiting()) or "no order"
                self._end(self._diverges(record.n, f"the rules wait for {waiting} here; the log has {named(record)}"))
        except IllegalOrder as error:
            text = f"record {record.n}: the order of {record.by} is illegal: {error}"
            self._end(Difference("illegal order", record.n, text, "order", _json(record.order), "", error.rule))
        except (NothingToUndo, PlayError) as error:
            self._end(Difference("illegal order", record.n, f"record {record.n}: {named(record)}: {error}"))

    def _give_links(self, record: SharesRecord | BurntRecord | ChainRecord) -> None:
        """Submit a stored record of shared dice."""
        game = self.game
        give: Any = {SharesRecord: game.share, BurntRecord: game.burn, ChainRecord: game.announce}[type(record)]
        try:
            give(record)
        except WrongShares as error:
            self._end(Difference("shares", record.n, f"record {record.n}: {error}", error.field))

    def _check_signature(self, record: RulingRecord[Any] | EndRecord) -> None:
        """End the rerun at a ruling that is not the umpire's, or an ending that is not signed by those it names.

        Note in ``unchecked`` if that cannot be checked here.
        """
        try:
            if isinstance(record, EndRecord):
                unproven = why_not_signed(record, self.log)
            else:
                unproven = why_not_umpires(record, self.log)
        except SignaturesUnchecked as error:
            self.unchecked = self.unchecked or error
            return
        if unproven:
            self._end(Difference("ruling", record.n, f"record {record.n}: {unproven}", "signature"))

    def _end_game(self, record: EndRecord) -> None:
        """End the game as people did in the stored ``record``."""
        try:
            self.game.end(msgspec.structs.replace(record, hash=""))
        except PlayError as error:
            self._end(Difference("ruling", record.n, f"record {record.n}: {error}", "how"))

    def _submit(self, record: Any) -> None:
        """Submit a stored order; if the rules fail to judge it, raise PlayError, because a log may hold any order."""
        self._salt = record.own_salt
        try:
            self.game.submit(record.order, record.by)
        except SandtableError:
            raise
        except Exception as error:
            raise PlayError(f"the rules cannot judge it: {one_line(error)}") from error

    def _rule(self, record: RulingRecord[Any]) -> None:
        """Apply a stored ruling; within an activation the game adds its records to an unwatched list."""
        game, before = self.game, len(self.game.records)
        game.apply(msgspec.structs.replace(record, hash=""))
        if not isinstance(game.records, _Ledger):
            made = game.records[before:]
            game.records = _Ledger(game.records[:before], self._judge, self._seen)
            for each in made:
                game.records.append(each)

    def _differs(self, stored: Any, mine: Any) -> Difference:
        if isinstance(stored, ClosedRecord):
            return self._differs_closed(stored, mine)
        if (
            type(stored) is not type(mine)
            or getattr(stored, "event", 0).__class__ is not getattr(mine, "event", 0).__class__
        ):
            return self._diverges(stored.n, f"the rules make {named(mine)} here; the log has {named(stored)}")
        if isinstance(stored, OrderRecord) and stored.asked:
            other = self._other_question(stored, mine)
            if other is not None:
                return other
        found = next(self._matcher.parting(stored, mine), None)
        if found is None:
            text = f"{self.log.where(stored.n)}: record {stored.n} is not in canonical form (duplicate key?)"
            return Difference("altered record", stored.n, text)
        where, value, expected = found
        rule = getattr(mine, "rule", "") or getattr(getattr(mine, "event", None), "rule", "")
        if isinstance(stored, RollRecord) and where.startswith("dice["):
            return differing_die(stored, mine.dice)
        here, there = disambiguated(value, expected)
        text = f"record {stored.n}: {named(stored)}: {where} is stored as {here}; the rules give {there}"
        return Difference("rules diverge", stored.n, text, where, value, expected, rule)

    def _differs_closed(self, stored: ClosedRecord, mine: Any) -> Difference:
        """Return how what is open of a closed record differs from ``mine``."""
        where, value, due = next(self._matcher.parting(stored, mine), ("", "", ""))
        if where in ("", "kind"):
            return self._diverges(stored.n, f"the rules make {named(mine)} here; the log has {named(stored)}")
        text = (
            f"record {stored.n}, closed here: {where} is stored as {shortened(value)}; the rules give {shortened(due)}"
        )
        return Difference("rules diverge", stored.n, text, where, value, due)

    def _other_question(self, stored: OrderRecord[Any], mine: OrderRecord[Any]) -> Difference | None:
        """Return how the question that ``stored`` answered differs from the pending one, or None."""
        question: Any = mine.asked
        asked = self._salts.asked(stored.n, question, hidden=self.game.ruleset.hidden)
        if asked == stored.asked:
            return None
        there, here = disambiguated(stored.asked, asked)
        text = (
            f"record {stored.n}: {stored.by} answered the question {there}; the rules ask {here} here "
            f"({shortened(question.decision.prompt)}): legal or not, the order does not answer that question"
        )
        return Difference("other question", stored.n, text, "asked", stored.asked, asked, question.decision.rule)

    def _unrolled(self, roll: Roll, stored: Any) -> Difference:
        """Return how ``stored`` differs from the record of ``roll``, for which no matching dice are stored."""
        if isinstance(self.game.dice, EpochDice):
            due = self._epoch_due(roll)
            return self._diverges(stored.n, f"the rules need {due} here; the log has {named(stored)}")
        what = f"the rules roll {roll.dice}d{roll.sides} for {roll.purpose} here; the log has {named(stored)}"
        if isinstance(stored, RollRecord):
            what = f"{what}, {len(stored.dice)}d{stored.sides}"
            strange = [index for index, face in enumerate(stored.dice) if not 1 <= face <= stored.sides]
            if strange:
                text = f"record {stored.n}: {what}: one of its dice shows {stored.dice[strange[0]]}"
                return Difference("altered dice", stored.n, text, f"dice[{strange[0]}]", rule=roll.rule)
        return self._diverges(stored.n, what)

    def _diverges(self, number: int, text: str) -> Difference:
        return Difference("rules diverge", number, f"record {number}: {text}")


def differing_die(stored: RollRecord, due: tuple[int, ...], source: str = "the key gives") -> Difference:
    """Return the first die of ``stored`` that differs from ``due``, the dice of its label, which ``source`` gave."""
    index = next(index for index, face in enumerate(due) if stored.dice[index] != face)
    value, expected = _json(stored.dice[index]), _json(due[index])
    text = f"record {stored.n}: die {index + 1} of {shortened(stored.label)} is stored as {value}; {source} {expected}"
    return Difference("altered dice", stored.n, text, f"dice[{index}]", value, expected, stored.rule)


def named(record: Any) -> str:
    """Return the kind of a record and its type or label, such as "the event UnitMoved"."""
    if isinstance(record, EventRecord):
        return f"the event {type(record.event).__name__}"
    if isinstance(record, ClosedRecord):
        return "a closed record" if record.kind == STEP else f"a closed {record.kind}"
    if isinstance(record, SharesRecord | BurntRecord):
        return f"{'the shares of' if isinstance(record, SharesRecord) else 'the burnt'} epoch {record.epoch}"
    kind = type(record).__name__.removesuffix("Record").lower()
    label = getattr(record, "label", "") or (f"{record.purpose} of {record.by}" if hasattr(record, "purpose") else "")
    return f"the {kind} {shortened(label)}" if label else f"the {kind}"
