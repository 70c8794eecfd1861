"""``sandtable check``."""

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import count, say, show_json, show_row
from sandtable.errors import DataError
from sandtable.plugin.manager import Installed
from sandtable.plugin.scenarios import Scenario, on_map
from sandtable.testing.contract import CHECKS, Finding, findings


@click.command()
@arguments.ruleset
@arguments.games(20, "Number of random games.", most=100_000)
@arguments.seed("contract")
@click.option(
    "--scenario",
    default="",
    metavar="NAME|FILE",
    help="Look at this scenario (or campaign module) only, one of yours perhaps.",
)
@click.option(
    "--map", "map_file", default="", metavar="FILE", help="Look at the scenario, else the usual one, on a map of yours."
)
@click.option("--only", multiple=True, metavar="CHECK", help="Run this check only, as the table names it; repeat.")
@click.option("-x", "first", is_flag=True, help="Stop at the first check that fails.")
@click.option(
    "--pairs",
    type=click.IntRange(1, 100_000),
    default=60,
    show_default=True,
    metavar="N",
    help="How many pairs of worlds each check of secrets compares, about.",
)
@arguments.timeout(60.0, click.FloatRange(0.1), "Stop rules that hang, and report the file and line.")
@arguments.as_json
@pass_context
def check(
    context: CliContext,
    *,
    ruleset: str,
    games: int,
    seed: str,
    scenario: str,
    map_file: str,
    only: tuple[str, ...],
    first: bool,
    pairs: int,
    timeout: float,
    as_json: bool,
) -> int:
    """Run the contract suite on RULESET: what every ruleset must hold to, in N random games.

    What is wrong with a file of yours is told by file and key, all that can be seen at once. Exit code: 0 it holds, 1
    something is wrong, and the table says what and in which game, 3 a file is wrong. Of a scenario that is declared
    endless the data alone are looked at. What had nothing to look at has a dash, and is no pass.
    """
    installed = context.rulesets.load(ruleset)
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
    names = _chosen(only)
    say(f"{ruleset}: {count(len(names), 'check')} on {count(games, 'random game')} ...")
    run = findings(installed, games, seed, names, scenario=chosen, pairs=pairs, patience=timeout)
    found: list[Finding] = []
    for finding in run:
        if not found and not as_json:
            show_row(WIDTHS, ("", "check", "what was seen"))
        found.append(finding)
        if not as_json:
            show_row(WIDTHS, (finding.word, finding.check.replace("_", " "), finding.detail))
        if first and finding.word == "FAIL":
            break
    if as_json:
        rows = [{**{name: getattr(each, name) for name in each._fields}} for each in found]
        show_json({"ruleset": ruleset, "games": games, "ok": all(each.ok for each in found), "checks": rows})
    else:
        _sum_up(found)
    return 0 if all(each.ok for each in found) else 1


WIDTHS = (4, 27)
"""How wide the columns are: rows are printed as they come, so none can wait for a longer one."""


def _chosen(only: tuple[str, ...]) -> list[str]:

    names = [each.replace(" ", "_") for each in only]
    for name in names:
        if name not in CHECKS:
            raise click.BadParameter(f"no check is called {name!r}; there are {', '.join(CHECKS)}", param_hint="--only")
    return names or list(CHECKS)


def _sum_up(found: list[Finding]) -> None:
    passed = sum(each.word == "ok" for each in found)
    unseen = sum(each.word == "-" for each in found)
    skipped = sum(each.skipped for each in found)
    told = [f"{passed} of {count(len(found), 'check')} passed"]
    told += [f"{unseen} not looked at"] if unseen else []
    told += [f"{skipped} had nothing to look at"] if skipped else []
    say(", ".join(told))


def _on_map(installed: Installed, scenario: str, file: str) -> Scenario:

    return on_map(installed.scenario(scenario), file)


def _tell_all(error: DataError) -> int:
    for each in (error, *error.also):
        say(f"sandtable: {' '.join(str(each).split())}")
    return error.exit_code
