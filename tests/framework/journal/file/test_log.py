"""Hostile bytes, annexes and openings in a log file: each fault is refused and its line named."""

import hashlib
import os
import random
from pathlib import Path

import msgspec
import pytest
from cutting import chain_in, opening_of, writes_in
from growth import growth_faults
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import LogDamaged, LogError, SandtableError
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log, read_log, readable, split_log
from sandtable.journal.fold import read_records
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.openings import OPENING, root_of
from sandtable.journal.record import Recorded
from sandtable.plugin.manager import Prepared

MIB = 1_048_576


def test_file_size_is_checked_before_reading(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(64 * MIB)
        with readable(path):
            pass
        file.truncate(64 * MIB + 1)
    with pytest.raises(LogError, match=r"huge: the file is larger than 64 MiB"), readable(path):
        pass


def test_path_that_is_not_a_regular_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, reason in (
        (tmp_path, "is a folder: name the log file in it"),
        (tmp_path / "pipe", "is not a regular file"),
        (Path(os.devnull), "is not a regular file"),
        (tmp_path / "none", "cannot be read: No such file or directory"),
    ):
        with pytest.raises(LogError, match=f"^{path}: {reason}$"), readable(path):
            pass
        with pytest.raises(LogError, match=f"^{path}: "):
            read_log(path)


def test_where_returns_the_line_of_each_record(game: Recorded, log: Log) -> None:
    lines = game.data.splitlines()
    assert [log.where(number) for number in range(len(lines))] == [
        f"log: line {number + 1}" for number in range(len(lines))
    ]
    assert log.where(len(lines)) == f"log: line {len(lines) + 1}"  # the line of the next record
    assert log.where(len(lines) + 1) == "log"
    assert log.records == msgspec.json.decode(lines[-1])["n"]


@pytest.mark.full
@given(st.binary(max_size=300))
def test_random_bytes_raise_only_log_errors(data: bytes) -> None:
    with pytest.raises(LogError):
        parse_log(data, "log")


def test_random_damage_raises_only_sandtable_errors(game: Recorded, prepared: Prepared) -> None:
    dice = random.Random(7)  # noqa: S311 - damage, not secrets
    for _ in range(300):
        data = bytearray(game.data)
        for _ in range(dice.randrange(1, 4)):
            place = dice.randrange(len(data))
            kind = dice.randrange(3)
            if kind == 0:
                data[place] = dice.randrange(256)
            elif kind == 1:
                del data[place : place + dice.randrange(1, 200)]
            else:
                data[place:place] = bytes(dice.randrange(256) for _ in range(dice.randrange(1, 20)))
        refusal = ""
        try:
            read_records(parse_log(bytes(data), "log"), prepared.ruleset)
        except SandtableError as error:
            refusal = str(error)
        assert "\n" not in refusal


def test_annex_is_outside_the_chain_but_its_alteration_is_found(game: Recorded) -> None:
    lines = game.data.splitlines(keepends=True)
    annex = annex_line({"started": "2026-01-01T00:00:00Z"})
    assert parse_log(b"".join([lines[0], annex, *lines[1:]]), "log").broken is None
    with pytest.raises(LogError, match="line 2: the annex was altered"):
        parse_log(b"".join([lines[0], annex.replace(b"2026", b"2027"), *lines[1:]]), "log")


NOTE = annex_line({"note": 1})


def test_lines_after_the_last_stretch_are_torn_except_annexes(toy_game: Recorded) -> None:
    head, *writes = writes_in(toy_game.data)
    first = writes[1].splitlines(keepends=True)
    head += writes[0]
    before = len(chain_in(head)) - 1
    assert first[0].startswith(OPENING)
    for end in range(1, len(first)):
        part = b"".join(first[:end])
        log = parse_log(head + part, "log")
        assert (log.torn, log.records) == (part, before)
        assert (0, "umpire") in log.openings
        assert parse_log(head + part + NOTE, "log").torn == part + NOTE
        assert parse_log(head + NOTE + part + b"{", "log").torn == part + b"{"
    assert parse_log(head + writes[1] + NOTE, "log").torn == b""
    head = writes_in(toy_game.data)[0]
    log = parse_log(head, "log")
    assert (log.torn, log.header.key) == (b"", toy_game.header.key)
    strange = head.splitlines(keepends=True)[1].replace(b'"n":0,"to"', b'"n":0,"for"')
    assert parse_log(head.splitlines(keepends=True)[0] + strange, "log").torn == strange


def test_hash_in_a_wrong_place_breaks_its_stretch(game: Recorded) -> None:
    """The running hash is stored where a stretch ends, and nowhere else."""
    head, one, two, *rest = writes_in(game.data)
    lines = two.splitlines(keepends=True)
    bare = lines[-1][: lines[-1].index(b',"hash"')] + b"}\n"
    log = parse_log(b"".join([head, one, *lines[:-1], bare, *rest]), "log")
    assert log.broken == len(chain_in(head + one))
    body = lines[0][:-2]
    head_before = bytes.fromhex(one.decode()[-67:-3])
    early = b'%b,"hash":"%b"}\n' % (body, hashlib.sha256(head_before + body).hexdigest().encode())
    log = parse_log(b"".join([head, one, early, *lines[1:], *rest]), "log")
    assert (log.broken, log.broken_to) == (len(chain_in(head + one)),) * 2


def test_header_opening_gives_key_and_salts_only_if_it_matches(toy_game: Recorded) -> None:
    head, opening, *rest = toy_game.data.splitlines(keepends=True)
    assert parse_log(head + opening, "log").header.key == toy_game.header.key
    assert parse_log(head, "log").header.key == ""
    other = opening.replace(toy_game.header.key.encode(), b"0" * 64)
    log = parse_log(b"".join([head, other, *rest]), "log")
    assert (log.header.key, log.misfit) == ("", (0, "umpire"))
    for part in ({"key": 1}, {"key": "00", "more": ""}, {}):
        line = opening_of(0, "umpire", {"part": part})
        body = parted(head[:-1])[0].replace(root_of(opening[:-1]).encode(), root_of(line).encode())
        with pytest.raises(LogDamaged, match=r"^log: the opening of the header cannot be read: "):
            parse_log(chain([body], START)[0] + line + b"\n", "log")


def test_opening_of_a_missing_record_is_not_accepted(toy_game: Recorded) -> None:
    lines = toy_game.data.splitlines(keepends=True)
    records = len(chain_in(toy_game.data)) - 1
    for number in (records, records + 1):
        extra = opening_of(number, "north", {}) + b"\n"
        log = parse_log(b"".join([lines[0], extra, *lines[1:]]), "log")
        assert log.misfit == (number, "north")


@pytest.mark.parametrize("beside", [False, True])
def test_record_has_at_most_one_opening_per_player_and_umpire(toy_game: Recorded, beside: bool) -> None:
    lines = toy_game.data.splitlines(keepends=True)
    number = next(n for n, line in enumerate(chain_in(toy_game.data)[1:], start=1) if b'"root"' not in line)
    most = len(toy_game.header.players) + 1
    extra = [opening_of(number, f"x{n}", {}) + b"\n" for n in range(most + 1)]

    def read(more: list[bytes]) -> Log:
        if beside:
            return parse_log(toy_game.data, "log", b"".join(more))
        return parse_log(b"".join([lines[0], *more, *lines[1:]]), "log")

    assert read(extra[:-1]).misfit == (number, "x0")
    with pytest.raises(LogError, match=rf"record {number} has more than {most} openings"):
        read(extra)


def test_closed_step_has_the_number_of_records_in_its_line(toy_game: Recorded) -> None:
    header, event = (parted(line[:-1])[0] for line in chain_in(toy_game.data)[:2])

    def read(last: int) -> Log:
        step = b'{"kind":"closed","n":2,"last":%d,"root":"%b"' % (last, b"0" * 64)
        return parse_log(chain([header, event, step], START)[0], "log")

    log = read(5)
    assert (log.records, len(log.chain), log.places) == (5, 3, [0, 1, 2, 2, 2, 2])
    assert [log.first_of(number) for number in range(6)] == [0, 1, 2, 2, 2, 2]
    assert [log.line_of(number) for number in (1, 2, 5)] == [2, 3, 3]
    assert read(257).records == 257
    with pytest.raises(LogDamaged, match="the closed step is not in canonical form"):
        read(258)
    step = b'{"kind":"closed","n":%d,"last":%d,"root":"%b"'
    steps = [step % (1 + 256 * at, 256 + 256 * at, b"0" * 64) for at in range(3_907)]
    with pytest.raises(LogError, match=r"^log: has more than 1,000,000 records, the limit for a log$"):
        parse_log(chain([header, *steps], START)[0], "log")


@pytest.mark.full
def test_locations_of_all_records_are_found_in_linear_time(game: Recorded) -> None:
    def lines(size: int) -> bytes:
        header, record = (parted(line[:-1])[0] for line in chain_in(game.data)[:2])
        return chain([header, *[record] * size], START)[0]

    def read(data: bytes) -> None:
        log = split_log(data, "log")
        assert log.where(log.records) == f"log: line {log.records + 1}"
        for number in range(log.records):
            log.where(number)

    assert not list(growth_faults(lines, read, 4_000))
