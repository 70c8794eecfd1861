from pathlib import Path

import pytest
from command_line import Refused, Run, RunJson


@pytest.fixture(autouse=True)
def _only_these_rulesets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.plugin.manager.entry_points", lambda group: [])


def test_ruleset_list_as_json_has_all_fields(run_json: RunJson) -> None:
    assert run_json("ruleset", "list") == [
        {
            "id": "skirmish",
            "version": "1",
            "stage": "complete",
            "scenarios": ["mill", "dawn"],
            "sides": ["red", "blue"],
            "error": None,
        }
    ]


def test_json_of_one_ruleset_has_all_fields(run_json: RunJson) -> None:
    told = run_json("ruleset", "show", "skirmish")
    assert {"id", "title", "edition", "stage", "sides", "scenarios", "options", "sequence", "players"} <= set(told)
    assert told["players"] == ["brave", "random", "first", "search"]
    assert told["scenarios"] == ["mill", "dawn"]
    assert told["options"][0]["name"] == "money"
    assert [step["name"] for step in told["sequence"]][:3] == ["muster", "plot", "red.march"]


def test_ruleset_list_and_details_are_printed_as_text(run: Run) -> None:
    result = run("ruleset", "list")
    assert result.stdout.splitlines()[2].split() == ["skirmish", "1", "complete", "mill,", "dawn", "red,", "blue"]
    shown = run("ruleset", "show", "skirmish").stdout
    assert "Skirmish at the Mill" in shown
    assert "The dawn" in shown
    assert "How much money is there?" in shown


BROKEN = {
    "loud": ("print('hello')\nraise SystemExit(3)\n", "loud cannot be loaded: SystemExit: 3"),
    "empty": ("", "the hook ruleset_manifest is missing"),
}
"""Faults of a ruleset; others are in ``plugin/test_manager.py`` and ``plugin/test_checking.py``."""


def test_broken_rulesets_are_listed_with_their_errors(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "toy.py").write_text("from sandtable.testing.toy import *\n")
    for name, (text, _) in BROKEN.items():
        (folder / f"{name}.py").write_text(text)
    rows = {row["id"]: row for row in run_json("--plugins-dir", str(folder), "ruleset", "list")}
    assert rows["toy"]["error"] is None
    for name, (_, message) in BROKEN.items():
        assert message in rows[name]["error"]
        assert rows[name]["scenarios"] == []
    result = run("--plugins-dir", str(folder), "ruleset", "list", code=0)
    assert "hello" not in result.stdout
    assert result.stderr.count("broken: ") == len(BROKEN)


def test_missing_installation_is_reported(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    assert run_json("--plugins-dir", str(tmp_path / "none"), "ruleset", "list") == []
    assert "no ruleset is installed" in run("--plugins-dir", str(tmp_path / "none"), "ruleset", "list").stderr


def test_scenario_is_archived_before_a_change(run: Run, refused: Refused) -> None:
    words = "ruleset", "archive", "--out", "former", "skirmish"
    assert "choose from mill, dawn" in refused(3, *words, "noon")
    assert run(*words, "mill").stderr.startswith("kept: ")
    (file,) = Path("former").iterdir()
    assert file.name.startswith("mill-")
    assert "kept already" in run(*words).stderr
    assert len(list(Path("former").iterdir())) == 2
