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
import sandtable as st
from sandtable.plugin.options.rulefiles import read_options

HERE = Path(__file__).parent

class Stepped(st.Event, frozen=True):
    by: int
    rule: str = "R-1"

class Track(st.State, kw_only=True):
    place: int = 0
    goal: int = 0

@st.evolves(Stepped)
def stepped(state, event):
    state.place += event.by

def run(state):
    pace = 2 if state.options.get("pace", "walk") == "run" else 1
    while state.place < state.goal:
        yield Stepped(pace)
    yield st.GameEnded("a", "home", "R-2")

@st.hookimpl
def ruleset_manifest():
    return st.Manifest(id="race", title="Race", version="1", edition="own", designer="-", stage="draft",
                       sides=("a", "b"), board="none", options=read_options(HERE / "rulings.toml"))

@st.hookimpl
def ruleset_scenarios():
    return {"short": HERE / "short.toml"}

@st.hookimpl
def ruleset_parts():
    sequence = st.SequenceOfPlay((st.Phase("run", run, rule="R-1"),))
    return st.Parts(state_type=Track, sequence=sequence, handlers=(stepped,), orders=(), events=(Stepped,))

@st.hookimpl
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
    short = fresh(home).load("race").scenario("short")
    (home / "short.toml").write_text(scenario(6))
    assert "has changed since" in str(judged(log, home).first_difference)
    keep_edition(short, home / "former")
    assert judged(log, home).verdict == "verified"
    assert fresh(home).load("race").scenario("short").data["goal"] == 6
    with pytest.raises(LogExists):
        keep_edition(short, home / "former")


def test_removed_scenario_is_found_among_earlier_editions(home: Path, log: Path) -> None:
    keep_edition(fresh(home).load("race").scenario("short"), home / "former")
    (home / "short.toml").rename(home / "long.toml")
    (home / "__init__.py").write_text(RACE.replace('"short": HERE / "short.toml"', '"long": HERE / "long.toml"'))
    assert judged(log, home).verdict == "verified"


def test_malformed_scenario_in_a_log_names_no_file(home: Path) -> None:
    short, shipped = fresh(home).load("race").scenario("short"), [home / "short.toml"]
    kept = keep_edition(short, home / "former")
    assert archived_scenario("short", short.digest, shipped) is not None
    for name in ("short" + "[" * 300, "../former/short", "short\0", ""):
        assert archived_scenario(name, short.digest, shipped) is None
    assert archived_scenario("short", f"../{kept.stem[-9:]}", shipped) is None
    with pytest.raises(DataError, match="no such scenario: choose short"):
        fresh(home).load("race").scenario("[" * 5_000)


def test_edited_edition_is_refused(home: Path) -> None:
    short = fresh(home).load("race").scenario("short")
    kept = keep_edition(short, home / "former")
    for text, problem in (
        (kept.read_text().replace("4", "5"), "an earlier edition must not be edited"),
        ("{", "cannot be read"),
    ):
        kept.write_text(text)
        with pytest.raises(DataError, match=problem):
            archived_scenario("short", short.digest, [home / "short.toml"])


def test_a_log_without_a_new_option_differs_by_an_edit(home: Path, log: Path) -> None:
    (home / "rulings.toml").write_text(PACE)
    verdict = judged(log, home)
    assert verdict.first_difference is not None
    assert verdict.first_difference.edited
