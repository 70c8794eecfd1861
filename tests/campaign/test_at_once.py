"""Two to five programs on one log at once: what is there was made by those that say so, one after the other."""

from pathlib import Path

import pytest
from at_once import Starter
from figures_of_campaigns import Share
from one_log import COMMANDS, Folder, what_is_wrong

MEETINGS = 1_000
PROMISE = "nothing acknowledged is lost"
RULESETS = Path(__file__).parents[1] / "framework" / "rulesets"


@pytest.mark.slow
def test_programs_that_meet_on_one_log_lose_nothing(campaign: Share, tmp_path: Path) -> None:
    rng, failures = campaign.rng("at once"), []
    wanted = campaign.of(MEETINGS)
    with Starter(tmp_path, RULESETS) as starter:
        folder = Folder(tmp_path, starter)
        for _ in range(wanted):
            commands = rng.choices(list(COMMANDS), k=rng.randint(2, 5))
            folder.tear()
            wrong = what_is_wrong(folder, commands, starter.run([COMMANDS[command] for command in commands]))
            failures += [wrong] if wrong else []
    campaign.tried(PROMISE, "programs that meet on one log", wanted, failures)
