"""``sandtable key``."""

import click

from sandtable.cli.output import say, show


@click.command()
@click.argument("file", metavar="KEY", type=click.Path())
@click.option("--new", is_flag=True, help="Make a new private key and write it into the file.")
def key(file: str, new: bool) -> None:
    """Print the public key of the private key in the file KEY; with --new, make one.

    The public key is for others: `sandtable play --public-key umpire=...` puts it into the header of a game. The file
    is for nobody else: with it `seal --sign` and `rule --sign` sign in your name. Signing wants sandtable[keys].
    """
    from sandtable.journal.anchors.signing import new_key, read_signing_key  # noqa: PLC0415 - so that --help stays quick

    found = new_key(file) if new else read_signing_key(file)
    if new:
        say(f"{file}: your private key: keep it to yourself, and keep a copy; below the public one, for others")
    show(found.public)
