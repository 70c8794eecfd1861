"""The power goes at any moment: the log opens, holds every acknowledged order, nothing else, and the game goes on."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from figures_of_campaigns import Share
from power import Watch

from sandtable.errors import PlayError, SandtableError
from sandtable.journal.file.keys import drop_key, keep_key
from sandtable.journal.file.log import Log, read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.header import PERSON, make_dice, make_header, person_plays
from sandtable.journal.record import form_for, play_on
from sandtable.journal.repair import repair
from sandtable.journal.resume import resume
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.players.players import RandomPlayer
from sandtable.plugin.manager import Prepared, Rulesets

CUTS = 20_000
PROMISE = "nothing acknowledged is lost"
SESSIONS = [("toy", "open", ""), ("toy", "open", PERSON), ("toy", "host", PERSON), ("desert_aa", "host", PERSON)]
SEEDS = {"toy": 25, "desert_aa": 2}
SALTS = bytes(range(32))


class Acknowledging(RandomPlayer):
    """Plays at random, and notes at each question how many orders stand in the log by then."""

    given = 0

    def __init__(self, stream: Stream, watch: Watch) -> None:
        super().__init__(stream)
        self.watch = watch

    def choose(self, decision: Any, view: Any) -> Any:
        self.watch.mark = Acknowledging.given
        Acknowledging.given += 1
        return super().choose(decision, view)


def session(prepared: Prepared, mode: str, person: str, seed: str, watch: Watch) -> bytes:
    """Play a game into the folder of ``watch`` as people do; return its whole log."""
    key, path = key_from_seed(seed), watch.folder / "game.jsonl"
    names = dict.fromkeys(prepared.ruleset.seats, person or "random")
    salted = mode == "open" and prepared.ruleset.hidden and person_plays(prepared.ruleset, names)
    dice = make_dice(mode, key, SALTS if salted else b"")
    game, header = prepared.new_game(dice), make_header(prepared, names, dice)
    Acknowledging.given = 0

    def keep() -> None:
        keep_key(path, key)

    writer = LogWriter.create(
        path,
        header,
        form_for(header, prepared.ruleset, dice),
        durable=True,
        private=person_plays(prepared.ruleset, names),
        first=None if mode == "open" else keep,
    )
    with writer:
        players = {seat: Acknowledging(Stream.for_player(key, seat), watch) for seat in prepared.ruleset.seats}
        play_on(game, players, writer)
    drop_key(path, key)
    watch.mark = Acknowledging.given
    watch.note()
    return path.read_bytes()


def orders_in(log: Log) -> int:
    return sum(line.startswith(b'{"kind":"order"') for line in log.lines)


def what_is_lost(path: Path, acknowledged: int, whole: bytes, rulesets: Rulesets) -> str:
    """Open, repair and take up what is left of a log; return what is wrong, "" for nothing."""
    if not path.exists() or not path.read_bytes().startswith(whole[: whole.index(b"\n") + 1]):
        return f"{acknowledged} orders and no log" if acknowledged else ""  # a game that was never begun
    try:
        repair(path)
        log = read_log(path)
        if orders_in(log) < acknowledged:
            return f"{orders_in(log)} orders of {acknowledged}"
        alien = set(log.lines) - set(whole.splitlines())
        if alien:
            return f"a line that nobody wrote: {min(alien)[:80]!r}"
        with suppress(PlayError):  # the game is over, or was never begun
            resume(path, rulesets, durable=False).writer.close()
        if acknowledged and not orders_in(read_log(path)):
            return "the game cannot be taken up"
    except SandtableError as error:
        return str(error)
    return ""


def cuts(rng: Random, watch: Watch, folder: Path, most: int) -> Iterator[int]:
    """Lay out ``most`` power cuts in ``folder``, one after the other; yield what had been acknowledged."""
    for _ in range(most):
        for file in folder.iterdir():
            file.unlink()
        moment, mark = rng.choice(watch.moments)
        moment.cut(rng, folder)
        yield mark


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "mode", "person"), SESSIONS)
def test_a_power_cut_costs_no_order_that_was_acknowledged(
    ruleset: str, mode: str, person: str, campaign: Share, tmp_path: Path
) -> None:
    rulesets = Rulesets()
    prepared = rulesets.load(ruleset).prepare()
    games = min(SEEDS[ruleset], campaign.of(CUTS))
    each = campaign.of(CUTS) // len(SESSIONS) // games + 1
    failures: list[str] = []
    for number in range(games):
        rng = campaign.rng("power", ruleset, mode, person, number)
        folder, left = tmp_path / f"{number}", tmp_path / f"{number}-left"
        folder.mkdir()
        left.mkdir()
        with Watch(folder.resolve()).on() as watch:
            whole = session(prepared, mode, person, f"{campaign.seed}/{number}", watch)
        for place, acknowledged in enumerate(cuts(rng, watch, left, each)):
            wrong = what_is_lost(left / "game.jsonl", acknowledged, whole, rulesets)
            if wrong:
                failures.append(f"game {number}, cut {place}: {wrong}")
    campaign.tried(PROMISE, "power cuts while a game was written", games * each, failures)
