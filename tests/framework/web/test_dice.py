"""The dice of a line of the story: they fit the log, and no viewer gets a key too early."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from web_robot import Page, Robot, Site

from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import read_records
from sandtable.kernel.dice import roll_dice
from sandtable.kernel.records import RollRecord
from sandtable.plugin.manager import Rulesets

pytestmark = pytest.mark.full


def play_until(page: Page, seed: str, is_enough: Any) -> None:
    """Let a robot answer until ``is_enough`` (called without arguments) or the end of the game."""
    robot = Robot(page, seed)
    while not is_enough() and page.wait_for_question():
        robot.answer()


def lines_with_dice(page: Page) -> list[list[Any]]:
    """Return the lines of all updates that have dice."""
    return [line for each in page.heard if "story" in each for line in each["story"]["lines"] if line[3]]


def ask_dice(page: Page, record: int) -> dict[str, Any]:
    """Ask for the dice of a line; return the reply."""
    page.tell({"t": "dice", "record": record})
    return page.until("dice", "problem")


@pytest.mark.parametrize("mode", ["open", "host"])
def test_key_is_shown_after_the_game_and_gives_the_dice(site: Site, mode: str) -> None:
    """The key of open dice stays closed, too, because this game has secrets."""
    page = site.open(site.make("desert_aa", scenario="frontier", players={"axis": "human"}, dice=mode)["axis"])
    play_until(page, mode, lambda: lines_with_dice(page))
    line = lines_with_dice(page)[0]
    before = ask_dice(page, line[2])["dice"]
    assert (before["mode"], before["key"], before["commitment"]) == (mode, "", page.hello["commitment"])
    assert len(before["rolls"]) == line[3]
    assert all(each["rule"].startswith("DAA-") and each["rule_text"] for each in before["rolls"])
    page.tell({"t": "resign"})
    while not page.facts["outcome"]:
        page.listen()
    after = ask_dice(page, line[2])["dice"]
    assert after["rolls"] == before["rolls"]
    key = bytes.fromhex(after["key"])
    assert hashlib.sha256(b"sandtable commitment\n" + key).hexdigest() == before["commitment"]
    for roll in after["rolls"]:
        assert tuple(roll["dice"]) == roll_dice(key, roll["label"], len(roll["dice"]), roll["sides"])


def test_every_roll_of_a_game_belongs_to_one_line(site: Site, tmp_path: Path) -> None:
    link = site.make("desert_aa", scenario="frontier", players={"axis": "human"})["axis"]
    page = site.open(link)
    play_until(page, "every roll", lambda: page.facts["turn"] > 1)
    numbers = [line[2] for line in site.open(link).hello["story"]["lines"] if line[3]]
    shown = [roll["record"] for each in numbers for roll in ask_dice(page, each)["dice"]["rolls"]]
    site.close()
    (log,) = tmp_path.glob("*.jsonl")
    found = read_log(log)
    records = read_records(found, Rulesets().load("desert_aa").prepare("frontier").ruleset)
    rolled = [each.n for each in records if isinstance(each, RollRecord) and each.dice]
    assert shown == rolled[: len(shown)]
    assert len(shown) > 5


@pytest.mark.parametrize("record", [-1, 0, 10**12])
def test_dice_of_no_line_are_refused(site: Site, record: int) -> None:
    page = site.open(site.make("desert_aa", players={"axis": "human"})["axis"])
    assert "no line" in ask_dice(page, record)["words"]


def test_ping_is_answered_with_the_last_record(site: Site) -> None:
    page = site.open(site.make("toy", players={"north": "human"})["north"])
    page.tell({"t": "ping"})
    assert page.until("pong")["last"] == page.facts["last"]
