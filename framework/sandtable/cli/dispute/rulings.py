"""``sandtable dispute rulings``."""

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.dispute.branches import original_game
from sandtable.cli.output import count, say, show, show_json, table, won_by
from sandtable.journal.branching.readings import other_readings, try_readings
from sandtable.quoting import shortened


@click.command()
@arguments.log
@click.option("--rule", default="", metavar="RULE", help="The ruling of this id only.")
@arguments.as_json
@pass_context
def rulings(context: CliContext, log: str, rule: str, as_json: bool) -> None:
    """Try every ruling in its other readings on the game in LOG: whether it mattered, and where first.

    The dice are as they fell, and the recorded orders go on for as long as they answer. With other rules people might
    have ordered otherwise: that a ruling never mattered is sure, what would have come of another is not.
    """
    of = original_game(context, log)
    if not other_readings(of.prepared.installed.manifest.options, rule):
        raise click.BadParameter(
            f"{of.prepared.ruleset.id} has no ruling {rule!r} with another reading", param_hint="--rule"
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
        show(table(("ruling", "read as", "from record", "then"), rows, right=(2,)))
    failed = [each for each in found if each.problem]
    for each in failed:
        say(f"{each.option} = {each.value} cannot be tried: {each.problem}")
    idle, other = len(found) - len(mattered) - len(failed), sum(each.outcome not in {"", won} for each in mattered)
    say(
        f"{count(len(found), 'other reading')}: {idle} never mattered in this game, {len(mattered)} did, "
        f"{other} with another winner"
    )


def _then(question: str) -> str:
    """Return how a game went on: to its end, or to a question that its orders do not answer."""
    return f"the orders part at {shortened(question)}" if question else "the same winner"
