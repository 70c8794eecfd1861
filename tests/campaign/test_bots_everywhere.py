"""The example bot of the documentation plays every game that ships, on every side."""

import re
import sys
from pathlib import Path

import pytest
from shipped import complete_games

from sandtable.players.processes.checking import try_bot
from sandtable.plugin.manager import Rulesets

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
INSTALLED = [name for name in complete_games() if name in Rulesets().ids()]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", INSTALLED)
def test_example_bot_plays_every_ruleset(ruleset: str, tmp_path: Path) -> None:
    found = re.search(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    (tmp_path / "bot.py").write_text(found[1], encoding="utf-8")
    prepared = Rulesets().load(ruleset).prepare()
    report = try_bot((sys.executable, "bot.py"), [prepared], games=4, base=tmp_path)
    assert [each.mark for each in report.findings] == ["ok"] * 6, report.findings
