"""Orders that led to a record: with another answer it would be missing, or different."""

from collections.abc import Iterator
from typing import Any

import pytest

from sandtable.errors import SandtableError
from sandtable.journal.branching.influence import led_to, legal, result_of
from sandtable.journal.record import Recorded
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord
from sandtable.testing.toy import FrontMoved


class Endless:
    """A space that cannot be listed: values are drawn, and after ``good`` draws it raises ``error``."""

    def __init__(self, good: int, error: type[Exception]) -> None:
        self.drawn, self.good, self.error = 0, good, error

    def values(self) -> Iterator[Any]:
        raise self.error

    def sample(self, stream: Any) -> Any:
        self.drawn += 1
        if self.drawn > self.good:
            raise ValueError
        return self.drawn // 2


@pytest.mark.parametrize("error", [SandtableError, ValueError, NotImplementedError])
def test_orders_that_cannot_be_listed_are_drawn_once_each(error: type[Exception]) -> None:
    space = Endless(99, error)
    assert list(legal(space)) == list(range(13))  # 24 draws
    assert space.drawn == 24
    assert list(legal(Endless(5, error))) == [0, 1, 2]
    assert list(legal(Endless(0, error))) == []


def led(recorded: Recorded, record: Any) -> list[Any]:
    """Return the orders that led to ``record`` of a game without undo."""
    records = recorded.game.records
    known = records[: record.n]
    return [each.order for each in led_to(recorded.game, known, (), 1, result_of(records, record))]


def test_marked_cell_follows_from_the_last_order_alone(game: Recorded) -> None:
    """T3-1: each mark follows from the order directly before it."""
    marks = [each for each in game.game.records if type(getattr(each, "event", None)).__name__ == "Marked"]
    assert len(marks) >= 5
    for each in marks[:-1]:  # the last mark may have no alternative
        assert [order.n for order in led(game, each)] == [each.n - 1]


def test_result_of_a_roll_is_the_event_directly_after_it(toy_game: Recorded) -> None:
    records = toy_game.game.records
    rolls = [each for each in records if isinstance(each, RollRecord)]
    after = {each.n: records[each.n] for each in rolls}
    for each in rolls:
        event = after[each.n].event if isinstance(after[each.n], EventRecord) else None
        assert result_of(records, each) == event
    order = next(each for each in records if isinstance(each, OrderRecord))
    assert result_of(records, order) is None


def test_front_follows_from_orders_of_its_battle(toy_game: Recorded) -> None:
    """TOY-3: the front moves by the dice of this battle, so that orders after it cannot have led to it."""
    moved = [each for each in toy_game.game.records if isinstance(getattr(each, "event", None), FrontMoved)]
    for each in moved[:3]:
        found = led(toy_game, each)
        assert found
        assert all(order.n < each.n for order in found)
