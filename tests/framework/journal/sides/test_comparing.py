"""Descriptions of what a file shows, and the turn and phase of a record."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from sandtable.journal.file.log import Log, parse_log
from sandtable.journal.record import Recorded
from sandtable.journal.sides.comparing import shown_in, told_of, when
from sandtable.journal.sides.slices import count_closed, slice_log
from sandtable.kernel.events import PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import EventRecord, RulingRecord
from sandtable.plugin.manager import Prepared, Rulesets

SIDES = ("north", "south")


@pytest.fixture
def whole(record: Callable[..., Recorded]) -> Log:
    return parse_log(record(ruleset="toy").data, "whole")


def part_of(log: Log, prepared: Prepared, side: str) -> Log:
    return parse_log(slice_log(log, prepared, side), side)


def test_what_a_file_shows_is_told(whole: Log, toy: Prepared, rulesets: Rulesets) -> None:
    parts = {side: part_of(whole, toy, side) for side in SIDES}
    shown = {side: shown_in(part, rulesets) for side, part in parts.items()}
    assert shown_in(whole, rulesets) is None
    north = shown["north"]
    assert north is not None
    assert (north.side, north.closed) == ("north", count_closed(parts["north"], toy.ruleset))
    numbers = {each.n for each in north.records}
    assert [north.record(n) is not None for n in range(1, whole.records + 2)] == [
        n in numbers for n in range(1, whole.records + 2)
    ]
    assert all(north.record(number).n == number for number in numbers)
    whose = f"shows {whole.records - north.closed} of {whole.records} records whole"
    assert told_of(whole, whole, None, None) == ""
    assert told_of(parts["north"], whole, north, None) == f"north, the slice of north, {whose}"
    assert told_of(whole, parts["north"], None, structs.replace(north, side="")) == f"north {whose}"
    assert told_of(parts["north"], parts["south"], north, shown["south"]).count("; south, the slice of south, ") == 1


def test_when_a_record_stands_is_told_by_what_began_before_it() -> None:
    ruling: RulingRecord[Any] = RulingRecord(3, "umpire", "so")
    happened = {1: TurnBegan(1), 2: PhaseBegan("move"), 4: PhaseEnded("move", 1), 5: TurnBegan(2), 6: PhaseBegan("x")}
    records: list[Any] = [ruling, *(EventRecord(number, event) for number, event in happened.items())]
    records.sort(key=lambda each: each.n)
    told = [when(records, number) for number in range(1, 8)]
    assert told == [(0, ""), (1, ""), (1, "move"), (1, "move"), (1, ""), (2, ""), (2, "x")]
