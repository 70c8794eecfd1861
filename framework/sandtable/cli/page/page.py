"""The command ``sandtable log page``."""

from pathlib import Path

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.page.making import write_page
from sandtable.cli.page.page_check import check_page


@click.command()
@click.argument("log", type=click.Path(), required=False)
@arguments.out("The page to write (default: LOG with the ending .html).", metavar="PAGE")
@arguments.side("Show the game as this side saw it.")
@click.option("--compare", type=click.Path(), metavar="LOG", help="Show another game, or a branch, beside it.")
@arguments.force
@click.option("--check", "checked", type=click.Path(exists=True), metavar="PAGE", help="Rebuild this page and compare.")
@pass_context
def page(
    context: CliContext,
    *,
    log: str | None,
    out: str | None,
    side: str | None,
    compare: str | None,
    force: bool,
    checked: str | None,
) -> int:
    """Write the game in LOG as one HTML page, or check a page.

    With --check, a side's page is rebuilt from the slice in it. If you also name the complete LOG, the decisions of
    that side are checked as well. Exit status with --check: 0 the page matches its log, 1 it does not.
    """
    if checked:
        if out or compare or side or force:
            raise click.UsageError("--check accepts only a page and, for a side's page, its LOG")
        return check_page(context, checked, log)
    if log is None:
        raise click.UsageError("Missing argument 'LOG'.")
    page = out or str(Path(log).with_suffix(".html"))
    write_page(context, log, page, side or "", compare, force=force)
    return 0
