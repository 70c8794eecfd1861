"""The margin of an ending, and memory use of frequent objects."""

import gc
from typing import Any

import pytest
from specimens import Attack

from sandtable.kernel.decisions import Decision, Roll
from sandtable.kernel.events import Calculation, Event, GameEnded, margin_in
from sandtable.kernel.options import OneOf, SomeOf
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import ask, scratch_game


class Seen(Event, frozen=True):
    units: list[str]


@pytest.mark.parametrize(
    "made",
    [
        OneOf([["a"]]),
        Decision("red", "go", SomeOf([["a"]])),
        Attack("a", ["b"]),
        Seen(["a"]),
        Calculation("odds", (("a", 1, ""),)),
        Roll(1, 6, "x", needs=(1,)),
        OrderRecord(1, "red", Attack("a", ["b"])),
        RollRecord(1, "1/p/x/1", 6, (1,)),
    ],
)
def test_frequent_structs_are_not_garbage_collected(made: Any) -> None:
    assert not gc.is_tracked(made)


@pytest.mark.parametrize("margin", [{}, {"red": 3, "blue": -3}])
def test_margin_is_that_of_the_event_that_ends_the_game(margin: dict[str, int]) -> None:
    def over(_: Any) -> Procedure:
        yield GameEnded("red", "by points", margin=margin) if margin else GameEnded("red", "by points")

    assert margin_in(scratch_game(over).records) == margin


def test_unfinished_game_has_no_margin() -> None:
    def waits(_: Any) -> Procedure:
        yield ask("red", "go")

    assert margin_in(scratch_game(waits).records) == {}
