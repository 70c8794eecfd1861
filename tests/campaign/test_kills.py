"""Kill -9 at any moment: the log opens, is whole to the last acknowledged order, and goes on to the same bytes."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sandtable.journal.file.log import read_log
from sandtable.journal.repair import repair

CHILD = """
import os, sys
from sandtable.players.players import RandomPlayer
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_into_file
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.plugin.manager import Rulesets

path, seed = sys.argv[1:]
prepared = Rulesets().load("desert_aa").prepare()
dice = make_dice("open", key_from_seed(seed))

class Acknowledging(RandomPlayer):
    asked = 0
    def choose(self, decision, view):
        # being asked again means that every order before is acknowledged
        os.write(1, b"%d\\n" % Acknowledging.asked)
        Acknowledging.asked += 1
        return super().choose(decision, view)

seats = [seat for seat in prepared.ruleset.seats]
players = {seat: Acknowledging(Stream.for_player(dice.key, seat)) for seat in seats}
play_into_file(prepared, players, dice, make_header(prepared, dict.fromkeys(seats, "random"), dice), path, durable=True)
"""


def orders_in(path: Path) -> int:
    return sum(line.startswith(b'{"kind":"order"') for line in read_log(path).lines)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(10))
def test_twenty_kills(batch: int, tmp_path: Path) -> None:
    dice = random.Random(batch)  # noqa: S311 - moments to kill at, not secrets
    torn = 0
    for number in range(20):
        path = tmp_path / f"{number}.jsonl"
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(path), f"kill-{batch}-{number}"], stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(dice.random() * 0.4)
        child.send_signal(signal.SIGKILL)
        told = child.stdout.read().split()
        child.wait()
        child.stdout.close()
        acknowledged = int(told[-1]) if told else 0
        torn += repair(path)[0] > 0
        assert orders_in(path) >= acknowledged
        goes_on(path)


def goes_on(path: Path) -> None:
    """Let the command line go on with ``path``, and verify it."""
    closed = read_log(path).lines[-1].startswith(b'{"kind":"close"')
    if not closed:
        run("resume", str(path))
    run("verify", str(path))


def run(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "sandtable", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_killed_and_resumed_games_are_byte_for_byte_the_unbroken_one(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    run("play", "desert_aa", "--seed", "unbroken", "--out", str(whole))
    dice = random.Random(1)  # noqa: S311 - moments to kill at, not secrets
    for number in range(20):
        path = tmp_path / f"{number}.jsonl"
        child = subprocess.Popen(
            [sys.executable, "-m", "sandtable", "play", "desert_aa", "--seed", "unbroken", "--out", str(path)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONHASHSEED": str(number)},
        )
        time.sleep(0.15 + dice.random() * 0.3)
        child.kill()
        child.wait()
        if not path.exists() or b"\n" not in path.read_bytes():
            continue  # killed before the header was written: nothing was acknowledged
        repair(path)
        goes_on(path)
        assert without_annex(path) == without_annex(whole)


def without_annex(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().splitlines() if not line.startswith(b'{"kind":"annex"')]
