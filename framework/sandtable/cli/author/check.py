"""The command ``sandtable check``."""

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import say, show_json, show_row
from sandtable.errors import DataError
from sandtable.plugin.manager import Installed
from sandtable.plugin.scenarios import Scenario, on_map
from sandtable.quoting import count
from sandtable.testing.contract import CHECKS, Finding, findings


@click.command()
@arguments.ruleset
@arguments.games(20, "Number of random games.", most=100_000)
@arguments.seed("contract")
@click.option(
    "--scenario",
    default="",
    metavar="NAME|FILE",
    help="Check only this scenario (or campaign module); accepts a file.",
)
@click.option(
    "--map", "map_file", default="", metavar="FILE", help="Check the scenario (default: the usual one) on this map."
)
@click.option("--only", multiple=True, metavar="CHECK", help="Run only this check, named as in the table (repeatable).")
@click.option("-x", "first", is_flag=True, help="Stop at the first check that fails.")
@click.option(
    "--pairs",
    type=click.IntRange(1, 100_000),
    default=60,
    show_default=True,
    metavar="N",
    help="Approximate number of pairs of worlds that each secrecy check compares.",
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
    """Run the contract suite on RULESET, in N random games.

    Errors in a scenario or map file are reported by file and key, as many as can be found at once. For a scenario that
    is declared endless, only the data are checked. A dash marks a check that had nothing to check; it does not count as
    a pass.

    Exit status: 0 all checks passed, 1 a check failed (the table shows what, and in which game), 3 a file is invalid.
    """
    installed = context.rulesets.load(ruleset)
    try:
        chosen = _on_map(installed, scenario, map_file) if map_file else scenario
        prepared = installed.prepare(chosen)
    except DataError as error:
        return _tell_all(error)
    if chosen and prepared.scenario.data["scenario"].get("endless"):
        say(f"{prepared.scenario.id}: its data are valid; it is declared endless, so no random game is played")
        if as_json:
            show_json({"ruleset": ruleset, "games": 0, "ok": True, "checks": []})
        return 0
    names = _chosen(only)
    say(f"{ruleset}: {count(len(names), 'check')} on {count(games, 'random game')} ...")
    run = findings(installed, games, seed, names, scenario=chosen, pairs=pairs, patience=timeout)
    found: list[Finding] = []
    for finding in run:
        if not found and not as_json:
            show_row(WIDTHS, ("", "check", "result"))
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
"""Widths of the columns. They are fixed, because each row is printed as soon as it is known."""


def _chosen(only: tuple[str, ...]) -> list[str]:

    names = [each.replace(" ", "_") for each in only]
    for name in names:
        if name not in CHECKS:
            raise click.BadParameter(
                f"no check is named {name!r}; choose from {', '.join(CHECKS)}", param_hint="--only"
            )
    return names or list(CHECKS)


def _sum_up(found: list[Finding]) -> None:
    passed = sum(each.word == "ok" for each in found)
    unseen = sum(each.word == "-" for each in found)
    skipped = sum(each.skipped for each in found)
    words = [f"{passed} of {count(len(found), 'check')} passed"]
    words += [f"{unseen} not checked"] if unseen else []
    words += [f"{skipped} had nothing to check"] if skipped else []
    say(", ".join(words))


def _on_map(installed: Installed, scenario: str, file: str) -> Scenario:

    return on_map(installed.scenario(scenario), file)


def _tell_all(error: DataError) -> int:
    for each in (error, *error.also):
        say(f"sandtable: {' '.join(str(each).split())}")
    return error.exit_code
