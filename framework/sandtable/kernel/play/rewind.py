"""Snapshots at boundaries, folding of events, and the limits of undo."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sandtable.errors import NothingToUndo, PlayError
from sandtable.kernel.decisions import EnterDice
from sandtable.kernel.dice import Dice
from sandtable.kernel.events import Event, TurnBegan
from sandtable.kernel.questions import place_of
from sandtable.kernel.records import (
    OF_CHAINS,
    WITH_EVENT,
    ClaimRecord,
    EventRecord,
    OrderRecord,
    RollRecord,
    RulingRecord,
)
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import State

MAX_UNDOS = 10_000
"""Maximum number of undo records of a game; each costs a rerun of the activation (log format, section 7)."""

MAX_SETTINGS = 100
"""Maximum number of rulings of a game that set an option; each may make a new board (log format, section 7)."""

MAX_FOLDED = 64
"""Maximum number of records that are folded without leaving a snapshot halfway."""


class Snapshot(NamedTuple):
    """A game at a boundary, after ``length`` records: the state's bytes, its board, counts of rolls and questions."""

    length: int
    data: bytes
    counts: dict[str, int]
    asked: dict[str, int]
    board: Any = None


class DiceAgain:
    """Dice that repeat the recorded rolls, in order, and then use the dice of ``then``."""

    def __init__(self, records: Iterable[Any], then: Dice) -> None:
        rolls = (record for record in records if isinstance(record, RollRecord))
        self._faces = [record.dice for record in rolls if record.dice][::-1]  # a roll of zero dice is not requested
        self._then = then
        self.mode = then.mode

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...] | None:
        """Return the next recorded faces."""
        return self._faces.pop() if self._faces else self._then.roll(label, count, sides)

    def shown_key(self) -> str:
        """Return no key, because a re-run never closes a game."""
        return ""


class Reached(BaseException):
    """The re-run has reached the position of a ruling."""


class StopAtRecord(list[Any]):
    """A trail that raises Reached when its length becomes one of ``stops``."""

    stops: frozenset[int] = frozenset()

    def append(self, record: Any) -> None:
        """Add ``record``, then raise Reached if the new length is one of ``stops``."""
        super().append(record)
        if len(self) in self.stops:
            raise Reached


def brings_dice(record: Any) -> bool:
    """Return whether ``record`` only brings dice, so that a rerun of the rules with known dice does not make it."""
    typed = isinstance(record, OrderRecord) and isinstance(record.order, EnterDice)
    return typed or isinstance(record, OF_CHAINS)


def number_of(record: Any) -> int:
    """Return the number of a record."""
    number: int = record.n
    return number


def fold(ruleset: Ruleset, start: Snapshot, records: Sequence[Any]) -> tuple[State, Snapshot]:
    """Return the state that results from the events of ``records`` from ``start`` on, and its snapshot."""
    state = ruleset.codec.from_bytes(start.data, start.board)
    counts, asked = dict(start.counts), dict(start.asked)
    table = ruleset.table
    for record in records:
        if isinstance(record, WITH_EVENT) and record.event is not None:
            table[record.event.__class__].handler(state, record.event)
            if isinstance(record.event, TurnBegan):
                counts.clear()
                asked.clear()
        elif isinstance(record, RollRecord):
            count_roll(counts, record.label)
        elif isinstance(record, OrderRecord):
            count_question(asked, record)
    data = ruleset.codec.to_bytes(state)
    return state, Snapshot(start.length + len(records), data, counts, asked, state.board)


def count_roll(counts: dict[str, int], label: str) -> None:
    """Count one more roll for the purpose in ``label``, the part before the last slash."""
    prefix = label.rpartition("/")[0]
    counts[prefix] = counts.get(prefix, 0) + 1


def count_question(counts: dict[str, int], record: OrderRecord[Any]) -> None:
    """Count one more question for the purpose of ``record``."""
    place = place_of(record.asked)
    counts[place] = counts.get(place, 0) + 1


def place_of_record(trail: Sequence[Any], number: int, kind: type[OrderRecord[Any] | RulingRecord[Any]]) -> int:
    """Return the index in ``trail`` of record ``number``, an order or a ruling as ``kind`` says.

    Raises PlayError if there is no such record or it no longer counts.
    """
    place = bisect_left(trail, number, key=number_of)
    record = trail[place] if place < len(trail) else None
    if not isinstance(record, kind) or record.n != number:
        named = "an order" if kind is OrderRecord else "a ruling"
        different = named.partition(" ")[2]
        raise PlayError(f"record {number} is not {named}, or was undone or replaced: name a different {different}")
    return place


def undo_place(trail: Sequence[Any], reveals: frozenset[type[Event]], by: str | None) -> int:
    """Return the index in ``trail`` of the order that undo takes back.

    Raises NothingToUndo if there is none, if it is another seat's, or if a roll, a claim, a reveal, an opening of
    sealed orders or a ruling came after it.
    """
    for place in range(len(trail) - 1, -1, -1):
        record = trail[place]
        if isinstance(record, RollRecord):
            raise NothingToUndo(f"dice were rolled in record {record.n}: undo does not go back over a roll")
        if isinstance(record, ClaimRecord):
            raise NothingToUndo(f"record {record.n} states a secret of {record.by}: undo does not go back over it")
        if isinstance(record, RulingRecord):
            raise NothingToUndo(f"record {record.n} is a ruling of the umpire: undo does not go back over it")
        if isinstance(record, EventRecord) and record.event.__class__ in reveals:
            raise NothingToUndo(f"record {record.n} revealed something: undo does not go back over a reveal")
        if isinstance(record, OrderRecord):
            if record.missing == 1:
                raise NothingToUndo(f"sealed orders were opened at record {record.n}: undo does not close them again")
            if by is not None and record.by != by:
                raise NothingToUndo(f"the last order, record {record.n}, is from {record.by}: only they can undo it")
            return place
    raise NothingToUndo("no order has been given yet")
