"""How much of a campaign is run (``--share``), by which seed (``--campaign-seed``), where, and the table at its end."""

from pathlib import Path

import pytest
from figures_of_campaigns import Share, as_table, summed


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("campaign")
    group.addoption("--share", type=float, default=1.0, help="this part of all tries; 0.05 takes about an hour")
    group.addoption("--campaign-seed", default="campaign", help="what all chance of the campaign comes from")
    group.addoption("--python", action="append", default=[], metavar="PATH", help="one more Python to play by")
    group.addoption("--than", metavar="FOLDER", help="an earlier checkout: no mutant that its tests notice may be lost")
    group.addoption("--figures", default="", metavar="FILE", help="write the table of figures there as well")


@pytest.fixture
def campaign(request: pytest.FixtureRequest) -> Share:
    """Return the share of the campaign that is to be run; what is tried is noted by it."""
    share, seed = (request.config.getoption(name) for name in ("--share", "--campaign-seed"))
    return Share(share, seed, request.node.user_properties)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    reports = [each for kind in ("passed", "failed") for each in terminalreporter.stats.get(kind, ())]
    noted = [fact for report in reports for name, fact in report.user_properties if name == "figure"]
    if not noted:
        return
    failures = [fact for report in reports for name, fact in report.user_properties if name == "failure"]
    table = "\n".join([as_table(summed(noted)), *(f"- {each}" for each in failures)])
    terminalreporter.section("campaign")
    terminalreporter.write_line(table)
    if config.getoption("--figures"):
        Path(config.getoption("--figures")).write_text(table + "\n", encoding="utf-8")
