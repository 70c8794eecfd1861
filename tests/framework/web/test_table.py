"""The table as its guests find it: seats, secrets, refusals, undo, endings, and what no message may do."""

import json
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from shared_games import shared_game
from web_robot import PATIENCE, Page, Robot, Site, running
from websockets.exceptions import ConnectionClosed

import sandtable as st
from sandtable.kernel.play.endings import resignation
from sandtable.plugin.manager import Rulesets
from sandtable.web import connection, messages

pytestmark = pytest.mark.full
GUESS = "x" * 22
TOY = {"north": "human", "south": "human"}


def closed_with(page: Page) -> int:
    """Return the code with which the server closes the socket of ``page``."""
    try:
        while True:
            page.listen()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0


@pytest.fixture
def pages(site: Site) -> tuple[Page, Page]:
    """Open the pages of both sides of a new game of the toy."""
    links = site.make("toy", players=TOY)
    return site.open(links["north"]), site.open(links["south"])


# --- seats ---


def test_wrong_token_opens_no_seat(site: Site) -> None:
    links = site.make("toy", players=TOY)
    assert closed_with(site.socket(links["north"], token=GUESS)) == 4401


def test_token_of_another_game_opens_no_seat(site: Site) -> None:
    first, second = (site.make("toy", players=TOY) for _ in range(2))
    token = second["north"].partition("#")[2]
    assert closed_with(site.socket(first["north"], token=token)) == 4401


def game_of(link: str) -> str:
    """Return the id of the game in a link."""
    return link.partition("#")[0].rpartition("/")[2]


def test_new_links_replace_the_old_ones(site: Site) -> None:
    links = site.make("toy", players=TOY)
    status, body, _ = site.request("POST", f"/api/games/{game_of(links['north'])}/links", {})
    assert status == 200
    assert closed_with(site.socket(links["north"])) == 4401
    assert site.open(json.loads(body)["links"]["north"]).hello["seats"] == ["north"]


def test_page_of_another_site_is_refused(site: Site) -> None:
    links = site.make("toy", players=TOY)
    with pytest.raises(Exception, match="403"):
        site.socket(links["north"], origin="http://evil.example")


def test_request_for_another_host_is_refused(site: Site) -> None:
    assert site.request("GET", "/", host="evil.example")[0] == 403


def test_request_without_the_hosts_token_is_refused(site: Site) -> None:
    for method, path in [("GET", "/api/games"), ("GET", "/api/rulesets"), ("POST", "/api/games")]:
        assert site.request(method, path, {} if method == "POST" else None, token=GUESS)[0] == 401


def test_pages_come_with_a_strict_policy(site: Site) -> None:
    for path in ("/", "/g/any", "/s/web/scripts/main.js"):
        headers = site.request("GET", path)[2]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    ["/s/web/../store.py", "/s/web/%2e%2e/store.py", "/s/else/x.js", "/s/web/scripts/none.js", "/s/web/__init__.py"],
)
def test_only_scripts_and_styles_of_the_page_are_sent(site: Site, path: str) -> None:
    assert site.request("GET", path)[0] == 404


# --- questions and orders ---


def test_order_to_another_question_is_stale(pages: tuple[Page, Page]) -> None:
    north, south = pages
    mine = north if north.ask else south
    number = mine._send({"t": "give", "q": "0/x/1#0000", "picks": []})
    reply = mine.until("stale")
    assert reply["id"] == number
    assert mine.ask is not None
    assert reply["ask"]["q"] == mine.ask["q"]


def test_spectator_gives_no_order(site: Site) -> None:
    links = site.make("toy", players=TOY)
    north, looker = site.open(links["north"]), site.open(links["spectator"])
    assert looker.ask is None
    question = north.ask
    assert question is not None
    looker._send({"t": "typed", "q": question["q"], "text": "x"})
    assert looker.until("stale")["ask"] is None


def test_pick_that_was_not_offered_is_refused(pages: tuple[Page, Page]) -> None:
    mine = next(each for each in pages if each.ask)
    for pick in ("~Nothing", '"no such thing"', "[1,2", "=5"):
        assert mine.say({"t": "give", "picks": [pick]})["t"] in {"problem", "refused"}


def test_typed_order_is_refused_with_its_rule(site: Site) -> None:
    page = site.open(site.make("kampfpanzer", players={"nationalists": "human"})["nationalists"])
    reply = page.say({"t": "write", "picks": [], "text": "26: 9999"})
    assert reply["t"] == "refused"
    assert reply["why"][0]["rule"] == "R-KP-77"
    assert reply["why"][0]["text"]


@pytest.mark.parametrize(
    "text", ["{}", "[]", "nonsense", '{"t":"give","q":"","picks":[],"more":1}', '{"t":"join"}' * 2]
)
def test_invalid_message_closes_the_socket(site: Site, text: str) -> None:
    page = site.open(site.make("toy", players=TOY)["north"])
    page.socket.send(text)
    assert closed_with(page) == 4400


