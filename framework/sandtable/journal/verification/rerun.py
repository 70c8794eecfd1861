"""Running the rules again from the orders of a log, and finding the first record that comes out otherwise."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from sandtable.errors import IllegalOrder, LogDamaged, NothingToUndo, PlayError, SandtableError
from sandtable.journal.format.file import Log
from sandtable.journal.format.header import key_bytes, make_dice
from sandtable.kernel.decisions import Decision, Roll
from sandtable.kernel.dice import Dice, commitment
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord, OrderRecord, RollRecord, RulingRecord, UndoRecord
from sandtable.plugin.importing import one_line
from sandtable.plugin.manager import Prepared
from sandtable.quoting import bounded, shortened, told_apart

MOST_SHOWN = 2_000
"""Letters of a value in a Difference."""


class Difference(Struct, frozen=True):
    """The first record in which a log and the rules part.

    ``kind`` is one of "damaged tail", "altered record", "altered dice", "illegal order", "rules diverge", "file ends
    early", "battle missing", "battle differs". ``record`` is its number; ``field`` the path in it; ``stored`` and
    ``expected`` the two values as JSON text; ``rule`` the rule id; ``text`` the whole as one sentence. None is endless:
    whoever makes one may put in what a log holds. ``edited`` says that the rules were edited since, where that may be
    why (see ``edits.py``).
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


