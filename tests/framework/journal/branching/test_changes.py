"""Changes to a game: the first changed record, and dice, orders and rulings that exist."""

from typing import Any

import pytest

from sandtable.errors import DataError
from sandtable.journal.branching.branch import Original
from sandtable.journal.branching.changes import Changes, check_orders, faces_of
from sandtable.kernel.records import OrderRecord, RollRecord, UndoRecord


def orders_of(of: Original) -> list[Any]:
    return [each for each in of.records if isinstance(each, OrderRecord)]


def test_first_changed_record_is_the_lowest() -> None:
    assert Changes().first() is None
    assert Changes(dice={9: {1: 1}}, orders={4: None}, rulings={6: None}).first() == 4
    assert Changes(rulings={3: None}, orders={4: None}).first() == 3
    assert Changes(orders={4: None}, readings={"a": "b"}).first() == 0


def test_faces_are_set_by_die_number_within_its_range() -> None:
    rolls = [RollRecord(1, "a", 6, (1, 2, 3)), RollRecord(2, "b", 4, (4,)), RollRecord(3, "c", 6, (5,))]
    records: list[Any] = [*rolls, UndoRecord(4, "x", 3)]
    assert faces_of(Changes(dice={1: {1: 6, 3: 1}, 2: {1: 1}}), records) == {"a": (6, 2, 1), "b": (1,)}
    for number, given, reason in (
        (1, {0: 1}, "record 1: die 0: the roll has dice 1 to 3"),
        (1, {4: 1}, "record 1: die 4: the roll has dice 1 to 3"),
        (1, {1: 0}, "record 1: die 1: has faces 1 to 6, not 0"),
        (2, {1: 5}, "record 2: die 1: has faces 1 to 4, not 5"),
        (3, {1: 1}, "record 3: is not a roll, or it was undone or replaced"),
    ):
        with pytest.raises(DataError, match=f"^{reason}$"):
            faces_of(Changes(dice={number: given}), records)


def test_changed_orders_and_rulings_must_name_orders_that_count(played: Original) -> None:
    first, second = orders_of(played)[:2]
    check_orders(Changes(orders={first.n: None}, rulings={second.n: None}), played.records)
    for changes in (Changes(orders={first.n + 1: None}), Changes(rulings={first.n + 1: None})):
        with pytest.raises(DataError, match=rf"^record {first.n + 1}: is not an order, or it was undone"):
            check_orders(changes, played.records)