def test_too_many_messages_close_the_socket(tmp_path: Path) -> None:
    with running(tmp_path, Rulesets()) as site:
        page = site.open(site.make("toy", players=TOY)["north"])
        with pytest.raises(ConnectionClosed):
            flood(page)
        assert closed_with(page) == 4429


def flood(page: Page) -> None:
    """Send messages without end."""
    while True:
        page.tell({"t": "say", "words": " "})


def test_sheet_is_written_in_any_order_and_handed_in(site: Site) -> None:
    page = site.open(site.make("kampfpanzer", players={"nationalists": "human"})["nationalists"])
    lines = page.say({"t": "staff", "picks": [], "lines": {}})["lines"]
    backwards = dict(reversed(lines.items()))
    step = page.say({"t": "expand", "picks": [], "lines": backwards})["step"]
    assert all(row.get("written") for row in step["table"]["rows"])
    sheet = "=" + json.dumps(backwards)
    assert page.say({"t": "expand", "picks": [sheet]})["step"]["ready"]
    assert page.say({"t": "give", "picks": [sheet]})["t"] == "taken"


def test_draft_survives_a_restart_of_the_server(tmp_path: Path, unlimited: None) -> None:
    with running(tmp_path, Rulesets()) as site:
        link = site.make("kampfpanzer", players={"nationalists": "human"})["nationalists"]
        page = site.open(link)
        assert page.ask is not None
        question = page.ask["q"]
        page._send({"t": "keep", "q": question, "lines": {"26": {"text": "0150"}}})
        page.say({"t": "expand", "picks": []})
    with running(tmp_path, Rulesets()) as site:
        page = site.open(link)
        assert page.ask is not None
        assert page.ask["q"] == question
        assert json.loads(page.hello["draft"])["lines"] == {"26": {"text": "0150"}}


@pytest.mark.parametrize("source", ["wish", "log"])
def test_table_refuses_shared_dice(site: Site, tmp_path: Path, source: str) -> None:
    if source == "wish":
        status, body, _ = site.request("POST", "/api/games", {"ruleset": "toy", "players": TOY, "dice": "shared"})
    else:
        (tmp_path / "shared.jsonl").write_bytes(shared_game(Rulesets().load("toy").prepare(), "table").data)
        game = json.loads(site.request("POST", "/api/logs/shared.jsonl", {})[1])["game"]
        status, body, _ = site.request("GET", f"/api/games/{game}")
    assert status == 422
    assert b"shared dice" in body


# --- slow pages, one screen ---


def test_page_that_reads_nothing_does_not_delay_others(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "SEND_SECONDS", 0.5)
    monkeypatch.setattr(messages, "MAX_CHAT", 50_000)
    links = site.make("toy", players=TOY)
    north, slow = site.open(links["north"]), site.socket(links["spectator"], is_slow=True)
    while north.until("presence")["present"] != ["north", "spectator"]:
        pass
    north.heard.clear()
    for place in range(200):
        words = Random(place).randbytes(25_000).hex()  # noqa: S311 - a text that cannot be packed
        north.tell({"t": "say", "words": words})
        assert north.until("chat")["words"] == words
    while not any(each.get("present") == ["north"] for each in north.heard):
        north.listen()
    slow.socket.close()


def test_shared_screen_has_a_curtain_for_each_side(site: Site) -> None:
    page = site.open(site.make("damos", players={"german": "human", "soviet": "human"}, hot_seat=True)["all seats"])
    assert page.ask is not None
    assert (page.ask["seat"], page.hello["viewer"], page.hello["curtain"]) == ("soviet", "soviet", "soviet")
    lines = page.say({"t": "staff", "picks": [], "lines": {}})["lines"]
    assert page.say({"t": "give", "picks": [f"={json.dumps(lines)}"]})["t"] == "taken"
    assert (page.hello["viewer"], page.hello["curtain"]) == ("german", "german")


def test_shared_screen_keeps_its_side_while_it_has_no_decision(site: Site) -> None:
    seats = ("nationalists", "republicans")
    links = site.make("kampfpanzer", players=dict.fromkeys(seats, "human"), hot_seat=True)
    live = site.games.tables[game_of(links["all seats"])].live
    assert live.viewer_of(seats, "republicans") == "nationalists"
    live.game.end(resignation(live.prepared.ruleset, live.game.number + 1, "republicans"))
    assert live.viewer_of(seats, "republicans") == "republicans"
    assert live.viewer_of(seats, "nationalists") == "nationalists"


# --- undo, chat, endings ---


