import re
from pathlib import Path

import pytest
from command_line import Refused, Run, RunJson

from sandtable.rules.chance.battles import battle_odds

ODDS = ("ruleset", "odds", "skirmish", "--attack")
WORDS = (*ODDS, "red:infantry=1", "--defend", "blue:infantry=1")


def test_json_has_exactly_the_keys_that_scripts_depend_on(run_json: RunJson) -> None:
    told = run_json(*WORDS)
    assert list(told) == ["attacker", "defender", "draw", "rounds", "method"]
    assert told["attacker"] == pytest.approx(5 / 11)
    assert told["attacker"] + told["defender"] + told["draw"] == pytest.approx(1)
    assert told["rounds"] == pytest.approx(36 / 11)
    assert told["method"] == "exact"


def test_odds_are_printed_as_text(run: Run) -> None:
    result = run(*WORDS)
    assert "attacker wins       45.45%" in result.stdout
    assert "3.27 rounds on average" in result.stdout
    assert "method: exact" in result.stderr


def test_large_battle_is_sampled_with_a_notice(run_json: RunJson, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battle_odds, "__kwdefaults__", {"most_steps": 1_000, "samples": 50})
    told = run_json(*ODDS, "red:infantry=60,guns=40", "--defend", "blue:infantry=60,guns=40")
    assert told["method"].startswith("sampled 50 battles; with 95 % certainty")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*ODDS, "red:tank=1", "--defend", "blue:guns=1"), "'tank=1' is not of the form infantry=3"),
        ((*ODDS, "red", "--defend", "blue:guns=1"), "attack like red:infantry=3"),
        ((*ODDS, "red:guns=1"), "Missing option '--defend'"),
        ((*WORDS, "--option", "x=1"), "has no such option"),
        *(
            (
                (*ODDS, f"red:infantry={number}", "--defend", "blue:guns=1"),
                r"^sandtable ruleset odds: skirmish cannot parse 'red:infantry=.* as forces: ValueError: ",
            )
            for number in ("²", "9" * 5_000)
        ),
    ],
)
def test_invalid_force_is_refused_with_its_position(refused: Refused, words: tuple[str, ...], message: str) -> None:
    assert re.search(message, refused(2, *words))


def test_failing_force_parser_is_reported_with_its_docstring(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text("from sandtable.testing.tictactoe import *\n")
    words = ("--plugins-dir", str(tmp_path), "ruleset", "odds", "tictactoe", "--attack", "5+x", "--defend", "o")
    assert "tictactoe cannot compute the odds of a battle" in refused(1, *words)
    (tmp_path / "tictactoe.py").write_text(
        "import re\nimport sandtable as st\nfrom sandtable.testing.tictactoe import *\n"
        "def forces(attack, defend):\n"
        '    """Forces are numbers, as in 5+3."""\n    return re.fullmatch("[0-9+]+", attack).group(0)\n'
        "@st.hookimpl\ndef ruleset_battles():\n    return st.Battles(odds=forces)\n"
    )
    message = refused(2, *words)
    assert "cannot parse '5+x' and 'o' as forces: AttributeError" in message
    assert "Its author says: Forces are numbers, as in 5+3." in message
