"""The command ``sandtable ruleset bisect``."""

import click

from sandtable.cli import arguments
from sandtable.cli.output import say, show, show_json, show_sentence, table
from sandtable.journal.versions import VersionRun, check_folders, run_apart


@click.command()
@arguments.log
@click.option(
    "--versions",
    "folders",
    multiple=True,
    required=True,
    metavar="DIR",
    help="A folder with a version, the oldest first (repeatable).",
)
@click.option("--all", "every", is_flag=True, help="Run all versions instead of stopping at the first that differs.")
@arguments.as_json
def bisect(log: str, folders: tuple[str, ...], every: bool, as_json: bool) -> int:
    """Find the first version of a ruleset that changes the game in LOG.

    Each DIR holds a version in a folder with the ruleset's name. Each version runs in a separate process.

    Exit status: 0 all versions give the recorded game, 1 at least one does not.
    """
    check_folders(folders)
    found: list[VersionRun] = []
    for folder in folders:
        found.append(run_apart(folder, log))
        if not found[-1].is_same and not every:
            break
    other = next((each for each in found if not each.is_same), None)
    if as_json:
        show_json(found)
        return 0 if other is None else 1
    rows = [(each.folder, each.version, each.files[:12], _comes_out(each)) for each in found]
    show(table(("folder", "version", "files", "result"), rows))
    if other is not None:
        told = other.problem or str(other.difference.text if other.difference else "")
        cited = f" ({other.difference.rule})" if other.difference and other.difference.rule else ""
        show_sentence(f"{'' if other.problem else 'first in '}{other.folder}: {told}{cited}")
    else:
        say("all versions reproduce the log")
    return 0 if other is None else 1


def _comes_out(each: VersionRun) -> str:
    """Return the result of a game under a version, in words."""
    if each.problem:
        return "cannot be run"
    return "as recorded" if each.is_same else "different"
