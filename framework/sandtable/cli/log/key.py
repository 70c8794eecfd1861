"""``sandtable key new``."""

import click

from sandtable.cli.output import say, show
from sandtable.journal.anchors.signing import new_key, read_signing_key

_file = click.argument("file", metavar="KEY", type=click.Path())


@click.command()
@_file
def new_one(file: str) -> None:
    """Write a new private key into the file KEY, and print its public key.

    The public key is for others: `sandtable play --public-key umpire=...` puts it into the header of a game. Keep the
    file to yourself: `log anchor --sign` and `log rule --sign` sign with it. Signing requires sandtable[keys].
    """
    found = new_key(file)
    say(f"{file}: your private key: keep it to yourself, and keep a copy; below the public one, for others")
    show(found.public)


@click.command()
@_file
def show_one(file: str) -> None:
    """Print the public key of the private key in the file KEY."""
    show(read_signing_key(file).public)
