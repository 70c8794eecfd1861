"""From which rolls a record follows, as ``explain`` tells it."""

import pytest

from sandtable.journal.branching.causes import rolls_behind
from sandtable.kernel.decisions import Order
from sandtable.kernel.events import Event
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, SealRecord


class Rallied(Event, frozen=True):
    """Somebody pulls himself together, by a die that fell before he was asked."""

    die: int


class GoOn(Order, frozen=True):
    """An answer in between."""


ROLL = RollRecord(1, "1/rally/1", 6, (4,), "X-1")
OTHER = RollRecord(2, "1/panic/1", 6, (2,), "X-1")


@pytest.mark.parametrize(("die", "behind"), [(4, [ROLL]), (5, [])])
def test_an_event_that_tells_its_die_follows_from_the_last_roll_where_that_fell_so(
    die: int, behind: list[RollRecord]
) -> None:
    asked = OrderRecord(2, "red", GoOn())
    assert rolls_behind([ROLL, asked, EventRecord(3, Rallied(die))], frozenset()) == behind


def test_only_the_last_roll_counts_and_none_where_there_was_none() -> None:
    asked = OrderRecord(3, "red", GoOn())
    assert rolls_behind([ROLL, OTHER, asked, EventRecord(4, Rallied(4))], frozenset()) == []
    assert rolls_behind([asked, EventRecord(4, Rallied(4))], frozenset()) == []


def test_a_die_that_fell_in_another_phase_is_not_the_one() -> None:
    asked = OrderRecord(3, "red", GoOn())
    assert rolls_behind([ROLL, SealRecord(2, "00"), asked, EventRecord(4, Rallied(4))], frozenset()) == []
    assert rolls_behind([OTHER, SealRecord(2, "00"), ROLL, asked, EventRecord(4, Rallied(4))], frozenset()) == [ROLL]
