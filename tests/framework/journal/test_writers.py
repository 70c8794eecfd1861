"""Writers: what the disk is waited for, what stands beside a log until it may be seen, and why one does not go on."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cutting import chain_in

from sandtable.errors import LogDamaged, LogExists, LogTorn, LogWriteFailed, PlayError
from sandtable.journal.file import writer as writer_module
from sandtable.journal.file.log import annex_line, parse_log, private_file, read_log
from sandtable.journal.file.private import PrivateFile
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.openings import OPENING, key_of
from sandtable.journal.record import Recorded, play_into_file, play_on
from sandtable.journal.resume import resume
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verify import SAME, verify
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.dice import KeyedDice, Stream
from sandtable.kernel.events import GameEnded
from sandtable.kernel.records import CloseRecord, OrderRecord
from sandtable.plugin.manager import Prepared, Rulesets

Play = Callable[..., Recorded]
NOTE = annex_line({"note": 1})


def place_of(lines: list[bytes], start: bytes) -> int:
    return next(place for place, line in enumerate(lines) if line.startswith(start))


def test_a_writer_waits_for_the_disk_where_that_is_wanted(game: Recorded, tmp_path: Path, synced: list[int]) -> None:
    with LogWriter.create(tmp_path / "a", game.header, game.form) as writer:
        writer.put(game.game.records)
        writer.annex(note=1)
        assert synced == []
    assert len(synced) == 1  # at its end
    writer.close()
    assert len(synced) == 1
    with LogWriter.create(tmp_path / "b", game.header, game.form, durable=True) as writer:
        before = len(synced)
        writer.put(game.game.records)
        writer.put(game.game.records)
        assert len(synced) == before + 1


def test_a_game_that_is_gone_on_with_waits_for_the_disk_unless_that_is_not_wanted(
    game: Recorded, rulesets: Rulesets, tmp_path: Path
) -> None:
    path = tmp_path / "log"
    for how, waits in (({}, True), ({"durable": False}, False), ({"durable": True}, True)):
        path.write_bytes(b"".join(game.data.splitlines(keepends=True)[:4]))
        with resume(path, rulesets, **how).writer as writer:  # type: ignore[arg-type]  # mypy joins the dicts to object
            assert writer.durable is waits
    writer, _ = LogWriter.reopen(path)
    with writer:
        assert not writer.durable
    path.write_bytes(b"".join([*game.data.splitlines(keepends=True)[:4], b"rubbish\n"]))
    for mending, broken in (({}, 4), ({"mending": True}, None)):
        writer, log = LogWriter.reopen(path, **mending)
        with writer:
            assert log.broken == broken


def test_a_disk_that_fails_at_the_end_is_told(game: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(handle: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    path = tmp_path / "log"
    writer = LogWriter.create(path, game.header, game.form)
    monkeypatch.setattr(writer_module, "sync", fails)
    with pytest.raises(LogWriteFailed, match=f"^{path}: Input/output error: the end of the log may be lost$"):
        writer.close()
    writer.close()
    with pytest.raises(LogWriteFailed, match="an earlier write failed"):
        writer.put(game.game.records)


def test_a_game_that_is_over_says_so_where_what_was_beside_it_stays(
    toy_game: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stays(file: PrivateFile) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    path = tmp_path / "log"
    writer = LogWriter.create(path, toy_game.header, toy_game.form, private=True)
    monkeypatch.setattr(PrivateFile, "remove", stays)
    told = "Permission denied: it cannot be removed; the game is over and its log is whole: remove it"
    with writer, pytest.raises(LogWriteFailed, match=rf"^{path}\.private: {told}$"):
        writer.put(toy_game.game.records)
    assert set(path.read_bytes().splitlines()) == set(toy_game.data.splitlines())


def test_what_is_closed_stands_beside_the_log_until_it_may_be_seen(toy_game: Recorded, tmp_path: Path) -> None:
    """Sealed orders go into the log with the last of their group, the rest, battles too, before the close."""
    path, records = tmp_path / "log", toy_game.game.records
    groups = [each.n for each in records if isinstance(each, OrderRecord) and each.missing == 1]
    with LogWriter.create(path, toy_game.header, toy_game.form, private=True) as writer:
        writer.put_battle("ab", brief="x")
        assert writer.battles == {"ab"}
        for end in range(1, len(records)):
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
    battle, close = kept.index(annex_line({"brief": "x"})), place_of(kept, b'{"kind":"close"')
    assert battle < close
    assert all(line.startswith(OPENING) for line in kept[battle + 1 : close])


def test_half_answered_group_is_kept_when_ruling_ends_game(
    toy_game: Recorded, rulesets: Rulesets, tmp_path: Path
) -> None:
    path, prepared = tmp_path / "log", rulesets.load("toy").prepare()
    game = prepared.new_game(toy_game.game.dice)
    game.start()
    while (
        not getattr(game.records[-1], "missing", 0) or game.records[-1].missing == 1
    ):  # one seat of a sealed group has answered
        game.submit(game.waiting()[0].options.sample(Stream(b"x")))
    with LogWriter.create(path, toy_game.header, toy_game.form, private=True) as writer:
        writer.put(game.records)
        given = game.records[-1].n
        assert (given, "north") not in parse_log(path.read_bytes(), "log").openings
        game.rule(GameEnded("south", "resigned", ""), "north resigns")
        writer.put(game.records)
    log = parse_log(path.read_bytes(), "log")
    assert (given, "north") in log.openings
    assert verify(log, prepared).verdict == SAME
    for side in ("south", PUBLIC):
        cut = parse_log(slice_log(log, prepared, side), side)
        assert all(to == "south" for number, to in cut.openings if number >= given)


def test_a_log_that_is_written_over_leaves_nothing_beside_it(toy_game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log"
    LogWriter.create(path, toy_game.header, toy_game.form, private=True).close()
    assert private_file(path).read_bytes() == toy_game.data.splitlines(keepends=True)[1]
    LogWriter.create(path, toy_game.header, toy_game.form, force=True).close()
    assert not private_file(path).exists()
    assert path.read_bytes() == b"".join(toy_game.data.splitlines(keepends=True)[:2])


def test_what_must_be_done_before_there_is_a_log_is_done_for_files_alone(toy_game: Recorded, tmp_path: Path) -> None:
    done: list[str] = []

    def do() -> None:
        done.append("x")

    LogWriter.create(os.devnull, toy_game.header, toy_game.form, force=True, private=True, first=do).close()
    assert done == []
    assert not private_file(os.devnull).exists()
    path = tmp_path / "log"
    path.write_bytes(b"old")

    def fails() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        LogWriter.create(path, toy_game.header, toy_game.form, force=True, first=fails)
    assert path.exists()
    with pytest.raises(KeyError):
        LogWriter.create(tmp_path / "new", toy_game.header, toy_game.form, first=fails)
    assert not (tmp_path / "new").exists()


def test_facts_go_behind_the_header_and_a_game_has_a_length(
    record: Play, prepared: Prepared, rulesets: Rulesets, tmp_path: Path
) -> None:
    whole = record()
    players = {seat: _Again([each for each in whole.game.records if isinstance(each, OrderRecord)]) for seat in "xo"}
    shared = next(iter(players.values()))
    dice = whole.game.dice
    assert isinstance(dice, KeyedDice)
    play_into_file(prepared, dict.fromkeys("xo", shared), dice, whole.header, tmp_path / "a", facts={"note": 1})
    header, *rest = whole.data.splitlines(keepends=True)
    assert (tmp_path / "a").read_bytes() == b"".join([header, NOTE, *rest])
    with pytest.raises(LogExists):
        play_into_file(prepared, dict.fromkeys("xo", shared), dice, whole.header, tmp_path / "a")
    for most, fits in ((len(whole.game.records), True), (7, False)):
        players = dict.fromkeys("xo", _Again([each for each in whole.game.records if isinstance(each, OrderRecord)]))
        with LogWriter.create(tmp_path / f"{most}", whole.header, whole.form) as writer:
            if fits:
                play_on(prepared.new_game(dice), players, writer, most)
                continue
            told = r"^more than 7 records, and no end, in turn 1, phase play: the log stays; --max-records lets it"
            with pytest.raises(PlayError, match=told):
                play_on(prepared.new_game(dice), players, writer, most)
        assert read_log(tmp_path / f"{most}").records == 8


class _Again:
    """Gives recorded orders, one after the other, for whoever is asked."""

    def __init__(self, orders: list[OrderRecord[Any]]) -> None:
        self.orders = iter(orders)

    def choose(self, decision: Any, view: Any) -> Any:
        return next(self.orders).order


def test_why_a_log_cannot_be_gone_on_with_is_told(
    game: Recorded, toy_game: Recorded, record: Play, rulesets: Rulesets, tmp_path: Path
) -> None:
    path = tmp_path / "log"
    path.write_bytes(game.data.replace(b'"n":3', b'"n":4', 1))
    cut = f"if a power cut did it, `sandtable log repair {path}` cuts off"
    told = f"was altered: only a whole log can be gone on with; {cut}"
    with pytest.raises(LogDamaged, match=f"^{path}: line 4: {told} the last write$"):
        resume(path, rulesets)
    lines = toy_game.data.splitlines(keepends=True)
    opening = next(line for line in lines if line.startswith(OPENING) and b'"n":0,' not in line)
    path.write_bytes(toy_game.data.replace(opening, opening.replace(b'"space":', b'"space":1')))
    with pytest.raises(LogDamaged, match=rf"^{path}: the opening of record .*: only a whole log can be gone on with$"):
        resume(path, rulesets)
    path.write_bytes(game.data[:-5])
    with pytest.raises(LogTorn, match=rf"^{path}: the last line was cut off: `sandtable log repair {path}` first$"):
        resume(path, rulesets)
    path.write_bytes(lines[0])
    with pytest.raises(PlayError, match=r"the game was never begun: it was stopped before its first line was whole"):
        resume(path, rulesets)
    hidden = record(mode="host").data  # begun with its header: the key is elsewhere
    for data, records in ((toy_game.data, 1), (hidden, 0)):
        path.write_bytes(b"".join(chain_in(data)[: records + 1]))
        with pytest.raises(
            PlayError, match=r"its dice key is not in the log, and there is no .*log\.key: name the file with"
        ):
            resume(path, rulesets)
