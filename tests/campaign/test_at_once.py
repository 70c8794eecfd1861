"""Two to five programs on one log at the same time.

The content of the log was made by the programs that report success, in some order.
"""

from pathlib import Path

import pytest
from at_once import Starter
from campaign_figures import Share
from shared_log import COMMANDS, Folder, what_is_wrong

MEETINGS = 1_000
PROMISE = "nothing acknowledged is lost"
RULESETS = Path(__file__).parents[1] / "framework" / "rulesets"


@pytest.mark.slow
def test_concurrent_programs_on_one_log_lose_nothing(campaign: Share, tmp_path: Path) -> None:
    rng, failures = campaign.rng("at once"), []
    meetings = campaign.of(MEETINGS)
    with Starter(tmp_path, RULESETS) as starter:
        folder = Folder(tmp_path, starter)
        for _ in range(meetings):
            commands = rng.choices(list(COMMANDS), k=rng.randint(2, 5))
            folder.tear()
            wrong = what_is_wrong(folder, commands, starter.run([COMMANDS[command] for command in commands]))
            failures += [wrong] if wrong else []
    campaign.tried(PROMISE, "programs that meet on one log", meetings, failures)
