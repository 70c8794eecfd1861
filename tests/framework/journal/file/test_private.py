"""The private file next to a log, which withholds openings until the game is over."""

import errno
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from cutting import chain_in, opening_of

from sandtable.errors import LogDamaged, LogError, LogExists, LogWriteFailed
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.private import PrivateFile, refuse_stray
from sandtable.journal.file.reading import parse_log, private_file, read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.openings import OPENING, key_of
from sandtable.journal.record import Recorded
from sandtable.journal.repair import repair
from sandtable.journal.resume import resume
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verdicts import VERIFIED
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.dice import Stream
from sandtable.kernel.records import CloseRecord, EndRecord, OrderRecord, RulingRecord, UndoRecord
from sandtable.plugin.manager import Prepared, Rulesets

NOTE = annex_line({"note": 1})


def index_of(lines: list[bytes], start: bytes) -> int:
    return next(place for place, line in enumerate(lines) if line.startswith(start))


def test_private_file_that_cannot_be_removed_is_reported_after_the_close(
    toy_game: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stays(file: PrivateFile) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    path = tmp_path / "log"
    writer = LogWriter.create(path, toy_game.header, toy_game.form, private=True)
    monkeypatch.setattr(PrivateFile, "remove", stays)
    reason = "Permission denied: it cannot be removed; .*remove it"
    with writer, pytest.raises(LogWriteFailed, match=rf"^{path}\.private: {reason}$"):
        writer.put(toy_game.game.records)
    assert set(path.read_bytes().splitlines()) == set(toy_game.data.splitlines())


def ends_of(records: Sequence[Any]) -> list[int]:
    """Return how many records a game has at each of its questions."""
    outside = (OrderRecord, UndoRecord, RulingRecord, EndRecord)
    return [place for place, record in enumerate(records) if place and isinstance(record, outside)]


def test_openings_stay_in_the_private_file_until_all_may_see_them(toy_game: Recorded, tmp_path: Path) -> None:
    """Sealed orders move into the log with the last of their group; all else, battles included, before the close."""
    path, records = tmp_path / "log", toy_game.game.records
    groups = [each.n for each in records if isinstance(each, OrderRecord) and each.missing == 1]
    with LogWriter.create(path, toy_game.header, toy_game.form, private=True) as writer:
        writer.put_battle("ab", brief="x")
        assert writer.battles == {"ab"}
        for end in ends_of(records):
            writer.put(records[:end])
            shown = {key_of(line) for line in path.read_bytes().splitlines() if line.startswith(OPENING)}
            last = max((each for each in groups if each <= end), default=0)
            opened = {each.n for each in records[:last] if isinstance(each, OrderRecord) and each.missing}
            assert {number for number, _ in shown if number} == opened  # type: ignore[misc]  # every such line has a key
            assert b'"annex"' not in path.read_bytes()
        assert isinstance(records[-1], CloseRecord)
        writer.put(records)
        writer.annex(note=1)
    assert not private_file(path).exists()
    kept = path.read_bytes().splitlines(keepends=True)
    assert chain_in(path.read_bytes()) == chain_in(toy_game.data)
    assert sorted(kept) == sorted([*toy_game.data.splitlines(keepends=True), NOTE, annex_line({"brief": "x"})])
    assert kept[-1] == NOTE
    battle, close = kept.index(annex_line({"brief": "x"})), index_of(kept, b'{"kind":"close"')
    assert battle < close
    assert OPENING in b"".join(kept[battle:close])


def test_half_answered_group_is_kept_if_people_end_the_game(toy_game: Recorded, toy: Prepared, tmp_path: Path) -> None:
    path, prepared = tmp_path / "log", toy
    game = prepared.new_game(toy_game.game.dice)
    game.start()
    while (
        not getattr(game.records[-1], "missing", 0) or game.records[-1].missing == 1
    ):  # one seat of a sealed group has answered
        game.submit(game.waiting()[0].options.sample(Stream(b"x")))
    with LogWriter.create(path, toy_game.header, toy_game.form, private=True) as writer:
        writer.put(game.records)
        given = game.records[-1].n
        assert (given, "umpire") not in parse_log(path.read_bytes(), "log").openings
        game.end(EndRecord(game.number + 1, "north", "resignation", "south", "", ("north",)))
        writer.put(game.records)
    log = parse_log(path.read_bytes(), "log")
    assert (given, "umpire") in log.openings
    assert verify(log, prepared).verdict == VERIFIED
    for side in ("south", PUBLIC):
        cut = parse_log(slice_log(log, prepared, side), side)
        assert all(to == "south" for number, to in cut.openings if number >= given)


def test_overwriting_a_log_removes_its_private_file(toy_game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log"
    LogWriter.create(path, toy_game.header, toy_game.form, private=True).close()
    assert private_file(path).read_bytes() == toy_game.data.splitlines(keepends=True)[1]
    LogWriter.create(path, toy_game.header, toy_game.form, force=True).close()
    assert not private_file(path).exists()
    assert path.read_bytes() == b"".join(toy_game.data.splitlines(keepends=True)[:2])


ZEROS = bytes(20)


def test_private_file_waits_for_the_disk_only_if_durable(tmp_path: Path, synced: list[str]) -> None:
    log = tmp_path / "log"
    kept = PrivateFile.create(log)
    assert synced == [tmp_path.name]
    synced.clear()
    assert stat.S_IMODE(private_file(log).stat().st_mode) == 0o600
    one, two, three = (opening_of(number, to, {}) for number, to in ((1, "a"), (2, "a"), (2, "b")))
    kept.put([one], durable=False)
    kept.put_annex(b"note", durable=False)
    assert synced == []
    kept.put([], durable=True)  # nothing is written, so there is no wait
    assert synced == []
    kept.put([two, three], durable=True)
    assert len(synced) == 1
    kept.put_annex(b"other", durable=True)
    assert len(synced) == 2
    assert private_file(log).read_bytes().splitlines() == [one, b"note", two, three, b"other"]
    assert kept.of_records([2, 9]) == [two, three]
    assert kept.of_records([2]) == []
    assert kept.all() == [one]
    assert kept.all() == []
    assert kept.annexes() == [b"note", b"other"]
    assert kept.annexes() == []
    kept.remove()
    kept.close()
    assert not private_file(log).exists()


def test_short_write_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:3]))
    kept = PrivateFile.create(tmp_path / "log")
    kept.put([opening_of(1, "a", {})], durable=False)
    kept.close()
    assert private_file(tmp_path / "log").read_bytes() == opening_of(1, "a", {}) + b"\n"


