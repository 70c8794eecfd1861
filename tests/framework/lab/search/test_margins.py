"""Rules with a margin or shares: a search prefers the larger of two wins or shares, and never a defeat."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

import sandtable as st
from sandtable.cli.main import cli
from sandtable.front import new_game
from sandtable.kernel.events import margin_in
from sandtable.plugin.manager import Installed

KUHN = Path(__file__).parents[4] / "docs/examples/kuhn/src"
LOSES, DRAWS, SMALL, LARGE = range(4)
PAYS = {LOSES: ("b", 500), DRAWS: ("draw", 40), SMALL: ("a", -3), LARGE: ("a", 2)}


class Take(st.Order, frozen=True):
    what: int


class Table(st.State, kw_only=True):
    pass


@pytest.fixture
def purse() -> Installed:
    """Return a game in which one side takes one of four things, which ends the game."""
    game = st.Ruleset("purse", title="Purse", sides=("a", "b"), rules="PU-1  Take.")
    game.state(Table)
    game.order(Take)

    @game.phase("PU-1")
    def take(state: Table) -> st.Procedure:
        order = yield st.Decision("a", "take", st.OneOf([Take(each) for each in PAYS], "PU-1"), "PU-1")
        outcome, points = PAYS[order.what]
        yield st.GameEnded(outcome, "taken", "PU-1", margin={"a": points, "b": -points})

    module = ModuleType("purse")
    vars(module)["game"] = game
    module.__file__ = __file__
    return Installed("purse", module, "a test")


def test_search_takes_the_larger_of_two_wins(purse: Installed) -> None:
    for seed in "abc":
        played = new_game(purse, seed=seed, players={"a": "search", "b": "random"})
        assert margin_in(played.records) == {"a": 2, "b": -2}


SHARED: Sequence[Any] = (
    ("draw", {}),
    ("c", {}),
    ("draw", {"a": 500, "b": 500, "c": 0}),
    ("draw", {"a": 0, "b": 500, "c": 500}),
)
BY_POINTS: Sequence[Any] = (("draw", {}), ("b", {"a": 450, "b": 550, "c": 0}), ("draw", {"a": 0, "b": 500, "c": 500}))


@pytest.mark.parametrize(("endings", "best"), [(SHARED, 2), (BY_POINTS, 1)])
def test_search_takes_the_largest_share_of_three_sides(endings: Sequence[Any], best: int) -> None:
    """A draw of two is better than one of three; 45 % without a win are better than a third."""
    game = st.Ruleset("purse", title="Purse", sides=("a", "b", "c"), rules="PU-1  Take.")
    game.state(Table)
    game.order(Take)

    @game.phase("PU-1")
    def take(state: Table) -> st.Procedure:
        order = yield st.Decision("a", "take", st.OneOf([Take(each) for each in range(len(endings))], "PU-1"), "PU-1")
        outcome, shares = endings[order.what]
        yield st.GameEnded(outcome, "taken", "PU-1", shares=shares or st.UNSET)

    module = ModuleType("purse")
    vars(module)["game"] = game
    module.__file__ = __file__
    for seed in "abc":
        players = {"a": "search", "b": "random", "c": "random"}
        played = new_game(Installed("purse", module, "a test"), seed=seed, players=players)
        assert next(record.order.what for record in played.records if hasattr(record, "order")) == best


def test_game_without_margin_has_no_margin(purse: Installed) -> None:
    assert margin_in(new_game(purse, seed="a").records) == {}


def test_match_adds_up_margins() -> None:
    words = [
        "match",
        "kuhn",
        "--player",
        "random",
        "--player",
        "first",
        "--games",
        "4",
        "--seed",
        "a",
        "--workers",
        "1",
    ]
    result = CliRunner().invoke(cli, ["--plugins-dir", str(KUHN), *words, "--json"])
    document = msgspec.json.decode(result.stdout)
    assert abs(document["margin"]) in range(1, 9)
    shown = CliRunner().invoke(cli, ["--plugins-dir", str(KUHN), *words])
    assert f"random is {document['margin']:+,} points ahead" in shown.stderr
