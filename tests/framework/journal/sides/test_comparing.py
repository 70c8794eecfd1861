"""Notes on what a file shows, and the turn and phase of a record."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.record import Recorded
from sandtable.journal.sides.comparing import partial_note, shown_in, turn_and_phase
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


def test_note_names_slice_and_shown_records(whole: Log, toy: Prepared, rulesets: Rulesets) -> None:
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
    shows = f"shows {whole.records - north.closed} of {whole.records} records fully"
    assert partial_note(whole, whole, None, None) == ""
    assert partial_note(parts["north"], whole, north, None) == f"north, the slice of north, {shows}"
    assert partial_note(whole, parts["north"], None, structs.replace(north, side="")) == f"north {shows}"
    assert (
        partial_note(parts["north"], parts["south"], north, shown["south"]).count("; south, the slice of south, ") == 1
    )


def test_turn_and_phase_follow_from_earlier_events() -> None:
    ruling: RulingRecord[Any] = RulingRecord(3, "umpire", "so")
    happened = {1: TurnBegan(1), 2: PhaseBegan("move"), 4: PhaseEnded("move", 1), 5: TurnBegan(2), 6: PhaseBegan("x")}
    records: list[Any] = [ruling, *(EventRecord(number, event) for number, event in happened.items())]
    records.sort(key=lambda each: each.n)
    found = [turn_and_phase(records, number) for number in range(1, 8)]
    assert found == [(0, ""), (1, ""), (1, "move"), (1, "move"), (1, ""), (2, ""), (2, "x")]
