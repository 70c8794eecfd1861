"""``sandtable merge``."""

import click

from sandtable.cli.context import CliContext, pass_setting
from sandtable.cli.output import say, show


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path())
@click.option("--out", type=click.Path(), metavar="FILE", help="The file to write.")
@click.option("--force", is_flag=True, help="Overwrite the file.")
@pass_setting
def merge(setting: CliContext, logs: tuple[str, ...], out: str | None, force: bool) -> int:
    """Put the files of one game together that several sides hold, and run the rules again.

    Each file has the chain that all have, and what its side may see. Together they may hold all: then the rules are run
    from the orders, and the first record that is not what they make is named, with who gave it. Exit code as of
    `sandtable verify`.
    """
    from sandtable.files.writing import write_new  # noqa: PLC0415 - so that --help stays quick
    from sandtable.journal.file.log import parse_log, read_log  # noqa: PLC0415
    from sandtable.journal.fold import prepare_for  # noqa: PLC0415
    from sandtable.journal.sides.merging import merged  # noqa: PLC0415
    from sandtable.journal.verification.verify import verify  # noqa: PLC0415

    data = merged([read_log(log) for log in logs])
    whole = parse_log(data, out or "the files together")
    prepared = prepare_for(whole, setting.rulesets)
    verdict = verify(whole, prepared)
    if out is not None:
        write_new(out, data, force=force, sources=(*logs, *prepared.sources()))
    show(f"{whole.name}: {whole.records} records: {verdict.verdict}")
    if verdict.first_difference is not None:
        say(str(verdict.first_difference))
    if verdict.note:
        say(verdict.note)
    return verdict.exit_code
