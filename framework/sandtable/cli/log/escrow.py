"""The commands ``sandtable key split`` and ``key restore``."""

import os
from collections.abc import Sequence
from pathlib import Path

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import say, show
from sandtable.errors import LogExists, LogWriteFailed, PlayError
from sandtable.files.reading import read_file
from sandtable.files.words import WORD, WORD_RULE
from sandtable.files.writing import write_secret
from sandtable.journal.file.escrow import LONGEST, restore_key, split_key
from sandtable.journal.file.keys import check_key, keep_key, kept_key, key_file, read_key
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import prepare_for
from sandtable.kernel.decisions import UMPIRE


@click.command()
@arguments.log
@click.option(
    "--holder",
    "holders",
    multiple=True,
    metavar="NAME",
    help="Holder of a share (repeatable; default: sides, umpire).",
)
@click.option("--needs", type=click.IntRange(2), default=2, show_default=True, help="Shares that restore the key.")
@arguments.out("Folder for the shares (default: LOG.shares).", metavar="FOLDER", path=True)
@arguments.dice_key
@pass_context
def split_one(
    context: CliContext, log: str, holders: Sequence[str], needs: int, out: Path | None, key: str | None
) -> None:
    """Split the dice key of the game in LOG into shares, one for each holder.

    Any two of the shares restore the key (or the number in --needs), and a single one reveals nothing about it. So the
    game survives the loss of LOG.key. Each share is 33 words in a file: give it to its holder, and delete it here.
    Holders who put enough shares together during the game can compute its dice. Requires sandtable[escrow].
    """
    found = read_log(log)
    known = read_key(key) if key else kept_key(log, found.header)
    if known is None:
        raise PlayError(
            f"{log}: has no {key_file(log)}: only a game in progress with host or manual dice has a key file"
        )
    check_key(known, found.header, key or str(key_file(log)), log)
    names = holders or (*prepare_for(found, context.rulesets, any_version=True).ruleset.viewers, UMPIRE)
    if strange := next((name for name in names if not WORD.fullmatch(name)), None):
        raise click.BadParameter(f"{strange!r} is not the name of a file: {WORD_RULE}", param_hint="--holder")
    shares = split_key(known, names, needs)
    folder = out or Path(f"{log}.shares")
    files = {folder / f"{name}.share": words for name, words in shares.items()}
    if taken := next((file for file in files if os.path.lexists(file)), None):
        raise LogExists(f"{taken}: already exists: move the earlier shares away")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, words in files.items():
            write_secret(file, f"{words}\n".encode())
            show(str(file))
    except OSError as error:
        raise LogWriteFailed(f"{folder}: the shares cannot be written: {error.strerror}") from error
    say(f"any {needs} of them restore the key: sandtable key restore {log} FILE FILE; then delete them here")


@click.command()
@arguments.log
@click.argument("shares", nargs=-1, required=True)
def restore_one(log: str, shares: Sequence[str]) -> None:
    """Restore the key file of the game in LOG from SHARES, each a file or its words in quotes.

    The key is checked against the header of LOG, and written to LOG.key. Requires sandtable[escrow].
    """
    header = read_log(log).header
    if kept_key(log, header) is not None:
        raise LogExists(f"{key_file(log)}: already exists and is the key of {log}")
    named = {f"share {place}" if " " in share else share: share for place, share in enumerate(shares, start=1)}
    key = restore_key({where: _words(share) for where, share in named.items()})
    check_key(key, header, " and ".join(named), log)
    say(f"{keep_key(log, key)}: restored; resume the game: sandtable resume {log}")


def _words(share: str) -> str:
    """Return the words of a share, which is given as words or as a file."""
    return share if " " in share else read_file(share, LONGEST).decode("ascii", "replace")
