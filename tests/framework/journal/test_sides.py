"""Slices and files of several sides: who sees what, and what does not go together."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from cutting import cut_after
from msgspec import structs

from sandtable.errors import LogDamaged, LogError
from sandtable.journal.file.log import Log, annex_line, parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.openings import OPENING, key_of
from sandtable.journal.record import Recorded
from sandtable.journal.sides.comparing import shown_in, told_of, when
from sandtable.journal.sides.merging import merged, parting
from sandtable.journal.sides.slices import (
    check_slice,
    count_closed,
    may_be_guessed,
    read_slice,
    seen_records,
    shown_records,
    slice_log,
    sliced_for,
)
from sandtable.journal.verification.verify import verify, verify_log
from sandtable.kernel.events import PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RulingRecord, SealRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.toy import AmbushLaid

Play = Callable[..., Recorded]
SIDES = ("north", "south")


@pytest.fixture
def toy(rulesets: Rulesets) -> Prepared:
    return rulesets.load("toy").prepare()


@pytest.fixture
def whole(record: Play) -> Log:
    return parse_log(record(ruleset="toy").data, "whole")


def part_of(log: Log, prepared: Prepared, side: str) -> Log:
    return parse_log(slice_log(log, prepared, side), side)


# --- slices ---


def test_a_slice_has_the_openings_of_its_side_and_of_what_was_opened(whole: Log, toy: Prepared) -> None:
    records = read_records(whole, toy.ruleset)
    opened = {each.n for each in records if isinstance(each, OrderRecord) and each.missing}
    assert opened
    for side in SIDES:
        part = part_of(whole, toy, side)
        assert part.openings == {(n, to): line for (n, to), line in whole.openings.items() if to == side or n in opened}
        assert part.data.splitlines()[1] == annex_line({"slice": side})[:-1]
        order = [key_of(line) or (msgspec.json.decode(line).get("n"), "") for line in part.data.splitlines()[2:]]
        assert [number for number, _ in order] == sorted(number for number, _ in order)
    assert sliced_for(whole) == ""


def test_a_group_that_is_not_complete_is_open_to_its_own_sides_alone(record: Play, toy: Prepared) -> None:
    recorded = record(ruleset="toy")
    first = next(each.n for each in recorded.game.records if isinstance(each, OrderRecord) and each.missing == 2)
    log = parse_log(cut_after(recorded.data, first), "cut")
    by = recorded.game.records[first - 1].by
    assert {side: (first, by) in part_of(log, toy, side).openings for side in SIDES} == {
        side: side == by for side in SIDES
    }


def test_what_is_not_whole_cannot_be_cut_down(record: Play, toy: Prepared) -> None:
    data = record(ruleset="toy").data
    lines = data.splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if line.startswith(b'{"kind":"order","n":2,'))
    altered = parse_log(b"".join([*lines[:place], lines[place].replace(b'"n":2', b'"n":3'), *lines[place + 1 :]]), "x")
    with pytest.raises(LogDamaged, match=rf"^x: line {place + 1}: was altered: only a whole log can be cut down$"):
        slice_log(altered, toy, "north")
    with pytest.raises(LogDamaged, match=rf"^x: line {place + 1}: was altered: its hash does not fit its text$"):
        check_slice(altered.data, "x")
    place = next(place for place, line in enumerate(lines) if line.startswith(OPENING) and b'"n":0' not in line)
    number, to = key_of(lines[place]) or (0, "")
    forged = lines[place].replace(b'"space":', b'"space":1')
    log = parse_log(b"".join([*lines[:place], forged, *lines[place + 1 :]]), "x")
    told = f"x: the opening of record {number} for {to} was altered: it is not what the chain commits to"
    with pytest.raises(LogDamaged, match=f"^{told}: only a whole log can be cut down$"):
        slice_log(log, toy, "north")
    with pytest.raises(LogDamaged, match=f"^{told}$"):
        check_slice(log.data, "x")
    with pytest.raises(LogDamaged, match=f"^{told}$"):
        merged([log, log])
    with pytest.raises(LogDamaged, match=r"^x: line \d+: record 2 was altered: its hash does not fit its text$"):
        merged([log, altered][::-1])


def test_what_is_closed_is_counted_and_what_is_no_record_named(whole: Log, toy: Prepared) -> None:
    assert count_closed(whole, toy.ruleset) == 0
    part = part_of(whole, toy, "north")
    closed = {n for n, to in whole.openings if to == "south" and n} - {n for n, to in part.openings if to == "south"}
    assert count_closed(part, toy.ruleset) == len(closed) > 1
    bodies = [line.partition(b',"hash":"')[0] for line in whole.lines[:3]]
    strange = parse_log(chain([*bodies, b'{"kind":"event","n":3,"sealed":{x'], START)[0], "x")
    with pytest.raises(LogDamaged, match=r"^x: line 4: is no record of toy: "):
        count_closed(strange, toy.ruleset)
    assert verify(strange, toy).verdict == "unreadable"


def test_a_log_in_part_says_how_much_is_closed_and_what_else_is_wrong(
    record: Play, toy: Prepared, rulesets: Rulesets, tmp_path: Any
) -> None:
    recorded = record(ruleset="toy")
    part = slice_log(parse_log(recorded.data, "whole"), toy, "north")
    log = parse_log(part, "log")
    closed = count_closed(log, toy.ruleset)
    verdict = verify(log, toy)
    assert (verdict.verdict, verdict.exit_code, verdict.closed) == ("proven in part", 0, closed)
    assert verdict.note.startswith(f"{closed} of {log.records} records are closed, or not whole, in this file; ")
    assert "the game is not finished" not in verdict.note
    path = tmp_path / "log"
    for data, kind, code in ((part[:-9], "damaged tail", 1), (part, "proven in part", 0)):
        path.write_bytes(data)
        found = verify_log(path, rulesets)
        assert (found.verdict, found.exit_code) == (kind, code)
        assert ("the game is not finished" in found.note) == (code == 1)


def test_salts_may_be_guessed_unless_they_are_random(whole: Log, toy: Prepared, rulesets: Rulesets) -> None:
    """Random are the salts of open dice where the header has them, and the key of hidden dice where a person plays."""
    bot, person = {"north": "random", "south": "random"}, {"north": "human", "south": "random"}
    for dice in ("open", "host", "manual"):
        for salts in ("", "00"):
            for players in (bot, person):
                header = structs.replace(whole.header, dice=dice, salts=salts, players=players)
                random = bool(salts) if dice == "open" else players is person
                assert may_be_guessed(header, toy.ruleset) is not random
                assert not may_be_guessed(header, rulesets.load("tictactoe").prepare().ruleset)


def test_a_side_sees_records_whole_or_in_part_or_not(whole: Log, toy: Prepared) -> None:
    records = read_records(whole, toy.ruleset)
    for side in SIDES:
        seen = {each.n: each for each in seen_records(records, toy, side)}
        for each in records:
            mine = seen.get(each.n)
            if isinstance(each, SealRecord):
                assert mine is None
            elif isinstance(each, CloseRecord):
                assert mine == structs.replace(each, digest="")
            elif isinstance(each, OrderRecord):
                label, mark, _ = each.asked.partition("#")
                assert mark
                kept = each if each.by == side else structs.replace(each, asked=label)
                assert mine == (None if each.secret and each.by != side else kept)
            else:
                secret = isinstance(each, EventRecord) and isinstance(each.event, AmbushLaid)
                assert mine == (None if secret and each.event.side != side else each)


def test_of_a_game_without_secrets_all_is_seen(game: Recorded, prepared: Prepared) -> None:
    records = read_records(parse_log(game.data, "log"), prepared.ruleset)
    seen = seen_records(records, prepared, "x")
    assert [each.n for each in seen] == [each.n for each in records]
    assert [each for each in seen if not isinstance(each, OrderRecord)] == [
        each for each in records if not isinstance(each, OrderRecord)
    ]
    live = seen_records(game.game.records, prepared, "x")  # questions are no texts there yet
    assert [each.asked for each in live if isinstance(each, OrderRecord)] == [
        each.asked for each in seen if isinstance(each, OrderRecord)
    ]


# --- putting together ---


def test_files_of_one_game_make_the_longest_with_the_openings_of_all(record: Play, toy: Prepared) -> None:
    data = record(ruleset="toy").data
    whole = parse_log(data, "whole")
    half = parse_log(cut_after(data, 12), "half")
    parts = [part_of(whole, toy, side) for side in SIDES]
    both = parse_log(merged([half, *parts]), "both")
    assert both.lines == whole.lines
    assert set(both.openings) == {key for part in (half, *parts) for key in part.openings}
    assert both.openings.keys() == whole.openings.keys()  # that of the header was in the first half
    assert verify(both, toy, deep=True).verdict == "verified"
    assert merged([whole]) == merged([whole, half]) == data
    notes = [annex_line({"note": each}) for each in ("a", "b")]
    lines = data.splitlines(keepends=True)
    noted = [parse_log(b"".join([lines[0], each, *lines[1:]]), "noted") for each in notes]
    again = parse_log(merged([*noted, parts[0], noted[0]]), "again")
    assert again.annexes() == [each[:-1] for each in notes]
    order = again.data.splitlines(keepends=True)
    assert order[0] == lines[0]
    assert order[2:4] == notes  # behind the header and its opening
    assert [key_of(line) for line in order[4:] if line.startswith(OPENING)] == sorted(
        key for key in again.openings if key[0]
    )


def test_what_is_not_one_game_is_not_put_together(record: Play, whole: Log) -> None:
    other = parse_log(record("b", ruleset="toy").data, "other")
    with pytest.raises(LogError, match=r"part in the header: they are not the same game, or one of two lines$"):
        merged([whole, other])
    bodies = [line.partition(b',"hash":"')[0] for line in whole.lines[:7]]
    elsewhere = parse_log(chain([*bodies[:6], bodies[6].replace(b'"n":6', b'"n":6,"x":1')], START)[0], "elsewhere")
    assert (parting(whole, elsewhere), parting(elsewhere, whole), parting(whole, whole)) == (6, 6, None)
    with pytest.raises(LogError, match=r"^elsewhere and whole part in record 6: they are not the same game"):
        merged([elsewhere, whole])


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


def test_what_a_slice_shows_is_read_record_by_record(whole: Log, toy: Prepared, rulesets: Rulesets) -> None:
    part = part_of(whole, toy, "south")
    prepared, records = read_slice(part, rulesets)
    assert prepared.ruleset.id == "toy"
    assert records == shown_records(part, toy)
    part.lines = part.lines[:1]
    assert shown_records(part, toy) == []
