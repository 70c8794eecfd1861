"""Every golden log is verified, and every possible ending has a golden log."""

import shutil
import subprocess
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet
from shipped import complete_games

from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import prepare_for, read_records
from sandtable.journal.verification.verify import verify_log
from sandtable.kernel.events import OptionSet
from sandtable.kernel.play.endings import BY_PEOPLE
from sandtable.kernel.records import (
    CloseRecord,
    HandRecord,
    OrderRecord,
    RulingRecord,
    SharesRecord,
    StandingRecord,
    UndoRecord,
)
from sandtable.plugin.manager import Rulesets

FOLDER = Path(__file__).parents[2] / "replays"
DISPUTES = sorted((FOLDER / "disputes").glob("*.jsonl"))
"""Disputed games in ``docs/disputes.md``: of several rulesets, some of them unfinished."""
UNFINISHED = ("crashed", "smolensk", "teaching")
LOGS = [path for path in sorted(FOLDER.glob("*/*.jsonl")) if path not in DISPUTES]
RULESETS = Rulesets()
SHIPPED = complete_games()


def _one_each(paths: list[Path]) -> Iterator[ParameterSet]:
    """Yield each log as a parameter; all but the smallest of each ruleset are marked full."""
    smallest = {
        min(group, key=lambda path: path.stat().st_size) for _, group in groupby(paths, lambda path: path.parent)
    }
    for path in paths:
        marks = () if path in smallest else pytest.mark.full
        yield pytest.param(path, marks=marks, id=f"{path.parent.name}/{path.stem}")


@pytest.mark.full
@pytest.mark.parametrize("path", [*_one_each(LOGS)])
def test_golden_log_verifies_deep_under_its_name(path: Path) -> None:
    verdict = verify_log(path, RULESETS, deep=True)
    assert verdict.verdict == "verified", verdict.first_difference
    log = read_log(path)
    assert log.header.ruleset == path.parent.name
    close = read_records(log, prepare_for(log, RULESETS).ruleset)[-1]
    assert isinstance(close, CloseRecord)
    assert path.stem.startswith(f"{close.outcome}-{close.ending}")


@pytest.mark.parametrize("path", DISPUTES, ids=lambda path: path.stem)
def test_disputed_game_verifies_completely_or_so_far(path: Path) -> None:
    verdict = verify_log(path, RULESETS, deep=True)
    due = "verified so far" if path.stem in UNFINISHED else "verified"
    assert (verdict.verdict, verdict.exit_code) == (due, 0), verdict.text
    assert any("sandtable log repair" in item for item in verdict.pending) == (path.stem == "crashed")


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_every_ending_has_a_golden_log(ruleset: str) -> None:
    manifest = RULESETS.load(ruleset).manifest
    assert manifest.endings
    names = [path.stem for path in LOGS if path.parent.name == ruleset]
    missing = [ending for ending in manifest.endings if not any(f"-{ending}" in name for name in names)]
    assert not missing
    assert all(any(name.startswith(f"{side}-") for name in names) for side in manifest.sides)


@pytest.mark.parametrize("ending", BY_PEOPLE)
def test_every_ending_by_people_has_a_golden_log(ending: str) -> None:
    assert any(f"-{ending}-" in path.stem for path in LOGS)


@pytest.mark.full
@pytest.mark.parametrize(
    "path",
    [*LOGS, *(path for path in DISPUTES if path.stem not in UNFINISHED)],
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_javascript_verifier_confirms_chain_dice_and_signatures(path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    script = Path(__file__).parent / "verify.js"
    result = subprocess.run([node, script, path], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    assert " 0 closed; dice: " in result.stdout


def test_golden_log_has_undo_ruling_and_signed_replacement() -> None:
    log = read_log(FOLDER / "desert_aa" / "axis-capital_captured-ruled.jsonl")
    records = read_records(log, prepare_for(log, RULESETS).ruleset)
    rulings = [record for record in records if isinstance(record, RulingRecord)]
    assert [bool(ruling.amends) for ruling in rulings] == [False, True]
    assert all(ruling.signature for ruling in rulings)
    assert any(isinstance(record, UndoRecord) for record in records)
    assert log.header.dice == "host"


def _golden(name: str) -> tuple[Log, list[Any]]:
    (path,) = FOLDER.glob(f"*/{name}.jsonl")
    log = read_log(path)
    return log, [*read_records(log, prepare_for(log, RULESETS).ruleset)]


def test_golden_log_has_an_option_set_during_the_game() -> None:
    _, records = _golden("axis-capital_captured-frontier-option")
    (ruling,) = [each for each in records if isinstance(each, RulingRecord)]
    assert ruling.event == OptionSet("retreat_rule", "own_origin")


def test_golden_log_has_a_withdrawn_ruling() -> None:
    _, records = _golden("soviet-substantial-smolensk-withdrawn")
    first, second = [each for each in records if isinstance(each, RulingRecord)]
    assert second.withdraws == first.n


def test_golden_log_keeps_the_orders_after_an_amended_one() -> None:
    _, records = _golden("allies-capital_captured-frontier-amended")
    (ruling,) = [each for each in records if isinstance(each, RulingRecord)]
    before = [each.order for each in records if isinstance(each, OrderRecord) and ruling.amends < each.n < ruling.n]
    after = [each.order for each in records if isinstance(each, OrderRecord) and each.n > ruling.n]
    assert len(before) == 9
    assert after[1:10] == before


def test_golden_log_has_shared_dice_of_both_sides() -> None:
    log, records = _golden("allies-capital_captured-frontier-shared")
    assert list(log.header.chains) == ["allies", "axis"]
    assert all(list(each.links) == ["allies", "axis"] for each in records if isinstance(each, SharesRecord))


def test_golden_log_is_signed_by_every_seat() -> None:
    log, records = _golden("allies-capital_captured-frontier-signed")
    assert {each.by for each in records if isinstance(each, HandRecord)} == {"england", "germany", "italy"}
    assert [*log.header.keys] == ["england", "germany", "italy"]


def test_golden_log_has_standing_orders_that_answer_refuse_and_are_taken_back() -> None:
    log, records = _golden("allies-capital_captured-frontier-standing")
    given = [each for each in records if isinstance(each, StandingRecord)]
    answers = [each for each in records if isinstance(each, OrderRecord) and each.standing]
    assert [bool(each.withdraws) for each in given] == [False, False, False, True, False]
    assert {bool(each.policy) for each in given if not each.withdraws} == {True, False}
    assert {each.refused for each in answers} == {"", "illegal"}
    assert {each.standing for each in answers} == {each.n for each in given if not each.withdraws}
    assert "england" in log.header.keys
