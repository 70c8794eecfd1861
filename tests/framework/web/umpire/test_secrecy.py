"""An umpire changes no byte that reaches the others, except by rulings, and those do not show secrets."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.framework.web.test_table import plain
from tests.framework.web.umpire.test_desk import Game, ask, until_asked
from web_robot import Page, Site

pytestmark = pytest.mark.full

Act = Callable[[Game], None]


def nothing(_: Game) -> None:
    """Do nothing."""


def inquire(game: Game) -> None:
    """Let the umpire look at the secret order of the north in every way."""
    desk = ask(game.umpire, {"t": "desk"})
    first = desk["orders"][0]
    assert first["by"] == "north"
    for message in (
        {"t": "explain", "record": first["n"]},
        {"t": "explain", "record": first["n"] + 1},
        {"t": "chances", "record": first["n"]},
        {"t": "what_if", "record": first["n"], "order": '{"type":"LayAmbush","space":3}'},
        {"t": "what_if", "record": first["n"], "option": "tie", "value": "fall_back", "bots": True},
        {"t": "rule", "reason": "no ruling", "event": "{"},
        {"t": "rule", "reason": "no ruling", "amends": first["n"], "order": '{"type":"LayAmbush","space":9}'},
        {"t": "adjudicate", "outcome": "nobody", "reason": "no ending"},
        {"t": "reseat", "seat": "north", "player": "nobody"},
    ):
        ask(game.umpire, message)


def dispute(game: Game) -> None:
    """Let the north dispute its secret order, and the umpire reject that."""
    record = ask(game.umpire, {"t": "desk"})["orders"][0]["n"]
    number = ask(game.north, {"t": "dispute", "record": record, "claim": "it should be secret"})["dispute"]
    ask(game.umpire, {"t": "answer", "dispute": number, "upheld": False, "text": "it is"})


def amend_to(space: int) -> Act:
    """Return a function that replaces the secret order of the north."""

    def amend(game: Game) -> None:
        order = json.dumps({"type": "LayAmbush", "space": space})
        record = ask(game.umpire, {"t": "desk"})["orders"][0]["n"]
        assert game.rule(amends=record, order=order)["t"] == "ruled"

    return amend


def heard(site: Site, act: Act, secret: int = 0) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the messages to umpire, south and a spectator if north hides its ambush in space ``secret``."""
    game = Game(site, dice="host")
    spectator = site.open(game.links["spectator"])
    north = until_asked(game.north)
    assert north.ask is not None
    option = north.ask["step"]["options"][secret][0]
    assert north.say({"t": "give", "picks": [option]})["t"] == "taken"
    assert until_asked(game.south).ask is not None
    act(game)
    for page in (game.south, spectator):
        ask(page, {"t": "expand", "q": "a question that was never asked"})
    ask(game.umpire, {"t": "explain", "record": 0})
    return _without_presence(game.umpire), _without_presence(game.south), _without_presence(spectator)


def _without_presence(page: Page) -> list[Any]:
    """Return all messages; pages come and go at other moments."""
    return [plain(each) for each in page.heard if each["t"] != "presence"]


@pytest.mark.parametrize("act", [inquire, dispute])
def test_umpire_that_looks_changes_no_byte_of_the_others(site: Site, act: Act) -> None:
    watched, idle = heard(site, act), heard(site, nothing)
    assert watched[0] != idle[0]
    assert watched[1:] == idle[1:]


def test_secret_reaches_the_umpire_and_no_other(site: Site) -> None:
    one, other = (heard(site, inquire, secret) for secret in (0, 1))
    assert one[0] != other[0]
    assert one[1:] == other[1:]


def test_ruling_on_a_secret_order_does_not_show_it(site: Site) -> None:
    one, other = (heard(site, amend_to(space)) for space in (1, 5))
    assert one[0] != other[0]
    assert one[1:] == other[1:]
    assert any("Ruling in record" in str(each) for each in one[1])
