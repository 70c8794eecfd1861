"""A log is verified with its own edition of the scenario, and with the option values of its time."""

import sys
from pathlib import Path

import pytest

from sandtable.errors import DataError, LogExists
from sandtable.front import new_game
from sandtable.journal.verification.verdicts import Verdict
from sandtable.journal.verification.verify import verify_log
from sandtable.plugin.manager import Rulesets
from sandtable.plugin.scenarios import archived_scenario, keep_edition

RACE = """
from pathlib import Path
from sandtable.kernel.events import Event, GameEnded
from sandtable.kernel.handlers import evolves
from sandtable.kernel.sequence import Phase, SequenceOfPlay
from sandtable.kernel.state import State
from sandtable.plugin.hookspecs import hookimpl
from sandtable.plugin.manifest import Manifest, Parts
from sandtable.plugin.rulefiles import read_options

HERE = Path(__file__).parent

class Stepped(Event, frozen=True):
    by: int
    rule: str = "R-1"

class Track(State, kw_only=True):
    place: int = 0
    goal: int = 0

@evolves(Stepped)
def stepped(state, event):
    state.place += event.by

def run(state):
    pace = 2 if state.options.get("pace", "walk") == "run" else 1
    while state.place < state.goal:
        yield Stepped(pace)
    yield GameEnded("a", "home", "R-2")

SEQUENCE = SequenceOfPlay((Phase("run", run, rule="R-1"),))

@hookimpl
def ruleset_manifest():
    return Manifest(id="race", title="Race", version="1", edition="own", designer="-", stage="draft",
                    sides=("a", "b"), board="none", options=read_options(HERE / "rulings.toml"))

@hookimpl
def ruleset_scenarios():
    return {"short": HERE / "short.toml"}

@hookimpl
def ruleset_parts():
    return Parts(state_type=Track, sequence=SEQUENCE, handlers=(stepped,), orders=(), events=(Stepped,))

@hookimpl
def ruleset_setup(scenario):
    return Track(goal=scenario.data["goal"]), None
"""
NO_RULINGS = "ruling = []\n"
PACE = """
[[ruling]]
id = "R-1"
option = "pace"
question = "How is it gone?"
values = [{ token = "run", text = "two steps" }, { token = "walk", text = "one" }]
"""


def scenario(goal: int) -> str:
    return f'goal = {goal}\n\n[scenario]\nid = "short"\ntitle = "A short track"\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "rulesets" / "race"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(RACE)
    (folder / "rulings.toml").write_text(NO_RULINGS)
    (folder / "short.toml").write_text(scenario(4))
    return folder


def fresh(home: Path) -> Rulesets:
    """Return the rulesets as a newly started program finds them."""
    sys.modules.pop("race", None)
    return Rulesets(home.parent)


@pytest.fixture
def log(home: Path, tmp_path: Path) -> Path:
    """Return a finished game, played with the current files."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(new_game(fresh(home).load("race"), seed="a").log())
    return path


def judged(log: Path, home: Path) -> Verdict:
    return verify_log(log, fresh(home), deep=True)


def test_log_verifies_with_the_earlier_edition_of_its_scenario(home: Path, log: Path) -> None:
    keep_edition(fresh(home).load("race").scenario("short"), home / "former")
    (home / "short.toml").write_text(scenario(6))
    assert judged(log, home).verdict == "verified"
    assert fresh(home).load("race").scenario("short").data["goal"] == 6


def test_without_that_edition_the_scenario_has_changed(home: Path, log: Path) -> None:
    (home / "short.toml").write_text(scenario(6))
    assert "has changed since" in str(judged(log, home).first_difference)


def test_removed_scenario_is_found_among_earlier_editions(home: Path, log: Path) -> None:
    keep_edition(fresh(home).load("race").scenario("short"), home / "former")
    (home / "short.toml").rename(home / "long.toml")
    (home / "__init__.py").write_text(RACE.replace('"short": HERE / "short.toml"', '"long": HERE / "long.toml"'))
    assert judged(log, home).verdict == "verified"


@pytest.mark.parametrize("name", ["short" + "[" * 300, "../former/short", "short\0", ""])
def test_malformed_scenario_in_a_log_names_no_file(name: str, home: Path) -> None:
    kept = keep_edition(fresh(home).load("race").scenario("short"), home / "former")
    digest = fresh(home).load("race").scenario("short").digest
    assert archived_scenario("short", digest, [home / "short.toml"]) is not None
    assert archived_scenario(name, digest, [home / "short.toml"]) is None
    assert archived_scenario("short", f"../{kept.stem[-9:]}", [home / "short.toml"]) is None


def test_name_too_long_for_a_file_is_refused(home: Path) -> None:
    with pytest.raises(DataError, match="no such scenario: choose short"):
        fresh(home).load("race").scenario("[" * 5_000)


def test_edited_edition_is_refused(home: Path) -> None:
    kept = keep_edition(fresh(home).load("race").scenario("short"), home / "former")
    digest = fresh(home).load("race").scenario("short").digest
    kept.write_text(kept.read_text().replace("4", "5"))
    with pytest.raises(DataError, match="an earlier edition must not be edited"):
        archived_scenario("short", digest, [home / "short.toml"])
    kept.write_text("{")
    with pytest.raises(DataError, match="cannot be read"):
        archived_scenario("short", digest, [home / "short.toml"])


def test_edition_is_stored_once(home: Path) -> None:
    scenario = fresh(home).load("race").scenario("short")
    keep_edition(scenario, home / "former")
    with pytest.raises(LogExists):
        keep_edition(scenario, home / "former")


def test_a_log_without_a_new_option_differs_by_an_edit(home: Path, log: Path) -> None:
    (home / "rulings.toml").write_text(PACE)
    verdict = judged(log, home)
    assert verdict.first_difference is not None
    assert verdict.first_difference.edited