def test_private_file_is_resumed_when_the_log_is_reopened(toy_game: Recorded, tmp_path: Path) -> None:
    log, chained = tmp_path / "log", chain_in(toy_game.data)
    records, own, _ = first_openings(toy_game)
    log.write_bytes(b"".join([chained[0], own[0], *chained[1 : records + 1]]))
    with LogWriter.reopen(log)[0] as writer:
        assert writer.private is None
    whole = b"".join([*own, NOTE])
    for copies, rubbish in enumerate((b"", b'{"kind":"opening"\n', b'{"kind":"opening"')):
        private_file(log).write_bytes(whole + rubbish)
        private_file(log).chmod(0o600)
        with LogWriter.reopen(log)[0] as writer:
            kept = writer.private
            assert kept is not None
            assert private_file(log).read_bytes() == whole + rubbish  # the log has not been judged yet
            check_resumed(kept, own)
            kept.put_annex(b"more", durable=False)
        assert private_file(log).read_bytes() == whole + b"more\n"
        assert sorted(file.read_bytes() for file in tmp_path.glob("*.broken-*"))[:1] == [whole + rubbish][:copies]
        for file in tmp_path.glob("*.broken-*"):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            file.unlink()


def check_resumed(kept: PrivateFile, own: list[bytes]) -> None:
    assert kept.annexes() == [NOTE[:-1]]
    assert kept.all() == [line[:-1] for line in own[1:]]  # the first is already in the log


def first_openings(recorded: Recorded) -> tuple[int, list[bytes], list[bytes]]:
    """Return a record number, the openings of the header and of the records up to it, and the later openings.

    The first group includes openings of at least two records.
    """
    openings = [line for line in recorded.data.splitlines(keepends=True) if line.startswith(OPENING)]
    numbers = [key[0] for line in openings if (key := key_of(line)) is not None]
    assert numbers == sorted(numbers)
    records = numbers[2]
    count = sum(number <= records for number in numbers)
    return records, openings[:count], openings[count:]


def test_private_file_of_a_missing_log_is_not_overwritten(tmp_path: Path) -> None:
    log = tmp_path / "log"
    refuse_stray(log)
    private_file(log).write_bytes(b"x")
    with pytest.raises(LogExists, match=rf"^{log}\.private holds the secrets of a game whose log is no longer here"):
        refuse_stray(log)
    log.write_bytes(b"x")
    refuse_stray(log)


def beside(lines: list[bytes], *kept: bytes) -> Any:
    return parse_log(b"".join(lines), "log", b"".join(kept))


def test_damaged_end_of_the_private_file_is_dropped_if_no_opening_is_lost(toy_game: Recorded) -> None:
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
    assert set(later.openings) == {key_of(line) for line in own}  # the others belong to missing records


