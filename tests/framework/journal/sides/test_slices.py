"""Slices: records that a side sees completely, in part or not at all, and slices that are refused."""

from collections.abc import Callable
from typing import Any

import pytest
from cutting import cut_after
from msgspec import structs

from sandtable.errors import LogClosed, LogDamaged, LogError, PlayError
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.openings import OPENING, key_of
from sandtable.journal.record import Recorded
from sandtable.journal.sides.merging import merged
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
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, SealRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.toy import AmbushLaid


def test_slice_keeps_the_chain_and_no_secrets(
    toy_game: Recorded, toy_log: Log, toy: Prepared, rulesets: Rulesets
) -> None:
    for side in toy.ruleset.viewers:
        data = slice_log(toy_log, toy, side)
        assert check_slice(data, "slice") == toy_log.records
        assert toy_log.header.key.encode() not in data
        part = parse_log(data, "slice")
        assert part.lines == toy_log.lines
        assert sliced_for(part) == side
        secret = [r for r in toy_game.game.records if isinstance(r, OrderRecord) and r.secret and r.by != side]
        assert secret
        for each in secret:
            assert [to for number, to in part.openings if number == each.n] == [side]
            assert b'"part"' not in part.openings[each.n, side]
            assert b'"order":' not in toy_log.lines[each.n]
        _, records = read_slice(part, rulesets)
        assert [r.n for r in records if not isinstance(r, SealRecord)] == [
            r.n for r in seen_records(toy_game.game.records, toy, side)
        ]


def test_slice_with_invalid_text_is_refused_with_its_line(
    record: Callable[..., Recorded], toy: Prepared, rulesets: Rulesets
) -> None:
    data = slice_log(parse_log(record(ruleset="toy").data, "log"), toy, "north")
    spoiled = data.replace(b'"type":"FrontMoved"', b'"type":"Front\xffMoved"', 1)
    assert spoiled != data
    with pytest.raises(LogDamaged, match=r"slice: line [0-9]+: is not a record of toy"):
        read_slice(parse_log(spoiled, "slice"), rulesets)


@pytest.mark.full
def test_flipped_byte_in_a_slice_is_detected(record: Callable[..., Recorded], toy: Prepared) -> None:
    data = slice_log(parse_log(record(ruleset="toy").data, "log"), toy, toy.ruleset.viewers[0])
    for place in range(0, len(data), 7):
        other = bytearray(data)
        other[place] ^= 1
        with pytest.raises(LogError):
            check_slice(bytes(other), "slice")


def test_slice_for_an_unknown_side_is_refused(game: Recorded, prepared: Prepared) -> None:
    with pytest.raises(PlayError, match="no side 'z'"):
        slice_log(parse_log(game.data, "log"), prepared, "z")


SIDES = ("north", "south")


@pytest.fixture
def whole(record: Callable[..., Recorded]) -> Log:
    return parse_log(record(ruleset="toy").data, "whole")


def part_of(log: Log, prepared: Prepared, side: str) -> Log:
    return parse_log(slice_log(log, prepared, side), side)


def test_slice_has_openings_of_its_side_and_opened_orders(whole: Log, toy: Prepared) -> None:
    records = read_records(whole, toy.ruleset)
    opened = {each.n for each in records if isinstance(each, OrderRecord) and each.missing}
    assert opened
    for side in SIDES:
        part = part_of(whole, toy, side)
        keeps = {(n, side) for n, _ in whole.openings} | {(n, "umpire") for n in opened}
        assert part.openings.keys() == keeps
        assert all(part.openings[n, "umpire"] == whole.openings[n, "umpire"] for n in opened)
        assert part.misfit is None
        assert part.data.splitlines()[2] == annex_line({"slice": side})[:-1]
    assert sliced_for(whole) == ""


def test_log_without_the_umpires_opening_of_an_opened_order_is_not_sliced(whole: Log, toy: Prepared) -> None:
    """The sides' openings show everything, but the one that belongs in every file is not there."""
    number = next(each.n for each in read_records(whole, toy.ruleset) if isinstance(each, OrderRecord) and each.missing)
    joined = merged([whole, *(part_of(whole, toy, side) for side in SIDES)])
    gone = b'{"kind":"opening","n":%d,"to":"umpire"' % number
    kept = b"".join(line for line in joined.splitlines(keepends=True) if not line.startswith(gone))
    for side in (*SIDES, "public"):
        with pytest.raises(LogClosed, match=rf"the opening of record {number} for umpire is missing"):
            slice_log(parse_log(kept, "log"), toy, side)


def test_incomplete_group_is_open_only_to_its_own_sides(toy_game: Recorded, toy: Prepared) -> None:
    first = next(each.n for each in toy_game.game.records if isinstance(each, OrderRecord) and each.missing == 2)
    log = parse_log(cut_after(toy_game.data, first), "cut")
    by = toy_game.game.records[first - 1].by
    shown = {side: b'"part"' in part_of(log, toy, side).openings[first, side] for side in SIDES}
    assert shown == {side: side == by for side in SIDES}
    assert not [to for side in SIDES for number, to in part_of(log, toy, side).openings if to == "umpire"]


