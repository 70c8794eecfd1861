"""Options of a campaign (``--share``, ``--campaign-seed``, Pythons, output), and the table of figures at its end."""

from pathlib import Path

import pytest
from campaign_figures import Share, as_table, summed


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("campaign")
    group.addoption("--share", type=float, default=1.0, help="share of all tries to run; 0.05 takes about an hour")
    group.addoption("--campaign-seed", default="campaign", help="seed of all random choices of the campaign")
    group.addoption(
        "--python", action="append", default=[], metavar="PATH", help="additional Python to play with (repeatable)"
    )
    group.addoption("--than", metavar="FOLDER", help="earlier checkout whose detected mutants must still be detected")
    group.addoption("--figures", default="", metavar="FILE", help="also write the table of figures to this file")


@pytest.fixture
def campaign(request: pytest.FixtureRequest) -> Share:
    """Return the share of the campaign to run, which also records the figures."""
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