def test_damage_before_the_last_private_write_is_refused(toy_game: Recorded) -> None:
    chained = chain_in(toy_game.data)
    records, own, _ = first_openings(toy_game)
    part = chained[: records + 1]
    for rubbish, reason in (
        (b'{"kind":"opening","n":x}\n', "is not an opening of this format, or a second one"),
        (b'{"kind":"annex","a":1,"hash":"00"}\n', "the annex was altered: its hash does not match its text"),
    ):
        with pytest.raises(LogDamaged, match=rf"^log\.private: line 2: {reason}$"):
            beside(part, own[0], rubbish, *own[1:])
    strange = chain([parted(chained[0][:-1])[0], b'{"kind":"x","n":1,"root":"x":1'], START)[0]
    kept = own[0] + b"9\n" + own[1]
    assert parse_log(strange, "log").records == 1
    assert parse_log(strange, "log", kept).beside == len(kept)  # its commitments cannot be read: all is kept
    extra = opening_of(1, "a", {}) + b"\n"
    with pytest.raises(LogError, match=r"^log: line 2: cannot be read: "):
        parse_log(strange, "log", own[0] + extra)


def test_second_opening_of_a_record_counts_in_private_file_only(toy_game: Recorded) -> None:
    lines = toy_game.data.splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if line.startswith(OPENING) and b'"n":0,' not in line)
    other = lines[place].replace(b'"space":', b'"space":1')
    assert parse_log(b"".join([*lines[:place], lines[place], *lines[place:]]), "log").misfit is None
    reason = rf"^log: line {place + 2}: is not an opening of this format, or a second one$"
    with pytest.raises(LogDamaged, match=reason):
        parse_log(b"".join([*lines[: place + 1], other, *lines[place + 1 :]]), "log")
    chained = [*lines[:place], *lines[place + 1 :]]
    assert beside(chained, other, lines[place]).misfit is None
    assert beside(chained, lines[place], other).misfit == key_of(other[:-1])
    assert beside([*lines], other).misfit is None  # the opening in the log has precedence


@pytest.fixture
def thesis(tmp_path: Path) -> Path:
    """Return a file that is unrelated to any game."""
    file = tmp_path / "thesis.txt"
    file.write_bytes(b"precious\n")
    return file


@pytest.fixture
def half(game: Recorded, tmp_path: Path) -> Path:
    """Return the log of a game that was interrupted."""
    path = tmp_path / "half.jsonl"
    path.write_bytes(b"".join(game.data.splitlines(keepends=True)[:6]))
    return path


CONTINUE: list[Callable[[Path, Rulesets], object]] = [lambda path, _: repair(path), resume]


@pytest.mark.parametrize("continue_log", CONTINUE, ids=["repair", "resume"])
@pytest.mark.parametrize("kind", ["soft", "hard"])
def test_private_file_that_links_to_another_file_is_left_alone(
    kind: str, continue_log: Callable[[Path, Rulesets], object], half: Path, thesis: Path, rulesets: Rulesets
) -> None:
    before = half.read_bytes()
    if kind == "soft":
        private_file(half).symlink_to(thesis)
    else:
        os.link(thesis, private_file(half))
    with pytest.raises(LogWriteFailed, match=r"is a symbolic link|has 2 names"):
        continue_log(half, rulesets)
    assert thesis.read_bytes() == b"precious\n"
    assert half.read_bytes() == before


@pytest.mark.parametrize("continue_log", CONTINUE, ids=["repair", "resume"])
def test_private_file_of_another_owner_is_left_alone(
    continue_log: Callable[[Path, Rulesets], object], half: Path, rulesets: Rulesets, monkeypatch: pytest.MonkeyPatch
) -> None:
    private_file(half).write_bytes(b"rubbish\n")
    monkeypatch.setattr(os, "geteuid", lambda: half.stat().st_uid + 1)
    with pytest.raises(LogWriteFailed, match="belongs to another user"):
        continue_log(half, rulesets)
    assert private_file(half).read_bytes() == b"rubbish\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_root_resumes_only_if_log_and_private_file_have_one_owner(half: Path) -> None:
    private_file(half).write_bytes(b"")
    os.chown(private_file(half), 4321, -1)
    with pytest.raises(LogWriteFailed, match="belongs to another user"):
        LogWriter.reopen(half)
    os.chown(half, 4321, -1)
    LogWriter.reopen(half)[0].close()


@pytest.mark.parametrize("continue_log", CONTINUE, ids=["repair", "resume"])
def test_private_file_is_not_cut_before_the_log_is_judged(
    continue_log: Callable[[Path, Rulesets], object], half: Path, rulesets: Rulesets
) -> None:
    half.write_bytes(half.read_bytes().replace(b'"n":3', b'"n":4', 1))
    private_file(half).write_bytes(b"a line of something else\nand another")
    with pytest.raises(LogError):
        continue_log(half, rulesets)
    assert private_file(half).read_bytes() == b"a line of something else\nand another"


def test_private_file_that_is_a_link_is_not_read(half: Path, thesis: Path) -> None:
    private_file(half).symlink_to(thesis)
    with pytest.raises(LogError, match=r"half\.jsonl\.private: is a symbolic link"):
        read_log(half)
