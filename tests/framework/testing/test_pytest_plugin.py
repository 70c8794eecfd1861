"""The pytest plugin in unrelated projects: in separate processes, because the tests are about loaded modules."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sandtable.testing import CHECKS
from sandtable.testing.pytest_plugin import OPTION

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "plugins" / "README.md").read_text(encoding="utf-8")
STRICT = ("--strict-markers", "--strict-config", "-W", "error")
HEAVY = {"msgspec", "networkx", "click", "rich", "hypothesis"}


def run_pytest(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(folder), *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")


def toy(**swapped: str) -> str:
    """Return the source of a module with the toy's hooks, and others in their place."""
    return "from sandtable.testing.toy import *\nimport sandtable as st\n" + "\n".join(swapped.values())


@pytest.mark.full
def test_unrelated_pytest_run_loads_nothing_of_the_framework(tmp_path: Path) -> None:
    write(
        tmp_path,
        test_stranger=(
            "import sys\n"
            "def test_what_is_loaded(pytestconfig):\n"
            "    assert pytestconfig.pluginmanager.hasplugin('sandtable')\n"
            f"    assert not {HEAVY} & set(sys.modules)\n"
            "    ours = sorted(name for name in sys.modules if name.split('.')[0] == 'sandtable')\n"
            "    assert ours == ['sandtable', 'sandtable.testing', 'sandtable.testing.pytest_plugin']\n"
        ),
    )
    done = run_pytest(tmp_path, "-q", *STRICT)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_plugin_is_registered_in_the_project_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["pytest11"] == {"sandtable": "sandtable.testing.pytest_plugin"}
    assert not [each for each in project["tool"]["pytest"]["ini_options"]["markers"] if each.startswith("rule")]


@pytest.mark.full
def test_rule_mark_passes_strict_markers(tmp_path: Path) -> None:
    write(tmp_path, test_rule="import pytest\n@pytest.mark.rule('X-1', 'X-2')\ndef test_it(): ...\n")
    assert "1 passed" in run_pytest(tmp_path, "-q", *STRICT).stdout
    without = run_pytest(tmp_path, "-q", *STRICT, "-p", "no:sandtable")
    assert "'rule' not found in `markers`" in without.stdout


@pytest.mark.full
def test_the_option_adds_one_test_for_each_check(tmp_path: Path) -> None:
    write(tmp_path, my_toy=toy(), test_one="def test_one(): ...\n", test_two="def test_two(): ...\n")
    done = run_pytest(tmp_path, "-v", *STRICT, f"{OPTION}=my_toy", "test_one.py", "test_two.py::test_two")
    assert done.returncode == 0, done.stdout
    assert f"collected {len(CHECKS) + 2} items" in done.stdout
    names = re.findall(r"^(\S+) (?:PASSED|SKIPPED)", done.stdout, re.MULTILINE)
    assert names == [
        "test_one.py::test_one",
        "test_two.py::test_two",
        *(f"contract[my_toy]::{each}" for each in CHECKS),
    ]


@pytest.mark.full
def test_several_rulesets_can_be_selected_by_name(tmp_path: Path) -> None:
    asked = [f"{OPTION}=sandtable.testing.{name}" for name in ("toy", "tictactoe", "toy")]
    done = run_pytest(tmp_path, "-v", *STRICT, *asked, "-k", "seats_exist or (tictactoe and facts)")
    assert re.findall(r"^contract\[sandtable.testing.(\S+) PASSED", done.stdout, re.MULTILINE) == [
        "toy]::seats_exist",
        "tictactoe]::facts_agree",
        "tictactoe]::seats_exist",
    ]


@pytest.mark.full
def test_an_installed_ruleset_is_found_by_its_id(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "-v", *STRICT, f"{OPTION}=desert_aa", "-k", "no_clock")
    assert "contract[desert_aa]::no_clock_no_chance PASSED" in done.stdout


@pytest.mark.full
def test_contract_tests_are_distributed_among_workers(tmp_path: Path) -> None:
    write(tmp_path, my_toy=toy())
    done = run_pytest(tmp_path, "-q", *STRICT, f"{OPTION}=my_toy", "-k", "facts_agree or seats_exist", "-n", "2")
    assert "2 passed" in done.stdout


@pytest.mark.full
def test_failure_shows_only_the_finding(tmp_path: Path) -> None:
    bare = "@st.hookimpl\ndef ruleset_index(): return (st.RuleRow('TOY-9', 'Nothing.'),)\n"
    write(tmp_path, my_toy=toy(index=bare))
    done = run_pytest(tmp_path, "-q", *STRICT, f"{OPTION}=my_toy", "-k", "rules_are_named")
    assert done.returncode == 1
    assert "contract of toy: rules_are_named" in done.stdout
    assert re.search(r"^game contract/0 \(toy\), record \d+: .*TOY-", done.stdout, re.MULTILINE)
    assert "FAILED contract[my_toy]::rules_are_named - Failed: game contract/0 (toy), rec" in done.stdout
    assert "Traceback" not in done.stdout
    assert "pytest_plugin.py" not in done.stdout


NO_RULESETS = {
    "my_game": "no such ruleset is installed, and no such module can be imported: No module named 'my_game'",
    "plain": "the module is not a ruleset: it has no hook ruleset_manifest",
    "broken": "no such module can be imported: sorry",
    "half": "toy: the hook ruleset_scenarios is missing",
}


@pytest.mark.full
def test_invalid_ruleset_is_reported_in_one_line(tmp_path: Path) -> None:
    half = "import sandtable as st\nfrom sandtable.testing.toy import ruleset_manifest\n"
    write(tmp_path, plain="X = 1\n", broken="raise ValueError('sorry')\n", half=half)
    done = run_pytest(tmp_path, "-q", *STRICT, *(f"{OPTION}={name}" for name in NO_RULESETS))
    assert done.returncode == 2
    for name, problem in NO_RULESETS.items():
        (told,) = [line for line in done.stdout.splitlines() if problem in line]
        assert told.startswith(f"{OPTION} {name}: ")


@pytest.mark.full
def test_sample_tests_of_the_authors_guide_pass(tmp_path: Path) -> None:
    steps = PAGE.split("## The hooks")[0]
    (settings,) = re.findall(r"^```toml\n(\[tool\.pytest.*?)^```$", steps, flags=re.MULTILINE | re.DOTALL)
    (tests,) = re.findall(r"^```python tests/test_duel\.py\n(.*?)^```$", steps, flags=re.MULTILINE | re.DOTALL)
    write(tmp_path, duel="\n".join(re.findall(r"^```python\n(.*?)^```$", steps, flags=re.MULTILINE | re.DOTALL)))
    (tmp_path / "tests").mkdir()
    write(tmp_path / "tests", test_duel=tests)
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    done = run_pytest(tmp_path, "-q", "-W", "error")
    assert f"{len(CHECKS) - 2} passed, 3 skipped" in done.stdout, done.stdout
    command = [sys.executable, "-m", "sandtable", "ruleset", "rules", "duel", "--plugins-dir", ".", "--tests", "tests"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "1 of these have tests" in told.stdout
