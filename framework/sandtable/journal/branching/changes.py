"""The changes of a branch: a die, an order, a ruling, or the interpretation of a rule."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from sandtable.errors import DataError
from sandtable.journal.fold import effective
from sandtable.kernel.records import OrderRecord, RollRecord


class Changes(Struct, frozen=True):
    """The changes of a branch.

    ``dice`` are faces by record of a roll and die number from 1. ``orders`` and ``rulings`` (an event) are by record;
    ``readings`` are values by option. A ruling is made at the question that the order in its record answered.
    """

    dice: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    orders: Mapping[int, Any] = field(default_factory=dict)
    rulings: Mapping[int, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)

    def first(self) -> int | None:
        """Return the first record that changes: 0 if an option does, None without changes."""
        if self.readings:
            return 0
        return min((*self.dice, *self.orders, *self.rulings), default=None)


def faces_of(changes: Changes, records: list[Any]) -> dict[str, tuple[int, ...]]:
    """Return the faces of the changed rolls by label.

    Raises DataError for a record that is not a roll or was undone, a die that does not exist, or a face that
    the die does not have.
    """
    rolls = {record.n: record for record in effective(records) if isinstance(record, RollRecord)}
    found = {}
    for number, given in changes.dice.items():
        roll = rolls.get(number)
        if roll is None:
            raise DataError(f"record {number}", "", "is not a roll, or it was undone or replaced")
        faces = list(roll.dice)
        for die, face in given.items():
            if not 1 <= die <= len(faces):
                raise DataError(f"record {number}", f"die {die}", f"the roll has dice 1 to {len(faces)}")
            if not 1 <= face <= roll.sides:
                raise DataError(f"record {number}", f"die {die}", f"has faces 1 to {roll.sides}, not {face}")
            faces[die - 1] = face
        found[roll.label] = tuple(faces)
    return found


def check_orders(changes: Changes, records: list[Any]) -> None:
    """Raise DataError if a changed order or ruling names a record that is not an order, or an order that was undone."""
    orders = {record.n for record in effective(records) if isinstance(record, OrderRecord)}
    for number in (*changes.orders, *changes.rulings):
        if number not in orders:
            raise DataError(
                f"record {number}", "", "is not an order, or it was undone or replaced: name a different order"
            )
