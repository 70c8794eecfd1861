"""Dice keys and public keys as typed, and messages about them; ``hosting.keying`` chooses the key."""

from collections.abc import Mapping, Sequence

import click

from sandtable.cli.inputs import pairs, seed_or_fresh
from sandtable.cli.output import say
from sandtable.hosting.keying import Keying, choose_key, takes_seed
from sandtable.journal.anchors.signing import is_public_key
from sandtable.journal.file.keys import keep_key
from sandtable.kernel.dice import key_from_seed
from sandtable.plugin.manager import Prepared


def public_keys(prepared: Prepared, given: Sequence[str]) -> dict[str, str]:
    """Return the public keys by seat, given as SEAT=HEX or SIDE=HEX.

    As with ``--player``, a side's key is used for all its seats, and a seat's own key has priority. Raises UsageError
    for an unknown seat or an invalid key.
    """
    named = pairs(given, "--public-key")
    seats = prepared.ruleset.seats
    for name, key in named.items():
        if name not in {*seats, *seats.values()}:
            known = ", ".join(dict.fromkeys([*prepared.ruleset.viewers, *seats]))
            raise click.UsageError(f"--public-key: no such side or seat: {name!r}; choose from {known}")
        if not is_public_key(key):
            raise click.UsageError(f"--public-key {name}: {key!r} is not the 64 hex digits of `sandtable key show`")
    keys = {seat: named.get(seat) or named.get(side, "") for seat, side in seats.items()}
    return {seat: key for seat, key in sorted(keys.items()) if key}


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
