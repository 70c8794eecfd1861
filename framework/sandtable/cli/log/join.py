"""``sandtable log join``."""

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import say, show
from sandtable.files.writing import write_new
from sandtable.journal.file.log import parse_log, read_log
from sandtable.journal.fold import prepare_for
from sandtable.journal.sides.merging import merged
from sandtable.journal.verification.verify import verify


@click.command()
@arguments.logs
@arguments.out("The file to write.")
@arguments.force
@pass_context
def join(context: CliContext, logs: tuple[str, ...], out: str | None, force: bool) -> int:
    """Put the files of one game together that several sides hold, and run the rules again.

    Each file has the chain that all have, and what its side may see. Together they may hold all: then the rules are run
    from the orders, and the first record that is not what they make is named, with who gave it. Exit code as of
    `sandtable verify`.
    """
    data = merged([read_log(log) for log in logs])
    whole = parse_log(data, out or "the files together")
    prepared = prepare_for(whole, context.rulesets)
    verdict = verify(whole, prepared)
    if out is not None:
        write_new(out, data, force=force, sources=(*logs, *prepared.sources()))
    show(f"{whole.name}: {whole.records} records: {verdict.verdict}")
    if verdict.first_difference is not None:
        say(str(verdict.first_difference))
    if verdict.note:
        say(verdict.note)
    return verdict.exit_code
