"""``sandtable log repair``."""

import click

from sandtable.cli import arguments
from sandtable.cli.output import count, say, show
from sandtable.journal.repair import repair as repair_log


@click.command()
@arguments.log
def repair(log: str) -> None:
    """Cut off what the last write of LOG left unfinished: a torn last line, or what a power cut made of its end.

    The file as it was is kept beside it. A line that was altered, or stands before a later order, is not repaired:
    nothing could tell what it was.
    """
    lost, kept = repair_log(log)
    if kept is None:
        show(f"{log}: nothing is torn")
        return
    show(f"{log}: {count(lost, 'byte')} of an unfinished line cut off; the file as it was: {kept}")
    say(f"go on with it: sandtable resume {log}")
