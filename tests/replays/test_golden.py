"""Every golden log verifies, and every way in which a game can end has one."""

from pathlib import Path

import pytest
from shipped import complete_games

from sandtable.journal.file.log import read_log
from sandtable.journal.fold import prepare_for
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.verification.verify import verify_log
from sandtable.kernel.records import CloseRecord
from sandtable.plugin.manager import Rulesets

FOLDER = Path(__file__).parents[2] / "replays"
LOGS = sorted(FOLDER.glob("*/*.jsonl"))
RULESETS = Rulesets()
SHIPPED = complete_games()


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_golden_log_verifies_deep_under_its_name(path: Path) -> None:
    verdict = verify_log(path, RULESETS, deep=True)
    assert verdict.verdict == "verified", verdict.first_difference
    log = read_log(path)
    assert log.header.ruleset == path.parent.name
    close = RecordCodec.of(prepare_for(log, RULESETS).ruleset).any.decode(log.lines[-1])
    assert isinstance(close, CloseRecord)
    assert path.stem.startswith(f"{close.outcome}-{close.ending}")


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_every_ending_has_a_golden_log(ruleset: str) -> None:
    manifest = RULESETS.load(ruleset).manifest
    assert manifest.endings
    names = [path.stem for path in LOGS if path.parent.name == ruleset]
    missing = [ending for ending in manifest.endings if not any(f"-{ending}" in name for name in names)]
    assert not missing
    assert all(any(name.startswith(f"{side}-") for name in names) for side in manifest.sides)
