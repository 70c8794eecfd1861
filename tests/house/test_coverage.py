"""Every rule id of every shipped ruleset that has an effect on play is shown by a test."""

from pathlib import Path

import pytest
from shipped import complete_games

from sandtable.cli.ruleset.rule_tests import find_rule_tests
from sandtable.plugin.manager import Rulesets

pytestmark = pytest.mark.full

PLUGINS = Path(__file__).parents[2] / "plugins"
SHIPPED = complete_games()


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_every_rule_has_a_test_and_every_mark_a_rule(ruleset: str) -> None:
    index = Rulesets().load(ruleset).hook.ruleset_index()
    tests = find_rule_tests(PLUGINS / ruleset)
    assert index
    assert not [row.id for row in index if row.state != "info" and not tests.get(row.id)]
    family = index[0].id.partition("-")[0]
    known = {row.id for row in index}
    assert not [ident for ident in tests if ident.startswith(f"{family}-") and ident not in known]
