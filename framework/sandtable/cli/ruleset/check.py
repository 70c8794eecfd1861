"""``sandtable check``."""

from typing import TYPE_CHECKING

import click

from sandtable.cli.output import count, say, show, show_json, table
from sandtable.cli.setting import Setting, pass_setting
from sandtable.errors import DataError

if TYPE_CHECKING:
    from sandtable.plugin.manager import Installed
    from sandtable.plugin.scenarios import Scenario


@click.command()
@click.argument("ruleset")
@click.option("--games", type=click.IntRange(1, 100_000), default=20, show_default=True, metavar="N")
@click.option(
    "--seed", default="contract", show_default=True, metavar="TEXT", help="Where the games' chance comes from."
)
@click.option(
    "--scenario",
    "--module",
    "scenario",
    default="",
    metavar="NAME|FILE",
    help="Look at this scenario (or campaign module) only, one of yours perhaps.",
)
@click.option(
    "--map", "map_file", default="", metavar="FILE", help="Look at the scenario, else the usual one, on a map of yours."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_setting
def check(setting: Setting, ruleset: str, games: int, seed: str, scenario: str, map_file: str, as_json: bool) -> int:
    """Run the contract suite on RULESET: what every ruleset must hold to, in N random games.

    What is wrong with a file of yours is told by file and key, all that can be seen at once. Exit code: 0 it holds, 1
    something is wrong, and the table says what and in which game, 3 a file is wrong. Of a scenario that is declared
    endless the data alone are looked at.
    """
    from sandtable.testing.contract import CHECKS, check_ruleset  # noqa: PLC0415 - so that --help stays quick

    installed = setting.rulesets.load(ruleset)
    try:
        chosen = _on_map(installed, scenario, map_file) if map_file else scenario
        prepared = installed.prepare(chosen)
    except DataError as error:
        return _tell_all(error)
    if chosen and prepared.scenario.data["scenario"].get("endless"):
        say(f"{prepared.scenario.id}: its data are right; it is declared endless, so no random game of it is played")
        if as_json:
            show_json({"ruleset": ruleset, "games": 0, "ok": True, "checks": []})
        return 0
    say(f"{ruleset}: {count(len(CHECKS), 'check')} on {count(games, 'random game')} ...")
    report = check_ruleset(installed, games=games, seed=seed, scenario=chosen)
    if as_json:
        findings = [
            {"check": each.check, "ok": each.ok, "skipped": each.skipped, "detail": each.detail} for each in report
        ]
        show_json({"ruleset": ruleset, "games": games, "ok": report.ok, "checks": findings})
    else:
        rows = [(each.word, each.check.replace("_", " "), each.detail) for each in report]
        show(table(("", "check", "what was seen"), rows))
        skipped = sum(each.skipped for each in report)
        passed = f"{len(report) - len(report.broken)} of {count(len(report), 'check')} passed"
        say(f"{passed}, {skipped} had nothing to look at" if skipped else passed)
    return 0 if report.ok else 1


def _on_map(installed: "Installed", scenario: str, file: str) -> "Scenario":
    from sandtable.plugin.scenarios import on_map  # noqa: PLC0415 - so that --help stays quick

    return on_map(installed.scenario(scenario), file)


def _tell_all(error: DataError) -> int:
    for each in (error, *error.also):
        say(f"sandtable: {' '.join(str(each).split())}")
    return error.exit_code
