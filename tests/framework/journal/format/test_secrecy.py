"""Public and private parts of a record, and when sealed orders are opened (section 8)."""

from typing import Any

import pytest
from growth import growth_faults

from sandtable.journal.format.secrecy import opened_in, opened_with, split
from sandtable.kernel.events import Event
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord, SealRecord, UndoRecord
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, Whispered, scratch_rules


def nothing(_: Any) -> Procedure:
    """Ask no question."""
    yield Said("loud")


RULES = scratch_rules(nothing, powers={"red cavalry": "red"})
OPEN_RULES = scratch_rules(nothing, hidden=False)


def order(n: int, by: str = "red", missing: int = 0, *, secret: bool = False) -> OrderRecord[Any]:
    return OrderRecord(n, by, Say("go"), missing, secret)


@pytest.mark.parametrize(
    "record",
    [
        EventRecord(1, Said("loud")),
        order(1),
        RollRecord(1, "a", 6, (1,)),
        SealRecord(1, "00"),
        CloseRecord(1, "red", "end", "00"),
        UndoRecord(1, "red", 1),
    ],
)
def test_public_record_has_no_parts(record: Any) -> None:
    assert split(record, RULES) is None


def test_order_shows_its_seat_and_hides_the_rest_for_its_side() -> None:
    for record in (order(1, "red cavalry", 2), order(1, "red", secret=True)):
        parts = split(record, RULES)
        assert parts is not None
        shown = {"missing": 2} if record.missing else {"secret": True}
        hidden = {"order": {"type": "Say", "word": "go"}}
        assert parts == ({"by": record.by, **shown}, hidden, {"red": hidden})


def test_roll_of_a_side_and_key_of_a_close_are_private() -> None:
    roll = RollRecord(3, "1/a/b/1", 6, (4,), side="blue")
    fields = {"label": "1/a/b/1", "sides": 6, "dice": (4,), "side": "blue"}
    assert split(roll, RULES) == (None, fields, {"blue": fields})
    close = CloseRecord(9, "red", "end", "00", "ab" * 32)
    shown = {"outcome": "red", "ending": "end", "digest": "00"}
    assert split(close, RULES) == (shown, {"key": "ab" * 32}, {})
    assert split(close, OPEN_RULES) is None


Sight = dict[str, Event | None]

SECRET, RUMOR, TALE = Whispered("red", "tank"), Whispered("red", "a unit"), Whispered("red", "dust")


@pytest.mark.parametrize(
    ("seen", "public", "shown"),
    [
        ({"a": SECRET, "b": SECRET, "c": SECRET}, "", None),
        ({"a": SECRET, "b": None, "c": None}, None, {"a": SECRET}),
        ({"a": SECRET, "b": SECRET, "c": None}, None, {"a": SECRET, "b": SECRET}),
        ({"a": None, "b": None, "c": None}, None, {}),
        ({"a": SECRET, "b": RUMOR, "c": RUMOR}, RUMOR, {"a": SECRET}),
        ({"a": RUMOR, "b": RUMOR, "c": RUMOR}, RUMOR, {}),
        ({"a": SECRET, "b": RUMOR, "c": None}, None, {"a": SECRET, "b": RUMOR}),
        ({"a": RUMOR, "b": TALE, "c": None}, None, {"a": RUMOR, "b": TALE}),
    ],
)
def test_event_is_split_by_what_each_side_sees(seen: Sight, public: Any, shown: Any) -> None:
    rules = scratch_rules(nothing, sides=("a", "b", "c", "umpire"), visible=lambda event, side: seen[side])
    parts = split(EventRecord(7, SECRET), rules)
    if shown is None:
        assert parts is None
        return
    assert parts is not None
    assert parts.public == ({"event": public} if public else None)
    assert parts.hidden == {"event": SECRET}
    assert parts.seen == {side: {"event": event} for side, event in shown.items()}


def test_last_order_of_a_group_opens_it_except_secret_orders() -> None:
    group = [order(2, "red", 3), order(3, "blue", 2), order(4, "green", 1)]
    assert opened_with(group, 2) == [4, 3, 2]
    assert opened_with(group, 1) == opened_with(group, 0) == []
    assert opened_in(group) == {2, 3, 4}
    assert opened_in([order(1), order(2, secret=True)]) == frozenset()
    secret = [group[0], order(3, "blue", 2, secret=True), group[2]]
    assert opened_with(secret, 2) == [4, 2]
    assert opened_with([*group[:2], order(4, "green", 1, secret=True)], 2) == [3, 2]


def test_undone_order_in_a_group_opens_no_other_group() -> None:
    first = [order(1, "red", 2), order(2, "blue", 1)]
    again = [order(4, "red", 2), UndoRecord(5, "red", 4), order(6, "red", 2), order(7, "blue", 1)]
    records = [*first, EventRecord(3, Said("x")), *again]
    assert opened_with(records, 6) == [7, 6]
    assert opened_in(records) == {1, 2, 6, 7}
    assert opened_with([order(1, "red", 2), order(2), order(3, "blue", 1)], 2) == [3]
    three = [order(1, "red", 3), order(2, "blue", 2), UndoRecord(3, "blue", 2), order(4, "blue", 2)]
    assert opened_with([*three, order(5, "green", 1)], 4) == [5, 4, 1]


@pytest.mark.full
def test_groups_of_one_order_are_found_in_linear_time() -> None:
    def groups(size: int) -> list[OrderRecord[Any]]:
        return [order(number, missing=1) for number in range(1, size + 1)]

    assert len(opened_in(groups(7))) == 7
    assert not list(growth_faults(groups, opened_in, 4_000))
