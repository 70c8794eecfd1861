"""Running the rules again from the orders of a log, and finding the first record that comes out otherwise."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from sandtable.errors import IllegalOrder, NothingToUndo, PlayError, RulesetMissing, SandtableError, SignaturesUnchecked
from sandtable.journal.anchors.rulings import why_not_umpires
from sandtable.journal.file.log import Log
from sandtable.journal.format.lines import LineForm, Written
from sandtable.journal.verification.closed import ClosedRecord
from sandtable.journal.verification.stored import StoredDice, salts_of
from sandtable.kernel.decisions import Decision, Roll, Sealed
from sandtable.kernel.dice import Dice
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord, RollRecord, RulingRecord, UndoRecord
from sandtable.plugin.importing import one_line
from sandtable.plugin.manager import Prepared
from sandtable.quoting import bounded, disambiguated, shortened

_CLOSE = b'{"kind":"close"'
MOST_SHOWN = 2_000
"""Letters of a value in a Difference."""


class Difference(Struct, frozen=True):
    """The first record in which a log and the rules part.

    ``kind`` is one of "altered record", "altered dice", "illegal order", "other question", "rules diverge", "battle
    differs", "seal", "ruling" (not the umpire's, or by a rule that does not exist). ``record`` is its number; ``field``
    the path in it; ``stored`` and ``expected`` the two values as JSON text; ``rule`` the rule id; ``text`` the whole as
    one sentence. No field is endless: each may contain text from a log. ``edited`` says that the rules were edited
    since, if that may be the reason (see ``edits.py``).
    """

    kind: str
    record: int
    text: str
    field: str = ""
    stored: str = ""
    expected: str = ""
    rule: str = ""
    edited: str = ""

    def __str__(self) -> str:
        return f"{self.edited}: {self.text}" if self.edited else self.text

    def __post_init__(self) -> None:
        force_setattr(self, "text", bounded(self.text))
        for name in ("field", "stored", "expected", "rule"):
            force_setattr(self, name, shortened(getattr(self, name), MOST_SHOWN))


class _Enough(SandtableError):
    """Ends a re-run at the record that shows enough."""


class _Ledger(list[Any]):
    """The records of a game that is run again: ``judge`` looks at each before it is there, ``seen`` after it is."""

    def __init__(self, records: Iterable[Any], judge: Callable[[Any], None], seen: Callable[[Any], None]) -> None:
        super().__init__(records)
        self._judge = judge
        self._seen = seen

    def append(self, record: Any) -> None:
        """Add ``record``, unless the judge raises."""
        self._judge(record)
        super().append(record)
        self._seen(record)


class Rerun:
    """A game played again from stored records, each compared with its own as it is made.

    It ends at the first record that differs, and at the first that is not stored: whatever a log holds, and whatever
    the rules make of it, no more records are made than it has. Only where it ``goes_on`` the rules make all that
    follows from the last order. ``seen`` is told of each record once it is made, while its procedures are live.

    A ClosedRecord among ``records`` is compared as far as it is shown: whole, if the key gives its salt. The run stops
    at a closed order, and at a closed roll if the key is not known; ``stopped`` is the number of that record.
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
        self._form = LineForm(prepared.ruleset, self._salts)
        self.is_cut = False
        """Whether the rules make more of the last order than is stored."""
        self.unchecked: SignaturesUnchecked | None = None
        """Why a signed ruling could not be checked, or None."""
        self.stopped = 0
        self._goes_on = goes_on
        self._has_stored_salts = isinstance(dice, StoredDice)
        self._seen = seen
        self._found: Difference | None = None
        self.game.records = self.game.trail = _Ledger((), self._judge, seen)

    def run(self, before: Callable[[Decision], None] | None = None) -> Difference | None:
        """Run through all stored records; return the first difference, or None.

        ``before`` is called with each decision before its stored order is given.
        """
        try:
            self._run(before)
        except _Enough:
            pass
        except RulesetMissing:
            raise
        except SandtableError as error:
            return self._diverges(len(self.game.records) + 1, str(error))
        return self._found

    def _run(self, before: Callable[[Decision], None] | None) -> None:
        game = self.game
        game.start()
        while (place := len(game.records)) < len(self.records):
            record = self.records[place]
            if isinstance(record, ClosedRecord):
                self._end(self._stopped_at(record))
            if isinstance(game.pending, Roll):
                self._end(self._unrolled(game.pending, record))
            self._give(record, before)
        self.is_cut = self.is_cut or isinstance(game.pending, Roll)

    def _end(self, found: Difference | None) -> NoReturn:
        self._found = found
        raise _Enough

    def _judge(self, record: Any) -> None:
        """End the re-run where ``record``, which the rules are about to make, is not the stored one."""
        place = record.n - 1
        if place < len(self.records):
            written = self._form.encode([record])
            if not self._is_stored(record.n, written):
                self._end(self._differs(self.records[place], record, written))
        elif not self._goes_on:
            self.is_cut = True
            self._end(None)

    def _is_stored(self, number: int, written: Written) -> bool:
        """Return whether record ``number`` of the log is as it is ``written`` here.

        Openings at hand fit their commitments (``Log.check``), so only the line is compared. Without the key its hidden
        parts are compared as far as they are open.
        """
        line = self.log.lines[number]
        if line.startswith(written.bodies[0] + b',"hash":"'):
            return True
        if not self._has_stored_salts:
            return False
        own = written.openings.get(0, {})
        closed = [to for to in own if (number, to) not in self.log.openings]
        is_close = line.startswith(_CLOSE)
        return (bool(closed) or is_close) and self._is_same_but_for(number, written, closed, is_close=is_close)

    def _stopped_at(self, record: ClosedRecord) -> Difference | None:
        """Return how a closed ``record`` contradicts what the rules wait for; None if they only cannot go on."""
        game = self.game
        asked = next((each for each in game.waiting() if each.seat == record.by), None)
        if record.kind == "order" and asked is not None:
            group = len(game.waiting()) if isinstance(game.pending, Sealed) else 0
            if (record.missing, record.secret) == (group, asked.secret):
                self.stopped = record.n
                return None
        if record.kind == "roll" and isinstance(game.pending, Roll) and self._has_stored_salts:
            self.stopped = record.n
            return None
        waiting = "a roll" if isinstance(game.pending, Roll) else " and ".join(each.seat for each in game.waiting())
        return self._diverges(record.n, f"the rules wait for {waiting or 'nobody'} here; the log has {named(record)}")

    def _give(self, record: Any, before: Callable[[Decision], None] | None) -> None:
        """Do what the stored ``record`` says was put in from outside."""
        game = self.game
        try:
            if isinstance(record, OrderRecord):
                if before is not None:
                    asked = [each for each in game.waiting() if each.seat == record.by]
                    if asked:
                        before(asked[0])
                self._submit(record)
            elif isinstance(record, UndoRecord):
                self._undo(record)
            elif isinstance(record, RulingRecord):
                self._check_signature(record)
                self._rule(record)
            else:
                waiting = " and ".join(each.seat for each in game.waiting()) or "nobody"
                self._end(self._diverges(record.n, f"the rules wait for {waiting} here; the log has {named(record)}"))
        except IllegalOrder as error:
            text = f"record {record.n}: the order of {record.by} is illegal: {error}"
            self._end(Difference("illegal order", record.n, text, "order", _json(record.order), "", error.rule))
        except (NothingToUndo, PlayError) as error:
            self._end(Difference("illegal order", record.n, f"record {record.n}: {named(record)}: {error}"))

    def _check_signature(self, record: RulingRecord[Any]) -> None:
        """End the re-run at a ruling that is not the umpire's; note in ``unchecked`` that this cannot be known here."""
        try:
            unproven = why_not_umpires(record, self.log)
        except SignaturesUnchecked as error:
            self.unchecked = self.unchecked or error
            return
        if unproven:
            self._end(Difference("ruling", record.n, f"record {record.n}: {unproven}", "signature"))

    def _submit(self, record: Any) -> None:
        """Give a stored order; where the rules fail to judge it, that is a PlayError: a log may hold any order."""
        try:
            self.game.submit(record.order, record.by)
        except SandtableError:
            raise
        except Exception as error:
            raise PlayError(f"the rules cannot judge it: {one_line(error)}") from error

    def _is_same_but_for(self, number: int, written: Written, closed: Sequence[str], *, is_close: bool) -> bool:
        """Return whether a record is as ``written`` but for what is ``closed``, and in a close for the dice key."""
        stored, mine = (msgspec.json.decode(line) for line in (self.log.lines[number], written.bodies[0] + b"}"))
        for line in (stored, mine):
            line.pop("hash", None)
            line["sealed"] = {} if is_close else _without(line.get("sealed", {}), closed)
        return bool(stored == mine)

    def _rule(self, record: RulingRecord[Any]) -> None:
        """Apply a stored ruling; within an activation the game makes its records in a list that nobody watches."""
        game, before = self.game, len(self.game.records)
        game.apply(msgspec.structs.replace(record, hash=""))
        if not isinstance(game.records, _Ledger):
            made = game.records[before:]
            game.records = _Ledger(game.records[:before], self._judge, self._seen)
            for each in made:
                game.records.append(each)

    def _undo(self, record: UndoRecord) -> None:
        """Take an order back; the game may have another list of records then, to be watched like the first."""
        game = self.game
        game.undo(record.by)
        if not isinstance(game.records, _Ledger):
            *before, last = game.records
            game.records = _Ledger(before, self._judge, self._seen)
            game.records.append(last)

    def _differs(self, stored: Any, mine: Any, written: Written) -> Difference:
        if isinstance(stored, ClosedRecord):
            return self._differs_closed(stored, mine, written)
        if (
            type(stored) is not type(mine)
            or getattr(stored, "event", 0).__class__ is not getattr(mine, "event", 0).__class__
        ):
            return self._diverges(stored.n, f"the rules make {named(mine)} here; the log has {named(stored)}")
        if isinstance(stored, OrderRecord) and stored.asked:
            other = self._other_question(stored, mine)
            if other is not None:
                return other
        found = next(self._parting(stored, written), None)
        if found is None:
            text = (
                f"{self.log.where(stored.n)}: record {stored.n} is not written as this format writes it (a key twice?)"
            )
            return Difference("altered record", stored.n, text)
        where, told, expected = found
        rule = getattr(mine, "rule", "") or getattr(getattr(mine, "event", None), "rule", "")
        if isinstance(stored, RollRecord) and where.startswith("dice["):
            return differing_die(stored, mine.dice)
        here, there = disambiguated(told, expected)
        text = f"record {stored.n}: {named(stored)}: {where} is stored as {here}; the rules give {there}"
        return Difference("rules diverge", stored.n, text, where, told, expected, rule)

    def _differs_closed(self, stored: ClosedRecord, mine: Any, written: Written) -> Difference:
        """Return in what the public part of a closed record, or a commitment in it, differs from ``mine``."""
        shown, expected = msgspec.json.decode(self.log.lines[stored.n]), msgspec.json.decode(written.bodies[0] + b"}")
        if shown["kind"] != expected["kind"]:
            return self._diverges(stored.n, f"the rules make {named(mine)} here; the log has {named(stored)}")
        where, told, due = next(differences(shown, expected), ("", "", ""))
        text = (
            f"record {stored.n}, closed here: {where} is stored as {shortened(told)}; the rules give {shortened(due)}"
        )
        return Difference("rules diverge", stored.n, text, where, told, due)

    def _other_question(self, stored: OrderRecord[Any], mine: OrderRecord[Any]) -> Difference | None:
        """Return how the question that ``stored`` answered differs from the one that is asked; None if it does not."""
        question: Any = mine.asked
        asked = self._salts.asked(stored.n, question, hidden=self.game.ruleset.hidden)
        if asked == stored.asked:
            return None
        there, here = disambiguated(stored.asked, asked)
        text = (
            f"record {stored.n}: {stored.by} answered the question {there}; the rules ask {here} here "
            f"({shortened(question.decision.prompt)}): legal or not, it is no answer to that"
        )
        return Difference("other question", stored.n, text, "asked", stored.asked, asked, question.decision.rule)

    def _parting(self, stored: Any, written: Written) -> Iterator[tuple[str, str, str]]:
        """Yield in what the ``stored`` record differs: as a whole, in what all may see of it, in what is open of it."""
        number, body = stored.n, written.bodies[0] + b',"hash":""}'
        own = written.openings.get(0, {})
        whole = self._form.whole(number, body, {(number, to): line for to, line in own.items()})
        yield from differences(msgspec.to_builtins(stored), msgspec.json.decode(whole))
        shown, expected = msgspec.json.decode(self.log.lines[number]), msgspec.json.decode(body)
        for to, line in own.items():
            opened = self.log.openings.get((number, to), line)
            yield from differences(msgspec.json.decode(opened), msgspec.json.decode(line), f"opening for {to}")
        yield from differences(shown, expected)

    def _unrolled(self, roll: Roll, stored: Any) -> Difference:
        """Return how ``stored`` differs from the record of ``roll``, for which no fitting dice are stored."""
        what = f"the rules roll {roll.dice}d{roll.sides} for {roll.purpose} here; the log has {named(stored)}"
        if isinstance(stored, RollRecord):
            what = f"{what}, {len(stored.dice)}d{stored.sides}"
            strange = [place for place, face in enumerate(stored.dice) if not 1 <= face <= stored.sides]
            if strange:
                text = f"record {stored.n}: {what}: a die of it shows {stored.dice[strange[0]]}"
                return Difference("altered dice", stored.n, text, f"dice[{strange[0]}]", rule=roll.rule)
        return self._diverges(stored.n, what)

    def _diverges(self, number: int, text: str) -> Difference:
        return Difference("rules diverge", number, f"record {number}: {text}")


