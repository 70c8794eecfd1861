"""Which rules the sources of a ruleset cite, and the list of those that none cites."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Run, RunJson

from sandtable.cli.ruleset.rule_citations import cited_in, find_citations

INDEX = [*(f"A-{chapter}.{rule:02}" for chapter in (1, 2) for rule in range(1, 6)), "A-R1", "A-R2", "§3"]


@pytest.mark.parametrize(
    ("text", "idents"),
    [
        ("the first move (A-1.01).", "A-1.01"),
        ('rule="A-1.01"', "A-1.01"),
        ("A-1.01a, A-1.012, XA-1.01, A-1, A-1.01-b", ""),
        ("A-1.02 to A-1.04", "A-1.02 A-1.03 A-1.04"),
        ("as in A-1.04 to\n    A-2.01: what then", "A-1.04 A-1.05 A-2.01"),
        ("A-2.01 to 2.03", "A-2.01 A-2.02 A-2.03"),
        ("A-2.01 to .02", "A-2.01 A-2.02"),
        ("A-1.01, 1.03 and 2.02", "A-1.01 A-1.03 A-2.02"),
        ("A-1.01, 6 of them, A-R1 or A-R2", "A-1.01 A-R1 A-R2"),
        ("A-1.01 to hit, A-1.02 to A-9.09", "A-1.01 A-1.02"),
        ("A-1.03 to A-1.01", "A-1.01 A-1.03"),
        ("see §3", "§3"),
    ],
)
def test_citations_are_found_in_text(text: str, idents: str) -> None:
    assert {ident for ident, _ in cited_in(text, INDEX)} == set(filter(None, idents.split(" ")))


FRONT = '''"""A game."""
INDEX = (
    RuleRow("A-1.01", "Ä, not A-1.02."),
    st.RuleRow("A-1.02", """
A-1.03"""), "A-1.04",
)
'''
CITING = {
    "game/__init__.py": FRONT,
    "game/turn/march.py": 'RULES = "A-1.05"  # and A-2.01, as A-1.05 says\n\n"""A-1.05"""\n',
    "game/broken.py": "RuleRow( A-2.02 \\d",
    "game/rules.toml": '[[rule]]\nid = "A-2.03"\ntext = "As A-2.04."\n',
    "game/scenarios/first.toml": '[scenario]\nid = "first"\nturns = 3 # A-2.05\n',
    "game/table.json": '"A-R1"',
    "dusk.py": 'A = "A-R2"',
}


def test_citations_are_found_outside_the_rule_index(tmp_path: Path) -> None:
    for name, text in CITING.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = find_citations(INDEX, [tmp_path / name for name in CITING], tmp_path / "game")
    assert {ident: places for ident, places in found.items() if places} == {
        "A-1.04": ["__init__.py:5"],
        "A-1.05": ["turn/march.py:1", "turn/march.py:3"],
        "A-2.01": ["turn/march.py:1"],
        "A-2.02": ["broken.py:1"],
        "A-2.05": ["scenarios/first.toml:3"],
        "A-R2": [f"{tmp_path.as_posix()}/dusk.py:1"],
    }
    assert list(found) == INDEX


@pytest.fixture
def cite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that installs the skirmish with six more rules in its index, and a text in its source."""
    text = (Path(__file__).parents[2] / "rulesets" / "skirmish.py").read_text()
    rows = "".join(f'        RuleRow("SK-9.{number}", "Rule {number}."),\n' for number in range(1, 6))
    rows += '        RuleRow("SK-9.6", "Scenery.", "info"),\n'
    first = '        RuleRow("SK-0.1"'
    assert text.count(first) == 1
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(tmp_path))

    def citing(cited: str) -> None:
        (tmp_path / "skirmish.py").write_text(text.replace(first, rows + first) + cited)

    return citing


RULES = ("ruleset", "rules", "skirmish")


@pytest.mark.full
def test_uncited_rules_are_listed_for_review(run: Run, run_json: RunJson, cite: Callable[[str], None]) -> None:
    cite('\n\ndef more():\n    """Nothing (SK-9.2 to SK-9.4)."""\n')
    told = run_json(*RULES, "--uncited")
    assert [row["id"] for row in told["rows"] if row["id"].startswith("SK-9")] == ["SK-9.1", "SK-9.5"]
    whole = run(*RULES, "SK-9")
    assert "5 affect play; 0 of these have tests, 3 are cited by the sources" in whole.stdout
    assert "2 rules that no source cites (--uncited lists them): SK-9.1, SK-9.5" in whole.stderr
    alone = run(*RULES, "SK-9", "--uncited").stdout
    assert "2 affect play" in alone
    assert "SK-9.2" not in alone
    for ident, source in (("SK-9.3", r"skirmish\.py:\d+"), ("SK-9.1", "none")):
        assert re.search(rf"^source +{source}$", run(*RULES, ident).stdout, re.MULTILINE)


def test_message_confirms_that_all_rules_are_cited(run: Run, cite: Callable[[str], None]) -> None:
    cite('\nX = "SK-9.1 to SK-9.5"\n')
    result = run(*RULES, "SK-9", "--uncited")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "each rule of skirmish named SK-9 that affects play is cited by a source" in result.stderr