class StoredDice:
    """The dice and salts that stand in a log: for a log whose key is not shown yet.

    ``mode`` is "stored", in which the game stops at the first roll whose dice are not there, or "manual", in which the
    dice are orders of the umpire, and only the salts are taken from here.
    """

    def __init__(self, records: Sequence[Any], mode: str = "stored") -> None:
        rolls = () if mode == "manual" else records
        self.mode = mode
        self._dice = {record.label: record.dice for record in rolls if isinstance(record, RollRecord)}
        self._salts = {record.n: getattr(record, "salt", "") for record in records}

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the dice that were stored under ``label``; None where none were, or none that such a roll can give."""
        dice = self._dice.get(label, ())
        fit = len(dice) == count and all(1 <= face <= sides for face in dice)
        return tuple(dice) if fit else None

    def salt(self, number: int) -> str:
        """Return the salt that was stored in record ``number``."""
        return self._salts.get(number, "")

    def shown_key(self) -> str:
        """Return nothing: a log with a close shows its key."""
        return ""


def shown_key(log: Log, records: Sequence[Any]) -> bytes | None:
    """Return the dice key where the log shows it: in the header, or in the close that ends ``records``.

    Raises LogDamaged for a key that is none.
    """
    closing = records[-1] if records else None
    if isinstance(closing, CloseRecord) and closing.key:
        return key_bytes(closing.key, f"{log.where(closing.n)}: the dice key")
    return log.header.known_key(log.name)


def dice_of(log: Log, records: Sequence[Any], key: bytes | None = None) -> Dice:
    """Return the dice to run ``log`` again with: from its key where it is shown, or given, otherwise as stored.

    Raises LogDamaged when a key is none, or does not fit the commitment of the header.
    """
    header = log.header
    known = key or shown_key(log, records)
    if known is None:
        return StoredDice(records, "manual" if header.dice == "manual" else "stored")
    if header.commitment and commitment(known) != header.commitment:
        raise LogDamaged(f"{log.name}: the key is not the one that the header is committed to")
    return make_dice(header.dice, known, header.known_salts(log.name))


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
    """

    def __init__(
        self,
        prepared: Prepared,
        log: Log,
        records: Sequence[Any],
        dice: Dice,
        *,
        goes_on: bool = False,
        seen: Callable[[Any], None] = lambda record: None,  # noqa: ARG005
    ) -> None:
        self.log = log
        self.records = records
        self.game: Game = prepared.new_game(dice)
        self.is_cut = False
        """Whether the rules make more of the last order than is stored."""
        self._goes_on = goes_on
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
        except SandtableError as error:
            return self._diverges(len(self.game.records) + 1, str(error))
        return self._found

    def _run(self, before: Callable[[Decision], None] | None) -> None:
        game = self.game
        game.start()
        while (place := len(game.records)) < len(self.records):
            record = self.records[place]
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
            stored = self.records[place]
            if msgspec.structs.replace(stored, hash="") != record:
                self._end(self._differs(stored, record))
        elif not self._goes_on:
            self.is_cut = True
            self._end(None)

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
                game.rule(record.event, record.reason, record.by)
            else:
                waiting = " and ".join(each.seat for each in game.waiting()) or "nobody"
                self._end(self._diverges(record.n, f"the rules wait for {waiting} here; the log has {_named(record)}"))
        except IllegalOrder as error:
            text = f"record {record.n}: the order of {record.by} is illegal: {error}"
            self._end(Difference("illegal order", record.n, text, "order", _json(record.order), "", error.rule))
        except (NothingToUndo, PlayError) as error:
            self._end(Difference("illegal order", record.n, f"record {record.n}: {_named(record)}: {error}"))

    def _submit(self, record: Any) -> None:
        """Give a stored order; where the rules fail to judge it, that is a PlayError: a log may hold any order."""
        try:
            self.game.submit(record.order, record.by)
        except SandtableError:
            raise
        except Exception as error:
            raise PlayError(f"the rules cannot judge it: {one_line(error)}") from error

    def _undo(self, record: UndoRecord) -> None:
        """Take an order back; the game may have another list of records then, to be watched like the first."""
        game = self.game
        game.undo(record.by)
        if not isinstance(game.records, _Ledger):
            *before, last = game.records
            game.records = _Ledger(before, self._judge, self._seen)
            game.records.append(last)

    def _differs(self, stored: Any, mine: Any) -> Difference:
        if (
            type(stored) is not type(mine)
            or getattr(stored, "event", 0).__class__ is not getattr(mine, "event", 0).__class__
        ):
            return self._diverges(stored.n, f"the rules make {_named(mine)} here; the log has {_named(stored)}")
        where, told, expected = next(differences(msgspec.to_builtins(stored), msgspec.to_builtins(mine)))
        rule = getattr(mine, "rule", "") or getattr(getattr(mine, "event", None), "rule", "")
        if isinstance(stored, RollRecord) and where.startswith("dice["):
            return differing_die(stored, mine.dice)
        here, there = told_apart(told, expected)
        text = f"record {stored.n}: {_named(stored)}: {where} is stored as {here}; the rules give {there}"
        return Difference("rules diverge", stored.n, text, where, told, expected, rule)

    def _unrolled(self, roll: Roll, stored: Any) -> Difference:
        """Return how ``stored`` differs from the record of ``roll``, for which no fitting dice are stored."""
        what = f"the rules roll {roll.dice}d{roll.sides} for {roll.purpose} here; the log has {_named(stored)}"
        if isinstance(stored, RollRecord):
            what = f"{what}, {len(stored.dice)}d{stored.sides}"
            strange = [place for place, face in enumerate(stored.dice) if not 1 <= face <= stored.sides]
            if strange:
                text = f"record {stored.n}: {what}: a die of it shows {stored.dice[strange[0]]}"
                return Difference("altered dice", stored.n, text, f"dice[{strange[0]}]", rule=roll.rule)
        return self._diverges(stored.n, what)

    def _diverges(self, number: int, text: str) -> Difference:
        return Difference("rules diverge", number, f"record {number}: {text}")


def differing_die(stored: RollRecord, due: tuple[int, ...]) -> Difference:
    """Return the first die of ``stored`` that is none of ``due``, the dice of its label."""
    place = next(place for place, face in enumerate(due) if stored.dice[place] != face)
    told, expected = _json(stored.dice[place]), _json(due[place])
    text = (
        f"record {stored.n}: die {place + 1} of {shortened(stored.label)} is stored as {told}; the key gives {expected}"
    )
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


def _named(record: Any) -> str:
    event = getattr(record, "event", None)
    if event is not None:
        return f"the event {type(event).__name__}"
    kind = type(record).__name__.removesuffix("Record").lower()
    label = getattr(record, "label", "")
    return f"the roll {shortened(label)}" if label else f"the {kind}"
