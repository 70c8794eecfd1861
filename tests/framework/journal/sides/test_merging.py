"""Merged files of several sides."""

from collections.abc import Callable

import pytest
from cutting import cut_after

from sandtable.errors import LogError
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.openings import key_of
from sandtable.journal.record import Recorded
from sandtable.journal.sides.merging import merged, parting
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verify import verify
from sandtable.plugin.manager import Prepared

Play = Callable[..., Recorded]
SIDES = ("north", "south")


@pytest.fixture
def whole(record: Play) -> Log:
    return parse_log(record(ruleset="toy").data, "whole")


def part_of(log: Log, prepared: Prepared, side: str) -> Log:
    return parse_log(slice_log(log, prepared, side), side)


def test_merged_file_is_the_longest_with_all_openings(record: Play, toy: Prepared) -> None:
    data = record(ruleset="toy").data
    whole = parse_log(data, "whole")
    half = parse_log(cut_after(data, 12), "half")
    parts = [part_of(whole, toy, side) for side in SIDES]
    assert verify(parse_log(merged(parts), "both"), toy).verdict == "not proven"
    both = parse_log(merged([half, *parts]), "both")
    assert both.lines == whole.lines
    assert set(both.openings) == {key for part in (half, *parts) for key in part.openings}
    assert both.openings.keys() == {(n, to) for n, _ in whole.openings for to in (*SIDES, "umpire")}
    assert verify(both, toy, deep=True).verdict == "verified"
    assert merged([whole]) == merged([whole, half]) == data
    notes = [annex_line({"note": each}) for each in ("a", "b")]
    lines = data.splitlines(keepends=True)
    noted = [parse_log(b"".join([lines[0], each, *lines[1:]]), "noted") for each in notes]
    again = parse_log(merged([*noted, parts[0], noted[0]]), "again")
    assert again.annexes() == [each[:-1] for each in notes]
    first, *openings, one, other, _ = again.data.splitlines(keepends=True)[:6]
    assert first == lines[0]
    assert [key_of(line) for line in openings] == [(0, "north"), (0, "umpire")]
    assert [one, other] == notes


def test_logs_of_different_games_are_not_merged(record: Play, whole: Log) -> None:
    other = parse_log(record("b", ruleset="toy").data, "other")
    with pytest.raises(LogError, match=r"differ from the header on"):
        merged([whole, other])
    bodies = [parted(line)[0] for line in whole.lines[:7]]
    elsewhere = parse_log(chain([*bodies[:6], bodies[6].replace(b'"n":6', b'"n":6,"x":1')], START)[0], "elsewhere")
    assert (parting(whole, elsewhere), parting(elsewhere, whole), parting(whole, whole)) == (6, 6, None)
    with pytest.raises(LogError, match=r"^elsewhere and whole differ from record 6 on"):
        merged([elsewhere, whole])
