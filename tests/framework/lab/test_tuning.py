"""Tuning settings by play: it finds better settings, repeats itself, and resumes after an interruption."""

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from tournaments import RULESETS

from sandtable.cli.main import cli
from sandtable.errors import LogExists, PlayError
from sandtable.lab import tuning
from sandtable.lab.tuning import TunedSetting, TuningPlan, tune
from sandtable.plugin.manager import Rulesets
from sandtable.workers import tasks

SMALL = TuningPlan("tictactoe", "search", (TunedSetting("nodes", 1, 24, 2),), "tune", rounds=2, games=2, final=4)


def peaked(best: dict[str, int], result: list[str]) -> Any:
    """Return a substitute for a round: settings closer to ``best``, as shares of a range of 100, score more."""

    def played(text: str, *_: object) -> Any:
        result.append(text)
        first, second = (each["settings"] for each in tomllib.loads(text)["entrant"])

        def worth(settings: dict[str, int]) -> float:
            return -sum(((settings[name] - value) / 100) ** 2 for name, value in best.items())

        return SimpleNamespace(score=min(1.0, max(0.0, 0.5 + 2 * (worth(first) - worth(second)))))

    return played


def test_tuning_converges_to_the_best_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    result: list[str] = []
    monkeypatch.setattr(tuning, "check_bot", lambda *_: None)
    monkeypatch.setattr(tuning, "_encounter", peaked({"bold": 80, "wary": 30}, result))
    settings = (TunedSetting("bold", 0, 100, 20), TunedSetting("wary", 0, 100, 60))
    plan = TuningPlan("tictactoe", "search", settings, "s", rounds=120)
    found = tune(plan, Rulesets(), tmp_path)
    assert found.found["bold"] == pytest.approx(80, abs=6)
    assert found.found["wary"] == pytest.approx(30, abs=6)
    assert tune(plan, Rulesets(), tmp_path) == found
    test = tomllib.loads(result[-1])
    assert test["stop"] == {"elo0": 0, "elo1": 20}
    assert test["entrant"][0]["settings"] == found.found
    assert test["entrant"][1]["settings"] == {"bold": 20, "wary": 60}
    assert len({tomllib.loads(each)["tournament"]["seed"] for each in result[: len(result) // 2]}) == len(result) // 2


def test_tuning_ends_when_the_mean_is_stable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tuning, "check_bot", lambda *_: None)
    monkeypatch.setattr(tuning, "_encounter", lambda *_: SimpleNamespace(score=0.5))
    found = tune(
        TuningPlan("tictactoe", "search", (TunedSetting("bold", 0, 9, 4),), "s", rounds=99), Rulesets(), tmp_path
    )
    assert len(found.rounds) == tuning.STILL + 1
    assert (found.found, found.test) == ({"bold": 4}, None)


def test_tuned_settings_stay_in_range(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tuning, "check_bot", lambda *_: None)
    monkeypatch.setattr(tuning, "_encounter", peaked({"bold": 500}, []))
    found = tune(TuningPlan("tictactoe", "search", (TunedSetting("bold", 0, 100, 50),), "s"), Rulesets(), tmp_path)
    values = [
        each[name] for each in (*(r.plus for r in found.rounds), *(r.minus for r in found.rounds)) for name in each
    ]
    assert min(values) >= 0
    assert max(values) == 100
    assert all(each.plus != each.minus for each in found.rounds)


@pytest.mark.full
def test_tuning_rounds_are_stored_and_not_replayed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = tune(SMALL, Rulesets(), tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir())[:2] == ["0001", "0002"]
    monkeypatch.setattr("sandtable.lab.tournament.running.play_planned", None)  # no game may be played now
    assert tune(SMALL, Rulesets(), tmp_path) == found
    other = TuningPlan("tictactoe", "search", SMALL.settings, "other", rounds=1, games=2)
    with pytest.raises(LogExists, match="is the folder of another tournament"):
        tune(other, Rulesets(), tmp_path)


@pytest.mark.slow
def test_tuning_is_the_same_for_any_workers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    alone = tune(SMALL, Rulesets(), tmp_path / "alone")
    monkeypatch.setattr(tasks, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(tasks, "LOAD_SECONDS", 0.0)
    assert tune(SMALL, Rulesets(), tmp_path / "two", workers=2) == alone


def test_invalid_tuning_is_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(PlayError, match="no setting is named"):
        tune(TuningPlan("toy", "random", (), "s"), Rulesets(), tmp_path)
    for words, message in (
        (("search", "--param", "nodes"), "--param must be NAME=LOW:HIGH"),
        (("search", "--param", "nodes=9:3"), "is not a valid range"),
        (("search", "--param", "nodes=1:9:20"), "is not a valid range"),
        (("search", "--param", "nodes=1:9", "--games", "3"), "games are played in pairs"),
        (("random", "--param", "nodes=1:9"), "takes no settings"),
        (("search", "--param", "nonsense=1:9"), "nonsense"),
        (("search", "--param", "nodes=0:9:3"), "nodes is 0"),
    ):
        result = CliRunner().invoke(
            cli, ["bot", "tune", "tictactoe", *words, "--out", str(tmp_path / "out"), "--seed", "s"]
        )
        assert result.exit_code == 2, result.output
        assert message in result.stderr


@pytest.mark.full
def test_tuning_of_a_game_for_three_sides_is_refused(tmp_path: Path) -> None:
    plan = TuningPlan("heap", "tuned", (TunedSetting("stones", 1, 3, 1),), "s")
    with pytest.raises(PlayError, match="tuning is for two sides, and heap has 3"):
        tune(plan, Rulesets(RULESETS), tmp_path)


def test_tune_command_prints_rounds_and_result(tmp_path: Path) -> None:
    limits = ("--rounds", "2", "--games", "2", "--test-games", "4")
    words = ("bot", "tune", "tictactoe", "search", "--param", "nodes=1:24:2", *limits)
    result = CliRunner().invoke(cli, [*words, "--seed", "tune", "--workers", "1", "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.stderr
    assert "round 2: nodes=" in result.stderr
    assert result.stdout.splitlines()[0].split() == ["context", "initial", "found"]
    longer = CliRunner().invoke(cli, [*words, "--test-games", "8", "--seed", "tune", "--out", str(tmp_path / "out")])
    assert longer.exit_code == 0, longer.stderr
    assert "of 8 games" in longer.stderr
    for final in (4, 8):
        assert f"--test-games {2 * final} tests longer without repeating a round" in (result, longer)[final == 8].stderr
        assert (tmp_path / "out" / f"test-{final}" / "tournament.sqlite").exists()
