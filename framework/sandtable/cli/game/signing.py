"""The commands of ``sandtable key``."""

import secrets

import click

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.output import say, show
from sandtable.errors import DataError
from sandtable.files.writing import write_secret
from sandtable.journal.anchors.signing import new_key
from sandtable.journal.file.keys import read_key
from sandtable.journal.hands.seeds import SeatKey, read_seat_key
from sandtable.journal.resume import resume

_file = click.argument("file", metavar="KEY", type=click.Path())


@click.command()
@_file
@click.option("--seed", is_flag=True, help="Write a seed, from which all secrets of a player in one game follow.")
def new_one(file: str, *, seed: bool) -> None:
    """Write a new private key into the file KEY, and print its public key.

    Give the public key to others: `sandtable play --public-key umpire=...` puts it into the header of a game. Keep the
    file private: anyone who has it can sign as you, with `play --sign`, `log anchor --sign` and `log rule --sign`.
    Signing requires sandtable[keys].

    With --seed the file is for one game: signing key, salts and dice links are derived from it.
    """
    public = _new_seed(file) if seed else new_key(file).public
    say(f"{file}: your private key: keep it private, and keep a copy. The public key, for others:")
    show(public)


def _new_seed(file: str) -> str:
    """Write a new seed into ``file`` and return the public key that follows from it; raise DataError."""
    seed = secrets.token_bytes(32)
    public = SeatKey.of_seed(seed).public
    try:
        write_secret(file, b"%b\n" % seed.hex().encode())
    except FileExistsError:
        raise DataError(file, "", "exists: a key is never overwritten; name another file") from None
    except OSError as error:
        raise DataError(file, "", f"cannot be written: {error.strerror}") from error
    return public


@click.command()
@_file
def show_one(file: str) -> None:
    """Print the public key of the private key or seed in the file KEY."""
    show(read_seat_key(file).public)


@click.command()
@arguments.log
@click.option("--seat", required=True, metavar="SEAT", help="The seat that gets a new key.")
@click.option("--new", "new", required=True, type=click.Path(), metavar="FILE", help="File with the new private key.")
@click.option(
    "--sign", "signs", multiple=True, required=True, type=click.Path(), metavar="FILE", help="Key that signs this."
)
@click.option("--reason", default="", metavar="TEXT", help="Why the old key is lost.")
@arguments.dice_key
@pass_context
def change(
    context: CliContext, *, log: str, seat: str, new: str, signs: tuple[str, ...], reason: str, key: str | None
) -> None:
    """Give a seat of the unfinished game in LOG a new key.

    Sign with its old key. If that is lost, name the reason with --reason, and sign with the key of the umpire or with
    the keys of all other seats (repeat --sign); every verdict then names it. Orders that were signed stay signed.
    """
    signers = [read_seat_key(each) for each in signs]
    resumed = resume(log, context.rulesets, key=read_key(key) if key else None)
    with resumed.writer:
        record = resumed.hands.change_key(resumed.game, seat, read_seat_key(new), signers, reason)
    show(f"{log}: record {record.n}: {seat} has the key {record.key[:16]}…")
