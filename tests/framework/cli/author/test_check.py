from pathlib import Path

import pytest
from command_line import Refused, Run, RunJson

import desert_aa


@pytest.mark.full
def test_a_sound_ruleset_passes_every_check(run: Run, run_json: RunJson) -> None:
    shown = run("check", "skirmish", "--games", "3", code=0).stdout
    assert "games end" in shown
    assert "FAIL" not in shown
    told = run_json("check", "skirmish", "--games", "2")
    assert list(told) == ["ruleset", "games", "ok", "checks"]
    assert told["ok"] is True
    assert {key: told["checks"][1][key] for key in ("check", "ok")} == {"check": "games_end", "ok": True}


def scenario(path: Path, places: int, more: str = "") -> str:
    """Write a scenario of the skirmish, and return the name of its file."""
    path.write_text(f'places = {places}\n[scenario]\nid = "{path.stem.split("_")[-1]}"\ntitle = "Mine"\n{more}')
    return str(path)


@pytest.mark.full
def test_check_of_a_faulty_ruleset_exits_1_and_names_the_fault(run: Run, tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "rulesets" / "skirmish.py").read_text()
    (tmp_path / "skirmish.py").write_text(text.replace('rule: str = "SK-3.1"', 'rule: str = "SK-9.9"'))
    for name in ("mill", "dawn"):
        scenario(tmp_path / f"skirmish_{name}.toml", 4)
    result = run("check", "skirmish", "--games", "3", "--plugins-dir", str(tmp_path), code=1)
    assert "FAIL  rules are named" in result.stdout
    assert "'SK-9.9' is not in the rule index" in result.stdout


def test_wrong_arguments_are_refused(refused: Refused, ground: Path) -> None:
    refused(2, "check", "skirmish", "--games", "0")
    assert "has no map that can be replaced" in refused(3, "check", "skirmish", "--map", str(ground))
    assert "cannot be read" in refused(3, "check", "desert_aa", "--map", "nowhere.toml")


@pytest.mark.full
def test_users_own_scenario_is_checked_alone(run: Run, refused: Refused, tmp_path: Path) -> None:
    mine = scenario(tmp_path / "mine.toml", 3)
    run("check", "skirmish", "--games", "2", "--scenario", mine, code=0)
    Path(mine).write_text("places = 3\n")
    assert f"{mine}: scenario" in refused(3, "check", "skirmish", "--scenario", mine)


def test_endless_scenario_is_checked_without_random_games(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    words = ("check", "skirmish", "--scenario", scenario(tmp_path / "mine.toml", 3, "endless = true\n"))
    said = run(*words, code=0).stderr
    assert said == "mine: its data are valid; it is declared endless, so no random game is played\n"
    told = run_json(*words)
    assert (told["ok"], told["games"], told["checks"]) == (True, 0, [])


@pytest.fixture
def ground(tmp_path: Path) -> Path:
    """Return a file with the map of a game that is installed."""
    frontier = next(Path(desert_aa.__file__).parent.rglob("frontier.toml")).read_text(encoding="utf-8")
    file = tmp_path / "my_map.toml"
    file.write_text(frontier[frontier.index("[map]") : frontier.index("[forces")], encoding="utf-8")
    return file


@pytest.mark.full
def test_users_own_map_is_checked_instead_of_the_scenarios(run: Run, ground: Path) -> None:
    run("check", "desert_aa", "--games", "1", "--scenario", "frontier", "--map", str(ground), code=0)


def test_all_errors_of_a_map_are_reported_at_once(run: Run, ground: Path) -> None:
    text = ground.read_text(encoding="utf-8")
    ground.write_text(text.replace("owner = ", "ownr = ").replace('terrain = "desert"', 'terrain = "sea"', 1))
    result = run("check", "desert_aa", "--scenario", "frontier", "--map", str(ground))
    lines = result.stderr.splitlines()
    assert (result.exit_code, result.stdout) == (3, "")
    assert len(lines) > 10
    assert all(line.startswith(f"sandtable: {ground} on frontier.toml: ") for line in lines)
    assert any(".ownr: is not a key of this table" in line for line in lines)
    assert any(".terrain: is 'sea'; choose" in line for line in lines)
