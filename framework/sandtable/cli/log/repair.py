"""``sandtable repair``."""

import click

from sandtable.cli.output import count, say, show


@click.command()
@click.argument("log", type=click.Path())
def repair(log: str) -> None:
    """Cut off the torn last line of LOG; the file as it was is kept beside it.

    A line in the middle that was altered is not repaired: nothing could tell what it was.
    """
    from sandtable.journal.repair import repair as repair_log  # noqa: PLC0415 - so that --help stays quick

    lost, kept = repair_log(log)
    if kept is None:
        show(f"{log}: nothing is torn")
        return
    show(f"{log}: {count(lost, 'byte')} of an unfinished line cut off; the file as it was: {kept}")
    say(f"go on with it: sandtable resume {log}")
