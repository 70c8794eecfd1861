"""Fold, undo, rulings and resume: a log leads back to every state it went through."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.errors import LogDamaged, LogError, PlayError
from sandtable.journal.file.log import parse_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.fold import fold_log, plain
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.format.openings import OPENING
from sandtable.journal.record import Recorded, log_bytes, play_on
from sandtable.journal.repair import repair
from sandtable.journal.resume import resume
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.tictactoe import Mark, Marked


class Sampler:
    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, decision: Decision, view: View) -> Order:
        order: Order = decision.options.sample(self.stream)
        return order


def test_folding_to_each_record_gives_the_state_that_was(game: Recorded, prepared: Prepared) -> None:
    log = parse_log(game.data, "log")
    again = prepared.new_game(make_dice("open", key_from_seed("a")))
    again.start()
    orders = [record.order for record in game.game.records if hasattr(record, "order")]
    for order in orders:
        again.submit(order)
        assert fold_log(log, prepared, len(again.records)) == again.state
    assert again.is_over


def finish(game: Game) -> None:
    while game.pending is not None:
        game.submit(next(iter(game.waiting()[0].options.values())))


def test_undone_orders_stay_in_the_log_and_count_no_more(prepared: Prepared) -> None:
    dice = make_dice("open", key_from_seed("u"))
    game = prepared.new_game(dice)
    game.start()
    for cell in (0, 1, 2):
        game.submit(Mark(cell))
    game.undo("x")
    game.undo("o")
    assert plain(game.state)["cells"] == ["x", *[""] * 8]
    game.submit(Mark(8))
    header = make_header(prepared, {"x": "human", "o": "human"}, dice)
    log = parse_log(log_bytes(header, game)[0], "log")
    assert fold_log(log, prepared) == game.state
    finish(game)
    log = parse_log(log_bytes(header, game)[0], "log")
    assert verify(log, prepared, deep=True).verdict == "verified"
    assert sum(b'"kind":"undo"' in line for line in log.lines) == 2


def test_a_ruling_is_in_the_log_and_verifies(prepared: Prepared) -> None:
    dice = make_dice("open", key_from_seed("r"))
    game = prepared.new_game(dice)
    game.start()
    game.rule(Marked("x", 4), "x's pen had run dry")
    assert plain(game.state)["cells"][4] == "x"
    assert Mark(4) not in list(game.waiting()[0].options.values())
    finish(game)
    log = parse_log(log_bytes(make_header(prepared, {}, dice), game)[0], "log")
    assert verify(log, prepared, deep=True).verdict == "verified"
    assert fold_log(log, prepared) == game.state


@pytest.mark.full
@pytest.mark.parametrize("mode", ["open", "host", "manual"])
@pytest.mark.parametrize("ruleset", ["tictactoe", "toy"])
def test_a_game_cut_off_after_any_record_goes_on_to_the_same_bytes(
    mode: str, ruleset: str, record: Callable[..., Recorded], rulesets: Rulesets, tmp_path: Path
) -> None:
    whole = record(mode=mode, ruleset=ruleset)
    key = key_from_seed("a")
    lines = whole.data.splitlines(keepends=True)
    ends = [end for end in range(2, len(lines)) if not lines[end - 1].startswith(OPENING)]
    for end in ends[::3]:
        path = tmp_path / f"{end}.jsonl"
        path.write_bytes(b"".join(lines[:end]))
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
    """Throw a value away."""


def test_resume_refuses_what_it_cannot_go_on_with(
    record: Callable[..., Recorded], rulesets: Rulesets, tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(record().data)
    with pytest.raises(PlayError, match="the game is over"):
        resume(path, rulesets)
    host = record(mode="host").data.splitlines(keepends=True)
    path.write_bytes(b"".join(host[:6]))
    with pytest.raises(PlayError, match="--key"):
        resume(path, rulesets)
    with pytest.raises(LogDamaged, match="committed to"):
        resume(path, rulesets, key=key_from_seed("wrong"))
    path.write_bytes(b"".join(host[:6])[:-3])
    with pytest.raises(LogError, match="sandtable log repair"):
        resume(path, rulesets, key=key_from_seed("a"))


def test_repair_cuts_the_torn_line_and_keeps_the_old_file(game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(game.data[:-20])
    lost, kept = repair(path)
    assert kept is not None
    assert kept.read_bytes() == game.data[:-20]
    assert path.read_bytes() == b"".join(game.data.splitlines(keepends=True)[:-1])
    assert lost == len(game.data) - 20 - len(path.read_bytes())
    assert repair(path) == (0, None)
    path.write_bytes(game.data.replace(b'"cell":4', b'"cell":5') if b'"cell":4' in game.data else game.data[5:])
    before = path.read_bytes()
    with pytest.raises(LogError):
        repair(path)
    assert path.read_bytes() == before


def orders_of(lines: list[bytes]) -> list[int]:
    return [place for place, line in enumerate(lines) if line.startswith(b'{"kind":"order"')]


def test_what_a_power_cut_left_of_the_last_write_is_cut_off_and_nothing_more(
    record: Callable[..., Recorded], tmp_path: Path
) -> None:
    """A disk may write the sectors of one write in any order: lines in front are lost while later ones are there."""
    path, lines = tmp_path / "log.jsonl", record(ruleset="toy").data.splitlines(keepends=True)
    *_, before, last = orders_of(lines)
    for hurt in range(last, len(lines)):
        whole = next(place for place in range(hurt, 0, -1) if not lines[place - 1].startswith(OPENING))
        for left in (bytes(len(lines[hurt]) - 1) + b"\n", b"\xff\r" + lines[hurt][2:], b"9\n"):
            path.write_bytes(b"".join([*lines[:hurt], left, *lines[hurt + 1 :]]))
            assert repair(path)[0] > 0
            assert path.read_bytes() == b"".join(lines[:whole])
    altered = lines[last].replace(b'"n":', b'"n":1')
    for hurt, left in ((before, bytes(9) + b"\n"), (1, bytes(9) + b"\n"), (last, altered)):
        path.write_bytes(b"".join([*lines[:hurt], left, *lines[hurt + 1 :]]))
        with pytest.raises(LogError):  # an order stands behind it, so this had been on the disk; or it can be read
            repair(path)


def test_a_writer_that_goes_on_continues_the_chain(game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with LogWriter.create(path, game.header, game.form) as writer:
        writer.put(game.game.records[:7])
    writer, log = LogWriter.reopen(path)
    writer.form = game.form
    with writer:
        assert log.records == 7
        writer.put(game.game.records)
    assert path.read_bytes() == game.data
