"""The handicap that makes a scenario even, in a race with known odds."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sandtable.cli.main import cli
from sandtable.errors import PlayError
from sandtable.lab.matches.bidding import find_bid
from sandtable.lab.matches.games import MatchPlan
from sandtable.plugin.manager import Rulesets

RACE = """
from sandtable.kernel.decisions import Roll
from sandtable.kernel.events import GameEnded
from sandtable.kernel.sequence import Phase, SequenceOfPlay
from sandtable.kernel.state import State
from sandtable.plugin.hookspecs import hookimpl
from sandtable.plugin.manifest import Manifest, Option, Parts

START = Option("start", ("0",), "How many steps is the slow one ahead?", number=True, bid={bid!r})

def run(state):
    (die,) = yield Roll(1, 20, "race", "R-1")
    yield GameEnded("slow" if die <= 2 + int(state.options["start"]) else "quick", "home", "R-1")

@hookimpl
def ruleset_manifest():
    return Manifest(id="race", title="Race", version="1", edition="own", designer="-", stage="draft",
                    sides=("quick", "slow"), board="none", options=(START,))

@hookimpl
def ruleset_scenarios():
    return {{}}

@hookimpl
def ruleset_parts():
    sequence = SequenceOfPlay((Phase("run", run, rule="R-1"),))
    return Parts(state_type=State, sequence=sequence, handlers=(), orders=(), events=())

@hookimpl
def ruleset_setup():
    return State(), None
"""
Home = Callable[..., str]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    def of(bid: str = "slow") -> str:
        (tmp_path / "race.py").write_text(RACE.format(bid=bid))
        return str(tmp_path)

    return of


@pytest.mark.full
def test_bid_with_an_even_score_is_found(home: Home) -> None:
    """The slow side wins with 2 faces of 20. With 8 steps it is even."""
    folder = home()
    found = find_bid(MatchPlan("race", ("random", "random"), 600, "a", plugins_dir=folder), Rulesets(folder))
    assert (found.side, found.option) == ("slow", "start")
    assert found.found is not None
    assert 7 <= found.found.bid <= 9
    assert found.found.share >= 0.5 > next(each for each in found.tried if each.bid == found.found.bid - 1).share
    assert found.tried[0].bid == 0
    assert found.tried[0].interval[0] < 0.1 < found.tried[0].interval[1]


@pytest.mark.full
def test_bid_may_name_the_second_side_of_any_scenario(home: Home) -> None:
    folder = home("second")
    found = find_bid(MatchPlan("race", ("random", "random"), 60, "a", plugins_dir=folder), Rulesets(folder))
    assert (found.side, found.option) == ("slow", "start")


def test_missing_bid_for_the_weaker_side_is_an_error(home: Home) -> None:
    folder = home("quick")
    plan = MatchPlan("race", ("random", "random"), 40, "a", plugins_dir=folder)
    with pytest.raises(PlayError, match="has no bid for it; its bids are for quick"):
        find_bid(plan, Rulesets(folder))


@pytest.mark.full
def test_bid_command_prints_bids_and_the_option_to_play(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", home())
    words = ["match", "race", "--bid", "--player", "random", "--games", "200", "--seed", "a", "--workers", "1"]
    result: Any = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.stderr
    assert "score of the slow" in result.stdout
    assert "play with --option start=" in result.stderr
    refused = CliRunner().invoke(cli, [*words, "--player", "first"])
    assert refused.exit_code == 2
    assert "--bid requires one player, who plays all sides" in refused.stderr
