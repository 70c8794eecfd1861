"""The clock of the host, claims on time, pauses by consent, and private notes."""

import json
from pathlib import Path
from typing import Any

import pytest
from web_robot import Page, Robot, Site, running

import sandtable as st
from sandtable.errors import PlayError
from sandtable.kernel.play.endings import ABANDONMENT
from sandtable.plugin.manager import Rulesets
from sandtable.web.live.clock import GameClock, clock_of, read_pace

TOY = {"north": "human", "south": "human"}
SEATS = ("north", "south")


def begun(pace: str) -> GameClock:
    """Return a clock that has begun."""
    clock = GameClock(pace, SEATS)
    clock.meet(SEATS)
    return clock


# --- the clock alone ---


@pytest.mark.parametrize(
    "text", ["move", "move 0", "days 61", "bank 60+", "move 60+5", "bank -1+2", "MOVE 60", "x" * 99]
)
def test_pace_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(PlayError, match=r"clock has|a pace is"):
        read_pace(text)


def test_clock_begins_when_all_have_come() -> None:
    clock = GameClock("move 60", SEATS)
    clock.meet(["north"])
    clock.turn(["north"], 0.0)
    assert clock.shown(30.0)["left"] == {"north": 60_000, "south": 60_000}
    clock.meet(["south"])
    clock.turn(["north"], 30.0)
    assert clock.shown(40.0)["left"]["north"] == 50_000


def test_move_clock_gives_each_decision_the_full_time() -> None:
    clock = begun("move 60")
    clock.turn(["north"], 0.0)
    clock.turn(["north"], 20.0)
    assert clock.left["north"] == 40_000
    clock.turn(["south"], 30.0)
    assert clock.left == {"north": 60_000, "south": 60_000}


def test_bank_clock_keeps_the_rest_and_adds_the_increment() -> None:
    clock = begun("bank 100+7")
    clock.turn(["north", "south"], 0.0)
    clock.turn(["south"], 30.0)
    assert clock.left == {"north": 77_000, "south": 70_000}


def test_zero_is_a_mark_only_for_a_seat_that_must_decide() -> None:
    clock = begun("days 1")
    clock.turn(["north"], 0.0)
    assert clock.out_of_time(86_399.0) == []
    assert clock.out_of_time(86_400.0) == ["north"]
    clock.turn(["south"], 90_000.0)
    assert clock.out_of_time(90_000.0) == []


def test_paused_clock_does_not_run() -> None:
    clock = begun("bank 100+0")
    clock.turn(["north"], 0.0)
    clock.pause(10.0, is_on=True)
    clock.turn(["north"], 500.0)
    clock.pause(600.0, is_on=False)
    assert clock.shown(605.0)["left"]["north"] == 85_000


def test_stored_clock_continues_without_the_time_between() -> None:
    clock = begun("bank 100+0")
    clock.turn(["north"], 0.0)
    again = clock_of(clock.stored(40.0), TOY)
    assert again is not None
    again.turn(["north"], 9_000.0)
    assert again.shown(9_010.0)["left"]["north"] == 50_000


@pytest.mark.parametrize("text", ["", "{}", "nonsense", '{"pace":"never","left":{}}', '{"pace":"move 60","left":[]}'])
def test_invalid_stored_clock_is_ignored(text: str) -> None:
    assert clock_of(text, TOY) is None


# --- at a table ---


def refusal(page: Page, **message: Any) -> str:
    """Send a message that is about no question; return the words of its refusal."""
    page._send(message)
    return str(page.until("problem")["words"])


@pytest.fixture
def timed(site: Site) -> tuple[str, Page, Page, GameClock]:
    """Return the side that must decide, its page, the other's, and the clock of a game with people."""
    links = site.make("toy", players=TOY, pace="bank 600+5")
    pages = {side: site.open(links[side]) for side in TOY}
    (table,) = site.games.tables.values()
    assert table.clock is not None
    asked = next(side for side, page in pages.items() if page.ask is not None)
    other = next(side for side in TOY if side != asked)
    return asked, pages[asked], pages[other], table.clock


@pytest.mark.full
def test_clock_runs_for_the_side_that_must_decide(timed: tuple[str, Page, Page, GameClock]) -> None:
    asked, page, _, clock = timed
    assert clock.running == {asked}
    Robot(page, "clock").answer()
    assert clock.left[asked] > 590_000


@pytest.mark.full
def test_claim_is_refused_until_the_time_is_out_and_then_recorded(
    timed: tuple[str, Page, Page, GameClock], tmp_path: Path, site: Site
) -> None:
    asked, page, other, clock = timed
    assert "time left" in refusal(other, t="claim", seat=asked)
    clock.left[asked] = 0
    assert "own side" in refusal(page, t="claim", seat=asked)
    assert "time left" in refusal(other, t="claim", seat="nobody")
    other.tell({"t": "claim", "seat": asked})
    while not page.facts["outcome"]:
        page.listen()
    assert (page.facts["outcome"] != asked, page.facts["ending"]) == (True, ABANDONMENT)
    site.close()
    (log,) = tmp_path.glob("*.jsonl")
    assert st.verify(log).exit_code == 0


@pytest.mark.full
def test_zero_alone_ends_nothing(timed: tuple[str, Page, Page, GameClock]) -> None:
    asked, page, _, clock = timed
    clock.left[asked] = 0
    assert Robot(page, "late").answer()["t"] == "taken"


@pytest.mark.full
def test_pause_needs_all_and_its_end_only_one(timed: tuple[str, Page, Page, GameClock]) -> None:
    asked, page, other, clock = timed
    page.tell({"t": "pause"})
    while page.until("clock")["offers"] != [asked]:
        pass
    assert not clock.is_paused
    other.tell({"t": "pause"})
    while not clock.is_paused:
        page.listen()
    other.tell({"t": "pause", "on": False})
    while clock.is_paused:
        page.listen()


@pytest.mark.full
def test_spectator_and_clockless_game_have_no_claims(site: Site) -> None:
    links = site.make("toy", players=TOY)
    assert "no clock" in refusal(site.open(links["north"]), t="claim", seat="south")
    links = site.make("toy", players=TOY, pace="move 60")
    assert "only players" in refusal(site.open(links["spectator"]), t="pause")
    status, body, _ = site.request("POST", "/api/games", {"ruleset": "toy", "players": TOY, "pace": "move 0"})
    assert (status, b"clock" in body) == (422, True)


@pytest.mark.full
def test_clock_and_notes_are_there_after_the_server_was_stopped(tmp_path: Path) -> None:
    with running(tmp_path, Rulesets()) as site:
        links = site.make("toy", players=TOY, pace="bank 600+5")
        north, south = (site.open(links[side]) for side in TOY)
        north.tell({"t": "note", "text": "attack at dawn"})
        north.tell({"t": "ping"})
        north.until("pong")
        assert "attack" not in json.dumps(south.heard)
    with running(tmp_path, Rulesets()) as site:
        north, south = (site.open(links[side]) for side in TOY)
        assert (north.hello["note"], south.hello["note"]) == ("attack at dawn", "")
        assert north.hello["clock"]["pace"] == "bank 600+5"
        spectator = site.open(links["spectator"])
        assert "private notes" in refusal(spectator, t="note", text="x")
        assert spectator.hello["note"] == ""
