"""``sandtable upcast``."""

import click

from sandtable.cli.context import CliContext, pass_setting
from sandtable.cli.output import say


@click.command()
@click.argument("log", type=click.Path())
@click.option("--out", type=click.Path(), required=True, metavar="FILE", help="The file to write.")
@click.option("--key", type=click.Path(), metavar="FILE", help="The dice key, if the log does not show it.")
@click.option("--force", is_flag=True, help="Overwrite the file.")
@pass_setting
def upcast(setting: CliContext, log: str, out: str, key: str | None, force: bool) -> None:
    """Write LOG, of an older format, as one of today's: the rules are run again, and say what the old log did not hold.

    It is the same game with another id; the old log stays what it is, and goes on to verify.
    """
    from sandtable.files.writing import write_new  # noqa: PLC0415 - so that --help stays quick
    from sandtable.journal.file.keys import kept_key, read_key  # noqa: PLC0415
    from sandtable.journal.file.log import read_log  # noqa: PLC0415
    from sandtable.journal.fold import prepare_for  # noqa: PLC0415
    from sandtable.journal.upcast import upcast as bring_up  # noqa: PLC0415

    old = read_log(log)
    prepared = prepare_for(old, setting.rulesets)
    known = read_key(key) if key else kept_key(log, old.header)
    write_new(out, bring_up(old, prepared, known), force=force, sources=(log, *prepared.sources()))
    say(f"{out}: the game of {log} in today's format")
