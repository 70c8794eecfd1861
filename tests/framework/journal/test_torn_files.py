"""What a power cut leaves of a log and of the file beside it, and what a writer makes sure of (section 1 and 8)."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from cutting import chain_in

from sandtable.errors import LogDamaged, LogError, LogExists
from sandtable.journal.file.log import annex_line, parse_log, private_file, read_log
from sandtable.journal.file.private import PrivateFile, refuse_stray
from sandtable.journal.file.tails import log_without_tail
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.openings import OPENING, commitment_of, key_of, opening_line
from sandtable.journal.record import Recorded
from sandtable.journal.repair import cut_tail, repair
from sandtable.kernel.records import OrderRecord

ZEROS = bytes(20)
NOTE = annex_line({"note": 1})


# --- the file beside the log ---


def test_the_file_beside_a_log_waits_for_the_disk_where_that_is_wanted(tmp_path: Path, synced: list[int]) -> None:
    log = tmp_path / "log"
    kept = PrivateFile.create(log)
    assert stat.S_IMODE(private_file(log).stat().st_mode) == 0o600
    kept.put({(1, "a"): b"one"}, durable=False)
    kept.put_annex(b"note", durable=False)
    assert synced == []
    kept.put({}, durable=True)  # nothing is written, and nothing waited for
    assert synced == []
    kept.put({(2, "a"): b"two", (2, "b"): b"three"}, durable=True)
    assert len(synced) == 1
    kept.put_annex(b"other", durable=True)
    assert len(synced) == 2
    assert private_file(log).read_bytes() == b"one\nnote\ntwo\nthree\nother\n"
    assert kept.of_records([2, 9]) == {(2, "a"): b"two", (2, "b"): b"three"}
    assert kept.of_records([2]) == {}
    assert kept.all() == {(1, "a"): b"one"}
    assert kept.all() == {}
    assert kept.annexes() == [b"note", b"other"]
    assert kept.annexes() == []
    kept.close()
    kept.close()
    kept.remove()
    assert not private_file(log).exists()


def test_a_short_write_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:3]))
    kept = PrivateFile.create(tmp_path / "log")
    kept.put({(1, "a"): b"0123456789"}, durable=False)
    kept.close()
    assert private_file(tmp_path / "log").read_bytes() == b"0123456789\n"


def test_what_is_kept_beside_a_log_is_taken_up_again(toy_game: Recorded, tmp_path: Path) -> None:
    log, chained = tmp_path / "log", chain_in(toy_game.data)
    assert PrivateFile.reopen(parse_log(toy_game.data, str(log))) is None
    records, own, _ = first_openings(toy_game)
    log.write_bytes(b"".join([chained[0], own[0], *chained[1 : records + 1]]))
    whole = b"".join([*own, NOTE])
    for rubbish in (b'{"kind":"opening"\n', b'{"kind":"opening"', b""):
        private_file(log).write_bytes(whole + rubbish)
        kept = PrivateFile.reopen(read_log(log))
        assert kept is not None
        assert private_file(log).read_bytes() == whole
        assert kept.annexes() == [NOTE[:-1]]
        assert list(kept.all()) == [key_of(line) for line in own[1:]]  # the first stands in the log already
        kept.put_annex(b"more", durable=False)
        kept.close()
        assert private_file(log).read_bytes() == whole + b"more\n"


def first_openings(recorded: Recorded) -> tuple[int, list[bytes], list[bytes]]:
    """Return a number of records, the openings of the header and of those, at least two, and the openings of others."""
    openings = [line for line in recorded.data.splitlines(keepends=True) if line.startswith(OPENING)]
    numbers = [key[0] for line in openings if (key := key_of(line)) is not None]
    assert numbers == sorted(numbers)
    records = numbers[2]
    count = sum(number <= records for number in numbers)
    return records, openings[:count], openings[count:]


def test_openings_of_a_game_whose_log_is_gone_are_not_written_over(tmp_path: Path) -> None:
    log = tmp_path / "log"
    refuse_stray(log)
    private_file(log).write_bytes(b"x")
    with pytest.raises(LogExists, match=rf"^{log}\.private keeps what is closed in a game whose log is no longer here"):
        refuse_stray(log)
    log.write_bytes(b"x")
    refuse_stray(log)


def beside(lines: list[bytes], *kept: bytes) -> Any:
    return parse_log(b"".join(lines), "log", b"".join(kept))


def test_what_is_not_whole_beside_a_log_is_left_out_where_nothing_is_missed(toy_game: Recorded) -> None:
    chained = chain_in(toy_game.data)
    records, own, others = first_openings(toy_game)
    part, whole = chained[: records + 1], b"".join([*own, NOTE])
    for rubbish in (b"", b"9\n", ZEROS + b"\n", b'{"kind":"annex","a":1,"hash":"00"}\n', b"{}\n"):
        log = beside(part, whole, rubbish, *(others if rubbish else ()))
        assert log.beside == len(whole)
        assert set(log.openings) == {key_of(line) for line in own}
        assert log.kept == [NOTE[:-1]]
    later = beside(part, whole, *others)
    assert later.beside == len(whole) + sum(map(len, others))
    assert set(later.openings) == {key_of(line) for line in own}  # the others are of records that are not there


def test_where_more_was_damaged_beside_a_log_than_its_last_write_it_is_told(toy_game: Recorded) -> None:
    chained = chain_in(toy_game.data)
    records, own, _ = first_openings(toy_game)
    part = chained[: records + 1]
    for rubbish, told in (
        (b'{"kind":"opening","n":x}\n', "is no opening as this format writes it, or one of two"),
        (b'{"kind":"annex","a":1,"hash":"00"}\n', "the annex was altered: its hash does not fit its text"),
    ):
        with pytest.raises(LogDamaged, match=rf"^log\.private: line 2: {told}$"):
            beside(part, own[0], rubbish, *own[1:])
    strange = chain([chained[0].partition(b',"hash":"')[0], b'{"kind":"x","sealed":{"a":1}'], START)[0]
    kept = own[0] + b"9\n" + own[1]
    assert parse_log(strange, "log", kept).beside == len(kept)  # what it commits to cannot be read: all is kept
    extra = opening_line(1, "a", "0" * 32, {}) + b"\n"
    with pytest.raises(LogError, match=r"^log: line 2: cannot be read: "):
        parse_log(strange, "log", own[0] + extra)


def test_of_two_openings_of_one_record_the_last_counts_beside_a_log_and_none_in_it(toy_game: Recorded) -> None:
    lines = toy_game.data.splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if line.startswith(OPENING) and b'"n":0,' not in line)
    other = lines[place].replace(b'"space":', b'"space":1')
    assert parse_log(b"".join([*lines[:place], lines[place], *lines[place:]]), "log").misfit is None
    told = rf"^log: line {place + 2}: is no opening as this format writes it, or one of two$"
    with pytest.raises(LogDamaged, match=told):
        parse_log(b"".join([*lines[: place + 1], other, *lines[place + 1 :]]), "log")
    chained = [*lines[:place], *lines[place + 1 :]]
    assert beside(chained, other, lines[place]).misfit is None
    assert beside(chained, lines[place], other).misfit == key_of(other[:-1])
    assert beside([*lines], other).misfit is None  # the log's own goes before


def test_openings_behind_the_last_record_are_torn_but_for_those_of_the_header(toy_game: Recorded) -> None:
    lines = toy_game.data.splitlines(keepends=True)
    assert (key_of(lines[1]) or ("",))[0] == 0
    place = next(place for place, line in enumerate(lines[2:], start=2) if line.startswith(OPENING))
    log = parse_log(b"".join(lines[: place + 1]), "log")
    assert log.torn == lines[place]
    assert (0, "umpire") in log.openings
    assert parse_log(b"".join(lines[:place]), "log").torn == b""
    assert parse_log(b"".join([*lines[: place + 1], b"{"]), "log").torn == lines[place] + b"{"
    assert parse_log(b"".join([*lines[: place + 1], NOTE]), "log").torn == b""
    head = parse_log(b"".join(lines[:2]), "log")
    assert (head.torn, head.header.key) == (b"", toy_game.header.key)
    strange = lines[1].replace(b'"n":0,"to"', b'"n":0,"for"')
    assert parse_log(lines[0] + strange, "log").torn == strange


def test_the_opening_of_a_header_shows_key_and_salts_where_it_fits(toy_game: Recorded) -> None:
    head, opening, *rest = toy_game.data.splitlines(keepends=True)
    assert parse_log(head + opening, "log").header.key == toy_game.header.key
    assert parse_log(head, "log").header.key == ""
    other = opening.replace(toy_game.header.key.encode(), b"0" * 64)
    log = parse_log(b"".join([head, other, *rest]), "log")
    assert (log.header.key, log.misfit) == ("", (0, "umpire"))
    for part in ({"key": 1}, {"key": "00", "more": ""}, {}):
        line = opening_line(0, "umpire", "0" * 32, part)
        body = head.partition(b',"hash":"')[0].replace(
            commitment_of(opening[:-1]).encode(), commitment_of(line).encode()
        )
        with pytest.raises(LogDamaged, match=r"^log: the opening of the header cannot be read: "):
            parse_log(chain([body], START)[0] + line + b"\n", "log")


def test_an_opening_of_a_record_that_is_not_there_does_not_fit(toy_game: Recorded) -> None:
    lines = toy_game.data.splitlines(keepends=True)
    records = len(chain_in(toy_game.data)) - 1
    for number in (records, records + 1):
        extra = opening_line(number, "north", "0" * 32, {}) + b"\n"
        log = parse_log(b"".join([lines[0], extra, *lines[1:]]), "log")
        assert log.misfit == (number, "north")


# --- what repair cuts off ---


def tail_of(data: bytes) -> bytes:
    return log_without_tail(data, "log").torn


def test_what_is_left_of_the_last_write_is_the_tail(toy_game: Recorded) -> None:
    lines = toy_game.data.splitlines(keepends=True)
    head, opening = lines[:2]
    assert tail_of(head + opening) == b""
    assert tail_of(head + opening + ZEROS) == ZEROS
    assert tail_of(head + opening + ZEROS + b"\n") == ZEROS + b"\n"
    assert tail_of(head + opening[:-1]) == opening[:-1]
    place = next(place for place, line in enumerate(lines[2:], start=2) if line.startswith(OPENING))
    assert tail_of(b"".join(lines[: place + 1])) == lines[place]
    behind = b"".join(lines[place + 1 : place + 2])
    for spoiled in (b'{"kind":"opening","n"' + ZEROS + b"\n", ZEROS + b"\n"):
        assert tail_of(b"".join([*lines[:place], spoiled, behind])) == spoiled + behind
    assert tail_of(b"".join([*lines[:place], NOTE])) == b""
    spoiled = NOTE[:-20] + ZEROS + b"\n"
    assert tail_of(b"".join([*lines[:place], spoiled])) == spoiled


def test_what_can_be_read_was_altered_and_is_no_tail(toy_game: Recorded) -> None:
    lines = toy_game.data.splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines[2:], start=2) if line.startswith(OPENING))
    number = (key_of(lines[place]) or (0, ""))[0]
    for spoiled in (b"{}\n", lines[place + 1].replace(b'"n":', b'"n":1')):
        log = log_without_tail(b"".join([*lines[:place], spoiled, *lines[place + 2 :]]), "log")
        assert (log.broken, log.torn) == (number, b"")
    with pytest.raises(LogDamaged, match=rf"^log: line {place + 1}: the annex was altered"):
        tail_of(b"".join([*lines[:place], NOTE.replace(b"1", b"2", 1)]))
    with pytest.raises(LogError, match="line 1: this is no Sandtable log"):
        tail_of(ZEROS + b"\n" + b"".join(lines[1:]))
    strange = chain([lines[0].partition(b',"hash":"')[0], b'{"kind":"x","sealed":{"a":1}'], START)[0]
    assert log_without_tail(strange, "log").lines == strange.splitlines()


def test_one_order_may_be_lost_and_no_order_behind_it(game: Recorded) -> None:
    """Where an order stands behind what is not whole, that was on the disk: somebody went on from it."""
    lines = game.data.splitlines(keepends=True)
    first, second = [each.n for each in game.game.records if isinstance(each, OrderRecord)][2:4]
    for hurt in (first, first + 1):
        for left in (ZEROS, lines[hurt][:30] + ZEROS):
            rest = [left + b"\n", *lines[hurt + 1 : second]]
            assert tail_of(b"".join([*lines[:hurt], *rest])) == b"".join(rest)
            log = log_without_tail(b"".join([*lines[:hurt], *rest, lines[second]]), "log")
            assert (log.broken, log.torn) == (hurt, b"")
    for kind in (b"undo", b"ruling"):
        behind = b'{"kind":"%b","n":%d,"x":1}\n' % (kind, second)
        log = log_without_tail(b"".join([*lines[:first], ZEROS, b"\n", behind]), "log")
        assert (log.broken, log.torn) == (first, b"")


def test_repair_keeps_a_copy_each_time_until_there_are_too_many(
    game: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    path.write_bytes(game.data[:-5])
    made: list[str] = []

    def there(name: Path, data: bytes, mode: int) -> None:
        made.append(name.name)
        raise LogExists(str(name))

    monkeypatch.setattr("sandtable.journal.repair.write_new", there)
    with pytest.raises(LogExists, match=rf"^{path}: 999 broken copies are kept already: clear them away$"):
        repair(path)
    assert made == [f"log.broken-{number}" for number in range(1, 1000)]
    assert path.read_bytes() == game.data[:-5]


def test_an_altered_log_is_named_by_its_line_when_it_is_to_be_mended(game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(game.data.replace(b'"n":3', b'"n":4', 1))
    told = "repair only cuts off a torn last line, or what is left of the last write"
    writer, log = LogWriter.reopen(path, mending=True)
    with writer, pytest.raises(LogDamaged, match=f"^{path}: line 4: was altered: {told}$"):
        cut_tail(writer, log)
