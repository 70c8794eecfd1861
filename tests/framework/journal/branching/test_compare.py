"""Games compared by phase, by roll and by state."""

from typing import Any

import pytest
from msgspec import structs

from sandtable.journal.branching import compare
from sandtable.journal.branching.compare import Rolls, Section, comparable, parting, rolls, sections, states
from sandtable.kernel.decisions import Order
from sandtable.kernel.events import PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord, SealRecord, UndoRecord
from sandtable.kernel.state import State
from sandtable.testing.tictactoe import Board, Mark, Marked


def numbered(*happened: Any) -> list[Any]:
    """Return records of events and orders, with existing records renumbered."""
    return [
        structs.replace(each, n=n)
        if hasattr(each, "n")
        else OrderRecord(n, "x", each)
        if isinstance(each, Order)
        else EventRecord(n, each)
        for n, each in enumerate(happened, start=1)
    ]


SEAL = SealRecord(0, "00")
USUAL = (TurnBegan(1), PhaseBegan("move"), Mark(1), Marked("x", 1), PhaseEnded("move", 1), SEAL)


def test_comparable_part_ignores_number_and_hash() -> None:
    one, other = OrderRecord(1, "x", Mark(1), asked="a", hash="b"), OrderRecord(2, "x", Mark(1), asked="c", hash="d")
    assert comparable(one) == comparable(other)
    assert comparable(one) != comparable(OrderRecord(1, "o", Mark(1)))
    assert (
        comparable(SealRecord(1, "00")) == comparable(SealRecord(2, "11")) != comparable(CloseRecord(2, "x", "y", "11"))
    )
    assert comparable(EventRecord(1, Marked("x", 1))) == comparable(EventRecord(2, Marked("x", 1), "ff"))
    assert comparable(EventRecord(1, Marked("x", 1))) != comparable(EventRecord(1, Marked("x", 2)))


@pytest.mark.parametrize(("other", "index"), [("abc", 3), ("abd", 2), ("ab", 2), ("abcd", 3), ("", 0), ("xbc", 0)])
def test_divergence_is_the_first_difference_or_the_shorter_end(other: str, index: int) -> None:
    cells = {"a": 0, "b": 1, "c": 2, "d": 3, "x": 4}
    assert parting(*(numbered(*(Mark(cells[each]) for each in word)) for word in ("abc", other))) == index


def test_games_are_compared_phase_by_phase() -> None:
    ours = numbered(*USUAL, TurnBegan(2), PhaseBegan("move"), Mark(3), Marked("x", 3))
    theirs = numbered(*USUAL, PhaseBegan("fire"), Marked("x", 7), TurnBegan(2), PhaseBegan("move"), Mark(4))
    found = sections(ours, theirs)
    assert [(each.turn, each.phase, each.a, each.b, each.is_same) for each in found] == [
        (1, "", 1, 1, True),
        (1, "move", 5, 5, True),  # its seal belongs to the phase that ended
        (1, "fire", 0, 2, False),
        (2, "", 1, 1, True),
        (2, "move", 3, 2, False),
    ]
    assert (found[2].first_a, found[2].first_b) == (None, theirs[6])
    assert (found[4].first_a, found[4].first_b) == (ours[8], theirs[10])
    longer = sections(ours, ours[:-1])[-1]
    assert (longer.first_a, longer.first_b, longer.is_same) == (ours[-1], None, False)
    assert Section(1, "", 1, 1, None, ours[0]).is_same is False
    undone = [*ours, UndoRecord(11, "x", 9)]
    assert sections(undone, ours[:8]) == sections(ours[:8], ours[:8])


def test_record_between_two_phases_has_no_phase() -> None:
    records = numbered(TurnBegan(1), SEAL, *USUAL[1:], Marked("o", 5))
    found = [(each.phase, each.a) for each in sections(records, records)]
    assert found == [("", 3), ("move", 5)]  # the first seal follows no phase, the last mark is in none


def test_rolls_are_compared_by_label() -> None:
    ours = numbered(*(RollRecord(0, label, 6, dice) for label, dice in (("a", (1,)), ("b", (2,)), ("c", (3,)))))
    theirs = numbered(
        *(RollRecord(0, label, 6, dice) for label, dice in (("a", (1,)), ("b", (5,)), ("d", (3,)), ("e", ())))
    )
    assert rolls(ours, theirs) == Rolls(same=1, changed=("b",), gone=1, new=2)
    assert rolls(theirs, ours) == Rolls(same=1, changed=("b",), gone=2, new=1)
    assert rolls([*ours, UndoRecord(4, "x", 2)], theirs) == Rolls(same=1, changed=(), gone=0, new=3)


def test_at_most_forty_fields_of_two_states_are_listed() -> None:
    assert states(Board(cells=[""]), Board(cells=[""])) == []
    assert states(Board(cells=["", "x"]), Board(cells=["o", "x"], to_move="o")) == [
        ("cells[0]", '""', '"o"'),
        ("to_move", '"x"', '"o"'),
    ]
    many: State = Board(cells=["x"] * 60)
    assert [where for where, _, _ in states(Board(cells=["o"] * 60), many)] == [f"cells[{each}]" for each in range(40)]
    assert compare.MAX_FIELDS == 40
