"""The commands ``sandtable log redact``, ``join`` and ``repair``."""

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context, usage_errors
from sandtable.cli.inputs import prepare_for_viewing, write_or_show
from sandtable.cli.output import say, show
from sandtable.files.writing import write_new
from sandtable.journal.file.reading import parse_log, read_log
from sandtable.journal.fold import prepare_for
from sandtable.journal.repair import repair as repair_log
from sandtable.journal.side_view.hints import side_file
from sandtable.journal.sides.merging import merged
from sandtable.journal.sides.slices import may_be_guessed
from sandtable.journal.verification.verdicts import VERIFIED
from sandtable.journal.verification.verify import verify
from sandtable.quoting import count
from sandtable.viewer.narrate import as_seen_by


@click.command()
@arguments.log
@click.option("--side", required=True, metavar="SIDE", help="The side that may see the result.")
@arguments.out("The file to write (default: stdout).")
@arguments.force
@pass_context
def redact(context: CliContext, log: str, side: str, out: str | None, force: bool) -> None:
    """Write the part of LOG that SIDE may see: the same chain of hashes, without the secrets of other sides."""
    whole = read_log(log)
    prepared = prepare_for_viewing(context, whole)
    with usage_errors():
        data = side_file(whole, prepared, side)
    if may_be_guessed(whole.header, prepared.ruleset):
        say(f"{log}: its salts may be derived from a seed: anyone who guesses it can open everything this slice hides")
    done = f"the game {as_seen_by(side)}; view it: sandtable replay {out}"
    write_or_show(data, out, done, force=force, sources=(log, *prepared.sources()))


@click.command()
@arguments.logs
@arguments.out("The file to write.")
@arguments.force
@pass_context
def join(context: CliContext, logs: tuple[str, ...], out: str | None, force: bool) -> int:
    """Join the files that the sides of one game hold, and run the rules again.

    Each file has the chain, which is common to all, and the openings for its side. The umpire's openings, which prove
    the game, are in the file of its keeper. The rules are run from the orders as far as the files show them, and the
    first record that differs is named. The exit status is that of `sandtable verify`, and 5 if something that proves
    the game is missing, such as the dice key.
    """
    data = merged([read_log(log) for log in logs])
    whole = parse_log(data, out or "the joined files")
    prepared = prepare_for(whole, context.rulesets)
    verdict = verify(whole, prepared)
    if out is not None:
        write_new(out, data, force=force, sources=(*logs, *prepared.sources()))
    show(f"{whole.name}: {whole.records} records: {verdict.verdict}")
    if verdict.verdict != VERIFIED or verdict.needs_words:
        say(f"{whole.name}: {verdict.text}")
    return verdict.exit_code


@click.command()
@arguments.log
def repair(log: str) -> None:
    """Cut off the part of LOG that its last write left unfinished, for example after a power cut.

    A copy of the original file is kept. A line that was altered, or that precedes a later order, is not repaired,
    because its content cannot be recovered.
    """
    lost, kept = repair_log(log)
    if kept is None:
        show(f"{log}: nothing to repair")
        return
    show(f"{log}: {count(lost, 'byte')} of an unfinished line cut off; copy of the original: {kept}")
    say(f"the game is over: sandtable verify {log}" if read_log(log).is_over else f"resume it: sandtable resume {log}")
