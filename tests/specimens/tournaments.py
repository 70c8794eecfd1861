"""Tournaments that are small enough to play in a test."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from sandtable.lab.tournament.manifest import TournamentManifest, parse_manifest
from sandtable.lab.tournament.preparing import Stage, set_stage
from sandtable.lab.tournament.store import FILE
from sandtable.plugin.manager import Rulesets

RULESETS = Path(__file__).parents[1] / "framework" / "lab" / "tournament" / "rulesets"
TEXT = """
[tournament]
title = "Skirmishes"
seed = "m"
games = 6

[[contest]]
ruleset = "skirmish"

[[contest]]
ruleset = "skirmish"
scenario = "skirmish_dawn.toml"

[[entrant]]
name = "bold"
player = "brave"

[[entrant]]
name = "blind"
players = { skirmish = "random" }

[[entrant]]
name = "stubborn"
player = "first"
"""
HEAP = """
[tournament]
title = "Heaps"
seed = "h"
games = 4
[[contest]]
ruleset = "heap"
[[entrant]]
name = "a"
player = "random"
[[entrant]]
name = "b"
player = "tuned"
settings = { stones = 2 }
[[entrant]]
name = "c"
player = "tuned"
[[entrant]]
name = "d"
player = "random"
"""


def event_of(ruleset: str, *, games: int = 2, head: str = "", contest: str = "", **entrants: str) -> str:
    """Return a manifest with one contest. ``entrants`` are players by name, ``head`` and ``contest`` more lines."""
    rows = "".join(f'[[entrant]]\nname = "{name}"\nplayer = "{player}"\n' for name, player in entrants.items())
    tournament = f'[tournament]\ntitle = "Event"\nseed = "s"\ngames = {games}\n{head}\n'
    return f'{tournament}[[contest]]\nruleset = "{ruleset}"\n{contest}\n{rows}'


def sandtable(*words: object, code: int | None = 0) -> "subprocess.CompletedProcess[str]":
    """Run ``sandtable tournament`` in a process, with the rulesets of these tests.

    Raises AssertionError if the exit status is not ``code``. None accepts any status.
    """
    command = [sys.executable, "-m", "sandtable", "tournament", *map(str, words), "--plugins-dir", str(RULESETS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert code is None or done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def manifest_of(text: str) -> TournamentManifest:
    return TournamentManifest(text, str(RULESETS), parse_manifest(text, "manifest"))


def stage_of(text: str, rulesets: Rulesets) -> Stage:
    return set_stage(parse_manifest(text, "manifest"), rulesets, str(RULESETS))


@contextmanager
def base_of(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open the file of a tournament to read or alter it. Changes are committed, and the file is closed."""
    with closing(sqlite3.connect(folder / FILE)) as base, base:
        yield base


def noted_bases(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """Return a list of all database connections that are opened from now on."""
    opened = list[sqlite3.Connection]()
    connect = sqlite3.connect

    def noted(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        opened.append(connect(*args, **kwargs))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", noted)
    return opened


def is_open(base: sqlite3.Connection) -> bool:
    """Return whether the connection is open."""
    try:
        base.total_changes  # noqa: B018 - a closed connection refuses it
    except sqlite3.ProgrammingError:
        return False
    return True
