"""The command ``sandtable dispute rulings``."""

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.dispute.branches import original_game
from sandtable.cli.output import say, show, show_json, table, won_by
from sandtable.journal.branching.readings import other_readings, try_readings
from sandtable.quoting import count, shortened


@click.command()
@arguments.log
@click.option("--rule", default="", metavar="RULE", help="Try only the ruling with this id.")
@arguments.as_json
@pass_context
def rulings(context: CliContext, log: str, rule: str, as_json: bool) -> None:
    """Report which rulings mattered in the game in LOG.

    Each ruling is tried in its alternative interpretations, with the same dice and the recorded orders for as long as
    they fit. "Never mattered" is certain. If a ruling mattered, what would have followed is not: under other rules,
    people might have given other orders.
    """
    of = original_game(context, log)
    if not other_readings(of.prepared.installed.manifest.options, rule):
        raise click.BadParameter(
            f"{of.prepared.ruleset.id} has no ruling {rule!r} with an alternative interpretation", param_hint="--rule"
        )
    found = list(try_readings(of, rule))
    if as_json:
        show_json(found)
        return
    won = getattr(of.records[-1], "outcome", "") if of.records else ""
    mattered = [each for each in found if each.record is not None]
    if mattered:
        rows = [
            (
                each.ruling,
                f"{each.option} = {each.value}",
                each.record or "",
                won_by(each.outcome) if each.outcome not in {"", won} else _then(each.question),
            )
            for each in sorted(mattered, key=lambda each: each.record or 0)
        ]
        show(table(("ruling", "alternative", "from record", "result"), rows, right=(2,)))
    failed = [each for each in found if each.problem]
    for each in failed:
        say(f"{each.option} = {each.value} cannot be tried: {each.problem}")
    idle, other = len(found) - len(mattered) - len(failed), sum(each.outcome not in {"", won} for each in mattered)
    say(
        f"{count(len(found), 'alternative interpretation')}: {idle} never mattered in this game, {len(mattered)} did, "
        f"{other} with another winner"
    )


def _then(question: str) -> str:
    """Return how a game ended: with the same winner, or at a decision that its orders do not answer."""
    return f"the orders diverge at {shortened(question)}" if question else "the same winner"
