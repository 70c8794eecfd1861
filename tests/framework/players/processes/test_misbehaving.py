"""Bots that do all they can to stop the event; each forfeits its game, and nothing of it is left."""

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


def command(behaviour: str, when: int, token: str) -> tuple[str, ...]:
    return (sys.executable, misbehaving.__file__, behaviour, str(when), token)


@pytest.mark.full
@pytest.mark.parametrize("behaviour", QUICK)
def test_a_bad_bot_forfeits_and_nothing_of_it_is_left(
    entered: Entered, behaviour: str, fenced: bool, rooms: Path
) -> None:
    token = f"quick-{behaviour}-{fenced}"
    wanted = misbehaving.expected(behaviour, 2, fenced=fenced)
    when, limits = (1, PRESSED) if wanted == "time" else (2, LIMITS)
    played, bots = entered({"x": command(behaviour, when, token)}, limits=limits)
    assert bots["x"].verdict == wanted, played.fault
    assert (played.outcome, played.ending) == ("o", "forfeit")
    assert bots["x"].decisions == (2 if behaviour == "twice" else when - 1)
    assert alive(token) == []
    assert not list(rooms.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", misbehaving.BEHAVIOURS)
def test_every_schedule_finishes(entered: Entered, behaviour: str, rooms: Path) -> None:
    """Twenty games of each: on both sides, at every place in the game, against chance or another program."""
    token = f"slow-{behaviour}"
    for game in range(GAMES):
        side = "xo"[game % 2]
        when = game // 2 % (4 if side == "x" else 3)
        sides = {side: command(behaviour, when, token)}
        if game >= GAMES // 2:
            sides |= {"xo"[1 - game % 2]: command("none", 0, token)}
        wanted = misbehaving.expected(behaviour, when, fenced=bool(fence()))
        late = {"time": {"seconds": 2}, "start": {"start_seconds": 2}}.get(wanted, {})
        played, bots = entered(sides, seed=f"{behaviour}/{game}", limits={side: replace(LIMITS, **late)})
        assert bots[side].verdict == wanted, f"game {game}: {played.fault}"
        assert (played.fault is None) == (wanted == "ok")
    assert alive(token) == []
    assert not list(rooms.iterdir())
