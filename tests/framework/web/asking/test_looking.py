"""Looks at the board: reach, zone, sight and supply of any counter, from the viewer's view alone and in time."""

import time
from collections import deque
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import fold_steps, read_records
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.simulator import clock_of, dealt
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.viewer.film.camera import Camera
from sandtable.web.asking.looking import Look
from sandtable.web.asking.places import Whereabouts

REPLAYS = Path(__file__).parents[4] / "replays"
RULESETS = Rulesets().ids()
MOST = 40
"""Number of counters and places that are looked at."""
PATIENCE = 0.1
"""Seconds of the processor for a look; a median over many."""


@cache
def halfway(ruleset: str) -> tuple[Prepared, Any]:
    """Return the shortest recorded game of a ruleset and its state in the middle."""
    file = min((REPLAYS / ruleset).glob("*.jsonl"), key=lambda each: each.stat().st_size)
    log = read_log(file)
    prepared = Rulesets().load(ruleset).prepare(log.header.scenario, dict(log.header.options))
    records = list(read_records(log, prepared.ruleset))
    ((_, state),) = deque(fold_steps(records[: len(records) // 2], prepared), maxlen=1)
    return prepared, state


def look(prepared: Prepared, state: Any, viewer: str) -> tuple[Look, list[str]]:
    """Return a look through the view of a viewer, and the counters, places and units that it can be at."""
    camera = Camera(prepared, viewer)
    camera.take(0, state)
    view = prepared.ruleset.view(state, viewer)
    places = camera.board.facts()["places"] if camera.board is not None else {}
    known = {key[2:] for key in camera.frames.keys if key.startswith("c:")} | set(places)
    where = Whereabouts(known, places, view)
    units = [unit for place in places for unit in where.units_at(place)]
    things = sorted(known | set(units))
    return Look(prepared, view, where), things[:: max(1, len(things) // MOST)]


def shown(prepared: Prepared, state: Any, viewer: str, things: list[str]) -> bytes:
    """Return all answers about some things, as they are sent."""
    found, _ = look(prepared, state, viewer)
    return msgspec.json.encode([[each, found.at(each)] for each in things])


@pytest.mark.full
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_viewer_may_look_at_everything_on_the_board(ruleset: str) -> None:
    prepared, state = halfway(ruleset)
    for viewer in (*prepared.ruleset.viewers, UMPIRE, PUBLIC):
        found, things = look(prepared, state, viewer)
        answers = {each.name for thing in things for each in found.at(thing)}
        assert answers <= set(found.names)
        assert bool(answers) == bool(things) or viewer == PUBLIC


@pytest.mark.full
@pytest.mark.parametrize("ruleset", [each for each in RULESETS if Rulesets().load(each).manifest.hidden])
def test_secrets_of_others_change_no_look(ruleset: str) -> None:
    """Two worlds that a side cannot tell apart, on one board with its caches: the answers are equal, byte by byte."""
    prepared, state = halfway(ruleset)
    deal = prepared.installed.bots.deal
    assert deal is not None
    for side in prepared.ruleset.viewers:
        seen = prepared.ruleset.view(state, side)
        stream = Stream.for_player(b"swap", side)
        other = dealt(deal, (seen, seen), side, prepared.board, stream, clock_of(state))
        assert prepared.ruleset.view(other, side) == seen
        _, things = look(prepared, state, UMPIRE)
        things += look(prepared, other, UMPIRE)[1]
        before = shown(prepared, state, side, things)
        shown(prepared, other, UMPIRE, things)
        assert shown(prepared, other, side, things) == before


def test_a_thing_that_is_not_on_the_board_has_no_answers() -> None:
    prepared, state = halfway("damos")
    found, things = look(prepared, state, "german")
    assert found.at("nothing") == []
    assert found.at(things[0], "nothing") == []
    assert found.at("; drop") == []


def test_units_of_a_place_are_looked_at_together() -> None:
    prepared, state = halfway("desert_aa")
    found, things = look(prepared, state, "axis")
    held = next(each for each in things if len(found.at(each)) > 1)
    names = [each.name for each in found.at(held)]
    assert names[0] == "supply"
    assert "reach" in names
    reach = next(each for each in found.at(held) if each.name == "reach")
    assert any(places for _, places in reach.lines[1:])


def test_line_of_sight_between_two_counters_is_answered() -> None:
    prepared, state = halfway("kampfpanzer")
    found, _ = look(prepared, state, UMPIRE)
    one, other = [each for each, unit in state.units.items() if unit.standing == "on_map"][:2]
    (answer,) = found.at(one, other)
    assert answer.name == "sees"
    assert answer.rules


@pytest.mark.full
@pytest.mark.parametrize("ruleset", RULESETS)
def test_looks_are_answered_within_a_tenth_of_a_second(ruleset: str) -> None:
    prepared, state = halfway(ruleset)
    found, things = look(prepared, state, prepared.ruleset.viewers[0])
    times = []
    for each in things:
        start = time.process_time()
        found.at(each)
        times.append(time.process_time() - start)
    assert sorted(times)[len(times) * 9 // 10] < PATIENCE if times else not found.at("")
