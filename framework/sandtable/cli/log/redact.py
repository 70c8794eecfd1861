"""``sandtable log redact``."""

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context, prepare_to_look, usage_errors
from sandtable.cli.output import say, show_file
from sandtable.files.writing import write_new
from sandtable.journal.file.log import read_log
from sandtable.journal.sides.slices import may_be_guessed, slice_log


@click.command()
@arguments.log
@click.option("--side", required=True, metavar="SIDE", help="The side that may see the result.")
@arguments.out("The file to write (default: stdout).")
@arguments.force
@pass_context
def redact(context: CliContext, log: str, side: str, out: str | None, force: bool) -> None:
    """Write out what SIDE may see of LOG: the same chain of hashes, and no secret of the other side."""
    whole = read_log(log)
    prepared = prepare_to_look(context, whole)
    with usage_errors():
        data = slice_log(whole, prepared, side)
    if may_be_guessed(whole.header, prepared.ruleset):
        say(f"{log}: its salts may follow from a seed: whoever guesses that can open all that this slice hides")
    if out is None:
        show_file(data)
        return
    write_new(out, data, force=force, sources=(log, *prepared.sources()))
    say(f"{out}: the game as {side} saw it; look: sandtable replay {out}")
