"""A robot that knows no game plays every ruleset through the protocol of the table, and the logs verify."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from web_robot import Page, Robot, Site, running

import sandtable as st
from sandtable.cli.main import cli
from sandtable.plugin.manager import Rulesets

pytestmark = pytest.mark.full

ORDERS = 40
EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"


@pytest.mark.parametrize("ruleset", ["toy", "tictactoe", "league3", "league7", "kuhn", "connect4", "hill"])
def test_robots_of_all_sides_play_a_whole_game(ruleset: str, tmp_path: Path, unlimited: None) -> None:
    folder = EXAMPLES / ruleset / "src"
    plugins_dir = folder if folder.is_dir() else None
    with running(tmp_path, Rulesets(plugins_dir)) as site:
        play_with_robots(site, ruleset)
    (log,) = tmp_path.glob("*.jsonl")
    assert st.verify(log, plugins_dir=plugins_dir).exit_code == 0


@pytest.mark.parametrize("kind", ["track", "areas", "hexes", "cards", "secrets"])
def test_robots_play_a_new_package(kind: str, tmp_path: Path, unlimited: None) -> None:
    options = [] if kind == "track" else [f"--{kind}"]
    made = CliRunner().invoke(cli, ["new", f"fresh_{kind}", *options, "--out", str(tmp_path / "new")])
    assert made.exit_code == 0, made.output
    plugins_dir = tmp_path / "new" / "src"
    with running(tmp_path / "games", Rulesets(plugins_dir)) as site:
        play_with_robots(site, f"fresh_{kind}")
    (log,) = (tmp_path / "games").glob("*.jsonl")
    assert st.verify(log, plugins_dir=plugins_dir).exit_code == 0


def play_with_robots(site: Site, ruleset: str) -> None:
    """Play a whole game with a robot for every side."""
    sides = seats_of(site, ruleset)
    links = site.make(ruleset, players=dict.fromkeys(sides, "human"))
    pages = [site.open(links[side]) for side in sides]
    robots = [Robot(page, f"{ruleset} {place}") for place, page in enumerate(pages)]
    while not pages[0].facts["outcome"]:
        for page, robot in zip(pages, robots, strict=True):
            if page.ask is not None:
                number = page.facts["last"]
                assert robot.answer()["t"] == "taken"
                for each in pages:
                    hear_past(each, number)
    assert all(each.facts["outcome"] for each in pages)


def hear_past(page: Page, number: int) -> None:
    """Listen until the page knows a record after ``number``."""
    while page.facts["last"] <= number:
        page.until("update", "hello")


@pytest.mark.parametrize("ruleset", ["desert_aa", "kampfpanzer", "damos", "khamsin", "axis_attack"])
def test_robot_plays_against_the_bot_of_a_ruleset(site: Site, ruleset: str, tmp_path: Path) -> None:
    side = seats_of(site, ruleset)[0]
    page = site.open(site.make(ruleset, players={side: "human"})[side])
    robot = Robot(page, ruleset)
    for _ in range(ORDERS):
        if not page.wait_for_question():
            break
        assert robot.answer()["t"] == "taken"
    (log,) = tmp_path.glob("*.jsonl")
    site.close()
    assert st.verify(log).exit_code == 0


def seats_of(site: Site, ruleset: str) -> list[str]:
    """Return the sides of a ruleset's first scenario."""
    return list(site.games.rulesets.load(ruleset).prepare().ruleset.viewers)
