"""Bots that try to stop the event: each forfeits its game, and nothing of it remains."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import misbehaving
import pytest
from misbehaving import alive
from tests.framework.players.processes.conftest import LIMITS, PRESSED

from sandtable.players.processes.limits import fence

Entered = Callable[..., Any]
QUICK = ("busy", "family_memory", "forks", "orphan", "kills_parent", "gigabyte_line", "garbage", "twice", "illegal")
GAMES = 20


def command(behavior: str, when: int, token: str) -> tuple[str, ...]:
    return (sys.executable, misbehaving.__file__, behavior, str(when), token)


@pytest.mark.full
@pytest.mark.parametrize("behavior", QUICK)
def test_misbehaving_bot_forfeits_and_leaves_nothing(
    entered: Entered, behavior: str, fenced: bool, bot_folders: Path
) -> None:
    token = f"quick-{behavior}-{fenced}"
    expected = misbehaving.expected(behavior, 2, fenced=fenced)
    when, limits = (1, PRESSED) if expected == "time" else (2, LIMITS)
    played, bots = entered({"x": command(behavior, when, token)}, limits=limits)
    assert bots["x"].verdict == expected, played.fault
    assert (played.outcome, played.ending) == ("o", "forfeit")
    assert bots["x"].decisions == (2 if behavior == "twice" else when - 1)
    assert alive(token) == []
    assert not list(bot_folders.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("behavior", misbehaving.BEHAVIORS)
def test_games_with_misbehaving_bots_finish(entered: Entered, behavior: str, bot_folders: Path) -> None:
    """Twenty games of each behavior: on both sides, at every point of the game, against random or another program."""
    token = f"slow-{behavior}"
    for game in range(GAMES):
        side = "xo"[game % 2]
        when = game // 2 % (4 if side == "x" else 3)
        sides = {side: command(behavior, when, token)}
        if game >= GAMES // 2:
            sides |= {"xo"[1 - game % 2]: command("none", 0, token)}
        expected = misbehaving.expected(behavior, when, fenced=bool(fence()))
        late = {"time": {"seconds": 2}, "start": {"start_seconds": 2}}.get(expected, {})
        played, bots = entered(sides, seed=f"{behavior}/{game}", limits={side: replace(LIMITS, **late)})
        assert bots[side].verdict == expected, f"game {game}: {played.fault}"
        assert (played.fault is None) == (expected == "ok")
    assert alive(token) == []
    assert not list(bot_folders.iterdir())
