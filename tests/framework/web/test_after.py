"""Actions after a game: to review it, to try another order, to play again, and to download its files."""

import json
from pathlib import Path
from typing import Any

import pytest
from web_robot import Page, Robot, Site

import sandtable as st
from sandtable.journal.file.reading import read_log
from sandtable.journal.sides.slices import check_slice
from sandtable.web.around import after

pytestmark = pytest.mark.full
TOY = {"north": "human", "south": "human"}


def play_out(*pages: Page) -> None:
    """Let robots play to the end of the game."""
    robots = [Robot(page, str(place)) for place, page in enumerate(pages)]
    while not any(each.facts["outcome"] for each in pages):
        for robot in robots:
            robot.page.catch_up()
            if robot.page.ask is not None and not robot.page.facts["outcome"]:
                robot.answer()
    for page in pages:
        while not page.facts["outcome"]:
            page.listen()


def resigned(site: Site, ruleset: str = "toy", **wish: Any) -> tuple[dict[str, str], list[Page]]:
    """Return the links and pages of a game that the first side resigned."""
    links = site.make(ruleset, **{"players": TOY, **wish})
    pages = [site.open(link) for name, link in links.items() if name != "spectator"]
    pages[0].tell({"t": "resign"})
    for page in pages:
        while not page.facts["outcome"]:
            page.listen()
    return links, pages


def told(page: Page, **message: Any) -> dict[str, Any]:
    """Send a message that is about no question; return the reply."""
    number = page._send(message)
    while (reply := page.listen()).get("id") != number:
        pass
    return reply


# --- the review ---


def test_review_is_refused_while_the_game_is_played(site: Site) -> None:
    page = site.open(site.make("toy", players=TOY)["north"])
    for kind in ("review", "lead", "branch", "rematch"):
        assert "over" in told(page, t=kind)["words"]


def test_review_shows_everything_with_standing_luck_and_points(site: Site) -> None:
    links = site.make("desert_aa", scenario="frontier", players={"axis": "human", "allies": "human"}, hot_seat=True)
    page = site.open(links["all seats"])
    play_out(page)
    reply = told(page, t="review")
    assert page.hello["viewer"] == st.UMPIRE
    review = reply["review"]
    assert 1 <= len(review["points"]) <= 5
    standing = {record: now for record, _, now in review["standing"]}
    assert all(sum(each.values()) == 1000 for each in standing.values())
    lines = {number: (words, rolls) for _, words, number, rolls in page.hello["story"]["lines"]}
    for point in review["points"]:
        gained = point["after"][point["side"]] - point["before"][point["side"]]
        assert gained == point["swing"] == max(point["after"][each] - point["before"][each] for each in point["after"])
        assert point["order"] <= point["record"] <= review["last"]
        assert point["rule"].startswith("DAA-")
        assert not point["dice"] or lines[point["dice"]][1]
    assert sum(1 for each in review["luck"]) > 3


# --- another order ---


def test_branch_begins_at_the_question_of_the_order(site: Site, tmp_path: Path) -> None:
    links = site.make("toy", players=TOY)
    pages = [site.open(links[side]) for side in TOY]
    play_out(*pages)
    (log,) = tmp_path.glob("*.jsonl")
    orders = [json.loads(line)["n"] for line in read_log(log).chain if b'"kind":"order"' in line]
    reply = told(pages[0], t="branch", record=orders[1])
    assert reply["what"] == "branch"
    branch = site.open(reply["link"])
    assert branch.wait_for_question()
    assert branch.facts["last"] == orders[1] - 1
    play_out(branch)
    site.close()
    for each in tmp_path.glob("*.jsonl"):
        assert st.verify(each).exit_code == 0


def test_branch_at_a_record_other_than_an_order_is_refused(site: Site) -> None:
    _, pages = resigned(site)
    for record in (0, -1, 10**9):
        assert "not an order" in told(pages[0], t="branch", record=record)["words"]


def test_branches_are_limited_and_not_for_spectators(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(after, "MAX_BRANCHES", 0)
    links, pages = resigned(site)
    assert "branches" in told(pages[0], t="branch", record=1)["words"]
    assert "only players" in told(site.open(links["spectator"]), t="branch", record=1)["words"]


# --- again ---


@pytest.mark.parametrize("swap", [False, True])
def test_rematch_begins_when_all_people_agree(site: Site, swap: bool) -> None:
    links, (north, south) = resigned(site)
    looker = site.open(links["spectator"])
    north.tell({"t": "rematch", "swap": swap})
    assert south.until("rematch")["offered"] == ["north"]
    assert "only players" in told(looker, t="rematch")["words"]
    south.tell({"t": "rematch", "swap": swap})
    seats = [site.open(each.until("link")["link"]).hello["seats"] for each in (north, south, looker)]
    assert seats == ([["south"], ["north"], []] if swap else [["north"], ["south"], []])


def test_rematch_with_other_terms_is_a_new_offer(site: Site) -> None:
    _, (north, south) = resigned(site)
    north.tell({"t": "rematch"})
    south.until("rematch")
    south.tell({"t": "rematch", "swap": True})
    assert north.until("rematch", "link")["t"] == "rematch"
    assert north.until("rematch", "link")["offered"] == ["south"]


def test_people_look_together_only_within_the_game(site: Site) -> None:
    _, (north, south) = resigned(site)
    north.tell({"t": "lead", "record": 10**12})
    assert south.until("led") == {"t": "led", "name": "north", "record": north.facts["last"]}


# --- files ---


def test_files_of_a_game_show_a_link_only_its_part(site: Site) -> None:
    links = site.make("toy", players=TOY)
    path, _, token = links["north"].partition("#")
    for side, status in (("", 200), ("north", 200), ("south", 422), ("umpire", 422), ("x" * 9999, 422)):
        assert site.request("GET", f"{path}/log?side={side}", token=token)[0] == status
        assert site.request("GET", f"{path}/page?side={side}", token=token)[0] == status
    path, _, token = links["spectator"].partition("#")
    assert site.request("GET", f"{path}/page", token=token)[0] == 422
    assert site.request("GET", f"{path}/page", token="x" * 22)[0] == 401


def test_files_of_a_finished_game_are_complete(site: Site, tmp_path: Path) -> None:
    links, _ = resigned(site)
    path, _, token = links["north"].partition("#")
    assert b"<title>" in site.request("GET", f"{path}/page", token=token)[1]
    assert site.request("GET", f"{path}/log", token=token)[1] == next(tmp_path.glob("*.jsonl")).read_bytes()
    data = site.request("GET", f"{path}/log?side=south", token=token)[1]
    assert b'"slice":"south"' in data
    assert check_slice(data, "slice") == st.verify(next(tmp_path.glob("*.jsonl"))).records
