"""``sandtable slice``."""

import click

from sandtable.cli.context import CliContext, pass_setting, prepare_to_look, usage_errors
from sandtable.cli.output import say, show_file


@click.command()
@click.argument("log", type=click.Path())
@click.option("--side", required=True, help="The side whose sight it is.")
@click.option("--out", type=click.Path(), help="The file to write; stdout without it.")
@click.option("--force", is_flag=True, help="Overwrite the file.")
@pass_setting
def slice(setting: CliContext, log: str, side: str, out: str | None, force: bool) -> None:  # noqa: A001 - the command's name
    """Write out what SIDE may see of LOG: the same chain of hashes, and no secret of the other side."""
    from sandtable.files.writing import write_new  # noqa: PLC0415 - so that --help stays quick
    from sandtable.journal.file.log import read_log  # noqa: PLC0415
    from sandtable.journal.sides.slices import may_be_guessed, slice_log  # noqa: PLC0415

    whole = read_log(log)
    prepared = prepare_to_look(setting, whole)
    with usage_errors():
        data = slice_log(whole, prepared, side)
    if may_be_guessed(whole.header, prepared.ruleset):
        say(f"{log}: its salts may follow from a seed: whoever guesses that can open all that this slice hides")
    if out is None:
        show_file(data)
        return
    write_new(out, data, force=force, sources=(log, *prepared.sources()))
    say(f"{out}: the game as {side} saw it; look: sandtable replay {out}")
