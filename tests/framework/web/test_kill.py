"""``kill -9`` of the server at any moment: every order that it acknowledged is in the game when it starts again."""

from pathlib import Path
from random import Random
from threading import Timer

import pytest
from web_robot import Page, Robot
from web_server import ServerProcess
from websockets.exceptions import ConnectionClosed

import sandtable as st
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import read_records
from sandtable.kernel.questions import MARK
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Rulesets

pytestmark = pytest.mark.full

KILLS = 3
LATEST = 1.5
"""Maximum number of seconds of play before a kill."""


@pytest.mark.parametrize("ruleset", ["desert_aa", "kampfpanzer"])
def test_acknowledged_orders_survive_kill(ruleset: str, tmp_path: Path) -> None:
    chance = Random(ruleset)  # noqa: S311 - a moment is no secret
    prepared = Rulesets().load(ruleset).prepare()
    sides = prepared.ruleset.viewers
    acknowledged: list[str] = []
    with ServerProcess(tmp_path) as server:
        links = server.site.make(ruleset, players=dict.fromkeys(sides, "human"))
        for place in range(KILLS):
            pages = opened(server, links, sides, acknowledged)
            timer = Timer(chance.uniform(0.1, LATEST), server.kill)
            timer.start()
            play([Robot(page, f"{ruleset} {place}") for page in pages], acknowledged)
            timer.join()
            server.start()
        opened(server, links, sides, acknowledged)
    assert len(acknowledged) > KILLS
    (log,) = tmp_path.glob("*.jsonl")
    records = read_records(read_log(str(log)), prepared.ruleset)
    stored = {label_of(each.asked) for each in records if isinstance(each, OrderRecord)}
    missing = [each for each in acknowledged if label_of(each) not in stored]
    assert missing in ([], acknowledged[-1:])  # a sealed order is stored beside the log until the group is complete
    assert st.verify(log).exit_code == 0


def label_of(question: str) -> str:
    """Return a question without its digest, which is salted in a log."""
    return question.partition(MARK)[0]


def opened(server: ServerProcess, links: dict[str, str], sides: tuple[str, ...], acknowledged: list[str]) -> list[Page]:
    """Open the pages of all sides; no answered question may appear again."""
    pages = [server.site.open(links[side]) for side in sides]
    assert not [each.ask for each in pages if each.ask and each.ask["q"] in acknowledged]
    return pages


def play(robots: list[Robot], acknowledged: list[str]) -> None:
    """Give orders until the connection is lost; note the questions whose orders were acknowledged."""
    try:
        while True:
            for robot in robots:
                if robot.page.ask is not None:
                    question = robot.page.ask["q"]
                    if robot.answer()["t"] == "taken":
                        acknowledged.append(question)
            for robot in robots:
                robot.page.catch_up()
    except (ConnectionClosed, OSError):
        return
