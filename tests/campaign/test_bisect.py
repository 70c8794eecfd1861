"""Rule changes planted in copies of the rulesets, one at a time: bisect finds the record of each."""

import shutil
from pathlib import Path

import pytest

from sandtable.journal.versions import run_apart

ROOT = Path(__file__).parents[2]
LOGS = {
    "desert_aa": "disputes/frontier.jsonl",
    "kampfpanzer": "disputes/poland.jsonl",
    "damos": "disputes/smolensk.jsonl",
    "khamsin": "khamsin/allies-broken-teaching.jsonl",
    "axis_attack": "axis_attack/draw-stalemate-armoured_clash.jsonl",
}
BY_RULE = {"KH-12.07": "khamsin/allies-objective-crusader.jsonl"}
"""Logs of changes that the ruleset's usual log does not reach."""
TABLES, COUNTS = "model/tables.py", "economy/calculations.py"
PLANTED = [
    ("desert_aa", TABLES, "GUN_HITS = 3", "GUN_HITS = 2", "DAA-7.08"),
    ("desert_aa", TABLES, "SUPPORTED_INFANTRY = 2", "SUPPORTED_INFANTRY = 1", "DAA-11.01"),
    ("desert_aa", TABLES, "INFANTRY: Values(1, 1, 1, 2)", "INFANTRY: Values(1, 1, 1, 3)", "DAA-3.03"),
    ("desert_aa", COUNTS, "(space, value[space], ", "(space, value[space] + 1, ", "DAA-14.04"),
    ("kampfpanzer", TABLES, "return 2 * strength", "return 3 * strength", "KP-9.18a"),
    ("kampfpanzer", TABLES, "RECOVERS_ON = {1: 3, 2: 2", "RECOVERS_ON = {1: 3, 2: 1", "KP-9.71b"),
    ("kampfpanzer", TABLES, "TOWN: 4, WOODS: 2, SLOPE: 3", "TOWN: 4, WOODS: 1, SLOPE: 3", "KP-10.0c"),
    ("kampfpanzer", TABLES, '4: ("2480", "1379"', '4: ("2480", "1378"', "KP-11.3a"),
    ("damos", TABLES, "STANDARD: AttackPlan(2, 0)", "STANDARD: AttackPlan(2, 1)", "DM-8.5c"),
    ("damos", TABLES, "(1, 2, 3, 5, 7, 8, 9,", "(1, 2, 3, 5, 6, 8, 9,", "DM-8.6a"),
    ("damos", TABLES, '"0d", *("1",) * 2', '"0d", *("1",) * 3', "DM-8.6b"),
    ("damos", TABLES, "_RATINGS = {INFANTRY: 0", "_RATINGS = {INFANTRY: 1", "DM-8.12.1c"),
    (
        *("khamsin", TABLES, 'FREE_FOR_ALL, "Encounter", "Encounter", "Encounter"'),
        *('FREE_FOR_ALL, FREE_FOR_ALL, "Encounter", "Encounter"', "KH-12.07"),
    ),
    ("khamsin", TABLES, '"motor": 4', '"motor": 1', "KH-8.02"),
    ("khamsin", TABLES, "INDEPENDENT_LOST = 1, 3, 1", "INDEPENDENT_LOST = 1, 2, 1", "KH-21.06"),
    ("khamsin", TABLES, "AFV_LOST, AFV_PLATOON = 1, 2", "AFV_LOST, AFV_PLATOON = 2, 2", "KH-21.04"),
    ("axis_attack", "recovery/reinforcement.py", "SUPPORT: (5,", "SUPPORT: (4,", "AOA-11.11"),
    ("axis_attack", TABLES, '(5, "hold_the_line"))', '(6, "hold_the_line"))', "AOA-8.17"),
    ("axis_attack", "battle/briefs.py", 'BANDS = ((50, 0, "AOA-5.18")', 'BANDS = ((0, 0, "AOA-5.18")', "AOA-5.18"),
    (
        *("axis_attack", TABLES, "CLEAR: (CLEAR, CLEAR, CLEAR, CLEAR, CLOUDY"),
        *("CLEAR: (CLOUDY, CLOUDY, CLOUDY, CLOUDY, CLEAR", "AOA-6.03"),
    ),
]


def planted(ruleset: str, file: str, old: str, new: str) -> str:
    """Return a folder with a copy of the ruleset in which ``new`` replaces ``old``."""
    folder = Path("versions")
    shutil.copytree(ROOT / "plugins" / ruleset, folder / ruleset, ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / ruleset / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file} does not contain {old!r} exactly once"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return str(folder)


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "file", "old", "new", "rule"), PLANTED)
def test_planted_rule_change_is_found(
    ruleset: str, file: str, old: str, new: str, rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = run_apart(planted(ruleset, file, old, new), str(ROOT / "replays" / BY_RULE.get(rule, LOGS[ruleset])))
    assert not found.problem
    assert found.difference is not None, f"the change of {rule} was not detected"
    assert found.difference.record > 0


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", LOGS)
def test_unchanged_ruleset_gives_the_same_game(ruleset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "plugins" / ruleset, Path("same") / ruleset, ignore=shutil.ignore_patterns("__pycache__"))
    found = run_apart("same", str(ROOT / "replays" / LOGS[ruleset]))
    assert found.is_same, found
