from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

Run = Callable[..., Result]
RunJson = Callable[..., Any]
Refused = Callable[..., str]


def test_a_sound_ruleset_passes(run: Run) -> None:
    result = run("check", "skirmish", "--games", "3")
    assert result.exit_code == 0, result.stdout
    assert "games end" in result.stdout
    assert "FAIL" not in result.stdout


def test_json_names_every_check(run_json: RunJson) -> None:
    told = run_json("check", "skirmish", "--games", "2")
    assert list(told) == ["ruleset", "games", "ok", "checks"]
    assert told["ok"] is True
    assert {key: told["checks"][1][key] for key in ("check", "ok")} == {"check": "games_end", "ok": True}


def test_a_faulty_ruleset_exits_1_and_says_what_is_wrong(run: Run, tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "arena" / "rulesets" / "skirmish.py").read_text()
    (tmp_path / "skirmish.py").write_text(text.replace('rule: str = "SK-3.1"', 'rule: str = "SK-9.9"'))
    for name in ("mill", "dawn"):
        scenario = f'places = 4\n[scenario]\nid = "{name}"\ntitle = "x"\n'
        (tmp_path / f"skirmish_{name}.toml").write_text(scenario)
    result = run("check", "skirmish", "--games", "3", "--plugins-dir", str(tmp_path))
    assert result.exit_code == 1
    assert "FAIL  rules are named" in result.stdout
    assert "'SK-9.9' is not in the rule index" in result.stdout


def test_wrong_arguments_are_refused(refused: Refused) -> None:
    refused(2, "check", "skirmish", "--games", "0")
    refused(4, "check", "chess")


def test_a_scenario_of_ones_own_is_checked_alone(run: Run, refused: Refused, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('places = 3\n[scenario]\nid = "mine"\ntitle = "Mine"\n')
    result = run("check", "skirmish", "--games", "2", "--scenario", str(mine))
    assert result.exit_code == 0, result.stdout
    mine.write_text("places = 3\n")
    assert f"{mine}: scenario" in refused(3, "check", "skirmish", "--scenario", str(mine))
