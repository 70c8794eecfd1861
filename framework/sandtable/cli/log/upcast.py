"""``sandtable log upcast``."""

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import say
from sandtable.files.writing import write_new
from sandtable.journal.file.keys import kept_key, read_key
from sandtable.journal.file.log import read_log
from sandtable.journal.fold import prepare_for
from sandtable.journal.upcast import upcast as bring_up


@click.command()
@arguments.log
@arguments.out("The file to write.", required=True)
@arguments.dice_key
@arguments.force
@pass_context
def upcast(context: CliContext, log: str, out: str, key: str | None, force: bool) -> None:
    """Write LOG, of an older format, as one of today's: the rules are run again, and say what the old log did not hold.

    It is the same game with another id; the old log stays what it is, and goes on to verify.
    """
    old = read_log(log)
    prepared = prepare_for(old, context.rulesets)
    known = read_key(key) if key else kept_key(log, old.header)
    write_new(out, bring_up(old, prepared, known), force=force, sources=(log, *prepared.sources()))
    say(f"{out}: the game of {log} in today's format")
