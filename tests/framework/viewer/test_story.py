"""The story of a running game: after each update it is the story of all records so far."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import prepare_for, read_records
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.events import TurnBegan
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.fuzz import fuzz_game
from sandtable.testing.toy import Commit, FrontMoved, LayAmbush
from sandtable.viewer.narrate import StoryLine
from sandtable.viewer.story import LiveStory, StoryUpdate, story_of

REPLAYS = Path(__file__).parents[3] / "replays"
RULESETS = Rulesets()
LOGS = [
    "axis_attack/german-home_sector-eastern_front",
    "damos/soviet-substantial-smolensk",
    "desert_aa/axis-capital_captured-ruled",
    "desert_aa/draw-round_limit",
    "kampfpanzer/russians-exited-summa",
    "khamsin/allies-broken-teaching",
]


def told(records: Sequence[Any], prepared: Prepared, viewer: str) -> list[StoryLine]:
    return story_of(records, prepared, "" if viewer == UMPIRE else viewer, "the log")[1]


def assert_story_is_that_of_the_log(
    records: Sequence[Any], prepared: Prepared, viewer: str, ends: Sequence[int]
) -> None:
    """Follow the records up to each of ``ends``; keep what a page of the viewer knows by updates from several marks."""
    live, page, at = LiveStory(prepared, viewer), list[StoryLine](), 0
    for place, end in enumerate(ends):
        live.follow(records[:end])
        assert live.lines == told(records[:end], prepared, viewer), f"after record {end}"
        if place % 3:  # the page misses some updates
            continue
        kept, lines = live.since(at)
        assert len(page) >= kept
        page[kept:] = lines
        at = records[end - 1].n if end else 0
        assert page == live.lines


@pytest.mark.full
@pytest.mark.parametrize("name", LOGS)
def test_live_story_of_a_golden_game_equals_that_of_its_log(name: str) -> None:
    log = read_log(REPLAYS / f"{name}.jsonl")
    prepared = prepare_for(log, RULESETS)
    records = read_records(log, prepared.ruleset)
    for viewer in (*prepared.ruleset.viewers, PUBLIC, UMPIRE):
        some = sorted({*random.Random(name).sample(range(len(records)), 24), len(records)})  # noqa: S311 - no secret
        assert_story_is_that_of_the_log(records, prepared, viewer, some)


@pytest.mark.full
@pytest.mark.parametrize("viewer", ["north", "south", PUBLIC, UMPIRE])
def test_live_story_of_the_toy_equals_that_of_its_log(ford: Prepared, viewer: str) -> None:
    records = fuzz_game(ford, "story").game.records
    assert_story_is_that_of_the_log(records, ford, viewer, range(len(records) + 1))


def test_only_the_current_turn_is_narrated_again(ford: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    records = fuzz_game(ford, "story").game.records
    (second,) = [each.n for each in records if getattr(each, "event", None) == TurnBegan(2)]
    live, asked = LiveStory(ford, UMPIRE), list[int]()
    live.follow(records[: second + 1])

    def spy(part: Sequence[Any]) -> list[Any]:
        asked.append(part[0].n)
        return list(part)

    monkeypatch.setattr("sandtable.viewer.story.effective", spy)
    live.follow(records[: second + 2])
    assert asked == [second]


def test_update_after_the_last_record_is_empty(ford: Prepared) -> None:
    records = fuzz_game(ford, "story").game.records
    live = LiveStory(ford, "north")
    assert live.since(0) == StoryUpdate(0, [])
    live.follow(records)
    assert live.since(records[-1].n) == StoryUpdate(len(live.lines), [])
    assert live.since(0) == StoryUpdate(0, live.lines)


def test_undo_and_ruling_of_an_earlier_turn_are_narrated_again(ford: Prepared) -> None:
    game = ford.new_game(KeyedDice(key_from_seed("undo")))
    game.start()
    live = {viewer: LiveStory(ford, viewer) for viewer in ("north", PUBLIC, UMPIRE)}
    steps: list[Callable[[], None]] = [
        lambda: game.submit(LayAmbush(1), "north"),
        game.undo,
        lambda: game.submit(LayAmbush(2), "north"),
        lambda: game.submit(LayAmbush(5), "south"),
        lambda: game.submit(Commit(1), "north"),
        lambda: game.submit(Commit(1), "south"),
        lambda: game.submit(Commit(1), "north"),
        game.undo,
        lambda: game.rule(FrontMoved(4, "TOY-3"), "the ford"),
        lambda: game.amend(
            next(each.n for each in game.records if getattr(each, "order", None) == Commit(1)), Commit(0), "so"
        ),
        lambda: game.submit(Commit(0), "south"),
    ]
    page, at = list[StoryLine](), 0
    for step in steps:
        step()
        for viewer, each in live.items():
            each.follow(game.records)
            assert each.lines == told(game.records, ford, viewer)
        kept, lines = live[UMPIRE].since(at)
        page[kept:], at = lines, game.number
        assert page == live[UMPIRE].lines
