"""Interrupted games resume to the same bytes, with one writer and the right key."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cutting import chain_in, cut_after, writes_in

from sandtable.errors import DataError, LogDamaged, LogTorn, LogWriteFailed, PlayError
from sandtable.journal.file.keys import keep_key, kept_key, key_file
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.openings import OPENING
from sandtable.journal.record import Recorded, play_on
from sandtable.journal.resume import resume
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Prepared, Rulesets


class Sampler:
    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, decision: Decision, view: View) -> Order:
        order: Order = decision.options.sample(self.stream)
        return order


@pytest.mark.full
@pytest.mark.parametrize("mode", ["open", "host", "manual"])
@pytest.mark.parametrize("ruleset", ["tictactoe", "toy"])
def test_game_cut_off_after_any_write_resumes_to_the_same_bytes(
    mode: str, ruleset: str, record: Callable[..., Recorded], rulesets: Rulesets, tmp_path: Path
) -> None:
    whole = record(mode=mode, ruleset=ruleset)
    key = key_from_seed("a")
    writes = writes_in(whole.data)
    for end in range(1, len(writes), 2):
        path = tmp_path / f"{end}.jsonl"
        path.write_bytes(b"".join(writes[:end]))
        players: dict[str, Sampler] = {}

        def ask_again(
            prepared: Prepared, key: bytes, game: Game, seats: dict[str, Sampler] = players
        ) -> Callable[[Decision], None]:
            seats.update({seat: Sampler(Stream.for_player(key, seat)) for seat in prepared.ruleset.seats})
            return lambda decision: void(seats[decision.seat].choose(decision, View("", game.view)))

        resumed = resume(path, rulesets, key=None if mode == "open" else key, before=ask_again)
        with resumed.writer as writer:
            play_on(resumed.game, players, writer)
        assert path.read_bytes() == whole.data


def void(_: object) -> None:
    """Discard a value."""


KEY = bytes(range(32))
Play = Callable[..., Recorded]


@pytest.mark.parametrize("mode", ["host", "manual"])
def test_resume_finds_the_key_file_of_the_log(record: Play, rulesets: Rulesets, tmp_path: Path, mode: str) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"".join(writes_in(record("a", mode).data)[:3]))
    with pytest.raises(PlayError, match=r"its dice key is not in the log, and there is no .*a\.jsonl\.key"):
        resume(log, rulesets)
    keep_key(log, KEY)
    with pytest.raises(DataError, match=r"a\.jsonl\.key: is not the key of .*a\.jsonl: its header commits"):
        resume(log, rulesets)
    with pytest.raises(LogWriteFailed, match="File exists"):
        keep_key(log, key_from_seed("a"))
    keep_key(log, key_from_seed("a"), replace=True)
    key_file(log).unlink()
    keep_key(log, key_from_seed("a"), replace=True)  # whether a key file exists or not
    with resume(log, rulesets).writer:
        assert kept_key(log, record("a", mode).header) == key_from_seed("a")


def test_leftover_key_file_of_a_finished_game_is_removed(record: Play, rulesets: Rulesets, tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(record("a", "host").data)
    keep_key(log, key_from_seed("a"))  # killed after the close was written
    with pytest.raises(PlayError, match="the game is over"):
        resume(log, rulesets)
    assert not key_file(log).exists()


BUSY = "another process is writing"


@pytest.fixture
def half(game: Recorded, tmp_path: Path) -> Path:
    """Return the log of a game that was interrupted."""
    path = tmp_path / "half.jsonl"
    path.write_bytes(b"".join(writes_in(game.data)[:3]))
    return path


@pytest.mark.full
def test_second_resume_is_refused_during_the_first_rerun(half: Path, rulesets: Rulesets) -> None:
    def meanwhile(prepared: Prepared, key: bytes, game: Game) -> Callable[[Decision], None]:
        with pytest.raises(LogWriteFailed, match=BUSY):
            resume(half, rulesets)
        return lambda _: None

    resume(half, rulesets, before=meanwhile).writer.close()
    resume(half, rulesets).writer.close()


def test_failed_resume_releases_the_log(half: Path, rulesets: Rulesets) -> None:
    def broken(prepared: Prepared, key: bytes, game: Game) -> Callable[[Decision], None]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        resume(half, rulesets, before=broken)
    resume(half, rulesets).writer.close()


def test_log_changed_without_a_lock_is_not_continued(half: Path, rulesets: Rulesets) -> None:
    before = half.read_bytes()

    def meanwhile(prepared: Prepared, key: bytes, game: Game) -> Callable[[Decision], None]:
        half.write_bytes(before + b"words")
        return lambda _: None

    with pytest.raises(LogWriteFailed, match="another program has changed the file"):
        resume(half, rulesets, before=meanwhile)
    assert half.read_bytes() == before + b"words"


def test_resumed_game_waits_for_the_disk_unless_not_durable(game: Recorded, rulesets: Rulesets, tmp_path: Path) -> None:
    path = tmp_path / "log"
    for how, waits in (({}, True), ({"durable": False}, False), ({"durable": True}, True)):
        path.write_bytes(b"".join(writes_in(game.data)[:3]))
        with resume(path, rulesets, **how).writer as writer:  # type: ignore[arg-type]  # mypy joins the dicts to object
            assert writer.durable is waits
    writer, _ = LogWriter.reopen(path)
    with writer:
        assert not writer.durable
    rubbish = bytes(9) + b"\n" + writes_in(game.data)[3].partition(b"\n")[2]
    path.write_bytes(b"".join([*writes_in(game.data)[:3], rubbish]))
    for repairing, torn in (({}, b""), ({"repairing": True}, rubbish)):
        writer, log = LogWriter.reopen(path, **repairing)
        with writer:
            assert (log.broken is None, log.torn) == (bool(torn), torn)


def test_log_that_cannot_be_resumed_is_refused_with_a_reason(
    game: Recorded, toy_game: Recorded, record: Play, rulesets: Rulesets, tmp_path: Path
) -> None:
    path = tmp_path / "log"
    path.write_bytes(game.data.replace(b'"n":3', b'"n":4', 1))
    cut = f"after a power cut, `sandtable log repair {path}` cuts off"
    reason = f"was altered: only an intact log can be resumed; {cut}"
    with pytest.raises(LogDamaged, match=f"^{path}: line 4: {reason} the last write$"):
        resume(path, rulesets)
    lines = toy_game.data.splitlines(keepends=True)
    opening = next(line for line in lines if line.startswith(OPENING) and b'"n":0,' not in line)
    path.write_bytes(toy_game.data.replace(opening, opening.replace(b'"space":', b'"space":1')))
    with pytest.raises(LogDamaged, match=rf"^{path}: the opening of record .*: only an intact log can be resumed$"):
        resume(path, rulesets)
    path.write_bytes(game.data[:-5])
    with pytest.raises(LogTorn, match=rf"^{path}: the last line was cut off: use `sandtable log repair {path}` first$"):
        resume(path, rulesets)
    path.write_bytes(lines[0])
    with pytest.raises(PlayError, match=r"the game was never started"):
        resume(path, rulesets)
    path.write_bytes(cut_after(game.data, 1))
    with pytest.raises(LogDamaged, match=rf"^{path}: ends after record 1, in the middle of the consequences"):
        resume(path, rulesets)
    hidden = record(mode="host").data  # started with its header: the key is elsewhere
    closed = r"the secrets of its header are neither in the log nor in .*log\.private"
    no_key = r"its dice key is not in the log, and there is no .*log\.key: name the key file \(--key\)$"
    for data, records, missing in ((toy_game.data, 1, closed), (hidden, 0, no_key)):
        path.write_bytes(b"".join(chain_in(data)[: records + 1]))
        with pytest.raises(PlayError, match=missing):
            resume(path, rulesets)
