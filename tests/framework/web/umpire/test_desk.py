"""The umpire's seat by sockets: its view, rulings and answers, and the messages to the other pages."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from tests.framework.web.test_table import HeldBot, closed_with
from web_robot import Page, Robot, Site, running
from web_server import ServerProcess

import sandtable as st
from sandtable.hosting.taking_up import changed_seats
from sandtable.journal.anchors.disputes import read_dispute
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.reading import read_log
from sandtable.kernel.records import OrderRecord, RollRecord
from sandtable.plugin.manager import Rulesets
from sandtable.web.umpire import inquiries

pytestmark = pytest.mark.full

TOY = {"north": "human", "south": "human"}
HILL = Path(__file__).parents[4] / "docs" / "examples" / "hill" / "src"
FRONT_MOVED = '{"type":"FrontMoved","front":2,"rule":"TOY-3"}'


def ask(page: Page, message: dict[str, Any]) -> dict[str, Any]:
    """Send a message, and return the reply to it."""
    number = page._send(message)
    while (reply := page.listen()).get("id") != number:
        pass
    return reply


def front_of(site: Site, game: "Game") -> int:
    """Return the position of the front in a game of the toy."""
    state: Any = site.games.tables[game.ident].live.game.state
    return int(state.front)


def until_asked(*pages: Page) -> Page:
    """Return a page with a question; wait if there is none."""
    while True:
        for each in pages:
            each.catch_up()
            if each.ask is not None:
                return each


def play(pages: list[Page], turns: int, seed: str = "umpire") -> None:
    """Give orders at random until this turn has begun."""
    robots = {id(each): Robot(each, f"{seed} {place}") for place, each in enumerate(pages)}
    while (page := until_asked(*pages)).facts["turn"] < turns:
        robots[id(page)].answer()


class Game:
    """A game of the toy with two players and an umpire."""

    def __init__(self, site: Site, umpire: str = "link", **wish: Any) -> None:
        self.links = site.make("toy", players=TOY, umpire=umpire, **wish)
        self.umpire = site.open(self.links["umpire"])
        self.north, self.south = (site.open(self.links[side]) for side in TOY)
        self.ident = self.links["north"].partition("#")[0].rpartition("/")[2]

    @property
    def players(self) -> list[Page]:
        """The pages of the players."""
        return [self.north, self.south]

    def rule(self, **what: Any) -> dict[str, Any]:
        """Make a ruling; return the reply."""
        return ask(self.umpire, {"t": "rule", "reason": "agreed", **what})


@pytest.fixture
def game(site: Site) -> Game:
    """Open a game with an umpire."""
    return Game(site)


# --- the seat ---


@pytest.mark.parametrize(("wish", "name"), [("me", "umpire, the host"), ("link", "umpire")])
def test_umpire_has_a_link_and_players_see_the_seat(site: Site, wish: str, name: str) -> None:
    game = Game(site, wish)
    assert game.umpire.hello["viewer"] == "umpire"
    for page in (game.north, site.open(game.links["spectator"])):
        assert page.hello["umpire"] == name
        assert name in page.until("presence")["present"]


def test_game_without_umpire_has_no_such_link(site: Site) -> None:
    links = site.make("toy", players=TOY)
    assert "umpire" not in links
    assert site.open(links["north"]).hello["umpire"] == ""


def test_unknown_umpire_is_refused(site: Site) -> None:
    status, body, _ = site.request("POST", "/api/games", {"ruleset": "toy", "players": TOY, "umpire": "anyone"})
    assert status == 422
    assert b"me or link" in body


def test_new_links_replace_the_umpires_too(site: Site, game: Game) -> None:
    status, body, _ = site.request("POST", f"/api/games/{game.ident}/links", {})
    assert status == 200
    assert site.open(json.loads(body)["links"]["umpire"]).hello["viewer"] == "umpire"
    assert closed_with(site.socket(game.links["umpire"])) == 4401


def test_umpire_of_a_usual_umpire_leaves_battles_to_it(site: Site) -> None:
    links = site.make("khamsin", players={"allies": "human", "axis": "human"}, umpire="link")
    assert site.open(links["umpire"]).hello["players"]["umpire"] == "resolver"


@pytest.mark.parametrize(
    "message",
    [
        {"t": "desk"},
        {"t": "rule", "reason": "mine", "event": FRONT_MOVED},
        {"t": "adjudicate", "outcome": "north", "reason": "mine"},
        {"t": "reseat", "seat": "south", "player": "random"},
        {"t": "explain", "record": 1},
        {"t": "chances", "record": 1},
        {"t": "estimate"},
        {"t": "what_if", "record": 1, "event": FRONT_MOVED},
        {"t": "answer", "dispute": 1, "upheld": True, "text": "mine"},
    ],
)
@pytest.mark.parametrize("who", ["north", "spectator"])
def test_only_the_umpire_can_use_the_requests_of_the_umpire(
    site: Site, game: Game, who: str, message: dict[str, Any]
) -> None:
    page = site.open(game.links[who])
    reply = ask(page, message)
    assert reply["t"] == "problem"
    assert "umpire" in reply["words"]


# --- rulings ---


def test_event_by_ruling_is_announced_and_in_the_log(site: Site, game: Game, tmp_path: Path) -> None:
    play(game.players, 1)
    reply = game.rule(event=FRONT_MOVED, rule="TOY-3")
    assert reply["t"] == "ruled"
    for page in game.players:
        assert page.until("notice")["words"] == f"Ruling in record {reply['record']}: agreed"
        assert page.facts["last"] >= reply["record"]
        assert any("Umpire rules (agreed)" in each[1] for each in lines_of(page))
        assert ["umpire", f"Ruling in record {reply['record']}: agreed"] in site.open(game.links["north"]).hello["chat"]
    play(game.players, 2)
    (log,) = tmp_path.glob("*.jsonl")
    assert "1 ruling" in st.verify(log).text


def test_order_is_amended_and_later_orders_are_kept(site: Site, tmp_path: Path) -> None:
    game = Game(site, dice="manual")
    robot = Robot(until_asked(*game.players), "amend")
    robot.answer()
    second = until_asked(*game.players)
    Robot(second, "amend").answer()
    until_asked(*game.players)
    material = ask(game.umpire, {"t": "desk"})
    first, last = material["orders"][0], material["orders"][-1]
    assert [first["by"], last["by"]] == ["north", "south"]
    other = 5 if '"space":1' in first["text"] else 1
    reply = game.rule(amends=first["n"], order=json.dumps({"type": "LayAmbush", "space": other}), keeps_later=True)
    assert (reply["t"], reply["kept"], reply["later"]) == ("ruled", 1, 1)
    state: Any = site.games.tables[game.ident].live.game.state
    assert state.ambush["north"] == other
    (log,) = tmp_path.glob("*.jsonl")
    assert "1 ruling" in st.verify(log).text


def test_withdrawn_ruling_restores_the_position(site: Site, game: Game) -> None:
    play(game.players, 1)
    record = game.rule(event=FRONT_MOVED)["record"]
    assert front_of(site, game) == 2
    assert [each["n"] for each in ask(game.umpire, {"t": "desk"})["rulings"]] == [record]
    assert game.rule(withdraws=record)["t"] == "ruled"
    assert front_of(site, game) == 3
    assert ask(game.umpire, {"t": "desk"})["rulings"] == []


def test_option_is_set_and_bots_continue_on_the_new_board(site: Site) -> None:
    links = site.make("desert_aa", scenario="frontier", players={"axis": "human"}, umpire="link")
    umpire, axis = site.open(links["umpire"]), site.open(links["axis"])
    assert axis.wait_for_question()
    robot, option = Robot(axis, "option"), {"t": "rule", "reason": "agreed", "option": "aa_overflight", "value": "yes"}
    while (reply := ask(umpire, option))["t"] != "ruled":
        assert "sealed" in reply["words"]
        robot.answer()
        assert axis.wait_for_question()
    live = next(iter(site.games.tables.values())).live
    assert live.game.state.options["aa_overflight"] == "yes"
    assert live.prepared.board is live.game.state.board
    robot.answer()
    assert axis.wait_for_question()


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ({"reason": " ", "event": FRONT_MOVED}, "reason"),
        ({}, "a ruling is an event"),
        ({"event": FRONT_MOVED, "withdraws": 3}, "a ruling is an event"),
        ({"event": "{"}, "not an event"),
        ({"event": "[" * 9_000}, "not an event"),
        ({"event": '{"type":"GameEnded","outcome":"north","ending":"x"}'}, "sequence of play"),
        ({"event": '{"type":"PhaseBegan","phase":"nowhere"}'}, "sequence of play"),
        ({"event": '{"type":"TroopsSpent","troops":{"west":1},"rule":""}'}, "cannot happen"),
        ({"event": FRONT_MOVED, "about": 10_000}, "does not exist"),
        ({"event": FRONT_MOVED, "rule": "TOY-99"}, "TOY-99"),
        ({"event": FRONT_MOVED, "dispute": 9}, "does not exist"),
        ({"amends": 1, "order": "{}"}, "not an order"),
        ({"option": "tie", "value": "x"}, "cannot be"),
        ({"withdraws": 1}, "not a ruling"),
    ],
)
def test_impossible_ruling_is_refused_and_changes_nothing(game: Game, what: dict[str, Any], words: str) -> None:
    play(game.players, 1)
    before = game.umpire.facts["last"]
    reply = game.rule(**what)
    told = reply.get("words") or str(reply.get("why"))
    assert words in told
    game.umpire.catch_up()
    assert game.umpire.facts["last"] == max(before, game.umpire.facts["last"])
    assert game.rule(event=FRONT_MOVED)["t"] == "ruled"


def test_ruling_waits_until_sealed_orders_are_in(game: Game) -> None:
    play(game.players, 1)
    page = until_asked(*game.players)
    Robot(page, "sealed").answer()
    reply = game.rule(event=FRONT_MOVED)
    assert "sealed" in reply["words"]


def test_amended_order_is_refused_with_its_rule(game: Game) -> None:
    play(game.players, 1)
    first = ask(game.umpire, {"t": "desk"})["orders"][0]
    reply = game.rule(amends=first["n"], order='{"type":"LayAmbush","space":9}')
    assert reply["t"] == "refused"
    assert reply["why"][0]["rule"] == "TOY-1"


HOSTILE = (
    {"t": "rule", "reason": "x" * 1_001},
    {"t": "rule", "reason": "x", "event": "x" * 20_001},
    {"t": "rule", "reason": "x", "about": -1},
    {"t": "rule", "reason": "x", "more": 1},
    {"t": "explain", "record": 1 << 40},
    {"t": "explain", "record": "1"},
    {"t": "what_if", "record": 1, "faces": [1] * 201},
    {"t": "adjudicate", "outcome": "north", "reason": "x", "shares": {"north": "all"}},
    {"t": "adjudicate", "outcome": "north", "reason": "x", "shares": {"north": -1}},
    {"t": "reseat", "seat": "x" * 201},
    {"t": "dispute", "claim": "x" * 1_001},
)


@pytest.mark.parametrize("message", HOSTILE, ids=range(len(HOSTILE)))
def test_message_beyond_the_limits_closes_the_socket(game: Game, message: dict[str, Any]) -> None:
    game.umpire._send(message)
    assert closed_with(game.umpire) == 4400


@pytest.mark.parametrize(
    "message",
    [
        {"faces": [0, 99]},
        {"faces": [1], "record": 9},
        {"order": "{}"},
        {"order": "nonsense", "record": 3},
        {"event": '{"type":"FrontMoved"}', "record": 3},
        {"event": '{"type":"PhaseBegan","phase":"x"}', "record": 3},
        {"option": "tie", "value": "nothing"},
        {"option": "nothing", "value": "x"},
        {"faces": [1], "option": "tie"},
        {},
    ],
)
def test_impossible_what_if_is_refused(game: Game, message: dict[str, Any]) -> None:
    play(game.players, 1)
    assert ask(game.umpire, {"t": "what_if", "record": 1, **message})["t"] in {"problem", "refused"}


# --- physical dice ---


def manual_game(site: Site, **wish: Any) -> tuple[Page, list[Page], Game]:
    """Return the umpire's page of a game with physical dice, at the first question for faces, and the players'."""
    game = Game(site, dice="manual", **wish)
    play(game.players, 1)
    for _ in game.players:
        page = until_asked(*game.players)
        assert page.say({"t": "typed", "text": '{"type":"Commit","troops":3}'})["t"] == "taken"
    assert until_asked(game.umpire) is game.umpire
    return game.umpire, game.players, game


def test_owner_of_the_table_types_physical_dice_without_another_umpire(site: Site) -> None:
    umpire, (north, _), game = manual_game(site, umpire="")
    assert umpire.hello["umpire"] == north.hello["umpire"] == "umpire, the host"
    assert umpire.ask is not None
    assert umpire.ask["prompt"] == "roll 3 6-sided dice for battle at north"
    assert umpire.say({"t": "staff", "picks": []})["words"].startswith("the staff rolls no dice")
    assert umpire.say({"t": "typed", "text": "4 2"})["t"] == "refused"
    assert umpire.say({"t": "typed", "text": "427"})["t"] == "refused"
    assert umpire.say({"t": "typed", "text": "4, 2 1"})["t"] == "taken"
    assert until_asked(umpire) is umpire
    assert umpire.say({"t": "typed", "text": "655"})["t"] == "taken"
    rolls = [each.dice for each in site.games.tables[game.ident].live.game.trail if isinstance(each, RollRecord)]
    assert rolls == [(4, 2, 1), (6, 5, 5)]


def test_shared_screen_types_dice_and_is_not_the_umpire(site: Site) -> None:
    links = site.make("toy", players=TOY, dice="manual", hot_seat=True)
    assert list(links) == ["all seats", "spectator"]
    page = site.open(links["all seats"])
    robot = Robot(page, "shared")
    while (until_asked(page).ask or {})["seat"] != "umpire":
        robot.answer()
    assert page.hello["viewer"] in TOY
    assert page.hello["umpire"] == ""
    assert ask(page, {"t": "desk"})["t"] == "problem"
    assert robot.answer()["t"] == "taken"


def test_mistyped_dice_are_replaced_and_tried(site: Site) -> None:
    umpire, _, game = manual_game(site)
    for text in ("1 1 1", "6 6 6"):
        assert until_asked(umpire).say({"t": "typed", "text": text})["t"] == "taken"
    (first, _) = [each for each in ask(umpire, {"t": "desk"})["orders"] if "EnterDice" in each["text"]]
    tried = ask(umpire, {"t": "what_if", "record": first["n"] + 1, "faces": [6, 6, 6]})
    assert tried["t"] == "branch", tried
    assert not any("The front moves to space 4" in each for each in tried["story"])
    assert front_of(site, game) == 4
    assert game.rule(amends=first["n"], order="6 6 6", keeps_later=True)["t"] == "ruled"
    assert front_of(site, game) == 3


# --- the end, and other players ---


def test_adjudication_ends_the_game_with_its_reason(site: Site, game: Game, tmp_path: Path) -> None:
    assert ask(game.umpire, {"t": "adjudicate", "outcome": "north", "reason": " "})["t"] == "problem"
    assert ask(game.umpire, {"t": "adjudicate", "outcome": "west", "reason": "late"})["t"] == "problem"
    assert ask(game.umpire, {"t": "adjudicate", "outcome": "north", "reason": "late"})["t"] == "adjudicated"
    while not game.south.facts["outcome"]:
        game.south.listen()
    assert (game.south.facts["outcome"], game.south.facts["ending"]) == ("north", "adjudication")
    (log,) = tmp_path.glob("*.jsonl")
    assert st.verify(log).exit_code == 0


def test_seat_is_given_to_a_bot_and_stays_with_it_after_a_restart(tmp_path: Path, unlimited: None) -> None:
    with running(tmp_path, Rulesets()) as site:
        game = Game(site)
        play(game.players, 1)
        assert ask(game.umpire, {"t": "reseat", "seat": "south", "player": "first"}) == {
            "t": "reseated",
            "id": game.umpire.number,
            "seat": "south",
            "link": "",
        }
        while game.south.hello["viewer"] != "public":
            game.south.listen()
        assert game.north.until("seats")["players"]["south"] == "first"
        assert game.south.ask is None
        assert closed_with(site.socket(game.links["south"])) == 4401
    with running(tmp_path, Rulesets()) as site:
        north = site.open(game.links["north"])
        assert north.hello["players"]["south"] == "first"
        turn = north.facts["turn"]
        robot = Robot(north, "alone")
        while north.facts["turn"] == turn and not north.facts["outcome"]:
            assert north.wait_for_question()
            robot.answer()


def test_seat_of_a_bot_is_given_to_a_person_by_a_new_link(site: Site) -> None:
    links = site.make("toy", players={"north": "human", "south": "first"}, umpire="link")
    umpire = site.open(links["umpire"])
    link = ask(umpire, {"t": "reseat", "seat": "south", "player": "human"})["link"]
    south = site.open(link)
    assert south.hello["seats"] == ["south"]
    north = site.open(links["north"])
    play([north, south], 2)


def test_order_of_a_bot_that_lost_its_seat_while_it_thought_is_not_given(site: Site) -> None:
    links = site.make("toy", players={"north": "human", "south": "first"}, umpire="link")
    umpire, north = site.open(links["umpire"]), site.open(links["north"])
    live = next(iter(site.games.tables.values())).live
    held = HeldBot(live.bots["south"], live.game)
    live.bots["south"] = held
    held.let_go.clear()
    Robot(north, "held").answer()
    while north.facts["waiting"] != ["south"] or not held.asked:
        north.listen()
    link = ask(umpire, {"t": "reseat", "seat": "south", "player": "human"})["link"]
    south = site.open(link)
    assert south.ask is not None
    held.let_go.set()
    south.catch_up()
    assert [each.by for each in live.game.trail if isinstance(each, OrderRecord)] == ["north"]
    assert Robot(south, "held").answer()["t"] == "taken"


@pytest.mark.parametrize(("seat", "player"), [("west", "random"), ("umpire", "random"), ("south", "os:system")])
def test_impossible_player_is_refused(game: Game, seat: str, player: str) -> None:
    assert ask(game.umpire, {"t": "reseat", "seat": seat, "player": player})["t"] == "problem"
    assert game.umpire.hello["players"]["south"] == "human"


# --- inquiries ---


def test_record_is_explained_with_die_need_and_rule(game: Game) -> None:
    play(game.players, 1)
    for _ in game.players:
        page = until_asked(*game.players)
        assert page.say({"t": "typed", "text": '{"type":"Commit","troops":3}'})["t"] == "taken"
    while game.umpire.facts["turn"] < 2:
        game.umpire.listen()
    rolled, moved = (
        next(line[2] for line in lines_of(game.umpire) if words in line[1])
        for words in ("Rolls 3d6", "The front moves")
    )
    why = ask(game.umpire, {"t": "explain", "record": rolled})["why"]
    assert "/" not in why["log"]
    (roll,) = why["rolls"]
    assert (roll["record"], len(roll["dice"]), roll["needs"], roll["rule"]) == (rolled, 3, [3, 3, 3], "TOY-3")
    assert why["rules"]["TOY-3"]
    why = ask(game.umpire, {"t": "explain", "record": moved})["why"]
    assert why["rule"].startswith("TOY-3")
    assert {each["by"] for each in why["decided"]} & {"north", "south"}
    odds = ask(game.umpire, {"t": "chances", "record": rolled})
    assert (odds["record"], odds["dice"]) == (rolled, roll["dice"])
    assert "method" in odds["lines"][-1]


def lines_of(page: Page) -> list[list[Any]]:
    """Return all lines of the story that a page was sent."""
    return [each for message in page.heard if "story" in message for each in message["story"]["lines"]]


@pytest.mark.parametrize("number", [0, 10_000])
def test_unknown_record_is_not_explained(game: Game, tmp_path: Path, number: int) -> None:
    for kind in ("explain", "chances"):
        reply = ask(game.umpire, {"t": kind, "record": number})
        assert reply["t"] == "problem"
        assert str(tmp_path) not in reply["words"]


def test_what_if_shows_a_second_board_and_leaves_the_game(site: Site, game: Game) -> None:
    play(game.players, 2)
    live = site.games.tables[game.ident].live
    before = live.game.number
    first = ask(game.umpire, {"t": "desk"})["orders"][0]
    other = 5 if '"space":1' in first["text"] else 1
    order = json.dumps({"type": "LayAmbush", "space": other})
    reply = ask(game.umpire, {"t": "what_if", "record": first["n"], "order": order})
    assert reply["t"] == "branch", reply
    assert reply["start"] == first["n"]
    assert reply["board"] == ""  # the toy draws none
    assert "given again" in reply["summary"][0]
    assert live.game.number == before
    assert ask(game.umpire, {"t": "what_if", "record": 1})["t"] == "problem"


def test_what_if_shows_no_dice_that_the_game_has_yet_to_roll(site: Site) -> None:
    """The next battle is rolled in several what-ifs of one change: it has different dice each time."""
    game = Game(site, dice="host")
    play(game.players, 2)
    record = ask(game.umpire, {"t": "desk"})["orders"][-2]["n"]
    message = {"t": "what_if", "record": record, "event": FRONT_MOVED, "bots": True}
    stories = {tuple(ask(game.umpire, message)["story"]) for _ in range(6)}
    assert len(stories) > 1


def test_estimate_counts_games_of_bots_and_leaves_the_game(site: Site, game: Game) -> None:
    play(game.players, 1)
    before = site.games.tables[game.ident].live.game.number
    found = ask(game.umpire, {"t": "estimate"})
    assert sum(found["won"].values()) == found["games"] == inquiries.PLAYOUTS
    assert set(found["won"]) <= {"north", "south", "draw"}
    assert site.games.tables[game.ident].live.game.number == before


def test_bots_that_take_too_long_are_stopped(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    play(game.players, 1)
    record = ask(game.umpire, {"t": "desk"})["orders"][0]["n"]
    monkeypatch.setattr(inquiries, "BOT_SECONDS", -1.0)
    assert "finished no game" in ask(game.umpire, {"t": "estimate"})["words"]
    message = {"t": "what_if", "record": record, "option": "tie", "value": "fall_back", "bots": True}
    assert "did not finish" in ask(game.umpire, message)["words"]


# --- disputes ---


def test_dispute_is_filed_answered_and_downloaded(site: Site, game: Game, tmp_path: Path) -> None:
    play(game.players, 2)
    record = next(each[2] for each in lines_of(game.north) if each[1].startswith("Rolls"))
    reply = ask(game.north, {"t": "dispute", "record": record, "claim": "the front moved too far", "rule": "TOY-3"})
    number = reply["dispute"]
    row = {"n": number, "record": record, "by": "north", "claim": "the front moved too far", "rule": "TOY-3"}
    assert game.umpire.until("disputes")["list"] == [{**row, "answer": None}]
    answer = {"t": "answer", "dispute": number, "upheld": False, "text": "one space", "rule": "TOY-3"}
    assert ask(game.umpire, answer)["t"] == "answered"
    shown = game.north.until("disputes")["list"]
    while shown[0]["answer"] is None:
        shown = game.north.until("disputes")["list"]
    assert shown == [{**row, "answer": {"upheld": False, "text": "one space", "rule": "TOY-3"}}]
    for page in (game.north, game.umpire):
        file = ask(page, {"t": "dispute_file", "dispute": number})
        path = tmp_path / file["name"]
        path.write_text(file["text"])
        found = read_dispute(path)
        (log,) = tmp_path.glob("*.jsonl")
        assert found.dispute.log == log.name
        assert (found.dispute.record, found.dispute.by, found.rulings[0].verdict) == (record, "north", "stands")
        assert found.dispute.records <= read_log(str(log)).records
        assert found.dispute.odds is UNSET  # the toy has secrets, which odds may show
    assert ask(game.south, {"t": "dispute_file", "dispute": number})["t"] == "problem"
    assert not [each for each in game.south.heard if each["t"] in {"disputes", "dispute_file"}]


def test_dispute_of_a_game_without_secrets_has_the_odds(tmp_path: Path, unlimited: None) -> None:
    with running(tmp_path, Rulesets(HILL)) as site:
        sides = {"red": "human", "blue": "human"}
        links = site.make("hill", players=sides, umpire="link")
        pages = [site.open(links[side]) for side in sides]
        robots = {id(page): Robot(page, f"hill {place}") for place, page in enumerate(pages)}
        live = next(iter(site.games.tables.values())).live
        while not (rolls := [each.n for each in live.game.trail if isinstance(each, RollRecord)]):
            page = until_asked(*pages)
            robots[id(page)].answer()
        number = ask(pages[0], {"t": "dispute", "record": rolls[0], "claim": "it was a 6"})["dispute"]
        text = ask(pages[0], {"t": "dispute_file", "dispute": number})["text"]
        assert f'odds = ["of record {rolls[0]}", "1/' in text


def test_upheld_dispute_ends_in_a_ruling(game: Game) -> None:
    play(game.players, 2)
    number = ask(game.north, {"t": "dispute", "record": lines_of(game.north)[-1][2], "claim": "wrong"})["dispute"]
    assert game.rule(event=FRONT_MOVED, dispute=number, claim="wrong")["t"] == "ruled"
    answers = [each["list"][0]["answer"] for each in game.umpire.heard if each["t"] == "disputes"]
    while not answers or answers[-1] is None:
        answers.append(game.umpire.until("disputes")["list"][0]["answer"])
    assert answers[-1]["upheld"]
    assert "agreed (ruling in record" in answers[-1]["text"]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"record": 1, "claim": " "}, "claim"),
        ({"record": 10_000, "claim": "no"}, "not one that your side sees"),
        ({"record": 1, "claim": "no", "rule": "TOY-99"}, "TOY-99"),
    ],
)
def test_impossible_dispute_is_refused(game: Game, message: dict[str, Any], words: str) -> None:
    reply = ask(game.north, {"t": "dispute", **message})
    assert words in reply["words"]


def test_record_that_is_secret_from_a_side_cannot_be_disputed(site: Site, game: Game) -> None:
    play(game.players, 1)
    records = site.games.tables[game.ident].live.game.records
    laid = [each for each in records if type(getattr(each, "event", None)).__name__ == "AmbushLaid"]
    mine, other = ([each.n for each in laid if each.event.side == side] for side in ("south", "north"))
    replies = [ask(game.south, {"t": "dispute", "record": n, "claim": "x"})["t"] for n in (*mine, *other)]
    assert replies == ["filed", "problem"]


def test_open_disputes_are_limited_and_games_without_umpire_have_none(site: Site, game: Game) -> None:
    play(game.players, 2)
    record = lines_of(game.north)[-1][2]
    replies = [ask(game.north, {"t": "dispute", "record": record, "claim": str(n)})["t"] for n in range(6)]
    assert replies == ["filed"] * 5 + ["problem"]
    links = site.make("toy", players=TOY)
    assert "no umpire" in ask(site.open(links["north"]), {"t": "dispute", "record": 1, "claim": "x"})["words"]


def test_dispute_and_ruling_survive_kill(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game = Game(server.site)
        play(game.players, 2)
        record = lines_of(game.north)[-1][2]
        number = ask(game.north, {"t": "dispute", "record": record, "claim": "too far"})["dispute"]
        ruled = game.rule(event=FRONT_MOVED)["record"]
        server.kill()
        server.start()
        umpire, north = server.site.open(game.links["umpire"]), server.site.open(game.links["north"])
        assert umpire.hello["last"] >= ruled
        assert [each["n"] for each in ask(umpire, {"t": "desk"})["rulings"]] == [ruled]
        rows = [
            page.until("disputes")["list"] if not heard(page, "disputes") else heard(page, "disputes")[0]["list"]
            for page in (umpire, north)
        ]
        assert all((row[0]["n"], row[0]["claim"]) == (number, "too far") for row in rows)


def heard(page: Page, kind: str) -> list[dict[str, Any]]:
    """Return the messages of a kind that a page was sent."""
    return [each for each in page.heard if each["t"] == kind]


def test_annex_of_a_hostile_log_imports_no_bot(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = st.new_game("toy", seed="x", players={"north": "first", "south": "first"})
    game.save(path)
    line = annex_line({"players": {"north": "this:Zen", "south": "human", "umpire": 7, "west": "human"}})
    with path.open("ab") as file:
        file.write(line)
    assert changed_seats(read_log(str(path))) == {"south": "human"}