def _without(sealed: dict[str, str], closed: Sequence[str]) -> dict[str, str]:
    return {to: digest if to not in closed else "" for to, digest in sealed.items()}


def differing_die(stored: RollRecord, due: tuple[int, ...], source: str = "the key gives") -> Difference:
    """Return the first die of ``stored`` that is not among ``due``, the dice of its label; ``source`` gave those."""
    place = next(place for place, face in enumerate(due) if stored.dice[place] != face)
    told, expected = _json(stored.dice[place]), _json(due[place])
    text = f"record {stored.n}: die {place + 1} of {shortened(stored.label)} is stored as {told}; {source} {expected}"
    return Difference("altered dice", stored.n, text, f"dice[{place}]", told, expected, stored.rule)


def differences(a: Any, b: Any, where: str = "") -> Any:
    """Yield (path, value in ``a``, value in ``b``) wherever two plain values differ; values as JSON text."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(key for key in b if key not in a)]:
            if key == "hash":
                continue
            path = f"{where}.{key}" if where else str(key)
            if key not in a or key not in b:
                yield path, _json(a.get(key)) if key in a else "nothing", _json(b.get(key)) if key in b else "nothing"
            else:
                yield from differences(a[key], b[key], path)
    elif isinstance(a, list | tuple) and isinstance(b, list | tuple) and len(a) == len(b):
        for place, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from differences(left, right, f"{where}[{place}]")
    elif a != b or type(a) is not type(b):
        yield where, _json(a), _json(b)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def named(record: Any) -> str:
    """Return what kind of record it is, and which: "the event UnitMoved"."""
    event = getattr(record, "event", None)
    if event is not None:
        return f"the event {type(event).__name__}"
    if isinstance(record, ClosedRecord):
        return f"a closed {record.kind}"
    kind = type(record).__name__.removesuffix("Record").lower()
    label = getattr(record, "label", "")
    return f"the roll {shortened(label)}" if label else f"the {kind}"
