"""Running the rules again from the orders of a log, and finding the first record that comes out otherwise."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from sandtable.errors import IllegalOrder, LogDamaged, NothingToUndo, PlayError, SandtableError
from sandtable.journal.header import make_dice, read_key
from sandtable.journal.store import Log
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Dice, commitment
from sandtable.kernel.game import Game
from sandtable.kernel.records import CloseRecord, OrderRecord, RollRecord, RulingRecord, UndoRecord
from sandtable.plugin.manager import Prepared, one_line
from sandtable.quoting import bounded, shortened, told_apart

MOST_SHOWN = 2_000
"""Letters of a value in a Difference."""


class Difference(Struct, frozen=True):
    """The first record in which a log and the rules part.

    ``kind`` is one of "damaged tail", "altered record", "altered dice", "illegal order", "rules diverge", "file ends
    early", "battle missing", "battle differs". ``record`` is its number; ``field`` the path in it; ``stored`` and
    ``expected`` the two values as JSON text; ``rule`` the rule id; ``text`` the whole as one sentence. None is endless:
    whoever makes one may put in what a log holds.
    """

    kind: str
    record: int
    text: str
    field: str = ""
    stored: str = ""
    expected: str = ""
    rule: str = ""

    def __post_init__(self) -> None:
        force_setattr(self, "text", bounded(self.text))
        for name in ("field", "stored", "expected", "rule"):
            force_setattr(self, name, shortened(getattr(self, name), MOST_SHOWN))


class StoredDice:
    """The dice and salts that stand in a log: for a log whose key is not shown yet."""

    mode = "stored"

    def __init__(self, records: Sequence[Any]) -> None:
        self._dice = {record.label: record.dice for record in records if isinstance(record, RollRecord)}
        self._salts = {record.n: getattr(record, "salt", "") for record in records}

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the dice that were stored under ``label``; ones where none were: they will differ."""
        dice = self._dice.get(label, ())
        fit = len(dice) == count and all(1 <= face <= sides for face in dice)
        return tuple(dice) if fit else (1,) * count

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
        return read_key(closing.key, log.where(closing.n))
    return read_key(log.header.key, log.where(0)) if log.header.key else None


def dice_of(log: Log, records: Sequence[Any], key: bytes | None = None) -> Dice:
    """Return the dice to run ``log`` again with: from its key where it is shown, or given, otherwise as stored.

    Raises LogDamaged when a key is none, or does not fit the commitment of the header.
    """
    header = log.header
    known = key or shown_key(log, records)
    if known is None:
        return StoredDice(records)
    if header.commitment and commitment(known) != header.commitment:
        raise LogDamaged(f"{log.name}: the key is not the one that the header is committed to: another seed was used")
    return make_dice(header.dice, known)


class Rerun:
    """A game played again from stored records, step by step."""

    def __init__(self, prepared: Prepared, log: Log, records: Sequence[Any], dice: Dice) -> None:
        self.log = log
        self.records = records
        self.game: Game = prepared.new_game(dice)
        self._compared = 0

    def run(self, before: Callable[[Decision], None] | None = None) -> Difference | None:
        """Run through all stored records; return the first difference, or None.

        ``before`` is called with each decision before its stored order is given.
        """
        try:
            self.game.start()
        except SandtableError as error:
            return self._diverges(len(self.game.records) + 1, str(error))
        while True:
            found = self._compare()
            if found is not None:
                return found
            place = len(self.game.records)
            if place >= len(self.records):
                return None
            found = self._give(self.records[place], before)
            if found is not None:
                return found

    def _give(self, record: Any, before: Callable[[Decision], None] | None) -> Difference | None:
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
                game.undo(record.by)
            elif isinstance(record, RulingRecord):
                game.rule(record.event, record.reason, record.by)
            else:
                waiting = " and ".join(each.seat for each in game.waiting()) or "nobody"
                return self._diverges(record.n, f"the rules wait for {waiting} here; the log has {_named(record)}")
        except IllegalOrder as error:
            text = f"record {record.n}: the order of {record.by} is illegal: {error}"
            return Difference("illegal order", record.n, text, "order", _json(record.order), "", error.rule)
        except (NothingToUndo, PlayError) as error:
            return Difference("illegal order", record.n, f"record {record.n}: {_named(record)}: {error}")
        except SandtableError as error:
            return self._diverges(record.n, str(error))
        return None

    def _submit(self, record: Any) -> None:
        """Give a stored order; where the rules fail to judge it, that is a PlayError: a log may hold any order."""
        try:
            self.game.submit(record.order, record.by)
        except SandtableError:
            raise
        except Exception as error:
            raise PlayError(f"the rules cannot judge it: {one_line(error)}") from error

    def _compare(self) -> Difference | None:
        mine = self.game.records
        for place in range(self._compared, len(mine)):
            if place >= len(self.records):
                return None
            stored = self.records[place]
            if msgspec.structs.replace(stored, hash="") != mine[place]:
                return self._differs(stored, mine[place])
        self._compared = len(mine)
        return None

    def _differs(self, stored: Any, mine: Any) -> Difference:
        if (
            type(stored) is not type(mine)
            or getattr(stored, "event", 0).__class__ is not getattr(mine, "event", 0).__class__
        ):
            return self._diverges(stored.n, f"the rules make {_named(mine)} here; the log has {_named(stored)}")
        where, told, expected = next(differences(msgspec.to_builtins(stored), msgspec.to_builtins(mine)))
        rule = getattr(mine, "rule", "") or getattr(getattr(mine, "event", None), "rule", "")
        kind = "rules diverge"
        here, there = told_apart(told, expected)
        if isinstance(stored, RollRecord) and where.startswith("dice"):
            kind = "altered dice"
            place = int(where[5:-1]) + 1 if where[5:-1].isdigit() else 0
            label = shortened(stored.label)
            text = f"record {stored.n}: die {place} of {label} is stored as {here}; the key gives {there}"
        else:
            text = f"record {stored.n}: {_named(stored)}: {where} is stored as {here}; the rules give {there}"
        return Difference(kind, stored.n, text, where, told, expected, rule)

    def _diverges(self, number: int, text: str) -> Difference:
        return Difference("rules diverge", number, f"record {number}: {text}")


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
