"""The planning board: what a player tries there changes no game, shows no secret, and leaves nothing behind."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from web_robot import Page, Robot, Site
from websockets.exceptions import ConnectionClosed

from sandtable.kernel.decisions import Roll
from sandtable.plugin.manager import Rulesets
from sandtable.web.around import planning
from sandtable.web.around.planned import PlannedGame, expected_faces, simulator_of

pytestmark = pytest.mark.full
GAMES = Rulesets().ids()


def people_of(ruleset: str) -> dict[str, str]:
    """Return people for all sides of a ruleset's first scenario."""
    return dict.fromkeys(Rulesets().load(ruleset).prepare().ruleset.viewers, "human")


def plan(site: Site, link: str) -> Page:
    """Open a planning board at a link."""
    page = site.socket(link, plan=True)
    assert page.until("hello", "stopped")["t"] == "hello", page.heard
    return page


def told(page: Page, **message: Any) -> dict[str, Any]:
    """Send a message that is about no question; return the next reply, update or hello."""
    page._send(message)
    return page.until("problem", "update", "hello")


def refusal(page: Page, **message: Any) -> str:
    """Send a message that is about no question; return the words of its refusal."""
    page._send(message)
    return str(page.until("problem")["words"])


def asked_side(site: Site, links: dict[str, str]) -> tuple[str, Page]:
    """Return the link of the side with the pending question, and its page."""
    for name, link in links.items():
        page = site.open(link)
        if name != "spectator" and page.ask is not None:
            return link, page
    raise AssertionError("nobody is asked")


@pytest.mark.parametrize("ruleset", GAMES)
def test_orders_of_a_plan_change_no_game(ruleset: str, site: Site, tmp_path: Path) -> None:
    links = site.make(ruleset, players=people_of(ruleset))
    link, page = asked_side(site, links)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.suffix != ".sqlite-wal"}
    table = site.games.tables[link.partition("#")[0].rpartition("/")[2]]
    number, question = table.live.game.number, page.ask
    board = plan(site, link)
    robot = Robot(board, ruleset)
    for _ in range(4):
        if board.ask is None:
            break
        reply = robot.answer()
        assert reply["t"] == "taken", reply
        while board.facts["plan"]["steps"] == 0:
            board.listen()
        board.catch_up()
    assert board.facts["plan"]["steps"]
    assert table.live.game.number == number
    assert site.open(link).ask == question
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


def test_plan_can_begin_while_the_other_side_decides(site: Site) -> None:
    links = site.make("damos", players=people_of("damos"))
    asked, _ = asked_side(site, links)
    other = next(link for name, link in links.items() if link != asked and name != "spectator")
    board = plan(site, other)
    assert told(board, t="plan", dice="random", others="bot")["plan"]["steps"]


def test_plan_is_dealt_from_the_knowledge_of_the_side(site: Site) -> None:
    """The simulator of a plan has the view of its side, and neither the game nor its key."""
    links = site.make("kampfpanzer", players=people_of("kampfpanzer"))
    link, _ = asked_side(site, links)
    ident = link.partition("#")[0].rpartition("/")[2]
    live = site.games.tables[ident].live
    side = live.prepared.ruleset.viewers[0]
    planned = PlannedGame(live, side, simulator_of(live, side))
    assert planned.key == b""
    assert (planned.header.key, planned.header.salts) == ("", "")
    assert planned.prepared.ruleset.view(planned.game.state, side) == live.game.view(side)


def test_last_order_of_a_plan_is_taken_back(site: Site) -> None:
    links = site.make("desert_aa", players=people_of("desert_aa"))
    board = plan(site, asked_side(site, links)[0])
    first = board.ask
    Robot(board, "back").answer()
    board.catch_up()
    assert told(board, t="undo")["plan"]["steps"] == 0
    assert board.ask == first
    assert "have not given an order" in refusal(board, t="undo")


def test_typed_dice_wait_for_the_person(site: Site) -> None:
    links = site.make("toy", players={"north": "human", "south": "human"})
    board = plan(site, asked_side(site, links)[0])
    told(board, t="plan", dice="typed", others="me")
    robot = Robot(board, "typed")
    for _ in range(40):
        if board.facts["plan"]["roll"] or board.ask is None:
            break
        robot.answer()
        board.catch_up()
    roll = board.facts["plan"]["roll"]
    assert roll
    assert "dice with" in refusal(board, t="faces", faces=[roll["sides"] + 1] * roll["dice"])
    assert told(board, t="faces", faces=[1] * roll["dice"])["t"] == "update"


@pytest.mark.parametrize(
    ("roll", "hits"),
    [
        (Roll(6, 6, "a", needs=(3,) * 6), 3),
        (Roll(1, 6, "a", needs=(3,)), 1),
        (Roll(1, 6, "a", needs=(2,)), 0),
        (Roll(3, 10, "a", needs=(1, 9, 0)), 1),
    ],
)
def test_expected_dice_have_the_rounded_number_of_hits(roll: Roll, hits: int) -> None:
    faces = expected_faces(roll)
    assert all(1 <= face <= roll.sides for face in faces)
    assert sum(face <= need for face, need in zip(faces, roll.needs, strict=True)) == hits


def test_expected_dice_without_needs_are_average() -> None:
    assert sum(expected_faces(Roll(4, 6, "a"))) == 14


@pytest.mark.parametrize("message", ["resign", "draw", "review", "branch", "rematch", "lead", "dice"])
def test_board_refuses_what_belongs_to_the_table(site: Site, message: str) -> None:
    links = site.make("toy", players={"north": "human", "south": "human"})
    board = plan(site, asked_side(site, links)[0])
    assert "planning board" in told(board, t=message)["words"]


@pytest.mark.parametrize("modes", [{"dice": "loaded"}, {"others": "nobody"}])
def test_unknown_modes_are_refused(site: Site, modes: dict[str, str]) -> None:
    links = site.make("toy", players={"north": "human", "south": "human"})
    assert "dice are" in told(plan(site, asked_side(site, links)[0]), t="plan", **modes)["words"]


def test_table_knows_no_plan(site: Site) -> None:
    page = site.open(site.make("toy", players={"north": "human", "south": "human"})["north"])
    for message in ("plan", "faces"):
        assert "not a planning board" in told(page, t=message)["words"]


def test_boards_are_for_players_and_few(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    links = site.make("toy", players={"north": "human", "south": "human"})
    assert "only a player" in site.socket(links["spectator"], plan=True).until("stopped")["words"]
    monkeypatch.setattr(planning, "MAX_PLANS", 1)
    board = plan(site, links["north"])
    assert "close one" in site.socket(links["north"], plan=True).until("stopped")["words"]
    board.socket.close()
    with suppress(ConnectionClosed):
        while True:
            board.listen()
    plan(site, links["north"])