def test_order_can_be_undone_if_it_revealed_nothing(site: Site) -> None:
    page = site.open(site.make("tictactoe", players={"x": "human", "o": "human"}, hot_seat=True)["all seats"])
    first = page.ask
    assert first is not None
    Robot(page, "undo").answer()
    page.tell({"t": "undo"})
    while page.ask is None or page.facts["last"] < 3 or page.ask["seat"] != first["seat"]:
        page.listen()


class HeldBot:
    """A bot that answers when it is let go, and notes the turn and rule of each question."""

    def __init__(self, bot: Any, game: Any) -> None:
        self.bot, self.game, self.let_go = bot, game, Event()
        self.asked: list[tuple[int, str]] = []
        self.let_go.set()

    def choose(self, decision: Any, view: Any) -> Any:
        """Wait, then choose as the bot does."""
        self.asked.append((self.game.state.turn, decision.rule))
        assert self.let_go.wait(PATIENCE)
        return self.bot.choose(decision, view)


def asked(page: Page) -> tuple[str, str]:
    """Wait for a question; return its label and rule."""
    assert page.wait_for_question()
    assert page.ask is not None
    return page.ask["q"], page.ask["rule"]


def test_order_is_undone_and_given_again_while_a_bot_thinks(site: Site) -> None:
    """The plots of a turn are sealed, so the bot answers once, whatever the person does in the meantime."""
    link = site.make("kampfpanzer", players={"nationalists": "human"})["nationalists"]
    page, live = site.open(link), site.games.tables[game_of(link)].live
    held = HeldBot(live.bots["republicans"], live.game)
    live.bots["republicans"] = held  # another bot in that seat
    robot = Robot(page, "plots")
    robot.answer()  # the set-up
    assert page.wait_for_question()
    while "republicans" in page.facts["waiting"]:
        page.listen()
    held.let_go.clear()
    robot.answer()  # the plots of turn 1
    question, rule = asked(page)
    robot.answer()
    assert page.ask is None
    page.tell({"t": "undo"})
    assert asked(page) == (question, rule)
    robot.answer()
    held.let_go.set()
    assert asked(page)[0] != question
    assert held.asked.count((2, rule)) == 1


def test_chat_is_sent_to_all_pages_and_stored(site: Site) -> None:
    links = site.make("toy", players=TOY)
    north, south = site.open(links["north"]), site.open(links["south"])
    north.tell({"t": "say", "words": "good luck"})
    assert south.until("chat")["words"] == "good luck"
    assert site.open(links["south"]).hello["chat"] == [["north", "good luck"]]


def test_resignation_is_recorded_and_ends_the_game(pages: tuple[Page, Page], tmp_path: Path) -> None:
    north, south = pages
    north.tell({"t": "resign"})
    while not south.facts["outcome"]:
        south.listen()
    assert (south.facts["outcome"], south.facts["ending"]) == ("south", "resignation")
    (log,) = tmp_path.glob("*.jsonl")
    assert st.verify(log).exit_code == 0


def test_draw_needs_both_sides(pages: tuple[Page, Page]) -> None:
    north, south = pages
    north.tell({"t": "draw"})
    assert south.until("draw")["offered"] == ["north"]
    south.tell({"t": "draw"})
    while not north.facts["outcome"]:
        north.listen()
    assert north.facts["ending"] == "agreed_draw"


def test_bot_never_agrees_to_a_draw(site: Site) -> None:
    page = site.open(site.make("toy", players={"north": "human"})["north"])
    page.tell({"t": "draw"})
    assert "bot" in page.until("problem")["words"]


# --- secrets ---


def test_sides_get_only_their_slice_while_the_game_is_played(site: Site) -> None:
    links = site.make("toy", players=TOY)
    path, _, token = links["north"].partition("#")
    status, data, _ = site.request("GET", f"{path}/log", token=token)
    assert status == 200
    assert b'"to":"south"' not in data
    assert site.request("GET", f"{path}/log", token=GUESS)[0] == 401


def test_secret_order_of_a_side_reaches_no_other_page(site: Site) -> None:
    """Two games differ only in north's secret: south's messages are the same, except for labels and hashes."""
    heard = []
    for place in (0, 1):
        links = site.make("toy", players=TOY, dice="host")
        north, south = site.open(links["north"]), site.open(links["south"])
        while north.ask is None:
            north.listen()
        options = north.ask["step"]["options"]
        assert north.say({"t": "expand", "picks": [options[place][0]]})["t"] == "step"
        assert north.say({"t": "give", "picks": [options[place][0]]})["t"] == "taken"
        number = north.facts["last"]
        while south.facts["last"] < number:
            south.listen()
        heard.append([plain(each) for each in south.heard])
    assert heard[0] == heard[1]


def plain(message: Any) -> Any:
    """Return a message without what differs between any two games: ids, labels with digests, the key's fingerprint."""
    if isinstance(message, dict):
        return {key: plain(each) for key, each in message.items() if key not in {"q", "game", "commitment"}}
    return [plain(each) for each in message] if isinstance(message, list) else message
