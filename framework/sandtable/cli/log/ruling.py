"""The command ``sandtable log rule``."""

import click
import msgspec

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.dispute.branches import order_instead
from sandtable.cli.game.play import ended
from sandtable.cli.inputs import open_log, pairs
from sandtable.cli.output import say, show
from sandtable.hosting.ruling import Ruling, example_events, make_ruling
from sandtable.journal.file.keys import read_key
from sandtable.journal.fold import read_records
from sandtable.journal.hands.seeds import read_seat_key
from sandtable.journal.resume import resume
from sandtable.quoting import count


@click.command()
@arguments.log
@click.option("--event", metavar="JSON|?", help="An event to insert, outside the rules; ? shows an example of each.")
@click.option("--set", "sets", metavar="OPTION=VALUE", help="Give an option another value, from here on.")
@click.option("--amend", type=click.IntRange(1), metavar="RECORD", help="Replace the order in this record.")
@click.option("--order", metavar="ORDER", help="With --amend: the new order, as typed at the prompt or as JSON.")
@click.option("--withdraw", type=click.IntRange(1), metavar="RECORD", help="Take back the ruling in this record.")
@click.option("--keep-later", is_flag=True, help="With --amend: give the later orders again, if they still fit.")
@click.option("--reason", default="", metavar="TEXT", help="Reason for the ruling, kept in the log.")
@arguments.at("The record that the ruling is about.")
@click.option("--claim", default="", metavar="TEXT", help="The claim that the ruling answers.")
@click.option("--rule", "rule_id", default="", metavar="ID", help="The rule that the ruling is based on.")
@arguments.sign
@arguments.dice_key
@pass_context
def rule(
    context: CliContext,
    *,
    log: str,
    event: str | None,
    sets: str | None,
    amend: int | None,
    order: str | None,
    withdraw: int | None,
    keep_later: bool,
    reason: str,
    at: int | None,
    claim: str,
    rule_id: str,
    sign: str | None,
    key: str | None,
) -> None:
    """Rule on the game in LOG as its umpire, at its pending decision.

    Either an event happens outside the rules, or an option has another value from here on, or the order in a record is
    replaced, or an earlier ruling is withdrawn. What is replaced or withdrawn and everything after it no longer count,
    and the game continues from there. With --keep-later, and after a withdrawal, the orders after it are given again up
    to the first whose question has changed. All versions stay in the log, and `sandtable verify` runs them again. If
    the header names the umpire's key, the ruling must be signed with it.
    """
    alone = [event, sets, amend, withdraw].count(None) == 3
    if not alone or (amend is None) != (order is None) or (keep_later and not amend):
        raise click.UsageError("use --event, --set, --amend and --order (with or without --keep-later), or --withdraw")
    if event == "?":
        read, prepared = open_log(context, log)
        for example in example_events(prepared.ruleset, read_records(read, prepared.ruleset)):
            show(example)
        return
    if not reason:
        raise click.UsageError("a ruling needs its reason: --reason TEXT")
    if amend and order and not order.startswith("{"):
        read, prepared = open_log(context, log, doubts=False)
        order = msgspec.json.encode(order_instead(context, read, prepared, amend, order)).decode()
    about = at or amend or withdraw or 0
    setting = next(iter(pairs([sets], "--set").items())) if sets is not None else None
    ruling = Ruling(event, amend or 0, order, reason, about, claim, rule_id, withdraw or 0, keep_later, setting)
    resumed = resume(log, context.rulesets, key=read_key(key) if key else None)
    with resumed.writer:
        ruled = make_ruling(resumed, ruling, read_seat_key(sign) if sign else None)
    show(f"{log}: record {ruled.record}: ruled: {reason}")
    if keep_later or withdraw:
        say(f"{ruled.kept} of {count(ruled.later, 'later order')} given again")
    if resumed.game.is_over:
        say(f"{ended(resumed.game.state)}; the log is closed: sandtable verify {log}")
    else:
        say(f"resume it: sandtable resume {log}")
