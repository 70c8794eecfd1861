"""Failures at a table: players get a sentence, the host the details, and the game can continue."""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from web_robot import Page, Robot, Site, running

import sandtable as st
from sandtable.errors import PlayError
from sandtable.kernel.events import OptionSet
from sandtable.plugin.manager import Installed, Rulesets
from sandtable.testing import toy
from sandtable.viewer.film.camera import Camera
from sandtable.web.asking.question import AskedQuestion

pytestmark = pytest.mark.full
TOY = {"north": "human", "south": "human"}
SECRET = "the mine is in 0412"  # noqa: S105 - of the game


def fail(*_: Any, **__: Any) -> Any:
    """Fail as a mistake in a ruleset does."""
    raise KeyError(SECRET)


@pytest.fixture
def reports(site: Site) -> list[str]:
    """Return the list of lines that the host is shown."""
    found: list[str] = []
    site.games.report = found.append
    return found


def commit(site: Site, players: dict[str, str]) -> list[Page]:
    """Return the pages of a toy game in which troops are to be committed."""
    links = site.make("toy", players=players)
    pages = [site.open(links[side]) for side in players]
    for _ in range(40):
        for page in pages:
            page.catch_up()
            if page.ask is not None and "ambush" in page.ask["prompt"]:
                Robot(page, "ambush").answer()
        if all(page.ask is not None and "commit" in page.ask["prompt"] for page in pages):
            return pages
    raise AssertionError("troops are not asked for")


def reply_to(page: Page) -> dict[str, Any]:
    """Give an order by a robot; return the reply."""
    reply = Robot(page, "order").answer()
    page.catch_up()
    return reply


def test_order_that_makes_rules_fail_is_not_given_and_another_is(
    site: Site, reports: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    north, south = commit(site, TOY)
    assert reply_to(north)["t"] == "taken"
    question = south.ask
    monkeypatch.setattr(st.Roll, "hits", fail)
    reply = reply_to(south)
    assert "your order was not given" in reply["words"]
    assert SECRET not in str(south.heard)
    (line,) = reports
    assert SECRET in line
    assert "battle" in line
    monkeypatch.undo()
    assert south.ask is not None
    assert question is not None
    assert south.ask["q"] == question["q"]
    assert north.ask is None  # its sealed order is still in
    assert reply_to(south)["t"] == "taken"
    site.close()
    (log,) = tmp_path.glob("*.jsonl")
    assert st.verify(log).exit_code == 0


def test_failed_bot_waits_until_an_order_is_taken_back(site: Site, reports: list[str]) -> None:
    links = site.make("toy", players={"north": "human"})
    page = site.open(links["north"])
    (table,) = site.games.tables.values()
    bot = table.live.bots["south"]

    class Fails:
        choose = fail

    table.live.bots["south"] = Fails()
    while page.ask is not None:
        reply_to(page)
    while not any("bot of south failed" in each.get("words", "") for each in page.heard):
        page.listen()
    assert SECRET not in str(page.heard)
    assert SECRET in reports[-1]
    table.live.bots["south"] = bot
    page.tell({"t": "undo"})
    assert page.wait_for_question()
    assert not table.bot_fault


def test_question_that_fails_leaves_the_page_connected(
    site: Site, reports: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (north, _) = commit(site, TOY)
    monkeypatch.setattr(AskedQuestion, "step", fail)
    assert "host has the details" in north.say({"t": "expand", "picks": []})["words"]
    assert SECRET in reports[-1]
    monkeypatch.undo()
    assert north.say({"t": "expand", "picks": []})["t"] == "step"


def test_drawing_that_fails_stops_no_order(site: Site, reports: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    north, south = commit(site, TOY)
    monkeypatch.setattr(Camera, "take", fail)
    assert reply_to(north)["t"] == "taken"
    assert reply_to(south)["t"] == "taken"
    assert any(SECRET in each for each in reports)


def test_full_disk_stops_the_game_with_a_sentence(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    (page, *_) = commit(site, TOY)

    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (table,) = site.games.tables.values()
    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr(os, "fdatasync", full)
    reply = reply_to(page)
    assert "log cannot be written" in reply["words"]
    assert "No space left" in reply["words"]
    assert table.problem
    monkeypatch.undo()


def stopped(folder: Path, link: str) -> str:
    """Start a server on a folder again; return why it cannot open the game of a link."""
    with running(folder, Rulesets()) as site:
        return str(site.socket(link).until("stopped")["words"])


def made(folder: Path) -> tuple[str, Path]:
    """Return the link and the log of a game of which the server was stopped."""
    with running(folder, Rulesets()) as site:
        link = site.make("toy", players=TOY)["north"]
        page = site.open(link)
        if page.ask is not None:
            Robot(page, "made").answer()
    (log,) = folder.glob("*.jsonl")
    return link, log


def altered(log: Path) -> None:
    """Alter the last record of a log."""
    data = log.read_bytes()
    place = data.rindex(b'"kind"')
    log.write_bytes(data[: place + 1] + b"K" + data[place + 2 :])


def test_altered_log_is_reported_with_its_place(tmp_path: Path, unlimited: None) -> None:
    link, log = made(tmp_path)
    altered(log)
    assert "was altered" in stopped(tmp_path, link)


def test_edited_ruleset_is_reported(tmp_path: Path, unlimited: None, monkeypatch: pytest.MonkeyPatch) -> None:
    link, _ = made(tmp_path)
    monkeypatch.setattr(Installed, "content_hash", "0" * 64)
    monkeypatch.setattr(toy, "FORWARD", dict(reversed(toy.FORWARD.items())))
    assert "edited" in stopped(tmp_path, link)


# --- options set by a ruling ---


def set_some_option(live: Any) -> None:
    """Set the first option that a ruling may set, and that makes another board."""
    for option in live.prepared.installed.manifest.options:
        for value in option.values:
            with suppress(PlayError):
                live.game.rule(OptionSet(option.name, value), "another option")
                return
    raise AssertionError("no option can be set")


def test_pictures_before_a_ruling_keep_the_old_option(tmp_path: Path, unlimited: None) -> None:
    """After a restart, the first pictures are those of the first board, not of the newest."""
    with running(tmp_path, Rulesets()) as site:
        link = site.make("kampfpanzer", players={"nationalists": "human"})["nationalists"]
        (table,) = site.games.tables.values()
        set_some_option(table.live)
        table.live.store()
        assert table.live.game.state.board is not table.live.origin.board
    with running(tmp_path, Rulesets()) as site:
        assert site.open(link).hello["film"]["frames"]
        (table,) = site.games.tables.values()
        live = table.live
        assert live.prepared.board is live.game.state.board
        assert live.origin.board is live.game.base.board
        assert live.origin.board is not live.prepared.board
