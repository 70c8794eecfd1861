"""The command ``sandtable ruleset perft``."""

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.inputs import prepare
from sandtable.cli.output import say, show, show_json
from sandtable.testing.fuzzing.perft import divided


@click.command()
@arguments.ruleset
@click.option("--depth", type=click.IntRange(1, 64), required=True, metavar="N", help="Depth in orders.")
@click.option("--divide", is_flag=True, help="Count each first order separately.")
@arguments.scenario
@arguments.options
@arguments.as_json
@pass_context
def perft(
    context: CliContext,
    *,
    ruleset: str,
    depth: int,
    divide: bool,
    scenario: str,
    options: tuple[str, ...],
    as_json: bool,
) -> int:
    """Count the lines of play of RULESET that are N orders deep, for games without secrets and dice.

    A published number, or one counted by hand, tests rules better than many games do. If the numbers differ, --divide
    shows under which first order; repeat from there.
    """
    counts = divided(prepare(context.rulesets.load(ruleset), scenario, options), depth)
    total = sum(number for _, number in counts)
    if as_json:
        rows = [{"order": order, "lines": number} for order, number in counts]
        show_json({"ruleset": ruleset, "depth": depth, "lines": total, **({"divided": rows} if divide else {})})
        return 0
    for order, number in counts if divide else ():
        show(f"{order}: {number}")
    show(str(total))
    say(f"{ruleset}, {depth} deep")
    return 0
