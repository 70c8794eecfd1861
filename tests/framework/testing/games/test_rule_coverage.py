"""Which rules bots meet in their games."""

from pathlib import Path

import pytest

from sandtable.errors import PlayError
from sandtable.plugin.manager import Rulesets
from sandtable.testing.games.rule_coverage import TouchPlan, all_ready, touched

RULESETS = Path(__file__).parents[2] / "rulesets"


def test_games_that_cite_a_rule_are_counted(rulesets: Rulesets) -> None:
    found = touched(TouchPlan("skirmish", 6, "a", plugins_dir=str(RULESETS)), rulesets)
    assert max(found.values()) == 6
    assert set(found) <= {row.id for row in rulesets.load("skirmish").hook.ruleset_index()}


def test_the_same_seed_gives_the_same_games_for_any_player(rulesets: Rulesets) -> None:
    plan = TouchPlan("skirmish", 4, "a", "random", str(RULESETS))
    told: list[int] = []
    assert touched(plan, rulesets, seen=told.append) == touched(plan, rulesets)
    assert told[-1] == 4


def test_an_unknown_player_is_refused(rulesets: Rulesets) -> None:
    with pytest.raises(PlayError, match="genius"):
        touched(TouchPlan("skirmish", 2, "a", "genius", str(RULESETS)), rulesets)


def test_scenarios_without_an_end_are_left_out() -> None:
    assert "to_the_finish" not in all_ready(Rulesets().load("desert_aa"))
