"""What is otherwise in a branch: a die, an order, a ruling, the reading of a rule."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from sandtable.errors import DataError
from sandtable.journal.fold import effective
from sandtable.kernel.records import OrderRecord, RollRecord


class Changes(Struct, frozen=True):
    """``dice``: faces by record of a roll and place from 1; ``orders`` and ``rulings`` (an event) by record.

    ``readings`` are values by option. A ruling is made where the order in its record was asked for.
    """

    dice: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    orders: Mapping[int, Any] = field(default_factory=dict)
    rulings: Mapping[int, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)

    def first(self) -> int | None:
        """Return the first record that is otherwise: 0 where a reading is, None where nothing is."""
        if self.readings:
            return 0
        return min((*self.dice, *self.orders, *self.rulings), default=None)


def faces_of(changes: Changes, records: list[Any]) -> dict[str, tuple[int, ...]]:
    """Return the faces of the rolls that are otherwise, by label.

    Raises DataError for a record that is no roll of the game, or no longer counts, a place without a die, a face that
    the die has not.
    """
    rolls = {record.n: record for record in effective(records) if isinstance(record, RollRecord)}
    found = {}
    for number, given in changes.dice.items():
        roll = rolls.get(number)
        if roll is None:
            raise DataError(f"record {number}", "", "is no roll that counts in this game")
        faces = list(roll.dice)
        for place, face in given.items():
            if not 1 <= place <= len(faces):
                raise DataError(f"record {number}", f"die {place}", f"the roll has dice 1 to {len(faces)}")
            if not 1 <= face <= roll.sides:
                raise DataError(f"record {number}", f"die {place}", f"has faces 1 to {roll.sides}, no {face}")
            faces[place - 1] = face
        found[roll.label] = tuple(faces)
    return found


def check_orders(changes: Changes, records: list[Any]) -> None:
    """Raise DataError where an order or a ruling is meant for a record that is no order, or no longer counts."""
    orders = {record.n for record in effective(records) if isinstance(record, OrderRecord)}
    for number in (*changes.orders, *changes.rulings):
        if number not in orders:
            raise DataError(f"record {number}", "", "is no order that counts in this game: name one")
