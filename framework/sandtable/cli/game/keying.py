"""Dice keys and public keys as typed, and messages about them; ``hosting.keying`` chooses the key."""

from collections.abc import Mapping, Sequence

import click

from sandtable.cli.inputs import pairs, seed_or_fresh
from sandtable.cli.output import say
from sandtable.hosting.keying import Keying, choose_key, takes_seed
from sandtable.journal.anchors.signing import is_public_key
from sandtable.journal.file.keys import keep_key
from sandtable.journal.hands.seeds import SeatKey, read_seat_key
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import key_from_seed
from sandtable.plugin.manager import Prepared


def public_keys(prepared: Prepared, given: Sequence[str]) -> dict[str, str]:
    """Return the public keys by seat, given as SEAT=HEX or SIDE=HEX.

    As with ``--player``, a side's key is used for all its seats, and a seat's own key has priority. Raises UsageError
    for an unknown seat or an invalid key.
    """
    named = by_seat(prepared, given, "--public-key")
    for seat, key in named.items():
        if not is_public_key(key):
            raise click.UsageError(f"--public-key {seat}: {key!r} is not the 64 hex digits of `sandtable key show`")
    return named


def seat_keys(prepared: Prepared, given: Sequence[str]) -> dict[str, SeatKey]:
    """Return the secrets by seat, from the files that SEAT=FILE or SIDE=FILE name; raise UsageError, DataError."""
    return {seat: read_seat_key(file) for seat, file in by_seat(prepared, given, "--sign").items()}


def by_seat(prepared: Prepared, given: Sequence[str], option: str) -> dict[str, str]:
    """Return the values of an ``option`` by seat, given by seat or side; raise UsageError for an unknown seat."""
    named, seats = pairs(given, option), prepared.ruleset.seats
    for name in named:
        if name not in {*seats, *seats.values()}:
            known = ", ".join(dict.fromkeys([*prepared.ruleset.viewers, *seats]))
            raise click.UsageError(f"{option}: no such side or seat: {name!r}; choose from {known}")
    found = {seat: named.get(seat) or named.get(side, "") for seat, side in seats.items()}
    return {seat: value for seat, value in sorted(found.items()) if value}


def check_signers(prepared: Prepared, keys: Mapping[str, str], signers: Mapping[str, SeatKey]) -> None:
    """Raise UsageError if a seat has a public key but no private one, or a different one: its orders must be signed.

    The umpire may have a public key alone, to sign rulings later.
    """
    for seat, public in keys.items():
        signer = signers.get(seat)
        if signer is None and prepared.ruleset.side_of(seat) != UMPIRE:
            raise click.UsageError(
                f"--public-key {seat}: its orders must be signed: name the file of its private key (--sign {seat}=FILE)"
            )
        if signer is not None and signer.public != public:
            raise click.UsageError(f"--public-key {seat}: is not the public key of --sign {seat}")


def typed_key(prepared: Prepared, names: Mapping[str, str], dice: str, seed: str | None, file: str | None) -> Keying:
    """Return the key for a game, as ``hosting`` chooses it. Raises UsageError if the options contradict each other."""
    if seed is not None and file is not None:
        raise click.UsageError("--seed and --key both determine the dice: use only one")
    if seed is not None and not takes_seed(dice, names):
        raise click.UsageError(
            f"--seed: a seed can be guessed, which would reveal {dice} dice: "
            "omit it to use a random key, or name a key file with --key"
        )
    return choose_key(prepared, names, dice, seed=seed if seed is None else seed_or_fresh(seed), file=file)


def key_of_seed(seed: str) -> bytes:
    """Return the key derived from ``seed``. Raises UsageError if the seed cannot be typed again."""
    return key_from_seed(seed_or_fresh(seed))


def save_key(log: str, key: bytes, *, replace: bool) -> None:
    """Store ``key`` in a file next to ``log``, and print its name."""
    say(f"key: {keep_key(log, key, replace=replace)} (the game cannot be resumed without it; it is removed at the end)")
