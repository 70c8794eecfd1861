"""Bots of a resumed game, which are made again after a ruling has set an option."""

from pathlib import Path
from typing import Any

import pytest
from command_line import Run
from cutting import asked_by, chain_in, questions_in
from rechained import lines_of

from sandtable.hosting.taking_up import Seating
from sandtable.journal.file.reading import read_log
from sandtable.journal.resume import resume
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Rulesets

GAME = ("--scenario", "spain", "--seed", "a", "--out", "game.jsonl", "--player", "nationalists=random")


@pytest.fixture
def ruled(run: Run) -> str:
    """Return a game of bots in which the option ``ft17_movement``, a figure of the board, was set in turn 1."""
    run("play", "kampfpanzer", *GAME, code=0)
    data = Path("game.jsonl").read_bytes()
    Path("game.jsonl").write_bytes(asked_by(data, sorted(questions_in(data))[2]))
    run("log", "rule", "game.jsonl", "--set", "ft17_movement=3", "--reason", "agreed", code=0)
    return "game.jsonl"


def seated(log: str) -> tuple[Game, Seating]:
    bots = Seating(read_log(log).header.players, {}, b"")
    resumed = resume(log, Rulesets(), before=bots.seat)
    with resumed.writer:
        bots.follow(resumed.game)
        return resumed.game, bots


@pytest.mark.full
def test_resumed_bots_use_the_board_of_the_ruling(ruled: str) -> None:
    game, bots = seated(ruled)
    assert game.state.board.kinds["FT17"].movement == 3
    boards: list[Any] = [player.board for player in bots.seated.values() if hasattr(player, "board")]
    assert boards
    assert all(each is game.state.board for each in boards)


@pytest.mark.full
def test_bots_continue_identically_after_a_second_interruption(run: Run, ruled: str) -> None:
    run("resume", ruled, code=0)
    whole = Path(ruled).read_bytes()
    played = chain_in(whole)
    Path(ruled).write_bytes(asked_by(whole, lines_of(Path(ruled))[-1]["n"] // 2))
    run("resume", ruled, code=0)
    assert chain_in(Path(ruled).read_bytes()) == played
    run("verify", ruled, "--deep", code=0)