def test_damaged_log_cannot_be_sliced(toy_game: Recorded, toy: Prepared) -> None:
    lines = toy_game.data.splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if line.startswith(b'{"kind":"order","n":2,'))
    altered = parse_log(b"".join([*lines[:place], lines[place].replace(b'"n":2', b'"n":3'), *lines[place + 1 :]]), "x")
    with pytest.raises(LogDamaged, match=rf"^x: line {place + 1}: was altered: only an intact log can be sliced$"):
        slice_log(altered, toy, "north")
    with pytest.raises(LogDamaged, match=rf"^x: line {place + 1}: was altered: its hash does not match its text$"):
        check_slice(altered.data, "x")
    place = next(place for place, line in enumerate(lines) if line.startswith(OPENING) and b'"n":0' not in line)
    number, to = key_of(lines[place]) or (0, "")
    forged = lines[place].replace(b'"space":', b'"space":1').replace(b'"order":{', b'"order":{"x":1,')
    assert forged != lines[place]
    log = parse_log(b"".join([*lines[:place], forged, *lines[place + 1 :]]), "x")
    text = f"x: the opening of record {number} for {to} was altered: it does not match the commitment in the chain"
    with pytest.raises(LogDamaged, match=f"^{text}: only an intact log can be sliced$"):
        slice_log(log, toy, "north")
    with pytest.raises(LogDamaged, match=f"^{text}$"):
        check_slice(log.data, "x")
    with pytest.raises(LogDamaged, match=f"^{text}$"):
        merged([log, log])
    with pytest.raises(LogDamaged, match=r"^x: line \d+: record 2 was altered: its hash does not match its text$"):
        merged([log, altered][::-1])


def test_closed_records_are_counted_and_invalid_ones_named(whole: Log, toy: Prepared) -> None:
    assert count_closed(whole, toy.ruleset) == 0
    part = part_of(whole, toy, "north")
    closed = (
        {n for n, to in whole.openings if n} - {*part.contents.whole} - {whole.records}
    )  # a close lacks only its key
    assert count_closed(part, toy.ruleset) == len(closed) > 1
    bodies = [parted(line)[0] for line in whole.lines[:3]]
    strange = parse_log(chain([*bodies, b'{"kind":"event","n":3,"root":"x'], START)[0], "x")
    with pytest.raises(LogDamaged, match=r"^x: line 4: is not a record of toy: "):
        count_closed(strange, toy.ruleset)
    assert verify(strange, toy).verdict == "unreadable"


def test_slice_is_not_proven_except_for_its_own_side(
    toy_game: Recorded, toy: Prepared, rulesets: Rulesets, tmp_path: Any
) -> None:
    part = slice_log(parse_log(toy_game.data, "whole"), toy, "north")
    log = parse_log(part, "log")
    closed = count_closed(log, toy.ruleset)
    verdict = verify(log, toy)
    assert (verdict.verdict, verdict.exit_code, verdict.closed) == ("not proven", 5, closed)
    assert verdict.pending == ()
    assert any(item.startswith("openings for umpire of records ") for item in verdict.missing)
    assert any(item.startswith("the dice key") for item in verdict.missing)
    path = tmp_path / "log"
    for data in (part, part[:-9]):
        path.write_bytes(data)
        found = verify_log(path, rulesets, side="north")
        assert (found.verdict, found.exit_code, found.missing) == ("verified so far", 0, ())
        assert ("the game is not finished" in found.note) == (data != part)
        assert len(found.pending) == (2 if data == part else 3)
        assert verify_log(path, rulesets, side="south").exit_code == 5
    public = slice_log(parse_log(toy_game.data, "whole"), toy, "public")
    assert verify(parse_log(public, "log"), toy, side="public").exit_code == 0
    with pytest.raises(PlayError, match="toy has no side 'east'"):
        verify(log, toy, side="east")


def test_salts_may_be_guessed_unless_they_are_random(whole: Log, toy: Prepared, rulesets: Rulesets) -> None:
    """Salts are random if the header has salts of open dice, or if a person plays with hidden dice."""
    bot, person = {"north": "random", "south": "random"}, {"north": "human", "south": "random"}
    for dice in ("open", "host", "manual"):
        for salts in ("", "00"):
            for players in (bot, person):
                header = structs.replace(whole.header, dice=dice, salts=salts, players=players)
                random = bool(salts) if dice == "open" else players is person
                assert may_be_guessed(header, toy.ruleset) is not random
                assert not may_be_guessed(header, rulesets.load("tictactoe").prepare().ruleset)


def test_side_sees_records_completely_in_part_or_not_at_all(whole: Log, toy: Prepared) -> None:
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


def test_every_record_of_a_game_without_secrets_is_seen(game: Recorded, prepared: Prepared) -> None:
    records = read_records(parse_log(game.data, "log"), prepared.ruleset)
    seen = seen_records(records, prepared, "x")
    assert [each.n for each in seen] == [each.n for each in records]
    assert [each for each in seen if not isinstance(each, OrderRecord)] == [
        each for each in records if not isinstance(each, OrderRecord)
    ]
    live = seen_records(game.game.records, prepared, "x")  # questions are not texts there yet
    assert [each.asked for each in live if isinstance(each, OrderRecord)] == [
        each.asked for each in seen if isinstance(each, OrderRecord)
    ]


def test_shown_records_of_a_slice_are_read_one_by_one(whole: Log, toy: Prepared, rulesets: Rulesets) -> None:
    part = part_of(whole, toy, "south")
    prepared, records = read_slice(part, rulesets)
    assert prepared.ruleset.id == "toy"
    assert records == shown_records(part, toy)
    part.lines = part.lines[:1]
    assert shown_records(part, toy) == []
