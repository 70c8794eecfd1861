from pathlib import Path

import pytest
from command_line import Refused, Run, RunJson

from sandtable.cli.ruleset.rule_tests import find_checkout, find_rule_tests, marks_in
from sandtable.errors import DataError

SOURCE = """
import pytest
IDS = ("A-5", "A-6")
CASES = [pytest.param(1, marks=pytest.mark.rule("A-7")), 2]
pytestmark = [pytest.mark.rule("A-1")]

@pytest.mark.rule("A-2 A-3")
def test_one(): ...

@pytest.mark.rule("A-4")
class TestMany:
    @pytest.mark.rule(*IDS)
    def test_two(self): ...
    def helper(self): ...

@pytest.mark.parametrize("x", CASES)
async def test_three(x): ...

@pytest.mark.parametrize("x", [pytest.param(3, marks=[pytest.mark.rule("A-8"), pytest.mark.slow])])
def test_four(x): ...

def no_test(): ...
"""


def test_rule_marks_are_found_on_tests_classes_modules_and_cases() -> None:
    found: dict[str, list[str]] = {}
    for ident, test in marks_in(SOURCE, "t.py"):
        found.setdefault(test, []).append(ident)
    assert found == {
        "t.py::test_one": ["A-1", "A-2", "A-3"],
        "t.py::TestMany::test_two": ["A-1", "A-4", "A-5", "A-6"],
        "t.py::test_three": ["A-1", "A-7"],
        "t.py::test_four": ["A-1", "A-8"],
    }


def test_invalid_python_has_no_marks() -> None:
    assert list(marks_in("def (", "t.py")) == []


SKIRMISH = (Path(__file__).parents[2] / "rulesets" / "skirmish.py").read_text()
RULES = ("ruleset", "rules", "skirmish")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of rulesets of a checkout that has one test for SK-1.1; commands use it."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "tests" / "deep").mkdir(parents=True)
    test = "import pytest\n@pytest.mark.rule('SK-1.1', 'SK-0.1')\ndef test_it(): ...\n"
    (tmp_path / "tests" / "deep" / "test_muster.py").write_text(test)
    (tmp_path / "tests" / "test_plain.py").write_text("def test_without_a_rule(): ...\n")
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "skirmish.py").write_text(SKIRMISH)
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(folder))
    return folder


@pytest.mark.full
@pytest.mark.usefixtures("checkout")
def test_rules_are_listed_with_their_tests(run: Run, run_json: RunJson, refused: Refused) -> None:
    told = run_json(*RULES)
    assert list(told) == ["total", "info", "tested", "rows"]
    assert (told["total"], told["info"], told["tested"]) == (9, 1, 1)
    assert told["rows"][1] == {
        "id": "SK-1.1",
        "text": "Both sides buy units with what money they have.",
        "state": "implemented",
        "tests": ["tests/deep/test_muster.py::test_it"],
    }
    assert {row["state"] for row in told["rows"]} == {"info", "implemented", "ruled"}
    result = run(*RULES)
    assert "8 affect play; 1 of these have tests" in result.stdout
    assert "7 rules without a test: SK-2.1" in result.stderr
    assert "tests/deep/test_muster.py::test_it" in run(*RULES, "sk-1.1").stdout
    assert [row["id"] for row in run_json(*RULES, "SK-4")["rows"]] == ["SK-4.1", "SK-4.2", "SK-4.3"]
    assert "has no rule 'XY-1'; its index has SK-0, SK-1" in refused(2, *RULES, "XY-1")


def test_shipped_test_list_is_used_outside_a_checkout(tmp_path: Path) -> None:
    assert find_checkout(tmp_path) is None
    assert find_rule_tests(tmp_path) == {}
    (tmp_path / "rule_tests.json").write_text('{"A-1": ["tests/x.py::test_x"]}')
    assert find_rule_tests(tmp_path) == {"A-1": ["tests/x.py::test_x"]}
    (tmp_path / "rule_tests.json").write_text("[]")
    with pytest.raises(DataError, match=r"rule_tests\.json: cannot be read"):
        find_rule_tests(tmp_path)


OUTSIDE = {
    "author/test_muster.py": "import pytest\n@pytest.mark.rule('SK-2.1')\ndef test_march(): ...\n",
    "author/deep/test_more.py": "import pytest\nX = '\\d'\n@pytest.mark.rule('SK-2.1')\ndef test_more(): ...\n",
    "author/.venv/test_strange.py": "import pytest\n@pytest.mark.rule('SK-4.1')\ndef test_strange(): ...\n",
    "author/test_broken.py": "@pytest.mark.rule('SK-4.2')\ndef (",
    "author/test_null.py": "@pytest.mark.rule('SK-4.2')\ndef test_null(): ...\0",
    "elsewhere/test_other.py": "import pytest\n@pytest.mark.rule('XY-1')\ndef test_other(): ...\n",
}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a folder with an author's tests that is not next to a ruleset."""
    for name, text in OUTSIDE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_tests_are_read_from_the_folder_of_the_option(
    run: Run, run_json: RunJson, outside: Path, recwarn: pytest.WarningsRecorder
) -> None:
    told = run_json(*RULES, "--tests", "author")
    assert {row["id"]: row["tests"] for row in told["rows"] if row["tests"]} == {
        "SK-2.1": ["author/deep/test_more.py::test_more", "author/test_muster.py::test_march"]
    }
    assert told["tested"] == 1
    (whole,) = run_json(*RULES, "SK-2.1", "--tests", str(outside / "author" / "deep"))["rows"]
    assert whole["tests"] == [f"{outside.as_posix()}/author/deep/test_more.py::test_more"]
    assert not recwarn.list
    said = run(*RULES, "--tests", "elsewhere", code=0).stderr
    assert "no test in elsewhere is marked with a rule of skirmish: mark one @pytest.mark.rule(" in said


@pytest.mark.usefixtures("checkout", "outside")
def test_authors_tests_replace_the_tests_of_the_checkout(run_json: RunJson) -> None:
    told = run_json(*RULES, "--tests", "author/deep")
    assert [row["id"] for row in told["rows"] if row["tests"]] == ["SK-2.1"]


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize("name", ["nowhere", "", "author/test_muster.py"])
def test_invalid_test_folder_is_refused(name: str, refused: Refused) -> None:
    assert f"'--tests': Directory '{name}' " in refused(2, *RULES, "--tests", name)


def test_missing_rule_index_is_reported(run: Run, checkout: Path) -> None:
    (checkout / "skirmish.py").write_text(SKIRMISH.replace("@hookimpl\ndef ruleset_index", "def index"))
    assert "skirmish has no rule index" in run(*RULES, code=0).stderr


def test_rules_used_in_bot_games_are_counted(run: Run, run_json: RunJson) -> None:
    words = *RULES, "--coverage", "4", "--seed", "a", "--workers", "1"
    told = run_json(*words)
    rows = told["rows"]
    assert told["games"] == 4
    assert told["can_be_touched"] == len(rows)
    assert told["touched"] == sum(row["games"] > 0 for row in rows)
    shown = run(*words)
    assert f"use {told['touched']} of {len(rows)} rules" in shown.stderr
    for row in rows:
        assert (row["id"] in shown.stdout) == (row["games"] == 0)
