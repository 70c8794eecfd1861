"""Programs that play a side of a small game, and checks for their remains."""

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandtable.journal.format.header import make_dice, make_header
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.players.players import name_seats, seat_players
from sandtable.players.processes import channel
from sandtable.players.processes.bot import ProcessBot
from sandtable.players.processes.limits import Limits, fence
from sandtable.players.processes.supervised import SupervisedBot, play_guarded
from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import tictactoe

LIMITS = Limits(seconds=60, start_seconds=60, memory_mb=128, processes=8)
"""Limits that no bot reaches, even on a busy machine."""
PRESSED = replace(LIMITS, seconds=1)
"""Limits for a bot that never answers and needs no time before that."""
Command = tuple[str, ...]


@pytest.fixture(scope="session")
def tictactoe_game() -> Prepared:
    return Installed("tictactoe", tictactoe, "built in").prepare()


@pytest.fixture(params=["fenced", "bare"])
def fenced(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return whether the bots have their own namespaces. Without them, the supervisor must clean up."""
    if request.param == "bare":
        monkeypatch.setattr(channel, "fence", lambda: ())
        return False
    if not fence():
        pytest.skip("this system gives us no namespaces")
    return True


@pytest.fixture(autouse=True)
def bot_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create the folders of all bots in this one."""
    place = tmp_path / "bot_folders"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def bots() -> Iterator[list[ProcessBot]]:
    made: list[ProcessBot] = []
    yield made
    for bot in made:
        bot.close()


@pytest.fixture
def entered(
    tictactoe_game: Prepared, bots: list[ProcessBot]
) -> Callable[..., tuple[SupervisedBot, dict[str, ProcessBot]]]:
    """Return a function that plays a game with a command for each of some sides, and random players for the others."""

    def playing(
        commands: Mapping[str, Command],
        seed: str = "bots",
        limits: Limits | Mapping[str, Limits] = LIMITS,
        prepared: Prepared = tictactoe_game,
        mode: str = "open",
    ) -> tuple[SupervisedBot, dict[str, ProcessBot]]:
        key = key_from_seed(seed)
        names = name_seats(prepared, {})
        players: dict[str, Any] = dict(seat_players(prepared, names, key))
        dice = make_dice(mode, key)
        mine = {
            side: ProcessBot(
                command,
                prepared,
                side,
                Stream.for_player(key, side),
                limits if isinstance(limits, Limits) else limits.get(side, LIMITS),
                name=f"the {side} bot",
            )
            for side, command in commands.items()
        }
        bots.extend(mine.values())
        players |= {seat: mine[side] for seat, side in prepared.ruleset.seats.items() if side in mine}
        return play_guarded(prepared, players, dice, make_header(prepared, names, dice)), mine

    return playing


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., Command]:
    """Return a function that makes a bot from the lines of a loop: ``m`` is the message, ``say`` writes one."""

    def making(*lines: str, ready: str = 'say(type="ready", protocol=1)') -> Command:
        body = "\n".join(f"    {line}" for line in lines or ("answer(m)",))
        path = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        path.write_text(FRAME.format(ready=ready, body=body), encoding="utf-8")
        return (sys.executable, str(path))

    return making


FRAME = """\
import json, os, sys, time
def say(**m):
    sys.stdout.write(json.dumps(m) + "\\n")
    sys.stdout.flush()
def hear():
    line = sys.stdin.readline()
    return json.loads(line) if line else dict(type="end")
def answer(m):
    say(type="answer", id=m["id"], order=m["options"]["orders"][0])
hello = hear()
{ready}
while (m := hear())["type"] != "end":
{body}
"""
