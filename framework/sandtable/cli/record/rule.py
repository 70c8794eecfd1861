"""``sandtable rule``."""

import click

from sandtable.cli.context import CliContext, pass_setting
from sandtable.cli.output import say, show


@click.command()
@click.argument("log", type=click.Path())
@click.option("--event", metavar="JSON", help="The event that happens outside the rules.")
@click.option("--amend", type=click.IntRange(1), metavar="N", help="Replace the order in record N.")
@click.option("--order", metavar="JSON", help="With --amend: the order in its place.")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it stands in the log.")
@click.option("--disputed", type=click.IntRange(1), metavar="N", help="The record that the ruling is about.")
@click.option("--claim", default="", metavar="TEXT", help="What was claimed.")
@click.option("--rule", "rule_id", default="", metavar="ID", help="The rule that decides.")
@click.option("--sign", type=click.Path(), metavar="KEY", help="Sign it with the umpire's private key in this file.")
@click.option("--key", type=click.Path(), metavar="FILE", help="The dice key, if it is not in LOG.key.")
@pass_setting
def rule(
    setting: CliContext,
    *,
    log: str,
    event: str | None,
    amend: int | None,
    order: str | None,
    reason: str,
    disputed: int | None,
    claim: str,
    rule_id: str,
    sign: str | None,
    key: str | None,
) -> None:
    """Rule on the game in LOG, as its umpire: at the question where it stands now.

    Either an event happens outside the rules, or the order in a record is replaced: then it and what followed it count
    no more, and the game goes on from there. Both stay in the log, and `sandtable verify` runs them again. Where the
    header names the umpire's key, the ruling must be signed by it.
    """
    from sandtable.hosting.ruling import Ruling, make_ruling  # noqa: PLC0415
    from sandtable.journal.anchors.signing import read_signing_key  # noqa: PLC0415 - so that --help stays quick
    from sandtable.journal.file.keys import read_key  # noqa: PLC0415
    from sandtable.journal.resume import resume  # noqa: PLC0415

    if (event is None) == (amend is None) or (amend is None) != (order is None):
        raise click.UsageError("name an --event, or the record to --amend and the --order in its place")
    told = Ruling(event, amend or 0, order, reason, disputed or amend or 0, claim, rule_id)
    resumed = resume(log, setting.rulesets, key=read_key(key) if key else None)
    with resumed.writer as writer:
        number = make_ruling(resumed, told, read_signing_key(sign) if sign else None)
    show(f"{log}: record {number}: ruled: {reason}")
    say(f"go on with it: sandtable resume {writer.path}")
